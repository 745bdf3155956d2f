"""
What to ask next: how much each question tells about the solution.

The gain of a question is the mutual information between its answer and the solution: the entropy of
the solution now, less the expected entropy after each possible answer (Shannon 1948). Over all
deals it is exact. Over a sample of deals the plug-in value is too high, by about c/n for n deals;
so it is computed from the whole sample and from its two halves, and twice the whole less the mean
of the halves has no such term (the jackknife idea: Quenouille 1956). Where one question is to be
counted exactly, each of its answers is one diagram.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clue_solver.inference.asking import Foreseen, Outcome, Question
from clue_solver.inference.diagram import Diagram, Floats, Ints, collect
from clue_solver.inference.openings import openings
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.inference.worlds import Worlds
from clue_solver.knowledge import Clause, Factor, Knowledge
from clue_solver.knowledge.layout import card_numbers
from clue_solver.knowledge.likelihood import predicting

_SURE = 1e-12


class Gain(NamedTuple):
    """
    What a question tells.

    Attributes:
        bits: Expected information about the solution.
        error: The standard error of `bits`; 0 where it is exact.
        settles: The probability that the answer leaves one solution.
        best_after: The expected probability of the likeliest solution after the answer.
        chances: The probability of each outcome, in the order in which they were foreseen.
    """

    bits: float
    error: float
    settles: float
    best_after: float
    chances: Floats


class Alike(NamedTuple):
    """
    Solutions that a question does not tell apart: given any answer they are equally likely.

    What the answer tells of the solution is what it tells of the group, and a sample says more of
    few groups than of many solutions.

    Attributes:
        group: The number of each solution's group.
        size: How many solutions each group has.
    """

    group: Ints
    size: Ints


def gain(worlds: Worlds, foreseen: Foreseen, *, counting: bool, alike: Alike | None = None) -> Gain:
    """
    Return what a question tells, by the worlds.

    Args:
        worlds: All deals, or a sample.
        foreseen: How the question is answered in each.
        counting: Whether the posterior after an answer only counts the deals in which it can be
            given (policy `none`), not how likely it is in each.
        alike: Solutions to count together in a sample; not where answers are only counted.
    """
    kinds, size = len(foreseen.chance), len(worlds.solutions.probability)
    solution = worlds.solution
    if alike is not None:
        size, solution = len(alike.size), alike.group[solution]
    cells = foreseen.kind * size + solution
    if worlds.exact:
        joint = collect(cells, worlds.weight, kinds * size).reshape(kinds, size)
        return _plug_in(joint, foreseen.chance, worlds.solutions, counting=counting)
    half = len(cells) // 2
    parts: list[Floats] = [
        np.bincount(cells[part], minlength=kinds * size).reshape(kinds, size) / half
        for part in (slice(half), slice(half, 2 * half))
    ]
    whole, first, second = (
        _plug_in(joint, foreseen.chance, None, counting=counting, alike=alike)
        for joint in ((parts[0] + parts[1]) / 2, *parts)
    )
    correction = whole.bits - (first.bits + second.bits) / 2
    error = np.hypot(whole.error / np.sqrt(2 * half), correction / 4)
    bits = max(0.0, whole.bits + correction)
    return whole._replace(bits=bits, error=float(error))


def _plug_in(
    joint: Floats,
    chance: Floats,
    prior: Solutions | None,
    *,
    counting: bool,
    alike: Alike | None = None,
) -> Gain:
    """
    Return the gain for a joint distribution of classes and solutions, shape (classes, solutions).

    `error` is the standard deviation of one world's share in the bits, 0 where `prior` is given.
    """
    predicted = chance.T @ joint  # outcomes, solutions
    after = (chance.T > 0).astype(float) @ joint if counting else predicted
    chances = predicted.sum(axis=1)
    total = after.sum(axis=1)
    alive = total > 0
    after, weights = after[alive] / total[alive, None], chances[alive]
    before = joint.sum(axis=0) if prior is None else prior.probability
    logs = np.log2(after, out=np.zeros_like(after), where=after > 0)
    entropy = -(before * np.log2(before, out=np.zeros_like(before), where=before > 0)).sum()
    bits = float(entropy + weights @ (after * logs).sum(axis=1))
    error = 0.0
    if prior is None:
        base = np.log2(before, out=np.zeros_like(before), where=before > 0)
        point = logs - base
        mass = weights[:, None] * after
        mean = float((mass * point).sum())
        error = float(np.sqrt(max(0.0, (mass * point**2).sum() - mean**2)))
    each = np.ones(joint.shape[1]) if alike is None else alike.size
    top = (after / each).max(axis=1, initial=0.0)
    settled = (after > 0) @ each == 1
    return Gain(max(bits, 0.0) if not counting else bits, error, float(weights @ settled),
                float(weights @ top), chances)  # fmt: skip


def counted(
    knowledge: Knowledge, possible: list[int], question: Question, outcomes: tuple[Outcome, ...]
) -> Gain:
    """
    Return what a question tells, exactly: one diagram for each outcome.

    Args:
        knowledge: What is known.
        possible: Its backbone.
        question: What is asked.
        outcomes: The answers that may come; the chances stand in their order.
    """
    base = Diagram(openings(knowledge, possible))
    entropy = solutions(base, knowledge.layout).bits
    whole = base.weight * base.openings.scale
    chances = np.zeros(len(outcomes))
    left = settles = best = 0.0
    for number, outcome in enumerate(outcomes):
        told, narrowed = _after(knowledge, possible, question, outcome)
        if narrowed is None:
            continue
        diagram = Diagram(openings(told, narrowed))
        if diagram.weight <= 0:
            continue
        chances[number] = diagram.weight * diagram.openings.scale / whole
        if knowledge.shows == "none":
            plain = Knowledge(
                layout=told.layout, entries=told.entries, clauses=told.clauses, factors=()
            )
            diagram = Diagram(openings(plain, narrowed))
        posterior = solutions(diagram, knowledge.layout)
        left += chances[number] * posterior.bits
        settles += chances[number] * (len(posterior.probability) == 1)
        best += chances[number] * float(posterior.probability[0])
    bits = entropy - left
    if knowledge.shows != "none":
        bits = max(0.0, bits)
    return Gain(0.0 if abs(bits) < _SURE else bits, 0.0, settles, best, chances)


def _after(
    knowledge: Knowledge, possible: list[int], question: Question, outcome: Outcome
) -> tuple[Knowledge, list[int] | None]:
    """Return what is known after an answer, and the backbone cut down by it; `None` if clear."""
    asked = sum(1 << card for card in question.cards)
    policy = predicting(knowledge.shows)
    shown = dict(outcome)
    clauses: list[Clause] = []
    factors: list[Factor] = []
    narrowed = list(possible)
    for seat in question.seats:
        habit = knowledge.habit(seat)
        card = shown.get(seat)
        if card is None:
            for other in card_numbers(asked):
                clauses.append(Clause((), seat, 1 << other, False))
                narrowed[other] &= ~(1 << seat)
            continue
        clauses.append(Clause((), seat, 1 << card, True))
        narrowed[card] &= 1 << seat
        table = policy.chances(asked, shown=1 << card, habit=habit)
        if not policy.picks([card, *card_numbers(habit & asked & ~(1 << card))], habit=habit)[0]:
            return knowledge, None  # it would show a card that it has shown before
        factors.append(Factor(0, seat, asked, table))
        if not question.everyone:
            break
    told = Knowledge(
        layout=knowledge.layout,
        entries=knowledge.entries,
        clauses=(*knowledge.clauses, *clauses),
        factors=(*knowledge.factors, *factors),
        shows=knowledge.shows,
    )
    return told, narrowed if all(narrowed) else None
