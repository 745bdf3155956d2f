"""
What a game was and what it may be again: its moments, and what changed from one to another.

Each change gives a new record, written to the file before the change is reported as done; the old
one is kept, so undo and redo have no limit. What follows from the entries (whose turn it is, their
lines) is kept with it: an entry more adds to that, and undo and redo find it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.answers.corrections import Correction, without_pass
from clue_solver.conversation.headers import HeaderPart
from clue_solver.errors import ArgumentError, ClueError, NotationError, RecordError
from clue_solver.game import Game
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Leave, Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table


class Change(Struct, frozen=True, kw_only=True):
    """
    What going back or forth made of a record.

    Attributes:
        kind: `added`, `removed` or `replaced` of entries; a part of the header, or the `header`.
        entry: The number of the first entry that is not what it was; `None` for the header.
        before, after: That entry as it was and as it is, `None` where there is none; of the header
            the tables.
        more: How many more entries were added or removed.
    """

    kind: Literal["added", "removed", "replaced", "header"] | HeaderPart
    entry: int | None = None
    before: Entry | Table | None = None
    after: Entry | Table | None = None
    more: int = 0


class Outside(Struct, frozen=True, kw_only=True):
    """
    What another program wrote to the file, and what became of it.

    Attributes:
        entries: How many entries were read from it; `None` where it cannot be read.
        error: Why it cannot be read; `None` where it was.
        aside: The file in which it is kept, where the game was written over it.
    """

    entries: int | None = None
    error: ClueError | None = None
    aside: Path | None = None


class Moment(NamedTuple):
    """
    A record, and what follows from its entries one by one.

    Attributes:
        game: The game of its record.
        states: What the first entries mean for the next line: of none, of one, and so on.
        lines: The entries as canonical lines.
    """

    game: Game
    states: tuple[notation.TurnState, ...]
    lines: tuple[str, ...]

    @property
    def record(self) -> Record:
        """The record."""
        return self.game.record

    @classmethod
    def of(cls, record: Record) -> Moment:
        """Return the moment of a record that nothing is known of yet."""
        states = tuple(
            accumulate(record.observations, notation.TurnState.after, initial=notation.TurnState())
        )
        lines = tuple(
            notation.format_line(observation, record.table) for observation in record.observations
        )
        return cls(Game(record), states, lines)

    def longer(self, record: Record) -> Moment:
        """Return the moment of the record with one more entry."""
        observation = record.entries[-1].observation
        line = notation.format_line(observation, record.table)
        states = (*self.states, self.states[-1].after(observation))
        return Moment(self.game.changed(record), states, (*self.lines, line))

    def shorter(self) -> Moment:
        """Return the moment of the record with one entry less."""
        record = self.record.upto(len(self.record.entries) - 1)
        return Moment(self.game.changed(record), self.states[:-1], self.lines[:-1])

    def entry(self, number: int) -> Entry:
        """Return an entry by its number; raise an `ArgumentError` if there is no such."""
        entries = self.record.entries
        if not 1 <= number <= len(entries):
            raise ArgumentError(f"no entry {number}: the log has {len(entries)}", argument="entry")
        return entries[number - 1]

    def state_before(self, number: int | None) -> notation.TurnState:
        """Return what the entries before this one mean, of all for `None`; raise as `entry`."""
        if number is None:
            return self.states[-1]
        self.entry(number)
        return self.states[number - 1]

    def replaced(self, number: int, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries with another in the place of one; its comment stays if it is alone."""
        old = self.entry(number)
        entries = self.record.entries
        entry = replace(old, observation=entry.observation, comment=entry.comment or old.comment)
        return (*entries[: number - 1], entry, *entries[number:])

    def inserted(self, number: int, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries with one more, before this one; raise as `entry`."""
        self.entry(number)
        before, after = self.record.entries[: number - 1], self.record.entries[number - 1 :]
        if not before:  # what stands between the header and the first entry stays there
            entry = replace(entry, before=after[0].before)
            after = (replace(after[0], before=()), *after[1:])
        return (*before, entry, *after)

    def without(self, number: int) -> tuple[Entry, ...]:
        """Return the entries but for one; raise as `entry`."""
        self.entry(number)
        entries = self.record.entries
        return (*entries[: number - 1], *entries[number:])

    def rewritten(self, entries: tuple[Entry, ...], table: Table | None = None) -> Moment:
        """
        Return the moment with these entries, or at another table.

        What both begin with at one table is not read again.

        Raises:
            NotationError: If an entry has no meaning in its place.
        """
        first = 0 if table else _same(self.record.entries, entries)
        begun = replace(self.record, table=table or self.record.table, entries=entries[:first])
        now = Moment(self.game.changed(begun), self.states[: first + 1], self.lines[:first])
        for number, entry in enumerate(entries[first:], first + 1):
            try:
                observation = notation.normalise(
                    entry.observation, now.record.table, now.states[-1]
                )
            except NotationError as error:
                raise NotationError(f"entry {number}: {error.reason}") from None
            kept = (*now.record.entries, replace(entry, observation=observation))
            now = now.longer(replace(now.record, entries=kept))
        return now

    def corrected(self, correction: Correction) -> Moment:
        """Return the moment with what a check proposed; raises as `rewritten`."""
        entries = list(self.record.entries)
        table = self.record.table
        for change in correction.changes:
            if isinstance(change.meant, Table):
                table = replace(table, hands=change.meant.hands)
            elif isinstance(change.meant, Leave) and not change.before and change.entry:
                entries = [*self.inserted(change.entry, Entry(observation=change.meant))]
                for place, entry in enumerate(entries[change.entry :], change.entry):
                    kept = without_pass(entry.observation, change.meant.by)
                    entries[place] = replace(entry, observation=kept)
            elif change.entry is not None:
                old = entries[change.entry - 1]
                entries[change.entry - 1] = replace(old, observation=change.meant)
        return self.rewritten(tuple(entries), table)

    def changed_to(self, after: Moment) -> Change:
        """Return what changes where another moment follows."""
        before_table = self.record.table
        after_table = after.record.table
        if before_table != after_table:
            parts: tuple[HeaderPart, ...] = get_args(HeaderPart)
            changed = (
                part for part in parts if getattr(before_table, part) != getattr(after_table, part)
            )
            return Change(kind=next(changed, "header"), before=before_table, after=after_table)
        old = self.record.entries
        new = after.record.entries
        same = _same(old, new)
        was = old[same] if same < len(old) else None
        now = new[same] if same < len(new) else None
        more = max(abs(len(old) - len(new)) - 1, 0)
        if len(old) > len(new):
            return Change(kind="removed", entry=same + 1, before=was, after=now, more=more)
        if len(new) > len(old):
            return Change(kind="added", entry=same + 1, before=was, after=now, more=more)
        if was is None:
            return Change(kind="header", before=before_table, after=after_table)
        return Change(kind="replaced", entry=same + 1, before=was, after=now)


def _same(old: tuple[Entry, ...], new: tuple[Entry, ...]) -> int:
    """Return how many entries both begin with."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class Course:
    """The course of a game that is logged: its states of play, kept to go on from."""

    def __init__(self) -> None:
        self._observations: tuple[Observation, ...] = ()
        self._states: list[Play] = []  # after none of them, after one, and so on

    def after(self, table: Table, observations: tuple[Observation, ...]) -> Play:
        """Return the state of play at a table once these were observed."""
        if not self._states or self._states[0].rules.table is not table:
            self._states = [Play.begin(table)]
        pairs = zip(observations, self._observations, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        same = min(same, len(self._states) - 1)
        if same < len(observations):
            del self._states[same + 1 :]
            self._observations = observations
            for observation in observations[same:]:
                self._states.append(self._states[-1].after(observation))
        return self._states[len(observations)]


class History:
    """
    The moments of a game, each written to its file; undo and redo go through them.

    Attributes:
        now: Where the game stands.
        outside: What another program wrote to the file before the last change or `poll`, and what
            became of it; `None` where there was nothing.
    """

    def __init__(self, record: Record, keeper: RecordFile | None) -> None:
        self.now = Moment.of(record)
        self.outside: Outside | None = None
        self._keeper = keeper
        self._past: list[Moment] = []
        self._future: list[Moment] = []

    def add(self, moment: Moment, *, later: bool = False) -> None:
        """Go on to another moment; what was undone is gone. The file may follow `later`."""
        self._past.append(self.now)
        self._future.clear()
        self.now = moment
        if not later:
            self.write_out()

    @property
    def earlier(self) -> Moment | None:
        """Where `back` leads: to before the last change, else to one entry less; or nowhere."""
        if self._past:
            return self._past[-1]
        return self.now.shorter() if self.now.record.entries else None

    @property
    def later(self) -> bool:
        """Whether `forth` leads anywhere."""
        return bool(self._future)

    def back(self) -> Change | None:
        """Undo the last change; return what that changed."""
        earlier = self.earlier
        if earlier is None:
            return None
        del self._past[-1:]
        self._future.append(self.now)
        return self._step(earlier)

    def forth(self) -> Change | None:
        """Redo what was undone last; return what that changed."""
        if not self._future:
            return None
        self._past.append(self.now)
        return self._step(self._future.pop())

    def _step(self, moment: Moment) -> Change:
        before = self.now
        self.now = moment
        self.write_out()
        return before.changed_to(moment)

    def still(self) -> History:
        """Return the history as it stands, for somebody who reads on while it changes."""
        still = copy(self)
        still._past = self._past[-1:]
        still._future = []
        still._keeper = None
        return still

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Make one step for `back` of what is added meanwhile."""
        before = len(self._past)
        yield
        del self._past[before + 1 :]

    def write_out(self) -> None:
        """Write the game as it stands to its file."""
        if self._keeper:
            self._keeper.write(self.now.record)
            if aside := self._keeper.aside:
                self.outside = Outside(aside=aside)

    def poll(self) -> Outside | None:
        """Take in what another program has written to the file, as `Session.poll` has it."""
        self.outside = None
        keeper = self._keeper
        if keeper is None or keeper.trouble or not keeper.changed:
            return None
        try:
            record = keeper.read()
        except ClueError as error:
            self.outside = Outside(error=error)
        else:
            table = self.now.record.table
            if record.table == table:
                record = replace(record, table=table)
            self.add(Moment.of(record), later=True)
            self.outside = Outside(entries=len(record.entries))
        return self.outside

    def follow(self) -> None:
        """Refuse a change where another program has changed the file, which is read again."""
        before = self.now
        self.poll()
        if self.now is not before and self._keeper is not None:
            reason = "another program has changed the file, and it has been read again"
            raise RecordError(
                f"{reason}; nothing else was done, so look and do it again",
                path=str(self._keeper.path),
            )
