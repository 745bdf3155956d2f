"""
How soon quick advice stands, and the closer look: on games of every shipped edition.

    python benchmarks/looks.py [--seed S] [--most PLAYERS]

One game of `likeliest` players of the arena for each edition and number of players, by the notes of
its first seat: after the first round, in the middle, and near the end. Processor time after the
report: until quick advice, and until the closer look; and how often that is another verdict.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

import numpy as np

from clue_solver import Game, load_edition, shipped_editions
from clue_solver.arena.tournament import Tournament
from clue_solver.rules.observations import Suggestion


class Looked(NamedTuple):
    """The seconds until quick advice and until the closer look, and whether that changes it."""

    first: float
    whole: float
    changed: bool


def positions(edition: str, seats: int, seed: int) -> Iterator[Game]:
    """Yield the positions of one game."""
    tournament = Tournament(
        edition=edition,
        players=("likeliest",) * seats,
        games=1,
        seed=seed,
        board=load_edition(edition).board is not None,
    )
    played = tournament.play(1)
    record = played.notes_of(played.table.seats[0]).record
    asked = [n for n, each in enumerate(record.observations, 1) if isinstance(each, Suggestion)]
    for place in (min(seats, len(asked)) - 1, len(asked) // 2, int(0.9 * len(asked)) - 1):
        yield Game(record.upto(asked[max(place, 0)]))


def looked(game: Game) -> Looked:
    """Return how long the looks at a game take."""
    game.report()
    begun = process_time()
    quick = game.advice(quick=True)
    first = process_time() - begun
    closer = quick if quick.final else game.advice()
    changed = (quick.kind, quick.cards) != (closer.kind, closer.cards)
    return Looked(first, process_time() - begun, changed)


def main() -> None:
    """Measure, and print a line for each edition."""
    options = argparse.ArgumentParser(description="How soon does a verdict stand?")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--most", type=int, default=10, help="players")
    chosen = options.parse_args()
    for edition in shipped_editions():
        least, most = load_edition(edition).players
        found = [
            looked(game)
            for seats in range(least, min(most, chosen.most) + 1)
            for game in positions(edition, seats, chosen.seed)
        ]
        first, whole, changed = np.transpose(found)
        print(
            f"{edition:18} {len(found):3} positions; first {np.median(first):.3f} s, worst "
            f"{first.max():.3f}; whole {np.median(whole):.3f} s, worst {whole.max():.3f}; "
            f"changed {int(changed.sum())}"
        )


if __name__ == "__main__":
    main()
