"""Games that are played again and again: the last one, its table, and one's own decks."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from clue_solver.errors import ClueError
from clue_solver.faces import plain, setup
from clue_solver.faces.games import games_by_time, last_game, unfinished_games
from clue_solver.record import load_record, parse_record
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Table
from tests.faces.test_cli import run
from tests.faces.test_plain import Terminal


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games of our own, with nothing in it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "clue-solver" / "games"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
def test_what_is_no_game_in_the_folder_hides_none(home: Path) -> None:
    game = home / "a.clue"
    game.write_text("edition: clue-classic\nplayers: Ann, Ben\n", "utf-8")
    (home / "dangling.clue").symlink_to("/nowhere/at.clue")
    (home / "loop.clue").symlink_to("loop.clue")
    (home / "folder.clue").mkdir()
    os.mkfifo(home / "pipe.clue")
    assert [*map(str, games_by_time(home))] == [str(game)]
    assert str(last_game(home)) == str(game)


def set_up(monkeypatch: pytest.MonkeyPatch, *answers: str) -> Table:
    """The table of a new game, by what is answered at a terminal."""
    person = Terminal(answers, StringIO())
    monkeypatch.setattr("sys.stdin", person)
    monkeypatch.setattr("builtins.input", person.typed)
    plain.run(Path("next.clue"), {}, Console(file=StringIO()))
    assert person.read() == ""
    return load_record("next.clue").table


LAST = """\
edition: clue-classic
players: Ann, Ben, Mr Cat, Dan
hands: 4, 4, 4, 4
viewer: Ben
face-up: White, Lead Pipe
pieces: ?, Plum, ?, Green

Ann suggests Mustard, Wrench, Lounge: Ben passes, Mr Cat shows
"""


def test_the_table_of_the_last_game_with_an_entry_is_offered_without_what_lay_open(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = "edition: clue-classic\nplayers: X, Y, Z\nviewer: X\n"
    kept = [home / f"{name}.clue" for name in ("real", "empty")]
    for at, (path, text) in enumerate(zip(kept, (LAST, empty), strict=True)):
        path.write_text(text, "utf-8")
        os.utime(path, (at, at))
    assert [game.path for game in unfinished_games(home)] == kept
    table = replace(load_record(kept[0]).table, face_up=(), hands=())
    assert set_up(monkeypatch, *[""] * 9) == table


@pytest.mark.parametrize(
    ("answers", "pieces", "first"),
    [
        # edition, players, whose notes, hand, (first card,) piece, who begins, (open cards)
        (("", "A, B, C", "", "", "plum, ?, scarlett", ""), ("Plum", None, "Scarlett"), None),
        (("", "A, B, C", "", "", "plum", "c"), ("Plum", None, None), "C"),
        (("clue-diced", "A, B, C", "", "", "", "b", ""), (), "B"),
    ],
)
def test_who_plays_whom_and_who_begins_are_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch, answers: tuple[str], pieces: object, first: str
) -> None:
    table = set_up(monkeypatch, *answers)
    assert (table.pieces, table.first) == (pieces, first)


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
