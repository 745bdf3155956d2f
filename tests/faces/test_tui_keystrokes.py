"""How many keys a suggestion takes, counted where the full screen handles them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from clue_solver.faces.tui.app import PlayApp
from clue_solver.notation import TurnState
from clue_solver.record import load_record
from clue_solver.rules.observations import Suggestion
from clue_solver.session import Session
from tests.faces.test_tui import settle, typing
from tests.notation.test_reading import shortest

GAMES = Path(__file__).resolve().parents[1] / "games"


NAMES = ("textbook", "streamed", "everyone_shows")


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


@pytest.mark.asyncio
@pytest.mark.parametrize("name", NAMES)
async def test_a_recorded_game_typed_in_short_is_that_game(name: str) -> None:
    record = load_record(GAMES / f"{name}.clue")
    session = Session(record.upto(1))
    app = PlayApp(session)
    async with app.run_test(size=(100, 34)) as pilot:
        await settle(pilot)
        for line in short_forms(name):
            await typing(pilot, line, "enter")
        assert record.observations == session.record.observations


def test_a_suggestion_takes_9_keys_on_average_enter_included() -> None:
    lines = [line for name in NAMES for line in short_forms(name)]
    assert 9 >= sum(len(line) + 1 for line in lines) / len(lines)
