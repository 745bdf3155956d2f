"""Starts and stops the server of the pages, and opens the socket on which it listens."""

import asyncio
import logging
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import click
import h11
import segno
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from clue_solver import system
from clue_solver.errors import ArgumentError, RecordError, printable, system_reason
from clue_solver.faces import games
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.leaving import closing, saved_text, say
from clue_solver.faces.setup import USUAL
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.home import Home
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.safety import MOST_BYTES, Place
from clue_solver.faces.web.setting_up import open_table
from clue_solver.faces.web.tables import ServedTable
from clue_solver.rules.edition_files import load_edition

_GRACE = 1
"""How many seconds the server may take to stop."""
_SWITCH = 0.0005
"""After how many seconds a computing thread lets other threads run."""
_FILES = 2_048
"""How many files and connections may be open at once."""


LATEST, MOST = 10.0, 300
"""How many seconds request headers may take, and how many connections may wait for them."""


class Connection(H11Protocol):
    """A connection. If too many wait for a request, the one that has waited longest is closed."""

    _timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for a request; close the connection that waited longest if there are too many."""
        super().connection_made(transport)
        self._start_timeout()
        late = {each: each._timeout for each in self.connections if isinstance(each, Connection)}
        waiting = {each: timer.when() for each, timer in late.items() if timer is not None}
        if len(waiting) > MOST:
            min(waiting, key=waiting.__getitem__).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Receive part of a request, and stop its timeout once the headers are complete."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_timeout()
        elif self._timeout is None:
            self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout of a closed connection."""
        self._stop_timeout()
        super().connection_lost(exc)

    def _start_timeout(self) -> None:
        """Close the connection if the headers of a request do not arrive in time."""
        self._timeout = self.loop.call_later(LATEST, self.transport.abort)

    def _stop_timeout(self) -> None:
        """Let the connection stay open without a time limit."""
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None


class _Uvicorn(uvicorn.Server):
    """A server that keeps the signal which stopped it, and does not raise that signal again."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending
        self.ended_by: int | None = None  # the signal

    def handle_exit(self, sig: int, _frame: FrameType | None) -> None:
        """Stop the server because of the signal `sig`."""
        self.should_exit = True
        self.ended_by = sig
        self._ending()


def log(line: str) -> None:
    """Print a message for the host, with the time."""
    say(f"{time.strftime('%H:%M:%S')} {line}")


class Reach(NamedTuple):
    """
    The addresses at which the server can be reached.

    Attributes:
        host: The host to listen on: a name or address of this machine.
        allowed: Host names of proxies or tunnels in front of the server. The links on the pages
            begin with the first one that is given with `https://`.
    """

    host: str = "127.0.0.1"
    allowed: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The allowed names without `https://`; raises an `ArgumentError` if one is invalid."""
        names = tuple(each.rpartition("//")[2].rstrip("/") for each in self.allowed)
        for name in names:
            if not _NAME.fullmatch(name):
                raise ArgumentError(
                    f"expected a host name such as clue.example.org; found '{printable(name)}'",
                    argument="allow",
                )
        return names

    @property
    def outside(self) -> str:
        """The public address, if an allowed name is given with `https://`; otherwise empty."""
        return next((each.rstrip("/") for each in self.allowed if "//" in each), "")


_NAME = re.compile(r"[0-9A-Za-z]([0-9A-Za-z.-]{0,250}[0-9A-Za-z])?")


def serve(
    path: Path | None,
    reach: Reach,
    *,
    port: int,
    public: bool = False,
    typed: Mapping[str, str] | None = None,
    deal: Callable[[], ServedTable] | None = None,
) -> None:
    """
    Serve a game, or all games of a folder, until the program is interrupted.

    Args:
        path: The file of a game, which is set up on the page if it does not exist; or a folder,
            whose games are listed on a page. By default, the user's folder of games.
        reach: The addresses at which the server can be reached.
        port: The port; 0 for a free one.
        public: Whether each seat has its own page.
        typed: The values that are filled in on the form for a new game.
        deal: If given, returns the table to serve, and `path` is not used. Called once the socket
            is open.

    Raises:
        ArgumentError: If the address or a name cannot be used.
        RecordError: If the game is open elsewhere, or its file cannot be read.
    """
    if path is None and not typed and deal is None:
        path = games.games_folder()
        path.mkdir(parents=True, exist_ok=True)
    folder = path if deal is None and path is not None and path.is_dir() else None
    with listening_at(reach.host, port) as listening:
        home = Home(place(listening, reach), tell=log, folder=folder, public=public)
        if folder is None:
            home.add(table_of(path, public=public, typed=typed) if deal is None else deal())
        with closing(home.close), suppress(KeyboardInterrupt):
            asyncio.run(_serve(home, listening, reach))


def table_of(
    path: Path | None,
    *,
    public: bool,
    typed: Mapping[str, str] | None = None,
) -> ServedTable:
    """
    Return the table of the game in a file, or of a new game to be set up.

    Args:
        path: The file of the game, which is set up on the page if it does not exist; `None` for a
            new file in the user's folder.
        public: Whether each seat has its own page.
        typed: The values that are filled in on the form for a new game.

    Raises:
        RecordError: If the game is open elsewhere, or its file cannot be read.
    """
    fresh = LoggedTable(keep=lambda: path or games.fresh_path(), public=public)
    fresh.typed = typed or {}
    return open_table(path, fresh)


def dealt_table(path: Path | None, seats: Mapping[str, str], *, edition: str | None) -> ServedTable:
    """
    Return the table of a game that the program deals: saved, new, or to be set up on the page.

    Args:
        path: The file of the log. By default, a new file.
        seats: Who plays each seat: a machine, or '' for a person. If there are no seats, the
            players are entered on the page.
        edition: The name or path of the edition. By default, the usual one.

    Raises:
        ClueError: If such a game is impossible, or the program did not deal the one in the file.
    """
    if path is not None and games.game_file(path).exists():
        table = DealtTable(DealtGame.resume(path))
        if not {*seats} <= {*table.seats}:
            table.recorder.game.close()
            raise ArgumentError(
                f"expected {', '.join(table.seats)} in this game", argument="players"
            )
        for seat, player in seats.items():
            table.sit(seat, player)
        return table
    if path is not None and path.exists():
        raise RecordError("this game was not dealt here: serve it without --deal", path=str(path))
    if not seats:
        filled = {"deals": "program"}
        filled |= {} if edition is None else {"edition": load_edition(edition).name}
        return table_of(path, public=True, typed=filled)
    path = path or games.fresh_path()
    chosen = load_edition(edition or USUAL)
    return DealtTable(DealtGame.deal(chosen, seats, path))


async def _serve(home: Home, listening: socket.socket, reach: Reach) -> None:
    """Print the server's address and who can reach it, and run it until it is interrupted."""
    sys.setswitchinterval(_SWITCH)  # a page does not wait for advice that is being computed
    system.allow_open_files(_FILES)
    run = new_server(home, reach)
    click.echo(home.address)
    sys.stdout.flush()
    with suppress(UnicodeEncodeError):  # a terminal without block letters has the address
        segno.make(home.address, error="m", micro=False).terminal(compact=True)
    sys.stdout.flush()
    for line in reach_notes(listening, reach, home.origin):
        say(line)
    sessions = [server.table.recorder.session for server in home.servers]
    click.echo(f"Ctrl+C stops the server; {saved_text(*sessions)}", err=True)
    with system.on_ending(run.handle_exit):
        await run_server(home, run, listening)
    if run.ended_by not in (None, signal.SIGINT):
        system.end(run.ended_by)


def reach_notes(listening: socket.socket, reach: Reach, origin: str) -> Iterator[str]:
    """Yield lines that tell the host who can reach the server; `origin` begins its addresses."""
    if reach.names:
        names = ", ".join(reach.names)
        yield f"the server also answers to {names}, for a proxy or tunnel in front of it"
    if _is_loopback(listening):
        if not reach.names:
            others = "with --host 0.0.0.0, phones on your network can too"
            yield f"only this computer can open it; {others}"
        return
    where = "on every network that this computer is on" if _is_everywhere(listening) else "there"
    yield f"! every device {where} can reach it, at {origin}; pages open only with a secret link"
    yield (
        "! everything you enter, hands too, goes over the network in clear text: anyone on the "
        "network could read it; a proxy or tunnel with https (--allow) encrypts it"
    )


def place(listening: socket.socket, reach: Reach) -> Place:
    """
    Return the address and the host names of a server.

    Args:
        listening: The socket on which it listens, which gives the port.
        reach: The host names to accept, and perhaps the public address.
    """
    port = listening.getsockname()[1]
    names = {reach.host, "localhost"}
    if not _is_loopback(listening):
        names = {reach.host, socket.gethostname(), f"{socket.gethostname()}.local"}
    origin = reach.outside or f"http://{_printed_host(listening, reach.host)}:{port}"
    return Place(origin, port, tuple(names), reach.names)


def new_server(home: Home, reach: Reach) -> _Uvicorn:
    """Return a server that answers with the games of `home`."""
    config = uvicorn.Config(
        home.app,
        http=Connection,
        log_config=None,
        log_level=logging.CRITICAL + 1,  # what matters is printed, without the request
        access_log=False,
        server_header=False,
        lifespan="off",
        h11_max_incomplete_event_size=MOST_BYTES,
        timeout_graceful_shutdown=_GRACE,
        backlog=512,
        ws="none",
        proxy_headers=bool(reach.names),  # of this machine alone
        timeout_keep_alive=60,
    )
    return _Uvicorn(config, home.end)


async def run_server(home: Home, run: uvicorn.Server, listening: socket.socket) -> None:
    """Run the server until `run.should_exit` is set."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # phones come and go
    await run.serve(sockets=[listening])
    home.end()


def listening_at(host: str, port: int) -> socket.socket:
    """Return a new socket that listens at an address; raise an `ArgumentError` if none can."""
    try:
        addresses = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = addresses[0]
        listening = socket.socket(family, kind, protocol)
        system.listen_exclusively(listening)
        listening.bind(address)
        listening.listen(512)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = system_reason(error)
        hint = "" if port == 0 else "; --port 0 takes a free port"
        raise ArgumentError(
            f"cannot listen on {printable(host)}, port {port}: {reason}{hint}"
        ) from None
    return listening


def _is_loopback(listening: socket.socket) -> bool:
    """Return whether only this computer can reach a socket."""
    return str(listening.getsockname()[0]).startswith("127.") or listening.getsockname()[0] == "::1"


def _is_everywhere(listening: socket.socket) -> bool:
    """Return whether a socket listens on all networks of this computer."""
    return listening.getsockname()[0] in ("0.0.0.0", "::")


def _printed_host(listening: socket.socket, host: str) -> str:
    """Return the host of the printed address: one that phones can use, if they may connect."""
    name = str(listening.getsockname()[0])
    if _is_everywhere(listening):
        name = "127.0.0.1"
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but picks the address of the way out
            name = probe.getsockname()[0]
    elif host and not _is_loopback(listening):
        name = host
    return f"[{name}]" if ":" in name else name
