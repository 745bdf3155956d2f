"""What one key and one Enter may cost in the full screen: calls are counted, not times."""

from __future__ import annotations

import pytest

from clue_solver.inference.sat import Solver
from clue_solver.notation import TurnState, normalise, parse_line
from clue_solver.session import Session
from tests.counting import counted
from tests.faces.test_tui import line_of, playing, said, typing
from tests.test_session import begun

LINE = "ben mus wr lou: cat pass, ann ple"
LONG = (
    "ben mus wr lou: cat",
    "cat pea can kit: ben",
    "ann pea can hall: -",
    "ben scar kn stu: cat",
    "cat pl ro ha: ann pl",
)

PARSED, CHECKED, SOLVER = (
    parse_line.__qualname__,
    normalise.__qualname__,
    Solver.__init__.__qualname__,
)


@pytest.mark.asyncio
async def test_a_key_parses_the_line_at_most_three_times_and_builds_no_solver() -> None:
    with counted(parse_line, Solver.__init__) as calls:
        async with playing() as (pilot, screen):
            assert calls[SOLVER]  # threads are counted, too
            for size in range(1, len(LINE) + 1):
                calls.clear()
                await typing(pilot, LINE[size - 1])
                assert line_of(screen) == LINE[:size]
                assert 1 <= calls[PARSED] + (not LINE[:size].strip()) <= 3
                assert 0 == calls[SOLVER]


@pytest.mark.asyncio
async def test_lines_that_clash_are_found_without_a_new_solver() -> None:
    with counted(parse_line, Solver.__init__) as calls:
        async with playing() as (pilot, screen):
            assert calls[SOLVER]  # threads are counted, too
            for key in "ben mus wr lou: cat -":
                calls.clear()
                await typing(pilot, key)
                assert 3 >= calls[PARSED]
                assert 0 == calls[SOLVER]
            await typing(pilot, "", "ctrl+u")
            calls.clear()
            await typing(pilot, "ann mus wr lou: ben passes, cat p")
            assert "contradicts" in said(screen)
            assert 0 == calls[SOLVER]


@pytest.mark.asyncio
async def test_enter_reads_once_checks_once_and_goes_on_from_the_turn_before() -> None:
    async with playing() as (pilot, screen):
        for line in LONG:
            await typing(pilot, line)
            with counted(parse_line, normalise, TurnState.after) as calls:
                await typing(pilot, "", "enter")
            assert line_of(screen) == ""
            assert 1 >= calls[PARSED]
            assert 1 == calls[CHECKED]
            assert 1 == calls[TurnState.after.__qualname__]
        assert 2 + len(LONG) == len(screen.session.record.entries)


def test_a_line_told_is_parsed_once_whatever_stands_before_it() -> None:
    session = begun()
    for line in (
        "ann mus wr lou: cat",
        "ben mus wr lou: cat",
        "Cat suggests Plum, Rope, Hall: Ann shows",
    ):
        with counted(parse_line, normalise, TurnState.after) as calls:
            session.tell(line)
        assert 1 == calls[PARSED] == calls[TurnState.after.__qualname__]
    assert 1 == calls[CHECKED]


def test_undo_and_redo_find_the_state_of_the_turn_again() -> None:
    session = begun()
    session.tell("ann mus wr lou: cat")
    session = Session(session.record)
    session.tell("ben mus wr lou: cat")
    turns = [session.turn]
    with counted(parse_line, normalise, TurnState.after) as calls:
        while session.undo():
            turns.append(session.turn)
        while session.redo():
            pass
        assert turns[0] == session.turn
    assert ["Cat", "Ben", None, None] == turns
    assert not calls
