"""
The commands of README and site: run in order, page by page, in a folder with the examples.

    python -m docs.sessions [PAGE ...]  # writes what the commands print today into the pages

A session (`console`) is a block of commands after `$`, each with what a terminal shows of it; a
line `...` stands for any lines. A script (`sh`) has a command a line, which have to succeed; they
are run by the tests alone. A block right behind "called `NAME`:" is in that file then. Commands of
`clue-solver` alone run in this process, others in a shell.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from click.testing import CliRunner

from clue_solver.faces.cli import main as clue_solver

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"called\s+`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Ran(NamedTuple):
    """
    A command that was run.

    Attributes:
        command: As it stands on the page.
        told: What the page says that it prints; `None` in a script, which says nothing.
        printed: What it printed, lines without spaces at their ends.
        status: Its exit status.
    """

    command: str
    told: list[str] | None
    printed: list[str]
    status: int

    def agrees(self) -> bool:
        """Return whether it printed what the page says; in a script, whether it succeeded."""
        if self.told is None:
            return not self.status
        parts = [re.escape(line) if line != "..." else "..." for line in self.told]
        pattern = "".join("(.*\n)*" if part == "..." else f"{part}\n" for part in parts)
        return re.fullmatch(pattern, "".join(f"{line}\n" for line in self.printed)) is not None


def pages() -> list[Path]:
    """Return the pages of the site and the files of the project that are read like one."""
    own = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *own]


def commands(text: str) -> list[tuple[str, str | None]]:
    """Return the commands of a page, each with the lines below it; `None` in a script."""
    pairs: list[tuple[str, str | None]] = []
    for kind, block in BLOCK.findall(text):
        shown = COMMAND.findall(block) if kind == "console" else None
        pairs += shown if shown is not None else [(line, None) for line in block.splitlines()]
    return pairs


def run(
    text: str, folder: Path, *, script: Callable[[str], str | None] = lambda _: None
) -> Iterator[Ran]:
    """
    Run the commands of a page.

    Args:
        text: The page.
        folder: An empty folder to work in; the examples and the page's files are copied there.
        script: What to run for a command of a script; `None` for nothing.
    """
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name, content in FILE.findall(text):
        (folder / name).write_text(content, "utf-8")
    program = folder / ".bin" / "clue-solver"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m clue_solver "$@"\n', "utf-8")
    program.chmod(0o755)
    env = {
        "COLUMNS": "80",
        "XDG_DATA_HOME": str(folder / ".games"),
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
    }
    with chdir(folder):
        for command, below in commands(text):
            told_lines = None if below is None else _lines(below)
            instead = script(command) if below is None else command
            if instead is not None:
                printed, status = _ran(instead, env)
                yield Ran(command, told_lines, _lines(printed), status)


def _ran(command: str, env: dict[str, str]) -> tuple[str, int]:
    words = shlex.split(command)
    if words[0] == "clue-solver" and not re.search(r"[|<>;&*]", command):
        runner = CliRunner()
        done = runner.invoke(clue_solver, words[1:], prog_name="clue-solver", env=env)
        return done.output, done.exit_code
    ran = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, **env},
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    return ran.stdout, ran.returncode


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def rewritten(text: str) -> str:
    """Return a page whose sessions say what is printed today; one that agrees stays as it is."""
    with TemporaryDirectory() as folder:
        ran = iter([*run(text, Path(folder))])

    def block(match: re.Match[str]) -> str:
        if match[1] == "sh":
            return match[0]
        return f"```console\n{COMMAND.sub(command, match[2])}```"

    def command(match: re.Match[str]) -> str:
        done = next(ran)
        if done.agrees():
            return match[0]
        return "".join(f"{line}\n" for line in (f"$ {done.command}", *done.printed))

    return BLOCK.sub(block, text)


def main() -> None:
    """Rewrite the sessions of some pages, of all if none is named."""
    for page in [Path(each).resolve() for each in sys.argv[1:]] or pages():
        text = page.read_text("utf-8")
        new = rewritten(text)
        if new != text:
            page.write_text(new, "utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
