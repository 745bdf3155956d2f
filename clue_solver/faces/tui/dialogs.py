"""The two dialogs: a text to read, and a question with a list of choices."""

from collections.abc import Callable
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.markup import escape
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.faces.prompt import Prompt
from clue_solver.faces.tui.line import RefusableInput

_ASKS = "type a number or a word, then Enter"
"""The advice on how to answer a question if no choice is marked."""


class Reader(ModalScreen[None]):
    """A dialog that shows a text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter", "dismiss", "Close")]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self.called = title
        self.text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as box:
            box.border_title = escape(self.called)
            box.border_subtitle = "arrows scroll, Esc closes"
            yield Static(self.text, markup=False)


class Choose(ModalScreen[str | None]):
    """
    A dialog that asks a question with a list of choices.

    Its result is the value of the choice, or the typed text, or `None` after Escape. Enter alone
    takes the marked choice. If none is marked, the dialog stays open and says what to type.

    Attributes:
        question: The question.
        starts: Whether the person answered with Ctrl+S, so that later questions are skipped.
        place: The pane that the dialog covers, which grows to the dialog's height while it is
            open; `None` if it covers no pane.
    """

    AUTO_FOCUS: ClassVar[str] = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "dismiss(None)", "Back"),
        Binding("f1", "app.over('help')", show=False),
        Binding("f10,ctrl+g", "app.over('advise')", show=False),
        Binding("ctrl+s", "start", show=False),
        Binding("up", "move('cursor_up')", show=False),
        Binding("down", "move('cursor_down')", show=False),
        Binding("pageup", "move('page_up')", show=False),
        Binding("pagedown", "move('page_down')", show=False),
    ]

    def __init__(
        self,
        question: Prompt,
        fits: Callable[[str], str | None] | None = None,
        place: Widget | None = None,
    ) -> None:
        """
        Ask a question.

        Args:
            question: The question.
            fits: Returns the value of the choice that a text means; by default
                `question.value_in`.
            place: The pane to cover; `None` to cover none.
        """
        super().__init__(classes="-placed" if place else "")
        self.starts = False
        self.place = place
        self.question = question
        self._fits = fits or question.value_in
        keys = "type it; Esc goes back"
        if question.choices:
            marked = question.usual in question.values
            keys = "Enter takes the marked line" if marked else _ASKS
        self.field = RefusableInput(
            question.typed,
            compact=True,
            select_on_focus=False,
            placeholder=question.example or keys,
        )
        numbered = (f"{number:>2} {label}" for number, (label, _) in enumerate(question.choices, 1))
        self.list = OptionList(*(Option(Text(each)) for each in numbered), compact=True)
        self.list.can_focus = False
        about = Static(Text(question.line, no_wrap=True, overflow="ellipsis"), id="about")
        title = Static(Text(question.title, "bold"))
        remark = question.fault or question.hint
        self.hint = Static(remark, id="hint", markup=False)
        self.box = Vertical(about, title, self.list, self.field, self.hint, classes="dialog")
        about.display = bool(question.line)
        self.list.display = bool(question.choices)
        self.hint.display = bool(remark)

    def compose(self) -> ComposeResult:
        yield self.box

    def on_mount(self) -> None:
        """Highlight the answer that is filled in, or the usual one; typing replaces that text."""
        self._mark(self.question.typed)
        self.field.let_replace(refused=bool(self.question.fault))
        self.call_after_refresh(self.list.scroll_to_highlight)

    def on_resize(self) -> None:
        """
        Fit the dialog to the covered pane again, after the size of the terminal or pane changed.
        """
        if self.place is not None:
            self.box.styles.width = self.place.region.width
            self.call_after_refresh(self._make_room, self.place)

    def _make_room(self, place: Widget) -> None:
        """Let the covered pane grow to the height of the dialog."""
        if self.is_attached:
            place.styles.min_height = self.box.outer_size.height

    def on_unmount(self) -> None:
        """Restore the height of the covered pane."""
        if self.place is not None:
            self.place.styles.min_height = None

    def _mark(self, typed: str) -> None:
        """Highlight the choice that a text means, or none; the usual one if the text is empty."""
        value = self._fits(typed) if typed else self.question.usual
        values = self.question.values
        self.list.highlighted = values.index(value) if value in values else None

    def action_move(self, how: str) -> None:
        """Move the highlight; `how` is a movement of the list, such as `cursor_up`."""
        getattr(self.list, f"action_{how}")()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Highlight the choice that the typed text means."""
        self._mark(event.value.strip())

    def on_input_submitted(self) -> None:
        """
        Close the dialog with the highlighted choice or else the typed text; refuse Enter alone.
        """
        typed = self.field.value.strip()
        if self.list.highlighted is not None:
            self.dismiss(self.question.values[self.list.highlighted])
        elif typed or not self.question.choices:
            self.dismiss(typed)
        else:  # nothing is chosen
            self.hint.update(f"Enter alone is not an answer: {_ASKS}.")
            self.hint.display = True
            self.app.bell()

    def action_start(self) -> None:
        """Answer the question as Enter does, and skip the questions that follow."""
        self.starts = True
        self.on_input_submitted()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the dialog with the choice that was clicked."""
        self.dismiss(self.question.values[event.option_index])
