"""
The board: which rooms are in reach, by the distances in the edition's file.

Overshoot is allowed, so a room is reached when the roll is at least its distance. A secret passage
costs the roll and always gets there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from clue_solver.errors import ArgumentError
from clue_solver.notation.names import Names
from clue_solver.rules.edition import Board, Edition


def rooms_of(edition: Edition) -> tuple[str, ...]:
    """
    Return the names of the rooms, in edition order.

    Raises:
        ArgumentError: If the edition has none.
    """
    for kind in edition.category:
        if kind.name == "room":
            return tuple(card.name for card in kind.cards)
    raise ArgumentError(f"{edition.name} has no rooms", argument="rooms")


def named_rooms(edition: Edition, rooms: str | Iterable[str]) -> dict[str, float]:
    """Return the rooms of a list, one by one or such as `Hall, Study`, each surely in reach."""
    names = Names("room", rooms_of(edition), aliases=_aliases(edition))
    return dict.fromkeys(names.find_all(rooms), 1.0)


def reach(edition: Edition, at: str, roll: int | None = None) -> dict[str, float]:
    """
    Return the chance to reach each room this turn.

    Args:
        edition: Its file holds the distances.
        at: The room where one is, or the suspect whose start square one stands on.
        roll: What was rolled; if left out the chance is over all rolls.

    Raises:
        ArgumentError: If the edition has no distances, or no dice give that roll.
        NotationError: If there is no such room or start square.
    """
    rooms, board = rooms_of(edition), edition.board
    if board is None or not board.steps:
        raise ArgumentError(
            f"{edition.name} has no distances between rooms; name rooms instead", argument="at"
        )
    if roll is not None and not board.dice <= roll <= 6 * board.dice:
        dice = "1 die gives" if board.dice == 1 else f"{board.dice} dice give"
        raise ArgumentError(
            f"{dice} {board.dice} to {6 * board.dice}; found {roll}", argument="roll"
        )
    place = Names("room", (*rooms, *board.start), aliases=_aliases(edition)).find(at)
    if place in board.start:
        steps = dict(board.start[place])
    else:
        steps = dict(zip(rooms, board.steps[place], strict=True))
    chances = {room: _chance(board, steps[room], roll) if room in steps else 0.0 for room in rooms}
    if place in rooms:
        chances[place] = 1.0 if board.stay else 0.0
    for pair in board.passages:
        if place in pair:
            chances[pair[1 - pair.index(place)]] = 1.0
    return chances


def steps_between(edition: Edition, at: str, room: str) -> int | None:
    """Return the steps from a room to another, where they are known; 0 through a passage."""
    board, rooms = edition.board, rooms_of(edition)
    if board is None or at not in board.steps:
        return None
    if any({at, room} == set(pair) for pair in board.passages):
        return 0
    return board.steps[at][rooms.index(room)]


def _chance(board: Board, steps: int, roll: int | None) -> float:
    if roll is not None:
        return 1.0 if roll >= steps else 0.0
    sums = _sums(board.dice)
    ways = sum(count for total, count in sums.items() if total >= steps)
    return float(ways / 6**board.dice)


@cache
def _sums(dice: int) -> dict[int, int]:
    """Return in how many ways so many dice give each sum."""
    sums = {0: 1}
    for _ in range(dice):
        longer: dict[int, int] = {}
        for total, ways in sums.items():
            for face in range(1, 7):
                longer[total + face] = longer.get(total + face, 0) + ways
        sums = longer
    return sums


def _aliases(edition: Edition) -> dict[str, tuple[str, ...]]:
    return {
        card.name: (card.title, *card.aliases)
        for card in edition.cards
        if card.title or card.aliases
    }
