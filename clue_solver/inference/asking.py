"""
What a question can bring: the ways in which seats can answer, and how likely each of them is.

An answer depends only on who has which of the cards asked for. So deals fall into few classes: who
would show, out of which of those cards. A class has a distribution over answers, by the show
policy.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from clue_solver.inference.diagram import Floats, Ints
from clue_solver.knowledge.likelihood import ShowPolicy

Showers = tuple[tuple[int, tuple[int, ...]], ...]
"""Who shows, out of which of the asked cards: places in the order of answering, places of cards."""

Outcome = tuple[tuple[int, int], ...]
"""An answer: who shows which card; empty where nobody shows."""


class Question(NamedTuple):
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


@lru_cache(maxsize=256)
def _classes(seats: int, cards: int, everyone: bool) -> tuple[Ints, tuple[Showers, ...]]:
    """
    Return the class of each way in which the cards can lie, and the classes.

    A way is a number in base `seats + 1`: for each card the place of its holder in the order of
    answering, or `seats` where none of those asked has it.
    """
    found: dict[Showers, int] = {}
    table = []
    for way in product(range(seats + 1), repeat=cards):
        hands: dict[int, list[int]] = {}
        for card, seat in enumerate(way):
            if seat < seats:
                hands.setdefault(seat, []).append(card)
        showing = sorted(hands)[: None if everyone else 1]
        key = tuple((seat, tuple(hands[seat])) for seat in showing)
        table.append(found.setdefault(key, len(found)))
    return np.array(table), tuple(found)


class Expected(NamedTuple):
    """
    What a question may be answered.

    Attributes:
        table: The class of each way in which the cards can lie.
        chance: The chance of each outcome in each class, shape (classes, outcomes).
        outcomes: The outcomes, by places in the order of answering and places of cards.
        public: As `chance`, of the outcomes as one sees them who sees who shows, and no card.
    """

    table: Ints
    chance: Floats
    outcomes: tuple[Outcome, ...]
    public: Floats


@lru_cache(maxsize=1024)
def expected(
    seats: int, cards: int, everyone: bool, policy: ShowPolicy, habits: tuple[int, ...]
) -> Expected:
    """
    Return what a question may be answered, whatever the deal.

    Args:
        seats, cards, everyone: How many are asked about how many cards, and whether all answer.
        policy: How showers choose.
        habits: For each of those asked the mask of the places of the cards that it shows by habit.
    """
    table, classes = _classes(seats, cards, everyone)
    spreads = [_spread(showers, policy, habits) for showers in classes]
    outcomes = list(dict.fromkeys(outcome for spread in spreads for outcome, _ in spread))
    seen = list(dict.fromkeys(map(_without_cards, outcomes)))
    chance = np.zeros((len(spreads), len(outcomes)))
    public = np.zeros((len(spreads), len(seen)))
    place = {outcome: number for number, outcome in enumerate(outcomes)}
    noticed = {who: number for number, who in enumerate(seen)}
    for row, spread in enumerate(spreads):
        for outcome, each in spread:
            chance[row, place[outcome]] += each
            public[row, noticed[_without_cards(outcome)]] += each
    return Expected(table, chance, tuple(outcomes), public)


def _without_cards(outcome: Outcome) -> tuple[int, ...]:
    return tuple(seat for seat, _ in outcome)


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
