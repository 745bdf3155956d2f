"""
What a question can bring: the ways in which seats can answer, and how likely each of them is.

An answer depends only on who has which of the cards asked for. So deals fall into few classes: who
would show, out of which of those cards. A class has a distribution over answers, by the show
policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import Floats, Ints
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.evidence import ShowPolicy

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
        everyone: Whether all who can show, or only the first.
    """

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    everyone: bool


@lru_cache(maxsize=64)
def _classes(seats: int, cards: int, everyone: bool) -> tuple[Ints, tuple[Showers, ...]]:
    """
    Return the class of each way in which the cards can lie, and the classes.

    A way is a number in base `seats + 1`: for each card the place of its holder in the order of
    answering, or `seats` where none of those asked has it.
    """
    base = seats + 1
    if base**cards > (MOST_WAYS if everyone else MOST_WAYS_OF_ONE):
        raise TooLarge(
            f"too many answers are possible to a suggestion of {cards} cards at {base} players to "
            "weigh them"
        )
    way = np.arange(base**cards)
    places = way // base ** np.arange(cards - 1, -1, -1)[:, None] % base  # cards, ways
    if everyone:
        return way, tuple(_showers(row, seats) for row in places.T.tolist())
    first = places.min(axis=0) if cards else np.full(1, seats)
    bits = 1 << np.arange(cards)[:, None]
    mine = ((places == first) * bits).sum(axis=0) * (first < seats)
    _, index, kind = np.unique(first << cards | mine, return_index=True, return_inverse=True)
    order = np.argsort(index)  # classes are numbered in the order of the ways
    chosen = zip(first[index[order]].tolist(), mine[index[order]].tolist(), strict=True)
    classes = tuple(((seat, tuple(card_numbers(mask))),) * (seat < seats) for seat, mask in chosen)
    return np.argsort(order)[kind], classes


def _showers(places: list[int], seats: int) -> Showers:
    """Return who shows out of which cards where everybody who can does."""
    hands: dict[int, list[int]] = {}
    for card, seat in enumerate(places):
        if seat < seats:
            hands.setdefault(seat, []).append(card)
    return tuple((seat, tuple(hands[seat])) for seat in sorted(hands))


class Spread(NamedTuple):
    """
    The chance of each outcome in each class; only what is not 0.

    Attributes:
        first: Where each class starts in the arrays below, and their length; shape (classes + 1,).
        outcome: The numbers of the outcomes.
        chance: Their chances.
        outcomes: How many outcomes there are.
    """

    first: Ints
    outcome: Ints
    chance: Floats
    outcomes: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, float]], outcomes: int) -> Spread:
        """Return it for the chances of the outcomes by number, a mapping for each class."""
        sizes = [len(row) for row in rows]
        return cls(
            np.cumsum([0, *sizes]),
            np.array([outcome for row in rows for outcome in row], np.int64),
            np.array([chance for row in rows for chance in row.values()], np.float64),
            outcomes,
        )

    @classmethod
    def of_table(cls, chance: Floats) -> Spread:
        """Return it for a table, shape (classes, outcomes)."""
        kind, outcome = np.nonzero(chance)
        first = np.searchsorted(kind, np.arange(len(chance) + 1))
        return cls(first, outcome, chance[kind, outcome], chance.shape[1])


class Expected(NamedTuple):
    """
    What a question may be answered.

    Attributes:
        table: The class of each way in which the cards can lie.
        chance: The chance of each outcome in each class.
        outcomes: The outcomes, by places in the order of answering and places of cards.
        public: As `chance`, of the outcomes as one sees them who sees who shows, and no card.
    """

    table: Ints
    chance: Spread
    outcomes: tuple[Outcome, ...]
    public: Spread


@lru_cache(maxsize=256)
def expected(
    seats: int, cards: int, everyone: bool, policy: ShowPolicy, habits: tuple[int, ...]
) -> Expected:
    """
    Return what a question may be answered, whatever the deal.

    Args:
        seats, cards, everyone: How many are asked about how many cards, and whether all answer.
        policy: How showers choose.
        habits: For each of those asked the mask of the places of the cards that it shows by habit.

    Raises:
        TooLarge: If there are too many ways in which so many can answer.
    """
    table, classes = _classes(seats, cards, everyone)
    place: dict[Outcome, int] = {}
    noticed: dict[tuple[int, ...], int] = {}
    rows: list[dict[int, float]] = []
    public: list[dict[int, float]] = []
    for showers in classes:
        row: dict[int, float] = {}
        for outcome, each in _spread(showers, policy, habits):
            row[place.setdefault(outcome, len(place))] = each
        rows.append(row)
        who = tuple(seat for seat, _ in showers)
        public.append({noticed.setdefault(who, len(noticed)): 1.0})
    return Expected(
        table, Spread.of(rows, len(place)), tuple(place), Spread.of(public, len(noticed))
    )


def _spread(
    showers: Showers, policy: ShowPolicy, habits: tuple[int, ...]
) -> list[tuple[Outcome, float]]:
    """Return what these showers may show, with the chance of each; a product over the showers."""
    spread: list[tuple[Outcome, float]] = [((), 1.0)]
    for seat, could in showers:
        spread = [
            ((*shown, (seat, card)), chance * each)
            for shown, chance in spread
            for card, each in zip(could, policy.picks(could, habit=habits[seat]), strict=True)
            if each
        ]
    return spread
