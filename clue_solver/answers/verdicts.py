"""
A finished game judged: its accusations, proofs that were not used, turning points.

Nothing is said of a seat that does not follow from entries it saw. Where the record holds only a
part of them, what follows from the part follows from the whole. A turning point is an entry that
moved the one who won (or who knew most in the end) by much, that changed who was closest, that gave
somebody the proof first, or that put a player out. Who is closest is told only among seats whose
hands the record holds: without its hand a seat looks further off than it was.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import NamedTuple, TypeGuard

import numpy as np

from clue_solver.answers import review
from clue_solver.answers.adviser import Adviser
from clue_solver.answers.turns_taken import TurnsTaken
from clue_solver.answers.weigher import WeighedSuggestion
from clue_solver.errors import TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.rounding import ROUNDING, rounded, sort_key
from clue_solver.inference.solutions import Solutions
from clue_solver.inference.spending import limited, spent
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

_TELLING = 1e-6
"""Bits from which a suggestion counts as one that tells something."""

WAITING = 2_000
"""How many deals are drawn to weigh waiting against accusing, where there are too many to count."""

_LIKELIER = 0.01
"""By how much another solution must be likelier to be named."""


class SeatNotes(NamedTuple):
    """
    One seat's notes of a game.

    Attributes:
        timeline: What it knew after each entry.
        proved: The first entry after which the solution was certain.
        even: The first entry after which the true solution had even odds.
        weighed: Its suggestions, by entry, each beside the best there was.
    """

    deduction: Deduction
    timeline: tuple[review.Moment, ...]
    proved: int | None
    even: int | None
    weighed: Mapping[int, WeighedSuggestion]


class Judge:
    """
    Judges the accusations of a finished game, those made and those that were not.

    Of the seats in `unheld`, whose hands the record does not hold, only what follows from the rest
    of their notes is told.
    """

    def __init__(
        self,
        table: Table,
        observations: Sequence[observed.Observation],
        notes: Mapping[str, SeatNotes],
        turns: TurnsTaken,
        *,
        unheld: Collection[str],
        seed: int,
        end: int,
    ) -> None:
        self.table = table
        self.observations = observations
        self.notes = notes
        self.turns = turns
        self.seed = seed
        self.numbers = Numbers(table)
        self.unheld = unheld
        self.end = end
        self.unjudged: list[int] = []

    def accusations(self) -> Iterator[review.AccusationReview]:
        """Yield the accusations with a verdict on each, in the order of the entries."""
        for entry, observation in enumerate(self.observations, 1):
            if isinstance(observation, observed.Accusation):
                judged = review.AccusationReview(
                    entry=entry,
                    seat=observation.by,
                    cards=observation.cards,
                    right=observation.right,
                    chance=0.0,
                    verdict="unknown",
                )
                proved = self.notes[observation.by].proved
                if observation.by not in self.unheld or (proved is not None and proved < entry):
                    try:
                        with limited((self.end - spent()) // 2):
                            judged = self._by_notes(entry, observation)
                    except TooLarge:
                        self.unjudged.append(entry)
                yield judged

    def missed_wins(self) -> Iterator[review.MissedWin]:
        """Yield who could prove it at the end of an own turn, did not accuse and lost."""
        winner = next(
            (observation.by for observation in self.observations if _right(observation)), None
        )
        out = {
            observation.by
            for observation in self.observations
            if isinstance(observation, observed.Accusation)
        }
        missed = []
        for seat in self.table.seats:
            if seat == winner or (winner is None and seat not in out):
                continue  # has not lost
            ends = self.turns.silent(seat)
            proved = self.notes[seat].proved
            first = next((end for end in ends if proved is not None and proved <= end), None)
            if first is not None:
                missed.append(review.MissedWin(seat=seat, entry=ends[first]))
        yield from sorted(missed, key=lambda win: win.entry)

    def _by_notes(self, entry: int, accusation: observed.Accusation) -> review.AccusationReview:
        """Return the verdict on an accusation by what the accuser knew."""
        seat, cards, right = accusation.by, accusation.cards, accusation.right
        own = self.notes[seat]
        proved = own.proved if own.proved is not None and own.proved < entry else None
        chance = _chance(own.deduction, entry - 1, self.numbers, cards)
        verdict: review.AccusationVerdict = "right" if right else "unlucky"
        excluded, passed_up, likelier = None, None, None
        missed_turn = False
        if chance < review.EVEN:
            if not right and (chance == 0.0 or not self._better(entry, seat, cards, chance)):
                verdict = "rash"
            if chance:
                likelier = self._likelier(own.deduction.solutions(entry - 1), chance)
            elif not right:
                excluded = _excluded(own.deduction, entry - 1, self.numbers, cards)
        elif right and proved is not None:
            passed_up = self._passed_up(seat, proved, entry)
            if passed_up is not None:
                verdict = "late"
            else:
                missed_turn = self.turns.before(seat, entry, proved)
        return review.AccusationReview(
            entry=entry,
            seat=seat,
            cards=cards,
            right=right,
            chance=chance,
            verdict=verdict,
            proved=proved,
            excluded=excluded,
            passed_up=passed_up,
            missed_turn=missed_turn,
            likelier=likelier,
        )

    def _passed_up(self, seat: str, proved: int, entry: int) -> int | None:
        ends = self.turns.passed_up(seat, proved)
        return next((end for end in ends if end < entry), None)

    def _likelier(
        self, posterior: Solutions, chance: float
    ) -> tuple[tuple[str, ...], float] | None:
        """Return what was likelier than an accusation of that chance, and how likely."""
        best = float(posterior.probability[0])
        if best <= chance + _LIKELIER + ROUNDING:
            return None
        return tuple(self.table.cards[card] for card in posterior.cards[0].tolist()), best

    def _better(self, entry: int, seat: str, cards: tuple[str, ...], chance: float) -> bool:
        """Return whether accusing was better than waiting, as advice has it; not for who is out."""
        if seat in TurnState.of(self.observations[: entry - 1]).gone:
            return False
        advising = Adviser(
            self.table,
            self.observations,
            self.notes[seat].deduction,
            viewer=seat,
            upto=entry - 1,
            rng=np.random.default_rng((self.seed, entry)),
            sample=WAITING,
        )
        return advising.accuses(cards, chance)


def _right(observation: observed.Observation) -> TypeGuard[observed.Accusation]:
    return isinstance(observation, observed.Accusation) and observation.right


def missed_deductions(
    table: Table,
    observations: Sequence[observed.Observation],
    notes: Mapping[str, SeatNotes],
    turns: TurnsTaken,
    *,
    solution: tuple[str, ...],
    whole: Collection[str],
    end: int,
) -> Iterator[review.MissedDeduction]:
    """
    Yield what seats could prove and evidently did not use, in no order.

    That another question would have told more is said only of seats in `whole`, whose notes the
    record holds in full: else there may have been nothing to ask. What would cost more than may be
    spent up to `end` is left out.
    """
    numbers = Numbers(table)
    for seat, own in notes.items():
        waited = [] if own.proved is None else turns.passed_up(seat, own.proved)
        if own.proved is not None and waited:
            yield review.MissedDeduction(
                entry=waited[0],
                seat=seat,
                since=own.proved,
                kind="solution",
                cards=solution,
                turns=tuple(waited),
            )
    for entry, observation in enumerate(observations, 1):
        match observation:
            case observed.Suggestion(by=seat, cards=cards) if seat in whole:
                since = None
                with suppress(TooLarge), limited(end - spent()):
                    left = TurnState.of(observations[: entry - 1]).left
                    since = _certain_since(
                        table, notes[seat], entry, observation, numbers, left=left
                    )
                if since is not None:
                    weighed = notes[seat].weighed[entry]
                    yield review.MissedDeduction(
                        entry=entry,
                        seat=seat,
                        since=since,
                        kind="question",
                        cards=cards,
                        best=weighed.best,
                        best_gain=weighed.best_gain.bits,
                    )
            case observed.Accusation(by=seat, cards=cards, right=False):
                deduction = notes[seat].deduction
                since = None
                with suppress(TooLarge), limited(end - spent()):
                    since = _excluded(deduction, entry - 1, numbers, cards)
                if since is not None:
                    inside = 1 << numbers.layout.envelope
                    possible = deduction.possible(entry - 1)
                    could = sum(1 << card for card, at in enumerate(possible) if at & inside)
                    yield review.MissedDeduction(
                        entry=entry,
                        seat=seat,
                        since=since,
                        kind="accusation",
                        cards=cards,
                        alone=tuple(card for card in cards if not could & numbers.card(card)),
                    )


def _chance(deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]) -> float:
    """Return the probability that these cards are the solution."""
    posterior = deduction.solutions(upto)
    chosen = card_numbers(numbers.cards(cards))
    if len(chosen) < len(cards):
        return 0.0  # one of them lies face-up
    same = (posterior.cards == chosen).all(axis=1)
    return float(rounded(posterior.probability[same].sum()))


def _excluded(
    deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]
) -> int | None:
    """Return the entry since which the seat could exclude that these are the solution."""
    chosen = card_numbers(numbers.cards(cards))
    solver = deduction.solver
    envelope = numbers.layout.envelope
    inside = [solver.has(card, envelope) for card in chosen]

    def excluded(entry: int) -> bool:
        known = solver.entries(entry)
        return len(chosen) < len(cards) or solver.model([*known, *inside]) is None

    return _first(excluded, upto)


def _certain_since(
    table: Table,
    own: SeatNotes,
    entry: int,
    suggestion: observed.Suggestion,
    numbers: Numbers,
    *,
    left: frozenset[str],
) -> int | None:
    """Return since when the asker could tell the answers, where asking something else told more."""
    weighed = own.weighed.get(entry)
    if weighed is None:
        return None
    best = weighed.best_gain
    if best.bits <= max(_TELLING, 4 * best.error):
        return None
    cards = card_numbers(numbers.cards(suggestion.cards))
    seats = [numbers.holder(seat) for seat in table.answering(suggestion.by, left=left)]

    def foregone(upto: int) -> bool:
        """Whether it is certain who shows, and out of which cards: then nothing is told."""
        possible = own.deduction.possible(upto)
        for seat in seats:
            could = [card for card in cards if possible[card] >> seat & 1]
            if any(possible[card] != 1 << seat for card in could):
                return False
            if could and not table.everyone_shows:
                break
        return True

    return _first(foregone, entry - 1)


def _first(true: Callable[[int], bool], upto: int) -> int | None:
    """Return the first entry after which something is so that then stays so; `None` if never."""
    if not true(upto):
        return None
    return next(entry for entry in range(upto + 1) if true(entry))


MOST_TURNING_POINTS = 7
"""The most turning points that are named."""

_SWING, _RISE, _AHEAD, _OTHERS = 0.5, 0.05, 0.1, 0.6
"""
Bits that make a swing, and how much the chance of the true solution must have risen; by how much
the chance of a seat to name the solution must be ahead for it to be called the closest; what the
swings of those weigh who did not win.
"""


def turning_points(
    observations: Sequence[observed.Observation],
    seats: Sequence[review.SeatReview],
    accused: Sequence[review.AccusationReview],
    *,
    missed: Iterable[review.MissedWin] = (),
) -> tuple[review.TurningPoint, ...]:
    """
    Return the weightiest turning points, in the order of their entries.

    Who could prove the solution first is not said where others missed a win before.
    """
    over = review.end_of_game(accused, len(observations))
    won = next((accusation.seat for accusation in accused if accusation.right), None)
    closest = min(seats, key=lambda seat: (sort_key(seat.timeline[-1].bits), seat.proved or 0))
    hero = next((seat for seat in seats if seat.seat == won), closest)
    key_moments = [
        *_swings(observations, hero, over),
        *_overtaking(observations, seats, accused, over),
    ]
    for seat in seats:
        if seat.whole and seat is not hero:
            swings = _swings(observations, seat, over)
            key_moments += (swing._replace(weight=_OTHERS * swing.weight) for swing in swings)
    first = min((seat.proved for seat in seats if seat.proved is not None), default=over)
    if first < over:
        sure = [seat.seat for seat in seats if seat.proved == first]
        before = any(win.entry <= first and win.seat not in sure for win in missed)
        whose = () if len(sure) == len(seats) else tuple(sure)
        key_moments.append(review.KeyMoment(first, "proof", inf, whose, first=not before))
    key_moments += (
        review.KeyMoment(accusation.entry, "out", inf, (accusation.seat,))
        for accusation in accused
        if not accusation.right and accusation.entry < over
    )
    moments = defaultdict[int, list[review.KeyMoment]](list)
    for moment in key_moments:
        moments[moment.entry].append(moment)
    points = [
        review.TurningPoint(
            entry=entry, weight=sum(moment.weight for moment in together), moments=tuple(together)
        )
        for entry, together in sorted(moments.items())
    ]
    points.sort(key=lambda point: -sort_key(point.weight))  # of equal ones the earlier
    return tuple(sorted(points[:MOST_TURNING_POINTS], key=lambda point: point.entry))


def _swings(
    observations: Sequence[observed.Observation], hero: review.SeatReview, over: int
) -> Iterator[review.KeyMoment]:
    for moment in hero.timeline[1:over]:
        observation = observations[moment.entry - 1]
        if moment.gained < _SWING - ROUNDING or observation.sight.owner:
            continue
        was = hero.timeline[moment.entry - 1].true_chance
        if moment.true_chance < was + _RISE - ROUNDING:
            continue  # fewer possibilities, but hardly nearer to the solution
        by = getattr(observation, "by", None)
        chances = was, moment.true_chance
        yield review.KeyMoment(moment.entry, "swing", moment.gained, (hero.seat,), *chances, by)


def _overtaking(
    observations: Sequence[observed.Observation],
    seats: Sequence[review.SeatReview],
    accused: Sequence[review.AccusationReview],
    over: int,
) -> Iterator[review.KeyMoment]:
    held = {
        observation.seat for observation in observations if isinstance(observation, observed.Hand)
    }
    out = {accusation.seat: accusation.entry for accusation in accused if not accusation.right}
    rivals = [seat for seat in seats if seat.seat in held]
    leader: review.SeatReview | None = None
    for entry in range(over):
        still = [rival for rival in rivals if out.get(rival.seat, over) > entry]
        if len(still) < 2:
            return
        closest, second = sorted(
            still, key=lambda rival: -sort_key(rival.timeline[entry].true_chance)
        )[:2]
        behind = leader if leader in still else second
        ahead = closest.timeline[entry].true_chance - behind.timeline[entry].true_chance
        if closest is behind or ahead < _AHEAD - ROUNDING:
            continue
        dealt = entry and isinstance(observations[entry - 1], observed.Hand)
        if leader is behind and not dealt:
            weight = max(closest.timeline[entry].gained, ahead)
            before = behind.timeline[entry].true_chance
            after = closest.timeline[entry].true_chance
            yield review.KeyMoment(
                entry, "lead", weight, (closest.seat, behind.seat), before, after
            )
        leader = closest
