"""
How much each question tells about the solution.

The gain of a question is the mutual information between its answer and the solution: the entropy of
the solution now, less the expected entropy after the answer (Shannon 1948). Computed from the joint
distribution of solutions and classes of deals (`outcomes`), it is exact. Computed in the same way
from a sample of n deals (the plug-in value), it is too high by about c/n, with some constant c. So
it is computed for the whole sample and for its two halves. Twice the whole less the mean of the
halves has no such term (the jackknife idea: Quenouille 1956).
"""

from typing import NamedTuple

import numpy as np

from clue_solver.inference.arrays import Floats, Ints, collect, log2, merge
from clue_solver.inference.outcomes import Outcomes, repeat_rows
from clue_solver.inference.spending import spend

_WORLD_WORK, _ROW_WORK = 15, 30
"""The cost of each world of a question, and of each row (see `_Cells`), in units of `spending`."""


class Gain(NamedTuple):
    """
    How much a question tells about the solution.

    Attributes:
        bits: The expected information about the solution, in bits.
        error: The standard error of `bits`; 0 if it is exact.
        settles: The probability that the answer leaves only one solution.
        best_after: The expected probability of the likeliest solution after the answer.
        chances: The probability of each possible answer, by the number of the answer (as in
            `Outcomes`).
    """

    bits: float
    error: float
    settles: float
    best_after: float
    chances: Floats


def group_alike(labels: Ints, solutions: Ints) -> tuple[Ints, Ints]:
    """
    Return groups of solutions that no answer can tell apart: those whose cards have equal labels.

    After any answer, the solutions of a group are equally likely. So the answer tells as much about
    the solution as about its group. A sample estimates a few groups better than many solutions.

    Args:
        labels: The label of each card, a whole number from 0, shape (cards,).
        solutions: The cards of each solution, shape (solutions, categories).

    Returns:
        The number of each solution's group, shape (solutions,); and the size of each group.
    """
    distinct = int(labels.max(initial=0)) + 1
    groups = 1
    group: Ints = np.zeros(len(solutions), np.int64)
    for card in solutions.T:  # renumbered after each category, so that numbers do not overflow
        met, group = merge(group * distinct + labels[card], groups * distinct)
        groups = len(met)
    return group, np.bincount(group, minlength=groups)


_SURE = 1e-12
"""Exact gains below this number of bits count as 0, because rounding errors are as large."""


class _Joint(NamedTuple):
    """
    How likely answers and solutions are together; solutions that are alike are one group.

    A cell is a pair of an answer and a group of solutions (`_Cells`).

    Attributes:
        before: The chance of each group before the answer, shape (groups,).
        predicted: The chance of each cell, shape (cells,).
        fitting: For each cell, the chance of the deals of its group in which the answer can be
            given. It is the same as `predicted` unless deals are only counted.
    """

    before: Floats
    predicted: Floats
    fitting: Floats

    def mean(self, other: "_Joint") -> "_Joint":
        """Return the mean of these chances and others."""
        return _Joint(*((one + two) / 2 for one, two in zip(self, other, strict=True)))


class _Cells:
    """
    The cells of a question: all pairs of an answer and a group of solutions that occur.

    They serve for any weights of the deals (the worlds).
    """

    def __init__(self, seen: Outcomes, group: Ints, size: Ints, *, only_counts: bool) -> None:
        """
        Find the cells.

        Args:
            seen: The possible outcomes of the question in each world.
            group: For each world, the number of its solution's group.
            size: How many solutions each group has.
            only_counts: Whether the chances after an answer only count the worlds in which it can
                be given.
        """
        self._only_counts = only_counts
        self._size = size
        self.outcome_count = seen.chances.outcome_count
        groups, classes = len(size), len(seen.chances.first) - 1
        spend(_WORLD_WORK * len(seen.classes))

        # Worlds of one class and one group of solutions are weighed as one.
        key = seen.classes * groups
        key += group
        same, self._same = merge(key, classes * groups)
        number, self._same_group = np.divmod(same, groups)

        # A row is such a class and group with one of the outcomes that it may have.
        first, end = seen.chances.first[number], seen.chances.first[number + 1]
        self._row, index = repeat_rows(first, end - first)
        self._chance = seen.chances.chance[index]
        spend(_ROW_WORK * len(index))

        # Rows of one outcome and one group make a cell.
        key = seen.chances.outcome[index] * groups
        key += self._same_group[self._row]
        cells, self._cell = merge(key, self.outcome_count * groups)
        self.outcome, self.group = np.divmod(cells, groups)

    def joint(self, weight: Floats) -> _Joint:
        """
        Return how likely answers and solutions are together.

        `weight` has the weight of each world; the weights sum to 1.
        """
        same = collect(self._same, weight, len(self._same_group))
        fitting = same[self._row]
        predicted = collect(self._cell, fitting * self._chance, len(self.outcome))
        return _Joint(
            collect(self._same_group, same, len(self._size)),
            predicted,
            collect(self._cell, fitting, len(self.outcome)) if self._only_counts else predicted,
        )

    def chances(self, joint: _Joint) -> Floats:
        """
        Return the chance of each outcome (answer), by its number, shape (outcomes,).

        `joint` says how likely outcomes and groups of solutions are together.
        """
        return collect(self.outcome, joint.predicted, self.outcome_count)

    def after(self, joint: _Joint) -> Floats:
        """
        Return how likely one solution is after an outcome, for each cell, shape (cells,).

        The solution is any one of the cell's group, the outcome is that of the cell.
        """
        total = collect(self.outcome, joint.fitting, self.outcome_count)
        total[total == 0.0] = 1.0
        after: Floats = joint.fitting / total[self.outcome] / self._size[self.group]
        return after

    def bits(self, joint: _Joint) -> tuple[float, float]:
        """
        Return the gain in bits, and how much single worlds differ in what they add to it.

        The second number is a standard deviation.
        """
        # The logarithms of the chance of one solution of a group, before and after the answer.
        before = log2(joint.before / np.maximum(self._size, 1))
        after = self.after(joint)
        logs = log2(after)
        mass = self.chances(joint)[self.outcome] * after * self._size[self.group]

        # The entropy before, less the expected entropy after.
        # (Sums, not dot products: the order in which a library adds these up may differ.)
        bits = float((mass * logs).sum() - (joint.before * before).sum())

        # How much worlds differ in what they add to it.
        point = logs - before[self.group]
        mean = (mass * point).sum()
        spread = float((mass * point**2).sum() - mean**2)
        return bits, max(spread, 0.0) ** 0.5

    def left(self, joint: _Joint) -> tuple[Floats, Floats]:
        """
        Return how many solutions each outcome leaves, and the chance of the likeliest of them.

        Both have shape (outcomes,).
        """
        possible = np.where(joint.fitting > 0, self._size[self.group], 0.0)
        best = np.zeros(self.outcome_count)
        np.maximum.at(best, self.outcome, self.after(joint))
        return np.rint(collect(self.outcome, possible, self.outcome_count)), best


def weigh(
    seen: Outcomes, group: Ints, size: Ints, *, weight: Floats | None, only_counts: bool
) -> Gain:
    """
    Return how much an observation tells about the solution, by all deals or a sample of them.

    Args:
        seen: The possible outcomes of the observation in each deal.
        group: For each deal, the number of its solution's group (`group_alike`).
        size: How many solutions each group has.
        weight: The chance of each deal, if they are all that fit; `None` for a sample.
        only_counts: Whether the posterior after an answer only counts the deals in which the answer
            can be given (policy `none`), and ignores how likely it is in each.
    """
    cells = _Cells(seen, group, size, only_counts=only_counts)
    error = 0.0
    if weight is not None:
        whole = cells.joint(weight)
        bits, _ = cells.bits(whole)
        if abs(bits) < _SURE:
            bits = 0.0
    else:
        # The plug-in value of the whole is too high by about c / n, that of a half by twice that.
        half = len(group) // 2
        world = np.arange(len(group))
        one = cells.joint((world < half) / half)
        other = cells.joint(((half <= world) & (world < 2 * half)) / half)
        whole = one.mean(other)
        plug_in, spread = cells.bits(whole)
        correction = plug_in - (cells.bits(one)[0] + cells.bits(other)[0]) / 2
        bits = max(plug_in + correction, 0.0)

        # The error allows a quarter of the correction, a guess at the bias that is left.
        error = float(np.hypot(spread / np.sqrt(2 * half), correction / 4))

    chances = cells.chances(whole)
    solutions, best = cells.left(whole)
    settles, best_after = (chances * (solutions == 1.0)).sum(), (chances * best).sum()
    return Gain(bits, error, float(settles), float(best_after), chances)
