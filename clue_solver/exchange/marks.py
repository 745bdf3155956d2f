"""
What the marks on a pad mean.

A mark that note-takers use in two ways (a cross is "has it" to some and "has it not" to others) is
asked for, unless the pad tells: in words, or since it stands twice beside one card.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from clue_solver.errors import ArgumentError, printable
from clue_solver.exchange.mapping import check_meaning, folded, is_unsure
from clue_solver.notation.names import words_of

Meaning = Literal["has", "lacks", "maybe", "nothing", "asks", "either-or"]
MEANINGS: tuple[str, ...] = get_args(Meaning)

_HAS = "yes y has have holds true got mine ja oui si sí sì sim"
_LACKS = "no n lacks not hasnt hasn't doesnt doesn't none nein non nee não nao nope"
_MAYBE = "maybe perhaps possible could open unsure vielleicht evtl peut-être quizás quizá forse sus"
MARKS: dict[str, str] = {
    **dict.fromkeys(["✓", "✔", "☑", "✅", "√", "100%", *_HAS.split()], "has"),
    **dict.fromkeys(["✗", "✘", "❌", "·", "0%", *_LACKS.split()], "lacks"),
    **dict.fromkeys(["?", "❓", "❔", *_MAYBE.split()], "maybe"),
}
"""
What a mark means that is not said otherwise.

A number from 1 on is none of these: cells of one column with the same number are an either-or, the
holder has at least one of their cards. A chance between 0% and 100% may be.
"""
_PARTS = re.compile(r"\d+|[^\W\d_]+|[^\w\s,;/&]")
_NUMBER = re.compile(r"(?!0+$)[0-9]{1,3}")
_CHANCE = re.compile(r"<? ?\d{1,3}(?:[.,]\d+)? ?%|0?[.,]\d*[1-9]\d*")
_TURN = re.compile(r"([a-z\u2713\u2714\u2717\u2718]+)(\d+)")
"""A mark and the number of the turn that told it."""
_REMARK = re.compile(r"(.*\S)\s*(?:[(\[].*[)\]]|\b(?:turn|round|t|r|#)\s*\d+)")


class Cell(NamedTuple):
    """
    What the text of a cell says.

    Attributes:
        meanings: What its marks mean, but for either-ors.
        numbers: The numbers, or letters, of its either-ors.
        marks: The marks that were understood.
        strange: The mark that was not.
        remark: What stands behind the marks.
    """

    meanings: frozenset[str] = frozenset()
    numbers: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    strange: str = ""
    remark: str = ""


class Marks:
    """
    The meaning of each mark: what a person says before what most people mean.

    >>> marks = Marks({"x": "lacks"})
    >>> marks.read("X").meanings, marks.read("1/3").numbers, marks.read("yes (turn 3)").remark
    (frozenset({'lacks'}), ('1', '3'), '(turn 3)')
    """

    def __init__(self, said: Mapping[str, str]) -> None:
        self.said = {
            folded(mark): check_meaning(meaning, MEANINGS, mark) for mark, meaning in said.items()
        }
        self.guesses: dict[str, str] = {}
        for mark, meaning in self.said.items():
            if meaning == "either-or" and not re.search(r"[^\W_]", mark):
                found = printable(mark)
                reason = f"expected a number or letter that means 'either-or'; found '{found}'"
                raise ArgumentError(reason, argument="marks")

    @property
    def coded(self) -> bool:
        """Whether a number is a sign with a meaning, so that others are signs as well."""
        return any(mark.isdecimal() and self.said[mark] in ("has", "lacks") for mark in self.said)

    def meaning(self, mark: str) -> str:
        """Return what a mark means; empty if that is not known."""
        colour, code, _ = mark.partition(" #")
        if code and colour in self.said:
            return self.said[colour]
        return self.said.get(mark) or MARKS.get(mark) or self.guesses.get(mark, "")

    def read(self, text: str) -> Cell:
        """Return what the text of a cell says: a mark, or several with or without signs between."""
        whole = re.sub(r"(\d+)[.]0+(?!\d)", r"\1", folded(text))
        if meaning := self.meaning(whole):
            return self._told(whole, meaning)
        if _CHANCE.fullmatch(whole):
            whole = re.sub(r"[.,]0+(?= ?%)| ", "", whole)
            return self._told(whole, self.meaning(whole) or "maybe")
        if (turned := _TURN.fullmatch(whole)) and self.meaning(turned[1]):
            return self.read(turned[1])._replace(remark=turned[2])
        remarked = _REMARK.fullmatch(whole)
        if remarked and is_unsure(whole[remarked.end(1) :]):  # `✓ (guess)`
            return Cell(strange=whole)
        if remarked:
            return self.read(remarked[1])._replace(remark=whole[remarked.end(1) :].strip())
        if _NUMBER.fullmatch(whole):
            return Cell(numbers=(whole,), marks=(whole,))
        parts = [self.read(part) for part in _PARTS.findall(whole) if part != whole]
        meanings = frozenset(meaning for part in parts for meaning in part.meanings)
        numbers = tuple(dict.fromkeys(number for part in parts for number in part.numbers))
        doubtful = (len(meanings) > 1 and "maybe" in meanings) or (self.coded and numbers)
        if all(self.said.get(part) == "either-or" for part in whole):  # `ab`
            return Cell(numbers=tuple(whole), marks=(whole,))
        if not parts or doubtful or any(part.strange for part in parts):
            return Cell(strange=whole)
        marks = tuple(mark for part in parts for mark in part.marks)
        return Cell(meanings, numbers, marks)

    def _told(self, whole: str, meaning: str) -> Cell:
        """Return what a mark of a meaning says."""
        if meaning == "either-or":
            return Cell(numbers=tuple(re.findall(r"\d+", whole)) or (whole,), marks=(whole,))
        meaning = "maybe" if meaning in ("nothing", "asks") else meaning
        return Cell(frozenset([meaning]), marks=(whole,))


def explained(mark: str, text: str) -> tuple[bool, str]:
    """
    Return whether a text explains a mark, and what it says that it means, if that is plain.

    >>> explained("x", "X = no   ✓ = yes"), explained("✓", "✓ = crossed off")
    ((True, 'lacks'), (True, ''))
    """
    found = re.search(
        rf"(?<!\w){re.escape(mark)}['\"]?\s*(?:=|:|means)\s*(.*?)(?=\s+\S{{1,3}}\s*=|[,;()·]|$)",
        folded(text),
    )
    if found is None:
        return False, ""
    words = [word.casefold() for word in found[1].split()] + [*words_of(found[1])]
    meanings = {MARKS[word] for word in words if word in MARKS}
    if len(found[1].split()) > 3:
        return True, ""
    return True, next((one for one in ("lacks", "maybe", "has") if one in meanings), "")
