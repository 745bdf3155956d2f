"""
Whether what a review says from one player's notes agrees with the record of everything.

    python benchmarks/review_honesty.py [--games N] [--seed S] [--keep FILE] [--jobs N]

Four players ask for cards that they cannot place, and accuse once they are certain. A few of them
(`RASH`) also accuse at even odds, a few (`SLEEPY`) let half of the turns pass in which they are
certain. Each game is reviewed twice, from the notes of its first seat and from the record of
everything. Counted are verdicts on accusations that contradict each other, how many cannot be told,
and missed wins that are told wrongly. What each game tells is added to `--keep`, and games that it
holds are not played again.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace
from results import machine
from simulate import answers, random_deal

from clue_solver import Game, Record, load_edition
from clue_solver.inference.workers import spread
from clue_solver.rules.observations import Accusation, Answer, Hand, Suggestion

RASH = 0.15
"""How likely a player is one that accuses at even odds."""

SLEEPY = 0.15
"""How likely a player is one that accuses in one of two turns only in which it is certain."""


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
    sleepy = {seat for seat in seats if random.random() < SLEEPY}
    out: set[str] = set()
    turn = 0
    while len(out) < len(seats) and turn < 120:
        by = seats[turn % 4]
        turn += 1
        if by in out:
            continue
        report = Game(record).report(viewer=by, asks="any")
        cards = tuple(
            random.choice(
                [
                    card.name
                    for card in kind.cards
                    if report.probability(card.name, "envelope") > 0 or random.random() < 0.3
                ]
            )
            for kind in rules.category
        )

        def choose(could: list[str], _seat: str, _asker: str) -> str:
            return random.choice(could)

        told = answers(dealt, by, cards, choose=choose)
        record = record.append(Suggestion(by=by, cards=cards, answers=told))
        likeliest = Game(record).report(viewer=by, asks="any").solutions[0]
        awake = by not in sleepy or random.random() < 0.5
        if awake and likeliest.probability >= (0.5 if by in hasty else 1.0 - 1e-9):
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


def compared(seed: int, number: int) -> dict[str, Any]:
    """Return what both reviews of a game say, as what JSON has."""
    record = whole_game(seed * 100_000 + number)
    held = {c for each in record.observations if isinstance(each, Hand) for c in each.cards}
    truth = ", ".join(card for card in record.table.cards if card not in held)
    full = Game(record).review(solution=truth)
    notes = Game(notes_of(record, record.table.seats[0])).review(solution=truth)
    return {
        "game": number,
        "accusations": [
            {"notes": a.verdict, "full": b.verdict, "why": [a.why, b.why], "seat": a.seat}
            for a, b in zip(notes.accusations, full.accusations, strict=True)
        ],
        "missed": {
            "notes": [each.seat for each in notes.of("missed win")],
            "full": [each.seat for each in full.of("missed win")],
        },
    }


def played(seed: int, games: int, kept: Path | None, jobs: int) -> Iterator[Mapping[str, Any]]:
    """Yield what the games tell, those that are kept first."""
    lines = kept.read_text("utf-8").splitlines() if kept is not None and kept.exists() else []
    done = [json.loads(line) for line in lines]
    yield from (each for each in done if each["game"] < games)
    left = sorted({*range(games)} - {each["game"] for each in done})
    for told in spread(partial(compared, seed), left, jobs=jobs):
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")
        yield told


def main() -> None:
    """Play, review twice, and print how they agree."""
    options = argparse.ArgumentParser(description="Reviews from notes against the full record.")
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--seed", type=int, default=2026)
    options.add_argument("--keep", type=Path)
    options.add_argument("--jobs", type=int, default=1)
    chosen = options.parse_args()
    print(machine())
    counts = Counter[str]()
    for game in played(chosen.seed, chosen.games, chosen.keep, chosen.jobs):
        for each in game["accusations"]:
            counts["accusations"] += 1
            counts["untold"] += each["notes"] == "unknown"
            counts[f"{each['full']} by the full record"] += 1
            wrong = each["notes"] not in ("unknown", each["full"])
            counts["contradicted"] += wrong
            if wrong:
                print(game["game"], each)
        notes, full = {*game["missed"]["notes"]}, {*game["missed"]["full"]}
        counts["missed wins"] += len(full)
        counts["missed wins told"] += len(notes)
        counts["missed wins told wrongly"] += len(notes - full)
        if notes - full:
            print(game["game"], "missed wins", game["missed"])
    for name, count in counts.items():
        print(f"{name}: {count}")


if __name__ == "__main__":
    main()
