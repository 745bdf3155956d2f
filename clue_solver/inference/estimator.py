"""
How much possible questions tell about the solution, estimated from the deals that fit.

Deals are drawn once for all questions. Questions that differ only in cards that no evidence tells
apart have the same gain, which is computed once. A question's gain can also be computed exactly.
"""

from collections.abc import Hashable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.arrays import Floats, Ints, entropy
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.gains import Gain, group_alike, weigh
from clue_solver.inference.openings import kinds_of_cards
from clue_solver.inference.outcomes import AnswerModel, Chances, Outcome, Outcomes, Query
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.solutions import Solutions, joint
from clue_solver.inference.spending import OutOfBudget, limited, spend, spent
from clue_solver.inference.worlds import Worlds, worlds
from clue_solver.knowledge.policies import POLICIES, predicting
from clue_solver.knowledge.viewer import Knowledge

MOST_DEALS, SAMPLE = 5_000, 15_000
"""
If at most the first number of deals fit, all of them are listed. If there are more, the second
number of deals is drawn.
"""

LARGEST_ERROR = 0.02
"""A gain whose standard error, in bits, is as large as this is computed exactly if possible."""

WORK = 700_000_000
"""The most that exact computation may cost, in units of `spending`: about two seconds."""

_QUESTION_WORK = 5_000
"""The cost of weighing a question, apart from its deals, in units of `spending`."""


class GainEstimator:
    """
    Computes from the deals that fit how much questions would tell one viewer about the solution.

    Args:
        knowledge: What the viewer knows.
        diagram: All deals that fit.
        rng: The source of randomness for drawing deals.
        posterior: The probabilities of the solutions.
        sample: How many deals to draw if there are too many to list; questions are then estimated
            from these alone. If left out, enough deals are drawn to estimate most questions well,
            and the others are computed exactly.

    Attributes:
        worlds: The deals that it uses.
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
        self._only_counts = POLICIES[knowledge.shows] is None
        self._policy = predicting(knowledge.shows)
        remembers, seats = self._policy.remembers, range(layout.seats)
        self._shown = [knowledge.shown_by(seat) if remembers else 0 for seat in seats]
        self._kinds = kinds_of_cards(diagram.openings, (*layout.categories, *self._shown))
        self._openness: list[float] = _binary_entropy(self.worlds.solutions, layout.cards).tolist()
        self._work_left = WORK  # what exact computation may still cost
        self._owned: dict[tuple[int, ...], npt.NDArray[np.int8]] = {}
        self._gains: dict[Hashable, Gain] = {}
        self._models: dict[Hashable, AnswerModel] = {}
        self._looks: dict[int, Outcomes] = {}

    def gain(self, question: Query) -> Gain:
        """
        Return how much a question tells: an estimate or, if that is too rough, the exact gain.
        """
        gain = self._estimate(question)
        return self.exact_if_affordable(question) if gain.error >= self._largest_error else gain

    def exact_if_affordable(self, question: Query) -> Gain:
        """
        Return exactly how much a question tells, or the estimate if the exact gain costs too much.
        """
        key = self._key(question)
        estimate = self._estimate(question)
        if not estimate.error or question.look >= 0 or self._work_left <= 0:
            return estimate
        owners = self._seat_indices(question.seats)
        begun = spent()
        try:
            with limited(self._work_left):
                ways = joint(self._diagram, self.knowledge.layout, question.cards, owners)
        except (TooLarge, OutOfBudget):
            self._work_left = 0  # most questions that would come next cost too much, too
            return estimate
        self._work_left -= spent() - begun

        # Each row of `ways` takes the place of a world.
        model = self._model(question)
        seen = Outcomes(model.classes(ways.owners.T), model.chances)
        self._gains[key] = weigh(
            seen, ways.group, ways.size, weight=ways.probability, only_counts=self._only_counts
        )
        return self._gains[key]

    def openness(self, question: Query) -> float:
        """
        Return how open a question's cards are: a number of bits, summed over the cards.

        For each card, it is the entropy of whether the envelope has the card.
        """
        return float(sum(self._openness[card] for card in question.cards))

    def gain_with_error(self, question: Query) -> tuple[float, float]:
        """
        Return a question's gain in bits, with an error that covers a small sample's bias.

        The bias is measured by shuffling the answers among the deals drawn: any gain that remains
        is spurious.
        """
        gain = self.gain(question)
        if not gain.error:
            return gain.bits, 0.0
        nothing = self._weigh(question, _random_order(len(self.worlds.deals)))
        return gain.bits, float(np.hypot(gain.error, nothing.bits))

    def answers(self, question: Query, gain: Gain) -> tuple[list[Outcome], Floats]:
        """
        Return the possible answers to a question, the likeliest first, and their chances.

        An answer is a tuple of pairs: the number of a holder and that of the card that it shows. It
        is empty for "nobody shows". Equally likely answers are in the order of answering; among
        them, "nobody shows" comes last.

        Args:
            question: The question.
            gain: Its gain, as computed before.
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

    def outcomes(self, question: Query) -> Outcomes:
        """
        Return the possible answers to a question in each of the deals used, with their chances.
        """
        if question.seats not in self._owned:
            owned = self._seat_indices(question.seats).astype(np.int8)[self.worlds.deals.T]
            self._owned[question.seats] = np.ascontiguousarray(owned)
        model = self._model(question)
        cards = np.array(question.cards, np.int64)  # none where all of them lie face-up
        classes = model.classes(self._owned[question.seats][cards])
        return Outcomes(classes, model.chances)

    def look(self, holder: int) -> Outcomes:
        """
        Return what a look at a random card of a holder may show in each of the deals used.

        `holder` is the holder's number.
        """
        if holder not in self._looks:
            held, hand = np.unique(self.worlds.deals == holder, axis=0, return_inverse=True)
            sizes = held.sum(axis=1, keepdims=True)
            chance = np.hstack([held / np.maximum(sizes, 1), sizes == 0])
            self._looks[holder] = Outcomes(hand.ravel(), Chances.of_table(chance))
        return self._looks[holder]

    def gain_of(self, seen: Outcomes, labels: Ints | None = None) -> Gain:
        """
        Return how much an observation tells about the solution.

        Args:
            seen: The possible outcomes of the observation in each of the deals used.
            labels: A number for each card, shape (cards,). The observation cannot tell cards with
                equal numbers apart; without labels, it may tell all cards apart.
        """
        if labels is None:
            labels = np.arange(self.knowledge.layout.cards)
        group, size = group_alike(labels, self.worlds.solutions.cards)
        weight = self.worlds.weight if self.worlds.exact else None
        solution = self.worlds.solution
        return weigh(seen, group[solution], size, weight=weight, only_counts=self._only_counts)

    def _estimate(self, question: Query) -> Gain:
        """Return a question's gain: one computed before if there is one, else an estimate."""
        key = self._key(question)
        if key not in self._gains:
            looks = question.look >= 0
            self._gains[key] = self._after_look(question) if looks else self._weigh(question)
        return self._gains[key]

    def _after_look(self, question: Query) -> Gain:
        """
        Return the gain of a question together with the look that comes before it.

        The gain's `chances` are those of the answers alone.
        """
        plain = question._replace(look=-1)
        gain = self.gain_of(self.look(question.look).and_then(self.outcomes(plain)))
        return gain._replace(chances=self.gain(plain).chances)

    def _weigh(self, question: Query, order: Ints | None = None) -> Gain:
        """
        Return the gain of a question, estimated from the deals used.

        With an `order`, deal number k gets the answers of deal number `order[k]`.
        """
        spend(_QUESTION_WORK)
        seen = self.outcomes(question)
        if order is not None:
            seen = seen._replace(classes=seen.classes[order])

        # Solutions that differ only in cards of one kind are alike, unless these are asked for.
        labels = np.array(self._kinds)
        labels[list(question.cards)] = len(labels) + np.arange(len(question.cards))
        return self.gain_of(seen, labels)

    def _seat_indices(self, seats: tuple[int, ...]) -> Ints:
        """
        Return each holder's index in `seats`, shape (holders,).

        A holder that is not one of them gets `len(seats)`.
        """
        owners = np.full(self.knowledge.layout.holders, len(seats))
        owners[list(seats)] = np.arange(len(seats))
        return owners

    def _model(self, question: Query) -> AnswerModel:
        """
        Return the model of the answers to all questions of the same form as this one.

        Such questions are answered alike: they are about as many cards and go to as many seats,
        which choose in the same way what to show.
        """
        shown = tuple(
            sum(1 << at for at, card in enumerate(question.cards) if self._shown[seat] >> card & 1)
            for seat in question.seats
        )
        form = question.who_shows, len(question.cards), shown
        if form not in self._models:
            self._models[form] = AnswerModel(
                len(question.seats), question.who_shows, self._policy, shown
            )
        return self._models[form]

    def _key(self, question: Query) -> Hashable:
        """Return a key for a question; questions with the same key have the same gain."""
        cards = tuple(map(self._kinds.__getitem__, question.cards))
        return cards, question.seats, question.who_shows, question.look


@lru_cache(maxsize=8)
def _random_order(worlds: int) -> Ints:
    """
    Return the numbers from 0 to `worlds` - 1 in a random order, which is the same in each call.
    """
    return np.random.default_rng(0).random(worlds).argsort()


def _binary_entropy(posterior: Solutions, cards: int) -> Floats:
    """Return, for each of the `cards` cards, the entropy in bits of whether the envelope has it."""
    columns = posterior.cards.T
    inside = np.sum([np.bincount(each, posterior.probability, cards) for each in columns], axis=0)
    return entropy(np.stack([inside, 1.0 - inside], axis=-1))
