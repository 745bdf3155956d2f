"""Observation to line: the canonical form."""

from __future__ import annotations

from typing import assert_never

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
from clue_solver.table import Table


def format_line(observation: Observation, table: Table) -> str:
    """Return the canonical line of an observation that `settle` or `parse_line` returned."""
    match observation:
        case Hand(seat=seat, cards=cards):
            return f"{seat} holds {', '.join(cards)}"
        case Suggestion(by=by, cards=cards, answers=answers):
            return f"{by} suggests {', '.join(cards)}{_answers(answers, table)}"
        case Question(by=by, seat=seat, about=about, answer=answer, card=card):
            head = f"{by} asks {seat} about {', '.join(about)}"
            return head if answer == "unheard" else f"{head}: {answer}{_after(' ', card)}"
        case Look(by=by, holder=holder, card=card):
            return f"{by} looks at {holder}{_after(': ', card)}"
        case Peek(by=by, feature=feature):
            return f"{by} peeks{_after(': ', feature)}"
        case Reveal(seat=seat, card=card, to=to):
            return f"{seat} reveals{_after(' ', card)}{_after(' to ', to)}"
        case Nobody(card=card):
            return f"nobody reveals {card}"
        case Accusation(by=by, cards=cards, right=right):
            return f"{by} accuses {', '.join(cards)}: {'right' if right else 'wrong'}"
        case Knowing(by=by):
            return f"{by} knows {format_fact(observation)}"
        case _:
            assert_never(observation)


def format_fact(known: Knowing) -> str:
    """Return what is known, whoever knows it: `Ben has Rope or Hall`."""
    verb = "has" if known.has else "lacks"
    return f"{known.holder} {verb} {' or '.join(known.has or known.lacks)}"


def _after(mark: str, name: str | None) -> str:
    return "" if name is None else mark + name


def _answers(answers: tuple[Answer, ...], table: Table) -> str:
    if not answers:
        return ""
    if len(answers) == len(table.seats) - 1 and all(one.answer == "passes" for one in answers):
        return ": nobody shows"
    return ": " + ", ".join(map(_answer, answers))


def _answer(answer: Answer) -> str:
    if answer.answer == "unheard":
        return "?"
    return f"{answer.seat} {answer.answer}{_after(' ', answer.card)}"
