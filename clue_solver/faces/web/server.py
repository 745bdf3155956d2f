"""
The pages of a table: what is asked for, and what is sent.

All that touches a game happens in one thread of its own, in order, so that the loop of the network
never waits for it; verdicts are thought of beside it.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from clue_solver.errors import ClueError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.card_to_show import suggested
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.forms import Answered, Forms, Said, one, said_in
from clue_solver.faces.web.pages import Viewing, page
from clue_solver.faces.web.safety import (
    MOST_QUERY,
    body_of,
    notice,
    refused,
    way_to,
)
from clue_solver.faces.web.setting_up import begun, opened, setup_page, typed_in
from clue_solver.faces.web.streams import Streams
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.faces.web.thinking import Thinkers, Thinking
from clue_solver.faces.web.worker import Result, Worker
from clue_solver.game import Game
from clue_solver.record import format_record

_KEPT = 50
"""How many pages of one version are kept."""

_FILES = StaticFiles(
    packages=[("clue_solver.faces.web", "static"), ("clue_solver.views", "static")]
)
STATIC = Mount("/{secret}/static", _FILES)
"""Answers with the files that every page has, from the packages that have them."""

_HEAVY = ("suppose", "card")
"""What an address has that asks for more than a page: what if, and why."""


class Shared:
    """
    What the tables of one server have together.

    Attributes:
        origin: The address that pages have for whoever asks from this machine.
        quick: The thread in which all happens that touches a game.
        thinkers: Who takes closer looks.
        streams: The open streams of events.
        apart: Whether closer looks are taken in processes even where all look at one game.
    """

    def __init__(
        self,
        origin: str,
        *,
        apart: bool,
        quick: Worker | None = None,
        thinkers: Thinkers | None = None,
    ) -> None:
        self.origin = origin
        self.quick = quick or Worker()
        self.thinkers = thinkers or Thinkers()
        self.streams = Streams()
        self.apart = apart


class Door(NamedTuple):
    """Where a secret leads to: what answers there, and which notebook is seen."""

    app: ASGIApp
    book: Notebook


class PageServer:
    """
    What answers for one table.

    Attributes:
        table: The table.
        app: Answers whoever was let in.
        shared: What other tables have, too.
        thinking: Thinks of the verdicts.
    """

    def __init__(self, table: ServedTable, shared: Shared) -> None:
        self.shared = shared
        self._sit_at(table)
        routes = [
            Route("/{secret}", self.show, methods=["GET", "HEAD"]),
            Route("/{secret}/events", self.events, methods=["GET"]),
            STATIC,
            Route("/{secret}/manifest.webmanifest", self.manifest, methods=["GET"]),
            Route("/{secret}/record.clue", self.record, methods=["GET"]),
            Route("/{secret}/review.html", self.review, methods=["GET"]),
            Route("/{secret}/{action}", self.act, methods=["POST"]),
        ]
        self.app: ASGIApp = answering(routes)

    def _sit_at(self, table: ServedTable) -> None:
        """Answer for a table from now on: one that is set up may be one that the program deals."""
        self.table = table
        if table.dealt:
            from clue_solver.faces.web.dealt_forms import DealtForms  # late: it needs the arena

            self._forms: Forms = DealtForms(table)
        else:
            self._forms = Forms(table)
        apart = table.public or self.shared.apart
        self.thinking = Thinking(table, self.thought, self.shared.thinkers, apart=apart)
        table.changed = self.shared.streams.tell
        self._later(self.play_on)

    def play_on(self) -> None:
        """Let a machine that has to decide, if one has, think beside the pages."""
        think = self.table.due()
        if think is None:
            return

        def decide(done: "Future[Callable[[], None]]") -> None:
            def decided() -> None:
                done.result()()
                self.play_on()

            self._later(decided)

        self.shared.thinkers.second.give(think).add_done_callback(decide)

    @property
    def doors(self) -> Iterator[tuple[str, Door]]:
        """All secrets that lead to this table, each with what it opens."""
        for book in self.table.notebooks:
            door = Door(self.app, book)
            for secret in book.links.every:
                yield secret, door

    async def do(self, work: Callable[[], Result], *, heavy: bool = False) -> Result:
        """Do work on the game when its turn comes, and return its result."""
        return await asyncio.wrap_future(self.shared.quick.give(work, heavy=heavy))

    def _later(self, work: Callable[[], object]) -> None:
        """Let work that nobody waits for have its turn."""
        self.shared.quick.give(work)

    async def show(self, request: Request) -> Response:
        """Answer with the page."""
        heavy = not request.query_params.keys().isdisjoint(_HEAVY)
        text = await self.do(lambda: self._page(request), heavy=heavy)
        return refused() if text is None else HTMLResponse(text)

    def _page(self, request: Request) -> str | None:
        """
        Return a page with a verdict; a closer one follows once the pages have their sheets.

        `None` if its link has ended since it was asked for.
        """
        book = self._book(request)
        if request.state.secret not in book.links.every:
            return None
        self.table.arrived(book, request.state.secret)
        if self.table.dealt:
            return self._kept_page(request, book)
        if book.session is not None and self.thinking.look(book):
            self._later(partial(self.thinking.look_closer, book, book.session.record))
        if book is self.table.recorder and book.session is not None:
            draft = Draft.of(said_in(request.url.query), book.session)
            self.table.overhear(suggested(book.session, draft), self._phone(request))
        return self._kept_page(request, book)

    def _kept_page(self, request: Request, book: Notebook) -> str:
        """Return a page, drawn once for each version and address."""
        shown = self._shown(request, book)
        kept = book.pages.setdefault(book.version, {})
        key = f"{shown.origin}?{request.url.query}"
        if (text := kept.get(key)) is None:
            query = said_in(request.url.query)
            text = setup_page(shown, query) if book.session is None else page(shown, query)
            if len(kept) < _KEPT:
                kept[key] = text
        if self.table.unwritten:
            self._later(self.table.write_out)
        return text

    def thought(self, book: Notebook, verdict: Thought) -> None:
        """Let the pages show a verdict."""
        self._later(partial(self.table.thought, book, verdict))

    def _shown(self, request: Request, book: Notebook) -> Viewing:
        before = request.scope.get("root_path", "")
        origin = f"{request.url.scheme}://{request.headers['host']}"
        if origin.partition("//")[2].startswith(("127.", "localhost", "[::1]")):
            origin = self.shared.origin
        return Viewing(self.table, book, f"{origin}{before}", before)

    async def events(self, request: Request) -> Response:
        """Tell the number of each version of the page, so that its phones ask for it."""
        versions = self.shared.streams.versions(self._book(request), request.state.secret)
        return StreamingResponse(versions, media_type="text/event-stream")

    async def manifest(self, request: Request) -> Response:
        """Answer with what a phone needs for its home screen."""
        way = way_to(request.scope, self._book(request).secret)
        icons = [
            {
                "src": f"{way}/static/icon-{size}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "any",
            }
            for size in (192, 512)
        ]
        manifest = {
            "name": "clue-solver",
            "short_name": "Clue",
            "start_url": way,
            "scope": way,
            "display": "standalone",
            "background_color": "#121212",
            "theme_color": "#121212",
            "icons": icons,
        }
        return JSONResponse(manifest, media_type="application/manifest+json")

    async def record(self, request: Request) -> Response:
        """Answer with the notebook's own record as a file."""
        book = self._book(request)
        if book.session is None:
            return await _nothing(request)
        text = await self.do(lambda: format_record(self.table.current(book).record))
        return PlainTextResponse(
            text, headers={"Content-Disposition": 'attachment; filename="game.clue"'}
        )

    async def review(self, request: Request) -> Response:
        """Answer with the review of a game that is over as a file, worked out beside the game."""
        book = self._book(request)
        if book.session is None:
            return await _nothing(request)
        session = await self.do(lambda: self.table.current(book))
        if not session.finished:
            return await _nothing(request)
        work = partial(_reviewed, self.table, session.game)
        try:
            text = await asyncio.wrap_future(self.shared.thinkers.second.give(work))
        except ClueError as error:
            back = way_to(request.scope, request.state.secret)
            return notice(409, "There is no review", f"{escape(str(error))}.", back)
        return HTMLResponse(
            text, headers={"Content-Disposition": 'attachment; filename="review.html"'}
        )

    async def act(self, request: Request) -> Response:
        """Do what a form asks for, and show the page after it."""
        book = self._book(request)
        said = await form_of(request)
        if isinstance(said, Response):
            return said
        return await self.do(lambda: self._acted(request, book, said))

    def _acted(self, request: Request, book: Notebook, said: Said) -> Response:
        if request.state.secret not in book.links.every:  # it has ended while this waited
            return refused()
        action = request.path_params["action"]
        if book.session is None:
            return self._set_up(request, book, said)
        if action in ("setup", "goon"):  # somebody did that meanwhile
            return self._to(request, book, {})
        if action not in self._forms.actions:
            return _missing(request)
        query: Answered = {"tab": one(said, "tab")}
        try:
            query |= self._forms.done(book, action, said)
        except ClueError as error:
            query |= {"wrong": str(error)}
        self.play_on()
        return self._to(request, book, query, new=action == "renew")

    def _to(
        self, request: Request, book: Notebook, query: Answered, *, new: bool = False
    ) -> Response:
        """Return the way to a page, by its new link if there is one."""
        secret = book.links.every[-1] if new else book.secret
        text = urlencode({name: said for name, said in query.items() if said}, doseq=True)
        if len(text) > MOST_QUERY:
            text = urlencode({"wrong": "the line is too long"})
        way = way_to(request.scope, secret)
        return RedirectResponse(way + (f"?{text}" if text else ""), 303)

    def _set_up(self, request: Request, book: Notebook, said: Said) -> Response:
        """Begin the game that a form sets up, go on with the one that was offered, or ask again."""
        typed, query = typed_in(self.table, said), dict[str, str | list[str]]()
        try:
            if request.path_params["action"] == "goon" and self.table.offered is not None:
                shown = book.links.secrets
                self._begun(opened(self.table.offered, self.table, recorder=book))
                links = book.links
                secrets = tuple(dict.fromkeys((*shown, *links.secrets)))
                self.table.relink(book, replace(links, secrets=secrets))
                return self._to(request, book, {})
            table = None if one(said, "change") else begun(self.table, typed)
            if table is not None:
                self._begun(table)
                return self._to(request, book, {"tab": "table"} if table.dealt else {})
            query = {} if one(said, "change") else {"unsure": "1"}
        except ClueError as error:
            query = {"wrong": str(error)}
        self.table.typed = typed
        self.table.all_changed()
        return self._to(request, book, query)

    def _begun(self, table: ServedTable) -> None:
        """Answer for the game that has begun."""
        if table is not self.table:
            table.tell = self.table.tell
            self._sit_at(table)

    def _phone(self, request: Request) -> str:
        return request.client.host if request.client else ""

    def _book(self, request: Request) -> Notebook:
        door = request.state.door
        assert isinstance(door, Door)
        return door.book


def _reviewed(table: ServedTable, game: Game) -> str:
    from clue_solver.views.reviews import review_page

    return review_page(table.reviewed(game))


def answering(routes: Sequence[BaseRoute]) -> Starlette:
    """Return what answers by these routes, and else says that there is nothing."""
    handlers: dict[Any, Any] = {404: _nothing, 405: _nothing}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return app


async def form_of(request: Request) -> Said | Response:
    """Return what a form says, or the answer if that is too much, or too slow."""
    body = await body_of(request)
    return body if isinstance(body, Response) else said_in(body.decode("utf-8", "replace"))


def _missing(request: Request) -> Response:
    back = way_to(request.scope, request.state.secret)
    return notice(404, "There is nothing here", "The game is on its own page.", back)


async def _nothing(request: Request, _: Exception | None = None) -> Response:
    return _missing(request)
