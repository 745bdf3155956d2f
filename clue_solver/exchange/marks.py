"""
Finds out what the marks on a pad mean.

The user is asked about marks that people use in two ways, such as a cross, which can mean either
that the player has the card or that the player does not have it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from clue_solver.errors import ArgumentError, NotationError, printable
from clue_solver.exchange import terms
from clue_solver.notation.names import Names

_HAS = "yes y has have holds true got mine ja oui si sí sì sim"
_LACKS = "no n lacks not hasnt hasn't doesnt doesn't none nein non nee não nao nope"
_MAYBE = "maybe perhaps possible could open unsure vielleicht evtl peut-être quizás quizá forse sus"
MARKS: dict[str, str] = {
    **dict.fromkeys(["✓", "✔", "☑", "✅", "√", "100%", *_HAS.split()], "has"),
    **dict.fromkeys(["✗", "✘", "❌", "·", "0%", *_LACKS.split()], "lacks"),
    **dict.fromkeys(["?", "❓", "❔", *_MAYBE.split()], "maybe"),
}
"""The usual meaning of each mark. Any chance between 0% and 100% means `maybe`."""
_PARTS = re.compile(r"\d+|[^\W\d_]+|[^\w\s,;/&]")
_TURN = re.compile(
    r"(?i)\s*\((?:t|turn|r|round|tour|runde|zug|turno|#)?[ .]?\d+\)$|"
    r"\s+(?:t|turn|r|round|tour|runde|zug|turno|#)[ .]?\d+$"
)
"""The number of a turn after a mark: when the writer found it out."""
_CHANCE = re.compile(r"<? ?\d{1,3}(?:[.,]\d+)? ?%|0?[.,]\d*[1-9]\d*")


class Marks:
    """
    The meanings of marks.

    Args:
        said: The meanings that the user states. The key `numbers` stands for all numbers.
        usual: The meanings of the other marks.
        cells: The cells with marks. Marks that differ only in case are one mark, unless both of
            them are in the cells.

    A number that means `either-or` shows that the holder of its column has at least one of the
    cards with the same number.

    >>> marks = Marks({"x": "lacks", "numbers": "either-or"})
    >>> marks.read("X"), marks.read("1/3"), marks.read("z")
    ({'x': 'lacks'}, {'1': 'either-or', '3': 'either-or'}, {'z': ''})
    >>> marks = Marks({"X": "has"}, cells=["X", "x"])
    >>> marks.read("X"), marks.read("x")
    ({'X': 'has'}, {'x': ''})
    """

    def __init__(
        self,
        said: Mapping[str, str],
        usual: Mapping[str, str] = MARKS,
        cells: Iterable[str] = (),
    ) -> None:
        wholes = {_without_turn(cell) for cell in cells}
        spelt = wholes.union(*map(_PARTS.findall, wholes))
        times = Counter(map(str.casefold, spelt))
        self.distinct = {mark for mark in spelt if times[mark.casefold()] > 1}
        self.said: dict[str, str] = {}
        known = dict.fromkeys((*usual.values(), "nothing", "either-or"))
        asks = "asks" if "asks" in known else "nothing"  # on a pad nobody asks
        meanings = Names("meaning", known, aliases={asks: ["asks", "asked", "asker"]})
        for mark, meaning in said.items():
            try:
                means = meanings.find(meaning)
            except NotationError as error:
                reason = f"mark '{printable(mark)}': {error.reason}"
                raise ArgumentError(reason, argument="marks") from None
            if means == "either-or" and not re.search(r"[^\W_]", mark):
                reason = f"expected a number or letter that means '{means}'; found "
                raise ArgumentError(f"{reason}'{printable(mark)}'", argument="marks")
            self.said[terms.spelling(mark)] = means
        folded = {mark.casefold(): self.said[mark] for mark in self.said}
        self.usual = {mark: usual[mark] for mark in usual if mark not in folded}
        self.said = {mark: folded[mark] for mark in folded if mark not in self.distinct} | self.said

    def key(self, text: str) -> str:
        """Return a mark in lower case, or as it is spelt if other spellings may mean another."""
        mark = terms.spelling(text)
        return mark if mark in self.said or mark in self.distinct else mark.casefold()

    def meaning(self, text: str) -> str:
        """Return the meaning of a mark; empty if it is unknown."""
        mark = terms.spelling(text)
        colour, code, _ = mark.partition(" #")
        names = (mark, *([colour] if code else ()), *(["numbers"] if mark.isdecimal() else ()))
        said = (self.said.get(self.key(name), "") for name in names)
        usual = (self.usual.get(name.casefold(), "") for name in names)
        return next(filter(None, (*said, *usual)), "")

    def read(self, text: str) -> dict[str, str]:
        """Return the marks in a cell, each with its meaning, which is empty if it is not known."""
        whole = re.sub(r"(\d+)[.]0+(?!\d)", r"\1", _without_turn(text))
        meaning = self.meaning(whole)
        if not meaning and _CHANCE.fullmatch(whole):
            meaning = self.meaning(re.sub(r"[.,]0+(?= ?%)| ", "", whole)) or "maybe"
        if meaning == "either-or":
            return dict.fromkeys(re.findall(r"\d+", whole) or [self.key(whole)], meaning)
        parts = _PARTS.findall(whole)
        if meaning or parts in ([], [whole]):
            return {self.key(whole): meaning} if whole else {}
        marks: dict[str, str] = {}
        for part in parts:
            marks |= self.read(part)
        meanings = {*marks.values()}
        if "" in meanings and len(numbers := re.findall(r"\d+", whole)) == 1:
            whole = numbers[0] if not re.search(r"[^\W\d]", whole) else whole
        sure = meanings & {"has", "lacks"}
        doubtful = sure and meanings - sure - {"either-or"}
        return {self.key(whole): ""} if "" in meanings or doubtful else marks


def _without_turn(text: str) -> str:
    """Return a mark without the number of a turn after it."""
    return _TURN.sub("", terms.spelling(text))
