"""
Everything that can be asked, ranked; and who is close to naming the solution.

Worlds once, each kind of question once, the leaders exactly. Cards that no evidence tells apart
make questions of one kind, with the same gain.

How close another seat is: the viewer does not know the other hands. So deals are drawn from the
viewer's posterior; in each, what the seat has seen is rebuilt: its hand, the cards it was shown
(drawn by the show policy where the viewer did not see them), what it looked at, what it saw in the
notch. Whether that leaves one solution is asked of the SAT solver, exactly. Who could name it when
a turn of its own ended would most likely have accused: where it kept silent, deals weigh less.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference import gains
from clue_solver.inference.diagram import Diagram, Floats, Ints, sort_key
from clue_solver.inference.sat import Solver
from clue_solver.inference.solutions import Solutions, Worlds, jointly, worlds
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.evidence import ShowPolicy, predicting
from clue_solver.knowledge.viewer import Knowledge

MOST_DEALS, SAMPLE = 5_000, 15_000
"""Up to how many deals every one is counted; how many are drawn where there are more."""

LARGEST_ERROR = 0.02
"""Bits of standard error beyond which a question is counted exactly rather than estimated."""

WORK, MOST_PLANS, FEWEST_PLANS = 1_000_000_000, 2_000, 30
"""
What weighing questions may cost, in array elements (some 2 nanoseconds each); how many plans are
weighed at most, and at least.
"""

_AT_ONCE, _ONE_BY_ONE = 64, 2_000
"""How many questions are weighed in one go; from how many deals on that takes longer in numpy."""

_CLASS_WORK, _ANSWER_WORK, _SOLUTION_WORK = 5_000, 5_000, 120

_ASKED_WORK, _WORLD_WORK = 2_000, 25
"""What a question costs, and what each world costs in which it is weighed, as in `spending`."""

Plan = TypeVar("Plan", bound=Hashable)


class GainEstimator:
    """
    Answers what questions would tell one viewer, by the deals that fit.

    Where there are too many deals to count each, `sample` is how many are drawn at least; questions
    are then estimated by this sample alone. If left out, as many are drawn as estimate most
    questions well, and the others are counted exactly.
    `posterior` is that over solutions.

    Attributes:
        worlds: The deals it looks at.
        work: What weighing questions has cost, in array elements.
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
        self._counting = knowledge.shows == "none"
        self._policy = predicting(knowledge.shows)
        self._sticky = knowledge.shows == "sticky"  # no other policy asks for habits
        seats = range(layout.seats)
        self._habit = [knowledge.habit(seat) if self._sticky else 0 for seat in seats]
        self._kinds = self._kinds_of_cards(diagram)
        self._openness: list[float] = _binary_entropy(self.worlds.solutions, layout.cards).tolist()
        self._countable = True  # whether the diagram can be split for exact answers
        self.work = 0
        self._placed: dict[tuple[int, ...], npt.NDArray[np.int8]] = {}
        self._gains: dict[Hashable, gains.Gain] = {}
        self._estimates: dict[Hashable, tuple[float, float]] = {}
        self._counted: dict[Hashable, gains.Gain] = {}
        self._met: dict[Hashable, gains.Expected] = {}
        self._forms: dict[Hashable, gains.Expected] = {}
        self._looks: dict[int, gains.Outcomes] = {}

    def gain(self, question: gains.Query) -> gains.Gain:
        """Return what the question tells, by the worlds; chances in the order of `outcomes`."""
        kind = self._kind(question)
        if kind not in self._gains:
            if question.look >= 0:
                gain = self._after_look(question)
            else:
                expected = self._expected(question)
                gain = self._answered(question, expected)
                if gain.error >= self._largest_error:
                    gain = self._exactly(question, gain)
            self._gains[kind] = gain
        return self._gains[kind]

    def _after_look(self, question: gains.Query) -> gains.Gain:
        """Return what a look and then a question tell, with the chances of the answers alone."""
        plain = question._replace(look=-1)
        gain = self.told(self.look(question.look).and_then(self.answer(plain)))
        return gain._replace(chances=self.gain(plain).chances)

    def bits(self, questions: Sequence[gains.Query]) -> list[float]:
        """Return the bits that each of many questions tells by the worlds, as `gain` has them."""
        if len(self.worlds.deals) > _ONE_BY_ONE:
            return [self.gain(question).bits for question in questions]
        spend(_ASKED_WORK * len(questions))
        kinds = [self._kind(question) for question in questions]
        bits = {kind: self._gains[kind].bits for kind in kinds if kind in self._gains}
        forms: dict[Hashable, list[gains.Query]] = {}
        if not self._counting and self._largest_error == np.inf:
            for kind, question in zip(kinds, questions, strict=True):
                expected = self._expected(question)
                if kind not in bits and question.look < 0 and expected.ways is None:
                    forms.setdefault((question.seats, id(expected)), []).append(question)
                    bits[kind] = 0.0
        for alike in forms.values():
            for begin in range(0, len(alike), _AT_ONCE):
                part = alike[begin : begin + _AT_ONCE]
                estimates = self._informations(part)
                pairs = zip(estimates.bits.tolist(), estimates.error.tolist(), strict=True)
                self._estimates |= zip(map(self._kind, part), pairs, strict=True)
                bits |= zip(map(self._kind, part), estimates.bits.tolist(), strict=True)
        return [
            bits[kind] if kind in bits else self.gain(question).bits
            for kind, question in zip(kinds, questions, strict=True)
        ]

    def _informations(
        self, questions: Sequence[gains.Query], order: Ints | None = None
    ) -> gains.Estimates:
        """Return what questions of one form tell, answered in the worlds of another `order`."""
        expected = self._expected(questions[0])
        seats = questions[0].seats
        named = [question.cards for question in questions]  # none where all lie face-up
        cards = np.array(named, np.int64).reshape(len(named), len(named[0]))
        categories = self.knowledge.layout.categories
        asked = cards.shape[1]
        label = np.zeros(self.knowledge.layout.cards, np.int64)
        radix = []
        for mask in categories:
            known = card_numbers(mask)
            kinds = {kind: at for at, kind in enumerate({self._kinds[card] for card in known})}
            label[known] = [kinds[self._kinds[card]] for card in known]
            radix.append(len(kinds) + asked)
        labels = np.repeat(label[None, :], len(questions), axis=0)
        behind = np.zeros(len(label), np.int64)
        for mask, size in zip(categories, radix, strict=True):
            behind[card_numbers(mask)] = size - asked
        np.put_along_axis(labels, cards, behind[cards] + np.arange(asked), axis=1)
        placed = self._placed_by(seats)
        if order is not None:
            placed = placed[:, order]
        sizes = placed.shape[1] * _WORLD_WORK + len(self.worlds.solutions.cards) * len(categories)
        spend(len(questions) * sizes)
        return gains.informations(
            gains.Questions(
                placed=placed,
                solution=self.worlds.solution,
                solutions=self.worlds.solutions.cards,
                cards=cards,
                labels=labels,
                radix=np.array(radix),
                table=expected.table,
            ),
            len(seats) + 1,
            expected.chance,
            self.worlds.weight if self.worlds.exact else None,
        )

    def _placed_by(self, seats: tuple[int, ...]) -> npt.NDArray[np.int8]:
        """Return each card's place in the order of answering, shape (cards, worlds)."""
        if seats not in self._placed:
            placed = self._places(seats).astype(np.int8)[self.worlds.deals.T]
            self._placed[seats] = np.ascontiguousarray(placed)
        return self._placed[seats]

    def exact(self, question: gains.Query) -> gains.Gain:
        """Return what the question tells, exactly where that is not too much to count."""
        gain = self.gain(question)
        return self._exactly(question, gain) if gain.error and question.look < 0 else gain

    def promise(self, question: gains.Query) -> float:
        """Return how open it is, in bits, whether the envelope has each of the asked cards."""
        return float(sum(self._openness[card] for card in question.cards))

    def _exactly(self, question: gains.Query, estimate: gains.Gain) -> gains.Gain:
        kind = self._kind(question)
        countable = self._countable and self.work < WORK + WORK // 2
        if kind not in self._counted and countable and self._expected(question).ways is None:
            expected = self._expected(question)
            layout = self.knowledge.layout
            places = self._places(question.seats)
            try:
                ways = jointly(self._diagram, layout, question.cards, places)
            except TooLarge:
                self._countable = False
            else:
                gain = gains.counted(ways, expected.table, expected.chance, counting=self._counting)
                self._counted[kind] = gain
                self.work += ways.work
        return self._counted.get(kind, estimate)

    def honest(self, question: gains.Query) -> tuple[float, float]:
        """
        Return the bits that the question tells, with an error that covers the bias of few deals.

        The same classes dealt out among the worlds at random tell nothing; what they seem to tell
        is what this sample makes of nothing.
        """
        kind = self._kind(question)
        estimated = kind in self._estimates and not self.worlds.exact
        if estimated:
            bits, error = self._estimates[kind]
        else:
            gain = self.gain(question)
            bits, error = gain.bits, gain.error
        if not error:
            return bits, error
        order = _shuffled(len(self.worlds.deals))
        if estimated:
            nothing = float(self._informations([question], order).bits[0])
        else:
            expected = self._expected(question)
            alike = self._alike(question)
            kinds = expected.classes(self._way(question))[order]
            nothing = gains.gain(
                self.worlds, kinds, expected.chance, counting=self._counting, alike=alike
            ).bits
        return bits, float(np.hypot(error, nothing))

    def outcomes(self, question: gains.Query, places: Iterable[int]) -> list[gains.Outcome]:
        """Return some of the answers that the gain's chances are of, by holder and card number."""
        outcomes = self._expected(question).outcomes
        return [
            tuple((question.seats[seat], question.cards[card]) for seat, card in outcomes[place])
            for place in places
        ]

    def answer(self, question: gains.Query) -> gains.Outcomes:
        """Return what the answer to a question shows in each of the worlds."""
        expected = self._expected(question)
        return gains.Outcomes(expected.classes(self._way(question)), expected.chance)

    def look(self, holder: int) -> gains.Outcomes:
        """Return what a card drawn at random from a holder's shows in each of the worlds."""
        if holder not in self._looks:
            held, kind = np.unique(self.worlds.deals == holder, axis=0, return_inverse=True)
            sizes = held.sum(axis=1, keepdims=True)
            chance = np.hstack([held / np.maximum(sizes, 1), sizes == 0])
            self._looks[holder] = gains.Outcomes(kind.ravel(), gains.Chances.of_table(chance))
        return self._looks[holder]

    def told(self, seen: gains.Outcomes) -> gains.Gain:
        """Return what an observation tells that shows this in each of the worlds."""
        return self._gain(seen.kind, seen.chance)

    def _answered(self, question: gains.Query, expected: gains.Expected) -> gains.Gain:
        alike = None if self.worlds.exact else self._alike(question)
        return self._gain(expected.classes(self._way(question)), expected.chance, alike)

    def _gain(
        self, kind: Ints, chance: gains.Chances, alike: gains.Alike | None = None
    ) -> gains.Gain:
        gain = gains.gain(self.worlds, kind, chance, counting=self._counting, alike=alike)
        self.work += gain.work
        spend(gain.work // 2)
        return gain

    def _way(self, question: gains.Query) -> Ints:
        """Return in which way the question's cards lie in each of the worlds."""
        placed = self._placed_by(question.seats)
        way = np.zeros(len(self.worlds.deals), np.int64)
        for card in question.cards:
            way *= len(question.seats) + 1
            way += placed[card]
        return way

    def _places(self, seats: tuple[int, ...]) -> Ints:
        """Return each holder's place in the order of answering, behind it who is not asked."""
        place = np.full(self.knowledge.layout.holders, len(seats))
        place[list(seats)] = np.arange(len(seats))
        return place

    def _expected(self, question: gains.Query) -> gains.Expected:
        cards, seats, rule, _ = question
        habits = (0,) * len(seats)
        if self._sticky:
            habits = tuple(
                sum(1 << place for place, card in enumerate(cards) if self._habit[seat] >> card & 1)
                for seat in seats
            )
        form = len(seats), len(cards), rule, habits
        if form in self._forms:
            return self._forms[form]
        if not gains.countable(len(seats), len(cards), rule=rule):
            kind = self._kind(question)
            if kind not in self._met:  # what the sample knows of it
                ways = np.unique(self._way(question))
                self._met[kind] = gains.expected_of(
                    ways, len(seats), len(cards), rule, policy=self._policy, habits=habits
                )
                self.work += _CLASS_WORK * len(ways)
            return self._met[kind]
        made = gains.expected.cache_info().misses
        expected = gains.expected(len(seats), len(cards), rule, self._policy, habits)
        if gains.expected.cache_info().misses > made:
            self.work += _CLASS_WORK * len(expected.chance.first)
        self._forms[form] = expected
        return expected

    def _alike(self, question: gains.Query) -> gains.Alike:
        """Return the solutions that differ in cards of one kind, none of which is asked for."""
        label = np.array(self._kinds)
        label[list(question.cards)] = len(label) + np.arange(len(question.cards))
        cards = self.worlds.solutions.cards
        self.work += _SOLUTION_WORK * len(cards)
        spend(_SOLUTION_WORK // 2 * len(cards))
        strides = (2 * len(label)) ** np.arange(cards.shape[1])
        _, group, size = np.unique(label[cards] @ strides, return_inverse=True, return_counts=True)
        return gains.Alike(group, size)

    def _kind(self, question: gains.Query) -> Hashable:
        cards = tuple(map(self._kinds.__getitem__, question.cards))
        return cards, question.seats, question.rule, question.look

    def _kinds_of_cards(self, diagram: Diagram) -> list[int]:
        """Return a number for each card, the same for cards that nothing tells apart."""
        opened = diagram.openings
        categories = self.knowledge.layout.categories
        rules = {rule.cards for hand in opened.hands for rule in hand.rules}
        masks = [*(hand.cards for hand in opened.hands), *rules]
        always = [*categories, *self._habit]
        seen: dict[Hashable, int] = {}
        kinds = []
        for card, holder in enumerate(opened.certain):
            groups = always + masks if holder < 0 else always
            within = sum((mask >> card & 1) << at for at, mask in enumerate(groups))
            kinds.append(seen.setdefault((holder, within), len(seen)))
        return kinds


@lru_cache(maxsize=8)
def _shuffled(worlds: int) -> Ints:
    """Return so many numbers in an order that tells nothing."""
    return np.random.default_rng(0).random(worlds).argsort()


def _binary_entropy(posterior: Solutions, cards: int) -> Floats:
    """Return for each card the entropy of whether the envelope has it, in bits."""
    inside = sum(np.bincount(column, posterior.probability, cards) for column in posterior.cards.T)
    p = np.clip(inside, 1e-12, 1 - 1e-12)
    entropy: Floats = -p * np.log2(p) - (1 - p) * np.log2(1 - p)
    return entropy


def rank(
    questions: Mapping[Plan, gains.Query],
    estimator: GainEstimator,
    value: Callable[[Plan, float], float],
    *,
    first: int,
    most: int | None = None,
) -> list[tuple[Plan, gains.Gain]]:
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
    plans = list(questions)
    most = MOST_PLANS if most is None else most
    place = {plan: number for number, plan in enumerate(plans)}
    weighed: dict[Plan, gains.Gain] = {}
    if plans:
        weighed[plans[0]] = estimator.gain(questions[plans[0]])
    if len(plans) > most or estimator.work * len(plans) > WORK:
        promised = [value(plan, estimator.promise(questions[plan])) for plan in plans]
        key = dict(zip(plans, sort_key(promised).tolist(), strict=True))
        plans.sort(key=lambda plan: -key[plan])
        weighed = {}
    for plan in plans[:most]:
        if estimator.work > WORK and len(weighed) >= FEWEST_PLANS:
            break
        weighed[plan] = estimator.gain(questions[plan])
        estimator.work += _ANSWER_WORK * len(weighed[plan].chances)  # each is told

    def order() -> list[Plan]:
        keys = sort_key([value(plan, gain.bits) for plan, gain in weighed.items()]).tolist()
        worth = dict(zip(weighed, keys, strict=True))
        return sorted(weighed, key=lambda plan: (-worth[plan], place[plan]))

    ranked = order()
    for _ in range(4 * first):
        rough = [plan for plan in ranked[:first] if weighed[plan].error]
        if not rough:
            break
        for plan in rough:
            weighed[plan] = estimator.exact(questions[plan])
        ranked = order()
    return [(plan, weighed[plan]) for plan in ranked]


class UnseenByViewer(NamedTuple):
    """
    Something that a seat saw and the viewer did not.

    The card of `holder` that it saw at an entry is one of the mask `cards`; the holder chose it by
    the show policy if `shown`, else chance did. For a notch `groups` are the masks of the cards of
    one colour. The seat asked for `again` later, so it was most likely shown another one.
    """

    entry: int
    holder: int
    cards: int
    shown: bool
    groups: tuple[int, ...] = ()
    again: int = 0


class Opponents(NamedTuple):
    """
    Which seats can name the solution in some deals, and how long they have kept silent.

    Attributes:
        knows: Whether the seat can name it now, shape (deals,).
        silent: At the ends of how many own turns it could, and did not accuse, same shape.
    """

    knows: npt.NDArray[np.bool_]
    silent: Ints


def opponent_knows(
    solver: Solver,
    *,
    entries: int,
    seat: int,
    private: tuple[UnseenByViewer, ...],
    turns: Sequence[int],
    deals: Ints,
    rng: np.random.Generator,
    policy: ShowPolicy,
) -> Opponents:
    """
    Return in which deals a seat can name the solution, and since which of its turns.

    Who can name it once can name it later, so the first such turn is found by bisection.

    Args:
        solver: Holds what the seat shares with the viewer, by entry.
        entries: How many entries count.
        private: What the seat saw besides, in the order of the entries.
        turns: The last entry of each turn of its own that is over and in which it did not accuse,
            ascending.
        deals: Independent deals from the viewer's posterior, shape (deals, cards).
    """
    knows, silent = np.zeros(len(deals), bool), np.zeros(len(deals), np.int64)
    envelope = solver.layout.envelope
    for number, deal in enumerate(deals.tolist()):
        hand = [solver.has(card, seat) * (1 if at == seat else -1) for card, at in enumerate(deal)]
        seen = list(_seen(solver, deal, private, rng, policy))
        solution = sum(1 << card for card, holder in enumerate(deal) if holder == envelope)
        other = solver.guarded(Clause((), envelope, solution, False))

        proves = partial(_proves, solver, [*hand, other], seen)
        if proves(entries):
            knows[number] = True
            silent[number] = len(turns) - bisect_left(turns, True, key=proves)
    return Opponents(knows, silent)


def _proves(solver: Solver, assumed: list[int], seen: list[tuple[int, int]], upto: int) -> bool:
    """Return whether so many entries rule out what is assumed, by what a seat saw in them."""
    assumptions = solver.entries(upto)
    assumptions += [literal for entry, literal in seen if entry <= upto]
    return solver.model([*assumptions, *assumed]) is None


def _seen(
    solver: Solver,
    deal: list[int],
    private: tuple[UnseenByViewer, ...],
    rng: np.random.Generator,
    policy: ShowPolicy,
) -> Iterator[tuple[int, int]]:
    """Yield entries and literals of what the seat saw; colours as clauses under own selectors."""
    held = [0] * solver.layout.holders
    for card, holder in enumerate(deal):
        held[holder] |= 1 << card
    seen = [0] * solver.layout.holders  # what the seat has seen of each holder
    habits = [0] * solver.layout.holders  # what each holder has shown it
    for entry, holder, cards, shown, groups, _ in private:
        could = held[holder] & cards
        if not could or not (groups or could & ~seen[holder]):
            continue
        choice = card_numbers(could)
        if shown and len(choice) > 1:
            chances = np.cumsum(policy.picks(choice, habit=habits[holder]))
            card = choice[int(np.searchsorted(chances, rng.random() * chances[-1], "right"))]
        else:
            card = choice[int(rng.random() * len(choice))]
        if not groups:
            seen[holder] |= 1 << card
            habits[holder] |= shown << card
            yield entry, solver.has(card, holder)
            continue
        for colour in groups:
            if colour >> card & 1:
                yield entry, solver.guarded(Clause((), holder, colour, True))
