"""
Answers the requests for the pages of a table.

Pages are drawn and forms processed in the games' thread (see `thinking`), so that the event loop
never waits for a game. The event loop only looks up to which page a link leads.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
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
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.forms import actions_of, answer_to
from clue_solver.faces.web.links import Link
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.pages import PageContext, file_name, is_local, joining_page, page
from clue_solver.faces.web.panel import NOTHING, Form, FormAnswer, Query, form_in, text_in
from clue_solver.faces.web.safety import body_of
from clue_solver.faces.web.setting_up import begin_game, setup_page, typed_in
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.thinking import Shared, Thinking
from clue_solver.record.clue import format_record

_LINE = 2_000
"""How many characters a line of the log may have in the address of a page."""

_FILES = StaticFiles(
    packages=[("clue_solver.faces.web", "static"), ("clue_solver.views", "static")]
)
STATIC = Mount("/{secret}/static", _FILES)
"""Serves the static files that every page needs."""

_SAVED = ("record.clue", "deck.toml", "review.html")
"""The files that a page offers to save."""

_NO_VALUES: Query = {}

_HEAVY = ("suppose", "card")
"""The query parameters that ask for what-if and why, which take long to compute."""


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
        """Serve a table in place of the last: the next game, or a dealt one just set up."""
        self.table = table
        self.thinking = Thinking(table, self.shared)
        table.changed = self.shared.streams.tell
        table.tell, table.alone = self._tell, self.shared.alone
        self.shared.begin(self.play_on)

    def _tell(self, line: str) -> None:
        """Tell the host something about the table, with its name."""
        self.shared.tell(f"{self.table.name}: {line}")

    def play_on(self) -> None:
        """
        Have the table's next job, if there is one, done in another thread.

        When it is done, `_done` goes on with the next.
        """
        table = self.table
        job = None if table.busy else table.next_job()
        if job is not None:
            table.busy = True
            worker = self.shared.reviews if table.open else self.shared.second
            worker.give(job).add_done_callback(partial(self._done, table))

    def _done(self, table: ServedTable, job: "Future[Callable[[], None]]") -> None:
        """
        Store the result of a job in the games' thread, and then do the table's next job.

        Args:
            table: The table.
            job: The future of the job; its result is the function that stores what was computed.
        """

        def store() -> None:
            """
            Store the result, and do the next job after a pause, which is short if only machines
            play.
            """
            table.busy = False
            job.result()()
            watched = len(self.table.machines) < len(self.table.seats)
            pace = self.shared.pace if watched else self.shared.pace / 10
            self.shared.begin(self.play_on, pace)

        self.shared.begin(store)

    def _context(self, request: Request) -> PageContext:
        """
        Return whose page a request asks for, as its link says.

        Raises:
            HTTPException: If the link has just ended.
        """
        before, host = request.scope.get("root_path", ""), request.headers["host"]
        origin = self.shared.origin if is_local(host) else f"{request.url.scheme}://{host}"
        for eyes in self.table.pages.values():
            if eyes.secret == request.state.secret:
                return PageContext(self.table, eyes, f"{origin}{before}", before)
        raise HTTPException(403)

    async def show(self, request: Request) -> Response:
        """Answer a request with a page."""
        action = request.path_params.get("action", "setup")
        if action not in {*actions_of(self.table), "setup", "again", "join"}:
            raise HTTPException(404)
        heavy = not request.query_params.keys().isdisjoint(_HEAVY)
        return await self.shared.run_in_thread(lambda: self._page(request), heavy=heavy)

    def _page(self, request: Request) -> Response:
        """Draw the page to which the link of a request leads."""
        shown, query = self._context(request), form_in(request.url.query)
        self.table.poll()
        if self.table.over:
            self.play_on()  # another program may have ended the game
        if shown.eyes is self.table.joining:
            return HTMLResponse(joining_page(shown))
        if shown.eyes.session is None:
            return HTMLResponse(setup_page(shown))
        self.thinking.think(shown.eyes)
        return HTMLResponse(page(shown, query))

    async def events(self, request: Request) -> Response:
        """Answer with a stream of a page's version numbers, by which the page knows to reload."""
        eyes = self._context(request).eyes
        versions = self.shared.streams.versions(eyes, request.state.secret)
        return StreamingResponse(versions, media_type="text/event-stream")

    async def save(self, request: Request) -> Response:
        """Answer with a file to download."""
        return await self.shared.run_in_thread(lambda: self._file(request))

    def _file(self, request: Request) -> Response:
        """
        Answer with a file to save: the record, the players' own deck, or the review.

        The record is what the page's seat has seen.

        Raises:
            HTTPException: If there is no such file.
        """
        eyes, name = self._context(request).eyes, request.url.path.rpartition("/")[2]
        if eyes.session is None:
            raise HTTPException(404)
        table = (self.table.last if "last" in request.query_params else None) or self.table
        deck, review = table.deck, table.review
        if name == "record.clue":
            record = table.of(eyes.seat).game.record
            return attachment(format_record(record), file_name(record.table))
        if name == "deck.toml" and deck is not None and deck.is_file():
            return attachment(deck.read_text("utf-8"), deck.name)
        if name == "review.html" and review is not None and review.page:
            return attachment(review.page, name, "text/html")
        raise HTTPException(404)

    async def act(self, request: Request) -> Response:
        """Do what a form requests, and answer with the page."""
        form = await form_of(request)
        return await self.shared.run_in_thread(lambda: self._process_form(request, form))

    def _process_form(self, request: Request, form: Form) -> Response:
        """Do what a form requests, and return the page that shows the result."""
        shown, action = self._context(request), request.path_params["action"]
        if shown.eyes is self.table.joining:
            return self._join(shown, form)
        if shown.eyes.session is None:
            return self._set_up(shown, form)
        if action == "again" and self.table.over:
            return self._again(shown)
        if action in ("setup", "again"):  # somebody did that meanwhile
            return self._answer_form(shown)
        if action not in actions_of(self.table):
            raise HTTPException(404)
        answer = answer_to(self.table, shown.eyes, action, form)
        self.play_on()
        done = not (answer.error or answer.late or answer.asked or action == "ask")
        kept = {"tab": form.get("tab", [])} if done else form
        return self._answer_form(shown, kept, answer)

    def _answer_form(
        self, shown: PageContext, kept: Query = _NO_VALUES, answer: FormAnswer = NOTHING
    ) -> Response:
        """
        Answer a form with a page, and with the address that a reload must use.

        Args:
            shown: The table and whose page it is.
            kept: The values of the form that the page and its address keep.
            answer: The result of the form.
        """
        query = {**kept, "x": answer.chosen} if answer.chosen else kept
        draft = Draft.of(query, shown.eyes.game)._replace(at=self.table.stamp(shown.eyes))
        line = answer.line if len(answer.line) < _LINE else ""
        address = draft.query(tab=answer.tab or text_in(kept, "tab"), line=line).rstrip("?")
        self.thinking.think(shown.eyes)
        headers = {"Content-Location": f"{shown.base}{address}"}
        return HTMLResponse(page(shown, query, answer), headers=headers)

    def _join(self, shown: PageContext, form: Form) -> Response:
        """Give the seat in a form to the person who sent it, and answer with the seat's page."""
        try:
            own = self.table.join(text_in(form, "seat"), text_in(form, "once"))
        except ClueError as error:
            return HTMLResponse(joining_page(shown, str(error)))
        return self._answer_form(shown._replace(eyes=own))

    def _again(self, shown: PageContext) -> Response:
        """Begin the next game of the same players, and answer with the same seat's page of it."""
        seat = self.table.own.seat if self.table.alone else shown.eyes.seat
        try:
            if isinstance(self.table, DealtTable) and seat is not None:
                self.table.sit(seat, PERSON)
            if not self.table.dealt and shown.eyes.seat is not None:
                raise ArgumentError("only the recorder can start another game")
            old = self.table
            self._sit_at(old.again())
            old.end_links()  # once the links lead to the new game
        except ClueError as error:
            return self._answer_form(shown, answer=FormAnswer(error=str(error)))
        return self._answer_form(shown._replace(served=self.table, eyes=self.table.of(seat)))

    def _set_up(self, shown: PageContext, form: Form) -> Response:
        """Begin the game that a form sets up, or show the form again."""
        table = self.table
        assert isinstance(table, LoggedTable)
        typed, changes, wrong = typed_in(table, form), bool(text_in(form, "change")), None
        try:
            found = None if changes else begin_game(table, typed)
            if found is not None:
                return self._begin(shown, found)
        except ClueError as error:
            wrong = error
        table.typed = typed
        table.change_all_pages()
        text = setup_page(shown, wrong, unsure=not (changes or wrong))
        return HTMLResponse(text, headers={"Content-Location": shown.base})

    def _begin(self, shown: PageContext, table: ServedTable) -> Response:
        """Serve the table of the game that has just begun, and answer with its page."""
        if table is not self.table:
            self._sit_at(table)
        if table.alone:  # the link of a new game leads to the next one
            table.relink(table.recorder, Link())
            table.relink(table.own, replace(table.own.link, taken=True, steps=table.dealt))
        tab = "table" if table.dealt and not table.alone else ""
        shown = shown._replace(served=table, eyes=table.own)
        return self._answer_form(shown, answer=FormAnswer(tab=tab))


def attachment(text: str, name: str, kind: str = "text/plain") -> Response:
    """Return a response that is saved as a file with this name; `kind` is its media type."""
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(text, media_type=kind, headers={"Content-Disposition": disposition})


def router(routes: Sequence[BaseRoute]) -> Router:
    """Return an application with these routes, to be called by a `Guard`."""
    return Router(routes, redirect_slashes=False, default=_refuse_path)


async def _refuse_path(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Refuse a request whose path leads nowhere."""
    raise HTTPException(404)


async def form_of(request: Request) -> Form:
    """Return the values of a form; raise an `HTTPException` if it is too large or too slow."""
    return form_in((await body_of(request)).decode("utf-8", "replace"))
