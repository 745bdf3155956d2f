"""The state of play agrees with an independent referee, and tells what is doubtful in a record."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from clue_solver.rules.edition import load_edition, shipped_editions
from clue_solver.rules.observations import (
    Accusation,
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
    Suggestion,
)
from clue_solver.rules.play import PlayState
from clue_solver.rules.table import Slot, Table
from tests.enforcer import DRAWN, Referee

SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")
FACES = ("glass", "question", "eye", "finger")


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


def some_action(random: Random, table: Table, state: PlayState) -> Observation:
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
    if state.dice and random.random() < 0.6:
        marked = edition.features
        cards = [
            next(c for c in marked[random.choice(state.dice[:3])] if c in kinds[place])
            for place in chosen
        ]
    every = tuple(random.choice(kind) for kind in kinds)
    places = (*edition.rooms, *state.destinations())
    match random.randrange(14):
        case 0 | 1 | 2:
            return Suggestion(by=by, cards=tuple(cards))
        case 3:
            return Accusation(by=by, cards=every, right=False)
        case 4:
            return Skip(by=by)
        case 5:
            total = random.choice((None, random.randint(1, 13)))
            return Roll(by=by, total=total)
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
            dice = range(table.edition.board.dice)
            return replace(action, total=sum(random.randint(1, 6) for _ in dice))
        case Accusation():
            return replace(action, right=random.random() < 0.1)
        case _:
            return action


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_the_referee_agrees_with_every_legal_and_every_illegal_action(table: Table) -> None:
    random = Random(len(table.seats))
    legal = illegal = games = 0
    while games < 6:
        state, referee = PlayState.begin(table, exact=True), Referee(table)
        for _ in range(120):
            if state.over:
                break
            assert state.turn == (referee.now or state.turn)
            for _ in range(12):
                action = some_action(random, table, state)
                right = referee.legal(action)
                assert right == state.allows(action), (action, state.doubts(action))
                legal, illegal = legal + right, illegal + (not right)
            actions = state.actions()
            kinds: dict[type, Observation] = {Skip: Skip(by=table.seats[-1])}
            if state.turn is not None:
                kinds = {type(each): each for each in random.sample(actions, len(actions))}
                if random.random() < 0.9:
                    kinds.pop(Accusation, None)
                if len(kinds) > 1 and random.random() < 0.8:
                    kinds.pop(Skip, None)
                for each in kinds.values():
                    assert referee.legal(each), each
                    assert state.allows(each), state.doubts(each)
                verbs = {each.form.verb for each in actions}
                assert verbs == {*state.verbs()}
            ended = state.ended()
            if ended is not state and (not kinds or random.random() < 0.5):
                state = ended
                referee.end()
                continue
            action = what_comes_of_it(random, random.choice([*kinds.values()]), table)
            assert referee.legal(action)
            state = state.after(action)
            referee.tell(action)
        games += 1
        assert state.over == referee.over()
        assert state.out == referee.out
    assert legal > 30
    assert illegal > 300
