"""
How long a game of the arena takes: the processor's milliseconds, dealing and all.

    python benchmarks/bench_arena.py [--games N]

Four `likeliest` players of the classic edition on the board and without it; in machine code,
and by the deduction of every game, which plays the same games (one in twenty of them here). What
the machine does meanwhile counts, so the quickest of eight parts is told beside the mean.
"""

from __future__ import annotations

import argparse
from time import process_time

from clue_solver.arena.tournament import Tournament

PARTS = 8


def milliseconds(tournament: Tournament, games: int) -> list[float]:
    """Return the mean time of a game in each of some parts of so many games."""
    tournament.play(1)
    found = []
    for part in range(PARTS):
        begun = process_time()
        for game in range(1 + part * games, 1 + (part + 1) * games):
            tournament.play(game)
        found.append((process_time() - begun) / games * 1000)
    return found


def main() -> None:
    """Measure and print one line for each."""
    options = argparse.ArgumentParser(description="How long does a game of the arena take?")
    options.add_argument("--games", type=int, default=320)
    chosen = options.parse_args()
    for compiled in (True, False):
        for board in (True, False):
            tournament = Tournament(
                edition="clue-classic",
                players=("likeliest",) * 4,
                seed=1,
                board=board,
                compiled=compiled,
            )
            games = max(1, chosen.games // PARTS // (1 if compiled else 20))
            parts = milliseconds(tournament, games)
            how = "machine code" if compiled else "deduction"
            where = "on the board" if board else "without a board"
            mean = sum(parts) / len(parts)
            print(f"{how}, {where}: mean {mean:.1f} ms, quickest part {min(parts):.1f} ms")


if __name__ == "__main__":
    main()
