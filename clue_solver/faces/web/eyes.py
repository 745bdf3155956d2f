"""
A pair of eyes at a table: the notes of what it has seen, what its pages are sent, and its links.

Links are secrets, which a hidden file beside the game keeps for its owner alone.
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
from clue_solver.record import Record
from clue_solver.record.files import write_whole
from clue_solver.rules.observations import Observation

_LEAST = 20
"""The least characters of a secret that is kept."""


HELP = ("nothing", "marks", "sheet", "advice")
"""How much help a page gives, each with what those before it give."""


class Links(Struct, frozen=True):
    """
    The link of one page, and what was said there once and for all.

    Attributes:
        secret: What its address ends in; 128 random bits that nobody knows yet if left out.
        taken: Whether somebody has said that the seat is theirs, so that others see no link.
        help: How much help the page gives, of `HELP`; empty for what such a page gives at first.
        steps: Whether machines wait for a tap before each thing they do.
    """

    secret: str = field(default_factory=partial(token_urlsafe, 16))
    taken: bool = False
    help: str = ""
    steps: bool = False


class _Kept(Struct, frozen=True):
    """What stands in the file of a table's links; the recorder's have an empty name."""

    game: str | None
    pages: dict[str, Links]


def beside(game: Path, ending: str) -> Path:
    """Return a hidden file beside a game's that no list of games has."""
    real = Path(os.path.realpath(game))
    return real.with_name(f".{real.name}.{ending}")


def links_file(game: Path) -> Path:
    """Return the hidden file beside a game that keeps its links."""
    return beside(game, "links")


def _kept(game: Path) -> _Kept:
    """Return the links that were kept beside a game, whichever had that name then."""
    try:
        return msgspec.json.decode(links_file(game).read_bytes(), type=_Kept)
    except (OSError, ValueError, msgspec.MsgspecError):
        return _Kept(None, {})


def kept_links(game: Path, mark: str | None) -> dict[str, Links]:
    """Return the links that were kept beside a game, by the pages' names; none of another game."""
    kept = _kept(game)
    whole = all(len(each.secret) >= _LEAST for each in kept.pages.values())
    return kept.pages if whole and kept.game == mark else {}


def secrets_of(game: Path) -> tuple[str, ...]:
    """Return all secrets that were kept beside a game, even if another game had that name then."""
    return tuple(links.secret for links in _kept(game).pages.values())


def keep_links(game: Path, mark: str | None, pages: Mapping[str, Links]) -> str:
    """Keep the links beside a game, for its owner alone; return why not, or nothing."""
    content = msgspec.json.encode(_Kept(mark, dict(pages)))
    try:
        write_whole(content, links_file(game), private=True)
    except (OSError, ValueError) as error:
        return (isinstance(error, OSError) and error.strerror) or str(error)
    return ""


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
        pending: How far it has come.
        tab: The pane that is shown, where the form names another.
    """

    error: str = ""
    late: str = ""
    line: str = ""
    asked: Doubt | None = None
    pending: PendingLine = PendingLine()
    tab: str = ""


NOTHING = FormAnswer()
"""What a page says where there is nothing to say."""


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
        told: What a seat's pages have told, the last at the end, which they may take back.
        verdict: What took longer than the sheet, about these notes or earlier ones.
        done: What the last forms came to, by all that they said.
    """

    def __init__(self, seat: str | None = None, session: Session | None = None) -> None:
        self.seat = seat
        self.session = session
        self.links = Links()
        self.version = randrange(1, 500_000_000)
        self.whole: Record | None = None
        self.seen: Record | None = None
        self.told: list[Observation] = []
        self.verdict: Thought | None = None
        self.done: dict[tuple[object, ...], FormAnswer] = {}
        self._drawn: tuple[Record, Report] | None = None
        self._asked: tuple[Record, OpenQuestion | None] | None = None

    @property
    def secret(self) -> str:
        """The link that is shown."""
        return self.links.secret

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
    def question(self) -> OpenQuestion | None:
        """The last that the viewer must have seen and has not told; `None` if all is told."""
        record = self.game.record
        if self._asked is None or self._asked[0] is not record:
            self._asked = record, next(self._questions(record), None)
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
                told, place = reading_of(observation, table), LogPlace(number)
                for doubt in find_doubts(Candidate(self.game.game, told, place)):
                    if doubt.kind in ("card seen", "card shown"):
                        yield OpenQuestion(number, line, doubt)


_STAMP = re.compile(r"\d{1,6}-[0-9a-f]{1,8}-\d{1,9}")
