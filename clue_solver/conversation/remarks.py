"""
What is said about the log, not the game: take that back, it is Ben's turn, no, it was Cat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.conversation.doubts import DoubtChoice, impossible
from clue_solver.conversation.session import Session
from clue_solver.notation import Told
from clue_solver.notation.hearing import Unclear, Word, words_of_speech
from clue_solver.notation.normalising import InvalidObservation, passes
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.table import Table

_LEADING = ("no", "not", "sorry", "actually", "wait", "oops", "oh", "nope")
"""With what a correction begins that does not say `I meant`, nor what was wrong."""


class TakeBack(NamedTuple):
    """The last change is to be taken back."""


class TurnOf(NamedTuple):
    """Whose turn it is said to be; that of who comes next where the seat is empty."""

    seat: str


class Instead(NamedTuple):
    """What the last entry may be instead."""

    choices: tuple[DoubtChoice, ...]


class Forgotten(NamedTuple):
    """What was not told in time, as a line of its own."""

    line: str


class Renamed(NamedTuple):
    """The players, clockwise, one of whom has another name now."""

    seats: tuple[str, ...]


Remark = TakeBack | TurnOf | Instead | Forgotten | Renamed

_FORGOT = re.compile(
    r"(?:oh,? |sorry,? )?(?:i|we)(?:'ve| have)? forgot(?:ten)?\b"
    r"(?: to (?:say|tell|log|mention|enter|type|write))?(?: that)?\b[,:]? *(\S.*)",
    re.IGNORECASE,
)
_RENAME = re.compile(
    r"rename (.+?) (?:to|as|into) (.+)|(.+?) is (?:really |actually |now )?called (.+)",
    re.IGNORECASE,
)


def remark_in(line: str, session: Session) -> Remark | None:
    """Return what a line that tells nothing of the game says about the log; `None` if nothing."""
    table = session.record.table
    if forgot := _FORGOT.fullmatch(line.strip()):
        return Forgotten(forgot[1])
    if called := _RENAME.fullmatch(line.strip()):
        old, new = filter(None, called.groups())
        found = notation.lexicon_of(table).seats.readings(old)
        if len(found) == 1:
            return Renamed(tuple(new if seat == found[0] else seat for seat in table.seats))
    try:
        words = words_of_speech(line, table)
    except Unclear:
        return None
    words = [word for word in words if word.kind != "lead"]
    said = [word for word in words if word.kind != "break"]
    kinds = [word.kind for word in said]
    if "undo" in kinds and set(kinds) <= {"undo", "no", "right", "mean"}:
        at = words.index(next(word for word in words if word.kind == "undo"))
        return None if at and words[at - 1].kind == "no" else TakeBack()
    seats = [word.names[0] for word in said if word.kind == "seat"]
    if not seats and session.turn is None and "turn" in kinds:
        return None
    if "turn" in kinds and set(kinds) <= {"turn", "seat", "for"} and len(seats) < 2:
        return TurnOf("".join(seats)) if seats or "next" in line.casefold() else None
    begins = re.match(r"\w*", line.strip().casefold())
    meant = {"mean", "change"} & {*kinds} or "no" in kinds[1:-1]  # `Ben, not Cat`
    if kinds[:1] == ["no"] and begins and not begins[0].endswith("t"):
        words = words[words.index(said[0]) + 1 :]  # `no, Ben`, other than `not Ben`
        if [word.kind for word in words] in (["card"], ["seat"]):
            return None  # `no knife`
    if session.lines and (meant or (begins and begins[0] in _LEADING)):
        choices = tuple(_instead(words, session))
        return Instead(choices) if choices else None
    return None


def _instead(words: Sequence[Word], session: Session) -> Iterator[DoubtChoice]:
    """Yield what the last entry may be once a correction is made in it."""
    number = len(session.lines)
    last = session.record.entries[-1].observation
    table = session.record.table
    state = session.state_before(number)
    found: list[Observation] = []
    for changed in _changed(words, last, table):
        with suppress(InvalidObservation):
            whole = notation.normalise(changed, table, state)
            if whole not in (last, *found) and not impossible(session.record, whole):
                found.append(whole)
    for whole in found:
        line = notation.format_line(whole, table)
        told = Told(line, whole, spoken=True)
        yield DoubtChoice("told", (told,), (line,), entry=number)


def _changed(words: Sequence[Word], last: Observation, table: Table) -> Iterator[Observation]:
    """Yield an entry with one name in the place of another: who shows, who asks, a card."""
    kinds = {word.kind for word in words}
    old, new = _old_and_new(words)
    if len(new) > 1 or len(old) > 1 or not kinds <= _EXPLAINED or not (new or "nobody" in kinds):
        return
    if isinstance(last, observed.Suggestion):
        yield from _changed_suggestion(kinds, old, new, last, table)
        return
    for name in new:
        alike = _alike(name, table)
        if isinstance(last, observed.Hand) and name in table.seats:
            continue  # whose hand it is was no slip of the tongue
        if isinstance(last, observed.Knowing):
            alike = tuple(other for other in alike if other != last.by)
        for one in _wrong(old, alike):
            yield _renamed(last, one, name)


def _changed_suggestion(
    kinds: Set[str],
    old: Sequence[str],
    new: Sequence[str],
    last: observed.Suggestion,
    table: Table,
) -> Iterator[Observation]:
    """Yield a suggestion with another asker, another shower, or another card."""
    shown = tuple(one for one in last.answers if one.answer == "shows")
    if "nobody" in kinds:
        yield replace(last, answers=passes([seat for seat in table.seats if seat != last.by]))
    for name in new:
        for one in _wrong(old, _alike(name, table)):
            if name in table.edition.category_of:
                changes = [_renamed(replace(last, answers=shown), one, name)]
            else:
                changes = []
                if one == last.by and not (shown and kinds & {"show", "have"}):
                    changes.append(replace(last, by=name, answers=shown))
                if "ask" not in kinds:
                    changes.append(replace(last, answers=_renamed(shown, one, name)))
            for changed in changes:
                yield replace(changed, answers=_as_seen(changed, table))
        if shown and name in table.edition.category_of and {*old} <= {shown[0].card}:
            yield replace(last, answers=(replace(shown[0], card=name),))


def _as_seen(told: observed.Suggestion, table: Table) -> tuple[Answer, ...]:
    """Return the answers without a card that the viewer has not seen."""
    return tuple(
        one if table.viewer in (told.by, one.seat) else replace(one, card=None)
        for one in told.answers
    )


def _wrong(old: Sequence[str], alike: Sequence[str]) -> Sequence[str]:
    """Return the names that may be wrong: that which is said to be, else all that are alike."""
    if not old:
        return alike
    return old if {*old} <= {*alike} else ()


def _renamed(told: Any, old: str, new: str) -> Any:
    """Return an observation, or a part of one, with one name in the place of another."""
    if isinstance(told, Struct):
        parts = {name: _renamed(getattr(told, name), old, new) for name in told.__struct_fields__}
        return replace(told, **parts)
    if isinstance(told, tuple):
        return tuple(_renamed(one, old, new) for one in told)
    return new if told == old else told


_EXPLAINED = frozenset(
    (
        *("no", "nobody", "seat", "card", "he", "him", "show", "have", "ask", "for", "mean"),
        *("change", "to", "break", "see", "right", "wrong"),
    )
)
"""The kinds of words that a correction is made of."""


def _old_and_new(words: Sequence[Word]) -> tuple[list[str], list[str]]:
    """Return the names that are wrong, and those that stand in their place."""
    old: list[str] = []
    new: list[str] = []
    changes = any(word.kind == "change" for word in words)
    for at, word in enumerate(words):
        if word.kind not in ("seat", "card"):
            continue
        if word.kind == "card" and len(word.names) != 1:
            return [], []
        before = [other.kind for other in words[:at]]
        after = words[at + 1].kind if at + 1 < len(words) else ""
        if word.kind == "seat" and (after == "mean" or before[-1:] == ["show"]):
            continue  # `I meant`, `showed me`
        denied = before[-1:] == ["no"]
        (old if denied or (changes and not old) else new).append(word.names[0])
    return old, new


def _alike(name: str, table: Table) -> tuple[str, ...]:
    """Return the names that another can be put in for: the players, or the cards of its kind."""
    if name in table.seats:
        return table.seats
    kind = table.edition.category_of
    return tuple(card for card in table.edition.names if kind[card] == kind[name])
