"""
The tables of one server behind one guard; a folder of games has a page for whoever runs them, too.

Each table has its own links and files, and is left in its own files. They share the thread of the
games and the processes that think of verdicts.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from clue_solver.errors import ClueError
from clue_solver.faces import games
from clue_solver.faces.leaving import say
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import Links, keep_links, kept_links
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.pages import tables_page
from clue_solver.faces.web.safety import Guard, Tell, notice, way_to
from clue_solver.faces.web.said import one, said_in
from clue_solver.faces.web.server import (
    STATIC,
    Door,
    PageServer,
    Shared,
    answering,
)
from clue_solver.faces.web.setting_up import opened
from clue_solver.faces.web.tables import ServedTable
from clue_solver.record import load_record

MOST = 100
"""The most tables of a club."""

_POLL = 1.0
"""Seconds between looks at the files."""


class Place(NamedTuple):
    """
    Where tables are served.

    Attributes:
        origin: The address that pages have for whoever asks from this machine.
        port: The port that is listened on.
        names: Host names that are this machine's.
        allowed: Host names of what stands before it.
    """

    origin: str
    port: int
    names: tuple[str, ...]
    allowed: tuple[str, ...] = ()


class Club:
    """
    The tables of a server.

    Args:
        place: Where they are served.
        tell: Is told what the host may want to know.
        folder: Where the games of a club are; `None` where there is but one table.
        public: Whether new tables are shared ones.

    Attributes:
        app: Answers whoever asks for anything.
        eyes: What leads to the page of whoever runs the club.
        servers: What answers for each table.
    """

    def __init__(
        self,
        place: Place,
        *,
        tell: Tell = lambda _: None,
        folder: Path | None = None,
        public: bool = False,
    ) -> None:
        self.origin = place.origin
        self.folder = folder
        self.eyes = Eyes()
        self.servers: list[PageServer] = []
        self._public = public
        self._tell = tell
        self._shared = Shared(place.origin, apart=folder is not None)
        self._own = answering(
            [
                Route("/{secret}", self.show, methods=["GET", "HEAD"]),
                STATIC,
                Route("/{secret}/new", self.new, methods=["POST"]),
                Route("/{secret}/renew", self.renew, methods=["POST"]),
            ]
        )
        self.app = Guard(
            GZipMiddleware(self._answer, compresslevel=6),
            self._doors,
            port=place.port,
            names=place.names,
            allowed=place.allowed,
            tell=tell,
        )
        if folder is not None:
            kept = kept_links(folder / _LINKS, None)
            self._relink(kept.get("", self.eyes.links))

    @property
    def address(self) -> str:
        """The page of whoever runs it: all tables of a club, else that of the one recorder."""
        eyes = self.eyes if self.folder is not None else self.servers[0].table.recorder
        return f"{self.origin}/{eyes.secret}"

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """Each table's address for its recorder, and what tells it from others."""
        for server in self.servers:
            table = server.table
            yield f"{self.origin}/{table.recorder.secret}", table.line

    def add(self, table: ServedTable) -> PageServer:
        """Serve one more table."""
        server = PageServer(table, self._shared)
        table.tell = partial(self._told, server)
        self.servers.append(server)
        return server

    def open_all(self) -> None:
        """Serve each game of the folder that is not over; what cannot be opened is said."""
        assert self.folder is not None
        for path in games_in(self.folder):
            try:
                table = opened(path, self._table())
            except ClueError as error:
                say(f"! {error}")
                continue
            self.add(table)

    async def watch(self) -> None:
        """Take in what other programs write to the files, until the end."""
        closing = self._shared.streams.closing
        while not closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), _POLL)
            for server in self.servers:
                try:
                    await server.do(server.table.poll)
                except Exception as error:
                    server.table.tell(f"the file cannot be looked at: {type(error).__name__}")

    def end(self) -> None:
        """Let all open streams end, and think no more."""
        self._shared.streams.end()
        self._shared.thinkers.end()

    def close(self, *, ask: bool = False) -> bool:
        """Leave every table, as `ServedTable.close`; what goes wrong at one stops no other."""
        self._shared.quick.end()  # a machine that decides now would write to a file that is left
        saved: list[bool] = []

        def left(table: ServedTable) -> None:
            saved.append(table.close(ask=ask, brief=self.folder is not None))

        with ExitStack() as leaving:
            for server in reversed(self.servers):
                leaving.callback(left, server.table)
        return all(saved)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by what the secret leads to."""
        app = self._own if scope["type"] == "lifespan" else scope["state"]["door"].app
        await app(scope, receive, send)

    async def show(self, request: Request) -> Response:
        """Answer with the tables, and the code of the one that is asked for."""
        number = one(said_in(request.url.query), "table")
        tables = tuple(self.lines)
        more = len(tables) < MOST
        shown = int(number) if number.isdecimal() else 0
        base = way_to(request.scope, self.eyes.secret)
        return HTMLResponse(tables_page(base, tables, shown, more=more))

    async def new(self, request: Request) -> Response:
        """Offer one more table, which its players set up."""
        if len(self.servers) >= MOST:
            way = way_to(request.scope, self.eyes.secret)
            return notice(429, "There are no more tables", f"There may be {MOST} at once.", way)
        self.add(self._table())
        number = len(self.servers)
        way = way_to(request.scope, self.eyes.secret)
        return RedirectResponse(f"{way}?table={number}#table-{number}", 303)

    async def renew(self, request: Request) -> Response:
        """Let the link of this page end, and go on with another one."""
        self._relink(Links.new())
        return RedirectResponse(way_to(request.scope, self.eyes.secret), 303)

    def _relink(self, links: Links) -> None:
        assert self.folder is not None
        self.eyes.links = links
        trouble = keep_links(self.folder / _LINKS, None, {"": links})
        if trouble:
            self._tell(f"the link of all tables ends with the server: {trouble}")

    def _table(self) -> LoggedTable:
        """Return one more table of the club."""
        assert self.folder is not None
        keep = partial(_fresh, self.folder)
        table = LoggedTable(keep=keep, public=self._public, folder=self.folder)
        table.dealing = {}
        return table

    def _doors(self) -> dict[str, Door]:
        doors = {secret: door for server in self.servers for secret, door in server.doors}
        if self.folder is not None:
            doors[self.eyes.secret] = Door(self._own, self.eyes)
        return doors

    def _told(self, server: PageServer, line: str) -> None:
        self._tell(f"{server.table.name}: {line}" if self.folder is not None else line)


_LINKS = "tables"
"""The name beside which the link of a club's page is kept: `.tables.links`."""


def games_in(folder: Path) -> Iterator[Path]:
    """Yield the games of a folder that are not over, by name."""
    for path in sorted(games.games_by_time(folder)):
        try:
            over = load_record(path).finished
        except ClueError as error:
            say(f"! {error}")
            continue
        if not over:
            yield path


def _fresh(folder: Path) -> Path:
    return games.fresh_path(folder, date.today())
