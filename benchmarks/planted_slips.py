"""
How often the mistyped entry is found: true games, one realistic slip each, what is ranked where.

    python benchmarks/planted_slips.py [--games N] [--seed S]

Games of 3 to 6 players are played at random and truthfully, the notes are the first seat's. One
entry is then changed the way people mistype; slips that leave the log consistent cannot be noticed
and are drawn again. For each kind of slip the table says how often the mistyped entry was ranked
first and among the first three distinct entries, how often the true line itself was first and among
the first three corrections, and how long checking took.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from random import Random
from time import perf_counter

import numpy as np
from msgspec.structs import replace
from rich.progress import track
from simulate import random_game

from clue_solver import Game
from clue_solver.errors import NotationError
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Answer, Hand, Observation, Suggestion
from clue_solver.rules.table import Table

Slip = Callable[[Observation, Table, Random], Observation | None]


def shower_moved(written: Observation, table: Table, random: Random) -> Observation | None:
    """The card was shown by another seat."""
    if not isinstance(written, Suggestion):
        return None
    shower = next((a for a in written.answers if a.answer == "shows"), None)
    if shower is None:
        return None
    seat = random.choice([s for s in table.answering(written.by) if s != shower.seat])
    return replace(written, answers=(replace(shower, seat=seat),))


def shown_not_passed(written: Observation, table: Table, random: Random) -> Observation | None:
    """Somebody is said to have shown where all passed, or nobody where somebody showed."""
    if not isinstance(written, Suggestion):
        return None
    order = table.answering(written.by)
    if all(answer.answer == "passes" for answer in written.answers):
        card = random.choice(written.cards) if written.by == table.viewer else None
        return replace(
            written, answers=(Answer(seat=random.choice(order), answer="shows", card=card),)
        )
    return replace(written, answers=tuple(Answer(seat=s, answer="passes") for s in order))


def asked_card(written: Observation, table: Table, random: Random) -> Observation | None:
    """A suggestion names another card of the category."""
    if not isinstance(written, Suggestion):
        return None
    card = random.choice(written.cards)
    other = _another(card, table, random)
    cards = tuple(other if name == card else name for name in written.cards)
    answers = tuple(replace(a, card=other) if a.card == card else a for a in written.answers)
    return replace(written, cards=cards, answers=answers)


def shown_card(written: Observation, table: Table, random: Random) -> Observation | None:
    """Another of the asked cards is said to have been shown."""
    if not isinstance(written, Suggestion):
        return None
    *passes, last = written.answers
    if last.card is None:
        return None
    card = random.choice([name for name in written.cards if name != last.card])
    return replace(written, answers=(*passes, replace(last, card=card)))


def asker(written: Observation, table: Table, random: Random) -> Observation | None:
    """The suggestion is given to another player."""
    if not isinstance(written, Suggestion):
        return None
    shown = tuple(a for a in written.answers if a.answer == "shows")
    seats = [s for s in table.seats if s != written.by and all(a.seat != s for a in shown)]
    if not seats:
        return None
    by = random.choice(seats)
    passes = tuple(Answer(seat=s, answer="passes") for s in table.answering(by))
    return replace(written, by=by, answers=shown or passes)


def held_card(written: Observation, table: Table, random: Random) -> Observation | None:
    """A card of the own hand is written down as another of its category."""
    if not isinstance(written, Hand):
        return None
    card = random.choice(written.cards)
    other = _another(card, table, random)
    if other in written.cards:
        return None
    return replace(written, cards=tuple(other if c == card else c for c in written.cards))


def _another(card: str, table: Table, random: Random) -> str:
    kind = next(k for k in table.edition.category if card in [c.name for c in k.cards])
    return random.choice([each.name for each in kind.cards if each.name != card])


KINDS: dict[str, Slip] = {
    "shower moved": shower_moved,
    "show for pass": shown_not_passed,
    "asked card": asked_card,
    "shown card": shown_card,
    "asker": asker,
    "held card": held_card,
}


def planted(kind: Slip, random: Random, seed: int) -> tuple[Record, int, Observation] | None:
    """Return a clashing record, the number of its mistyped entry and what it should say."""
    true = random_game("clue-classic", random.randint(3, 6), turns=random.randint(8, 28), seed=seed)
    places = list(range(len(true.entries)))
    random.shuffle(places)
    for place in places:
        meant = true.entries[place].observation
        written = kind(meant, true.table, random)
        if written is None:
            continue
        try:
            written = normalise(written, true.table, TurnState.of(true.observations[:place]))
        except NotationError:
            continue
        entries = list(true.entries)
        entries[place] = Entry(observation=written)
        record = replace(true, entries=tuple(entries))
        if not Game(record)._deduction().consistent(len(entries)):
            return record, place + 1, meant
    return None


def main() -> None:
    """Measure and print one row for each kind of slip."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--games", type=int, default=200, help="games for each kind of slip")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    print(f"{chosen.games} games a kind, seed {chosen.seed}, {platform.machine()}")
    print("| slip | games | entry first | entry in 3 | line first | line in 3 | median | p95 |")
    print("|---|---|---|---|---|---|---|---|")
    everything = []
    for number, (name, kind) in enumerate(KINDS.items()):
        random = Random(f"{chosen.seed} {name}")
        rows = []
        for game in track(range(chosen.games), name, transient=True):
            case = planted(kind, random, seed=chosen.seed * 1_000_000 + number * 10_000 + game)
            if case is not None:
                rows.append(_ranked(*case))
        everything += rows
        _print(name, rows)
    _print("all", everything)


def _ranked(record: Record, entry: int, meant: Observation) -> tuple[bool, bool, bool, bool, float]:
    begun = perf_counter()
    found = Game(record).check().corrections
    time = perf_counter() - begun
    entries = list(dict.fromkeys(each.changes[0].entry for each in found))
    lines = [each.changes[0].after for each in found]
    true = format_line(meant, record.table)
    return (
        entries[:1] == [entry],
        entry in entries[:3],
        lines[:1] == [true],
        true in lines[:3],
        time,
    )


def _print(name: str, rows: list[tuple[bool, bool, bool, bool, float]]) -> None:
    if not rows:
        return
    table = np.array(rows, float)
    shares = " | ".join(f"{share:.0%}" for share in table[:, :4].mean(axis=0))
    median, late = np.percentile(table[:, 4] * 1e3, [50, 95])
    print(f"| {name} | {len(rows)} | {shares} | {median:.0f} ms | {late:.0f} ms |")


if __name__ == "__main__":
    main()
