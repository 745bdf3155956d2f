"""
Reads editions from TOML files. An error names the key in the file where the mistake is.

`load_edition` takes the name of a shipped edition or the path of a file. A file may extend a
shipped edition and say only what differs. `editions/clue-custom.toml` is the commented template.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from clue_solver.errors import EditionError, name_hint, printable, system_reason, unknown
from clue_solver.rules.board import Board, Fault, board_faults
from clue_solver.rules.edition import MOST_CARDS, OBSERVABLE, RESERVED, Card, Category, Edition

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MOST_BYTES = 200_000
"""The most bytes that an edition's file may have; the shipped files have less than 10,000."""


def _package() -> Traversable:
    """Return the folder of the package `clue_solver`, which may be inside a zip file."""
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
"""The shipped edition that users copy and change."""


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
        text = content.decode("utf-8-sig")
    except (FileNotFoundError, IsADirectoryError):
        called = f"there is no edition and no file called '{printable(name)}'"
        hint = name_hint(name, (*shipped_editions(), "the path of a file"))
        if name.endswith(".toml"):
            hint = "; a game with its own deck needs the file of the deck, too"
        error = EditionError(called + hint)
        error.path = name
        raise error from None
    except UnicodeDecodeError:
        message = "expected an edition file in UTF-8 text; found something else"
        raise EditionError(message, path=name) from None
    except (OSError, ValueError) as cause:
        reason = system_reason(cause) if isinstance(cause, OSError) else "there is no such path"
        raise EditionError(f"cannot read the edition file: {reason}", path=name) from None
    if len(content) > MOST_BYTES:
        message = f"expected an edition file of at most {MOST_BYTES:,} bytes; found more"
        raise EditionError(message, path=name)
    return parse_edition(text, name=name)


def parse_edition(text: str, *, name: str) -> Edition:
    """
    Return the edition that a TOML text describes.

    `name` becomes the edition's name, and errors show it as the path of the file.

    Raises:
        EditionError: If the text has a mistake, as in `load_edition`.
    """
    places: dict[str, str] = {}
    try:
        table = _toml(text)
        base = table.pop("extends", None)
        if base is not None:
            table, places = _merge(base, table)
        elif "replace" in table:
            reason = "expected 'extends' as well: the edition that these cards come from"
            raise EditionError(reason, key="replace")
        if "name" in table:
            raise EditionError(unknown("key", "name", _KEYS), key="name")
        edition = _convert({**table, "name": name})
        shipped = name in shipped_editions()
        if base or not shipped:
            edition = _with_own_cards(_shipped(base or TEMPLATE), edition)
        for key, reason in _faults(edition, places):
            raise EditionError(reason, key=key)
        return _translate(edition) if base or shipped else edition
    except EditionError as error:
        key, reason = error.key, error.reason
    for merged, own in places.items():
        key, reason = key.replace(merged, own), reason.replace(merged, own)
    raise EditionError(reason, path=name, key=key)


# From text to a value.

_MOST_DOTS = 100
"""The most dots in a line, because `tomllib` is slow with keys of very many parts."""


def _toml(text: str) -> dict[str, Any]:
    """Return the table in a TOML text; raise an `EditionError` if it cannot be read."""
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise EditionError("this TOML cannot be read: it is nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise EditionError("this TOML cannot be read: it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"not TOML: {printable(str(error), most=200)}") from None
    except ValueError:
        raise EditionError("this TOML cannot be read: a number has too many digits") from None


_PARTS: dict[str, type[Struct]] = {"category": Category, "cards": Card, "board": Board}
"""The class of each kind of table inside an edition's file, by the table's key."""

_KEYS = (*(each.name for each in fields(Edition) if each.name != "name"), "extends", "replace")


def _convert(table: dict[str, Any]) -> Edition:
    """
    Return the edition in the table of a TOML file.

    Raises:
        EditionError: With the key of the value that is wrong.
    """
    try:
        return msgspec.convert(table, Edition, str_keys=True)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
    where = path.removeprefix("key` in `").rstrip("`").strip("$.")
    if "unknown field" in reason:
        *_, last = ["", *re.findall("[a-z_]+", where)]
        known = [each.name for each in fields(_PARTS[last])] if where else _KEYS
        word = reason.partition("`")[2].rstrip("`")
        raise EditionError(unknown("key", word, known), key=f"{where}.{word}".strip("."))
    raise EditionError(printable(reason, most=200), key=where)


def _text_of(value: Any) -> str:
    """Return a value from an edition's file as messages show it."""
    try:
        return printable(repr(value))
    except ValueError:
        return "a number with very many digits"


# What a file inherits from a shipped edition.


def _merge(name: Any, own: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """
    Return a file's table merged into that of the edition that it extends.

    A key in the file replaces the same key of the edition, in `board` too. Cards under `replace`
    take the places of others, on the board as well. If the file lists its own categories, the board
    is not inherited, nor are other keys that name or count cards.

    Args:
        name: The name of the edition that the file extends.
        own: The table of the file.

    Returns:
        The merged table, and where the cards are that replace others: a mapping from the key of
        such a card in the merged table (`category[0].cards[2]`) to its key in the file
        (`replace.Plum`).

    Raises:
        EditionError: If there is no such edition, or a replaced card is not one of its cards.
    """
    if name not in shipped_editions():
        raise EditionError(unknown("edition", str(name), shipped_editions()), key="extends")
    swaps = own.pop("replace", {})
    if not isinstance(swaps, dict):
        raise EditionError(f"expected a table of cards; found {_text_of(swaps)}", key="replace")
    if swaps and "category" in own:
        expected = "expected no replaced cards in a file that lists its own categories"
        raise EditionError(expected, key="replace")
    base = _shipped(name)
    for old in swaps:
        if old not in base.names:
            raise EditionError(unknown("card", old, base.names), key=f"replace.{old}")
    below = msgspec.to_builtins(replace(base, languages={}))
    del below["name"]
    # Cards in the places of others.
    places = {
        f"category[{i}].cards[{j}]": f"replace.{card.name}"
        for i, kind in enumerate(base.category)
        for j, card in enumerate(kind.cards)
        if card.name in swaps
    }
    for kind in below["category"]:
        kind["cards"] = [swaps.get(card["name"], card) for card in kind["cards"]]
    # What goes with cards, dice or squares that the file has itself.
    if "category" in own:
        for key in ("board", "aliases", "first", "suspect_dice", "face_down"):
            del below[key]
    if "dice" in own:
        del below["bonus"]
    board, changed = below.get("board"), own.get("board")
    if board and isinstance(changed, dict):
        if "squares" in changed:
            del board["rooms"]
        own["board"] = board | changed
    return below | own, places


def _with_own_cards(base: Edition, edition: Edition) -> Edition:
    """
    Return `edition` with its own cards in its board and in `first`, the suspect who begins.

    These come from `base`, the edition that it extends. Where they name a card that `edition` does
    not have, the name is replaced by the card at the same position in the same category. So users
    can copy the template and just write other names over its cards. If the letters of the two
    boards differ, nothing changes.
    """
    board = edition.board
    if not board or not base.board or board.letters != base.board.letters:
        return edition
    names: dict[str, str] = {}
    for ours, theirs in zip(edition.category, base.category, strict=False):
        for card, other in zip(ours.cards, theirs.cards, strict=False):
            if other.name not in edition.names:
                names[other.name] = card.name
    letters = {letter: names.get(text, text) for letter, text in board.letters.items()}
    pairs = tuple((names.get(a, a), names.get(b, b)) for a, b in board.passages)
    board = replace(board, letters=letters, passages=pairs)
    return replace(edition, board=board, first=names.get(edition.first, edition.first))


@cache
def _shipped(name: str) -> Edition:
    """Return the shipped edition of this name; its file is read only once."""
    return parse_edition(shipped_text(name), name=name)


def shipped_text(name: str) -> str:
    """Return the text of a shipped edition's file."""
    return _package().joinpath("editions", f"{name}.toml").read_text("utf-8")


@cache
def _translations() -> dict[str, dict[str, list[str]]]:
    """Return other names of cards, as `languages.toml` lists them: by language, then by card."""
    return tomllib.loads(_package().joinpath("rules", "languages.toml").read_text("utf-8"))


def _translate(edition: Edition) -> Edition:
    """
    Return the edition with the other names that `languages.toml` has for its cards.

    In each language they come after the names in the edition's own file. A name that already
    belongs to another of its cards is left out.
    """
    bearers = {
        _fold(word): card.name
        for card in edition.cards
        for word in (card.name, card.title, *card.aliases)
    }
    languages = dict(edition.languages)
    for language, known in _translations().items():
        called = dict(languages.get(language, {}))
        for card, words in known.items():
            if card in edition.names:
                free = [word for word in words if bearers.get(_fold(word), card) == card]
                called[card] = tuple(dict.fromkeys((*called.get(card, ()), *free)))
        languages[language] = {card: called[card] for card in edition.names if called.get(card)}
    return replace(edition, languages={name: cards for name, cards in languages.items() if cards})


# What makes sense.


def _faults(edition: Edition, places: Mapping[str, str]) -> Iterator[Fault]:
    """
    Yield the mistakes in an edition that can be told only from the whole edition.

    Args:
        edition: The edition, merged with the one that its file extends.
        places: The keys of cards that replace others, as `_merge` returns them: from the key in the
            merged edition to the key in the file.
    """
    texts = {"title": edition.title, "note": edition.note}
    texts |= {f"dice.{face}": face + use for face, use in edition.dice.items()}
    texts |= {f"category[{i}].plural": kind.plural for i, kind in enumerate(edition.category)}
    for key, text in texts.items():
        if not text.isprintable() or (key == "title" and not text.strip()):
            yield key, f"expected one line of text; found {_text_of(text)}"
    low, high = edition.players
    if low > high:
        yield "players", f"expected the smaller number first; found {low} and {high}"
    kinds, cards = len(edition.category), len(edition.names)
    if edition.suggests > kinds:
        expected = f"0 to {kinds}, the number of categories"
        yield "suggests", f"expected {expected}; found {edition.suggests}"
    if cards > MOST_CARDS:
        yield "category", f"expected at most {MOST_CARDS} cards; found {cards}"
    yield from _faults_of_names(edition, places)
    # What may happen.
    for i, verb in enumerate(edition.observes):
        if verb not in OBSERVABLE:
            yield f"observes[{i}]", unknown("word", verb, OBSERVABLE)
    if edition.first and edition.first not in edition.suspects:
        yield "first", unknown("suspect", edition.first, edition.suspects)
    for face in edition.bonus:
        if not any(face in (name, *name.split()) for name in edition.dice):
            yield f"bonus.{face}", unknown("face", face, edition.dice)
    dice = edition.suspect_dice
    if dice and (dice < edition.named or not edition.features):
        expected = f"at least {edition.named}, and cards whose feature is a suspect"
        yield "suspect_dice", f"expected {expected}; found {dice}"
    for seats, left in edition.face_down.items():
        if left > cards - kinds:
            yield f"face_down.{seats}", f"expected 1 to {cards - kinds} cards; found {left}"
    rooms = edition.rooms
    if edition.board is not None and not rooms:
        yield "board", "expected a category called 'room' as well; found none"
    if edition.board is not None:
        others = [name for name in edition.names if name not in rooms]
        yield from board_faults(edition.board, rooms, others)


def _faults_of_names(edition: Edition, places: Mapping[str, str]) -> Iterator[Fault]:
    """
    Yield the faults of names, titles and aliases: two alike, or one that no line could hold.

    `places` leads from the keys of replaced cards in the merged edition to those in the file.
    """
    kinds: dict[str, str] = {}
    for i, kind in enumerate(edition.category):
        key = f"category[{i}].name"
        yield from _faults_of_name(key, kind.name)
        if (first := kinds.setdefault(kind.name.casefold(), key)) != key:
            yield key, f"{kind.name!r} is already at {first}"
    for feature in edition.aliases:
        if feature not in edition.features:
            yield f"aliases.{feature}", unknown("feature", feature, edition.features)
    bearers: dict[str, tuple[str, str]] = {}
    for bearer, key, word in _names_in(edition, places):
        yield from _faults_of_name(key, word)
        whose, first = bearers.setdefault(_fold(word), (bearer, key))
        if whose != bearer:
            yield key, f"{word!r} is already at {first}"
    for language, called in edition.languages.items():
        for card, words in called.items():
            key = f"languages.{language}.{card}"
            if card not in edition.names:
                yield key, unknown("card", card, edition.names)
            for word in words:
                yield from _faults_of_name(key, word)


def _names_in(edition: Edition, places: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """
    Yield each name in an edition as (owner, key, name), where the key is that in the file.

    The owner is a feature, or the key of a card. The cards' `name`s come before all other names.
    `places` leads from the keys of replaced cards in the merged edition to those in the file.
    """
    cards = {
        f"category[{i}].cards[{j}]": card
        for i, kind in enumerate(edition.category)
        for j, card in enumerate(kind.cards)
    }
    own_last = sorted(cards, key=lambda key: key in places)
    by_key = [(places.get(key, key), cards[key]) for key in own_last]
    for key, card in by_key:
        yield key, f"{key}.name", card.name
    for key, card in by_key:
        if card.feature is not None:
            yield card.feature, f"{key}.feature", card.feature
        if card.title:
            yield key, f"{key}.title", card.title
        for index, alias in enumerate(card.aliases):
            yield key, f"{key}.aliases[{index}]", alias
    for feature, aliases in edition.aliases.items():
        for alias in aliases:
            yield feature, f"aliases.{feature}", alias


def _fold(word: str) -> str:
    """Return the letters and digits of a name, in lower case; names are compared in this form."""
    return "".join(mark for mark in word.casefold() if mark.isalnum())


def _faults_of_name(key: str, word: str) -> Iterator[Fault]:
    """Yield the fault of the name `word`, at `key`, if a record could not store it unchanged."""
    if not any(mark.isalnum() for mark in word):
        wanted = "with a letter or a digit in it"
    elif any(mark in word for mark in ",:#>") or not word.isprintable():
        wanted = "without , : # > and line breaks"
    elif word != " ".join(word.split()):
        wanted = "with single spaces"
    elif word.casefold() in RESERVED:
        wanted = "that is not a word of the notation"
    else:
        return
    yield key, f"expected a name {wanted}; found {_text_of(word)}"
