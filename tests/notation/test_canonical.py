"""The canonical line of an observation, and its inverse."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver.notation import TurnState, format_line, parse_canonical, parse_line
from clue_solver.rules.observations import Leave
from tests.observing import CLUE
from tests.transcripts import Typed, begun, transcripts

TYPED = transcripts(Path(__file__).with_name("typed.txt"))
CANONICAL = [typed for typed in TYPED if typed.lines == (typed.due,)]


@pytest.mark.parametrize("typed", CANONICAL, ids=lambda typed: typed.due)
def test_a_line_in_other_words_is_left_to_the_reader(typed: Typed) -> None:
    table, state = begun(typed)
    line = typed.due
    assert parse_canonical(line, table, state) == parse_line(line, table, state)
    for other in (line.upper(), line.replace(" ", "  "), f"{line}.", f"{line},", f"well, {line}"):
        assert parse_canonical(other, table, state) is None


@pytest.mark.parametrize(
    "line",
    [
        "Ann suggests Plum, Rope: Ben passes",
        "Ann suggests Plum, Rope, Hall: shows",
        "Ann suggests Plum, Rope, Hall: Ann shows",
        "Ann suggests Plum, Rope, Hall: Ben shows Knife",
        "Ann accuses Plum, Rope, Hall",
        "Ann knows Ben",
        "Ann knows Ben has Rope lacks Hall",
        "Ann reveals",
        "Ann rolls 07",
        "Ann moves Hall",
        "Eve skips",
        "nobody skips",
        "nobody reveals Plum to Ann",
    ],
)
def test_a_line_without_a_meaning_is_none(line: str) -> None:
    assert parse_canonical(line, CLUE) is None


def test_nobody_is_everybody_who_is_left() -> None:
    gone = TurnState().after(Leave(by="Cat"))
    told = parse_canonical("Ann suggests Plum, Rope, Hall: nobody shows", CLUE, gone)
    assert told is not None
    assert format_line(told, CLUE) == "Ann suggests Plum, Rope, Hall: Ben passes, Dan passes"
    assert parse_canonical(format_line(told, CLUE), CLUE, gone) == told
    assert parse_canonical("Ann suggests Plum, Rope, Hall: Cat shows", CLUE, gone) is None
