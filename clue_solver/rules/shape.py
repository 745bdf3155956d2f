"""
What an edition file may say, in words that name the place, and how one file extends another.

The types are those of `msgspec.inspect`; the words are a player's: text, list, table. A file that
says only what differs is laid over a shipped edition, with cards replaced.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from msgspec import NODEFAULT, inspect

from clue_solver.errors import printable


class Fault(Exception):
    """
    A mistake in a file.

    Attributes:
        key: Where in the file; empty for the whole of it.
        message: What was expected and what was found.
    """

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        self.message = message
        super().__init__(message)


def faults(value: Any, shape: inspect.Type, *, key: str = "") -> Iterator[tuple[str, str]]:
    """
    Yield where the value departs from the shape and what was expected and found there.

    Args:
        value: What `tomllib` made of a file or of a part of it.
        shape: The type it should have.
        key: The place of the value in the file.
    """
    match shape:
        case inspect.StructType(fields=fields):
            if not isinstance(value, dict):
                yield key, f"expected {described(shape)}; found {described_value(value)}"
                return
            yield from strangers(value, (field.encode_name for field in fields), key=key)
            for field in fields:
                place = joined(key, field.encode_name)
                if field.encode_name in value:
                    yield from faults(value[field.encode_name], field.type, key=place)
                elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
                    yield place, f"expected {described(field.type)}; found nothing"
        case inspect.VarTupleType(item_type=item) if isinstance(value, list):
            for i, part in enumerate(value):
                yield from faults(part, item, key=f"{key}[{i}]")
        case inspect.TupleType(item_types=items) if isinstance(value, list):
            if len(value) != len(items):
                yield key, f"expected {described(shape)}; found {described_value(value)}"
                return
            for i, part in enumerate(value):
                yield from faults(part, items[i], key=f"{key}[{i}]")
        case inspect.DictType(value_type=item) if isinstance(value, dict):
            for name, part in value.items():
                yield from faults(part, item, key=joined(key, name))
        case inspect.UnionType(types=types):
            yield from faults(value, types[0], key=key)  # the other one is None, unknown to TOML
        case inspect.LiteralType(values=words) if isinstance(value, str):
            if value not in words:
                known = [str(word) for word in words]
                expected = f"expected one of {', '.join(known)}"
                yield key, f"{expected}; found {described_value(value)}{_near(value, known)}"
        case inspect.StrType() if isinstance(value, str):
            pass
        case inspect.BoolType() if isinstance(value, bool):
            pass
        case inspect.IntType() if isinstance(value, int) and not isinstance(value, bool):
            if abs(value) > 10**6:
                yield key, f"expected a smaller number; found {described_value(value)}"
        case _:
            yield key, f"expected {described(shape)}; found {described_value(value)}"


def strangers(
    table: Iterable[str], known: Iterable[str], *, key: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the place of each unknown key of a table, and a message."""
    names = list(known)
    for name in table:
        if name not in names:
            yield joined(key, name), unknown("key", name, names)


def joined(key: str, name: str) -> str:
    """
    Return the place of `name` inside the table at `key`, as TOML writes it.

    >>> joined("board.steps", "Billiard Room")
    'board.steps."Billiard Room"'
    """
    plain = re.fullmatch(r"[A-Za-z0-9_-]+", name)
    part = name if plain else f'"{printable(name)}"'
    return f"{key}.{part}" if key else part


def described(shape: inspect.Type) -> str:
    """Return what a value of the shape is called."""
    match shape:
        case inspect.StrType() | inspect.LiteralType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number"
        case inspect.VarTupleType():
            return "a list"
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}"
        case inspect.UnionType(types=types):
            return described(types[0])
        case _:
            return "a table"


def described_value(value: Any) -> str:
    """Return the value as a message shows it: small ones as they are, large ones by their kind."""
    match value:
        case bool():
            return str(value).lower()
        case int() if value.bit_length() > 64:
            return "a number with very many digits"
        case str():
            return repr(printable(value)) if value.isprintable() else f"'{printable(value)}'"
        case int() | float():
            return str(value)
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            return "a table"
        case _:
            return "a date or a time"


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """
    Return the message for an unknown name: the nearest known one, or all of them.

    >>> print(unknown("key", "titel", ["title", "note"]))
    unknown key 'titel'; did you mean 'title'?
    """
    return f"unknown {kind} {described_value(name)}{nearest(name, known)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message: which of the known names was meant, or else all of them."""
    names = list(known)
    others = f"; expected one of {', '.join(map(printable, names))}" if names else "; there is none"
    return _near(name, names) or others


def _near(name: str, known: list[str]) -> str:
    folded = {key.casefold(): key for key in reversed(known)}
    near = get_close_matches(name[:100].casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean '{printable(folded[near[0]])}'?" if near else ""


Places = dict[str, str]
"""Where the file at hand has what stands at a place of the table that results."""


def extended(table: dict[str, Any], base: dict[str, Any]) -> tuple[dict[str, Any], Places]:
    """
    Return a file's table laid over that of the edition it extends, and where the changed cards are.

    A key that is given replaces the one of the base, in `board` too. Cards under `replace` take the
    places of cards of the base, on its board as well. Where the file lists its own categories,
    neither the board nor what else names cards or counts them is taken over.

    Args:
        table: The file's table, without `extends`.
        base: The table of the edition that it extends; is changed.

    Raises:
        Fault: If a replaced card is none of the base's, or `replace` is no table.
    """
    own = {key: value for key, value in table.items() if key != "replace"}
    swaps = table.get("replace", {})
    if not isinstance(swaps, dict):
        raise Fault("replace", f"expected a table of cards; found {described_value(swaps)}")
    if "category" in own:
        if swaps:
            raise Fault("replace", "expected no card replaced where the file lists its categories")
        for key in ("board", "aliases", "first", "suspect_dice", "face_down"):
            base.pop(key, None)
    if "dice" in own:
        base.pop("bonus", None)
    places = _replaced(base, swaps)
    if isinstance(board := own.get("board"), dict):
        own["board"] = base.get("board", {}) | board
    return base | own, places


def on_board(table: dict[str, Any], template: dict[str, Any]) -> dict[str, Any]:
    """
    Return a file's table with the names of its own cards on a board that bears the template's.

    Somebody who copies the template and puts other cards in the place of its cards has done enough.
    """
    (own, kept), (named, _) = _cards(table), _cards(template)
    board = table.get("board")
    drawn = template["board"]["letters"]
    if not isinstance(board, dict):
        return table
    match board:
        case {"steps": dict(steps)}:
            same = set(steps) == set(drawn.values()) & {
                card["name"]
                for kind in template["category"]
                for card in kind["cards"]
                if kind["name"] == "room"
            }
        case {"letters": dict(letters)}:
            same = [*letters.values()] == [*drawn.values()]
        case _:
            same = False
    if not same:
        return table
    names = {
        named[place]: own[place] for place in named if place in own and named[place] not in kept
    }
    return table | {"board": _renamed(board, names)}


def _cards(table: dict[str, Any]) -> tuple[dict[tuple[int, int], str], set[str]]:
    """Return the names of the cards by their places, as far as they have any; and all of them."""
    kinds = table.get("category")
    names = {
        (i, j): str(card["name"])
        for i, kind in enumerate(kinds if isinstance(kinds, list) else ())
        if isinstance(kind, dict) and isinstance(kind.get("cards"), list)
        for j, card in enumerate(kind["cards"])
        if isinstance(card, dict) and "name" in card
    }
    return names, set(names.values())


def place_of(key: str, places: Places) -> str:
    """Return where the file at hand has what stands at `key` of the table that results."""
    for place, written in places.items():
        if key == place or key.startswith(f"{place}."):
            return written + key[len(place) :]
    return key


def _replaced(table: dict[str, Any], swaps: dict[str, Any]) -> Places:
    """Exchange cards in place, also on the board."""
    cards = {
        card["name"]: (i, j)
        for i, kind in enumerate(table["category"])
        for j, card in enumerate(kind["cards"])
    }
    names: dict[str, str] = {}
    places: Places = {}
    for old, new in swaps.items():
        key = joined("replace", old)
        if old not in cards:
            raise Fault(key, unknown("card", old, cards))
        i, j = cards[old]
        table["category"][i]["cards"][j] = new
        places[f"category[{i}].cards[{j}]"] = key
        if isinstance(new, dict) and isinstance(name := new.get("name"), str):
            names[old] = name
    for key in ("board", "first"):
        if key in table:
            table[key] = _renamed(table[key], names)
    return places


def _renamed(part: Any, names: dict[str, str]) -> Any:
    match part:
        case dict():
            return {names.get(key, key): _renamed(value, names) for key, value in part.items()}
        case list():
            return [_renamed(value, names) for value in part]
        case str():
            return names.get(part, part)
        case _:
            return part
