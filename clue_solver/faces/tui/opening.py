"""The screen before a game. It asks how to begin, and shows a new game as far as it is set up."""

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from clue_solver.faces.opening import Opening
from clue_solver.faces.setup import NewGame, table_warnings
from clue_solver.faces.tui.dialogs import Choose


class OpeningScreen(Screen[NewGame | str]):
    """
    Asks the questions before a game. Its result is the new game, or what was chosen instead.

    Enter confirms an answer, Esc goes back one question, and Ctrl+S confirms an answer and takes
    the defaults for all later questions.

    Args:
        asking: The questions, as the generator that `opening` returns.
    """

    def __init__(self, asking: Opening) -> None:
        super().__init__()
        self._asking = asking

    def compose(self) -> ComposeResult:
        yield Static(classes="title")
        yield Static(id="so-far", markup=False)

    def on_mount(self) -> None:
        """Ask the first question."""
        self._go_on(None)

    def _go_on(self, answer: str | None, *, starts: bool = False) -> None:
        """
        Pass on an answer, and ask the next question.

        Args:
            answer: The answer; `None` at first, and to go back.
            starts: Whether to answer all later questions with their defaults.
        """
        try:
            question, so_far = self._asking.send(answer)
            while starts and not question.fault:
                question, so_far = self._asking.send(question.usual)
        except StopIteration as done:
            self.dismiss(done.value)
            return
        self._show(so_far)
        dialog = Choose(question)
        self.app.push_screen(dialog, lambda text: self._go_on(text, starts=dialog.starts))

    def _show(self, new: NewGame | None) -> None:
        """Show the record of the new game so far, with warnings; show nothing if it is `None`."""
        text = ""
        if new is not None:
            remarks = table_warnings(new.table) if new.typed["players"] else ()
            text = "\n".join((new.text, *remarks))
        self.query_one("#so-far", Static).update(text)
        keys = "   Enter continues, Esc goes back, Ctrl+S starts, Ctrl+Q quits"
        title = self.query_one(".title", Static)
        title.update(Text.assemble(("A new game", "bold"), keys))
        title.display = new is not None
