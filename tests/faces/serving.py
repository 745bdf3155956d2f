"""A table served by this process, on a free port, for as long as a test needs it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx

from clue_solver.faces.web.server import PageServer, answering, listening_at, serving
from clue_solver.faces.web.tables import opened
from clue_solver.record.files import Keeper


class Served:
    """What is served, and a phone without a browser that asks it."""

    def __init__(self, server: PageServer) -> None:
        self.server, self.table, self.origin = server, server.table, server.origin
        self.client = httpx.Client(timeout=30, follow_redirects=False)
        self.ended: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """The recorder's page."""
        return self.of(None)

    def of(self, seat: str | None) -> str:
        """The address of a page."""
        book = self.table.seats[seat] if seat else self.table.recorder
        return f"{self.origin}/{book.secret}"

    def get(self, seat: str | None = None, query: str = "") -> str:
        """What a page shows, as text with its marks."""
        answer = self.client.get(f"{self.of(seat)}{query}")
        assert answer.status_code == 200, answer.status_code
        return unescape(answer.text)

    def token(self, seat: str | None = None) -> str:
        """What a form of a page brings back."""
        book = self.table.seats[seat] if seat else self.table.recorder
        return self.server.tokens.of(book.secret)

    def post(self, action: str, seat: str | None = None, **said: str | list[str]) -> httpx.Response:
        """What comes of sending a form."""
        data = {"csrf": self.token(seat), **said}
        return self.client.post(f"{self.of(seat)}/{action}", data=data)

    def lines(self, seat: str | None = None) -> tuple[str, ...]:
        """The entries of a notebook."""
        book = self.table.seats[seat] if seat else self.table.recorder
        return self.table.current(book).lines


@contextmanager
def served(path: Path, *, public: bool = False) -> Iterator[Served]:
    """Serve the game in a file, or one to be set up, on this machine."""
    listening = listening_at("127.0.0.1", 0)
    table = opened(path, keep=lambda: Keeper(path), public=public)
    server, run = answering(table, listening, "127.0.0.1")

    async def go() -> None:
        await serving(server, run, listening)

    thread = threading.Thread(target=lambda: asyncio.run(go()), daemon=True)
    thread.start()
    found = Served(server)
    try:
        yield found
    finally:
        found.client.close()
        if server.loop is not None:
            server.loop.call_soon_threadsafe(run.handle_exit, signal.SIGINT, None)
        thread.join(8)
        listening.close()
        found.ended = tuple(table.close())
        assert not thread.is_alive()
