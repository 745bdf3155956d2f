"""
How much each question tells about the solution.

An answer depends only on who has which of the cards asked for. So deals fall into few classes: who
would show, out of which of those cards. A class has a distribution over answers, by the show
policy.

The gain of a question is the mutual information between its answer and the solution: the entropy of
the solution now, less the expected entropy after each possible answer (Shannon 1948). From the
joint distribution of solution and way in which the asked cards lie it is exact. Over a sample of
deals the plug-in value is too high, by about c/n for n deals; so it is computed from the whole
sample and from its two halves, and twice the whole less the mean of the halves has no such term
(the jackknife idea: Quenouille 1956).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from clue_solver.inference.diagram import Floats, Ints, collect, merge, runs
from clue_solver.inference.solutions import Jointly, Worlds
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.evidence import ShowPolicy
from clue_solver.rules.edition import Answering

MOST_WAYS, MOST_WAYS_OF_ONE = 40_000, 2_000_000
"""In how many ways the cards of a question may lie: where everyone answers, and where one does."""

Showers = tuple[tuple[int, tuple[int, ...]], ...]
"""Who shows, out of which of the asked cards: places in the order of answering, places of cards."""

Outcome = tuple[tuple[int, int], ...]
"""An answer: who shows which card; empty where nobody shows."""


class Query(NamedTuple):
    """
    Something that the viewer may ask.

    Attributes:
        cards: The numbers of the cards in play that are asked for.
        seats: Who is asked, in the order of answering, by holder number.
        rule: Who shows a card of those who can.
        look: The holder of which a card is looked at first, by its number; -1 for none.
    """

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    rule: Answering
    look: int = -1


def countable(seats: int, cards: int, *, rule: Answering) -> bool:
    """Return whether all the ways in which so many cards can lie may be listed."""
    most = MOST_WAYS_OF_ONE if rule == "first" else MOST_WAYS
    return bool(most >= (seats + 1) ** cards)


def _classes(
    way: Ints, seats: int, cards: int, rule: Answering
) -> tuple[Ints, tuple[Showers, ...]]:
    """
    Return the class of each of some ways in which the cards can lie, and the classes.

    A way is a number in base `seats + 1`: for each card its holder's place in the order of
    answering, or `seats` where none of those asked has it.
    """
    base = seats + 1
    places = way // base ** np.arange(cards - 1, -1, -1)[:, None] % base  # cards, ways
    if rule != "first":
        return np.arange(len(way)), tuple(_showers(row, seats) for row in places.T.tolist())
    first = places.min(axis=0) if cards else np.full(1, seats)
    bits = 1 << np.arange(cards)[:, None]
    mine = ((places == first) * bits).sum(axis=0) * (first < seats)
    _, index, kind = np.unique(first << cards | mine, return_index=True, return_inverse=True)
    order = np.argsort(index)  # classes are numbered in the order of the ways
    chosen = zip(first[index[order]].tolist(), mine[index[order]].tolist(), strict=True)
    classes = tuple(
        ((seat, tuple(card_numbers(mask))),) if seat < seats else () for seat, mask in chosen
    )
    return np.argsort(order)[kind], classes


def _showers(places: list[int], seats: int) -> Showers:
    """Return who can show, and out of which cards."""
    return tuple(
        (seat, tuple(card for card, where in enumerate(places) if where == seat))
        for seat in sorted(set(places) - {seats})
    )


class Chances(NamedTuple):
    """
    The chance of each outcome in each class, as arrays: only what is not 0.

    Those of class `k` are at `first[k]` to `first[k + 1]` of `outcome`, the outcomes' numbers, and
    of `chance`; `outcomes` is how many outcomes there are.
    """

    first: Ints
    outcome: Ints
    chance: Floats
    outcomes: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, float]], outcomes: int) -> Self:
        """Return it for the chances of the outcomes by number, a mapping for each class."""
        sizes = [len(row) for row in rows]
        return cls(
            np.cumsum([0, *sizes]),
            np.array([outcome for row in rows for outcome in row], np.int64),
            np.array([chance for row in rows for chance in row.values()], np.float64),
            outcomes,
        )

    @classmethod
    def of_table(cls, chance: Floats) -> Self:
        """Return it for a table, shape (classes, outcomes)."""
        kind, outcome = np.nonzero(chance)
        first = np.searchsorted(kind, np.arange(len(chance) + 1))
        return cls(first, outcome, chance[kind, outcome], chance.shape[1])


class Outcomes(NamedTuple):
    """
    What an observation shows in each of some worlds.

    Attributes:
        kind: The class of each world, shape (worlds,).
        chance: The chance of each outcome in each class.
    """

    kind: Ints
    chance: Chances

    def and_then(self, other: "Outcomes") -> "Outcomes":
        """Return what this and another observation show; each depends on the deal alone."""
        classes = len(other.chance.first) - 1
        pairs, kind = np.unique(self.kind * classes + other.kind, return_inverse=True)
        first, second = np.divmod(pairs, classes)
        ours, theirs = np.diff(self.chance.first)[first], np.diff(other.chance.first)[second]
        pair, place = runs(np.zeros(len(pairs), np.int64), ours * theirs)
        one = self.chance.first[first][pair] + place // theirs[pair]
        two = other.chance.first[second][pair] + place % theirs[pair]
        chance = Chances(
            np.concatenate([[0], np.cumsum(ours * theirs)]),
            self.chance.outcome[one] * other.chance.outcomes + other.chance.outcome[two],
            self.chance.chance[one] * other.chance.chance[two],
            self.chance.outcomes * other.chance.outcomes,
        )
        return Outcomes(kind.ravel(), chance)


class Expected(NamedTuple):
    """
    What a question may be answered.

    Attributes:
        ways: The ways in which the cards can lie that were looked at, ascending; `None` for all.
        table: The class of each of them.
        chance: The chance of each outcome in each class.
        outcomes: The outcomes, by places in the order of answering and places of cards.
    """

    ways: Ints | None
    table: Ints
    chance: Chances
    outcomes: tuple[Outcome, ...]

    def classes(self, way: Ints) -> Ints:
        """Return the class of each of some ways, all of them among those looked at."""
        return self.table[way if self.ways is None else np.searchsorted(self.ways, way)]


@lru_cache(maxsize=256)
def expected(
    seats: int, cards: int, rule: Answering, policy: ShowPolicy, habits: tuple[int, ...]
) -> Expected:
    """
    Return what a question may be answered, whatever the deal; for what is `countable`.

    `habits` has for each of those asked the mask of the places of the cards that it shows by habit.
    """
    return expected_of(None, seats, cards, rule, policy=policy, habits=habits)


def expected_of(
    ways: Ints | None,
    seats: int,
    cards: int,
    rule: Answering,
    *,
    policy: ShowPolicy,
    habits: tuple[int, ...],
) -> Expected:
    """Return what a question may be answered where the cards lie in one of these ways."""
    listed = np.arange((seats + 1) ** cards) if ways is None else ways
    table, classes = _classes(listed, seats, cards, rule)
    place: dict[Outcome, int] = {}
    rows: list[dict[int, float]] = []
    for showers in classes:
        row: dict[int, float] = {}
        for outcome, chance in _possible_outcomes(showers, policy, habits):
            row[place.setdefault(outcome, len(place))] = chance
        rows.append(row)
    return Expected(ways, table, Chances.of(rows, len(place)), tuple(place))


def _possible_outcomes(
    showers: Showers, policy: ShowPolicy, habits: tuple[int, ...]
) -> list[tuple[Outcome, float]]:
    """Return what these showers may show, with the chance of each; a product over the showers."""
    outcomes: list[tuple[Outcome, float]] = [((), 1.0)]
    for seat, could in showers:
        outcomes = [
            ((*shown, (seat, card)), chance * pick)
            for shown, chance in outcomes
            for card, pick in zip(could, policy.picks(could, habit=habits[seat]), strict=True)
            if pick
        ]
    return outcomes


_SURE = 1e-12
_SMALL = 1 << 16
_CELL_WORK, _GROUP_WORK = 100, 200
_JOINT_WORK = 10  # of a cell of a joint distribution, as in `spending`


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


class Estimates(NamedTuple):
    """
    What questions tell, by number.

    Attributes:
        bits: Expected information about the solution.
        error: The standard error of `bits`; 0 where it is exact.
    """

    bits: Floats
    error: Floats


class Alike(NamedTuple):
    """
    Solutions that a question does not tell apart: given any answer they are equally likely.

    What the answer tells of the solution is what it tells of the group, and a sample says more of
    few groups than of many solutions. `group` is the number of each solution's group, `size` how
    many solutions each group has.
    """

    group: Ints
    size: Ints


def gain(
    worlds: Worlds, kind: Ints, chance: Chances, *, counting: bool, alike: Alike | None = None
) -> Gain:
    """
    Return what a question tells, by all deals or a sample.

    Args:
        kind: The class of each world, shape (worlds,).
        chance: The chance of each outcome in each class.
        counting: Whether the posterior after an answer only counts the deals in which it can be
            given (policy `none`), not how likely it is in each.
        alike: Solutions to count together in a sample.
    """
    solution = worlds.solution
    sizes = np.ones(len(worlds.solutions.probability), np.int64)
    if alike is not None:
        sizes = alike.size
        solution = alike.group[solution]
    if worlds.exact:
        return _exact(kind, solution, worlds.weight, chance, sizes, counting=counting)
    half = len(kind) // 2
    cells, place = _cells(kind, solution, len(sizes))
    one, other = (
        np.bincount(place[part], minlength=len(cells)) / half
        for part in (slice(half), slice(half, 2 * half))
    )
    question = _Joint(cells, chance, sizes, counting=counting)
    whole, first, second = (question.gain(joint) for joint in ((one + other) / 2, one, other))
    correction = whole.bits - (first.bits + second.bits) / 2
    error = np.hypot(whole.error / np.sqrt(2 * half), correction / 4)
    bits = max(0.0, whole.bits + correction)
    return whole._replace(bits=bits, error=float(error))


class Questions(NamedTuple):
    """
    Many questions of one form, to be weighed together.

    Attributes:
        placed: For each card and world the place of its holder in the order of answering, behind
            all of them who is not asked, shape (cards, worlds).
        solution: The number of each world's solution, shape (worlds,).
        solutions: The cards of each solution, shape (solutions, categories).
        cards: The cards that each question asks for, shape (questions, cards asked for).
        labels: For each question and card a number such that solutions of equal numbers are not
            told apart, shape (questions, cards).
        radix: For each category one above the largest of its numbers.
        table: The class of each way in which the cards of a question can lie.
    """

    placed: npt.NDArray[np.int8]
    solution: Ints
    solutions: Ints
    cards: Ints
    labels: Ints
    radix: Ints
    table: Ints


def informations(
    asked: Questions, base: int, chance: Chances, weight: Floats | None = None
) -> Estimates:
    """
    Return what `gain` tells of many questions of one form.

    Args:
        asked: The questions.
        base: One above the number of those that are asked.
        chance: The chance of each outcome in each class.
        weight: The probability of each world where they are all deals; `None` of a sample.
    """
    way = np.zeros((len(asked.cards), asked.placed.shape[1]), np.int64)
    for card in asked.cards.T:
        way = way * base + asked.placed[card]
    codes = np.zeros((len(asked.cards), len(asked.solutions)), np.int64)
    for radix, card in zip(asked.radix.tolist(), asked.solutions.T, strict=True):
        codes = codes * radix + asked.labels[:, card]
    code = codes[:, asked.solution]
    kind = asked.table[way]
    size = way.shape[1]
    there = np.flatnonzero(np.bincount(code.ravel(), minlength=int(asked.radix.prod())))
    spend(_JOINT_WORK * len(way) * chance.outcomes * len(there))
    number = np.empty(asked.radix.prod(), np.int64)
    number[there] = np.arange(len(there))
    group = number[code]
    groups = len(there)
    count = len(kind)
    half = size if weight is not None else size // 2
    kind = kind[:, : 2 * half]
    group = group[:, : 2 * half]
    cells = chance.outcomes * groups
    first = chance.first[kind]
    at, place = runs(first.ravel(), (chance.first[kind + 1] - first).ravel())
    question, world = np.divmod(at, kind.shape[1])
    key = question * cells + chance.outcome[place] * groups + group.ravel()[at]
    part = chance.chance[place] * (1.0 / half if weight is None else weight[world])
    shape = (count, chance.outcomes, groups)
    if weight is not None:
        exact = _informed(collect(key, part, count * cells).reshape(shape))
        return Estimates(np.maximum(exact, 0.0), np.zeros(count))
    early = world < half
    one: Floats = collect(key[early], part[early], count * cells).reshape(shape)
    other: Floats = collect(key[~early], part[~early], count * cells).reshape(shape)
    whole = (one + other) / 2
    bits = _informed(whole)
    correction = bits - (_informed(one) + _informed(other)) / 2
    by_chance = whole.sum(axis=1, keepdims=True) * whole.sum(axis=2, keepdims=True)
    ratio = np.divide(whole, by_chance, out=np.ones(shape), where=whole > 0)
    point = np.log2(ratio)
    spread = np.maximum((whole * point**2).sum(axis=(1, 2)) - bits**2, 0.0)
    error = np.hypot(np.sqrt(spread / (2 * half)), correction / 4)
    return Estimates(np.maximum(bits + correction, 0.0), error)


def _informed(joint: Floats) -> Floats:
    """Return what rows tell of columns by their joint probabilities, the first axis apart."""
    apart = _scattered(joint.sum(axis=1)) + _scattered(joint.sum(axis=2))
    return _scattered(joint.reshape(len(joint), -1)) - apart


def _scattered(chances: Floats) -> Floats:
    """Return the sums of p log2 p over the last axis."""
    row, column = np.nonzero(chances)
    some = chances[row, column]
    return collect(row, some * np.log2(some), len(chances))


def counted(ways: Jointly, table: Ints, chance: Chances, *, counting: bool) -> Gain:
    """
    Return what a question tells, exactly, by how the asked cards lie together with the solution.

    `table` has the class of each way; `chance` and `counting` are as for `gain`.
    """
    kind = table[ways.way]
    return _exact(kind, ways.group, ways.probability, chance, ways.size, counting=counting)


def _exact(
    kind: Ints, group: Ints, weight: Floats, chance: Chances, sizes: Ints, *, counting: bool
) -> Gain:
    cells, place = _cells(kind, group, len(sizes))
    joint = collect(place, weight, len(cells))
    gained = _Joint(cells, chance, sizes, counting=counting).gain(joint)
    return gained._replace(bits=0.0 if abs(gained.bits) < _SURE else gained.bits, error=0.0)


def _cells(kind: Ints, group: Ints, groups: int) -> tuple[Ints, Ints]:
    """
    Return the cells of the table of classes and groups, and each world's place among them.

    A cell is `class * groups + group`; a large table has only those that some world lies in.
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


class _Joint:
    """What a question tells, whatever the weights of the cells of classes and groups are."""

    def __init__(self, cells: Ints, chance: Chances, sizes: Ints, *, counting: bool) -> None:
        kind, self.group = np.divmod(cells, len(sizes))
        self.sizes = sizes
        self.counting = counting
        self.outcomes = chance.outcomes
        first = chance.first[kind]
        copies = chance.first[kind + 1] - first
        self.cell, outcomes = runs(first, copies)
        self.chance = chance.chance[outcomes]
        keys = chance.outcome[outcomes] * len(sizes) + self.group[self.cell]
        after, self.place = merge(keys, chance.outcomes * len(sizes))
        self.outcome, self.after = np.divmod(after, len(sizes))

    def gain(self, joint: Floats) -> Gain:
        """
        Return the plug-in gain for the weights of the cells; some may be 0.

        `error` is the standard deviation of one world's share in the bits.
        """
        group, sizes = self.after, self.sizes
        weight = joint[self.cell]
        predicted = collect(self.place, weight * self.chance, len(group))
        after = collect(self.place, weight, len(group)) if self.counting else predicted
        chances = collect(self.outcome, predicted, self.outcomes)
        total = collect(self.outcome, after, self.outcomes)
        total[total == 0.0] = 1.0
        after = after / total[self.outcome]

        before = collect(self.group, joint, len(sizes))
        base = np.log2(before / sizes, out=np.zeros_like(before), where=before > 0)
        single = after / sizes[group]
        logs = np.log2(single, out=np.zeros_like(single), where=single > 0)
        mass = chances[self.outcome] * after
        point = logs - base[group]
        # sums, not dot products: a library's dots add up in an order of their own, on all cores
        shares = mass * point
        mean = float(shares.sum())
        bits = float((mass * logs).sum() - (before * base).sum())
        error = float(np.sqrt(max(0.0, (shares * point).sum() - mean**2)))
        top = np.zeros(self.outcomes)
        np.maximum.at(top, self.outcome, single)
        left = collect(self.outcome, np.where(after > 0, sizes[group], 0.0), self.outcomes)
        return Gain(
            bits=bits if self.counting else max(bits, 0.0),
            error=error,
            settles=float(chances[np.rint(left) == 1.0].sum()),
            best_after=float((chances * top).sum()),
            chances=chances,
            work=_CELL_WORK * len(self.cell) + _GROUP_WORK * len(sizes),
        )
