"""Import, export and merge as a person or a script meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clue_solver import load
from clue_solver.faces.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PAD, TABLE = str(EXAMPLES / "pad.csv"), str(EXAMPLES / "suggestions.csv")
CLASSIC = ("--edition", "clue-classic")
FOUR = (*CLASSIC, "--players", "Ann,Ben, Cat,Dan")

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


def run(*words: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], input=stdin, prog_name="clue-solver")


def written(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / f"{name}.clue").write_text(text, "utf-8")
    return [folder / f"{name}.clue" for name in texts]


def untouched(folder: Path, *kept: Path) -> bool:
    return sorted(folder.iterdir()) == sorted(kept)


def test_the_example_pad_becomes_a_game_that_every_command_reads(tmp_path: Path) -> None:
    target = tmp_path / "evening.clue"
    result = run("import", PAD, "-o", target, *CLASSIC)
    assert 0 == result.exit_code
    assert "" == result.stdout
    assert "✓ is has, in 8 cells" in result.stderr
    assert "left aside\n  column G, 'Notes'" in result.stderr
    assert f"{target} written: 8 entries" in result.stderr
    assert 0 == run("report", target).exit_code
    assert "holds" == load(target).report().verdict("Revolver", "Ben")


def test_without_a_file_the_record_goes_to_standard_output() -> None:
    result = run("import", "-", *FOUR, "--viewer", "ann", stdin=Path(TABLE).read_bytes())
    assert 0 == result.exit_code
    assert result.stdout.startswith("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\n")
    assert "column F, 'shower': shower" in result.stderr
    assert "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall\n" in result.stdout


def test_json_tells_what_was_understood_and_holds_what_no_file_does(tmp_path: Path) -> None:
    told = json.loads(run("import", PAD, "--json", *CLASSIC).stdout)
    assert ("pad", "Ann", 8, None) == tuple(
        told[key] for key in ("kind", "viewer", "entries", "conflict")
    )
    assert {"mark": "1", "meaning": "either-or", "cells": 3} in told["marks"]
    assert told["record"].startswith("edition: clue-classic\n")
    target = tmp_path / "evening.clue"
    result = run("import", PAD, "--json", *CLASSIC, "-o", target)
    assert "record" not in json.loads(result.stdout)
    assert target.read_text("utf-8") == told["record"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((TABLE,), "give the players clockwise (--players)"),
        ((TABLE, *CLASSIC), "give the players clockwise (--players)"),
        ((PAD, *CLASSIC, "--hand", "Plum"), "no hand is needed besides (--hand)"),
        ((PAD, *CLASSIC, "--mark", "X"), "expected a mark and its meaning, 'X=lacks'; found 'X'"),
        ((PAD, *CLASSIC, "--mark", "X=lack it"), "unknown meaning 'lack it'"),
        ((PAD, *CLASSIC, "--mark", "X=lack it"), " (--mark)\n"),
        ((PAD, *CLASSIC, "--hands", "5,five"), "expected numbers and ?"),
        ((PAD, *CLASSIC, "--face-down", "Pool 0"), "expected a name and a count"),
        ((PAD, *CLASSIC, "--viewer", "Eve"), "unknown player 'Eve'"),
        ((PAD, "--edition", "clue-clasic"), "did you mean 'clue-classic'"),
        ((PAD, *CLASSIC, "--players", "Ann,Ben"), "unknown player 'Cat'"),
        ((TABLE, *FOUR, "--hand", "Plum"), "whose hand this is (--viewer)"),
        ((str(EXAMPLES / "play.svg"), *CLASSIC), "expected"),
        (("none.csv",), "No such file"),
    ],
)
def test_what_cannot_be_used_is_said_and_nothing_is_written(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    result = run("import", *words, "-o", tmp_path / "game.clue")
    assert (2, "") == (result.exit_code, result.stdout)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert untouched(tmp_path)


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path: Path) -> None:
    (game,) = written(tmp_path, game=ANN)
    result = run("import", PAD, *CLASSIC, "-o", game)
    assert (2, ANN) == (result.exit_code, game.read_text("utf-8"))
    assert "--force writes over it" in result.stderr
    assert 0 == run("import", PAD, *CLASSIC, "-o", game, "--force").exit_code
    assert "Ann knows Ben has Revolver" in game.read_text("utf-8")


def test_a_pad_that_no_deal_fits_is_not_written_unless_forced(tmp_path: Path) -> None:
    target, pad = tmp_path / "game.clue", tmp_path / "pad.csv"
    text = Path(PAD).read_text("utf-8").replace("Green,,✗,,,?", "Green,,✗,✗,✗,✗")
    pad.write_text(text, "utf-8")
    result = run("import", pad, *CLASSIC, "-o", target)
    assert 3 == result.exit_code
    assert "Ann knows Ben lacks Green or Rope" in result.stderr
    assert "cannot all be true" in result.stderr
    assert untouched(tmp_path, pad)
    assert 3 == run("import", pad, *CLASSIC, "-o", target, "--force").exit_code
    assert 3 == run("check", target).exit_code


def test_a_pad_is_written_for_spreadsheets_and_read_back(tmp_path: Path) -> None:
    pad, back = tmp_path / "pad.csv", tmp_path / "back.clue"
    game = EXAMPLES / "two_players.clue"
    assert 0 == run("export", game, "--pad", "-o", pad, "--upto", "9").exit_code
    assert pad.read_bytes().startswith(b"\xef\xbb\xbfclue-2015,Kim (me),Lee,face-down Hall,")
    assert 0 == run("import", pad, "-o", back).exit_code
    assert load(game).report(upto=9).verdicts.tolist() == load(back).report().verdicts.tolist()
    assert 2 == run("export", game, "-o", pad).exit_code


def test_a_pad_goes_to_standard_output_through_any_eyes() -> None:
    game = EXAMPLES / "classic.clue"
    result = run("export", game, "--viewer", "spec", "--upto", "3")
    assert result.stdout.startswith("clue-classic,Ann,Ben,Cat,Dan,envelope\n")
    assert "Knife,?,?,?,?,?\n" in result.stdout
    assert 2 == run("export", game, "--viewer", "Eve").exit_code
    assert 2 == run("export", game, "--upto", "99").exit_code


def test_what_a_pad_cannot_hold_is_told(tmp_path: Path) -> None:
    (game,) = written(tmp_path, game=ANN + "Ben accuses Mustard, Wrench, Kitchen: wrong\n" * 2)
    assert "" == run("export", game).stderr
    (game,) = written(tmp_path, game=ANN + "Ben accuses White, Wrench, Kitchen: wrong\n")
    assert "which no pad can say (entry 3)" in run("export", game).stderr


def test_a_log_that_clashes_has_no_pad(tmp_path: Path) -> None:
    (game,) = written(
        tmp_path, game=ANN + "Ben suggests Plum, Rope, Hall: Cat passes, Ann passes\n"
    )
    assert (3, "") == ((result := run("export", game)).exit_code, result.stdout)


def test_notebooks_are_merged_and_what_was_filled_in_is_told(tmp_path: Path) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=BEN)
    full = tmp_path / "full.clue"
    result = run("merge", ann, ben, "-o", full)
    assert 0 == result.exit_code
    assert "2 notebooks, 4 entries together" in result.stderr
    assert "entry 4 is not in ann.clue: Ben suggests Scarlett" in result.stderr
    merged = load(full)
    assert merged.table.viewer is None
    assert "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard" in merged.lines
    told = json.loads(run("merge", ann, ben, "--json").stdout)
    assert [{"entry": 4, "not_in": ["ann.clue"]}] == told["missed"]
    assert full.read_text("utf-8") == told["record"]


def test_notebooks_that_disagree_are_not_merged(tmp_path: Path) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=BEN.replace("Lounge: ?", "Lounge: Ben shows"))
    result = run("merge", ann, ben, "-o", tmp_path / "full.clue")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "entry 2 of ann.clue says" in result.stderr
    assert "entry 2 of ben.clue says" in result.stderr
    assert untouched(tmp_path, ann, ben)
    forced = run("merge", ann, ben, "-o", tmp_path / "full.clue", "--force")
    assert 3 == forced.exit_code
    assert "they disagree: entry 2 of ann.clue says" in forced.stderr
    assert 5 == len(load(tmp_path / "full.clue").observations)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (BEN.replace("clue-classic", "clue-1996"), "edition: ann.clue says clue-classic"),
        (BEN.replace("Cat", "Kit"), "players: ann.clue says Ann, Ben, Cat"),
        ("Ann holds Plum", "expected the header"),
        ("", "the header lacks"),
    ],
)
def test_notebooks_of_different_games_are_not_merged(
    tmp_path: Path, other: str, message: str
) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=other)
    result = run("merge", ann, ben, "-o", tmp_path / "full.clue")
    assert 2 == result.exit_code
    assert message in result.stderr
    assert untouched(tmp_path, ann, ben)
    assert 2 == run("merge", ann).exit_code


def test_hands_that_clash_are_named_by_their_notebooks(tmp_path: Path) -> None:
    ann, ben = written(tmp_path, ann=ANN, ben=BEN.replace("White", "Plum"))
    full = tmp_path / "full.clue"
    result = run("merge", ann, ben, "-o", full)
    assert 3 == result.exit_code
    assert "entry 1 is entry 1 of ann.clue" in result.stderr
    assert "entry 2 is entry 1 of ben.clue" in result.stderr
    assert untouched(tmp_path, ann, ben)
    assert 3 == run("merge", ann, ben, "-o", full, "--force").exit_code
    assert full.exists()


def test_a_table_of_suggestions_is_written_and_read_back(tmp_path: Path) -> None:
    game, players = EXAMPLES / "classic.clue", ("--players", "Ann,Ben,Cat,Dan")
    for name in ("table.csv", "table.xlsx", "table.ods"):
        result = run("export", game, "--as", "suggestions", "-o", tmp_path / name)
        assert 0 == result.exit_code
        assert "not on the table: what is no suggestion and no accusation (entry 1" in result.stderr
        told = run("import", tmp_path / name, *CLASSIC, *players, "--viewer", "Ann", "--json")
        lines = json.loads(told.stdout)["record"].splitlines()
        asked = [line.partition("  #")[0] for line in lines if " suggests " in line]
        assert [line for line in load(game).lines if " suggests " in line] == asked
    assert (tmp_path / "table.xlsx").read_bytes().startswith(b"PK")
    assert 2 == run("export", game, "--pad", "--as", "suggestions").exit_code


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("export", "pad.xls"), "expected .csv, .xlsx or .ods to write to; found .xls"),
        (("export", "pad.jsonl"), "expected .csv, .xlsx or .ods to write to; found .jsonl"),
        (("convert", "game.csv"), "a record is no spreadsheet: expected .clue, .jsonl or .cnf"),
        (("convert", "game.XLSX"), "found .xlsx"),
    ],
)
def test_nothing_is_written_under_the_ending_of_another_form(
    tmp_path: Path, words: tuple[str, str], message: str
) -> None:
    command, name = words
    result = run(command, EXAMPLES / "classic.clue", "-o", tmp_path / name)
    assert 2 == result.exit_code
    assert message in " ".join(result.stderr.split())
    assert untouched(tmp_path)


def test_all_that_is_not_said_is_asked_for_with_its_options(tmp_path: Path) -> None:
    pad = tmp_path / "pad.csv"
    pad.write_text(Path(PAD).read_text("utf-8").replace(" (me)", "").replace("✓", "x"), "utf-8")
    result = run("import", pad, "-o", tmp_path / "game.clue")
    assert 2 == result.exit_code
    assert "Ann, Ben, Cat or Dan; nothing says so (--viewer)" in result.stderr
    assert "'x=lacks' or 'x=maybe' (--mark)" in result.stderr
    assert untouched(tmp_path, pad)


def test_a_person_is_asked_and_shown_the_reading_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from clue_solver.faces import commands

    pad, game = tmp_path / "pad.csv", tmp_path / "game.clue"
    pad.write_text(Path(PAD).read_text("utf-8").replace(" (me)", "").replace("✓", "x"), "utf-8")
    monkeypatch.setattr(commands, "_can_ask", lambda: True)
    result = run("import", pad, "-o", game, stdin="Ann\nhas\nn\n")
    assert "Ann knows Ben has Revolver" in result.stderr
    assert "nothing was written" in result.stderr
    assert untouched(tmp_path, pad)
    result = run("import", pad, "-o", game, stdin="Ann\nhas\ny\n")
    assert 0 == result.exit_code
    assert "Ann knows Ben has Revolver" in game.read_text("utf-8")


def test_an_edition_file_is_found_from_where_the_record_is_written(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('extends = "clue-classic"\ntitle = "House"\n')
    (tmp_path / "games").mkdir()
    full = tmp_path / "games" / "full.clue"
    house = [text.replace("clue-classic", "house.toml") for text in (ANN, BEN)]
    ann, ben = written(tmp_path, ann=house[0], ben=house[1])
    assert 0 == run("merge", ann, ben, "-o", full).exit_code
    assert "../house.toml" == load(full).table.edition.name
    game = tmp_path / "games" / "game.clue"
    assert 0 == run("import", PAD, "--edition", tmp_path / "house.toml", "-o", game).exit_code
    assert "../house.toml" == load(game).table.edition.name
