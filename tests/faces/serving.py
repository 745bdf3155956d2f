"""A table whose pages are asked for, by calls of this process or over the network."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager, suppress
from html import unescape
from pathlib import Path
from typing import Any, TypeVar

import httpx
from starlette.routing import Mount, Router
from starlette.testclient import TestClient

from clue_solver import load_edition
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.home import Home
from clue_solver.faces.web.links import Link
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.running import Reach, listening_at, new_server, place, run_server
from clue_solver.faces.web.safety import Place
from clue_solver.faces.web.server import PageServer
from clue_solver.faces.web.setting_up import open_table
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.thinking import Shared, final_thought


class Served:
    """What is served, and a phone without a browser that asks it."""

    def __init__(self, server: PageServer, client: httpx.Client, origin: str) -> None:
        self.server, self.origin = server, origin
        self.client = client

    @property
    def table(self) -> ServedTable:
        """The table, which is another one once the program has dealt."""
        return self.server.table

    def book(self, seat: str | None = None) -> Eyes:
        """The eyes of a seat, or the recorder's."""
        return self.table.seats[seat] if seat else self.table.recorder

    @property
    def url(self) -> str:
        """The recorder's page."""
        return self.of(None)

    def of(self, seat: str | None) -> str:
        """The address of a page."""
        return f"{self.origin}/{self.book(seat).secret}"

    @property
    def join(self) -> str:
        """The address by which players join."""
        return f"{self.origin}/{self.table.joining.secret}"

    def get(self, seat: str | None = None, query: str = "") -> str:
        """What a page shows, as text with its marks; whoever's it is has said so."""
        self.sit(seat)
        answer = self.client.get(f"{self.of(seat)}{query}")
        assert answer.status_code == 200
        return unescape(answer.text)

    def sit(self, seat: str | None) -> None:
        """Say whose a seat's page is, unless somebody has."""
        if seat and not self.book(seat).link.taken:
            assert self.client.post(f"{self.join}/join", data={"seat": seat}).status_code == 200

    def post(
        self, action: str, seat: str | None = None, /, **said: str | list[str]
    ) -> httpx.Response:
        """What comes of sending a form."""
        return self.client.post(f"{self.of(seat)}/{action}", data=said)

    def sent(self, action: str, seat: str | None = None, /, **said: str | list[str]) -> str:
        """What the page shows that answers a form."""
        answer = self.post(action, seat, **said)
        assert answer.status_code == 200
        return unescape(answer.text)

    def lines(self, seat: str | None = None) -> tuple[str, ...]:
        """The entries that some eyes have seen."""
        return self.book(seat).game.lines

    def write(self, line: str) -> None:
        """Let another program write a line to the game's file."""
        keeper = self.table.recorder.game.keeper
        assert keeper is not None
        with keeper.path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        self.in_turn(self.table.poll)

    def end_link(self) -> None:
        """End the recorder's link."""
        self.in_turn(lambda: self.table.relink(self.book(), Link()))

    def in_turn(self, work: Callable[[], None]) -> None:
        """Do work on the game where all work on it is done, never beside a page being drawn."""
        self.server.shared.games.give(work).result(60)

    def think(self, *seats: str | None) -> None:
        """Let verdicts be known."""
        for book in map(self.book, seats):
            self.table.store_thought(book, final_thought(book.game.record))

    def work(self) -> None:
        """Wait for what the threads of the server are doing now."""
        shared = self.server.shared
        for worker in (shared.second, shared.reviews, shared.games):
            worker.give(lambda: None).result()

    def wait_for_review(self) -> None:
        """Wait for the review of a game that is over, with all cards revealed."""
        assert self.table.over
        assert self.table.open
        while self.table.review is None:
            self.work()


AnyServed = TypeVar("AnyServed", bound=Served)


class Dealt(Served):
    """A table at which the program deals, and phones without a browser."""

    @property
    def table(self) -> DealtTable:
        """The table."""
        assert isinstance(self.server.table, DealtTable)
        return self.server.table

    def settle(self) -> None:
        """Wait until the game waits for a person, or is over and reviewed."""
        while self.table.chairs.machine:
            self.work()
        self.work()  # the last decision may still be saved
        if self.table.over:
            self.wait_for_review()


def chairs(*seats: tuple[str, str]) -> dict[str, str]:
    """What the form of a new game says of six chairs: names, and who plays."""
    every = (*seats, *[("", "")] * (6 - len(seats)))
    return {
        f"{field}-{number}": value
        for number, pair in enumerate(every, 1)
        for field, value in zip(("name", "plays"), pair, strict=True)
    }


def client_of(home: Home, origin: str = "") -> TestClient:
    """Return what calls the application, which answers requests alone."""
    app = Router([Mount("", home.app)])
    return TestClient(app, base_url=origin or home.origin, follow_redirects=False)


def dealt(table: DealtTable) -> AbstractContextManager[Dealt]:
    """Serve a table at which the program deals to calls of this process."""
    return _called(table, Dealt)


def unthinking(server: PageServer) -> None:
    """Let a server think of no verdicts: they are left to the test."""
    server.thinking.think = lambda *_, **__: None  # type: ignore[method-assign]


HERE = Place("http://127.0.0.1:8477", 8477, ("127.0.0.1", "localhost"))


class _Nobody(Executor):
    """Processes that never begin their work: real ones would each load the program anew."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        return Future()


def without_processes() -> Shared:
    """What the tables at `HERE` share; no verdict on them gets a closer look."""
    return Shared(HERE.origin, processes=_Nobody())


def called(
    path: Path, content: str = "", *, public: bool = False
) -> AbstractContextManager[Served]:
    """Serve the game in a file, which gets its content first, or one to be set up, to calls."""
    return _called(logged(path, content, public=public), Served)


@contextmanager
def _called(table: ServedTable, kind: type[AnyServed]) -> Iterator[AnyServed]:
    """Serve a table to calls of this process."""
    home = Home(HERE, shared=without_processes())
    server = home.add(table)
    server.shared.pace = 0
    if kind is Served:
        unthinking(server)
    with client_of(home) as client:
        yield kind(server, client, home.origin)
    server.table.close()


def opened(path: Path, kind: str, begins: str) -> AbstractContextManager[Served]:
    """
    Serve the game that a story begins with, or that is in its file already.

    Args:
        path: The game's file.
        kind: `alone`, `shared` or `dealt SEED`.
        begins: The record; of a dealt game edition and `players: Mum, Watson=hard`, `board: none`.
    """
    kind, _, seed = kind.partition(" ")
    if kind != "dealt":
        return called(path, "" if path.exists() else begins, public=kind == "shared")
    if path.exists():
        return dealt(DealtTable(DealtGame.resume(path)))
    said = dict(line.split(": ") for line in begins.splitlines() if line)
    seats = (each.partition("=") for each in said["players"].split(", "))
    players = {name: machine for name, _, machine in seats}
    edition, board = load_edition(said["edition"]), "board" not in said
    return dealt(DealtTable(DealtGame.deal(edition, players, path, seed=int(seed), board=board)))


@contextmanager
def served(path: Path, content: str = "", *, public: bool = False) -> Iterator[Served]:
    """Serve what `called` serves on a free port."""
    with networked(logged(path, content, public=public)) as found:
        yield found


def logged(path: Path, content: str, *, public: bool) -> ServedTable:
    """Return the table of a file's game; the content, if there is any, is written there first."""
    if content:
        path.write_text(content, "utf-8")
    return open_table(path, LoggedTable(keep=lambda: path, public=public))


@contextmanager
def networked(table: ServedTable) -> Iterator[Served]:
    """Serve a table on a free port."""
    listening = listening_at("127.0.0.1", 0)
    home = Home(place(listening, Reach()))
    server = home.add(table)
    server.shared.pace = 0
    run = new_server(home, Reach())
    loop = asyncio.new_event_loop()
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(run_server(home, run, listening)), daemon=True
    )
    thread.start()
    with httpx.Client(timeout=60, follow_redirects=False) as client:
        try:
            yield Served(server, client, home.origin)
        finally:
            client.close()
            loop.call_soon_threadsafe(run.handle_exit, signal.SIGINT, None)
            thread.join(60)
            loop.close()
            listening.close()
            server.table.close()
            assert not thread.is_alive()


@contextmanager
def in_process(
    path: Path, *options: str, program: Sequence[str] = ("-m", "clue_solver")
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve a game in a process of its own; yields it and the recorder's address."""
    command = [sys.executable, *program, "serve", str(path), "--port", "0", *options]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert run.stdout is not None
        yield run, run.stdout.readline().strip()
    finally:
        if run.poll() is None:
            run.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            run.wait(5)
        run.kill()
        run.communicate()
