"""Changes to a record: to its entries and to its header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.answers.corrections import Correction
from clue_solver.errors import ArgumentError, ClueError, NotationError, SetupError
from clue_solver.game.game import shared_beginning
from clue_solver.notation.checks import normalise
from clue_solver.notation.names import seats_in
from clue_solver.record.contents import Entry, Record, with_seats_called
from clue_solver.record.header import with_key
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

HeaderPart = Literal["seats", "hands", "pieces", "first", "house", "board"]
"""The parts of a header that may change while a game is logged."""


class LogPlace(NamedTuple):
    """
    The place in the log where a line goes.

    Attributes:
        entry: The number of the entry that the line replaces; `None` for a new entry at the end.
        insert: Whether to insert the line before that entry instead of replacing it.
    """

    entry: int | None = None
    insert: bool = False


END = LogPlace()
"""The end of the log."""


class Change(Struct, frozen=True, kw_only=True):
    """
    What one step changed in a record.

    Attributes:
        kind: Whether entries were `added`, `removed` or `replaced`. For a change of the header, the
            part that changed, or `header` if no command can change that part.
        entry: The number of the first changed entry; `None` for a change of the header.
        before, after: The first changed entry before and after, or `None` where there is none; for
            a change of the header the tables before and after.
        more: How many further entries were added or removed.
    """

    kind: Literal["added", "removed", "replaced", "header"] | HeaderPart
    entry: int | None = None
    before: Entry | Table | None = None
    after: Entry | Table | None = None
    more: int = 0


class OutsideChange(Struct, frozen=True, kw_only=True):
    """
    A change to the file that another program made, and what happened to it.

    Attributes:
        entries: How many entries were read from the changed file; `None` if it could not be read.
        error: Why the changed file could not be read; `None` if it could.
        aside: Where the changed file was moved before the game overwrote it; `None` if it was not.
    """

    entries: int | None = None
    error: ClueError | None = None
    aside: Path | None = None


def entry_of(record: Record, number: int) -> Entry:
    """Return an entry by its number; raise an `ArgumentError` if there is no such entry."""
    entries = record.entries
    if not 1 <= number <= len(entries):
        raise ArgumentError(f"no entry {number}: the log has {len(entries)}", argument="entry")
    return entries[number - 1]


def with_entry(record: Record, told: Observation, place: LogPlace, comment: str = "") -> Record:
    """
    Return the record with an observation added as an entry, or put in the place of one.

    Args:
        record: The record.
        told: The observation.
        place: The place in the log where it goes.
        comment: The comment of the entry; if it is empty, an entry that is replaced keeps its
            comment.

    Raises:
        ArgumentError: If there is no such place.
    """
    number = place.entry
    if number is None:
        return record.extended(told, comment=comment)
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
    """
    Return the record after a correction that a check of the log proposed.

    The entries of the result may have to be brought into canonical form (`normalise_entries`).
    """
    if isinstance(correction.meant, Table):
        return replace(record, table=replace(record.table, hands=correction.meant.hands))
    return with_entry(record, correction.meant, LogPlace(correction.entry))


def with_header_part(
    record: Record, part: HeaderPart, text: str, said: Sequence[Observation]
) -> Record:
    """
    Return the record with one part of its header changed.

    If the players change, passes that nobody typed are removed from the entries.

    Args:
        record: The record.
        part: The part to change.
        text: What was typed for it.
        said: What was said in each entry, without implied passes.

    Raises:
        ClueError: If the text cannot be read, or no such table is possible.
    """
    if part != "seats":
        return replace(record, table=with_key(record.table, part, text))
    names = seats_in(text)
    there = {seat.casefold(): seat for seat in record.table.seats}
    pairs = zip(record.entries, said, strict=True)
    entries = tuple([replace(entry, observation=told) for entry, told in pairs])
    record = replace(record, entries=entries)
    return _with_seats(record, tuple(there.get(name.casefold(), name) for name in names))


def _with_seats(record: Record, names: tuple[str, ...]) -> Record:
    """
    Return the record with its players renamed or reordered.

    Args:
        record: The record.
        names: All players, clockwise. The new names among them replace, in order, the players who
            are missing, in the entries too.
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
        hands=tuple(table.hands[at] for at in before if table.hands),
        pieces=tuple(table.pieces[at] for at in before if table.pieces),
    )
    return replace(record, table=table)


def normalise_entries(record: Record, before: Record) -> Record:
    """
    Return a changed record with every entry in canonical form.

    Args:
        record: The changed record.
        before: The record before the change. If both have the same table, the first entries that
            they share are not checked again.

    Raises:
        NotationError: If an entry makes no sense in its place.
    """
    known = before.entries if before.table == record.table else ()
    same = shared_beginning(known, record.entries)
    entries = list(record.entries[:same])
    state = TurnState.of([entry.observation for entry in entries])
    for number, entry in enumerate(record.entries[same:], same + 1):
        try:
            observation = normalise(entry.observation, record.table, state)
        except NotationError as error:
            raise NotationError(f"entry {number}: {error.reason}") from None
        state = state.after(observation)
        changed = observation != entry.observation
        entries.append(replace(entry, observation=observation) if changed else entry)
    return replace(record, entries=tuple(entries))


def change_between(before: Record, after: Record) -> Change:
    """Return what a single step changed: from the record `before` it to the one `after` it."""
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
        before=None if kind == "added" else old[same],
        after=None if kind == "removed" else new[same],
        more=max(abs(len(old) - len(new)) - 1, 0),
    )
