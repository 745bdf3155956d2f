"""What a line means in a game, and the questions about one that lacks a thing or means several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.conversation.changes import END, Place, entry_of
from clue_solver.conversation.doubts import (
    Doubt,
    DoubtChoice,
    cards_in,
    in_full,
    named_choice,
    plain,
)
from clue_solver.conversation.hands import answers_of, impossible, which_cards
from clue_solver.conversation.questions import Candidate
from clue_solver.errors import named_entries
from clue_solver.game import Game
from clue_solver.notation.canonical import format_answer, format_line
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import Reading, the_likely, why_not
from clue_solver.record import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.turns import TurnState

_MOST_WEIGHED = 12
"""The most meanings of a line that are held against the log."""

_MOST_ASKED = 4
"""The most meanings of a line that are asked about."""

_MOST_CHOICES = 24
"""The most names that a question lists."""


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


def unclear(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """
    Ask for what a line leaves open; `None` if that is too much to ask.

    Args:
        ways: All that the line can mean: several things, one with a gap, or a late answer.
        record: The game so far.
    """
    whole = [in_full(way) for way in ways if way.observation is not None]
    if not whole:
        first = ways[0]
        own = first.fields.get("seat") == record.table.viewer or record.finished
        alike = len({way.text for way in ways}) == 1
        if first.kind is observed.Hand and first.fields.get("cards") and own and alike:
            return which_cards(record, observed.Hand(**first.fields))  # the rest of it
        return _gap(ways, record)
    if len(whole) == 1 and whole[0].late:
        return _late_answer(whole[0], record)
    return _which_line(whole, record) if len(whole) <= _MOST_ASKED else None


def _late_answer(way: Reading, record: Record) -> Doubt:
    """Ask whether a line adds its answers to the entry that waits for them."""
    opened = unanswered_entry(record)
    assert opened is not None
    asked = record.observations[opened - 1]
    answers = getattr(asked, "answers", ())
    heard = tuple(answer for answer in answers if answer.seat is not None)
    asked = asked if heard == answers else replace(asked, answers=heard)
    question = f"Add it to {named_entries([opened])}, {format_line(asked, record.table)}?"
    return Doubt("late", question, (DoubtChoice("yes", (way,), Place(opened), called=("add it",)),))


def _which_line(ways: Sequence[Reading], record: Record) -> Doubt:
    """Ask which of several things a line means, by what they differ in if that is one thing."""
    opened = unanswered_entry(record) if any(way.late for way in ways) else None
    cards = _cards_apart(ways)
    labels = cards or _answers_apart(ways)
    if not labels:
        labels = [f"entry {opened}: {way.line}" if way.late else way.line for way in ways]
    places = [Place(opened) if way.late else None for way in ways]
    if cards:
        return Doubt("lacking", "Which card?", tuple(map(named_choice, labels, ways, places)))
    parts = [[plain(part) for part in label.split(", ")] for label in labels]
    choices = []
    for label, way, place, said in zip(labels, ways, places, parts, strict=True):
        own = [part for part in said if sum(part in other for other in parts) == 1]
        called = (*own, *(part.removesuffix(" shows") for part in own))
        choices.append(DoubtChoice(label, (way,), place, called=called))
    question = "Which do you mean?"
    if all(way.late for way in ways):
        question = f"Which do you mean, for {named_entries([opened or 0])}?"
    return Doubt("lacking", question, tuple(choices))


def _cards_apart(ways: Sequence[Reading]) -> list[str]:
    """Return the card of each reading if they differ in that one card; else nothing."""
    every = [Counter(cards_in(way.whole)) for way in ways]
    shared = every[0]
    for cards in every:
        shared = shared & cards
    apart = [[*(cards - shared)] for cards in every]
    alike = len({(way.kind, way.late) for way in ways}) == 1
    if not alike or any(len(cards) != 1 for cards in apart):
        return []
    return [card for cards in apart for card in cards]


def _answers_apart(ways: Sequence[Reading]) -> list[str]:
    """Return the answers of each reading if they differ only there; else nothing."""
    said = [getattr(way.whole, "answers", ()) for way in ways]
    if not all(said) or len({replace(way.whole, answers=()) for way in ways}) > 1:
        return []
    return [
        "nobody shows"
        if all(answer.answer == "passes" for answer in answers)
        else ", ".join(map(format_answer, answers))
        for answers in said
    ]


def _gap(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """Ask for the one name that a line leaves out."""
    table = record.table
    gap = ways[0].gap
    if gap is None or len({(way.kind, way.gap and way.gap.field) for way in ways}) > 1:
        return None
    found: dict[str, Reading] = {}
    for way in ways:
        for name in way.gap.names if way.gap else ():
            with suppress(errors.NotationError):
                filled = way.filled(name)
                if not filled.observation or impossible(record, filled.observation):
                    continue
                if name in found:
                    return None  # more than that is open
                found[name] = in_full(filled)
    if not 0 < len(found) <= _MOST_CHOICES:
        return None
    labels = [*found]
    if gap.field == "answers":
        shown = answers_of(next(iter(found.values())).whole, table)[-1].answer.card
        labels = [f"{name} shows {shown or ''}".rstrip() for name in found]
        question = f"Who shows {shown or 'a card'}?"
    else:
        kinds = {table.edition.category_of.get(name) for name in found}
        question = f"Which {next(iter(kinds)) if len(kinds) == 1 else 'card'}?"
        if None in kinds:
            question = gap.question if labels[1:] else f"Is it {labels[0]}?"
    return Doubt("lacking", question, tuple(map(named_choice, labels, found.values())))
