"""
Notes of every kind: frames, records, what is neither, and what nobody would write.

Files as tables of text: encodings, what parts the columns, workbooks, what is too large. A pad
written and read back: everything certain and every open either-or survives.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.styles import PatternFill
from openpyxl.styles.colors import Color

from clue_solver import ClueError, Game, load, load_edition
from clue_solver.errors import RecordError
from clue_solver.exchange.export import export_pad, export_suggestions
from clue_solver.exchange.imports import import_notes
from clue_solver.exchange.tables import decode, lines_in, sheet_of_text, sheets_in
from clue_solver.record.clue import format_record
from clue_solver.record.files import parse_record, save
from clue_solver.record.jsonl import to_jsonl
from clue_solver.rules.observations import Accusation, Hand, Knowing, Suggestion
from clue_solver.rules.table import SPECTATOR
from tests.games.test_recorded import NAMES, RECORDED
from tests.strategies import games

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLASSIC = load_edition("clue-classic")


@pytest.mark.parametrize("name", ["game.clue", "game.jsonl", "game.txt"])
def test_a_record_is_checked_and_given_back(tmp_path: Path, name: str) -> None:
    record = load(EXAMPLES / "classic.clue").record
    save(record, tmp_path / name)
    imported = import_notes(tmp_path / name)
    assert ("record", record.observations) == (imported.kind, imported.record.observations)
    with pytest.raises(ClueError, match="already states the edition, the players and so on"):
        import_notes(tmp_path / name, viewer="Ann")


def test_what_is_neither_pad_nor_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("bread,2\nmilk,1\n")
    with pytest.raises(ClueError, match="found none: say what each column is"):
        import_notes(path)
    with pytest.raises(ClueError, match="No such file"):
        import_notes(tmp_path / "none.csv")


PAD = (
    "card,Ann (me),Ben,remark\nSuspects,,,\nPlum,yes,no,sure\nRope,no,yes,#1, he said\nHall,,,odd\n"
)
ASKED = "asker,cards,shower\nAnn,Plum Rope Hall,Ben\nBen,Plum Knife Hall,Ann\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (PAD, "pad"),
        ("card,holder\nPlum,Ann\nRope,Ben\nHall,Ann\n", "list"),
        (ASKED, "suggestions"),
        (f"{PAD}Study,no,yes\n\n{ASKED}", "mixed"),
    ],
)
def test_the_kind_of_notes_is_told(text: str, kind: str) -> None:
    players = ("Ann", "Ben")
    notes = import_notes(text, edition=CLASSIC, players=players, viewer="Ann", guess=True)
    assert notes.kind == kind


def test_the_remarks_of_a_pad_are_comments_where_something_is_known_of_the_card() -> None:
    notes = import_notes(PAD.replace("#1, he", "#1 he"), edition=CLASSIC, guess=True)
    comments = {entry.comment for entry in notes.record.entries} - {""}
    assert comments == {"Plum: sure", "Rope: 1 he said"}
    assert notes.aside == ("the remark about Hall: odd",)
    assert [item.cells for item in notes.items if item.about == "card"] == [3]


def test_two_columns_of_one_player_are_refused() -> None:
    with pytest.raises(ClueError, match="two columns are read as Ben: give them different titles"):
        import_notes("card,Ann (me),Ben,Ben\nPlum,✓,·,·\nRope,·,✓,\n", edition=CLASSIC, guess=True)


def test_an_edition_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(
        'extends = "clue-classic"\ntitle = "House"\n[replace]\nPlum = { name = "Pflaume" }\n'
    )
    (tmp_path / "pad.csv").write_text("card,Ann,Ben\nPflaume,y,\nRope,,y\n")
    house = str(tmp_path / "house.toml")
    record = import_notes(tmp_path / "pad.csv", edition=house, viewer="Ann", guess=True).record
    assert "Ann knows Ann has Pflaume" in format_record(record)


def test_a_pad_says_what_it_cannot_hold() -> None:
    record = parse_record(
        "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
        "Ben accuses Plum, Rope, Hall: wrong\nAnn knows envelope lacks Knife\n"
    )
    pad = export_pad(Game(record))
    assert pad.left_out == (1,)
    assert ("Knife", "?", "?", "?", "·") in pad.rows
    assert export_pad(Game(record), upto=0).left_out == ()
    assert export_suggestions(Game(record)).left_out == (2,)


@pytest.mark.parametrize("name", ["table.csv", "table.xlsx"])
def test_a_table_of_suggestions_survives(tmp_path: Path, name: str) -> None:
    game = load(EXAMPLES / "classic.clue")
    table = export_suggestions(game)
    content = table.to_workbook() if name.endswith("x") else table.to_csv().encode()
    (tmp_path / name).write_bytes(content)
    seats = game.table.seats
    said: dict[str, Any] = {"edition": "clue-classic", "viewer": "Ann", "players": seats}
    back = import_notes(tmp_path / name, **said).record.observations
    told = [each for each in game.observations if not isinstance(each, Hand | Knowing)]
    assert [each for each in told if isinstance(each, Suggestion | Accusation)] == [*back]


def test_frames_of_pads_and_suggestions_are_read_as_their_files_are() -> None:
    pandas = pytest.importorskip("pandas")
    pad = pandas.read_csv(EXAMPLES / "pad.csv").rename(columns={"Unnamed: 0": "card"})
    marks = {"numbers": "either-or"}
    said: dict[str, Any] = {"edition": CLASSIC, "marks": marks, "guess": True}
    for frame in (pad, pad.set_index("card")):
        expected = import_notes(EXAMPLES / "pad.csv", **said).record
        assert expected == import_notes(frame, **said).record
    table = pandas.read_csv(EXAMPLES / "suggestions.csv", sep=";")
    said |= {"players": ("Ann", "Ben", "Cat", "Dan"), "viewer": "Ann", "marks": {}}
    expected = import_notes(EXAMPLES / "suggestions.csv", **said).record
    assert import_notes(table, **said).record == expected
    with pytest.raises(ClueError, match="expected a file's path or a pandas frame; found list"):
        import_notes([["Plum"]])


CELLS = (
    "||Plum|Rope|Hall|Ann|Ben|card|asker|cards|suspect|weapon|room|shower|shown|envelope|table|"
    'face-down Hall|hand size|Ann (me)|1|2 3|x|✓|?|no|-|Suspects|nobody|a,b|quo"te|é|\x1b[0m|'
    "Plum, Rope, Hall|face-down|(me)|0|99999999999|Weapons|passes|answers"
)
WORDS = st.sampled_from(CELLS.split("|"))


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), max_size=7), st.sampled_from(",;\t"))
def test_whatever_the_cells_hold_they_are_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], mark: str
) -> None:
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    path.write_text("\n".join(map(mark.join, rows)), "utf-8")
    options: tuple[dict[str, Any], ...] = (
        {},
        {"edition": CLASSIC, "players": ("Ann", "Ben"), "viewer": "Ann"},
    )
    for said in options:
        record, message = None, ""
        try:
            record = import_notes(path, guess=True, **said).record
        except ClueError as error:
            message = str(error)
        assert (record is None) == bool(message)
        assert "\x1b" not in message
        if record is not None:
            assert record.observations == parse_record(to_jsonl(record)).observations


@given(st.binary(max_size=80))
def test_whatever_the_bytes_are_they_are_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    path.write_bytes(content)
    with pytest.raises(ClueError) as caught:
        import_notes(path)
    assert str(caught.value)


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
    white, black = Color(rgb="FFFFFFFF"), Color(rgb="FF000000")
    content = book(A1="a", B1=light, C1=dark, D1=Color(theme=0), E1=white, F1=black, G1="x")
    (sheet,) = sheets_in(content, name="pad.xlsx")
    colours = ("colour 9 tint 0.6", "colour 9 tint -0.25", "", "", "black #000000")
    assert sheet.rows == (("a", *colours, "x"),)


def test_a_formula_without_its_result_is_refused() -> None:
    with pytest.raises(RecordError, match="formulas without results"):
        sheets_in(book(A1="=1+1"), name="pad.xlsx")


def test_one_cell_far_down_makes_no_others_and_what_is_not_read_is_told() -> None:
    (sheet,) = sheets_in(book(A1="card", XFD1048576="x"), name="pad.xlsx")
    assert sheet.rows == (("card",),)
    assert sheet.origin == "sheet 'Sheet', up to row 2,000 and column GR"


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
        (archive("content.xml", b"<a>"), "a damaged file .ParseError"),
        (archive("word.xml", b"<a/>"), "a damaged file .KeyError"),
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


def read_back(
    game: Game, folder: Path, *, viewer: str | None = None, upto: int | None = None
) -> Game:
    """The game that the pad of a viewer is."""
    path = folder / "pad.csv"
    path.write_text(export_pad(game, viewer=viewer, upto=upto).to_csv(), "utf-8")
    named = viewer or game.table.viewer
    whose = game.table.seats[0] if named in (None, SPECTATOR) else named
    return Game(import_notes(path, edition=game.table.edition, viewer=whose).record)


@given(games())
def test_the_pad_of_any_viewer_read_back_is_the_same_and_makes_the_same_certain(
    tmp_path_factory: pytest.TempPathFactory, game: Game
) -> None:
    folder = tmp_path_factory.mktemp("pads")
    for viewer in (game.table.seats[0], SPECTATOR):
        back = read_back(game, folder, viewer=viewer)
        assert back.table.cards == game.table.cards
        assert back.table.holders == game.table.holders
        assert back.report().verdicts.tolist() == game.report(viewer=viewer).verdicts.tolist()
        if viewer != SPECTATOR:
            assert export_pad(back).rows == export_pad(game, viewer=viewer).rows


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded games are not here")
@pytest.mark.parametrize("name", NAMES)
def test_the_pads_of_a_recorded_game_survive(name: str, tmp_path: Path) -> None:
    game = load(RECORDED / f"{name}.clue")
    for upto in range(1, len(game.observations), 5):
        back = read_back(game, tmp_path, upto=upto)
        expected = game.report(upto=upto).verdicts
        assert expected.tolist() == back.report().verdicts.tolist()


AWKWARD = (
    "Open I Sol E Key Total Notes Owner With Final Me Mine Who No Cards Plum Rope Hall 1 2 ? ✓ - "
    "Ann_no not_Ann Case_file My_hand Who_has_it a;b a|b"
)


@pytest.mark.parametrize("name", [name.replace("_", " ") for name in AWKWARD.split()])
@pytest.mark.parametrize("edition", ["clue-classic", "clue-1996"])
def test_a_pad_of_ones_own_keeps_every_name_and_its_edition_without_a_question(
    name: str, edition: str
) -> None:
    header = f"edition: {edition}\nplayers: A, {name}, Nr\nface-down: Study\n"
    for viewer in ("A", name):
        hand = Hand(seat=viewer, cards=("Plum", "Rope", "Hall", "Lounge", "Green"))
        asks = Suggestion(by="Nr", cards=("White", "Knife", "Ballroom"), answers=())
        record = parse_record(f"{header}viewer: {viewer}\n\n").append(hand).append(asks)
        pad = export_pad(Game(record))
        notes = import_notes(pad.to_csv())
        assert notes.record.table == record.table
        assert notes.questions == ()
        assert export_pad(Game(notes.record)).rows == pad.rows
