"""Notes of every kind: frames, records, what is neither, and what nobody would write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clue_solver import ClueError, Game, load, load_edition
from clue_solver.exchange.export import export_pad, export_suggestions
from clue_solver.exchange.imports import import_notes
from clue_solver.record import format_record, parse_record, save, to_jsonl
from clue_solver.rules.observations import Accusation, Hand, Knowing, Suggestion

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
    with pytest.raises(ClueError, match="found bread, 2"):
        import_notes(path)
    with pytest.raises(ClueError, match="No such file"):
        import_notes(tmp_path / "none.csv")


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
