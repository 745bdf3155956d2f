"""
Reads and writes the canonical line of an observation, in the form that its kind declares.

Records are written and read in this form; `reader` reads what people type. A line names who acts,
then the verb. After that come its places: each holds the text of one field, and has a mark or a
word before it.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from msgspec.structs import asdict

from clue_solver.notation.checks import InvalidObservation, normalise
from clue_solver.notation.lexicon import TOTALS
from clue_solver.notation.places import NOBODY, passes
from clue_solver.rules import forms
from clue_solver.rules.observations import Answer, Event, Observation, Reply, kinds
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

_KINDS = kinds()

_BEFORE_TAIL = ": "
"""The mark in a line before the answers, or before what the writer saw."""

_ALL_PASS = "nobody shows"
_REPLIES: dict[Reply, str] = {"passes": "passes", "shows": "shows", "unheard": "?"}
_READ = {word: reply for reply, word in _REPLIES.items()}

_REPLY = r"passes|shows|\?"
_ANSWER = re.compile(rf"(?:(?P<seat>[^,]+) )?(?P<answer>{_REPLY})(?: (?P<card>[^,]+))?")
_OWN_ANSWER = rf"(?:{_REPLY})(?: [^,]+)?"
_ANSWERS = rf"(?:[^,]+ )?{_OWN_ANSWER}"


class _Place(NamedTuple):
    """
    A place of a line: where the text of one field stands.

    Attributes:
        part: The part of the form that describes it.
        field: The name of the observation's field.
        before: The mark or the word before the text.
        needed: Whether every line of the kind has this place.
    """

    part: forms.Part | forms.Tail
    field: str
    before: str
    needed: bool


def format_line(observation: Event, table: Table) -> str:
    """
    Return an observation as the line that stands for it in a record.

    Args:
        observation: The observation in canonical form, as `checks.normalise` returns it.
        table: The table at which it was made.

    >>> from clue_solver import load
    >>> from clue_solver.rules.observations import Suggestion
    >>> asked = Suggestion(by="Ann", cards=("Plum", "Rope", "Hall"))
    >>> format_line(asked, load("examples/classic.clue").table)
    'Ann suggests Plum, Rope, Hall'
    """
    return format_beginning(type(observation), asdict(observation), table)


def format_beginning(kind: type[Event], fields: Mapping[str, Any], table: Table) -> str:
    """
    Return the beginning of the canonical line of an observation that is not complete.

    If it is not known who acts, `…` stands for the name; other missing fields are left out.

    Args:
        kind: The class of the observation.
        fields: The values of the fields that are known, by field.
        table: The table at which it is made.
    """
    form = kind.form
    subject = fields.get(form.subject, "…") if form.subject else NOBODY
    rest = _places_text(_places(kind), fields, len(table.seats) - 1)
    return f"{subject} {form.does}{rest}"


def format_after_verb(observation: Event) -> str:
    """
    Return what stands between the verb and the answers of an observation's line.

    Of `Ann knows Ben has Rope` it is `Ben has Rope`.
    """
    places = [place for place in _places(type(observation)) if place.before != _BEFORE_TAIL]
    return _places_text(places, asdict(observation)).strip()


def format_answer(answer: Answer) -> str:
    """Return one answer in the form that lines have: `Ben shows Plum`, `Ben ?`."""
    return " ".join(filter(None, (answer.seat, _REPLIES[answer.answer], answer.card)))


def parse_canonical(line: str, table: Table, state: TurnState | None = None) -> Observation | None:
    """
    Return the observation of a canonical line; `None` if the line is not in canonical form.

    `reader` reads all other lines, and says what is wrong with them.

    Args:
        line: The line, without its comment.
        table: The table at which it was made.
        state: Whose turn it is and who has left, from the earlier lines; `None` before the first
            line.

    >>> from clue_solver import load
    >>> table = load("examples/classic.clue").table
    >>> parse_canonical("Ann skips", table), parse_canonical("ann skips", table)
    (Skip(by='Ann'), None)
    """
    both = typed_and_whole(line, table, state or TurnState())
    return None if both is None else both[1]


def typed_and_whole(
    line: str, table: Table, state: TurnState
) -> tuple[Observation, Observation] | None:
    """
    Return the observation of a canonical line twice; `None` if the line is not in canonical form.

    The first has the answers that were typed. The second also has the passes that follow from the
    order of the seats.

    Args:
        line: The line, without its comment.
        table: The table at which it was made.
        state: Whose turn it is and who has left, from the earlier lines.
    """
    for kind in _KINDS:
        if kind.form.verb not in line:
            continue
        found = _pattern(kind).fullmatch(line)
        by = kind.form.subject and found and found[kind.form.subject]
        if found is None or (by and by not in table.seats):
            continue
        fields: dict[str, Any] = {kind.form.subject: by} if by else {}
        for place in _places(kind):
            if found[place.field] is not None:
                fields |= _fields_at(place, found[place.field])
        if fields.get("answers") == _ALL_PASS:
            fields["answers"] = passes(table.answering(str(by), left=state.left))
        told = cast(Observation, kind(**fields))
        try:
            return told, normalise(told, table, state)
        except InvalidObservation:
            return None
    return None


@cache
def _pattern(kind: type[Event]) -> re.Pattern[str]:
    """Return the regular expression that matches the canonical lines of a kind of observation."""
    who = f"(?P<{kind.form.subject}>.+)" if kind.form.subject else NOBODY
    pattern = f"{who} {kind.form.does}"
    for part, field, before, needed in _places(kind):
        text = "[^:]+?"
        match part:
            case forms.AnswerList():
                text = f"{_ALL_PASS}|{_ANSWERS}(?:, {_ANSWERS})*"
            case forms.SingleAnswer():
                text = _OWN_ANSWER
            case forms.Verdict(words=words):
                text = "|".join(words)
        pattern += f"(?:{before}(?P<{field}>{text})){'' if needed else '??'}"
    return re.compile(pattern)


@cache
def _places(kind: type[Event]) -> tuple[_Place, ...]:
    """Return the places after the verb in lines of this kind, in the order of the line."""
    places: list[_Place] = []
    for part in kind.form.parts:
        match part:
            case forms.Several(fields=[_, _, *_] as fields):
                places += [_Place(part, field, f" {field} ", False) for field in fields]
            case forms.Several(fields=[field]):
                places.append(_Place(part, field, part.before, True))
            case forms.Dice():
                places.append(_Place(part, "dice", part.before, True))
            case forms.Name(field=field):
                places.append(_Place(part, field, part.before, not (part.unseen or part.optional)))
    tail = kind.form.tail
    if tail is not None:
        places.append(_Place(tail, tail.field, _BEFORE_TAIL, isinstance(tail, forms.Verdict)))
    return tuple(places)


# What stands at a place: `_fields_at` is the inverse of `_text_at`.


def _places_text(places: Iterable[_Place], fields: Mapping[str, Any], others: int = 0) -> str:
    """
    Return the text of some places of a line, each with the mark that stands before it.

    A place without a value in `fields` is left out, and so is its mark.

    Args:
        places: The places, in the order of the line.
        fields: The values of the observation's fields, by field.
        others: The number of seats besides the one that acts. If so many answers are given and all
            are passes, their text is `nobody shows`.
    """
    texts = ((place.before, _text_at(place, fields, others)) for place in places)
    return "".join(f"{before}{text}" for before, text in texts if text)


def _text_at(place: _Place, fields: Mapping[str, Any], others: int) -> str:
    """
    Return the text of a place; empty if it has none.

    Args:
        place: The place.
        fields: The values of the observation's fields, by field.
        others: The number of seats besides the one that acts.
    """
    value: Any = fields.get(place.field)
    match place.part:
        case forms.Dice() if fields.get("total") is not None:
            value = (str(fields["total"]), *fields.get("icons", ()))
        case forms.Verdict(words=words):
            return next((word for word, meaning in words.items() if meaning is value), "")
        case forms.AnswerList() if value and len(value) == others:
            if all(answer.answer == "passes" for answer in value):
                return _ALL_PASS
        case forms.SingleAnswer():
            heard = value and value != "unheard"
            return format_answer(Answer(answer=value, card=fields.get("card"))) if heard else ""
    if isinstance(value, str | None):
        return value or ""
    if isinstance(place.part, forms.AnswerList):
        value = map(format_answer, value)
    return _separator(place).join(value)


def _fields_at(place: _Place, text: str) -> dict[str, Any]:
    """Return the values that the text at a place of a line gives to fields, by field."""
    texts = tuple(text.split(_separator(place)))
    match place.part:
        case forms.Dice() if texts[0] in TOTALS.forms:
            return {"total": int(texts[0]), "icons": texts[1:]}
        case forms.Several() | forms.Dice():
            return {place.field: texts}
        case forms.AnswerList() if text != _ALL_PASS:
            return {place.field: tuple(map(_parse_answer, texts))}
        case forms.SingleAnswer():
            word, _, shown = text.partition(" ")
            return {"answer": _READ[word], "card": shown or None}
        case forms.Verdict(words=words):
            return {place.field: words[text]}
    return {place.field: text}


def _separator(place: _Place) -> str:
    """Return the separator between two names at a place."""
    if isinstance(place.part, forms.Several) and place.field == place.part.each:
        return f" {place.part.between} "
    return ", "


def _parse_answer(text: str) -> Answer:
    """Return the answer in a text."""
    seat, word, card = cast(re.Match[str], _ANSWER.fullmatch(text)).groups()
    return Answer(seat=seat, answer=_READ[word], card=card)
