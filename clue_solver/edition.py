"""
Editions of the game: cards, rules and board, each edition one TOML file.

`load_edition` takes the name of a shipped edition or the path of a file. A file may extend a
shipped edition and say only what differs. `editions/clue-custom.toml` is the commented template.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from clue_solver.errors import EditionError

MOST_CARDS, MOST_CATEGORIES, SEATS = 40, 6, (2, 10)
"""Bounds of what an edition may be: cards in all, categories, fewest and most seats."""

RESERVED = ("envelope", "table", "spectator", "nobody")
"""Words with a meaning of their own in a record: no card, slot or seat may bear them."""

Side = Literal["left", "right"]
Answering = Literal["first", "all"]
Observable = Literal[
    "suggests", "asks", "looks", "peeks", "reveals", "nobody", "accuses", "holds", "knows"
]


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One card: its short name, its full title, other names for it, and the feature it shares."""

    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    feature: str | None = None


class Category(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One category of cards; the envelope holds one card of each."""

    name: str
    plural: str = ""
    cards: tuple[Card, ...]


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What the board allows, for reachability.

    Attributes:
        dice: Number of six-sided dice rolled to move.
        stay: Whether a player may stay in a room and suggest there again.
        passages: Pairs of rooms joined by a secret passage, which costs the roll.
        steps: Steps from a room (key) to each room, in the order of the rooms' category.
        start: Steps from a suspect's start square to the rooms near it.
    """

    dice: int = 2
    stay: bool = False
    passages: tuple[tuple[str, str], ...] = ()
    steps: dict[str, tuple[int, ...]] = {}
    start: dict[str, dict[str, int]] = {}


class Edition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    The rules of one edition, as its file gives them.

    Attributes:
        name: The name in a record's header; for a user's own file its path.
        title: The name on the box, with the year where it tells editions apart.
        note: What sets the edition apart, in a sentence.
        players: Fewest and most seats.
        order: Which neighbour of the asker answers first.
        turns: To which neighbour the turn passes.
        answers: Whether only the first who can shows a card, or everyone who can.
        suggests: How many categories a suggestion names, one card of each; 0 for all of them.
        bluff: Whether a suggestion may name the asker's own cards.
        accuses: Whether an accusation may follow a suggestion in the same turn.
        looker_tells: Whether the holder learns which card a looker saw.
        observes: The kinds of observation that the edition's rules bring about.
        dice: Special dice, in words: the name of a face and what it does.
        aliases: Other names of features, by feature.
        category: The categories in order.
        board: The board, where the edition has one.
    """

    name: str
    title: str
    note: str = ""
    players: tuple[int, int] = (2, 6)
    order: Side = "left"
    turns: Side = "left"
    answers: Answering = "first"
    suggests: int = 0
    bluff: bool = True
    accuses: bool = True
    looker_tells: bool = False
    observes: tuple[Observable, ...] = ("suggests", "accuses", "holds", "knows")
    dice: dict[str, str] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    category: tuple[Category, ...]
    board: Board | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card, in edition order: categories in order, cards as their category lists them."""
        return tuple(card for category in self.category for card in category.cards)

    @property
    def names(self) -> tuple[str, ...]:
        """The cards' names in edition order."""
        return tuple(card.name for card in self.cards)

    @property
    def category_of(self) -> dict[str, str]:
        """The name of each card's category, by the card's name."""
        return {card.name: kind.name for kind in self.category for card in kind.cards}

    @property
    def features(self) -> dict[str, tuple[str, ...]]:
        """The features in order of first appearance, each with the names of the cards it marks."""
        found: dict[str, list[str]] = {}
        for card in self.cards:
            if card.feature is not None:
                found.setdefault(card.feature, []).append(card.name)
        return {feature: tuple(names) for feature, names in found.items()}

    @property
    def named(self) -> int:
        """How many categories a suggestion names."""
        return self.suggests or len(self.category)


def shipped_editions() -> tuple[str, ...]:
    """Return the names of the editions that come with the program, in alphabetical order."""
    folder = files("clue_solver") / "editions"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def template() -> str:
    """Return the commented template of an edition file: the text of `clue-custom`."""
    return _shipped_text("clue-custom")


def load_edition(name: str, *, beside: Path | None = None) -> Edition:
    """
    Return a shipped edition by name, or the edition in a file.

    Args:
        name: A shipped edition's name, or the path of a TOML file.
        beside: The folder that a relative path starts from; the working folder if left out.

    Raises:
        EditionError: If there is no such edition or file, or the file has a mistake; the message
            names the key, what was expected there and what was found.
    """
    if name in shipped_editions():
        return _shipped(name)
    path = (beside or Path()) / name
    if not path.suffix and not path.exists():
        raise EditionError(_no_such_edition(name))
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise EditionError(_no_such_edition(name)) from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else _os_reason(error)
        raise EditionError(f"cannot read the edition file: {reason}", path=name) from None
    return parse_edition(text, name=name)


def parse_edition(text: str, *, name: str) -> Edition:
    """
    Return the edition that the TOML text describes; `name` is used in errors and as its name.

    Raises:
        EditionError: As `load_edition`.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EditionError(f"not TOML: {error}", path=name) from None
    table = _extended(table, path=name)
    table["name"] = name
    try:
        edition = msgspec.convert(table, Edition)
    except msgspec.ValidationError as error:
        raise _conversion_error(str(error), table, path=name) from None
    _check(edition, path=name)
    return edition


@cache
def _shipped(name: str) -> Edition:
    return parse_edition(_shipped_text(name), name=name)


def _shipped_text(name: str) -> str:
    return (files("clue_solver") / "editions" / f"{name}.toml").read_text("utf-8")


def _os_reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _no_such_edition(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, shipped_editions(), n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return (
        f"no edition {name!r}: expected the path of an edition file or one of "
        f"{', '.join(shipped_editions())}{hint}"
    )


def _extended(table: dict[str, Any], *, path: str) -> dict[str, Any]:
    """
    Lay the table over the shipped edition that it extends, if any, and replace single cards.

    A category takes the place of the parent's category of that name, a key of the board that of the
    parent's board; every other key counts as a whole.
    """
    base = table.pop("extends", None)
    swaps = table.pop("replace", {})
    if base is not None:
        if base not in shipped_editions():
            expected = ", ".join(shipped_editions())
            raise EditionError(
                f"expected one of {expected}; found {base!r}", path=path, key="extends"
            )
        parent = tomllib.loads(_shipped_text(base))
        table = _laid_over(_extended(parent, path=base), table)
    if not isinstance(swaps, Mapping):
        raise EditionError("expected a table of cards to replace", path=path, key="replace")
    for old, new in swaps.items():
        _replace(table, old, new, path=path)
    return table


def _laid_over(parent: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    laid = parent | table
    if isinstance(table.get("board"), dict) and "board" in parent:
        laid["board"] = parent["board"] | table["board"]
    own = table.get("category")
    if isinstance(own, list) and all(isinstance(kind, dict) and "name" in kind for kind in own):
        mine = {kind["name"]: kind for kind in own}
        laid["category"] = [mine.pop(kind["name"], kind) for kind in parent["category"]]
        laid["category"] += mine.values()
    return laid


def _replace(table: dict[str, Any], old: str, new: Any, *, path: str) -> None:
    for category in table.get("category", ()):
        for index, card in enumerate(category["cards"]):
            if card["name"] == old:
                category["cards"][index] = new
                return
    raise EditionError("no such card to replace", path=path, key=f"replace.{old}")


_TYPES = {
    "str": "text", "int": "a whole number", "float": "a number", "bool": "true or false",
    "array": "a list", "object": "a table", "null": "nothing",
}  # fmt: skip


def _conversion_error(message: str, table: Any, *, path: str) -> EditionError:
    """Say in TOML's words where and why msgspec refused the table."""
    reason, _, where = message.partition(" - at `$")
    key = where.rstrip("`").lstrip(".")
    if "`" in reason:
        reason = re.sub(
            r"`(\w+)( \| null)?`", lambda m: _TYPES.get(m[1], f"`{m[1]}`"), reason
        ).replace(", got", "; found")
    reason = reason[:1].lower() + reason[1:]
    found: Any = table
    for name, index in re.findall(r"(\w+)|\[(\d+)\]", key):
        try:
            found = found[int(index)] if index else found[name]
        except (KeyError, IndexError, TypeError):
            return EditionError(reason, path=path, key=key)
    if not isinstance(found, dict | list) and repr(found) not in reason:
        reason += f" {found!r}"
    return EditionError(reason, path=path, key=key)


def _check(edition: Edition, *, path: str) -> None:
    """Refuse what has the right types and still is no edition."""

    def refuse(key: str, message: str) -> None:
        raise EditionError(message, path=path, key=key)

    if not 1 <= len(edition.category) <= MOST_CATEGORIES:
        refuse("category", f"expected 1 to {MOST_CATEGORIES}; found {len(edition.category)}")
    if len(edition.names) > MOST_CARDS:
        refuse("category", f"expected at most {MOST_CARDS} cards; found {len(edition.names)}")
    low, high = edition.players
    if not SEATS[0] <= low <= high <= SEATS[1]:
        refuse(
            "players", f"expected two numbers from 2 to 10, the smaller first; found {low}, {high}"
        )
    if not 0 <= edition.suggests <= len(edition.category):
        refuse("suggests", f"expected 0 to {len(edition.category)}; found {edition.suggests}")
    seen: dict[str, str] = {}
    kinds: set[str] = set()
    for i, kind in enumerate(edition.category):
        if not kind.name.strip() or kind.name in kinds:
            refuse(f"category[{i}].name", f"expected a name of its own; found {kind.name!r}")
        kinds.add(kind.name)
        if not kind.cards:
            refuse(f"category[{i}].cards", "expected at least one card; found none")
        for j, card in enumerate(kind.cards):
            key = f"category[{i}].cards[{j}]"
            for word in (card.name, card.title, *card.aliases, card.feature or ""):
                if re.search(r"[,:#>\n]|^\s|\s$", word) or not word.isprintable():
                    refuse(key, f"a name may not hold , : # > or line breaks; found {word!r}")
            if not card.name or card.name.casefold() in RESERVED:
                refuse(f"{key}.name", f"expected a card's name; found {card.name!r}")
            if card.name.casefold() in seen:
                refuse(
                    f"{key}.name", f"{card.name!r} stands already at {seen[card.name.casefold()]}"
                )
            seen[card.name.casefold()] = key
    for feature in edition.features:
        if feature.casefold() in seen:
            refuse(seen[feature.casefold()], f"{feature!r} is both a card and a feature")
    for feature in edition.aliases:
        if feature not in edition.features:
            refuse(f"aliases.{feature}", f"expected one of {', '.join(edition.features)}")
    if edition.board is not None:
        _check_board(edition, edition.board, path=path)


def _check_board(edition: Edition, board: Board, *, path: str) -> None:
    def refuse(key: str, message: str) -> None:
        raise EditionError(message, path=path, key=key)

    rooms = next(
        (
            tuple(card.name for card in kind.cards)
            for kind in edition.category
            if kind.name == "room"
        ),
        (),
    )
    if not 1 <= board.dice <= 4:
        refuse("board.dice", f"expected 1 to 4; found {board.dice}")
    for i, pair in enumerate(board.passages):
        for room in pair:
            if room not in rooms:
                refuse(f"board.passages[{i}]", f"expected a room; found {room!r}")
    for room, steps in board.steps.items():
        if room not in rooms:
            refuse(f"board.steps.{room}", f"expected a room; found {room!r}")
        if len(steps) != len(rooms):
            refuse(f"board.steps.{room}", f"expected {len(rooms)} numbers; found {len(steps)}")
    for suspect, near in board.start.items():
        if suspect not in edition.names:
            refuse(f"board.start.{suspect}", f"expected a suspect; found {suspect!r}")
        for room in near:
            if room not in rooms:
                refuse(f"board.start.{suspect}.{room}", f"expected a room; found {room!r}")
