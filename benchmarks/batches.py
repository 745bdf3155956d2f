"""
How much faster many positions are evaluated in one call than one by one.

    python benchmarks/batches.py

Each row's positions are all moments of seeded random games (simulate.py) of one size, as the first
seat or a spectator knows them; questions tell nothing, or care is learned (`adaptive`). `evaluate`
takes them in one call, warm; beside it, in the same run, the deal diagram takes a sample of them
one by one, verdicts, marginals, count and posterior, with knowledge, solver and diagram made from
the rows. Processor time, the best of five rounds in which both take turns.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from msgspec.structs import replace
from results import machine
from simulate import random_game

from clue_solver.inference.batch import evaluate
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.rules.table import ANY, Asks

ADAPTIVE = (Asks(model="adaptive"),)
ROWS = (
    ("clue-classic", 3, False, ANY),
    ("clue-classic", 4, False, ANY),
    ("clue-classic", 4, False, ADAPTIVE),
    ("clue-classic", 6, False, ANY),
    ("clue-classic", 6, False, ADAPTIVE),
    ("clue-classic", 4, True, ANY),
    ("clue-2015", 5, False, ANY),
    ("clue-diced", 3, False, ANY),
    ("master-detective", 6, False, ANY),
    ("master-detective", 10, False, ANY),
)
ONE_BY_ONE, ROUNDS = 60, 5


def moments(
    edition: str, seats: int, spectator: bool, games: int, asks: tuple[Asks, ...] = ANY
) -> list[Knowledge]:
    """Return what one viewer knows at every moment of some games of one table."""
    known = []
    for seed in range(games):
        record = random_game(edition, seats, turns=24, seed=seed)
        viewer = None if spectator else record.table.seats[0]
        known += [
            knowledge_of(
                replace(record.table, shows="random", asks=asks),
                record.observations[:upto],
                viewer=viewer,
            )
            for upto in range(1, len(record.observations) + 1, 4 if spectator else 1)
        ]
    return [each for each in known if each.layout == known[0].layout]


def measured(known: list[Knowledge]) -> tuple[float, float]:
    """Return seconds a position, in one call and one by one: the best of some rounds of both."""
    positions = Positions.of(known)
    evaluate(positions)
    some = np.linspace(0, len(known) - 1, min(ONE_BY_ONE, len(known))).astype(np.int64)
    sample, one_call, one_by_one = Positions.of([known[each] for each in some]), [], []
    for _ in range(ROUNDS):
        one_call += [timed(positions, fast=True) for _ in range(3)]
        one_by_one.append(timed(sample, fast=False))
    return min(one_call) / len(positions), min(one_by_one) / len(sample)


def timed(positions: Positions, *, fast: bool) -> float:
    """Return the processor seconds of one call."""
    start = time.process_time()
    evaluate(positions, fast=fast)
    return time.process_time() - start


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__.splitlines()[1]).parse_args()
    print(f"{machine()}\n")
    print("| positions | number | one call, each | one by one, each | ratio |")
    print("|---|--:|--:|--:|--:|")
    for edition, seats, spectator, asks in ROWS:
        positions = moments(edition, seats, spectator, 10 if edition == "clue-classic" else 3, asks)
        fast, slow = measured(positions)
        who = ", spectator" * spectator + ", adaptive" * (asks is ADAPTIVE)
        print(
            f"| {edition}, {seats} players{who} | {len(positions)} | {fast * 1e6:.0f} us "
            f"| {slow * 1e3:.2f} ms | {slow / fast:.0f} x |",
            flush=True,
        )


if __name__ == "__main__":
    main()
