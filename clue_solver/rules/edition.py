"""The classes of editions of the game: cards, rules and board. `edition_files` reads the files."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from clue_solver.errors import counted
from clue_solver.rules.board import Board
from clue_solver.rules.observations import kinds

MOST_CARDS = 40
"""The most cards that an edition may have."""
MOST_CATEGORIES = 6
"""The most categories that an edition may have."""
SEATS = (2, 10)
"""The fewest and the most seats that a table may have."""

RESERVED = ("envelope", "table", "spectator", "nobody")
"""Words with a special meaning in a record; cards, slots and seats cannot have these names."""

Side = Literal["left", "right"]
Answering = Literal["first", "all"]
"""Which of the seats that can show a card do so: the `first`, or `all`."""
Accusing = Literal["turn", "after", "last"]
Bonus = Literal["looks", "asks", "peeks", "points"]
"""The action that a face of the bonus die allows, by the verb of its line in a record."""
ClueCard = Literal["suspect", "weapon", "room", "left", "all", "one", "move", "passage"]
"""
What a clue card says. For `suspect`, `weapon` and `room`, whoever holds the card that it names
reveals it. For `left` and `all`, each player shows a card to the left neighbour, or to all. For
`one`, one player shows a card to the player who drew it. For `move`, that player goes to any room;
for `passage`, to any room with a secret passage.
"""
OBSERVABLE = tuple(kind.form.verb if kind.form.subject else "nobody" for kind in kinds())
"""
The verbs of all lines that a record can have; `nobody` stands for the line `nobody reveals ...`.
"""

Names = Annotated[tuple[str, ...], Meta(min_length=1)]
Seats = Annotated[int, Meta(ge=SEATS[0], le=SEATS[1])]


_FACES = {"magnifying glass": "glass", "question mark": "question", "pointed finger": "finger"}
"""The shorter words that a record's lines use for some faces of special dice, by face."""


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    One card of an edition.

    Attributes:
        name: Its short name, which records use: `Scarlett`.
        title: The full name that is printed on it, if that is another; else empty.
        aliases: Other names that can be typed.
        feature: What it shares with other cards, such as the suspect of all `Scarlett` cards in
            Clue Diced; `None` if it shares nothing.

    >>> from clue_solver import load_edition
    >>> load_edition("clue-classic").cards[0].title
    'Miss Scarlett'
    """

    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    feature: str | None = None


class Category(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    One category of cards; the envelope holds one card of each.

    Attributes:
        name: Its name, such as `weapon`.
        plural: Its heading, such as `Weapons`; if empty, the name is shown instead.
        cards: Its cards.

    >>> from clue_solver import load_edition
    >>> load_edition("clue-classic").category[1].cards[0].name
    'Candlestick'
    """

    name: str
    plural: str = ""
    cards: Annotated[tuple[Card, ...], Meta(min_length=1)]

    def __repr__(self) -> str:
        return f"<Category: {self.name}, {counted(len(self.cards), 'card')}>"


class Edition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    The rules of one edition, as its file gives them.

    Attributes:
        name: The name in a record's header; for a user's own file its path.
        title: The name on the box, with the year where it tells editions apart.
        note: What sets the edition apart, in a sentence.
        players: Fewest and most seats.
        order: Which neighbour of the suggester answers first.
        answers: Which of the seats that can show a card do so: the `first`, or `all`.
        suggests: How many categories a suggestion names, one card from each; 0 for all categories.
        accuse_when: When a player may accuse: at any time in their `turn`, `after` suggesting in
            it, or `last`, after the suggestion and the bonus die.
        accuse_in: Where a player may accuse: `anywhere`, or only in a `room`.
        adopts: Which suspect a player plays: `any`, or the one whose piece starts `nearest`, so
            that turns go round the board.
        spare: Where the pieces that nobody plays stand: on their `starts`, or in `rooms`.
        first: The suspect whose player has the first turn; empty where the table agrees on one.
        clues: The kind of each card in the deck of clue cards; empty if there is no deck.
        face_down: How many cards are left face-down, by the number of players; none for a number
            that is not there.
        looker_tells: Whether a player who looks at another's card tells them which card it was.
        observes: The verbs of the lines that can occur under the edition's rules.
        dice: What each face of the special dice does, in words, by the name of the face.
        bonus: What each face of the bonus die allows, by the face's name in a record's lines.
        suspect_dice: How many suspect dice are rolled; a suggestion names suspects that they show.
        aliases: The other names of each feature, by feature.
        languages: The cards' names in other languages, by language, then by card. The first name is
            printed; all of them can be typed.
        category: The categories, in the order of suggestions and accusations.
        board: The board; `None` if the edition has none.

    >>> from clue_solver import load_edition
    >>> edition = load_edition("clue-classic")
    >>> edition.suspects[:3], edition.players
    (('Scarlett', 'Mustard', 'White'), (2, 6))
    """

    name: str
    title: str
    note: str = ""
    players: tuple[Seats, Seats] = (2, 6)
    order: Side = "left"
    answers: Answering = "first"
    suggests: Annotated[int, Meta(ge=0, le=MOST_CATEGORIES)] = 0
    accuse_when: Accusing = "turn"
    accuse_in: Literal["anywhere", "room"] = "anywhere"
    adopts: Literal["any", "nearest"] = "any"
    spare: Literal["starts", "rooms"] = "starts"
    first: str = ""
    clues: tuple[ClueCard, ...] = ()
    face_down: dict[Seats, Annotated[int, Meta(ge=1)]] = field(default_factory=dict)
    looker_tells: bool = False
    observes: tuple[str, ...] = ("suggests", "accuses", "holds", "knows")
    dice: dict[str, str] = field(default_factory=dict)
    bonus: dict[str, Bonus] = field(default_factory=dict)
    suspect_dice: Annotated[int, Meta(ge=0, le=5)] = 0
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    languages: dict[str, dict[str, Names]] = field(default_factory=dict)
    category: Annotated[tuple[Category, ...], Meta(min_length=1, max_length=MOST_CATEGORIES)]
    board: Board | None = None

    def __repr__(self) -> str:
        return f"<Edition: {self.title}, {counted(len(self.names), 'card')}>"

    def __hash__(self) -> int:
        """Return a hash of the name and the title only: the other fields need not be hashable."""
        return hash((self.name, self.title))

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in edition order: category by category, as each category lists them."""
        return tuple(card for category in self.category for card in category.cards)

    @property
    def names(self) -> tuple[str, ...]:
        """The cards' names in edition order."""
        return tuple([card.name for category in self.category for card in category.cards])

    @property
    def category_of(self) -> dict[str, str]:
        """A mapping from each card's name to the name of its category."""
        return {card.name: kind.name for kind in self.category for card in kind.cards}

    @property
    def features(self) -> dict[str, tuple[str, ...]]:
        """For each feature, the names of the cards that share it, in order of first appearance."""
        marked: dict[str, list[str]] = {}
        for card in self.cards:
            if card.feature is not None:
                marked.setdefault(card.feature, []).append(card.name)
        return {feature: tuple(names) for feature, names in marked.items()}

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces of the special dice, each as the word that a record's lines use for it."""
        return tuple(_FACES.get(face, face) for face in self.dice)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of all lines that a record of this edition can have."""
        board = ("rolls", "moves", "stays") if self.rooms else ()
        dice = ("rolls",) if self.suspect_dice else ()
        observed = (*self.observes, *self.bonus.values())
        return frozenset(("skips", "leaves", *observed, *board, *dice))

    @property
    def rooms(self) -> tuple[str, ...]:
        """The cards of the category `room`; empty if there is no such category."""
        return self._of_category("room")

    @property
    def suspects(self) -> tuple[str, ...]:
        """The suspects that can be played: the cards of category `suspect`, else the features."""
        return self._of_category("suspect") or tuple(self.features)

    @property
    def weapons(self) -> tuple[str, ...]:
        """The cards of the category `weapon`; empty if there is no such category."""
        return self._of_category("weapon")

    def printed(self, card: str, language: str | None) -> str:
        """
        Return the name that a card has in print in a language, such as `de`.

        If there is none, or if `language` is `None`, return the card's name in the edition.

        >>> from clue_solver import load_edition
        >>> load_edition("clue-classic").printed("Lead Pipe", "de")
        'Heizungsrohr'
        """
        return (*self.also_called(card, language), card)[0]

    def also_called(self, card: str, language: str | None) -> tuple[str, ...]:
        """
        Return a card's names in a language, such as `de`, the printed one first.

        Empty if it has none there, or if `language` is `None`.
        """
        return self.languages.get(language or "", {}).get(card, ())

    def _of_category(self, name: str) -> tuple[str, ...]:
        """Return the names of the cards in a category; `name` is its name in lower case."""
        kinds = (kind.cards for kind in self.category if kind.name.casefold() == name)
        return tuple(card.name for cards in kinds for card in cards)

    def beyond_limits(self, players: int) -> str:
        """Return the message that this is not for this number of players; empty if it is."""
        low, high = self.players
        within = low <= players <= high
        return "" if within else f"{self.title} is for {low} to {high} players; found {players}"

    def undealt(self, players: int) -> int:
        """
        Return how many cards lie face-down with this many players; each lies in a room of its own.
        """
        return self.face_down.get(players, 0)

    def face_down_rooms(self, players: int) -> tuple[str, ...]:
        """
        Return the rooms where cards lie face-down with this many players.

        They are the corner rooms, which have secret passages. Empty if no cards lie face-down.
        Also empty if there are more or fewer corner rooms than such cards: then any rooms will do.
        """
        passages = self.board.passages if self.board is not None else ()
        corners = {room for pair in passages for room in pair}
        if len(corners) != self.undealt(players):
            return ()
        return tuple(room for room in self.rooms if room in corners)

    @property
    def named(self) -> int:
        """How many cards a suggestion names; each is of another category."""
        return self.suggests or len(self.category)
