"""Files as rows and columns: encodings, what parts the columns, frames."""

from __future__ import annotations

import pytest

from clue_solver.errors import RecordError
from clue_solver.exchange.grid import Grid, decoded, grid_of, place

ROWS = (("card", "Ann", "Ben"), ("Plum", "1, 2", "x"), ("Rope", "", ""))


@pytest.mark.parametrize(("mark", "title"), [(",", "commas"), (";", "semicolons"), ("|", "bars")])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_whatever_parts_the_columns_the_cells_are_the_same(mark: str, title: str, end: str) -> None:
    cells = (mark.join(f'"{cell}"' if "," in cell else cell for cell in row) for row in ROWS)
    grid = grid_of(end.join(cells), name="pad.csv")
    assert grid.rows == ROWS
    assert grid.told == f"UTF-8, {title} between the columns"


def test_tabs_part_columns_with_empty_cells() -> None:
    assert grid_of("\n".join(map("\t".join, ROWS)), name="pad.txt").rows == ROWS


def test_commas_inside_cells_do_not_part_columns_that_semicolons_part() -> None:
    text = "asker;cards;shower\nAnn;Plum, Rope, Hall;Ben\nBen;Plum, Rope, Study;Cat\n"
    assert grid_of(text, name="table.csv").rows[1] == ("Ann", "Plum, Rope, Hall", "Ben")


def test_a_first_line_may_say_what_parts_the_columns() -> None:
    grid = grid_of("sep=;\r\ncard;Ann\r\nPlum;1,2\r\n", name="pad.csv")
    assert grid.rows == (("card", "Ann"), ("Plum", "1,2"))
    assert grid.told == "UTF-8, what its first line says between the columns"


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("cp1252", "Windows-1252 (it is not UTF-8)"),
    ],
)
def test_an_encoding_is_found_and_said(encoding: str, said: str) -> None:
    assert decoded("José,x".encode(encoding), name="pad.csv") == ("José,x", said)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04rest", "save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0rest", "save the sheet as CSV"),
        (b"a\0b", "not text"),
        (b"\xff\xfea", "expected UTF-16 text"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        decoded(content, name="pad.xlsx")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found an empty file"),
        (" \n\n", "found an empty file"),
        ("Plum\nRope\n", "expected columns"),
        ('a,b\n"c,d', "expected a CSV file"),
        ("a," * 300 + "\n", "at most 10,000 rows and 200 columns"),
    ],
)
def test_what_is_no_table_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        grid_of(text, name="pad.csv")


def test_places_are_named_as_a_spreadsheet_names_them() -> None:
    assert place(4, 27) == "row 5, column AB"
    assert place(None, 25) == "column Z"
    with pytest.raises(RecordError, match=r"^pad\.csv: row 1, column A: odd$"):
        Grid(name="pad.csv", rows=()).refuse("odd", 0, 0)
