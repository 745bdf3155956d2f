"""Told to end, or without a terminal: the game is there all the same."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import httpx
import pytest

from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from tests.conversation.test_session import SHOWN, begun_in
from tests.deep.faces.terminals import MINUTE, ROOT, terminal, termios

TYPED = f"{SHOWN}\r"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return begun_in(tmp_path / "table")


def started(*words: str) -> Popen[bytes]:
    command = [sys.executable, "-m", "clue_solver", *words]
    return Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=ROOT)


def entries(game: Path) -> int:
    """How many there are in a file that nobody has open any more."""
    RecordFile(game).close()
    return len(load_record(game).entries)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_lines_that_are_told_to_end(game: Path, number: signal.Signals) -> None:
    with started("play", "--plain", str(game)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{SHOWN}\n".encode())
        process.stdin.flush()
        assert any(b"turn: Ben" in line for line in process.stdout)
        process.send_signal(number)
        _, said = process.communicate(timeout=MINUTE)
    assert process.returncode == (1 if number == signal.SIGINT else 128 + number)
    assert f"the game is in {game}\n".encode() in said
    assert entries(game) == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_page_that_is_told_to_end(game: Path, number: signal.Signals) -> None:
    with started("serve", "--port", "0", str(game)) as process:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        said = {"line": SHOWN}
        assert httpx.post(f"{address}/tell", data=said, timeout=MINUTE).status_code == 200
        process.send_signal(number)
        _, told = process.communicate(timeout=MINUTE)
    assert process.returncode == 128 + number
    assert f"the game is in {game}\n".encode() in told
    assert entries(game) == 2


def test_the_full_screen_that_is_told_to_end_gives_the_terminal_back(game: Path) -> None:
    with terminal("play", str(game)) as there:
        before = termios.tcgetattr(there.theirs)
        there.type("", until="2>")
        assert termios.tcgetattr(there.theirs) != before
        there.type(TYPED, until="turn: which")
        there.process.send_signal(signal.SIGTERM)
        there.type("", until="the game is in ")
        assert there.process.wait(MINUTE) == 128 + signal.SIGTERM
        assert b"\x1b[?1049l" in there.raw  # the screen before is back
        assert termios.tcgetattr(there.theirs) == before
    assert entries(game) == 2


@pytest.mark.parametrize("words", [("play",), ("play", "--plain")], ids=["screen", "lines"])
def test_a_terminal_that_goes_away(game: Path, words: tuple[str, ...]) -> None:
    with terminal(*words, str(game)) as there:
        there.type("", until="2>")
        there.type(TYPED, until="turn: which" if words == ("play",) else "3> ")
        there.take_away()
        there.process.wait(MINUTE)
    assert entries(game) == 2
