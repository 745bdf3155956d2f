"""
Workbooks, `.xlsx` and `.ods`: their sheets as grids with the colours that fill cells, and a grid
written as one. The libraries come with the extra `sheets` and are imported when they are wanted.
"""

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from xml.parsers import expat

from clue_solver.errors import RecordError, import_extra
from clue_solver.exchange.grid import MOST_COLUMNS, MOST_ROWS, Grid, bounded, cleaned, text_of_cell

_MOST_BYTES = 20_000_000
"""The most bytes that a workbook may unpack to."""

_MOST_ELEMENTS, _MOST_MERGED, _DEEPEST = 200_000, 100_000, 100
"""The most elements and merged cells in a workbook, and how deep elements may stand."""

_COLOURS = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "grey": (160, 160, 160),
    "red": (220, 40, 40),
    "pink": (250, 160, 180),
    "orange": (245, 150, 50),
    "yellow": (250, 230, 80),
    "green": (70, 170, 80),
    "lime": (160, 225, 130),
    "blue": (70, 110, 200),
    "sky": (150, 195, 235),
    "purple": (130, 70, 170),
    "brown": (140, 90, 50),
}
_THEME = (
    "FFFFFF",
    "000000",
    "E7E6E6",
    "44546A",
    "4472C4",
    "ED7D31",
    "A5A5A5",
    "FFC000",
    "5B9BD5",
    "70AD47",
)
"""The colours of the theme that spreadsheets begin with, in the order of their numbers."""


def is_workbook(content: bytes) -> bool:
    """Whether bytes are a workbook, or another file of the same kind of archive."""
    return content.startswith(b"PK\x03\x04")


def grids_of_workbook(content: bytes, *, name: str) -> tuple[Grid, ...]:
    """
    Return the sheets of a workbook that have anything in them; `RecordError` if it is none.

    Raises:
        MissingExtra: Without the library that reads it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
            _measure(archive, name)
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        ValueError,
        EOFError,
        OSError,
    ):
        raise RecordError("expected a workbook; found a damaged file", path=name) from None
    if "xl/workbook.xml" in names:
        sheets = _excel
        kind = ".xlsx"
    elif "content.xml" in names:
        sheets = _open_document
        kind = ".ods"
    else:
        raise RecordError(
            "expected a workbook (.xlsx, .ods); found an archive of another kind", path=name
        )
    import_extra(_LIBRARY[kind], extra="sheets")
    try:
        grids = list(sheets(content, name))
    except RecordError:
        raise
    except Exception as error:  # whatever a library says of a file that is damaged
        reason = f"expected a workbook that can be read; {type(error).__name__} in it"
        raise RecordError(reason, path=name) from None
    return tuple(bounded(grid) for grid in grids if any(map(any, grid.rows + grid.colours)))


def _measure(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse a workbook that would take long or much to read; nothing of it is kept."""
    if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
        raise RecordError(f"expected a workbook of at most {_MOST_BYTES:,} bytes", path=name)
    counted = Counter[str]()

    def started(tag: str, fields: dict[str, str]) -> None:
        counted.update(("elements", "depth"))
        _, _, tag = tag.rpartition(":")
        if tag == "mergeCell":
            counted["merged"] += _area(fields.get("ref", ""))
        elif tag == "s":  # so many spaces
            spaces = (value for field, value in fields.items() if field.endswith(":c"))
            counted["elements"] += sum(int(count) for count in spaces if count.isdecimal())
        if (
            counted["elements"] > _MOST_ELEMENTS
            or counted["merged"] > _MOST_MERGED
            or counted["depth"] > _DEEPEST
        ):
            raise RecordError(
                f"expected a workbook of at most {_MOST_ELEMENTS:,} elements, {_MOST_MERGED:,} "
                f"merged cells and {_DEEPEST} in one another; found more",
                path=name,
            )

    def ended(_tag: str) -> None:
        counted["depth"] -= 1

    for member in archive.namelist():
        parser = expat.ParserCreate()
        parser.StartElementHandler = started
        parser.EndElementHandler = ended
        with suppress(expat.ExpatError), archive.open(member) as file:  # who reads it says so
            parser.ParseFile(file)
        counted["depth"] = 0


_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})", re.IGNORECASE)


def _area(range_: str) -> int:
    """Return how many cells a range such as `A1:C3` has, about; 1 for what is none."""
    corners = _RANGE.fullmatch(range_)
    if corners is None:
        return 1
    left, right = (int(column, 36) for column in corners.group(1, 3))  # letters as digits
    return (right - left + 1) * (int(corners[4]) - int(corners[2]) + 1)


_LIBRARY = {".xlsx": "openpyxl", ".ods": "odf"}


Cells = dict[int, dict[int, tuple[str, str]]]
"""The text and the colour of each cell that has one, by row, then column, from 0."""


def _excel(content: bytes, name: str) -> Iterator[Grid]:
    from openpyxl import load_workbook

    formulas = load_workbook(io.BytesIO(content))
    for sheet in load_workbook(io.BytesIO(content), data_only=True).worksheets:
        cells: Cells = {}
        remarks = lost = 0
        written = formulas[sheet.title]._cells
        for place, cell in sheet._cells.items():  # all that exist: iter_rows makes those between
            row, column = place
            cells.setdefault(row - 1, {})[column - 1] = text_of_cell(cell.value), _fill(cell)
            if cell.comment is not None:
                remarks += 1
            if cell.value is None and written[place].data_type == "f":
                lost += 1
        if lost:
            raise RecordError(
                f"sheet '{sheet.title}': {lost} cells have formulas whose results are not in the "
                "file: open it in a spreadsheet, save it and import that",
                path=name,
            )
        yield _sheet(name, sheet.title, cells, remarks)


def _fill(cell: Any) -> str:
    """Return the name of the colour that fills a cell; empty for none and for white."""
    if cell.fill is None or cell.fill.patternType != "solid":
        return ""
    colour = cell.fill.fgColor
    if colour.type == "theme":
        return _named(_THEME[colour.theme]) if colour.theme < len(_THEME) else "grey"
    if colour.type == "indexed":
        from openpyxl.styles.colors import COLOR_INDEX

        known = colour.indexed < len(COLOR_INDEX)
        return _named(COLOR_INDEX[colour.indexed][-6:]) if known else ""
    return _named(str(colour.rgb)[-6:])


def _open_document(content: bytes, name: str) -> Iterator[Grid]:
    from odf import opendocument, teletype
    from odf.office import Annotation
    from odf.style import Style, TableCellProperties
    from odf.table import CoveredTableCell, Table, TableCell, TableRow
    from odf.text import P

    document = opendocument.load(io.BytesIO(content))
    fills = {
        style.getAttribute("name"): part.getAttribute("backgroundcolor") or ""
        for style in document.getElementsByType(Style)
        for part in style.getElementsByType(TableCellProperties)
    }
    room = (MOST_ROWS + 1) * (MOST_COLUMNS + 1)  # for all sheets together
    for table in document.spreadsheet.getElementsByType(Table):
        cells: Cells = {}
        row = remarks = 0
        for line in table.getElementsByType(TableRow):
            filled: dict[int, tuple[str, str]] = {}
            column = 0
            for cell in line.childNodes:
                if cell.qname not in (TableCell().qname, CoveredTableCell().qname):
                    continue
                notes = cell.getElementsByType(Annotation)
                remarks += len(notes)
                aside = {id(paragraph) for note in notes for paragraph in note.getElementsByType(P)}
                paragraphs = (
                    paragraph
                    for paragraph in cell.getElementsByType(P)
                    if id(paragraph) not in aside
                )
                text = cleaned(" ".join(map(teletype.extractText, paragraphs)))
                colour = fills.get(cell.getAttribute("stylename"), "").lstrip("#")
                fill = _named(colour) if len(colour) == 6 else ""
                end = column + int(cell.getAttribute("numbercolumnsrepeated") or 1)
                if text or fill:
                    filled |= dict.fromkeys(_within(column, end, MOST_COLUMNS), (text, fill))
                column = end
            end = row + int(line.getAttribute("numberrowsrepeated") or 1)
            if filled:
                rows = _within(row, end, MOST_ROWS)
                room -= len(rows) * len(filled)
                if room < 0:
                    raise RecordError("expected fewer cells with something in them", path=name)
                cells |= dict.fromkeys(rows, filled)
            row = end
        yield _sheet(name, table.getAttribute("name"), cells, remarks)


def _within(start: int, end: int, most: int) -> range:
    """Return places from `start` to before `end`; of those beyond the most that are read one."""
    return range(min(start, most), min(end, most + 1))


def _sheet(name: str, title: str, cells: Cells, remarks: int) -> Grid:
    """Return a sheet up to the last row and column with anything in them, one too many at most."""
    kinds = {id(line): line for line in cells.values()}  # rows that are repeated are one line
    told = {kind for kind, line in kinds.items() if any(map(any, line.values()))}
    last = max((row for row, line in cells.items() if id(line) in told), default=-1)
    used = (column for line in kinds.values() for column, cell in line.items() if any(cell))
    width = min(max(used, default=-1) + 1, MOST_COLUMNS + 1)
    nothing: dict[int, tuple[str, str]] = {}
    kinds[id(nothing)] = nothing
    lines = [id(cells.get(row, nothing)) for row in range(min(last, MOST_ROWS) + 1)]

    def written(part: int) -> tuple[tuple[str, ...], ...]:
        of_kind = {
            kind: tuple(line.get(column, ("", ""))[part] for column in range(width))
            for kind, line in kinds.items()
        }
        return tuple(of_kind[kind] for kind in lines)

    return Grid(
        name=name,
        rows=written(0),
        colours=written(1),
        told=f"sheet '{title}' of a workbook",
        aside=(f"remarks attached to {remarks} cells",) if remarks else (),
    )


def _named(colour: str) -> str:
    """Return the name of the nearest colour, from six hexadecimal digits; empty for white."""
    try:
        red, green, blue = bytes.fromhex(colour)
    except ValueError:
        return ""
    parts = {
        name: sum((a - b) ** 2 for a, b in zip(known, (red, green, blue), strict=True))
        for name, known in _COLOURS.items()
    }
    name = min(parts, key=parts.__getitem__)
    return "" if name == "white" else name


def title_of(grid: Grid) -> str:
    """Return the name of the sheet that a grid of a workbook is."""
    return grid.told.removeprefix("sheet '").rpartition("' of a workbook")[0]


def workbook_of(rows: Sequence[Sequence[str]], *, ending: str, title: str) -> bytes:
    """
    Return rows as a workbook with one sheet, as the ending `.xlsx` or `.ods` says.

    Every cell is text; the first row stays in sight.
    """
    import_extra(_LIBRARY[ending], extra="sheets")
    target = io.BytesIO()
    if ending == ".xlsx":
        from openpyxl import Workbook

        book = Workbook()
        sheet = book.active
        sheet.title = title
        sheet.freeze_panes = "B2"
        for row in rows:
            sheet.append([None] * len(row))
            for column, text in enumerate(row, 1):
                if text:
                    cell = sheet.cell(sheet.max_row, column)
                    cell.value = text
                    cell.data_type = "s"
        book.save(target)
    else:
        from odf.opendocument import OpenDocumentSpreadsheet
        from odf.table import Table, TableCell, TableRow
        from odf.text import P

        document = OpenDocumentSpreadsheet()
        table = Table(name=title)
        for row in rows:
            line = TableRow()
            for text in row:
                cell = TableCell(valuetype="string")
                cell.addElement(P(text=text))
                line.addElement(cell)
            table.addElement(line)
        document.spreadsheet.addElement(table)
        document.write(target)
    return target.getvalue()
