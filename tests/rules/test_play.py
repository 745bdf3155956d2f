"""The state of play agrees with an independent referee, and tells what is doubtful in a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest
from msgspec.structs import replace

from clue_solver.notation.reader import parse_line
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.observations import (
    Accusation,
    Draw,
    Finger,
    Look,
    Move,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Roll,
    Skip,
    Stay,
    Suggestion,
)
from clue_solver.rules.play import ACTIONS, Play
from clue_solver.rules.table import Slot, Table
from tests.enforcer import DRAWN, Referee, breaches

SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")
FACES = ("glass", "question", "eye", "finger", "blank")


def tables() -> Iterator[Table]:
    """Every edition with every number of seats, with a board where it has one and without."""
    random = Random(16)
    for name in shipped_editions():
        edition = load_edition(name)
        low, high = edition.players
        for count in range(low, high + 1):
            pieces = tuple(random.sample(edition.suspects, count)) if name in DRAWN else ()
            rooms = random.sample(edition.rooms, edition.undealt(count))
            table = Table(
                edition=edition,
                seats=SEATS[:count],
                pieces=pieces,
                slots=tuple(Slot(name=room) for room in rooms),
                first=random.choice((None, None, SEATS[count - 1])),
            )
            yield table
            if name in DRAWN and count == low:
                yield replace(table, board="none")


TABLES = [*tables()]


def named(table: Table) -> str:
    board = "" if table.board is None else ", no board"
    return f"{table.edition.name}, {len(table.seats)} players{board}"


def some_action(random: Random, table: Table, state: Play) -> Observation:
    """Anything well-formed that somebody could do, within the rules or not."""
    edition, seats = table.edition, table.seats
    by = random.choice((state.turn or seats[0], random.choice(seats)))
    other = random.choice([seat for seat in seats if seat != by])
    kinds = [[card.name for card in kind.cards] for kind in edition.category]
    chosen = sorted(random.sample(range(len(kinds)), edition.named))
    cards = [random.choice(kinds[place]) for place in chosen]
    stands = state.place(by)
    if stands in edition.rooms and random.random() < 0.6:
        cards[-1] = str(stands)
    if edition.features and state.dice and random.random() < 0.6:
        marked = edition.features
        cards = [
            next(c for c in marked[random.choice(state.dice[:3])] if c in kinds[place])
            for place in chosen
        ]
    every = tuple(random.choice(kind) for kind in kinds)
    places = (*edition.rooms, *state.destinations)
    match random.randrange(16):
        case 0 | 1 | 2:
            return Suggestion(by=by, cards=tuple(cards))
        case 3:
            return Accusation(by=by, cards=every, right=False)
        case 4:
            return Skip(by=by)
        case 5:
            total = random.choice((None, random.randint(1, 13)))
            icons = random.choice(((), ("glass",), ("glass", "glass"))) if edition.clues else ()
            return Roll(by=by, total=total, icons=icons if total else ())
        case 6 if edition.features:
            faces = [random.choice(tuple(edition.features)) for _ in range(3)]
            return Roll(by=by, dice=(*faces, random.choice((*FACES, faces[0]))))
        case 7 | 8 if places:
            return Move(by=by, to=random.choice(places))
        case 9 if table.slots:
            return Look(by=by, holder=random.choice(table.slots).name)
        case 9:
            return Look(by=by, holder=other)
        case 10 if edition.features:
            dice = [face for face in state.dice if face in edition.features]
            return Question(
                by=by, seat=other, about=(random.choice(dice or tuple(edition.features)),)
            )
        case 11 if edition.features:
            return random.choice((Peek(by=by), Finger(by=by, cards=every)))
        case 12:
            return Nobody(card=every[0])
        case 13 if edition.clues:
            return Draw(by=by, kind=random.choice(edition.clues))
        case 13 | 14 if edition.rooms:
            return Stay(by=by)
        case _:
            left = seats[(seats.index(other) + 1) % len(seats)]
            return Reveal(seat=other, to=random.choice((None, by if by != other else left, left)))


def what_comes_of_it(random: Random, action: Observation, table: Table) -> Observation:
    """The action with what only shows when it is done."""
    match action:
        case Roll() if table.edition.features:
            suspects = [random.choice(tuple(table.edition.features)) for _ in range(3)]
            return replace(action, dice=(*suspects, random.choice(FACES)))
        case Roll():
            assert table.edition.board is not None
            faces = [random.randint(1, 6) for _ in range(table.edition.board.dice)]
            icons = ("glass",) * faces.count(1) if table.clues else ()
            return replace(action, total=sum(faces), icons=icons)
        case Accusation():
            return replace(action, right=random.random() < 0.1)
        case _:
            return action


def agreed(table: Table, seed: int, *, steps: int = 90) -> Counter[bool]:
    """
    Play one game by a seed; at each step the referee judges other actions alike.

    Return how many were against the rules and how many were not.
    """
    judged = Counter[bool]()
    random = Random(seed)
    state, referee = Play.begin(table, exact=True), Referee(table)
    for _ in range(steps):
        if state.over:
            break
        for _ in range(8):
            action = some_action(random, table, state)
            right = referee.legal(action)
            assert (state.check(action) is None) == right, (seed, action, state.check(action))
            judged[right] += 1
        assert referee.now in (None, state.turn)
        state = one_more(random, table, state, referee)
    assert state.over == referee.over()
    assert state.turns.out == referee.out
    recorded(random, table, referee.past)
    return judged


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_the_referee_agrees_with_every_legal_and_every_illegal_action(table: Table) -> None:
    judged = agreed(table, 4, steps=30)
    assert judged[True]
    assert judged[False] > 10


def one_more(random: Random, table: Table, state: Play, referee: Referee) -> Play:
    """Take one of the listed actions, of which the referee allows each kind."""
    actions = [*state.legal()]
    assert {each.form.verb for each in actions} == {*filter(state.may, ACTIONS)}
    kinds = {type(each): each for each in random.sample(actions, len(actions))}
    for each in (*kinds.values(), *(each for each in actions if isinstance(each, Draw))):
        assert referee.legal(each), each
        assert state.check(each) is None, (each, state.check(each))
    if random.random() < 0.9:
        kinds.pop(Accusation, None)
    if len(kinds) > 1 and random.random() < 0.8:
        kinds.pop(Skip, None)
    if state.turn is None:
        kinds = {Skip: Skip(by=table.seats[-1])}  # somebody begins
    ended = state.ended()
    if ended is not state and (not kinds or random.random() < 0.5):
        referee.end()
        return ended
    action = what_comes_of_it(random, random.choice([*kinds.values()]), table)
    assert referee.legal(action)
    referee.tell(action)
    return state.after(action)


def recorded(random: Random, table: Table, past: list[Observation]) -> None:
    """Whatever dice, moves and pieces a record leaves out, nothing in it is doubtful."""
    rooms = table.edition.rooms
    written = [each for each in past if not isinstance(each, Move) or each.to in rooms]
    assert breaches(table, written) == []
    for kept in (1.0, 0.5, 0.0):
        lines = [
            each for each in written if not isinstance(each, Roll | Move) or random.random() < kept
        ]
        for header in (table, replace(table, pieces=())):
            state = Play.begin(header)
            for each in lines:
                assert state.check(each) is None, (kept, each, state.check(each))
                state = state.after(each)


# What a state of play tells of single games; `plays.txt` has more.

CLASSIC = Table(
    edition=load_edition("clue-classic"), seats=SEATS[:3], pieces=("Plum", "Scarlett", "Green")
)


def played(table: Table, *lines: str, exact: bool = False) -> Play:
    state = Play.begin(table, exact=exact)
    for line in lines:
        state = state.after(parse_line(line, table, state.turns))
    return state


def test_used_clue_cards_come_again_in_their_order() -> None:
    table = Table(edition=load_edition("clue-2015"), seats=SEATS[:3], first="Ann")
    clues = table.edition.clues
    turns = [
        (f"{seat} rolls 5, glass", f"{seat} draws {clue}", f"{seat} skips")
        for seat, clue in zip(table.seats * 3, clues, strict=True)
    ]
    state = played(table, *chain(*turns), "Ann rolls 5, glass", exact=True)
    assert [each.kind for each in state.legal() if isinstance(each, Draw)] == [clues[0]]


def test_whose_piece_is_not_told_may_be_called_by_any_name() -> None:
    table = replace(CLASSIC, pieces=("Mustard", None, "Green"), first="Ben")
    begun = played(table, "Ben moves to Lounge", "Ben skips")
    called = played(table, "Ben moves to Lounge", "Ben skips", "Cat plum rope hall: -")
    rooms = begun.rules.ground.rooms
    assert not begun.may_stand("Ben") & rooms["Hall"]
    assert called.may_stand("Ben") == rooms["Lounge"] | rooms["Hall"]
    assert called.chances("Ben") == dict.fromkeys(table.edition.rooms, 1.0)


def test_who_is_on_the_way_may_be_so_many_steps_nearer() -> None:
    on_the_way = played(CLASSIC, "Ben rolls 5", "Ben skips", "Cat skips", "Ann skips")
    from_there = on_the_way.chances("Ben")
    assert (from_there["Lounge"], from_there["Kitchen"]) == pytest.approx((35 / 36, 0.0))


def test_with_the_finger_every_role_is_pointed_at() -> None:
    master = Table(edition=load_edition("clue-diced-master"), seats=SEATS[:3], first="Ann")
    state = played(master, "Ann rolls Plum, Green, Orchid, finger", exact=True)
    assert len([*state.suggestions()]) == 18
    state = state.after(Suggestion(by="Ann", cards=("Brains Plum", "Driver Green")))
    assert len([*state.legal()]) == 216
