"""
Random lines, answers, numbers, steps back and edits: nothing is written that nobody said.

`python -m tests.conversation.test_attack 0 1000` attacks with so many seeds. What is asked about
the rules of play: nothing in a true game, and every slip that breaks one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver.arena.dealing import deal
from clue_solver.arena.players import LikeliestAsker
from clue_solver.arena.referee import Referee, play
from clue_solver.conversation.changes import END, LogPlace
from clue_solver.conversation.commands import TypedCommand, change
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.doubts import find_doubts
from clue_solver.conversation.meaning import Candidate
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.notation.checks import normalise
from clue_solver.notation.reading import reading_of
from clue_solver.record.contents import Record
from clue_solver.record.files import parse_record
from clue_solver.rules import observations as observed
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from tests.enforcer import breaches

every_edition = pytest.mark.parametrize("name", shipped_editions())


def played(name: str, seats: int, seed: int) -> Record:
    """A game of the arena, with all dice and moves, as a spectator would log it."""
    edition = load_edition(name)
    rngs = np.random.default_rng(seed).spawn(seats + 2)
    dealt = deal(edition, seats, rngs[0])
    referee = Referee(dealt, rng=rngs[1], rngs=rngs[2:])
    play(referee, {seat: LikeliestAsker() for seat in dealt.table.seats})
    record = referee.record
    return replace(record, table=replace(record.table, solution=()))


def asked(session: Session, observation: Observation) -> list[str]:
    """What is asked about rules and contradictions, where an entry leaves out what it lacks."""
    told = reading_of(observation, session.record.table, unheard=True)
    found = find_doubts(Candidate(session.game, told))
    return [doubt.text for doubt in found if doubt.kind in ("rule", "turn", "clash")]


def asked_or_refused(session: Session, observation: Observation) -> bool:
    """Whether an observation is asked about, or cannot be taken at all."""
    try:
        normalise(observation, session.record.table, session.game.play().turns)
        return bool(asked(session, observation))
    except ClueError:
        return True


@every_edition
def test_nothing_is_asked_about_a_true_game(name: str) -> None:
    low, high = load_edition(name).players
    for seats in {low, min(high, 4)}:
        record = played(name, seats, seed=5)
        session = Session(replace(record, entries=()))
        for told in record.observations:
            assert asked(session, told) == [], session.lines
            session.tell(told)


@every_edition
def test_two_suggestions_in_a_row_by_one_player_are_asked_about_once(name: str) -> None:
    edition = load_edition(name)
    kinds = edition.category[: edition.named]
    first, second = (tuple(kind.cards[place].name for kind in kinds) for place in (0, 1))
    session = Session(Record(table=Table(edition=edition, seats=("Ann", "Ben", "Cat"))))
    session.tell(observed.Suggestion(by="Ann", cards=first))
    again = observed.Suggestion(by="Ann", cards=second)
    assert asked(session, again) == ["It is Ben's turn: did Ben and Cat skip?"]


Slip = tuple[str, Observation]
"""What was mistyped, and what was logged for it."""


def slips(entry: Observation, table: Table, rng: np.random.Generator) -> Iterator[Slip]:
    """Yield the same mistyped: another seat, card, roll or room, another use of a bonus die."""
    edition = table.edition
    seats = [seat for seat in table.seats if seat != getattr(entry, "by", "")]
    match entry:
        case observed.Suggestion(cards=cards, answers=answers):
            yield "who asks", replace(entry, by=seats[-1], answers=())
            for place, card in enumerate(cards):
                kind = edition.category_of[card]
                others = [c for c in edition.names if edition.category_of[c] == kind and c != card]
                mistyped = (*cards[:place], str(rng.choice(others)), *cards[place + 1 :])
                yield f"the {kind} asked for", replace(entry, cards=mistyped, answers=())
            if len(answers) > 1 and answers[-1].answer == "shows":
                reverse = (replace(answers[-1], seat=answers[0].seat, card=None), *answers[1:-1])
                passes = replace(answers[0], seat=answers[-1].seat)
                yield "who shows", replace(entry, answers=(*reverse, passes))
            after = [seat for seat in seats if seat not in {answer.seat for answer in answers}]
            if after and answers[-1:] and answers[-1].answer == "shows":
                late = observed.Answer(seat=after[0], answer="passes")
                yield "an answer after the show", replace(entry, answers=(*answers, late))
        case observed.Roll(total=int(total)):
            wrong = [*range(1, total), *range(total + 1, 14), 10 + total]
            yield "a roll", replace(entry, total=int(rng.choice(wrong)), icons=())
            yield "a roll", replace(entry, total=25, icons=())
        case observed.Move():
            yield "where one moves", replace(entry, to=str(rng.choice(edition.rooms)))
        case observed.Look(by=by) | observed.Peek(by=by) | observed.Question(by=by):
            yield "the bonus die", observed.Look(by=by, holder=seats[0])
            if edition.features:
                yield "the bonus die", observed.Peek(by=by)
        case observed.Skip():
            yield "who skips", observed.Skip(by=seats[-1])
        case _:
            pass


@every_edition
def test_every_slip_that_breaks_a_rule_is_asked_about(name: str) -> None:
    rng = np.random.default_rng(7)
    record = played(name, load_edition(name).players[0], seed=6)
    broken = 0
    session = Session(replace(record, entries=()))
    for entry in record.observations[:60]:
        for _, slip in slips(entry, record.table, rng):
            if breaches(record.table, (*session.record.observations, slip)):
                broken += 1
                assert asked_or_refused(session, slip), (session.lines[-4:], slip)
        session.tell(entry)
    assert broken > 3


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
