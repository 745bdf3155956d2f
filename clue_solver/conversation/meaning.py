"""
What a typed line means in a game: its readings, and what to ask if there are several.

`meanings` is the only place where the readings of a line are compared with the game. If one
complete reading is left (`likely_reading`), the line means that; otherwise `meaning_doubt` asks
which reading is right, or for the one thing that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.conversation.changes import END, LogPlace, entry_of
from clue_solver.conversation.doubts import (
    YES,
    Candidate,
    Doubt,
    DoubtChoice,
    answers_of,
    cards_doubt,
    choices_of,
    is_ruled_out,
)
from clue_solver.errors import named_entries
from clue_solver.game import Game
from clue_solver.notation.canonical import format_line
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.reader import readings
from clue_solver.notation.reading import Answerable, Reading, only_reading
from clue_solver.notation.scan import scan
from clue_solver.record.contents import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.turns import TurnState

_MOST_WEIGHED = 12
"""The most readings of a line that are checked against the log."""

_MOST_MEANINGS = 4
"""The most meanings of a line that are offered to choose from."""

_MOST_NAMES = 24
"""The most names that are offered to choose from."""


def state_at(game: Game, place: LogPlace) -> TurnState:
    """
    Return whose turn it is and who has left, before a place in the log.

    Raises:
        ArgumentError: If there is no such place.
    """
    if place.entry is None:
        return game.play().turns
    entry_of(game.record, place.entry)
    return game.play(place.entry - 1).turns


def read(game: Game, line: str, place: LogPlace = END) -> Reading:
    """
    Return the only meaning of a line at a place.

    Raises:
        NotationError: If the line cannot be read, is incomplete, or has several meanings.
        ArgumentError: If there is no such place.
    """
    return only_reading(meanings(game, line, place), line)


def meanings(
    game: Game, line: str, place: LogPlace = END, *, also_late: bool = False
) -> tuple[Reading, ...]:
    """
    Return the meanings of a line at a place that are plausible in the game.

    Args:
        game: The game.
        line: The line as it was typed.
        place: The place in the log where it goes.
        also_late: Whether the line may also give answers that an earlier entry still lacks.

    Raises:
        NotationError: If the line has no meaning.
        ArgumentError: If there is no such place.
    """
    state = state_at(game, place)
    waiting = [*unanswered(game.record).values()] if also_late else []
    if not any("seat" in token.roles for token in scan(line, lexicon_of(game.table))):
        waiting = waiting[:1]  # an answer without a name is to the last of them
    found: list[Reading] = []
    refused: list[errors.NotationError] = []
    for opened in waiting or (None,):
        try:
            meant = readings(line, game.table, state, open=opened)
            found += [one for one in meant if one not in found]
        except errors.NotationError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return plausible(game, found, place)


def plausible(game: Game, found: Sequence[Reading], place: LogPlace) -> tuple[Reading, ...]:
    """
    Return the complete readings that are plausible in the game; if there are none, all.

    Readings that the viewer's own hand rules out are dropped, then those that contradict the log. A
    check that would drop all of them is left out, so that the dialog can ask. If only readings with
    swapped roles would be left, those that take the roles by the cards' order stay, too.
    """
    record = game.record
    different: dict[tuple[bool, Observation], Reading] = {}  # of equal ones the first
    for one in found:
        if one.observation is not None:
            different.setdefault(_order_free_key(one), one)
    meant = [*different.values()]
    if not 1 < len(meant) <= _MOST_WEIGHED:
        return tuple(meant) or tuple(found)
    by_order = [replace(one, by_order=False) for one in meant if one.by_order]
    meant = [one for one in meant if not is_ruled_out(record, one.whole)] or meant
    if len(meant) > 1:
        fitting = [
            one for one in meant if not Candidate(game, one, place_of(one, record, place)).clashes
        ]
        meant = fitting or meant
    if not any(one.by_order for one in meant):
        meant = [*by_order, *meant]  # roles are not swapped unless somebody says so
    return tuple(meant)


def _order_free_key(reading: Reading) -> tuple[bool, Observation]:
    """Return a key that is equal for readings that differ only in the order of their cards."""
    told = reading.whole
    if cards := getattr(told, "cards", ()):
        order = reading.table.edition.names.index
        told = replace(told, cards=tuple(sorted(cards, key=order)))
    return reading.late is not None, told


def unanswered(record: Record) -> dict[int, Answerable]:
    """Return the entries of this round that lack answers, by their numbers, the last one first."""
    log, found = record.observations, dict[int, Answerable]()
    for number in range(len(log), max(len(log) - len(record.table.seats), 0), -1):
        match log[number - 1]:
            case observed.Suggestion(answers=answers) | observed.Finger(answers=answers) as asked:
                if not answers or answers[-1].seat is None:
                    found[number] = asked
            case observed.Question(answer="unheard") as asked:
                found[number] = asked
    return found


def place_of(reading: Reading, record: Record, place: LogPlace = END) -> LogPlace:
    """Return where a reading goes: for a late answer its entry, for any other the given place."""
    waiting = unanswered(record).items() if reading.late is not None else ()
    numbers = (number for number, opened in waiting if opened == reading.late)
    return next(map(LogPlace, numbers), place)


# What is asked where a line has no single meaning.


def meaning_doubt(meant: Sequence[Reading], record: Record) -> Doubt | None:
    """
    Return the question which meaning is right; `None` if there are too many to choose from.

    Args:
        meant: The readings that `meanings` found: several, one with a gap, or a late answer.
        record: The game so far.
    """
    # No complete reading: ask for the rest of a hand, or for the one name that is missing.
    whole = [one.told_as(one.whole) for one in meant if one.observation is not None]
    if not whole:
        first = meant[0]
        askable = first.fields.get("seat") == record.table.viewer or record.finished
        alike = len({one.text for one in meant}) == 1
        if first.kind is observed.Hand and first.fields.get("cards") and askable and alike:
            return cards_doubt(observed.Hand(**first.fields), record)  # the rest of the hand
        return _gap_doubt(meant, record)
    if len(whole) > _MOST_MEANINGS:
        return None
    # One late answer: ask whether it belongs to its entry. Several readings: ask which is meant.
    entries = [place_of(one, record).entry for one in whole]
    if len(whole) == 1 and (late := whole[0].late) is not None:
        line = format_line(late, record.table)
        text = f"Add it to {_named(entries)}, '{line}'?"
        return Doubt("late", text, choices=(DoubtChoice("yes", whole[0], (*YES, "add it")),))
    labels = _distinct_parts([one.line for one in whole])
    if len({*entries}) > 1:
        labels = [
            f"entry {entry}: {one.line}" if entry else one.line
            for entry, one in zip(entries, whole, strict=True)
        ]
    about = "" if None in entries else f", for {_named(entries)}"
    choices = choices_of(zip(labels, whole, strict=True))
    return Doubt("lacking", f"Which do you mean{about}?", choices=choices)


def _named(entries: Sequence[int | None]) -> str:
    """Return the entries that late answers are for, as words."""
    return named_entries(sorted({entry for entry in entries if entry is not None}))


def _distinct_parts(lines: Sequence[str]) -> list[str]:
    """Return lines without the words that all of them begin with or end with."""
    parts = [re.split(r"(?<=[,:]) ", line) for line in lines]
    for end in (0, -1):
        while all(len(each) > 1 for each in parts) and len({each[end] for each in parts}) == 1:
            for each in parts:
                del each[end]
    return [" ".join(each).rstrip(",:") for each in parts]


def _gap_doubt(meant: Sequence[Reading], record: Record) -> Doubt | None:
    """Ask for the one name that a line leaves out; `None` if it lacks more, or too many fit."""
    gap = meant[0].gap
    if gap is None or len({(one.kind, one.gap and one.gap.field) for one in meant}) > 1:
        return None
    # The names that fit the gap, each with the line that it completes.
    found: dict[str, Reading] = {}
    for one in meant:
        for name in one.gap.names if one.gap else ():
            with suppress(errors.NotationError):
                filled = one.filled(name)
                if not filled.observation or is_ruled_out(record, filled.observation):
                    continue
                if name in found:
                    return None  # more than that is open
                found[name] = filled.told_as(filled.whole)
    if not 0 < len(found) <= _MOST_NAMES:
        return None
    # The question: who shows, which card of a category, or what the gap itself asks.
    labels = [*found]
    kinds = {record.table.edition.category_of.get(name) for name in found}
    text = gap.question
    if gap.field == "answers":
        answer, _ = answers_of(next(iter(found.values())).whole, record.table)[-1]
        shown = answer.card
        labels = [f"{name} shows {shown or ''}".rstrip() for name in found]
        text = f"Who shows {shown or 'a card'}?"
    elif None not in kinds:
        text = f"Which {kinds.pop() if len(kinds) == 1 else 'card'}?"
    choices = choices_of(zip(labels, found.values(), strict=True))
    return Doubt("lacking", text, choices=choices)
