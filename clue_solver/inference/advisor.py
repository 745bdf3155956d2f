"""
Everything that can be asked, ranked: worlds once, each kind of question once, the leaders exactly.

Cards that no evidence tells apart make questions of one kind, with the same gain.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from clue_solver.inference.advise import Alike, Gain, counted, gain
from clue_solver.inference.asking import Foreseen, Outcome, Question, expected, foreseen
from clue_solver.inference.diagram import Diagram, Floats, Ints
from clue_solver.inference.worlds import Worlds, worlds
from clue_solver.knowledge import Knowledge
from clue_solver.knowledge.likelihood import predicting

MOST_DEALS, SAMPLE = 5_000, 40_000
"""Up to how many deals every one is counted; how many are drawn where there are more."""


Plan = TypeVar("Plan", bound=Hashable)


class Advisor:
    """
    Answers what questions would tell one viewer.

    Attributes:
        worlds: The deals it looks at.
        knowledge: What the viewer knows.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        possible: list[int],
        diagram: Diagram,
        rng: np.random.Generator,
        *,
        sample: int = SAMPLE,
    ) -> None:
        self.knowledge = knowledge
        self._possible, self._diagram = possible, diagram
        layout = knowledge.layout
        self.worlds: Worlds = worlds(diagram, layout, rng, most=MOST_DEALS, sample=sample)
        self.rng = rng
        self._counting = knowledge.shows == "none"
        self._policy = predicting(knowledge.shows)
        self._habit = [knowledge.habit(seat) for seat in range(layout.seats)]
        self._kinds = self._kinds_of_cards()
        self._gains: dict[Hashable, Gain] = {}
        self._counted: dict[Hashable, Gain] = {}
        self._public: dict[Hashable, Gain] = {}

    def gain(self, question: Question) -> Gain:
        """Return what the question tells, by the worlds; chances in the order of `outcomes`."""
        kind = self._kind(question)
        if kind not in self._gains:
            seen, alike = self._foreseen(question), self._alike(question)
            self._gains[kind] = gain(self.worlds, seen, counting=self._counting, alike=alike)
        return self._gains[kind]

    def exact(self, question: Question) -> Gain:
        """Return what the question tells, exactly."""
        if self.worlds.exact:
            return self.gain(question)
        kind = self._kind(question)
        if kind not in self._counted:
            outcomes = self.outcomes(question)
            self._counted[kind] = counted(self.knowledge, self._possible, question, outcomes)
        return self._counted[kind]

    def outcomes(self, question: Question) -> tuple[Outcome, ...]:
        """Return the answers that the gain's chances are of."""
        return expected(question, self.chances).outcomes

    def public(self, question: Question) -> Gain:
        """Return what the question tells somebody who sees who shows, and not which card."""
        kind = self._kind(question)
        if kind not in self._public:
            seen = _without_cards(self._foreseen(question))
            self._public[kind] = gain(self.worlds, seen, counting=False)
        return self._public[kind]

    def drawn(self, kinds: Ints, chance: Floats) -> Gain:
        """Return what another observation tells: the class of each world, and its outcomes."""
        seen = Foreseen(kinds, chance, ((),) * chance.shape[1])
        return gain(self.worlds, seen, counting=self._counting)

    def chances(self, seat: int, could: Sequence[int]) -> Sequence[float]:
        """Return the chances that a seat shows each of the cards it could show."""
        return self._policy.picks(could, habit=self._habit[seat])

    def _foreseen(self, question: Question) -> Foreseen:
        holders = self.knowledge.layout.holders
        told = expected(question, self.chances)
        return foreseen(question, self.worlds.deals, holders, told)

    def _alike(self, question: Question) -> Alike | None:
        """Return the solutions that differ in cards of one kind, none of which is asked for."""
        if self.worlds.exact or self._counting:
            return None
        label = np.array(self._kinds)
        label[list(question.cards)] = len(label) + np.arange(len(question.cards))
        cards = self.worlds.solutions.cards
        strides = (2 * len(label)) ** np.arange(cards.shape[1])
        _, group, size = np.unique(label[cards] @ strides, return_inverse=True, return_counts=True)
        return Alike(group, size)

    def _kind(self, question: Question) -> Hashable:
        cards = tuple(self._kinds[card] for card in question.cards)
        return cards, question.seats, question.everyone

    def _kinds_of_cards(self) -> list[int]:
        """Return a number for each card, the same for cards that nothing tells apart."""
        opened = self._diagram.openings
        rules = [rule.cards for hand in opened.hands for rule in hand.rules]
        seen: dict[Hashable, int] = {}
        kinds = []
        for card, holder in enumerate(opened.certain):
            bit = 1 << card
            category = next(
                i for i, mask in enumerate(self.knowledge.layout.categories) if mask & bit
            )
            habits = tuple(bool(habit & bit) for habit in self._habit)
            where: Hashable = holder
            if holder < 0:
                where = (
                    tuple(bool(hand.cards & bit) for hand in opened.hands),
                    tuple(number for number, cards in enumerate(rules) if cards & bit),
                )
            kinds.append(seen.setdefault((category, habits, where), len(seen)))
        return kinds


def _without_cards(seen: Foreseen) -> Foreseen:
    """Merge the outcomes that differ only in the card shown."""
    public: dict[tuple[int, ...], int] = {}
    places = [
        public.setdefault(tuple(seat for seat, _ in outcome), len(public))
        for outcome in seen.outcomes
    ]
    chance = np.zeros((len(seen.chance), len(public)))
    for place, column in zip(places, seen.chance.T, strict=True):
        chance[:, place] += column
    return seen._replace(chance=chance, outcomes=((),) * len(public))


def lead(
    questions: Mapping[Plan, Question],
    advisor: Advisor,
    value: Callable[[Plan, Gain], float],
    *,
    first: int,
) -> list[tuple[Plan, Gain]]:
    """
    Return the plans with their gains, the best first, the first few of them counted exactly.

    Args:
        questions: What may be done, and what it asks.
        advisor: Says what each question tells.
        value: What to rank by, for a plan and its gain.
        first: How many leaders must be exact.
    """
    found = {plan: advisor.gain(question) for plan, question in questions.items()}

    def order() -> list[Plan]:
        return sorted(found, key=lambda plan: -value(plan, found[plan]))

    ranked = order()
    for _ in range(4 * first):
        rough = [plan for plan in ranked[:first] if found[plan].error]
        if not rough:
            break
        for plan in rough:
            found[plan] = advisor.exact(questions[plan])
        ranked = order()
    return [(plan, found[plan]) for plan in ranked]
