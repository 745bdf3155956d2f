"""
Everything that can be asked, ranked by what it tells.

Deals are drawn once for all questions. Questions that differ only in cards that no evidence tells
apart have the same gain, which is computed once; those that come out best are counted exactly.
"""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.arrays import Floats, Ints
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.gains import (
    AnswerModel,
    Chances,
    Gain,
    Outcome,
    Outcomes,
    Query,
    group_alike,
    weigh,
)
from clue_solver.inference.openings import kinds_of_cards
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.solutions import Solutions, Worlds, jointly, worlds
from clue_solver.inference.spending import limited, spend, spent
from clue_solver.knowledge.evidence import POLICIES, predicting
from clue_solver.knowledge.viewer import Knowledge

MOST_DEALS, SAMPLE = 5_000, 15_000
"""Up to the first number of deals all are listed; where there are more, the second is drawn."""

LARGEST_ERROR = 0.02
"""Bits of standard error beyond which a question is counted exactly rather than estimated."""

WORK, MOST_PLANS, FEWEST_PLANS = 700_000_000, 2_000, 30
"""
What ranking may cost, and counting exactly as much again, as in `spending` (some two seconds); the
most and the fewest plans that are weighed.
"""

_QUESTION_WORK = 5_000
"""What a question costs beside its worlds, as in `spending`."""

Plan = TypeVar("Plan", bound=Hashable)


class GainEstimator:
    """
    Computes what questions would tell one viewer, from the deals that fit.

    Where there are too many deals to list, `sample` is how many are drawn, and questions are
    estimated by these alone. If it is left out, as many are drawn as estimate most questions well,
    and the others are counted exactly. `posterior` is the one over solutions.

    Attributes:
        worlds: The deals it looks at.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        diagram: Diagram,
        rng: np.random.Generator,
        *,
        posterior: Solutions,
        sample: int | None = None,
    ) -> None:
        self.knowledge = knowledge
        self._diagram = diagram
        layout = knowledge.layout
        drawn = SAMPLE if sample is None else sample
        self.worlds: Worlds = worlds(
            diagram, layout, rng, posterior=posterior, most=MOST_DEALS, sample=drawn
        )
        self._largest_error = LARGEST_ERROR if sample is None else np.inf
        self._counting = POLICIES[knowledge.shows] is None
        self._policy = predicting(knowledge.shows)
        remembers, seats = self._policy.remembers, range(layout.seats)
        self._shown = [knowledge.shown_by(seat) if remembers else 0 for seat in seats]
        self._kinds = kinds_of_cards(diagram.openings, (*layout.categories, *self._shown))
        self._openness: list[float] = _binary_entropy(self.worlds.solutions, layout.cards).tolist()
        self._left_to_count = WORK  # what counting exactly may still cost
        self._owned: dict[tuple[int, ...], npt.NDArray[np.int8]] = {}
        self._gains: dict[Hashable, Gain] = {}
        self._models: dict[Hashable, AnswerModel] = {}
        self._looks: dict[int, Outcomes] = {}

    def gain(self, question: Query) -> Gain:
        """Return what the question tells: by the worlds, or exactly if their error is too large."""
        key = self._key(question)
        if key not in self._gains and self._estimate(question).error >= self._largest_error:
            return self.exact(question)
        return self._gains[key]

    def exact(self, question: Query) -> Gain:
        """Return what the question tells, exactly where that is not too much to count."""
        key = self._key(question)
        estimate = self._estimate(question)
        if not estimate.error or question.look >= 0 or self._left_to_count <= 0:
            return estimate
        owners = self._owners(question.seats)
        begun = spent()
        try:
            with limited(self._left_to_count):
                ways = jointly(self._diagram, self.knowledge.layout, question.cards, owners)
        except TooLarge:  # past the budget or the memory: so are most that would come next
            self._left_to_count = 0
            return estimate
        self._left_to_count -= spent() - begun

        # A row of `ways` is a world in which the cards lie so.
        model = self._model(question)
        seen = Outcomes(model.classes(ways.owners.T), model.chances)
        self._gains[key] = weigh(
            seen, ways.group, ways.size, weight=ways.probability, counting=self._counting
        )
        return self._gains[key]

    def promise(self, question: Query) -> float:
        """Return how open it is, in bits, whether the envelope has each of the asked cards."""
        return float(sum(self._openness[card] for card in question.cards))

    def honest(self, question: Query) -> tuple[float, float]:
        """
        Return the bits that the question tells, with an error that covers the bias of few deals.

        The same answers dealt out among the worlds at random tell nothing; what they seem to tell
        is what this sample makes of nothing.
        """
        gain = self.gain(question)
        if not gain.error:
            return gain.bits, 0.0
        nothing = self._weigh(question, _shuffled(len(self.worlds.deals)))
        return gain.bits, float(np.hypot(gain.error, nothing.bits))

    def answers(self, question: Query, gain: Gain) -> tuple[list[Outcome], Floats]:
        """
        Return the answers that the question may get, by holder and card number, and their chances.

        The likeliest comes first; equals stand in the order of answering, and nobody's last.
        """
        model = self._model(question)
        keys = sort_key(gain.chances).tolist()

        def order(number: int) -> tuple[int, bool, Outcome]:
            outcome = model.outcomes[number]
            return -keys[number], not outcome, outcome

        possible = sorted(np.flatnonzero(gain.chances > 0).tolist(), key=order)
        named = [
            tuple((question.seats[seat], question.cards[card]) for seat, card in shown)
            for shown in (model.outcomes[number] for number in possible)
        ]
        return named, gain.chances[possible]

    def answer(self, question: Query) -> Outcomes:
        """Return what the answer to a question shows in each of the worlds."""
        if question.seats not in self._owned:
            owned = self._owners(question.seats).astype(np.int8)[self.worlds.deals.T]
            self._owned[question.seats] = np.ascontiguousarray(owned)
        model = self._model(question)
        cards = np.array(question.cards, np.int64)  # none where all of them lie face-up
        classes = model.classes(self._owned[question.seats][cards])
        return Outcomes(classes, model.chances)

    def look(self, holder: int) -> Outcomes:
        """Return what a card drawn at random from a holder's shows in each of the worlds."""
        if holder not in self._looks:
            held, hand = np.unique(self.worlds.deals == holder, axis=0, return_inverse=True)
            sizes = held.sum(axis=1, keepdims=True)
            chance = np.hstack([held / np.maximum(sizes, 1), sizes == 0])
            self._looks[holder] = Outcomes(hand.ravel(), Chances.of_table(chance))
        return self._looks[holder]

    def gain_of(self, seen: Outcomes, labels: Ints | None = None) -> Gain:
        """
        Return what an observation tells.

        Args:
            seen: What it shows in each of the worlds.
            labels: Of all cards, the same for those that it does not tell apart; it may tell all
                apart if left out.
        """
        if labels is None:
            labels = np.arange(self.knowledge.layout.cards)
        group, size = group_alike(labels, self.worlds.solutions.cards)
        weight = self.worlds.weight if self.worlds.exact else None
        solution = self.worlds.solution
        return weigh(seen, group[solution], size, weight=weight, counting=self._counting)

    def _estimate(self, question: Query) -> Gain:
        """Return a question's gain: exactly if it was counted so already, else by the worlds."""
        key = self._key(question)
        if key not in self._gains:
            looks = question.look >= 0
            self._gains[key] = self._after_look(question) if looks else self._weigh(question)
        return self._gains[key]

    def _after_look(self, question: Query) -> Gain:
        """Return what a look and then a question tell; the chances are those of the answers."""
        plain = question._replace(look=-1)
        gain = self.gain_of(self.look(question.look).and_then(self.answer(plain)))
        return gain._replace(chances=self.gain(plain).chances)

    def _weigh(self, question: Query, order: Ints | None = None) -> Gain:
        """Return what a question tells; with an `order`, worlds have each other's answers."""
        spend(_QUESTION_WORK)
        seen = self.answer(question)
        if order is not None:
            seen = seen._replace(classes=seen.classes[order])

        # Solutions are alike that differ in cards of one kind, none of which is asked for.
        labels = np.array(self._kinds)
        labels[list(question.cards)] = len(labels) + np.arange(len(question.cards))
        return self.gain_of(seen, labels)

    def _owners(self, seats: tuple[int, ...]) -> Ints:
        """Return each holder's index among those who are asked, their number for all others."""
        owners = np.full(self.knowledge.layout.holders, len(seats))
        owners[list(seats)] = np.arange(len(seats))
        return owners

    def _model(self, question: Query) -> AnswerModel:
        """Return what questions of this form may be answered."""
        shown = tuple(
            sum(1 << at for at, card in enumerate(question.cards) if self._shown[seat] >> card & 1)
            for seat in question.seats
        )
        form = question.rule, len(question.cards), shown
        if form not in self._models:
            self._models[form] = AnswerModel(
                len(question.seats), question.rule, self._policy, shown
            )
        return self._models[form]

    def _key(self, question: Query) -> Hashable:
        cards = tuple(map(self._kinds.__getitem__, question.cards))
        return cards, question.seats, question.rule, question.look


@lru_cache(maxsize=8)
def _shuffled(worlds: int) -> Ints:
    """Return the numbers of the worlds in an order that tells nothing."""
    return np.random.default_rng(0).random(worlds).argsort()


def _binary_entropy(posterior: Solutions, cards: int) -> Floats:
    """Return for each card the entropy of whether the envelope has it, in bits."""
    inside = sum(np.bincount(column, posterior.probability, cards) for column in posterior.cards.T)
    p = np.clip(inside, 1e-12, 1 - 1e-12)
    entropy: Floats = -p * np.log2(p) - (1 - p) * np.log2(1 - p)
    return entropy


def rank(
    questions: Mapping[Plan, Query],
    estimator: GainEstimator,
    value: Callable[[Plan, float], float],
    *,
    first: int,
    most: int | None = None,
) -> list[tuple[Plan, Gain]]:
    """
    Return the plans with their gains, the best by `value` first, equals in the order given.

    The `first` few are counted exactly as far as they can be. Where there are too many plans to
    weigh them all, those that ask for the most open cards are weighed.

    Args:
        questions: What may be done, and what it asks.
        value: What to rank by, for a plan and the bits of its gain.
        first: How many are counted exactly.
        most: How many are weighed at most; as many as a person waits for if left out.
    """
    number = {plan: given for given, plan in enumerate(questions)}
    most = MOST_PLANS if most is None else most
    begun = spent()

    # As many are weighed as the budget reaches, those first that promise most.
    promised = [value(plan, estimator.promise(question)) for plan, question in questions.items()]
    promise = dict(zip(questions, sort_key(promised).tolist(), strict=True))
    weighed: dict[Plan, Gain] = {}
    for plan in sorted(questions, key=lambda plan: -promise[plan])[:most]:
        if len(weighed) >= FEWEST_PLANS and spent() - begun > WORK:
            break
        weighed[plan] = estimator.gain(questions[plan])

    def order() -> list[Plan]:
        keys = sort_key([value(plan, gain.bits) for plan, gain in weighed.items()]).tolist()
        worth = dict(zip(weighed, keys, strict=True))
        return sorted(weighed, key=lambda plan: (-worth[plan], number[plan]))

    ranked = order()
    for _ in range(4 * first):
        rough = [plan for plan in ranked[:first] if weighed[plan].error]
        if not rough:
            break
        for plan in rough:
            weighed[plan] = estimator.exact(questions[plan])
        ranked = order()
    return [(plan, weighed[plan]) for plan in ranked]
