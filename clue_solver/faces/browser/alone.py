"""
The page of one phone, without a server: the application of `faces.web`, called inside a browser.

A service worker passes on what the page asks for, and shows what is answered; all happens in one
thread. The games are files of the runtime, in memory: what has changed is handed out before an
answer is, so that the browser keeps it first.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from clue_solver.errors import ArgumentError, ClueError, printable
from clue_solver.faces import games
from clue_solver.faces.browser.beside import SecondWorker
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import Links, kept_links, links_file, new_secret
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.safety import Guard, notice, way_to
from clue_solver.faces.web.said import one
from clue_solver.faces.web.server import Door, PageServer, Shared, answering, form_of
from clue_solver.faces.web.sheet_pane import templates
from clue_solver.faces.web.thinking import Thinkers
from clue_solver.faces.web.worker import Worker
from clue_solver.record import load_record, parse_record, save
from clue_solver.record.files import MOST_BYTES
from clue_solver.rules.edition import load_edition

GAMES, NEW = "games", "the-next-game-of-this-phone"
"""What leads to the list of games, and to the set-up of a game that has no link of its own yet."""


class PageAnswer(NamedTuple):
    """What is answered: the status, the headers as pairs of name and value, the body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Listed(NamedTuple):
    """A game of the list: its file's name, what tells it from others, whether it can be opened."""

    name: str
    line: str
    sound: bool


class Alone:
    """
    The games of one phone.

    Args:
        folder: Where they are; it is made if it is not there.
        origin: The scheme and host of the page, such as `https://clue.example.org`.
        base: The path below which all addresses lie, such as `/clue/game`.
        send: Gives a second worker something to work out, as of `SecondWorker`; without it closer
            looks are taken in this thread, between two answers.
    """

    def __init__(
        self,
        folder: Path,
        origin: str,
        base: str,
        send: Callable[[bytes], None] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.beside = SecondWorker(send) if send is not None else None
        self._origin = origin
        self._base = base
        quick = Worker(threaded=False)
        thinkers = Thinkers(quick, self.beside)
        self._shared = Shared(origin + base, apart=True, quick=quick, thinkers=thinkers)
        self._list = Eyes()
        self._list.links = Links((GAMES,))
        self._own = answering(
            [
                Route("/{secret}", self._show, methods=["GET", "HEAD"]),
                Route("/{secret}/open", self._opened, methods=["GET"]),
                Route("/{secret}/save", self._saved, methods=["GET"]),
                Route("/{secret}/new", self._begun, methods=["POST"]),
                Route("/{secret}/delete", self._deleted, methods=["POST"]),
            ]
        )
        self._server: PageServer | None = None
        self._known: dict[str, tuple[int, int, int]] = {}
        self._found = self._known
        host = origin.partition("//")[2]
        self._host = host
        self._app = Guard(
            self._answer, self._doors, port=0, names=(), allowed=(host, host.split(":")[0]),
            tell=print, framed=True,
        )  # fmt: skip

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
        with suppress(ClueError):
            self._open_for(unquote(path).removeprefix(f"{self._base}/").partition("/")[0])
        headers = [(b"host", self._host.encode()), (b"content-type", kind.encode())]
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": self._origin.partition(":")[0],
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

        await self._app(scope, receive, send)
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
        return self._way(self._open(path).table.recorder)

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

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["state"]["door"].app(scope, receive, send)

    def _doors(self) -> dict[str, Door]:
        doors = dict(self._server.doors) if self._server is not None else {}
        return doors | {GAMES: Door(self._own, self._list)}

    def _way(self, eyes: Eyes) -> str:
        return f"{self._base}/{eyes.secret}"

    def _open_for(self, secret: str) -> None:
        """Open the game that a secret leads to, or begin a new one."""
        if secret in self._doors():
            return
        for path in games.games_by_time(self.folder):
            with suppress(ClueError, OSError):
                if secret.encode() in links_file(path).read_bytes():
                    mark = load_record(path).table.game
                    if any(secret in links.every for links in kept_links(path, mark).values()):
                        self._open(path)
                        return
        if secret == NEW:
            table = self._to_serve()
            table.recorder.links = Links((NEW, new_secret()))
            self._serve(table)

    def _to_serve(self) -> LoggedTable:
        table = LoggedTable(keep=self._fresh, folder=self.folder)
        table.alone = True
        return table

    def _fresh(self) -> Path:
        return games.fresh_path(self.folder, date.today())

    def _open(self, path: Path) -> PageServer:
        """Serve the game in a file, instead of another one."""
        if self._server is not None and self._server.table.name == path.name:
            return self._server
        self._close()
        table = self._to_serve()
        table.open_file(path)
        return self._serve(table)

    def _serve(self, table: LoggedTable) -> PageServer:
        self._close()
        self._server = PageServer(table, self._shared)
        return self._server

    def _close(self) -> None:
        if self._server is not None:
            for eyes in self._server.table.every:
                if eyes.session is not None and eyes.session.keeper is not None:
                    eyes.session.keeper.close()
        self._server = None

    def _free(self) -> None:
        """Let the link of a new game lead to none that has begun."""
        self._open_for(NEW)
        assert self._server is not None
        table = self._server.table
        if table.recorder.session is not None:
            secrets = tuple(each for each in table.recorder.links.secrets if each != NEW)
            table.relink(table.recorder, replace(table.recorder.links, secrets=secrets))

    async def _show(self, request: Request) -> Response:
        """Answer with the list of games."""
        text = templates().get_template("games.html").render(
            title="Your games",
            base=way_to(request.scope, GAMES),
            new=way_to(request.scope, NEW),
            games=[*self._listed()],
            deleting=request.query_params.get("delete", ""),
            quote=quote,
        )  # fmt: skip
        return HTMLResponse(text)

    def _listed(self) -> Iterator[Listed]:
        for path in games.games_by_time(self.folder):
            try:
                record = load_record(path)
                yield Listed(path.name, games.KeptGame(path, record).line, sound=True)
            except ClueError as error:
                yield Listed(path.name, str(error), sound=False)

    def _named(self, name: str) -> Path:
        """
        Return the file of a game that has this name.

        Raises:
            ArgumentError: If there is none.
        """
        named = {path.name: path for path in games.games_by_time(self.folder)}
        if name not in named:
            raise ArgumentError(f"expected a game of this phone; found '{printable(name)}'")
        return named[name]

    async def _opened(self, request: Request) -> Response:
        """Lead to a game of the list."""
        try:
            server = self._open(self._named(request.query_params.get("name", "")))
        except ClueError as error:
            return _refused(request, error)
        return RedirectResponse(self._way(server.table.recorder), 303)

    async def _saved(self, request: Request) -> Response:
        """Answer with the file of a game."""
        try:
            path = self._named(request.query_params.get("name", ""))
        except ClueError as error:
            return _refused(request, error)
        attached = f"attachment; filename*=UTF-8''{quote(path.name)}"
        return PlainTextResponse(path.read_bytes(), headers={"Content-Disposition": attached})

    async def _begun(self, request: Request) -> Response:
        """Lead to the set-up of one more game."""
        self._free()
        return RedirectResponse(way_to(request.scope, NEW), 303)

    async def _deleted(self, request: Request) -> Response:
        """Delete a game with what is kept beside it."""
        said = await form_of(request)
        if isinstance(said, Response):
            return said
        try:
            path = self._named(one(said, "name"))
        except ClueError as error:
            return _refused(request, error)
        if self._server is not None and self._server.table.name == path.name:
            self._close()
        path.unlink()
        links_file(path).unlink(missing_ok=True)
        return RedirectResponse(way_to(request.scope, GAMES), 303)


def _refused(request: Request, error: ClueError) -> Response:
    return notice(409, "That did not work", f"{escape(str(error))}.", way_to(request.scope, GAMES))
