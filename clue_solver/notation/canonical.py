"""
The canonical line of an observation, and its inverse: both by the form that it declares.

Records are written and read by this; `reader` reads what people type. A line is who does it, the
verb, and then places: each has a mark or a word before it and holds the text of one field.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

from msgspec.structs import asdict

from clue_solver.notation.lexicon import TOTALS, alike
from clue_solver.notation.places import InvalidObservation, normalise, passes
from clue_solver.rules import forms
from clue_solver.rules.observations import Answer, Event, Observation, Reply, kinds
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

_KINDS = kinds()

_NOBODY = "nobody"
"""Who does it if no seat does."""

_BEFORE_TAIL = ": "
"""What stands before the answers, or what was seen."""

_ALL_PASS = "nobody shows"
_REPLIES: dict[Reply, str] = {"passes": "passes", "shows": "shows", "unheard": "?"}
_READ = {word: reply for reply, word in _REPLIES.items()}

_REPLY = r"passes|shows|\?"
_ANSWER = re.compile(rf"(?:(?P<seat>[^,]+) )?(?P<answer>{_REPLY})(?: (?P<card>[^,]+))?")
_OWN_ANSWER = rf"(?:{_REPLY})(?: [^,]+)?"
_ANSWERS = rf"(?:[^,]+ )?{_OWN_ANSWER}"


class _Place(NamedTuple):
    """
    A place of a line.

    Attributes:
        part: What stands there.
        field: The field of the observation whose text it is.
        before: What stands before it.
        needed: Whether it is required.
    """

    part: forms.Part | forms.Tail
    field: str
    before: str
    needed: bool


def format_line(observation: Event, table: Table) -> str:
    """
    Return the canonical line of an observation that `normalise` returned.

    >>> from clue_solver import load
    >>> from clue_solver.rules.observations import Suggestion
    >>> asked = Suggestion(by="Ann", cards=("Plum", "Rope", "Hall"))
    >>> format_line(asked, load("examples/classic.clue").table)
    'Ann suggests Plum, Rope, Hall'
    """
    return format_beginning(type(observation), asdict(observation), table)


def format_beginning(kind: type[Event], fields: Mapping[str, Any], table: Table) -> str:
    """Return the line of an observation with only some of its fields."""
    form = kind.form
    subject = fields.get(form.subject) if form.subject else _NOBODY
    rest = _written(_places(kind), fields, len(table.seats) - 1)
    return f"{subject} {_verb(form)}{rest}"


def format_told(observation: Event) -> str:
    """Return what a line tells behind its verb, without an answer: `Ben has Rope or Hall`."""
    places = [place for place in _places(type(observation)) if place.before != _BEFORE_TAIL]
    return _written(places, asdict(observation)).strip()


def format_answer(answer: Answer) -> str:
    """Return what a line says of one answer: `Ben shows Plum`, `Ben ?`."""
    return " ".join(filter(None, (answer.seat, _REPLIES[answer.answer], answer.card)))


def parse_canonical(line: str, table: Table, state: TurnState | None = None) -> Observation | None:
    """
    Return the observation of which a line is the canonical one; `None` for any other line.

    What another line means, or what is wrong with it, is for `reader` to say.

    >>> from clue_solver import load
    >>> table = load("examples/classic.clue").table
    >>> parse_canonical("Ann skips", table), parse_canonical("ann skips", table)
    (Skip(by='Ann'), None)
    """
    state = state or TurnState()
    return _parse(line, alike(table), state.left, tuple(state.sizes.items()))


@lru_cache(maxsize=1 << 14)
def _parse(
    line: str, table: Table, left: frozenset[str], sizes: tuple[tuple[str, int], ...]
) -> Observation | None:
    """Cached body of `parse_canonical`, keyed by everything it depends on."""
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
                fields |= _read(place, found[place.field])
        if fields.get("answers") == _ALL_PASS:
            fields["answers"] = passes(table.answering(str(by), left=left))
        state = TurnState(left=left, sizes=dict(sizes))
        try:
            return normalise(cast(Observation, kind(**fields)), table, state)
        except InvalidObservation:
            return None
    return None


@cache
def _pattern(kind: type[Event]) -> re.Pattern[str]:
    """Return what matches the lines of a kind."""
    who = f"(?P<{kind.form.subject}>.+)" if kind.form.subject else _NOBODY
    pattern = f"{who} {_verb(kind.form)}"
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


def _verb(form: forms.Form) -> str:
    return f"{form.verb} {form.particle}".rstrip()


@cache
def _places(kind: type[Event]) -> tuple[_Place, ...]:
    """Return the places of a line behind its verb."""
    places: list[_Place] = []
    for part in kind.form.parts:
        match part:
            case forms.Several(fields=[_, _, *_] as fields):
                places += [_Place(part, field, f" {field} ", False) for field in fields]
            case forms.Dice(dice=field) | forms.Several(fields=[field]):
                places.append(_Place(part, field, part.before, True))
            case forms.Name(field=field):
                places.append(_Place(part, field, part.before, not (part.unseen or part.optional)))
    tail = kind.form.tail
    if tail is not None:
        places.append(_Place(tail, tail.field, _BEFORE_TAIL, isinstance(tail, forms.Verdict)))
    return tuple(places)


# What stands at a place: `_read` is the inverse of `_text`.


def _written(places: Iterable[_Place], fields: Mapping[str, Any], others: int = 0) -> str:
    """Return the text of places, each with what stands before it; of an empty one nothing."""
    texts = ((place.before, _text(place, fields, others)) for place in places)
    return "".join(f"{before}{text}" for before, text in texts if text)


def _text(place: _Place, fields: Mapping[str, Any], others: int) -> str:
    """Return the text of a place, empty if it has none; `others` is the number of other seats."""
    value: Any = fields.get(place.field)
    match place.part:
        case forms.Dice(total=total, icons=icons) if fields.get(total) is not None:
            value = (str(fields[total]), *fields.get(icons, ()))
        case forms.Verdict(words=words):
            return next((word for word, meaning in words.items() if meaning is value), "")
        case forms.AnswerList() if value and len(value) == others:
            if all(answer.answer == "passes" for answer in value):
                return _ALL_PASS
        case forms.SingleAnswer(card=card):
            heard = value and value != "unheard"
            return format_answer(Answer(answer=value, card=fields.get(card))) if heard else ""
    if isinstance(value, str | None):
        return value or ""
    if isinstance(place.part, forms.AnswerList):
        value = map(format_answer, value)
    return _between(place).join(value)


def _read(place: _Place, text: str) -> dict[str, Any]:
    """Return the fields that the text of a place tells."""
    texts = tuple(text.split(_between(place)))
    match place.part:
        case forms.Several():
            return {place.field: texts}
        case forms.Dice(total=total, icons=icons) if texts[0] in TOTALS:
            return {total: int(texts[0]), icons: texts[1:]}
        case forms.Dice(dice=dice):
            return {dice: texts}
        case forms.AnswerList() if text != _ALL_PASS:
            return {place.field: tuple(map(_answer, texts))}
        case forms.SingleAnswer(card=card):
            word, _, shown = text.partition(" ")
            return {place.field: _READ[word], card: shown or None}
        case forms.Verdict(words=words):
            return {place.field: words[text]}
    return {place.field: text}


def _between(place: _Place) -> str:
    """Return what stands between two of the names at a place."""
    if isinstance(place.part, forms.Several) and place.field == place.part.each:
        return f" {place.part.between} "
    return ", "


@lru_cache(maxsize=1024)
def _answer(text: str) -> Answer:
    """Return one answer; a record has the same ones again and again."""
    seat, word, card = cast(re.Match[str], _ANSWER.fullmatch(text)).groups()
    return Answer(seat=seat, answer=_READ[word], card=card)
