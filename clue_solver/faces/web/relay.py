"""
A relay: it holds the lines of tables for the phones that share them, and can read none of them.

A line is added behind the last one that its phone has heard, by that one's number; whoever has not
heard all is told what came since. What is held is sealed before it is sent, bound to its place, and
forgotten a day after the table's last line. Nothing is written anywhere.
"""

import asyncio
import re
import time
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from clue_solver.faces.web.safety import Bucket, body_of

DAY = 86_400.0
"""Seconds after its last line in which a table ends."""

LONGEST, MOST_LINES, MOST_TABLES, MOST_HELD = 4_096, 4_096, 10_000, 256 << 20
"""The most bytes of a line, lines of a table, tables, and bytes of all lines."""

MOST_WAITING, WAIT = 4_000, 25.0
"""The most requests that wait for a line, and the seconds after which they are answered anyway."""

_ANSWER = 256 << 10
"""About how many bytes of lines an answer has; whoever lacks more asks again."""

_TABLE = re.compile(r"[0-9A-Za-z_-]{22}")
_NUMBER = re.compile(r"[0-9]{1,6}")

_BEGUN = 60, 0.1
"""How many tables an address may begin at once, and in a second."""

_ADDRESSES = 1_000

ABOUT = (
    "A relay for tables of clue-solver. It holds the lines that their phones send, sealed by a key "
    "that it never gets, until a day after a table's last line; beside them their number, and the "
    "time of the last. In memory alone it knows which addresses began tables, so that none begins "
    "too many. It writes nothing to a file, and counts no visitors.\n"
)


class HeldTable:
    """
    What is held of one table.

    Attributes:
        lines: Its lines in order, as they came.
        until: When it ends.
        waiting: Who waits for the next line.
    """

    __slots__ = ("added", "asked", "lines", "until", "waiting")

    def __init__(self, clock: Callable[[], float]) -> None:
        self.lines: list[bytes] = []
        self.until = 0.0
        self.waiting: list[asyncio.Future[None]] = []
        self.asked, self.added = Bucket(600, 100, clock), Bucket(60, 20, clock)

    def tell(self) -> None:
        """Let all hear that wait."""
        for future in self.waiting:
            if not future.done():
                future.set_result(None)


class Since(NamedTuple):
    """What a table has behind a line: the number of its last one, and those that are told now."""

    last: int
    lines: list[bytes]

    @classmethod
    def of(cls, lines: list[bytes], after: int) -> "Since":
        """Return what stands behind a line, as much of it as goes into an answer."""
        told: list[bytes] = []
        size = 0
        for line in lines[after:]:
            size += len(line)
            if told and size > _ANSWER:
                break
            told.append(line)
        return cls(len(lines), told)

    def answer(self, status: int = 200) -> Response:
        """Return it as JSON: `{"last": 12, "records": ["..."]}`, each line in base 64."""
        records = [b64encode(line).decode() for line in self.lines]
        return JSONResponse({"last": self.last, "records": records}, status, _HEADERS)


_HEADERS: Mapping[str, str] = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Relay:
    """
    The tables of one process, in memory.

    Args:
        clock: Tells the seconds by which tables end, and often is too often.

    Attributes:
        app: Answers whoever asks.
        tables: What is held, by the tables' names; the one whose last line is oldest first.
        size: How many bytes all lines have.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.tables: OrderedDict[str, HeldTable] = OrderedDict()
        self.size = 0
        self._clock = clock
        self._waiting = 0
        self._ended = False
        self._begun: dict[str, Bucket] = {}
        self.app = Starlette(
            routes=[
                Route("/", self.about, methods=["GET"]),
                Route("/{table}", self.hear, methods=["GET"]),
                Route("/{table}", self.add, methods=["POST"]),
            ],
            middleware=[
                Middleware(
                    CORSMiddleware,
                    allow_origins=["*"],
                    allow_methods=["GET", "POST"],
                    max_age=86_400,
                )
            ],
            exception_handlers={HTTPException: _refused},  # type: ignore[dict-item] # is one
        )

    async def about(self, _: Request) -> Response:
        """Answer with what a relay is, and what it keeps."""
        return PlainTextResponse(ABOUT, headers=_HEADERS)

    async def hear(self, request: Request) -> Response:
        """Answer with what came behind a line; with `wait` once there is something, or later."""
        held, after = self._asked(request)
        if held is None:
            return Since(0, []).answer()
        if not held.asked.take():
            raise HTTPException(429, "too often")
        if "wait" in request.query_params and after == len(held.lines):
            await self._more(held)
        return Since.of(held.lines, after).answer()

    async def add(self, request: Request) -> Response:
        """Add a line behind the one that its phone has heard last, or tell it what came since."""
        line = await body_of(request)
        if isinstance(line, Response):
            raise HTTPException(line.status_code, "too much at once, or too slow")
        if not 0 < len(line) <= LONGEST:
            raise HTTPException(413, f"expected a line of 1 to {LONGEST} bytes")
        held, after = self._asked(request)
        lines = [] if held is None else held.lines
        if held is not None and not held.added.take():
            raise HTTPException(429, "too often")
        if after != len(lines):
            return Since.of(lines, after).answer(409)
        if held is None:
            held = self._new(request)
        if after >= MOST_LINES or self.size + len(line) > MOST_HELD:
            raise HTTPException(507, "no more lines can be held")
        lines = held.lines
        lines.append(line)
        self.size += len(line)
        held.until = self._clock() + DAY
        self.tables.move_to_end(request.path_params["table"])
        held.tell()
        return Since(len(lines), []).answer()

    def end(self) -> None:
        """Let nobody wait any more."""
        self._ended = True
        for held in self.tables.values():
            held.tell()

    def _asked(self, request: Request) -> tuple[HeldTable | None, int]:
        """Return the table that is asked for, if anything is held of it, and after which line."""
        self._end_old()
        name = request.path_params["table"]
        after = request.query_params.get("after", "0")
        if not (_TABLE.fullmatch(name) and _NUMBER.fullmatch(after)):
            raise HTTPException(404, "expected a table, and the number of a line")
        return self.tables.get(name), int(after)

    def _end_old(self) -> None:
        """Forget the tables that have ended."""
        now = self._clock()
        while self.tables:
            name, held = next(iter(self.tables.items()))
            if held.until > now:
                return
            del self.tables[name]
            self.size -= sum(map(len, held.lines))
            held.tell()

    def _new(self, request: Request) -> HeldTable:
        """Begin a table."""
        address = request.client.host if request.client else ""
        if len(self._begun) > _ADDRESSES:
            self._begun.clear()
        if not self._begun.setdefault(address, Bucket(*_BEGUN, self._clock)).take():
            raise HTTPException(429, "too many new tables at once")
        if len(self.tables) >= MOST_TABLES:
            raise HTTPException(507, "no more tables can be held")
        held = self.tables[request.path_params["table"]] = HeldTable(self._clock)
        return held

    async def _more(self, held: HeldTable) -> None:
        """Wait for a line; not at all where too many wait."""
        if self._ended or self._waiting >= MOST_WAITING:
            return
        future = asyncio.get_running_loop().create_future()
        held.waiting.append(future)
        self._waiting += 1
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(future, WAIT)
        finally:
            held.waiting.remove(future)
            self._waiting -= 1


async def _refused(_: Request, error: HTTPException) -> Response:
    headers = {**_HEADERS, **({"Connection": "close"} if error.status_code != 404 else {})}
    return JSONResponse({"error": error.detail}, error.status_code, headers)
