"""
Commands as they are typed, in the transcripts of `commands.txt`; each begins in an empty folder.

`@ NAME` is a file and what stands in it; `$ ...` is a command. Below it stand what is typed (`<`),
parts of what is said, in their order (`->`), what is not said (`-/`), and the status, if it is not
0 (`[2]`). What cannot be used, status 2, is an error and nothing else: nothing is printed or
written. `= NAME` is a file that is there then, with these lines; `/ NAME` is none.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from clue_solver.faces.commands import shared
from tests.faces.test_cli import EXAMPLES, run
from tests.rows import blocks

TRANSCRIPTS = blocks(Path(__file__).with_name("commands.txt"))
HOME = "clue-solver/games/"


def command(words: str, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command, and look for what is to come of it; whoever types is asked."""
    typed = [line[1:].removeprefix(" ") for line in lines if line.startswith("<")]
    monkeypatch.setattr(shared, "is_interactive", lambda: bool(typed))
    where, before = words.replace("examples/", f"{EXAMPLES}/"), sorted(Path().rglob("*"))
    result = run(*shlex.split(where), stdin="".join(f"{line}\n" for line in typed))
    status = next((int(line[1:-1]) for line in lines if line.startswith("[")), 0)
    assert result.exit_code == status, (words, result.output)
    said = rest = " ".join(result.output.split())
    assert "Traceback" not in said
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
