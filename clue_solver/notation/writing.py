"""Observation to line: the canonical form, by the form that the observation declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clue_solver.forms import Answers, Name, OneAnswer, Part, Seen, Several, Verdict, Word
from clue_solver.observation import Answer, Event
from clue_solver.table import Table


def format_line(observation: Event, table: Table) -> str:
    """Return the canonical line of an observation that `normalise` or `parse_line` returned."""
    form = observation.form
    subject = getattr(observation, form.subject) if form.subject else "nobody"
    words = [subject, form.verb, *filter(None, (form.particle,))]
    words.extend(_parts(observation, form.parts))
    tail = _tail(observation, table)
    return f"{' '.join(words)}: {tail}" if tail else " ".join(words)


def _parts(observation: Event, parts: Sequence[Part]) -> Iterator[str]:
    """Yield the words of the parts; a word of the notation only before what is told."""
    word = ""
    for part in parts:
        match part:
            case Word(texts=texts):
                word, *_ = texts
            case Name(field=field):
                name: str | None = getattr(observation, field)
                if name is not None:
                    yield f"{word} {name}".lstrip()
            case Several(fields=fields, between=between):
                field = next((each for each in fields if getattr(observation, each)), fields[0])
                word = field if len(fields) > 1 else word
                names = (f" {between} " if between else ", ").join(getattr(observation, field))
                yield f"{word} {names}".lstrip()


def _tail(observation: Event, table: Table) -> str:
    """Return what stands after the colon; empty where nothing does."""
    match observation.form.tail:
        case Answers(field=field):
            return _answers(getattr(observation, field), table)
        case OneAnswer(field=field, card=card):
            answer = Answer(
                answer=getattr(observation, field), card=getattr(observation, card)
            )
            return "" if answer.answer == "unheard" else format_answer(answer)
        case Seen(name=name):
            return getattr(observation, name.field) or ""
        case Verdict(field=field, words=words):
            said = getattr(observation, field)
            return next(word for word, meaning in words.items() if meaning == said)
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
