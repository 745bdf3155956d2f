"""
What one player's questions tell, by the deals that fit: suggestions, and uses of a bonus die.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from clue_solver.answers.own_turn import Cards
from clue_solver.answers.unseen import notches
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.gains import Chances, Gain, Outcomes, Query
from clue_solver.inference.ranking import GainEstimator, rank
from clue_solver.inference.rounding import ROUNDING, rounded, sort_key
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import Answering
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table


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


class Questions:
    """
    Tells what questions of one player would tell it, as of an entry.

    Attributes:
        own: The player's own cards.
        inside: How likely the envelope has each card, by its name.
        estimator: The deals.
    """

    def __init__(
        self,
        table: Table,
        viewer: str,
        deduction: Deduction,
        upto: int,
        rng: np.random.Generator,
        *,
        left: frozenset[str] = frozenset(),
        sample: int | None = None,
    ) -> None:
        """
        Take what the player knows.

        Args:
            table, viewer: The game, and who asks.
            deduction, upto: What follows from the first so many entries.
            rng: Draws deals where there are too many to count each.
            left: The seats that have left the table, and answer no more.
            sample: How many deals are drawn then; as many as estimate well if left out.
        """
        self.table = table
        self.viewer = viewer
        self.numbers = Numbers(table)
        diagram = deduction.diagram(upto)
        self.estimator = GainEstimator(
            deduction.knowledge.upto(upto),
            diagram,
            rng,
            posterior=deduction.solutions(upto),
            sample=sample,
        )
        seat = self.numbers.holder(viewer)
        self._place = {card: number for number, card in enumerate(table.cards)}
        self._answering = tuple(map(self.numbers.holder, table.answering(viewer, left=left)))
        certain = diagram.openings.certain
        self.own = frozenset(card for card, at in self._place.items() if certain[at] == seat)
        chances = diagram.marginals()[:, self.numbers.layout.envelope].tolist()
        self.inside = dict.fromkeys(table.edition.names, 0.0)  # one that lies face-up is not there
        self.inside |= zip(table.cards, chances, strict=True)

    def query(
        self,
        cards: Sequence[str],
        *,
        look: str | None = None,
        seat: str | None = None,
        rule: Answering | None = None,
    ) -> Query:
        """
        Return what asking for cards asks.

        Args:
            cards: What is named.
            look: The place of a face-down card at which the player looks first.
            seat: The only one that is asked; all in their order if left out.
            rule: Who shows a card of those who can; as at the table if left out.
        """
        return Query(
            tuple(self._place[card] for card in cards if card in self._place),
            self._answering if seat is None else (self.numbers.holder(seat),),
            rule or self.table.rule_of_answering,
            -1 if look is None else self.numbers.holder(look),
        )

    def gain(self, cards: Sequence[str], *, look: str | None = None, exactly: bool = False) -> Gain:
        """Return what a suggestion tells, counted `exactly` where that is asked for and can be."""
        query = self.query(cards, look=look)
        return self.estimator.exact(query) if exactly else self.estimator.gain(query)

    def rank(
        self,
        reach: Mapping[Cards, float],
        *,
        looks: Mapping[Cards, str] = {},
        first: int = 0,
        most: int | None = None,
    ) -> list[tuple[Cards, Gain]]:
        """
        Return suggestions by what they tell times their reach, the best first.

        Args:
            reach: The chance that each can be made.
            looks: The place of a face-down card at which the player looks before it.
            first: How many leaders are counted exactly.
            most: How many are weighed at most; as many as a person waits for if left out.
        """
        queries = {cards: self.query(cards, look=looks.get(cards)) for cards in reach}
        return rank(
            queries,
            self.estimator,
            lambda cards, bits: bits * reach[cards],
            first=first,
            most=most,
        )

    def answers(self, cards: Cards, gain: Gain, *, most: int) -> list[tuple[Cards, Cards, float]]:
        """Return the likeliest answers to a suggestion: who shows, which cards, how likely."""
        shown, chances = self.estimator.answers(self.query(cards), gain)
        holders, names = self.table.holders, self.table.cards
        return [
            (tuple(holders[h] for h, _ in one), tuple(names[c] for _, c in one), chance)
            for one, chance in zip(shown[:most], rounded(chances[:most]), strict=True)
        ]

    def tell(self, use: Observation, log: Sequence[Observation]) -> Gain:
        """Return what a use of the bonus die tells, after what was observed so far."""
        match use:
            case observed.Finger(cards=cards):
                return self.gain(cards)
            case observed.Look(holder=holder):
                return self.estimator.gain_of(self.estimator.look(self.numbers.holder(holder)))
            case observed.Question(seat=seat, about=(name,)):
                marked = self.table.edition.features[name]
                question = self.query(marked, seat=seat, rule="first")
                return self.estimator.gain_of(self.estimator.answer(question))
            case _:
                return self.estimator.gain_of(self._notch(log))

    def _notch(self, log: Sequence[Observation]) -> Outcomes:
        """
        Return what the notch shows now in each of the deals.

        That is an envelope card, drawn once until somebody opens the envelope; a card without a
        mark shows none.
        """
        edition, numbers = self.table.edition, self.numbers
        worlds = self.estimator.worlds
        seen, opened = notches(log, numbers, viewer=self.viewer)
        if opened in seen:  # the same again
            nothing = np.zeros(len(worlds.deals), np.int64)
            return Outcomes(nothing, Chances.of_table(np.ones((1, 1))))
        inside = worlds.deals == numbers.layout.envelope
        marked = [card_numbers(numbers.cards([name])) for name in edition.features]
        counts = np.stack([inside[:, cards].sum(axis=1) for cards in marked], axis=1)
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        chance = kinds / len(edition.category)
        chance = np.hstack([chance, 1.0 - chance.sum(axis=1, keepdims=True)])
        return Outcomes(kind.ravel(), Chances.of_table(np.where(chance > ROUNDING, chance, 0.0)))

    def weighed(self, cards: Cards, choice: InReach | None = None) -> WeighedSuggestion:
        """
        Return what a suggestion tells, and the best one that could have been made instead.

        A suggestion names the room one stands in, so with the same room any of them could be made;
        `choice` is what dice and board allowed besides, where that is known.
        """
        edition = self.table.edition
        own = tuple(card for card in cards if card in edition.rooms)
        within = own if choice is None or choice.rooms is None else choice.rooms
        rolled = None if choice is None or choice.dice is None else Counter(choice.dice)
        features = {card.name: card.feature for card in edition.cards}
        plans = [cards]
        if len(self.estimator.worlds.solutions.probability) > 1:  # else no question tells anything
            for kinds in combinations(edition.category, edition.named):
                names = [[card.name for card in kind.cards] for kind in kinds]
                for plan in product(*names):
                    if not {*plan}.isdisjoint({*edition.rooms} - {*within}):
                        continue
                    if rolled is None or Counter(str(features[card]) for card in plan) <= rolled:
                        plans.append(plan)
        gains = [self.estimator.gain(self.query(plan)) for plan in plans]
        bits = [each.bits for each in gains]
        best = int(np.argmax(sort_key(bits)))
        best = 0 if bits[best] - bits[0] < ROUNDING else best
        gain = best_gain = self._honest(cards)
        if best:
            best_gain = self._honest(plans[best])
        return WeighedSuggestion(gain, plans[best], best_gain, within)

    def _honest(self, cards: Cards) -> Bits:
        return Bits(*map(rounded, self.estimator.honest(self.query(cards))))
