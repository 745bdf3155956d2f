"""
Rows and columns of text: a CSV file as a spreadsheet writes it, a table in markdown or a pandas
frame.

Nothing is known here of the game. What had to be found out about a file (its encoding, what parts
its columns) is kept in words, so that it can be told.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, RecordError, import_extra, printable
from clue_solver.notation.names import Names

_PARTING = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_MARKED = (
    (b"\xef\xbb\xbf", "utf-8-sig", "UTF-8"),
    (b"\xff\xfe", "utf-16", "UTF-16"),
    (b"\xfe\xff", "utf-16", "UTF-16"),
)
_SAID = re.compile(r"sep=([^\r\n])(?:\r\n?|\n)", re.IGNORECASE)
_FOREIGN = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")
MOST_ROWS, MOST_COLUMNS = 10_000, 200
"""The most rows and columns that are read."""


class Grid(Struct, frozen=True, kw_only=True):
    """
    A table of text: its rows of stripped cells, perhaps of different lengths.

    Attributes:
        name: What messages call it: a file's name.
        rows: The cells.
        told: How the file was read, in words.
        aside: What of the file is not in the cells, in words.
        colours: The names of fill colours, in the places of the cells; empty where none are known.
        places: Where each cell stands in the file, where that is elsewhere; empty otherwise.
        turned: Whether the rows are columns of the file.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    told: str = ""
    aside: tuple[str, ...] = ()
    colours: tuple[tuple[str, ...], ...] = ()
    places: tuple[tuple[tuple[int, int], ...], ...] = ()
    turned: bool = False

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell, counted from 0; empty where the row is too short."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else ""

    def colour(self, row: int, column: int) -> str:
        """Return the name of the colour that fills a cell; empty where none does."""
        cells = self.colours[row] if row < len(self.colours) else ()
        return cells[column] if column < len(cells) else ""

    def where(self, row: int | None, column: int | None = None) -> str:
        """Return how the file's spreadsheet names a place: a cell, a row or a column."""
        if self.turned:
            row, column = column, row
        elif self.places and row is not None:
            cells = self.places[row]
            origin = cells[min(column or 0, len(cells) - 1)] if cells else (row, 0)
            row = origin[0]
            column = None if column is None else origin[1]
        elif self.places and column is not None:
            column = next(
                (cells[column][1] for cells in self.places if column < len(cells)), column
            )
        return place(row, column)

    def sideways(self) -> "Grid":
        """Return the same table with its rows as columns."""
        return replace(
            self,
            rows=_turned(self.rows),
            colours=_turned(self.colours),
            told=f"{self.told}, cards across and players down",
            turned=True,
        )

    def refuse(
        self, reason: str, row: int | None = None, column: int | None = None, *, argument: str = ""
    ) -> NoReturn:
        """Raise what is wrong at a place, counted from 0, and which argument would help."""
        where = self.where(row, column)
        message = f"{where}: {reason}" if where else reason
        raise RecordError(message, path=self.name, argument=argument) from None

    def find(self, names: Names, text: str, row: int, column: int | None) -> str:
        """Return the one name that a text stands for; refuse it at its place if it is none."""
        try:
            return names.find(text)
        except NotationError as error:
            self.refuse(error.reason, row, column)

    def blank(self, row: int) -> bool:
        """Whether nothing stands in a row."""
        return not any(self.rows[row])


def place(row: int | None, column: int | None = None) -> str:
    """
    Return how a spreadsheet names a place, counted from 0.

    >>> place(4, 27)
    'row 5, column AB'
    """
    said = [] if row is None else [f"row {row + 1}"]
    if column is not None:
        letters = ""
        rest = column + 1
        while rest:
            rest, letter = divmod(rest - 1, 26)
            letters = chr(65 + letter) + letters
        said.append(f"column {letters}")
    return ", ".join(said)


def _turned(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    width = max(map(len, rows), default=0)
    return tuple(
        tuple(row[column] if column < len(row) else "" for row in rows) for column in range(width)
    )


def decoded(content: bytes, *, name: str) -> tuple[str, str]:
    """
    Return the text that bytes hold, and its encoding in words; `RecordError` if it is no text.

    Text that is not UTF-8 and does not say what it is, is taken for the Windows-1252 of older
    spreadsheets.
    """
    if content.startswith(_FOREIGN):
        raise RecordError(
            "expected text or a workbook (.xlsx, .ods); found another file that is not text: "
            "save the sheet as CSV and import that",
            path=name,
        )
    marked = ((known, title) for mark, known, title in _MARKED if content.startswith(mark))
    encoding, said = next(marked, ("utf-8", "UTF-8"))
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise RecordError(f"expected {said} text; found something else", path=name) from error
        encoding, said = "cp1252", "Windows-1252 (it is not UTF-8)"
        text = content.decode(encoding, errors="replace")
    if "\0" in text:
        raise RecordError("expected text; found a file that is not text", path=name)
    return text, said


def grid_of(text: str, *, name: str, encoding: str = "UTF-8") -> Grid:
    """
    Return the table that a CSV text holds; `RecordError` if there is none in it.

    Commas, semicolons, tabs or bars part the columns: whichever gives most rows the same number of
    cells, unless a first line such as `sep=;` says it, as some spreadsheets write.
    """
    if not text.strip():
        raise RecordError("expected a table; found an empty file", path=name)
    if any(map(_RULE.fullmatch, text.splitlines())):
        return _markdown(text, name=name)
    if (rows := _aligned(text.splitlines())) is not None:
        return bounded(Grid(name=name, rows=rows, told=f"{encoding}, columns of spaces"))
    readings: list[tuple[float, int, Grid]] = []
    trouble = ""
    said = _SAID.match(text)
    parting = {said[1]: "what its first line says"} if said else _PARTING
    for mark, title in parting.items():
        try:
            lines = io.StringIO(text[said.end() :] if said else text, newline="")
            reader = csv.reader(lines, delimiter=mark, strict=True, skipinitialspace=mark != "\t")
            rows = tuple(tuple(map(cleaned, row)) for row in reader)
        except csv.Error as error:
            trouble = trouble or str(error)
            continue
        sizes = Counter(len(row) for row in rows if any(row))
        size = max(sizes, key=lambda size: (size > 1, sizes[size], size), default=0)
        description = f"{encoding}, {title} between the columns"
        share = sizes[size] / sizes.total() if size > 1 else 0.0
        readings.append((share, size, Grid(name=name, rows=rows, told=description)))
    if not readings:
        raise RecordError(f"expected a CSV file; {printable(trouble)}", path=name)
    _, size, grid = max(readings, key=itemgetter(0, 1))
    if size < 2:
        line = printable(next(filter(None, text.splitlines()), ""))
        raise RecordError(
            f"expected columns with commas, semicolons or tabs between; found '{line}'", path=name
        )
    return bounded(grid)


_ALIGNED = re.compile(r"\S+(?: \S+)*")
_FEWEST = 3


def _aligned(lines: Sequence[str]) -> tuple[tuple[str, ...], ...] | None:
    """
    Return the rows of a table whose columns stand under one another; `None` if it is none.

    A cell belongs to the title that it stands under; a line with others is one cell.
    """
    if any(mark in line for line in lines for mark in "\t;|"):
        return None
    titled = (line for line in lines if line[:2] == "  " and len(_ALIGNED.findall(line)) >= _FEWEST)
    titles = [match.span() for match in _ALIGNED.finditer(next(titled, ""))]
    if not titles:
        return None
    rows = []
    for line in lines:
        cells = dict[int, str]()
        for match in _ALIGNED.finditer(line):
            under = [
                at
                for at, (start, end) in enumerate(titles, 1)
                if match.start() < end + 1 and start < match.end() + 1
            ]
            column = 0 if match.start() < titles[0][0] - 1 else under[0] if len(under) == 1 else -1
            if column in cells or column < 0:
                cells = {0: cleaned(line)}
                break
            cells[column] = match[0]
        rows.append(tuple(cells.get(column, "") for column in range(len(titles) + 1)))
    return tuple(rows)


def unquoted(text: str) -> str:
    """Return the lines of a CSV text that has one column; any other text as it is."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or not all(re.fullmatch(r'"(?:[^"]|"")*"', line.strip()) for line in lines):
        return text
    return "\n".join(line.strip()[1:-1].replace('""', '"') for line in lines)


def grid_of_frame(frame: Any) -> Grid:
    """
    Return the table that a pandas frame holds; its first row are the names of the columns.

    An index with names or text in it is the first column. What is no frame is a `ClueError`;
    without pandas it is `MissingExtra`.
    """
    pd = import_extra("pandas")
    if not isinstance(frame, pd.DataFrame):
        raise ClueError(f"expected a file's path or a pandas frame; found {type(frame).__name__}")
    check_size(*frame.shape, name="the frame")
    named = frame.index.name is not None or not pd.api.types.is_numeric_dtype(frame.index.dtype)
    whole = frame.reset_index() if named else frame
    rows = [[text_of_cell(column) for column in whole.columns]]
    rows.extend(
        [
            "" if pd.api.types.is_scalar(value) and pd.isna(value) else text_of_cell(value)
            for value in row
        ]
        for row in whole.itertuples(index=False, name=None)
    )
    return bounded(Grid(name="the frame", rows=tuple(map(tuple, rows)), told="a pandas frame"))


_DASHES = r"\s*(?:-{3,}|:-+:?|-+:)\s*"
_RULE = re.compile(rf"\s*\|?{_DASHES}(?:\|{_DASHES})+\|?\s*|\s*\|{_DASHES}\|\s*")
"""The line under the titles of a table in markdown."""


def _markdown(text: str, *, name: str) -> Grid:
    """Return the tables of a text in markdown, one under the other; other lines are rows too."""
    rows: list[tuple[str, ...]] = []
    for line in text.removeprefix("\ufeff").splitlines():
        if "|" not in line:
            rows.append((cleaned(line.strip("#* ")),))
        elif not _RULE.fullmatch(line):
            inner = line.strip().removeprefix("|")
            parts = re.split(r"(?<!\\)\|", inner.removesuffix("|") if inner else inner)
            rows.append(tuple(map(_unmarked, parts)))
        else:
            rows.append(())
    return bounded(Grid(name=name, rows=tuple(rows), told="UTF-8, a table in markdown"))


def _unmarked(text: str) -> str:
    """Return the text of a cell in markdown, without what makes it bold and without escapes."""
    bare = re.sub(r"([*_`]{1,3})(\S.*?)\1", r"\2", text.strip())
    return cleaned(re.sub(r"\\([\\*_`|])", r"\1", bare))


def text_of_cell(value: Any) -> str:
    """Return a value as its cell would show it: whole numbers plain, lists with commas."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(text_of_cell, value))
    return cleaned(str(value))


def cleaned(cell: str) -> str:
    return " ".join(cell.replace("\ufeff", "").split())


def bounded(grid: Grid) -> Grid:
    """Return a grid; refuse one that has too many rows or columns."""
    check_size(len(grid.rows), max(map(len, grid.rows), default=0), name=grid.name)
    return grid


def check_size(rows: int, columns: int, *, name: str) -> None:
    """Refuse a table of too many rows or columns."""
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise RecordError(
            f"expected at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns; "
            f"found {rows:,} and {columns}",
            path=name,
        )
