"""
What a player may have known whose hand the record does not hold.

Deals are drawn from the final posterior: all that the record says in the end, with the solution. In
each of them what the player saw is rebuilt, its hand, the answers that nobody noted, the cards that
it was shown; then it is judged as if the record held all of that. A deal weighs less where the
player could have proved the solution at the end of an own turn and kept silent, and where it gave
the cards that it accused little chance: whoever accuses mostly believes it.

What 98 of 100 deals agree on is told, everything else is not. Up to `MOST` deals are drawn, fewer
where it is plain before whether 98 of 100 will agree.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import exp, inf, log
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.adviser import Adviser
from clue_solver.answers.review import Interval
from clue_solver.answers.weigher import InReach, SuggestionWeigher
from clue_solver.errors import TooLarge
from clue_solver.inference.deduction import MEMORY_WITH_BEHAVIOUR, Deduction
from clue_solver.inference.diagram import ROUNDING, Diagram, Ints, rounded, sort_key
from clue_solver.inference.hands import narrowed, openings
from clue_solver.inference.ranking import GainEstimator
from clue_solver.inference.solutions import solutions
from clue_solver.inference.spending import spend, spent
from clue_solver.knowledge.clauses import Clause, Numbers, card_numbers
from clue_solver.knowledge.evidence import SILENCE, predicting
from clue_solver.knowledge.viewer import Knowledge, final_knowledge, knowledge_of
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.rules.turns import TurnsTaken

MOST = 1_000
"""The most deals that a verdict is asked of."""

AGREED = 0.98
"""The share of the deals that must agree on what is told."""

_STOPS = (40, 150, 400)
_MARGIN = 2.5
MOST_WORK = 600_000_000
"""What the verdicts of all players may cost, in units of `spending`."""

UNBELIEVED = 0.01
"""How likely somebody accuses what their own notes exclude, against what is certain."""

WORLDS, SAMPLE = 6, 600
"""In how many deals suggestions are weighed, and by how many deals of the player's posterior."""

_CANDIDATES = 40
_ENTRY_WORK, _READ_WORK = 4_000, 40_000
"""What an entry costs as one player saw it, and what it tells that player, as in `spending`."""
_SPREAD = 2.571
"""Student's t for 95 % and one deal less than `WORLDS`."""

Cards = tuple[str, ...]
Verdict = TypeVar("Verdict", bound=Hashable)


class Weighing(NamedTuple):
    """
    A suggestion in one deal.

    Attributes:
        gain, best_gain: What it and the best one were expected to bring, in bits.
        best, within: The best one, and the rooms that it had to keep to.
    """

    gain: float
    best_gain: float
    best: Cards
    within: Cards

    @property
    def accuracy(self) -> float:
        """The gain as a share of the best, from 0 to 1; 1 where nothing could be gained."""
        if self.best_gain <= ROUNDING:
            return 1.0
        return min(1.0, max(0.0, self.gain / self.best_gain))


class DrawnDeals:
    """Deals drawn from the final posterior of a record."""

    def __init__(
        self,
        table: Table,
        observations: tuple[observed.Observation, ...],
        solution: Cards,
        *,
        seed: int,
    ) -> None:
        """Raises `TooLarge` if the posterior cannot be summed up."""
        self.table = table
        self.observations = observations
        self.solution = solution
        self.numbers = Numbers(table)
        seat = table.seats[0]
        supposed = [observed.Knowing(by=seat, holder=ENVELOPE, has=(card,)) for card in solution]
        known = Deduction(final_knowledge(table, observations, supposed=supposed))
        self.rng = np.random.default_rng((seed, len(observations)))
        self.deals: Ints = known.diagram(len(observations)).draw(MOST, self.rng)

    def held(self, deal: Ints) -> dict[str, Cards]:
        """Return the cards of each holder in a deal."""
        cards, holders = self.table.cards, self.table.holders
        return {
            holder: tuple(cards[card] for card in np.flatnonzero(deal == number))
            for number, holder in enumerate(holders)
        }


class UnrecordedHand:
    """
    One player whose hand the record does not hold.

    `notes` is what follows from the player's share of the record; `choices` is what dice and board
    allowed, by the entry of a suggestion.
    """

    def __init__(
        self,
        drawn: DrawnDeals,
        seat: str,
        notes: Deduction,
        turns: TurnsTaken,
        choices: Mapping[int, InReach],
    ) -> None:
        self.drawn = drawn
        self.seat = seat
        self.notes = notes
        self.turns = turns
        self.choices = choices
        self.table = drawn.table
        number = drawn.table.seats.index(seat)
        self.seed = (*drawn.rng.integers(1 << 30, size=1).tolist(), number)
        self.rng = np.random.default_rng(self.seed)
        self._made: dict[int, SeenInDeal] = {}
        self.silent = turns.silent(seat, later=drawn.table.edition.accuses)
        solver = notes.solver
        numbers = drawn.numbers
        wanted = numbers.cards(drawn.solution)
        self.otherwise = solver.guarded(Clause((), numbers.layout.envelope, wanted, False))

    # What is asked of the deals.

    def verdict(
        self, judged: Callable[["SeenInDeal"], tuple[Verdict, float]]
    ) -> tuple[Verdict | None, Mapping[Verdict, float]]:
        """
        Return what 98 of 100 deals agree on, `None` if they do not, and the share of each.

        `judged` returns the verdict in one deal, and the logarithm of what the deal weighs.
        """
        votes = Counter[Verdict]()
        squares = 0.0
        heaviest = -inf
        most = spent() + MOST_WORK // len(self.table.seats)
        for number, seen in enumerate(self.seen(), 1):
            verdict, logarithm = judged(seen)
            if logarithm > heaviest:  # all weigh what they do against the heaviest so far
                lighter = exp(heaviest - logarithm)
                votes = Counter({verdict: weight * lighter for verdict, weight in votes.items()})
                squares = squares * lighter * lighter
                heaviest = logarithm
            weight = exp(logarithm - heaviest)
            votes[verdict] += weight  # type: ignore[assignment] # counters add up floats as well
            squares += weight * weight
            if number in _STOPS and self._plain(votes, squares):
                break
            if spent() > most:
                break
        total = votes.total() or 1.0
        ranked = sorted(votes, key=lambda verdict: -sort_key(votes[verdict] / total))
        shares = {verdict: votes[verdict] / total for verdict in ranked}
        first = next(iter(shares))
        return (first if shares[first] >= AGREED - ROUNDING else None), shares

    def _plain(self, votes: Counter[Verdict], squares: float) -> bool:
        """Return whether it is plain by now whether 98 of 100 deals will agree."""
        total = votes.total()
        if not squares:
            return False
        count = total * total / squares
        share = max(votes.values()) / total
        error = np.sqrt((share * (1.0 - share) + 1.0 / count) / count)
        return bool(abs(share - AGREED) > _MARGIN * error)

    def seen(self) -> Iterator["SeenInDeal"]:
        """Yield what the player saw in one deal after the other."""
        for place in range(len(self.drawn.deals)):
            yield self._seen_in(place)

    def _seen_in(self, place: int) -> "SeenInDeal":
        if place not in self._made:
            held = self.drawn.held(self.drawn.deals[place])
            self._made[place] = SeenInDeal(self, held)
        return self._made[place]

    def first_chance(self) -> int | None:
        """Return the first end of an own turn by which 98 of 100 deals have the proof."""
        ends = [*self.silent]
        if not ends:
            return None

        def proof(seen: "SeenInDeal") -> tuple[int | None, float]:
            first = seen.first_silent
            silent = 0 if first is None else len(ends) - ends.index(first)
            return first, silent * log(SILENCE)

        could, _ = self.verdict(lambda seen: ((proved := proof(seen))[0] is not None, proved[1]))
        if not could:
            return None
        _, shares = self.verdict(proof)
        summed = np.cumsum([shares.get(end, 0.0) for end in ends])
        return next(
            (end for end, sure in zip(ends, summed, strict=True) if sure >= AGREED - ROUNDING), None
        )

    # Suggestions.

    @cached_property
    def worlds(self) -> tuple["SeenInDeal", ...]:
        """Some deals, drawn again by their weights: in these suggestions are weighed."""
        places = range(min(_CANDIDATES, len(self.drawn.deals)))
        candidates = [self._seen_in(place) for place in places]
        logarithms = np.array([candidate.log_weight for candidate in candidates])
        weight = np.exp(logarithms - logarithms.max())
        steps = (np.arange(WORLDS) + self.rng.random()) / WORLDS
        chosen = np.searchsorted(np.cumsum(weight) / weight.sum(), steps)
        return tuple(candidates[place] for place in np.minimum(chosen, len(candidates) - 1))

    def weighed(self, entry: int, cards: Cards) -> tuple[Weighing, ...]:
        """Return a suggestion of the player's, weighed in each of `worlds`."""
        kept = {id(seen): seen for seen in self.worlds}
        rng = np.random.default_rng((*self.seed, entry))
        weighed = {number: seen.weighed(entry, cards, rng) for number, seen in kept.items()}
        return tuple(weighed[id(seen)] for seen in self.worlds)

    def asked(self) -> Iterator[tuple[int, Cards]]:
        """Yield the player's suggestions while in the game: the entry, the cards in order."""
        return suggestions_of(self.seat, self.drawn.observations, self.table)


class SeenInDeal:
    """What one player saw if the cards lie as in one deal."""

    def __init__(self, player: UnrecordedHand, held: Mapping[str, Cards]) -> None:
        self.player = player
        self.held = held
        self._habit: dict[str, tuple[str, ...]] = {}

    @cached_property
    def observations(self) -> tuple[observed.Observation, ...]:
        """The entries with all that the player saw filled in."""
        spend(_ENTRY_WORK * len(self.player.drawn.observations))
        notch: dict[int, str] = {}
        opened = 0
        observations = []
        for observation in self.player.drawn.observations:
            if isinstance(observation, observed.Peek) and observation.feature:
                notch[opened] = observation.feature
            if isinstance(observation, observed.Accusation) and not observation.right:
                opened += 1
        opened = 0
        for observation in self.player.drawn.observations:
            observations.append(
                self._peeked(observation, notch, opened) or self._filled(observation)
            )
            if isinstance(observation, observed.Accusation) and not observation.right:
                opened += 1
        return tuple(observations)

    @cached_property
    def knowledge(self) -> Knowledge:
        """What the player knew."""
        spend(_READ_WORK * len(self.player.drawn.observations))
        table = self.player.table
        seat = self.player.seat
        own = self.held[self.player.seat]
        hand = [observed.Knowing(by=seat, holder=seat, has=(card,)) for card in own]
        rest = [card for card in table.cards if card not in own]
        hand += [observed.Knowing(by=seat, holder=seat, lacks=(card,)) for card in rest]
        return knowledge_of(table, self.observations, viewer=seat, supposed=hand)

    @cached_property
    def deduction(self) -> Deduction:
        """What follows from it."""
        return Deduction(self.knowledge)

    @cached_property
    def _literals(self) -> tuple[tuple[int, int], ...]:
        """Entries and literals of what the record does not say; the hand belongs to entry 0."""
        player, numbers = self.player, self.player.drawn.numbers
        solver = player.notes.solver
        holder = numbers.holder
        own = set(card_numbers(numbers.cards(self.held[player.seat])))
        mine = holder(player.seat)
        literals = [
            (0, solver.has(card, mine) * (1 if card in own else -1))
            for card in range(numbers.layout.cards)
        ]
        pairs = zip(player.drawn.observations, self.observations, strict=True)
        for entry, (before, after) in enumerate(pairs, 1):
            if after is before:
                continue
            for place, cards, has in _said(after):
                mask = numbers.cards(cards)
                if has:
                    literals.append((entry, solver.guarded(Clause((), holder(place), mask, True))))
                else:
                    literals += (
                        (entry, -solver.has(card, holder(place))) for card in card_numbers(mask)
                    )
        return tuple(literals)

    def proves(self, upto: int) -> bool:
        """Return whether the player could prove the solution after so many entries."""
        player = self.player
        solver = player.notes.solver
        assumed = solver.entries(upto)
        assumed += [literal for entry, literal in self._literals if entry <= upto]
        return solver.model([*assumed, player.otherwise]) is None

    def first_proof(self, ends: Sequence[int]) -> int | None:
        """Return the first of some ascending entries by which the player could prove it."""
        low = 0
        high = len(ends)
        if not ends or not self.proves(ends[-1]):
            return None
        while low + 1 < high:
            middle = (low + high) // 2
            if self.proves(ends[middle - 1]):
                high = middle
            else:
                low = middle
        return ends[high - 1]

    def log_silence(self, before: int) -> float:
        """Return the logarithm of how likely the player kept silent as it did until an entry."""
        first = self.first_silent
        if first is None:
            return 0.0
        return sum(first <= end < before for end in self.player.silent) * log(SILENCE)

    @cached_property
    def first_silent(self) -> int | None:
        """The first end of an own turn by which it could prove the solution and kept silent."""
        return self.first_proof([*self.player.silent])

    @cached_property
    def log_weight(self) -> float:
        """The logarithm of what the deal weighs by all that the player did, accusing too."""
        player = self.player
        weight = self.log_silence(len(player.drawn.observations) + 1)
        for entry, observation in enumerate(player.drawn.observations, 1):
            if (
                isinstance(observation, observed.Accusation)
                and observation.by == player.seat
                and observation.right
            ):
                weight += 0.0 if self.proves(entry - 1) else log(SILENCE)
        return weight

    def believed(self, entry: int, cards: Cards) -> float:
        """Return the probability that the player's notes gave some cards before an entry."""
        known = self.knowledge.upto(entry - 1)
        chosen = card_numbers(self.player.drawn.numbers.cards(cards))
        if len(chosen) < len(cards):
            return 0.0
        diagram = self._diagram(known)
        if diagram is None:
            posterior = self.deduction.solutions(entry - 1)
        else:
            posterior = solutions(diagram, known.layout)
        same = (posterior.cards == chosen).all(axis=1)
        return float(rounded(posterior.probability[same].sum()))

    def adviser(self, entry: int, rng: np.random.Generator) -> Adviser:
        """Return what advises the player before an entry."""
        return Adviser(
            self.player.table,
            self.observations,
            self.deduction,
            viewer=self.player.seat,
            upto=entry - 1,
            rng=rng,
            sample=SAMPLE,
            rough=True,
        )

    def weighed(self, entry: int, cards: Cards, rng: np.random.Generator) -> Weighing:
        """Return a suggestion of the player's, weighed by deals that fit what it saw."""
        player = self.player
        known = self.knowledge.upto(entry - 1)
        diagram = self._diagram(known)
        weigher: SuggestionWeigher
        if diagram is None:
            weigher = self.adviser(entry, rng)
            self.deduction.let_go()
        else:
            estimator = GainEstimator(known, diagram, rng, posterior=None, sample=SAMPLE)
            certain = diagram.openings.certain
            weigher = SuggestionWeigher(player.table, player.seat, certain, estimator)
        gain, best, most, within = weigher.roughly_weighed(cards, player.choices.get(entry))
        return Weighing(gain, most, best, within)

    def _diagram(self, known: Knowledge) -> Diagram | None:
        """Return the deals that fit, without asking what else is certain; `None` if too many."""
        possible = narrowed(known)
        with suppress(TooLarge):
            diagram = Diagram(openings(known, possible), memory=MEMORY_WITH_BEHAVIOUR)
            if diagram.fits:
                return diagram
        return None

    # What the player saw and the record does not say.

    def _filled(self, observation: observed.Observation) -> observed.Observation:
        seat = self.player.seat
        match observation:
            case observed.Suggestion(by=by) | observed.Finger(by=by):
                return self._answered(observation, by == seat)
            case observed.Question(by=by, seat=other, about=about, answer=answer, card=card):
                marked = self.player.table.edition.features
                asked = tuple(name for thing in about for name in marked.get(thing, (thing,)))
                could = self._of(other, asked)
                if answer == "unheard":
                    observation = replace(observation, answer="shows" if could else "passes")
                if by == seat and could and card is None and observation.answer == "shows":
                    return replace(observation, card=self._shown(other, could))
            case observed.Look(by=by, holder=holder, card=None) if by == seat:
                return replace(observation, card=self._any(self.held[holder]))
            case observed.Reveal(seat=other, to=to, card=None) if to == seat:
                return replace(observation, card=self._any(self.held[other]))
            case _:
                pass
        return observation

    def _peeked(
        self, observation: observed.Observation, notch: dict[int, str], opened: int
    ) -> observed.Observation | None:
        """Return a peek of the player's with what it saw; the notch shows everybody the same."""
        table = self.player.table
        if (
            not isinstance(observation, observed.Peek)
            or observation.by != self.player.seat
            or observation.feature
        ):
            return None
        opened = 0 if table.notch == "same" else opened
        if opened not in notch:
            card = self._any(self.held[ENVELOPE])
            marked = table.edition.features.items()
            feature = next((name for name, cards in marked if card in cards), None)
            if feature is None:
                return None
            notch[opened] = feature
        return replace(observation, feature=notch[opened])

    def _answered(
        self, suggestion: observed.Suggestion | observed.Finger, own: bool
    ) -> observed.Suggestion | observed.Finger:
        """Return a suggestion with all answers, and with the cards if it is the player's own."""
        answers = [answer for answer in suggestion.answers if answer.answer != "unheard"]
        given = {answer.seat for answer in answers}
        table = self.player.table
        others = table.answering(suggestion.by)
        able = {answer.seat or "" for answer in answers if answer.answer == "shows"}
        able |= {seat for seat in others if seat not in given and self._of(seat, suggestion.cards)}
        for seat in table.asked(suggestion.by, able):
            if seat not in given:
                reply: observed.Reply = "shows" if seat in able else "passes"
                answers.append(observed.Answer(seat=seat, answer=reply))
        if own:
            for place, answer in enumerate(answers):
                could = self._of(answer.seat or "", suggestion.cards)
                if answer.answer == "shows" and answer.card is None and could:
                    card = self._shown(answer.seat or "", could)
                    answers[place] = replace(answer, card=card)
        if tuple(answers) == suggestion.answers:
            return suggestion
        return replace(suggestion, answers=tuple(answers))

    def _of(self, holder: str, cards: Sequence[str]) -> Cards:
        has = self.held.get(holder, ())
        return tuple(card for card in cards if card in has)

    def _any(self, cards: Cards) -> str:
        return cards[int(self.player.rng.integers(len(cards)))]

    def _shown(self, seat: str, could: Cards) -> str:
        """Return the card that a seat shows the player, by the show policy."""
        habit = self._habit.get(seat, ())
        usual = sum(1 << place for place, card in enumerate(could) if card in habit)
        policy = predicting(self.player.table.policy)
        chances = np.cumsum(policy.picks(tuple(range(len(could))), habit=usual))
        lot = self.player.rng.random() * chances[-1]
        card = could[int(np.searchsorted(chances, lot, "right"))]
        self._habit[seat] = (*habit, card)
        return card


def _said(observation: observed.Observation) -> Iterator[tuple[str, Cards, bool]]:
    """Yield what an entry says of holders: that they have one of some cards, or none of them."""
    match observation:
        case (
            observed.Suggestion(cards=cards, answers=answers)
            | observed.Finger(cards=cards, answers=answers)
        ):
            for answer in answers:
                shown = cards if answer.card is None else (answer.card,)
                yield answer.seat or "", shown, answer.answer == "shows"
        case observed.Question(seat=seat, about=about, answer=answer, card=card):
            yield seat, about if card is None else (card,), answer == "shows"
        case observed.Look(holder=holder, card=str(card)):
            yield holder, (card,), True
        case observed.Reveal(seat=seat, card=str(card)):
            yield seat, (card,), True
        case observed.Peek(feature=str(feature)):
            yield ENVELOPE, (feature,), True
        case _:
            pass


def suggestions_of(
    seat: str, observations: Sequence[observed.Observation], table: Table
) -> Iterator[tuple[int, Cards]]:
    """Yield a seat's suggestions while in the game: the entry, the cards in category order."""
    for entry, observation in enumerate(observations, 1):
        match observation:
            case observed.Suggestion(by=by, cards=cards) if by == seat:
                yield entry, in_order(cards, table)
            case observed.Accusation(by=by, right=False) if by == seat:
                return


def in_order(cards: Cards, table: Table) -> Cards:
    """Return cards as the edition lists them; a record has them in the order of its lines."""
    return tuple(sorted(cards, key=table.edition.names.index))


def spread(values: Sequence[float], *, low: float = -np.inf, high: float = np.inf) -> Interval:
    """Return the interval that has the true value in 95 % of cases, by its values in `worlds`."""
    mean = float(np.mean(values))
    error = spread_error(values)
    return max(low, mean - _SPREAD * error), min(high, mean + _SPREAD * error)


def spread_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of some worlds as an estimate of the true value."""
    if len(values) < 2:
        return 0.0
    return float(np.std(values, ddof=1) * np.sqrt(1.0 + 1.0 / len(values)))
