"""
What many games take from files to tables, and how much of it the numbers are.

    python benchmarks/many_games.py [--games N] [--seed S] [--folder F]

Games of four of the arena's players are written to a folder, read, and evaluated as one player knew
each after every entry. Processor time, and the most memory of the process so far, a line a step.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from clue_solver import load_all, play, save
from clue_solver.game import games as module
from clue_solver.inference.batch import prepare

PLAYERS = ("random", "likeliest", "likeliest", "random")
Result = TypeVar("Result")


def step(what: str, work: Callable[[], Result]) -> Result:
    """Do a part of the work, and print what it took."""
    seconds, wall = time.process_time(), time.perf_counter()
    result = work()
    seconds, wall = time.process_time() - seconds, time.perf_counter() - wall
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:24} {seconds:8.1f} s  ({wall:.1f} s went by)  {most:8,.0f} MB")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keeps the games, or has them already")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        if not any(folder.iterdir()):
            played = play(PLAYERS, games=given.games, seed=given.seed, progress=True)
            for number, game in enumerate(played, 1):
                save(game.record, folder / f"{number:06}.clue")
            del played
        measured(folder)


def measured(folder: Path) -> None:
    """Print what reading a folder of games, evaluating them and making tables of them takes."""
    import pandas  # noqa: F401 # before anything is timed

    prepare("the benchmark")
    numbers, evaluate = [], vars(module)["evaluate"]

    def timed(*args: object, **options: object) -> object:
        before = time.process_time()
        found: object = evaluate(*args, **options)
        numbers.append(time.process_time() - before)
        return found

    vars(module)["evaluate"] = timed
    games = step("load_all", lambda: load_all(folder))
    step("to_frame", games.to_frame)
    step("to_frame('entries')", lambda: games.to_frame("entries"))
    known = step("evaluate, all entries", lambda: games.evaluate(viewer="Ann", upto="each"))
    print(f"{'  the numbers alone':24} {sum(numbers):8.1f} s  for {len(known.games):,} positions")
    step("its to_frame", known.to_frame)
    del known
    ends = step("evaluate, at the end", lambda: games.evaluate(viewer="each"))
    step("its marginals", lambda: ends.to_frame("marginals"))


if __name__ == "__main__":
    main()
