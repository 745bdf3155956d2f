"""Games that are played again and again: the last one, its table, and one's own decks."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.shell_completion import BashComplete
from click.testing import Result
from msgspec.structs import replace

from clue_solver.errors import ClueError
from clue_solver.faces import setup
from clue_solver.faces.cli import main
from clue_solver.faces.games import games_by_time, last_game, last_table, unfinished_games
from clue_solver.faces.line_input import LineInput
from clue_solver.faces.plain_setup import ask_record
from clue_solver.faces.setup import edition_line, offered_editions
from clue_solver.record import format_record, load_record, parse_record
from clue_solver.rules.edition_files import load_edition, template
from tests.faces.test_cli import EVENING, run

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


def set_up(typed: str, path: str | Path = "game.clue") -> tuple[Result, str]:
    """Set a game up by answers; what came of it, and the record as it is written."""
    Path(path).unlink(missing_ok=True)
    result = run("play", "--plain", path, stdin=typed)
    assert result.exit_code == 0, result.stderr
    return result, Path(path).read_text("utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "report",
        "report --viewer ben --json",
        "why mustard mr-cat",
        "why --json mustard mr-cat",
        "check",
        "advise",
        "review --solution white,wrench,lounge",
        "season",
        "export",
    ],
)
def test_without_a_file_the_last_game_is_meant_and_named(home: Path, line: str) -> None:
    text = Path(EVENING).read_text("utf-8") if line == "season" else GAME
    played(home, "older.clue", EMPTY, at=1)
    path = played(home, text=text, at=2)
    command, *words = line.split()
    result = run(command, *words)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith(f"the last game, {path}\n")
    assert result.stdout == run(command, path, *words).stdout


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
def test_what_is_no_game_in_the_folder_hides_none(home: Path) -> None:
    game = played(home, "a.clue")
    (home / "dangling.clue").symlink_to("/nowhere/at.clue")
    (home / "loop.clue").symlink_to("loop.clue")
    (home / "folder.clue").mkdir()
    os.mkfifo(home / "pipe.clue")
    assert [*map(str, games_by_time(home))] == [str(game)]
    assert str(last_game(home)) == str(game)


@pytest.mark.parametrize("command", ["report", "why plum ben"])
def test_without_a_last_game_it_is_said_what_to_type(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*command.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(
        "no game has been played here yet: name one, such as evening.clue\n"
    )
    assert run("report", "--help").exit_code == 0
    path = played(home, text="half a li")
    assert str(path) in run(*command.split()).stderr  # it is said what is wrong with the last one


@pytest.mark.parametrize(
    ("answers", "pieces", "first"),
    [
        # edition, players, whose notes, hands, who plays whom, who begins, hand
        (["", "A, B, C", "", "", "plum, ?, scarlett", ""], ("Plum", None, "Scarlett"), None),
        (["", "A, B, C", "", "", "plum", "c", ""], ("Plum", None, None), "C"),
        (["", "A, B, C", "", "", "", "", ""], (), None),
        (["clue-diced", "A, B, C", "", "", "b", ""], (), "B"),
    ],
)
def test_who_plays_whom_and_who_begins_are_asked_and_remembered(
    home: Path, monkeypatch: pytest.MonkeyPatch, answers: list[str], pieces: object, first: str
) -> None:
    person: Any = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr("sys.stdin", person)
    asked = iter(answers)
    monkeypatch.setattr("builtins.input", lambda _: next(asked))
    record = ask_record(home, {}, LineInput(person))
    assert (record.table.pieces, record.table.first, [*asked]) == (pieces, first, [])
    played(home, text=format_record(record))
    asked = iter([""] * 4)  # the same table, the hand, and what is as before
    again = ask_record(home, {}, LineInput(person)).table
    assert replace(again, hands=record.table.hands) == record.table  # even ones go without saying


def test_the_table_of_last_time_leaves_out_what_lay_open(home: Path) -> None:
    assert last_table() is None
    text = GAME.replace("hands: 5, 5, 4, 4", "hands: 4, 4, 4, 4\nface-up: White, Lead Pipe")
    played(home, text=text.replace(", Knife", ""))
    table = last_table()
    assert table is not None
    assert (table.face_up, table.hands) == ((), ())
    assert table.seats == ("Ann", "Ben", "Mr Cat", "Dan")


SET_UP = {
    "Ann Ben  Cat Dan||": "players: Ann, Ben, Cat, Dan\nviewer: Ann\n",
    "Ann, Mr  Ben, Cat, Dan,|m|": "players: Ann, Mr Ben, Cat, Dan\nviewer: Mr Ben\n",
    "Ann Ben Cat Dan|-|": "players: Ann, Ben, Cat, Dan\n",
    "Ann Ben Cat Dan|spectator|dan": "players: Ann, Ben, Cat, Dan\nhands: 5, 4, 4, 5\n",
    "Ann Ben Cat Dan|-|Dan got the first card": (
        "players: Ann, Ben, Cat, Dan\nhands: 5, 4, 4, 5\n"
    ),
    "Ann Ben Cat Dan|b|i was dealt first": (
        "players: Ann, Ben, Cat, Dan\nhands: 4, 5, 5, 4\nviewer: Ben\n"
    ),
    "Ann Ben Cat Dan|me|55?4": "players: Ann, Ben, Cat, Dan\nhands: 5, 5, ?, 4\nviewer: Ann\n",
    "Ann Ben Cat Dan|i|?, 5\n5544": "players: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\nviewer: Ann\n",
}


@pytest.mark.parametrize(("typed", "header"), SET_UP.items())
def test_a_table_is_set_up_by_questions(home: Path, typed: str, header: str) -> None:
    players, viewer, hands = typed.split("|")
    result, written = set_up(f"classic\n{players}\n{viewer}\n{hands}\n\n")
    assert written == f"edition: clue-classic\n{header}"
    assert ("expected 4 sizes" in result.stderr) == ("?, 5" in typed)
    assert "2 players have 5 cards, the others 4.)\n" in result.stderr
    assert "You are [Ann]:" in result.stderr


def test_a_set_up_that_is_broken_off_writes_nothing(home: Path) -> None:
    assert run("play", "--plain", "new.clue", stdin="clue-classic\n").exit_code != 0
    assert not Path("new.clue").exists()


def test_an_edition_is_chosen_by_its_number_of_one_digit_or_two(home: Path) -> None:
    for number in range(14):
        Path(f"own{number:02}.toml").write_text(template(), "utf-8")
    offered = offered_editions()
    assert len(offered) > 20
    for number in (1, 12, len(offered)):
        result, _ = set_up(f"{number}\nAnn Ben Cat\n\n\n\n")
        assert f"{number:>3}  {edition_line(offered[number - 1])}" in result.stderr
        edition = load_record("game.clue").table.edition
        assert (Path(edition.name).stem, edition.title) == (
            *(Path(offered[number - 1].name).stem, offered[number - 1].title),
        )
    set_up("2015\nAnn Ben Cat\n\n\n\n")
    assert load_record("game.clue").table.edition.name == "clue-2015"
    for wrong in ("99", "0"):
        told = f"expected a number from 1 to {len(offered)}; found '{wrong}'"
        assert told in run("play", "--plain", "x.clue", stdin=f"{wrong}\nclue-2015\n").stderr
    lines = [edition_line(each) for each in offered_editions()]
    assert len(set(lines)) == len(lines)
    line = "cluedo-watson: Cluedo (Watson), 2-6 players, 6+6+9 cards. The UK deck; "
    assert edition_line(load_edition("cluedo-watson")).startswith(line)


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
    result = run("play", "--plain", stdin="y\nquit\n")
    assert (
        "real.clue: Ann, Ben, Mr Cat, Dan; Clue; 1 Jan; Ben's turn, 2 entries. Go on with it?"
        in (result.stderr)
    )
    played(home, "real.clue", f"{GAME}Ann accuses White, Wrench, Lounge: right\n", at=5)
    assert offered(home) == (path,)


@pytest.mark.parametrize(
    "rest",
    [
        "study knife green",
        "plum rope hall study knife green",
        "plum rope hall study\nknife green",
        "plum rope hall study\nplum rope hall study knife green",
    ],
)
def test_a_part_of_a_hand_is_kept_and_the_rest_asked_for(home: Path, rest: str) -> None:
    result, written = set_up(f"clue-classic\nAnn, Ben, Cat\nAnn\n\nplum rope hall\n{rest}\n")
    assert "Ann holds Plum, Rope, Hall, Study, Knife, Green" in written
    assert "so far: Plum, Rope, Hall; expected 6 cards" in result.stderr
    _, later = set_up("clue-classic\nAnn, Ben, Cat\nAnn\n\nplum rope hall\n\n")
    assert "holds" not in later


def test_the_rooms_with_a_face_down_card_are_asked_for_where_an_edition_has_them(
    home: Path,
) -> None:
    asked = "clue-2015\nKim, Lee\n\nhal, libr, lou\nhal, libr, lou, stud\n7, 7\n\n"
    result, _ = set_up(asked, home / "two.clue")
    assert "Face-down, in rooms [Kitchen, Conservatory, Lounge, Study]:" in result.stderr
    assert "expected 4 rooms" in result.stderr
    table = load_record(home / "two.clue").table
    assert [slot.name for slot in table.slots] == ["Hall", "Library", "Lounge", "Study"]
    assert table.hands == (7, 7)
    assert "Face-down" not in set_up("clue-2015\nX, Y, Z\n\n\n\n")[0].stderr


def test_for_how_many_players_an_edition_is_is_said(home: Path) -> None:
    for players, said in {"Kim, Lee": True, "Kim, Lee, Max": False}.items():
        result, _ = set_up(f"clue-diced\n{players}\n\n\n\n")
        told = "Clue Diced is for 3 to 4 players; found 2; the game is set up anyway"
        assert (told in result.stderr) == said


def test_own_decks_are_offered_and_the_template_is_not(home: Path) -> None:
    own = template().replace("Clue, our house", "Clue at home").replace("Grandmother", "Oma")
    Path("home.toml").write_text(own, "utf-8")
    Path("pyproject.toml").write_text("[project]\n", "utf-8")
    names = [Path(each.name).stem for each in offered_editions()]
    assert "clue-custom" not in names
    assert names[-2:] == ["master-detective", "home"]
    result = run("play", "--plain", stdin="home\nAnn, Ben, Cat\nann\n\n\nann oma broom cel: ben\n")
    assert result.exit_code == 0, result.stderr
    assert "home: Clue at home, 2-6 players, 6+6+9 cards. Six suspects" in result.stderr
    (path,) = home.glob("*.clue")
    assert "Ann suggests Oma, Broom, Cellar: Ben shows" in path.read_text("utf-8")
    assert Path(load_record(path).table.edition.name) == Path("home.toml").resolve()
    assert set_up("home\nAnn, Ben, Cat\n\n\n\n")[1].startswith("edition: home.toml\n")


@pytest.mark.skipif(os.name != "posix", reason="makes a link")
def test_a_path_that_none_has_and_a_deck_that_leads_to_itself_are_passed_over(home: Path) -> None:
    Path("loop.toml").symlink_to("loop.toml")
    result, written = set_up("no\0deck\nloop.toml\nclue-classic\nAnn, Ben, Cat\n\n\n\n")
    assert "no\\x00deck: cannot read the edition file: there is no such path" in result.stderr
    assert "loop.toml: cannot read the edition file" in result.stderr
    assert written.startswith("edition: clue-classic\n")


def test_players_beyond_the_editions_limits_are_warned_of_in_a_file(tmp_path: Path) -> None:
    game = tmp_path / "seven.clue"
    game.write_text("edition: clue-classic\nplayers: A, B, C, D, E, F, G\n", "utf-8")
    for command in ("report", "check", "play --plain"):
        done = run(*command.split(), game, stdin="")
        assert done.exit_code == 0
        assert done.stderr.count("! Clue is for 2 to 6 players; found 7\n") == 1


def test_what_a_form_holds_becomes_a_record_or_names_the_field_at_fault() -> None:
    edition = load_edition("clue-classic")
    typed = dict.fromkeys((name for name, _, _ in setup.FIELDS), "")
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


def test_a_shell_completes_editions_and_files(home: Path) -> None:
    assert {"plain clue-2015", "plain clue-diced"} < {*completed("editions", "clue")}
    assert completed("import", "--edition", "mas") == ["file mas", "plain master-detective"]
    assert completed("report", "e") == ["file e"]


def completed(*words: str) -> list[str]:
    """Return what completes the last of the words of a command line."""
    *before, last = words
    items = BashComplete(main, {}, "clue-solver", "").get_completions(before, last)
    return [f"{item.type} {item.value}" for item in items]


def test_games_are_listed_looked_back_on_and_deleted(home: Path) -> None:
    over = played(home, "over.clue", Path(EVENING).read_text("utf-8"), at=9)
    played(home, "on.clue", at=5)
    result = run("games")
    first, second, told = result.stdout.splitlines()
    for part in ("1  on", "Ann, Ben, Mr Cat, Dan", "Clue", "1 Jan", "Ben's turn, 2 entries"):
        assert part in first
    assert second.split()[:2] == ["2", "over"]
    assert second.rstrip().endswith("won")
    assert "games 1 goes on" in told
    assert result.stderr == f"2 games in {home}\n"
    assert run("games", "2", "--review").stdout == run("review", over).stdout
    assert run("games", "3").exit_code == 2
    (home / ".over.clue.game").touch()
    assert run("games", "2", "--delete", stdin="n\n").exit_code == 1
    assert over.exists()
    result = run("games", "2", "--delete", stdin="y\n")
    assert f"{over} deleted\n" in result.stderr
    assert [path.name for path in home.iterdir()] == ["on.clue"]


def test_a_dealt_game_is_no_notes(home: Path) -> None:
    path = played(home, at=5)
    (home / f".{path.name}.game").write_text('{"players": {"Ann": "", "Ben": "easy"}}', "utf-8")
    assert offered(home) == ()
    assert run("report").exit_code == 2
    assert "with machines" in run("games").stdout
    result = run("play", "--plain", path)
    assert "the program deals this game: open it without --plain" in result.stderr
    assert last_table() is None


def test_edition_and_players_are_filled_in(home: Path) -> None:
    words = ("--edition", "clue-2015", "--players", "Kim,Lee")
    result = run("play", "--plain", "two.clue", *words, stdin="\n\n\n\nquit\n")
    assert result.exit_code == 0, result.stderr
    table = load_record(Path("two.clue")).table
    assert (table.edition.name, table.seats, table.hands) == ("clue-2015", ("Kim", "Lee"), (7, 7))
    result = run("play", "--plain", "two.clue", *words)
    assert "this game is set up" in result.stderr
    assert "did you mean 'clue-2015'" in run("play", "--edition", "clue-2051").stderr
