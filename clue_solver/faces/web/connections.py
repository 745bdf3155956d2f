"""
Connections: how long each may wait, and how many.

A connection waits until a whole request has come, and between two. Who lets it wait too long, or
opens too many, loses the oldest; so a new one is always let in.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

LATEST = 10.0
"""Seconds in which the head of a request has to come."""

MOST_OF_ONE, MOST = 64, 200
"""The most connections that wait: of one address, and of all."""


class Connection(H11Protocol):
    """A connection of a phone."""

    since = 0.0
    _late: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no request of it is being answered, or is coming in after its head."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and not self.transport.is_closing()

    def connection_made(self, transport: Any) -> None:
        """Let the connection wait, and end the oldest where too many do."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._late = self.loop.call_later(LATEST, transport.abort)
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.waits]
        mine = [each for each in waiting if _host(each) == _host(self)]
        for group, most in ((mine, MOST_OF_ONE), (waiting, MOST)):
            if len(group) > most:
                min(group, key=lambda each: each.since).transport.abort()

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
