"""The questions about a line that is incomplete or ambiguous, and about a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.conversation.changes import Place
from clue_solver.conversation.doubts import (
    Doubt,
    DoubtChoice,
    cards_in,
    choices_of,
    in_full,
)
from clue_solver.conversation.meaning import (
    EntryDraft,
    answers_of,
    impossible,
    unanswered_entry,
)
from clue_solver.errors import named_entries
from clue_solver.notation.canonical import format_answer, format_line
from clue_solver.notation.reading import Reading
from clue_solver.record import Record
from clue_solver.rules import observations as observed

_MOST_ASKED = 4
"""The most meanings of a line that are asked about."""

_MOST_CHOICES = 24
"""The most names that a question lists."""


def unclear(draft: EntryDraft, ways: Sequence[Reading], record: Record) -> Doubt | None:
    """
    Return the question for what a line leaves open; `None` if there are too many ways.

    Args:
        draft: The line.
        ways: All that the line can mean: several things, one with a gap, or a late answer.
        record: The game so far.
    """
    whole = [in_full(way) for way in ways if way.observation is not None]
    if not whole:
        first = ways[0]
        own = first.fields.get("seat") == record.table.viewer or record.finished
        alike = len({way.text for way in ways}) == 1
        if first.kind is observed.Hand and first.fields.get("cards") and own and alike:
            return which_cards(draft, observed.Hand(**first.fields), record)  # the rest of it
        return _gap(draft, ways, record)
    if len(whole) == 1 and whole[0].late:
        return _late_answer(draft, whole[0], record)
    return _which_line(draft, whole, record) if len(whole) <= _MOST_ASKED else None


def _late_answer(draft: EntryDraft, way: Reading, record: Record) -> Doubt:
    """Ask whether a line adds its answers to the entry that waits for them."""
    opened = unanswered_entry(record)
    assert opened is not None
    asked = record.observations[opened - 1]
    answers = getattr(asked, "answers", ())
    heard = tuple(answer for answer in answers if answer.seat is not None)
    asked = asked if heard == answers else replace(asked, answers=heard)
    question = f"Add it to {named_entries([opened])}, {format_line(asked, record.table)}?"
    added = DoubtChoice("yes", draft.retold(way, Place(opened)), called=("add it",))
    return Doubt(draft, "late", question, (added,))


def _which_line(draft: EntryDraft, ways: Sequence[Reading], record: Record) -> Doubt:
    """Ask which of several things a line means, by what they differ in if that is one thing."""
    opened = unanswered_entry(record) if any(way.late for way in ways) else None
    cards = _cards_apart(ways)
    labels = cards or _answers_apart(ways)
    if not labels:
        labels = [f"entry {opened}: {way.line}" if way.late else way.line for way in ways]
    question = "Which card?" if cards else "Which do you mean?"
    if all(way.late for way in ways) and not cards:
        question = f"Which do you mean, for {named_entries([opened or 0])}?"
    choices = choices_of(draft, [*zip(labels, ways, strict=True)], Place(opened))
    return Doubt(draft, "lacking", question, tuple(choices))


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


def _gap(draft: EntryDraft, ways: Sequence[Reading], record: Record) -> Doubt | None:
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
    choices = choices_of(draft, [*zip(labels, found.values(), strict=True)])
    return Doubt(draft, "lacking", question, tuple(choices))


def which_cards(draft: EntryDraft, hand: observed.Hand, record: Record) -> Doubt:
    """Ask for the cards that a hand lacks still."""
    table, sizes = record.table, record.turn_state.sizes
    others = {seat: size for seat, size in sizes.items() if seat != hand.seat}
    least, most = table.size_bounds(others)[table.place_of(hand.seat)]
    left, more = least - len(hand.cards), " more" if hand.cards else ""
    many = f"{left}{more} " if least == most or more else ""
    whose = "do you" if hand.seat == table.viewer else f"did {hand.seat}"
    cards = "card" if many and left == 1 else "cards"
    return Doubt(draft, "hand", f"Which {many}{cards} {whose} hold?", incomplete=hand)
