"""
What a question can bring: the ways in which seats can answer, and how likely each of them is.

An answer depends only on who has which of the cards asked for. So deals fall into few classes: who
would show, out of which of those cards. A class has a distribution over answers, by the show
policy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from clue_solver.inference.diagram import Floats, Ints

Showers = tuple[tuple[int, tuple[int, ...]], ...]
"""Who shows, out of which of the asked cards: places in the order of answering, places of cards."""

Outcome = tuple[tuple[int, int], ...]
"""An answer: who shows which card, by holder and card number; empty where nobody shows."""

Chances = Callable[[int, Sequence[int]], Sequence[float]]
"""The show policy: the chances of each of several cards that a seat (a holder) could show."""


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
        outcomes: The outcomes.
    """

    table: Ints
    chance: Floats
    outcomes: tuple[Outcome, ...]


class Foreseen(NamedTuple):
    """
    How the answers to a question are spread over worlds.

    Attributes:
        kind: The class of each world, shape (worlds,).
        chance: The chance of each outcome in each class, shape (classes, outcomes).
        outcomes: The outcomes.
    """

    kind: Ints
    chance: Floats
    outcomes: tuple[Outcome, ...]


def expected(question: Question, chances: Chances) -> Expected:
    """Return what the question may be answered, whatever the deal."""
    table, classes = _classes(len(question.seats), len(question.cards), question.everyone)
    outcomes: dict[Outcome, int] = {}
    rows: list[dict[int, float]] = []
    for showers in classes:
        row: dict[int, float] = {}
        for shown, chance in _spread(showers, question, chances):
            number = outcomes.setdefault(shown, len(outcomes))
            row[number] = row.get(number, 0.0) + chance
        rows.append(row)
    spread = np.zeros((len(rows), len(outcomes)))
    for number, row in enumerate(rows):
        spread[number, list(row)] = list(row.values())
    return Expected(table, spread, tuple(outcomes))


def foreseen(question: Question, deals: Ints, holders: int, told: Expected) -> Foreseen:
    """Return how the question would be answered in each of the deals, shape (worlds, cards)."""
    seats = question.seats
    place = np.full(holders, len(seats))
    place[list(seats)] = np.arange(len(seats))
    way = np.zeros(len(deals), np.int64)
    for card in question.cards:
        way *= len(seats) + 1
        way += place[deals[:, card]]
    return Foreseen(told.table[way], told.chance, told.outcomes)


def _spread(showers: Showers, question: Question, chances: Chances) -> list[tuple[Outcome, float]]:
    """Return what these showers may show, with the chance of each; a product over the showers."""
    spread: list[tuple[Outcome, float]] = [((), 1.0)]
    for place, cards in showers:
        seat = question.seats[place]
        could = [question.cards[card] for card in cards]
        spread = [
            ((*shown, (seat, card)), chance * each)
            for shown, chance in spread
            for card, each in zip(could, chances(seat, could), strict=True)
            if each
        ]
    return spread
