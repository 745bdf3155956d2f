"""
The console sessions of README and site: run in order, page by page, in a folder with the examples.

    python -m docs.sessions  # writes what the commands print today into the pages

A session is a block of commands after `$`, each with what a terminal shows of it; a line `...`
stands for any lines. Commands of `clue-solver` alone run in this process, others in a shell.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from click.testing import CliRunner

from clue_solver.faces.cli import main as clue_solver

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Ran(NamedTuple):
    """A command, what the page says that it prints, and what it printed, without spaces at ends."""

    command: str
    told: list[str]
    printed: list[str]

    def agrees(self) -> bool:
        """Return whether it printed what the page says."""
        parts = [re.escape(line) if line != "..." else "..." for line in self.told]
        pattern = "".join("(.*\n)*" if part == "..." else f"{part}\n" for part in parts)
        return re.fullmatch(pattern, "".join(f"{line}\n" for line in self.printed)) is not None


def pages() -> list[Path]:
    """Return the pages of the site and the files of the project that are read like one."""
    own = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *own]


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands of a page's sessions, each with the lines below it."""
    return [command for block in BLOCK.findall(text) for command in COMMAND.findall(block)]


def run(text: str, folder: Path) -> Iterator[Ran]:
    """
    Run the sessions of a page.

    Args:
        text: The page.
        folder: An empty folder to work in; the examples are copied there.
    """
    shutil.copytree(ROOT / "examples", folder / "examples")
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
        for command, told in commands(text):
            yield Ran(command, _lines(told), _lines(_printed(command, env)))


def _printed(command: str, env: dict[str, str]) -> str:
    words = shlex.split(command)
    if words[0] == "clue-solver" and not re.search(r"[|<>;&*]", command):
        runner = CliRunner()
        return runner.invoke(clue_solver, words[1:], prog_name="clue-solver", env=env).output
    done = subprocess.run(
        ["bash", "-c", command], env={**os.environ, **env}, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def rewritten(text: str) -> str:
    """Return a page whose sessions say what is printed today; one that agrees stays as it is."""
    with TemporaryDirectory() as folder:
        ran = iter([*run(text, Path(folder))])

    def block(found: re.Match[str]) -> str:
        return f"```console\n{COMMAND.sub(command, found[1])}```"

    def command(found: re.Match[str]) -> str:
        done = next(ran)
        if done.agrees():
            return found[0]
        return "".join(f"{line}\n" for line in (f"$ {done.command}", *done.printed))

    return BLOCK.sub(block, text)


def main() -> None:
    """Rewrite the sessions of all pages."""
    for page in pages():
        text = page.read_text("utf-8")
        new = rewritten(text)
        if new != text:
            page.write_text(new, "utf-8")
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
