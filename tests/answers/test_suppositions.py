"""Suppositions: read and written as facts, never cut out of a line."""

from __future__ import annotations

import pytest

from clue_solver import Game, NotationError, parse_record

ODD = ("Mr knows all", "Ben", "Ben has a hat", "Ann lacks wit")


def game(*seats: str) -> Game:
    return Game(parse_record(f"edition: clue-classic\nplayers: {', '.join(seats)}\n"))


@pytest.mark.parametrize("seat", [*ODD, "envelope"])
@pytest.mark.parametrize("fact", ["has Rope", "lacks Rope", "has Rope or Hall"])
@pytest.mark.parametrize("first", ODD)
def test_a_supposition_reads_back_as_it_was_meant(first: str, seat: str, fact: str) -> None:
    seats = (first, *(other for other in ODD if other != first))
    assert game(*seats).suppose(f"{seat} {fact}").suppositions == (f"{seat} {fact}",)


def test_the_report_says_what_was_supposed_whatever_the_first_seat_is_called() -> None:
    report = game(*ODD).suppose("ben has rope").report()
    assert report.supposed == ("Ben has Rope",)
    assert "supposing that Ben has Rope" in str(report)


@pytest.mark.parametrize(
    ("text", "told", "column"),
    [
        ("Ben has Rpoe", "cannot suppose 'Ben has Rpoe': .* did you mean 'Rope'", 8),
        ("Bne has Rope", "cannot suppose 'Bne has Rope': .* did you mean 'Ben'", 0),
        ("Ben suggests Plum, Rope, Hall", "expected a holder, 'has' or 'lacks', and a card", 4),
        ("Ben has Rope: Hall", "nothing after 'Rope'; found ':'", 12),
        ("", "expected an observation; found nothing", 0),
    ],
)
def test_what_cannot_be_supposed_is_told_with_its_place(text: str, told: str, column: int) -> None:
    with pytest.raises(NotationError, match=told) as caught:
        game("Ann", "Ben", "Cat").suppose(text)
    assert caught.value.column == column
