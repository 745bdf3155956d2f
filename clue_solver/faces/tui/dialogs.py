"""What opens over the screen: a text to read, and one line to fill in."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from clue_solver.errors import ClueError


class Reading(ModalScreen[None]):
    """A text to read and close."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,f1", "dismiss", "Close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-8)", show=False),
        Binding("pagedown,space", "scroll(8)", show=False),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Lay out the title, the text, and how to leave."""
        with Vertical(classes="dialog"):
            yield Static(Text(self._title, "bold"), classes="dialog-title")
            with VerticalScroll():
                yield Static(self._text, id="reading", markup=False)
            yield Static("Esc closes", classes="dialog-foot", markup=False)

    def action_scroll(self, lines: int) -> None:
        """Move the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def on_click(self) -> None:
        """Close at a click."""
        self.dismiss()


class Filling(ModalScreen[bool]):
    """One line to fill in; what is wrong with it is said while it stays."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave")]

    def __init__(self, title: str, value: str, use: Callable[[str], object]) -> None:
        """
        Args:
            title: What is asked for.
            value: What the line holds at first.
            use: Takes the line; raises `ClueError` where it cannot be.
        """
        super().__init__()
        self._title, self._value, self._use = title, value, use

    def compose(self) -> ComposeResult:
        """Lay out the title, the line, and what is wrong with it."""
        with Vertical(classes="dialog small"):
            yield Static(Text(self._title, "bold"), classes="dialog-title")
            yield Input(self._value, id="filling", compact=True, select_on_focus=False)
            yield Static(id="wrong", markup=False)
            yield Static("Enter accepts, Esc leaves", classes="dialog-foot", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Use the line, or say what is wrong with it."""
        try:
            self._use(event.value)
        except ClueError as error:
            self.query_one("#wrong", Static).update(Text(str(error)))
        else:
            self.dismiss(True)

    def action_leave(self) -> None:
        """Leave everything as it was."""
        self.dismiss(False)
