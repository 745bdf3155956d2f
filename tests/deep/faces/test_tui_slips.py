"""Slips about what the viewer must have seen, typed live into the full screen: Enter takes none."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from clue_solver.arena.players import find_player
from clue_solver.arena.referee import play
from clue_solver.arena.tournament import Tournament
from clue_solver.errors import ClueError
from clue_solver.notation import TurnState, format_line, parse_line
from clue_solver.record import Record, format_record, load_record
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
from tests.conversation.test_session import SLIGHT, slips
from tests.faces.screen import playing

SLIPS = 120

ROOT = Path(__file__).resolve().parents[3]
RECORDED = (
    *("tests/games/textbook", "tests/games/streamed", "tests/games/everyone_shows"),
    *("examples/classic", "examples/diced", "examples/master", "examples/two_players"),
)
DEALT = ("clue-1996", "cluedo-watson", "clue-2015", "master-detective")


def dealt(name: str, seed: int) -> Record:
    """The notes of one seat in a game of autonomous players who ask at random."""
    tournament = Tournament(edition=name, players=("random",) * 4, seed=seed, compiled=False)
    referee = tournament.begin(1)
    play(referee, {seat: find_player("random") for seat in referee.views})
    view = [*referee.views.values()][seed]
    return view.game.record.upto(40)


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


@cache
def planted() -> list[Slip]:
    """The slips, of all games in turn, the same ones each time."""
    chance = random.Random(13)
    games = [load_record(ROOT / f"{name}.clue") for name in RECORDED]
    games += [dealt(name, seed) for name in DEALT for seed in range(2)]
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


@pytest.mark.long(keep=4)
@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(SLIPS))
async def test_a_slip_about_what_the_viewer_has_seen_is_stopped_before_enter_takes_it(
    number: int,
) -> None:
    record, entry, line = planted()[number]
    true = record.observations[entry]
    edited = number % 4 == 3  # one in four is typed over the true entry
    async with playing(format_record(record.upto(entry + edited)), size=(100, 30)) as at:
        if edited:
            await at.put(f"/edit {entry + 1}", "enter", "ctrl+u")
        before = at.lines
        await at.type(line, "enter")
        if at.lines != before:  # the card left out can only be that one, which is filled in
            assert at.lines == (*before[:entry], format_line(true, record.table))
            return
        assert (at.lines, at.line) == (before, line)
        asked = at.screen.dialog.asking
        if asked is None:
            words = ("expected", "twice", "so you cannot pass: type")
            assert any(each in at.said() for each in words)
        else:
            assert asked.kind not in SLIGHT
            assert asked.question == at.asked[0]
