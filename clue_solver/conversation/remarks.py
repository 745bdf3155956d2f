"""
What is said about the log, not the game: take that back, it is Ben's turn, no, it was Cat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clue_solver import notation
from clue_solver.conversation.doubts import DoubtChoice, impossible
from clue_solver.conversation.session import Session
from clue_solver.errors import NotationError
from clue_solver.notation import Told
from clue_solver.notation.hearing import Unclear, Word, words_of_speech
from clue_solver.notation.words import format_answer
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
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


Remark = TakeBack | TurnOf | Instead


def remark_in(line: str, session: Session) -> Remark | None:
    """Return what a line that tells nothing of the game says about the log; `None` if nothing."""
    table = session.record.table
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
    meant = {"mean", "change"} & {*kinds} or "no" in kinds[1:]
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
    table, state = session.record.table, session.state_before(number)
    found: dict[Observation, Told] = {}
    for line in _changed(words, last, table):
        try:
            told = notation.read_line(line, table, state)
        except NotationError:
            continue
        if told.observation != last and not impossible(session.record, told.observation):
            found.setdefault(told.observation, told._replace(spoken=True))
    for told in found.values():
        whole = notation.format_line(told.observation, table)
        yield DoubtChoice("told", (told,), (whole,), entry=number)


def _changed(words: Sequence[Word], last: Observation, table: Table) -> Iterator[str]:
    """Yield lines in which one name of an entry is another: who shows, who asks, a card."""
    kinds = {word.kind for word in words}
    old, new = _old_and_new(words)
    if len(new) > 1 or len(old) > 1 or not kinds <= _EXPLAINED or not (new or "nobody" in kinds):
        return
    line = notation.format_line(last, table)
    head, tail = line, ""
    if isinstance(last, observed.Suggestion):
        head = notation.format_line(observed.Suggestion(by=last.by, cards=last.cards), table)
        shown = [one for one in last.answers if one.answer == "shows"]
        tail = ", ".join(format_answer(one) for one in shown)
        if "nobody" in kinds:
            yield f"{head}: nobody shows"
    for name in new:
        alike = _alike(name, table)
        if isinstance(last, observed.Knowing):
            alike = tuple(other for other in alike if other != last.by)
        was = [one for one in old if one in alike] if old else list(alike)
        for one in was if len(was) == len(old) or not old else ():
            parts = (
                [(head, tail)] if name in table.edition.category_of else [(head, ""), ("", tail)]
            )
            for place in parts:
                if "ask" in kinds and place == ("", tail):
                    continue
                if kinds & {"show", "have"} and place == (head, "") and tail:
                    continue
                texts = [_with(one, name, text) if text in place else text for text in (head, tail)]
                by, shower = texts[0].partition(" suggests ")[0], texts[1].partition(" shows")[0]
                if tail and table.viewer not in (by, shower):
                    texts[1] = f"{shower} shows"  # the viewer has not seen that card
                yield ": ".join(filter(None, texts))
        if tail and name in table.edition.category_of and {*old} <= {*tail.split(" shows ")}:
            yield f"{head}: {tail.partition(' shows')[0]} shows {name}"


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


def _with(old: str, new: str, text: str) -> str:
    """Return a text with one name in the place of another."""
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
