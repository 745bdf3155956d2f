"""What is asked about the rules of play: nothing in a true game, and every slip that breaks one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver.arena.dealing import deal
from clue_solver.arena.players import Likeliest
from clue_solver.arena.referee import Referee, play
from clue_solver.conversation.session import Session
from clue_solver.notation import told_as
from clue_solver.record import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import load_edition, shipped_editions
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
    play(referee, {seat: Likeliest() for seat in dealt.table.seats})
    record = referee.record
    return replace(record, table=replace(record.table, solution=()))


def asked(session: Session, told: Observation) -> list[str]:
    """The questions about rules of play, or about a contradiction."""
    table = session.record.table
    doubts = session.doubts(told_as(told, table, unheard=True))
    return [each.question for each in doubts if each.kind in ("rule", "turn", "clash")]


@every_edition
def test_nothing_is_asked_about_a_true_game(name: str) -> None:
    low, high = load_edition(name).players
    for seats in {low, min(high, 4)}:
        record = played(name, seats, seed=5)
        session = Session(replace(record, entries=()))
        for told in record.observations:
            assert asked(session, told) == [], session.lines
            session.append(told)


def slips(told: Observation, table: Table, rng: np.random.Generator) -> Iterator[Observation]:
    """Yield the same mistyped: another room, roll or card, another use of a bonus die."""
    edition = table.edition
    seats = [seat for seat in table.seats if seat != getattr(told, "by", "")]
    match told:
        case observed.Suggestion(cards=cards):
            yield replace(told, by=seats[-1], answers=())
            for place, card in enumerate(cards):
                kind = edition.category_of[card]
                others = [c for c in edition.names if edition.category_of[c] == kind and c != card]
                other = str(rng.choice(others))
                mistyped = (*cards[:place], other, *cards[place + 1 :])
                yield replace(told, cards=mistyped, answers=())
        case observed.Roll(total=int()):
            yield replace(told, total=25, icons=())
        case observed.Move():
            yield replace(told, to=str(rng.choice(edition.rooms)))
        case observed.Look(by=by) | observed.Peek(by=by) | observed.Question(by=by):
            yield observed.Look(by=by, holder=seats[0])
            if edition.features:
                yield observed.Peek(by=by)
        case observed.Skip():
            yield observed.Skip(by=seats[-1])
        case _:
            pass


@every_edition
def test_every_slip_that_breaks_a_rule_is_asked_about(name: str) -> None:
    rng = np.random.default_rng(7)
    record = played(name, load_edition(name).players[0], seed=6)
    table, broken = record.table, 0
    session = Session(replace(record, entries=()))
    for told in record.observations[:60]:
        before = session.record.observations
        for slip in slips(told, table, rng):
            if breaches(table, (*before, slip)):
                broken += 1
                assert asked(session, slip), (
                    session.lines[-4:],
                    slip,
                    breaches(table, (*before, slip)),
                )
        session.append(told)
    assert broken > 3


def test_a_turn_that_ends_in_a_corridor_is_followed_by_the_next() -> None:
    table = Table(
        edition=load_edition("clue-classic"),
        seats=("Ann", "Ben", "Cat"),
        pieces=("Scarlett", "Mustard", "Plum"),
        viewer="Ann",
    )
    session = Session(Record(table=table))
    session.tell("Ann rolls 5")
    session.tell("Ann moves to H20")
    # The rest of a turn in a corridor has no line, and nobody skipped.
    assert session.turn == "Ben"
    assert asked(session, observed.Roll(by="Ben", total=8)) == []
    open_still = observed.Accusation(by="Ann", cards=("Green", "Rope", "Hall"), right=False)
    assert asked(session, open_still) == []
    # Into a room: there the turn goes on.
    session.tell("rolls 8")
    session.tell("moves to lounge")
    assert session.turn == "Ben"
    assert asked(session, observed.Roll(by="Cat", total=8)) != []


def test_whoever_moved_may_say_stays_without_a_name() -> None:
    table = Table(edition=load_edition("clue-2015"), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    session = Session(Record(table=replace(table, first="Ben")))
    session.tell("rolls 5")
    session.tell("stays")
    assert session.lines[-1] == "Ben stays"


@pytest.mark.parametrize(
    "line",
    ["goes to hall", "ben go to the hall", "enters hall", "ben enter hall"],
)
def test_a_move_is_read_as_people_say_it(line: str) -> None:
    table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben"), first="Ben")
    session = Session(Record(table=table))
    session.tell(line)
    assert session.lines == ("Ben moves to Hall",)
