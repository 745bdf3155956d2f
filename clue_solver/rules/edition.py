"""
Editions of the game: cards, rules and board, each edition one TOML file.

`load_edition` takes the name of a shipped edition or the path of a file. A file may extend a
shipped edition and say only what differs. `editions/clue-custom.toml` is the commented template.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from clue_solver.errors import EditionError, counted, printable
from clue_solver.rules import shape
from clue_solver.rules.board import Board, check_board, written

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MOST_CARDS = 40
MOST_CATEGORIES = 6
SEATS = (2, 10)
"""Bounds of what an edition may be: cards in all, categories, fewest and most seats."""

MOST_BYTES = 200_000
"""The largest edition file that is read; the shipped ones have less than 10,000 bytes."""

RESERVED = ("envelope", "table", "spectator", "nobody")
"""Words with a meaning of their own in a record: no card, slot or seat may bear them."""

Side = Literal["left", "right"]
Answering = Literal["first", "all"]
"""Who shows a card: the `first` who can, or everyone who can (`all`)."""
Observable = Literal[
    "suggests",
    "asks",
    "looks",
    "peeks",
    "reveals",
    "nobody",
    "accuses",
    "holds",
    "knows",
    "skips",
    "rolls",
    "draws",
    "moves",
    "stays",
    "points",
]
Accusing = Literal["turn", "after", "last"]
Bonus = Literal["looks", "asks", "peeks", "points"]
"""What a face of a bonus die lets a player do."""
ClueCard = Literal["suspect", "weapon", "room", "called", "left", "all", "one", "move", "passage"]
"""
What a clue card says: whoever holds the `suspect`, the `weapon`, the `room` or the card of any
category that it names (`called`) reveals it; each player shows one to the `left` neighbour, or to
`all`; `one` player shows one to whoever drew it; `move` to any room, or to any with a secret
`passage`.
"""


_FACES = {"magnifying glass": "glass", "question mark": "question", "pointed finger": "finger"}
"""Faces of special dice that lines call by a shorter name."""


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    One card: its short name, its full title, other names for it, and the feature it shares.

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

    >>> load_edition("clue-classic").category[1].cards[0].name
    'Candlestick'
    """

    name: str
    plural: str = ""
    cards: tuple[Card, ...]

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
        order: Which neighbour of the asker answers first.
        turns: Always `left`; who plays the other way round lists the players so.
        answers: Who shows a card of those who can.
        suggests: How many categories a suggestion names, one card of each; 0 for all of them.
        bluff: Whether a suggestion may name the asker's own cards.
        accuses: Whether an accusation may follow a suggestion in the same turn.
        accuse_when: At any time of one's `turn`, `after` a suggestion of one's own in it, or
            `last`, after suggestion and bonus die.
        accuse_in: `anywhere`, or only standing in a `room`.
        adopts: Who plays whom: `any` suspect, or whoever's piece starts `nearest`, so that turns
            go round the board.
        spare: Where the pieces of suspects that nobody plays are: on their `starts`, or in `rooms`.
        first: The suspect whose player has the first turn; empty where the table agrees on one.
        clues: The deck of clue cards, where there is one: what each of them says.
        face_down: How many cards are left face-down, by the number of players.
        looker_tells: Whether the holder learns which card a looker saw.
        observes: The kinds of observation that the edition's rules bring about.
        dice: Special dice, in words: the name of a face and what it does.
        bonus: What the faces of the bonus die let one do, by the words that lines have for them.
        suspect_dice: How many dice with suspects are rolled; a suggestion names some of them.
        aliases: Other names of features, by feature.
        languages: The cards' names in other languages: by language, then by card.
        language_aliases: What else the cards are called there: by language, then by card.
        category: The categories in order.
        board: The board, where the edition has one.

    >>> edition = load_edition("clue-classic")
    >>> edition.suspects[:3], edition.players
    (('Scarlett', 'Mustard', 'White'), (2, 6))
    """

    name: str
    title: str
    note: str = ""
    players: tuple[int, int] = (2, 6)
    order: Side = "left"
    turns: Literal["left"] = "left"
    answers: Answering = "first"
    suggests: int = 0
    bluff: bool = True
    accuses: bool = True
    accuse_when: Accusing = "turn"
    accuse_in: Literal["anywhere", "room"] = "anywhere"
    adopts: Literal["any", "nearest"] = "any"
    spare: Literal["starts", "rooms"] = "starts"
    first: str = ""
    clues: tuple[ClueCard, ...] = ()
    face_down: dict[str, int] = field(default_factory=dict)
    looker_tells: bool = False
    observes: tuple[Observable, ...] = ("suggests", "accuses", "holds", "knows")
    dice: dict[str, str] = field(default_factory=dict)
    bonus: dict[str, Bonus] = field(default_factory=dict)
    suspect_dice: int = 0
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    languages: dict[str, dict[str, str]] = field(default_factory=dict)
    language_aliases: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    category: tuple[Category, ...]
    board: Board | None = None

    def __repr__(self) -> str:
        return f"<Edition: {self.title}, {counted(len(self.names), 'card')}>"

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card, in edition order: categories in order, cards as their category lists them."""
        return tuple(card for category in self.category for card in category.cards)

    @property
    def names(self) -> tuple[str, ...]:
        """The cards' names in edition order."""
        return tuple([card.name for category in self.category for card in category.cards])

    @property
    def category_of(self) -> dict[str, str]:
        """The name of each card's category, by the card's name."""
        return {card.name: kind.name for kind in self.category for card in kind.cards}

    @property
    def features(self) -> dict[str, tuple[str, ...]]:
        """The features in order of first appearance, each with the names of the cards it marks."""
        marked: dict[str, list[str]] = {}
        for card in self.cards:
            if card.feature is not None:
                marked.setdefault(card.feature, []).append(card.name)
        return {feature: tuple(names) for feature, names in marked.items()}

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces of special dice by the words that lines have for them."""
        return tuple(_FACES.get(face, face) for face in self.dice)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of all that the rules bring about, in lines."""
        verbs = {"skips", *self.observes, *self.bonus.values()}
        if self.rooms:
            verbs |= {"rolls", "moves", "stays"}
        if self.suspect_dice:
            verbs.add("rolls")
        return frozenset(verbs)

    @property
    def dice_choose(self) -> bool:
        """Whether suggestions name suspects that were rolled."""
        return bool(self.dice and self.features)

    @property
    def rooms(self) -> tuple[str, ...]:
        """The cards of the category `room`; empty where there is none."""
        return self._of_category("room")

    @property
    def suspects(self) -> tuple[str, ...]:
        """Who can be played: the cards of the category `suspect`, else the features."""
        return self._of_category("suspect") or tuple(self.features)

    @property
    def weapons(self) -> tuple[str, ...]:
        """The cards of the category `weapon`; empty where there is none."""
        return self._of_category("weapon")

    def printed(self, card: str, language: str | None) -> str:
        """
        Return what a sheet in a language calls a card; its own name where there is no other.

        >>> load_edition("clue-classic").printed("Lead Pipe", "de")
        'Heizungsrohr'
        """
        return self.languages.get(language or "", {}).get(card, card)

    def also_called(self, card: str, language: str | None) -> tuple[str, ...]:
        """Return what a card is called besides in a language; nothing where none is turned on."""
        if language is None:
            return ()
        others = self.language_aliases.get(language, {}).get(card, ())
        return (*filter(None, (self.languages.get(language, {}).get(card),)), *others)

    def _of_category(self, name: str) -> tuple[str, ...]:
        kinds = (kind.cards for kind in self.category if kind.name.casefold() == name)
        return tuple(card.name for cards in kinds for card in cards)

    def undealt(self, players: int) -> int:
        """Return how many cards are left face-down, a room for each, with so many players."""
        return self.face_down.get(str(players), 0)

    def face_down_rooms(self, players: int) -> tuple[str, ...]:
        """
        Return the rooms in which they lie: the corner rooms, those with secret passages.

        Nothing where no card is left, or where the corner rooms are not as many: any room will do.
        """
        passages = self.board.passages if self.board is not None else ()
        corners = {room for pair in passages for room in pair}
        if len(corners) != self.undealt(players):
            return ()
        return tuple(room for room in self.rooms if room in corners)

    @property
    def named(self) -> int:
        """How many categories a suggestion names."""
        return self.suggests or len(self.category)


def _package() -> Traversable:
    """Return the folder of the package; what looks into a zipped one is loaded for such alone."""
    folder = Path(__file__).parents[1]
    if folder.is_dir():
        return folder
    from importlib.resources import files

    return files("clue_solver")


@cache
def shipped_editions() -> tuple[str, ...]:
    """
    Return the names of the editions that come with the program, in alphabetical order.

    >>> shipped_editions()[:3]
    ('clue-1996', 'clue-2008', 'clue-2015')
    """
    names = (file.name for file in _package().joinpath("editions").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


TEMPLATE = "clue-custom"
"""The shipped edition that is there to be copied and changed."""


def template() -> str:
    """Return the commented template of an edition file."""
    return _shipped_text(TEMPLATE)


def load_edition(name: str, *, beside: Path | None = None) -> Edition:
    """
    Return a shipped edition by name, or the edition in a file.

    Args:
        name: A shipped edition's name, or the path of a TOML file.
        beside: The folder that a relative path starts from; the working folder if left out.

    Raises:
        EditionError: If there is no such edition or file, or the file has a mistake; the message
            names the key, what was expected there and what was found.

    >>> load_edition("clue-diced")
    <Edition: Clue Diced, 12 cards>
    """
    if name in shipped_editions():
        return _shipped(name)
    path = (beside or Path()) / name
    try:
        if "\\" in name:  # as Windows writes it; elsewhere it may be part of a name
            name = Path(name).as_posix() if path.exists() else name.replace("\\", "/")
            path = (beside or Path()) / name
        if path.is_dir() and name:
            raise EditionError("expected an edition file; found a folder", path=name)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        called = f"there is no edition and no file called {shape.described_value(name)}"
        error = EditionError(
            called + shape.nearest(name, (*shipped_editions(), "the path of a file"))
        )
        error.path = name
        raise error from None
    except (OSError, ValueError) as cause:
        reason = (isinstance(cause, OSError) and cause.strerror) or "there is no such path"
        raise EditionError(f"cannot read the edition file: {reason}", path=name) from None
    if len(content) > MOST_BYTES:
        message = f"expected an edition file of at most {MOST_BYTES:,} bytes; found more"
        raise EditionError(message, path=name)
    try:
        return parse_edition(content.decode("utf-8-sig"), name=name)
    except UnicodeDecodeError:
        message = "expected an edition file in UTF-8 text; found something else"
        raise EditionError(message, path=name) from None


_KEYS = (*(key for key in Edition.__struct_fields__ if key != "name"), "extends", "replace")


def parse_edition(text: str, *, name: str) -> Edition:
    """
    Return the edition that the TOML text describes; `name` is used in errors and as its name.

    Raises:
        EditionError: As `load_edition`.
    """
    places: shape.Places = {}
    try:
        table = _toml(text)
        for key, message in shape.strangers(table, _KEYS):
            raise shape.Fault(key, message)
        if "replace" in table and "extends" not in table:
            raise shape.Fault(
                "replace", "expected 'extends' as well, the edition whose cards these are"
            )
        extends = "extends" in table
        if extends:
            table, places = shape.extended(table, _base_under(table))
        elif "board" in table:
            table = shape.on_board(table, tomllib.loads(template()))
        table["name"] = name
        for key, message in shape.faults(table, _shape(Edition)):
            raise shape.Fault(key, message)
        edition = msgspec.convert(table, Edition)
        _check(edition, places)
        if extends or name in shipped_editions():
            edition = _translated(edition)
        if edition.board is not None:
            edition = replace(edition, board=edition.board.measured(edition.rooms))
    except shape.Fault as fault:
        raise EditionError(
            fault.message, path=name, key=shape.place_of(fault.key, places)
        ) from None
    return edition


def _base(name: Any) -> dict[str, Any]:
    """Return the table of a shipped edition, with whatever that one extends."""
    if name not in shipped_editions():
        expected = ", ".join(shipped_editions())
        raise shape.Fault(
            "extends", f"expected one of {expected}; found {shape.described_value(name)}"
        )
    table = tomllib.loads(_shipped_text(name))
    return shape.extended(table, _base(table.pop("extends")))[0] if "extends" in table else table


def _base_under(table: dict[str, Any]) -> dict[str, Any]:
    """Return what a file extends: a drawing only as the steps on it, where the file has steps."""
    base = _base(table.pop("extends"))
    own = table.get("board")
    if isinstance(own, dict) and {"steps", "start"} & set(own) and "squares" not in own:
        rooms = [kind["cards"] for kind in base["category"] if kind["name"] == "room"]
        if "squares" in base.get("board", {}):
            base["board"] = written(base["board"], [card["name"] for card in rooms[0]])
    return base


_DEEP = re.compile(r"""(?<![\w'"-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){30}""")
"""A key of so many parts that it takes `tomllib` long to read."""


def _toml(text: str) -> dict[str, Any]:
    if _DEEP.search(text):
        raise shape.Fault("", "not TOML that can be read: it is nested too deep")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise shape.Fault("", "not TOML that can be read: it is nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise shape.Fault("", f"not TOML: {printable(str(error), most=200)}") from None
    except ValueError:
        raise shape.Fault("", "not TOML that can be read: a number has too many digits") from None


@cache
def _shape(kind: type[Struct]) -> msgspec.inspect.Type:
    return msgspec.inspect.type_info(kind)


@cache
def _shipped(name: str) -> Edition:
    return parse_edition(_shipped_text(name), name=name)


@cache
def _translations() -> dict[str, dict[str, list[str]]]:
    """Return what cards are called in other languages: by language, then by card; printed first."""
    text = _package().joinpath("rules", "languages.toml").read_text("utf-8")
    return tomllib.loads(text)


def _translated(edition: Edition) -> Edition:
    """Return the edition with the known names of its cards in other languages below its own."""
    bearers = {
        _folded(word): card.name
        for card in edition.cards
        for word in (card.name, card.title, *card.aliases)
    }
    languages, aliases = dict(edition.languages), dict(edition.language_aliases)
    for language, known in _translations().items():
        printed = dict(languages.get(language, {}))
        others = dict(aliases.get(language, {}))
        for card in edition.names:
            words = [w for w in known.get(card, ()) if bearers.get(_folded(w), card) == card]
            if words:
                first = printed.setdefault(card, words[0])
                others.setdefault(card, tuple(word for word in words if word != first))
        if printed:
            languages[language] = {card: printed[card] for card in edition.names if card in printed}
            aliases[language] = {card: words for card, words in others.items() if words}
    return replace(edition, languages=languages, language_aliases=aliases)


def _shipped_text(name: str) -> str:
    return _package().joinpath("editions", f"{name}.toml").read_text("utf-8")


def _check(edition: Edition, places: shape.Places) -> None:
    """Refuse an edition that has the right shape and makes no sense."""
    for key, text in (("title", edition.title), ("note", edition.note)):
        if not text.isprintable() or (key == "title" and not text.strip()):
            raise shape.Fault(
                key, f"expected one line of text; found {shape.described_value(text)}"
            )
    for face, meaning in edition.dice.items():
        if not face.strip() or not f"{face}{meaning}".isprintable():
            raise shape.Fault(shape.joined("dice", face), "expected one line of text")
    low, high = edition.players
    if not SEATS[0] <= low <= high <= SEATS[1]:
        least, most = SEATS
        expected = f"two numbers from {least} to {most}, the smaller first"
        raise shape.Fault("players", f"expected {expected}; found {low} and {high}")
    if not 1 <= len(edition.category) <= MOST_CATEGORIES:
        count = len(edition.category)
        raise shape.Fault("category", f"expected 1 to {MOST_CATEGORIES} categories; found {count}")
    if not 0 <= edition.suggests <= len(edition.category):
        expected = f"0 to {len(edition.category)}, the number of categories"
        raise shape.Fault("suggests", f"expected {expected}; found {edition.suggests}")
    kinds: dict[str, str] = {}
    for i, kind in enumerate(edition.category):
        key = f"category[{i}]"
        _check_name(f"{key}.name", kind.name)
        if kind.name.casefold() in kinds:
            raise shape.Fault(
                f"{key}.name", f"{kind.name!r} is already at {kinds[kind.name.casefold()]}"
            )
        kinds[kind.name.casefold()] = f"{key}.name"
        if not kind.plural.isprintable():
            raise shape.Fault(f"{key}.plural", "expected one line of text")
        if not kind.cards:
            raise shape.Fault(f"{key}.cards", "expected at least one card; found none")
    if len(edition.names) > MOST_CARDS:
        raise shape.Fault(
            "category", f"expected at most {MOST_CARDS} cards; found {len(edition.names)}"
        )
    _check_words(edition, places)
    _check_turns(edition)
    if edition.board is not None:
        rooms = edition.rooms
        if not rooms:
            raise shape.Fault("board", "expected a category called 'room' as well; found none")
        check_board(edition.board, rooms, [name for name in edition.names if name not in rooms])


def _check_turns(edition: Edition) -> None:
    """Refuse rules of turns that name nobody, or dice that are none."""
    if edition.first and edition.first not in edition.suspects:
        raise shape.Fault("first", shape.unknown("suspect", edition.first, edition.suspects))
    for face in edition.bonus:
        if not any(face in (name, *name.split()) for name in edition.dice):
            raise shape.Fault(
                shape.joined("bonus", face), shape.unknown("face", face, edition.dice)
            )
    if not 0 <= edition.suspect_dice <= 5:
        raise shape.Fault("suspect_dice", f"expected 0 to 5 dice; found {edition.suspect_dice}")
    if 0 < edition.suspect_dice < edition.named or (edition.suspect_dice and not edition.features):
        least = f"at least {edition.named}, and suspects that cards share as their feature"
        raise shape.Fault("suspect_dice", f"expected {least}; found {edition.suspect_dice}")
    for seats, count in edition.face_down.items():
        key = shape.joined("face_down", seats)
        if not seats.isdecimal() or not SEATS[0] <= int(seats) <= SEATS[1]:
            expected = f"a number of players from {SEATS[0]} to {SEATS[1]}"
            raise shape.Fault(key, f"expected {expected}; found {shape.described_value(seats)}")
        most = len(edition.names) - len(edition.category)
        if not 1 <= count <= most:
            raise shape.Fault(key, f"expected 1 to {most} cards; found {count}")


def _check_words(edition: Edition, places: shape.Places) -> None:
    """Refuse a name, title or alias that means two things, or that no line could hold."""
    cards = {
        f"category[{i}].cards[{j}]": card
        for i, kind in enumerate(edition.category)
        for j, card in enumerate(kind.cards)
    }
    cards = dict(sorted(cards.items(), key=lambda pair: pair[0] in places))  # blame the new ones
    names: dict[str, str] = {}
    for key, card in cards.items():
        _check_name(f"{key}.name", card.name)
        if card.name.casefold() in names:
            first = names[card.name.casefold()]
            raise shape.Fault(f"{key}.name", f"{card.name!r} is already at {first}")
        names[card.name.casefold()] = f"{key}.name"
    marks: dict[str, str] = {}
    for key, card in cards.items():
        if card.feature is None:
            continue
        _check_name(f"{key}.feature", card.feature)
        folded = card.feature.casefold()
        if folded in names:
            raise shape.Fault(
                f"{key}.feature", f"{card.feature!r} is the card at {names[folded]} already"
            )
        if marks.setdefault(folded, card.feature) != card.feature:
            raise shape.Fault(
                f"{key}.feature", f"expected {marks[folded]!r}; found {card.feature!r}"
            )
    for feature in edition.aliases:
        if feature not in edition.features:
            raise shape.Fault(
                shape.joined("aliases", feature),
                shape.unknown("feature", feature, edition.features),
            )
    for language, translated in edition.languages.items():
        for name, word in translated.items():
            key = shape.joined(shape.joined("languages", language), name)
            if name not in edition.names:
                raise shape.Fault(key, shape.unknown("card", name, edition.names))
            _check_name(key, word)
    for language, others in edition.language_aliases.items():
        for name, words in others.items():
            key = shape.joined(shape.joined("language_aliases", language), name)
            if name not in edition.names:
                raise shape.Fault(key, shape.unknown("card", name, edition.names))
            for place, word in enumerate(words):
                _check_name(f"{key}[{place}]", word)
    bearers = {_folded(name): name for name in (*edition.features, *edition.names)}
    for bearer, key, word in _other_words(edition, cards):
        _check_name(key, word)
        if bearers.setdefault(_folded(word), bearer) != bearer:
            raise shape.Fault(key, f"{word!r} already means {bearers[_folded(word)]!r}")


def _other_words(edition: Edition, cards: dict[str, Card]) -> Iterator[tuple[str, str, str]]:
    """Yield whose they are, their key, and the titles and aliases themselves."""
    for key, card in cards.items():
        if card.title:
            yield card.name, f"{key}.title", card.title
        for place, alias in enumerate(card.aliases):
            yield card.name, f"{key}.aliases[{place}]", alias
    for feature, aliases in edition.aliases.items():
        for place, alias in enumerate(aliases):
            yield feature, f"{shape.joined('aliases', feature)}[{place}]", alias


def _folded(word: str) -> str:
    return "".join(mark for mark in word.casefold() if mark.isalnum())


def _check_name(key: str, word: str) -> None:
    """Refuse a name that a line of a record could not hold or give back as it was."""
    instead = f"found {shape.described_value(word)}"
    if not any(mark.isalnum() for mark in word):
        raise shape.Fault(key, f"expected a name with a letter or a digit in it; {instead}")
    if any(mark in word for mark in ",:#>") or not word.isprintable():
        raise shape.Fault(key, f"expected a name without , : # > and line breaks; {instead}")
    if word != " ".join(word.split()):
        raise shape.Fault(key, f"expected a name with single spaces; {instead}")
    if word.casefold() in RESERVED:
        raise shape.Fault(key, f"expected a name that is no word of the notation; {instead}")
