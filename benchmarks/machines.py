"""
How long do the machines of a table take to decide?

    python benchmarks/machines.py [--games N] [--seed S]

Games of every shipped edition that may be dealt, with a machine of each kind (`arena.chairs`) as
far as there are seats, on the board where there is one. A decision is timed as the table makes it,
by a wall clock; rolls and what is decided without a choice count as well.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

from clue_solver import load_edition
from clue_solver.arena.chairs import MACHINES, Chairs
from clue_solver.rules.edition import TEMPLATE, shipped_editions


def main() -> None:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| edition | machines | decisions | median, ms | 95th percentile | longest |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in shipped_editions():
        edition = load_edition(name)
        kinds = [*reversed(MACHINES)][: edition.players[1]]
        taken: list[float] = []
        for game in range(options.games if name != TEMPLATE else 0):
            chairs = Chairs.begin(edition, {kind: kind for kind in kinds}, seed=options.seed + game)
            while chairs.machine is not None:
                begun = perf_counter()
                choice = chairs.thought()
                taken.append(1000 * (perf_counter() - begun))
                chairs.decide(choice)
        if taken:
            middle, late = np.percentile(taken, (50, 95))
            cells = (f"`{name}`", len(kinds), len(taken), *(f"{ms:.0f}" for ms in (middle, late)))
            print(f"| {' | '.join(map(str, cells))} | {max(taken):.0f} |", flush=True)


if __name__ == "__main__":
    main()
