"""The full screen as a process: killed at any moment, opened twice, without a place to write."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from clue_solver.faces.practising import Practice
from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition_files import load_edition

pty = pytest.importorskip("pty", reason="a pseudo-terminal")
termios = pytest.importorskip("termios", reason="a pseudo-terminal")

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
LINES = (
    *("ann holds plum rope hall study knife green", "ann mus wr lou : cat mus"),
    *("sc le ki : cat", "pl can con : ann pl", "sc can bil : ben sc"),
    *("whi rev din -", "pea rev lib : ben"),
)


def started(path: Path, *words: str, size: tuple[int, int] = (80, 24)) -> tuple[int, Popen[bytes]]:
    """Start a command in a process of its own; return our end of its terminal, and the process."""
    ours, theirs = pty.openpty()
    width, height = size
    termios.tcsetwinsize(theirs, (height, width))
    command = [sys.executable, "-m", "clue_solver", *(words or ("play", str(path)))]
    surroundings = {**os.environ, "TERM": "xterm-256color"}
    process = Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=surroundings,
        start_new_session=True,
    )
    os.close(theirs)
    return ours, process


@contextmanager
def playing_process(path: Path) -> Iterator[int]:
    """Play a game in a process of its own, killed in the end; yield our end of its terminal."""
    ours, process = started(path)
    try:
        yield ours
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)


def read_until(ours: int, wanted: bytes, seen: bytes = b"") -> bytes:
    """
    Read on, behind what was seen, what the terminal shows until something stands there.

    It waits two minutes at most: the cursor blinks for ever.
    """
    end = time.monotonic() + 120
    while wanted not in seen and time.monotonic() < end and select.select([ours], [], [], 60)[0]:
        try:
            seen += os.read(ours, 65536)
        except OSError:
            break
    return seen


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("seed", range(10))
def test_every_confirmed_entry_is_there_after_a_kill(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    chance = random.Random(seed)
    confirmed = 0
    with playing_process(path) as ours:
        assert b"1>" in read_until(ours, b"1>")
        for number, line in enumerate(LINES[: chance.randint(1, len(LINES))], 1):
            os.write(ours, line.encode() + b"\r")
            mark = f"✓ {number} ".encode()
            if mark not in read_until(ours, mark):
                break
            confirmed = number
        if chance.random() < 0.7 and confirmed < len(LINES):
            os.write(ours, LINES[confirmed].encode() + b"\r")
        time.sleep(chance.random() * 0.08)
    assert confirmed > 0
    entries = load_record(path).entries
    assert confirmed <= len(entries) <= confirmed + 1
    RecordFile(path).close()


def test_a_second_process_on_the_same_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    keeper = RecordFile(path)
    words = [sys.executable, "-m", "clue_solver", "play", str(path)]
    try:
        second = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    finally:
        keeper.close()
    assert second.returncode == 2
    assert b"open in another window" in second.stderr
    assert b"\x1b" not in second.stdout


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_read_only_folder_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    tmp_path.chmod(0o500)
    try:
        with playing_process(path) as ours:
            assert b"not written" in read_until(ours, b"not written")
    finally:
        tmp_path.chmod(0o700)


def test_the_program_ends_with_its_terminal(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    ours, process = started(path)
    try:
        assert b"1>" in read_until(ours, b"1>")
        os.close(ours)  # no signal tells it: the program leads a session of its own
        assert process.wait(60) == 1
    finally:
        process.kill()
    RecordFile(path).close()  # the game is free to be opened again
    assert load_record(path).table.seats == ("Ann", "Ben", "Cat")


def test_a_game_against_machines_is_kept_and_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    players = {"Ann": "", "Ben": "likeliest", "Cat": "random"}
    Practice.begin(load_edition("clue-classic"), players, path, seed=3).leave()
    words = ("practise", str(path))
    rolled = b"You rolled"
    for typed, wanted in ((b"1\r", rolled), (b"", rolled)):
        ours, process = started(path, *words)
        try:
            assert b"do you go?" in read_until(ours, b"do you go?")
            os.write(ours, typed)
            assert wanted in read_until(ours, wanted)
            os.write(ours, b"\x1b\x11")
            assert b"goes on with it" in read_until(ours, b"goes on with it")
            assert process.wait(60) == 0
        finally:
            process.kill()
            os.close(ours)
