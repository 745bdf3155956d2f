"""The `.clue` form of a record: a header, then one line for each observation."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from clue_solver.errors import NotationError, RecordError, escape, pointed
from clue_solver.notation import TurnState, format_line, parse_line, split_comment
from clue_solver.record.entries import Entry, HeaderLine, Record
from clue_solver.record.header import (
    KEYS,
    NEEDED,
    HeaderError,
    Value,
    format_value,
    key_of,
    read_table,
    unknown_key,
    value_of,
)
from clue_solver.rules.table import Table


def format_record(record: Record) -> str:
    """
    Return the record in the `.clue` form, in canonical lines.

    Raises:
        RecordError: If the edition's name does not fit a line.
    """
    lines: list[str] = []
    for line in header_of(record):
        lines.extend(line.before)
        value = format_value(record.table, line.key)
        if value is not None:
            lines.append(_commented(f"{line.key}: {value}", line.comment))
    for entry in record.entries:
        lines.extend(entry.before)
        lines.append(_commented(format_line(entry.observation, record.table), entry.comment))
    return "\n".join((*lines, *record.after, ""))


def header_of(record: Record) -> tuple[HeaderLine, ...]:
    """Return the header's lines: those of the file, then those that the table needs besides."""
    there = {line.key for line in record.header}
    missing = (
        HeaderLine(key=key)
        for key in KEYS
        if key not in there and value_of(record.table, key) is not None
    )
    return (*record.header, *missing)


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


def _commented(line: str, comment: str) -> str:
    return f"{line}  # {comment}" if comment else line


class _ClueReader:
    """Reads the lines of one text from top to bottom, first the header, then the entries."""

    def __init__(self, text: str, path: str) -> None:
        self.lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        if self.lines[-1] == "":
            self.lines.pop()
        self.path = path
        self.keys: list[HeaderLine] = []
        self._values: dict[str, Value] = {}
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
        try:
            return read_table(self._values, beside=beside)
        except HeaderError as error:
            self._refuse(error.reason, error.number, error.column)

    def entries(self, table: Table) -> tuple[Entry, ...]:
        """Return what the lines after the header tell."""
        state = TurnState()
        found: list[Entry] = []
        for number, line in enumerate(self.lines[self._place :], start=self._place + 1):
            if not line:
                self._above.append(line)
                continue
            body, comment = split_comment(line)
            if self._aside(line, body):
                continue
            try:
                observation = parse_line(body, table, state)
            except NotationError as error:
                before, colon, _ = body.partition(":")
                if colon and key_of(before):
                    self._refuse("header lines stand before the first observation", number, 0)
                self._refuse(error.reason, number, error.column)
            state = state.after(observation)
            found.append(Entry(observation=observation, comment=comment, before=self.above()))
        return tuple(found)

    def above(self) -> tuple[str, ...]:
        """Return the comments and blank lines since the last line that told something."""
        lines, self._above = tuple(self._above), []
        return lines

    def _aside(self, line: str, body: str) -> bool:
        """Keep a line that tells nothing; return whether it was such a line."""
        if body.strip():
            return False
        self._above.append(line.rstrip())
        return True

    def _header_line(self, line: str) -> bool:
        """Take in the line if it belongs to the header; return whether it did."""
        body, comment = split_comment(line)
        if self._aside(line, body):
            return True
        before, _, after = body.partition(":")
        key, number = key_of(before) if ":" in body else None, self._place + 1
        if key is None:
            self._check_end(body, number)
            return False
        if key in self._values:
            self._refuse(f"`{key}:` stands in the header twice", number, 0)
        column = len(body) - len(after.lstrip())
        self._values[key] = Value(after.strip(), number, column)
        self.keys.append(HeaderLine(key=key, comment=comment, before=self.above()))
        return True

    def _check_end(self, body: str, number: int) -> None:
        """Refuse a line that is neither a header line nor stands after a whole header."""
        before, colon, _ = body.partition(":")
        complete = all(key in self._values for key in NEEDED)
        if colon and len(before.split()) == 1:
            error = unknown_key(before)
            if error.nearest or not complete:
                self._refuse(error.reason, number, 0)
        if not complete:
            lacking = " and ".join(f"`{key}:`" for key in NEEDED if key not in self._values)
            reason = f"expected the header, which lacks {lacking}; found '{escape(body.strip())}'"
            self._refuse(reason, number)

    def _refuse(self, reason: str, number: int, column: int | None = None) -> NoReturn:
        if column is not None and number:
            quoted = pointed(self.lines[number - 1], column).replace("\n", "\n  ")
            reason = f"{reason}\n  {quoted}"
        raise RecordError(reason, path=self.path, number=number) from None
