"""
The page of one phone, without a server: the application of `faces.web`, called inside a browser.

A service worker passes on what the page asks for, and shows what is answered; all happens in one
thread. The games are files of the runtime, in memory: what has changed is handed out before an
answer is, so that the browser keeps it first.
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
from clue_solver.faces.web.eyes import Links
from clue_solver.faces.web.home import Home
from clue_solver.faces.web.safety import Place
from clue_solver.faces.web.server import Shared
from clue_solver.faces.web.thinking import Thinkers, Worker
from clue_solver.record import parse_record, save
from clue_solver.record.files import MOST_BYTES
from clue_solver.rules.edition_files import load_edition

GAMES, NEW = "games", "the-next-game-of-this-phone"
"""What leads to the list of games, and to the set-up of a game that has no link of its own yet."""


class PageAnswer(NamedTuple):
    """What is answered: the status, the headers as pairs of name and value, the body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Alone:
    """
    The games of one phone.

    Args:
        folder: Where they are; it is made if it is not there.
        origin: The scheme and host of the page, such as `https://clue.example.org`.
        base: The path below which all addresses lie, such as `/clue/game`.
        send: Gives a second worker something to work out, as of `SecondWorker`.
    """

    def __init__(
        self, folder: Path, origin: str, base: str, send: Callable[[bytes], None] = lambda _: None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.beside = SecondWorker(send)
        self._scheme, _, self._host = origin.partition("://")
        self._base = base
        quick = Worker(threaded=False)
        self.shared = Shared(origin + base, quick=quick, thinkers=Thinkers(quick, self.beside))
        place = Place(origin + base, 0, (), (self._host, self._host.split(":")[0]))
        self._home = Home(place, tell=print, folder=folder, shared=self.shared, alone=True)
        self._home.eyes.links = Links(GAMES)
        self._known: dict[str, tuple[int, int, int]] = {}
        self._found = self._known

    async def ask(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        kind: str = "",
        told: Callable[[bytes], None] | None = None,
    ) -> PageAnswer:
        """
        Return what is answered.

        Args:
            method, address: What is asked for: the path, encoded, with what follows its `?`.
            body, kind: What is sent with it, and its content type.
            told: Called with each part of a stream as it comes.
        """
        path, _, query = address.partition("?")
        if unquote(path).removeprefix(f"{self._base}/").partition("/")[0] == NEW:
            self._offer_new()
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
            elif told is not None:
                told(message["body"])
            else:
                parts.append(message.get("body", b""))

        await self._home.app(scope, receive, send)
        pairs = tuple((name.decode(), value.decode("latin-1")) for name, value in said)
        return PageAnswer(status, pairs, b"".join(parts))

    def take(self, name: str, content: bytes) -> str:
        """
        Keep a record, or an edition, that was dropped on the page; return where it leads.

        Args:
            name: The file's name.
            content: What is in it.

        Raises:
            ClueError: If it is neither, or too large.
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
        Return the files that differ from those that are kept: name and content, `None` if gone.

        They count as changed until `kept` is called.
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

    def kept(self) -> None:
        """Take it that what `changes` told last is kept."""
        self._known = self._found

    def _marks(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        """Yield what tells one content of each file from another."""
        for path in sorted(self.folder.iterdir()):
            if not path.name.endswith((".lock", ".part")):
                stat = path.stat()
                yield path.name, (stat.st_mtime_ns, stat.st_size, stat.st_ino)

    def _offer_new(self) -> None:
        """Let the link of a new game lead to a set-up, unless it does."""
        if not any(server.table.recorder.secret == NEW for server in self._home.servers):
            table = self._home.fresh()
            table.recorder.links = Links(NEW)
            self._home.add(table)
