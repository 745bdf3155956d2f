"""Asking the sheet: why, what if, as of when, through whose eyes, and which card to show."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from clue_solver.faces.tui.dialogs import Reading
from clue_solver.faces.tui.entry import EntryLine
from clue_solver.faces.tui.helping import HELP
from clue_solver.faces.tui.panes import LogView
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import TableScreen
from clue_solver.faces.tui.view import View, next_viewer
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.explanations import advice_text, reason_text
from clue_solver.views.text import labelled


class AskingScreen(TableScreen):
    """The screen as something to ask; it changes what is looked at, never the game."""

    def on_sheet_view_asked(self) -> None:
        """Say why, at the second click on a cell."""
        self.action_why()

    def action_why(self) -> None:
        """Say why the card under the cursor is where it is, or may be."""
        cell = self.query_one(SheetView).cell
        if cell is None or self.drawn is None or not self.drawn.consistent:
            return
        view = self.view
        self.ask("Why?", lambda: reason_text(view.why(self.session, *cell)))

    def action_what_if(self) -> None:
        """Suppose that the holder has the card; asked again, that it has not."""
        cell = self.query_one(SheetView).cell
        if cell is None:
            return
        card, holder = cell
        has, lacks = f"{holder} has {card}", f"{holder} lacks {card}"
        supposed = lacks if self.view.supposed == has else has
        self.look(View(viewer=self.view.viewer, upto=self.view.upto, supposed=supposed))
        name = "the envelope" if holder == ENVELOPE else holder
        self.say(f"supposing about {name} and {card}; once more for the contrary, Esc comes back")

    def action_as_of(self, step: int = 0) -> None:
        """See the game as of an earlier or later entry; as of the highlighted one for 0."""
        last = len(self.session.record.entries)
        at = self.view.upto if self.view.upto is not None else last
        entry = self.query_one(LogView).entry
        upto = max(0, min(last, at + step)) if step else entry
        self.look(View(viewer=self.view.viewer, upto=None if upto == last else upto))

    def action_eyes(self) -> None:
        """Look through the next player's eyes."""
        viewer = next_viewer(self.session, self.view.viewer)
        self.look(View(viewer=viewer, upto=self.view.upto))

    def action_showings(self) -> None:
        """Say which cards may be shown in answer to the typed suggestion, and what each tells."""
        line = self.query_one(EntryLine).value
        if not line.strip():
            self.say("type the suggestion that you are asked, then F3 says which card to show")
            return

        def answer() -> RenderableType:
            rows = [
                (each.card, f"they know it, entry {each.known}" if each.known
                 else f"tells {max(each.bits, 0):.2f} bits")
                for each in self.session.showings(line)
            ]  # fmt: skip
            if not rows:
                return Text("You have none of these cards: you pass.")
            return labelled("What tells least stands first", rows)

        self.ask("Which card may I show?", answer)

    def action_advise(self) -> None:
        """Say what to ask next, whether to accuse, and who is close."""
        game, upto = self.session.game, self.view.upto
        self.ask("What to ask", lambda: advice_text(game.advice(upto=upto)))

    def action_help(self) -> None:
        """Say what the keys do."""
        self.app.push_screen(Reading("Keys and short forms", Text(HELP)))

    def action_pane(self, step: int = 1) -> None:
        """Go to the next pane; the entry line follows the last."""
        around = self.panes()
        ids = [self.focused is not None and self.query_one(pane) is self.focused for pane in around]
        place = (ids.index(True) if True in ids else 0) + step
        pane = around[place % len(around)]
        fold = pane.removeprefix("#")
        self.action_fold("log" if fold == "log" else "best" if fold == "best" else "sheet")
        self.query_one(pane).focus()

    def look(self, view: View) -> None:
        """Look at something else."""
        self.view, self.check = view, None
        self.refresh_all()
