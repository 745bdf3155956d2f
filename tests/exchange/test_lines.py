"""
Notes of other people: each line and table is read as a player would say it, in `lines.txt`.

`>` is a line of notes; above them `@` what is said of them: `@ guess`, or `@ columns Tally=aside`,
with `; ` between several; below them, what comes of them: entries (`=`), what is left
out (`-`), questions with their guesses (`?`), or why they are refused (`!`). `ANEW=1` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clue_solver import ClueError
from clue_solver.exchange.imports import Unclear, import_notes
from clue_solver.notation.canonical import format_line
from tests.rows import blocks, held

LINES = Path(__file__).with_name("lines.txt")
SAID: dict[str, Any] = {
    "edition": "clue-classic",
    "players": ("Ann", "Ben", "Cat", "Dan"),
    "viewer": "Ann",
}


def told(name: str, text: str) -> object:
    """What an argument is given: a name, names in their order, or what stands for what."""
    parts = text.split("; ") if text else []
    if all("=" in part for part in parts) and name in ("columns", "marks", "called"):
        return dict(part.rsplit("=", 1) for part in parts)
    return (text or None) if name in ("viewer", "names") else tuple(parts)


def came(notes: list[str], said: dict[str, Any]) -> Iterator[str]:
    """Yield what comes of notes."""
    try:
        found = import_notes("".join(f"{line}\n" for line in notes), **{**SAID, **said})
    except Unclear as error:
        yield from (
            f"  ? {each.argument} {each.about}: {each.guess}".rstrip(": ")
            for each in error.questions
        )
    except ClueError as error:
        yield f"  ! {error}"
    else:
        record = found.record
        lines = [format_line(each, record.table) for each in record.observations]
        yield from (f"  = {line}" for line in lines)
        yield from (f"  - {left}" for left in found.aside)


def read(text: str) -> Iterator[str]:
    """Yield the lines of a block with what comes of them."""
    notes, said = list[str](), dict[str, Any]()
    for line in text.splitlines():
        if line[0] == " ":  # what comes of the notes above
            yield from came(notes, said) if notes else ()
            notes, said = [], {}
            continue
        yield line
        name, _, value = line[2:].partition(" ")
        if line[0] == ">":
            notes.append(line[2:])
        else:
            said[name] = name == "guess" or told(name, value)


@pytest.mark.parametrize("name", blocks(LINES))
def test_notes_are_read_as_a_player_would_say_them(name: str) -> None:
    held(LINES, name, read(blocks(LINES)[name]))
