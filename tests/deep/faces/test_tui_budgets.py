"""What keys cost in the full screen, in calls, and how many of them a suggestion takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from clue_solver.conversation.session import Session
from clue_solver.inference.sat import Solver
from clue_solver.notation import TurnState, normalise, readings
from clue_solver.record import load_record
from clue_solver.rules.observations import Suggestion
from tests.counting import counted
from tests.faces.screen import playing
from tests.notation.shortest import shortest

GAMES = Path(__file__).resolve().parents[2] / "games"
NAMES = ("textbook", "streamed", "everyone_shows")
SCREENED = 8
"""So many suggestions are typed on the real screen."""

LINE = "ben mus wr lou: cat pass, ann ple"
LONG = (
    "ben mus wr lou: cat",
    "cat pea can kit: ben",
    "ann pea can hall: -",
    "ben scar kn stu: cat",
    "cat pl ro ha: ann pl",
)
PARSED, CHECKED, SOLVER, AFTER = (
    each.__qualname__ for each in (readings, normalise, Solver.__init__, TurnState.after)
)


@pytest.mark.asyncio
async def test_a_key_reads_the_line_and_what_is_offered_and_builds_few_solvers() -> None:
    with counted(readings, Solver.__init__) as calls:
        async with playing() as at:
            for size in range(1, len(LINE) + 1):
                calls.clear()
                await at.type(LINE[size - 1])
                assert at.line == LINE[:size]
                # What is offered leads to a line: each of it is read.
                assert calls[PARSED] <= 60
                assert calls[SOLVER] <= 10  # a fifth of a millisecond each


@pytest.mark.asyncio
async def test_enter_reads_once_checks_once_and_goes_on_from_the_turn_before() -> None:
    async with playing() as at:
        for line in LONG:
            await at.type(line)
            with counted(readings, normalise, TurnState.after) as calls:
                await at.type("", "enter")
            assert at.line == ""
            assert calls[PARSED] <= 1
            assert calls[CHECKED] <= 1
            assert calls[AFTER] == 1
        assert len(at.lines) == 2 + len(LONG)


@cache
def short_forms(name: str) -> tuple[str, ...]:
    """The shortest line for each suggestion of a game, asker and answers included."""
    record = load_record(GAMES / f"{name}.clue")
    lines = []
    course = TurnState()
    for observation in record.observations:
        if isinstance(observation, Suggestion):
            lines.append(shortest(observation, record.table, course))
        course = course.after(observation)
    return tuple(lines)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_game_told_in_short_is_that_game(name: str) -> None:
    record = load_record(GAMES / f"{name}.clue")
    session = Session(record.upto(1))
    for line in short_forms(name):
        session.tell(line)
    assert session.record.observations == record.observations


def test_a_suggestion_takes_13_keys_on_average_enter_included() -> None:
    lines = [line for name in NAMES for line in short_forms(name)]
    assert sum(len(line) + 1 for line in lines) / len(lines) <= 13
