"""
Slips about what the viewer must have seen, typed live into the full screen: none is taken by Enter.

`SLIPS=100` in the environment types 100 of them instead of 20.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from textual.events import Key

from clue_solver.errors import ClueError
from clue_solver.notation import TurnState, format_line, parse_line
from clue_solver.record import Record, format_record, load_record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import (
    Answer,
    Hand,
    Look,
    Observation,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.rules.table import Table
from clue_solver.session import Session
from tests.faces.test_tui import KEYS, line_of, playing, said, settle, typing
from tests.test_session import slips

SLIPS = int(os.environ.get("SLIPS", "20"))

ROOT = Path(__file__).resolve().parents[2]
RECORDED = (
    *("tests/games/textbook", "tests/games/streamed", "tests/games/everyone_shows"),
    *("examples/classic", "examples/diced", "examples/master", "examples/two_players"),
)
DEALT = ("clue-1996", "cluedo-watson", "clue-2015", "master-detective")
SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve")


def dealt(name: str, chance: random.Random) -> Record:
    """A true game of an edition: cards dealt at random, and ten suggestions about them."""
    edition = load_edition(name)
    seats = SEATS[: chance.randint(3, 5)]
    left = [card.name for kind in edition.category for card in kind.cards]
    for kind in edition.category:
        left.remove(chance.choice(kind.cards).name)
    chance.shuffle(left)
    hands = {seat: set(left[place :: len(seats)]) for place, seat in enumerate(seats)}
    table = Table(edition=edition, seats=seats, viewer=chance.choice(seats))
    table = replace(table, hands=tuple(map(len, hands.values())))
    viewer = str(table.viewer)
    session = Session(Record(table=table))
    session.append(Hand(seat=viewer, cards=tuple(sorted(hands[viewer]))))
    for turn in range(10):
        by = seats[turn % len(seats)]
        cards = tuple(chance.choice(kind.cards).name for kind in edition.category)
        answers = []
        for seat in table.answering(by):
            held = [card for card in cards if card in hands[seat]]
            seen = held and viewer in (by, seat)
            card = chance.choice(held) if seen else None
            answers.append(Answer(seat=seat, answer="shows" if held else "passes", card=card))
            if held:
                break
        session.append(Suggestion(by=by, cards=cards, answers=tuple(answers)))
    return session.record


class Slip(NamedTuple):
    """A line that a tired player types instead of an entry of a true game."""

    record: Record
    entry: int
    line: str


def wrong(told: Observation, own: frozenset[str], table: Table) -> Iterator[Observation]:
    """Yield what leaves out or misplaces what the viewer has seen in an entry."""
    viewer = str(table.viewer)
    match told:
        case Suggestion():
            yield from slips(told, own, viewer)
            for place, answer in enumerate(told.answers):
                if answer.seat == viewer and answer.answer == "shows" and told.by != viewer:
                    after = table.answering(told.by)
                    for seat in after[after.index(viewer) + 1 :]:  # as if she had passed
                        shown = Answer(seat=seat, answer="shows")
                        passed = Answer(seat=viewer, answer="passes")
                        yield replace(told, answers=(*told.answers[:place], passed, shown))
        case Question(card=str(), seat=seat, by=by) if viewer in (seat, by):
            yield replace(told, card=None)
        case Look(card=str(), by=by) if by == viewer:
            yield replace(told, card=None)
        case Reveal(card=str(), seat=seat, to=str(to)) if viewer in (seat, to):
            yield replace(told, card=None)


def planted() -> list[Slip]:
    """As many slips as are asked for, of all games in turn, the same ones each time."""
    chance = random.Random(13)
    games = [load_record(ROOT / f"{name}.clue") for name in RECORDED]
    games += [dealt(name, chance) for name in DEALT for _ in range(2)]
    by_game = []
    for record in games:
        hands = [each for each in record.observations if isinstance(each, Hand)]
        own = frozenset(next(each.cards for each in hands if each.seat == record.table.viewer))
        state, found = TurnState(), []
        for number, told in enumerate(record.observations):
            for slip in wrong(told, own, record.table):
                line = typed(slip, record.table, state, chance)
                found.append(Slip(record, number, line))
            state = state.after(told)
        chance.shuffle(found)
        by_game.append(found)
    turns = [each[turn] for turn in range(SLIPS) for each in by_game if turn < len(each)]
    return turns[:SLIPS]


def typed(told: Observation, table: Table, state: TurnState, chance: random.Random) -> str:
    """A line that says so: in full, in small letters, or with few commas and other marks."""
    whole = format_line(told, table)
    small = whole.casefold()
    ways = (whole, small, small.replace(": ", " ; "), small.replace(", ", " "))
    line = chance.choice(ways)
    try:
        return line if parse_line(line, table, state) == told else whole
    except ClueError:
        return whole


@pytest.mark.asyncio
async def test_every_slip_about_what_the_viewer_has_seen_is_stopped_before_enter_takes_it() -> None:
    slipped = planted()
    assert SLIPS <= len(slipped)
    for number, (record, entry, line) in enumerate(slipped):
        edited = number % 4 == 3  # one in four is typed over the true entry
        begun = format_record(record.upto(entry + edited))
        async with playing(begun, size=(100, 30)) as (pilot, screen):
            if edited:
                await typing(pilot, f"/edit {entry + 1}", "enter", "ctrl+u")
            before = screen.session.lines
            for mark in line:
                pilot.app.post_message(Key(KEYS.get(mark, mark), mark))
            pilot.app.post_message(Key("enter", None))
            await settle(pilot)
            assert before == screen.session.lines, line
            assert line == line_of(screen)
            asked = screen._question
            assert asked is None or asked.doubt.serious, line
            shown = said(screen)
            assert asked is None or asked.doubt.question in shown, line
            assert asked is not None or "expected" in shown or "twice" in shown, (line, shown)
