"""
What to ask next: how much each question tells about the solution.

The gain of a question is the mutual information between its answer and the solution: the entropy of
the solution now, less the expected entropy after each possible answer (Shannon 1948). From the
joint distribution of solution and way in which the asked cards lie it is exact. Over a sample of
deals the plug-in value is too high, by about c/n for n deals; so it is computed from the whole
sample and from its two halves, and twice the whole less the mean of the halves has no such term
(the jackknife idea: Quenouille 1956).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clue_solver.inference.diagram import Floats, Ints, collect
from clue_solver.inference.solutions import Jointly
from clue_solver.inference.worlds import Worlds

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


def gain(
    worlds: Worlds, kind: Ints, chance: Floats, *, counting: bool, alike: Alike | None = None
) -> Gain:
    """
    Return what a question tells, by the worlds.

    Args:
        worlds: All deals, or a sample.
        kind: The class of each world, shape (worlds,).
        chance: The chance of each outcome in each class, shape (classes, outcomes).
        counting: Whether the posterior after an answer only counts the deals in which it can be
            given (policy `none`), not how likely it is in each.
        alike: Solutions to count together in a sample.
    """
    kinds, size = len(chance), len(worlds.solutions.probability)
    solution = worlds.solution
    if alike is not None:
        size, solution = len(alike.size), alike.group[solution]
    cells = kind * size + solution
    each = np.ones(size, np.int64) if alike is None else alike.size
    if worlds.exact:
        joint = collect(cells, worlds.weight, kinds * size).reshape(kinds, size)
        return _exact(joint, chance, each, counting=counting)
    half = len(cells) // 2
    parts: list[Floats] = [
        np.bincount(cells[part], minlength=kinds * size).reshape(kinds, size) / half
        for part in (slice(half), slice(half, 2 * half))
    ]
    whole, first, second = (
        _plug_in(joint, chance, each, counting=counting)
        for joint in ((parts[0] + parts[1]) / 2, *parts)
    )
    correction = whole.bits - (first.bits + second.bits) / 2
    error = np.hypot(whole.error / np.sqrt(2 * half), correction / 4)
    bits = max(0.0, whole.bits + correction)
    return whole._replace(bits=bits, error=float(error))


def counted(ways: Jointly, table: Ints, chance: Floats, *, counting: bool) -> Gain:
    """
    Return what a question tells, exactly.

    Args:
        ways: How the asked cards lie, together with the solution.
        table: The class of each way.
        chance, counting: As for `gain`.
    """
    size = len(ways.size)
    cells = table[ways.way] * size + ways.group
    joint = collect(cells, ways.probability, len(chance) * size).reshape(len(chance), size)
    return _exact(joint, chance, ways.size, counting=counting)


def _exact(joint: Floats, chance: Floats, each: Ints, *, counting: bool) -> Gain:
    found = _plug_in(joint, chance, each, counting=counting)
    return found._replace(bits=0.0 if abs(found.bits) < _SURE else found.bits, error=0.0)


def _plug_in(joint: Floats, chance: Floats, each: Ints, *, counting: bool) -> Gain:
    """
    Return the gain for a joint distribution of classes and groups of solutions.

    `error` is the standard deviation of one world's share in the bits.

    Args:
        joint: Shape (classes, groups).
        chance: The chance of each outcome in each class, shape (classes, outcomes).
        each: How many solutions each group has.
        counting: As for `gain`.
    """
    predicted = chance.T @ joint  # outcomes, groups
    after = (chance.T > 0).astype(float) @ joint if counting else predicted
    chances = predicted.sum(axis=1)
    total = after.sum(axis=1)
    alive = total > 0
    after, weights = after[alive] / total[alive, None], chances[alive]
    before = joint.sum(axis=0)
    logs = np.log2(after / each, out=np.zeros_like(after), where=after > 0)
    base = np.log2(before / each, out=np.zeros_like(before), where=before > 0)
    bits = float(weights @ (after * logs).sum(axis=1) - before @ base)
    mass = weights[:, None] * after
    point = logs - base
    mean = float((mass * point).sum())
    error = float(np.sqrt(max(0.0, (mass * point**2).sum() - mean**2)))
    top = (after / each).max(axis=1, initial=0.0)
    settled = (after > 0) @ each == 1
    return Gain(max(bits, 0.0) if not counting else bits, error, float(weights @ settled),
                float(weights @ top), chances)  # fmt: skip
