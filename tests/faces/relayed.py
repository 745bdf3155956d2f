"""Phones at a shared table, what their lines are sealed with, and the relay that holds them."""

from __future__ import annotations

import hmac
from base64 import b64decode
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from secrets import token_bytes, token_urlsafe
from typing import Protocol

import httpx
from msgspec.structs import replace

from clue_solver import Record, Session, Table, load_edition
from clue_solver.faces.web.relay import Relay
from clue_solver.faces.web.shared_log import chained
from clue_solver.faces.web.sharing import Kept, Relaying, Sharing

ORIGIN = "https://relay.example.org"


class Seal(Protocol):
    """Seals and opens lines for a table's phones."""

    async def seal(self, number: int, chain: str, line: str) -> bytes:
        """Return a line sealed for its place."""

    async def open(self, after: int, chain: str, records: Sequence[str]) -> list[str]:
        """Return sealed lines opened."""


class Twin:
    """Does what `channel.js` does, by Python's own means: a stream and a tag by HMAC."""

    def __init__(self, secret: str) -> None:
        self.key = sha256(secret.encode()).digest()

    def _stream(self, nonce: bytes, size: int) -> bytes:
        blocks = (
            hmac.digest(self.key, nonce + bytes([n]), "sha256") for n in range(size // 32 + 1)
        )
        return b"".join(blocks)[:size]

    def _tag(self, nonce: bytes, body: bytes, number: int, chain: str) -> bytes:
        return hmac.digest(self.key, nonce + f"{number} {chain} ".encode() + body, "sha256")[:16]

    async def seal(self, number: int, chain: str, line: str) -> bytes:
        """Return a line sealed for its place."""
        told, nonce = line.encode(), token_bytes(12)
        told += b" " * (-len(told) % 128)
        stream = self._stream(nonce, len(told))
        body = bytes(a ^ b for a, b in zip(told, stream, strict=True))
        return nonce + body + self._tag(nonce, body, number, chain)

    async def open(self, after: int, chain: str, records: Sequence[str]) -> list[str]:
        """Return sealed lines opened; raise a `ValueError` if one is not of this place."""
        lines: list[str] = []
        for number, record in enumerate(map(b64decode, records), after + 1):
            nonce, body, tag = record[:12], record[12:-16], record[-16:]
            if not hmac.compare_digest(tag, self._tag(nonce, body, number, chain)):
                raise ValueError("not sealed for this place")
            stream = self._stream(nonce, len(body))
            told = bytes(a ^ b for a, b in zip(body, stream, strict=True)).decode().rstrip()
            lines.append(told)
            chain = chained(chain, told)
        return lines


class Way:
    """The way to a relay of this process, without its waiting; a test may delay what goes there."""

    def __init__(self, client: httpx.AsyncClient, name: str, seal: Seal) -> None:
        self.client, self.name, self.sealing = client, name, seal
        self.sent: list[str] = []

    async def asked(self, ask: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Ask the relay."""
        return await ask()

    async def send(self, after: int, chain: str, line: str) -> str:
        self.sent.append(line)
        record = await self.sealing.seal(after + 1, chain, line)
        way = f"/{self.name}?after={after}"
        answer = await self.asked(lambda: self.client.post(way, content=record))
        assert answer.status_code in (200, 409), answer.text
        return answer.text

    async def hear(self, after: int, wait: bool) -> str:
        answer = await self.asked(lambda: self.client.get(f"/{self.name}?after={after}"))
        assert answer.status_code == 200, answer.text
        return answer.text

    async def open(self, after: int, chain: str, records: Sequence[str]) -> list[str]:
        return await self.sealing.open(after, chain, records)


def asking(relay: Relay) -> httpx.AsyncClient:
    """Return who asks a relay."""
    transport = httpx.ASGITransport(app=relay.app)
    return httpx.AsyncClient(transport=transport, base_url=ORIGIN)


async def at_once(_: float) -> None:
    """Pause for nothing."""


SEATS = ("Ann", "Ben", "Cat")
TABLE = Table(edition=load_edition("clue-classic"), seats=SEATS)


class SharedPhone:
    """A phone of a player, with its own notes."""

    def __init__(self, seat: str | None, way: Way | None = None, kept: Kept = Kept()) -> None:  # noqa: B008
        self.kept = kept
        record = Record(table=replace(TABLE, viewer=seat))
        self.session = Session(record)
        self.sharing = Sharing(self.session, kept, self._keep)
        self.way = way
        if way is not None:
            self.relaying = Relaying(self.sharing, way, pause=at_once)

    def _keep(self, kept: Kept) -> None:
        self.kept = kept

    def tell(self, *lines: str) -> None:
        """Tell lines."""
        for line in lines:
            self.session.tell(line)
            self.sharing.told()

    def edit(self, entry: int, line: str) -> None:
        """Tell another line in the place of an entry."""
        self.session.edit(entry, line)
        self.sharing.told()

    async def step(self) -> None:
        """Send all that waits, and hear all that came."""
        while self.sharing.log.waiting:
            await self.relaying.send()
        await self.relaying.hear()

    @property
    def public(self) -> tuple[str, ...]:
        """The public log that it shows."""
        return self.sharing.log.laid.now.lines

    @property
    def lines(self) -> tuple[str, ...]:
        """Its own notes."""
        return self.session.lines


def new_name() -> str:
    """Return a table's name."""
    return token_urlsafe(16)
