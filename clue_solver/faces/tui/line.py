"""The input line, with a history and a suggestion in grey."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.reactive import Reactive
from textual.suggester import Suggester
from textual.widgets import Input


class LineSuggester(Suggester):
    """
    Suggests the likeliest completion of the typed text, in grey after the cursor.

    Args:
        whole: Returns the whole line that a typed text probably becomes; `None` if there is none.
    """

    def __init__(self, whole: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._whole = whole

    async def get_suggestion(self, value: str) -> str | None:
        """Return `value`, the typed text, with its completion; `None` if there is none."""
        whole = self._whole(value)
        return None if whole is None else value + whole[len(value) :]


class RefusableInput(Input):
    """
    An input in which the next typed character may replace the whole text.

    It does so after `let_replace`, for a text that was refused or that the program wrote. But
    Backspace, a space, a comma or a movement of the cursor keeps the text to be edited.
    """

    def let_replace(self, start: int = 0, *, refused: bool = False) -> None:
        """Let the next typed character replace the text from `start`; show if it was refused."""
        self._start = start
        self.cursor_position = len(self.value)
        self.add_class("-replaceable")
        self.set_class(refused, "-refused")

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace the part from `start` to `end`, or what `let_replace` says."""
        if self.has_class("-replaceable") and text.strip(" ,"):
            start, end = self._start, len(self.value)
        self._keep()
        super().replace(text, start, end)

    def watch_selection(self) -> None:
        """Keep the text to be edited if the cursor moves."""
        self._keep()

    def action_cursor_right(self, select: bool = False) -> None:
        """Move the cursor right, and keep the text to be edited. At its end, only keep it."""
        self._keep()
        super().action_cursor_right(select)

    def _keep(self) -> None:
        """Keep the text to be edited: what is typed no longer replaces it."""
        self.remove_class("-replaceable", "-refused")


class InputLine(RefusableInput):
    """The input line, with a history of lines, which were entered or left unfinished."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
    ]
    virtual_size = Reactive(Size(0, 0), layout=False)  # a longer text moves nothing else

    def __init__(self) -> None:
        super().__init__(id="line", compact=True, select_on_focus=False, max_length=9_999)
        self._past: list[str] = []
        self._at = 0

    def write(self, text: str) -> None:
        """Replace the text of the line, and move the focus there."""
        self.value = text
        self.cursor_position = len(text)
        self.screen.set_focus(self)

    def remember(self, line: str) -> None:
        """Add a line to the history."""
        if line.strip():
            self._past = [*(each for each in self._past if each != line), line]
        self._at = len(self._past)

    def action_recall(self, by: int) -> None:
        """
        Show another line of the history: `by` lines later, or earlier if it is negative.

        After the last line comes an empty one.
        """
        recalled = self._at < len(self._past) and self.value == self._past[self._at]
        if self.value and not recalled:
            self.remember(self.value)
            if by < 0:  # up from the line itself, which is the last one now
                self._at -= 1
        self._at = max(0, min(len(self._past), self._at + by))
        self.write(self._past[self._at] if self._at < len(self._past) else "")

    def on_paste(self, event: events.Paste) -> None:
        """Leave pasted text to the screen."""
        event.prevent_default()
