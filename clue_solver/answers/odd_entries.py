"""
Entries that are consistent and odd: they are hard to believe, and a slip would explain them.

A slip need not contradict anything. Let D be the rest of the log without an entry e, and s(e | T)
how likely who means a line T and makes a slip in it writes e. Then

    R  =  sum over T of  s(e | T) P(T | D)  /  P(e | D)

says how many times likelier e is as a slip than as the truth. Over all that could have been written
the numerator sums up to at most 1, so where e is true R is at least r in at most one entry of r,
whatever the table (Markov's inequality), as far as P is right. How people ask is known badly: an
entry is odd only where R is large by the rules alone and by behaviour, too. P(e | D) is exact, the
weight of all deals with the entry over that without it; the numerator is a mean over deals drawn
from D's posterior.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.corrections import COMMON, OddEntry, lines_meant
from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram, Floats, Ints, sort_key
from clue_solver.inference.solutions import solutions
from clue_solver.knowledge.clauses import Layout, card_numbers
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.notation import format_line
from clue_solver.rules.observations import Hand, Observation
from clue_solver.rules.table import Table

ODD = 10.0
"""
How many times likelier an odd entry is as a slip than as the truth. The bound alone would ask for
500; in true games of the arena two entries in 2,637 were ever called odd.
"""

DRAWN = 1_000
"""Deals drawn to weigh the lines that may have been meant."""

WORK, MEMORY, ENTRIES = 600_000, 8_000_000, 150
"""
Arrows of deal diagrams that may be built in all, bytes that one of them may take; entries of a log
that is looked at.
"""


_MOST = 700.0
"""The logarithm of the largest ratio that is told: floats end soon behind it."""


class _Way(NamedTuple):
    """A line, how likely its writer slips to what was written, and what it alone tells."""

    chance: float
    meant: Observation
    known: Knowledge


def odd_entries(
    table: Table,
    observations: Sequence[Observation],
    deduction: Deduction,
    *,
    viewer: str | None,
    rng: np.random.Generator,
) -> tuple[OddEntry, ...]:
    """
    Return the entries of a consistent log that may well have been mistyped, the oddest first.

    Never the viewer's own doing or hand. Where the log is too large to weigh it without an entry,
    that entry is not looked at; nor is a log of more entries than any game has.

    Args:
        table: Who plays, and by which policies.
        observations: The log, or its beginning.
        deduction: What follows from it for the viewer.
        rng: Draws the deals.
    """
    last = len(observations)
    if last > ENTRIES:
        return ()

    # the log as it is, by the rules alone and by how people play
    known = deduction.knowledge.upto(last)
    try:
        views = [(_by_rules(known), deduction.by_rules(last))]
        if known.behaviour and not deduction.leaves_out(last):
            views.append((known, deduction.diagram(last)))
    except TooLarge:
        return ()
    whole = views[-1][1]
    telling = {factor.entry for factor in known.factors}
    telling.update(*(clause.entries for clause in known.clauses))

    odd = []
    weigher = _Weigher(table, observations, viewer, rng)
    for entry, observation in enumerate(observations, 1):
        if entry not in telling or _own(observation, viewer):
            continue
        meant = weigher.likelier(entry, views)
        if meant is None:
            continue

        # with what was meant in its place: would one believe something else?
        changed = (*observations[: entry - 1], meant, *observations[entry:])
        as_meant = knowledge_of(table, changed, viewer=viewer)
        instead = _weighed(_by_rules(as_meant) if deduction.leaves_out(last) else as_meant)
        if instead is not None and _misleads(whole, instead, known.layout):
            odd.append(
                OddEntry(
                    entry=entry,
                    before=format_line(observation, table),
                    after=format_line(meant, table),
                    ratio=exp(min(instead.log_weight - whole.log_weight, _MOST)),
                )
            )
    return tuple(sorted(odd, key=lambda odd_entry: -sort_key(odd_entry.ratio)))


@dataclass
class _Weigher:
    """Weighs the entries of a log, slip against truth, for as long as `WORK` lasts."""

    table: Table
    observations: Sequence[Observation]
    viewer: str | None
    rng: np.random.Generator
    work: int = 0

    def likelier(
        self, entry: int, views: Sequence[tuple[Knowledge, Diagram]]
    ) -> Observation | None:
        """Return what was meant by an entry, if that makes it odd in each of the views."""
        ways: list[_Way] = []
        meant = None
        for known, whole in views:
            # how likely the entry is by the rest of the log
            without = _weighed(_without(known, entry))
            if without is None:
                return None
            self.work += without.arrows_in_all
            truth = exp(whole.log_weight - without.log_weight)
            if truth * ODD > 1 or self.work > WORK:
                return None

            # how likely it is as a slip in what else may have been meant
            ways = ways or _ways(self.table, self.observations, entry, self.viewer)
            deals = without.draw(DRAWN, self.rng)
            slips = [way.chance * _likelihood(way.known, deals).mean() for way in ways]
            if not ways or sum(slips) < ODD * truth:
                return None
            meant = ways[int(np.argmax(slips))].meant
        return meant


def _own(observation: Observation, viewer: str | None) -> bool:
    """Whether it is the viewer's own doing, or a hand: who writes that sees it on the sheet."""
    by = getattr(observation, observation.form.subject or "", "")
    return by == viewer or isinstance(observation, Hand)


def _ways(
    table: Table, observations: Sequence[Observation], entry: int, viewer: str | None
) -> list[_Way]:
    """Return what an entry can have said, if it is a slip and something was heard."""
    slips = [slip for slip in lines_meant(table, observations, entry) if slip.kind != "unheard"]
    in_all = sum(COMMON[kind] for kind in {slip.kind for slip in slips})
    return [
        _Way(COMMON[kind] / in_all * chance, meant, knowledge_of(table, [meant], viewer=viewer))
        for kind, chance, meant in slips
    ]


def _misleads(as_is: Diagram, instead: Diagram, layout: Layout) -> bool:
    """Return whether what is likeliest by one of them is not half as likely by the other."""
    one, other = (
        {tuple(cards): chance for cards, chance in zip(*solutions(diagram, layout), strict=True)}
        for diagram in (as_is, instead)
    )
    best = next(iter(one))
    best_instead = next(iter(other))
    misled = 2 * other.get(best, 0.0) < one[best]
    return bool(misled or 2 * one.get(best_instead, 0.0) < other[best_instead])


def _by_rules(known: Knowledge) -> Knowledge:
    """Return what is known without what people usually do."""
    return replace(known, behaviour=(), reading=None)


def _without(known: Knowledge, entry: int) -> Knowledge:
    """Return what is known without one entry; all others keep their numbers."""
    return replace(
        known,
        clauses=tuple(clause for clause in known.clauses if entry not in clause.entries),
        factors=tuple(factor for factor in known.factors if factor.entry != entry),
        behaviour=tuple(factor for factor in known.behaviour if factor.entry != entry),
        reading=None,
    )


def _weighed(known: Knowledge) -> Diagram | None:
    """Return the diagram of what is known; `None` if no deal fits or it would be too large."""
    deduction = Deduction(known)
    try:
        diagram = deduction.diagram(known.entries, memory=MEMORY)
    except (Contradiction, TooLarge):
        return None
    return None if deduction.leaves_out(known.entries) else diagram


def _likelihood(known: Knowledge, deals: Ints) -> Floats:
    """Return how likely what is known is in each deal; of levels of care the mean."""
    likely = np.ones(len(deals))
    for _, holder, cards, has in known.clauses:
        held = _held(deals, holder, cards)
        likely *= held > 0 if has else held < cards.bit_count()
    for _, holder, cards, tables in (*known.factors, *known.behaviour):
        prior = known.prior if len(tables) > 1 else (1.0,)
        likely *= np.array(prior) @ np.array(tables)[:, _held(deals, holder, cards)]
    return likely


def _held(deals: Ints, holder: int, cards: int) -> Ints:
    """Return how many of a mask of cards a holder has in each deal."""
    held: Ints = (deals[:, card_numbers(cards)] == holder).sum(axis=1)
    return held
