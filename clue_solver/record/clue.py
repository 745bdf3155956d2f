"""The `.clue` form of a record: a header, and one line for each observation."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from clue_solver.errors import ClueError, NotationError, RecordError, listed, printable, with_caret
from clue_solver.notation.canonical import format_line, parse_canonical
from clue_solver.notation.lexicon import split_comment
from clue_solver.notation.names import Names, seats_in
from clue_solver.record.contents import Entry, HeaderLine, Record
from clue_solver.record.header import KEYS, NEEDED, format_value, key_of, table_from
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


def format_record(record: Record) -> str:
    """
    Return the text of a record in the `.clue` form, with canonical lines.

    Raises:
        RecordError: If a header line cannot hold the edition's name.

    >>> from clue_solver import load
    >>> print(format_record(load("examples/evening.clue").record).splitlines()[1])
    edition: clue-classic
    """
    lines = [*_header_lines(record.table, record.header)]
    for entry in record.entries:
        lines.extend(entry.before)
        line = format_line(entry.observation, record.table)
        lines.append(_with_comment(line, entry.comment))
    return "\n".join((*lines, *record.after, ""))


@lru_cache(maxsize=16)
def _header_lines(table: Table, header: tuple[HeaderLine, ...]) -> tuple[str, ...]:
    """
    Return the lines of a header in the `.clue` form.

    They are cached, because they do not change while a game is logged.
    """
    lines: list[str] = []
    for line in Record(table=table, header=header).whole_header:
        lines.extend(line.before)
        value = format_value(table, line.key)
        if value is not None:
            lines.append(_with_comment(f"{line.key}: {value}", line.comment))
    return tuple(lines)


def parse_clue(text: str, *, path: str = "", beside: Path | None = None) -> Record:
    """
    Return the record in a text of the `.clue` form.

    Args:
        text: The whole text.
        path: The name of the text's file, for errors.
        beside: The folder from which the path of an edition's file starts; the working folder if
            left out.

    Raises:
        RecordError: If the text is not a valid record. The error has the number of the line, its
            text and the place in it.
    """
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if lines[-1] == "":
        lines.pop()
    reader = _ClueReader(lines)
    try:
        return reader.record(beside)
    except ClueError as error:
        number, column = reader.places.get(error.key, (reader.number, 0))
        reason = printable(str(error), most=1000)
        if isinstance(error, NotationError):
            quoted = with_caret(lines[number - 1], column + error.column).replace("\n", "\n  ")
            reason = f"{error.reason}\n  {quoted}"
        raise RecordError(reason, path=path, number=number) from None


def _with_comment(line: str, comment: str) -> str:
    """Return a line with a comment at its end; just the line if the comment is empty."""
    return f"{line}  # {comment}" if comment else line


class _ClueReader:
    """
    Reads the lines of a `.clue` file from top to bottom: first the header, then the entries.

    Attributes:
        number: The number of the line that is being read, from 1; 0 for the text as a whole.
        places: Where the value of each header key begins, by key: the number of the line, from 1,
            and the column, from 0.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.number = 0
        self.places: dict[str, tuple[int, int]] = {}
        self._lines = lines
        self._values: dict[str, str] = {}
        self._above: list[str] = []

    def record(self, beside: Path | None) -> Record:
        """
        Return the record in all lines.

        `beside` is the folder from which the path of an edition's file starts; the working folder
        if `None`.

        Raises:
            ClueError: If the lines are not a valid record. Its `key` is the header key at fault; if
                there is none, the error is about line `number`.
        """
        header = tuple(self._header())
        seats = seats_in(self._values["players"])
        table = table_from(self._values, seats, beside)
        entries = tuple(self._entries(table))
        return Record(table=table, header=header, entries=entries, after=self._take_comments())

    def _header(self) -> Iterator[HeaderLine]:
        """
        Yield the lines of the header, and keep the text of each key's value in `_values`.

        Raises:
            ClueError: If a key is missing, misspelt or repeated, or has no value.
        """
        for number, line in enumerate(self._lines, start=1):
            self.number = number
            if not line:
                self._above.append(line)
                continue
            body, comment = split_comment(line)
            before, colon, after = body.partition(":")
            key = key_of(before) if colon else None
            if not body.strip():
                self._above.append(line.rstrip())
            elif key is None:
                self._check_end(body)
                return
            elif key in self._values:
                raise NotationError(f"`{key}:` is in the header twice")
            elif not after.strip() and key not in NEEDED:
                raise RecordError(f"expected something after `{key}:`; found nothing")
            else:
                self._values[key] = after.strip()
                self.places[key] = number, len(body) - len(after.lstrip())
                yield HeaderLine(key=key, comment=comment, before=self._take_comments())
        self.number = 0
        self._check_end("")

    def _check_end(self, body: str) -> None:
        """
        Check that the header is complete where the entries begin: before the line `body`.

        `body` has no comment; it is empty at the end of the file.

        Raises:
            ClueError: If a key is missing, or if the line seems to begin with a misspelt key.
        """
        before, colon, _ = body.partition(":")
        lacking = [key for key in NEEDED if key not in self._values]
        if colon and len(before.split()) == 1:
            error = Names("header key", KEYS).error_for(before.strip())
            if error.nearest or lacking:
                raise error
        if lacking:
            found = f"'{printable(body.strip())}'" if body else "no more lines"
            told = f"this is not a game: its header names no {listed(lacking, 'or')}; found {found}"
            raise RecordError(told)

    def _entries(self, table: Table) -> Iterator[Entry]:
        """
        Yield the entries in the lines after the header.

        Raises:
            NotationError: If a line cannot be read.
        """
        state = TurnState()
        for line in self._lines[self.number - 1 :] if self.number else ():
            body, comment = split_comment(line)
            if not body.strip():
                self._above.append(line.rstrip())
            else:
                observation = parse_canonical(body, table, state)
                if observation is None:
                    before, colon, _ = body.partition(":")
                    if colon and key_of(before):
                        raise NotationError("header lines come before the first observation")
                    # Most files need nothing that reads typed lines.
                    from clue_solver.notation.reader import parse_line

                    observation = parse_line(body, table, state)
                state = state.after(observation)
                yield Entry(observation=observation, comment=comment, before=self._take_comments())
            self.number += 1

    def _take_comments(self) -> tuple[str, ...]:
        """Return the comments and blank lines since the last other line, and forget them."""
        lines = tuple(self._above)
        self._above = []
        return lines
