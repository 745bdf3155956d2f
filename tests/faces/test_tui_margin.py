"""What a large screen has besides: why the cell is so, and the course of the game."""

from __future__ import annotations

from inspect import unwrap
from pathlib import Path

import pytest

from clue_solver import Game, load
from clue_solver.faces.tui.margin import Course
from tests.counting import counted
from tests.faces.screen import SMALL, playing

CLASSIC = Path(__file__).parents[2] / "examples" / "classic.clue"


def test_the_course_of_a_game_is_worked_out_once_an_entry() -> None:
    whole = load(CLASSIC)
    games = [Game(whole.record.upto(entries)) for entries in (10, 11, 10)]
    expected = [whole.report(upto=n).solutions[0].probability for n in range(12)]
    course = Course()
    found, reports = [], []
    for game in games:
        with counted(unwrap(Game.report)) as calls:
            found.append(course.chances(game))
        reports.append(calls.total())
    assert found == [expected[:11], expected, expected[:11]]
    assert reports == [11, 1, 0]
    with counted(unwrap(Game.report)) as calls:
        course.chances(games[0], viewer="Ben", upto=3)
    assert calls.total() == 4


@pytest.mark.asyncio
async def test_a_large_screen_says_why_of_the_cell_and_draws_the_course() -> None:
    async with playing(size=(200, 60)) as at:
        why = at.screen.query_one("#why")
        await at.until(lambda: why.border_title == "Why: Scarlett, envelope")
        assert "100 %" in at.said("#course")
        await at.type("", "down", "left")
        await at.until(lambda: why.border_title == "Why: Mustard, Cat")
        assert "Cat has Mustard." in at.words
        await at.resize(120, 40)
        assert not at.screen.query_one("#course").display
        assert "Cat has Mustard." in at.words


@pytest.mark.asyncio
async def test_a_small_screen_works_nothing_out_for_it() -> None:
    async with playing(SMALL, size=(80, 24)) as at:
        with counted(unwrap(Game.why)) as calls:
            await at.type("", "down", "left")
            await at.type("ben sc le ki : cat", "enter")
            await at.pilot.pause(0.4)
            await at.settle()
        assert (calls.total(), at.screen.query_one("#why").display) == (0, False)


@pytest.mark.parametrize(("width", "height"), [(120, 40), (160, 45), (200, 60)])
@pytest.mark.asyncio
async def test_a_large_screen_has_no_empty_half(width: int, height: int) -> None:
    async with playing(size=(width, height)) as at:
        why = at.screen.query_one("#why")
        await at.until(lambda: why.border_title == "Why: Scarlett, envelope")
        panes = [at.screen.query_one(name).region for name in ("#sheet", "#why")]
        assert [pane.bottom for pane in panes] == [panes[1].y, height - 1]
        assert panes[0].height == at.sheet.plan.height + 3  # its frame, and what its marks mean
        assert all(cell == 6 for cell in at.sheet.plan.cells)
