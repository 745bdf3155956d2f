"""Splits the lines of a log into players, cards, words and answers, which a page can style."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clue_solver.rules.board import ground_of
from clue_solver.rules.table import Table
from clue_solver.views.charts import seat_colours

_LABEL = re.compile(
    r"((?:[a-z ,]*(?:\d+, )?\d+(?:% to \d+)?%?(?: likely| is now| removed)?: )*)(.*)", re.DOTALL
)
"""Matches a line of the log with its labels: its number, and what became of it, or a chance."""

_SQUARE = re.compile(r"(?<= move)(s?) to ([A-Z]+\d+)\b")
"""Matches the square to which a piece moves. No board has the names of squares printed on it."""

_SAID = {
    "suggests": ("suggests", "asks for"),
    "asks for": ("suggests", "asks for"),
    "passes": ("passes", "no"),
    "shows": ("shows", "shows"),
    "right": ("right", "correct"),
    "skips": ("skips", "asks nothing"),
}
"""For each verb of a line, the kind of its piece, and the text that the page shows for it."""


class Piece(NamedTuple):
    """
    A piece of a line of the log.

    Attributes:
        kind: `seat`, `card`, `word`, or for a verb of answering or asking that verb, such as
            `shows`.
        text: The text that the page shows for it.
        colour: The colour of a seat, as a key of `charts.PIECES`; empty for other pieces.
    """

    kind: str
    text: str
    colour: str = ""


class SplitLine(NamedTuple):
    """
    A line split into pieces.

    Attributes:
        line: The complete line, as it is read aloud.
        label: The label before the line, such as its number; empty if there is none.
        head, answers: The pieces before the colon, and the pieces of each answer after it.
    """

    line: str
    label: str
    head: tuple[Piece, ...]
    answers: tuple[tuple[Piece, ...], ...]


class LineSplitter:
    """Splits the lines of a table into pieces that a page can style."""

    def __init__(self, table: Table) -> None:
        self._colours: Mapping[str, str] = seat_colours(table)
        printed = {table.printed(card) for card in table.cards}
        self._cards = printed.union(table.cards)
        self._table = table
        names = sorted({*table.seats, *self._cards}, key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, names))})(?!\w)")

    def __call__(self, line: str) -> SplitLine:
        """
        Split a line into pieces.

        If a piece moves to a square of the board, the text says near which room that is instead.
        """
        found = _LABEL.fullmatch(line)
        assert found is not None
        label, rest = found.groups()
        rest = without_squares(rest, self._table)
        head, _, tail = rest.partition(": ")
        answers = tuple(tuple(self._pieces(each)) for each in tail.split(", ") if each)
        label = label.removesuffix(": ").replace(": ", ", ")
        return SplitLine(f"{found[1]}{rest}", label, tuple(self._pieces(head)), answers)

    def _pieces(self, text: str) -> Iterator[Piece]:
        """Yield the pieces of a part of a line."""
        for place, each in enumerate(self._names.split(text)):
            word = each.strip(" ,")
            if place % 2 == 0:
                if word:
                    yield Piece(*_SAID.get(word, ("word", word)))
            elif each in self._colours and (place == 1 or each not in self._cards):
                yield Piece("seat", each, self._colours[each])
            else:
                yield Piece("card", each)


def without_squares(text: str, table: Table) -> str:
    """Return a text in which each square that is moved to is described by the nearest room."""
    return _SQUARE.sub(lambda told: f"{told[1]} to a square near {nearest(told[2], table)}", text)


def nearest(square: str, table: Table) -> str:
    """Return the room that is nearest to a square; the square itself if no room can be reached."""
    near = ground_of(table.edition.board, table.edition.rooms).nearest_room(square)
    return square if near is None else near[0]
