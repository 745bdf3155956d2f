"""
The page's server: what is asked for, and what is sent.

All that touches the game happens in one thread of its own, in order, so that the loop of the
network never waits for it; verdicts are thought of beside it.
"""

import asyncio
import operator
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from clue_solver.errors import ClueError
from clue_solver.faces import setup
from clue_solver.faces.web.card_to_show import suggested
from clue_solver.faces.web.forms import ACTIONS, Answered, Forms, Said, one, said_in
from clue_solver.faces.web.pages import Viewing, page, setup_page
from clue_solver.faces.web.safety import (
    MOST_QUERY,
    Guard,
    Tell,
    body_of,
    fits,
    notice,
    refused,
    token_of,
    too_much,
)
from clue_solver.faces.web.tables import Notebook, ServedTable, Thought
from clue_solver.faces.web.thinking import Thinking
from clue_solver.faces.web.touch_entry import Draft
from clue_solver.faces.web.worker import Busy, Result, Way, Worker
from clue_solver.record import format_record
from clue_solver.rules.edition import load_edition

Changing = Callable[[Callable[[], Any]], Any]

_STREAMS, _BEAT, _POLL, _KEPT = 300, 15.0, 1.0, 50
"""Most open streams; seconds between signs of life, looks at the file; pages of one version that
are kept."""

_STATIC = (("clue_solver.faces.web", "static"), ("clue_solver.views", "static"))
"""The packages that have files for every page, and in which folder."""

_HEAVY = ("suppose", "card")
"""What an address has that asks for more than a page: what if, and why."""


class PageServer:
    """
    What answers for one table.

    Attributes:
        origin: The address that its pages have for whoever asks from this machine.
        changing: Does a change of the game where that may be done, and returns its answer.
        thinking: Thinks of the verdicts.
    """

    def __init__(
        self,
        table: ServedTable,
        *,
        origin: str,
        port: int,
        names: tuple[str, ...],
        allowed: tuple[str, ...] = (),
        changing: Changing = operator.call,
        tell: Tell = lambda _: None,
    ) -> None:
        self.table = table
        self.origin = origin
        self.changing = changing
        self.closing = asyncio.Event()
        self._forms = Forms(table)
        self._quick = Worker()
        self.thinking = Thinking(table, self.thought)
        self._watching: dict[Notebook, list[_Stream]] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        table.changed, table.tell = self._changed, tell
        routes = [
            Route("/{secret}", self.show, methods=["GET", "HEAD"]),
            Route("/{secret}/events", self.events, methods=["GET"]),
            Mount("/{secret}/static", StaticFiles(packages=[*_STATIC])),
            Route("/{secret}/manifest.webmanifest", self.manifest, methods=["GET"]),
            Route("/{secret}/record.clue", self.record, methods=["GET"]),
            Route("/{secret}/{action}", self.act, methods=["POST"]),
        ]
        handlers: dict[Any, Any] = {404: _nothing, 405: _nothing, Busy: _busy}
        app = Starlette(routes=routes, exception_handlers=handlers)
        app.router.redirect_slashes = False
        self.app = Guard(
            GZipMiddleware(app, compresslevel=6),
            lambda: table.doors,
            port=port,
            names=names,
            allowed=allowed,
            tell=tell,
        )

    async def do(
        self, work: Callable[[], Result], request: Request | None = None, *, heavy: bool = False
    ) -> Result:
        """
        Do work on the game when its turn comes, and return its result.

        Raises:
            Busy: If too much waits for the page that a request is about.
        """
        way: Way = ("", "")
        if request is not None:
            way = (self._book(request), self._phone(request))
        return await asyncio.wrap_future(self._quick.give(work, way, heavy=heavy))

    async def watch_file(self) -> None:
        """Take in what another program writes to the file, until the end."""
        self.loop = asyncio.get_running_loop()
        while not self.closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.closing.wait(), _POLL)
            await self.do(self.table.poll)

    def end(self) -> None:
        """Let all open streams end."""
        self.closing.set()
        self.thinking.end()
        for stream in chain.from_iterable(self._watching.values()):
            stream.changed.set()

    async def show(self, request: Request) -> Response:
        """Answer with the page."""
        heavy = not request.query_params.keys().isdisjoint(_HEAVY)
        text = await self.do(lambda: self._page(request), request, heavy=heavy)
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
        if book.session is not None and self.thinking.look(book):
            self._quick.give(partial(self.thinking.look_closer, book, book.session.record))
        if book is self.table.recorder and book.session is not None:
            draft = Draft.of(said_in(request.url.query), book.session)
            self.table.overhear(suggested(book.session, draft), self._phone(request))
        shown = self._shown(request, book)
        kept = book.pages.setdefault(book.version, {})
        key = f"{shown.origin}?{request.url.query}"
        if (text := kept.get(key)) is None:
            text = page(shown, said_in(request.url.query))
            if len(kept) < _KEPT:
                kept[key] = text
        if self.table.unwritten:
            self._quick.give(self.table.write_out)
        return text

    def thought(self, book: Notebook, verdict: Thought) -> None:
        """Let the pages show a verdict."""
        self._quick.give(partial(self.table.thought, book, verdict))

    def _shown(self, request: Request, book: Notebook) -> Viewing:
        origin = f"{request.url.scheme}://{request.headers['host']}"
        if origin.partition("//")[2].startswith(("127.", "localhost", "[::1]")):
            origin = self.origin
        return Viewing(self.table, book, token_of(book.secret), origin)

    async def events(self, request: Request) -> Response:
        """Tell the number of each version of the page, so that its phones ask for it."""
        return StreamingResponse(self._versions(request), media_type="text/event-stream")

    async def _versions(self, request: Request) -> AsyncIterator[str]:
        book = self._book(request)
        stream = _Stream()
        self._watching.setdefault(book, []).append(stream)
        self._end_streams()
        sent = book.version
        try:
            yield f"retry: 1000\nid: {sent}\ndata: -\n\n"  # whoever has another one asks for it
            while not (self.closing.is_set() or stream.ended):
                if request.state.secret not in book.links.every:
                    yield "id: ended\ndata: -\n\n"
                    return
                stream.changed.clear()
                if sent != book.version:
                    sent = book.version
                    yield f"id: {sent}\ndata: -\n\n"
                try:
                    await asyncio.wait_for(stream.changed.wait(), _BEAT)
                except TimeoutError:
                    yield ": \n\n"
        finally:
            self._watching[book].remove(stream)

    def _end_streams(self) -> None:
        """End the oldest stream of the page that has the most, where there are too many."""
        going = [
            [each for each in streams if not each.ended] for streams in self._watching.values()
        ]
        if sum(map(len, going)) <= _STREAMS:
            return
        oldest = max(going, key=len)[0]
        oldest.ended = True
        oldest.changed.set()

    def _changed(self, book: Notebook) -> None:
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self._notify, book)

    def _notify(self, book: Notebook) -> None:
        for stream in self._watching.get(book, ()):
            stream.changed.set()

    async def manifest(self, request: Request) -> Response:
        """Answer with what a phone needs for its home screen."""
        book = self._book(request)
        icons = [
            {
                "src": f"/{book.secret}/static/icon-{size}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "any",
            }
            for size in (192, 512)
        ]
        manifest = {
            "name": "clue-solver",
            "short_name": "Clue",
            "start_url": f"/{book.secret}",
            "scope": f"/{book.secret}",
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
        text = await self.do(lambda: format_record(self.table.current(book).record), request)
        return PlainTextResponse(
            text, headers={"Content-Disposition": 'attachment; filename="game.clue"'}
        )

    async def act(self, request: Request) -> Response:
        """Do what a form asks for, and show the page after it."""
        book = self._book(request)
        secret = request.state.secret
        body = await body_of(request)
        if isinstance(body, Response):
            return body
        said = said_in(body.decode("utf-8", "replace"))
        if not fits(secret, one(said, "csrf")):
            return refused()
        work = partial(self.changing, lambda: self._acted(request, book, said))
        return await self.do(work, request)

    def tell_all(self) -> None:
        """Let the pages show what another face has changed."""
        self._quick.give(self.table.all_changed)

    def _acted(self, request: Request, book: Notebook, said: Said) -> Response:
        if request.state.secret not in book.links.every:  # it has ended while this waited
            return refused()
        action = request.path_params["action"]
        if book.session is None:
            return self._set_up(request, book, said)
        if action in ("setup", "goon"):  # somebody did that meanwhile
            return self._to(book, {})
        if action not in ACTIONS:
            return _missing(request.state.secret)
        query: Answered = {"tab": one(said, "tab")}
        try:
            query |= self._forms.done(book, action, said)
        except ClueError as error:
            query |= {"wrong": str(error)}
        return self._to(book, query, new=action == "renew")

    def _to(self, book: Notebook, query: Answered, *, new: bool = False) -> Response:
        """Return the way to a page, by its new link if there is one."""
        secret = book.links.every[-1] if new else book.secret
        text = urlencode({name: said for name, said in query.items() if said}, doseq=True)
        if len(text) > MOST_QUERY:
            text = urlencode({"wrong": "the line is too long"})
        return RedirectResponse(f"/{secret}" + (f"?{text}" if text else ""), 303)

    def _set_up(self, request: Request, book: Notebook, said: Said) -> Response:
        typed = {name: ", ".join(values) for name, values in said.items()}
        typed = {name: typed.get(name, "") for name in ("edition", *(f[0] for f in setup.FIELDS))}
        try:
            if request.path_params["action"] == "goon" and self.table.offered is not None:
                shown = book.links.secrets
                self.table.open(self.table.offered)
                self.table.relink(book, replace(book.links, secrets=(*shown, *book.links.secrets)))
                return self._to(book, {})
            if not one(said, "change"):
                if self.table.public:
                    typed |= {"viewer": "-", "hand": ""}
                last = setup.last_table()
                record = setup.record_of(typed, load_edition(typed["edition"]), last)
                self.table.begin(record)
                return self._to(book, {})
            wrong = ""
        except ClueError as error:
            wrong = str(error)
        return HTMLResponse(setup_page(self._shown(request, book), typed, wrong))

    def _phone(self, request: Request) -> str:
        return request.client.host if request.client else ""

    def _book(self, request: Request) -> Notebook:
        book = request.state.door
        assert isinstance(book, Notebook)
        return book


class _Stream:
    """A stream of events: whether there is something to tell, and whether it is to end."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.ended = False


def _missing(secret: str) -> Response:
    return notice(404, "There is nothing here", "The game is on its own page.", f"/{secret}")


async def _nothing(request: Request, _: Exception | None = None) -> Response:
    return _missing(request.state.secret)


async def _busy(*_: object) -> Response:
    return too_much()
