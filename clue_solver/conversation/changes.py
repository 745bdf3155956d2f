"""The changes that may be made in a record, in its entries and its header."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.answers.corrections import Correction
from clue_solver.errors import ArgumentError, ClueError, NotationError, SetupError
from clue_solver.game.game import shared_beginning
from clue_solver.notation.names import seats_in
from clue_solver.record import Entry, Record, with_seats_called
from clue_solver.record.header import with_key
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

HeaderPart = Literal["seats", "hands", "pieces", "first", "house"]
"""What of a header may be changed while a game is logged."""


class LogPlace(NamedTuple):
    """
    Where in the log a line goes.

    Attributes:
        entry: The number of the entry that it replaces; `None` where it is a new one at the end.
        insert: Whether it is put in before that entry instead.
    """

    entry: int | None = None
    insert: bool = False


END = LogPlace()
"""The end of the log."""


class Change(Struct, frozen=True, kw_only=True):
    """
    A description of what one step changed in a record.

    Attributes:
        kind: Whether entries were `added`, `removed` or `replaced`; else which part of the header
            was changed, or `header` if it is none of those that a command changes.
        entry: The number of the first entry that was changed; `None` for the header.
        before, after: That entry as it was and as it is, `None` if there is none there; for the
            header the tables.
        more: How many other entries were added or removed.
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
        entries: The number of entries that were read from it; `None` if it could not be read.
        error: Why it could not be read.
        aside: The file in which it was kept when the game was written over it, if it was.
    """

    entries: int | None = None
    error: ClueError | None = None
    aside: Path | None = None


def entry_of(record: Record, number: int) -> Entry:
    """Return an entry by its number; raise an `ArgumentError` if there is none."""
    entries = record.entries
    if not 1 <= number <= len(entries):
        raise ArgumentError(f"no entry {number}: the log has {len(entries)}", argument="entry")
    return entries[number - 1]


def with_entry(record: Record, told: Observation, place: LogPlace, comment: str = "") -> Record:
    """Return the record with an entry in its place; without a comment the old one stays."""
    number = place.entry
    if number is None:
        return record.append_unchecked(told, comment=comment)
    old = entry_of(record, number)
    after = record.entries[number:]
    new = replace(old, observation=told, comment=comment or old.comment)
    if place.insert:
        new = Entry(observation=told, comment=comment)
        if number == 1:  # what stands between the header and the first entry stays there
            new = replace(new, before=old.before)
            old = replace(old, before=())
        after = (old, *after)
    return replace(record, entries=(*record.entries[: number - 1], new, *after))


def apply_correction(record: Record, correction: Correction) -> Record:
    """Return the record with a correction that a check proposed, not yet in canonical form."""
    meant, entry = correction.meant, correction.entry
    if isinstance(meant, Table):
        return replace(record, table=replace(record.table, hands=meant.hands))
    return with_entry(record, meant, LogPlace(entry))


def with_header_part(
    record: Record, part: HeaderPart, text: str, said: Mapping[Entry, Observation]
) -> Record:
    """
    Return the record with a part of its header changed to what was typed.

    When the players change, answers that nobody said are left out of the entries.

    Args:
        record: The record.
        part, text: The part, and what was typed for it.
        said: What was said of each entry, without the passes that were filled in, if that is known.

    Raises:
        ClueError: If it cannot be read or there can be no such table.
    """
    if part != "seats":
        return replace(record, table=with_key(record.table, part, text))
    names = seats_in(text)
    there = {seat.casefold(): seat for seat in record.table.seats}
    entries, state = list[Entry](), TurnState()
    for entry in record.entries:
        told = entry.observation
        explicit = said.get(entry) or notation.without_implied(told, record.table, left=state.left)
        entries.append(replace(entry, observation=explicit))
        state = state.after(told)
    record = replace(record, entries=tuple(entries))
    return _with_seats(record, tuple(there.get(name.casefold(), name) for name in names))


def _with_seats(record: Record, names: tuple[str, ...]) -> Record:
    """
    Return the record with its players renamed, or in another order: all of them clockwise.

    Each new name takes the place of the next one that is missing; the entries follow.
    """
    table = record.table
    gone = [seat for seat in table.seats if seat not in names]
    new = [name for name in names if name not in table.seats]
    if len(names) != len(table.seats) or len(gone) != len(new):
        raise SetupError(f"players: expected {len(table.seats)} different names")
    called = {seat: seat for seat in table.seats} | dict(zip(gone, new, strict=True))
    record = with_seats_called(record, called)
    before = [list(called.values()).index(name) for name in names]
    table = replace(
        record.table,
        seats=names,
        hands=tuple(table.hands[place] for place in before if table.hands),
        pieces=tuple(table.pieces[place] for place in before if table.pieces),
    )
    return replace(record, table=table)


def normalise_entries(record: Record, before: Record) -> Record:
    """
    Return a changed record with each entry in the canonical form that it has in its place.

    Entries that the record `before` begins with as well are in that form already.

    Raises:
        NotationError: If an entry has no meaning in its place.
    """
    known = before.entries if before.table == record.table else ()
    same = shared_beginning(known, record.entries)
    entries = list(record.entries[:same])
    state = TurnState.of([entry.observation for entry in entries])
    for number, entry in enumerate(record.entries[same:], same + 1):
        try:
            observation = notation.normalise(entry.observation, record.table, state)
        except NotationError as error:
            raise NotationError(f"entry {number}: {error.reason}") from None
        state = state.after(observation)
        entries.append(replace(entry, observation=observation))
    return replace(record, entries=tuple(entries))


def change_between(before: Record, after: Record) -> Change:
    """Return how one record differs from the one before it."""
    old, new = before.entries, after.entries
    same = shared_beginning(old, new)
    if before.table != after.table or old == new:
        parts: tuple[HeaderPart, ...] = get_args(HeaderPart)
        changed = (
            part for part in parts if getattr(before.table, part) != getattr(after.table, part)
        )
        return Change(kind=next(changed, "header"), before=before.table, after=after.table)
    kind: Literal["added", "removed", "replaced"] = "replaced"
    if len(old) != len(new):
        kind = "added" if len(old) < len(new) else "removed"
    return Change(
        kind=kind,
        entry=same + 1,
        before=old[same] if kind != "added" and same < len(old) else None,
        after=new[same] if kind != "removed" and same < len(new) else None,
        more=max(abs(len(old) - len(new)) - 1, 0),
    )
