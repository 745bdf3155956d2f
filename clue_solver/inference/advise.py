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

from clue_solver.inference.asking import Spread
from clue_solver.inference.diagram import Floats, Ints, collect, merge
from clue_solver.inference.solutions import Jointly
from clue_solver.inference.worlds import Worlds

_SURE = 1e-12
_SMALL = 1 << 16
_CELL_WORK, _GROUP_WORK = 100, 200


class Gain(NamedTuple):
    """
    What a question tells.

    Attributes:
        bits: Expected information about the solution.
        error: The standard error of `bits`; 0 where it is exact.
        settles: The probability that the answer leaves one solution.
        best_after: The expected probability of the likeliest solution after the answer.
        chances: The probability of each outcome, in the order in which they were foreseen.
        work: What computing it cost, in array elements.
    """

    bits: float
    error: float
    settles: float
    best_after: float
    chances: Floats
    work: int = 0


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
    worlds: Worlds, kind: Ints, chance: Spread, *, counting: bool, alike: Alike | None = None
) -> Gain:
    """
    Return what a question tells, by the worlds.

    Args:
        worlds: All deals, or a sample.
        kind: The class of each world, shape (worlds,).
        chance: The chance of each outcome in each class.
        counting: Whether the posterior after an answer only counts the deals in which it can be
            given (policy `none`), not how likely it is in each.
        alike: Solutions to count together in a sample.
    """
    solution = worlds.solution
    each = np.ones(len(worlds.solutions.probability), np.int64)
    if alike is not None:
        each, solution = alike.size, alike.group[solution]
    if worlds.exact:
        return _exact(kind, solution, worlds.weight, chance, each, counting=counting)
    half = len(kind) // 2
    cells, place = _cells(kind, solution, len(each))
    one, other = (
        np.bincount(place[part], minlength=len(cells)) / half
        for part in (slice(half), slice(half, 2 * half))
    )
    told = _Told(cells, chance, each, counting=counting)
    whole, first, second = (told.gain(joint) for joint in ((one + other) / 2, one, other))
    correction = whole.bits - (first.bits + second.bits) / 2
    error = np.hypot(whole.error / np.sqrt(2 * half), correction / 4)
    bits = max(0.0, whole.bits + correction)
    return whole._replace(bits=bits, error=float(error))


def counted(ways: Jointly, table: Ints, chance: Spread, *, counting: bool) -> Gain:
    """
    Return what a question tells, exactly.

    Args:
        ways: How the asked cards lie, together with the solution.
        table: The class of each way.
        chance, counting: As for `gain`.
    """
    kind = table[ways.way]
    return _exact(kind, ways.group, ways.probability, chance, ways.size, counting=counting)


def _exact(
    kind: Ints, group: Ints, weight: Floats, chance: Spread, each: Ints, *, counting: bool
) -> Gain:
    cells, place = _cells(kind, group, len(each))
    joint = collect(place, weight, len(cells))
    found = _Told(cells, chance, each, counting=counting).gain(joint)
    return found._replace(bits=0.0 if abs(found.bits) < _SURE else found.bits, error=0.0)


def _cells(kind: Ints, group: Ints, groups: int) -> tuple[Ints, Ints]:
    """
    Return the cells of the table of classes and groups, and each world's place among them.

    A cell is `class * groups + group`; a small table has all of its cells, a large one those that
    some world lies in.
    """
    keys = kind * groups
    keys += group
    bound = (int(kind.max(initial=0)) + 1) * groups
    if bound > _SMALL:
        return merge(keys, bound)
    here = np.flatnonzero(np.bincount(keys, minlength=bound))
    place = np.empty(bound, np.int64)
    place[here] = np.arange(len(here))
    return here, place[keys]


class _Told:
    """
    What a question tells, whatever the weights of the cells of classes and groups of solutions.

    Args:
        cells: The cells, as `_cells` numbers them.
        chance: The chance of each outcome in each class.
        each: How many solutions each group has.
        counting: As for `gain`.
    """

    def __init__(self, cells: Ints, chance: Spread, each: Ints, *, counting: bool) -> None:
        kind, self.group = np.divmod(cells, len(each))
        self.each, self.counting, self.outcomes = each, counting, chance.outcomes
        first = chance.first[kind]
        copies = chance.first[kind + 1] - first
        self.cell = np.repeat(np.arange(len(copies)), copies)
        offset = first - (np.cumsum(copies) - copies)
        spread = np.arange(len(self.cell)) + offset[self.cell]
        self.chance = chance.chance[spread]
        keys = chance.outcome[spread] * len(each) + self.group[self.cell]
        after, self.place = merge(keys, chance.outcomes * len(each))
        self.outcome, self.after = np.divmod(after, len(each))

    def gain(self, joint: Floats) -> Gain:
        """
        Return the plug-in gain for the weights of the cells; some may be 0.

        `error` is the standard deviation of one world's share in the bits.
        """
        group, each = self.after, self.each
        weight = joint[self.cell]
        predicted = collect(self.place, weight * self.chance, len(group))
        after = collect(self.place, weight, len(group)) if self.counting else predicted
        chances = collect(self.outcome, predicted, self.outcomes)
        total = collect(self.outcome, after, self.outcomes)
        total[total == 0.0] = 1.0
        after = after / total[self.outcome]

        before = collect(self.group, joint, len(each))
        base = np.log2(before / each, out=np.zeros_like(before), where=before > 0)
        single = after / each[group]
        logs = np.log2(single, out=np.zeros_like(single), where=single > 0)
        mass = chances[self.outcome] * after
        point = logs - base[group]
        mean = float(mass @ point)
        bits = float(mass @ logs - before @ base)
        error = float(np.sqrt(max(0.0, mass @ point**2 - mean**2)))
        top = np.zeros(self.outcomes)
        np.maximum.at(top, self.outcome, single)
        left = collect(self.outcome, np.where(after > 0, each[group], 0.0), self.outcomes)
        return Gain(
            bits=bits if self.counting else max(bits, 0.0),
            error=error,
            settles=float(chances @ (left == 1.0)),
            best_after=float(chances @ top),
            chances=chances,
            work=_CELL_WORK * len(self.cell) + _GROUP_WORK * len(each),
        )
