"""
Random lines, answers, numbers, steps back and edits: nothing is written that nobody said.

`python -m tests.conversation.test_attack 0 1000` attacks with so many seeds.
"""

from __future__ import annotations

import re
import sys
from random import Random

import pytest

from clue_solver.conversation.changes import END, LogPlace
from clue_solver.conversation.commands import TypedCommand, change
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.record import Record, parse_record
from clue_solver.rules.table import Table

TABLES = (
    "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n",
    "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\nanswers: all\n",
    "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ben\n",
    "edition: clue-2015\nplayers: Ann, Ben, Cat\npieces: Plum, Scarlett, ?\nviewer: Cat\n",
)
ANSWERS = (
    *("y", "n", "1", "2", "3", "4", "5", "9", "?", "-", "yes", "no"),
    *("", "shows", "it was", "as it", "later"),
)
WORDS = (
    *("suggests", "asks", "accuses", "wrong", "right", "skips", "rolls 7", "moves to", "has"),
    *("holds", "shows", "no", "nobody", "leaves", "looks at", "lacks", "or", "scratch that"),
)


def random_line(draw: Random, table: Table) -> str:
    """A line that makes sense, or rather not; names in full, or in short."""
    by, other, third = (seat.casefold() for seat in draw.sample(table.seats, 3))
    kinds = table.edition.category
    named = [draw.choice(kind.cards).name for kind in kinds[: table.edition.named]]
    if draw.random() < 0.3:
        named = draw.sample(table.cards, draw.choice((2, 3)))
    cards = ", ".join(card[: draw.choice((3, 4, 99))].casefold() for card in named)
    name = draw.choice((*table.cards, *table.seats))[: draw.choice((2, 4, 99))].casefold()
    shown = draw.choice(("", "?", named[0]))
    anything = (draw.choice((*WORDS, name)) for _ in range(draw.randint(1, 5)))
    return draw.choice(
        (
            f"{by} {cards}: {other} {shown}",
            f"{by} {cards}: {other} no, {third} {shown}",
            f"{by} {cards}",
            f"{cards}: -",
            f"{by} accuses {cards} {draw.choice(('wrong', 'right', ''))}",
            f"{by} skips",
            f"{by} holds {', '.join(draw.sample(table.cards, 6))}",
            f"{by} {draw.choice(WORDS)} {name}",
            " ".join(anything),
        )
    )


def cards_in(record: Record) -> set[str]:
    """The cards that the lines of a log name."""
    text = " ".join(Session(record).lines)
    return {card for card in record.table.cards if card in text}


def names(words: set[str], card: str) -> bool:
    """Whether one of the words begins a word of the card."""
    parts = card.casefold().split()
    return any(part.startswith(word) for part in parts for word in words if len(word) > 1)


def attack(seed: int, *, careful: bool, steps: int) -> None:
    """Type anything, and hold the log to what came of it and to the words that were said."""
    draw = Random(seed)
    dialog = Dialog(Session(parse_record(draw.choice(TABLES))), careful=careful, hand=True)
    session, heard = dialog.session, set[str]()
    for _ in range(steps):
        before, doubt, kind = session.record, dialog.doubt, draw.random()
        where = (seed, careful, session.lines)
        if kind < 0.2:
            try:
                step_aside(draw, dialog)
            except ClueError:
                assert session.record is before, where
            continue
        text = random_line(draw, session.record.table)
        if doubt is not None and kind < 0.8:
            labels = [choice.label for choice in doubt.choices]
            text = draw.choice((*ANSWERS, *labels))
            offered = [choice.reading.line for choice in doubt.choices if choice.reading]
            heard |= words_in(*offered)  # what is offered may be confirmed
        heard |= words_in(text)
        entry = draw.randint(1, len(before.entries) + 1)
        place = LogPlace(entry, insert=draw.random() < 0.5) if draw.random() < 0.1 else END
        outcome = dialog.say(text, place)
        told = (*where, text, outcome)
        assert outcome.entries or session.record.entries == before.entries, told
        if outcome.taken is not None:
            written = session.entry(outcome.entries[-1]).observation
            assert written == outcome.taken.observation, told
        assert all(names(heard, card) for card in cards_in(session.record)), told


def words_in(*texts: str) -> set[str]:
    """The words of some texts, in small letters."""
    return set(re.findall(r"\w+", " ".join(texts).casefold()))


def step_aside(draw: Random, dialog: Dialog) -> None:
    """Undo, redo, delete, or leave what is asked."""
    entries = len(dialog.session.record.entries)
    step = draw.choice(("undo", "redo", "escape", "delete"))
    if step == "escape":
        before = dialog.session.record
        dialog.leave()
        assert dialog.session.record is before
    else:
        dialog.leave()
        number = str(draw.randint(1, entries + 1)) if step == "delete" else ""
        change(dialog.session, TypedCommand(step, number))


@pytest.mark.parametrize("careful", [True, False])
def test_whatever_is_typed_the_log_has_what_was_said(careful: bool) -> None:
    for seed in range(4):
        attack(seed, careful=careful, steps=40)


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        for careful in (True, False):
            attack(number, careful=careful, steps=60)
    print("no traceback, and nothing that nobody said")
