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

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from math import hypot
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver import Game, load_edition
from clue_solver.answers.advice import Advice
from clue_solver.notation import TurnState, normalise
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import (
    Accusation,
    Answer,
    Finger,
    Hand,
    Look,
    Move,
    Observation,
    Peek,
    Question,
    Roll,
    Skip,
    Suggestion,
)
from clue_solver.rules.play import Play
from clue_solver.rules.table import Slot, Table
from tests.enforcer import DRAWN, Referee

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")
LATE = 0.05
"""The least chance of the likeliest solution in a late position."""

MORE = 0.01
"""How much one thing must win more than another to be better."""

NOTHING = 0.005
"""Bits below which nothing is gained, as far as it is seen."""

BEYOND = 2.5
"""By how many standard errors two chances have to differ, as many as another question must win."""


class Position(NamedTuple):
    """A position of the first seat's own turn: the record so far, and a referee who knows it."""

    record: Record
    referee: Referee
    phase: str


class Played:
    """A game that is played by the rules, at random, all of it told."""

    def __init__(self, random: Random, edition: str, seats: int) -> None:
        self.random, rules = random, load_edition(edition)
        slots = random.sample(rules.rooms, rules.undealt(seats))
        envelope = [random.choice(kind.cards).name for kind in rules.category]
        rest = [name for name in rules.names if name not in envelope]
        random.shuffle(rest)
        self.held = {room: [rest.pop()] for room in slots}
        names = NAMES[:seats]
        self.held |= {name: rest[place::seats] for place, name in enumerate(names)}
        self.envelope = envelope
        drawn = edition in DRAWN
        self.table = Table(
            edition=rules,
            seats=names,
            hands=tuple(len(self.held[name]) for name in names),
            viewer=names[0],
            slots=tuple(Slot(name=room) for room in slots),
            pieces=tuple(random.sample(rules.suspects, seats)) if drawn else (),
            first=random.choice(names),
        )
        self.state = Play.begin(self.table, exact=True)
        self.referee = Referee(self.table)
        self.record = Record(table=self.table)
        self.known: dict[str, set[str]] = {name: set(self.held[name]) for name in names}
        self.tell(Hand(seat=names[0], cards=tuple(self.held[names[0]])))

    def tell(self, action: Observation) -> None:
        """Take what has happened; a record does not hold a move to a square."""
        if isinstance(action, Move) and action.to not in self.table.edition.rooms:
            self.state = self.state.after(action)
            self.referee.tell(action)
            return
        settled = normalise(action, self.table, TurnState.of(self.record.observations))
        self.record = replace(
            self.record, entries=(*self.record.entries, Entry(observation=settled))
        )
        self.state = self.state.after(settled)
        self.referee.tell(settled)

    def positions(self, turns: int) -> Iterator[Position]:
        """Yield the positions of the first seat's own turns, of so many turns in all."""
        viewer = self.table.seats[0]
        for _ in range(turns):
            if self.state.over:
                return
            seat = str(self.state.turn)
            phase = "begun"
            while phase and not self.state.over:
                if seat == viewer and phase != "walked":  # to a square, which no line tells
                    yield Position(self.record, referee_like(self.referee), phase)
                phase = self.on(seat)
            if not self.state.over and self.state.suggested(seat):
                self.state = self.state.ended()
                self.referee.end()

    def on(self, seat: str) -> str:
        """Do the next thing of a seat's turn; return what was done, nothing at its end."""
        verbs, random, rules = self.state.verbs(), self.random, self.table.edition
        if "looks" in verbs and "suggests" not in verbs:
            slots = [each for each in self.state.legal() if isinstance(each, Look)]
            self.tell(self.seen(random.choice(slots)))
            return "looked"
        if "rolls" in verbs and not ("moves" in verbs and random.random() < 0.5):
            if rules.suspect_dice:
                dice = random.choices(tuple(rules.features), k=rules.suspect_dice)
                self.tell(Roll(by=seat, dice=(*dice, random.choice([*rules.bonus]))))
            else:
                assert rules.board is not None
                total = sum(random.randint(1, 6) for _ in range(rules.board.dice))
                self.tell(Roll(by=seat, total=total))
            return "rolled"
        if "moves" in verbs and not ("suggests" in verbs and random.random() < 0.5):
            places = [each for each in self.state.destinations if each in rules.rooms]
            to = random.choice(places or [str(self.state.towards(random.choice(rules.rooms)))])
            self.tell(Move(by=seat, to=to))
            return "moved" if places else "walked"
        if "suggests" in verbs:
            plans = [*self.state.suggestions()]
            news = [[card for card in plan if card not in self.known[seat]] for plan in plans]
            most = max(map(len, news))
            plan = random.choice([p for p, n in zip(plans, news, strict=True) if len(n) == most])
            self.tell(Suggestion(by=seat, cards=plan, answers=self.answers(seat, plan)))
            return "asked"
        uses = [
            each for each in self.state.legal() if isinstance(each, Look | Question | Peek | Finger)
        ]
        if uses:
            self.tell(self.seen(random.choice(uses)))
            return "used"
        if "accuses" in verbs and seat != self.table.seats[0] and random.random() < 0.02:
            wrong = tuple(random.choice(kind.cards).name for kind in rules.category)
            if [*wrong] != self.envelope:
                self.tell(Accusation(by=seat, cards=wrong, right=False))
                return ""
        if not self.state.suggested(seat):
            self.tell(Skip(by=seat))
        return ""

    def answers(self, by: str, cards: Sequence[str]) -> tuple[Answer, ...]:
        """Return the table's true answers to a question."""
        found: list[Answer] = []
        for seat in self.table.answering(by):
            could = [card for card in cards if card in self.held[seat]]
            if could:
                card = self.random.choice(could)
                self.known[by].add(card)
                return (*found, Answer(seat=seat, answer="shows", card=card))
            found.append(Answer(seat=seat, answer="passes"))
        return tuple(found)

    def seen(self, action: Observation) -> Observation:
        """Return the action with what it shows."""
        marked = {card.name: card.feature for card in self.table.edition.cards}
        match action:
            case Look(by=by, holder=holder):
                card = self.random.choice(self.held[holder])
                self.known[by].add(card)
                return replace(action, card=card)
            case Peek():
                return replace(action, feature=marked[self.envelope[0]])
            case Question(seat=seat, about=(about,)):
                could = [card for card in self.held[seat] if marked[card] == about]
                if not could:
                    return replace(action, answer="passes")
                return replace(action, answer="shows", card=self.random.choice(could))
            case Finger(by=by, cards=cards):
                return replace(action, answers=self.answers(by, cards))
        return action


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
            for position in Played(random, name, seats).positions(14 * seats):
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
