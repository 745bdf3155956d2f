"""A pair of eyes at a table: the notes of what it has seen, and what its pages are sent."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import randrange
from typing import NamedTuple
from zlib import crc32

from clue_solver.answers.report import Report
from clue_solver.conversation.changes import Place
from clue_solver.conversation.dialog import Asking
from clue_solver.conversation.doubts import Doubt
from clue_solver.conversation.questions import doubts
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, SetupError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.links import Links
from clue_solver.faces.web.whole_log import public_of
from clue_solver.notation.reading import reading_of
from clue_solver.record import Entry, Record

_QUESTIONS = 3
"""The most that a seat is asked at once about what it has not told."""


class OpenQuestion(NamedTuple):
    """What a seat has seen and not told yet: the entry of its notes, and what is asked of it."""

    entry: int
    line: str
    doubt: Doubt


class FormAnswer(NamedTuple):
    """
    What a page says once a form was sent, besides what has changed.

    Attributes:
        error: Why nothing was done.
        late: The version of the page, where something was changed since; then nothing was done.
        line: The line that was typed or tapped, and not logged.
        asked: What is asked about it.
        tab: The pane that is shown, where the form names another.
        link: The link of the page from now on, where it has a new one.
    """

    error: str = ""
    late: str = ""
    line: str = ""
    asked: Asking | None = None
    tab: str = ""
    link: str = ""


NOTHING = FormAnswer()
"""What a page says where there is nothing to say."""


class EntryChange(NamedTuple):
    """One change that a page made of an entry: as it was, and as it is; `None` for none."""

    number: int
    before: Entry | None
    after: Entry | None


class Eyes:
    """
    The game as one seat, or everybody, has seen it, and the pages that show it.

    Attributes:
        seat: Whose eyes; `None` for the recorder's page, which has what everybody sees.
        links: What leads there.
        version: Counts what these eyes could see change, from a number drawn anew at each start, so
            that a page of before a restart is not taken for current.
        session: The notes; `None` before the game is set up.
        whole, seen: The log of the table of which the notes are made, and how they were then.
        steps: What a seat's pages have changed, which they may take back.
        verdict: What took longer than the sheet, about these notes or earlier ones.
        done: What the last forms came to, by all that they said.
        pages: What was sent of the current version, by the address that was asked for.
    """

    def __init__(self, seat: str | None = None, session: Session | None = None) -> None:
        self.seat = seat
        self.session = session
        self.links = Links.new()
        self.version = randrange(1, 500_000_000)
        self.whole: Record | None = None
        self.seen: Record | None = None
        self.steps: list[EntryChange] = []
        self.verdict: Thought | None = None
        self.pages: dict[str, str] = {}
        self.done: dict[tuple[object, ...], FormAnswer] = {}
        self._drawn: tuple[Record, Report] | None = None
        self._asked: tuple[Record, tuple[OpenQuestion, ...]] | None = None

    @property
    def secret(self) -> str:
        """The link that is shown."""
        return self.links.secrets[-1]

    @property
    def game(self) -> Session:
        """The notes of a game that is set up."""
        if self.session is None:
            raise SetupError("expected a game; none is set up yet")
        return self.session

    @property
    def stamp(self) -> str:
        """The version of the log that a page shows, as its forms carry it."""
        return f"{len(self.game.lines)}-{self._mark():x}-{self.version}"

    def since(self, stamp: str) -> tuple[int, ...] | None:
        """
        Return the entries that came since a page was drawn; `None` if nothing was changed.

        There are none where something else was changed: the header, or entries before them.
        """
        lines = self.game.lines
        if not _STAMP.fullmatch(stamp):
            return None
        number, mark, _ = stamp.split("-")
        if int(mark, 16) != self._mark(int(number)):
            return ()
        return tuple(range(int(number) + 1, len(lines) + 1)) or None

    def _mark(self, number: int | None = None) -> int:
        """Return what tells the header and the first entries from others."""
        table = self.game.record.table
        header = repr((table.hands, table.pieces, table.first, table.house))
        return crc32("\n".join((header, *self.game.lines[:number])).encode())

    def report(self, session: Session) -> Report:
        """Return the report on the game as it stands there; the last one is kept."""
        record = session.record
        if self._drawn is None or self._drawn[0] is not record:
            self._drawn = record, session.game.report()
        return self._drawn[1]

    @property
    def current(self) -> Thought | None:
        """The verdict, unless it is about earlier notes."""
        known = self.verdict
        return known if known and known.record is self.game.record else None

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """What the viewer must have seen and has not told, the last first; a few at once."""
        record = self.game.record
        if self._asked is None or self._asked[0] is not record:
            self._asked = record, tuple(islice(self._questions(record), _QUESTIONS))
        return self._asked[1]

    def _questions(self, record: Record) -> Iterator[OpenQuestion]:
        viewer, table = record.table.viewer, record.table
        for number in range(len(record.entries), 0, -1):
            observation = record.entries[number - 1].observation
            line = self.game.lines[number - 1]
            if (
                viewer is None
                or not observation.sight.hidden
                or observation.sight.owner
                or viewer not in line
            ):
                continue
            if not table.everyone_shows and public_of(observation, table) != observation:
                continue  # what there was to see is told
            with suppress(ClueError):
                told = reading_of(observation, table)
                for doubt in doubts(self.game.game, told, Place(number)):
                    if doubt.kind in ("card seen", "card shown"):
                        yield OpenQuestion(number, line, doubt)


_STAMP = re.compile(r"\d{1,6}-[0-9a-f]{1,8}-\d{1,9}")
