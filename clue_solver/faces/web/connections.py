"""
Connections: how long each may wait, and how many.

A connection waits until a whole request has come, and between two. Who lets it wait too long, or
opens too many, loses the oldest, first of those that were never answered; a new one is let in. Who
opens them too fast is read from later.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

LATEST = 10.0
"""Seconds in which the head of a request has to come."""

MOST_OF_ONE, MOST = 64, 300
"""The most connections that wait: of one address, and of all."""


class Arrivals:
    """When the next connection of each address is read from: so many at once, so many a second."""

    def __init__(self, most: int = 100, each_second: float = 50.0) -> None:
        self._step = 1 / each_second
        self._ahead = most * self._step
        self._free: dict[str, float] = {}

    def wait(self, address: str, now: float) -> float:
        """Return in how many seconds the connection that an address has opened now is read from."""
        if len(self._free) > _ADDRESSES:
            self._free = {each: free for each, free in self._free.items() if free > now}
        free = max(self._free.get(address, 0.0), now - self._ahead) + self._step
        self._free[address] = min(free, now + MOST_OF_ONE * self._step)
        return max(0.0, self._free[address] - now)


_ADDRESSES = 1_000


class Connection(H11Protocol):
    """A connection of a phone."""

    def __init__(self, *args: Any, arrivals: Arrivals, **more: Any) -> None:
        super().__init__(*args, **more)
        self._arrivals = arrivals

    since = 0.0
    answered = False
    _late: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no request of it is being answered, or is coming in after its head."""
        idle = self.cycle is None or self.cycle.response_complete
        return idle and not self.transport.is_closing()

    def connection_made(self, transport: Any) -> None:
        """Let the connection wait, and end the oldest where too many do."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._late = self.loop.call_later(LATEST, transport.abort)
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.waits]
        mine = [each for each in waiting if _host(each) == _host(self)]
        for group, most in ((mine, MOST_OF_ONE), (waiting, MOST)):
            if len(group) > most:
                min(group, key=lambda each: (each.answered, each.since)).transport.abort()
        later = self._arrivals.wait(_host(self), self.since)
        if later:
            transport.pause_reading()
            self.loop.call_later(later, self._read)

    def _read(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; its head has to be whole in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._in_time()
        elif self._late is None:
            self._late = self.loop.call_later(LATEST, self.transport.abort)

    def on_response_complete(self) -> None:
        """Wait again."""
        self.since = self.loop.time()
        self.answered = True
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._in_time()
        super().connection_lost(exc)

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _host(connection: Connection) -> str:
    return connection.client[0] if connection.client else ""
