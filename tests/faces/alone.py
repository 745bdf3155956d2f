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
from clue_solver.faces.browser.beside import worked

BASE = "/clue/game"
SET_UP = {
    "edition": "clue-classic",
    "players": "Ann, Ben, Cat",
    "viewer": "Ann",
    "hand": ["White", "Plum", "Rope", "Library", "Study", "Hall"],
}


class Phone:
    """What a browser does: asks, follows, keeps what has changed."""

    def __init__(self, folder: Path, send: Callable[[bytes], None] = lambda _: None) -> None:
        self.alone = Alone(folder, "https://clue.example.org", BASE, send)
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
        self.address = headers.get("hx-push-url", address)
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
    await phone.post(GAMES, "new")
    assert phone.secret == NEW
    await phone.post(NEW, "setup", **SET_UP)
    shown = text(await phone.ask("GET", f"{BASE}/{NEW}"))
    secret = shown.partition(f'data-events="{BASE}/')[2].partition("/")[0]
    for line in lines:
        await phone.post(secret, "tell", line=line, settled="turn")
    return secret


async def whole_evening(folder: Path) -> None:
    """Ask for all that a page can show: the game, why, what if, corrections, the review."""
    sent: list[bytes] = []
    phone = Phone(folder, sent.append)
    await phone.post(GAMES, "new")
    await phone.post(NEW, "setup", **SET_UP, change="1")
    way = phone.alone.take("game.clue", (Path("examples") / "classic.clue").read_bytes())
    secret = way.rpartition("/")[2]
    assert phone.alone.beside is not None
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
        *("?by=Ben&pick=Plum&pick=Wrench&pick=Lounge", "?kind=other", "?edit=3"),
    ):
        shown = await phone.ask("GET", f"{way}{query}")
        assert shown.status == 200, query
        while sent:
            phone.alone.beside.found(worked(sent.pop()))
    await phone.post(secret, "tell", line="Ben lacks Ballroom", settled="clash")
    await phone.post(secret, "tell", line="Ben holds Ballroom", settled=["clash", "turn"])
    await asyncio.sleep(0)
    for query in ("?tab=log", "?tab=sheet"):
        assert (await phone.ask("GET", f"{way}{query}")).status == 200
        while sent:
            phone.alone.beside.found(worked(sent.pop()))
    shown = await phone.ask("GET", f"{way}?tab=log")
    assert re.search("Undo", shown.body.decode())
    whole = phone.alone.take("over.clue", (Path("examples") / "evening.clue").read_bytes())
    review = await phone.ask("GET", f"{whole}/review.html")
    assert review.status == 200
    assert b"<h1" in review.body
