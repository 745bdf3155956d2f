"""Import, export and merge as a person or a script meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clue_solver import load
from clue_solver.faces.commands import shared
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


def unclear(folder: Path) -> Path:
    """Return the example pad without whose it is and what its ticks mean."""
    pad = folder / "pad.csv"
    pad.write_text(PAD.read_text("utf-8").replace(" (me)", "").replace("✓", "x"), "utf-8")
    return pad


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


REFUSED = {
    "TABLE": "--players '?'",
    "PAD": "--edition '?'",
    "PAD --edition clue-classic": "--columns 'Ann (me)=Ann,Ben=Ben,Cat=Cat,Dan=Dan'",
    "PAD --edition clue-classic --marks X": "'--marks': expected 'X=...'; found 'X'",
    "PAD --edition clue-classic --marks ✓=lack|it": "unknown meaning 'lack it'",
    "PAD --edition clue-classic --leave Cellar": "no 'Cellar' stands in these notes (--leave)",
    "PAD --edition clue-classic --hands 5,five": "expected numbers and ?",
    "PAD --edition clue-classic --face-down Pool|0": "expected a name and a count",
    "PAD --edition clue-classic --viewer Eve": "unknown player 'Eve'",
    "PAD --edition clue-clasic": "did you mean 'clue-classic'",
    "PAD --edition clue-classic --players Ann,Ben": "what is 'Cat', with marks in 3 cells?",
    "TABLE --edition clue-classic --players Ann,Ben,Cat,Dan --hand Plum": "say whose hand this is",
    "SVG --edition clue-classic": "expected",
    "none.csv": "No such file",
    "UNCLEAR": "--viewer '?'",
    "UNCLEAR --viewer Ann": "--marks 'x=?,1=?,2=?'",
}


@pytest.mark.parametrize(("line", "told"), REFUSED.items())
def test_what_cannot_be_used_is_said_and_nothing_is_written(
    tmp_path: Path, line: str, told: str
) -> None:
    files = {"PAD": PAD, "TABLE": TABLE, "SVG": EXAMPLES / "play.svg", "UNCLEAR": unclear(tmp_path)}
    words = [files.get(word) or word.replace("|", " ") for word in line.split()]
    result = run("import", *words, "-o", tmp_path / "game.clue")
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert [*tmp_path.iterdir()] == [files["UNCLEAR"]]


def test_a_file_that_is_there_and_a_pad_that_no_deal_fits_need_force(tmp_path: Path) -> None:
    (game,) = written(tmp_path, game=ANN)
    result = run("import", PAD, *SAID, "-o", game)
    assert (result.exit_code, game.read_text("utf-8")) == (2, ANN)
    assert "--force overwrites it" in result.stderr
    assert run("import", PAD, *SAID, "-o", game, "--force").exit_code == 0
    assert "Ann knows Ben has Revolver" in game.read_text("utf-8")
    target, pad = tmp_path / "other.clue", tmp_path / "pad.csv"
    text = PAD.read_text("utf-8").replace("Green,,✗,,,?", "Green,,✗,✗,✗,✗")
    pad.write_text(text, "utf-8")
    result = run("import", pad, *SAID, "-o", target)
    assert (result.exit_code, target.exists()) == (3, False)
    assert "Ann knows Ben lacks Green, Rope" in result.stderr
    assert "can't all be true" in result.stderr
    assert run("import", pad, *SAID, "-o", target, "--force").exit_code == 3
    assert run("check", target).exit_code == 3


def test_a_column_that_is_left_aside_may_have_any_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, game = tmp_path / "table.csv", tmp_path / "game.clue"
    table.write_text("asker,cards,shower,Ben's hunch\nAnn,Plum Rope Hall,Cat,Rope!\n", "utf-8")
    monkeypatch.setattr(shared, "on_terminal", lambda: True)
    words = (*CLASSIC[:2], "--players", "Ann,Ben,Cat", "--viewer", "Ann", "-o", game)
    result = run("import", table, *words, stdin="9\ny\n")
    assert result.exit_code == 0, result.stderr
    assert "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows" in game.read_text("utf-8")


@pytest.mark.parametrize("kept", [True, False])
def test_a_person_is_asked_and_shown_the_reading_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    game, pad = tmp_path / "game.clue", unclear(tmp_path)
    monkeypatch.setattr(shared, "on_terminal", lambda: True)
    result = run(
        *("import", pad, "-o", game),
        stdin=f"clue-classic\nhas\n6\n6\nAnn\n{'y' if kept else 'n'}\n",
    )
    assert "x has (8)" in result.stderr
    assert ("nothing was written" in result.stderr, game.exists()) == (not kept, kept)


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


def test_what_a_pad_cannot_hold_is_told_and_a_clash_has_none(tmp_path: Path) -> None:
    for line, status, told in (
        ("Ben accuses Mustard, Wrench, Kitchen: wrong\n" * 2, 0, ""),
        ("Ben accuses White, Wrench, Kitchen: wrong\n", 0, "left out: entry 3; a pad cannot say"),
        ("Ben suggests Plum, Rope, Hall: Cat passes, Ann passes\n", 3, "can't both be true"),
    ):
        (game,) = written(tmp_path, game=ANN + line)
        result = run("export", game)
        assert (result.exit_code, bool(result.stderr)) == (status, bool(told))
        assert told in result.stderr


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


def test_a_player_with_two_names_is_told_or_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=BEN.replace("Cat", "Kit"))
    full = tmp_path / "full.clue"
    assert run("import", ann, ben, "-o", full, "--called", "Kit=Cat").exit_code == 0
    told = full.read_text("utf-8")
    monkeypatch.setattr(shared, "on_terminal", lambda: True)
    asked = run("import", ann, ben, "-o", full, "--force", stdin="Cat\n")
    assert "ben.clue: who is Kit in ann.clue?" in asked.stderr
    assert full.read_text("utf-8") == told
    assert run("import", ann, "--called", "Kit=Cat").exit_code == 2


MERGED = {
    "a disagreement": (
        BEN.replace("Lounge: ?", "Lounge: Ben shows"),
        2,
        "entry 2 of ann.clue says",
    ),
    "editions": (BEN.replace("classic", "1996"), 2, "edition: ann.clue says clue-classic"),
    "players": (BEN.replace("Cat", "Kit"), 2, "players: ann.clue says Ann, Ben, Cat"),
    "no header": ("Ann holds Plum", 2, "the header lacks"),
    "nothing": ("", 2, "the header lacks"),
    "hands": (
        BEN.replace("White", "Plum"),
        2,
        "not notes of one game: ann.clue says that Ann holds",
    ),
}


@pytest.mark.parametrize(("other", "status", "told"), MERGED.values(), ids=MERGED)
def test_notebooks_that_do_not_fit_are_not_merged(
    tmp_path: Path, other: str, status: int, told: str
) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=other)
    full = tmp_path / "full.clue"
    result = run("import", ann, ben, "-o", full)
    assert (result.exit_code, result.stdout, full.exists()) == (status, "", False)
    assert told in result.stderr


@pytest.mark.parametrize("asks", [True, False])
def test_what_differs_is_chosen_by_a_person_or_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: bool
) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=BEN.replace("Lounge: ?", "Lounge: Cat shows Lounge"))
    full = tmp_path / "full.clue"
    monkeypatch.setattr(shared, "on_terminal", lambda: asks)
    words = () if asks else ("--keep", "ben.clue")
    result = run("import", ann, ben, "-o", full, *words, stdin="ben.clue\n")
    assert result.exit_code == 0, result.stderr
    assert "the notebooks differ: entry 2 of ann.clue says" in result.stderr
    assert "Cat shows Lounge\n" in full.read_text("utf-8")


def test_an_edition_file_is_found_from_where_the_record_is_written(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('extends = "clue-classic"\ntitle = "House"\n')
    (tmp_path / "games").mkdir()
    full, game = tmp_path / "games" / "full.clue", tmp_path / "games" / "game.clue"
    house = [text.replace("clue-classic", "house.toml") for text in (ANN, BEN)]
    ann, ben = written(tmp_path, ann=house[0], ben=house[1])
    assert run("import", ann, ben, "-o", full).exit_code == 0
    assert (
        run("import", PAD, "--edition", tmp_path / "house.toml", *SAID[2:], "-o", game).exit_code
        == 0
    )
    assert {load(path).table.edition.name for path in (full, game)} == {"../house.toml"}


CLASHING = """\
asker,suspect,weapon,room,passes,shower,card shown
Ann,Green,Rope,Hall,Ben,Cat,Hall
Ben,Green,Knife,Study,Cat,Ann,Knife
"""
HAND = "Hall,Plum,White,Lounge,Kitchen,Wrench"
THREE = (*CLASSIC, "--players", "Ann,Ben,Cat")
OPTIONS = {
    "none": (("--viewer", "spectator"), 0),
    "a hand with what another showed": (
        ("--viewer", "Ben", "--hands", "8,2,8", "--hand", "Hall,Plum"),
        3,
    ),
    "a hand without what its player showed": (
        ("--viewer", "Ann", "--hands", "2,8,8", "--hand", "Plum,Rope"),
        3,
    ),
    "hands that are too small": (
        ("--hands", "8,8,2", "--viewer", "Cat", "--hand", "Plum,Study"),
        3,
    ),
    "face-up cards that were shown": (("--face-up", "Hall,Rope,Plum"), 2),
    "the other side": (("--order", "right"), 2),
    "seats the other way": (("--players", "Ann,Cat,Ben"), 2),
    "two players as one": (("--called", "Cat=Ben"), 2),
    "two cards as one": (("--called", "Study=Hall", "--viewer", "Ben", "--hand", HAND), 3),
    "a name that is nowhere": (("--called", "Kit=Cat"), 2),
    "a column that is nowhere": (("--leave", "Kit"), 2),
}


@pytest.mark.parametrize(("said", "status"), OPTIONS.values(), ids=OPTIONS)
def test_no_option_writes_a_record_that_contradicts_itself(
    tmp_path: Path, said: tuple[str, ...], status: int
) -> None:
    table, target = tmp_path / "table.csv", tmp_path / "game.clue"
    table.write_text(CLASHING, "utf-8")
    result = run("import", table, "-o", target, *THREE, *said)
    assert (result.exit_code, target.exists()) == (status, status == 0), result.stderr
    forced = run("import", table, "-o", target, *THREE, *said, "--force")
    assert (forced.exit_code, target.exists()) == (status, status != 2)
    if target.exists():
        assert load(target).report().consistent == (status == 0)
        assert ("can't both be true" in forced.stderr) == (status == 3)


@pytest.mark.parametrize(
    ("marks", "status"),
    [
        (("x=has", "o=lacks"), 0),
        (("x=lacks", "o=has"), 2),
        (("x=lacks", "o=lacks"), 3),
        (("x=has", "o=has"), 2),
        (("x=maybe", "o=has"), 2),
        (("x=either-or", "o=maybe"), 0),
    ],
)
def test_no_meaning_of_marks_writes_a_pad_that_contradicts_itself(
    tmp_path: Path, marks: tuple[str, str], status: int
) -> None:
    pad, target = tmp_path / "pad.csv", tmp_path / "game.clue"
    pad.write_text("card,Ann (me),Ben,Cat,envelope\nPlum,x,o,o,o\nRope,o,x,o,o\n", "utf-8")
    options = ("--marks", ",".join(marks), "--columns", "card,Ann,Ben,Cat,envelope")
    result = run("import", pad, "-o", target, *CLASSIC, *options, "--viewer", "Ann")
    assert (result.exit_code, target.exists()) == (status, status == 0), result.stderr


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


def test_a_name_of_no_card_is_asked_for_or_left_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pad, target = tmp_path / "pad.csv", tmp_path / "game.clue"
    pad.write_text(
        "card,Ann (me),Ben\nPlum,yes,no\nWintergarten,no,yes\nZqx,yes,no\nRope,no,yes\n", "utf-8"
    )
    monkeypatch.setattr(shared, "on_terminal", lambda: True)
    answers = "Conservatory\n\ny\n"
    result = run("import", pad, "-o", target, *CLASSIC, stdin=answers)
    assert "'Wintergarten' is no card" in result.stderr
    assert result.exit_code == 0
    assert "Ann knows Ben has Conservatory" in load(target).lines


def test_a_line_that_is_not_understood_is_said_again_or_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes_file, target = tmp_path / "notes.txt", tmp_path / "game.clue"
    notes_file.write_text("Ann: Green, Rope, Hall - Cat?\nBen: Plum, Rope, Hall - Ann\n", "utf-8")
    words = ("import", notes_file, *CLASSIC, "--players", "Ann,Ben,Cat", "-o", target, "--force")
    assert "--leave 'row 1'" in run(*words).stderr
    monkeypatch.setattr(shared, "on_terminal", lambda: True)
    for answer, entries in (("Ann suggests Green, Rope, Hall: Cat shows", 2), ("", 1)):
        assert run(*words, stdin=f"{answer}\ny\n").exit_code == 0
        assert len(load(target).observations) == entries
