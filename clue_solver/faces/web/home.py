"""
The games of a folder: a page that lists them for their host, and the tables at which they go on.

Each table has its own links and files. All share the thread of the games and the processes that
think of verdicts. A table that is served alone has no list.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import date
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from clue_solver.errors import ArgumentError, ClueError, printable
from clue_solver.faces import games
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import Links, beside, keep_links, kept_links, secrets_of
from clue_solver.faces.web.logged import WHOLE, LoggedTable
from clue_solver.faces.web.safety import Guard, Tell, notice, refused, way_to
from clue_solver.faces.web.said import one
from clue_solver.faces.web.server import STATIC, Door, PageServer, Shared, answering, form_of
from clue_solver.faces.web.setting_up import opened
from clue_solver.faces.web.sheet_pane import templates
from clue_solver.faces.web.tables import ServedTable
from clue_solver.record.files import RecordFile

_POLL = 1.0
"""Seconds between looks at the files."""

_LINKS = "tables"
"""The name beside which the link of the list is kept: `.tables.links`."""


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


class Listed(NamedTuple):
    """A game of the list: its file's name, what tells it from others, whether it can be opened."""

    name: str
    line: str
    sound: bool
    over: bool = False


class Home:
    """
    The games of a folder, and their tables.

    Args:
        place: Where they are served.
        tell: Is told what the host may want to know.
        folder: Where the games are; `None` where there is but one table.
        public: Whether each seat of a new game has a page of its own.
        shared: What the tables have together.
        alone: Whether one phone has it all, which shows the pages in a frame.

    Attributes:
        app: Answers whoever asks for anything.
        eyes: What leads to the list.
        servers: What answers for each table.
    """

    def __init__(
        self,
        place: Place,
        *,
        tell: Tell = lambda _: None,
        folder: Path | None = None,
        public: bool = False,
        shared: Shared | None = None,
        alone: bool = False,
    ) -> None:
        self.origin = place.origin
        self.folder = folder
        self.eyes = Eyes()
        self.servers: list[PageServer] = []
        self.alone = alone
        self._public = public
        self._tell = tell
        self._shared = shared or Shared(place.origin)
        self._kept: dict[str, Path] = {}
        self._list = answering(
            [
                Route("/{secret}", self.show, methods=["GET", "HEAD"]),
                STATIC,
                Route("/{secret}/save", self.save, methods=["GET"]),
                Route("/{secret}/open", self.go_on, methods=["POST"]),
                Route("/{secret}/new", self.new, methods=["POST"]),
                Route("/{secret}/delete", self.delete, methods=["POST"]),
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
            framed=alone,
        )
        if folder is not None:
            paths = list(games.games_by_time(folder))
            self._kept = {secret: path for path in reversed(paths) for secret in secrets_of(path)}
            self._relink(kept_links(folder / _LINKS, None).get("", self.eyes.links))

    @property
    def address(self) -> str:
        """The page of whoever runs it: the list, or that of the one recorder."""
        eyes = self.eyes if self.folder is not None else self.servers[0].table.own
        return f"{self.origin}/{eyes.secret}"

    def add(self, table: ServedTable) -> PageServer:
        """Serve one more table."""
        table.alone = self.alone
        server = PageServer(table, self._shared)
        table.tell = partial(self._told, server)
        self.servers.append(server)
        return server

    def open(self, path: Path) -> PageServer:
        """
        Return what serves the game in a file of the folder; raises as `opened`.

        A game that was shared, by which seats have told something, is shared again.
        """
        for server in self.servers:
            if server.table.name == path.name:
                return server
        shared = beside(path, WHOLE).exists()
        return self.add(opened(path, self.fresh(public=self._public or shared)))

    def fresh(self, *, public: bool | None = None) -> LoggedTable:
        """Return one more table, which is not set up yet."""
        assert self.folder is not None
        public = self._public if public is None else public
        return LoggedTable(keep=partial(_fresh, self.folder), public=public, folder=self.folder)

    async def watch(self) -> None:
        """Take in what other programs write to the files, until the end."""
        closing = self._shared.streams.closing
        while not closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(closing.wait(), _POLL)
            for server in self.servers:
                try:
                    await self._shared.do(server.table.poll)
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

        def leave(table: ServedTable) -> None:
            saved.append(table.close(ask=ask, brief=self.folder is not None))

        with ExitStack() as leaving:
            for server in reversed(self.servers):
                leaving.callback(leave, server.table)
        return all(saved)

    # What is asked for.

    def _doors(self) -> dict[str, Door | Path]:
        """Return what each secret leads to: a page, or a game that is not open yet."""
        doors: dict[str, Door | Path] = {**self._kept}
        doors |= {secret: door for server in self.servers for secret, door in server.doors}
        if self.folder is not None:
            doors[self.eyes.secret] = Door(self._list, self.eyes)
        return doors

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by what the secret leads to."""
        if scope["type"] == "lifespan":
            await self._list(scope, receive, send)
            return
        state = scope["state"]
        if isinstance(state["door"], Path):
            with suppress(ClueError):
                await self._shared.do(partial(self.open, state["door"]))
            state["door"] = self._doors()[state["secret"]]
        door = state["door"]
        await (door.app if isinstance(door, Door) else refused())(scope, receive, send)

    async def show(self, request: Request) -> Response:
        """Answer with the games."""
        text = templates().get_template("games.html").render(
            title="Your games",
            base=way_to(request.scope, self.eyes.secret),
            games=sorted(self._listed(), key=lambda game: game.over),
            deleting=request.query_params.get("delete", ""),
            alone=self.alone,
            quote=quote,
        )  # fmt: skip
        return HTMLResponse(text)

    def _listed(self) -> Iterator[Listed]:
        """Yield the games, the one that was written to last first."""
        assert self.folder is not None
        for path in games.games_by_time(self.folder):
            try:
                game = games.KeptGame(path)
                yield Listed(path.name, game.line, sound=True, over=game.over)
            except ClueError as error:
                yield Listed(path.name, str(error), sound=False)

    def _named(self, name: str) -> Path:
        """
        Return the file of a game that has this name.

        Raises:
            ArgumentError: If there is none.
        """
        assert self.folder is not None
        named = {path.name: path for path in games.games_by_time(self.folder)}
        if name not in named:
            raise ArgumentError(f"expected a game of this list; found '{printable(name)}'")
        return named[name]

    async def go_on(self, request: Request) -> Response:
        """Lead to a game of the list."""
        said = await form_of(request)
        if isinstance(said, Response):
            return said
        try:
            server = await self._shared.do(lambda: self.open(self._named(one(said, "name"))))
        except ClueError as error:
            return self._failed(request, error)
        return RedirectResponse(way_to(request.scope, server.table.own.secret), 303)

    async def new(self, request: Request) -> Response:
        """Lead to the set-up of one more game."""
        server = self.add(self.fresh())
        return RedirectResponse(way_to(request.scope, server.table.own.secret), 303)

    async def save(self, request: Request) -> Response:
        """Answer with the file of a game."""
        try:
            path = self._named(request.query_params.get("name", ""))
        except ClueError as error:
            return self._failed(request, error)
        attached = f"attachment; filename*=UTF-8''{quote(path.name)}"
        return PlainTextResponse(path.read_bytes(), headers={"Content-Disposition": attached})

    async def delete(self, request: Request) -> Response:
        """Delete a game with what is kept beside it."""
        said = await form_of(request)
        if isinstance(said, Response):
            return said
        try:
            await self._shared.do(lambda: self._delete(self._named(one(said, "name"))))
        except ClueError as error:
            return self._failed(request, error)
        return RedirectResponse(way_to(request.scope, self.eyes.secret), 303)

    def _delete(self, path: Path) -> None:
        for server in [each for each in self.servers if each.table.name == path.name]:
            self.servers.remove(server)
            if (keeper := server.table.recorder.game.keeper) is not None:
                keeper.close()
        RecordFile(path).close()  # it is refused where somebody plays it
        self._kept = {secret: kept for secret, kept in self._kept.items() if kept != path}
        for file in (path, *path.parent.glob(f".{path.name}.*")):
            file.unlink(missing_ok=True)

    async def renew(self, request: Request) -> Response:
        """Let the link of this page end, and go on with another one."""
        self._relink(Links.new())
        return RedirectResponse(way_to(request.scope, self.eyes.secret), 303)

    def _relink(self, links: Links) -> None:
        assert self.folder is not None
        self.eyes.links = links
        trouble = keep_links(self.folder / _LINKS, None, {"": links})
        if trouble:
            self._tell(f"the link of all games ends with the server: {trouble}")

    def _failed(self, request: Request, error: ClueError) -> Response:
        way = way_to(request.scope, self.eyes.secret)
        return notice(409, "That did not work", f"{escape(str(error))}.", way)

    def _told(self, server: PageServer, line: str) -> None:
        self._tell(f"{server.table.name}: {line}" if self.folder is not None else line)


def _fresh(folder: Path) -> Path:
    return games.fresh_path(folder, date.today())
