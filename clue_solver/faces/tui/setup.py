"""A new game, set up on one screen: the edition, and a field for everything else."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.errors import ClueError, NotationError, counted
from clue_solver.faces.setup import (
    FIELDS,
    USUAL,
    NewGame,
    Typed,
    doubtful_players,
    edition_line,
    hand_completed,
    offered_editions,
    own_hand_in,
)
from clue_solver.faces.tui.line import Rest
from clue_solver.record import Record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.table import Table


class SetupScreen(Screen[Record | None]):
    """Edition, players, own hand, then the rest; Enter goes on to the next field."""

    CSS_PATH: ClassVar[str] = "game.tcss"
    AUTO_FOCUS: ClassVar[str] = "#editions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next", "Next field", priority=True),
        Binding("ctrl+s", "start", "Start", priority=True),
        Binding("escape", "back", "Back"),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("ctrl+q", "app.quit", "Quit"),
    ]

    def __init__(self, typed: Typed, last: Table | None = None, *, offers: bool = False) -> None:
        """
        Show the fields.

        Args:
            typed: What is filled in.
            last: The table that is played at again, with its customs.
            offers: Whether something else was offered, to which Escape goes back.
        """
        super().__init__()
        self._begins = typed
        self._offers = offers
        self._last = last
        self._meant = {asked for asked, _ in doubtful_players(last)} if last else set()
        self._filled: Typed = {}  # what the program has filled in by itself
        self._told = False  # whether something is said about a field
        self._warned = False  # whether Escape has said that what is typed goes
        self._editions = {edition.name: edition for edition in offered_editions()}
        name = typed.get("edition", USUAL)
        self._editions.setdefault(name, last.edition if last is not None else load_edition(name))

    def compose(self) -> ComposeResult:
        yield Static(Text("A new game", "bold"), classes="title")
        with VerticalScroll(id="fields", can_focus=False):
            lines = (edition_line(each, note=False) for each in self._editions.values())
            yield OptionList(*(Option(Text(line)) for line in lines), id="editions", compact=True)
            for name, label, _ in FIELDS:
                with Horizontal(classes="field", id=f"field-{name}"):
                    yield Static(label, classes="label", markup=False)
                    rest = Rest(self._whole_hand) if name == "hand" else None
                    yield Input(id=name, compact=True, select_on_focus=False, suggester=rest)
        yield Static(id="setup-note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Fill in what is known, and begin where something is to be typed."""
        chosen = self._begins.get("edition", USUAL)
        self.query_one("#editions", OptionList).highlighted = [*self._editions].index(chosen)
        for name, value in self._begins.items():
            if name != "edition":
                self._field(name).value = value
        if self._begins:
            known = self._begins.get("viewer") or self._begins.get("players")
            self.set_focus(self._field("hand" if known else "players"))

    def _field(self, name: str) -> Input:
        return self.query_one(f"#{name}", Input)

    @property
    def typed(self) -> Typed:
        """What the fields hold."""
        chosen = self.query_one("#editions", OptionList).highlighted or 0
        values = {name: self._field(name).value for name, _, _ in FIELDS}
        return values | {"edition": list(self._editions)[chosen]}

    @property
    def new(self) -> NewGame:
        """The game that the fields set up."""
        typed = self.typed
        return NewGame(self._editions[typed["edition"]], typed, self._last)

    # What is typed.

    def on_option_list_option_selected(self) -> None:
        """Go on from the edition to the players."""
        self.set_focus(self._field("players"))

    def on_option_list_option_highlighted(self) -> None:
        """Grey the examples of the edition, and ask for what it has."""
        new = self.new
        for name, example in new.examples.items():
            self._field(name).placeholder = example
        self.query_one("#field-pieces").display = new.edition.board is not None
        self.query_one("#field-face_down").display = bool(new.edition.rooms)
        self._look()

    def on_descendant_focus(self) -> None:
        """Say what belongs into the field, unless something is said about it."""
        if not self._told:
            self._look()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Fill in what follows from what is typed, and say what is still wrong."""
        self._told = False
        if event.value != self._filled.get(str(event.input.id)):
            self._filled.pop(str(event.input.id), None)
        self._look()

    def on_input_submitted(self) -> None:
        """Go to the next field that is not filled in yet; behind the last one start."""
        if self._is_last:
            self.action_start()
            return
        self.focus_next()
        if self.focused is not None and self._filled.get("hands") and self.focused.id == "hands":
            self.focus_next()

    def action_next(self) -> None:
        """Complete a card's name in the hand, else go to the next field."""
        self._told = False
        hand = self._field("hand")
        whole = self._whole_hand(hand.value) if self.focused is hand else None
        if whole is not None:
            hand.value = f"{whole}, "
            hand.cursor_position = len(hand.value)
        else:
            self.focus_next()

    def _whole_hand(self, hand: str) -> str | None:
        """Return the hand with its last name completed; `None` where it cannot be."""
        try:
            return hand_completed(hand, self.new.table)
        except ClueError:
            return None

    def action_back(self) -> None:
        """Go back to the field before; from the first one to what was offered, once warned."""
        if self.focused is not None and self.focused.id != "editions":
            self.app.action_focus_previous()
        elif self._offers and (self._warned or not self.typed["players"]):
            self.dismiss(None)
        else:
            back = "Esc once more goes back: what is typed here is lost. " if self._offers else ""
            self._say(f"{back}Ctrl+Q leaves.")
            self._warned = self._offers

    def action_start(self) -> None:
        """Begin the game; go to the field that is wrong, and ask about what is doubtful."""
        try:
            record = self.new.record
        except ClueError as error:
            self._go_to(error.argument or FIELDS[0][0], f"✗ {error}")
            return
        for asked, otherwise in doubtful_players(record.table):
            if asked not in self._meant:  # nobody is asked twice
                self._meant.add(asked)
                self._go_to("players", f"{asked} If so, Ctrl+S again; if not, {otherwise}.")
                return
        self.dismiss(record)

    # What is said.

    def _go_to(self, field: str, said: str) -> None:
        self._told = True
        self.set_focus(self._field(field))
        self._say(said)

    def _say(self, text: str) -> None:
        self.query_one("#setup-note", Static).update(text)
        self.call_after_refresh(self._show_field)

    def _show_field(self) -> None:
        """Keep the field that is typed in in view, however much is said below it."""
        if self.focused is not None:
            # From the top: to centre what is nearly there already leaves it a row beside.
            self.scroll_to_widget(self.focused, top=True, animate=False, immediate=True)
            self.scroll_to_center(self.focused, animate=False, immediate=True)

    def _look(self) -> None:
        """Say what belongs into the field that is typed in, and what there is so far."""
        self._warned = False
        focused = str(self.focused and self.focused.id)
        of_field = focused in (field.name for field in FIELDS)
        hint = self.new.hint(focused) if of_field else self.new.edition.note
        so_far = self._so_far() if self.typed["players"].strip() else ""
        self._say(f"{hint}\n{so_far}")

    def _fill(self, name: str, value: str) -> None:
        """Fill in what follows from other fields, unless something else is typed there."""
        field = self._field(name)
        if field.value == self._filled.get(name, ""):
            self._filled[name] = field.value = value

    def _so_far(self) -> str:
        """Return what the fields tell so far, or what is still wrong; fill in what follows."""
        try:
            self._fill("face_down", self.new.guess("face_down"))
            even = self.new.guess("hands")
            self._fill("hands", "" if "?" in even else even)
            new = self.new
            if new.missing:
                return new.missing
            record = new.record
        except NotationError as error:
            return error.reason
        except ClueError as error:
            return str(error)
        table = record.table
        told = [*(new.warnings or (counted(len(table.seats), "player"),))]
        if table.slots and table.edition.undealt(len(table.seats)):
            told.append(f"cards lie face-down in {new.typed['face_down']}")
        if held := own_hand_in(record):
            told.append(f"your hand: {', '.join(held)}")
        return f"{'; '.join(told)}. {'Enter' if self._is_last else 'Ctrl+S'} starts."

    @property
    def _is_last(self) -> bool:
        """Whether the last field is typed in."""
        return self.focused is not None and self.focused.id == FIELDS[-1].name
