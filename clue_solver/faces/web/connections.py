"""Connections: the head of each request has to come in time, and only so many may wait for one."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

LATEST, MOST = 10.0, 300
"""Seconds in which the head of a request has to come; the most connections that wait for one."""


class Connection(H11Protocol):
    """A connection of a phone; where too many wait, the one that has waited longest is ended."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Let the connection wait, and end the oldest where too many do."""
        super().connection_made(transport)
        self._wait()
        late = {each: each._late for each in self.connections if isinstance(each, Connection)}
        waiting = {each: timer.when() for each, timer in late.items() if timer is not None}
        if len(waiting) > MOST:
            min(waiting, key=waiting.__getitem__).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; its head has to be whole in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._in_time()
        elif self._late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._in_time()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._late = self.loop.call_later(LATEST, self.transport.abort)

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
