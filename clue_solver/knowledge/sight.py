"""The part of a record that one viewer sees, without what others keep to themselves."""

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table

Seen = TypeVar("Seen", bound=observed.Event)

Evidence = tuple[tuple[int, observed.Observation], ...]
"""
What a viewer saw: pairs of an entry's number, from 1, and the observation as the viewer saw it.
They are in file order.
"""


def seen_part(
    numbered: Iterable[tuple[int, observed.Observation]], *, table: Table, viewer: str | None
) -> Evidence:
    """
    Return the part of some entries that a viewer saw.

    Args:
        numbered: Pairs of an entry's number and its observation, in file order.
        table: The table.
        viewer: The seat; `None` for a spectator, who sees what is public.
    """
    parts = (
        (entry, seen(observation, table=table, viewer=viewer)) for entry, observation in numbered
    )
    return tuple((entry, part) for entry, part in parts if part is not None)


def seen(observation: Seen, *, table: Table, viewer: str | None) -> Seen | None:
    """
    Return an observation as a viewer saw it; `None` if the viewer saw nothing.

    The observation's attribute `sight` says who sees what. The viewer `None` is a spectator.
    """
    sight = observation.sight
    if sight.owner:
        return observation if getattr(observation, sight.owner) == viewer else None
    content: Any = getattr(observation, sight.hidden) if sight.hidden else None
    if not content:
        return observation
    by = [getattr(observation, field) for field in sight.by]
    if isinstance(content, tuple):
        answers = cast("tuple[observed.Answer, ...]", content)
        heard = [
            answer
            if answer.card is None or viewer in (*by, answer.seat)
            else replace(answer, card=None)
            for answer in answers
        ]
        if heard == [*answers]:
            return observation
        return replace(observation, **{sight.hidden: tuple(heard)})
    if sight.told and table.edition.looker_tells:
        by.append(getattr(observation, sight.told))
    public = None in by  # it was shown to nobody in particular
    if public or viewer in by:
        return observation
    return replace(observation, **{sight.hidden: None})
