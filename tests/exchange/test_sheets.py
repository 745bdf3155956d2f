"""Sheets as people keep them: read with at most one word more, or refused in one message."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from clue_solver import ClueError, load_edition
from clue_solver.exchange.grid import text_of_cell
from clue_solver.exchange.imports import Unclear
from clue_solver.exchange.pads import import_notes
from clue_solver.exchange.sheets import grids_of_workbook, workbook_of
from clue_solver.notation.lexicon import card_initials
from tests.exchange.reading import lines

CLASSIC = load_edition("clue-classic")
SEATS = ("Ann", "Ben", "Cat", "Dan")
HELD = {"Plum": "Ann", "Rope": "Ann", "Hall": "Ann", "Green": "Ben", "Knife": "Cat"}
FACTS = ["Ann knows Ben has Green", "Ann knows Cat has Knife"]
OWN = {"Ann knows Ann has Plum", "Ann knows Ann has Rope", "Ann knows Ann has Hall"}

Rows = list[list[str]]


def pad(*, has: str = "✓", head: str = "", mine: str = " (me)") -> Rows:
    """A plain pad: a tick for every card whose holder Ann knows."""
    rows = [[head, f"Ann{mine}", *SEATS[1:], "envelope"]]
    for name in CLASSIC.names:
        rows.append([name, *(has if HELD.get(name) == seat else "" for seat in SEATS), ""])
    return rows


def csv(rows: Rows, mark: str = ",") -> str:
    return "".join(mark.join(row) + "\n" for row in rows)


def markdown(rows: Rows) -> str:
    head, *rest = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join((head, "|" + "---|" * len(rows[0]), *rest, ""))


def facts(told: Any) -> None:
    """The notes tell who has what, and nothing else."""
    said = {line for line in lines(told) if " has " in line}
    assert {*FACTS} <= said
    assert said - {*FACTS} == OWN


TABLE = [
    ["asker", "suspect", "weapon", "room", "shower", "shown card"],
    ["Ann", "Green", "Rope", "Study", "Ben", "Green"],
    ["Ben", "Plum", "Knife", "Lounge", "Dan", ""],
    ["Cat", "White", "Wrench", "Kitchen", "nobody", ""],
]
TOLD = [
    "Ann suggests Green, Rope, Study: Ben shows Green",
    "Ben suggests Plum, Knife, Lounge: Cat passes, Dan shows",
    "Cat suggests White, Wrench, Kitchen: nobody shows",
]
PLAYERS: dict[str, Any] = {"players": SEATS, "edition": "clue-classic"}
HEADS = ["Who asked?", "Who", "With", "In", "Who showed?", "What I saw"]
ANSWERS = [
    [*TABLE[0][:4], *SEATS],
    ["Ann", "Green", "Rope", "Study", "", "showed Green", "", ""],
    ["Ben", "Plum", "Knife", "Lounge", "", "", "no", "yes"],
    ["Cat", "White", "Wrench", "Kitchen", "pass", "pass", "", "pass"],
]


def blocks() -> Rows:
    """A pad in three blocks side by side, as printed pads have them."""
    plain = pad()[1:]
    kinds = [plain[:6], plain[6:12], plain[12:]]
    empty = [""] * len(plain[0])
    names = ["Ann (me)", *SEATS[1:], "envelope"]
    head = [cell for title in ("Suspects", "Weapons", "Rooms") for cell in (title, *names, "")]
    rows = [head[:-1]]
    for at in range(9):
        parts = [kind[at] if at < len(kind) else empty for kind in kinds]
        rows.append([cell for part in parts for cell in (*part, "")][:-1])
    return rows


def sideways(rows: Rows) -> Rows:
    return [list(cells) for cells in zip(*rows, strict=True)]


def foot(rows: Rows, *more: list[str]) -> Rows:
    return [*rows, *([*each, *[""] * (len(rows[0]) - len(each))] for each in more)]


def spelt(rows: Rows) -> Rows:
    wrong = {"Plum": "Plumb", "Candlestick": "Candelstick", "Conservatory": "Conservtory"}
    return [[wrong.get(cell, cell) for cell in row] for row in rows]


def shortened(rows: Rows) -> Rows:
    """The same with the initials of cards for their names, where they have several words."""
    short = {name: text for text, name in card_initials(load_edition("clue-classic")).items()}
    return [[short.get(cell, cell) for cell in row] for row in rows]


PADS: list[tuple[str, Rows | str, dict[str, Any]]] = [
    ("plain", pad(), {}),
    ("without whose it is", pad(mine=""), {"viewer": "Ann"}),
    ("crosses", pad(has="X"), {"marks": {"x": "has"}}),
    ("sideways", sideways(pad()), {}),
    ("side by side", blocks(), {}),
    ("a total below", foot(pad(), [], ["Total", "3", "1", "1", "0", "0"]), {}),
    ("a legend below", foot(pad(has="X"), [], ["X = has it", "o = doesn't have it"]), {}),
    ("a legend in two cells", foot(pad(has="X"), ["Legend"], ["X", "has it"]), {}),
    ("a line below", foot(pad(), ["Played on Friday at Ben's house"]), {}),
    ("titles above", [["Friday night"], ["X means has it"], *pad(has="X")], {}),
    ("markdown", markdown(pad()), {}),
    ("markdown with a heading", "# Friday\n\n" + markdown(pad()) + "\nAt Ben's place.\n", {}),
    ("turns behind marks", pad(has="✓ (turn 5)"), {}),
    ("turns behind marks without brackets", pad(has="yes t5"), {}),
    ("initials", [["", *"ABCD", "envelope"], *pad()[1:]], {"viewer": "Ann", "players": SEATS}),
    ("initials of cards", shortened(pad()), {}),
    ("wrong spellings", spelt(pad()), {"mend": True}),
    ("notes aside", [[*row, "he blushed" * at] for at, row in enumerate(pad())], {"leave": [""]}),
]


@pytest.mark.parametrize(("rows", "said"), [each[1:] for each in PADS], ids=[p[0] for p in PADS])
def test_a_pad_as_people_keep_it_tells_who_has_what(
    tmp_path: Path, rows: Rows | str, said: dict[str, Any]
) -> None:
    path = tmp_path / "pad.csv"
    if said.get("leave"):
        assert isinstance(rows, list)
        rows[0][-1], said = "Mood", {"leave": ["Mood"]}
    path.write_text(rows if isinstance(rows, str) else csv(rows), "utf-8")
    facts(import_notes(path, **said))


def test_places_in_blocks_side_by_side_are_the_files_own(tmp_path: Path) -> None:
    path, rows = tmp_path / "pad.csv", blocks()
    path.write_text(csv(rows), "utf-8")
    told = [each for each in import_notes(path).understood if each.startswith("column ")]
    assert told[:2] == ["column B, 'Ann (me)': Ann", "column C, 'Ben': Ben"]
    rows[2][9] = "?!"
    path.write_text(csv(rows), "utf-8")
    with pytest.raises(Unclear, match=r"first in row 3, column J"):
        import_notes(path)


TABLES: list[tuple[str, str]] = [
    ("plain", csv(TABLE)),
    ("other titles", csv([HEADS, *TABLE[1:]])),
    (
        "initials",
        csv(
            [
                TABLE[0],
                *(
                    [
                        row[0][0],
                        *row[1:4],
                        row[4][:1].upper() if len(row[4]) == 3 else row[4],
                        row[5],
                    ]
                    for row in TABLE[1:]
                ),
            ]
        ),
    ),
    ("initials of cards", csv(shortened(TABLE))),
    ("a column for each player", csv(ANSWERS)),
    ("markdown", markdown(TABLE)),
    ("a title above", "Friday night,,,,,\n" + csv(TABLE)),
]


@pytest.mark.parametrize("text", [each[1] for each in TABLES], ids=[each[0] for each in TABLES])
def test_a_table_as_people_keep_it_tells_the_suggestions(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, "utf-8")
    assert lines(import_notes(path, **PLAYERS)) == TOLD


def test_the_seats_of_a_table_can_be_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(csv(ANSWERS), "utf-8")
    told = import_notes(path, edition="clue-classic")
    assert (told.record.table.seats, lines(told)) == (SEATS, TOLD)


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_workbooks_are_read_and_other_sheets_are_named(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"pad{ending}"
    path.write_bytes(workbook_of(pad(), ending=ending, title="Friday"))
    facts(told := import_notes(path))
    assert "sheet 'Friday' of a workbook" in told.understood[0]
    path.write_bytes(workbook_of(TABLE, ending=ending, title="Friday"))
    assert lines(import_notes(path, **PLAYERS)) == TOLD


def coloured(ending: str, *, text: str = "", more: bool = False) -> bytes:
    """A workbook of a pad whose marks are colours: green for what somebody has."""
    target = io.BytesIO()
    if ending == ".xlsx":
        from openpyxl import Workbook
        from openpyxl.styles import PatternFill

        book = Workbook()
        sheet = book.active
        assert sheet is not None
        for row in pad(has=text):
            sheet.append(row)
        for at, name in enumerate(CLASSIC.names, 2):
            if name in HELD:
                cell = sheet.cell(at, 2 + SEATS.index(HELD[name]))
                cell.fill = PatternFill("solid", fgColor="FF00B050")
        if more:
            book.create_sheet("Other").append(["bread", "2"])
            book.create_sheet("Second").append(["", "Ann", "Ben"])
            book["Second"].append(["Plum", "y", ""])
            book["Second"].append(["Rope", "y", ""])
        book.save(target)
        return target.getvalue()
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.style import Style, TableCellProperties
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    green = Style(name="green", family="table-cell")
    green.addElement(TableCellProperties(backgroundcolor="#00b050"))
    document.automaticstyles.addElement(green)
    table = Table(name="Friday")
    for row in pad(has=text):
        line = TableRow()
        for seat, each in zip(("", *SEATS, ""), row, strict=True):
            filled = HELD.get(row[0]) == seat
            cell = TableCell(valuetype="string", **({"stylename": green} if filled else {}))
            cell.addElement(P(text=each))
            line.addElement(cell)
        table.addElement(line)
    document.spreadsheet.addElement(table)
    document.write(target)
    return target.getvalue()


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_fill_colours_are_offered_as_marks(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"pad{ending}"
    path.write_bytes(coloured(ending))
    with pytest.raises(Unclear, match=r"'green' \(5 cells, first in row 7, column B") as caught:
        import_notes(path)
    assert caught.value.questions[0].marks == ("green",)
    facts(import_notes(path, marks={"green": "has"}))
    path.write_bytes(coloured(ending, text="✓"))
    told = import_notes(path)
    facts(told)
    assert any("fill colours of cells: green in 5" in each for each in told.aside)


def test_only_cells_that_exist_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from openpyxl import load_workbook
    from openpyxl.styles import PatternFill

    book = load_workbook(io.BytesIO(workbook_of(TABLE, ending=".xlsx", title="Friday")))
    book["Friday"].cell(15_000, 180).fill = PatternFill("solid", fgColor="FFFFFFFF")
    target = io.BytesIO()
    book.save(target)
    read: list[object] = []

    def noted(value: object) -> str:
        read.append(value)
        return text_of_cell(value)

    monkeypatch.setattr("clue_solver.exchange.sheets.text_of_cell", noted)
    (grid,) = grids_of_workbook(target.getvalue(), name="friday.xlsx")
    assert grid.rows == tuple(map(tuple, TABLE))
    assert len(read) == sum(bool(cell) for row in TABLE for cell in row) + 1


def test_cells_behind_repeated_empty_ones_stay_where_they_are() -> None:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    table = Table(name="Friday")
    table.addElement(TableRow(numberrowsrepeated=7))
    line = TableRow()
    line.addElement(TableCell(numbercolumnsrepeated=150))
    cell = TableCell(valuetype="string")
    cell.addElement(P(text="Plum"))
    line.addElement(cell)
    line.addElement(TableCell(numbercolumnsrepeated=16_000))
    table.addElement(line)
    table.addElement(TableRow(numberrowsrepeated=1_000_000))
    document.spreadsheet.addElement(table)
    target = io.BytesIO()
    document.write(target)
    (grid,) = grids_of_workbook(target.getvalue(), name="friday.ods")
    assert (len(grid.rows), len(grid.rows[7])) == (8, 151)
    assert grid.cell(7, 150) == "Plum"


def test_which_sheet_is_meant_is_asked_for_and_the_others_are_named(tmp_path: Path) -> None:
    path = tmp_path / "pad.xlsx"
    path.write_bytes(coloured(".xlsx", more=True))
    with pytest.raises(Unclear, match="the sheets 'Sheet', 'Second' have notes"):
        import_notes(path)
    told = import_notes(path, sheet="sheet", marks={"green": "has"})
    facts(told)
    assert {*told.aside} >= {"sheet 'Other', 1 rows", "sheet 'Second', 3 rows"}


def test_a_workbook_without_notes_is_told_what_its_first_sheet_lacks(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    for title, word in (("Shopping", "bread"), ("Cooking", "stew")):
        book.create_sheet(title).append([word, "2"])
    book.save(path := tmp_path / "lists.xlsx")
    with pytest.raises(ClueError, match=r"expected a pad .*; row 1 has bread, 2"):
        import_notes(path)


def test_a_damaged_workbook_and_another_archive_are_refused(tmp_path: Path) -> None:
    whole = workbook_of(pad(), ending=".xlsx", title="pad")
    for content in (whole[: len(whole) // 2], b"PK\x03\x04rest"):
        with pytest.raises(ClueError, match="damaged"):
            grids_of_workbook(content, name="pad.xlsx")


def refused(tmp_path: Path, text: str, **said: Any) -> str:
    path = tmp_path / "notes.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(ClueError) as caught:
        import_notes(path, **said)
    return str(caught.value)


CELL = "<table:table-cell table:number-columns-repeated='190'><text:p>x</text:p></table:table-cell>"
ROW = f"<table:table-row table:number-rows-repeated='9000'>{CELL}</table:table-row>"
SHEET = f"<table:table>{ROW}</table:table>"
BODIES = [
    (".xlsx", "<sheetData>", "<row/>" * 200_000, "at most 200,000 elements"),
    (".xlsx", "<sheetData>", "<row>" * 200, "100 in one another"),
    (".xlsx", "</sheetData>", "<mergeCells><mergeCell ref='A1:XFD999'/></mergeCells>", "merged"),
    (".xlsx", "<sheetData>", " " * 20_000_000, "at most 20,000,000 bytes"),
    (".ods", "</table:table>", "<table:table-row/>" * 200_000, "at most 200,000 elements"),
    (".ods", "<text:p>", '<text:s text:c="2000000000"/>', "at most 200,000 elements"),
    (".ods", "</office:spreadsheet>", SHEET * 2, "fewer cells with something in them"),
]


@pytest.mark.parametrize(("ending", "mark", "more", "told"), BODIES)
def test_what_a_workbook_holds_is_measured_before_it_is_read(
    ending: str, mark: str, more: str, told: str
) -> None:
    large = io.BytesIO()
    small = zipfile.ZipFile(io.BytesIO(workbook_of([["x"]], ending=ending, title="s")))
    with zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in small.namelist():
            text = small.read(name)
            if name in ("xl/worksheets/sheet1.xml", "content.xml"):
                before, found, after = text.decode().partition(mark)
                assert found
                parts = (
                    (before, more, mark, after) if mark[1] == "/" else (before, mark, more, after)
                )
                text = "".join(parts).encode()
            archive.writestr(name, text)
    assert len(large.getvalue()) < 200_000
    with pytest.raises(ClueError, match=told):
        grids_of_workbook(large.getvalue(), name=f"large{ending}")


def test_all_wrong_spellings_and_all_that_is_not_said_are_named_at_once(tmp_path: Path) -> None:
    message = refused(tmp_path, csv(spelt(pad(has="X", mine=""))))
    assert "'Plumb'; did you mean 'Professor Plum'" in message
    assert "'Candelstick'; did you mean 'Candlestick'" in message
    assert "'Conservtory'; did you mean 'Conservatory'" in message
    assert "take the proposed names, if you mean them" in message
    message = refused(tmp_path, csv(pad(has="X", mine="")))
    assert "what do these marks mean: 'x' (5 cells" in message
    assert "whose pad this is, Ann, Ben, Cat or Dan" in message


def test_unknown_columns_with_text_are_asked_for_and_nothing_is_lost_in_silence(
    tmp_path: Path,
) -> None:
    rows = [[*row, "late" if at else "Mood"] for at, row in enumerate(TABLE)]
    message = refused(tmp_path, csv(rows), **PLAYERS)
    assert "column G, 'Mood', with text in 3 cells: what is it" in message
    text = csv(rows)
    path = tmp_path / "table.csv"
    path.write_text(text, "utf-8")
    told = import_notes(path, leave=["mood"], **PLAYERS)
    assert "column G, 'Mood'" in told.aside
    json = '[{"by":"Ann","cards":["Plum","Rope","Hall"],"shower":"Ben"}]'
    assert "found other JSON" in refused(tmp_path, json, **PLAYERS)


def test_marks_in_players_columns_that_can_mean_this_or_that_are_asked_for(tmp_path: Path) -> None:
    rows = [ANSWERS[0], ["Ann", "Green", "Rope", "Study", "", "-", "-", "X"]]
    message = refused(tmp_path, csv(rows), **PLAYERS)
    assert "'-' (2 cells, first in row 2, column F), 'X' (1 cell" in message
    path = tmp_path / "table.csv"
    path.write_text(csv(rows), "utf-8")
    told = import_notes(path, marks={"-": "lacks", "x": "has"}, **PLAYERS)
    assert lines(told) == ["Ann suggests Green, Rope, Study: Ben passes, Cat passes, Dan shows"]


def test_a_pad_without_marks_says_so(tmp_path: Path) -> None:
    path = tmp_path / "pad.csv"
    path.write_text(csv(pad(has="")), "utf-8")
    with pytest.raises(ClueError, match="expected marks in the cells; found none"):
        import_notes(path)


def test_a_misspelt_card_below_the_others_is_no_footer(tmp_path: Path) -> None:
    rows = [[cell.replace("Study", "Stdy") for cell in row] for row in pad()]
    assert "unknown card 'Stdy'; did you mean 'Study'" in refused(tmp_path, csv(rows))


def test_cards_of_no_edition_are_named_up_to_eight(tmp_path: Path) -> None:
    head, *rows = pad()
    rows = [[f"zzq{at}" if at < 12 else row[0], *row[1:]] for at, row in enumerate(rows)]
    some = ", ".join(f"'zzq{at}'" for at in range(8))
    message = refused(tmp_path, csv([head, *rows]))
    assert f"clue-classic has no {some}; mend the names" in message


def test_where_two_editions_fit_they_are_told_apart_and_the_nearest_names_are_taken(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pad.csv"
    path.write_text(csv(pad()), "utf-8")
    told = import_notes(path)
    assert told.record.table.edition.name == "clue-classic"
    assert any(
        "clue-1996 fits too: the neighbour on the right answers first" in each
        for each in told.understood
    )
    british = [[{"Knife": "Dagger", "Wrench": "Spanner"}.get(c, c) for c in row] for row in pad()]
    path.write_text(csv(british), "utf-8")
    assert import_notes(path).record.table.edition.name == "cluedo-watson"
    few = csv([TABLE[0], ["Ann", "Plum", "Rope", "Hall", "Ben", "Rope"]])
    assert "Orchid for White" in refused(tmp_path, few, players=SEATS)
    whole = csv(
        [
            TABLE[0],
            *(
                [*"A", *cards, "Cat", ""]
                for cards in (
                    ("White", "Knife", "Hall"),
                    ("Plum", "Wrench", "Study"),
                    ("Green", "Lead Pipe", "Lounge"),
                )
            ),
        ]
    )
    assert "clue-1996: who had to answer differs" in refused(
        tmp_path, whole, players=SEATS
    ) or "say which edition it is" in refused(tmp_path, whole, players=SEATS)


def test_the_language_of_a_pad_is_asked_for_and_kept_in_its_record(tmp_path: Path) -> None:
    german = [[CLASSIC.printed(cell, "de") for cell in row] for row in pad()]
    for said in ({}, {"edition": "clue-classic"}):
        message = refused(tmp_path, csv(german), **said)
        assert "names of cards in another language (de): say which one it is" in message
    half = [
        [row[0] and f"zzq{at}" if at % 4 else row[0], *row[1:]] for at, row in enumerate(german)
    ]
    assert "'zzq1', 'zzq2', 'zzq3'" in refused(tmp_path, csv(half))
    path = tmp_path / "pad.csv"
    path.write_text(csv(german), "utf-8")
    facts(told := import_notes(path, names="de", edition="clue-classic"))
    assert told.record.table.language == "de"
    table = csv([[CLASSIC.printed(cell, "fr") for cell in row] for row in TABLE])
    assert "another language (fr)" in refused(tmp_path, table, **PLAYERS)
    path.write_text(table, "utf-8")
    assert lines(import_notes(path, names="fr", **PLAYERS)) == TOLD
