"""
What the program's jobs cost: processor time, beside another checkout where one is named.

    python benchmarks/timings.py [--only WORD] [--rounds N] [--against CHECKOUT]

A command is a whole process on a copy of `examples/classic.clue` or on a seeded random game. A step
is done by a process that has loaded everything: an entry of a session with its report, moments of
games in a batch, a game of the arena, and a key and Enter of the full screen, until the screen has
been drawn. The two checkouts take turns, so that what else the machine does falls on both alike;
the median of the rounds counts, and the ratio is that of the medians. A job that the other
checkout does not have gets a dash.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from publish import ROOT, figure, markdown

from clue_solver.record.contents import Record
from clue_solver.record.files import save
from tests.random_games import random_game

COMMANDS = {
    "version": "--version",
    "report": "report game.clue",
    "report, spectator of ten": "report ten.clue --viewer spectator",
    "why": "why game.clue hall envelope",
    "check": "check game.clue",
    "advise": "advise opening.clue",
    "review": "review game.clue",
    "season": "season game.clue four.clue",
    "export and import of a pad": "export --force -o pad.csv game.clue",
}
"""The command line of each job that is a whole process."""

BEGIN = "from time import process_time\n"
STEPS = {
    "import": "import clue_solver\nprint(process_time())",
    "an entry and its report": """
from clue_solver import Session, load
record = load("four.clue").record
def play():
    session = Session(record.upto(2))
    for observation in record.observations[2:]:
        getattr(session, "append", session.tell)(observation)
        getattr(session, "game", session).report()
play()
begun = process_time()
play()
print((process_time() - begun) / (len(record.observations) - 2))
""",
    "a moment in a batch": """
from clue_solver import load
from clue_solver.inference.batch import evaluate
from clue_solver.inference.positions import Positions
known = load("four.clue").deduction.knowledge
every = Positions.beginnings([(known, range(1, known.entries + 1))] * 40)
evaluate(every)
begun = process_time()
evaluate(every)
print((process_time() - begun) / len(every))
""",
    "a game of the arena": """
from clue_solver.arena.tournament import Tournament
games = Tournament(edition="clue-classic", players=("likeliest",) * 4, seed=1)
games.play(1)
begun = process_time()
for game in range(2, 22):
    games.play(game)
print((process_time() - begun) / 20)
""",
}
"""A program for each job that is a step; it prints the seconds of processor time."""

SCREEN = """
import asyncio
from clue_solver import Session, load
from clue_solver.faces.tui.app import PlayApp
record = load("four.clue").record
async def typed():
    app = PlayApp(Session(record.upto(12)))
    keys, enters = [], []
    async with app.run_test(size=(100, 34)) as pilot:
        await pilot.pause()
        for line in load("four.clue").lines[12:18]:
            for mark in line:
                begun = process_time()
                await pilot.press("space" if mark == " " else mark)
                await pilot.pause()
                keys.append(process_time() - begun)
            begun = process_time()
            await pilot.press("enter")
            await app.workers.wait_for_complete()
            await pilot.pause()
            enters.append(process_time() - begun)
    return sorted({times})[len({times}) // 2]
print(asyncio.run(typed()))
"""
STEPS |= {
    "a key of the screen": SCREEN.replace("{times}", "keys"),
    "Enter to the new sheet": SCREEN.replace("{times}", "enters"),
}


def write_games(folder: Path) -> None:
    """Write the games that the jobs are done on."""
    (folder / "game.clue").write_bytes((ROOT / "examples" / "classic.clue").read_bytes())
    four = random_game("clue-classic", 4, turns=24, seed=2026)
    ten = random_game("master-detective", 10, turns=24, seed=2026)
    save(four, folder / "four.clue")
    save(ten.upto(8), folder / "ten.clue")
    save(Record(table=four.table, entries=four.entries[:5]), folder / "opening.clue")


def command_seconds(line: str, checkout: Path, folder: Path) -> float | None:
    """Return the processor seconds of a whole process; nothing where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = [sys.executable, "-m", "clue_solver", *shlex.split(line)]
    ended = subprocess.run(
        program, cwd=folder, env=environment(checkout), capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode:
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def step_seconds(script: str, checkout: Path, folder: Path) -> float | None:
    """Return the seconds that a program prints; nothing where it fails."""
    program = [sys.executable, "-c", BEGIN + script]
    ended = subprocess.run(
        program, cwd=folder, env=environment(checkout), capture_output=True, text=True, check=False
    )
    return None if ended.returncode else float(ended.stdout)


def environment(checkout: Path) -> dict[str, str]:
    """Return the environment in which the package of a checkout runs."""
    found = {**os.environ, "PYTHONPATH": str(checkout), "OMP_NUM_THREADS": "1"}
    found.pop("PYTHONDONTWRITEBYTECODE", None)  # as it is where the program is installed
    return found


def measured(job: str, checkout: Path, folder: Path) -> float | None:
    """Return the seconds of one job in one checkout."""
    if job in COMMANDS:
        return command_seconds(COMMANDS[job], checkout, folder)
    return step_seconds(STEPS[job], checkout, folder)


def main() -> None:
    """Measure and print the table."""
    options = argparse.ArgumentParser(description="What do the program's jobs cost?")
    options.add_argument("--only", default="", metavar="WORD", help="jobs whose name has this word")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure this one, too")
    chosen = options.parse_args()
    checkouts = [ROOT] if chosen.against is None else [ROOT, chosen.against.resolve()]
    rows = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_games(folder)
        for job in (*COMMANDS, *STEPS):
            if chosen.only not in job:
                continue
            times: list[list[float | None]] = [[] for _ in checkouts]
            for checkout in checkouts:  # what Python compiles once is not measured
                measured(job, checkout, folder)
            for _ in range(chosen.rounds):
                for own, checkout in zip(times, checkouts, strict=True):
                    own.append(measured(job, checkout, folder))
            middles = [None if None in own else median(filter(None, own)) for own in times]
            first, last = middles[0], middles[-1]
            ratio = "-" if first is None or last is None else f"{first / last:.2f}"
            rows.append((job, *(figure(each, "s") for each in middles), ratio))
            print(*rows[-1], sep=", ", flush=True)
    heads = ("job", "here", *(["there"] if chosen.against else []), "ratio")
    print(markdown(heads, rows))


if __name__ == "__main__":
    main()
