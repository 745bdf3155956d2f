"""
The names that may stand in the lines of a table's record, grouped by what they name.

`split_comment` takes the comment off a line.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import cast

from msgspec.structs import replace

from clue_solver.errors import ArgumentError
from clue_solver.notation.names import Names
from clue_solver.rules.board import ground_of, places_in
from clue_solver.rules.edition import Edition
from clue_solver.rules.forms import Bearers
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

TOTALS = Names("total", map(str, range(1, 25)))
"""The totals that dice can show, as text: a board has at most four dice, so at most 24."""


def split_comment(line: str) -> tuple[str, str]:
    """
    Return the line up to its comment, and the comment without its `#`; empty if there is none.

    >>> split_comment("Ben peeks  # at last")
    ('Ben peeks', 'at last')
    """
    body, _, comment = line.partition("#")
    return body.rstrip(), comment.removeprefix(" ").rstrip()


@lru_cache(maxsize=64)
def lexicon_of(table: Table) -> "Lexicon":
    """
    Return the names that may stand in the lines of a table.

    Tables that differ only in facts that do not affect how lines are read share one lexicon.

    >>> from clue_solver import load
    >>> lexicon = lexicon_of(load("examples/classic.clue").table)
    >>> lexicon.seats.find("be"), lexicon.cards.find("col mustard"), lexicon.of("holders").names[-1]
    ('Ben', 'Mustard', 'envelope')
    """
    return _lexicon(replace(table, solution=(), game=None, pieces=(), first=None))


class Lexicon:
    """
    The names that may stand in the lines of a table's record.

    Attributes:
        table: The table, without the facts of one game that do not affect how lines are read.
        cards, seats: The names of the cards, and of the players.
        things: The names of cards and features: a question may be about either.
        category_of: For each card's name, its category.
        marked: For each feature, the cards that have it.
        totals: The totals that dice can show.
    """

    totals = TOTALS

    def __init__(self, table: Table) -> None:
        self.table = table
        self.cards = card_names(table.edition, language=table.language)
        self.things = card_names(table.edition, features=True, language=table.language)
        self._called = _own_words(table)
        self.seats = Names("player", table.seats, aliases=self._called)
        self.category_of = table.edition.category_of
        self.marked = table.edition.features

    # Most lines of a record need none of these, so they are made when they are first used.

    @cached_property
    def viewers(self) -> Names:
        """The possible viewers of a record: the seats and `spectator`."""
        return Names("viewer", (SPECTATOR, *self.seats.names))

    @cached_property
    def places(self) -> Names:
        """Seats and face-down slots: a player may look at either."""
        slots = [slot.name for slot in self.table.slots]
        kind = "player or face-down slot" if slots else "player"
        return Names(kind, (*self.seats.names, *slots), aliases=self._called)

    @cached_property
    def holders(self) -> Names:
        """Seats, face-down slots and the envelope: each can hold a card."""
        return Names("holder", (*self.places.names, ENVELOPE), aliases=self._called)

    @cached_property
    def features(self) -> Names:
        """The features that cards of several categories share: the colours."""
        return Names("colour", self.marked, aliases=self.table.edition.aliases)

    @cached_property
    def suspects(self) -> Names:
        """The suspects that a player can play."""
        return self.things.subset("suspect", self.table.edition.suspects)

    @cached_property
    def rooms(self) -> Names:
        """The names of the room cards."""
        return self.cards.subset("room", self.table.edition.rooms)

    @cached_property
    def squares(self) -> Names:
        """The names of the board's squares; none if the game is played without the board."""
        if self.table.board == "none":
            return Names("square", ())
        ground = ground_of(self.table.edition.board, self.table.edition.rooms)
        return Names("square", (ground.names[square] for square in places_in(ground.squares)))

    @cached_property
    def spots(self) -> Names:
        """The places where a piece can stand: rooms and squares."""
        return Names("room or square", (*self.rooms.names, *self.squares.names))

    @cached_property
    def faces(self) -> Names:
        """The faces of dice: suspects, and the special faces unless they are `icons`."""
        special = () if self.icons.names else self.table.edition.faces
        aliases = {**self.table.edition.aliases, **self._full_names}
        return Names("face", (*self.marked, *special), aliases=aliases)

    @cached_property
    def icons(self) -> Names:
        """The special faces of dice if they count 1 in a total; else none."""
        board = self.table.edition.board
        counted = board is not None and board.icon
        return Names("icon", self.table.edition.faces if counted else (), aliases=self._full_names)

    @cached_property
    def clues(self) -> Names:
        """The kinds of clue cards in the deck."""
        return Names("clue card", self.table.clues)

    @property
    def _full_names(self) -> dict[str, tuple[str]]:
        """
        The full name of each face of the special dice, as an alias for its short name, by short
        name.
        """
        edition = self.table.edition
        return {face: (name,) for face, name in zip(edition.faces, edition.dice, strict=True)}

    def of(self, bearers: Bearers) -> Names:
        """Return all names of a group, such as `cards` or `holders`."""
        return cast(Names, getattr(self, bearers))

    def marked_by(self, things: Iterable[str]) -> tuple[str, ...]:
        """
        Return the cards that some names stand for.

        A card's name stands for this card, a feature (such as a colour) for all cards that have it.
        """
        return tuple(card for thing in things for card in self.marked.get(thing, (thing,)))

    def cell(self, card: str, holder: str) -> tuple[str, str]:
        """
        Return the card and the holder that two typed names mean.

        Raises:
            NotationError: If a name means no card or holder, or several.
            ArgumentError: If the card lies face-up.
        """
        card = self.cards.find(card)
        holder = self.holders.find(holder)
        if card in self.table.face_up:
            reason = f"{card} is face up on the table: everybody sees where it is"
            raise ArgumentError(reason, argument="card")
        return card, holder


_lexicon = lru_cache(maxsize=32)(Lexicon)


def _own_words(table: Table) -> Mapping[str, Sequence[str]]:
    """
    Return, for each seat that the words `me` and `i` may mean, which of the two may mean it.

    They may mean the viewer, or a player whose name begins with them. A line with a word that may
    mean two seats is ambiguous. A word that is a player's whole name is left out, and so is a seat
    that neither word may mean.
    """
    called: dict[str, list[str]] = {}
    for word in ("me", "i") if table.viewer else ():
        if word not in [seat.casefold() for seat in table.seats]:
            for seat in table.seats:
                if seat == table.viewer or seat.casefold().startswith(word):
                    called.setdefault(seat, []).append(word)
    return called


@lru_cache(maxsize=256)  # each edition in each language
def card_names(
    edition: Edition, *, features: bool = False, language: str | None = None, initials: bool = False
) -> Names:
    """
    Return the names of an edition's cards.

    Args:
        edition: The edition.
        features: Whether to add the features, which questions can be about.
        language: The language whose card names are added as aliases; `None` for none.
        initials: Whether to add initials as aliases: `LP` for Lead Pipe.

    >>> from clue_solver import load_edition
    >>> card_names(load_edition("clue-classic"), language="de").find("heizungsrohr")
    'Lead Pipe'
    """
    titles = {card.name: card.title for card in edition.cards}
    aliases = {
        card.name: (*card.aliases, *edition.also_called(card.name, language))
        for card in edition.cards
    }
    for card in edition.cards:  # `Brains red` is Brains Scarlett
        called = edition.aliases.get(card.feature or "", ())
        others = (card.name.replace(str(card.feature), alias) for alias in called)
        aliases[card.name] = (*aliases[card.name], *others)
    for text, name in card_initials(edition).items() if initials else ():
        aliases[name] = (*aliases[name], text)
    names = (*edition.features, *edition.names) if features else edition.names
    return Names("card", names, titles=titles, aliases={**aliases, **edition.aliases})


def card_initials(edition: Edition) -> dict[str, str]:
    """
    Return the card that initials such as `LP` stand for, by initials.

    They are the initials of the words in the card's name or in its title. Those that several cards
    share are left out, and so are names and aliases.

    >>> from clue_solver import load_edition
    >>> initials = card_initials(load_edition("clue-classic"))
    >>> initials["LP"], initials["PP"], "MG" in initials
    ('Lead Pipe', 'Plum', True)
    """
    named: dict[str, set[str]] = {}
    for card in edition.cards:
        for words in (card.name.split(), (card.title or "").split()):
            if len(words) > 1:
                named.setdefault("".join(word[0] for word in words).upper(), set()).add(card.name)
    taken = {alias.upper() for card in edition.cards for alias in (card.name, *card.aliases)}
    return {
        text: cards.pop() for text, cards in named.items() if len(cards) == 1 and text not in taken
    }
