"""
What each command costs on a long log: processor seconds and memory.

    python benchmarks/long_logs.py [--entries N] [--profile COMMAND]

The log is a seeded random game of four players of the classic edition with so many entries, and
the same game as a table of suggestions for `import`. Each command runs in a process of its own;
start-up does not count.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import sys
import tempfile
from contextlib import chdir, redirect_stdout, suppress
from pathlib import Path
from random import Random

from fuzz_tables import commands, run, warm, write_files
from random_tables import Fuzzed
from results import figure, markdown
from simulate import random_game

from clue_solver.faces.cli import main as clue_solver


def main() -> None:
    """Measure every command once, or profile one."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--entries", type=int, default=10_000)
    options.add_argument("--profile", metavar="COMMAND", help="say where the time of one goes")
    chosen = options.parse_args()
    warm()
    game = random_game("clue-classic", 4, turns=chosen.entries - 1, seed=1)
    told = Fuzzed(game, None, "", ())
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(told, folder)
        for command, arguments in dict(commands(told, Random(0))).items():
            if chosen.profile == command:
                profiled(arguments, folder)
            elif not chosen.profile:
                cost = run(arguments, folder)
                rows.append(
                    (
                        command,
                        figure(cost.seconds, "s"),
                        figure(float(cost.memory), "B"),
                        cost.status,
                    )
                )
    if rows:
        print(markdown(("command", "processor time", "memory", "status"), rows))


def profiled(arguments: tuple[str, ...], folder: Path) -> None:
    """Run a command in this process and print the functions that take most of its time."""
    profile = cProfile.Profile()
    with chdir(folder), redirect_stdout(io.StringIO()), suppress(SystemExit):
        profile.runcall(clue_solver.main, list(arguments), prog_name="clue-solver")
    pstats.Stats(profile, stream=sys.stdout).sort_stats("cumulative").print_stats(45)


if __name__ == "__main__":
    main()
