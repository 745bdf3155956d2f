"""What a player may do in its own turn, and what advice makes of it, beside the referee."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clue_solver import ClueError, Game, parse_record
from clue_solver.answers.own_turn import OwnTurn
from tests.answers.late_turns import faults, late_positions
from tests.rows import blocks, held

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
    for position in islice(late_positions(Random(16), SMALL, most=4), 8):
        assert [*faults(position, Game(position.record).advice())] == [], position
        phases[position.phase] += 1
    assert len(phases) >= 4


TURNS = Path(__file__).with_name("own_turns.txt")
"""
Turns of Ann, and what she can do.

`@` a line of the header, `.` an entry, `?` what is asked, and what is said of her turn.
"""


def answer(game: Game, asked: str) -> str:
    """Return the answer to a question: which rooms she can ask in, with their chances, and such."""
    word, _, said = asked.partition(": ")
    given: dict[str, Any] = dict(each.split(" ", 1) for each in said.split(", ") if each)
    given |= {"roll": int(given["roll"])} if "roll" in given else {}
    given |= {"dice": given["dice"].split("/")} if "dice" in given else {}
    try:
        turn = OwnTurn(game.table, game.observations, "Ann", **given)
    except ClueError as error:
        return f"refused: {error}"
    match word.split(" ", 2):
        case ["rooms"]:
            chances = {room: chance for room, chance in turn.rooms.items() if chance}
            told = (f"{room} {Fraction(p).limit_denominator(36)}" for room, p in chances.items())
            return "every room" if min(turn.rooms.values()) == 1 else ", ".join(told)
        case ["way", _, room]:
            return f"{turn.distance_to(room)[1]:.3g} turns"
        case ["stays", _, room]:
            return "yes" if turn.can_suggest_in_place(("Plum", "Rope", room)) else "no"
        case ["first"]:
            return ", ".join(turn.after)
        case ["looks"]:
            looks = {each.cards[2]: str(each.look) for each in game.advice(quick=True).suggestions}
            return ", ".join(room for room in turn.rooms if looks.get(room) == room) or "nowhere"
    return game.advice(**given).text


def answered(text: str) -> list[str]:
    """Return the lines of a block with the answers to its questions."""
    heads, log, told = {"edition": "clue-classic", "players": "Ann, Ben, Cat"}, list[str](), []
    for line in text.splitlines():
        mark, said = line[:1], line[2:]
        told += [line] if mark != "=" else []
        if mark == "@":
            key, _, value = said.partition(": ")
            heads[key] = value
        elif mark == ".":
            log.append(said)
        elif mark == "?":
            head = (f"{key}: {value}" for key, value in ({**heads, "viewer": "Ann"}).items())
            record = parse_record("\n".join((*head, "", *log, "")))
            told.append(f"= {answer(Game(record), said)}")
    return told


@pytest.mark.parametrize("name", blocks(TURNS))
def test_what_can_be_done_in_a_turn(name: str) -> None:
    held(TURNS, name, answered(blocks(TURNS)[name]))


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
    header = f"edition: {path}\nplayers: Ann, Ben\nviewer: Ann\n\n"
    asked = "\nAnn suggests A1, B1: nobody shows\n"
    advice = Game(parse_record(f"{header}Ann holds A1, A2, B1{asked}")).advice()
    (peek,) = advice.uses
    assert advice.bits == 2  # A3 or A4, B2 or B3
    expected = 1 - 0.75 * (-(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3)))  # blue: B2 for certain
    assert peek.action == "Ann peeks"
    assert peek.gain == pytest.approx(expected)
    assert not Game(parse_record(f"{header}Ann holds A1, B1, B2{asked}")).advice().uses
