"""
An edition file that says only what differs: laid over a shipped edition, with cards replaced.
"""

from __future__ import annotations

from typing import Any

from clue_solver.shape import Fault, described_value, joined, unknown

Places = dict[str, str]
"""Where the file at hand has what stands at a place of the table that results."""


def extended(table: dict[str, Any], base: dict[str, Any]) -> tuple[dict[str, Any], Places]:
    """
    Return a file's table laid over that of the edition it extends, and where the changed cards are.

    A key that is given replaces the one of the base, in `board` too. Cards under `replace` take the
    places of cards of the base, on its board as well. Where the file lists its own categories,
    neither board nor feature aliases are taken over.

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
        for key in ("board", "aliases"):
            base.pop(key, None)
    places = _replaced(base, swaps)
    if isinstance(board := own.get("board"), dict):
        own["board"] = base.get("board", {}) | board
    return base | own, places


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
    if board := table.get("board"):
        table["board"] = _renamed(board, names)
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
