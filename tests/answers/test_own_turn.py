"""What a player may do in its own turn, and what advice makes of it, beside the referee."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clue_solver import ArgumentError, Game, Table, load_edition, parse_record
from clue_solver.answers.own_turn import OwnTurn
from tests.answers.late_turns import faults, late_positions

SMALL = [
    ("clue-2015", 2),
    ("clue-classic", 2),
    ("clue-custom", 3),
    ("clue-diced", 3),
    ("clue-diced-master", 3),
    ("cluedo-watson", 3),
]


def test_advice_in_late_turns_is_within_the_rules_and_never_rash() -> None:
    phases = Counter[str]()
    for position in islice(late_positions(Random(16), SMALL, most=4), 12):
        assert [*faults(position, Game(position.record).advice())] == [], position
        phases[position.phase] += 1
    assert len(phases) >= 4


def told(header: str, *lines: str) -> Game:
    return Game(parse_record(f"{header}\n\n" + "".join(f"{line}\n" for line in lines)))


def reach(name: str, *lines: str, header: str = "", **said: Any) -> dict[str, float]:
    """The chances of the rooms for Ann, those of nothing left out."""
    text = f"edition: {name}\nplayers: Ann, Ben, Cat\nviewer: Ann\n{header}\n"
    record = parse_record(text + "".join(f"{line}\n" for line in lines))
    rooms = OwnTurn(record.table, record.observations, "Ann", **said).rooms
    return {room: chance for room, chance in rooms.items() if chance}


def test_whoever_was_called_to_a_room_may_ask_there() -> None:
    lines = (
        "Ann suggests Green, Rope, Hall: nobody shows",
        "Ben suggests White, Rope, Study: nobody shows",
        "Cat suggests Green, Knife, Library: nobody shows",
    )
    pieces = "pieces: Green, Plum, Scarlett\n"
    called = {"Library", "Billiard Room"}
    assert {*reach("clue-classic", *lines, header=pieces, roll=4)} == called
    assert {*reach("clue-classic", *lines, header=pieces, roll=4, at="Library")} == called
    assert {*reach("clue-classic", *lines, header=pieces, at="Study", roll=4)} == {"Hall"}
    assert {*reach("clue-classic", *lines, at="Library", roll=4)} == {"Billiard Room"}


def test_the_record_tells_where_one_stands_what_was_rolled_and_where_one_went() -> None:
    pieces = "pieces: Plum, Scarlett, Green\nfirst: Ann\n"
    rolled = ("Ann rolls 9",)
    assert {*reach("clue-classic", *rolled, header=pieces)} == {"Study"}
    assert reach("clue-classic", header=pieces)["Study"] == pytest.approx(15 / 36)
    moved = (*rolled, "Ann moves to Study")
    assert reach("clue-classic", *moved, header=pieces) == {"Study": 1.0}
    assert reach("clue-classic", *moved) == {"Study": 1.0}
    assert {*reach("clue-classic", *moved, at="Study")} == {"Hall", "Library"}  # she rolled 9
    assert len(reach("clue-classic", *rolled)) == 9  # from where is not told
    asked = (*moved, "Ann suggests Green, Rope, Study: nobody shows")
    assert {"Hall", "Kitchen", "Library"} <= {*reach("clue-classic", *asked, header=pieces)}
    assert len(reach("clue-classic", *asked, header="board: none\n")) == 9


def test_who_plays_whom_untold_one_stands_where_one_last_suggested() -> None:
    asked = (
        "Ann suggests Green, Rope, Hall: nobody shows",
        "Ben suggests White, Rope, Study: nobody shows",
        "Cat suggests Plum, Rope, Hall: nobody shows",
    )
    assert reach("clue-classic", *asked) == reach("clue-classic", at="Hall")
    assert reach("clue-classic", *asked, roll=4) == reach("clue-classic", at="Hall", roll=4)


@pytest.mark.parametrize("roll", [0, 1, 13, -2])
def test_a_roll_no_dice_can_give_is_refused(roll: int) -> None:
    with pytest.raises(ArgumentError, match="2 dice give 2 to 12"):
        reach("clue-classic", at="Study", roll=roll)


def test_a_look_at_a_face_down_card_counts_for_its_room() -> None:
    rooms = "Hall, Library, Lounge, Study"
    header = f"edition: clue-2015\nplayers: Ann, Ben\nviewer: Ann\nface-down: {rooms}"
    hand = "Ann holds Scarlett, Green, Peacock, Candlestick, Conservatory, Dining Room, Rope"
    advice = told(header, hand).advice()
    looks = {each.cards[2]: each.look for each in advice.suggestions}
    assert {room: room if room in rooms else None for room in looks} == looks
    ask = next(each for each in advice.suggestions if each.look)
    assert "look" not in next(e for e in advice.suggestions if e.look is None).to_dict()
    seen = told(header, hand, f"Ann looks at {ask.look}: Knife").advice(rooms=ask.look)
    assert {each.look for each in seen.suggestions} == {None}
    assert (
        told(header, hand)
        .advice(rooms=ask.look)
        .text.startswith(f"Go to the {ask.look} and look, then suggest")
    )


def test_a_deck_that_marks_some_cards_shows_nothing_in_the_notch_for_the_others(
    tmp_path: Path,
) -> None:
    deck = """
title = "Half marked"
observes = ["suggests", "peeks", "accuses", "holds", "knows"]
dice = { eye = "look at the notch" }
bonus = { eye = "peeks" }
[[category]]
name = "suspect"
cards = [{ name = "A1", feature = "Red" }, { name = "A2" }, { name = "A3" }, { name = "A4" }]
[[category]]
name = "weapon"
cards = [{ name = "B1", feature = "Red" }, { name = "B2", feature = "Blue" }, { name = "B3" }]
"""
    path = tmp_path / "half.toml"
    path.write_text(deck, "utf-8")
    header = f"edition: {path}\nplayers: Ann, Ben\nviewer: Ann"
    asked = "Ann suggests A1, B1: nobody shows"
    advice = told(header, "Ann holds A1, A2, B1", asked).advice()
    (peek,) = advice.uses
    assert advice.bits == 2  # A3 or A4, B2 or B3
    expected = 1 - 0.75 * (-(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3)))  # blue: B2 for certain
    assert peek.action == "Ann peeks"
    assert peek.gain == pytest.approx(expected)
    assert told(header, "Ann holds A1, B1, B2", asked).advice().uses == ()


def test_where_nothing_can_be_asked_one_heads_for_a_room() -> None:
    game = told("edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann")
    advice = game.advice(at="Plum", roll=2)
    assert (advice.kind, advice.suggestions, advice.ask) == ("go", (), None)
    assert advice.heading is not None
    assert (advice.heading.room, advice.heading.steps) == ("Study", 8)
    for drawn in (str(advice), repr(advice), advice._repr_html_()):
        assert "ead for the Study (8 steps)" in drawn


def test_a_blank_face_of_the_bonus_die_leaves_nothing_to_do_before_accusing() -> None:
    table = Table(edition=load_edition("clue-diced"), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    peek, blank, unknown = (
        OwnTurn(table, (), "Ann", dice=dice).after
        for dice in ("plum, green, plum, eye", "plum, green, plum, blank", None)
    )
    assert len(peek) == 2
    assert {*peek} < {*unknown}
    assert blank == ("suggests",)


@pytest.mark.parametrize(
    ("edition", "room", "turns"),
    [
        ("clue-classic", "Study", 1.0),  # by the passage
        ("clue-classic", "Ballroom", 1 + 7 / 7),
    ],
)
def test_the_way_to_a_room_counts_passages_and_the_dice(
    edition: str, room: str, turns: float
) -> None:
    table = Table(edition=load_edition(edition), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    turn = OwnTurn(table, (), "Ann", at="Kitchen")
    assert turn.turns_to(room) == pytest.approx(turns)


@pytest.mark.parametrize(
    ("edition", "room", "stays"),
    [
        ("cluedo-watson", "Study", True),
        ("cluedo-watson", "Hall", False),
        ("clue-classic", "Study", False),  # there one has to leave
    ],
)
def test_who_asks_where_it_stands_is_told_to_stay(edition: str, room: str, stays: bool) -> None:
    table = Table(edition=load_edition(edition), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    assert OwnTurn(table, (), "Ann", at="Study").stays(("Plum", "Rope", room)) == stays
