"""
Does the advice win? Four players without a board, one suggestion a go, all playing the same way.

    python benchmarks/play_strategies.py [--games N] [--seed S] [--sample K] [--workers W]

The American deck, 18 cards to four hands, the seat that begins drawn by lot. In turn everybody
makes one suggestion; the next who can shows a card, drawn at random from the matching ones;
everybody notes what they see. Counted are the goes, everybody's, until the first player can prove
the solution, and the suggestions that this player made itself. Ways to ask: random cards that the
asker knows of no holder; in each category the card likeliest in the envelope; the suggestion with
the largest expected information, ranked by the advisor from K deals where there are too many to
count each, once over all suggestions and once over those without the asker's own cards.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from random import Random

import numpy as np
from rich.progress import track

from clue_solver import load_edition
from clue_solver.inference.advisor import Advisor
from clue_solver.inference.asking import Question
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge import know
from clue_solver.observation import Answer, Hand, Observation, Suggestion
from clue_solver.table import Table

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
    own: bool = True,
) -> tuple[str, ...]:
    """The suggestion with the largest expected information; among equals by lot."""
    rng = np.random.default_rng(random.getrandbits(32))
    advisor = Advisor(
        deduction.knowledge.upto(upto),
        deduction.diagram(upto),
        rng,
        sample=sample,
    )
    seats = tuple(table.seats.index(other) for other in table.answering(seat))
    kinds = [[card.name for card in kind.cards] for kind in table.edition.category]
    if not own:
        possible, me = deduction.possible(upto), 1 << table.seats.index(seat)
        kinds = [[n for n in names if possible[table.cards.index(n)] != me] for names in kinds]
    options = list(product(*kinds))
    random.shuffle(options)

    def gain(cards: tuple[str, ...]) -> float:
        numbers = tuple(table.cards.index(card) for card in cards)
        return round(advisor.gain(Question(numbers, seats, False)).bits, 9)

    return max(options, key=gain)


WAYS: dict[str, Asking] = {
    "random unknown cards": by_lot,
    "likeliest cards": by_chance,
    "this advice, own cards left out": partial(by_gain, own=False),
    "this advice": by_gain,
}


def played(way: str, sample: int, seed: int) -> tuple[int, int]:
    """Return the goes until somebody is certain, and how many were that player's own."""
    random = Random(f"{way} {seed}")
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
    log: list[Observation] = [Hand(seat=seat, cards=tuple(hands[seat])) for seat in seats]
    asked = dict.fromkeys(seats, 0)
    for go in range(1, MOST_GOES):
        by = seats[(go - 1) % 4]
        known = _known(table, log, by)
        cards = WAYS[way](table, known, upto=len(log), seat=by, random=random, sample=sample)
        asked[by] += 1
        answers = []
        for seat in table.answering(by):
            match = [card for card in cards if card in hands[seat]]
            if match:
                answers.append(Answer(seat=seat, answer="shows", card=random.choice(match)))
                break
            answers.append(Answer(seat=seat, answer="passes"))
        log.append(Suggestion(by=by, cards=cards, answers=tuple(answers)))
        for seat in (by, *(other for other in seats if other != by)):
            if _certain(_known(table, log, seat), len(log)):
                return go, asked[seat]
    return MOST_GOES, max(asked.values())


def _known(table: Table, log: list[Observation], viewer: str) -> Deduction:
    return Deduction(know(table, log, viewer=viewer, shows="random"))


def _certain(deduction: Deduction, upto: int) -> bool:
    """Whether the solution is proved: no deal puts another card into the envelope."""
    layout, solver = deduction.knowledge.layout, deduction.solver
    entries = [solver.entry(number) for number in range(1, upto + 1)]
    deal = solver.model(entries)
    assert deal is not None
    solution = [card for card, holder in enumerate(deal) if holder == layout.envelope]
    return all(
        solver.model([*entries, -solver.has(card, layout.envelope)]) is None for card in solution
    )


def main() -> None:
    """Play and print one row for each way of asking."""
    options = argparse.ArgumentParser(description="Does the advice win?")
    options.add_argument("--games", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sample", type=int, default=2_000)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    print(
        f"{chosen.games} games a way, seed {chosen.seed}, ranking from {chosen.sample} deals, "
        f"{platform.machine()}"
    )
    print("| way to ask | goes until the first is certain | that player's own |")
    print("|---|---|---|")
    seeds = range(chosen.seed * 1_000_000, chosen.seed * 1_000_000 + chosen.games)
    with ProcessPoolExecutor(chosen.workers) as pool:
        for way in WAYS:
            found = pool.map(partial(played, way, chosen.sample), seeds, chunksize=5)
            rows = np.array(list(track(found, way, total=chosen.games, transient=True)))
            cells = [
                f"{column.mean():.2f} ± {1.96 * column.std(ddof=1) / np.sqrt(len(column)):.2f}"
                for column in rows.T
            ]
            print(f"| {way} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
