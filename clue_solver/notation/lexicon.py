"""All the names that can stand in a line, for one table."""

from __future__ import annotations

from clue_solver.edition import Edition
from clue_solver.errors import ArgumentError
from clue_solver.names import Names
from clue_solver.table import ENVELOPE, SPECTATOR, Table

_KEPT = 8


class Lexicon:
    """
    The names that lines at one table are made of, by the place in the line where they stand.

    Attributes:
        cards, features, seats: The names of each.
        things: Cards and features, which questions are about.
        viewers: Whose eyes: seats and `spectator`.
        places: Seats and face-down slots, which one looks at.
        holders: Seats, slots and the envelope, which one knows about.
        kind: The name of each card's category.
        marked: The cards that each feature marks.
        face_up: The cards that lie open, which no holder has.
    """

    def __init__(self, table: Table) -> None:
        edition = table.edition
        slots = tuple(slot.name for slot in table.slots)
        self.cards = card_names(edition)
        self.features = Names("colour", edition.features, aliases=edition.aliases)
        self.things = card_names(edition, features=True)
        self.seats = Names("player", table.seats)
        self.viewers = Names("viewer", (SPECTATOR, *table.seats))
        self.places = Names("player or face-down slot" if slots else "player", table.seats + slots)
        self.holders = Names("holder", (*table.seats, *slots, ENVELOPE))
        self.face_up = table.face_up
        self.kind = edition.category_of
        self.marked = edition.features

    def cell(self, card: str, holder: str) -> tuple[str, str]:
        """
        Return the card in play and the holder that two typed names stand for.

        Raises:
            NotationError: If there is no such card or holder, or more than one.
            ArgumentError: If the card lies face-up.
        """
        card, holder = self.cards.find(card), self.holders.find(holder)
        if card in self.face_up:
            reason = f"{card} lies face-up on the table: everybody sees where it is"
            raise ArgumentError(reason, argument="card")
        return card, holder


def card_names(edition: Edition, *, features: bool = False) -> Names:
    """Return the names of the edition's cards, and of its features too where they are wanted."""
    titles = {card.name: card.title for card in edition.cards}
    aliases = {card.name: card.aliases for card in edition.cards}
    if not features:
        return Names("card", edition.names, titles=titles, aliases=aliases)
    names = (*edition.features, *edition.names)
    return Names("card", names, titles=titles, aliases={**aliases, **edition.aliases})


_recent: dict[int, tuple[Table, Lexicon]] = {}


def lexicon_of(table: Table) -> Lexicon:
    """Return the table's names; those of the last few tables are kept."""
    known = _recent.get(id(table))
    if known is not None and known[0] is table:
        return known[1]
    while len(_recent) >= _KEPT:
        _recent.pop(next(iter(_recent)), None)
    made = Lexicon(table)
    _recent[id(table)] = (table, made)
    return made
