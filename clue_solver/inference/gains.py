"""
How much each question tells about the solution.

An answer depends only on who has which of the cards asked for. So deals fall into a few classes, by
who would show a card, and from which of those cards. The show policy gives each class a
distribution over answers.

The gain of a question is the mutual information between its answer and the solution: the entropy of
the solution now, less the expected entropy after each possible answer (Shannon 1948). Computed from
the joint distribution of solution and class, it is exact. Over a sample of n deals the plug-in
value is too high by about c/n. So it is computed for the whole sample and for its two halves; twice
the whole less the mean of the halves has no such term (the jackknife idea: Quenouille 1956).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints, collect, log2, merge
from clue_solver.inference.spending import spend
from clue_solver.knowledge.policies import ShowPolicy
from clue_solver.rules.edition import Answering

Showers = tuple[tuple[int, tuple[int, ...]], ...]
"""
The seats that show, with the cards that each could show, as indices into a query's seats and cards.
"""

Outcome = tuple[tuple[int, int], ...]
"""An answer: who shows which card; empty if nobody shows one."""

_CLASS_WORK, _WORLD_WORK, _ROW_WORK = 2_000, 15, 30
"""
The cost of a class of deals, of a question's world, and of an outcome of its cells, in units of
`spending`.
"""


class Query(NamedTuple):
    """
    A question that the viewer may ask.

    Attributes:
        cards: The numbers of the cards in play that are asked for.
        seats: The holder numbers of the seats asked, in the order of answering.
        rule: Which of the seats that can show a card do so.
        look: The number of the holder whose card the viewer looks at first; -1 for none.
    """

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    rule: Answering
    look: int = -1


class Chances(NamedTuple):
    """
    The chance of each outcome in each class, as sparse arrays without zeros.

    The outcomes of class `k` are at `first[k]` to `first[k + 1]`: their numbers in `outcome`, their
    chances in `chance`. `outcome_count` is how many outcomes there are.
    """

    first: Ints
    outcome: Ints
    chance: Floats
    outcome_count: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, float]], outcome_count: int) -> Self:
        """Return the arrays for classes given as mappings from outcome number to chance."""
        sizes = [len(row) for row in rows]
        return cls(
            np.cumsum([0, *sizes]),
            np.array([outcome for row in rows for outcome in row], np.int64),
            np.array([chance for row in rows for chance in row.values()], np.float64),
            outcome_count,
        )

    @classmethod
    def of_table(cls, chance: Floats) -> Self:
        """Return the arrays for a dense table of chances, shape (classes, outcomes)."""
        number, outcome = np.nonzero(chance)
        first = np.searchsorted(number, np.arange(len(chance) + 1))
        return cls(first, outcome, chance[number, outcome], chance.shape[1])


class Outcomes(NamedTuple):
    """
    The possible outcomes of an observation in each of some worlds.

    Attributes:
        classes: The class of each world, shape (worlds,).
        chances: The chance of each outcome in each class.
    """

    classes: Ints
    chances: Chances

    def and_then(self, other: "Outcomes") -> "Outcomes":
        """Return the outcomes of this observation and another; each depends only on the deal."""
        # A class of both is a pair of classes that some world lies in.
        base = len(other.chances.first) - 1
        pairs, pair_of = np.unique(self.classes * base + other.classes, return_inverse=True)
        first, second = np.divmod(pairs, base)

        # In it every outcome of the one may come with every outcome of the other.
        ours, theirs = np.diff(self.chances.first)[first], np.diff(other.chances.first)[second]
        pair, index = _repeat_rows(np.zeros(len(pairs), np.int64), ours * theirs)
        one = self.chances.first[first][pair] + index // theirs[pair]
        two = other.chances.first[second][pair] + index % theirs[pair]
        chance = Chances(
            np.concatenate([[0], np.cumsum(ours * theirs)]),
            self.chances.outcome[one] * other.chances.outcome_count + other.chances.outcome[two],
            self.chances.chance[one] * other.chances.chance[two],
            self.chances.outcome_count * other.chances.outcome_count,
        )
        return Outcomes(pair_of.ravel(), chance)


class AnswerModel:
    """
    The possible answers to questions of one form, with their chances in each class of deals.

    Classes and answers are added as they occur.

    Attributes:
        outcomes: The answers so far, as indices into a query's seats and cards.
    """

    def __init__(
        self, seats: int, rule: Answering, policy: ShowPolicy, shown_before: tuple[int, ...]
    ) -> None:
        """
        Prepare for questions of one form.

        Args:
            seats: How many seats are asked.
            rule: Which of the seats that can show a card do so.
            policy: How seats choose the card they show.
            shown_before: For each seat asked, the cards of the question that it has shown the
                viewer before, as a mask of their indices.
        """
        self.outcomes: list[Outcome] = []
        self._seats = seats
        self._rule = rule
        self._policy = policy
        self._shown_before = shown_before
        self._class_of: dict[int, int] = {}  # by the number of a way to lie
        self._showers: dict[Showers, int] = {}  # the class of deals in which these can show
        self._rows: list[dict[int, float]] = []  # for each class its outcomes and their chances
        self._outcome_of: dict[Outcome, int] = {}
        self._chances = Chances.of([], 0)

    @property
    def chances(self) -> Chances:
        """The chance of each outcome in each class so far."""
        if len(self._chances.first) <= len(self._rows):
            self._chances = Chances.of(self._rows, len(self.outcomes))
        return self._chances

    def classes(self, owners: npt.NDArray[np.integer[Any]]) -> Ints:
        """
        Return the class of each of some ways in which the question's cards may be held.

        Args:
            owners: For each card, the index of the asked seat that has it, or the number of asked
                seats if none of them has it; shape (cards, ...).
        """
        # Number the ways, and look each number up that occurs.
        base = self._seats + 1
        way = np.zeros(owners.shape[1:], np.int64)
        for row in owners:
            way *= base
            way += row
        met, index = merge(way.ravel(), base ** len(owners))
        for each in met.tolist():
            if each not in self._class_of:
                self._class_of[each] = self._class_of_way(each, len(owners))
        known = np.array([self._class_of[each] for each in met.tolist()], np.int64)
        return known[index].reshape(way.shape)

    def _class_of_way(self, way: int, cards: int) -> int:
        """
        Return the number of a deal's class, in which the same seats can show the same cards.

        Args:
            way: The owners of the cards asked for, as digits in base seats + 1, the last card
                lowest.
            cards: The number of these cards.
        """
        spend(_CLASS_WORK)
        # Who can show, and which cards.
        held: dict[int, tuple[int, ...]] = {}
        for card in range(cards - 1, -1, -1):
            way, owner = divmod(way, self._seats + 1)
            if owner < self._seats:
                held[owner] = (card, *held.get(owner, ()))
        showers = tuple(sorted(held.items()))
        if self._rule == "first":
            showers = showers[:1]

        # Deals in which the same can show are of one class.
        if showers not in self._showers:
            self._showers[showers] = len(self._rows)
            self._rows.append(self._row(showers))
        return self._showers[showers]

    def _row(self, showers: Showers) -> dict[int, float]:
        """Return the chances of the outcomes, by number, if these seats can show these cards."""
        outcomes: list[tuple[Outcome, float]] = [((), 1.0)]
        for seat, could in showers:  # each chooses by itself
            picks = self._policy.picks(could, before=self._shown_before[seat])
            outcomes = [
                ((*shown, (seat, card)), chance * pick)
                for shown, chance in outcomes
                for card, pick in zip(could, picks, strict=True)
                if pick
            ]
        for outcome, _ in outcomes:
            if outcome not in self._outcome_of:
                self._outcome_of[outcome] = len(self.outcomes)
                self.outcomes.append(outcome)
        return {self._outcome_of[outcome]: chance for outcome, chance in outcomes}


class Gain(NamedTuple):
    """
    How much a question tells about the solution.

    Attributes:
        bits: The expected information about the solution, in bits.
        error: The standard error of `bits`; 0 if it is exact.
        settles: The probability that the answer leaves only one solution.
        best_after: The expected probability of the likeliest solution after the answer.
        chances: The probability of each outcome, by outcome number.
    """

    bits: float
    error: float
    settles: float
    best_after: float
    chances: Floats


def group_alike(labels: Ints, solutions: Ints) -> tuple[Ints, Ints]:
    """
    Group the solutions whose cards have equal labels; after any answer they are equally likely.

    The answer tells as much about the solution as about its group, and a sample estimates a few
    groups better than many solutions.

    Args:
        labels: The labels of all cards, from 0, shape (cards,).
        solutions: The cards of each solution, shape (solutions, categories).

    Returns:
        The number of each solution's group, shape (solutions,); and the size of each group.
    """
    distinct = int(labels.max(initial=0)) + 1
    groups = 1
    group: Ints = np.zeros(len(solutions), np.int64)
    for card in solutions.T:  # numbered anew after each category: no product of all that overflows
        met, group = merge(group * distinct + labels[card], groups * distinct)
        groups = len(met)
    return group, np.bincount(group, minlength=groups)


_SURE = 1e-12
"""Exact gains below this number of bits count as 0, because rounding errors are as large."""


class _Joint(NamedTuple):
    """
    The joint chances of the answer and the group of the solution.

    Attributes:
        before: The chance of each group before the answer.
        predicted: The chance of each cell: an answer with one of the groups that it leaves.
        fitting: For each cell, the chance of the deals in which the answer can be given.
    """

    before: Floats
    predicted: Floats
    fitting: Floats

    def mean(self, other: "_Joint") -> "_Joint":
        """Return the mean of this and another."""
        return _Joint(*((one + two) / 2 for one, two in zip(self, other, strict=True)))


class _Cells:
    """
    The cells of a question, for any weights of the worlds.

    A cell is an outcome with a group of solutions.
    """

    def __init__(self, seen: Outcomes, group: Ints, size: Ints, *, only_counts: bool) -> None:
        """Find the cells that occur in some world; the arguments are those of `weigh`."""
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
        self._row, index = _repeat_rows(first, end - first)
        self._chance = seen.chances.chance[index]
        spend(_ROW_WORK * len(index))

        # Rows of one outcome and one group make a cell.
        key = seen.chances.outcome[index] * groups
        key += self._same_group[self._row]
        cells, self._cell = merge(key, self.outcome_count * groups)
        self.outcome, self.group = np.divmod(cells, groups)

    def joint(self, weight: Floats) -> _Joint:
        """Return the joint chances for these weights of the worlds; they sum to 1."""
        same = collect(self._same, weight, len(self._same_group))
        fitting = same[self._row]
        predicted = collect(self._cell, fitting * self._chance, len(self.outcome))
        return _Joint(
            collect(self._same_group, same, len(self._size)),
            predicted,
            collect(self._cell, fitting, len(self.outcome)) if self._only_counts else predicted,
        )

    def chances(self, joint: _Joint) -> Floats:
        """Return the chance of each outcome."""
        return collect(self.outcome, joint.predicted, self.outcome_count)

    def after(self, joint: _Joint) -> Floats:
        """Return, for each cell, the chance of one solution of the group after the outcome."""
        total = collect(self.outcome, joint.fitting, self.outcome_count)
        total[total == 0.0] = 1.0
        after: Floats = joint.fitting / total[self.outcome] / self._size[self.group]
        return after

    def bits(self, joint: _Joint) -> tuple[float, float]:
        """Return the plug-in value in bits, and the spread of one world's part in it."""
        # The logarithms of the chance of one solution of a group, before and after the answer.
        before = log2(joint.before / np.maximum(self._size, 1))
        after = self.after(joint)
        logs = log2(after)
        mass = self.chances(joint)[self.outcome] * after * self._size[self.group]

        # The entropy before, less that which is expected after.
        # (Sums, not dot products: a library's dots add up in an order of their own, on all cores.)
        bits = float((mass * logs).sum() - (joint.before * before).sum())

        # How much worlds differ in what they add to it.
        point = logs - before[self.group]
        mean = (mass * point).sum()
        spread = float((mass * point**2).sum() - mean**2)
        return bits, max(spread, 0.0) ** 0.5

    def left(self, joint: _Joint) -> tuple[Floats, Floats]:
        """Return how many solutions each outcome leaves, and the chance of the likeliest one."""
        possible = np.where(joint.fitting > 0, self._size[self.group], 0.0)
        best = np.zeros(self.outcome_count)
        np.maximum.at(best, self.outcome, self.after(joint))
        return np.rint(collect(self.outcome, possible, self.outcome_count)), best


def _repeat_rows(first: Ints, copies: Ints) -> tuple[Ints, Ints]:
    """Return each row as often as it has copies, with an index for each copy, from `first` on."""
    row = np.repeat(np.arange(len(copies)), copies)
    offset = first - (np.cumsum(copies) - copies)
    return row, np.arange(len(row)) + offset[row]


def weigh(
    seen: Outcomes, group: Ints, size: Ints, *, weight: Floats | None, only_counts: bool
) -> Gain:
    """
    Return how much an observation tells about the solution, by all deals or a sample.

    Args:
        seen: The outcomes in each world.
        group: For each world, the number of its solution's group (`group_alike`).
        size: How many solutions each group has.
        weight: The chance of each world, if they are all deals that fit; `None` for a sample.
        only_counts: Whether the posterior after an answer only counts the deals in which it can be
            given (policy `none`), and ignores how likely it is in each.
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
