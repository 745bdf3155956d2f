"""Whether two notebooks' entries are of one event, and what they tell of it together."""

from __future__ import annotations

from msgspec.structs import replace

from clue_solver.observation import (
    Accusation,
    Answer,
    Hand,
    Knowing,
    Look,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Suggestion,
)


def alike(one: Observation, two: Observation) -> bool:
    """Whether two public entries of one kind that differ are likelier one event than two."""
    match one, two:
        case Suggestion(), Suggestion():
            return one.by == two.by and len({*one.cards} & {*two.cards}) >= len(one.cards) - 1
        case Accusation(), Accusation():
            return one.by == two.by
        case Question(), Question():
            return (one.by, one.seat) == (two.by, two.seat) and {*one.about} == {*two.about}
        case Look(), Look():
            return (one.by, one.holder) == (two.by, two.holder)
        case Peek(), Peek():
            return one.by == two.by
        case Reveal(), Reveal():
            return (one.seat, one.to) == (two.seat, two.to)
        case _:
            return False


def filled(one: Observation, two: Observation) -> Observation | None:
    """Return what two entries tell together, the first's wording kept; `None` if they differ."""
    match one, two:
        case Hand(), Hand():
            return one if one.seat == two.seat and {*one.cards} == {*two.cards} else None
        case Suggestion(), Suggestion():
            answers = _answers(one, two)
            if one.by != two.by or {*one.cards} != {*two.cards} or answers is None:
                return None
            return replace(one, answers=answers)
        case Question(), Question():
            if (one.by, one.seat) != (two.by, two.seat) or {*one.about} != {*two.about}:
                return None
            if "unheard" not in (one.answer, two.answer) and one.answer != two.answer:
                return None
            heard = two if one.answer == "unheard" else one
            if not _agree(one.card, two.card):
                return None
            return replace(one, answer=heard.answer, card=one.card or two.card)
        case Look(), Look():
            same = (one.by, one.holder) == (two.by, two.holder) and _agree(one.card, two.card)
            return replace(one, card=one.card or two.card) if same else None
        case Peek(), Peek():
            same = one.by == two.by and _agree(one.feature, two.feature)
            return replace(one, feature=one.feature or two.feature) if same else None
        case Reveal(), Reveal():
            same = (one.seat, one.to) == (two.seat, two.to) and _agree(one.card, two.card)
            return replace(one, card=one.card or two.card) if same else None
        case Accusation(), Accusation():
            same = (one.by, one.right) == (two.by, two.right) and {*one.cards} == {*two.cards}
            return one if same else None
        case (Nobody(), Nobody()) | (Knowing(), Knowing()):
            return one if one == two else None
        case _:
            return None


def _agree(one: str | None, two: str | None) -> bool:
    return one is None or two is None or one == two


def _answers(one: Suggestion, two: Suggestion) -> tuple[Answer, ...] | None:
    """Return what was heard of the answers in either list; `None` if they differ."""
    heard: dict[str, Answer] = {}
    for answer in (*one.answers, *two.answers):
        if answer.seat is None:
            continue
        known = heard.setdefault(answer.seat, answer)
        if known.answer != answer.answer or not _agree(known.card, answer.card):
            return None
        heard[answer.seat] = replace(known, card=known.card or answer.card)
    return tuple(heard.values())
