"""
Whether what a review says from one player's notes agrees with the record of everything.

    python benchmarks/review_honesty.py [--games N] [--seed S] [--verbose]

Four players ask for cards that they cannot place, and accuse once they are certain; a few of them
(`RASH`) also accuse at even odds. Each game is reviewed twice, from the notes of its first seat
and from the record of everything. Counted are verdicts on accusations that contradict each other,
how many cannot be told, missed wins that are told wrongly, and how often the printed range of an
accuracy has the value of the full record. The ranges are held against that of a player of whom
nothing is known: the middle 95 % of the accuracies of all.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

import numpy as np
from msgspec.structs import replace
from results import machine
from simulate import answers, random_deal

from clue_solver import Game, Record, load_edition
from clue_solver.rules.observations import Accusation, Answer, Hand, Suggestion

RASH = 0.15
"""How likely a player is one that accuses at even odds."""


def whole_game(seed: int) -> Record:
    """Return a game in which everything is recorded."""
    random, rules = Random(seed), load_edition("clue-classic")
    dealt = random_deal(random, rules, 4)
    record = Record(table=replace(dealt.table, viewer=None))
    seats = record.table.seats
    for seat, held in dealt.hands.items():
        cards = tuple(name for name in rules.names if name in held)
        record = record.append(Hand(seat=seat, cards=cards))
    truth = set(rules.names) - frozenset().union(*dealt.hands.values())
    hasty = {seat for seat in seats if random.random() < RASH}
    out: set[str] = set()
    turn = 0
    while len(out) < len(seats) and turn < 120:
        by = seats[turn % 4]
        turn += 1
        if by in out:
            continue
        report = Game(record).report(viewer=by, asks="any")
        cards = tuple(
            random.choice([
                card.name for card in kind.cards
                if report.probability(card.name, "envelope") > 0 or random.random() < 0.3
            ])
            for kind in rules.category
        )  # fmt: skip

        def choose(could: list[str], _seat: str, _asker: str) -> str:
            return random.choice(could)

        told = answers(dealt, by, cards, choose=choose)
        record = record.append(Suggestion(by=by, cards=cards, answers=told))
        likeliest = Game(record).report(viewer=by, asks="any").solutions[0]
        if likeliest.probability >= (0.5 if by in hasty else 1.0 - 1e-9):
            right = set(likeliest.cards) == truth
            record = record.append(Accusation(by=by, cards=likeliest.cards, right=right))
            if right:
                return record
            out.add(by)
    return record


def notes_of(record: Record, seat: str) -> Record:
    """Return what one seat would have written down."""
    notes = Record(table=replace(record.table, viewer=seat))
    for each in record.observations:
        match each:
            case Hand(seat=owner) if owner != seat:
                continue
            case Suggestion(by=by, answers=given):
                seen = tuple(
                    a if seat in (by, a.seat) else Answer(seat=a.seat, answer=a.answer)
                    for a in given
                )
                notes = notes.append(replace(each, answers=seen))
            case _:
                notes = notes.append(each)
    return notes


def main() -> None:
    """Play, review twice, and print how they agree."""
    options = argparse.ArgumentParser(description="Reviews from notes against the full record.")
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--seed", type=int, default=2026)
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    print(machine())
    counts, widths, accuracies = Counter[str](), list[float](), list[float]()
    for number in range(chosen.games):
        record = whole_game(chosen.seed * 100_000 + number)
        held = {c for each in record.observations if isinstance(each, Hand) for c in each.cards}
        truth = ", ".join(card for card in record.table.cards if card not in held)
        full = Game(record).review(solution=truth)
        notes = Game(notes_of(record, record.table.seats[0])).review(solution=truth)
        for one, other in zip(notes.accusations, full.accusations, strict=True):
            counts["accusations"] += 1
            counts["untold"] += one.verdict == "unknown"
            wrong = one.verdict not in ("unknown", other.verdict)
            counts["contradicted"] += wrong
            if wrong and chosen.verbose:
                print(number, one.seat, one.verdict, other.verdict, one.why, other.why)
        told = {each.seat for each in notes.missed_wins}
        counts["missed wins told"] += len(told)
        counts["missed wins told wrongly"] += len(told - {each.seat for each in full.missed_wins})
        counts["missed wins"] += len(full.missed_wins)
        for mine, whole in zip(notes.seats, full.seats, strict=True):
            if whole.accuracy is None:
                continue
            accuracies.append(whole.accuracy)
            if not mine.whole and mine.accuracy_range is not None:
                low, high = mine.accuracy_range
                widths.append(high - low)
                counts["ranges"] += 1
                counts["ranges that hold"] += low - 1e-9 <= whole.accuracy <= high + 1e-9
    for name, count in counts.items():
        print(f"{name}: {count}")
    low, high = np.quantile(accuracies, [0.025, 0.975])
    print(f"ranges hold in {counts['ranges that hold'] / max(counts['ranges'], 1):.1%}")
    print(
        f"mean width {np.mean(widths):.3f}, of a player of whom nothing is known {high - low:.3f}"
    )


if __name__ == "__main__":
    main()
