"""
A game that this phone shares with others: its own notes, over a public log that all have.

What is told here goes out as far as everybody noticed it; what comes in is laid under what this
phone alone knows. Between phones stands a relay that can read nothing, or nobody: then the lines
are copied from one phone and pasted on another.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation.history import Change, Moment
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError
from clue_solver.faces.web.keeping import shared_file
from clue_solver.faces.web.seat_notes import public_of, runs, with_own
from clue_solver.faces.web.shared_log import Operation, SharedLog, chained, own_table
from clue_solver.notation import format_line
from clue_solver.record import Entry, Record
from clue_solver.record.files import write_whole
from clue_solver.rules.observations import Observation

_WAITS = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between tries to reach a relay, one after the other."""

_COPIED = re.compile(r"clue-solver, (\d{1,5}) lines?:")


class Kept(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    What a phone keeps of a shared game beside its own record of it.

    Attributes:
        secret: What the table's link ends in; empty where lines are pasted.
        game: The mark of the game.
        lines: The operations that have their place.
        returned: What did not fit behind what others told, as lines that this phone knows.
    """

    secret: str = ""
    game: str | None = None
    lines: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()


def kept_shared(game: Path) -> Kept | None:
    """Return what is kept of a shared game beside its record; `None` if nothing is."""
    try:
        return msgspec.json.decode(shared_file(game).read_bytes(), type=Kept)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


def keep_shared(game: Path | None, kept: Kept) -> None:
    """Keep it, for the owner of the record alone; raise an `OSError` if that cannot be."""
    if game is not None:
        write_whole(msgspec.json.encode(kept), shared_file(game), private=True)


class Sharing:
    """
    One phone's game at a shared table.

    Args:
        session: The phone's own game, with all that this phone knows.
        kept: What it kept of the table.
        keep: Keeps it from now on.

    Attributes:
        session: The phone's own game.
        log: The public log.
        secret: What the table's link ends in.
        returned: Lines to ask the person about: others were first, and they do not fit any more.
        trouble: Why the phone is not in step with the others; empty if it is, as far as is known.
        changed: Called after something came in.
        waits: Set while something waits to be sent.
    """

    def __init__(self, session: Session, kept: Kept, keep: Callable[[Kept], object]) -> None:
        self.session = session
        self.secret = kept.secret
        self.returned = kept.returned
        self.trouble = ""
        self.log = SharedLog(kept.lines)
        self.changed: Callable[[], object] = lambda: None
        self.waits = asyncio.Event()
        self._keep = keep
        self._last = session.record
        self._lines = session.lines
        self._steps: list[tuple[Record, Record]] = []
        self.told()
        self.keep()

    def keep(self) -> None:
        """Keep what the table has come to."""
        self._keep_with(tuple(self.log.lines))

    def _keep_with(self, lines: tuple[str, ...]) -> None:
        game = self.session.record.table.game
        self._keep(Kept(secret=self.secret, game=game, lines=lines, returned=self.returned))

    def told(self) -> None:
        """
        Let the others have what everybody noticed of the last change here.

        Raises:
            ClueError: If it cannot be shared.
        """
        now = self.session.record
        self.log.tell(now)
        if now is not self._last:
            self._steps.append((self._last, now))
            self._last = now
        lines = self.session.lines
        new = Counter(lines) - Counter(self._lines)
        self.returned = tuple(line for line in self.returned if line not in new)
        self._lines = lines
        if self.log.waiting:
            self.waits.set()

    def came(self, after: int, lines: Sequence[str]) -> None:
        """
        Take in lines that have their place; raises as `SharedLog.came`, or `told`.

        The own record comes before the log on the way to their files: a phone that dies in between
        hears the lines again, and knows them.
        """
        self.session.poll()
        self.told()
        own, known = self.session.record, tuple(self.log.lines)
        back = [self._words(own, each) for each in self.log.came(after, lines)]
        self._ask(back, known)
        if self.log.laid.moment is not None:
            self._lay(own, known)
        self._last = self.session.record
        self.keep()
        if not self.log.waiting:
            self.waits.clear()
        self.changed()

    @property
    def undoing(self) -> Change | None:
        """What `undo` would change; `None` if nothing was told here, or others changed it since."""
        undone = self._undone()
        if undone is None:
            return None
        return Moment.of(self.session.record).changed_to(Moment.of(undone))

    def undo(self) -> None:
        """Take back what was told here last, and nothing of others; raises as `Session.rewrite`."""
        undone = self._undone()
        if undone is not None:
            self.session.rewrite(undone.entries, undone.table)
            self.told()
            del self._steps[-2:]

    def _undone(self) -> Record | None:
        """Return the own notes as they would be without the last change that was made here."""
        if not self._steps:
            return None
        (before, after), now = self._steps[-1], self.session.record
        entries, table = list(now.entries), now.table
        if before.table != after.table:
            if now.table != after.table:
                return None
            table = before.table
        # Each run that was changed is found again where others left it.
        left, right = _told(before.entries), _told(after.entries)
        for old, old_end, new, new_end in reversed([*runs(left, right)]):
            told, there = right[new:new_end], _told(entries)
            if left[old:old_end] == told:
                continue
            if told:
                places = [n for n in range(len(there)) if there[n : n + len(told)] == told]
            else:
                behind = right[new - 1 : new] if new else []
                places = [n for n in range(len(there) + 1) if there[max(0, n - 1) : n] == behind]
            if not places:
                return None
            place = min(places, key=lambda each: abs(each - new))
            entries[place : place + len(told)] = before.entries[old:old_end]
        return replace(now, table=table, entries=tuple(entries))

    def _lay(self, own: Record, known: tuple[str, ...]) -> None:
        """Lay the public log under the own notes; what does not fit over it is asked about."""
        public = self.log.laid.record
        table = own_table(public.table, own.table)
        private = [each for each in own.entries if public_of(each.observation, own.table) is None]
        without: list[list[Entry]] = [[], *([each] for each in private), private]
        for left in without:
            kept = tuple(entry for entry in own.entries if entry not in left)
            laid = with_own(public, replace(own, entries=kept), seat=own.table.viewer)
            if laid.entries == own.entries and table == own.table:
                return
            with suppress(NotationError):
                self.session.rewrite(laid.entries, table if table != own.table else None)
                self._ask([format_line(each.observation, own.table) for each in left], known)
                return
        self.session.rewrite(public.entries, table)

    def _ask(self, lines: Sequence[str], known: tuple[str, ...]) -> None:
        """Keep lines to ask the person about, before they are nowhere else."""
        if lines:
            self.returned = tuple(dict.fromkeys((*self.returned, *lines)))
            self._keep_with(known)

    def _words(self, own: Record, operation: Operation) -> str:
        """Return an operation as whoever told it knows it: a line with the card that they saw."""
        if operation.kind == "header":
            return "; ".join(f"{key}: {value or '-'}" for key, value in operation.values.items())
        if operation.kind == "deleted":
            laid = dict(zip(self.log.laid.ids, self.log.laid.now.lines, strict=True))
            return f"take out: {laid.get(operation.entry, 'an entry')}"
        for observation in own.observations:
            share = public_of(observation, own.table)
            if share is not None and format_line(share, own.table) == operation.line:
                return format_line(observation, own.table)
        return operation.line

    def dropped(self, line: str) -> None:
        """Ask no more about a line that did not fit."""
        self.returned = tuple(each for each in self.returned if each != line)
        self.keep()
        self.changed()

    def copied(self) -> str:
        """Return the public log as text to be pasted on another phone."""
        lines = self.log.given()
        many = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
        return "\n".join((f"clue-solver, {many}:", *lines, ""))

    def paste(self, text: str) -> None:
        """
        Take in the public log as it was copied from another phone.

        Raises:
            NotationError: If it is none, or not all of it.
        """
        self.came(0, pasted(text))


def _told(entries: Sequence[Entry]) -> list[tuple[Observation, str]]:
    """Return what entries tell, without the lines above them."""
    return [(entry.observation, entry.comment) for entry in entries]


def pasted(text: str) -> list[str]:
    """
    Return the operations in a text that was copied from another phone.

    Raises:
        NotationError: If it is none, or not all of it.

    >>> pasted("clue-solver, 1 line:\\n3f9a01c2de told: Ben skips")
    ['3f9a01c2de told: Ben skips']
    """
    lines = [line.strip() for line in text.splitlines()]
    for number, line in enumerate(lines, 1):
        if found := _COPIED.fullmatch(line):
            told = [each for each in lines[number:] if each]
            if len(told) != int(found[1]):
                raise NotationError(f"expected {found[1]} lines; found {len(told)}: copy it whole")
            return [str(Operation.read(each)) for each in told]
    raise NotationError("expected what another phone has under Table, Copy the log")


def seat_of(lines: Sequence[str], seat: str | None) -> Record:
    """
    Return the notes with which a player begins at a table that others have begun.

    Raises:
        SetupError: If the table has no header yet.
        ArgumentError: If there is no such seat.
    """
    log = SharedLog(lines)
    public = log.agreed.record
    if seat is not None and seat not in public.table.seats:
        raise ArgumentError(f"expected one of {', '.join(public.table.seats)}")
    return with_own(public, public, seat=seat)


class RelayAnswer(Struct, frozen=True):
    """
    What a relay answers.

    Attributes:
        last: The number of the last line that it holds.
        records: Lines behind the one that was asked for, or all that there is room for.
    """

    last: int
    records: list[str]


class Channel(Protocol):
    """The way to a table's lines at a relay, through which they go sealed: `static/channel.js`."""

    def send(self, after: int, chain: str, line: str) -> Awaitable[str]:
        """Seal a line and add it behind another; return the relay's answer, as JSON."""

    def hear(self, after: int, wait: bool) -> Awaitable[str]:  # a call without names: of JavaScript
        """Return what the relay has behind a line, as JSON; with `wait` once there is something."""

    def open(self, after: int, chain: str, records: Sequence[str]) -> Awaitable[Sequence[str]]:
        """Open sealed lines; raise an exception if the table's phones did not seal them, there."""


class Tampered(ClueError):
    """The relay gives lines that no phone of the table has sent, or not in their places."""


class Relaying:
    """
    Keeps a shared game in step with the other phones, through a relay.

    Attributes:
        there: How many lines the relay holds, as far as it has said.
    """

    def __init__(
        self,
        sharing: Sharing,
        channel: Channel,
        *,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.sharing = sharing
        self.log = sharing.log
        self.there = len(self.log.lines)
        self._channel = channel
        self._pause = pause

    async def run(self) -> None:
        """Send what waits and hear what comes, until it is cancelled."""
        await asyncio.gather(self._often(self.send), self._often(self.hear))

    async def send(self) -> None:
        """Send the next line, once one waits; whoever was first is heard."""
        await self.sharing.waits.wait()
        number = min(self.there, len(self.log.lines))
        line = self.log.line(number + 1)
        if line is None:
            self.sharing.waits.clear()
            return
        answer = await self._channel.send(number, self.log.chain(number), line)
        told = msgspec.json.decode(answer, type=RelayAnswer)
        if told.last == number + 1 and not told.records:
            self.there = told.last
            self.sharing.came(number, [line])
        else:
            await self._heard(number, told)

    async def hear(self) -> None:
        """Hear what came behind the own last line; a moment later, if nothing did."""
        after = len(self.log.lines)
        answer = await self._channel.hear(after, True)
        await self._heard(after, msgspec.json.decode(answer, type=RelayAnswer))
        if len(self.log.lines) == after:
            await self._pause(_WAITS[0])

    async def _heard(self, after: int, told: RelayAnswer) -> None:
        """Take an answer in; one that does not go on from the own lines has all heard anew."""
        self.there = told.last
        if told.last >= after:
            try:
                lines = await _opened(self._channel, after, self.log.chain(after), told.records)
            except Tampered:
                if after == 0:
                    raise
            else:
                self.sharing.came(after, lines)
                return
        self.sharing.came(0, await whole(self._channel))

    async def _often(self, step: Callable[[], Awaitable[None]]) -> None:
        failed = 0
        while True:
            try:
                await step()
                failed, trouble = 0, ""
            except ClueError as error:
                failed, trouble = failed + 1, str(error)
            except Exception:  # of whatever network there is
                failed, trouble = failed + 1, "the relay cannot be reached"
            if self.sharing.trouble != trouble:
                self.sharing.trouble = trouble
                self.sharing.changed()
            await self._pause(_WAITS[min(failed, len(_WAITS)) - 1] if failed else 0)


async def whole(channel: Channel) -> list[str]:
    """Return all lines that a relay has of a table; raise `Tampered` if they are not its own."""
    lines: list[str] = []
    while True:
        told = msgspec.json.decode(await channel.hear(len(lines), False), type=RelayAnswer)
        if not told.records:
            return lines
        lines += await _opened(channel, len(lines), chained("", *lines), told.records)


async def _opened(
    channel: Channel, after: int, chain: str, records: Sequence[str]
) -> Sequence[str]:
    try:
        return [*await channel.open(after, chain, records)] if records else []
    except Exception as error:
        raise Tampered("the relay gives lines that nobody at the table sent") from error
