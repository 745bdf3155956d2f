"""The two dialogs: a text to read, and a question with a list of answers."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option


class Reader(ModalScreen[None]):
    """A text to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "dismiss", "Close"),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self.called = title
        self.text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as box:
            box.border_title = Text(self.called).markup
            box.border_subtitle = "arrows scroll, Esc closes"
            yield Static(self.text, markup=False)


class Choose(ModalScreen[int | str | None]):
    """
    A question with a list of answers; what fits none of them may be an answer in words.

    It gives the number of an answer, from 0 on, or what was typed, or nothing for Escape. Enter
    alone chooses nothing, unless an answer is marked from the beginning.
    """

    AUTO_FOCUS: ClassVar[str] = "Input"
    HORIZONTAL_BREAKPOINTS = [(0, "-two"), (120, "-three")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "dismiss(None)", "Back"),
        Binding("f1", "app.over('help')", show=False),
        Binding("f10,ctrl+g", "app.over('do(\"advise\")')", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
    ]

    def __init__(
        self,
        question: str,
        answers: Sequence[str],
        *,
        marked: int | None = None,
        fits: Callable[[str], int | None] | None = None,
        words: bool = True,
        hint: str = "",
    ) -> None:
        """
        Hold a question.

        Args:
            question: What is asked.
            answers: What may be answered.
            marked: The answer that Enter alone chooses; none if left out.
            fits: Returns the answer that a text means; by number or beginning if left out.
            words: Whether something else may be typed.
            hint: What to say under it.
        """
        super().__init__()
        self.question = question
        self.answers = answers
        self.marked = marked
        self.fits = fits or self._fitting
        self.words = words
        self.hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self.question, "bold"))
            numbered = (f"{number:>2} {each}" for number, each in enumerate(self.answers, 1))
            yield OptionList(*(Option(Text(each)) for each in numbered), compact=True)
            yield Input(compact=True, select_on_focus=False, placeholder=self._keys)
            yield Static(self.hint, id="hint", markup=False)

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed.can_focus = False
        listed.highlighted = self.marked
        listed.display = bool(self.answers)
        self.query_one("#hint").display = bool(self.hint)

    @property
    def _keys(self) -> str:
        if not self.answers:
            return "type it; Esc goes back"
        return "a number, a word, or the arrows"

    def action_move(self, by: int) -> None:
        """Mark another answer."""
        listed = self.query_one(OptionList)
        now = listed.highlighted
        first = 0 if by > 0 else len(self.answers) - 1
        wanted = first if now is None else now + by
        listed.highlighted = max(0, min(len(self.answers) - 1, wanted))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Mark the answer that is typed so far, if there is one."""
        self.query_one(OptionList).highlighted = self._meant(event.value.strip())

    def _meant(self, typed: str) -> int | None:
        return self.fits(typed) if typed else self.marked

    def _fitting(self, typed: str) -> int | None:
        """Return the answer with this number, or the first that begins so, or has such a word."""
        typed = typed.casefold()
        if typed.isdecimal():
            number = int(typed[:6])
            return number - 1 if 0 < number <= len(self.answers) else None
        labels = [each.casefold() for each in self.answers]
        begun = [place for place, each in enumerate(labels) if each.startswith(typed)]
        within = [place for place, each in enumerate(labels) if f" {typed}" in each]
        return next(iter(begun or within), None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the answer that is marked, or what was typed."""
        chosen = self.query_one(OptionList).highlighted
        typed = event.value.strip()
        if chosen is not None:
            self.dismiss(chosen)
        elif self.words and (typed or not self.answers):
            self.dismiss(typed)
        else:
            self.app.bell()  # nothing is chosen

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give the answer that was clicked on."""
        self.dismiss(event.option_index)
