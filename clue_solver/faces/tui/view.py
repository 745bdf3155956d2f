"""What of a game is looked at: through whose eyes, as of which entry, supposing what."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from clue_solver.answers.reasons import Reason
from clue_solver.answers.report import Report
from clue_solver.rules.table import SPECTATOR
from clue_solver.session import Session


class View(Struct, frozen=True, kw_only=True):
    """
    One way to look at a game; `View()` is the game as it stands, by its own viewer's notes.

    Attributes:
        viewer: A seat or `spectator`; `None` for the record's viewer.
        upto: How many entries count; `None` for all.
        supposed: What is assumed besides, as a line; `None` for nothing.
    """

    viewer: str | None = None
    upto: int | None = None
    supposed: str | None = None

    def report(self, session: Session) -> Report:
        """Return the report that this view is of; raises as `Game.report`."""
        game = session.game.suppose(self.supposed) if self.supposed else session.game
        return game.report(viewer=self.viewer, upto=self.upto)

    def why(self, session: Session, card: str, holder: str) -> Reason:
        """Return why a card is where it is, by this view; raises as `Game.why`."""
        game = session.game.suppose(self.supposed) if self.supposed else session.game
        return game.why(card, holder, viewer=self.viewer, upto=self.upto)

    @property
    def banner(self) -> str:
        """What to say about the view; empty for the game as it stands."""
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.supposed is not None:
            yield f"WHAT IF {self.supposed}"
        if self.upto is not None:
            yield f"AS OF ENTRY {self.upto}"
        if self.viewer == SPECTATOR:
            yield "AS A SPECTATOR SEES IT"
        elif self.viewer is not None:
            yield f"THROUGH {self.viewer}'S EYES, by what everybody can know"


def next_viewer(session: Session, viewer: str | None) -> str | None:
    """Return whose eyes follow these: the other seats in order, a spectator, then one's own."""
    own = session.record.table.viewer
    others = [seat for seat in (*session.record.table.seats, SPECTATOR) if seat != own]
    if own is None:
        others.remove(SPECTATOR)
    around: list[str | None] = [None, *others]
    return around[(around.index(viewer) + 1) % len(around)]
