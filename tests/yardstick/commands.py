"""
Sixty games, forty sessions at `play --plain`, runs of the full screen and evenings of pages, as
text: `python -m tests.yardstick.commands` writes what comes out of all of them anew, or of those
whose names are given, such as `answers/evening`.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from click.testing import CliRunner

from clue_solver.faces.cli import main as clue_solver

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*/*.txt"))

LEFT_OUT = re.compile(
    r" *(Your hand is not in the log yet. )?(Better, on a closer look: )?(When it is your turn, "
    r"|Suggest |Next turn, |Stay and |Roll, |Go to the |Head for |Use the bonus|Accuse "
    r"|Don't accuse|Most likely: |It is too early)| +Entry \d+ may have been"
)
"""What is said of what to do next: it changes oftener than what an entry is."""


class Typed(io.BytesIO):
    """Lines on standard input, each written to the output as it is read."""

    def read1(self, size: int | None = -1, /) -> bytes:
        if line := self.readline():
            click.echo(f"\n> {line.decode()}", nl=False)
        return line


def run(command: Sequence[str], typed: Iterable[str] = ()) -> str:
    """Return all that a command prints, and the lines that it reads where it reads them."""
    lines = Typed("".join(f"{line}\n" for line in typed).encode())
    with TemporaryDirectory() as home:
        env = {"XDG_DATA_HOME": home, "HOME": home, "COLUMNS": "100", "NO_COLOR": "1"}
        done = CliRunner(env=env).invoke(clue_solver, command, input=lines)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output.replace("\n\n> ", "\n> ").lstrip("\n")


def played(begins: str, goes_in: str) -> dict[str, str]:
    """Return what is said to the lines of a session, and its file at the end."""
    with TemporaryDirectory() as folder, chdir(folder):
        for deck in (HERE / "games").glob("*.toml"):
            shutil.copy(deck, folder)
        game = Path("game.clue")
        if begins:
            game.write_text(begins, "utf-8")
        said = run(["play", "--plain", game.name], goes_in.splitlines())
        said = said.replace(f"{Path.cwd()}/", "")
        # of advice the first line, if it is no question to ask: the games have the rest
        said = re.sub(r"^(> /?advise.*\n(?!> ).*\n)(?:(?!> ).*\n)*", r"\1", said, flags=re.M)
        kept = (line.rstrip() for line in said.splitlines() if not LEFT_OUT.match(line))
        file = game.read_text("utf-8") if game.exists() else ""
    return {"comes out": "".join(f"{line}\n" for line in kept), "the file": file}


def anew(case: Path, **how: float) -> str:
    """Return the text of a case with what comes out of it now; `how` fast a screen is typed at."""
    text, kind = case.read_text("utf-8"), case.parent.name
    if kind == "answers":
        from tests.yardstick.games import answers

        game = HERE.parents[1] / text.partition("\n")[0]
        with chdir(game.parent):
            lines = [text.partition("\n")[0], *answers(game.name)]
        return "".join(f"{line}\n" for line in lines)
    head, _, begins, _, goes_in, *_ = re.split(r"^== (.*)\n", text, flags=re.M)
    if kind == "sessions":
        came = played(begins, goes_in)
    else:
        with TemporaryDirectory() as folder:
            face = import_module(f"tests.yardstick.{kind}")
            came = face.played(Path(folder), begins, goes_in, **how)
    parts = {"begins": begins, "goes in": goes_in, **came}
    return head + "".join(f"== {name}\n{part}" for name, part in parts.items())


def main(names: Sequence[str]) -> None:
    """Write the cases anew."""
    for case in CASES:
        if not names or f"{case.parent.name}/{case.stem}" in names:
            case.write_text(anew(case), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
