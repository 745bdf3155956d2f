"""What a line says, in the pieces that a page shows: players, cards, words, and an answer each."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clue_solver.rules.table import Table
from clue_solver.views.charts import seat_colours

_LABEL = re.compile(r"((?:[a-z ]*\d+(?:% to \d+)?%?: )*)(.*)", re.DOTALL)
"""What may stand before a line, such as its number and how a chance moved, and the line."""

_SIGNS = {"suggests": "", "passes": "-", "shows": "✓"}
"""What is shown in place of a word, which says what kind of piece that is."""


class Piece(NamedTuple):
    """A piece of a line: a `seat`, a `card`, a `word`, or what has a sign; the colour of a seat."""

    kind: str
    text: str
    colour: str = ""


class ToldLine(NamedTuple):
    """
    A line as a page shows it.

    Attributes:
        line: The line, with what stands before it.
        label: What stands before it; empty if nothing does.
        head, answers: The pieces before the colon, and of each answer after it.
    """

    line: str
    label: str
    head: tuple[Piece, ...]
    answers: tuple[tuple[Piece, ...], ...]


class Telling:
    """Takes the lines of a table apart."""

    def __init__(self, table: Table) -> None:
        self._colours: Mapping[str, str] = seat_colours(table)
        self._cards = {*table.cards}
        names = sorted({*table.seats, *self._cards}, key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)")

    def __call__(self, line: str) -> ToldLine:
        """Return the pieces of a line."""
        found = _LABEL.fullmatch(line)
        assert found is not None
        label, rest = found.groups()
        head, _, tail = rest.partition(": ")
        answers = tuple(tuple(self._pieces(each)) for each in tail.split(", ") if each)
        label = label.removesuffix(": ").replace(": ", ", ")
        return ToldLine(line, label, tuple(self._pieces(head)), answers)

    def _pieces(self, text: str) -> Iterator[Piece]:
        for place, each in enumerate(self._names.split(text)):
            word = each.strip(" ,")
            if place % 2 == 0:
                if sign := _SIGNS.get(word, word):
                    yield Piece(word if word in _SIGNS else "word", sign)
            elif each in self._colours and (place == 1 or each not in self._cards):
                yield Piece("seat", each, self._colours[each])
            else:
                yield Piece("card", each)
