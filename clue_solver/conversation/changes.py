"""What may be changed in a record: entries put in, replaced, taken out; and what that changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.answers.corrections import Correction, without_pass
from clue_solver.conversation.headers import HeaderPart
from clue_solver.errors import ArgumentError, ClueError, NotationError
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Leave, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


class Change(Struct, frozen=True, kw_only=True):
    """
    What one step made of a record.

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


def entry_of(record: Record, number: int) -> Entry:
    """Return an entry by its number; raise an `ArgumentError` if there is no such."""
    entries = record.entries
    if not 1 <= number <= len(entries):
        raise ArgumentError(f"no entry {number}: the log has {len(entries)}", argument="entry")
    return entries[number - 1]


def with_replaced(
    record: Record, number: int, observation: Observation, comment: str = ""
) -> tuple[Entry, ...]:
    """Return the entries with one told anew; its comment stays where there is no other."""
    old = entry_of(record, number)
    new = replace(old, observation=observation, comment=comment or old.comment)
    return (*record.entries[: number - 1], new, *record.entries[number:])


def with_inserted(
    record: Record, number: int, observation: Observation, comment: str = ""
) -> tuple[Entry, ...]:
    """Return the entries with one more before an entry, whose number becomes its own."""
    entry_of(record, number)
    entry = Entry(observation=observation, comment=comment)
    before, after = record.entries[: number - 1], record.entries[number - 1 :]
    if not before:  # what stands between the header and the first entry stays there
        entry = replace(entry, before=after[0].before)
        after = (replace(after[0], before=()), *after[1:])
    return (*before, entry, *after)


def without(record: Record, number: int) -> tuple[Entry, ...]:
    """Return the entries but for one."""
    entry_of(record, number)
    return (*record.entries[: number - 1], *record.entries[number:])


def corrected(record: Record, correction: Correction) -> Record:
    """Return the record with what a check proposed; `checked` says whether that can be."""
    entries = record.entries
    table = record.table
    for change in correction.changes:
        if isinstance(change.meant, Table):
            table = replace(table, hands=change.meant.hands)
        elif isinstance(change.meant, Leave) and not change.before and change.entry:
            put_in = with_inserted(replace(record, entries=entries), change.entry, change.meant)
            asked_since = (
                replace(entry, observation=without_pass(entry.observation, change.meant.by))
                for entry in put_in[change.entry :]
            )
            entries = (*put_in[: change.entry], *asked_since)
        elif change.entry is not None:
            entries = with_replaced(replace(record, entries=entries), change.entry, change.meant)
    return replace(record, entries=entries, table=table)


def checked(record: Record, *, known: Sequence[Entry] = ()) -> Record:
    """
    Return a record whose entries are in canonical form, each in its place.

    Args:
        record: The record.
        known: Entries that are in canonical form; those that it begins with are not read again.

    Raises:
        NotationError: If an entry has no meaning in its place.
    """
    same = entries_alike(known, record.entries)
    state = TurnState.of([entry.observation for entry in record.entries[:same]])
    entries = list(record.entries[:same])
    for number, entry in enumerate(record.entries[same:], same + 1):
        try:
            observation = notation.normalise(entry.observation, record.table, state)
        except NotationError as error:
            raise NotationError(f"entry {number}: {error.reason}") from None
        state = state.after(observation)
        entries.append(replace(entry, observation=observation))
    return replace(record, entries=tuple(entries))


def change_between(before: Record, after: Record) -> Change:
    """Return what changes where one record follows another."""
    if before.table != after.table:
        parts: tuple[HeaderPart, ...] = get_args(HeaderPart)
        changed = (
            part for part in parts if getattr(before.table, part) != getattr(after.table, part)
        )
        return Change(kind=next(changed, "header"), before=before.table, after=after.table)
    old, new = before.entries, after.entries
    same = entries_alike(old, new)
    was = old[same] if same < len(old) else None
    now = new[same] if same < len(new) else None
    more = max(abs(len(old) - len(new)) - 1, 0)
    if len(old) > len(new):
        return Change(kind="removed", entry=same + 1, before=was, after=now, more=more)
    if len(new) > len(old):
        return Change(kind="added", entry=same + 1, before=was, after=now, more=more)
    if was is None:
        return Change(kind="header", before=before.table, after=after.table)
    return Change(kind="replaced", entry=same + 1, before=was, after=now)


def entries_alike(old: Sequence[Entry], new: Sequence[Entry]) -> int:
    """Return how many entries both begin with."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
