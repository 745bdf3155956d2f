"""Before a game against the computer: whom the person plays, and where the person sits."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static

from clue_solver.arena.dealing import NAMES


class PlaceScreen(Screen[tuple[int, str]]):
    """Whom the person plays, where that is chosen, and then where the person sits."""

    CSS_PATH: ClassVar[str] = "starting.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("ctrl+q", "app.quit", "Quit"),
    ]

    def __init__(self, pieces: Sequence[str], opponents: Sequence[str]) -> None:
        super().__init__()
        self._pieces = ("", *pieces)
        self._opponents = opponents
        self._piece: str | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="asked", classes="title", markup=False)
        yield OptionList(id="offer", markup=False)
        yield Static("The arrows and Enter choose.", id="setup-note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._ask("" if len(self._pieces) == 1 else None)

    def _ask(self, piece: str | None) -> None:
        """Ask for the piece, or once that is chosen for the seat."""
        self._piece = piece
        if piece is None:
            title = "Whom do you play?"
            labels = [name or "By lot" for name in self._pieces]
        else:
            title = "Where do you sit?"
            labels = list(self._seats())
        self.query_one("#asked", Static).update(Text(title, "bold"))
        offered = self.query_one(OptionList)
        offered.clear_options()
        offered.add_options([Text(label) for label in labels])
        offered.highlighted = 0

    def _seats(self) -> Iterator[str]:
        """Yield what each seat is called, and who sits at its left."""
        for place in range(len(self._opponents) + 1):
            left = self._opponents[place % len(self._opponents)]
            yield f"{NAMES[place]}: at your left sits {left}"

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self._piece is None:
            self._ask(self._pieces[event.option_index])
        else:
            self.dismiss((event.option_index + 1, self._piece))

    def action_back(self) -> None:
        """Go back to the piece; at the beginning say how to leave."""
        if self._piece is not None and len(self._pieces) > 1:
            self._ask(None)
        else:
            self.query_one("#setup-note", Static).update("This is the beginning. Ctrl+Q leaves.")
