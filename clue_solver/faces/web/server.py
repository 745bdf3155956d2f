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

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from clue_solver.errors import ClueError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.asks import DEALT
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import HELP, NOTHING, Eyes, FormAnswer, Links
from clue_solver.faces.web.forms import LOGGED, answer_to
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.pages import Viewing, joining_page, page
from clue_solver.faces.web.panel import Form, form_in, one
from clue_solver.faces.web.safety import body_of, notice, refused, way_to
from clue_solver.faces.web.setting_up import begun, setup_page, typed_in
from clue_solver.faces.web.streams import Streams
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.thinking import Result, Thinkers, Thinking, Worker
from clue_solver.game import Game
from clue_solver.record import format_record

_LINE = 2_000
"""The longest line that an address has."""

_FILES = StaticFiles(
    packages=[("clue_solver.faces.web", "static"), ("clue_solver.views", "static")]
)
STATIC = Mount("/{secret}/static", _FILES)
"""Answers with the files that every page has, from the packages that have them."""

_PACE = 1.0

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
        pace: Seconds between what two machines do, so that people can follow.
    """

    def __init__(
        self, origin: str, *, quick: Worker | None = None, thinkers: Thinkers | None = None
    ) -> None:
        self.origin = origin
        self.quick = quick or Worker()
        self.thinkers = thinkers or Thinkers()
        self.streams = Streams()
        self.pace = _PACE

    async def do(self, work: Callable[[], Result], *, heavy: bool = False) -> Result:
        """Do work on a game when its turn comes, and return its result."""
        return await asyncio.wrap_future(self.quick.give(work, heavy=heavy))


class Door(NamedTuple):
    """Where a secret leads to: what answers there, and whose eyes look."""

    app: ASGIApp
    eyes: Eyes


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
            Route("/{secret}/", self.show, methods=["GET", "HEAD"]),  # from a home screen
            Route("/{secret}/events", self.events, methods=["GET"]),
            STATIC,
            Route("/{secret}/record.clue", self.record, methods=["GET"]),
            Route("/{secret}/review.html", self.review, methods=["GET"]),
            Route("/{secret}/{action}", self.act, methods=["POST"]),
            # Without scripts the answer to a form stands at its address, and so do its links.
            Route("/{secret}/{action}", self.show, methods=["GET", "HEAD"]),
        ]
        self.app: ASGIApp = answering(routes)

    def _sit_at(self, table: ServedTable) -> None:
        """Answer for a table from now on: one that is set up may be one that the program deals."""
        self.table = table
        self._forms = DEALT if table.dealt else LOGGED
        self.thinking = Thinking(table, self.thought, self.shared.thinkers)
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
                self.shared.quick.give_later(self.play_on, self.shared.pace)

            self._later(decided)

        thinkers = self.shared.thinkers
        thread = thinkers.reviews if self.table.open else thinkers.second
        thread.give(think).add_done_callback(decide)

    @property
    def doors(self) -> Iterator[tuple[str, Door]]:
        """All secrets that lead to this table, each with what it opens."""
        joining = (self.table.joining,) if self.table.seats else ()
        for eyes in (*self.table.every, *joining):
            yield eyes.secret, Door(self.app, eyes)

    def _later(self, work: Callable[[], object]) -> None:
        """Let work that nobody waits for have its turn."""
        self.shared.quick.give(work)

    async def show(self, request: Request) -> Response:
        """Answer with the page."""
        action = request.path_params.get("action", "setup")
        if action not in {*self._forms, "setup", "again", "join"}:
            return missing(request)
        heavy = not request.query_params.keys().isdisjoint(_HEAVY)
        text = await self.shared.do(lambda: self._page(request), heavy=heavy)
        return refused() if text is None else HTMLResponse(text)

    def _page(self, request: Request) -> str | None:
        """Return a page; `None` if its link has ended meanwhile."""
        eyes = self._eyes(request)
        if request.state.secret != eyes.secret:
            return None
        self.table.poll()
        self._think(eyes)
        shown, query = self._shown(request, eyes), form_in(request.url.query)
        if eyes is self.table.joining:
            return joining_page(shown)
        return setup_page(shown, query) if eyes.session is None else page(shown, query)

    def _think(self, eyes: Eyes) -> None:
        """Take a first look at the game; a closer one follows once the pages have their sheets."""
        advises = not self.table.dealt or self.table.help(eyes) == len(HELP) - 1
        if eyes.session is not None and advises and self.thinking.look(eyes):
            self._later(partial(self.thinking.look_closer, eyes, eyes.session.record))

    def thought(self, eyes: Eyes, verdict: Thought) -> None:
        """Let the pages show a verdict."""
        self._later(partial(self.table.thought, eyes, verdict))

    def _shown(self, request: Request, eyes: Eyes) -> Viewing:
        before = request.scope.get("root_path", "")
        origin = f"{request.url.scheme}://{request.headers['host']}"
        if origin.partition("//")[2].startswith(("127.", "localhost", "[::1]")):
            origin = self.shared.origin
        return Viewing(self.table, eyes, f"{origin}{before}", before)

    async def events(self, request: Request) -> Response:
        """Tell the number of each version of the page, so that its phones ask for it."""
        versions = self.shared.streams.versions(self._eyes(request), request.state.secret)
        return StreamingResponse(versions, media_type="text/event-stream")

    async def record(self, request: Request) -> Response:
        """Answer with these eyes' own record as a file."""
        eyes = self._eyes(request)
        if eyes.session is None:
            return await _nothing(request)
        text = await self.shared.do(lambda: format_record(self.table.current(eyes).record))
        return PlainTextResponse(
            text, headers={"Content-Disposition": 'attachment; filename="game.clue"'}
        )

    async def review(self, request: Request) -> Response:
        """Answer with the review of a game that is over as a file, worked out beside the game."""
        eyes = self._eyes(request)
        if eyes.session is None:
            return await _nothing(request)
        session = await self.shared.do(lambda: self.table.current(eyes))
        if not session.record.finished:
            return await _nothing(request)
        work = partial(_reviewed, self.table, session.game)
        try:
            text = await asyncio.wrap_future(self.shared.thinkers.reviews.give(work))
        except ClueError as error:
            back = way_to(request.scope, request.state.secret)
            return notice(409, "There is no review", f"{escape(str(error))}.", back)
        return HTMLResponse(
            text, headers={"Content-Disposition": 'attachment; filename="review.html"'}
        )

    async def act(self, request: Request) -> Response:
        """Do what a form asks for, and show the page after it."""
        eyes = self._eyes(request)
        form = await form_of(request)
        if isinstance(form, Response):
            return form
        return await self.shared.do(lambda: self._acted(request, eyes, form))

    def _acted(self, request: Request, eyes: Eyes, form: Form) -> Response:
        if request.state.secret != eyes.secret:  # it has ended while this waited
            return refused()
        action = request.path_params["action"]
        if eyes is self.table.joining:
            return self._joined(request, one(form, "seat"))
        if eyes.session is None:
            return self._set_up(request, eyes, form)
        if action == "setup":  # somebody did that meanwhile
            return self._answered(request, eyes, form, NOTHING)
        if action == "again" and self.table.over:
            return self._again(request, eyes)
        if action not in self._forms:
            return missing(request)
        answer = answer_to(self.table, eyes, action, form, self._forms)
        self.play_on()
        return self._answered(request, eyes, form, answer)

    def _answered(self, request: Request, eyes: Eyes, form: Form, answer: FormAnswer) -> Response:
        """Answer a form with the page, at the address that a reload asks for."""
        kept = answer.error or answer.late or answer.asked or request.path_params["action"] == "ask"
        query = {name: each for name, each in form.items() if name == "tab" or kept}
        draft = Draft.of(query, self.table.current(eyes))._replace(at=self.table.stamp(eyes))
        line = answer.line if len(answer.line) < _LINE else ""
        way = way_to(request.scope, eyes.secret)
        address = way + draft.query(tab=answer.tab or one(form, "tab"), line=line).rstrip("?")
        self._think(eyes)
        headers = {"Content-Location": address}
        text = page(self._shown(request, eyes), query, answer)
        return HTMLResponse(text, headers=headers)

    def _joined(self, request: Request, seat: str) -> Response:
        """Let somebody take a seat, and answer with its page."""
        try:
            own = self.table.join(seat)
        except ClueError as error:
            shown = self._shown(request, self.table.joining)
            return HTMLResponse(joining_page(shown, str(error)))
        return self._answered(request, own, {}, NOTHING)

    def _again(self, request: Request, eyes: Eyes) -> Response:
        """Let the same players begin the next game, and answer with this player's page of it."""
        try:
            self._sit_at(self.table.again())
        except ClueError as error:
            return self._answered(request, eyes, {}, FormAnswer(error=str(error)))
        own = self.table.of(eyes.seat) if eyes.seat else self.table.recorder
        return self._answered(request, own, {}, NOTHING)

    def _set_up(self, request: Request, eyes: Eyes, form: Form) -> Response:
        """Begin the game that a form sets up, or ask again."""
        table = self.table
        assert isinstance(table, LoggedTable)
        typed, query = typed_in(table, form), Form()
        try:
            found = None if one(form, "change") else begun(table, typed)
            if found is not None:
                return self._begun(request, found)
            query = {} if one(form, "change") else {"unsure": ["1"]}
        except ClueError as error:
            query = {"wrong": [str(error)], "field": [error.argument or ""]}
        table.typed = typed
        table.all_changed()
        address = way_to(request.scope, eyes.secret)
        text = setup_page(self._shown(request, eyes), query)
        return HTMLResponse(text, headers={"Content-Location": address})

    def _begun(self, request: Request, table: ServedTable) -> Response:
        """Answer for the game that has begun, and with its page."""
        if table.alone:  # the link of a new game leads to the next one
            table.relink(table.recorder, Links())
        if table is not self.table:
            table.tell = self.table.tell
            self._sit_at(table)
        tab = "table" if table.dealt and not table.alone else ""
        return self._answered(request, table.own, {}, FormAnswer(tab=tab))

    def _eyes(self, request: Request) -> Eyes:
        door = request.state.door
        assert isinstance(door, Door)
        return door.eyes


def _reviewed(table: ServedTable, game: Game) -> str:
    from clue_solver.views.reviews import review_page

    return review_page(table.reviewed(game))


def answering(routes: Sequence[BaseRoute]) -> Starlette:
    """Return what answers by these routes, and else says that there is nothing."""
    handlers: dict[Any, Any] = {404: _nothing, 405: _nothing}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return app


async def form_of(request: Request) -> Form | Response:
    """Return what a form says, or the answer if that is too much, or too slow."""
    body = await body_of(request)
    return body if isinstance(body, Response) else form_in(body.decode("utf-8", "replace"))


def missing(request: Request) -> Response:
    """Return the page for whoever asks for what there is not."""
    back = way_to(request.scope, request.state.secret)
    return notice(404, "There is nothing here", "The game is on its own page.", back)


async def _nothing(request: Request, _: Exception | None = None) -> Response:
    return missing(request)
