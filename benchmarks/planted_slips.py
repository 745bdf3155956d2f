"""
How often the mistyped entry is found: true games, one realistic slip each, what is ranked where.

    python benchmarks/planted_slips.py [--games N] [--seed S]

Games of 3 to 6 players are played at random and truthfully, the notes are the first seat's. One
entry is then changed the way people mistype; slips that leave the log consistent cannot be noticed
and are drawn again. For each kind of slip the table says how often the mistyped entry was ranked
first, how often the true line itself was first, among the first three and among the first five
corrections, and how long checking took.

In brackets stands the bound: what the posterior reaches of whoever knows how all this was made, the
kinds and their shares, that turns were never left out and cards asked for at random. It weighs
every line of every entry that can have been meant; equal ones share their place.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import exp
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from msgspec.structs import replace
from rich.progress import track

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clue_solver import Game
from clue_solver.answers.corrections import Check
from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_line
from clue_solver.notation.checks import normalise
from clue_solver.record.contents import Entry, Record
from clue_solver.rules.observations import Answer, Hand, Observation, Suggestion
from clue_solver.rules.table import Asks, Table
from clue_solver.rules.turns import TurnState
from tests.random_games import random_game

T = TypeVar("T")


class Choosing(Protocol):
    """What slips are made by: a `Random`, or whoever goes through all choices."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of some things."""


Slip = Callable[[Observation, Table, Choosing], Observation | None]


def shower_moved(written: Observation, table: Table, random: Choosing) -> Observation | None:
    """The card was shown by another seat."""
    if not isinstance(written, Suggestion):
        return None
    shower = next((a for a in written.answers if a.answer == "shows"), None)
    if shower is None:
        return None
    seat = random.choice([s for s in table.answering(written.by) if s != shower.seat])
    saw = table.viewer in (None, written.by)  # of what was shown to others there is no card
    return replace(
        written, answers=(replace(shower, seat=seat, card=shower.card if saw else None),)
    )


def shown_not_passed(written: Observation, table: Table, random: Choosing) -> Observation | None:
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


def asked_card(written: Observation, table: Table, random: Choosing) -> Observation | None:
    """A suggestion names another card of the category."""
    if not isinstance(written, Suggestion):
        return None
    card = random.choice(written.cards)
    other = _another(card, table, random)
    cards = tuple(other if name == card else name for name in written.cards)
    answers = tuple(replace(a, card=other) if a.card == card else a for a in written.answers)
    return replace(written, cards=cards, answers=answers)


def shown_card(written: Observation, table: Table, random: Choosing) -> Observation | None:
    """Another of the asked cards is said to have been shown."""
    if not isinstance(written, Suggestion):
        return None
    *passes, last = written.answers
    if last.card is None:
        return None
    card = random.choice([name for name in written.cards if name != last.card])
    return replace(written, answers=(*passes, replace(last, card=card)))


def asker(written: Observation, table: Table, random: Choosing) -> Observation | None:
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


def held_card(written: Observation, table: Table, random: Choosing) -> Observation | None:
    """A card of the own hand is written down as another of its category."""
    if not isinstance(written, Hand):
        return None
    card = random.choice(written.cards)
    other = _another(card, table, random)
    if other in written.cards:
        return None
    return replace(written, cards=tuple(other if c == card else c for c in written.cards))


def _another(card: str, table: Table, random: Choosing) -> str:
    return random.choice(_kin(card, table))


def _kin(card: str, table: Table) -> list[str]:
    kind = next(k for k in table.edition.category if card in [c.name for c in k.cards])
    return [each.name for each in kind.cards if each.name != card]


KINDS: dict[str, Slip] = {
    "shower moved": shower_moved,
    "show for pass": shown_not_passed,
    "asked card": asked_card,
    "shown card": shown_card,
    "asker": asker,
    "held card": held_card,
}


class Case(NamedTuple):
    """A clashing record, the number of its mistyped entry, what it should say, what was tried."""

    record: Record
    entry: int
    meant: Observation
    tried: int


def planted(kind: Slip, random: Random, seed: int) -> Case | int:
    """Return a case of a slip of this kind, or how many slips were tried without a clash."""
    true = random_game("clue-classic", random.randint(3, 6), turns=random.randint(8, 28), seed=seed)
    places = list(range(len(true.entries)))
    random.shuffle(places)
    tried = 0
    for place in places:
        meant = true.entries[place].observation
        written = kind(meant, true.table, random)
        if written is None:
            continue
        try:
            written = normalise(written, true.table, TurnState.of(true.observations[:place]))
        except NotationError:
            continue
        tried += 1
        record = _rewritten(true, place + 1, written)
        if not Game(record).deduction.consistent(len(record.entries)):
            return Case(record, place + 1, meant, tried)
    return tried


def _rewritten(record: Record, entry: int, observation: Observation) -> Record:
    entries = list(record.entries)
    entries[entry - 1] = Entry(observation=observation)
    return replace(record, entries=tuple(entries))


class _Script:
    """Goes through the choices of a slip: those told first, from then on the first of each."""

    def __init__(self, told: Sequence[int]) -> None:
        self.told, self.ways = list(told), list[int]()

    def choice(self, seq: Sequence[T], /) -> T:
        """Return the one that is told."""
        place = len(self.ways)
        self.ways.append(len(seq))
        if place == len(self.told):
            self.told.append(0)
        return seq[self.told[place]]


def ways(kind: Slip, meant: Observation, table: Table) -> Iterator[tuple[float, Observation]]:
    """Yield all that a slip of this kind makes of an observation, each with its chance."""
    told = list[int]()
    while True:
        script = _Script(told)
        written = kind(meant, table, script)
        chance = float(np.prod([1 / many for many in script.ways]))
        if written is not None:
            yield chance, written
        told = script.told[: len(script.ways)]
        while told and told[-1] + 1 == script.ways[len(told) - 1]:
            told.pop()
        if not told:
            return
        told[-1] += 1


def meanings(written: Observation, table: Table, seat: str) -> Iterator[Observation]:
    """Yield what may have been meant, rather too much, where it was this seat's turn."""
    match written:
        case Hand(cards=cards):
            for place, card in enumerate(cards):
                for name in _kin(card, table):
                    if name not in cards:
                        changed = (*cards[:place], name, *cards[place + 1 :])
                        yield replace(written, cards=changed)
        case Suggestion(cards=cards, answers=answers):
            order = table.answering(seat)
            yield Suggestion(
                by=seat, cards=cards, answers=tuple(Answer(seat=s, answer="passes") for s in order)
            )
            for shower in order:
                for seen in cards if table.viewer in (seat, shower) else (None,):
                    shown = Answer(seat=shower, answer="shows", card=seen)
                    yield Suggestion(by=seat, cards=cards, answers=(shown,))
            for place, card in enumerate(cards):
                for name in _kin(card, table):
                    changed = (*cards[:place], name, *cards[place + 1 :])
                    given = tuple(replace(a, card=name) if a.card == card else a for a in answers)
                    yield Suggestion(by=seat, cards=changed, answers=given)


def posterior(record: Record, clash: dict[str, float]) -> dict[tuple[int, str], float]:
    """
    Return how likely each line of each entry was meant, by how the cases are made.

    Args:
        record: The clashing record.
        clash: The share of tried slips of each kind that clash.
    """
    table = record.table
    any_ = replace(table, asks=(Asks(model="any"),))
    solver = Game(record).deduction.solver
    found: dict[tuple[int, str], float] = {}
    entries = range(1, len(record.entries) + 1)
    turns: list[str | None] = [None]
    turns += (table.seats[place % len(table.seats)] for place in range(len(entries) - 1))
    off = [n for n in entries if _by(record.observations[n - 1]) != turns[n - 1]]
    for entry in off if off else entries:
        if solver.model([solver.selector(n) for n in entries if n != entry]) is None:
            continue
        before = record.observations[: entry - 1]
        written, state = record.observations[entry - 1], TurnState.of(before)
        for meant in meanings(written, table, turns[entry - 1] or ""):
            try:
                settled = normalise(meant, table, state)
            except NotationError:
                continue
            chance = 0.0
            for name, kind in KINDS.items():
                for each, told in ways(kind, settled, table):
                    with suppress(NotationError):
                        if normalise(told, table, state) == written:
                            chance += each * _first(name, record, clash[name])
            if not chance or settled == written:
                continue
            true = replace(_rewritten(record, entry, settled), table=any_)
            deduction = Game(true).deduction
            if deduction.consistent(len(entries)):
                weight = chance * exp(deduction.diagram(len(entries)).log_weight)
                line = entry, format_line(settled, table)
                found[line] = found.get(line, 0.0) + weight
    total = sum(found.values())
    return {line: weight / total for line, weight in found.items()}


def _first(kind: str, record: Record, clash: float) -> float:
    """Return how likely the slip in one entry that clashes is the first that is tried and does."""
    several = sum(_can(kind, each) for each in record.observations)
    return (1 - (1 - clash) ** several) / (several * clash) if several else 0.0


def _can(kind: str, told: Observation) -> bool:
    """Whether an entry can have a slip of a kind."""
    if not isinstance(told, Suggestion):
        return kind == "held card"
    if kind == "shower moved":
        return any(each.answer == "shows" for each in told.answers)
    if kind == "shown card":
        return bool(told.answers) and told.answers[-1].card is not None
    return kind != "held card"


FIRST = (1, 3, 5)


def main() -> None:
    """Measure and print one row for each kind of slip."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--games", type=int, default=200, help="games for each kind of slip")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--no-bound", action="store_true", help="only what `check` reaches")
    chosen = options.parse_args()
    print(f"{chosen.games} games a kind, seed {chosen.seed}, {platform.machine()}")
    cases: dict[str, list[Case]] = {}
    clash: dict[str, float] = {}
    for number, (name, kind) in enumerate(KINDS.items()):
        random = Random(f"{chosen.seed} {name}")
        seeds = range(chosen.games)
        made = [
            planted(kind, random, chosen.seed * 1_000_000 + number * 10_000 + game)
            for game in track(seeds, name, transient=True)
        ]
        cases[name] = [each for each in made if isinstance(each, Case)]
        tried = sum(each.tried if isinstance(each, Case) else each for each in made)
        clash[name] = len(cases[name]) / tried
    print(
        "| slip | cases | entry first | line first | line in 3 | line in 5 | none | median | p95 |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    everything = []
    for name, those in cases.items():
        rows = []
        for case in track(those, name, transient=True):
            bound = None if chosen.no_bound else posterior(case.record, clash)
            rows.append([*_ranked(case), *_bound(case, bound)])
        everything += rows
        _print(name, rows)
    _print("all", everything)


def _by(told: Observation) -> str | None:
    return getattr(told, "by", None)


def _ranked(case: Case) -> list[float]:
    begun = process_time()
    check: Check = Game(case.record).check()
    time = process_time() - begun
    found = [(each.entry, each.after) for each in check.corrections]
    true = case.entry, format_line(case.meant, case.record.table)
    first = bool(found) and found[0][0] == case.entry
    return [time, not found, first, *(true in found[:most] for most in FIRST)]


def _bound(case: Case, likely: dict[tuple[int, str], float] | None) -> list[float]:
    """Return what the best guess reaches, as `_ranked`; lines as likely share their places."""
    if likely is None:
        return [np.nan] * (1 + len(FIRST))
    entries: dict[int, float] = {}
    for (entry, _), chance in likely.items():
        entries[entry] = entries.get(entry, 0.0) + chance
    true = case.entry, format_line(case.meant, case.record.table)
    mine = likely.get(true, 0.0)
    before = sum(each > mine * (1 + 1e-9) for each in likely.values())
    alike = sum(abs(each - mine) <= 1e-9 * mine for each in likely.values())
    lines = [min(max(most - before, 0) / max(alike, 1), 1.0) if mine else 0.0 for most in FIRST]
    return [max(entries, key=lambda each: entries[each]) == case.entry, *lines]


def _print(name: str, rows: list[list[float]]) -> None:
    if not rows:
        return
    table = np.array(rows, float)
    times, none, got, bound = table[:, 0] * 1e3, table[:, 1].sum(), table[:, 2:6], table[:, 6:]
    shares = " | ".join(
        f"{mine:.0%}" if np.isnan(best) else f"{mine:.0%} ({best:.0%})"
        for mine, best in zip(got.mean(axis=0), bound.mean(axis=0), strict=True)
    )
    median, late = np.percentile(times, [50, 95])
    print(f"| {name} | {len(rows)} | {shares} | {none:.0f} | {median:.0f} ms | {late:.0f} ms |")


if __name__ == "__main__":
    main()
