"""What the pages with one secret link show: the notes of one seat, or what everybody sees."""

from collections.abc import Iterator
from contextlib import suppress
from random import randrange
from typing import NamedTuple
from zlib import crc32

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

    Attributes:
        entry: The number of the entry in the seat's notes.
        line: The line of the entry.
        doubt: The doubt that contains the question.
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
        self.removed: Observation | None = None
        self.news = ""
        self.last_thought: Thought | None = None
        self.done: dict[tuple[object, ...], FormAnswer] = {}
        self._asked: tuple[Record, frozenset[str], OpenQuestion | None] | None = None

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
        """The version of the header and the log, which the forms of a page send along."""
        return self._stamp_after(len(self.game.lines))

    def is_current(self, stamp: str) -> bool:
        """Return whether a page with this stamp shows the log as it is; true without a stamp."""
        return stamp in ("", self.stamp)

    def added_since(self, stamp: str) -> tuple[int, ...]:
        """
        Return the numbers of the entries added since the page with this `stamp` was drawn.

        The result is empty if anything else has changed.
        """
        entries = range(len(self.game.lines) + 1)
        shown = next((each for each in entries if self._stamp_after(each) == stamp), entries[-1])
        return tuple(entries[shown + 1 :])

    def _stamp_after(self, entry: int) -> str:
        """
        Return the stamp of the header and the first entries: their number and a checksum.

        `entry` is how many entries count.
        """
        table = self.game.record.table
        header = repr((table.hands, table.pieces, table.first, table.house, table.board))
        mark = crc32("\n".join((header, *self.game.lines[:entry])).encode())
        return f"{entry}-{mark:x}"

    @property
    def thought(self) -> Thought | None:
        """The advice or corrections for the notes as they are now; `None` if not yet computed."""
        known = self.last_thought
        return known if known and known.record is self.game.record else None

    @property
    def question(self) -> OpenQuestion | None:
        """The question about the latest card that the viewer saw and has not logged; or `None`."""
        record, told = self.game.record, self.link.told
        if self._asked is None or self._asked[0] is not record or self._asked[1] is not told:
            self._asked = record, told, next(self._questions(record), None)
        return self._asked[2]

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
                or line in self.link.told
            ):
                continue
            if not table.everyone_shows and public_of(observation, table) != observation:
                continue  # the card is logged already
            with suppress(ClueError):
                told, place = reading_of(observation, table), LogPlace(number)
                for doubt in find_doubts(Candidate(self.game.game, told, place)):
                    if doubt.kind in ("card seen", "card shown"):
                        yield OpenQuestion(number, line, doubt)
