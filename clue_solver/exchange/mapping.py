"""
What a person says of notes, and what has to be asked of them or was guessed.

A guess is an `ImportQuestion` with an answer already: it is shown, and counts once it is confirmed.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from clue_solver.errors import printable
from clue_solver.exchange import terms
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Edition

LEFT = "-"
"""What a line is called that is left out."""


class Said(Struct, frozen=True, kw_only=True):
    """
    What a person says about notes, each empty where nothing was said.

    Attributes:
        edition: The edition.
        players: The seats, clockwise.
        viewer: Whose notes these are.
        hand: The viewer's own cards, as a line lists them.
        header: What else is said of the table, as lines of a record's header.
        names: The language of the cards' names, besides the edition's own.
        columns: What columns mean, by title or letter.
        every_column: What all columns mean, in their order.
        marks: What marks mean.
        called: What cards, players and lines are called here, with what is meant.
        leave: The rows that are left aside, by label or number.
        sheets: The sheets of a workbook that are meant.
    """

    edition: Edition | None = None
    players: tuple[str, ...] = ()
    viewer: str | None = None
    hand: str = ""
    header: tuple[str, ...] = ()
    names: str | None = None
    columns: Mapping[str, str] = {}
    every_column: tuple[str, ...] = ()
    marks: Mapping[str, str] = {}
    called: Mapping[str, str] = {}
    leave: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()

    def meant(self, text: str) -> str:
        """Return the name that is meant by what the notes have."""
        known = {terms.folded(name): meant for name, meant in self.called.items()}
        return known.get(terms.folded(text), text)

    def leaves(self, row: int, label: str) -> bool:
        """Whether a row, counted from 0, is left aside."""
        left = {terms.folded(aside) for aside in self.leave}
        return f"row {row + 1}" in left or (bool(label) and terms.folded(label) in left)


class ImportQuestion(NamedTuple):
    """
    What notes do not say, or what they were taken for.

    Attributes:
        argument: The argument of `import_notes`.
        text: The question.
        about: The title, mark or name in question.
        guess: The answer if nobody gives another one; empty if one is needed.
        choices: The answers, if they are few.
        cells: In how many cells it occurs.
        row: The row or line; 0 if it is no single one.
        sure: Whether the guess need not be confirmed.

    >>> from clue_solver.exchange.imports import Unclear, import_notes
    >>> try:
    ...     import_notes("card,Ann,Soln\\nPlum,yes,\\nRope,no,no\\n", edition="clue-classic")
    ... except Unclear as error:
    ...     print([(each.about, each.guess) for each in error.questions if each.about])
    [('Ann', 'Ann'), ('Soln', 'envelope')]
    """

    argument: str
    text: str
    about: str = ""
    guess: str = ""
    choices: tuple[str, ...] = ()
    cells: int = 0
    row: int = 0
    sure: bool = False


class Findings:
    """
    What was found while notes were read.

    Attributes:
        said: What a person says of them, and what they say of themselves.
        items: What everything was taken for, or has to be asked, by argument and subject.
        faults: What is wrong, each with its place.
        aside: What is left aside, in words.
        heard: The words of lines that say which cards are the writer's.
    """

    def __init__(self, said: Said, heard: Collection[tuple[str, ...]] = ()) -> None:
        self.said = said
        self.items: dict[tuple[str, str], ImportQuestion] = {}
        self.faults: list[str] = []
        self.aside: list[str] = []
        self.heard = {*heard}

    @property
    def questions(self) -> tuple[ImportQuestion, ...]:
        """What has to be said or confirmed."""
        return tuple(item for item in self.items.values() if not item.sure)

    def ask(self, argument: str, text: str, about: str = "", guess: str = "", **more: Any) -> None:
        """Keep a question, once."""
        question = ImportQuestion(argument, text, about, guess, **more)
        self.items.setdefault((argument, about), question)

    def leave_aside(self, row: int, text: str) -> None:
        """Keep what is not read of a row, once."""
        told = f"row {row + 1}, '{printable(text)}': not read"
        self.aside += [told] if told not in self.aside else []

    def name(self, names: Names, text: str, where: str) -> str | None:
        """Return the one name that a text stands for, asked about if misspelt; or `None`."""
        text = self.said.meant(text)
        meant = names.candidates(text)
        part = names.kind == "card" and not names.exact(text) and _is_part(text, names, meant)
        if len(meant) == 1 and not part:
            return meant[0]
        near = meant or names.nearest(text)
        guess = near[0] if len(near) == 1 and names.kind == "card" and not part else ""
        doubt = f"{where}: '{printable(text)}' is no {names.kind}"
        if len(meant) > 1:
            doubt = f"{where}: '{printable(text)}' can be {joined(meant)}"
        elif near:
            doubt = f"{where}: '{printable(text)}': did you mean {joined(near)}?"
        self.ask("called", doubt, text, guess, choices=tuple(near or names.names))
        return guess or None


def _is_part(text: str, names: Names, meant: Sequence[str]) -> bool:
    """Whether a text is the beginning of a longer name: it may be another's whole name."""
    words = words_of(text)
    forms = (form for name in meant for form in names.forms[name])
    return any({*words, "room"} < {*form, "room"} and form[-1:] != words[-1:] for form in forms)
