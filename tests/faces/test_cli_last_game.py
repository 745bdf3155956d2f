"""Games that are played again and again: the last one, its table, and one's own decks."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from clue_solver.errors import ClueError
from clue_solver.faces import plain, setup
from clue_solver.faces.games import games_by_time, last_game, last_table, unfinished_games
from clue_solver.record import load_record, parse_record
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Table
from tests.faces.test_cli import run
from tests.faces.test_plain import Terminal

GAME = """\
edition: clue-classic
players: Ann, Ben, Mr Cat, Dan
hands: 5, 5, 4, 4
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife
Ann suggests Mustard, Wrench, Lounge: Ben passes, Mr Cat shows Mustard
"""
EMPTY = "edition: clue-classic\nplayers: X, Y, Z\nviewer: X\n"


def offered(folder: Path) -> tuple[Path, ...]:
    return tuple(game.path for game in unfinished_games(folder))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games of our own, with nothing in it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "clue-solver" / "games"
    folder.mkdir(parents=True)
    return folder


def played(folder: Path, name: str = "2024-05-01.clue", text: str = GAME, *, at: int = 0) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))
    return path


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
def test_what_is_no_game_in_the_folder_hides_none(home: Path) -> None:
    game = played(home, "a.clue")
    (home / "dangling.clue").symlink_to("/nowhere/at.clue")
    (home / "loop.clue").symlink_to("loop.clue")
    (home / "folder.clue").mkdir()
    os.mkfifo(home / "pipe.clue")
    assert [*map(str, games_by_time(home))] == [str(game)]
    assert str(last_game(home)) == str(game)


@pytest.mark.parametrize(
    ("answers", "pieces", "first"),
    [
        # edition, players, whose notes, hand, (first card,) piece, who begins, (open cards)
        (["", "A, B, C", "", "", "plum, ?, scarlett", ""], ("Plum", None, "Scarlett"), None),
        (["", "A, B, C", "", "", "plum scar", ""], ("Plum", "Scarlett", None), None),
        (["", "A, B, C", "", "", "plum", "c"], ("Plum", None, None), "C"),
        (["", "A, B, C", "", "", "", ""], (), None),
        (["clue-diced", "A, B, C", "", "", "", "b", ""], (), "B"),
    ],
)
def test_who_plays_whom_and_who_begins_are_asked_and_remembered(
    home: Path, monkeypatch: pytest.MonkeyPatch, answers: list[str], pieces: object, first: str
) -> None:
    def ask(answers: list[str]) -> Table:
        (path := home / "game.clue").unlink(missing_ok=True)
        person = Terminal(answers, StringIO())
        monkeypatch.setattr("sys.stdin", person)
        monkeypatch.setattr("builtins.input", person.typed)
        plain.run(path, {}, Console(file=StringIO()))
        assert person.read() == ""
        return load_record(path).table

    table = ask(answers)
    assert (table.pieces, table.first) == (pieces, first)
    played(home, text=(home / "game.clue").read_text("utf-8"))
    assert ask([""] * 9) == table  # the same table, the hand, and what is as before


def test_the_table_of_last_time_leaves_out_what_lay_open(home: Path) -> None:
    assert last_table() is None
    text = GAME.replace("hands: 5, 5, 4, 4", "hands: 4, 4, 4, 4\nface-up: White, Lead Pipe")
    played(home, text=text.replace(", Knife", ""))
    table = last_table()
    assert table is not None
    assert (table.face_up, table.hands) == ((), ())
    assert table.seats == ("Ann", "Ben", "Mr Cat", "Dan")


def test_a_game_in_which_nothing_is_logged_hides_no_other(home: Path) -> None:
    path = played(home, "empty.clue", EMPTY, at=9)
    assert offered(home) == (path,)
    assert f"the last game, {path}" in run("check").stderr
    real = played(home, "real.clue", at=5)
    played(home, "older.clue", EMPTY, at=1)
    assert offered(home) == (real, path)
    table = last_table()
    assert table is not None
    assert table.seats == ("Ann", "Ben", "Mr Cat", "Dan")
    assert f"the last game, {real}" in run("check").stderr
    played(home, "real.clue", f"{GAME}Ann accuses White, Wrench, Lounge: right\n", at=5)
    assert offered(home) == (path,)


@pytest.mark.skipif(os.name != "posix", reason="makes a link")
def test_a_path_that_none_has_and_a_deck_that_leads_to_itself_are_passed_over(home: Path) -> None:
    Path("loop.toml").symlink_to("loop.toml")
    typed = "no\0deck\nloop.toml\nclue-classic\nAnn, Ben, Cat\n\n\n\n"
    result = run("play", "--plain", "game.clue", stdin=typed)
    assert "no\\x00deck: cannot read the edition file: there is no such path" in result.stderr
    assert "loop.toml: cannot read the edition file" in result.stderr
    assert load_record("game.clue").table.edition.name == "clue-classic"


def test_what_a_form_holds_becomes_a_record_or_names_the_field_at_fault() -> None:
    edition = load_edition("clue-classic")
    typed = dict.fromkeys(setup.FIELDS, "")
    typed |= {"players": "Ann Ben Cat Dan", "viewer": "b", "face_up": "plum, rope"}
    typed |= {"hand": "hall study knife green"}
    record = setup.NewGame(edition, typed).record
    assert (record.table.viewer, record.table.face_up) == ("Ben", ("Plum", "Rope"))
    assert record.observations[0].cards == ("Hall", "Study", "Knife", "Green")  # type: ignore[union-attr]
    spectator = setup.NewGame(edition, typed | {"viewer": "-"}).record
    assert (spectator.table.viewer, spectator.entries) == (None, ())
    two = dict.fromkeys(typed, "") | {"players": "Kim, Lee"}
    for rooms, hands in {"": ((7, 7), (7, 7)), "-": ((9, 9), (9, 9))}.items():
        new = setup.NewGame(load_edition("clue-2015"), two | {"face_down": rooms})
        assert new.record.table.size_bounds() == hands  # as the rules have it, or none lies there
    last = parse_record("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nanswers: all\n").table
    assert setup.NewGame(edition, typed, last).table.everyone_shows
    assert not setup.NewGame(edition, typed | {"players": "A B"}, last).table.everyone_shows
    wrong = {"players": "Ann", "viewer": "Zoe", "hands": "9999", "face_up": "plmu", "hand": "zzz"}
    for field, said in wrong.items():
        with pytest.raises(ClueError) as caught:
            _ = setup.NewGame(edition, typed | {field: said}).record
        assert caught.value.argument == field
