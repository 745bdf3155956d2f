"""
What is said about a finished game: accusations judged, proofs that were not used, turning points.

Nothing is said of a seat that does not follow from entries it saw. Where the record holds only a
part of them, what follows from the part follows from the whole. A turning point is an entry that
moved the one who won (or who knew most in the end) by much, that changed who was closest, that gave
somebody the proof first, or that put a player out. Who is closest is told only among seats whose
hands the record holds: without its hand a seat looks further off than it was.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from clue_solver.answers import review
from clue_solver.answers.adviser import WeighedSuggestion
from clue_solver.answers.display import percent, since_when
from clue_solver.errors import named_entries
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.notation.names import joined
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnsTaken

_TELLING = 1e-6
"""Bits from which a suggestion counts as one that tells something."""


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


def judge_accusations(
    table: Table,
    observations: Sequence[observed.Observation],
    notes: Mapping[str, SeatNotes],
    turns: TurnsTaken,
) -> Iterator[review.AccusationReview]:
    """Yield the accusations with a verdict on each, in the order of the entries."""
    numbers = Numbers(table)
    for entry, observation in enumerate(observations, 1):
        if not isinstance(observation, observed.Accusation):
            continue
        seat, cards = observation.by, observation.cards
        own = notes[seat]
        proved = own.proved if own.proved is not None and own.proved < entry else None
        chance = _chance(own.deduction, entry - 1, numbers, cards)
        waited = [] if proved is None else [e for e in turns.passed_up(seat, proved) if e < entry]
        verdict: review.AccusationVerdict
        if not observation.right:
            since = _excluded(own.deduction, entry - 1, numbers, cards) if chance == 0 else None
            verdict, why = "rash", f"wrong, at a chance of {percent(chance)} %"
            if since is not None:
                why = f"wrong, and their own notes excluded it {since_when(since)}"
            elif chance >= 0.5:
                why += ": bad luck rather than haste"
        elif chance < 0.5:
            verdict, why = "rash", f"right by luck, at a chance of {percent(chance)} %"
        elif waited:
            told = f"right, and certain since entry {proved}"
            verdict, why = "late", f"{told}, before their turn in entry {waited[0]}"
        elif proved is not None:
            verdict, why = "right", f"right, and certain since entry {proved}"
            if table.edition.accuses and turns.before(seat, entry, proved):
                why += ", their turn before, in which they could have accused already"
        else:
            verdict, why = "right", f"right, at a chance of {percent(chance)} %"
        yield review.AccusationReview(
            entry=entry, seat=seat, cards=cards, right=observation.right, chance=chance,
            verdict=verdict, proved=proved, why=why,
        )  # fmt: skip


def missed_deductions(
    table: Table,
    observations: Sequence[observed.Observation],
    notes: Mapping[str, SeatNotes],
    turns: TurnsTaken,
    *,
    solution: tuple[str, ...],
    whole: Collection[str],
) -> Iterator[review.MissedDeduction]:
    """
    Yield what seats could prove and evidently did not use, in no order.

    That another question would have told more is said only of seats in `whole`, whose notes the
    record holds in full: else there may have been nothing to ask.
    """
    numbers = Numbers(table)
    for seat, own in notes.items():
        waited = [] if own.proved is None else turns.passed_up(seat, own.proved)
        if own.proved is not None and waited:
            told = f"could prove {', '.join(solution)} and did not accuse in"
            what = f"{told} {named_entries(waited)}"
            yield review.MissedDeduction(entry=waited[0], seat=seat, what=what, since=own.proved)
    for entry, observation in enumerate(observations, 1):
        match observation:
            case observed.Suggestion(by=seat, cards=cards) if seat in whole:
                since = _certain_since(table, notes[seat], entry, observation, numbers)
                if since is not None:
                    best = notes[seat].weighed[entry]
                    what = (
                        f"asked for {', '.join(cards)} although every answer was certain; "
                        f"{', '.join(best.best)} was expected to bring "
                        f"{best.best_gain.bits:.2f} bits"
                    )
                    yield review.MissedDeduction(entry=entry, seat=seat, what=what, since=since)
            case observed.Accusation(by=seat, cards=cards, right=False):
                deduction = notes[seat].deduction
                since = _excluded(deduction, entry - 1, numbers, cards)
                if since is not None:
                    inside = 1 << numbers.layout.envelope
                    possible = deduction.possible(entry - 1)
                    could = sum(1 << card for card, at in enumerate(possible) if at & inside)
                    alone = [card for card in cards if not could & numbers.card(card)]
                    what = f"accused {', '.join(cards)}, which their own notes excluded"
                    if 0 < len(alone) < len(cards):
                        what += f", {joined(alone, 'and')} above all"
                    yield review.MissedDeduction(entry=entry, seat=seat, what=what, since=since)


def _chance(deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]) -> float:
    """Return the probability that these cards are the solution."""
    posterior = deduction.solutions(upto)
    chosen = card_numbers(numbers.cards(cards))
    if len(chosen) < len(cards):
        return 0.0  # one of them lies face-up
    same = (posterior.cards == chosen).all(axis=1)
    return float(posterior.probability[same].sum())


def _excluded(
    deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]
) -> int | None:
    """Return the entry since which the seat could exclude that these are the solution."""
    chosen = card_numbers(numbers.cards(cards))
    solver, envelope = deduction.solver, numbers.layout.envelope
    inside = [solver.has(card, envelope) for card in chosen]

    def excluded(entry: int) -> bool:
        known = [solver.entry(number) for number in range(1, entry + 1)]
        return len(chosen) < len(cards) or solver.model([*known, *inside]) is None

    return _first(excluded, upto)


def _certain_since(
    table: Table, own: SeatNotes, entry: int, suggestion: observed.Suggestion, numbers: Numbers
) -> int | None:
    """Return since when the asker could tell the answers, where asking something else told more."""
    weighed = own.weighed.get(entry)
    if weighed is None:
        return None
    best = weighed.best_gain
    if best.bits <= max(_TELLING, 4 * best.error):
        return None
    cards = card_numbers(numbers.cards(suggestion.cards))
    seats = [numbers.holder(seat) for seat in table.answering(suggestion.by)]

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


MOST_TURNING_POINTS = 5
"""The most turning points that are named."""

_SWING, _AHEAD = 0.5, 0.5
"""Bits that make a swing; bits by which a seat must be ahead to be called the closest."""


_KeyMoment = tuple[int, float, str]
"""An entry, its weight in bits, and a sentence about it."""


def turning_points(
    observations: Sequence[observed.Observation],
    seats: Sequence[review.SeatReview],
    accused: Sequence[review.AccusationReview],
) -> tuple[review.TurningPoint, ...]:
    """Return the weightiest turning points, in the order of their entries."""
    over = review.end_of_game(accused, len(observations))
    won = next((each.seat for each in accused if each.right), None)
    closest = min(seats, key=lambda each: (each.timeline[-1].bits, each.proved or 0))
    hero = next((each for each in seats if each.seat == won), closest)
    found = [
        *_swings(observations, hero, over),
        *_overtaking(observations, seats, accused, over),
    ]
    first = min((each.proved for each in seats if each.proved is not None), default=over)
    if first < over:
        able = [each.seat for each in seats if each.proved == first]
        others = "" if len(able) == len(seats) else " before anybody else"
        who = joined(able, "and")
        found.append(
            (first, inf, f"{who} could{'' if others else ' all'} prove the solution{others}.")
        )
    found += (
        (each.entry, inf, f"{joined([each.seat])} made a wrong accusation and was out.")
        for each in accused
        if not each.right and each.entry < over
    )
    weight, texts = defaultdict[int, float](float), defaultdict[int, list[str]](list)
    for entry, bits, text in found:
        weight[entry] += bits
        texts[entry].append(text)
    chosen = sorted(weight, key=lambda entry: (-weight[entry], entry))[:MOST_TURNING_POINTS]
    return tuple(
        review.TurningPoint(entry=entry, text=" ".join(texts[entry])) for entry in sorted(chosen)
    )


def story(
    entries: int,
    solution: tuple[str, ...],
    seats: Sequence[review.SeatReview],
    accused: Sequence[review.AccusationReview],
    turning: Iterable[review.TurningPoint],
) -> str:
    """Return the game in a paragraph: who played, its turning points, how it ended."""
    end = next((each for each in accused if each.right), None)
    over = review.end_of_game(accused, entries)
    played = f"{entries} entr{'y' if entries == 1 else 'ies'}"
    told = [f"{joined([each.seat for each in seats], 'and')} played {played}."]
    told += [f"Entry {each.entry}: {each.text}" for each in turning]
    if end:
        how = {"late": ", later than they could have", "rash": ", by luck"}.get(end.verdict, "")
        told.append(f"{joined([end.seat])} made the right accusation in entry {end.entry}{how}.")
    else:
        told.append("The record has no right accusation.")
    told.append(f"The envelope held {joined(solution, 'and')}.")
    sure = sorted((each.proved, each.seat) for each in seats if (each.proved or over) < over)
    could = [f"{joined([seat])} after entry {proved}" for proved, seat in sure]
    if not could:
        told.append(f"Nobody could prove it{' before' * (end is not None)}.")
    elif len(could) > 1:
        told.append(f"It could be proved by {', by '.join(could)}.")
    judged = [each for each in seats if each.whole and each.accuracy is not None]
    if len(judged) > 1:
        sharp = max(judged, key=lambda each: each.accuracy or 0.0)
        lucky = max(judged, key=lambda each: each.luck)
        share = f"{sharp.accuracy or 0.0:.0%} of what could be gained"
        told.append(
            f"{joined([sharp.seat])} asked best ({share}), "
            f"{joined([lucky.seat])} had the most luck ({lucky.luck:+.2f} bits)."
        )
    return " ".join(told)


def _swings(
    observations: Sequence[observed.Observation], hero: review.SeatReview, over: int
) -> Iterator[_KeyMoment]:
    for moment in hero.timeline[1:over]:
        observation = observations[moment.entry - 1]
        if moment.gained < _SWING or isinstance(observation, observed.Hand | observed.Knowing):
            continue
        by = getattr(observation, "by", None)
        source = "their own turn" if by == hero.seat else f"{joined([by])}'s turn" if by else "this"
        left = "nothing" if not moment.bits else f"{moment.bits:.2f} bits"
        gained = f"{joined([hero.seat])} learned {moment.gained:.2f} bits"
        yield moment.entry, moment.gained, f"{gained} from {source}: {left} left."


def _overtaking(
    observations: Sequence[observed.Observation],
    seats: Sequence[review.SeatReview],
    accused: Sequence[review.AccusationReview],
    over: int,
) -> Iterator[_KeyMoment]:
    held = {each.seat for each in observations if isinstance(each, observed.Hand)}
    out = {each.seat: each.entry for each in accused if not each.right}
    rivals = [each for each in seats if each.seat in held]
    leader: review.SeatReview | None = None
    for entry in range(over):
        still = [each for each in rivals if out.get(each.seat, over) > entry]
        if len(still) < 2:
            return
        closest, second = sorted(still, key=lambda each: each.timeline[entry].bits)[:2]
        behind = leader if leader in still else second
        ahead = behind.timeline[entry].bits - closest.timeline[entry].bits
        if closest is behind or ahead < _AHEAD:
            continue
        if leader is behind:
            text = (
                f"{joined([closest.seat])} overtook {joined([behind.seat])}: "
                f"{closest.timeline[entry].bits:.2f} bits left against "
                f"{behind.timeline[entry].bits:.2f}."
            )
            yield entry, max(closest.timeline[entry].gained, ahead), text
        leader = closest
