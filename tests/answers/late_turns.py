"""
Is what `advise` says allowed, and does it ask before it accuses? Late own turns of random games.

Games of every shipped edition and number of players are played by its rules, dice and moves told.
In own turns of the first seat in which the likeliest solution has a chance of at least 5%, before
and after rolling, moving and asking, the advice is held against an independent referee
(`tests/enforcer.py`): every room and suggestion that is listed can be had and none is missing, as
can every use of the bonus die; nothing is accused below certainty where asking first in the same
turn is better, nor where it is not allowed; nothing that gains 0 bits is advised while something
gains; and nothing is advised that by the advice's own numbers wins less, beyond its errors, than
another line of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from math import hypot
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver import Game
from clue_solver.answers.advice import Advice
from clue_solver.arena.tournament import Tournament
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import (
    Accusation,
    Look,
    Move,
    Roll,
    Stay,
    Suggestion,
)
from clue_solver.rules.play import Play
from tests.arena.arena_games import played
from tests.enforcer import Referee

PHASES = {Roll: "rolled", Move: "moved", Stay: "moved", Suggestion: "asked", Look: "looked"}
"""What the last thing that was done in a turn makes of it; all else is `used`."""
LATE = 0.05
"""The least chance of the likeliest solution in a late position."""

MORE = 0.01
"""How much one thing must win more than another to be better."""

NOTHING = 0.005
"""Bits below which nothing is gained, as far as it is seen."""

BEYOND = 3.5
"""By how many standard errors two chances have to differ, as many as another question must win."""


class Position(NamedTuple):
    """A position of the first seat's own turn: the record so far, and a referee who knows it."""

    record: Record
    referee: Referee
    phase: str


def positions(random: Random, edition: str, seats: int) -> Iterator[Position]:
    """Yield the positions of the first seat's own turns in a game that random players play."""
    players = ("random",) * seats
    game = played(Tournament(edition=edition, players=players, seed=random.getrandbits(32)), 1)
    viewer = game.dealt.table.seats[0]
    table = replace(game.dealt.table, viewer=viewer)
    record, referee, phase = Record(table=table), Referee(table), "begun"
    for action in game.log:
        by = getattr(action, "by", None)
        if by and referee.now == viewer:
            yield Position(record, referee_like(referee), phase)
        if by and referee.now not in (None, by) and referee.did(Suggestion):
            referee.end()
        phase = PHASES.get(type(action), "used") if by == viewer else "begun"
        record = replace(record, entries=(*record.entries, Entry(observation=action)))
        referee.tell(action)


def referee_like(referee: Referee) -> Referee:
    """Return a referee who knows the same, to be told something else."""
    other = copy(referee)
    other.past, other.turn, other.at = [*referee.past], [*referee.turn], {**referee.at}
    other.called, other.seen, other.out = {*referee.called}, {*referee.seen}, {*referee.out}
    return other


def late_positions(
    random: Random, tables: list[tuple[str, int]], *, most: int = 12
) -> Iterator[Position]:
    """Yield late positions, so many of a game at most, of games at these tables, for ever."""
    while True:
        random.shuffle(tables)
        for name, seats in tables:
            found = 0
            for position in positions(random, name, seats):
                solutions = Game(position.record).report().solutions
                if solutions[0].probability < LATE:
                    continue
                yield position
                found += 1
                if found == most:
                    break


def faults(position: Position, advice: Advice) -> Iterator[str]:
    """Yield what the advice tells that the rules do not allow, what it lacks, and rash accusing."""
    table, referee = position.record.table, position.referee
    viewer = str(table.viewer)
    asked = referee.did(Suggestion) is not None
    pending = asked and bool(table.edition.bonus) and not referee.used()
    accuse = advice.accuse
    if not asked and not accuse.certain and not advice.left_out:
        known = Play.of(table, position.record.observations).turn_of(viewer).place(viewer)
        listed = {each.cards: each for each in advice.suggestions}
        certain = known is not None or referee.map is None
        yield from _wrongly_listed(referee, viewer, listed, certain=certain)
    for use in advice.uses:
        if not referee.legal(use.use):
            yield f"{use.action} cannot be done now"
    if pending and not accuse.certain and advice.kind == "ask":
        yield f"'{advice.text}' while the bonus die is to be used"
    yield from _worse(advice)
    if accuse.advice == "wait":
        if accuse.certain and _may_accuse(referee, viewer):
            yield "what is certain is not accused"
        return
    if not _may_accuse(referee, viewer):
        yield "one may not accuse there"
    gains = [each for each in advice.suggestions if each.worth >= NOTHING]
    if not asked and not accuse.certain and gains:
        yield f"accuses at {accuse.probability:.0%} where {gains[0].cards} can be asked first"
    if pending and accuse.certain and "suggests" in accuse.after:
        yield "accuses after a suggestion that was made"


def _worse(advice: Advice) -> Iterator[str]:
    """Yield where another line of the advice wins more by its numbers, beyond their errors."""
    accuse, ask = advice.accuse, advice.ask
    if advice.kind == "accuse" and accuse.win_wait is not None:
        error = BEYOND * (accuse.win_error or 0.0)
        if accuse.win_wait > accuse.probability + max(error, MORE):
            yield f"accuses at {accuse.probability:.0%} where waiting wins {accuse.win_wait:.0%}"
    if ask is None:
        return
    if ask.worth < NOTHING - 4 * ask.error:
        yield f"'{advice.text}' gains nothing"
    for each in advice.suggestions:
        if each.win is None or ask.win is None or each.reach < ask.reach:
            continue
        spread = BEYOND * hypot(each.win_error or 0.0, ask.win_error or 0.0)
        if each.win > ask.win + max(spread, MORE):
            yield f"asks for {ask.win:.0%} where {', '.join(each.cards)} wins {each.win:.0%}"
            return


def _wrongly_listed(
    referee: Referee, viewer: str, listed: Mapping[tuple[str, ...], object], *, certain: bool
) -> Iterator[str]:
    """
    Yield which suggestions are listed that cannot be made in this turn, or are not listed.

    The record does not tell on which squares the others stand, so those that may be in the way of a
    room do not count against it; nor does one that is not `certain` where the viewer stands.
    """
    edition = referee.table.edition
    if edition.suspect_dice:
        if referee.did(Roll) is None:
            return
        possible = {
            cards
            for cards in Play.begin(replace(referee.table, first=viewer)).suggestions()
            if referee.legal(Suggestion(by=viewer, cards=cards))
        }
        if possible != {*listed}:
            yield f"the dice allow {len(possible)} suggestions, {len(listed)} are listed"
        return
    rooms = {room for room in edition.rooms if _may_ask_in(referee, viewer, room)}
    found = {card for cards in listed for card in cards if card in edition.rooms}
    alone = referee_like(referee)
    for suspect, place in alone.at.items():
        if suspect != alone.plays.get(viewer) and not isinstance(place, str):
            alone.at[suspect] = edition.rooms[0]
    most = {room for room in edition.rooms if not certain or _may_ask_in(alone, viewer, room)}
    if not rooms <= found <= most:
        yield f"rooms in reach: {sorted(rooms)}, at most {sorted(most)}; listed: {sorted(found)}"
    others = len(edition.category[0].cards) * len(edition.category[1].cards)
    if len(listed) != len(found) * others:
        yield f"{len(listed)} suggestions for {len(found)} rooms"


def _may_ask_in(referee: Referee, viewer: str, room: str) -> bool:
    """Whether some roll, if there is one to come, lets the viewer ask in a room in this turn."""
    cards = referee.table.edition.category
    asked = Suggestion(by=viewer, cards=(cards[0].cards[0].name, cards[1].cards[0].name, room))
    look, move = Look(by=viewer, holder=room), Move(by=viewer, to=room)
    if referee.legal(asked) or referee.legal(look):
        return True
    if referee.did(Look) and referee.map is None:
        return False
    if referee.legal(move):
        then = referee_like(referee)
        then.tell(move)
        return then.legal(asked) or then.legal(look)
    rolls = [Roll(by=viewer, total=total) for total in range(1, 13)]
    if referee.did(Roll) or referee.did(Move) or not any(map(referee.legal, rolls)):
        return False
    highest = max((each for each in rolls if referee.legal(each)), key=lambda each: each.total or 0)
    then = referee_like(referee)
    then.tell(highest)
    return _may_ask_in(then, viewer, room)


def _may_accuse(referee: Referee, viewer: str) -> bool:
    """Whether the viewer may accuse in this turn, once what comes first is done."""
    table = referee.table
    wrong = Accusation(
        by=viewer, cards=tuple(kind.cards[0].name for kind in table.edition.category), right=False
    )
    if referee.legal(wrong) or table.edition.suspect_dice:
        return True
    return any(_may_ask_in(referee, viewer, room) for room in table.edition.rooms)
