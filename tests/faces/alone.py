"""A browser that has the page without a server: what it asks for, follows and keeps."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from clue_solver.faces.browser.alone import GAMES, NEW, Alone, PageAnswer
from clue_solver.faces.browser.beside import run_job
from tests.faces.phones import buttons

BASE = "/clue/game"
SET_UP = {
    "edition": "clue-classic",
    "name-1": "Ann, Ben, Cat",
    "hand": ["White", "Plum", "Rope", "Library", "Study", "Hall"],
}
DEAL = {
    "edition": "clue-classic",
    "deals": "program",
    "board": "",
    "name-1": "Ida",
    "name-2": "",
    "plays-2": "easy",
    "plays-3": "hard",
}


class Phone:
    """What a browser does: asks, follows, keeps what has changed."""

    def __init__(self, folder: Path, send: Callable[[bytes], None] = lambda _: None) -> None:
        self.alone = Alone(folder, "https://clue.example.org", BASE, send)
        self.alone.shared.pace = 0
        self.disk: dict[str, bytes] = {}
        self.address = ""

    async def ask(
        self, method: str, address: str, said: dict[str, Any] | None = None
    ) -> PageAnswer:
        """Ask, keep, and show where the answer leads."""
        body = urlencode({} if said is None else said, doseq=True).encode()
        kind = "application/x-www-form-urlencoded" if said is not None else ""
        answer = await self.alone.ask(method, address, body, kind)
        for name, content in self.alone.changes():
            if content is None:
                del self.disk[name]
            else:
                self.disk[name] = content
        self.alone.kept()
        headers = dict(answer.headers)
        if "location" in headers:
            return await self.ask("GET", headers["location"])
        self.address = headers.get("content-location", address)
        return answer

    async def post(self, secret: str, action: str, **said: Any) -> PageAnswer:
        """Send a form of a page."""
        return await self.ask("POST", f"{BASE}/{secret}/{action}", said)

    @property
    def secret(self) -> str:
        """What the shown page's address has."""
        return self.address.removeprefix(f"{BASE}/").partition("?")[0].partition("/")[0]


def text(answer: PageAnswer) -> str:
    return unescape(answer.body.decode())


async def played(phone: Phone, *lines: str) -> str:
    """Set a game up and log lines; return the link of its page."""
    await phone.ask("GET", f"{BASE}/{NEW}")
    await phone.post(NEW, "setup", **SET_UP)
    secret = phone.secret
    for line in lines:
        await phone.post(secret, "tell", line=line, settled="turn")
    return secret


async def whole_evening(folder: Path) -> None:
    """Ask for all that a page can show: the game, why, what if, corrections, the review."""
    sent: list[bytes] = []
    phone = Phone(folder, sent.append)
    await phone.post(GAMES, "new")
    assert (await phone.post(phone.secret, "setup", **SET_UP, change="1")).status == 200
    assert "White" in text(await phone.post(phone.secret, "setup", **SET_UP))
    way = phone.alone.take("game.clue", (Path("examples") / "classic.clue").read_bytes())
    secret = way.rpartition("/")[2]
    for query in (
        *(
            "",
            "?tab=sheet",
            "?tab=sheet&card=White&holder=Ben",
            "?suppose=Ben+holds+Rope&tab=sheet",
        ),
        *(
            "?tab=log",
            "?tab=table",
            "?tab=table&another=1",
            "?cover=1",
            "?line=ann+mus+wr+lou:+ben",
        ),
        *("?by=Ben&pick=Plum&pick=Wrench&pick=Lounge", "?x=Roll", "?edit=3"),
    ):
        shown = await phone.ask("GET", f"{way}{query}")
        assert shown.status == 200, query
        while sent:
            phone.alone.beside.found(run_job(sent.pop()))
    await phone.post(secret, "tell", line="Ben lacks Ballroom", settled="clash")
    await phone.post(secret, "tell", line="Ben holds Ballroom", settled=["clash", "turn"])
    await asyncio.sleep(0)
    for query in ("?tab=log", "?tab=sheet"):
        assert (await phone.ask("GET", f"{way}{query}")).status == 200
        while sent:
            phone.alone.beside.found(run_job(sent.pop()))
    shown = await phone.ask("GET", f"{way}?tab=log")
    assert re.search("Undo", shown.body.decode())
    whole = phone.alone.take("over.clue", (Path("examples") / "evening.clue").read_bytes())
    await phone.ask("GET", whole)
    await settled(phone)
    review = await phone.ask("GET", f"{whole}/review.html")
    assert review.status == 200
    assert b"<h1" in review.body
    await phone.post(NEW, "setup", **DEAL)
    for _ in range(500):  # against machines, doing nothing until one of them has found out
        every = buttons(await settled(phone), "answer").values()
        quiet = [each.said for each in every if each.said["what"] in (["nothing"], ["show"])]
        if not quiet:
            break
        await phone.post(phone.secret, "answer", **quiet[-1])
    assert "wins with" in text(await phone.ask("GET", f"{BASE}/{phone.secret}"))


async def settled(phone: Phone) -> str:
    """Return what a page shows once it is this phone's to decide, or all is over."""
    for _ in range(10_000):
        shown = text(await phone.ask("GET", f"{BASE}/{phone.secret}"))
        if "Without taps" in shown:
            await phone.post(phone.secret, "pace", steps="")
        if "<h2>The review</h2>" in shown or "/answer" in shown:
            return shown
        await asyncio.sleep(0)
    raise AssertionError(shown)
