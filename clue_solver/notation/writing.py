"""Observation to line: the canonical form, by the form that the observation declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from clue_solver.rules.forms import (
    Answers,
    Form,
    Name,
    OneAnswer,
    Part,
    Seen,
    Several,
    Verdict,
    Word,
)
from clue_solver.rules.observations import Answer, Event
from clue_solver.rules.table import Table

_Get = Callable[[str], Any]


def format_line(observation: Event, table: Table) -> str:
    """Return the canonical line of an observation that `normalise` or `parse_line` returned."""
    return _line(observation.form, partial(getattr, observation), table)


def format_told(observation: Event) -> str:
    """Return what a line tells behind its verb, without an answer: `Ben has Rope or Hall`."""
    return " ".join(_parts(observation.form.parts, partial(getattr, observation)))


def format_beginning(kind: type[Event], fields: Mapping[str, Any], table: Table) -> str:
    """Return the line of an observation of which only some fields are known so far."""
    return _line(kind.form, fields.get, table)


def _line(form: Form, get: _Get, table: Table) -> str:
    subject = get(form.subject) if form.subject else "nobody"
    verb = f"{form.verb} {form.particle}" if form.particle else form.verb
    line, tail = " ".join((subject, verb, *_parts(form.parts, get))), _tail(form, get, table)
    return f"{line}: {tail}" if tail else line


def _parts(parts: Sequence[Part], get: _Get) -> Iterator[str]:
    """Yield the words of the parts; a word of the notation only before what is told."""
    word = ""
    for part in parts:
        match part:
            case Word(texts=texts):
                word, *_ = texts
            case Name(field=field):
                if (name := get(field)) is not None:
                    yield f"{word} {name}".lstrip()
            case Several(fields=fields, between=between):
                field = next((each for each in fields if get(each)), "")
                if field:
                    word = field if len(fields) > 1 else word
                    names = (f" {between} " if between else ", ").join(get(field))
                    yield f"{word} {names}".lstrip()


def _tail(form: Form, get: _Get, table: Table) -> str:
    """Return what stands after the colon; empty where nothing does."""
    match form.tail:
        case Answers(field=field):
            return _answers(get(field) or (), table)
        case OneAnswer(field=field, card=card):
            answer = Answer(answer=get(field) or "unheard", card=get(card))
            return "" if answer.answer == "unheard" else format_answer(answer)
        case Seen(name=name):
            return get(name.field) or ""
        case Verdict(field=field, words=words):
            return next((word for word, meaning in words.items() if meaning == get(field)), "")
    return ""


def _answers(answers: tuple[Answer, ...], table: Table) -> str:
    if len(answers) == len(table.seats) - 1 and all(one.answer == "passes" for one in answers):
        return "nobody shows"
    return ", ".join(map(format_answer, answers))


def format_answer(answer: Answer) -> str:
    """Return what a line says of one answer."""
    if answer.answer == "unheard":
        return "?"
    return " ".join(filter(None, (answer.seat, answer.answer, answer.card)))
