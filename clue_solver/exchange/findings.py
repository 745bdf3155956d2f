"""
The user's hints about notes that are imported, and the questions that the import asks.

A guess is an `ImportQuestion` that already has an answer. The user sees it and confirms it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from clue_solver.errors import printable
from clue_solver.exchange import terms
from clue_solver.notation.names import Names, joined
from clue_solver.rules.edition import Edition

_TABLE = ("edition", "players", "viewer", "names", "hand", "sheet")
_ORDER = (*_TABLE, "columns", "marks", "called", "leave")
"""The arguments of `import_notes` in the order in which their questions are shown."""
LEAVE_OUT = "-"
"""The answer that leaves a line out."""


class ImportHints(Struct, frozen=True, kw_only=True):
    """
    What the user states about notes to be imported. A field is empty if it was not stated.

    Attributes:
        edition: The edition.
        players: The seats, clockwise.
        viewer: Whose notes these are.
        hand: The viewer's own cards, as a line lists them.
        header: More about the table, as lines of a record's header.
        names: The language of the cards' names, besides the edition's own.
        columns: The meanings of columns, by title or letter.
        every_column: The meanings of all columns, from left to right.
        marks: The meanings of marks.
        called: The proper name of each card, player or line that the notes call otherwise.
        leave: The rows to leave out, by label or number.
        sheets: The sheets of a workbook to read.
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
        """Return the name that a text in the notes stands for, or the text itself."""
        known = {terms.fold_text(name): meant for name, meant in self.called.items()}
        return known.get(terms.fold_text(text), text)

    def leaves(self, row: int, label: str) -> bool:
        """
        Return whether the user leaves out a row.

        Args:
            row: The index of the row, from 0.
            label: The text that names the row, such as a card; empty if it has none.
        """
        left = {terms.fold_text(aside) for aside in self.leave}
        return f"row {row + 1}" in left or (bool(label) and terms.fold_text(label) in left)


class ImportQuestion(NamedTuple):
    """
    A question about imported notes, perhaps with a guessed answer.

    Attributes:
        argument: The argument of `import_notes` that answers the question.
        text: The question.
        about: The title, mark or name in question.
        guess: The guessed answer; empty if the user must answer.
        choices: The possible answers, if they are few.
        cells: How many cells contain the title, mark or name.
        row: The number of the row or line; 0 if the question is not about a single one.
        sure: Whether the guess is certain enough to need no confirmation.

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
    What is known about notes while they are read.

    Attributes:
        hints: What the user states about the notes. Once a table is read, also who plays.
        hand: The writer's own cards, as the user or else the notes list them.
        items: The questions and guesses so far, each under its argument and subject.
        faults: What is wrong with the notes, as messages that name the place.
        aside: Descriptions of what was left out.
        used: The words of each line that was read already, such as the list of the own cards.
    """

    def __init__(self, hints: ImportHints, used: Collection[tuple[str, ...]] = ()) -> None:
        self.hints = hints
        self.hand = hints.hand
        self.items: dict[tuple[str, str], ImportQuestion] = {}
        self.faults: list[str] = []
        self.aside: list[str] = []
        self.used = {*used}

    @property
    def questions(self) -> tuple[ImportQuestion, ...]:
        """The questions that the user has to answer or confirm."""
        return tuple(item for item in self.items.values() if not item.sure)

    @property
    def shown_items(self) -> tuple[ImportQuestion, ...]:
        """All questions and guesses, in the same order before and after they are answered."""
        return tuple(sorted(self.items.values(), key=lambda item: _ORDER.index(item.argument)))

    def ask(self, argument: str, text: str, about: str = "", guess: str = "", **more: Any) -> None:
        """
        Add a question to `items`, unless it already has one with this `argument` and `about`.

        Args:
            argument: The argument of `import_notes` that answers the question.
            text: The question.
            about: The title, mark or name in question.
            guess: The guessed answer; empty if the user must answer.
            more: Other attributes of the `ImportQuestion`.
        """
        question = ImportQuestion(argument, text, about, guess, **more)
        self.items.setdefault((argument, about), question)

    def leave_aside(self, row: int, text: str, why: str = "") -> None:
        """Note that `text` in the row with the index `row` was not read, and `why`."""
        self.aside.append(_unread_text(row, text) + why)

    def take_back(self, row: int, text: str) -> None:
        """
        Remove the note of `leave_aside` that a text was not read, because it was read after all.

        Args:
            row: The index of the row.
            text: The text.
        """
        unread = _unread_text(row, text)
        self.aside = [told for told in self.aside if not told.startswith(unread)]

    def name(self, names: Names, text: str, where: str) -> str | None:
        """
        Return the name that a text in the notes stands for; if it is unclear, ask which.

        A question is added to `items` if the text stands for none of the names or for several.

        Args:
            names: The names that it may stand for.
            text: The text.
            where: The place in the notes, such as `row 3`, for the question.

        Returns:
            The name, or a guess if it is unclear; `None` if there is no guess.
        """
        written, text = text, self.hints.meant(text)
        meant = names.candidates(text)
        if len(meant) == 1:
            return meant[0]
        near = meant or names.nearest(text)
        guess = near[0] if len(near) == 1 and names.kind == "card" else ""
        doubt = f"{where}: '{printable(text)}' is not a {names.kind}"
        if len(meant) > 1:
            doubt = f"{where}: '{printable(text)}' could mean {joined(meant)}"
        elif near:
            doubt = f"{where}: '{printable(text)}': did you mean {joined(near)}?"
        self.ask("called", doubt, written, guess, choices=tuple(near or names.names))
        return guess or None


def first_lines(texts: Sequence[str], most: int) -> str:
    """Return at most `most` texts as the lines of a message, and how many more there are."""
    more = len(texts) - most
    rest = [f"and {more} more"] if more > 0 else []
    return "\n  ".join([*texts[:most], *rest])


def _unread_text(row: int, text: str) -> str:
    """Return the remark that `text`, a part of the row with the index `row`, was not read."""
    return f"row {row + 1}, '{printable(text)}': not read"
