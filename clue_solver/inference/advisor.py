"""
Everything that can be asked, ranked: worlds once, each kind of question once, the leaders exactly.

Cards that no evidence tells apart make questions of one kind, with the same gain.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

import numpy as np

from clue_solver.inference.advise import Alike, Gain, counted, gain
from clue_solver.inference.asking import Expected, Outcome, Question, expected
from clue_solver.inference.diagram import Diagram, Floats, Ints
from clue_solver.inference.solutions import jointly
from clue_solver.inference.worlds import Worlds, worlds
from clue_solver.knowledge import Knowledge
from clue_solver.knowledge.likelihood import predicting

MOST_DEALS, SAMPLE = 5_000, 15_000
"""Up to how many deals every one is counted; how many are drawn where there are more."""

LARGEST_ERROR = 0.02
"""Bits of standard error beyond which a question is counted exactly rather than estimated."""


Plan = TypeVar("Plan", bound=Hashable)


class Advisor:
    """
    Answers what questions would tell one viewer.

    Args:
        knowledge: What the viewer knows.
        diagram: The deals that fit it.
        rng: Draws the deals, where there are too many to count each.
        sample: How many are drawn at least; questions are then estimated by this sample alone. If
            left out, as many as estimate most questions well, and the others are counted exactly.

    Attributes:
        worlds: The deals it looks at.
        knowledge: What the viewer knows.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        diagram: Diagram,
        rng: np.random.Generator,
        *,
        sample: int | None = None,
    ) -> None:
        self.knowledge = knowledge
        self._diagram = diagram
        layout = knowledge.layout
        self.worlds: Worlds = worlds(
            diagram, layout, rng, most=MOST_DEALS, sample=SAMPLE if sample is None else sample
        )
        self._largest_error = LARGEST_ERROR if sample is None else np.inf
        self._counting = knowledge.shows == "none"
        self._policy = predicting(knowledge.shows)
        self._habit = [knowledge.habit(seat) for seat in range(layout.seats)]
        self._kinds = self._kinds_of_cards()
        self._placed: dict[tuple[int, ...], Ints] = {}
        self._gains: dict[Hashable, Gain] = {}
        self._counted: dict[Hashable, Gain] = {}
        self._public: dict[Hashable, Gain] = {}

    def gain(self, question: Question) -> Gain:
        """Return what the question tells, by the worlds; chances in the order of `outcomes`."""
        kind = self._kind(question)
        if kind not in self._gains:
            told = self._expected(question)
            found = self._gain(question, told, told.chance)
            self._gains[kind] = found if found.error < self._largest_error else self.exact(question)
        return self._gains[kind]

    def exact(self, question: Question) -> Gain:
        """Return what the question tells, exactly."""
        if self.worlds.exact:
            return self.gain(question)
        kind = self._kind(question)
        if kind not in self._counted:
            told, layout = self._expected(question), self.knowledge.layout
            ways = jointly(self._diagram, layout, question.cards, self._places(question.seats))
            self._counted[kind] = counted(ways, told.table, told.chance, counting=self._counting)
        return self._counted[kind]

    def outcomes(self, question: Question) -> list[Outcome]:
        """Return the answers that the gain's chances are of, by holder and card number."""
        return [
            tuple((question.seats[seat], question.cards[card]) for seat, card in outcome)
            for outcome in self._expected(question).outcomes
        ]

    def public(self, question: Question) -> Gain:
        """Return what the question tells somebody who sees who shows, and not which card."""
        kind = self._kind(question)
        if kind not in self._public:
            told = self._expected(question)
            self._public[kind] = self._gain(question, told, told.public)
        return self._public[kind]

    def drawn(self, kinds: Ints, chance: Floats) -> Gain:
        """Return what another observation tells: the class of each world, and its outcomes."""
        return gain(self.worlds, kinds, chance, counting=self._counting)

    def _gain(self, question: Question, told: Expected, chance: Floats) -> Gain:
        if question.seats not in self._placed:
            self._placed[question.seats] = self._places(question.seats)[self.worlds.deals.T]
        placed = self._placed[question.seats]
        way = np.zeros(len(self.worlds.deals), np.int64)
        for card in question.cards:
            way *= len(question.seats) + 1
            way += placed[card]
        alike = None if self.worlds.exact else self._alike(question)
        return gain(self.worlds, told.table[way], chance, counting=self._counting, alike=alike)

    def _places(self, seats: tuple[int, ...]) -> Ints:
        """Return each holder's place in the order of answering, behind it who is not asked."""
        place = np.full(self.knowledge.layout.holders, len(seats))
        place[list(seats)] = np.arange(len(seats))
        return place

    def _expected(self, question: Question) -> Expected:
        habits = [
            sum(1 << place for place, card in enumerate(question.cards) if habit >> card & 1)
            for habit in (self._habit[seat] for seat in question.seats)
        ]
        cards, seats = question.cards, question.seats
        return expected(len(seats), len(cards), question.everyone, self._policy, tuple(habits))

    def _alike(self, question: Question) -> Alike:
        """Return the solutions that differ in cards of one kind, none of which is asked for."""
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
