"""
How long reviews take: one recorded game at a time, and a batch of simulated ones on all cores.

    python benchmarks/bench_review.py [--games N] [--turns T] [--seed S]

The simulated games hold all four hands and every card shown; the suggestions are random, the last
entry is a right accusation. Measured are seconds a game, how many failed, and how much the memory
of the process that collects them grew over the second half of the batch.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench_report import RECORDED
from msgspec.structs import replace
from results import machine
from rich.progress import track
from simulate import answers, random_cards, random_deal

from clue_solver import Record, load, load_edition
from clue_solver.game.games import review_all
from clue_solver.record import save
from clue_solver.rules.observations import Accusation, Hand, Suggestion


def laid_open(*, turns: int, seed: int) -> Record:
    """Return a random game of four with all hands and shown cards, and who was right."""
    random = Random(seed)
    rules = load_edition("clue-classic")
    dealt = random_deal(random, rules, 4)
    record = Record(table=replace(dealt.table, viewer=None))
    for seat, held in dealt.hands.items():
        cards = tuple(name for name in rules.names if name in held)
        record = record.append(Hand(seat=seat, cards=cards))

    def by_lot(could: list[str], seat: str, asker: str) -> str:
        return random.choice(could)

    for turn in range(turns):
        by = record.table.seats[turn % 4]
        asked = random_cards(random, rules)
        told = answers(dealt, by, asked, choose=by_lot)
        record = record.append(Suggestion(by=by, cards=asked, answers=told))
    held = frozenset().union(*dealt.hands.values())
    solution = tuple(name for name in rules.names if name not in held)
    by = record.table.seats[turns % 4]
    return record.append(Accusation(by=by, cards=solution, right=True))


def megabytes() -> float:
    """Return the largest memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Review, and print what it took."""
    options = argparse.ArgumentParser(description="How long reviews take.")
    options.add_argument("--games", type=int, default=1_000)
    options.add_argument("--turns", type=int, default=20)
    options.add_argument("--seed", type=int, default=2026)
    chosen = options.parse_args()
    print(machine())
    for file in sorted(RECORDED.glob("*.clue")):
        game = load(file)
        solution = game.report().solutions[0].cards
        begun = time.perf_counter()
        game.review(solution=solution)
        print(f"{file.stem}: {time.perf_counter() - begun:.2f} s")
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.clue") for number in range(chosen.games)]
        for number, path in enumerate(paths):
            save(laid_open(turns=chosen.turns, seed=chosen.seed * 100_000 + number), path)
        begun, failed, half = time.perf_counter(), 0, 0.0
        reviews = track(review_all(paths), "reviewing", total=len(paths), transient=True)
        for number, outcome in enumerate(reviews):
            failed += outcome.review is None
            half = megabytes() if number == chosen.games // 2 else half
        took = time.perf_counter() - begun
    print(
        f"{chosen.games} games of {chosen.turns} suggestions: {took / 60:.1f} minutes, "
        f"{took / chosen.games:.2f} s a game, {failed} failed; "
        f"memory {megabytes():.0f} MB, {megabytes() - half:.0f} MB more than at half-time"
    )


if __name__ == "__main__":
    main()
