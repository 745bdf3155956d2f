"""
Whose eyes: what one viewer sees of a record.

A record may hold more than its viewer saw. Here each observation loses what the viewer did not see;
one that the viewer did not even notice is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from clue_solver.observation import (
    Answer,
    Hand,
    Knowing,
    Look,
    Observation,
    Peek,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.table import Table

Evidence = tuple[tuple[int, Observation], ...]
"""Entry numbers, counted from 1, each with the observation as the viewer saw it; in file order."""


def evidence(observations: Iterable[Observation], *, table: Table, viewer: str | None) -> Evidence:
    """
    Return what the viewer saw, by the table "Whose eyes" of the record notation.

    Args:
        observations: The whole record, in file order.
        table: The table they happened at.
        viewer: A seat, or `None` for a spectator, who sees only what is public.
    """
    return share(enumerate(observations, 1), table=table, viewer=viewer)


def share(
    numbered: Iterable[tuple[int, Observation]], *, table: Table, viewer: str | None
) -> Evidence:
    """Return what the viewer saw of observations that bear their numbers already."""
    return tuple(_seen(numbered, table=table, viewer=viewer))


def _seen(
    numbered: Iterable[tuple[int, Observation]], *, table: Table, viewer: str | None
) -> Iterator[tuple[int, Observation]]:
    for entry, observation in numbered:
        match observation:
            case Hand(seat=owner) | Knowing(by=owner):
                if owner == viewer:
                    yield entry, observation
            case Suggestion(by=by, answers=answers) if any(a.card is not None for a in answers):
                seen = tuple(_answer_seen(a, by=by, viewer=viewer) for a in answers)
                yield entry, replace(observation, answers=seen)
            case Question(by=by, seat=seat) if viewer not in (by, seat):
                yield entry, replace(observation, card=None)
            case Look(by=by, holder=holder) if viewer != by:
                told = table.edition.looker_tells and viewer == holder and viewer is not None
                yield entry, observation if told else replace(observation, card=None)
            case Peek(by=by) if viewer != by:
                yield entry, replace(observation, feature=None)
            case Reveal(seat=seat, to=to) if to is not None and viewer not in (seat, to):
                yield entry, replace(observation, card=None)
            case _:
                yield entry, observation


def _answer_seen(answer: Answer, *, by: str, viewer: str | None) -> Answer:
    if answer.card is None or viewer in (by, answer.seat):
        return answer
    return replace(answer, card=None)
