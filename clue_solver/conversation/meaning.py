"""What a typed line means in a game: all its readings, less what hand and log rule out."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from clue_solver.conversation.changes import END, Place, entry_of
from clue_solver.conversation.hands import impossible
from clue_solver.conversation.questions import Candidate
from clue_solver.game import Game
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import Reading, the_likely, why_not
from clue_solver.record import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.turns import TurnState

_MOST_WEIGHED = 12
"""The most meanings of a line that are held against the log."""


def state_at(game: Game, place: Place) -> TurnState:
    """Return what earlier entries mean for a line; an `ArgumentError` if that is no place."""
    if place.entry is None:
        return game.play().turns
    entry_of(game.record, place.entry)
    return game.play(place.entry - 1).turns


def read(game: Game, line: str, place: Place = END) -> Reading:
    """
    Return the one thing that a line tells in its place.

    Raises:
        NotationError: If it cannot be read, or in more than one way.
        ArgumentError: If there is no such entry.
    """
    found = meanings(game, line, place)
    if (likely := the_likely(found)) is None:
        raise why_not(found, line)
    return likely


def meanings(
    game: Game, line: str, place: Place = END, *, late: bool = False
) -> tuple[Reading, ...]:
    """
    Return all that a line can mean in its place: whole, else with one gap.

    A meaning that the viewer's own hand rules out is left out if another is left, and so is one
    that contradicts the log.

    Args:
        game: The game.
        line: The line as it was typed.
        place: Where it goes.
        late: Whether it may tell what the entry that waits for its answers lacks.

    Raises:
        NotationError: If it means nothing.
        ArgumentError: If there is no such entry.
    """
    record = game.record
    waits = unanswered_entry(record) if late else None
    asked = None if waits is None else record.observations[waits - 1]
    opened = asked if isinstance(asked, Asked) else None
    found = readings(line, record.table, state_at(game, place), open=opened)
    different: dict[tuple[bool, Observation], Reading] = {}  # of equal ones the first
    for way in found:
        if way.observation is not None:
            different.setdefault(_in_edition_order(way), way)
    ways = [*different.values()]
    if not 1 < len(ways) <= _MOST_WEIGHED:
        return tuple(ways) or found
    ways = [way for way in ways if not impossible(record, way.whole)] or ways
    if len(ways) > 1:
        fitting = []
        for way in ways:
            there = Place(waits) if way.late else place
            if not Candidate(game, way, there).clashes():
                fitting.append(way)
        ways = fitting or ways
    return tuple([way for way in ways if way.by_order] or ways)


def _in_edition_order(way: Reading) -> tuple[bool, Observation]:
    """Return what a reading tells, with its cards in the order of the edition."""
    told = way.whole
    if cards := getattr(told, "cards", ()):
        order = way.table.edition.names.index
        told = replace(told, cards=tuple(sorted(cards, key=order)))
    return way.late, told


def is_plain(ways: Sequence[Reading]) -> bool:
    """Return whether a line means one whole thing, and is an entry of its own."""
    return len(ways) == 1 and ways[0].observation is not None and not ways[0].late


def unanswered_entry(record: Record) -> int | None:
    """Return the number of the last entry of this round that waits for its answers, if any."""
    log = record.observations
    for number in range(len(log), max(len(log) - len(record.table.seats), 0), -1):
        match log[number - 1]:
            case observed.Suggestion(answers=answers) | observed.Finger(answers=answers):
                if not answers or answers[-1].seat is None:
                    return number
            case observed.Question(answer="unheard"):
                return number
    return None
