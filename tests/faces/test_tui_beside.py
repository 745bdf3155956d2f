"""The page for a phone beside the full screen: one session, changed by both."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path

import httpx
import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from clue_solver.faces.cli import _beside
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.panes import Reading
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.record import load_record, parse_record
from clue_solver.record.files import Keeper
from clue_solver.session import Session

pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytestmark = pytest.mark.asyncio

SMALL = """edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""


async def typed(pilot: Pilot[None], line: str) -> None:
    """Type a line and wait until what it asks for is there."""
    screen = pilot.app.screen
    screen.query_one("#entry", Input).value = line
    await pilot.press("enter")
    await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    """Wait until everything that was asked for is drawn."""
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def test_the_page_and_the_screen_change_one_game(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(SMALL, "utf-8")
    session = Session(load_record(path), keeper=Keeper(path))
    app = PlayApp(session, serve=_beside)
    async with app.run_test(size=(80, 24)) as pilot, httpx.AsyncClient(timeout=30) as phone:
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        await typed(pilot, "/serve")
        shown = app.screen
        assert isinstance(shown, Reading)
        assert screen.page is not None
        address = screen.page.address
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}", address)
        assert address in str(shown.query_one(".dialog-title", Static).content)
        assert screen.page.code.partition("\n")[0] in app.export_screenshot()
        await pilot.press("escape")

        token = re.findall(r'name="csrf" value="(\w+)"', (await phone.get(address)).text)[0]
        said = {"csrf": token, "line": "ben mus wr lou: cat", "settled": "turn"}
        line = "Ben suggests Mustard, Wrench, Lounge: Cat shows"
        screen.query_one("#entry", Input).value = "ben has wh"
        assert 303 == (await phone.post(f"{address}/tell", data=said)).status_code
        await settled(pilot)
        assert line == session.lines[-1]
        assert line in path.read_text("utf-8")
        assert line in str(screen.query_one("#note", Static).content)
        assert "ben has wh" == screen.query_one("#entry", Input).value

        await typed(pilot, "cat skips")
        assert "Cat skips" in unescape((await phone.get(address)).text)
        assert 303 == (await phone.post(f"{address}/undo", data={"csrf": token})).status_code
        await settled(pilot)
        assert line == session.lines[-1]
        async with phone.stream("GET", f"{address}/events") as stream:
            versions = (each async for each in stream.aiter_lines() if each.startswith("data:"))
            before = await anext(versions)
            await typed(pilot, "cat skips")
            assert before != await asyncio.wait_for(anext(versions), 20)
        await typed(pilot, "/serve")
        assert address in str(app.screen.query_one(".dialog-title", Static).content)
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)
    session.close()
    assert "Cat skips" in path.read_text("utf-8")


async def test_an_edit_on_the_screen_stays_while_the_page_adds_an_entry() -> None:
    session = Session(parse_record(SMALL + "Ben skips\nCat skips\n"))
    app = PlayApp(session, serve=_beside)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        await typed(pilot, "/edit 2")
        change = screen._change_beside
        await asyncio.to_thread(lambda: change(lambda: session.tell("ann skips")))
        assert (2, "Ben skips") == (screen.editing, screen.query_one("#entry", Input).value)
        await asyncio.to_thread(lambda: change(lambda: session.delete(2)))
        assert screen.editing is None
        await typed(pilot, "/serve no.such.host.invalid")
        assert "cannot listen on" in str(screen.query_one("#note", Static).content)
        assert screen.page is None
