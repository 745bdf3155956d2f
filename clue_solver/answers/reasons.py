"""
The reasons why a holder has or lacks a card, with names instead of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.known import KnownGame
from clue_solver.answers.report import Fact, Verdict
from clue_solver.errors import TooLarge
from clue_solver.inference.argument import CertainFact, InferenceRule, Step, argue
from clue_solver.inference.explain import smallest_conflict
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.inference.spending import OutOfBudget, limited
from clue_solver.knowledge.clauses import card_numbers, several
from clue_solver.knowledge.sight import seen
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table


class ReasonStep(AnswerValue, frozen=True, kw_only=True):
    """
    One step of a proof that a holder has or lacks a card, or that a log is impossible.

    Attributes:
        fact: The fact that the step proves; `None` if it ends in an impossibility.
        rule: The rule that gives the fact, one of the rules in `inference.argument`.
        entries: The entries that it uses.
        uses: The numbers, from 1, of the earlier steps that it uses.
        holders, cards: The holders and cards that the rule is about.
        size: The most cards that the holder can have, if the step proves that it would need more;
            else 0.
        observation: The entry that the step quotes; `None` if it follows from other steps.
        table: The table, as its viewer knows it.
        cases: The steps of each case, down to the impossibility; each case has its own numbers.

    >>> from clue_solver import load
    >>> step = load("examples/classic.clue").why("Hall", "envelope").steps[-1]
    >>> step.rule, step.uses, step.text
    ('placed', (1,), "the Hall isn't in the envelope: Cat has it")
    """

    fact: Fact | None
    rule: InferenceRule
    entries: tuple[int, ...]
    uses: tuple[int, ...]
    holders: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    size: int = 0
    observation: observed.Observation | None = None
    table: Table
    cases: tuple[tuple[ReasonStep, ...], ...] = ()

    written: ClassVar[Written] = Written(
        also=("fact", "rule", "entries", "uses", "text"),
        without=("holders", "cards", "size", "observation", "table", "cases"),
    )

    @property
    def text(self) -> str:
        """The step in words."""
        return str(draw(self, "sentence"))


class Influence(AnswerValue, frozen=True, kw_only=True):
    """
    How one entry moved the probability of an open fact.

    Attributes:
        entry: The entry.
        observation: What the viewer saw of the entry; `None` if nothing.
        before, after: The probability before and after the entry.

    >>> from clue_solver import load
    >>> strongest = load("examples/classic.clue").why("Rope", "envelope", upto=9).moved[0]
    >>> strongest.entry, round(strongest.change, 2)
    (2, 0.12)
    """

    entry: int
    observation: observed.Observation | None
    before: float
    after: float

    written: ClassVar[Written] = Written(without=("observation",))

    @property
    def change(self) -> float:
        """By how much the entry raised the probability; negative if it lowered it."""
        return self.after - self.before


class Reason(ShownValue, frozen=True, kw_only=True):
    """
    Why a holder has a card, lacks it, or may have it.

    Attributes:
        card: The card in question.
        holder: The holder in question.
        verdict: `holds`, `lacks` or `open`.
        probability: The probability that the holder has the card.
        entries: For a certain fact, a smallest set of entries that forces it; for an open one, the
            entries that moved it most.
        minimum: Whether the set is proved to be smallest.
        steps: The steps of the argument; empty for an open fact.
        moved: For an open fact, how entries moved its probability, strongest first.
        by_rules: For an open fact, its probability if what people usually do is ignored; `None` if
            that is the same.
        lines: The entries as the viewer saw them, as lines, for quotations.
        table: The table, as its viewer knows it.
        partial: Whether the log says more than the viewer may know, so that only part of it counts.

    >>> from clue_solver import load
    >>> reason = load("examples/classic.clue").why("Hall", "envelope")
    >>> reason.verdict, reason.entries
    ('lacks', (2,))
    """

    card: str
    holder: str
    verdict: Verdict
    probability: float
    entries: tuple[int, ...]
    minimum: bool
    steps: tuple[ReasonStep, ...] = ()
    moved: tuple[Influence, ...] = ()
    by_rules: float | None = None
    lines: tuple[str, ...] = ()
    table: Table
    partial: bool = False

    written: ClassVar[Written] = Written(schema=1, without=("lines", "table", "partial"))


_MOST_MOVED = 5
"""The most entries to name that moved an open fact."""

FARTHEST, WORK = 400, 400_000_000
"""
The most entries to look back at, and the most that this may cost, in units of `spending`: about a
second.
"""


def build_reason(known: KnownGame, *, card: str, holder: str) -> Reason:
    """
    Return why the holder has the card, lacks it, or may have it.

    Raises:
        Contradiction: If the entries cannot all be true.
        TooLarge: If the fact is open, and too many deals fit to count them.
    """
    table, log, deduction = known
    c = table.cards.index(card)
    h = table.holders.index(holder)
    possible = known.possible[c]
    if possible >> h & 1 and several(possible):
        return _open_reason(known, card, holder)
    fact = CertainFact(c, h, bool(possible >> h & 1))
    literal = deduction.solver.has(c, h)
    entries, minimum = smallest_conflict(
        deduction.solver, range(1, known.upto + 1), [-literal if fact.has else literal]
    )
    steps = argue(known.knowledge, entries, fact)
    return Reason(
        card=card,
        holder=holder,
        verdict="holds" if fact.has else "lacks",
        probability=1.0 if fact.has else 0.0,
        entries=entries,
        minimum=minimum,
        steps=_with_names(steps, table, log),
        table=table,
    )


def explain_conflict(known: KnownGame, entries: Sequence[int]) -> tuple[ReasonStep, ...]:
    """Return the steps of the proof that the entries with these numbers cannot all be true."""
    return _with_names(argue(known.deduction.knowledge, entries, None), known.table, known.log)


def _open_reason(known: KnownGame, card: str, holder: str) -> Reason:
    """
    Return the reason why a holder may have a card: the entries that moved its probability most.
    """
    table, log, deduction = known
    upto = known.upto
    place = table.cards.index(card), table.holders.index(holder)
    diagram = known.diagram
    now = float(diagram.marginals()[place])
    by_rules = now
    if diagram.openings.weighs_behaviour:
        by_rules = float(deduction.without_behaviour(upto).marginals()[place])

    # Go back through the log, until too much is open: by how much did each entry move it?
    moved: list[Influence] = []
    after = now
    with suppress(TooLarge, OutOfBudget), limited(WORK):
        for entry in range(upto, max(upto - FARTHEST, 0), -1):
            before = float(deduction.diagram(entry - 1).marginals()[place])
            if abs(after - before) > ROUNDING:
                saw = seen(log[entry - 1], table=table, viewer=table.viewer)
                moved.append(Influence(entry=entry, observation=saw, before=before, after=after))
            after = before
    moved.sort(key=lambda influence: -sort_key(abs(influence.change)))
    strongest = tuple(moved[:_MOST_MOVED])
    return Reason(
        card=card,
        holder=holder,
        verdict="open",
        probability=now,
        entries=tuple(sorted(influence.entry for influence in strongest)),
        minimum=False,
        moved=strongest,
        by_rules=by_rules if abs(by_rules - now) > ROUNDING else None,
        table=table,
    )


def _with_names(
    steps: Sequence[Step], table: Table, observations: Sequence[observed.Observation]
) -> tuple[ReasonStep, ...]:
    """
    Return the steps of a proof with names in place of the numbers of cards and holders.

    Args:
        steps: The steps; those of each case are numbered from 1.
        table: The table.
        observations: The log, which the steps quote.
    """
    numbers = {step: number for number, step in enumerate(steps, 1)}
    named: list[ReasonStep] = []
    for step in steps:
        fact = None
        if step.fact is not None:
            verdict: Verdict = "holds" if step.fact.has else "lacks"
            fact = Fact._make(
                (table.cards[step.fact.card], table.holders[step.fact.holder], verdict)
            )
        tells = step.rule in ("told", "either-or") and step.entries
        named.append(
            ReasonStep(
                fact=fact,
                rule=step.rule,
                entries=step.entries,
                uses=tuple(sorted(numbers[used] for used in step.uses if used in numbers)),
                holders=tuple(table.holders[holder] for holder in step.holders),
                cards=tuple(table.cards[card] for card in card_numbers(step.cards)),
                size=0 if step.fact or step.rule != "full" else _most(table, step.holders[0]),
                observation=observations[step.entries[-1] - 1] if tells else None,
                table=table,
                cases=tuple(_with_names(case, table, observations) for case in step.cases),
            )
        )
    return tuple(named)


def _most(table: Table, holder: int) -> int:
    """Return the most cards that the holder with this number can have; 0 for the envelope."""
    bounds = [most for _, most in table.size_bounds()]
    return [*bounds, *(slot.count for slot in table.slots), 0][holder]
