"""
The turning points of a finished game, and its story in a paragraph.

A turning point is an entry that moved the one who won (or who knew most in the end) by much, that
changed who was closest, that gave somebody the proof first, or that put a player out. Who is
closest is told only among seats whose hands the record holds: without its hand a seat looks
further off than it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from clue_solver.answers.review import Accused, SeatReview, Turning, ended
from clue_solver.names import joined
from clue_solver.observation import Hand, Knowing, Observation

MOST = 5
"""The most turning points that are named."""

_SWING, _AHEAD = 0.5, 0.5
"""Bits that make a swing; bits by which a seat must be ahead to be called the closest."""


class _Candidate(NamedTuple):
    entry: int
    weight: float
    text: str


def turning_points(
    observations: Sequence[Observation], seats: Sequence[SeatReview], accused: Sequence[Accused]
) -> tuple[Turning, ...]:
    """Return the weightiest turning points, in the order of their entries."""
    over = ended(accused, len(observations))
    found = [
        *_swings(observations, _hero(seats, accused), over),
        *_overtaking(observations, seats, accused, over),
        *_first_proof(seats, over),
        *(
            _Candidate(each.entry, inf, f"{joined([each.seat])} accused wrongly and was out.")
            for each in accused
            if not each.right and each.entry < over
        ),
    ]
    weight: dict[int, float] = {}
    for each in found:
        weight[each.entry] = weight.get(each.entry, 0.0) + each.weight
    chosen = sorted(sorted(weight, key=lambda entry: (-weight[entry], entry))[:MOST])
    return tuple(
        Turning(entry=entry, text=" ".join(each.text for each in found if each.entry == entry))
        for entry in chosen
    )


def story(
    entries: int,
    solution: tuple[str, ...],
    seats: Sequence[SeatReview],
    accused: Sequence[Accused],
    turning: Iterable[Turning],
) -> str:
    """Return the game in a paragraph: who played, its turning points, how it ended."""
    end = next((each for each in accused if each.right), None)
    over = ended(accused, entries)
    told = [f"{joined([each.seat for each in seats], 'and')} played {_entries(entries)}."]
    told += [f"Entry {each.entry}: {each.text}" for each in turning]
    if end:
        how = {"late": ", later than it could have", "rash": ", by luck"}.get(end.verdict, "")
        told.append(f"{joined([end.seat])} accused rightly in entry {end.entry}{how}.")
    else:
        told.append("Nobody accused rightly in the record.")
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


def _hero(seats: Sequence[SeatReview], accused: Sequence[Accused]) -> SeatReview:
    """Return who won; without a right accusation who knew most in the end."""
    won = next((each.seat for each in accused if each.right), None)
    return next(
        (each for each in seats if each.seat == won),
        min(seats, key=lambda each: (each.timeline[-1].bits, each.proved or 0)),
    )


def _swings(
    observations: Sequence[Observation], hero: SeatReview, over: int
) -> Iterator[_Candidate]:
    for moment in hero.timeline[1:over]:
        observation = observations[moment.entry - 1]
        if moment.gained < _SWING or isinstance(observation, Hand | Knowing):
            continue
        by = getattr(observation, "by", None)
        source = "its own turn" if by == hero.seat else f"{joined([by])}'s turn" if by else "this"
        left = "nothing" if not moment.bits else f"{moment.bits:.2f} bits"
        gained = f"{joined([hero.seat])} learned {moment.gained:.2f} bits"
        text = f"{gained} from {source}: {left} left."
        yield _Candidate(moment.entry, moment.gained, text)


def _overtaking(
    observations: Sequence[Observation],
    seats: Sequence[SeatReview],
    accused: Sequence[Accused],
    over: int,
) -> Iterator[_Candidate]:
    held = {each.seat for each in observations if isinstance(each, Hand)}
    out = {each.seat: each.entry for each in accused if not each.right}
    rivals = [each for each in seats if each.seat in held]
    leader: SeatReview | None = None
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
            yield _Candidate(entry, max(closest.timeline[entry].gained, ahead), text)
        leader = closest


def _first_proof(seats: Sequence[SeatReview], over: int) -> Iterator[_Candidate]:
    proofs = [each.proved for each in seats if each.proved is not None and each.proved < over]
    if not proofs:
        return
    first = min(proofs)
    who = joined([each.seat for each in seats if each.proved == first], "and")
    yield _Candidate(first, inf, f"{who} could prove the solution, before anybody else.")


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"
