"""
The notes of one seat, or of everybody, with the secret link of the pages that show them.

Links are saved in a hidden file next to the game, which only its owner can read.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import randrange
from secrets import token_urlsafe
from typing import NamedTuple
from zlib import crc32

import msgspec
from msgspec import Struct, field

from clue_solver.answers.report import Report
from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.dialog import PendingLine
from clue_solver.conversation.doubts import Candidate, Doubt, find_doubts
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, SetupError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.whole_log import public_of
from clue_solver.notation.reading import reading_of
from clue_solver.record.contents import Record
from clue_solver.record.files import write_whole
from clue_solver.rules.observations import Observation

_LEAST = 20
"""How many characters a saved secret must have at least."""


HELP = ("nothing", "marks", "sheet", "advice")
"""The levels of help that a page can give. Each includes those before it."""


class Links(Struct, frozen=True):
    """
    The link of one page, and the settings of that page.

    Attributes:
        secret: The end of the page's address. By default, 128 new random bits.
        taken: Whether a player has taken the seat, so that others see no link to it.
        help: The level of help, one of `HELP`; empty for the usual level.
        steps: Whether machines wait for a tap before each action.
    """

    secret: str = field(default_factory=partial(token_urlsafe, 16))
    taken: bool = False
    help: str = ""
    steps: bool = False


class _LinksFile(Struct, frozen=True):
    """The content of a file of links, by seat. The recorder's link has an empty name."""

    game: str | None
    pages: dict[str, Links]


def beside(game: Path, ending: str) -> Path:
    """Return the path of a hidden file next to the file of a game."""
    real = Path(os.path.realpath(game))
    return real.with_name(f".{real.name}.{ending}")


def links_file(game: Path) -> Path:
    """Return the path of the hidden file with the links of a game."""
    return beside(game, "links")


def _load_links(game: Path) -> _LinksFile:
    """Return the saved links next to a game, even if they belong to an older game."""
    try:
        return msgspec.json.decode(links_file(game).read_bytes(), type=_LinksFile)
    except (OSError, ValueError, msgspec.MsgspecError):
        return _LinksFile(None, {})


def kept_links(game: Path, mark: str | None) -> dict[str, Links]:
    """Return the saved links of a game by page name; empty if they are of another game."""
    kept = _load_links(game)
    whole = all(len(each.secret) >= _LEAST for each in kept.pages.values())
    return kept.pages if whole and kept.game == mark else {}


def secrets_of(game: Path) -> tuple[str, ...]:
    """Return all saved secrets next to a game, even if they belong to an older game."""
    return tuple(links.secret for links in _load_links(game).pages.values())


def keep_links(game: Path, mark: str | None, pages: Mapping[str, Links]) -> str:
    """Save the links of a game in its hidden file; return an error message, or an empty text."""
    content = msgspec.json.encode(_LinksFile(mark, dict(pages)))
    try:
        write_whole(content, links_file(game), private=True)
    except (OSError, ValueError) as error:
        return (isinstance(error, OSError) and error.strerror) or str(error)
    return ""


class OpenQuestion(NamedTuple):
    """A question to a seat about something that it saw and has not logged yet."""

    entry: int
    line: str
    doubt: Doubt


class FormAnswer(NamedTuple):
    """
    The result of a form, which the next page shows.

    Attributes:
        error: Why nothing was done; empty if there was no error.
        late: The version of the page if the log has changed since, so that nothing was done.
        line: The line that was sent but not logged.
        asked: The question about that line.
        pending: The line and the answers to earlier questions about it.
        tab: The tab to show, if it is not the one of the form.
        done: What was done, where the page would not show it otherwise.
        chosen: What was chosen in a dealt game and has to be confirmed, as in `Draft.chosen`.
    """

    error: str = ""
    late: str = ""
    line: str = ""
    asked: Doubt | None = None
    pending: PendingLine = PendingLine()
    tab: str = ""
    done: str = ""
    chosen: tuple[str, ...] = ()


NOTHING = FormAnswer()
"""The result of a form if there is nothing to show."""


class Eyes:
    """
    What one page of a table shows: the game as seen by one seat, or by everybody.

    Attributes:
        seat: The seat; `None` for the recorder, whose page shows what everybody sees.
        links: The link and the settings of the page.
        version: A number that increases with each visible change. It begins at a random number, so
            that a page from before a restart is not taken for a current one.
        session: The notes; `None` before the game is set up.
        whole, seen: The complete log from which the notes were made, and the notes at that time.
        told: The observations that the seat has logged itself, which no other seat may delete.
        removed: What the seat took out of the log last, until it logs something.
        news: What another seat has just logged of what this one saw too; empty if nothing.
        verdict: The last computed verdict, which may be about earlier notes.
        done: The results of the last forms, by their content.
    """

    def __init__(self, seat: str | None = None, session: Session | None = None) -> None:
        self.seat = seat
        self.session = session
        self.links = Links()
        self.version = randrange(1, 500_000_000)
        self.whole: Record | None = None
        self.seen: Record | None = None
        self.told = set[Observation]()
        self.removed: Observation | None = None
        self.news = ""
        self.verdict: Thought | None = None
        self.done: dict[tuple[object, ...], FormAnswer] = {}
        self._drawn: tuple[Record, Report] | None = None
        self._asked: tuple[Record, OpenQuestion | None] | None = None
        self._forgotten = set[str]()

    @property
    def secret(self) -> str:
        """The end of the page's address."""
        return self.links.secret

    @property
    def game(self) -> Session:
        """The session of the game; raises a `SetupError` if no game is set up yet."""
        if self.session is None:
            raise SetupError("expected a game; none is set up yet")
        return self.session

    @property
    def stamp(self) -> str:
        """The version of the log, which the forms of a page send along."""
        return f"{len(self.game.lines)}-{self._checksum():x}-{self.version}"

    def is_current(self, stamp: str) -> bool:
        """
        Return whether the header and the log are as they were when a page was drawn.

        True also for a text that is no page's stamp.
        """
        same = stamp.rpartition("-")[0] == self.stamp.rpartition("-")[0]
        return same or not _STAMP.fullmatch(stamp)

    def added_since(self, stamp: str) -> tuple[int, ...]:
        """Return the entries added since a page was drawn; empty if anything else has changed."""
        if not _STAMP.fullmatch(stamp):
            return ()
        number, mark, _ = stamp.split("-")
        if int(mark, 16) != self._checksum(int(number)):
            return ()
        return tuple(range(int(number) + 1, len(self.game.lines) + 1))

    def _checksum(self, number: int | None = None) -> int:
        """Return a checksum of the header and the first entries."""
        table = self.game.record.table
        header = repr((table.hands, table.pieces, table.first, table.house, table.board))
        return crc32("\n".join((header, *self.game.lines[:number])).encode())

    def report(self, session: Session) -> Report:
        """Return the report on a game; the last one is cached."""
        record = session.record
        if self._drawn is None or self._drawn[0] is not record:
            self._drawn = record, session.game.report()
        return self._drawn[1]

    @property
    def current(self) -> Thought | None:
        """The verdict; `None` if it is about earlier notes."""
        known = self.verdict
        return known if known and known.record is self.game.record else None

    @property
    def question(self) -> OpenQuestion | None:
        """The question about the last thing that the viewer saw and has not logged, if any."""
        record = self.game.record
        if self._asked is None or self._asked[0] is not record:
            self._asked = record, next(self._questions(record), None)
        return self._asked[1]

    def forget(self, line: str) -> None:
        """Ask no more about what the seat saw in a line."""
        self._forgotten.add(line)
        self._asked = None

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
                or line in self._forgotten
            ):
                continue
            if not table.everyone_shows and public_of(observation, table) != observation:
                continue  # what there was to see is told
            with suppress(ClueError):
                told, place = reading_of(observation, table), LogPlace(number)
                for doubt in find_doubts(Candidate(self.game.game, told, place)):
                    if doubt.kind in ("card seen", "card shown"):
                        yield OpenQuestion(number, line, doubt)


_STAMP = re.compile(r"\d{1,6}-[0-9a-f]{1,8}-\d{1,9}")
