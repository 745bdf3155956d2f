"""
The uses of the bonus die of Clue Diced, and what each of them tells.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from clue_solver.answers.own_turn import Cards, OwnTurn
from clue_solver.answers.position import notches
from clue_solver.answers.weigher import SuggestionWeigher
from clue_solver.inference.gains import Chances, Gain, Outcomes
from clue_solver.inference.rounding import sort_key
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.rules.observations import Observation

POINTED = 5
"""How many ways to point the finger are weighed, the best of all by what they ask."""

_ROUNDING = 1e-9
"""A smaller chance is 0."""


class BonusDie:
    """
    What a player may do by the bonus die in one turn, and what it tells.

    A way to use it is the rest of the line that records it, after the player's name.
    """

    def __init__(
        self,
        weigher: SuggestionWeigher,
        observations: Sequence[Observation],
        turn: OwnTurn,
        *,
        most: int | None = None,
    ) -> None:
        """
        Hold a turn.

        Args:
            weigher: What suggestions tell the player.
            observations: What was observed until now.
            turn: What the player may do.
            most: How many ways to point are weighed roughly, to find the best; all if it is `None`.
        """
        self._weigher = weigher
        self._observations = observations
        self._turn = turn
        self._most = most
        self._others = [seat for seat in weigher.table.seats if seat != weigher.viewer]
        self._outcomes: dict[tuple[str, Sequence[str]], list[tuple[str, Outcomes]]] = {}

    @property
    def rolled(self) -> bool:
        """Whether the dice are told, and allow a use."""
        return bool(self._turn.suspects and self._turn.uses)

    def ways(self) -> Iterator[tuple[str, Gain]]:
        """Yield the ways to use it now and what each tells, of those to point only the best."""
        for verb in self._turn.uses:
            ways = self._seen(verb, self._turn.third())
            for way, outcomes in ways[:1] if verb == "points" else ways:
                yield way, self._weigher.estimator.told(outcomes)

    def best_after(self, cards: Cards) -> Iterator[tuple[str, Gain]]:
        """Yield for each face the best way after a suggestion, and what both together tell."""
        estimator = self._weigher.estimator
        answer = estimator.answer(self._weigher.question(cards))
        for verb in self._turn.uses:
            ways = self._seen(verb, self._turn.third(cards))
            gains = [(way, estimator.told(answer.and_then(outcomes))) for way, outcomes in ways]
            if gains:
                yield max(gains, key=lambda use: sort_key(use[1].bits))

    def _seen(self, verb: str, third: Sequence[str]) -> list[tuple[str, Outcomes]]:
        """
        Return the ways of one use, and what each shows.

        Args:
            verb: The verb of the lines.
            third: The suspects that one may ask about.
        """
        asked = third if verb == "asks" else ()
        if (verb, asked) not in self._outcomes:
            self._outcomes[verb, asked] = list(self._shown(verb, asked))
        return self._outcomes[verb, asked]

    def _shown(self, verb: str, third: Sequence[str]) -> Iterator[tuple[str, Outcomes]]:
        weigher, estimator = self._weigher, self._weigher.estimator
        edition = weigher.table.edition
        match verb:
            case "looks":
                for seat in self._others:
                    yield f"looks at {seat}", estimator.look(weigher.numbers.holder(seat))
            case "asks":
                for name, seat in product(third, self._others):
                    question = weigher.question(edition.features[name], (seat,), rule="first")
                    yield f"asks {seat} about {name}", estimator.answer(question)
            case "peeks" if edition.features:
                yield "peeks", self._notch()
            case "points":
                kinds = ([card.name for card in kind.cards] for kind in edition.category)
                every = dict.fromkeys(product(*kinds), 1.0)
                for cards, _ in weigher.leading(every, first=0, most=self._most)[:POINTED]:
                    outcomes = estimator.answer(weigher.question(cards))
                    yield f"points at {', '.join(cards)}", outcomes

    def _notch(self) -> Outcomes:
        """
        Return what the notch shows now.

        That is an envelope card, drawn once until somebody opens the envelope; a card without a
        mark shows none.
        """
        edition, numbers = self._weigher.table.edition, self._weigher.numbers
        worlds = self._weigher.estimator.worlds
        seen, opened = notches(self._observations, numbers, viewer=self._weigher.viewer)
        if opened in seen:  # the same again
            nothing = np.zeros(len(worlds.deals), np.int64)
            return Outcomes(nothing, Chances.of_table(np.ones((1, 1))))
        inside = worlds.deals == numbers.layout.envelope
        marked = [card_numbers(numbers.cards([name])) for name in edition.features]
        counts = np.stack([inside[:, cards].sum(axis=1) for cards in marked], axis=1)
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        chance = kinds / len(edition.category)
        chance = np.hstack([chance, 1.0 - chance.sum(axis=1, keepdims=True)])
        return Outcomes(kind.ravel(), Chances.of_table(np.where(chance > _ROUNDING, chance, 0.0)))
