"""What the pages with one secret link show: the notes of one seat, or what everybody sees."""

import re
from collections.abc import Iterator
from contextlib import suppress
from random import randrange
from typing import NamedTuple
from zlib import crc32

from clue_solver.answers.report import Report
from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.doubts import Doubt, find_doubts
from clue_solver.conversation.meaning import Candidate
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, SetupError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.links import Link
from clue_solver.faces.web.panel import FormAnswer
from clue_solver.faces.web.whole_log import public_of
from clue_solver.notation.reading import reading_of
from clue_solver.record.contents import Record
from clue_solver.rules.observations import Observation


class OpenQuestion(NamedTuple):
    """
    A question to a seat about something that it saw and has not logged yet.

    It has the number and the line of the entry, and the doubt that contains the question.
    """

    entry: int
    line: str
    doubt: Doubt


class Eyes:
    """
    What the pages with one link show: the game as seen by one seat, or by everybody.

    Attributes:
        seat: The seat; `None` for the recorder, whose page shows what everybody sees.
        link: The link and the settings of the page.
        version: A number that increases with each visible change. It begins at a random number, so
            that a page drawn before a restart of the server does not seem to be current.
        session: The notes; `None` before the game is set up.
        logged: The observations that the seat has logged itself, which no other seat may delete.
        removed: What the seat last took out of the log; `None` once it has logged something else.
        news: A message that the page shows: that another seat has logged a card which this one saw
            too, or, on the recorder's page, what a seat asks for. Empty if there is none.
        last_thought: The advice or corrections that were computed last, maybe on earlier notes.
        done: The results of the latest forms, by the content of the form.
    """

    def __init__(self, seat: str | None = None, session: Session | None = None) -> None:
        self.seat = seat
        self.session = session
        self.link = Link()
        self.version = randrange(1, 500_000_000)
        self.logged = set[Observation]()
        self.removed: Observation | None = None
        self.news = ""
        self.last_thought: Thought | None = None
        self.done: dict[tuple[object, ...], FormAnswer] = {}
        self._drawn: tuple[Record, Report] | None = None
        self._asked: tuple[Record, OpenQuestion | None] | None = None
        self._forgotten = set[str]()

    @property
    def secret(self) -> str:
        """The secret at the end of the page's address."""
        return self.link.secret

    @property
    def game(self) -> Session:
        """The session of the game; raises a `SetupError` if no game is set up yet."""
        if self.session is None:
            raise SetupError("expected a game; none is set up yet")
        return self.session

    @property
    def stamp(self) -> str:
        """The version of the header, the log and the page, which the forms of a page send along."""
        return f"{len(self.game.lines)}-{self._checksum():x}-{self.version}"

    def is_current(self, stamp: str) -> bool:
        """
        Return whether header and log are as they were when the page with this `stamp` was drawn.

        The result is `True` also for a text that no page can have as its stamp.
        """
        same = stamp.rpartition("-")[0] == self.stamp.rpartition("-")[0]
        return same or not _STAMP.fullmatch(stamp)

    def added_since(self, stamp: str) -> tuple[int, ...]:
        """
        Return the numbers of the entries added since the page with this `stamp` was drawn.

        The result is empty if anything else has changed.
        """
        if not _STAMP.fullmatch(stamp):
            return ()
        number, mark, _ = stamp.split("-")
        if int(mark, 16) != self._checksum(int(number)):
            return ()
        return tuple(range(int(number) + 1, len(self.game.lines) + 1))

    def _checksum(self, number: int | None = None) -> int:
        """Return a checksum of the header and of the first `number` entries, by default of all."""
        table = self.game.record.table
        header = repr((table.hands, table.pieces, table.first, table.house, table.board))
        return crc32("\n".join((header, *self.game.lines[:number])).encode())

    def report(self) -> Report:
        """Return the report on the game, which is cached until the next change."""
        record = self.game.record
        if self._drawn is None or self._drawn[0] is not record:
            self._drawn = record, self.game.game.report()
        return self._drawn[1]

    @property
    def thought(self) -> Thought | None:
        """The advice or corrections for the notes as they are now; `None` if not yet computed."""
        known = self.last_thought
        return known if known and known.record is self.game.record else None

    @property
    def question(self) -> OpenQuestion | None:
        """The question about the latest card that the viewer saw and has not logged; or `None`."""
        record = self.game.record
        if self._asked is None or self._asked[0] is not record:
            self._asked = record, next(self._questions(record), None)
        return self._asked[1]

    def forget(self, line: str) -> None:
        """Stop asking which card the seat saw in the entry with this line."""
        self._forgotten.add(line)
        self._asked = None

    def _questions(self, record: Record) -> Iterator[OpenQuestion]:
        """Yield the questions about cards that the viewer saw and has not logged, latest first."""
        viewer, table = record.table.viewer, record.table
        for number in range(len(record.entries), 0, -1):
            observation = record.entries[number - 1].observation
            line = self.game.lines[number - 1]
            if (
                viewer is None
                or not observation.sight.hidden
                or observation.sight.owner
                or viewer not in line
                or line in self._forgotten
            ):
                continue
            if not table.everyone_shows and public_of(observation, table) != observation:
                continue  # the card is logged already
            with suppress(ClueError):
                told, place = reading_of(observation, table), LogPlace(number)
                for doubt in find_doubts(Candidate(self.game.game, told, place)):
                    if doubt.kind in ("card seen", "card shown"):
                        yield OpenQuestion(number, line, doubt)


_STAMP = re.compile(r"\d{1,6}-[0-9a-f]{1,8}-\d{1,9}")
