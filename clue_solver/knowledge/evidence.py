"""
Whose eyes: what one viewer sees of a record.

A record may hold more than its viewer saw. Here each observation loses what the viewer did not see;
one that the viewer did not even notice is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from clue_solver.rules.observations import Answer, Event, Observation
from clue_solver.rules.table import Table

Kind = TypeVar("Kind", bound=Event)

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
    shares = ((entry, seen(each, table=table, viewer=viewer)) for entry, each in numbered)
    return tuple((entry, share) for entry, share in shares if share is not None)


def seen(observation: Kind, *, table: Table, viewer: str | None) -> Kind | None:
    """
    Return what the viewer saw of one observation, by the sight that it declares.

    `None` if the viewer did not even notice it.
    """
    sight = observation.sight
    if sight.owner:
        return observation if getattr(observation, sight.owner) == viewer else None
    content: Any = getattr(observation, sight.hidden) if sight.hidden else None
    if not content:
        return observation
    by = [getattr(observation, field) for field in sight.by]
    if isinstance(content, tuple):
        answers = cast("tuple[Answer, ...]", content)
        if all(each.card is None for each in answers):
            return observation
        shares = tuple(
            each if each.card is None or viewer in (*by, each.seat) else replace(each, card=None)
            for each in answers
        )
        return replace(observation, **{sight.hidden: shares})
    told = sight.told and table.edition.looker_tells and viewer == getattr(observation, sight.told)
    if viewer in by or None in by or (told and viewer is not None):
        return observation
    return replace(observation, **{sight.hidden: None})
