"""
The bonus die of Clue Diced: whom to look at, whom to ask, whether to peek, which free suggestion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from clue_solver.answers.advice import Bonus
from clue_solver.answers.opponents import notches
from clue_solver.inference.advisor import Advisor, lead
from clue_solver.inference.asking import Question
from clue_solver.inference.diagram import Floats, Ints
from clue_solver.knowledge.layout import Numbers, card_numbers
from clue_solver.observation import Observation
from clue_solver.table import Table


class BonusDie:
    """What each use of the bonus die would tell the viewer."""

    def __init__(
        self,
        table: Table,
        advisor: Advisor,
        *,
        viewer: str,
        observations: Sequence[Observation],
    ) -> None:
        self.table, self.advisor, self.viewer = table, advisor, viewer
        self.observations = observations
        self.numbers = Numbers(table)

    def uses(
        self, faces: tuple[str, ...] | None, free: Mapping[tuple[str, ...], Question]
    ) -> tuple[Bonus, ...]:
        """
        Return all uses, the one that tells most first.

        Args:
            faces: The rolled suspects, where they are known: only those can be asked about.
            free: The suggestions that may be made freely, and what each asks.
        """
        found = [*self._looks(), *self._questions(faces), *self._peeks(), *self._free(free)]
        return tuple(sorted(found, key=lambda bonus: -bonus.gain))

    def _looks(self) -> Iterator[Bonus]:
        """A random card of one hand: the classes are its cards, each as likely as the others."""
        deals = self.advisor.worlds.deals
        for seat in self.table.seats:
            if seat == self.viewer:
                continue
            held = deals == self.numbers.holder(seat)
            hands, kind = np.unique(held, axis=0, return_inverse=True)
            sizes = np.maximum(hands.sum(axis=1, keepdims=True), 1)
            chance = hands / sizes
            empty = (hands.sum(axis=1) == 0)[:, None].astype(float)
            yield self._drawn(f"looks at {seat}", kind.ravel(), np.hstack([chance, empty]))

    def _questions(self, faces: tuple[str, ...] | None) -> Iterator[Bonus]:
        """One player is asked about one suspect, in any role."""
        marked = self.table.edition.features
        places = {card: number for number, card in enumerate(self.table.cards)}
        for feature in dict.fromkeys(faces or tuple(marked)):
            cards = tuple(places[card] for card in marked[feature] if card in places)
            for seat in self.table.seats:
                if seat != self.viewer:
                    question = Question(cards, (self.numbers.holder(seat),), False)
                    gain = self.advisor.gain(question)
                    action = f"{self.viewer} asks {seat} about {feature}"
                    yield Bonus(action=action, gain=gain.bits, error=gain.error)

    def _peeks(self) -> Iterator[Bonus]:
        """The notch: an envelope card, drawn once until somebody opens the envelope."""
        features = self.table.edition.features
        if not features:
            return
        inside = self.advisor.worlds.deals == self.numbers.layout.envelope
        counts = np.stack(
            [inside[:, card_numbers(self.numbers.cards([name]))].sum(axis=1) for name in features],
            axis=1,
        )
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        chance = kinds / np.maximum(kinds.sum(axis=1, keepdims=True), 1)
        seen, opened = notches(self.observations, self.numbers, viewer=self.viewer)
        if opened in seen:
            yield Bonus(action=f"{self.viewer} peeks", gain=0.0, error=0.0)
        else:
            yield self._drawn("peeks", kind.ravel(), chance)

    def _free(self, questions: Mapping[tuple[str, ...], Question]) -> Iterator[Bonus]:
        """The best free suggestion, of any cards."""
        ((cards, gain), *_) = lead(questions, self.advisor, lambda _, gain: gain.bits, first=1)
        action = f"{self.viewer} suggests {', '.join(cards)}"
        yield Bonus(action=action, gain=gain.bits, error=gain.error)

    def _drawn(self, action: str, kind: Ints, chance: Floats) -> Bonus:
        gain = self.advisor.drawn(kind, chance.astype(float))
        return Bonus(action=f"{self.viewer} {action}", gain=gain.bits, error=gain.error)
