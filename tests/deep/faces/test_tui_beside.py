"""The page for a phone beside the full screen: one session, changed by both."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path

import httpx
import pytest

from clue_solver.conversation.session import Session
from clue_solver.faces.cli import _beside
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.panes import TextDialog
from clue_solver.record import load_record, parse_record
from clue_solver.record.files import RecordFile
from tests.faces.screen import HAND, HEADER, showing

pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytestmark = pytest.mark.asyncio

SMALL = HEADER + HAND


async def test_the_page_and_the_screen_change_one_game(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(SMALL, "utf-8")
    app = PlayApp(Session(load_record(path), keeper=RecordFile(path)), serve=_beside)
    async with showing(app, decides=True) as at, httpx.AsyncClient(timeout=60) as phone:
        await at.put("/serve", "enter")
        assert isinstance(at.front, TextDialog)
        assert at.screen.beside.page is not None
        address = at.screen.beside.page.address
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}", address)
        assert address in str(at.one(".dialog-title").content)
        assert at.screen.beside.page.code.partition("\n")[0] in app.export_screenshot()
        await at.type("", "escape")

        token = re.findall(r'name="csrf" value="(\w+)"', (await phone.get(address)).text)[0]
        said = {"csrf": token, "line": "ben mus wr lou: cat", "settled": "turn"}
        line = "Ben suggests Mustard, Wrench, Lounge: Cat shows"
        await at.put("ben has wh")
        assert (await phone.post(f"{address}/tell", data=said)).status_code == 303
        await at.settle()
        assert at.lines[-1] == line
        assert line in path.read_text("utf-8")
        assert line in at.said()
        assert at.line == "ben has wh"

        await at.put("cat skips", "enter")
        assert "Cat skips" in unescape((await phone.get(address)).text)
        assert (await phone.post(f"{address}/undo", data={"csrf": token})).status_code == 303
        await at.settle()
        assert at.lines[-1] == line
        async with phone.stream("GET", f"{address}/events") as stream:
            versions = (each async for each in stream.aiter_lines() if each.startswith("id:"))
            before = await anext(versions)
            await at.put("cat skips", "enter")
            assert await asyncio.wait_for(anext(versions), 60) != before
        await at.put("/serve", "enter")
        assert address in str(at.one(".dialog-title").content)
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)
    assert "Cat skips" in path.read_text("utf-8")


async def test_an_edit_on_the_screen_stays_while_the_page_adds_an_entry() -> None:
    session = Session(parse_record(SMALL + "Ben skips\nCat skips\n"))
    async with showing(PlayApp(session, serve=_beside)) as at:
        await at.put("/edit 2", "enter")
        change = at.screen._change_beside
        await asyncio.to_thread(lambda: change(lambda: session.tell("ann skips")))
        assert (at.screen.dialog.place.entry, at.line) == (2, "Ben skips")
        await asyncio.to_thread(lambda: change(lambda: session.delete(2)))
        assert at.screen.dialog.place.entry is None
        await at.put("/serve no.such.host.invalid", "enter")
        assert "cannot listen on" in at.said()
        assert at.screen.beside.page is None
