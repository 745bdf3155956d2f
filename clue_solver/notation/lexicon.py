"""
The names that lines at a table are made of, by the place in the line where they stand.

Cached per table, ignoring what was dealt.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from msgspec.structs import replace

from clue_solver.errors import ArgumentError
from clue_solver.notation.names import Names
from clue_solver.rules.board import ground_of, places_in
from clue_solver.rules.edition import Edition
from clue_solver.rules.forms import Bearers
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

TOTALS = Names("total", map(str, range(1, 25)))
"""The totals that dice can show: four dice have at most 24 points."""


def lexicon_of(table: Table) -> "Lexicon":
    """
    Return the table's names.

    >>> from clue_solver import load
    >>> lexicon = lexicon_of(load("examples/classic.clue").table)
    >>> lexicon.seats.find("be"), lexicon.cards.find("col mustard"), lexicon.of("holders").names[-1]
    ('Ben', 'Mustard', 'envelope')
    """
    return _lexicon(alike(table))


@lru_cache(maxsize=64)
def alike(table: Table) -> Table:
    """Return a table without what differs from game to game, and no line depends on."""
    return replace(table, solution=(), game=None, pieces=(), first=None)


class Lexicon:
    """
    The names at tables alike.

    Attributes:
        table: One of these tables.
        cards, seats: The names of each.
        things: Cards and features, which questions are about.
        category_of: The name of each card's category.
        marked: The cards that each feature marks.
        totals: What dice can show.
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

    # What most lines of a record do not need is made when it is first asked for.

    @cached_property
    def viewers(self) -> Names:
        """Whose view it can be: seats and `spectator`."""
        return Names("viewer", (SPECTATOR, *self.seats.names))

    @cached_property
    def places(self) -> Names:
        """Seats and face-down slots, which one looks at."""
        slots = [slot.name for slot in self.table.slots]
        kind = "player or face-down slot" if slots else "player"
        return Names(kind, (*self.seats.names, *slots), aliases=self._called)

    @cached_property
    def holders(self) -> Names:
        """Seats, slots and the envelope, which one knows about."""
        return Names("holder", (*self.places.names, ENVELOPE), aliases=self._called)

    @cached_property
    def features(self) -> Names:
        """What cards of several categories share: the colours."""
        return Names("colour", self.marked, aliases=self.table.edition.aliases)

    @cached_property
    def suspects(self) -> Names:
        """Who can be played."""
        return self.things.subset("suspect", self.table.edition.suspects)

    @cached_property
    def rooms(self) -> Names:
        """The cards that are rooms."""
        return self.cards.subset("room", self.table.edition.rooms)

    @cached_property
    def squares(self) -> Names:
        """The squares of the board."""
        if self.table.board == "none":
            return Names("square", ())
        ground = ground_of(self.table.edition.board, self.table.edition.rooms)
        return Names("square", (ground.names[square] for square in places_in(ground.free)))

    @cached_property
    def spots(self) -> Names:
        """Where a piece can stand: rooms and squares."""
        return Names("room or square", (*self.rooms.names, *self.squares.names))

    @cached_property
    def faces(self) -> Names:
        """What dice show: suspects, and faces that are no icons in a total."""
        special = () if self.icons.names else self.table.edition.faces
        aliases = {**self.table.edition.aliases, **self._in_full}
        return Names("face", (*self.marked, *special), aliases=aliases)

    @cached_property
    def icons(self) -> Names:
        """The faces of dice that count 1 in a total."""
        board = self.table.edition.board
        counted = board is not None and board.icon
        return Names("icon", self.table.edition.faces if counted else (), aliases=self._in_full)

    @cached_property
    def clues(self) -> Names:
        """The kinds of clue cards."""
        return Names("clue card", self.table.clues)

    @property
    def _in_full(self) -> dict[str, tuple[str]]:
        """What each face of the special dice is called on the box."""
        edition = self.table.edition
        return {face: (name,) for face, name in zip(edition.faces, edition.dice, strict=True)}

    def of(self, bearers: Bearers) -> Names:
        """Return the names that can stand in a place of a line."""
        names: Names = getattr(self, bearers)
        return names

    def marked_by(self, things: Iterable[str]) -> tuple[str, ...]:
        """Return the cards among cards and features: themselves, and those that a feature marks."""
        return tuple(card for thing in things for card in self.marked.get(thing, (thing,)))

    def cell(self, card: str, holder: str) -> tuple[str, str]:
        """
        Return the card in play and the holder that two typed names stand for.

        Raises:
            NotationError: If there is no such card or holder, or more than one.
            ArgumentError: If the card lies face-up.
        """
        card = self.cards.find(card)
        holder = self.holders.find(holder)
        if card in self.table.face_up:
            reason = f"{card} is face-up on the table: everybody sees where it is"
            raise ArgumentError(reason, argument="card")
        return card, holder


_lexicon = lru_cache(maxsize=32)(Lexicon)


def _own_words(table: Table) -> Mapping[str, Sequence[str]]:
    """
    Return what the viewer may call themselves, by seat: `me` and `i`.

    A player whose name begins so may be meant as well, and then it has to be asked.
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
    Return the names of the edition's cards, and of its features and `initials` where wanted.

    What the cards are called in a `language` that is turned on are aliases.

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
    if not features:
        return Names("card", edition.names, titles=titles, aliases=aliases)
    names = (*edition.features, *edition.names)
    return Names("card", names, titles=titles, aliases={**aliases, **edition.aliases})


def card_initials(edition: Edition) -> dict[str, str]:
    """
    Return the initials that belong to one card alone, of its name or title, with that card.

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
