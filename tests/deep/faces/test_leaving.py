"""Told to end, or without a terminal, on a disk that is full: the game is there all the same."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen

import httpx
import pytest

from clue_solver.record import load_record
from tests.conversation.test_session import SHOWN, begun_in

pty = pytest.importorskip("pty", reason="a pseudo-terminal")
termios = pytest.importorskip("termios", reason="a pseudo-terminal")

ROOT = Path(__file__).parents[3]
MINUTE = 60
TYPED = f"{SHOWN}\r".encode()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return begun_in(tmp_path / "table")


def surroundings(game: Path, *, full: bool) -> dict[str, str]:
    data = str(game.parents[1] / "data")
    where = str(game.parent) if full else "nowhere"
    return {**os.environ, "FAULTY": where, "XDG_DATA_HOME": data, "TERM": "xterm-256color"}


def copied(game: Path) -> Path:
    return game.parents[1] / "data" / "clue-solver" / "games" / game.name


def started(*words: str, game: Path, full: bool = True) -> Popen[bytes]:
    command = [sys.executable, "-m", "tests.faults", *words, str(game)]
    environment = surroundings(game, full=full)
    return Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=ROOT, env=environment)


@pytest.fixture(params=[True, False], ids=["full", "space"])
def full(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def written(game: Path, *, full: bool) -> bool:
    """Whether the entry is where it must be."""
    return len(load_record(copied(game) if full else game).entries) == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_lines_that_are_told_to_end(game: Path, number: signal.Signals, full: bool) -> None:
    with started("play", "--plain", game=game, full=full) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(TYPED.replace(b"\r", b"\n"))
        process.stdin.flush()
        assert any(b"turn: Ben" in line for line in process.stdout)
        process.send_signal(number)
        _, said = process.communicate(timeout=MINUTE)
    assert process.returncode == (1 if number == signal.SIGINT else 128 + number)
    assert written(game, full=full)
    assert (f"the game is in {game}\n".encode() in said) != full
    assert (f"the game is in {copied(game)} instead\n".encode() in said) == full


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_page_that_is_told_to_end(game: Path, number: signal.Signals, full: bool) -> None:
    with started("serve", "--port", "0", game=game, full=full) as process:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        said = {"line": SHOWN}
        assert httpx.post(f"{address}/tell", data=said, timeout=MINUTE).status_code == 200
        process.send_signal(number)
        _, told = process.communicate(timeout=MINUTE)
    assert process.returncode == 128 + number
    assert written(game, full=full)
    assert (f"the game is in {copied(game)} instead\n".encode() in told) == full


class OnTerminal:
    """The program on a terminal of its own, which can be taken away."""

    def __init__(self, *words: str, game: Path, full: bool) -> None:
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, (24, 80))
        self.process = Popen(
            [sys.executable, "-m", "tests.faults", *words, str(game)],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            cwd=ROOT,
            env=surroundings(game, full=full),
            start_new_session=True,
        )

    def read_until(self, wanted: bytes) -> bytes:
        """Read on until something is shown, a minute at most: the cursor blinks for ever."""
        seen, end = b"", time.monotonic() + MINUTE
        while wanted not in seen and time.monotonic() < end:
            if select.select([self.ours], [], [], 0.1)[0]:
                seen += os.read(self.ours, 65536)
        assert wanted in seen, seen[-2000:]
        return seen

    def take_away(self) -> None:
        os.close(self.theirs)
        os.close(self.ours)
        self.ours = self.theirs = -1

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.ours >= 0:
            self.take_away()


def test_the_full_screen_that_is_told_to_end_gives_the_terminal_back(
    game: Path, full: bool
) -> None:
    there = OnTerminal("play", game=game, full=full)
    try:
        before = termios.tcgetattr(there.theirs)
        there.read_until(b"2>")
        assert termios.tcgetattr(there.theirs) != before
        os.write(there.ours, TYPED)
        there.read_until(b"turn: who a")
        there.process.send_signal(signal.SIGTERM)
        said = there.read_until(b"the game is in ")
        assert there.process.wait(MINUTE) == 128 + signal.SIGTERM
        assert b"\x1b[?1049l" in said  # the screen before is back
        assert termios.tcgetattr(there.theirs) == before
    finally:
        there.end()
    assert written(game, full=full)


@pytest.mark.parametrize("words", [("play",), ("play", "--plain")], ids=["screen", "lines"])
def test_a_terminal_that_goes_away(game: Path, full: bool, words: tuple[str, ...]) -> None:
    there = OnTerminal(*words, game=game, full=full)
    try:
        there.read_until(b"2>")
        os.write(there.ours, TYPED)
        there.read_until(b"turn: who a" if words == ("play",) else b"3> ")
        there.take_away()
        assert there.process.wait(MINUTE) != 0 or not full
    finally:
        there.end()
    assert written(game, full=full)


def test_a_person_is_asked_and_answers(game: Path, tmp_path: Path) -> None:
    there = OnTerminal("play", "--plain", game=game, full=True)
    try:
        there.read_until(b"2>")
        os.write(there.ours, TYPED)
        there.read_until(b"3> ")
        os.write(there.ours, b"quit\r")
        asked = b" ".join(there.read_until(b"be written?").split())
        assert b"No space left on device; to which other file shall the game be written?" in asked
        os.write(there.ours, f"{tmp_path / 'mine.clue'}\r".encode())
        there.read_until(b"instead")
        assert there.process.wait(MINUTE) == 4
    finally:
        there.end()
    assert len(load_record(tmp_path / "mine.clue").entries) == 2
