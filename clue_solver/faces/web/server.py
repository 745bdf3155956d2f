"""
Answers the requests for the pages of a table.

Pages are drawn and forms processed in the games' thread (see `thinking`), so that the event loop
never waits for a game. The event loop only looks up to which page a link leads.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from urllib.parse import quote

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from clue_solver.arena.chairs import PERSON
from clue_solver.errors import ArgumentError, ClueError
from clue_solver.faces.web.asks import DEALT
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.forms import LOGGED, answer_to
from clue_solver.faces.web.links import Link
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.pages import PageContext, file_name, joining_page, page
from clue_solver.faces.web.panel import NOTHING, Form, FormAnswer, form_in, text_in
from clue_solver.faces.web.safety import body_of, way_to
from clue_solver.faces.web.setting_up import begun, setup_page, typed_in
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.thinking import Shared, Thinking
from clue_solver.record.clue import format_record

_LINE = 2_000
"""How many characters a line in an address may have."""

_FILES = StaticFiles(
    packages=[("clue_solver.faces.web", "static"), ("clue_solver.views", "static")]
)
STATIC = Mount("/{secret}/static", _FILES)
"""Serves the static files that every page needs."""

_SAVED = ("record.clue", "deck.toml", "review.html")
"""The files that a page offers to save."""

_HEAVY = ("suppose", "card")
"""Query parameters whose pages take long to compute: what-if and why."""


class PageServer:
    """
    Serves the pages of one table.

    Attributes:
        table: The table.
        app: The application that answers the requests.
        shared: What all tables of the server share.
        thinking: Computes the advice on the pages of the table.
    """

    def __init__(self, table: ServedTable, shared: Shared) -> None:
        self.shared = shared
        self._sit_at(table)
        routes = [
            Route("/{secret}", self.show, methods=["GET", "HEAD"]),
            Route("/{secret}/", self.show, methods=["GET", "HEAD"]),  # from a home screen
            Route("/{secret}/events", self.events, methods=["GET"]),
            STATIC,
            *(Route(f"/{{secret}}/{name}", self.save, methods=["GET"]) for name in _SAVED),
            Route("/{secret}/{action}", self.act, methods=["POST"]),
            # Without scripts the answer to a form stands at its address, and so do its links.
            Route("/{secret}/{action}", self.show, methods=["GET", "HEAD"]),
        ]
        self.app: ASGIApp = router(routes)

    def _sit_at(self, table: ServedTable) -> None:
        """Serve another table, such as the next game, or a dealt game that was just set up."""
        self.table = table
        self._forms = DEALT if table.dealt else LOGGED
        self.thinking = Thinking(table, self.shared)
        table.changed = self.shared.streams.tell
        self.shared.quick.give(self.play_on)

    def play_on(self) -> None:
        """Let another thread do what the table has to do next, and then continue."""
        job = self.table.next_job()
        if job is not None:
            worker = self.shared.reviews if self.table.open else self.shared.second
            worker.give(job).add_done_callback(self._done)

    def _done(self, job: "Future[Callable[[], None]]") -> None:
        def store() -> None:
            job.result()()
            watched = len(self.table.machines) < len(self.table.seats)
            pace = self.shared.pace if watched else self.shared.pace / 10
            self.shared.quick.give_later(self.play_on, pace)

        self.shared.quick.give(store)

    def _eyes(self, request: Request) -> Eyes:
        """Return the eyes to which the link of a request leads, unless it has just ended."""
        for eyes in self.table.pages.values():
            if eyes.secret == request.state.secret:
                return eyes
        raise HTTPException(403)

    async def show(self, request: Request) -> Response:
        """Answer a request with a page."""
        action = request.path_params.get("action", "setup")
        if action not in {*self._forms, "setup", "again", "join"}:
            raise HTTPException(404)
        heavy = not request.query_params.keys().isdisjoint(_HEAVY)
        return await self.shared.run_in_thread(lambda: self._page(request), heavy=heavy)

    def _page(self, request: Request) -> Response:
        eyes = self._eyes(request)
        self.table.poll()
        if self.table.over:
            self.play_on()  # another program may have ended the game
        self.thinking.think(eyes)
        shown, query = self._page_context(request, eyes), form_in(request.url.query)
        if eyes is self.table.joining:
            return HTMLResponse(joining_page(shown))
        return HTMLResponse((setup_page if eyes.session is None else page)(shown, query))

    def _page_context(self, request: Request, eyes: Eyes) -> PageContext:
        before = request.scope.get("root_path", "")
        origin = f"{request.url.scheme}://{request.headers['host']}"
        if origin.partition("//")[2].startswith(("127.", "localhost", "[::1]")):
            origin = self.shared.origin
        return PageContext(self.table, eyes, f"{origin}{before}", before)

    async def events(self, request: Request) -> Response:
        """Answer with a stream of the version numbers of a page, so that it reloads itself."""
        versions = self.shared.streams.versions(self._eyes(request), request.state.secret)
        return StreamingResponse(versions, media_type="text/event-stream")

    async def save(self, request: Request) -> Response:
        """Answer with a file to download."""
        return await self.shared.run_in_thread(lambda: self._file(request))

    def _file(self, request: Request) -> Response:
        """Answer with the record of what a page shows, the own deck or the review."""
        eyes, name = self._eyes(request), request.url.path.rpartition("/")[2]
        if eyes.session is None:
            raise HTTPException(404)
        table = (self.table.last if "last" in request.query_params else None) or self.table
        deck, review = table.deck, table.review
        if name == "record.clue":
            record = table.of(eyes.seat).game.record
            return attached(format_record(record), file_name(record.table))
        if name == "deck.toml" and deck is not None and deck.is_file():
            return attached(deck.read_text("utf-8"), deck.name)
        if name == "review.html" and review is not None and review.page:
            return attached(review.page, name, "text/html")
        raise HTTPException(404)

    async def act(self, request: Request) -> Response:
        """Do what a form requests, and answer with the page."""
        form = await form_of(request)
        return await self.shared.run_in_thread(lambda: self._process_form(request, form))

    def _process_form(self, request: Request, form: Form) -> Response:
        eyes = self._eyes(request)
        action = request.path_params["action"]
        if eyes is self.table.joining:
            return self._join(request, text_in(form, "seat"))
        if eyes.session is None:
            return self._set_up(request, eyes, form)
        if action == "setup":  # somebody did that meanwhile
            return self._answer_form(request, eyes, form, NOTHING)
        if action == "again" and self.table.over:
            return self._again(request, eyes)
        if action not in self._forms:
            raise HTTPException(404)
        answer = answer_to(self.table, eyes, action, form, self._forms)
        self.play_on()
        return self._answer_form(request, eyes, form, answer)

    def _answer_form(
        self, request: Request, eyes: Eyes, form: Form, answer: FormAnswer
    ) -> Response:
        """Answer a form with the page, and with the address that a reload must use."""
        kept = answer.error or answer.late or answer.asked or request.path_params["action"] == "ask"
        query = {name: each for name, each in form.items() if name == "tab" or kept}
        query |= {"x": [*answer.chosen]} if answer.chosen else {}
        draft = Draft.of(query, eyes.game)._replace(at=self.table.stamp(eyes))
        line = answer.line if len(answer.line) < _LINE else ""
        way = way_to(request.scope, eyes.secret)
        address = way + draft.query(tab=answer.tab or text_in(form, "tab"), line=line).rstrip("?")
        self.thinking.think(eyes)
        headers = {"Content-Location": address}
        text = page(self._page_context(request, eyes), query, answer)
        return HTMLResponse(text, headers=headers)

    def _join(self, request: Request, seat: str) -> Response:
        """Give a seat to somebody who joins, and answer with its page."""
        try:
            own = self.table.join(seat)
        except ClueError as error:
            shown = self._page_context(request, self.table.joining)
            return HTMLResponse(joining_page(shown, str(error)))
        return self._answer_form(request, own, {}, NOTHING)

    def _again(self, request: Request, eyes: Eyes) -> Response:
        """Begin the next game of the same players, and answer with a page of it."""
        seat = self.table.own.seat if self.table.alone else eyes.seat
        try:
            if isinstance(self.table, DealtTable) and seat is not None:
                self.table.sit(seat, PERSON)
            if not self.table.dealt and eyes.seat is not None:
                raise ArgumentError("only the recorder can start another game")
            old = self.table
            self._sit_at(old.again())
            old.end_links()  # once the links lead to the new game
        except ClueError as error:
            return self._answer_form(request, eyes, {}, FormAnswer(error=str(error)))
        return self._answer_form(request, self.table.of(seat), {}, NOTHING)

    def _set_up(self, request: Request, eyes: Eyes, form: Form) -> Response:
        """Begin the game that a form sets up, or show the form again."""
        table = self.table
        assert isinstance(table, LoggedTable)
        typed, query = typed_in(table, form), Form()
        try:
            found = None if text_in(form, "change") else begun(table, typed)
            if found is not None:
                return self._begin(request, found)
            query = {} if text_in(form, "change") else {"unsure": ["1"]}
        except ClueError as error:
            field = error.argument or ""
            query = {"wrong": [str(error).removeprefix(f"{field}: ")], "field": [field]}
        table.typed = typed
        table.all_changed()
        address = way_to(request.scope, eyes.secret)
        text = setup_page(self._page_context(request, eyes), query)
        return HTMLResponse(text, headers={"Content-Location": address})

    def _begin(self, request: Request, table: ServedTable) -> Response:
        """Serve the game that has begun, and answer with its page."""
        if table.alone:  # the link of a new game leads to the next one
            table.relink(table.recorder, Link())
            table.relink(table.own, replace(table.own.link, taken=True, steps=table.dealt))
        if table is not self.table:
            table.tell = self.table.tell
            self._sit_at(table)
        tab = "table" if table.dealt and not table.alone else ""
        return self._answer_form(request, table.own, {}, FormAnswer(tab=tab))


def attached(text: str, name: str, kind: str = "text/plain") -> Response:
    """Return a response with a file to be saved under a name."""
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(text, media_type=kind, headers={"Content-Disposition": disposition})


def router(routes: Sequence[BaseRoute]) -> Router:
    """Return an application with these routes, to be called by a `Guard`."""
    return Router(routes, redirect_slashes=False, default=_missing)


async def _missing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise HTTPException(404)


async def form_of(request: Request) -> Form:
    """Return the values of a form; raise an `HTTPException` if it is too large or too slow."""
    return form_in((await body_of(request)).decode("utf-8", "replace"))
