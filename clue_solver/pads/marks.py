"""
Marks on a pad: what each means, by one table that anybody can add to.

A mark that note-takers use in two ways (a cross is "has it" to some and "has it not" to others) is
not in the table: what it means is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, cast, get_args

from clue_solver.errors import ArgumentError, NotationError, escape
from clue_solver.notation.names import Names

Meaning = Literal["has", "lacks", "maybe"]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)

MARKS: dict[str, Meaning] = {
    **dict.fromkeys(("✓", "✔", "☑", "✅", "√", "yes", "y", "has", "holds", "true"), "has"),
    **dict.fromkeys(("✗", "✘", "❌", "·", "no", "n", "lacks", "not", "false"), "lacks"),
    **dict.fromkeys(("?", "maybe", "perhaps", "possible", "open"), "maybe"),
}
"""
What a mark means that is not said otherwise.

A number from 1 on is none of these: cells of one column with the same number are an either-or, the
holder has at least one of their cards.
"""

_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s,;/&]")
_POINT = re.compile(r"(\d+)[.]0+")
_VARIANT = dict.fromkeys((0xFE0E, 0xFE0F))


class Cell(NamedTuple):
    """
    What the marks of one cell say.

    Attributes:
        meanings: What they say outright.
        numbers: The either-ors that the cell belongs to.
        pieces: The single marks, as they were read.
        strange: Those that are not understood.
    """

    meanings: frozenset[Meaning]
    numbers: tuple[int, ...]
    pieces: tuple[str, ...]
    strange: tuple[str, ...]


class Marks:
    """The meaning of each mark, those said by a person before those of the table."""

    def __init__(self, said: Mapping[str, str] | None = None) -> None:
        """
        Take in what was said.

        Raises:
            ArgumentError: If a meaning is none.
        """
        names = Names("meaning", MEANINGS)
        self._known: dict[str, Meaning] = dict(MARKS)
        for mark, meaning in (said or {}).items():
            try:
                found = names.find(meaning)
            except NotationError as error:
                raise ArgumentError(
                    f"mark '{escape(mark)}': {error.reason}", argument="marks"
                ) from None
            if not mark.strip():
                raise ArgumentError(
                    f"expected a mark that means '{found}'; found nothing", argument="marks"
                )
            self._known[folded(mark)] = cast(Meaning, found)

    def read(self, text: str) -> Cell:
        """Return what the text of a cell says: a mark, or several with or without marks between."""
        whole = _POINT.sub(r"\1", folded(text))
        pieces = (whole,) if whole in self._known else tuple(_PIECE.findall(whole))
        if whole and not pieces:
            pieces = (whole,)
        numbers = [piece for piece in pieces if piece not in self._known and _number(piece)]
        return Cell(
            meanings=frozenset(self._known[piece] for piece in pieces if piece in self._known),
            numbers=tuple(dict.fromkeys(map(int, numbers))),
            pieces=pieces,
            strange=tuple(p for p in pieces if p not in self._known and p not in numbers),
        )

    def meaning(self, piece: str) -> str:
        """Return what a single mark that is understood is taken for."""
        return self._known.get(piece, "either-or")


def folded(text: str) -> str:
    """Return a mark as it is compared: no case, no spaces around, no variants of a sign."""
    return " ".join(text.translate(_VARIANT).casefold().split())


def said_marks(pairs: Iterable[str]) -> dict[str, str]:
    """
    Return the meanings that a command line gives, `X=lacks`.

    Raises:
        ArgumentError: If one is no such pair.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        mark, equals, meaning = pair.rpartition("=")
        if not equals or not mark.strip():
            raise ArgumentError(
                f"expected a mark and its meaning, 'X=lacks'; found '{escape(pair)}'",
                argument="marks",
            )
        found[mark] = meaning
    return found


def _number(piece: str) -> bool:
    return piece.isascii() and piece.isdigit() and len(piece) <= 3 and int(piece) > 0
