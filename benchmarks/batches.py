"""
How much faster many positions are evaluated in one call than one by one, and whole games played.

    python benchmarks/batches.py [--games N] [--seed S]

Each row's positions are all moments of seeded random games (simulate.py) of one size, as the first
seat or a spectator knows them; questions tell nothing, or care is learned (`adaptive`). `evaluate`
takes them in one call, warm; beside it, in the same run, the deal diagram takes a sample of them
one by one, verdicts, marginals, count and posterior, with knowledge, solver and diagram made from
the rows. Processor time, the best of five rounds in which both take turns.

The games are played by four perfect deducers who ask for the likeliest card of each category, own
cards too, and accuse when certain; all games of a batch make their turns together.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace
from results import machine
from simulate import random_game

from clue_solver import Positions, Table, evaluate, load_edition
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.viewer import ALL, HAS, NONE, knowledge_of
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

Ints = npt.NDArray[np.int64]


def moments(
    edition: str, seats: int, spectator: bool, games: int, asks: tuple[Asks, ...] = ANY
) -> Positions:
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
    return Positions.of([each for each in known if each.layout == known[0].layout])


def measured(positions: Positions) -> tuple[float, float]:
    """Return seconds a position, in one call and one by one: the best of some rounds of both."""
    evaluate(positions, engine="compiled")
    some = np.linspace(0, len(positions) - 1, min(ONE_BY_ONE, len(positions))).astype(np.int64)
    sample, one_call, one_by_one = positions.take(some), [], []
    for _ in range(ROUNDS):
        one_call += [timed(positions, "compiled") for _ in range(3)]
        one_by_one.append(timed(sample, "diagram"))
    return min(one_call) / len(positions), min(one_by_one) / len(sample)


def timed(positions: Positions, engine: str) -> float:
    """Return the processor seconds of one call."""
    start = time.process_time()
    evaluate(positions, engine=engine)  # type: ignore[arg-type] # one of the two
    return time.process_time() - start


def play(games: int, seats: int, rng: np.random.Generator) -> Ints:
    """Return after how many suggestions each game was solved."""
    table = Table(edition=load_edition("clue-classic"), seats=tuple("ABCDEFGHIJ"[:seats]))
    layout = Numbers(table).layout
    cards = np.array([[m >> c & 1 for c in range(layout.cards)] for m in layout.categories])
    holder = deal(games, layout.bounds, cards, rng)
    hand = np.stack([(holder == h) @ (1 << np.arange(layout.cards)) for h in range(seats)], axis=1)
    known = Positions(layout, games * seats)
    for seat in range(seats):
        mine = np.arange(games) * seats + seat
        known.add(ALL, holder=seat, cards=hand[:, seat], which=mine)
        known.add(NONE, holder=seat, cards=~hand[:, seat] & layout.everything, which=mine)
    solved, active = np.zeros(games, np.int64), np.arange(games)
    for turn in range(1000):
        asker = turn % seats
        found = evaluate(known.take(active * seats + asker)).marginals[:, :, layout.envelope]
        certain = (found > 1 - 1e-12).sum(axis=1) == len(layout.categories)
        solved[active[certain]] = turn
        active, found = active[~certain], found[~certain]
        if not len(active):
            break
        best = np.stack([np.where(kind, found, -1.0).argmax(axis=1) for kind in cards])
        asked = (1 << best).sum(axis=0)
        answer(known, active, asked, hand, asker=asker, rng=rng)
    return solved


def answer(
    known: Positions,
    games: Ints,
    asked: Ints,
    hand: Ints,
    *,
    asker: int,
    rng: np.random.Generator,
) -> None:
    """Let the others answer in turn, and everybody learn from it what is theirs to see."""
    seats = hand.shape[1]
    for seat in ((asker + step) % seats for step in range(1, seats)):
        could = hand[games, seat] & asked
        passing, showing = could == 0, could != 0
        for viewer in range(seats):
            which = games * seats + viewer
            if viewer == seat:
                continue
            known.add(NONE, holder=seat, cards=asked[passing], which=which[passing])
            if viewer != asker:
                known.add(HAS, holder=seat, cards=asked[showing], which=which[showing])
            else:
                held = could[showing, None] >> np.arange(known.layout.cards) & 1
                shown = 1 << (held * rng.random(held.shape)).argmax(axis=1)
                known.shown(holder=seat, card=shown, asked=asked[showing], which=which[showing])
        games, asked = games[passing], asked[passing]


def deal(
    games: int, bounds: tuple[tuple[int, int], ...], cards: Ints, rng: np.random.Generator
) -> Ints:
    """Return the holder of each card in random deals; the first seats get the extra cards."""
    count = cards.shape[1]
    holder = np.full((games, count), -1)
    for kind in cards:
        chosen = np.where(kind, rng.random((games, count)), -1.0).argmax(axis=1)
        holder[np.arange(games), chosen] = len(bounds)
    left = count - len(cards)
    sizes = [least for least, _ in bounds]
    sizes = [size + (seat < left - sum(sizes)) for seat, size in enumerate(sizes)]
    rest = np.tile(np.repeat(np.arange(len(bounds)), sizes), (games, 1))
    holder[holder < 0] = rng.permuted(rest, axis=1).ravel()
    return holder


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    print(f"{machine()}, seed {options.seed}\n")
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
    rng = np.random.default_rng(options.seed)
    play(10, 4, rng)
    start = time.process_time()
    solved = play(options.games, 4, rng)
    took = time.process_time() - start
    print(
        f"\n{options.games} games of four: {1000 * took / options.games:.1f} ms each, "
        f"{60 / took * options.games:,.0f} a minute on one core; solved after "
        f"{solved.mean():.2f} suggestions"
    )


if __name__ == "__main__":
    main()
