"""Whether two notebooks' entries are of one event, and what they tell of it together."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from clue_solver.rules.forms import OneAnswer
from clue_solver.rules.observations import Answer, Observation


def alike(one: Observation, two: Observation) -> bool:
    """Whether two entries of one kind that differ are likelier one event than two."""
    if type(one) is not type(two) or not one.same:
        return False
    for field in one.same:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.nearly:
            if len({*mine} & {*theirs}) < len(mine) - 1:
                return False
        elif not _equal(mine, theirs):
            return False
    return True


def filled(one: Observation, two: Observation) -> Observation | None:
    """Return what two entries tell together, the first's wording kept; `None` if they differ."""
    if type(one) is not type(two):
        return None
    together: dict[str, Any] = {}
    tail = one.form.tail
    for field in one.__struct_fields__:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.sight.hidden and isinstance(mine, tuple):
            mine = _answers(mine, theirs)
            if mine is None:
                return None
        elif field == one.sight.hidden and None in (mine, theirs):
            mine = mine or theirs
        elif isinstance(tail, OneAnswer) and field == tail.field and "unheard" in (mine, theirs):
            mine = theirs if mine == "unheard" else mine
        elif not _equal(mine, theirs):
            return None
        together[field] = mine
    return replace(one, **together)


def _equal(one: Any, two: Any) -> bool:
    """Whether two fields tell the same; lists do in any order."""
    return {*one} == {*two} if isinstance(one, tuple) else bool(one == two)


def _answers(one: tuple[Answer, ...], two: tuple[Answer, ...]) -> tuple[Answer, ...] | None:
    """Return what was heard of the answers in either list; `None` if they differ."""
    heard: dict[str, Answer] = {}
    for answer in (*one, *two):
        if answer.seat is None:
            continue
        known = heard.setdefault(answer.seat, answer)
        cards = {known.card, answer.card} - {None}
        if known.answer != answer.answer or len(cards) > 1:
            return None
        heard[answer.seat] = replace(known, card=known.card or answer.card)
    return tuple(heard.values())
