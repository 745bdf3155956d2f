"""
Runs the application of `faces.web` in the browser of a single phone, without a server.

A service worker passes on the requests of the page and shows the responses. All work is done in
one thread. The games are files in memory. Before a response is shown, the browser saves the files
that have changed.
"""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from starlette.types import Message, Scope

from clue_solver.errors import ArgumentError, ClueError, printable
from clue_solver.faces import games
from clue_solver.faces.browser.beside import SecondWorker
from clue_solver.faces.web.home import Home
from clue_solver.faces.web.links import Link
from clue_solver.faces.web.safety import Place
from clue_solver.faces.web.thinking import Shared, Worker
from clue_solver.record.files import MOST_BYTES, parse_record, save
from clue_solver.rules.edition_files import load_edition

GAMES, NEW = "games", "the-next-game-of-this-phone"
"""The last parts of the addresses of the list of games, and of the form for a new game."""


class PageAnswer(NamedTuple):
    """A response: its status, its headers as pairs of name and value, and its body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Alone:
    """
    Serves the games that are saved on one phone, inside its browser.

    Args:
        folder: The folder of the games. It is created if it does not exist.
        origin: The scheme and host of the page, such as `https://clue.example.org`.
        base: The path that all addresses begin with, such as `/clue/game`.
        send: Sends a job to a second worker. See `SecondWorker`.
    """

    def __init__(
        self, folder: Path, origin: str, base: str, send: Callable[[bytes], None] = lambda _: None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.beside = SecondWorker(send)
        self._scheme, _, self._host = origin.partition("://")
        self._base = base
        self.shared = Shared(origin, Worker(threaded=False), self.beside)
        place = Place(origin + base, 0, (), (self._host, self._host.split(":")[0]))
        self._home = Home(place, tell=print, folder=folder, shared=self.shared)
        self._home.eyes.link = Link(GAMES)
        self._known: dict[str, tuple[int, int, int]] = {}
        self._found = self._known

    async def ask(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        kind: str = "",
        stream: Callable[[bytes], None] | None = None,
    ) -> PageAnswer:
        """
        Answer a request.

        Args:
            method: The HTTP method.
            address: The encoded path and query of the request.
            body, kind: The body of the request and its content type; both empty if it has no body.
            stream: Called with each part of a streamed response, in place of a body.
        """
        # The request, as ASGI puts it.
        path, _, query = address.partition("?")
        if unquote(path).removeprefix(f"{self._base}/").partition("/")[0] == NEW:
            self._home.begin().table.recorder.link = Link(NEW)
        headers = [(b"host", self._host.encode()), (b"content-type", kind.encode())]
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": self._scheme,
            "root_path": self._base,
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers if kind else headers[:1],
            "client": ("this phone", 0),
            "server": (self._host, 0),
        }
        # The body is received once; what is sent is kept, or streamed.
        sent = [{"type": "http.request", "body": body, "more_body": False}]
        status, said, parts = 500, [], []

        async def receive() -> Message:
            if sent:
                return sent.pop()
            await asyncio.get_running_loop().create_future()  # nobody hangs up
            raise AssertionError

        async def send(message: Message) -> None:
            nonlocal status, said
            if message["type"] == "http.response.start":
                status, said = message["status"], message["headers"]
            elif stream is not None:
                stream(message["body"])
            else:
                parts.append(message.get("body", b""))

        await self._home.app(scope, receive, send)
        pairs = tuple((name.decode(), value.decode("latin-1")) for name, value in said)
        return PageAnswer(status, pairs, b"".join(parts))

    def take(self, name: str, content: bytes) -> str:
        """
        Save a record or an edition that was opened on the page; return the address to show.

        Args:
            name: The name of the file.
            content: The content of the file.

        Raises:
            ClueError: If the file is neither a record nor an edition, or is too large.
        """
        if len(content) > MOST_BYTES:
            raise ArgumentError(f"expected at most {MOST_BYTES >> 20} MiB; found more")
        stem = printable(Path(name).stem, most=60).replace("/", "_") or "game"
        if name.endswith(".toml"):
            path = games.free_path(self.folder / f"{stem}.toml")
            path.write_bytes(content)
            try:
                load_edition(str(path))
            except ClueError:
                path.unlink()
                raise
            return f"{self._base}/{GAMES}"
        text = content.decode("utf-8-sig", "replace")
        record = parse_record(text, path=name, beside=self.folder)
        path = games.free_path(self.folder / f"{stem}.clue")
        save(record, path)
        return f"{self._base}/{self._home.open(path).table.own.secret}"

    def changes(self) -> list[tuple[str, bytes | None]]:
        """
        Return the names and contents of the changed files; the content of a deleted one is `None`.

        The files count as changed until `mark_saved` is called.
        """
        found = dict(self._marks())
        gone = [(name, None) for name in self._known if name not in found]
        written = [
            (name, (self.folder / name).read_bytes())
            for name, mark in found.items()
            if self._known.get(name) != mark
        ]
        self._found = found
        return [*gone, *written]

    def mark_saved(self) -> None:
        """Note that the browser has saved the last result of `changes`."""
        self._known = self._found

    def _marks(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        """Yield the name of each file, and three numbers that show whether it was changed."""
        for path in sorted(self.folder.iterdir()):
            if not path.name.endswith((".lock", ".part")):
                stat = path.stat()
                yield path.name, (stat.st_mtime_ns, stat.st_size, stat.st_ino)
