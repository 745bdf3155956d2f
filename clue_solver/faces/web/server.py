"""
The page's server: what is asked for, what is sent, and how it begins and ends.

All that touches the game happens in one thread of its own, in order, so that the loop of the
network never waits for it; verdicts are thought of in a second one.
"""

import asyncio
import operator
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from datetime import date
from functools import partial
from importlib.resources import files
from io import StringIO
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

import click
import segno
import uvicorn
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
from starlette.routing import Route

from clue_solver import system
from clue_solver.conversation import commands
from clue_solver.conversation.dialog import Asking, Refused
from clue_solver.conversation.doubts import Doubt, DoubtAnswer, Place
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError, printable
from clue_solver.faces import setup
from clue_solver.faces.leaving import in_file, leaving
from clue_solver.faces.web.pages import HEADER, Viewing, page, settled_in, setup_page
from clue_solver.faces.web.safety import MOST_QUERY, Guard, body_of, fits, token_of
from clue_solver.faces.web.tables import Notebook, ServedTable, opened
from clue_solver.record import format_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition import load_edition

Result = TypeVar("Result")
Said = dict[str, list[str]]
Changing = Callable[[Callable[[], Any]], Any]

PORT = 8477
"""The usual port."""

_STREAMS, _BEAT, _POLL, _PAUSE, _GRACE, _KEPT = 600, 15.0, 1.0, 0.25, 1, 50
"""Most open streams; seconds between signs of life, looks at the file, before a verdict; to end;
pages of one version that are kept."""
_SWITCH = 0.0005
"""Seconds after which a thread that computes lets the others answer."""

_STATIC = ("clue_solver.faces.web", "clue_solver.views")
_KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


class Worker:
    """One thread that does what it is given in order, and never keeps the program from ending."""

    def __init__(self) -> None:
        self._given: SimpleQueue[Callable[[], None]] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def give(self, work: Callable[[], Result]) -> "Future[Result]":
        """Queue work and return its future; work that was cancelled before its turn is skipped."""
        done: Future[Result] = Future()

        def worked() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._given.put(worked)
        return done

    def _work(self) -> None:
        while True:
            self._given.get()()


class PageServer:
    """
    What answers for one table.

    Attributes:
        origin: The address of this machine that its pages have.
        changing: Does a change of the game where that may be done, and returns its answer.
    """

    def __init__(
        self,
        table: ServedTable,
        *,
        origin: str,
        port: int,
        names: tuple[str, ...],
        changing: Changing = operator.call,
    ) -> None:
        self.table = table
        self.origin = origin
        self.changing = changing
        self.closing = asyncio.Event()
        self._quick, self._slow = Worker(), Worker()
        self._watching: dict[Notebook, set[asyncio.Event]] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        self._wanted: set[Notebook] = set()
        table.changed = self._changed
        routes = [
            Route("/{secret}", self.show, methods=["GET", "HEAD"]),
            Route("/{secret}/events", self.events, methods=["GET"]),
            Route("/{secret}/static/{name}", self.static, methods=["GET"]),
            Route("/{secret}/manifest.webmanifest", self.manifest, methods=["GET"]),
            Route("/{secret}/record.clue", self.record, methods=["GET"]),
            Route("/{secret}/{action}", self.act, methods=["POST"]),
        ]
        app = Starlette(routes=routes)
        app.router.redirect_slashes = False
        self.app = Guard(app, lambda: table.doors, port=port, names=names)

    async def do(self, work: Callable[[], Result]) -> Result:
        """Do work on the game, and return its result."""
        return await asyncio.wrap_future(self._quick.give(work))

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
        for events in self._watching.values():
            for event in events:
                event.set()

    async def show(self, request: Request) -> Response:
        """Answer with the page."""
        text = await self.do(lambda: self._page(request))
        return _forbidden() if text is None else HTMLResponse(text)

    def _page(self, request: Request) -> str | None:
        """
        Return a page, and have its verdict thought of where it is not known.

        `None` if its link has ended since it was asked for.
        """
        book = self._book(request)
        if request.state.secret not in book.links.every:
            return None
        self.table.arrived(book, request.state.secret)
        shown = self._shown(request, book)
        kept = book.pages.setdefault(book.version, {})
        key = f"{shown.origin}?{request.url.query}"
        if (text := kept.get(key)) is None:
            text = page(shown, _said(request.url.query))
            if len(kept) < _KEPT:
                kept[key] = text
        if self.table.unwritten:
            self._quick.give(self.table.write_out)
        if book.session is not None and book.current is None and book not in self._wanted:
            self._wanted.add(book)
            self._slow.give(partial(self._think, book))
        return text

    def _think(self, book: Notebook) -> None:
        """Think of the verdict once the pages have their sheets; it is theirs in the next one."""
        threading.Event().wait(_PAUSE)
        self._wanted.discard(book)
        if book.session is not None:
            verdict = book.think(book.session.record)
            self._quick.give(lambda: self.table.thought(book, verdict))

    def _shown(self, request: Request, book: Notebook) -> Viewing:
        origin = f"http://{request.headers['host']}"
        if origin.partition("//")[2].startswith(("127.", "localhost", "[::1]")):
            origin = self.origin
        return Viewing(self.table, book, token_of(book.secret), origin)

    async def events(self, request: Request) -> Response:
        """Send each version of the page whose query this has, under its number."""
        if sum(map(len, self._watching.values())) >= _STREAMS:
            return PlainTextResponse("too many\n", 503)
        return StreamingResponse(self._versions(request), media_type="text/event-stream")

    async def _versions(self, request: Request) -> AsyncIterator[str]:
        changed = asyncio.Event()
        book = self._book(request)
        self._watching.setdefault(book, set()).add(changed)
        sent = book.version
        try:
            yield f"retry: 1000\nid: {sent}\ndata: -\n\n"  # whoever has another one asks for it
            while not self.closing.is_set() and request.state.secret in book.links.every:
                changed.clear()
                if sent != book.version:
                    sent = book.version
                    if (text := await self.do(lambda: self._page(request))) is None:
                        return
                    lines = text.replace("\r", " ").replace("\n", "\ndata: ")
                    yield f"id: {sent}\ndata: {lines}\n\n"
                try:
                    await asyncio.wait_for(changed.wait(), _BEAT)
                except TimeoutError:
                    yield ": \n\n"
        finally:
            self._watching[book].discard(changed)

    def _changed(self, book: Notebook) -> None:
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self._notify, book)

    def _notify(self, book: Notebook) -> None:
        for event in self._watching.get(book, ()):
            event.set()

    async def static(self, request: Request) -> Response:
        """Answer with a file that every page needs."""
        name = request.path_params["name"]
        folders = [files(package) / "static" for package in _STATIC]
        found = [file for folder in folders for file in folder.iterdir() if file.name == name]
        if not found:
            return PlainTextResponse("nothing there\n", 404)
        kind = _KINDS.get(Path(name).suffix, "application/octet-stream")
        headers = {"Cache-Control": "private, max-age=3600"}
        return Response(found[0].read_bytes(), media_type=kind, headers=headers)

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
            return PlainTextResponse("nothing there\n", 404)
        text = await self.do(lambda: format_record(self.table.current(book).record))
        return PlainTextResponse(
            text, headers={"Content-Disposition": 'attachment; filename="game.clue"'}
        )

    async def act(self, request: Request) -> Response:
        """Do what a form asks for, and show the page after it."""
        book = self._book(request)
        secret = request.state.secret
        body = await body_of(request)
        if body is None:
            return PlainTextResponse("too much\n", 413)
        said = _said(body.decode("utf-8", "replace"))
        if not fits(secret, _one(said, "csrf")):
            return _forbidden()
        return await self.do(lambda: self.changing(lambda: self._acted(request, book, said)))

    def tell_all(self) -> None:
        """Let the pages show what another face has changed."""
        self._quick.give(self.table.all_changed)

    def _acted(self, request: Request, book: Notebook, said: Said) -> Response:
        if request.state.secret not in book.links.every:  # it has ended while this waited
            return _forbidden()
        action = request.path_params["action"]
        if book.session is None:
            return self._set_up(request, book, said)
        act = getattr(self, f"do_{action}", None) if action in _ACTIONS else None
        if act is None:
            return PlainTextResponse("nothing there\n", 404)
        query: dict[str, str | list[str]] = {"tab": _one(said, "tab")}
        try:
            query |= act(book, said) or {}
        except ClueError as error:
            query |= {"wrong": str(error)}
        return self._to(book, query, new=action == "renew")

    def _to(
        self, book: Notebook, query: dict[str, str | list[str]], *, new: bool = False
    ) -> Response:
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
            if not _one(said, "change"):
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

    def do_tell(self, book: Notebook, said: Said) -> dict[str, str | list[str]] | None:
        """Take a line, or an answer to what is asked about one."""
        line = _one(said, "line").strip()
        entry = self._entry(book, said, "edit")
        place = Place(entry or None, insert=bool(_one(said, "insert")))
        if not line:
            return _kept_place(place, said)
        session = self.table.current(book)
        at = _number(said, "at")
        if at is not None and line in session.lines[at : at + 1] and not entry:
            return None  # it was taken, but the phone did not hear of it
        dialog = self.table.dialog(book)
        try:
            place = self.table.place_of(book, line, place)
        except NotationError as error:
            return _kept_place(place, said) | {"line": line, "wrong": str(error)}
        if place.entry is not None:
            dialog.edit(place.entry, insert=place.insert)
        last = [*dialog.enter(line, settled=settled_in(said))][-1]
        if isinstance(last, Asking):
            answer = _answer(last.doubt, _one(said, "answer"))
            if answer is not None:
                last = [*dialog.answer(answer)][-1]
        match last:
            case Asking():
                return _kept_place(last.place) | {"line": last.line, "settled": [*last.settled]}
            case Refused():
                wrong = str(last.error)
                return _kept_place(dialog.place, said) | {"line": last.line, "wrong": wrong}
        return None

    def do_hand(self, book: Notebook, said: Said) -> dict[str, str | list[str]] | None:
        """Take a seat's whole hand, or ask what is doubtful about it."""
        line = f"{book.seat} holds {', '.join(said.get('card', []))}"
        return self.do_tell(book, {**said, "line": [line]})

    def do_undo(self, book: Notebook, said: Said) -> None:
        """Take the last change back, if it is what the page said."""
        what = _one(said, "what")
        if what and what != self.table.undoing(book, self.table.current(book)):
            raise ArgumentError("somebody changed something else meanwhile: look again")
        self.table.undo(book)

    def do_redo(self, book: Notebook, _said: Said) -> None:
        """Do again what was undone."""
        self.table.change(book, lambda session: session.redo())

    def do_delete(self, book: Notebook, said: Said) -> None:
        """Take an entry out."""
        entry = self._entry(book, said, "entry") or 0
        if book.seat is None:
            self.table.change(book, lambda session: session.delete(entry))
        else:
            self.table.forget(book, entry)

    def do_fix(self, book: Notebook, said: Said) -> None:
        """Make a correction."""
        number = _number(said, "number") or 0
        verdict = book.current
        corrections = verdict.check.corrections if verdict and verdict.check else ()
        if not 0 < number <= len(corrections):
            raise ArgumentError("the corrections have changed: look again")
        self.table.correct(book, corrections[number - 1])

    def do_header(self, book: Notebook, said: Said) -> None:
        """Change a part of the header."""
        for part in (part for part in HEADER if part in said):
            if part == "seats" and self.table.public:
                raise ArgumentError("the seats of a shared table stay as they are")
            command = commands.Said(part, _one(said, part))
            self.table.change(book, partial(commands.change, said=command))

    def do_renew(self, book: Notebook, said: Said) -> None:
        """End a link: one's own, or a seat's."""
        seat = _one(said, "seat")
        if seat and book.seat is not None:
            raise ArgumentError("only the recorder ends others' links")
        other = self.table.seats.get(seat) if seat else book
        ends = other is not None and _one(said, "ends") in ("", token_of(other.secret)[:8])
        if other is not None and ends:
            self.table.renew(other, at_once=bool(seat))

    def _entry(self, book: Notebook, said: Said, name: str) -> int | None:
        """Return the number of an entry that a form names, as it is by now."""
        entry = _number(said, name)
        return entry and self.table.entry_now(book, entry, _one(said, "was"))

    def _book(self, request: Request) -> Notebook:
        book = request.state.door
        assert isinstance(book, Notebook)
        return book


_ACTIONS = frozenset(name[3:] for name in vars(PageServer) if name.startswith("do_"))


class _Uvicorn(uvicorn.Server):
    """A server that ends when it is asked to, and then leaves the rest to be done in order."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending
        self.ended_by: int | None = None  # the signal

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.should_exit = True
        self.ended_by = sig
        self._ending()


def _forbidden() -> Response:
    return PlainTextResponse("forbidden\n", 403)


def _said(text: str) -> Said:
    with suppress(ValueError):
        return parse_qs(text, keep_blank_values=True, max_num_fields=200, errors="replace")
    return {}


def _kept_place(place: Place, said: Said | None = None) -> dict[str, str | list[str]]:
    """Return what an address says of the place of a line; nothing of the end of the log."""
    if place.entry is None:
        return {}
    insert = "1" if place.insert else ""
    return {"edit": str(place.entry), "was": _one(said or {}, "was"), "insert": insert}


def _answer(doubt: Doubt, label: str) -> DoubtAnswer | None:
    """Return the answer of a button; `None` where there was none, or it is offered no more."""
    for choice in doubt.choices:
        if choice.label == label:
            return choice
    return "yes" if label == "yes" and doubt.may_stand else None


def _one(said: Said, name: str) -> str:
    return "".join(said.get(name, ())[:1])


def _number(said: Said, name: str) -> int | None:
    text = _one(said, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def serve(path: Path | None, *, host: str, port: int, public: bool) -> None:
    """
    Serve a game until the program is interrupted.

    Args:
        path: The game's file; one that is not there is set up on the page. Without it the last
            unfinished game is offered there, or a new one.
        host: The address to listen on: a name or address of this machine.
        port: The port; 0 for a free one.
        public: Whether each seat has a page of its own.

    Raises:
        ArgumentError: If the address cannot be used.
        RecordError: If the game is open elsewhere, or its file cannot be read.
    """
    with listening_at(host, port) as listening:
        table = opened(path, keep=partial(_kept, path), public=public)
        if path is None:
            table.offered = setup.last_unfinished(setup.games_folder())
        with leaving(lambda ask: table.close(ask=ask)), suppress(KeyboardInterrupt):
            asyncio.run(_served(table, listening, host))


async def _served(table: ServedTable, listening: socket.socket, host: str) -> None:
    sys.setswitchinterval(_SWITCH)  # a page does not wait for the verdict that is thought of
    server, run = answering(table, listening, host)
    address = f"{server.origin}/{table.recorder.secret}"
    click.echo(address)
    sys.stdout.flush()
    with suppress(UnicodeEncodeError):  # a terminal without block letters has the address
        segno.make(address, error="m", micro=False).terminal(compact=True)
        sys.stdout.flush()
    click.echo(f"Ctrl-C ends; {in_file(table.recorder.session)}", err=True)
    with system.on_ending(run.handle_exit):
        await serving(server, run, listening)
    if run.ended_by not in (None, signal.SIGINT):
        system.end(run.ended_by)


class Beside:
    """
    The page of a session that another face shows as well; a thread of its own answers for it.

    Args:
        session: The game.
        host: As of `serve`; the port is the usual one, or a free one where that is taken.
        changing: Does a change that a page asks for, in the thread of the other face.

    Attributes:
        address: The recorder's page.
        code: Its QR code in rows of block letters, light on dark.

    Raises:
        ArgumentError: If the address cannot be used.
    """

    def __init__(self, session: Session, host: str, changing: Changing) -> None:
        self.host = host
        try:
            self._listening = listening_at(host, PORT)
        except ArgumentError:
            self._listening = listening_at(host, 0)
        table = ServedTable(keep=lambda: None)
        table.join(session)
        self._server, self._run = answering(table, self._listening, host, changing)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._answer()), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"{self._server.origin}/{self._server.table.recorder.secret}"

    @property
    def code(self) -> str:
        rows = StringIO()
        code = segno.make(self.address, error="l", micro=False)
        code.terminal(rows, border=2, compact=True)
        return rows.getvalue().rstrip("\n")

    def changed(self) -> None:
        """Let the pages show what was changed on the other face."""
        self._server.tell_all()

    def end(self) -> None:
        """Answer no more."""
        self._run.should_exit = True
        if self._server.loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._server.loop.call_soon_threadsafe(self._server.end)
        self._thread.join(3 * _GRACE)
        self._listening.close()

    async def _answer(self) -> None:
        await serving(self._server, self._run, self._listening)


def answering(
    table: ServedTable, listening: socket.socket, host: str, changing: Changing = operator.call
) -> tuple[PageServer, _Uvicorn]:
    """Return the server of a table on a socket that listens already, and what runs it."""
    port = listening.getsockname()[1]
    names = {host, "localhost"}
    if not _loopback(listening):
        names = {host, socket.gethostname(), f"{socket.gethostname()}.local"}
    server = PageServer(
        table,
        origin=f"http://{_shown_host(listening, host)}:{port}",
        port=port,
        names=tuple(names),
        changing=changing,
    )
    config = uvicorn.Config(
        server.app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        limit_concurrency=2_000,
        timeout_graceful_shutdown=_GRACE,
        backlog=512,
        ws="none",
        proxy_headers=False,
        timeout_keep_alive=60,
    )
    return server, _Uvicorn(config, server.end)


async def serving(server: PageServer, run: uvicorn.Server, listening: socket.socket) -> None:
    """Answer until `run.should_exit` is set."""
    watching = asyncio.create_task(server.watch_file())
    await run.serve(sockets=[listening])
    server.end()
    with suppress(TimeoutError):
        await asyncio.wait_for(watching, _GRACE)


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address."""
    try:
        addresses = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = addresses[0]
        listening = socket.socket(family, kind, protocol)
        system.listen_alone(listening)
        listening.bind(address)
        listening.listen(512)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "" if port == 0 else "; --port 0 takes a free port"
        raise ArgumentError(
            f"cannot listen on {printable(host)}, port {port}: {reason}{hint}"
        ) from None
    return listening


def _loopback(listening: socket.socket) -> bool:
    return str(listening.getsockname()[0]).startswith("127.") or listening.getsockname()[0] == "::1"


def _shown_host(listening: socket.socket, host: str) -> str:
    """Return the host that the address names: one that other phones reach, if they may."""
    name = str(listening.getsockname()[0])
    if name in ("0.0.0.0", "::"):
        name = "127.0.0.1"
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but tells which way out there is
            name = probe.getsockname()[0]
    elif host and not _loopback(listening):
        name = host
    return f"[{name}]" if ":" in name else name


def _kept(path: Path | None) -> RecordFile:
    return RecordFile(path or setup.fresh_path(setup.games_folder(), date.today()))
