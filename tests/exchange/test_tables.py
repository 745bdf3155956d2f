"""Files as tables of text: encodings, what parts the columns, workbooks, what is too large."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import PatternFill
from openpyxl.styles.colors import Color

from clue_solver.errors import RecordError
from clue_solver.exchange.imports import import_notes
from clue_solver.exchange.tables import decode, lines_in, sheet_of_text, sheets_in

ROWS = (("card", "Ann", "Ben"), ("Plum", "1, 2", "x"), ("Rope", "", ""))


@pytest.mark.parametrize("mark", [",", ";", "|", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_whatever_parts_the_columns_the_cells_are_the_same(mark: str, end: str) -> None:
    cells = (mark.join(f'"{cell}"' if "," in cell else cell for cell in row) for row in ROWS)
    assert sheet_of_text(end.join(cells)).rows == ROWS


def test_commas_inside_cells_do_not_part_columns_that_semicolons_part() -> None:
    text = "asker;cards;shower\nAnn;Plum, Rope, Hall;Ben\nBen;Plum, Rope, Study;Cat\n"
    assert sheet_of_text(text).rows[1] == ("Ann", "Plum, Rope, Hall", "Ben")
    assert sheet_of_text("sep=;\r\ncard;Ann\r\nPlum;1,2\r\n").rows[1] == ("Plum", "1,2")


def test_columns_of_spaces_and_markdown_are_tables() -> None:
    spaces = """\
card        Ann  Ben
Lead Pipe   x    y
Hall             x
Rope        x    x
Knife       x
Study       x
said on Friday at Ben's
"""
    rows = sheet_of_text(spaces).rows
    assert rows[:3] == (("card", "Ann", "Ben"), ("Lead Pipe", "x", "y"), ("Hall", "", "x"))
    assert rows[-1] == ("said on Friday at Ben's", "", "")
    marked = "# Notes\n| card | **Ann** |\n|:-:|---|\n| Plum \\| Rope | x |\n"
    assert sheet_of_text(marked).rows == (("Notes", ""), ("card", "Ann"), ("Plum | Rope", "x"))


def test_lines_of_a_file_of_one_column_lose_their_quotes() -> None:
    assert lines_in('"Ann: Plum, Rope"\n"Ben ""B"" asks"\n') == ("Ann: Plum, Rope", 'Ben "B" asks')


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_an_encoding_is_found(encoding: str) -> None:
    assert decode("José,x".encode(encoding), name="pad.csv")[0] == "José,x"


def book(**cells: object) -> bytes:
    """An Excel workbook with these cells; a colour fills its cell."""
    workbook = openpyxl.Workbook()
    for place, value in cells.items():
        cell = workbook.active[place]
        if isinstance(value, Color):
            cell.fill = PatternFill("solid", fgColor=value)
        else:
            cell.value = value
    target = io.BytesIO()
    workbook.save(target)
    return target.getvalue()


def test_two_tints_of_one_colour_are_two_marks() -> None:
    light, dark = (Color(theme=9, tint=tint) for tint in (0.6, -0.25))
    content = book(A1="card", A2="Plum", B2=light, C2=dark, D2=Color(theme=0, tint=-0.25))
    (sheet,) = sheets_in(content, name="pad.xlsx")
    colours = sheet.rows[1][1:]
    assert colours == ("green #C5E0B4", "green #548235", "grey #BFBFBF")


def test_a_formula_without_its_result_is_refused() -> None:
    with pytest.raises(RecordError, match="formulas without results"):
        sheets_in(book(A1="=1+1"), name="pad.xlsx")


def test_one_cell_far_down_makes_no_others_and_what_is_not_read_is_told() -> None:
    (sheet,) = sheets_in(book(A1="card", XFD1048576="x"), name="pad.xlsx")
    assert sheet.rows == (("card",),)
    assert sheet.told == "sheet 'Sheet', up to row 2,000 and column GR"


def archive(name: str, content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, content)
    return target.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive("xl/workbook.xml", b" " * 6_000_000), "at most 5,000,000 bytes"),
        (archive("content.xml", b" " * 6_000_000), "at most 5,000,000 bytes"),
        (b"x" * 6_000_000, "at most 4 MiB"),
        (archive("content.xml", b"<a>"), "ParseError in it"),
        (archive("word.xml", b"<a/>"), "KeyError in it"),
        (b"PK\x03\x04rest", "damaged file"),
        (b"\xd0\xcf\x11\xe0rest", "save the sheet as CSV"),
        (b"a\0b", "expected text"),
        (b"a," * 300, "at most 2,000 rows and 200 columns"),
    ],
    ids=("xlsx", "ods", "text", "broken", "word", "cut", "xls", "binary", "wide"),
)
def test_what_is_no_table_or_too_large_is_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "pad").write_bytes(content)
    with pytest.raises(RecordError, match=message):
        import_notes(tmp_path / "pad")
