"""
Reads tables: CSV, Markdown, columns aligned by spaces, plain lines, workbooks, pandas frames.

The code here knows nothing about the game. It checks the size of files before it reads them.
"""

import colorsys
import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any
from xml.etree import ElementTree

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.errors import ArgumentError, RecordError, import_extra, printable

MOST_ROWS, MOST_COLUMNS = 2_000, 200
"""How many rows and columns are read at most."""
_MOST_BYTES = 5_000_000
"""How many bytes a workbook may have at most once it is unpacked."""

_MOST_PARTS = 12
"""A sheet with more parts than this is read as a whole."""
_ENCODINGS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


class Sheet(Struct, frozen=True, kw_only=True):
    """
    A table of text.

    Attributes:
        rows: The cells, without spaces around them. All rows have the same length.
        origin: Where the table is from and how it was read, such as `text, commas between`.
        title: The name of the sheet in a workbook; empty for other tables.
        turned: Whether rows and columns are swapped.
    """

    rows: tuple[tuple[str, ...], ...]
    origin: str
    title: str = ""
    turned: bool = False

    def column(self, at: int) -> tuple[str, ...]:
        """Return the cells of the column with the index `at`."""
        return tuple(row[at] for row in self.rows)

    def transpose(self) -> "Sheet":
        """Return the sheet with rows and columns swapped."""
        rows = tuple(zip(*self.rows, strict=True))
        return replace(self, rows=rows, turned=not self.turned)

    def without_rows(self, left: Container[int]) -> "Sheet":
        """Return the sheet with the rows with these indexes blank."""
        blank = ("",) * len(self.rows[0])
        kept = (blank if at in left else row for at, row in enumerate(self.rows))
        return replace(self, rows=tuple(kept))

    def lines(self) -> Iterator[str]:
        """
        Yield the rows and columns as lines of text, in which a list of cards can be found.

        A row is a line with its cells. A column is two lines: the first cell with text, a colon and
        the other cells; and the title of the sheet, a colon and all cells.
        """
        for row in self.rows:
            yield ", ".join(filter(None, row))
        for column in self.transpose().rows:
            if any(column):
                title, *listed = filter(None, column)
                yield f"{title}: {', '.join(listed)}"
                yield f"{self.title}: {', '.join((title, *listed))}"

    def parts(self) -> list["Sheet"]:
        """
        Return the parts of the sheet between its empty columns; the whole sheet if there are too
        many.

        In each part, the cells stay at their row and column of the sheet.
        """
        filled = groupby(range(len(self.rows[0])), lambda at: any(self.column(at)))
        spans = [[*columns] for has_text, columns in filled if has_text]
        if not 1 < len(spans) <= _MOST_PARTS:
            return [self]
        return [self._part(range(span[0], span[-1] + 1)) for span in spans]

    def _part(self, columns: range) -> "Sheet":
        """Return the sheet with only the cells of these columns; the others are blank."""
        ends = dict.fromkeys(map(letter, (columns[0], columns[-1])))
        origin = f"columns {' to '.join(ends)} of {self.origin}"
        others = {*range(len(self.rows[0]))} - {*columns}
        return replace(self.transpose().without_rows(others).transpose(), origin=origin)


def letter(column: int) -> str:
    """
    Return the letter by which a spreadsheet names the column with an index.

    >>> letter(4), letter(27)
    ('E', 'AB')
    """
    return (chr(64 + column // 26) if column > 25 else "") + chr(65 + column % 26)


def sheets_in(content: bytes, *, name: str) -> tuple[Sheet, ...]:
    """
    Return the sheets of a workbook.

    Args:
        content: The bytes of the file.
        name: The name of the file, for messages.

    Raises:
        RecordError: If the file is damaged or too large.
        MissingExtra: If the library that reads workbooks is not installed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                most = f"expected a workbook of at most {_MOST_BYTES:,} bytes"
                raise RecordError(most, path=name)  # before anything is unpacked
            document = archive.read("content.xml") if "content.xml" in archive.namelist() else b""
        return tuple(_open_document(document) if document else _excel(content))
    except (RecordError, ImportError):
        raise
    except Exception as error:  # a file can be damaged in many ways
        reason = f"expected a workbook; found a damaged file ({type(error).__name__})"
        raise RecordError(reason, path=name) from None


def decode(content: bytes, *, name: str) -> tuple[str, str]:
    """
    Decode bytes; return the text and the name of its encoding, such as `UTF-8`.

    Bytes that are neither valid UTF-8 nor marked as UTF-16 are decoded as Windows-1252.

    Args:
        content: The bytes of a file.
        name: The name of the file, for messages.

    Raises:
        RecordError: If the bytes are not text.
    """
    encoding = next((_ENCODINGS[mark] for mark in _ENCODINGS if content.startswith(mark)), "utf-8")
    said = encoding.removesuffix("-sig").upper()
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
        said = "Windows-1252"
    if "\0" in text or content.startswith((b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise RecordError(
            "expected text or a workbook (.xlsx, .ods); found another file: save the sheet as CSV",
            path=name,
        )
    return text, said


def sheet_of_text(text: str, encoding: str = "text") -> Sheet:
    """
    Return the table in a text.

    The table may be in Markdown, aligned by spaces, or separated by the delimiter that gives most
    lines the same number of cells. In any other text, each line is one cell.

    Args:
        text: The text.
        encoding: What the text is called in the table's `origin`, which says how it was read: the
            name of its encoding, or `text` if it is not from a file.
    """
    lines = text.splitlines()
    if sum(line.lstrip().startswith("|") for line in lines) > 1:
        return _sheet([*_markdown(lines)], origin=f"{encoding}, Markdown")
    if aligned := _columns_of_spaces(lines):
        return _sheet(aligned, origin=f"{encoding}, columns of spaces")
    said = re.match(r"(?i)sep=(.)\r?\n", text)
    candidates = [said[1]] if said else list(_DELIMITERS)
    best = (0.0, 1)
    rows, between = [[line] for line in lines], "lines"
    for delimiter in candidates:
        source = io.StringIO(text[said.end() :] if said else text, newline="")
        try:
            spaces = delimiter == "\t"
            parsed = list(csv.reader(source, delimiter=delimiter, skipinitialspace=not spaces))
        except csv.Error:
            continue
        sizes = Counter(len(row) for row in parsed if any(map(str.strip, row)))
        size = max(sizes, key=lambda size: (size > 1, sizes[size], size), default=0)
        share = sizes[size] / sizes.total() if size > 1 else 0.0
        if (share, size) > best:
            best, rows = (share, size), parsed
            between = f"{_DELIMITERS.get(delimiter, repr(delimiter))} between"
    return _sheet(rows, origin=f"{encoding}, {between}")


def lines_in(text: str) -> tuple[str, ...]:
    """Return the lines of a text, without the quotes around a line that CSV adds."""
    quoted = re.compile(r'^\s*"((?:[^"]|"")*)"\s*$')
    lines = text.splitlines()
    return tuple(quoted.sub(lambda found: found[1].replace('""', '"'), line) for line in lines)


def sheet_of_frame(frame: Any) -> Sheet:
    """
    Return the table in a pandas frame. The names of the columns are the first row.

    Raises:
        ArgumentError: If the argument is not a frame.
        MissingExtra: If pandas is not installed.
    """
    pd = import_extra("pandas")
    if not isinstance(frame, pd.DataFrame):
        found = type(frame).__name__
        reason = f"source: expected a file's path or a pandas frame; found {found}"
        raise ArgumentError(reason, argument="source")
    check_size(*frame.shape)
    named = frame.index.name is not None or not pd.api.types.is_numeric_dtype(frame.index.dtype)
    rows = csv.reader(io.StringIO(frame.to_csv(index=named)))
    return _sheet([*rows], origin="a pandas frame")


def check_size(rows: int, columns: int) -> None:
    """Raise a `RecordError` if a table has too many rows or columns."""
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise RecordError(
            f"expected at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns; "
            f"found {rows:,} and {columns:,}"
        )


def workbook_of(rows: Sequence[Sequence[str]], *, title: str) -> bytes:
    """Return an Excel workbook with the rows on one sheet. Every cell is text."""
    openpyxl = import_extra("openpyxl", extra="sheets")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    sheet.freeze_panes = "B2"
    for at, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            if text:
                cell = sheet.cell(at, column, text)
                cell.data_type = "s"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _sheet(rows: Sequence[Sequence[str]], *, origin: str, title: str = "") -> Sheet:
    """Return rows as a sheet: cells trimmed, all rows as wide as the last column with text."""
    cleaned = [[" ".join(cell.split()) for cell in row] for row in rows]
    while cleaned and not any(cleaned[-1]):
        cleaned.pop()
    width = max((at + 1 for row in cleaned for at, cell in enumerate(row) if cell), default=0)
    check_size(len(cleaned), width)
    whole = tuple((*row[:width], *[""] * (width - len(row))) for row in cleaned)
    return Sheet(rows=whole, origin=origin, title=title)


_RULE = re.compile(r"(?=.*(?:--|[:|] *-))[\s|:+=-]+")
_BOLD = re.compile(r"([*_`]{1,3})(\S.*?)\1")


def _markdown(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the rows of Markdown tables. Other lines are one cell; lines of dashes are skipped."""
    for line in lines:
        if _RULE.fullmatch(line):
            continue
        if "|" not in line:
            yield [line.strip("#* ")]
            continue
        cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
        yield [re.sub(r"\\(.)", r"\1", _BOLD.sub(r"\2", cell.strip())) for cell in cells]


_CHUNK = re.compile(r"\S+(?: \S+)*")
_FEWEST_COLUMNS = 3
_MOST_ABOVE = 8
"""How many lines are tried as the titles, because a legend may come first."""
_ALL_BUT_TALK = 0.9
"""The share of lines that counts as all lines of a table. The others may be sentences below it."""
_LONG_NAMES = 0.2
"""The share of lines in which a name may be too long for its column."""


def _columns_of_spaces(lines: Sequence[str]) -> list[list[str]] | None:
    """
    Return the rows of a table whose columns are aligned by spaces; `None` for no such table.

    A gap between columns is blank in the line of titles and in most lines below. A line that does
    not fit the columns is one cell.
    """
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    lines = [re.sub(r"(?<=(?<!\S)\S) (?=\S(?!\S))", "  ", line) for line in lines]  # `x . x`
    if any(delimiter in line for line in lines for delimiter in "\t;|"):
        return None
    chunks = [len(_CHUNK.findall(line)) for line in lines]
    wide = [at for at, count in enumerate(chunks) if count >= _FEWEST_COLUMNS]
    best: list[list[str]] = []
    most = (0.5, 0, 0)
    for first in wide[:_MOST_ABOVE]:
        starts = _column_starts([line for line in lines[first:] if line.strip()])
        in_line = [_align_marks(line, starts, lines[first]) for line in lines]
        rows = [_split_line(line, starts) for line in in_line]
        below = [at for at in range(first, len(lines)) if chunks[at] > 1]
        fit = sum(len(rows[at]) == len(starts) for at in below) / len(below)
        fit = min(fit, _ALL_BUT_TALK)
        split = max(0, len(starts) - 2 - chunks[first])  # of titles
        if min(len(below), len(starts)) >= _FEWEST_COLUMNS and (fit, -split, len(starts)) > most:
            best, most = rows, (fit, -split, len(starts))
    return best or None


def _align_marks(line: str, starts: Sequence[int], titles: str) -> str:
    """
    Return a line with each mark that stands alone just before a column moved into that column.

    A mark that is next to the title of the column before as well stays where it is.
    """
    for start in starts[1:]:
        alone = re.fullmatch(r"  \S {0,2}", line[start - 3 : start + 2])
        if alone and not titles[start - 2 : start].strip():
            line = f"{line[: start - 1]} {line[start - 1]}{line[start + 1 :]}"
    return line


def _split_line(line: str, starts: Sequence[int]) -> list[str]:
    """
    Return the cells of a line, or the whole line as one cell if it does not fit the columns.

    `starts` has the positions in the line at which columns start.
    """
    ends = [*starts[1:], max(len(line), starts[-1]) + 1]
    cells = [line[start:end].strip() for start, end in zip((0, *starts[1:]), ends, strict=True)]
    if any(line[start - 1 : start].strip() for start in starts[1:]):
        return [line]
    return [line] if any(len(_CHUNK.findall(cell)) > 1 for cell in cells) else cells


def _column_starts(table: Sequence[str]) -> list[int]:
    """
    Return the positions at which the columns of a text table start.

    The first of the lines has the titles. Each column but the first has its own title.
    """
    titles = table[0]
    lines = [line for line in table if len(_CHUNK.findall(line)) > 1]
    width = max(map(len, lines))
    blank = [
        not titles[at : at + 1].strip()
        and sum(bool(line[at : at + 1].strip()) for line in lines) <= _LONG_NAMES * len(lines)
        for at in range(width)
    ]
    begun = [at for at in range(width) if not blank[at] and (at == 0 or blank[at - 1])]
    ends = [*begun[1:], width]
    return [0] + [at for at, end in zip(begun, ends, strict=True) if at and titles[at:end].strip()]


def _excel(content: bytes) -> Iterator[Sheet]:
    """
    Yield the sheets of an Excel workbook.

    A cell without text gets the name of its fill colour as its text. Text that is struck out is
    marked as in Markdown.

    Raises:
        RecordError: If a formula has no saved result.
    """
    openpyxl = import_extra("openpyxl", extra="sheets")
    # Read-only: one white cell far down would make millions of cells before it.
    results, formulas = (
        openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=only)
        for only in (True, False)
    )
    for sheet in results.worksheets:
        most = {"max_row": MOST_ROWS, "max_col": MOST_COLUMNS}
        written = formulas[sheet.title].iter_rows(**most, values_only=True)
        rows = []
        for cells, sources in zip(sheet.iter_rows(**most), written, strict=True):
            rows.append([_cell_text(cell) or _fill_colour(cell) for cell in cells])
            for cell, source in zip(cells, sources, strict=True):
                if cell.value is None and isinstance(source, str) and source.startswith("="):
                    raise RecordError(
                        f"sheet '{printable(sheet.title)}' has formulas without results: open it "
                        "in a spreadsheet, save it and import that"
                    )
        origin = f"sheet '{printable(sheet.title)}'"
        if (sheet.max_row or 0) > MOST_ROWS or (sheet.max_column or 0) > MOST_COLUMNS:
            origin = f"{origin}, up to row {MOST_ROWS:,} and column {letter(MOST_COLUMNS - 1)}"
        yield _sheet(rows, origin=origin, title=sheet.title)


def _cell_text(cell: Any) -> str:
    """Return the text of a cell; `~~Rope~~` if it is struck out."""
    text = "" if cell.value is None else str(cell.value)
    if isinstance(cell.value, datetime):  # `1/2`, which the spreadsheet took for a date
        text = f"{cell.value.month}/{cell.value.day}"
    struck = text and getattr(cell, "has_style", False) and cell.font.strike
    return f"~~{text}~~" if struck else text


def _fill_colour(cell: Any) -> str:
    """Return the fill colour of a cell, such as `green #70AD47`; empty for none or white."""
    if not getattr(cell, "has_style", False) or cell.fill.patternType != "solid":
        return ""
    colour = cell.fill.fgColor
    if colour.type == "rgb":
        code = str(colour.rgb)[-6:].upper()
        return "" if code == "FFFFFF" else f"{_colour_name(code)} #{code}"
    white = colour.type == "theme" and colour.theme == 0 and not colour.tint
    return "" if white else f"colour {colour.value} tint {colour.tint:g}"


_HUES = "red orange yellow green green green blue blue blue purple pink red"
"""The names of the hues, in steps of 30 degrees from 0."""


def _colour_name(code: str) -> str:
    """Return the plain name of the colour with a code such as `70AD47`."""
    hue, light, strength = colorsys.rgb_to_hls(*(part / 255 for part in bytes.fromhex(code)))
    if light < 0.1:
        return "black"
    if strength < 0.15:
        return "grey"
    return _HUES.split()[round(12 * hue) % 12]


_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def _open_document(content: bytes) -> Iterator[Sheet]:
    """Yield the sheets of an OpenDocument workbook, given its XML content."""
    for table in ElementTree.fromstring(content).iter(f"{_TABLE}table"):
        rows: list[list[str]] = []
        for line in table.iter(f"{_TABLE}table-row"):
            row: list[str] = []
            for cell in line:
                text = " ".join("".join(part.itertext()) for part in cell if part.tag[-2:] == "}p")
                times = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
                row += [text] * min(times, MOST_COLUMNS + 1 - len(row))
            times = int(line.get(f"{_TABLE}number-rows-repeated", "1"))
            rows += [row] * min(times, MOST_ROWS + 1 - len(rows))
        title = table.get(f"{_TABLE}name", "")
        yield _sheet(rows, origin=f"sheet '{printable(title)}'", title=title)
