"""Import, export and merge as a person or a script meets them."""

from __future__ import annotations

import json
from pathlib import Path

from clue_solver import load
from tests.faces.test_cli import EXAMPLES, run

PAD, TABLE = EXAMPLES / "pad.csv", EXAMPLES / "suggestions.csv"
CLASSIC = ("--edition", "clue-classic")
FOUR = (*CLASSIC, "--players", "Ann,Ben, Cat,Dan")
COLUMNS = "card,Ann,Ben,Cat,Dan,envelope,remark"
SAID = (*CLASSIC, "--columns", COLUMNS, "--marks", "numbers=either-or", "--viewer", "Ann")

ANN = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard
"""
BEN = """\
edition: clue-classic
players: Ben, Cat, Ann
viewer: Ben

Ben holds White, Peacock, Revolver, Conservatory, Library, Ballroom
Ann suggests Mustard, Wrench, Lounge: ?
Ben suggests Scarlett, Rope, Kitchen: Cat shows Kitchen
"""


def written(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / f"{name}.clue").write_text(text, "utf-8")
    return [folder / f"{name}.clue" for name in texts]


def test_notes_become_a_record_and_what_was_understood_is_said(tmp_path: Path) -> None:
    target = tmp_path / "evening.clue"
    result = run("import", PAD, "-o", target, *SAID)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "✓ has (8)" in result.stderr
    assert "Notes remark (1)" in result.stderr
    assert f"{target} written: 8 entries" in result.stderr
    assert load(target).report().verdict("Revolver", "Ben") == "holds"
    told = json.loads(run("import", PAD, "--json", *SAID).stdout)
    assert (told["kind"], told["viewer"], told["entries"], told["conflict"]) == (
        *("pad", "Ann", 8, None),
    )
    marks = [item for item in told["items"] if item["argument"] == "marks"]
    assert ("1", "either-or", 3) in [(m["about"], m["guess"], m["cells"]) for m in marks]
    assert told["record"] == target.read_text("utf-8")
    again = run("import", PAD, "--json", *SAID, "-o", target, "--force")
    assert json.loads(again.stdout).keys() == told.keys() - {"record"}
    result = run("import", "-", *FOUR, "--viewer", "ann", stdin=TABLE.read_bytes())
    assert result.stdout.startswith("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\n")
    assert "shower" in result.stderr
    assert "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall\n" in result.stdout


def test_pads_and_tables_are_written_for_spreadsheets_and_read_back(tmp_path: Path) -> None:
    pad, back, game = tmp_path / "pad.csv", tmp_path / "back.clue", EXAMPLES / "two_players.clue"
    assert run("export", game, "-o", pad, "--upto", "9").exit_code == 0
    assert pad.read_bytes().startswith(b"\xef\xbb\xbfclue-2015,Kim (me),Lee,face-down Hall,")
    assert run("import", pad, "-o", back).exit_code == 0
    assert load(back).report().verdicts.tolist() == load(game).report(upto=9).verdicts.tolist()
    game = EXAMPLES / "classic.clue"
    for name in ("table.csv", "table.xlsx"):
        result = run("export", game, "--as", "suggestions", "-o", tmp_path / name)
        assert result.exit_code == 0
        assert "left out: entry 1" in result.stderr
        result = run("import", tmp_path / name, *FOUR, "--viewer", "Ann", "--json")
        lines = json.loads(result.stdout)["record"].splitlines()
        asked = [line.partition("  #")[0] for line in lines if " suggests " in line]
        assert asked == [line for line in load(game).lines if " suggests " in line]
    assert (tmp_path / "table.xlsx").read_bytes().startswith(b"PK")
    result = run("export", game, "--viewer", "spec", "--upto", "3")
    assert result.stdout.startswith("clue-classic,Ann,Ben,Cat,Dan,envelope\n")
    assert "Knife,?,?,?,?,?\n" in result.stdout


def test_notebooks_are_merged(tmp_path: Path) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=BEN)
    full = tmp_path / "full.clue"
    result = run("import", ann, ben, "-o", full)
    assert result.exit_code == 0
    assert "2 notebooks, 4 entries in all" in result.stderr
    assert load(full).table.viewer is None
    assert load(full).lines[2] == ANN.splitlines()[-1]
    told = json.loads(run("import", ann, ben, "--json").stdout)
    assert told["entries"] == 4
    assert told["record"] == full.read_text("utf-8")


def test_sheets_of_two_games_are_not_laid_together(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["card", "Ann (me)", "Ben"])
    book.active.append(["Plum", "yes", "no"])
    book.active.append(["Rope", "no", "yes"])
    turns = book.create_sheet("Turns")
    turns.append(["asker", "suspect", "weapon", "room", "shower", "shown"])
    turns.append(["Ann", "Green", "Rope", "Hall", "Ben", "Rope"])
    old = book.create_sheet("Old")
    old.append(["card", "Ann (me)", "Ben"])
    old.append(["Plum", "no", "yes"])
    old.append(["Rope", "no", "yes"])
    path, target = tmp_path / "book.xlsx", tmp_path / "game.clue"
    book.save(path)
    sheets = (*CLASSIC, "--players", "Ann,Ben", "--sheet")
    assert run("import", path, *CLASSIC).exit_code == 2
    assert run("import", path, "-o", target, *sheets, "Sheet,Turns").exit_code == 0
    assert load(target).lines[-1] == "Ann suggests Green, Rope, Hall: Ben shows Rope"
    result = run("import", path, *sheets, "Sheet,Old")
    assert (result.exit_code, result.stdout) == (3, "")
