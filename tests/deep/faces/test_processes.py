"""The program as a process: at a terminal, on a pipe, killed, interrupted, told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from subprocess import PIPE, Popen

import httpx
import pytest

from clue_solver import __version__
from clue_solver.record.files import RecordFile, load_record
from tests.conversation.test_session import SHOWN, START
from tests.deep.faces.terminals import MINUTE, ROOT, Terminal, terminal, termios
from tools import page

EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAM = (sys.executable, "-m", "clue_solver")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.clue"
    path.write_text(START, "utf-8")
    return path


def at_terminal(*words: str, folder: Path) -> AbstractContextManager[Terminal]:
    """Run the program on a terminal, its data in a folder of its own."""
    where = {"TERM": "xterm", "XDG_DATA_HOME": str(folder)}
    return terminal(*words, where=where, controls=True)


def test_keys_at_a_terminal_recall_paste_and_interrupt(game: Path) -> None:
    with at_terminal("play", "--plain", str(game), folder=game.parent) as typed:
        assert "uggest " in typed.type("", until="2> ")
        typed.type("ann must wren lounge: cat shows mustard # at last\n", until="3> ")
        typed.type("undo\n", until="2> ")
        typed.type("\x1b[A\x1b[A", until="cat shows mustard # at last")
        typed.type("\n", until="3> ")
        assert load_record(game).entries[1].comment == "at last"
        pasted = "ben sc can kit: cat\nann mus can kit: ben\nann skips\n"
        typed.type(f"\x15\x1b[200~{pasted}\x1b[201~\n", until="next: ann skips")
        assert "not accepted" in typed.type("n\n", until="4> ")
        typed.type("cat mus can kit: ben\n", until="6> ")  # then the rest is taken
        leaves = "quit leaves; every entry is already saved"
        for _ in range(20):  # an interrupt between two keys is noticed with the next one
            if leaves in typed.seen("\x03", lambda seen: leaves in seen, 3):
                break
        else:
            pytest.fail("an interrupt says nothing")
        typed.type("ben skips\n", until="7> ")
        assert "the game is in" in typed.type("quit\n", until="game.clue")
    assert len(load_record(game).entries) == 6


def test_marks_survive_a_terminal_without_unicode(game: Path) -> None:
    with game.open("a", encoding="utf-8") as file:
        file.write(f"{SHOWN}\n")
    done = subprocess.run(
        [*PROGRAM, "report", str(game)],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    mustard = next(line for line in done.stdout.splitlines() if line.startswith(b"Mustard"))
    marks = [word for word in mustard.split() if word != b"|"]
    assert marks == [b"Mustard", b".", b".", b"*", b"."]
    told = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert told.stdout == f"clue-solver {__version__}\n"


def test_a_review_of_one_game_shows_that_it_is_at_work(tmp_path: Path) -> None:
    game = str(EXAMPLES / "evening.clue")
    with at_terminal("review", game, folder=tmp_path) as at:
        shown = at.seen("", lambda seen: "Players" in seen, 60)
    assert "review ..." in shown.partition("Solution")[0]
    done = subprocess.run([*PROGRAM, "review", game], capture_output=True, text=True, check=True)
    assert (done.stderr, done.stdout.splitlines()[0]) == ("", "Solution: Green, Wrench, Kitchen")


REFUSING = """
import sys, tomllib
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, sys.argv[3])  # the program as the folder has it
pins = tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))
left = pins["left_out"]
wheels = [each["address"].rpartition("/")[2].split("-") for each in pins["part"][1:]]
older = tuple(  # what they ask for does not matter
    f"{name}." for name, number, *_ in wheels
    if version(name).split(".")[0] != number.split(".")[0]
)

class Refusing:
    def find_spec(self, name, path=None, target=None):
        file = name.replace(".", "/")
        for each in (f"{file}.py", f"{file}/__init__.py"):
            out = each.startswith(tuple(left["program"]))
            needed = each.startswith(tuple(left["needed"]))
            listens = name.split(".")[0] in ("uvicorn", "h11", "textual", "joblib")
            if (out and not needed and not name.startswith(older)) or listens:
                raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Refusing())
import clue_solver
assert clue_solver.__file__.startswith(sys.argv[3])
from tests.faces.alone import whole_evening
whole_evening(Path(sys.argv[2]))
"""


def test_no_page_asks_for_what_is_left_out(tmp_path: Path) -> None:
    pins = Path(page.__file__).with_suffix(".toml")
    program = tmp_path / "program"
    for name, content in page.program_files([]):
        path = program / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    command = [sys.executable, "-c", REFUSING, str(pins), str(tmp_path / "games"), str(program)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


TYPED = f"{SHOWN}\r"


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
        there.type(TYPED, until="Ben suggests what?")
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
        there.type(TYPED, until="Ben suggests what?" if words == ("play",) else "3> ")
        there.take_away()
        there.process.wait(MINUTE)
    assert entries(game) == 2


def test_a_long_question_of_an_import_is_broken_between_words(tmp_path: Path) -> None:
    cards = "Miss Scarlett,x,\nRope,,x\nLead Pipe,x,\nKnife,x,\nHall,,x\n"
    (tmp_path / "pad.csv").write_text(f"card,Ann,Ben\n{cards}", "utf-8")
    with terminal("import", "pad.csv", "-o", "new.clue", folder=tmp_path) as typed:
        typed.type("", until="which\nedition is it: ")
