"""How a game begins: with the last one, or with a new one that is set up on one screen."""

from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, listed
from clue_solver.faces.setup import (
    FIELDS,
    USUAL,
    Typed,
    beyond_limits,
    doubtful_player,
    edition_line,
    field_at_fault,
    filled_in,
    game_line,
    not_nearest,
    offered_editions,
    record_of,
    sizes_of,
    table_of,
)
from clue_solver.faces.tui.entry import Rest
from clue_solver.notation import lexicon_of
from clue_solver.record import Record
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import Table


class OfferScreen(Screen[str]):
    """How to begin: with the last game, at the table of the last one, or at another."""

    CSS_PATH: ClassVar[str] = "starting.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", show=False)]

    def __init__(self, offered: Session | None, last: Table | None, notice: str) -> None:
        super().__init__()
        self._title = "Clue"
        self._notice = notice
        self._choices: dict[str, str] = {}
        self.numbered = False  # whether it was left by a number
        if offered is not None:
            path = offered.keeper.path if offered.keeper else Path("a game")
            self._title = "The last game has not ended"
            self._choices["go on"] = f"Go on with {game_line(path, offered.record)}"
        if last is not None:
            summary = f"{last.edition.title}; {', '.join(last.seats)}"
            self._choices["same table"] = f"A new game, same table as last time: {summary}"
        self._choices["new"] = "A new game at another table" if last else "A new game"

    def compose(self) -> ComposeResult:
        yield Static(Text(self._title, "bold"), classes="title")
        if self._notice:
            yield Static(Text(self._notice), classes="notice")
        options = (f"{number}  {choice}" for number, choice in enumerate(self._choices.values(), 1))
        yield OptionList(*map(Text, options), id="offer", markup=False)
        yield Static("A number, or the arrows and Enter.", id="setup-note", markup=False)
        yield Footer(compact=True)

    def take_key(self, _key: str, mark: str | None) -> bool:
        """Make the choice of a number; what else is typed goes nowhere, which is said."""
        offered = self.query_one(OptionList)
        if mark is not None and mark.isdigit() and 0 < int(mark) <= offered.option_count:
            self.numbered = True
            self.dismiss([*self._choices][int(mark) - 1])
        elif mark is not None and mark.isalnum():
            hint = "First choose above: a number, or the arrows and Enter."
            self.query_one("#setup-note", Static).update(hint)
        else:
            return False
        return True

    def action_back(self) -> None:
        self.query_one("#setup-note", Static).update("This is the beginning. Ctrl+Q leaves.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss([*self._choices][event.option_index])


def completed(hand: str, table: Table) -> str | None:
    """
    Return the half-typed hand with its last card's name completed; `None` where none fits.

    A card is completed once no other card begins so, and those typed before are left out.
    """
    done, comma, last = hand.rpartition(",")
    word = last.strip()
    if not word:
        return None
    names = lexicon_of(table).cards
    taken = {card for part in done.split(",") for card in names.readings(part.strip())}
    cards = [card for card in names.readings(word) if card not in taken]
    if not cards:
        return None
    return f"{done}, {cards[0]}" if comma else cards[0]


class SetupScreen(Screen[Record | None]):
    """Edition, players, sizes and own hand on one screen; Enter goes from field to field."""

    CSS_PATH: ClassVar[str] = "starting.tcss"
    AUTO_FOCUS = "#editions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next", "Next field", priority=True),
        Binding("ctrl+s", "start", "Start", priority=True),
        Binding("escape", "back", "Back"),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("ctrl+q", "app.quit", "Quit"),
    ]

    def __init__(
        self, notice: str = "", table: Table | None = None, *, offers: bool = False
    ) -> None:
        """
        Show the fields, filled in as at an earlier table where there is one.

        Args:
            notice: What to say above them.
            table: The earlier table.
            offers: Whether something else was offered, to which Escape goes back.
        """
        super().__init__()
        self._offers = offers
        self._begun: Typed = {}  # what the fields held at first
        self._leaves = False  # whether Escape leaves what was typed
        self._notice = notice
        self._filled = ""
        self._last = table
        self._meant = table and ", ".join(table.seats)  # players whose names are meant so
        self._editions = {edition.name: edition for edition in offered_editions()}
        if table is not None:
            self._editions.setdefault(table.edition.name, table.edition)

    def compose(self) -> ComposeResult:
        yield Static(Text("A new game", "bold"), classes="title")
        if self._notice:
            yield Static(Text(self._notice), classes="notice")
        with VerticalScroll(id="fields", can_focus=False):
            yield OptionList(
                *(Option(Text(edition_line(edition))) for edition in self._editions.values()),
                id="editions",
                markup=False,
                compact=True,
            )
            for name, label, hint in FIELDS:
                with Horizontal(classes="field", id=f"field-{name}"):
                    yield Static(label, classes="label", markup=False)
                    yield Input(
                        id=name,
                        placeholder=hint,
                        compact=True,
                        select_on_focus=name == "hands",
                        suggester=Rest(self._hint) if name == "hand" else None,
                    )
        yield Static(id="setup-note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        editions = self.query_one("#editions", OptionList)
        table = self._last
        chosen = table.edition.name if table else USUAL
        editions.highlighted = list(self._editions).index(chosen)
        if table is not None:
            even = sizes_of(replace(table, hands=()))
            filled = {**filled_in(table), "hands": "" if "?" in even else even}
            for name, value in filled.items():
                self.query_one(f"#{name}", Input).value = value
            self.set_focus(self.query_one("#hand" if table.viewer else "#players"))
        self._begun = self.typed

    @property
    def typed(self) -> Typed:
        chosen = self.query_one("#editions", OptionList).highlighted or 0
        values = {name: self.query_one(f"#{name}", Input).value for name, _, _ in FIELDS}
        return values | {"edition": list(self._editions)[chosen]}

    def on_option_list_option_selected(self) -> None:
        self.set_focus(self.query_one("#players"))

    def on_option_list_option_highlighted(self) -> None:
        """Fill in the sizes for the edition, and ask for pieces where it has a board."""
        edition = self._editions[self.typed["edition"]]
        self.query_one("#field-pieces").display = edition.board is not None
        self._look()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Fill in the sizes where others ask for it, and say what is still wrong."""
        if event.input.id == "hands" and event.value != self._filled:
            self._filled = ""
        self._look(sizes=event.input.id in ("players", "face_up", "face_down"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == FIELDS[-1][0]:
            self.action_start()
        else:
            self.focus_next()

    def action_next(self) -> None:
        """Complete a card's name in the hand, else go to the next field."""
        hand = self.query_one("#hand", Input)
        if self.focused is hand and (whole := self.rest_of_hand(hand.value)) is not None:
            hand.value = f"{whole}, "
            hand.cursor_position = len(hand.value)
        else:
            self.focus_next()

    def action_back(self) -> None:
        """Go back to the field before; from the first one, or if nothing is typed, to the offer."""
        first = self.focused is None or self.focused.id == "editions"
        if self._offers and (self._leaves or self.typed == self._begun):
            self.dismiss(None)
        elif not first:
            self.app.action_focus_previous()
        else:
            back = "Esc once more goes back: what is typed here is lost. " if self._offers else ""
            self.query_one("#setup-note", Static).update(f"{back}Ctrl+Q leaves.")
            self._leaves = self._offers

    def action_start(self) -> None:
        note = self.query_one("#setup-note", Static)
        players = self.typed["players"]
        try:
            record = self.record
        except ClueError as error:
            note.update(Text(f"✗ {error}", "bold"))
            edition = self._editions[self.typed["edition"]]
            wrong = field_at_fault(self.typed, edition, self._last) or FIELDS[0][0]
            self.set_focus(self.query_one(f"#{wrong}"))
            return
        asked, expected = doubtful_player(players, self._editions[self.typed["edition"]])
        if asked and players != self._meant:
            self._meant = players
            note.update(Text(f"{asked} If so, Ctrl+S again; if not, {expected}.", "bold"))
            self.set_focus(self.query_one("#players"))
        else:
            self.dismiss(record)

    @property
    def table(self) -> Table:
        """The table of the fields, hand sizes aside; raises where they are wrong."""
        typed = self.typed
        return table_of(typed, self._editions[typed["edition"]], self._last)

    @property
    def record(self) -> Record:
        """The record that the fields begin; a `ClueError` tells why there can be none."""
        typed = self.typed
        return record_of(typed, self._editions[typed["edition"]], self._last)

    def rest_of_hand(self, hand: str) -> str | None:
        try:
            return completed(hand, self.table)
        except ClueError:
            return None

    def _hint(self, hand: str) -> str | None:
        whole = self.rest_of_hand(hand)
        return whole if whole and whole.casefold().startswith(hand.casefold()) else None

    def _look(self, *, sizes: bool = True) -> None:
        self._leaves = False
        typed = self.typed
        note = self.query_one("#setup-note", Static)
        if not typed["players"].strip():
            note.update("Type the players' names clockwise, with commas between.")
            return
        try:
            table = self.table
            hands = self.query_one("#hands", Input)
            if sizes and hands.value == self._filled:
                even = sizes_of(table)
                typed["hands"] = self._filled = hands.value = "" if "?" in even else even
            record = self.record
        except NotationError as error:
            note.update(Text(error.reason))
        except ClueError as error:
            note.update(Text(str(error)))
        else:
            held = [
                observation.cards
                for observation in record.observations
                if isinstance(observation, Hand)
            ]
            hand = f"your hand: {', '.join(held[0])}" if held else "your hand may be added later"
            dealt = "" if typed["hands"] else " Who was dealt the first card tells the sizes."
            unusual = filter(None, (beyond_limits(record.table), not_nearest(record.table)))
            seats = f"{'; '.join(unusual) or f'{len(record.table.seats)} players'}; {hand}."
            if not record.table.slots and (left := table.edition.undealt(len(table.seats))):
                corners = listed(table.edition.face_down_rooms(len(table.seats)))
                usually = f": by the rules {corners}" if corners else ""
                seats += f" Say in which {left} rooms a card lies face-down{usually}."
            note.update(Text(f"{seats}{dealt} Ctrl+S, or Enter in the last field, starts."))
