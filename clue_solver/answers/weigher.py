"""
What suggestions tell one player, by the deals that fit: which tell most, and what better could
have been asked.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clue_solver.answers.own_turn import Cards, all_suggestions, room_among
from clue_solver.inference.gains import Gain, Query
from clue_solver.inference.ranking import GainEstimator, rank
from clue_solver.inference.rounding import rounded, sort_key
from clue_solver.knowledge.clauses import Numbers
from clue_solver.rules.edition import Answering
from clue_solver.rules.table import Table

_LEVEL = 1e-9
"""Bits below which two suggestions tell the same."""


class Bits(NamedTuple):
    """What a question tells, and the standard error of that."""

    bits: float
    error: float


class WeighedSuggestion(NamedTuple):
    """What a suggestion tells, and the best that names the same rooms: itself if none is better."""

    gain: Bits
    best: Cards
    best_gain: Bits
    within: Cards


class InReach(NamedTuple):
    """What dice and board allowed: the rooms in reach, the rolled faces; `None` where not known."""

    rooms: Cards | None = None
    dice: Cards | None = None


class SuggestionWeigher:
    """
    Tells what suggestions of one player tell, by the deals that fit.

    Attributes:
        own: The player's own cards.
        estimator: The deals.
    """

    def __init__(
        self,
        table: Table,
        viewer: str,
        certain: Sequence[int],
        estimator: GainEstimator,
        *,
        left: frozenset[str] = frozenset(),
    ) -> None:
        self.table = table
        self.viewer = viewer
        self.estimator = estimator
        self.numbers = Numbers(table)
        self.cards = table.cards
        self.holders = table.holders
        self.place = {card: number for number, card in enumerate(self.cards)}
        seat = self.numbers.holder(viewer)
        self.own = frozenset(card for card, at in self.place.items() if certain[at] == seat)
        self._answering = tuple(map(self.numbers.holder, table.answering(viewer, left=left)))

    def weighed(self, cards: Cards, choice: InReach | None = None) -> WeighedSuggestion:
        """
        Return what a suggestion tells, and the best one that could have been made instead.

        A suggestion names the room one stands in, so with the same room any of them could be made;
        `choice` is what dice and board allowed besides, where that is known.
        """
        edition = self.table.edition
        rooms = {card for card, kind in edition.category_of.items() if kind == "room"}
        own = tuple(card for card in cards if card in rooms)
        within = own if choice is None or choice.rooms is None else choice.rooms
        rolled = None if choice is None or choice.dice is None else Counter(choice.dice)
        plans = [cards]
        if len(self.estimator.worlds.solutions.probability) > 1:  # else no question tells anything
            others = self._everywhere(hidden=rooms.difference(within))
            if rolled is not None:
                others = (plan for plan in others if self._rolled(plan, rolled))
            plans += others
        gains = [self.estimator.gain(self.question(plan)) for plan in plans]
        bits = [each.bits for each in gains]
        best = int(np.argmax(sort_key(bits)))
        best = 0 if bits[best] - bits[0] < _LEVEL else best
        gain = best_gain = self._honest(cards)
        if best:
            best_gain = self._honest(plans[best])
        return WeighedSuggestion(gain, plans[best], best_gain, within)

    def _honest(self, cards: Cards) -> Bits:
        return Bits(*map(rounded, self.estimator.honest(self.question(cards))))

    def _rolled(self, cards: Cards, rolled: Counter[str]) -> bool:
        """Return whether rolled suspects allow a suggestion: one die for each card."""
        features = {card.name: card.feature for card in self.table.edition.cards}
        return Counter(str(features[card]) for card in cards) <= rolled

    def _everywhere(self, *, hidden: Collection[str] = ()) -> Iterator[Cards]:
        """Yield every suggestion that the edition allows somewhere, none of some hidden cards."""
        return all_suggestions(self.table.edition, hidden=hidden)

    def question(
        self,
        cards: Sequence[str],
        seats: Sequence[str] = (),
        *,
        rule: Answering | None = None,
        look: str | None = None,
    ) -> Query:
        """
        Return what asking for the cards asks, of the seats that answer it if none are named.

        `look` is the place of a face-down card at which the viewer looks first.
        """
        return Query(
            tuple(self.place[card] for card in cards if card in self.place),
            tuple(map(self.numbers.holder, seats)) if seats else self._answering,
            rule or self.table.rule_of_answering,
            -1 if look is None else self.numbers.holder(look),
        )

    def leading(
        self,
        plans: Mapping[Cards, float],
        *,
        first: int,
        most: int | None = None,
        looks: Sequence[str] = (),
    ) -> list[tuple[Cards, Gain]]:
        """
        Return the suggestions by gain times a weight, the best first.

        Args:
            plans: The weights.
            first: How many leaders are counted exactly.
            most: How many are weighed at most.
            looks: The rooms with a face-down card, at which the player looks first.
        """
        questions = {cards: self.question(cards, look=room_among(cards, looks)) for cards in plans}
        return rank(
            questions,
            self.estimator,
            lambda cards, bits: bits * plans[cards],
            first=first,
            most=most,
        )
