"""
Notes from elsewhere: what a person says of them, what they leave unsaid, what came of them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, Self

from msgspec import Struct

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, NotationError, RecordError, printable
from clue_solver.notation import card_names, lexicon_of, parse_names
from clue_solver.notation.names import Names, words_of
from clue_solver.record import Record
from clue_solver.rules.edition import Answering, Edition, Side
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import SPECTATOR, Slot, Table

WRITERS = {"me", "i", "myself", "mine", "ich", "moi", "je", "yo", "io", "ik", "eu"}
"""What people call themselves in their own notes."""

DOUBTS = re.compile(
    r"(?i)[?/]|\b(?:or|maybe|perhaps|poss\w*|prob\w*|likely|think|guess|reckon|suppose|not|sure|but|"
    r"nobody|none|asked)\b"
)
"""What makes a name in notes no certain one."""

_BETWEEN = re.compile(r"(\s*[,;:/+&()]\s*|\s*\b(?:or|and|nor|not|neither)\s+)")


class ImportOptions(Struct, frozen=True, kw_only=True):
    """
    What a person says about notes; `None` or empty where nothing was said.

    Attributes:
        edition: The edition.
        players: The seats, clockwise.
        viewer: Whose notes these are, in short as in a record.
        hands: Hand sizes in the order of the players, `None` for one unknown.
        face_up: Cards that lie open, in short.
        slots: Places of face-down cards.
        order, answers: What overrides the edition's order of answering.
        hand: The viewer's own cards, as a line lists them.
        marks: What marks on a pad mean: `has`, `lacks` or `maybe`, by the mark.
        language: The language of the cards' names, besides the edition's own.
        mend: Whether a name that is spelt wrong is taken for the one name that is nearest.
        leave: The titles of columns and rows that are left aside.
        sheets: Which sheets of a workbook are meant.
        called: The cards and players that the notes call otherwise, by what they call them.
    """

    edition: Edition | None = None
    players: tuple[str, ...] = ()
    viewer: str | None = None
    hands: tuple[int | None, ...] = ()
    face_up: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    order: Side | None = None
    answers: Answering | None = None
    hand: str = ""
    marks: Mapping[str, str] = {}
    language: str | None = None
    mend: bool = False
    leave: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    called: Mapping[str, str] = {}

    def renamed(self, text: str) -> str:
        """Return a text with the names that are meant for those that the notes have."""
        called = {" ".join(name.casefold().split()): meant for name, meant in self.called.items()}
        parts = _BETWEEN.split(text) if called and text.casefold() not in called else [text]
        return "".join(called.get(part.casefold(), part) for part in parts)

    def names(self, edition: Edition) -> Names:
        """Return an edition's cards by name, by initials, and in the language that is turned on."""
        return card_names(edition, language=self.language, initials=True)

    @property
    def players_how(self) -> str:
        """How the players were found, in words."""
        return "as given" if self.players else "clockwise as their columns stand"

    def left(self, title: str) -> bool:
        """Whether a column or row of this title is to be left aside."""
        return any(words_of(title) == words_of(aside) for aside in self.leave)

    def table(self, edition: Edition, seats: tuple[str, ...], notes: Self | None = None) -> Table:
        """Return the table, by what the `notes` say where nothing was said; or a `ClueError`."""
        notes = notes or type(self)()
        themselves = [seat for seat in seats if seat.casefold() in WRITERS]
        said = self.viewer or notes.viewer or (themselves[0] if len(themselves) == 1 else None)
        if said is not None:
            said = Names("player", (*seats, SPECTATOR)).find(said)
        return Table(
            edition=edition,
            seats=seats,
            hands=self.hands or notes.hands,
            viewer=None if said == SPECTATOR else said,
            face_up=tuple(map(self.names(edition).find, self.face_up)) or notes.face_up,
            slots=self.slots or notes.slots,
            order=self.order,
            answers=self.answers,
            language=self.language,
        )


class Unsaid(NamedTuple):
    """
    What notes do not say.

    Attributes:
        argument: The argument of `import_notes` that would say it.
        text: The question.
        choices: The answers, if they are few.
        marks: The marks or names whose meaning is asked for, one by one.
        column: The title of the column or row that may be left aside.
    """

    argument: str
    text: str
    choices: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    column: str = ""


class Unclear(RecordError):
    """
    Notes that cannot be read as they stand: all that is wrong with them, and all that is not said.

    Attributes:
        faults: What is wrong, each with its place.
        questions: What would have to be said besides.
    """

    def __init__(
        self, faults: Sequence[str], questions: Sequence[Unsaid] = (), *, path: str = ""
    ) -> None:
        self.faults = tuple(faults)
        self.questions = tuple(questions)
        argument = questions[0].argument if len(questions) == 1 else ""
        super().__init__(self.worded(), path="", argument=argument)
        self.path = path

    def worded(self, option: Callable[[str], str] = lambda _: "") -> str:
        """Return the message; `option` gives what to write behind a question."""
        texts = [
            *self.faults,
            *(question.text + option(question.argument) for question in self.questions),
        ]
        lines = texts[:_MOST_FAULTS]
        if len(texts) > _MOST_FAULTS:
            lines.append(f"and {len(texts) - _MOST_FAULTS} more")
        return "\n  ".join(lines)


_MOST_FAULTS = 25


Kind = Literal["pad", "suggestions", "record"]


class MarkRead(NamedTuple):
    """
    A mark of a pad.

    Attributes:
        mark: How it looks.
        meaning: What it was taken for.
        cells: In how many cells it stands.

    >>> from clue_solver import import_notes
    >>> import_notes("examples/pad.csv").marks[0]
    MarkRead(mark='✓', meaning='has', cells=8)
    """

    mark: str
    meaning: str
    cells: int


class Imported(AnswerValue, frozen=True, kw_only=True):
    """
    Notes from elsewhere as a record.

    Attributes:
        record: The record.
        kind: What the notes were: a detective's `pad`, a table of `suggestions`, or a `record`
            already.
        understood: What was taken for what, in words.
        aside: What was left aside or is not said by the notes, in words.
        marks: Each mark of a pad, and what it was taken for.

    >>> from clue_solver import import_notes
    >>> notes = import_notes("examples/pad.csv")
    >>> notes.kind, notes.players, notes.entries
    ('pad', ('Ann', 'Ben', 'Cat', 'Dan'), 8)
    """

    record: Record
    kind: Kind
    understood: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    marks: tuple[MarkRead, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1, also=("edition", "players", "viewer", "entries"), without=("record",)
    )

    @property
    def edition(self) -> str:
        """The edition of the record, as its header names it."""
        return self.record.table.edition.name

    @property
    def players(self) -> tuple[str, ...]:
        """Its seats, clockwise."""
        return self.record.table.seats

    @property
    def viewer(self) -> str | None:
        """Whose notes it has; `None` for a spectator's."""
        return self.record.table.viewer

    @property
    def entries(self) -> int:
        """How many entries it has."""
        return len(self.record.entries)


def table_lines(table: Table, *, edition: str, players: str) -> Iterator[str]:
    """Yield which edition, players and viewer notes were taken to have, and how that was found."""
    yield f"edition {table.edition.name}, {edition}"
    yield f"players {', '.join(table.seats)}, {players}"
    yield f"the notes of {table.viewer}" if table.viewer else "nobody's notes: a spectator's"


def with_hand(record: Record, hand: str) -> Record:
    """
    Return the record with the viewer's own hand as a line lists it, if one was said.

    Raises:
        NotationError, ArgumentError: If the hand cannot be read, each word of it that is no card
            named, or nobody is the viewer.
    """
    if not hand:
        return record
    if record.table.viewer is None:
        raise ArgumentError("say whose hand this is", argument="viewer")
    names = lexicon_of(record.table).cards
    try:
        cards = parse_names(hand, names)
        return record.append(Hand(seat=record.table.viewer, cards=cards))
    except NotationError:
        wrong = dict(_unknown_in(hand, names))
        if not wrong:
            raise
        first = names.unknown(next(iter(wrong)), line=hand)
        first.column = hand.index(next(iter(wrong)))
        if len(wrong) > 1:
            meant = (f"'{printable(text)}'" + near for text, near in wrong.items())
            first.reason = f"these are no cards: {', '.join(meant)}"
        raise first from None


def _unknown_in(hand: str, names: Names) -> Iterator[tuple[str, str]]:
    """Yield each part of a hand, or else each word of it, that is no card, and what it may mean."""
    for part in filter(None, (part.strip() for part in hand.split(","))):
        for text in [part] if names.nearest(part) else part.split():
            if not names.readings(text):
                yield text, "".join(f" ({near}?)" for near in names.nearest(text)[:1])
