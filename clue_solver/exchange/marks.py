"""
Finds out what the marks on a pad mean.

The user is asked about marks that people use in two ways, such as a cross, which can mean either
that the player has the card or that the player does not have it.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from clue_solver.errors import ArgumentError, NotationError, printable
from clue_solver.exchange import terms
from clue_solver.notation.names import Names

MEANINGS = ("has", "lacks", "maybe", "nothing", "asks", "either-or")

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
    r"\s*\((?:t|turn|r|round|tour|runde|zug|turno|#)?[ .]?\d+\)$|"
    r"\s+(?:t|turn|r|round|tour|runde|zug|turno|#)[ .]?\d+$"
)
"""The number of a turn after a mark: when the writer found it out."""
_CHANCE = re.compile(r"<? ?\d{1,3}(?:[.,]\d+)? ?%|0?[.,]\d*[1-9]\d*")


class Cell(NamedTuple):
    """
    The interpreted content of a cell.

    Attributes:
        meanings: The meanings of the marks, except for either-ors.
        numbers: The numbers or letters of the either-ors.
        marks: The marks that were understood.
        strange: The text that was not understood; empty if there is none.
    """

    meanings: frozenset[str] = frozenset()
    numbers: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    strange: str = ""

    def __or__(self, other: "Cell") -> "Cell":
        """Combine two cells about the same card and holder."""
        return Cell(
            self.meanings | other.meanings,
            (*self.numbers, *other.numbers),
            (*self.marks, *other.marks),
            self.strange or other.strange,
        )


class Marks:
    """
    The meanings of marks.

    Args:
        said: The meanings that the user states. The key `numbers` stands for all numbers.
        usual: The meanings of the other marks.

    A number that means `either-or` shows that the holder of its column has at least one of the
    cards with the same number.

    >>> marks = Marks({"x": "lacks", "numbers": "either-or"})
    >>> marks.read("X").meanings, marks.read("1/3").numbers
    (frozenset({'lacks'}), ('1', '3'))
    """

    def __init__(self, said: Mapping[str, str], usual: Mapping[str, str] = MARKS) -> None:
        self.said: dict[str, str] = {}
        self.usual = usual
        meanings = Names("meaning", MEANINGS, aliases={"asks": ["asked", "asker"]})
        for mark, meaning in said.items():
            try:
                means = meanings.find(meaning)
            except NotationError as error:
                reason = f"mark '{printable(mark)}': {error.reason}"
                raise ArgumentError(reason, argument="marks") from None
            if means == "either-or" and not re.search(r"[^\W_]", mark):
                reason = f"expected a number or letter that means '{means}'; found "
                raise ArgumentError(f"{reason}'{printable(mark)}'", argument="marks")
            self.said[terms.fold_text(mark)] = means

    def meaning(self, mark: str) -> str:
        """Return the meaning of a mark; empty if it is unknown."""
        colour, code, _ = mark.partition(" #")
        names = (mark, *([colour] if code else ()), *(["numbers"] if mark.isdecimal() else ()))
        tables = (self.said, self.usual)
        known = (table[name] for table in tables for name in names if table.get(name))
        return next(known, "")

    def read(self, text: str) -> Cell:
        """Interpret the text of a cell, which may have several marks."""
        whole = re.sub(r"(\d+)[.]0+(?!\d)", r"\1", _TURN.sub("", terms.fold_text(text)))
        meaning = self.meaning(whole)
        if not meaning and _CHANCE.fullmatch(whole):
            meaning = self.meaning(re.sub(r"[.,]0+(?= ?%)| ", "", whole)) or "maybe"
        if meaning == "either-or":
            return Cell(numbers=tuple(re.findall(r"\d+", whole)) or (whole,), marks=(whole,))
        if meaning:
            told = "maybe" if meaning in ("nothing", "asks") else meaning
            return Cell(frozenset([told]), marks=(whole,))
        cell = Cell()
        for part in _PARTS.findall(whole):
            cell |= self.read(part) if part != whole else Cell(strange=whole)
        numbers = re.findall(r"\d+", whole)
        if cell.strange.isdecimal() and len(numbers) == 1 and not re.search(r"[^\W\d]", whole):
            return Cell(strange=numbers[0])
        doubtful = len(cell.meanings) > 1 and "maybe" in cell.meanings
        return Cell(strange=whole) if cell.strange or doubtful or not cell.marks else cell
