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
from clue_solver.errors import ClueError, NotationError, counted, listed
from clue_solver.faces.setup import (
    FIELDS,
    USUAL,
    Typed,
    beyond_limits,
    doubtful_players,
    edition_line,
    examples_of,
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
from clue_solver.rules.edition import Edition
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

    A card is completed once no other card begins so, or from a slip of it alone, and those typed
    before are left out.
    """
    done, comma, last = hand.rpartition(",")
    word = last.strip()
    if not word:
        return None
    names = lexicon_of(table).cards
    taken = {card for part in done.split(",") for card in names.readings(part.strip())}
    begun = names.readings(word) or names.nearest(word)
    cards = [card for card in begun if card not in taken]
    if not cards:
        return None
    return f"{done}, {cards[0]}" if comma else cards[0]


class SetupScreen(Screen[Record | None]):
    """Edition, players, own hand, then the rest, on one screen; Enter goes on to the next field."""

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
        self, notice: str = "", record: Record | None = None, *, offers: bool = False
    ) -> None:
        """
        Show the fields, filled in as an earlier record has them where there is one.

        Args:
            notice: What to say above them.
            record: The earlier record: its table, and the viewer's hand if it is told.
            offers: Whether something else was offered, to which Escape goes back.
        """
        super().__init__()
        self._offers = offers
        self._begun: Typed = {}  # what the fields held at first
        self._leaves = False  # whether Escape leaves what was typed
        self._about = ""  # the field that something is said about
        self._notice = notice
        self._filled = ""
        self._begins = record
        self._last = table = None if record is None else record.table
        self._meant = {asked for asked, _ in doubtful_players(table)} if table else set[str]()
        self._editions = {edition.name: edition for edition in offered_editions()}
        if table is not None:
            self._editions.setdefault(table.edition.name, table.edition)

    def compose(self) -> ComposeResult:
        yield Static(Text("A new game", "bold"), classes="title")
        if self._notice:
            yield Static(Text(self._notice), classes="notice")
        with VerticalScroll(id="fields", can_focus=False):
            yield OptionList(
                *(Option(Text(edition_line(each, note=False))) for each in self._editions.values()),
                id="editions",
                markup=False,
                compact=True,
            )
            for name, label, _ in FIELDS:
                with Horizontal(classes="field", id=f"field-{name}"):
                    yield Static(label, classes="label", markup=False)
                    yield Input(
                        id=name,
                        compact=True,
                        select_on_focus=name == "hands",
                        suggester=Rest(self._hint) if name == "hand" else None,
                    )
        yield Static(id="setup-note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        editions = self.query_one("#editions", OptionList)
        chosen = self._last.edition.name if self._last else USUAL
        editions.highlighted = list(self._editions).index(chosen)
        if self._begins is not None:
            filled = filled_in(self._begins.table) | {"hand": ", ".join(_hand_in(self._begins))}
            if filled["hands"] == sizes_of(replace(self._begins.table, hands=())):
                filled["hands"] = ""  # they follow the players
            for name, value in filled.items():
                self.query_one(f"#{name}", Input).value = value
            self.set_focus(self.query_one("#hand" if self._begins.table.viewer else "#players"))
        self._begun = self.typed

    @property
    def typed(self) -> Typed:
        chosen = self.query_one("#editions", OptionList).highlighted or 0
        values = {name: self.query_one(f"#{name}", Input).value for name, _, _ in FIELDS}
        return values | {"edition": list(self._editions)[chosen]}

    def on_option_list_option_selected(self) -> None:
        self.set_focus(self.query_one("#players"))

    def on_option_list_option_highlighted(self) -> None:
        """Fill in the sizes for the edition, grey its examples, and ask for pieces on a board."""
        for name, example in examples_of(self.edition).items():
            self.query_one(f"#{name}", Input).placeholder = example
        self.query_one("#field-pieces").display = self.edition.board is not None
        self._look()

    def on_descendant_focus(self) -> None:
        """Say what belongs into another field, unless something is said about it already."""
        if self.focused is None or self.focused.id != self._about:
            self._look(sizes=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Fill in the sizes where others ask for it, and say what is still wrong."""
        if event.input.id == "hands" and event.value != self._filled:
            self._filled = ""
        self._look(sizes=event.input.id in ("players", "face_up", "face_down"))

    def on_input_submitted(self) -> None:
        if self._enter_starts:
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
        try:
            record = self.record
        except ClueError as error:
            self._go_to(error.argument or FIELDS[0][0], f"✗ {error}")
            return
        for asked, otherwise in doubtful_players(record.table):
            if asked not in self._meant:  # nobody is asked twice
                self._meant.add(asked)
                self._go_to("players", f"{asked} If so, Ctrl+S again; if not, {otherwise}.")
                return
        self.dismiss(record)

    def _go_to(self, field: str, said: str) -> None:
        """Go to the field that something is said about."""
        self._about = field
        self.set_focus(self.query_one(f"#{field}"))
        self.query_one("#setup-note", Static).update(Text(said, "bold"))

    @property
    def edition(self) -> Edition:
        """The edition that is chosen."""
        return self._editions[self.typed["edition"]]

    @property
    def table(self) -> Table:
        """The table of the fields, hand sizes aside; raises where they are wrong."""
        return table_of(self.typed, self.edition, self._last)

    @property
    def record(self) -> Record:
        """The record that the fields begin; a `ClueError` tells why there can be none."""
        return record_of(self.typed, self.edition, self._last)

    def rest_of_hand(self, hand: str) -> str | None:
        try:
            return completed(hand, self.table)
        except ClueError:
            return None

    def _hint(self, hand: str) -> str | None:
        whole = self.rest_of_hand(hand)
        return whole if whole and whole.casefold().startswith(hand.casefold()) else None

    @property
    def _face_down(self) -> int:
        """How many cards lie face-down of which it is not said where."""
        try:
            table = self.table
        except ClueError:
            return 0
        return 0 if table.slots else table.edition.undealt(len(table.seats))

    def _look(self, *, sizes: bool = True) -> None:
        """Say what belongs into the field that is typed in, and what there is so far."""
        self._leaves = False
        self._about = ""
        hints = {name: hint for name, _, hint in FIELDS}
        hint = hints.get(str(self.focused and self.focused.id), self.edition.note)
        so_far = self._so_far(sizes=sizes) if self.typed["players"].strip() else ""
        self.query_one("#setup-note", Static).update(Text(f"{hint}\n{so_far}"))

    def _so_far(self, *, sizes: bool) -> str:
        """Return what the fields tell so far, or what is still wrong; fill the sizes in."""
        try:
            table = self.table
            hands = self.query_one("#hands", Input)
            if sizes and hands.value == self._filled:
                even = sizes_of(table)
                self._filled = hands.value = "" if "?" in even else even
            record = self.record
        except NotationError as error:
            return error.reason
        except ClueError as error:
            return str(error)
        said = [beyond_limits(table), not_nearest(table)]
        said = [*filter(None, said)] or [counted(len(table.seats), "player")]
        if held := _hand_in(record):
            said.append(f"your hand: {', '.join(held)}")
        told = f"{'; '.join(said)}."
        if left := self._face_down:
            corners = listed(table.edition.face_down_rooms(len(table.seats)))
            usually = f": by the rules {corners}" if corners else ""
            told += f" Say in which {left} rooms a card lies face-down{usually}."
        if not self.typed["hands"]:
            told += " Say in 'Cards in each hand' who was dealt the first card."
        return f"{told} {'Enter' if self._enter_starts else 'Ctrl+S'} starts."

    @property
    def _enter_starts(self) -> bool:
        """Whether Enter starts: in the last field, or where the hand is told and nothing lacks."""
        field = self.focused and self.focused.id
        told = field == "hand" and self.typed["hand"].strip() != "" and not self._face_down
        return told or field == FIELDS[-1][0]


def _hand_in(record: Record) -> tuple[str, ...]:
    """Return the viewer's hand that a new record begins with, if it does."""
    hands = (each for each in record.observations if isinstance(each, Hand))
    return next((each.cards for each in hands if each.seat == record.table.viewer), ())
