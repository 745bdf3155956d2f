"""The session as lines, driven through the command line and killed at any moment."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from clue_solver.faces.cli import main
from clue_solver.record import load_record
from clue_solver.record.files import Keeper

START = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.clue"
    path.write_text(START, "utf-8")
    return path


def play(path: Path, *lines: str) -> Result:
    words = ["play", "--plain", str(path)]
    return CliRunner().invoke(main, words, input="".join(f"{line}\n" for line in lines))


def test_each_accepted_line_prints_what_it_settled_and_the_best_solutions(game: Path) -> None:
    result = play(game, "ann mus wr lou: cat mus", "/quit")
    assert 0 == result.exit_code
    assert "2  Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard" in result.stdout
    assert "Cat has Mustard" in result.stdout
    assert "bits left" in result.stdout
    assert "turn: Ben" in result.stdout
    assert 2 == len(load_record(game).entries)


def test_an_unreadable_line_is_answered_and_skipped(game: Path) -> None:
    result = play(game, "ann mus wrnch lou: cat", "ann mus wr lou: cat")
    assert 0 == result.exit_code
    assert "wrnch" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert 2 == len(load_record(game).entries)


def test_every_command_answers(game: Path) -> None:
    result = play(
        game, "ann mus wr lou: cat", "/help", "/log", "/best", "/sheet", "/sheet 1", "/undo",
        "/redo", "/why plum ann", "/why lead pipe envelope", "/check", "/suppose cat has wrench",
        "/as ben", "/show ben plum rope kit", "/edit 2 ann mus wr lou: ben", "/hands 6,6,6",
        "/delete 2", "/advise", "/quit", "ann mus wr lou: cat",
    )  # fmt: skip
    assert 0 == result.exit_code
    assert "? " not in result.stdout
    for told in (
        "/undo, /redo",
        "Ann has Plum.",
        "is consistent",
        "supposing that",
        "Plum: tells",
    ):
        assert told in result.stdout
    assert "What to ask" in result.stdout
    assert 1 == len(load_record(game).entries)


def test_bad_commands_are_answered(game: Path) -> None:
    result = play(
        game, "/bogus", "/edit x", "/edit 99 ann holds plum", "/why", "/why plum zoe", "/fix 3",
        "/undo", "/undo", "/redo", "/redo", "/sheet 99", "/hands 1,2", "/suppose plum", "/show x",
    )  # fmt: skip
    assert 0 == result.exit_code
    assert 12 <= result.stdout.count("? ")
    assert "Traceback" not in result.stdout + result.stderr


def test_a_contradiction_is_shown_and_fixed_in_place(game: Path) -> None:
    result = play(game, "ann mus wr lou: -", "ben mus wr lou: cat", "/fix 1", "/check")
    assert "cannot all be true" in result.stdout
    assert "Suggested corrections" in result.stdout
    assert result.stdout.rstrip().splitlines()[-1].startswith("The log is consistent")


def test_a_second_process_is_refused_with_status_2(game: Path) -> None:
    keeper = Keeper(game)
    try:
        result = play(game, "ann mus wr lou: cat")
    finally:
        keeper.close()
    assert 2 == result.exit_code
    assert "open in another window" in result.stderr
    assert 1 == len(load_record(game).entries)


def test_a_new_file_is_set_up_by_questions(tmp_path: Path) -> None:
    path = tmp_path / "new.clue"
    result = play(
        path, "clue-classic", "Ann, Ben, Cat", "Ann", "6, 6, 6", "plum rope hall study knife green",
        "ann mus wr lou: cat",
    )  # fmt: skip
    assert 0 == result.exit_code, result.stderr
    assert 2 == len(load_record(path).entries)


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment_every_confirmed_entry_is_there(game: Path, seed: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", "play", "--plain", str(game)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    confirmed = 1
    chosen = random.Random(seed)
    process.stdin.write("ann mus wr lou: cat\nben mus wr kit: cat\ncat sc wr kit: ?\n" * 3)
    process.stdin.flush()
    stop = chosen.randint(2, 8)
    for line in process.stdout:
        number = line.split()[0] if line.split() else ""
        if number.isdigit() and "suggests" in line:
            confirmed = int(number)
        if confirmed >= stop:
            break
    time.sleep(chosen.random() * 0.02)
    process.kill()
    process.wait()
    kept = load_record(game)
    assert len(kept.entries) >= confirmed
    Keeper(game).close()  # the lock went with the process
