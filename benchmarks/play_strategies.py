"""
Does the advice win? Four players without a board, one suggestion a go.

    python benchmarks/play_strategies.py [--games N] [--seed S] [--sample K] [--workers W] [--row R]

The American deck, 18 cards to four hands, the seat that begins drawn by lot. In turn everybody
makes one suggestion; the next who can shows a card, drawn at random from the matching ones;
everybody notes what they see. Counted are the turns, everybody's, until the first player can prove
the solution, and the suggestions that this player made itself. Ways to ask: random cards that may
be in the envelope; in each category the card likeliest in the envelope; the suggestion that the
advice says to make; the one that tells most at once, own cards named where that helps. The last two
are ranked by estimates from K deals where there are too many to count each. At first all four
ask alike; then one asks by the advice and three for the likeliest cards, and counted is how often
that one is the first. Measured besides: the bits of its own posterior over solutions that a seat
gains by a question of its own, and by one of somebody else.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from rich.progress import track
from simulate import answers

from clue_solver import load_edition
from clue_solver.answers.advice import prefers_own
from clue_solver.arena.dealing import Dealt
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.gains import Query
from clue_solver.inference.ranking import GainEstimator
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.observations import Hand, Observation, Suggestion
from clue_solver.rules.table import ANY, Table

SEATS = ("Ann", "Ben", "Cat", "Dan")
MOST_GOES = 200

Asking = Callable[..., tuple[str, ...]]


def by_lot(
    table: Table, deduction: Deduction, *, upto: int, seat: str, random: Random, sample: int
) -> tuple[str, ...]:
    """Random cards that may be in the envelope as far as the asker knows."""
    possible, envelope = deduction.possible(upto), deduction.knowledge.layout.envelope
    chosen = []
    for kind in table.edition.category:
        names = [card.name for card in kind.cards]
        still = [n for n in names if possible[table.cards.index(n)] >> envelope & 1]
        chosen.append(random.choice(still))
    return tuple(chosen)


def by_chance(
    table: Table, deduction: Deduction, *, upto: int, seat: str, random: Random, sample: int
) -> tuple[str, ...]:
    """In each category the card likeliest in the envelope; among equals by lot."""
    inside = deduction.diagram(upto).marginals()[:, -1]
    chosen = []
    for kind in table.edition.category:
        names = [card.name for card in kind.cards]
        random.shuffle(names)
        chosen.append(max(names, key=lambda n: round(float(inside[table.cards.index(n)]), 9)))
    return tuple(chosen)


def by_gain(
    table: Table,
    deduction: Deduction,
    *,
    upto: int,
    seat: str,
    random: Random,
    sample: int,
    sparing: bool,
) -> tuple[str, ...]:
    """
    The suggestion with the largest expected information; among equals by lot.

    `sparing`: as the advice has it, own cards only where naming them tells much more.
    """
    rng = np.random.default_rng(random.getrandbits(32))
    estimator = GainEstimator(
        deduction.knowledge.upto(upto),
        deduction.diagram(upto),
        rng,
        sample=sample,
    )
    seats = tuple(table.seats.index(other) for other in table.answering(seat))
    place = {card: number for number, card in enumerate(table.cards)}
    me, possible = 1 << table.seats.index(seat), deduction.possible(upto)
    options = list(
        product(*([card.name for card in kind.cards] for kind in table.edition.category))
    )
    random.shuffle(options)

    def gain(cards: tuple[str, ...]) -> float:
        numbers = tuple(place[card] for card in cards)
        return round(estimator.gain(Query(numbers, seats, False)).bits, 9)

    def own(cards: tuple[str, ...]) -> int:
        return sum(possible[place[card]] == me for card in cards)

    best = max(options, key=gain)
    if not sparing:
        return best
    other = min(sorted(options, key=gain, reverse=True), key=own)
    return best if prefers_own(gain(best), gain(other)) else other


LOT, CHANCE = "random unknown cards", "likeliest cards"
ADVICE, MOST = "this advice", "most bits at once"
WAYS: dict[str, Asking] = {
    LOT: by_lot,
    CHANCE: by_chance,
    ADVICE: partial(by_gain, sparing=True),
    MOST: partial(by_gain, sparing=False),
}
TABLES: dict[str, tuple[str, ...]] = {
    **{way: (way,) * 4 for way in WAYS},
    f"one by {ADVICE}, three by {CHANCE}": (ADVICE, *(CHANCE,) * 3),
    f"one by {MOST}, three by {CHANCE}": (MOST, *(CHANCE,) * 3),
}
"""Who asks in which way; the seats are drawn by lot."""


class Played(NamedTuple):
    """
    One game until the first player is certain.

    Attributes:
        turns: Everybody's suggestions.
        own: Those of the player who is certain.
        first: How likely the player with the table's first way is the one who is certain: where
            several are certain at once, each is as likely to be the first.
        asking, watching: Bits gained by a question of one's own, and of somebody else; means over
            turns and seats.
    """

    turns: float
    own: float
    first: float
    asking: float
    watching: float


def played(name: str, sample: int, seed: int) -> Played:
    """Return how one game went."""
    random = Random(f"{name} {seed}")
    edition = load_edition("clue-classic")
    envelope = [random.choice(kind.cards).name for kind in edition.category]
    rest = [name for name in edition.names if name not in envelope]
    random.shuffle(rest)
    seats = list(SEATS)
    random.shuffle(seats)
    table = Table(
        edition=edition,
        seats=tuple(seats),
        hands=tuple(len(rest[place::4]) for place in range(4)),
    )
    hands = {seat: rest[place::4] for place, seat in enumerate(seats)}
    dealt = Dealt(table, {seat: frozenset(hands[seat]) for seat in seats})

    def shown(could: list[str], seat: str, asker: str) -> str:
        return random.choice(could)

    ways = dict(zip(SEATS, TABLES[name], strict=True))
    log: list[Observation] = [Hand(seat=seat, cards=tuple(hands[seat])) for seat in seats]
    known = {seat: _known(table, log, seat) for seat in seats}
    left = {seat: known[seat].solutions(len(log)).bits for seat in seats}
    asked = dict.fromkeys(seats, 0)
    gains: tuple[list[float], list[float]] = [], []
    sure: list[str] = []
    for go in range(MOST_GOES):
        by = seats[go % 4]
        ask = WAYS[ways[by]]
        cards = ask(table, known[by], upto=len(log), seat=by, random=random, sample=sample)
        asked[by] += 1
        told = answers(dealt, by, cards, choose=shown)
        log.append(Suggestion(by=by, cards=cards, answers=told))
        for seat in seats:
            known[seat] = _known(table, log, seat)
            now = known[seat].solutions(len(log))
            gains[seat != by].append(left[seat] - now.bits)
            left[seat] = now.bits
            if len(now.probability) == 1:
                sure.append(seat)
        if sure:
            break
    return Played(
        turns=sum(asked.values()),
        own=float(np.mean([asked[seat] for seat in sure or seats])),
        first=(SEATS[0] in sure) / max(len(sure), 1),
        asking=float(np.mean(gains[0])),
        watching=float(np.mean(gains[1])),
    )


def _known(table: Table, log: list[Observation], viewer: str) -> Deduction:
    return Deduction(knowledge_of(replace(table, shows="random", asks=ANY), log, viewer=viewer))


def main() -> None:
    """Play and print one row for each table."""
    options = argparse.ArgumentParser(description="Does the advice win?")
    options.add_argument("--games", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=int, default=1_000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--row", action="append", choices=list(TABLES), help="only this one")
    chosen = options.parse_args()
    print(
        f"{chosen.games} games a row, seed {chosen.seed}, ranking from {chosen.sample} deals, "
        f"{platform.machine()}; means with 95 % intervals"
    )
    print("| table | turns until the first is certain | that player's own | the one is first, % "
          "| bits by asking | bits by watching |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    seeds = range(chosen.seed * 1_000_000, chosen.seed * 1_000_000 + chosen.games)
    with ProcessPoolExecutor(chosen.workers) as pool:
        for name in chosen.row or TABLES:
            found = pool.map(partial(played, name, chosen.sample), seeds, chunksize=5)
            rows = np.array(list(track(found, name, total=chosen.games, transient=True)))
            means = rows.mean(axis=0)
            spread = 1.96 * rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
            means[2], spread[2] = means[2] * 100, spread[2] * 100
            cells = [f"{mean:.2f} ± {each:.2f}" for mean, each in zip(means, spread, strict=True)]
            cells[2] = f"{means[2]:.1f} ± {spread[2]:.1f}" if len(set(TABLES[name])) > 1 else ""
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
