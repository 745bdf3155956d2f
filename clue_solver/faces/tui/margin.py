"""What a large screen says besides: why the cell is so, and the course of the game."""

from collections.abc import Sequence

from rich.console import RenderableType
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from clue_solver.answers.report import Report
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.faces.tui.entry import EntryLine
from clue_solver.faces.tui.panes import Findings
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import AskingScreen, ViewOptions
from clue_solver.game import Game
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.views.explanations import reason_text
from clue_solver.views.text import curve

_WIDE, _MARGIN, _LEAST = 160, 50, 6
"""The columns of a screen with a margin; those of the margin; rows for a reason in its frame."""

_STILL = 0.3
"""After how many seconds without a key or an entry the margin is worked out."""

_ROWS = 7
"""The rows of the curve."""


class Course:
    """The chance of the likeliest solution after each entry, worked out once an entry."""

    def __init__(self) -> None:
        self._of: tuple[Table, str | None, str | None] | None = None
        self._lines: tuple[str, ...] = ()
        self._chances: list[float] = []

    def chances(
        self,
        game: Game,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        asks: str | None = None,
    ) -> list[float]:
        """Return the chances from none to so many entries; 0 where the log contradicts itself."""
        lines = tuple(game.lines[:upto])
        if self._of != (game.table, viewer, asks):
            self._of, self._chances = (game.table, viewer, asks), []
        same = 0
        for old, new in zip(self._lines, lines, strict=False):
            if old != new:
                break
            same += 1
        chances = self._chances[: same + 1]
        for entries in range(len(chances), len(lines) + 1):
            report = game.report(viewer=viewer, upto=entries, asks=asks)
            chances.append(report.solutions[0].probability if report.consistent else 0.0)
        self._lines, self._chances = lines, chances
        return chances


class MarginScreen(AskingScreen):
    """The screen that says more where there is room for it, worked out while nobody types."""

    def __init__(self, session: Session, line: EntryLine) -> None:
        super().__init__(session, line)
        self._course = Course()
        self._still: Timer | None = None

    @property
    def _tells(self) -> bool:
        """Whether it says more; not where the player keeps the sheet, who is to find out."""
        return self.has_class("-framed") and self.query_one(SheetView).marked is None

    def _arrange(self) -> None:
        super()._arrange()
        wide = self._tells and self.size.width >= _WIDE
        self.update_classes({"-wide": wide, "-explained": self._tells and self.spare >= _LEAST})
        self.query_one("#why").styles.height = self.spare
        if wide:
            self.columns -= _MARGIN
        self._wait()

    def _draw(self, view: ViewOptions, report: Report) -> None:
        super()._draw(view, report)
        self._wait()

    def on_sheet_view_moved(self) -> None:
        """Say why of another cell."""
        self._wait()

    def _wait(self) -> None:
        """Work the margin out once nothing happens any more."""
        if self._still is not None:
            self._still.stop()
        if self._tells:
            self._still = self.set_timer(_STILL, self._explain)

    def _explain(self) -> None:
        cell, drawn, view = self.query_one(SheetView).cell, self.drawn, self.view
        if cell is None or drawn is None or not drawn.consistent:
            return
        session = self.session.still()

        def work() -> None:
            worker = get_current_worker()
            with self._thinking:
                if worker.is_cancelled:
                    return
                try:
                    game = view.game(session)
                    viewer, upto, asks = view.viewer, view.upto, self.asks
                    reason = reason_text(game.why(*cell, viewer=viewer, upto=upto, asks=asks))
                    chances = self._course.chances(game, viewer=viewer, upto=upto, asks=asks)
                except ClueError:
                    return
            self.call_later(self._tell_why, cell, reason, chances)

        self.run_worker(work, thread=True, exclusive=True, group="margin")

    def _tell_why(
        self, cell: tuple[str, str], reason: RenderableType, chances: Sequence[float]
    ) -> None:
        """Show what was worked out, unless the cursor is elsewhere by now."""
        if self.query_one(SheetView).cell != cell:
            return
        card, holder = cell
        why = self.query_one("#why", Findings)
        why.border_title = f"Why: {card}, {'envelope' if holder == ENVELOPE else holder}"
        why.write(lambda _: reason)
        if self.has_class("-wide"):
            width = _MARGIN - 5
            self.query_one("#course", Static).update(curve(chances, width=width, height=_ROWS))
