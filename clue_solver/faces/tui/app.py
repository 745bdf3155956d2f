"""
The application: what it begins with (the last game, or a new one set up on one screen), its
colours, and how it ends.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.errors import ClueError, NotationError, RecordError, SetupError
from clue_solver.exchange.layout import with_hand
from clue_solver.faces.setup import fresh_path, games_folder, last_unfinished, listed, sizes_of
from clue_solver.faces.tui.entry import Choosing, Rest
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.faces.tui.sheet import DARK, LIGHT
from clue_solver.faces.tui.table import COMMANDS
from clue_solver.notation import card_names, lexicon_of
from clue_solver.notation.names import Names
from clue_solver.record import Record, load_record
from clue_solver.record.contents import slots_in
from clue_solver.record.files import Keeper
from clue_solver.rules.edition import load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import Table
from clue_solver.session import Session, with_hands

_USUAL = "clue-classic"


class OfferScreen(Screen[bool]):
    """The last game has not ended: go on, or begin a new one."""

    CSS_PATH: ClassVar[str] = "starting.tcss"

    def __init__(self, offered: Session) -> None:
        super().__init__()
        self._offered = offered

    def compose(self) -> ComposeResult:
        record, keeper = self._offered.record, self._offered.keeper
        name, seats = keeper.path.name if keeper else "a game", ", ".join(record.table.seats)
        about = f"{name}: {seats}; {len(record.entries)} entries"
        yield Static(Text("The last game has not ended", "bold"), classes="title")
        yield Static(about, classes="field-note", markup=False)
        yield OptionList(
            Option(Text("Go on with it")), Option(Text("A new game")), id="offer", markup=False
        )
        yield Footer(compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index == 0)


FIELDS = (
    ("players", "Players, clockwise", "Ann, Ben, Cat, Dan"),
    ("viewer", "You are", "the first of them; - for a spectator"),
    ("hands", "Cards in each hand", "same order; ? for one unknown"),
    ("face_up", "Face-up on the table", "leftover cards that all see, if any"),
    ("face_down", "Face-down, nobody's", "names of slots, such as Pool 3, if any"),
    ("hand", "Your hand", "plum, rope, ... (Tab completes; may be added later)"),
)
"""The fields in order: name, label, hint."""

Typed = dict[str, str]
"""What the fields hold, as it was typed, by their names; and the name of the `edition`."""


def table_of(typed: Typed) -> Table:
    """Return the table that the fields describe, the hand sizes left to the edition; or raise."""
    edition, seats = load_edition(typed["edition"]), listed(typed["players"])
    cards, said = card_names(edition), typed["viewer"].strip()
    face_up = tuple(cards.find(name) for name in typed["face_up"].split(",") if name.strip())
    slots = slots_in(typed["face_down"]) if typed["face_down"].strip() else ()
    viewer = None if said == "-" else Names("player", seats).find(said) if said else seats[0]
    return Table(edition=edition, seats=seats, viewer=viewer, face_up=face_up, slots=slots)


def record_of(typed: Typed) -> Record:
    """Return the record that the fields begin; a `ClueError` tells why there can be none."""
    record = Record(table=with_hands(table_of(typed), typed["hands"]))
    return with_hand(record, typed["hand"].strip(" ,") if record.table.viewer else "")


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
    found = [card for card in names.readings(word) if card not in taken]
    return f"{done}{comma}{' ' * bool(comma)}{found[0]}" if found else None


class SetupScreen(Screen[Record | None]):
    """Edition, players, sizes and own hand on one screen; Enter goes from field to field."""

    CSS_PATH: ClassVar[str] = "starting.tcss"
    AUTO_FOCUS = "#editions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next", "Next field", priority=True),
        Binding("ctrl+s", "start", "Start", priority=True),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("ctrl+q", "app.quit", "Quit"),
    ]

    def __init__(self, notice: str = "") -> None:
        super().__init__()
        self._notice, self._filled = notice, ""
        self._editions = [load_edition(name) for name in shipped_editions()]

    def compose(self) -> ComposeResult:
        yield Static(Text("A new game", "bold"), classes="title")
        if self._notice:
            yield Static(Text(self._notice), classes="notice")
        with VerticalScroll(id="fields"):
            yield OptionList(
                *(Option(Text(f"{each.title}  ({each.name})")) for each in self._editions),
                id="editions", markup=False, compact=True,
            )  # fmt: skip
            for name, label, hint in FIELDS:
                with Horizontal(classes="field"):
                    yield Static(label, classes="label", markup=False)
                    yield Input(
                        id=name, placeholder=hint, compact=True, select_on_focus=False,
                        suggester=Rest(self._hint) if name == "hand" else None,
                    )  # fmt: skip
        yield Static(id="setup-note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        names = [each.name for each in self._editions]
        self.query_one("#editions", OptionList).highlighted = names.index(_USUAL)

    @property
    def typed(self) -> Typed:
        chosen = self.query_one("#editions", OptionList).highlighted or 0
        values = {name: self.query_one(f"#{name}", Input).value for name, _, _ in FIELDS}
        return values | {"edition": self._editions[chosen].name}

    def on_option_list_option_selected(self) -> None:
        self.set_focus(self.query_one("#players"))

    def on_option_list_option_highlighted(self) -> None:
        """Fill in the sizes for the edition."""
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

    def action_start(self) -> None:
        try:
            record = record_of(self.typed)
        except ClueError as error:
            self.query_one("#setup-note", Static).update(Text(f"✗ {error}", "bold"))
        else:
            self.dismiss(record)

    def rest_of_hand(self, hand: str) -> str | None:
        try:
            return completed(hand, table_of(self.typed))
        except ClueError:
            return None

    def _hint(self, hand: str) -> str | None:
        whole = self.rest_of_hand(hand)
        return whole if whole and whole.casefold().startswith(hand.casefold()) else None

    def _look(self, *, sizes: bool = True) -> None:
        typed = self.typed
        note = self.query_one("#setup-note", Static)
        if not typed["players"].strip():
            note.update("Type the players' names clockwise, with commas between.")
            return
        try:
            table = table_of(typed)
            hands = self.query_one("#hands", Input)
            if sizes and hands.value == self._filled:
                typed["hands"] = self._filled = hands.value = sizes_of(table)
            record = record_of(typed)
        except NotationError as error:
            note.update(Text(error.reason))
        except ClueError as error:
            note.update(Text(str(error)))
        else:
            held = [each.cards for each in record.observations if isinstance(each, Hand)]
            hand = f"your hand: {', '.join(held[0])}" if held else "your hand may be added later"
            note.update(Text(f"{len(record.table.seats)} players; {hand}. Ctrl+S starts."))


class PlayApp(App[None]):
    """
    The companion during a game.

    Args:
        session: The game to go on with; where there is none a new one is set up.
        offered: A game that the player may go on with instead of a new one.
        keep: Gives the keeper of a new game, once it is set up; in memory if left out.
        notice: What to say on the first screen.
    """

    TITLE = "clue-solver"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "turn_light", "Dark, light", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", priority=True),
    ]

    def __init__(
        self,
        session: Session | None = None,
        *,
        offered: Session | None = None,
        keep: Callable[[], Keeper] | None = None,
        notice: str = "",
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.session = session
        self.offered, self._keep, self._notice = offered, keep, notice
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    def on_mount(self) -> None:
        if self.session is not None:
            self._play(self.session)
        elif self.offered is not None:
            self.push_screen(OfferScreen(self.offered), self._decided)
        else:
            self._set_up()

    async def on_event(self, event: events.Event) -> None:
        """
        Let each key do all that it does before the next one, wherever the focus is.

        Textual lets a letter act at once but hands Backspace and Enter on from widget to widget,
        so that what is typed after them would overtake them.
        """
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._quiet()
            if isinstance(event, events.Key) and await self._took(event):
                return
        await super().on_event(event)

    async def _took(self, event: events.Key) -> bool:
        """Do what a key is there for, if that is known here."""
        key, mark = event.key, event.character if event.is_printable else None
        if await self._check_bindings(key, priority=True):
            return True
        if isinstance(self.screen, PlayScreen | Choosing) and self.screen.take_key(key, mark):
            return True
        field = self.focused
        if mark is not None and isinstance(field, Input):
            field.replace(mark, *field.selection)
            return True
        return await self._check_bindings(key)

    async def _quiet(self) -> None:
        """Wait until what was asked of the screen and of the focused widget is done."""
        node: DOMNode | None = None
        while node is not (node := self.focused or self.screen):
            for each in node.ancestors_with_self:
                done = asyncio.Event()
                if each is not self and each.call_later(done.set):
                    await done.wait()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield all that can be done in a game, for the palette."""
        if isinstance(screen, PlayScreen):
            for each in COMMANDS:
                run = partial(screen.run_action, each.action)
                yield SystemCommand(f"/{each.word}", f"{each.does} ({each.keys})", run)
        else:
            yield SystemCommand("/quit", "leave", self.action_quit)

    def action_help_quit(self) -> None:
        told = "Ctrl+Q leaves; every entry is in the file already"
        if isinstance(self.screen, PlayScreen):
            self.screen.say(told)
        else:
            self.notify(told)

    def action_turn_light(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def _decided(self, go_on: bool | None) -> None:
        if self.offered is not None and go_on:
            self._play(self.offered)
            return
        if self.offered is not None:
            self.offered.close()
        self._set_up()

    def _play(self, session: Session) -> None:
        self.session = session
        self.push_screen(PlayScreen(session))

    def _set_up(self) -> None:
        self.push_screen(SetupScreen(self._notice), self._begin)

    def _begin(self, record: Record | None) -> None:
        if record is None:
            self.exit()
            return
        keeper = self._keep() if self._keep else None
        if keeper is not None:
            keeper.write(record)
        self._play(Session(record, keeper=keeper))


def run(path: Path | None) -> None:
    """
    Play on the full screen.

    Args:
        path: The game's file; one that is not there is set up. Without it the last unfinished
            game is offered, or a new one.

    Raises:
        RecordError: If the game is open in another window, or its file cannot be read.
    """
    if path is None:
        app = beginning()
    else:
        keeper = Keeper(path)
        try:
            session = Session(load_record(path), keeper=keeper) if path.exists() else None
        except BaseException:
            keeper.close()
            raise
        app = PlayApp(session, keep=lambda: keeper)
    try:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise SetupError("the full screen needs a terminal; --plain works on lines")
        app.run()
    finally:
        for session in (app.session, app.offered):
            if session is not None:
                session.close()


def beginning() -> PlayApp:
    """Return the application that offers the last unfinished game, or sets up a new one."""
    unfinished = last_unfinished(games_folder())
    if unfinished is not None:
        try:
            keeper = Keeper(unfinished)
        except RecordError as error:
            return PlayApp(keep=_dated, notice=str(error))
        return PlayApp(offered=Session(load_record(unfinished), keeper=keeper), keep=_dated)
    return PlayApp(keep=_dated)


def _dated() -> Keeper:
    folder, day = games_folder(), date.today()
    try:
        return Keeper(fresh_path(folder, day))
    except RecordError:
        return Keeper(folder / f"{day.isoformat()}.clue")
