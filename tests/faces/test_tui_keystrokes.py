"""How many keys a suggestion takes, counted where the full screen handles them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from clue_solver.notation import TurnState
from clue_solver.record import format_record, load_record
from clue_solver.rules.observations import Suggestion
from clue_solver.session import Session
from tests.faces.test_tui import KEYS, playing, take_as_it_stands
from tests.notation.test_reading import shortest

GAMES = Path(__file__).resolve().parents[1] / "games"


SCREENED = 8
"""So many suggestions are typed on the real screen."""

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


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_game_told_in_short_is_that_game(name: str) -> None:
    record = load_record(GAMES / f"{name}.clue")
    session = Session(record.upto(1))
    for line in short_forms(name):
        session.tell(line)
    assert record.observations == session.record.observations


@pytest.mark.asyncio
async def test_a_recorded_game_begun_in_short_is_that_game() -> None:
    record = load_record(GAMES / "textbook.clue")
    async with playing(format_record(record.upto(1)), size=(100, 34)) as (pilot, screen):
        for line in short_forms("textbook")[:SCREENED]:
            await pilot.press(*(KEYS.get(mark, mark) for mark in line), "enter")
            await take_as_it_stands(pilot, screen)  # as it was recorded
        told = screen.session.record.observations
        assert SCREENED + 1 <= len(told)
        assert record.observations[: len(told)] == told


def test_a_suggestion_takes_9_keys_on_average_enter_included() -> None:
    lines = [line for name in NAMES for line in short_forms(name)]
    assert 9 >= sum(len(line) + 1 for line in lines) / len(lines)
