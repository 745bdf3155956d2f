"""The first minute of the first game: what to type next, by what the person has done."""

from contextlib import suppress
from pathlib import Path
from typing import get_args

from clue_solver.conversation.dialog import EntryDialog
from clue_solver.conversation.doubts import missing_hand
from clue_solver.errors import ClueError
from clue_solver.faces.setup import games_by_time
from clue_solver.record import Record, load_record
from clue_solver.rules.observations import Hand, Suggestion
from clue_solver.views.guide import Hint, hint_text

_ORDER: tuple[Hint, ...] = get_args(Hint)


def first_guide(folder: Path) -> "Guide | None":
    """Return the guide for who plays the first game; `None` once it was seen, or one is there."""
    mark = folder.parent / "guided"
    if mark.exists() or any(begun(file) for file in games_by_time(folder)):
        return None
    return Guide(mark)


def begun(file: Path) -> bool:
    """Whether there is more in a game than a hand; what cannot be read counts as begun."""
    with suppress(ClueError, OSError):
        return not fresh(load_record(file))
    return True


def fresh(record: Record) -> bool:
    """Whether nothing has happened in a game yet."""
    return all(isinstance(each, Hand) for each in record.observations)


class Guide:
    """
    Hints, one after the other.

    Args:
        mark: The file that says that they were seen, so that they never come again.
    """

    def __init__(self, mark: Path) -> None:
        self._mark = mark
        self._hint: Hint | None = _ORDER[0]

    def text(self, dialog: EntryDialog) -> str:
        """Return what to do next; empty once all is done."""
        session = dialog.session
        table = session.record.table
        told = [each for each in session.record.observations if isinstance(each, Suggestion)]
        if self._hint == "end" and len(told) > 3:
            self.end()
        if self._hint is None:
            return ""
        hint: Hint = "hand" if missing_hand(session.record) else "ask"
        if session.redoing and told:
            hint = "end"
        elif told:
            hint = "sheet" if len(told) == 1 else "undo" if len(told) == 2 else "end"
        elif dialog.asking is not None and dialog.asking.doubt.asks == "answer":
            hint = "answer"
        if _ORDER.index(hint) > _ORDER.index(self._hint) or hint in ("ask", "answer"):
            self._hint = hint
        asks, line = session.turn or table.seats[-1], ""
        if self._hint == "answer" and dialog.asking and dialog.asking.told:
            asks = getattr(dialog.asking.told.observation, "by", asks)
            line = dialog.asking.line
        hinted = hint_text(self._hint, table, asks, line)
        return f"{hinted} (Esc: no hints)"

    def end(self) -> bool:
        """Give no more hints, now and in later games; return whether there were any."""
        was = self._hint is not None
        self._hint = None
        with suppress(OSError):
            self._mark.parent.mkdir(parents=True, exist_ok=True)
            self._mark.touch()
        return was
