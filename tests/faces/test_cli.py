"""
The command line as a person or a script meets it: what is asked, answered, refused.

Commands as they are typed are transcripts, in `commands.txt`; each begins in an empty folder.
`@ NAME` is a file and what stands in it; `$ ...` is a command. Below it stand what is typed (`<`),
parts of what is said, in their order (`->`), what is not said (`-/`), and the status, if it is not
0 (`[2]`). What cannot be used, status 2, is an error and nothing else: nothing is printed or
written. `= NAME` is a file that is there then, with these lines; `/ NAME` is none.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import sys
import tomllib
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from clue_solver import Advice, Game, __version__, load, load_edition
from clue_solver.errors import ClueError
from clue_solver.faces import plain, setup
from clue_solver.faces.cli import main
from clue_solver.faces.commands import shared
from clue_solver.faces.games import games_by_time, last_game, offered_games
from clue_solver.record.files import load_record, parse_record
from clue_solver.views.headlines import headline
from tests.conversation.test_session import START
from tests.faces.test_plain import Terminal
from tests.rows import blocks

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
CLASSIC, DICED = (str(EXAMPLES / f"{name}.clue") for name in ("classic", "diced"))
SMALL = f"{START}Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard\n"


def run(*words: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], input=stdin, prog_name="clue-solver")


def answer(*words: str, stdin: str | None = None) -> dict[str, Any]:
    """Return the object that a command prints."""
    command, *rest = words
    result = run(command, *rest, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return read(result.stdout)


def read(text: str) -> dict[str, Any]:
    """Read an object; batches may be compiled, whose last two digits differ."""
    printed: dict[str, Any] = json.loads(text, parse_float=lambda said: round(float(said), 12))
    return printed


# What each command passes on and draws.


def test_a_report_is_the_games_own_for_the_eyes_entries_policies_and_facts_asked_for() -> None:
    game, words = (
        load(CLASSIC),
        ("--viewer", "be", "--upto", "9", "--asks", "any"),
    )
    seen = {"viewer": "Ben", "upto": 9, "asks": "any"}
    report = game.report(**seen)  # type: ignore[arg-type]
    assert answer("report", CLASSIC, *words) == read(report.to_json())
    facts = ("--suppose", "cat lacks rope", "--suppose", "env lacks white")
    supposed = game.suppose("Cat lacks Rope", "envelope lacks White")
    assert answer("report", CLASSIC, *facts) == read(supposed.report().to_json())
    why = game.why("Rope", "Ben", viewer="Ben", upto=9)
    assert answer("why", CLASSIC, "rope", "be", *words[:4]) == read(why.to_json())
    check = game.check(viewer="Ben", upto=9)
    assert answer("check", CLASSIC, *words[:4]) == read(check.to_json())
    assert answer("report", "-", stdin=SMALL)["entries"] == 2


def test_advice_is_the_games_own_from_where_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    advice = load(CLASSIC).advice(viewer="Cat", upto=14)

    def advised(_: Game, **how: object) -> Advice:
        asked.append({name: said for name, said in how.items() if said not in (None, ())})
        return advice

    monkeypatch.setattr(Game, "advice", advised)
    words = ("--upto", "9", "--at", "hall", "--roll", "4")
    told = answer("advise", CLASSIC, *words, "--top", "3")
    assert len(told["suggestions"]) == 3
    text = run("advise", CLASSIC, "--upto", "9", "--rooms", "hall", "--top", "2").stdout
    assert " ".join(text.split()).startswith(headline(advice).text)
    assert asked == [
        {"upto": 9, "at": "hall", "roll": "4"},
        {"upto": 9, "rooms": "hall"},
    ]


def test_the_sheet_shows_every_card_and_fits_80_columns_with_six_players() -> None:
    players = "players: Professor, Benedict, Catherine, [bold]x, [31mred, Florence"
    text = f"edition: clue-classic\n{players}\n\nProfessor suggests plum, rope, hall: -\n"
    result = run("report", "-", stdin=text)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(cell_len(line) for line in lines) <= 80
    for name in load_edition("clue-classic").names:
        assert any(line.startswith(name) for line in lines)
    assert all(name in result.stdout for name in ("[bold]x", "[31mred"))  # shown, never obeyed
    assert "\x1b" not in result.stdout


def test_export_writes_every_form_and_records_come_back_without_loss(tmp_path: Path) -> None:
    original, formula = Path(CLASSIC).read_text("utf-8"), load(CLASSIC).dimacs()
    there = tmp_path / "game.jsonl"
    assert run("export", CLASSIC, "-o", there).exit_code == 0
    lines = there.read_text("utf-8")
    assert json.loads(lines.splitlines()[0])["event"] == "game"
    for words, text in (
        ((CLASSIC, "--as", "jsonl"), lines),
        ((CLASSIC, "-o", "-", "--as", "clue"), original),
        ((there, "--as", "clue"), original),
        ((CLASSIC, "--as", "dimacs"), formula),
        ((CLASSIC,), run("export", CLASSIC, "--as", "pad").stdout),
    ):
        assert run("export", *words).stdout == text
    for name, options in {
        "a.clue": (),
        "a.cnf": (),
        "a.dimacs": (),
        "a.txt": ("--as", "dimacs"),
    }.items():
        assert run("export", there, *options, "-o", tmp_path / name).exit_code == 0
        text = (tmp_path / name).read_text("utf-8")
        assert text == (original if name == "a.clue" else formula)
    seen = ("--viewer", "ben", "--upto", "9", "--suppose", "Ben has Rope")
    expected = load(CLASSIC).suppose("Ben has Rope").dimacs(viewer="Ben", upto=9)
    assert run("export", CLASSIC, "--as", "dimacs", *seen).stdout == expected


def test_a_review_is_told_as_text_as_json_and_as_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = load(DICED).review(sample=100)
    monkeypatch.setattr(Game, "review", lambda _: review)
    result = run("review", DICED)
    assert (result.exit_code, result.stderr) == (0, "")
    for title in ("Players", "Suggestions", "Turning points"):
        assert title in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    page = tmp_path / "review.html"
    told = run("review", DICED, "--html", page)
    assert (told.stdout, told.stderr) == (result.stdout, f"{page} written\n")
    assert "Brains Mustard" in page.read_text("utf-8")
    assert run("review", DICED, "--html", "-").stdout == page.read_text("utf-8")
    assert answer("review", "-", stdin=SMALL) == read(review.to_json())


def test_the_help_lists_every_command_with_its_whole_summary_in_80_columns() -> None:
    shown = run("--help", "--help").stdout
    listed = [line.split() for line in shown.splitlines() if line.startswith("  ")]
    for name, command in main.commands.items():
        summary = str(command.help).strip().splitlines()[0]
        assert [name, *summary.split()] in listed
    assert max(map(len, shown.splitlines())) <= 80
    assert run().stdout == shown == run("help").stdout
    assert run("--version").stdout == f"clue-solver {__version__}\n"
    assert run("help", "why").stdout == run("why", "--help").stdout
    assert len(main.commands) <= 16


@pytest.mark.parametrize("name", main.commands)
def test_every_help_has_examples_that_can_be_parsed_and_the_exit_statuses(name: str) -> None:
    command = main.commands[name]
    shown = run(name, "--help").stdout
    assert shown.endswith(f"\n  {shared.STATUSES}\n")
    examples = re.findall(r"^    clue-solver (.*)$", shown, re.M)
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" > ")[0])
        assert words.pop(0) == name
        context = click.Context(command, info_name=name)
        _, left, _ = command.make_parser(context).parse_args(words)
        assert left == []


def test_without_a_command_the_game_opens_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path | None] = []
    monkeypatch.setattr("clue_solver.faces.tui.app.run", lambda path, _: opened.append(path))
    monkeypatch.setattr(shared, "is_terminal", lambda *_: True)
    assert run().exit_code == 0
    assert opened == [None]


def test_the_wheel_has_the_examples_and_notebooks_without_what_they_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hook:
        root = str(ROOT)

    hatchling = ModuleType("hatchling.builders.hooks.plugin.interface")
    monkeypatch.setattr(hatchling, "BuildHookInterface", Hook, raising=False)
    monkeypatch.setitem(sys.modules, hatchling.__name__, hatchling)
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["Examples"]()
    built: dict[str, dict[str, str]] = {"force_include": {}}
    hook.initialize("editable", built)
    assert built["force_include"] == {}
    hook.initialize("standard", built)
    packed = {name: Path(path) for path, name in built["force_include"].items()}
    kinds = (".clue", ".csv", ".toml", ".ipynb")
    examples = {path.name for path in EXAMPLES.iterdir() if path.suffix in kinds}
    assert {*packed} == {f"clue_solver/examples/{name}" for name in examples}
    for path in packed.values():
        assert path.suffix != ".ipynb" or '"output_type"' not in path.read_text("utf-8")
    source = json.loads((EXAMPLES / "first_turn.ipynb").read_text("utf-8"))["cells"]
    bare = json.loads(packed["clue_solver/examples/first_turn.ipynb"].read_text("utf-8"))["cells"]
    assert [cell["source"] for cell in bare] == [cell["source"] for cell in source]
    hook.finalize("standard", built, "")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "custom" in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]


TRANSCRIPTS = blocks(Path(__file__).with_name("commands.txt"))
HOME = "clue-solver/games/"


def command(words: str, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command, and look for what is to come of it; whoever types is asked."""
    typed = [line[1:].removeprefix(" ") for line in lines if line.startswith("<")]
    monkeypatch.setattr(shared, "is_terminal", lambda *_: bool(typed))
    where, before = words.replace("examples/", f"{EXAMPLES}/"), sorted(Path().rglob("*"))
    result = run(*shlex.split(where), stdin="".join(f"{line}\n" for line in typed))
    status = next((int(line[1:-1]) for line in lines if line.startswith("[")), 0)
    assert result.exit_code == status, (words, result.output)
    said = rest = " ".join(result.output.split())
    assert "Traceback" not in said
    assert not result.stderr.startswith("\n"), words  # of a bar that is not drawn
    if status == 2:
        assert (result.stdout, sorted(Path().rglob("*"))) == ("", before), words
        assert "rror: " in result.stderr
    for mark, _, part in (line.partition(" ") for line in lines):
        if mark == "->":
            assert part in rest, (words, said)
            rest = rest.partition(part)[2]
        assert mark != "-/" or part not in said, words


@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_what_comes_of_commands(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Path(HOME).mkdir(parents=True)
    for number, step in enumerate(re.split(r"^(?=[@$=/] )", text, flags=re.M)):
        head, *lines = step.rstrip("\n").split("\n")
        mark, _, rest = head.partition(" ")
        path = Path(rest.replace("games/", HOME))
        if mark == "@":
            path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
            os.utime(path, (number, number))
        elif mark == "$":
            command(rest.replace("games/", HOME), lines, monkeypatch)
        elif mark == "=":
            assert {*lines} <= {*path.read_text("utf-8").splitlines()}, path.read_text("utf-8")
        elif mark == "/":
            assert not path.exists()


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
    assert str(last_game()) == str(game)


def test_a_game_that_vanishes_while_it_is_listed_hides_no_other(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (home / f"{name}.clue").write_text(START, "utf-8")
    stat, seen = Path.stat, set[str]()

    def vanishing(path: Path, **how: Any) -> os.stat_result:
        if path.name == "b.clue" and path.name in seen:
            path.unlink(missing_ok=True)
        seen.add(path.name)
        return stat(path, **how)

    monkeypatch.setattr(Path, "stat", vanishing)
    assert {path.name for path in games_by_time(home)} == {"a.clue", "c.clue"}


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
    assert [game.path for game in offered_games(home)] == kept
    person = Terminal([""] * 9, StringIO())
    monkeypatch.setattr("sys.stdin", person)
    monkeypatch.setattr("builtins.input", person.typed)
    plain.run(Path("next.clue"), {}, Console(file=StringIO()))
    assert person.read() == ""
    table = replace(load_record(kept[0]).table, face_up=(), hands=())
    assert load_record("next.clue").table == table


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
