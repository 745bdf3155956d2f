"""What keys cost in the full screen, in calls."""

from __future__ import annotations

import pytest

from clue_solver.inference.sat import Solver
from clue_solver.notation import TurnState, normalise, readings
from tests.counting import counted
from tests.faces.screen import playing

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
