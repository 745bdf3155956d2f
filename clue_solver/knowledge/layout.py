"""
Cards and holders as numbers: the one place where names turn into the integers of the solver.

Cards in play are numbered in edition order, holders as the table lists them: seats, face-down
slots, envelope last. A set of cards is a bit mask: bit `c` stands for card `c`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from clue_solver.rules.table import Table


class Layout(Struct, frozen=True, kw_only=True):
    """
    The shape of a table in numbers.

    Attributes:
        cards: Number of cards in play.
        seats: Number of seats; they are the first holders.
        categories: For each category the mask of its cards in play.
        bounds: For each seat and slot the least and the most cards it can hold.
    """

    cards: int
    seats: int
    categories: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]

    @property
    def holders(self) -> int:
        """Number of holders, the envelope included."""
        return len(self.bounds) + 1

    @property
    def envelope(self) -> int:
        """The envelope's number."""
        return len(self.bounds)

    @property
    def everything(self) -> int:
        """The mask of all cards in play."""
        return (1 << self.cards) - 1


class Numbers:
    """Numbers for the names of one table: masks of cards, holders by name."""

    __slots__ = ("_card", "_feature", "_holder", "layout")

    def __init__(self, table: Table) -> None:
        self._card = {name: number for number, name in enumerate(table.cards)}
        self._holder = {name: number for number, name in enumerate(table.holders)}
        self._feature: dict[str, int] = {}
        for feature, names in table.edition.features.items():
            self._feature[feature] = self.cards(names)
        self.layout = Layout(
            cards=len(self._card),
            seats=len(table.seats),
            categories=tuple(
                self.cards(card.name for card in kind.cards) for kind in table.edition.category
            ),
            bounds=(*table.size_bounds(), *((slot.count, slot.count) for slot in table.slots)),
        )

    def card(self, name: str) -> int:
        """Return the mask of one card; 0 for a card that lies face-up."""
        place = self._card.get(name)
        return 0 if place is None else 1 << place

    def cards(self, names: Iterable[str]) -> int:
        """Return the mask of the named cards and of the cards that the named features mark."""
        mask = 0
        for name in names:
            place = self._card.get(name)
            mask |= self._feature.get(name, 0) if place is None else 1 << place
        return mask

    def holder(self, name: str) -> int:
        """Return the number of a seat, slot or `envelope`."""
        return self._holder[name]


def card_numbers(mask: int) -> list[int]:
    """
    Return the cards in a mask, ascending.

    >>> card_numbers(0b10110)
    [1, 2, 4]
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
