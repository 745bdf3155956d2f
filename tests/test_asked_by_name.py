"""Names that a person gives from Python: every call understands them as a line of a record does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clue_solver import Game, NotationError, load, plots
from clue_solver.exchange.pads import export_pad
from clue_solver.rules.observations import Accusation
from clue_solver.session import Session
from tests.test_errors import CLASSIC

GAME = load(CLASSIC)
SHORT = Game(GAME.record.upto(4))
SOLUTION = next(
    each.cards for each in GAME.observations if isinstance(each, Accusation) and each.right
)


def test_a_report_is_asked_by_short_names() -> None:
    report = GAME.report(viewer="ben", upto=9)
    assert "Ben" == report.viewer
    assert report.verdict("Hall", "Cat") == report.verdict("hall", "cat")
    assert report.probability("Lead Pipe", "envelope") == report.probability("lead", "ENV")


def test_a_spectator_may_be_written_in_any_case() -> None:
    assert "spectator" == GAME.report(viewer="Spectator").viewer
    assert "spectator" == GAME.report(viewer="spec").viewer


def test_what_why_understands_a_report_understands_too() -> None:
    for card in ("hall", "mus", "the lead-pipe", "col mustard", "bill"):
        reason = GAME.why(card, "ben", upto=9)
        assert reason.verdict == GAME.report(upto=9).verdict(card, "ben")


def test_advice_takes_rooms_one_by_one_or_as_a_text() -> None:
    one_by_one = GAME.advice(viewer="cat", upto=9, rooms=["hall", "Study"])
    assert one_by_one == GAME.advice(viewer="Cat", upto=9, rooms="Hall, study")
    assert {"Hall", "Study"} == {each.cards[2] for each in one_by_one.suggestions if each.reach}


def test_a_review_is_asked_by_short_names() -> None:
    review = GAME.review(solution=[card.lower() for card in SOLUTION], sample=100)
    assert review.seats[1] is review.seat("ben")
    assert SOLUTION == review.solution


def test_the_least_that_a_seat_must_know_is_asked_by_a_short_name() -> None:
    assert "Ben" == GAME.least("ben").viewer
    assert GAME.least("Ben", viewer="cat").deals == GAME.least("ben", viewer="Cat").deals


def test_a_session_and_a_pad_are_asked_by_short_names() -> None:
    assert "Cat" == Session(GAME.record).report(viewer="cat").viewer
    assert export_pad(GAME, viewer="cat") == export_pad(GAME, viewer="Cat")


CALLS: dict[str, Callable[[Game, str], object]] = {
    "report": lambda game, name: game.report(viewer=name),
    "why, card": lambda game, name: game.why(name, "Ben"),
    "why, holder": lambda game, name: game.why("Hall", name),
    "why, viewer": lambda game, name: game.why("Hall", "Ben", viewer=name),
    "check": lambda game, name: game.check(viewer=name),
    "advice": lambda game, name: game.advice(viewer=name),
    "advice, rooms": lambda game, name: game.advice(rooms=[name]),
    "advice, at": lambda game, name: game.advice(at=name),
    "opponents": lambda game, name: game.opponents(viewer=name),
    "least": lambda game, name: game.least(name),
    "dimacs": lambda game, name: game.dimacs(viewer=name),
    "suppose": lambda game, name: game.suppose(f"{name} has Rope"),
    "review": lambda game, name: game.review(solution=[name, "Rope", "Hall"]),
    "review, seat": lambda game, name: game.review(solution=SOLUTION, sample=100).seat(name),
    "verdict, card": lambda game, name: game.report().verdict(name, "Ben"),
    "probability, holder": lambda game, name: game.report().probability("Hall", name),
    "session": lambda game, name: Session(game.record).report(viewer=name),
    "pad": lambda game, name: export_pad(game, viewer=name),
    "picture": lambda game, name: plots.solutions(game, viewer=name),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("name", ["Zzyzx", "", "\x1b[31m", "b" * 100_000])
def test_a_name_that_nobody_has_is_a_notation_error(
    call: Callable[[Game, str], object], name: str
) -> None:
    with pytest.raises(NotationError) as caught:
        call(SHORT, name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_a_mistyped_name_is_told_the_nearest() -> None:
    for call in ("report", "least", "check", "pad"):
        with pytest.raises(NotationError, match="did you mean 'Ben'") as caught:
            CALLS[call](GAME, "Bem")
        assert ("Ben",) == caught.value.nearest
