"""The application: what it begins with, its keys and colours, and how it ends."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import click
from msgspec.structs import replace
from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input

from clue_solver import system
from clue_solver.conversation.session import Session
from clue_solver.errors import (
    RecordError,
    SetupError,
    printable,
)
from clue_solver.faces.leaving import UNSAVED, in_file, leave, leaving, say, warnings_of
from clue_solver.faces.setup import (
    fresh_path,
    games_folder,
    last_table,
    last_unfinished,
)
from clue_solver.faces.tui.entry import Choosing
from clue_solver.faces.tui.inks import DARK, LIGHT
from clue_solver.faces.tui.panes import Correcting, TextDialog, action_of, pressed
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.faces.tui.starting import OfferScreen, SetupScreen
from clue_solver.faces.tui.table import TableScreen
from clue_solver.record import Record, load_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.table import Table

_LOOK = 2.0
"""After how many seconds it is looked again whether the terminal is there."""


class PlayApp(App[None]):
    """
    The companion during a game.

    Args:
        session: The game to go on with; where there is none a new one is set up.
        offered: A game that the player may go on with instead of a new one.
        keep: Gives the keeper of a new game, once it is set up; in memory if left out.
        notice: What to say on the first screen.
        last: The table of the last game, where a new one may be played.
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
        keep: Callable[[], RecordFile] | None = None,
        notice: str = "",
        last: Table | None = None,
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.session = session
        self.offered = offered
        self._keep = keep
        self._notice = notice
        self.last = last
        self.untaken: tuple[str, ...] = ()  # lines that were typed and not taken when it ended
        self.ended_by: int | None = None  # the signal that ended it
        self._running_loop: asyncio.AbstractEventLoop | None = None
        self._numbered = False  # whether a number has just chosen how to begin
        self._before: PlayScreen | None = None  # the screen before set-up was gone back to
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name
        # With 16 colours a faint word on a panel would be grey on grey.
        self.set_class(self.console.color_system in ("standard", "windows"), "-few")

    async def action_quit(self) -> None:
        """Leave; what was typed and not taken is kept, to be said."""
        self._keep_untaken()
        await super().action_quit()

    def _keep_untaken(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, PlayScreen):
                self.untaken = screen.line.untaken

    def told_to_end(self, number: int, _frame: FrameType | None) -> None:
        """End on a signal, which comes at any moment: in the loop, if that runs."""
        if self._running_loop is None:
            system.end(number)
        else:
            self.ended_by = number
            self._running_loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self._leave_without_terminal()
        self._keep_untaken()
        self.exit()

    def _leave_without_terminal(self) -> None:
        """End the program where its terminal is gone: nobody can type."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            saved = self.session is None or leave(self.session, ask=False, say=_say_behind)
            os._exit(1 if saved else UNSAVED)  # the end of the screen would wait for the terminal

    def on_mount(self) -> None:
        self._running_loop = asyncio.get_running_loop()
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(_LOOK, self._leave_without_terminal)
        if self.session is not None:
            self._play(self.session)
        elif self._offers:
            self._offer()
        else:
            self._set_up()

    @property
    def _offers(self) -> bool:
        """Whether something else may be chosen than a new game at a new table."""
        return self.offered is not None or self.last is not None

    def _offer(self) -> None:
        self.push_screen(OfferScreen(self.offered, self.last, self._notice), self._decided)

    async def on_event(self, event: events.Event) -> None:
        """
        Let each key do all that it does before the next one, wherever the focus is.

        Textual lets a letter act at once but hands Backspace and Enter on from widget to widget,
        so that what is typed after them would overtake them.
        """
        if isinstance(event, events.Key) and event.is_forwarded:
            return  # it meant nothing where it was typed, and the focus may be elsewhere by now
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if not self.screen_stack:
                return  # typed while the program ends
            await self._quiet()
            if isinstance(event, events.Key) and await self._took(event):
                return
        await super().on_event(event)

    async def _took(self, event: events.Key) -> bool:
        """
        Do what a key is there for, if that is known here.

        `Screen.active_bindings` has one binding a key, but an action may pass its turn on: Ctrl+C
        copies what is selected, else says how to leave. Only `_check_bindings` goes on to the next.
        """
        key = event.key
        mark = event.character if event.is_printable else None
        if await self._check_bindings(key, priority=True):
            return True
        numbered = self._numbered
        self._numbered = False
        if numbered and key == "enter":
            return True  # of a number and Enter the number has chosen already
        screen = self.screen
        if isinstance(
            screen, OfferScreen | TableScreen | Choosing | Correcting
        ) and screen.take_key(key, mark):
            self._numbered = isinstance(screen, OfferScreen) and screen.numbered
            return True
        field = self.focused
        listed = isinstance(self.screen, SetupScreen) and (field is None or field.id == "editions")
        if listed and mark is not None and mark.isalnum():  # the names are typed at once
            field = self.screen.query_one("#players", Input)
            self.screen.set_focus(field)  # now: the next letter may be waiting
        if mark is not None and isinstance(field, Input):
            field.replace(mark, *field.selection)
            return True
        if await self._check_bindings(key):
            return True
        if mark is not None and isinstance(self.screen, TextDialog):  # the next entry is typed
            self.screen.dismiss(None)
            await self._quiet()
            return await self._took(event)
        return False

    async def _quiet(self) -> None:
        """
        Wait until what was asked of the screen and of the focused widget is done.

        What is called next once a dialog is left can be waited for by a private name alone.
        """
        node: DOMNode | None = None
        while node is not (node := self.focused or self.screen):
            for ancestor in node.ancestors_with_self:
                done = asyncio.Event()
                if ancestor is not self and ancestor.call_later(done.set):
                    await done.wait()
            await self._flush_next_callbacks()  # what a dialog that was left is to be followed by

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield all that can be done in a game, for the palette."""
        if isinstance(screen, TableScreen):
            for command in screen.commands:
                run = partial(screen.run_action, action_of(command))
                keys = " or ".join(pressed(command)) or f"no key: type /{command.word}"
                title = f"/{command.word}  {command.does}"  # found by either
                yield SystemCommand(title, keys, run)
        else:
            yield SystemCommand("/quit", "leave", self.action_quit)

    def action_help_quit(self) -> None:
        unsaved = self.session is not None and self.session.trouble is not None
        if isinstance(self.screen, TableScreen) and not unsaved:
            self.screen.say(f"Ctrl+Q {self.screen.commands[0].does.replace('leave', 'leaves', 1)}")
        else:
            self.notify(f"Ctrl+Q leaves; {in_file(self.session)}")

    def action_turn_light(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def _decided(self, chosen: str | None) -> None:
        if self.offered is not None and chosen == "go on":
            self._play(self.offered)
        elif self.last is not None and chosen == "same table":
            self._set_up(Record(table=replace(self.last, hands=())))
        else:
            self._set_up()

    def _play(self, session: Session) -> None:
        self.session = session
        screen = PlayScreen(session)
        if self._before is not None:  # what was typed there comes back here
            screen.line.recalled = self._before.line.recalled
        self._before = screen
        self.push_screen(screen, self._again)
        for warning in warnings_of(session.record.table, session.keeper):
            self.notify(warning, severity="warning", timeout=30)

    def _again(self, _: None) -> None:
        """Set up once more a game in which nothing has happened yet."""
        assert self.session is not None
        self._set_up(self.session.record)

    def _set_up(self, record: Record | None = None) -> None:
        offers = self._offers and self.session is None
        self.push_screen(SetupScreen(self._notice, record, offers=offers), self._begin)

    def _begin(self, record: Record | None) -> None:
        if record is None:
            self._offer()
            return
        if self.session is not None:
            keeper = self.session.keeper
            before = self.session.record
            record = replace(before, table=record.table, entries=record.entries)
        else:
            keeper = self._keep() if self._keep else None
            if self.offered is not None:
                self.offered.close()
        session = Session(record, keeper=keeper)
        session.write_out()
        self._play(session)


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
        keeper = RecordFile(path)
        try:
            session = Session(load_record(path), keeper=keeper) if path.exists() else None
        except BaseException:
            keeper.close()
            raise
        app = PlayApp(session, keep=lambda: keeper)
    with leaving(lambda ask: _left(app, ask=ask)):
        shown(app)


def _left(app: PlayApp, *, ask: bool) -> bool:
    """Let go of the games of an application, and say what became of what was typed in it."""
    for line in app.untaken:
        say(f"not taken: {printable(line)}")
    if app.offered is not None and app.offered is not app.session:
        app.offered.close()
    return app.session is None or leave(app.session, ask=ask)


def _say_behind(text: str) -> None:
    """Say something behind the screen that is drawn."""
    with suppress(OSError, ValueError):
        click.echo(text, file=sys.__stderr__)


def beginning() -> PlayApp:
    """Return the application that offers the last unfinished game, or sets up a new one."""
    folder = games_folder()
    unfinished = last_unfinished(folder)
    last = last_table(folder)
    if unfinished is not None:
        try:
            keeper = RecordFile(unfinished)
        except RecordError as error:
            return PlayApp(keep=_dated, notice=str(error), last=last)
        offered = Session(load_record(unfinished), keeper=keeper)
        return PlayApp(offered=offered, keep=_dated, last=last)
    return PlayApp(keep=_dated, last=last)


def _dated() -> RecordFile:
    folder = games_folder()
    day = date.today()
    try:
        return RecordFile(fresh_path(folder, day))
    except RecordError:
        return RecordFile(folder / f"{day.isoformat()}.clue")


def shown(app: PlayApp) -> None:
    """
    Run the application on the terminal.

    Raises:
        SetupError: If there is none.
        Ended: If the program was told to end.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SetupError("the full screen needs a terminal; --plain works on lines")
    with system.on_ending(app.told_to_end):
        app.run()
    if app.ended_by is not None:
        system.end(app.ended_by)
