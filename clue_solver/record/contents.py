"""
The contents of a record: its table, header lines, entries and comments.

The header has one line for each fact about the table. Comments and blank lines are kept where they
stood.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from clue_solver.errors import RecordError, printable
from clue_solver.notation.checks import normalise
from clue_solver.record.header import KEYS
from clue_solver.rules import forms
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState, over_since

Kind = TypeVar("Kind", bound=Event)


class Remark(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """
    The comments on a line.

    Attributes:
        comment: The comment at the end of the line, without `#`; empty if there is none.
        before: The comments and blank lines above the line, unchanged.

    Raises:
        RecordError: If a comment cannot be written as one.
    """

    comment: str = ""
    before: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_comment(self.comment)
        for line in self.before:
            _check_whole_line(line)


class HeaderLine(Remark, frozen=True, kw_only=True):
    """
    A line of the header, without its value, which is an attribute of the table.

    Attributes:
        key: The key with which the line begins, such as `edition`.

    >>> from clue_solver import load
    >>> line = load("examples/classic.clue").record.header[0]
    >>> line.key, line.before
    ('edition', ('# Friday night, four players, the American classic',))
    """

    key: str


class Entry(Remark, frozen=True, kw_only=True):
    """
    One observation in a record, with the comments on its line.

    Attributes:
        observation: What was observed, in canonical form.

    >>> from clue_solver import load
    >>> load("examples/evening.clue").record.entries[16].comment
    'out, and only answers from now on'
    """

    observation: Observation


class Record(Struct, frozen=True, kw_only=True):
    """
    A game: the table and everything that was observed at it, in order.

    Attributes:
        table: The table that the header describes.
        header: The lines of the header in order, with their comments; if left out, the default
            order without comments.
        entries: The observations; entry 1 is the first.
        after: The comments and blank lines after the last entry, unchanged.

    >>> from clue_solver import load
    >>> record = load("examples/classic.clue").record
    >>> record.upto(2).append(record.observations[2]) == record.upto(3)
    True
    """

    table: Table
    header: tuple[HeaderLine, ...] = ()
    entries: tuple[Entry, ...] = ()
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for line in self.after:
            _check_whole_line(line)

    def __repr__(self) -> str:
        seats = ", ".join(self.table.seats)
        return f"<Record: {self.table.edition.title}; {seats}; entries: {len(self.entries)}>"

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in order."""
        return tuple([entry.observation for entry in self.entries])

    @property
    def whole_header(self) -> tuple[HeaderLine, ...]:
        """All lines of the header: those in `header`, then any others that the table needs."""
        there = {line.key for line in self.header}
        needed = (key.name for key in KEYS.values() if key.value(self.table) is not None)
        return (*self.header, *(HeaderLine(key=name) for name in needed if name not in there))

    @property
    def turn_state(self) -> TurnState:
        """
        The state of the turns (whose it is, who is out) after the last entry.

        The next line is read with its help.
        """
        return TurnState.of(self.observations)

    @property
    def ended(self) -> Observation | None:
        """
        The observation that ended the game; `None` while the game goes on.

        It is a right accusation, or the wrong accusation or departure that left nobody in the game.
        """
        last = over_since(self.table, self.observations)
        return self.entries[last - 1].observation if last else None

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.ended is not None

    def append(self, observation: Observation, *, comment: str = "") -> "Record":
        """
        Return the record with one more entry.

        Comments after the last entry stay above the new one.

        Raises:
            NotationError: If the observation is not possible at this table.
            RecordError: If the comment cannot be written as one.
        """
        return self.extended(normalise(observation, self.table, self.turn_state), comment=comment)

    def extended(self, observation: Observation, *, comment: str = "") -> "Record":
        """
        Return the record with one more entry, as `append` does, but without checks.

        The observation must be possible at this table and in canonical form.
        """
        above = self.after or (() if self.entries else ("",))  # the blank line after the header
        entry = Entry(observation=observation, comment=comment, before=above)
        return replace(self, entries=(*self.entries, entry), after=())

    def upto(self, number: int) -> "Record":
        """
        Return the record with only its first `number` entries.

        All whole-line comments are kept; those above later entries come after the last one.
        """
        if number >= len(self.entries):
            return self
        kept, dropped = self.entries[: max(0, number)], self.entries[max(0, number) :]
        loose = tuple(line for entry in dropped for line in entry.before)
        return replace(self, entries=kept, after=loose + self.after)


def with_seats_called(record: Record, called: Mapping[str, str]) -> Record:
    """
    Return the record with the players renamed.

    `called` maps names in the record to new ones; a player who is not in it keeps the name.
    """
    table = record.table
    names = {seat: called.get(seat, seat) for seat in table.seats}
    table = replace(
        table,
        seats=tuple(names.values()),
        viewer=table.viewer and names[table.viewer],
        first=table.first and names[table.first],
        asks=tuple(replace(ask, seat=ask.seat and names[ask.seat]) for ask in table.asks),
    )

    def renamed(bearers: forms.Bearers, name: str) -> str:
        return names.get(name, name) if bearers in ("seats", "holders", "places") else name

    entries = tuple(
        replace(each, observation=map_names(each.observation, renamed)) for each in record.entries
    )
    return replace(record, table=table, entries=entries)


def map_names(observation: Kind, called: Callable[[forms.Bearers, str], str]) -> Kind:
    """
    Return an observation with each name in it replaced by what `called` returns.

    Args:
        observation: The observation.
        called: Returns the new name; it is given the kind of thing that the name stands for, such
            as `cards` (`forms.Bearers`), and the name.
    """
    bearers = observation.form.bearers

    def renamed(field: str, said: Any) -> Any:
        if isinstance(said, list | tuple):
            return [renamed(field, value) for value in said]
        if isinstance(said, dict):
            return {key: renamed(key, value) for key, value in said.items()}
        if isinstance(said, str) and field in bearers:
            return called(bearers[field], said)
        return said

    return convert(renamed("", to_builtins(observation)), type(observation))


def _check_comment(text: str) -> None:
    """
    Raise a `RecordError` if a comment would not be the same after being written and read back.
    """
    if "\n" in text or "\0" in text or text != text.rstrip():
        raise RecordError(f"expected one line as a comment; found '{printable(text)}'")


def _check_whole_line(line: str) -> None:
    """Raise a `RecordError` if a line is neither blank nor a whole-line comment."""
    _check_comment(line)
    if line and not line.lstrip().startswith("#"):
        raise RecordError(f"expected a comment or a blank line; found '{printable(line)}'")
