"""
What a change follows: the last entry of the log that its page showed.

Where another entry came first, the change is not what its phone meant any more: it is shown what
was logged, and asked.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple
from zlib import crc32

from clue_solver.conversation.changes import Place
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.notation import format_line
from clue_solver.rules.observations import Observation, Skip

Share = Callable[[Observation], Observation | None]


class Following(NamedTuple):
    """
    The end of a log as a page showed it.

    Attributes:
        number: How many entries there were.
        last: What tells the last of them from others.
        version: The version of the page.
    """

    number: int
    last: int
    version: int = 0

    @classmethod
    def end_of(cls, lines: Sequence[str], version: int = 0) -> "Following":
        """Return the end of a log as it stands."""
        return cls(len(lines), _mark(lines, len(lines)), version)

    @classmethod
    def read(cls, text: str) -> "Following | None":
        """Return what a form or an address says; `None` where it says nothing that can be."""
        if not _FORM.fullmatch(text):
            return None
        number, last, version = text.split("-")
        return cls(int(number), int(last, 16), int(version))

    def __str__(self) -> str:
        """Return it as a form or an address has it."""
        return f"{self.number}-{self.last:x}-{self.version}"

    def fits(self, lines: Sequence[str]) -> bool:
        """Whether a log still ends so."""
        return self.number == len(lines) and self.stands(lines)

    def stands(self, lines: Sequence[str]) -> bool:
        """Whether the entry that was the last is still there."""
        return self.number <= len(lines) and self.last == _mark(lines, self.number)

    def since(self, lines: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of the entries that came since; the last one if others went."""
        first = self.number + 1 if self.stands(lines) else max(1, len(lines))
        return tuple(range(first, len(lines) + 1))

    def meant(self, line: str, session: Session) -> str:
        """Return a line as it was meant there; as it is where that cannot be known."""
        if not self.stands(session.lines):
            return line
        with suppress(ClueError):
            told = session.read(line, editing=self.number + 1)
            comment = f"  # {told.comment}" if told.comment else ""
            return format_line(told.told, session.record.table) + comment
        return line

    def taken(self, line: str, session: Session, share: Share) -> bool:
        """
        Whether a line is what was logged there, so that its phone only did not hear of it.

        Args:
            line: The line.
            session: The log.
            share: Returns what the log has of an observation.
        """
        if not self.stands(session.lines):
            return False
        for number in range(self.number + 1, len(session.lines) + 1):
            logged = session.entry(number).observation
            with suppress(ClueError):
                told = session.with_seen_card(session.read(line, editing=number), Place(number))
                if share(told.told) == logged:
                    return True
            if not isinstance(logged, Skip):  # those that were asked about come before it
                return False
        return False


_FORM = re.compile(r"\d{1,6}-[0-9a-f]{1,8}-\d{1,9}")


def _mark(lines: Sequence[str], number: int) -> int:
    return crc32(lines[number - 1].encode()) if number else 0
