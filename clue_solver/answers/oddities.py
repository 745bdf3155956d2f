"""
Entries that are consistent and odd: another line in their place would explain the rest far better.

A slip need not contradict anything. Let D be the rest of the log without an entry e, and e' a line
that may have been meant by it. By what is known of how people play, P(e' | D) / P(e | D) says how
much better e' goes with the rest. P(e | D) is exact: the weight of all deals with the entry over
that without it. For each e' it is estimated first, as the mean of its likelihood over deals drawn
from D's posterior, and made exact for the few that count most, by how common such slips are.
"""

from collections.abc import Sequence
from math import exp, log

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.corrections import OddEntry, lines_meant
from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram, Floats, Ints
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.notation import format_line
from clue_solver.rules.observations import Hand, Observation
from clue_solver.rules.table import Table

RATIO = 20.0
"""
How many times likelier the log must be with another line. In true games of four whose players ask
carefully the largest ratio of a game was 3 in the median and 6 at most.
"""

DRAWN, EXACT = 1_000, 3
"""Deals drawn to find the likeliest lines meant; how many of them are weighed exactly."""

WORK, MEMORY, ENTRIES = 600_000, 8_000_000, 150
"""
Arrows of deal diagrams that may be built in all, bytes that one of them may take; entries of a log
that is looked at.
"""


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

    Where the log is too large to weigh it without an entry, that entry is not looked at; nor is a
    log of more entries than any game has.

    Args:
        table: Who plays, and by which policies.
        observations: The log, or its beginning.
        deduction: What follows from it for the viewer.
        rng: Draws the deals.
    """
    last, found, work = len(observations), [], 0
    if last > ENTRIES:
        return ()
    known = deduction.knowledge.upto(last)
    try:
        whole = deduction.diagram(last).log_weight
    except TooLarge:
        return ()
    if not known.behaviour or deduction.leaves_out(last):
        return ()  # nothing is known of how they play
    for entry, observation in enumerate(observations, 1):
        if isinstance(observation, Hand):
            continue  # nobody mistypes an own hand and does not see it on the sheet
        without = _weighed(_without(known, entry))
        if without is None:
            continue
        work += (1 + EXACT) * without.arrows_in_all
        if work > WORK:
            break
        likely = whole - without.log_weight  # of the line as it stands, a logarithm
        ways = list(lines_meant(table, observations, entry, heard=True))
        if not ways or likely > log(10.0 / RATIO):
            continue
        deals = without.draw(DRAWN, rng)
        rough = []
        for share, meant in ways:
            alone = knowledge_of(table, [meant], viewer=viewer)
            chance = float(_likelihood(alone, deals).mean())
            rough.append((share * chance, share, meant))
        rough.sort(key=lambda each: -each[0])
        best: tuple[float, float, Observation] | None = None
        for _, share, meant in rough[:EXACT]:
            changed = (*observations[: entry - 1], meant, *observations[entry:])
            told = _weighed(knowledge_of(table, changed, viewer=viewer))
            if told is None:
                continue
            log_ratio = told.log_weight - whole
            if best is None or share * exp(log_ratio) > best[0]:
                best = share * exp(log_ratio), exp(log_ratio), meant
        if best is not None and best[1] >= RATIO:
            found.append(
                OddEntry(
                    entry=entry,
                    before=format_line(observation, table),
                    after=format_line(best[2], table),
                    ratio=best[1],
                )
            )
    return tuple(sorted(found, key=lambda each: -each.ratio))


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
    told, last = Deduction(known), known.entries
    try:
        diagram = told.diagram(last, memory=MEMORY)
    except (Contradiction, TooLarge):
        return None
    return None if told.leaves_out(last) else diagram


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
