"""
A deal: a table and where every card is.

A deal follows the edition: one card of each category goes into the envelope, some cards face-down
into rooms if the number of players requires it, and the rest is dealt one by one. On a board
everybody gets a suspect, and the player of the edition's first suspect begins; otherwise the first
player is drawn. The seat that is dealt the first card, and so perhaps one card more, is drawn
separately.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from clue_solver.errors import SetupError
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import Slot, Table

T = TypeVar("T")

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")
"""The default names of the seats, clockwise."""


class Deal(NamedTuple):
    """
    A table and where its cards are.

    Attributes:
        table: The table.
        hands: The cards in each hand and face-down slot, by the name of the seat or slot. All
            others are in the envelope.
    """

    table: Table
    hands: Mapping[str, frozenset[str]]

    @property
    def solution(self) -> tuple[str, ...]:
        """The cards in the envelope, in edition order."""
        held = frozenset[str]().union(*self.hands.values())
        return tuple(card for card in self.table.cards if card not in held)

    def hand(self, holder: str) -> Hand:
        """Return the cards of a seat or slot as an entry of a record, in edition order."""
        held = self.hands[holder]
        return Hand(seat=holder, cards=tuple(card for card in self.table.cards if card in held))

    def able_to_answer(self, by: str, asked: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """
        Yield each seat that must answer when `by` asks for cards, and what it could show.

        Seats come in the order of answering, each with those of the cards that it has; the list is
        empty if it must pass. The first seat that has one is the last to answer, unless the rules
        have everyone show who can.
        """
        able = {holder for holder, held in self.hands.items() if not held.isdisjoint(asked)}
        for seat in self.table.asked(by, able):
            yield seat, [name for name in asked if name in self.hands[seat]]


def deal(
    edition: Edition,
    seats: int,
    rng: np.random.Generator,
    *,
    board: bool = True,
    names: Sequence[str] = NAMES,
) -> Deal:
    """
    Return a random deal.

    Args:
        edition: The edition played.
        seats: How many players.
        rng: The source of randomness.
        board: Whether to play on the board, if the edition has one. Without it, any room can be
            named.
        names: The names of the seats, clockwise.

    Raises:
        SetupError: If the edition is not for this number of players.
    """
    if beyond := edition.beyond_limits(seats):
        raise SetupError(f"players: {beyond}")
    names = tuple(names[:seats])
    kinds = [[card.name for card in kind.cards] for kind in edition.category]
    envelope = {one(kind, rng) for kind in kinds}
    rest = shuffled([name for kind in kinds for name in kind if name not in envelope], rng)
    anywhere = shuffled(edition.rooms, rng)[: edition.undealt(seats)]
    places = edition.face_down_rooms(seats) or anywhere
    slots = {place: frozenset([rest.pop()]) for place in sorted(places, key=edition.rooms.index)}
    first, start = rng.integers(seats, size=2).tolist()
    dealt = {
        names[(start + place) % seats]: frozenset(rest[place::seats]) for place in range(seats)
    }
    drawn = board and edition.board is not None
    pieces = shuffled(edition.suspects, rng)[:seats] if drawn else []
    if edition.adopts == "nearest":  # neighbours at the table start next to each other on the board
        pieces.sort(key=edition.suspects.index)
    table = Table(
        edition=edition,
        seats=names,
        hands=tuple(len(dealt[name]) for name in names),
        slots=tuple(Slot(name=place) for place in slots),
        board=None if board or edition.board is None else "none",
        first=None if drawn and edition.first else names[first],
        pieces=tuple(pieces),
    )
    return Deal(table, dealt | slots)


def one(things: Sequence[T], rng: np.random.Generator) -> T:
    """Return a random item; all are equally likely."""
    return things[int(rng.integers(len(things)))] if len(things) > 1 else things[0]


def shuffled(things: Sequence[T], rng: np.random.Generator) -> list[T]:
    """Return the items in random order."""
    return [things[place] for place in rng.permutation(len(things))]
