"""
The whole table of marginals, by the ways in which people get it.

Each takes a position and returns the chance of each card with each holder, shape (cards, holders);
`nan` where a way does not answer. All begin at the log: what they prepare is part of their time.
Every way gets what a careful user would give it: unit propagation before a formula is handed on,
numpy for dealing at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import factorial, inf, prod
from time import process_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from limited import GaveUp
from msgspec.structs import replace
from naive import listing
from positions import Position

from clue_solver.inference.cnf import formula
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.openings import openings
from clue_solver.knowledge.clauses import Layout, Numbers, card_numbers
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import ANY

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_MODELS = 50_000
"""How many models are enumerated at most."""

MOST_LISTED = 1_000_000
"""How many deals the naive twin lists at most, before any is sorted out."""

ACCEPTED, FEWEST, DEALING = 10_000, 100, 5.0
"""How many random deals must fit; how few are an answer at all; how many seconds they may take."""

_BATCH = 20_000


def known(position: Position) -> Knowledge:
    """Return what the position's viewer knows; all deals that fit count alike."""
    table, seen, viewer = position
    return knowledge_of(replace(table, shows="none", asks=ANY), seen, viewer=viewer)


def diagram(position: Position) -> Floats:
    """The deal diagram."""
    _, seen, _ = position
    return Deduction(known(position)).diagram(len(seen)).marginals()


def exact(position: Position) -> tuple[Floats, int]:
    """Return what the other ways are held against: the diagram's chances, the number of deals."""
    _, seen, _ = position
    found = Deduction(known(position)).diagram(len(seen))
    return found.marginals(), found.count()


class Reduced(NamedTuple):
    """
    A formula after unit propagation, its variables numbered anew without gaps.

    Attributes:
        layout: The shape of the table.
        clauses: What is left of the clauses, in the new numbers.
        variables: The old numbers of the variables that are left; new number 1 stands first.
        true: The old literals that are certain.
    """

    layout: Layout
    clauses: list[list[int]]
    variables: list[int]
    true: set[int]

    @property
    def places(self) -> Iterator[tuple[int, int, int]]:
        """Yield for each open card variable its new number, its card and its holder."""
        for number, old in enumerate(self.variables, 1):
            if old <= self.layout.cards * self.layout.holders:
                yield number, *divmod(old - 1, self.layout.holders)

    def certain(self) -> Floats:
        """Return the table with what is certain; 0 where a variable is open."""
        table = np.zeros((self.layout.cards, self.layout.holders))
        for literal in self.true:
            if 0 < literal <= table.size:
                table[divmod(literal - 1, self.layout.holders)] = 1.0
        return table


def reduced(position: Position) -> Reduced:
    """Return the formula of a position after unit propagation, sorted card by card."""
    knowledge = known(position)
    whole, pool = formula(knowledge)
    clauses: Sequence[Sequence[int]] = whole.clauses
    true: set[int] = set()
    grown = True
    while grown:
        rest = []
        size = len(true)
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            left = [literal for literal in clause if -literal not in true]
            if len(left) == 1:
                true.add(left[0])
            else:
                rest.append(left)
        clauses, grown = rest, len(true) > size

    used = {abs(literal) for clause in clauses for literal in clause}
    variables = sorted(used, key=lambda variable: (pool.obj(variable)[0], variable))
    number = {old: new for new, old in enumerate(variables, 1)}
    renumbered = [[number[abs(x)] * (1 if x > 0 else -1) for x in clause] for clause in clauses]
    return Reduced(knowledge.layout, renumbered, variables, true)


def compiled(position: Position, *, seconds: float = inf) -> Floats:
    """
    PySDD: the formula compiled to a sentential decision diagram, then counted.

    It gives up after so many seconds, between two clauses.

    The variables stand card by card in a balanced vtree and the clauses are conjoined in that
    order: of the ways tried (balanced, left and right vtrees, this order and its reverse, the
    library's own reader, minimization on and off) by far the fastest.
    """
    from pysdd.sdd import SddManager, Vtree

    begun = process_time()
    found = reduced(position)
    table = found.certain()
    if not found.variables:
        return table
    size = len(found.variables)
    manager = SddManager.from_vtree(Vtree(size, list(range(1, size + 1)), "balanced"))
    manager.auto_gc_and_minimize_off()
    root = manager.true()
    root.ref()
    for clause in sorted(found.clauses, key=lambda clause: sorted(map(abs, clause))[::-1]):
        either = manager.false()
        for literal in clause:
            either = manager.disjoin(either, manager.literal(literal))
        before, root = root, manager.conjoin(root, either)
        root.ref()
        before.deref()
        if process_time() - begun > seconds:
            raise GaveUp("time")
    counting = root.wmc(log_mode=False)
    counting.propagate()
    for number, card, holder in found.places:
        table[card, holder] = counting.literal_pr(manager.literal(number))
    return table


def enumerated(position: Position, *, seconds: float = inf) -> Floats:
    """python-sat: every model of the formula, one by one, for so many seconds at most."""
    from pysat.solvers import Solver

    begun = process_time()
    found = reduced(position)
    table = found.certain()
    if not found.variables:
        return table
    with Solver("glucose4", bootstrap_with=found.clauses) as solver:
        models = []
        for model in solver.enum_models():
            models.append(np.array(model, np.int32) > 0)
            if len(models) > MOST_MODELS:
                raise GaveUp(f"more than {MOST_MODELS:,} models")
            if process_time() - begun > seconds:
                raise GaveUp("time")
    shares = np.array(models).mean(axis=0)
    for number, card, holder in found.places:
        table[card, holder] = shares[number - 1]
    return table


def rejected(position: Position) -> Floats:
    """Random deals with the viewer's own hand in place, those that break the log rejected."""
    return _sampled(known(position), _own(position))


def rejected_placed(position: Position) -> Floats:
    """The same with every card in place that is certain by the backbone."""
    knowledge = known(position)
    certain = openings(knowledge, Deduction(knowledge).possible(knowledge.entries)).certain
    return _sampled(knowledge, {card: h for card, h in enumerate(certain) if h >= 0})


def listed(position: Position) -> Floats:
    """The naive twin: every deal of the table listed, those kept that fit."""
    knowledge = known(position)
    every = Deduction(knowledge.upto(0)).diagram(0).count()
    if every > MOST_LISTED:
        raise GaveUp(f"more than {MOST_LISTED:,} deals to list")
    return listing(knowledge).marginals(knowledge.layout.holders)


METHODS: dict[str, Callable[[Position], Floats]] = {
    "deal diagram": diagram,
    "PySDD": compiled,
    "python-sat models": enumerated,
    "rejection": rejected,
    "rejection, certain cards placed": rejected_placed,
    "naive twin": listed,
}
"""The ways by their names; the first is ours."""


def _own(position: Position) -> dict[int, int]:
    """Return the viewer's own cards, where its hand was recorded, as numbers with its seat's."""
    table, seen, viewer = position
    numbers = Numbers(table)
    return {
        card: numbers.holder(each.seat)
        for each in seen
        if isinstance(each, Hand) and each.seat == viewer
        for card in card_numbers(numbers.cards(each.cards))
    }


def _sampled(knowledge: Knowledge, placed: dict[int, int]) -> Floats:
    """Return the frequencies of random deals that fit."""
    layout = knowledge.layout
    rng = np.random.default_rng(layout.cards * layout.holders + knowledge.entries)
    sums = np.zeros((layout.cards, layout.holders))
    accepted, begun = 0, process_time()
    for deals in _random_deals(knowledge, placed, rng):
        fitting = _fitting(deals, knowledge)
        for holder in range(layout.holders):
            sums[:, holder] += (fitting == holder).sum(axis=0)
        accepted += len(fitting)
        if accepted >= ACCEPTED or process_time() - begun > DEALING:
            break
    if accepted < FEWEST:
        raise GaveUp(f"fewer than {FEWEST} deals fitted")
    return sums / accepted


def _random_deals(
    knowledge: Knowledge, placed: dict[int, int], rng: np.random.Generator
) -> Iterator[Ints]:
    """Yield batches of deals, all deals with these cards in place being equally likely."""
    layout = knowledge.layout
    template = np.full(layout.cards, -1)
    template[list(placed)] = list(placed.values())
    held = np.bincount(template[template >= 0], minlength=layout.holders)
    envelope = [
        [card for card in card_numbers(kind) if template[card] < 0]
        for kind in layout.categories
        if not any(template[card] == layout.envelope for card in card_numbers(kind))
    ]
    deck = Deck(template, envelope, np.flatnonzero(template < 0))
    sizes = [
        each
        for each in product(*(range(least, most + 1) for least, most in layout.bounds))
        if sum(each) == layout.cards - len(layout.categories)
        and all(size >= held[holder] for holder, size in enumerate(each))
    ]
    rooms = [[size - int(held[holder]) for holder, size in enumerate(each)] for each in sizes]
    ways = np.array([1 / prod(map(factorial, room)) for room in rooms])
    while True:
        chosen = rng.choice(len(rooms), size=_BATCH, p=ways / ways.sum())
        counts = np.bincount(chosen, minlength=len(rooms)).tolist()
        yield np.concatenate(
            [deck.dealt(room, count, rng) for room, count in zip(rooms, counts, strict=True)]
        )


class Deck(NamedTuple):
    """
    What is dealt at random.

    Attributes:
        placed: The holder of each card that is in place, -1 for the others.
        envelope: The cards of which one is drawn for the envelope, a list for each category.
        free: The cards that are not in place.
    """

    placed: Ints
    envelope: list[list[int]]
    free: Ints

    def dealt(self, room: list[int], count: int, rng: np.random.Generator) -> Ints:
        """Return so many deals in which each holder but the envelope takes so many free cards."""
        deals = np.tile(self.placed, (count, 1))
        for cards in self.envelope:
            deals[np.arange(count), rng.choice(cards, size=count)] = len(room)
        drawn = deals[:, self.free] >= 0
        order = np.argsort(rng.random(drawn.shape) + drawn, axis=1)
        hands = np.repeat(np.arange(len(room)), room)
        np.put_along_axis(deals, self.free[order[:, : len(hands)]], hands[None, :], axis=1)
        return deals


def _fitting(deals: Ints, knowledge: Knowledge) -> Ints:
    """Return the deals that no clause rejects."""
    for clause in knowledge.clauses:
        has = deals[:, card_numbers(clause.cards)] == clause.holder
        deals = deals[has.any(axis=1) if clause.has else ~has.all(axis=1)]
    return deals
