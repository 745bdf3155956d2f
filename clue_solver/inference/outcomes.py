"""
The possible answers to a question, and how likely each is in each deal.

An answer depends only on who has which of the cards asked for. So deals fall into a few classes, by
which seats would show a card, and which cards each could show. The show policy gives each class a
distribution over answers.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints, merge
from clue_solver.inference.spending import spend
from clue_solver.knowledge.policies import ShowPolicy
from clue_solver.rules.edition import Answering

Showers = tuple[tuple[int, tuple[int, ...]], ...]
"""
The seats that show a card, each with the cards that it could show. Both are numbered as in the
`seats` and `cards` of a `Query`, from 0.
"""

Outcome = tuple[tuple[int, int], ...]
"""
An answer: pairs of the number of a seat and that of the card that it shows.

Empty if nobody shows one. In an `AnswerModel` the numbers are indices into those of a `Query`.
"""

_CLASS_WORK = 2_000
"""
The cost, in units of `spending`, of a class of deals: those in which the same seats can show the
same cards.
"""


class Query(NamedTuple):
    """
    A question that the viewer may ask, in numbers.

    Attributes:
        cards: The numbers of the cards in play that are asked for.
        seats: The numbers of the seats asked, in the order of answering.
        who_shows: Which of the seats that can show a card do so.
        look: The number of the holder whose card the viewer looks at first; -1 for none.
    """

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    who_shows: Answering
    look: int = -1


class Chances(NamedTuple):
    """
    The chance of each outcome of a question in each class of deals, as arrays without zeros.

    In the deals of a class, the same seats can show the same cards. The outcomes that are possible
    in class `k` are at `first[k]` to `first[k + 1]` (excluded) of the arrays.

    Attributes:
        first: Where the outcomes of each class begin, and at the end where the last ones end.
        outcome: The numbers of the outcomes.
        chance: Their chances.
        outcome_count: How many outcomes there are in all.
    """

    first: Ints
    outcome: Ints
    chance: Floats
    outcome_count: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, float]], outcome_count: int) -> Self:
        """
        Return the arrays for classes of deals, given for each class the chance of each outcome.

        `rows` has a mapping from outcome number to chance for each class; `outcome_count` is how
        many outcomes there are.
        """
        sizes = [len(row) for row in rows]
        return cls(
            np.cumsum([0, *sizes]),
            np.array([outcome for row in rows for outcome in row], np.int64),
            np.array([chance for row in rows for chance in row.values()], np.float64),
            outcome_count,
        )

    @classmethod
    def of_table(cls, chance: Floats) -> Self:
        """
        Return the arrays for a full table of chances, shape (classes, outcomes), without its zeros.
        """
        number, outcome = np.nonzero(chance)
        first = np.searchsorted(number, np.arange(len(chance) + 1))
        return cls(first, outcome, chance[number, outcome], chance.shape[1])


class Outcomes(NamedTuple):
    """
    The possible outcomes of an observation in each of some deals.

    Deals in which the outcomes have the same chances are a class.

    Attributes:
        classes: The number of each deal's class, shape (worlds,).
        chances: The chance of each outcome in each class.
    """

    classes: Ints
    chances: Chances

    def and_then(self, other: "Outcomes") -> "Outcomes":
        """
        Return the outcomes of this observation and another one together: all pairs of them.

        Once the deal is known, neither of the two may tell anything about the other.
        """
        # A class of both is a pair of classes that some world lies in.
        base = len(other.chances.first) - 1
        pairs, pair_of = np.unique(self.classes * base + other.classes, return_inverse=True)
        first, second = np.divmod(pairs, base)

        # In it every outcome of the one may come with every outcome of the other.
        ours, theirs = np.diff(self.chances.first)[first], np.diff(other.chances.first)[second]
        pair, index = repeat_rows(np.zeros(len(pairs), np.int64), ours * theirs)
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

    Questions of one form are about as many cards and go to as many seats, which choose in the same
    way what to show. Deals in which the same seats can show the same cards are a class. Classes and
    answers are added as they occur.

    Attributes:
        outcomes: The answers so far; seats and cards are indices into those of a query.
    """

    def __init__(
        self, seats: int, who_shows: Answering, policy: ShowPolicy, shown_before: tuple[int, ...]
    ) -> None:
        """
        Prepare for questions of one form.

        Args:
            seats: How many seats are asked.
            who_shows: Which of the seats that can show a card do so.
            policy: How seats choose the card they show.
            shown_before: For each seat asked, the cards of the question that it has shown the
                viewer before, as a mask of their indices.
        """
        self.outcomes: list[Outcome] = []
        self._seats = seats
        self._who_shows = who_shows
        self._policy = policy
        self._shown_before = shown_before
        self._class_of: dict[int, int] = {}  # by a number that says who has each of the cards
        self._showers: dict[Showers, int] = {}  # the class of deals in which these can show
        self._rows: list[dict[int, float]] = []  # for each class its outcomes and their chances
        self._outcome_of: dict[Outcome, int] = {}
        self._chances = Chances.of([], 0)

    @property
    def chances(self) -> Chances:
        """The chance of each answer in each class of deals so far."""
        if len(self._chances.first) <= len(self._rows):
            self._chances = Chances.of(self._rows, len(self.outcomes))
        return self._chances

    def classes(self, owners: npt.NDArray[np.integer[Any]]) -> Ints:
        """
        Return the class of deals for each way in which the question's cards may be held.

        In the deals of a class the same seats can show the same cards.

        Args:
            owners: For each card, the index of the asked seat that has it, or the number of asked
                seats if none of them has it; shape (cards, ...).

        Returns:
            The numbers of the classes, shape (...).
        """
        # Number the ways, and look up each number that occurs.
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
        Return the number of the class of deals in which the asked cards are held in one way.

        Args:
            way: The owners of the cards as one number: the digits, in base seats + 1, are the
                indices of the seats asked (or their number, for anybody else); that of the last
                card is lowest.
            cards: The number of these cards.
        """
        spend(_CLASS_WORK)
        # The seats that can show, and which cards each can show.
        held: dict[int, tuple[int, ...]] = {}
        for card in range(cards - 1, -1, -1):
            way, owner = divmod(way, self._seats + 1)
            if owner < self._seats:
                held[owner] = (card, *held.get(owner, ()))
        showers = tuple(sorted(held.items()))
        if self._who_shows == "first":
            showers = showers[:1]

        # Deals in which the same seats can show the same cards are of one class.
        if showers not in self._showers:
            self._showers[showers] = len(self._rows)
            self._rows.append(self._row(showers))
        return self._showers[showers]

    def _row(self, showers: Showers) -> dict[int, float]:
        """
        Return the chance of each possible answer, by its number, if `showers` can show a card.
        """
        outcomes: list[tuple[Outcome, float]] = [((), 1.0)]
        for seat, could in showers:  # each chooses independently
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


def repeat_rows(first: Ints, copies: Ints) -> tuple[Ints, Ints]:
    """
    Return copies of the rows of an array, as two arrays: the row's number, and the copy's index.

    The copies of a row have indices that go up by 1.

    Args:
        first: The index of the first copy of each row, shape (rows,).
        copies: How many copies of each row are wanted, shape (rows,).
    """
    row = np.repeat(np.arange(len(copies)), copies)
    offset = first - (np.cumsum(copies) - copies)
    return row, np.arange(len(row)) + offset[row]
