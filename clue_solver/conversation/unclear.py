"""Questions about a line that lacks one thing, or means several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.changes import Place
from clue_solver.conversation.doubts import Doubt, DoubtChoice, cards_in, plain
from clue_solver.conversation.hands import answers_of, impossible, which_cards
from clue_solver.errors import listed, named_entries
from clue_solver.notation.canonical import format_answer
from clue_solver.notation.reading import Reading
from clue_solver.record import Record
from clue_solver.rules import observations as observed

_MOST_ASKED = 4
"""The most readings of a line that are asked about."""

_MOST_CHOICES = 24
"""The most names that a question lists."""


def unclear(ways: Sequence[Reading], record: Record, opened: int | None) -> Doubt | None:
    """
    Ask for what a line leaves open; `None` where that is too much to ask.

    Args:
        ways: All that the line can mean: several things, one with a gap, or a late answer.
        record: The game so far.
        opened: The number of the entry that waits for its answers, if one does.
    """
    whole = [in_full(way) for way in ways if way.observation is not None]
    if not whole:
        return _rest_of_hand(ways, record) or _gap(ways, record)
    if len(whole) == 1 and opened is not None:
        return _late_answer(whole[0], record, opened)
    return _which_line(whole, opened) if len(whole) <= _MOST_ASKED else None


def in_full(way: Reading) -> Reading:
    """Return a whole reading with its line in full, so that it can be told anew."""
    return replace(way, line=notation.format_line(way.told, way.table))


def _late_answer(way: Reading, record: Record, opened: int) -> Doubt:
    """Ask whether a line adds its answers to the entry that waits for them."""
    asked = record.observations[opened - 1]
    answers = getattr(asked, "answers", ())
    heard = tuple(answer for answer in answers if answer.seat is not None)
    asked = asked if heard == answers else replace(asked, answers=heard)
    line = notation.format_line(asked, record.table)
    question = f"Add it to {named_entries([opened])}, {line}?"
    return Doubt("late", question, (DoubtChoice("yes", (way,), Place(opened), called=("add it",)),))


def _which_line(ways: Sequence[Reading], opened: int | None) -> Doubt:
    """Ask which of several things a line means; by what they differ in, where it is one thing."""
    cards = _cards_apart(ways)
    labels = cards or _answers_apart(ways)
    if not labels:
        labels = [f"entry {opened}: {way.line}" if way.late else way.line for way in ways]
    parts = [[] if cards else _parts(label) for label in labels]
    choices = tuple(
        DoubtChoice(
            label,
            (way,),
            Place(opened) if way.late else None,
            called=tuple(part for part in said if sum(part in other for other in parts) == 1),
        )
        for label, way, said in zip(labels, ways, parts, strict=True)
    )
    question = "Which card?" if cards else "Which do you mean?"
    if opened is not None and all(way.late for way in ways):
        question = f"Which do you mean, for {named_entries([opened])}?"
    return Doubt("lacking", question, choices)


def _parts(label: str) -> list[str]:
    """Return the answers that a label joins: `Cat passes, Dan shows`."""
    return [plain(part) for part in label.split(", ")]


def _cards_apart(ways: Sequence[Reading]) -> list[str]:
    """Return the card of each reading, where they differ in that one card; else nothing."""
    every = [Counter(cards_in(way.told)) for way in ways]
    shared = every[0]
    for cards in every:
        shared = shared & cards
    apart = [[*(cards - shared)] for cards in every]
    alike = len({(way.kind, way.late) for way in ways}) == 1
    if not alike or any(len(cards) != 1 for cards in apart):
        return []
    return [card for cards in apart for card in cards]


def _answers_apart(ways: Sequence[Reading]) -> list[str]:
    """Return the answers of each reading, where they differ in these; else nothing."""
    said = [getattr(way.told, "answers", ()) for way in ways]
    if not all(said) or len({replace(way.told, answers=()) for way in ways}) > 1:
        return []
    return [
        "nobody shows"
        if all(answer.answer == "passes" for answer in answers)
        else ", ".join(map(format_answer, answers))
        for answers in said
    ]


def _rest_of_hand(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """Ask for the cards that a hand lacks still: the viewer's, or any once the game is over."""
    first = ways[0]
    if first.kind is not observed.Hand or not first.fields.get("cards"):
        return None
    hand = observed.Hand(**first.fields)
    asked = hand.seat == record.table.viewer or record.finished
    return which_cards(record, hand) if asked else None


def _gap(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """Ask for the one name that a line leaves out."""
    table = record.table
    if len({(way.kind, way.gap and way.gap.field) for way in ways}) > 1:
        return None
    found: dict[str, Reading] = {}
    for way in ways:
        for name in way.gap.names if way.gap else ():
            with suppress(errors.NotationError):
                filled = way.filled(name)
                if filled.observation and not impossible(record, filled.observation):
                    found[name] = in_full(filled)
    if not 0 < len(found) <= _MOST_CHOICES:
        return None
    names = list(found)
    if ways[0].gap is not None and ways[0].gap.field == "answers":
        shown = [answers_of(way.told, table)[-1] for way in found.values()]
        names = [f"{seat} shows {answer.card or ''}".rstrip() for seat, answer, _ in shown]
        question = f"Who shows {shown[0].answer.card or 'a card'}?"
    else:
        kinds = {table.edition.category_of.get(name) for name in names}
        question = f"Which {next(iter(kinds)) if len(kinds) == 1 else 'card'}?"
        if None in kinds:
            either = listed(names, "or")
            question = f"{either[0].upper()}{either[1:]}?" if names[1:] else f"Is it {either}?"
    choices = (DoubtChoice(name, (way,)) for name, way in zip(names, found.values(), strict=True))
    return Doubt("lacking", question, tuple(choices))
