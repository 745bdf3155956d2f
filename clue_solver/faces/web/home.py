"""
Serves the games of a folder, with a page that lists them for their host.

Each table has its own links and files. All share the thread of the games and the processes that
compute advice. If only one table is served, there is no list.
"""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from clue_solver.errors import ArgumentError, ClueError, printable, sentences
from clue_solver.faces import games
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import keep_links, kept_links, secrets_of
from clue_solver.faces.web.logged import WHOLE, LoggedTable
from clue_solver.faces.web.panel import text_in
from clue_solver.faces.web.safety import Guard, Place, Tell, notice, way_to
from clue_solver.faces.web.server import STATIC, PageServer, attachment, form_of, router
from clue_solver.faces.web.setting_up import open_table
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.templating import templates
from clue_solver.faces.web.thinking import Shared
from clue_solver.record.files import hidden_file
from clue_solver.views.charts import seat_colours

_DEEDS = ("open", "new", "delete")
"""The actions of the forms on the list of games."""

_LINKS = "tables"
"""The link of the list of games is saved like that of a game with this name."""


class Home:
    """
    Serves the games of a folder, or a single table.

    Args:
        place: The address of the server.
        tell: Called with messages for the host.
        folder: The folder of the games; `None` if there is only one table.
        public: Whether each seat of a new game has its own page.
        shared: What the tables share.

    Attributes:
        app: The application that answers all requests.
        eyes: Holds the link of the list of games.
        servers: The server of each open table.
    """

    def __init__(
        self,
        place: Place,
        *,
        tell: Tell = lambda _: None,
        folder: Path | None = None,
        public: bool = False,
        shared: Shared | None = None,
    ) -> None:
        self.origin = place.origin
        self.folder = folder
        self.eyes = Eyes()
        self.servers: list[PageServer] = []
        self._public = public
        self._shared = shared or Shared(place.origin)
        self._shared.tell = tell
        self._kept: dict[str, Path] = {}
        self._list = router(
            [
                Route("/{secret}", self.show, methods=["GET", "HEAD"]),
                STATIC,
                Route("/{secret}/save", self.save, methods=["GET"]),
                *(Route(f"/{{secret}}/{name}", self.act, methods=["POST"]) for name in _DEEDS),
            ]
        )
        answer = GZipMiddleware(self._answer, compresslevel=6)
        self.app = Guard(answer, self._apps, place, tell=tell, framed=self._shared.alone)
        if folder is not None:
            paths = list(games.games_by_time(folder))
            self._kept = {secret: path for path in reversed(paths) for secret in secrets_of(path)}
            self.eyes.link = kept_links(folder / _LINKS, None).get("", self.eyes.link)
            if trouble := keep_links(folder / _LINKS, None, {"": self.eyes.link}):
                tell(f"the link to all games stops working when the server stops: {trouble}")

    @property
    def address(self) -> str:
        """The address for the host: that of the list of games, or of the only table."""
        eyes = self.eyes if self.folder is not None else self.servers[0].table.own
        return f"{self.origin}/{eyes.secret}"

    def add(self, table: ServedTable) -> PageServer:
        """Serve another table."""
        server = PageServer(table, self._shared)
        self.servers.append(server)
        return server

    def begin(self) -> PageServer:
        """Return the server of a table that is not set up yet; there is one at a time."""
        for server in self.servers:
            if server.table.recorder.session is None:
                return server
        return self.add(self.fresh(public=self._public))

    def open(self, path: Path) -> PageServer:
        """
        Return the server for the game in a file; open the game if necessary.

        If seats had their own pages in the game before, they have them again.
        """
        for server in self.servers:
            if server.table.name == path.name:
                return server
        shared = hidden_file(path, WHOLE).exists()
        return self.add(open_table(path, self.fresh(public=self._public or shared)))

    def fresh(self, *, public: bool) -> LoggedTable:
        """
        Return a new table, which is not set up yet.

        `public` says whether each seat gets its own page.
        """
        assert self.folder is not None
        return LoggedTable(
            keep=partial(games.fresh_path, self.folder), public=public, folder=self.folder
        )

    def end(self) -> None:
        """End all open streams, and stop computing advice."""
        self._shared.end()

    def close(self) -> bool:
        """Close every table, even if closing another one fails; return whether all are saved."""
        self._shared.games.end()  # a machine that decides now would write to a closed file
        saved: list[bool] = []

        def leave(table: ServedTable) -> None:
            """Close a table, and note whether it is saved."""
            saved.append(table.close())

        with ExitStack() as leaving:
            for server in reversed(self.servers):
                leaving.callback(leave, server.table)
        return all(saved)

    # Requests.

    def _apps(self) -> dict[str, ASGIApp | Path]:
        """Return, for each secret, the application that answers, or the file of a game to open."""
        apps: dict[str, ASGIApp | Path] = {**self._kept}
        for server in self.servers:
            apps |= {eyes.secret: server.app for eyes in server.table.pages.values()}
        if self.folder is not None:
            apps[self.eyes.secret] = self._list
        return apps

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """
        Answer a request with the application to which the secret in its address leads.

        A game that is not open yet is opened first.
        """
        app = scope["state"]["app"]
        if isinstance(app, Path):
            with suppress(ClueError):
                await self._shared.run_in_thread(partial(self.open, app))
            app = self._apps()[scope["state"]["secret"]]
        if isinstance(app, Path):
            raise HTTPException(403)
        await app(scope, receive, send)

    async def show(self, request: Request) -> Response:
        """Answer with the list of games."""
        return HTMLResponse(await self._shared.run_in_thread(partial(self._list_page, request)))

    def _list_page(self, request: Request) -> str:
        """Return the page that lists the games: unfinished, with errors in the file, finished."""
        return templates().get_template("games.html").render(
            title="Your games",
            base=way_to(request.scope, self.eyes.secret),
            games=sorted(self._list_games(), key=lambda it: (bool(it[1] and it[1].over), it[2])),
            colours=seat_colours,
            alone=self._shared.alone,
            quote=quote,
        )  # fmt: skip

    def _list_games(self) -> Iterator[tuple[str, games.KeptGame | None, str]]:
        """Yield each game's file name, its content or else `None`, and the error or else `''`."""
        assert self.folder is not None
        for path in games.games_by_time(self.folder):
            try:
                yield path.name, games.KeptGame(path), ""
            except ClueError as error:
                yield path.name, None, sentences(error.reason.partition("\n")[0])

    def _game_file(self, name: str) -> Path:
        """
        Return the path of the listed game with this file name.

        Raises:
            ArgumentError: If there is no such game.
        """
        assert self.folder is not None
        named = {path.name: path for path in games.games_by_time(self.folder)}
        if name not in named:
            raise ArgumentError(f"expected a game from this list; found '{printable(name)}'")
        return named[name]

    async def save(self, request: Request) -> Response:
        """Answer with the file of a game as a download."""
        name = request.query_params.get("name", "")
        try:
            text = await self._shared.run_in_thread(
                lambda: self._game_file(name).read_text("utf-8")
            )
        except ClueError as error:
            return self._error_page(request, error)
        return attachment(text, name)

    async def act(self, request: Request) -> Response:
        """Do what a form on the list of games requests, and redirect to the page of the result."""
        form = await form_of(request)
        deed = request.url.path.rpartition("/")[2]
        try:
            eyes = await self._shared.run_in_thread(partial(self._do, deed, text_in(form, "name")))
        except ClueError as error:
            return self._error_page(request, error)
        return RedirectResponse(way_to(request.scope, eyes.secret), 303)

    def _do(self, deed: str, name: str) -> Eyes:
        """
        Do what a form on the list of games requests.

        Args:
            deed: The action of the form: `open`, `new` or `delete`.
            name: The file name of the game; not used for a new one.

        Returns:
            The eyes, which hold the link, of the page to show.

        Raises:
            ClueError: If there is no such game, or it cannot be opened or deleted.
        """
        if deed == "new":
            return self.begin().table.own
        path = self._game_file(name)
        if deed == "open":
            return self.open(path).table.own
        for server in [each for each in self.servers if each.table.name == name]:
            self.servers.remove(server)
            server.table.recorder.game.close()
        games.delete_game(path)
        self._kept = {secret: kept for secret, kept in self._kept.items() if kept != path}
        return self.eyes

    def _error_page(self, request: Request, error: ClueError) -> Response:
        """Return the page that says why a request from the list of games failed."""
        way = way_to(request.scope, self.eyes.secret)
        return notice(409, "That did not work", f"{escape(str(error))}.", way)
