"""A deck that no memory holds is refused before it is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import load
from clue_solver.errors import TooLarge


def test_a_deck_beyond_memory_is_refused_clearly(tmp_path: Path) -> None:
    sizes, seats = (6, 7, 7, 7, 7, 6), [f"P{number}" for number in range(10)]
    kinds = [[f"c{kind} {number}" for number in range(size)] for kind, size in enumerate(sizes)]
    deck = ['title = "x"', "players = [2, 10]"]
    for kind, cards in enumerate(kinds):
        named = ", ".join(f'{{ name = "{card}" }}' for card in cards)
        deck += ["[[category]]", f'name = "k{kind}"', f"cards = [{named}]"]
    (tmp_path / "huge.toml").write_text("\n".join(deck), "utf-8")
    lines = ["edition: huge.toml", f"players: {', '.join(seats)}", ""]
    for number, seat in enumerate(seats):
        asked = ", ".join(cards[(number * (kind + 1)) % 6] for kind, cards in enumerate(kinds))
        lines.append(f"{seat} suggests {asked}: {seats[(number + 1) % 10]} shows")
    (tmp_path / "game.clue").write_text("\n".join([*lines, ""]), "utf-8")
    with pytest.raises(TooLarge, match="more than 400 MB of memory"):
        load(tmp_path / "game.clue").report()
