"""
Finds the highlights of a finished game: the entries that mattered, judged by what each seat knew.

Stories and tables about a game all use this list, so that they cannot contradict each other.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log2, prod

from clue_solver.answers.review import WASTED, Highlight, HighlightKind, Review, SeatReview
from clue_solver.answers.turns import TurnsTaken
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.rules.observations import Observation

FORTUNE = 1.0
"""How many bits more or fewer than expected an answer must reveal to be lucky or unlucky."""

RISE = 0.1
"""By how much a seat's chance of the true solution must rise for an entry to be a swing."""

AHEAD = 0.1
"""By how much a seat's chance of the true solution must exceed all others to be in the lead."""


def build_highlights(
    review: Review, observations: Sequence[Observation], turns: TurnsTaken
) -> tuple[Highlight, ...]:
    """
    Return the highlights of a reviewed game, in the order of the entries.

    Args:
        review: The review, still without highlights.
        observations: The entries of the record.
        turns: The turns of the record.
    """
    whole = log2(prod(len(kind.cards) for kind in review.table.edition.category))
    private = {entry for entry, each in enumerate(observations, 1) if each.sight.owner}
    found = [*_lead_changes(review, private), *_wrong_accusations(review, whole)]
    for judged in review.seats:
        found += _proofs(review, judged, turns, whole)
        if judged.whole:
            found += _swings(judged, private, last=turns.last(judged.seat))
            found += _question_highlights(review, judged)
    return tuple(sorted(found, key=lambda each: each.entry))


def _highlight(
    judged: SeatReview,
    entry: int,
    kind: HighlightKind,
    weight: float,
    cards: tuple[str, ...] = (),
    *,
    chances: tuple[float, float] | None = None,
) -> Highlight:
    """
    Return a highlight of a seat.

    Args:
        judged: The review of the seat.
        entry: The number of the entry.
        kind: What happened, as in `Highlight.kind`.
        weight: How much it matters, in bits.
        cards: The cards suggested, accused or proved.
        chances: The seat's chance before and after the entry; those of the true solution if left
            out.
    """
    if chances is None:
        before, after = (judged.after(number) for number in (entry - 1, entry))
        chances = before.true_chance if before else 0.0, after.true_chance if after else 0.0
    return Highlight(
        entry=entry,
        seat=judged.seat,
        kind=kind,
        cards=cards,
        before=chances[0],
        after=chances[1],
        weight=weight,
    )


def _proofs(
    review: Review, judged: SeatReview, turns: TurnsTaken, whole: float
) -> Iterator[Highlight]:
    """
    Yield two highlights: when a seat could first prove the solution, and when it did not use that.

    The second is its first turn after the proof without an accusation; there may be none. The
    weight of both is `whole`: how many bits are unknown about the solution before the deal.
    """
    if not judged.held or judged.proved is None or judged.proved >= turns.last(judged.seat):
        return  # it never had a proof, or only when it was out
    yield _highlight(judged, judged.proved, "proof", whole, review.solution)
    out = any(each.seat == judged.seat and not each.right for each in review.accusations)
    if review.winner is None and not out:
        return  # nobody has lost yet
    kind: HighlightKind = "unused proof" if judged.seat == review.winner else "missed win"
    for end, passed in turns.silent(judged.seat).items():
        if end >= judged.proved:
            yield _highlight(judged, passed, kind, whole, review.solution, chances=(1.0, 1.0))
            return


def _swings(judged: SeatReview, private: set[int], *, last: int) -> Iterator[Highlight]:
    """
    Yield a highlight for each entry that clearly raised a seat's chance of the true solution.

    Args:
        judged: The review of the seat.
        private: The entries that only one seat noticed, which do not count.
        last: The entry by which the seat was out or the game was over.
    """
    for before, moment in pairwise(judged.timeline):
        rise = moment.true_chance - before.true_chance
        if rise >= RISE - ROUNDING and moment.entry < last and moment.entry not in private:
            yield _highlight(judged, moment.entry, "swing", _bits_gained(rise, before.true_chance))


def _question_highlights(review: Review, judged: SeatReview) -> Iterator[Highlight]:
    """
    Yield a highlight for each wasted question of a seat, and each lucky or unlucky answer it got.
    """
    for asked in review.suggestions:
        if asked.seat != judged.seat:
            continue
        if asked.label in WASTED:
            lost = asked.best_gain - asked.gain
            yield _highlight(judged, asked.entry, "wasted question", lost, asked.cards)
        if asked.luck is not None and abs(asked.luck) >= FORTUNE - ROUNDING:
            kind: HighlightKind = "lucky" if asked.luck > 0 else "unlucky"
            yield _highlight(judged, asked.entry, kind, abs(asked.luck), asked.cards)


def _wrong_accusations(review: Review, whole: float) -> Iterator[Highlight]:
    """
    Yield a highlight for each wrong accusation.

    The weight is `whole`: how many bits are unknown about the solution before the deal.
    """
    for accused in review.accusations:
        if not accused.right and accused.entry < review.over:
            kind: HighlightKind = "rash" if accused.verdict == "rash" else "out"
            chances = accused.chance, 0.0
            judged = review.seat(accused.seat)
            yield _highlight(judged, accused.entry, kind, whole, accused.cards, chances=chances)


def _lead_changes(review: Review, private: set[int]) -> Iterator[Highlight]:
    """
    Yield a highlight for each entry with which a seat takes the lead.

    It then is clearly closer to the solution than all others, and another was before. Seats are
    ignored if the record does not have all that they saw. Entries in `private`, which only one seat
    noticed, do not change the lead.
    """
    out = {each.seat: each.entry for each in review.accusations if not each.right}
    leader: str | None = None
    for entry in range(review.over):
        if entry + 1 in private:
            continue  # a seat is only ahead because the next seat's hand is still to come
        chances = {
            judged.seat: moment.true_chance
            for judged in review.seats
            if judged.whole
            and out.get(judged.seat, review.over) > entry
            and (moment := judged.after(entry)) is not None
        }
        if len(chances) < 2:
            continue
        first, second = sorted(chances, key=lambda seat: -sort_key(chances[seat]))[:2]
        if first == leader or chances[first] - chances[second] < AHEAD - ROUNDING:
            continue
        if leader in chances and entry not in private:
            ahead = chances[first] - chances[leader]
            weight = _bits_gained(ahead, chances[leader])
            found = _highlight(review.seat(first), entry, "lead", weight)
            if found.after > found.before:  # else the other one fell back
                yield found
        leader = first


def _bits_gained(more: float, chance: float) -> float:
    """Return what raising a chance by `more` is worth in bits: log2 of the factor."""
    return log2(1.0 + more / max(chance, ROUNDING))
