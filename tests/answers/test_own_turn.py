"""
What a player may do in its own turn, and what advice makes of it, beside the referee.

In late own turns of random games (every shipped edition, dice and moves told; the likeliest
solution has a chance of at least 5%), before and after rolling, moving and asking, the advice is
held against an independent referee (`tests/enforcer.py`): every room and suggestion that is listed
can be had and none is missing, as can every use of the bonus die; nothing is accused below
certainty where asking first in the same turn is better, nor where it is not allowed; nothing that
gains 0 bits is advised while something gains; and nothing is advised that by the advice's own
numbers wins less, beyond its errors, than another line of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from itertools import islice
from math import hypot, log2
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from clue_solver import ClueError, Game, parse_record
from clue_solver.answers.advice import Advice
from clue_solver.answers.own_turn import OwnTurn, roll_from
from clue_solver.arena.tournament import Tournament
from clue_solver.record.contents import Entry, Record
from clue_solver.rules.observations import Accusation, Look, Move, Roll, Stay, Suggestion
from clue_solver.rules.play import Play
from tests.arena.arena_games import played
from tests.enforcer import Referee
from tests.rows import blocks, held

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


SMALL = [
    ("clue-2015", 2),
    ("clue-classic", 2),
    ("clue-custom", 3),
    ("clue-diced", 3),
    ("clue-diced-master", 3),
    ("cluedo-watson", 3),
]


def test_advice_in_late_turns_is_within_the_rules_and_never_rash() -> None:
    phases = Counter[str]()
    for position in islice(late_positions(Random(16), SMALL, most=4), 8):
        assert [*faults(position, Game(position.record).advice())] == [], position
        phases[position.phase] += 1
    assert len(phases) >= 4


TURNS = Path(__file__).with_name("own_turns.txt")
"""
Turns of Ann, and what she can do.

`@` a line of the header, `.` an entry, `?` what is asked, and what is said of her turn.
"""


def answer(game: Game, asked: str) -> str:
    """Return the answer to a question: which rooms she can ask in, with their chances, and such."""
    word, _, said = asked.partition(": ")
    given: dict[str, Any] = dict(each.split(" ", 1) for each in said.split(", ") if each)
    known = dict(given)
    try:
        if "roll" in given:
            given["roll"] = given["roll"].split("/")
            known["roll"] = roll_from(game.table, "Ann", given["roll"])
        turn = OwnTurn(game.table, game.observations, "Ann", **known)
    except ClueError as error:
        return f"refused: {error}"
    match word.split(" ", 2):
        case ["rooms"]:
            chances = {room: chance for room, chance in turn.rooms.items() if chance}
            told = (f"{room} {Fraction(p).limit_denominator(36)}" for room, p in chances.items())
            return "every room" if min(turn.rooms.values()) == 1 else ", ".join(told)
        case ["way", _, room]:
            return f"{turn.distance_to(room)[1]:.3g} turns"
        case ["stays", _, room]:
            return "yes" if turn.can_suggest_in_place(("Plum", "Rope", room)) else "no"
        case ["first"]:
            return ", ".join(turn.after)
        case ["looks"]:
            looks = {each.cards[2]: str(each.look) for each in game.advice(quick=True).suggestions}
            return ", ".join(room for room in turn.rooms if looks.get(room) == room) or "nowhere"
    return game.advice(**given).text


def answered(text: str) -> list[str]:
    """Return the lines of a block with the answers to its questions."""
    heads, log, told = {"edition": "clue-classic", "players": "Ann, Ben, Cat"}, list[str](), []
    for line in text.splitlines():
        mark, said = line[:1], line[2:]
        told += [line] if mark != "=" else []
        if mark == "@":
            key, _, value = said.partition(": ")
            heads[key] = value
        elif mark == ".":
            log.append(said)
        elif mark == "?":
            head = (f"{key}: {value}" for key, value in ({**heads, "viewer": "Ann"}).items())
            record = parse_record("\n".join((*head, "", *log, "")))
            told.append(f"= {answer(Game(record), said)}")
    return told


@pytest.mark.parametrize("name", blocks(TURNS))
def test_what_can_be_done_in_a_turn(name: str) -> None:
    held(TURNS, name, answered(blocks(TURNS)[name]))


def test_a_deck_that_marks_some_cards_shows_nothing_in_the_notch_for_the_others(
    tmp_path: Path,
) -> None:
    deck = """
title = "Half marked"
observes = ["suggests", "peeks", "accuses", "holds", "knows"]
dice = { eye = "look at the notch" }
bonus = { eye = "peeks" }
[[category]]
name = "suspect"
cards = [{ name = "A1", feature = "Red" }, { name = "A2" }, { name = "A3" }, { name = "A4" }]
[[category]]
name = "weapon"
cards = [{ name = "B1", feature = "Red" }, { name = "B2", feature = "Blue" }, { name = "B3" }]
"""
    path = tmp_path / "half.toml"
    path.write_text(deck, "utf-8")
    header = f"edition: {path}\nplayers: Ann, Ben\nviewer: Ann\n\n"
    asked = "\nAnn suggests A1, B1: nobody shows\n"
    advice = Game(parse_record(f"{header}Ann holds A1, A2, B1{asked}")).advice()
    (peek,) = advice.uses
    assert advice.bits == 2  # A3 or A4, B2 or B3
    expected = 1 - 0.75 * (-(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3)))  # blue: B2 for certain
    assert peek.action == "Ann peeks"
    assert peek.gain == pytest.approx(expected)
    assert not Game(parse_record(f"{header}Ann holds A1, B1, B2{asked}")).advice().uses
