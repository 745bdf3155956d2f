"""Told to end, or without a terminal, on a disk that is full: the game is there all the same."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import PIPE, Popen

import httpx
import pytest

from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from tests.conversation.test_session import SHOWN, begun_in
from tests.deep.faces.terminals import MINUTE, ROOT, Terminal, terminal, termios

TYPED = f"{SHOWN}\r"


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
        process.stdin.write(f"{SHOWN}\n".encode())
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


def at_terminal(*words: str, game: Path, full: bool) -> AbstractContextManager[Terminal]:
    where = surroundings(game, full=full)
    return terminal(*words, str(game), module="tests.faults", where=where)


def test_the_full_screen_that_is_told_to_end_gives_the_terminal_back(
    game: Path, full: bool
) -> None:
    with at_terminal("play", game=game, full=full) as there:
        before = termios.tcgetattr(there.theirs)
        there.type("", until="2>")
        assert termios.tcgetattr(there.theirs) != before
        there.type(TYPED, until="turn: which")
        there.process.send_signal(signal.SIGTERM)
        there.type("", until="the game is in ")
        assert there.process.wait(MINUTE) == 128 + signal.SIGTERM
        assert b"\x1b[?1049l" in there.raw  # the screen before is back
        assert termios.tcgetattr(there.theirs) == before
    assert written(game, full=full)


@pytest.mark.parametrize("words", [("play",), ("play", "--plain")], ids=["screen", "lines"])
def test_a_terminal_that_goes_away(game: Path, full: bool, words: tuple[str, ...]) -> None:
    with at_terminal(*words, game=game, full=full) as there:
        there.type("", until="2>")
        there.type(TYPED, until="turn: which" if words == ("play",) else "3> ")
        there.take_away()
        assert there.process.wait(MINUTE) != 0 or not full
    assert written(game, full=full)
    RecordFile(game).close()  # the game is free to be opened again
