"""
What a line that was refused may mean: who it leaves out, colours of several cards, a late answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.doubts import (
    Doubt,
    DoubtChoice,
    Place,
    answers_of,
    clashes,
    impossible,
)
from clue_solver.game import Game
from clue_solver.notation import Told
from clue_solver.notation.speech import heard
from clue_solver.record import Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

_MOST_READ, _MOST_ASKED = 12, 4
"""The most readings of a line that are looked at, and the most that are asked about."""


def meant(
    error: errors.NotationError, game: Game, state: notation.TurnState, *, place: Place
) -> tuple[Told, ...]:
    """
    Return what a line can tell some of whose words can be one card or another, colours say.

    Neither what the viewer's hand rules out counts, nor what contradicts the log while another
    does not. Empty where it is no such line, or can tell too much.

    Args:
        error: Why the line was refused.
        game: The game so far.
        state: What the entries before the line mean for it.
        place: Where it goes.
    """
    table = game.record.table
    ways: dict[Observation, Told] = {}
    for count, told in enumerate(_written_out(error, table, state)):
        if count == _MOST_READ:
            return ()
        observation = told.observation
        if cards := getattr(observation, "cards", ()):
            cards = sorted(cards, key=table.edition.names.index)
            observation = replace(observation, cards=tuple(cards))
        if not impossible(game.record, observation):
            ways.setdefault(observation, told)
    sound = {way: told for way, told in ways.items() if not clashes(game, told.observation, place)}
    every = tuple((sound or ways).values())
    turn = state.turn(table)
    if own := tuple(told for told in every if getattr(told.observation, "by", "") == turn):
        every = own  # `i` is whose turn it is, rather than another whose name begins so
    return every if len(every) <= _MOST_ASKED else ()


def _written_out(
    error: errors.NotationError, table: Table, state: notation.TurnState
) -> Iterator[Told]:
    """Yield what a line can tell, its cards in full, which can be read in several ways."""
    line, names = error.line, error.nearest
    lexicon = notation.lexicon_of(table)
    of_name = [end for end in _ends(line) if end > error.column][:3]
    for end in reversed(of_name if len(names) > 1 else ()):
        text = line[error.column : end]
        if not any(set(names) <= {*of.readings(text)} for of in (lexicon.cards, lexicon.seats)):
            continue
        for name in names:
            whole = line[: error.column] + name + line[end:]
            try:
                yield notation.read_line(whole, table, state)
            except errors.NotationError as again:
                if again.column > error.column:
                    yield from _written_out(again, table, state)
        return


def lacking(
    error: errors.NotationError,
    table: Table,
    state: notation.TurnState,
    ways: Sequence[Told] = (),
) -> Doubt | None:
    """
    Return the question for the one name or word that a refused line leaves out, if it is that.

    A line that can be read in several ways is one that leaves out which.

    Args:
        error: Why the line cannot be read; its nearest right things are tried in it.
        table: The table.
        state: What the entries before the line mean for it.
        ways: What it can tell, as `meant` has it.
    """
    if len(ways) > 1:
        lines = [notation.format_line(told.observation, table) for told in ways]
        cards = _apart(lines, table.edition.names)
        labels = zip(ways, cards or lines, strict=True)
        open_ = tuple(DoubtChoice("told", (told,), (label,)) for told, label in labels)
        about = ("card",) if cards else ()
        return Doubt("lacking", "which" if cards else "which line", open_, names=about)
    body = notation.split_comment(error.line)[0]
    if shown := tuple(_shown_by(body, table, state)):
        card = answers_of(shown[0].told[0].observation, table)[-1].answer.card
        return Doubt("lacking", "who shows", shown, names=(str(card),))
    whole = {line: told for line in error.nearest if (told := _read(line, table, state))}
    if len(whole) > 1 and all(
        line == notation.format_line(told.observation, table) for line, told in whole.items()
    ):
        apart = len({line.partition(": ")[0] for line in whole}) > 1
        choices = [
            DoubtChoice("told", (told,), (line if apart else line.partition(": ")[2],))
            for line, told in whole.items()
        ]
        return Doubt("lacking", "which line", tuple(choices))
    choices = []
    for name in error.nearest:
        for end in reversed(_ends(body)):
            if told := _read(f"{body[:end]} {name}{body[end:]}", table, state):
                choices.append(DoubtChoice("told", (told,), (name,)))
                break
    if not choices:
        return None
    names = tuple(name for choice in choices for name in choice.names)
    kinds = {table.edition.category_of.get(name) for name in names}
    if None not in kinds:
        kind = "card" if len(kinds) > 1 else str(*kinds)
        return Doubt("lacking", "which", tuple(choices), names=(kind,))
    return Doubt("lacking", "either", tuple(choices), names=names)


def _apart(lines: Sequence[str], cards: Sequence[str]) -> list[str]:
    """Return the card of each line, where all are the same but for that one card."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*lines, strict=False))
    begun = "".join(letters[0] for letters in same).rfind(" ") + 1
    rests = [line[begun:] for line in lines]
    cards_apart = [next((card for card in cards if rest.startswith(card)), "") for rest in rests]
    after = {rest.removeprefix(card) for rest, card in zip(rests, cards_apart, strict=True)}
    return cards_apart if all(cards_apart) and len(after) == 1 else []


def _ends(line: str) -> list[int]:
    """Return where the words of a line end."""
    return [match.end() for match in re.finditer(r"[^\s,:;>]+", line)]


def _read(
    line: str, table: Table, state: notation.TurnState, *, spoken: bool = False
) -> Told | None:
    """Return what a line tells, as speech, too, if that counts; `None` where it cannot be read."""
    with suppress(errors.NotationError):
        return notation.read_line(line, table, state)
    with suppress(errors.NotationError):
        ways = heard(line, table, state) if spoken else ()
        if len(ways) == 1 and len(ways[0]) == 1:
            return ways[0][0]
    return None


def _shown_by(line: str, table: Table, state: notation.TurnState) -> Iterator[DoubtChoice]:
    """Yield who may have shown the card that a suggestion ends in, where the viewer saw it."""
    ending = re.fullmatch(r"(.*[\s,:;>])([^\s,:;>]+)\s*", line)
    if ending is None or table.viewer is None:
        return
    for seat in table.seats:
        told = _read(f"{ending[1]}{seat} {ending[2]}", table, state)
        if told is None or not isinstance(told.observation, observed.Suggestion):
            continue
        for answer in told.observation.answers[-1:]:
            if answer.card and answer.seat == seat and table.viewer in (told.observation.by, seat):
                whole = notation.told_as(told.observation, table)
                names = (f"{seat} shows {answer.card}",)
                yield DoubtChoice("told", (whole,), names, seat=seat)


def late_answer(
    error: errors.NotationError, record: Record, states: Sequence[notation.TurnState]
) -> Doubt | None:
    """
    Return the question whether a refused line is the answer that an entry lacks.

    That is the last of a round's entries to which it can be the answer.

    Args:
        error: Why the line cannot be read by itself.
        record: The game so far.
        states: What the entries before each entry mean for its line.
    """
    said = notation.split_comment(error.line)[0].strip()
    table = record.table
    if not said or said == "?":
        return None
    open_to_answers = [
        (number, observation)
        for number, observation in enumerate(record.observations, 1)
        if isinstance(observation.form.tail, forms.AnswerList)
    ]
    for number, observation in reversed(open_to_answers[-len(table.seats) :]):
        asked = notation.format_line(observation, table)
        known = asked.removesuffix("?").rstrip(" ,:")
        if known == asked and ": " in asked:
            continue  # nothing is lacking
        line = f"{known}{',' if ': ' in known else ':'} {said}"
        if told := _read(line, table, states[number - 1], spoken=True):
            whole = told._replace(line=notation.format_line(told.observation, table))
            ways = (DoubtChoice("late", (whole,), entry=number),)
            return Doubt("late", "late", ways, names=(known,), entries=(number,))
    return None
