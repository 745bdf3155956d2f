"""
Numbers for the names of a table, and evidence written in these numbers.

A card's number is its index in `Table.cards`: the cards in play, in edition order. A holder's is
its index in `Table.holders`: the seats, the face-down slots, the envelope. A set of cards is a
`CardMask`. `Numbers` turns names into holders and masks.

Every statement is about one holder and a set of cards. A clause says that the holder has at least
one of the cards, or lacks at least one; a factor says how likely an observation was, by how many of
the cards the holder has. No statement says that a deal gives every card to one holder and fills
every hand: this holds for every log and is built into the solver and the diagram.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from clue_solver.rules.table import Table

CardMask = int
"""A set of cards in play: bit `c` stands for card `c`."""


class Layout(Struct, frozen=True, kw_only=True):
    """
    The shape of a table in numbers: who can hold what.

    Attributes:
        cards: Number of cards in play.
        seats: Number of seats; they are the first holders.
        categories: For each category, the mask of its cards in play.
        bounds: The least and the most cards of each holder except the envelope, in order.
        joint_sizes: The possible combinations of the seats' hand sizes; empty if all sizes within
            the bounds are possible.
    """

    cards: int
    seats: int
    categories: tuple[CardMask, ...]
    bounds: tuple[tuple[int, int], ...]
    joint_sizes: tuple[tuple[int, ...], ...] = ()

    @property
    def holders(self) -> int:
        """Number of holders, the envelope included."""
        return len(self.bounds) + 1

    @property
    def envelope(self) -> int:
        """The number of the envelope among the holders: the last."""
        return len(self.bounds)

    @property
    def everything(self) -> CardMask:
        """The mask of all cards in play."""
        return (1 << self.cards) - 1


class Numbers:
    """Turns the names of one table into masks of cards and numbers of holders."""

    __slots__ = ("_card", "_feature", "_holder", "layout")

    def __init__(self, table: Table) -> None:
        self._card = {name: number for number, name in enumerate(table.cards)}
        self._holder = {name: number for number, name in enumerate(table.holders)}
        self._feature: dict[str, int] = {}  # `cards` looks into it while it is built
        self._feature = {
            name: self.cards(marked) for name, marked in table.edition.features.items()
        }
        self.layout = Layout(
            cards=len(self._card),
            seats=len(table.seats),
            categories=tuple(
                self.cards(card.name for card in kind.cards) for kind in table.edition.category
            ),
            bounds=(*table.size_bounds(), *((slot.count, slot.count) for slot in table.slots)),
            joint_sizes=table.dealt_sizes(),
        )

    def card(self, name: str) -> CardMask:
        """Return the mask of the card with this name; 0 if the card lies face-up."""
        return 1 << self._card[name] if name in self._card else 0

    def cards(self, names: Iterable[str]) -> CardMask:
        """
        Return the mask of the named cards; a feature stands for all cards that share it.

        Face-up cards are left out.
        """
        mask = 0
        for name in names:
            place = self._card.get(name)
            mask |= self._feature.get(name, 0) if place is None else 1 << place
        return mask

    def holder(self, name: str) -> int:
        """
        Return the number of a holder, from 0, by name: a seat, a face-down slot or the `envelope`.
        """
        return self._holder[name]


def card_numbers(mask: CardMask) -> list[int]:
    """
    Return the numbers of the cards in a mask, ascending.

    >>> card_numbers(0b10110)
    [1, 2, 4]
    """
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


def several(mask: int) -> bool:
    """Return whether a mask has more than one bit: more than one card."""
    return mask & (mask - 1) != 0


Tables = tuple[tuple[float, ...], ...]
"""
Weights by how many of some cards a holder has: item n of a table is the weight if it has n of them.

There is one table. If it depends on how readily players name cards of their own, and that is to be
learned, there is one for each of the own-card levels (`policies.LEVELS`).
"""


class Clause(NamedTuple):
    """
    Something that must hold if certain entries of the record are true.

    It says that a holder has at least one of some cards, or lacks at least one of them.

    Attributes:
        entries: The numbers, from 1 and ascending, of the entries that it follows from; empty for a
            supposition.
        holder: The number of the holder that it is about.
        cards: A mask of cards. If it is empty, the entries cannot all be true.
        has: Whether the holder has at least one of the cards (true) or lacks at least one (false).
    """

    entries: tuple[int, ...]
    holder: int
    cards: CardMask
    has: bool

    @property
    def entry(self) -> int:
        """The number of the last entry that the clause follows from; 0 for a supposition."""
        return self.entries[-1] if self.entries else 0

    @property
    def tables(self) -> Tables:
        """
        The clause as weights by how many of its cards the holder has: 0 where it is broken, else 1.
        """
        kept = (1.0,) * self.cards.bit_count()
        return ((0.0, *kept) if self.has else (*kept, 0.0),)


class Factor(NamedTuple):
    """
    How likely an observation is, by how many of some cards one holder has.

    Attributes:
        entry: The number, from 1, of the entry that it follows from.
        holder: The number of the holder whose hand counts.
        cards: The mask of cards that count.
        tables: Item n of a table is the likelihood if the holder has n of those cards. It is 0 only
            if a clause of the same entry is broken, so clauses alone decide what is possible.
        is_behaviour: Whether it weighs what people usually do; then no weight is 0.
    """

    entry: int
    holder: int
    cards: CardMask
    tables: Tables
    is_behaviour: bool = False


class Shown(NamedTuple):
    """
    A card that a seat showed the viewer in an answer.

    Attributes:
        entry: The number of the entry, from 1.
        seat: The number of the seat, from 0.
        card: The mask of the card, with a single bit.
    """

    entry: int
    seat: int
    card: CardMask
