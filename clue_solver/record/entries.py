"""The record itself: a table, its entries, and the comments and blank lines between them."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.errors import RecordError, escape
from clue_solver.notation import TurnState, normalise
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table


class _Commented(Struct, frozen=True, kw_only=True):
    comment: str = ""
    before: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_comment(self.comment)
        for line in self.before:
            _check_whole_line(line)


class HeaderLine(_Commented, frozen=True, kw_only=True):
    """
    The place of a key in the header; its value is the table's.

    Attributes:
        key: The key.
        comment: The comment at the end of its line, without `#`; empty if there is none.
        before: The comments and blank lines above it, as they stand.
    """

    key: str


class Entry(_Commented, frozen=True, kw_only=True):
    """
    One observation in a record.

    Attributes:
        observation: What was observed, in canonical form.
        comment: The comment at the end of its line, without `#`; empty if there is none.
        before: The comments and blank lines above it, as they stand.

    Raises:
        RecordError: If a comment cannot be written as one.
    """

    observation: Observation


class Record(Struct, frozen=True, kw_only=True):
    """
    A game: the table and all that was observed at it, in order.

    Attributes:
        table: What the header says.
        header: The order of the header's lines and their comments; a plain header if left out.
        entries: The observations; entry 1 is the first.
        after: Comments and blank lines after the last entry, as they stand.
    """

    table: Table
    header: tuple[HeaderLine, ...] = ()
    entries: tuple[Entry, ...] = ()
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for line in self.after:
            _check_whole_line(line)

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in order."""
        return tuple(entry.observation for entry in self.entries)

    @property
    def course(self) -> TurnState:
        """What the entries mean for the next line."""
        return TurnState.of(self.observations)

    def append(self, observation: Observation, *, comment: str = "") -> Record:
        """
        Return the record with one more entry; comments after the last one stay above it.

        Raises:
            NotationError: If the observation has no meaning at this table.
            RecordError: If the comment cannot be written as one.
        """
        return self.longer(normalise(observation, self.table, self.course), comment=comment)

    def longer(self, observation: Observation, *, comment: str = "") -> Record:
        """Return the same as `append`, for an observation in canonical form: nothing is checked."""
        above = self.after or (() if self.entries else ("",))
        entry = Entry(observation=observation, comment=comment, before=above)
        return replace(self, entries=(*self.entries, entry), after=())

    def upto(self, number: int) -> Record:
        """Return the record with its first `number` entries; whole-line comments all stay."""
        if number >= len(self.entries):
            return self
        kept, dropped = self.entries[: max(0, number)], self.entries[max(0, number) :]
        loose = tuple(line for entry in dropped for line in entry.before)
        return replace(self, entries=kept, after=loose + self.after)


def _check_comment(text: str) -> None:
    """Refuse a comment that a file could not hold, or not give back as it was."""
    if "\n" in text or "\0" in text or text != text.rstrip():
        raise RecordError(f"expected one line as a comment; found '{escape(text)}'")


def _check_whole_line(line: str) -> None:
    if not line:
        return
    _check_comment(line)
    if not line.lstrip().startswith("#"):
        raise RecordError(f"expected a comment or a blank line; found '{escape(line)}'")
