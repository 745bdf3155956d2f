"""The screen that sets up a new game, question by question, over the answers so far."""

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from clue_solver.faces.setup import Asking, NewGame, table_warnings
from clue_solver.faces.tui.dialogs import Choose


class SetupScreen(Screen[NewGame | None]):
    """
    The set-up of a game: Enter confirms an answer, Esc goes back one question, Ctrl+S starts the
    game.
    """

    def __init__(self, asking: Asking) -> None:
        """Ask some questions; the screen returns the new game, or `None` if it was left."""
        super().__init__()
        self._asking = asking

    def compose(self) -> ComposeResult:
        keys = "   Enter continues, Esc goes back, Ctrl+S starts, Ctrl+Q quits"
        yield Static(Text.assemble(("A new game", "bold"), keys), classes="title")
        yield Static(id="so-far", markup=False)

    def on_mount(self) -> None:
        """Ask the first question."""
        self._go_on(None)

    def _go_on(self, answer: str | None, *, starts: bool = False) -> None:
        """Ask the question after an answer; `starts` takes the defaults of all later questions."""
        try:
            question, so_far = self._asking.send(answer)
            while starts and not question.fault:
                question, so_far = self._asking.send(question.usual)
        except StopIteration as done:
            self.dismiss(done.value)
            return
        remarks = table_warnings(so_far.table) if so_far.typed["players"] else ()
        self.query_one("#so-far", Static).update("\n".join((so_far.text, *remarks)))
        dialog = Choose(question)
        self.app.push_screen(dialog, lambda text: self._go_on(text, starts=dialog.starts))
