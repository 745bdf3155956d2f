"""Games that are played again and again: the last one, its table, and one's own decks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clue_solver.faces.cli import main
from clue_solver.faces.setup import edition_line, last_table, offered_editions, unfinished_games
from clue_solver.record import load_record
from clue_solver.rules.edition import load_edition, template
from tests.faces.test_plain import terminal
from tests.test_public import loaded

GAME = """\
edition: clue-classic
players: Ann, Ben, Mr Cat, Dan
hands: 5, 5, 4, 4
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife
Ann suggests Mustard, Wrench, Lounge: Ben passes, Mr Cat shows Mustard
"""


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


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed, prog_name="clue-solver")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("report",), "Mr Cat has Mustard"),
        (("report", "--viewer", "ben", "--json"), '"viewer": "Ben"'),
        (("why", "mustard", "mr cat"), "Mr Cat has Mustard"),
        (("why", "--json", "mustard", "mr cat"), '"card": "Mustard"'),
        (("check",), "is consistent"),
        (("advise", "--top", "1"), "What to ask"),
        (("review", "--solution", "white, wrench, lounge"), "White, Wrench, Lounge"),
    ],
)
def test_without_a_file_the_last_game_is_meant_and_named(
    home: Path, words: tuple[str, ...], told: str
) -> None:
    played(home, "older.clue", "edition: clue-classic\nplayers: X, Y\n", at=1)
    path = played(home, at=2)
    result = run(*words)
    assert 0 == result.exit_code, result.stderr
    assert told in result.stdout
    assert f"the last game, {path}" in result.stderr
    assert result.stdout == run(*words[:1], str(path), *words[1:]).stdout


def test_without_a_file_and_a_last_game_there_is_nothing_to_report(home: Path) -> None:
    result = run("report")
    assert (2, "") == (result.exit_code, result.stdout)
    assert f"{home}: expected a game; none has been played here yet" in result.stderr


def test_at_the_same_table_only_the_hand_is_asked_for(home: Path) -> None:
    played(home)
    keys = "pl ro ha st kn\n"
    assert 16 >= len(keys)
    with terminal("play", "--plain", folder=home.parents[1]) as typed:
        typed.type("", until="Go on with")
        assert "Same table as last time: Clue; Ann, Ben, Mr Cat, Dan" in typed.type(
            "n\n", until="another table)"
        )
        typed.type(keys, until="2> ")
    (path,) = home.glob(f"{date.today()}*.clue")
    record = load_record(path)
    assert (5, 5, 4, 4) == record.table.hands
    assert 1 == len(record.entries)


def test_another_table_is_set_up_all_the_same(home: Path) -> None:
    played(home)
    for first in ("n\nclue-2015", "clue-2015"):
        result = run("new", typed=f"{first}\nX, Y, Z\nX\n666\nplum rope hall study knife orchid\n")
        assert 0 == result.exit_code, result.stderr
        assert "players: X, Y, Z\nhands: 6, 6, 6\n" in result.stdout


def test_the_table_of_last_time_leaves_out_what_lay_open(home: Path) -> None:
    assert last_table() is None
    text = GAME.replace("hands: 5, 5, 4, 4", "hands: 4, 4, 4, 4\nface-up: White, Lead Pipe")
    played(home, text=text.replace(", Knife", ""))
    table = last_table()
    assert table is not None
    assert ((), ()) == (table.face_up, table.hands)
    assert ("Ann", "Ben", "Mr Cat", "Dan") == table.seats


@pytest.mark.parametrize(
    ("typed", "hands"),
    [("5544", (5, 5, 4, 4)), ("dan", (5, 4, 4, 5)), ("55?4", (5, 5, None, 4)), ("?, 5", None)],
)
def test_sizes_are_pasted_or_follow_from_who_was_dealt_first(
    home: Path, typed: str, hands: tuple[int | None, ...] | None
) -> None:
    path = home / "new.clue"
    answers = f"clue-classic\nAnn, Ben, Cat, Dan\nAnn\n{typed}\n\n"
    result = run("new", str(path), typed=answers)
    if hands is None:
        assert "expected 4 sizes" in result.stderr
    else:
        assert hands == load_record(path).table.hands


@pytest.mark.parametrize(
    ("typed", "seats"),
    [
        ("Ann Ben  Cat Dan", "Ann, Ben, Cat, Dan"),
        ("Ann, Ben,Cat,  Dan", "Ann, Ben, Cat, Dan"),
        ("Ann, Mr  Ben, Cat, Dan,", "Ann, Mr Ben, Cat, Dan"),
    ],
)
def test_players_need_commas_only_where_a_name_has_several_words(
    home: Path, typed: str, seats: str
) -> None:
    result = run("new", typed=f"clue-classic\n{typed}\n\n\n\n")
    assert f"players: {seats}\n" in result.stdout, result.stderr


@pytest.mark.parametrize(
    ("typed", "viewer"),
    [("", "viewer: Ann\n"), ("b", "viewer: Ben\n"), ("-", ""), ("spectator", "")],
)
def test_no_answer_to_the_viewer_means_the_first_player_and_a_dash_a_spectator(
    home: Path, typed: str, viewer: str
) -> None:
    result = run("new", typed=f"clue-classic\nAnn Ben Cat\n{typed}\n\n\n")
    assert 0 == result.exit_code, result.stderr
    assert "Whose notes are these (Enter: Ann; -: a spectator's)" in result.stderr
    assert ("viewer: " in result.stdout, viewer in result.stdout) == (bool(viewer), True)


def test_an_edition_is_chosen_by_its_number_of_one_digit_or_two(home: Path) -> None:
    for number in range(14):
        (home.parents[1] / f"own{number:02}.toml").write_text(template(), "utf-8")
    offered = offered_editions()
    assert len(offered) > 20
    for number in (1, 2, 12, len(offered)):
        result = run("new", "game.clue", typed=f"{number}\nAnn Ben Cat\n\n\n\n")
        assert f"{number:>3}  {edition_line(offered[number - 1])}" in result.stderr
        assert offered[number - 1].title == load_record("game.clue").table.edition.title
        assert Path(offered[number - 1].name).stem == Path(edition_name("game.clue")).stem
        Path("game.clue").unlink()
    told = f"expected a number from 1 to {len(offered)}; found '99'"
    assert told in run("new", typed="99\nclue-2015\n").stderr


def edition_name(path: str) -> str:
    return load_record(path).table.edition.name


def test_a_game_in_which_nothing_is_logged_hides_no_other(home: Path) -> None:
    empty = "edition: clue-classic\nplayers: X, Y, Z\nviewer: X\n"
    path = played(home, "empty.clue", empty, at=9)
    assert (path,) == unfinished_games(home)
    table = last_table()
    assert table is not None
    assert ("X", "Y", "Z") == table.seats
    assert f"the last game, {path}" in run("report").stderr
    real = played(home, "real.clue", at=5)
    played(home, "older.clue", empty, at=1)
    assert (real, path) == unfinished_games(home)
    table = last_table()
    assert table is not None
    assert ("Ann", "Ben", "Mr Cat", "Dan") == table.seats
    assert f"the last game, {real}" in run("report").stderr
    result = run("play", "--plain", typed="y\nquit\n")
    assert "Go on with real.clue: Ann, Ben, Mr Cat, Dan; 2 entries?" in result.stderr
    played(home, "real.clue", f"{GAME}Ann accuses White, Wrench, Lounge: right\n", at=5)
    assert (path,) == unfinished_games(home)


def test_a_game_that_was_only_set_up_is_offered_after_the_last_real_one(home: Path) -> None:
    empty = "edition: clue-classic\nplayers: X, Y, Z\nviewer: X\n"
    played(home, "empty.clue", empty, at=9)
    played(home, "real.clue", at=5)
    with terminal("play", "--plain", folder=home.parents[1]) as typed:
        typed.type("", until="Go on with real.clue")
        typed.type("n\n", until="Go on with empty.clue: X, Y, Z; nothing logged yet?")
        assert "empty.clue" in typed.type("y\n", until="1> ")


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
    answers = f"clue-classic\nAnn, Ben, Cat\nAnn\n\nplum rope hall\n{rest}\n"
    result = run("new", typed=answers)
    assert "or all of it (empty to begin again): " in result.stderr
    assert 0 == result.exit_code, result.stderr
    assert "Ann holds Plum, Rope, Hall, Study, Knife, Green" in result.stdout
    assert "so far: plum rope hall" in result.stderr


def test_the_rooms_with_a_face_down_card_are_asked_for_where_an_edition_has_them(
    home: Path,
) -> None:
    path = home / "two.clue"
    asked = "clue-2015\nKim, Lee\n\nhal, libr, lou\nhal, libr, lou, stud\n7, 7\n\n"
    result = run("new", str(path), typed=asked)
    assert 0 == result.exit_code, result.stderr
    assert "expected 4 rooms" in result.stderr
    table = load_record(path).table
    assert ["Hall", "Library", "Lounge", "Study"] == [slot.name for slot in table.slots]
    assert (7, 7) == table.hands
    none = run("new", typed="n\nclue-2015\nKim, Lee\n\n\n\n\n")
    assert "hands: 9, 9\n" in none.stdout
    assert "face-down" not in run("new", typed="n\nclue-2015\nX, Y, Z\n\n\n\n").stderr


def test_for_how_many_players_an_edition_is_is_said(home: Path) -> None:
    two = run("new", typed="clue-diced\nKim, Lee\n\n\n\n")
    assert "Players, 3 to 4" in two.stderr
    assert "Clue Diced is for 3 to 4 players; found 2" in two.stderr
    assert 0 == two.exit_code
    three = run("new", typed="clue-diced\nKim, Lee, Max\n\n\n\n")
    assert "found 3" not in three.stderr


def test_own_decks_are_offered_and_the_template_is_not(home: Path) -> None:
    own = template().replace("Clue, our house", "Clue at home").replace("Grandmother", "Oma")
    Path("home.toml").write_text(own, "utf-8")
    Path("pyproject.toml").write_text("[project]\n", "utf-8")
    names = [Path(each.name).stem for each in offered_editions()]
    assert "clue-custom" not in names
    assert ["master-detective", "home"] == names[-2:]
    result = run("play", "--plain", typed="home\nAnn, Ben, Cat\nann\n\n\nann oma broom cel: ben\n")
    assert 0 == result.exit_code, result.stderr
    assert "home: Clue at home, 2-6 players, 6+6+9 cards. Six suspects" in result.stderr
    (path,) = home.glob("*.clue")
    assert "Ann suggests Oma, Broom, Cellar: Ben shows" in path.read_text("utf-8")
    assert Path("home.toml").resolve() == Path(load_record(path).table.edition.name)


@pytest.mark.parametrize("board", [True, False])
def test_a_template_whose_cards_are_replaced_works_with_its_board_and_without(
    home: Path, board: bool
) -> None:
    text, names = template(), {"Grandmother": "Oma", "Kitchen": "Küche", "Cellar": "Keller"}
    head, mark, rest = text.partition("\n[board]\n")
    for old, new in names.items():
        head = head.replace(f'name = "{old}"', f'name = "{new}"')
    Path("home.toml").write_text(head + (mark + rest) * board, "utf-8")
    header = "edition: home.toml\nplayers: Ann, Ben, Cat\nviewer: Ann\n"
    Path("own.clue").write_text(header, "utf-8")
    result = run("play", "--plain", "own.clue", typed="ann oma broom kel: ben kel\n")
    assert "Ann suggests Oma, Broom, Keller: Ben shows Keller" in result.stdout, result.stderr
    if board:
        there = json.loads(run("advise", "own.clue", "--at", "küche", "--json").stdout)
        assert "Keller" in there["ask"]["cards"]  # by the secret passage
        laid = load_edition("home.toml").board
        assert laid is not None
        there = [23, 19, 31, 10, 26, 18, 8, 12, 21]
        assert there == [laid.start["Oma"][room] for room in load_edition("home.toml").rooms]


def test_editions_are_told_apart_by_a_line_each() -> None:
    lines = [edition_line(each) for each in offered_editions()]
    assert len(lines) == len(set(lines))
    line = "cluedo-watson: Cluedo (Watson), 2-6 players, 6+6+9 cards. The UK deck; "
    assert edition_line(load_edition("cluedo-watson")).startswith(line)


def completed(*words: str) -> set[str]:
    """Return what completes the last of the words of a command line."""
    run = subprocess.run(
        [sys.executable, "-m", "clue_solver"], capture_output=True, check=False, text=True,
        env={
            **os.environ,
            "_CLUE_SOLVER_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("clue-solver", *words)),
            "COMP_CWORD": str(len(words)),
        },
    )  # fmt: skip
    assert "" == run.stderr
    return set(run.stdout.split())


def test_a_shell_completes_editions_seats_and_cards(home: Path) -> None:
    assert {"plain,clue-2015", "plain,clue-diced"} < completed("editions", "clue")
    assert {"file,mas", "plain,master-detective"} == completed("import", "--edition", "mas")
    assert {"file,p"} == completed("why", "p")
    path = played(home)
    assert {"file,p", "plain,Peacock", "plain,Plum"} == completed("why", "p")
    assert {"plain,Lead-Pipe", "plain,Library", "plain,Lounge"} == completed("why", str(path), "l")
    assert {"plain,Mr-Cat", "plain,Mustard"} == completed("why", "plum", "m")
    assert {"plain,envelope"} == completed("why", str(path), "plum", "e")
    assert {"plain,spectator"} == completed("report", "--viewer", "s")
    assert {"plain,Ben"} == completed("advise", "--as", "b")
    assert {"plain,Hall,Study"} == completed("advise", "--rooms", "Hall,st")
    assert 0 == run("why", "lead-pipe", "mr-cat").exit_code


@pytest.mark.parametrize("words", ["why p", "report --viewer b", "editions clue"])
def test_completing_names_loads_no_solver(home: Path, words: str) -> None:
    played(home)
    typed = f"clue-solver {words}"
    libraries = loaded(
        _CLUE_SOLVER_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=str(typed.count(" "))
    )
    assert not {"numpy", "pysat", "rich"} & libraries
