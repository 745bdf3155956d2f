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

import pytest

from clue_solver.record import load_record
from clue_solver.record.files import Keeper

pty = pytest.importorskip("pty", reason="a pseudo-terminal")
termios = pytest.importorskip("termios", reason="a pseudo-terminal")

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
LINES = (
    *("ann holds plum rope hall study knife green", "ann mus wr lou : cat mus"),
    *("sc le ki : cat", "pl can con : ann pl", "sc can bil : ben sc"),
    *("whi rev din -", "pea rev lib : ben"),
)


@contextmanager
def playing_process(path: Path, size: tuple[int, int] = (80, 24)) -> Iterator[int]:
    """Play a game in a process of its own, killed in the end; yield our end of its terminal."""
    ours, theirs = pty.openpty()
    width, height = size
    termios.tcsetwinsize(theirs, (height, width))
    words = [sys.executable, "-m", "clue_solver", "play", str(path)]
    surroundings = {**os.environ, "TERM": "xterm-256color"}
    started = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True
    )
    os.close(theirs)
    try:
        yield ours
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        os.close(ours)


def read_until(ours: int, wanted: bytes, seconds: float = 30, seen: bytes = b"") -> bytes:
    """Read on, behind what was seen, what the terminal shows until something stands there."""
    end = time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.1)
        if ready:
            try:
                seen += os.read(ours, 65536)
            except OSError:
                break
    return seen


@pytest.mark.parametrize("seed", range(5))
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
    Keeper(path).close()


def test_a_second_process_on_the_same_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    keeper = Keeper(path)
    words = [sys.executable, "-m", "clue_solver", "play", str(path)]
    try:
        second = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    finally:
        keeper.close()
    assert 2 == second.returncode
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
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "clue_solver", "play", str(path)]
    surroundings = {**os.environ, "TERM": "xterm-256color"}
    started = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True
    )
    os.close(theirs)
    try:
        assert b"1>" in read_until(ours, b"1>")
        os.close(ours)  # no signal tells it: the program leads a session of its own
        assert 1 == started.wait(60)
    finally:
        started.kill()
    Keeper(path).close()  # the game is free to be opened again
    assert load_record(path).table.seats == ("Ann", "Ben", "Cat")
