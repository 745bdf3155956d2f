"""
Is the chance that an opponent can name the solution what it is said to be?

    python benchmarks/opponents.py [--games N] [--seed S] [--begin G] [--player NAME] [--workers W]

Games of four players of one kind on the classic deck without a board. `Careful` is whom `asks:
careful` describes: it names any cards that it does not hold, by lot, and accuses as soon as it can
prove the solution. After each suggestion from the eighth on the first seat asks how likely every
other seat can name the solution by now; the truth is whether that seat's own notes prove it. What
was said is put into bands; an interval counts a game, not a seat at a moment, as one observation.

Nearly always next to nothing is said. So a few deals are looked at first, and a seat that can name
the solution in none of them is not asked about at that moment. That leaves out some of what is said
in each band, by lot, whatever the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from arena_games import played
from msgspec.structs import replace
from results import markdown

from clue_solver import Game, evaluate
from clue_solver.answers.position import opponents_know
from clue_solver.arena.players import Asker
from clue_solver.arena.seat_view import View
from clue_solver.arena.tournament import Tournament
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import Positions, knowledge_of
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import ANY

FROM = 8
"""The first suggestion after which it is asked."""

FEW = 20
"""How many deals are looked at first."""

EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

Case = tuple[int, float, bool]
"""A game, what was said of a seat at a moment, and whether it could."""


class Careful(Asker):
    """Names any cards that it does not hold, and accuses when the solution is proved."""

    def worth(self, view: View, card: str) -> float:
        """Return 1 for a card that it does not hold."""
        return float(card not in view.hand)


def cases(game: int, seed: int, player: str) -> list[Case]:
    """Return what was said of every opponent of the first seat in a game, and the truth."""
    tournament = Tournament(
        edition="clue-classic", players=(player,) * 4, games=game, seed=seed, board=False
    )
    record = played(tournament, game).record
    asked = [
        entry for entry, each in enumerate(record.observations, 1) if isinstance(each, Suggestion)
    ]
    moments = asked[FROM - 1 :]
    if not moments:
        return []
    table = replace(record.table, asks=ANY)
    viewer, *others = table.seats
    able = {}
    for seat in others:
        known = knowledge_of(table, record.observations, viewer=seat)
        found = evaluate(Positions.of([known.upto(entry) for entry in moments]))
        able[seat] = (found.verdicts[:, :, -1] == 1).sum(axis=1) == len(record.table.solution)
    notes, rng = Game(record), np.random.default_rng((seed, game))
    told: list[Case] = []
    deduction = Deduction(knowledge_of(record.table, record.observations, viewer=viewer))
    for place, entry in enumerate(moments):
        deals = deduction.diagram(entry).draw(FEW, rng)
        log = record.observations[:entry]
        rough, _ = opponents_know(record.table, log, viewer=viewer, deals=deals, rng=rng)
        likely = {each.seat for each in rough if each.knows and not each.out}
        if likely:
            said = notes.opponents(viewer=viewer, upto=entry)
            told += [(game, s.knows, bool(able[s.seat][place])) for s in said if s.seat in likely]
    return told


def bands(found: list[Case]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each band: cases, the mean of what was said, and how often it was so."""
    game, said, true = (np.array(column) for column in zip(*found, strict=True))
    band = np.clip(np.digitize(said, EDGES) - 1, 0, len(EDGES) - 2)
    for number in range(len(EDGES) - 1):
        here = band == number
        if not here.any():
            continue
        share = true[here].mean()
        residual = np.bincount(game[here], true[here] - share)
        error = 1.96 * float(np.sqrt((residual**2).sum())) / here.sum()
        low, high = EDGES[number : number + 2]
        yield (
            f"{100 * low:.0f} and {100 * high:.0f}",
            f"{here.sum():,}",
            f"{100 * said[here].mean():.1f}",
            f"{100 * share:.1f} ± {100 * error:.1f}",
        )


def main() -> None:
    """Play, ask, and print the table after every hundred games."""
    options = argparse.ArgumentParser(description="What is said of opponents, against the truth.")
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--begin", type=int, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--player", default="opponents:Careful")
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    numbers = range(chosen.begin, chosen.begin + chosen.games)
    found: list[Case] = []
    with ProcessPoolExecutor(chosen.workers) as pool:
        told = pool.map(partial(cases, seed=chosen.seed, player=chosen.player), numbers)
        for done, more in enumerate(told, 1):
            found += more
            if done % 100 == 0 or done == len(numbers):
                heads = ("said between, %", "cases", "said, %", "could, %")
                print(f"{done} games\n{markdown(heads, bands(found))}", flush=True)


if __name__ == "__main__":
    main()
