"""The `.clue` form of a record: a header, and one line for each observation."""

from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from clue_solver import notation
from clue_solver.errors import ClueError, NotationError, RecordError, pointed, printable
from clue_solver.notation.names import Names, seats_in
from clue_solver.record.contents import Entry, HeaderLine, Record
from clue_solver.record.header import KEYS, NEEDED, HeaderKey, format_value, key_of, table_from
from clue_solver.rules.table import Table


def format_record(record: Record) -> str:
    """
    Return the record in the `.clue` form, in canonical lines.

    Raises:
        RecordError: If the edition's name does not fit a line.

    >>> from clue_solver import load
    >>> print(format_record(load("examples/evening.clue").record).splitlines()[1])
    edition: clue-classic
    """
    lines: list[str] = []
    for line in record.whole_header:
        lines.extend(line.before)
        value = format_value(record.table, line.key)
        if value is not None:
            lines.append(_commented(f"{line.key}: {value}", line.comment))
    for entry in record.entries:
        lines.extend(entry.before)
        told = notation.format_line(entry.observation, record.table)
        lines.append(_commented(told, entry.comment))
    return "\n".join((*lines, *record.after, ""))


def parse_clue(text: str, *, path: str = "", beside: Path | None = None) -> Record:
    """
    Return the record that a text in the `.clue` form holds.

    Args:
        text: The whole text.
        path: The file's name, for errors.
        beside: The folder that an edition's path starts from; the working folder if left out.

    Raises:
        RecordError: If it holds none; with the number of the line, its text and the place in it.
    """
    reader = _ClueReader(text, path)
    table = reader.header(beside)
    entries = reader.entries(table)
    return Record(table=table, header=tuple(reader.keys), entries=entries, after=reader.above())


def _parsed(key: HeaderKey, text: str, table: Table) -> Any:
    return key.parse(text, table)


def _commented(line: str, comment: str) -> str:
    return f"{line}  # {comment}" if comment else line


class _ClueReader:
    """
    Reads the lines of one text from top to bottom, first the header, then the entries.

    Attributes:
        lines: All lines of the text.
        keys: The header lines so far.
    """

    def __init__(self, text: str, path: str) -> None:
        self.lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        if self.lines[-1] == "":
            self.lines.pop()
        self.keys: list[HeaderLine] = []
        self._path = path
        self._values: dict[str, str] = {}
        self._places: dict[str, tuple[int, int]] = {}  # the line and the column of each value
        self._above: list[str] = []
        self._place = 0

    def header(self, beside: Path | None) -> Table:
        """Return the table that the header describes."""
        for line in self.lines:
            if not line:
                self._above.append(line)
            elif not self._header_line(line):
                break
            self._place += 1
        for key in NEEDED:
            if key not in self._values:
                keys = ", ".join(f"`{key}:`" for key in self._values) or "no header line"
                self._refuse(f"the header lacks `{key}:`; found {keys}")
        try:
            seats = seats_in(self._values["players"])
            return table_from(self._values, seats, _parsed, beside=beside)
        except ClueError as error:
            number, column = self._places[error.key]
            if isinstance(error, NotationError):
                self._refuse(error.reason, number, column + error.column)
            self._refuse(printable(str(error), most=1000), number)

    def entries(self, table: Table) -> tuple[Entry, ...]:
        """Return what the lines after the header tell."""
        state = notation.TurnState()
        entries: list[Entry] = []
        names = notation.lexicon_of(table)
        for number, line in enumerate(self.lines[self._place :], start=self._place + 1):
            if not line:
                self._above.append(line)
                continue
            plain = None if self._above else _plain_entry(line, names)
            if plain is not None:
                state = state.after(plain.observation)
                entries.append(plain)
                continue
            body, comment = notation.split_comment(line)
            if self._aside(line, body):
                continue
            try:
                observation = notation.parse_line(body, table, state)
            except NotationError as error:
                before, colon, _ = body.partition(":")
                if colon and key_of(before):
                    self._refuse("header lines come before the first observation", number, 0)
                self._refuse(error.reason, number, error.column)
            state = state.after(observation)
            entries.append(Entry(observation=observation, comment=comment, before=self.above()))
        return tuple(entries)

    def above(self) -> tuple[str, ...]:
        """Return the comments and blank lines since the last line that told something."""
        lines = tuple(self._above)
        self._above = []
        return lines

    def _aside(self, line: str, body: str) -> bool:
        """Keep a line that tells nothing; return whether it was such a line."""
        if body.strip():
            return False
        self._above.append(line.rstrip())
        return True

    def _header_line(self, line: str) -> bool:
        """Take in the line if it belongs to the header; return whether it did."""
        body, comment = notation.split_comment(line)
        if self._aside(line, body):
            return True
        before, colon, after = body.partition(":")
        key = key_of(before) if colon else None
        number = self._place + 1
        if key is None:
            self._check_end(body, number)
            return False
        if key in self._values:
            self._refuse(f"`{key}:` is in the header twice", number, 0)
        if not after.strip() and key not in NEEDED:
            self._refuse(f"expected something after `{key}:`; found nothing", number)
        self._values[key] = after.strip()
        self._places[key] = number, len(body) - len(after.lstrip())
        self.keys.append(HeaderLine(key=key, comment=comment, before=self.above()))
        return True

    def _check_end(self, body: str, number: int) -> None:
        """Refuse a line that is neither a header line nor stands after a whole header."""
        before, colon, _ = body.partition(":")
        lacking = [f"`{key}:`" for key in NEEDED if key not in self._values]
        if colon and len(before.split()) == 1:
            error = Names("header key", KEYS).unknown(before.strip())
            if error.nearest or lacking:
                self._refuse(error.reason, number, 0)
        if lacking:
            lacks = f"expected the header, which lacks {' and '.join(lacking)}"
            self._refuse(f"{lacks}; found '{printable(body.strip())}'", number)

    def _refuse(self, reason: str, number: int = 0, column: int | None = None) -> NoReturn:
        if column is not None:
            quoted = pointed(self.lines[number - 1], column).replace("\n", "\n  ")
            reason = f"{reason}\n  {quoted}"
        raise RecordError(reason, path=self._path, number=number) from None


@lru_cache(1 << 14)
def _plain_entry(line: str, names: notation.Lexicon) -> Entry | None:
    """Return the entry of a line that is told in the same words in game after game, if it is."""
    told = notation.plainly_told(line, names)
    return None if told is None else Entry(observation=told)
