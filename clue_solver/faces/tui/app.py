"""The application: what it begins with, its colours, and how it ends."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import click
from msgspec.structs import replace
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from clue_solver import system
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError, SetupError, printable
from clue_solver.faces.games import (
    KeptGame,
    fresh_path,
    game_file,
    games_folder,
    last_table,
    offered_games,
)
from clue_solver.faces.leaving import (
    UNSAVED,
    Say,
    in_file,
    keep_typed,
    kept_typed,
    leave,
    leaving,
    say,
    warnings_of,
)
from clue_solver.faces.practising import Practice
from clue_solver.faces.setup import Typed, filled_in, own_hand_in
from clue_solver.faces.tui.colours import DARK, LIGHT, Depth
from clue_solver.faces.tui.commands import palette
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.keys import TypeAhead
from clue_solver.faces.tui.play import PlayScreen
from clue_solver.faces.tui.practise import PractiseScreen
from clue_solver.faces.tui.screen import GameScreen
from clue_solver.faces.tui.setup import SetupScreen
from clue_solver.record import Record, load_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.table import Table

_LOOK = 2.0
"""After how many seconds it is looked again whether the terminal is there."""


class PlayApp(TypeAhead):
    """
    The program on the full screen.

    Attributes:
        session: The game that is logged, if one is.
        practice: The game against machines, if one is played.
    """

    TITLE = "clue-solver"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "turn_light", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", priority=True, key_display="Ctrl+Q"),
    ]

    def __init__(
        self,
        session: Session | None = None,
        *,
        practice: Practice | None = None,
        offered: Sequence[KeptGame] = (),
        last: Table | None = None,
        typed: Typed | None = None,
        keep: Callable[[], RecordFile] | None = None,
    ) -> None:
        """
        Begin with a game, or let somebody choose or set up one.

        Args:
            session: A game to log.
            practice: A game against machines.
            offered: The games that may be gone on with.
            last: The table of the last game, where a new one may be played.
            typed: What is known of a new game, which is set up at once then.
            keep: Gives the keeper of a new game, once it is set up; in memory if left out.
        """
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.session = session
        self.practice = practice
        self.untaken: tuple[str, ...] = ()  # lines that were typed and not taken when it ended
        self.ended_by: int | None = None  # the signal that ended it
        self._offered, self._last, self._keep = offered, last, keep
        self._typed = typed or {}
        self._loop_of_keys: asyncio.AbstractEventLoop | None = None
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    @property
    def _depth(self) -> Depth:
        colours = self.console.color_system
        if self.no_color or colours in ("standard", "windows", None):
            return "few"
        return "256" if colours == "256" else "true"

    def on_mount(self) -> None:
        """Show the game, or how to begin one."""
        self._loop_of_keys = asyncio.get_running_loop()
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(_LOOK, self._leave_without_terminal)
        if self.practice is not None:
            self.push_screen(PractiseScreen(self.practice, depth=self._depth))
        elif self.session is not None:
            self._play(self.session)
        elif self._typed:
            self._set_up(self._typed)
        else:
            self._offer()

    # How it begins.

    def _offer(self, hint: str = "") -> None:
        """Offer the games that go on, the last table, a new game, and the games that are over."""
        ways: list[tuple[str, Callable[[], None]]] = []
        for game in self._offered:
            if not game.over:
                ways.append(
                    (f"Go on with {'; '.join(game.columns[1:])}", partial(self._go_on, game.path))
                )
        if self._last is not None:
            again = filled_in(replace(self._last, hands=()))
            same = f"{self._last.edition.title}; {', '.join(self._last.seats)}"
            label = f"A new game, same table as last time: {same}"
            ways.append((label, partial(self._set_up, again, self._last)))
        other = "A new game at another table" if self._last else "A new game"
        ways.append((other, self._set_up))
        for game in self._offered:
            if game.over:
                ways.append(
                    (f"Look back on {'; '.join(game.columns[1:])}", partial(self._go_on, game.path))
                )
        if len(ways) == 1:
            self._set_up()
            return

        def begin(chosen: int | str | None) -> None:
            if isinstance(chosen, int):
                ways[chosen][1]()
            else:
                self._offer("Ctrl+Q leaves.")

        labels = [label for label, _ in ways]
        question = "How do you begin?"
        self.push_screen(Choose(question, labels, marked=0, words=False, hint=hint), begin)

    def _go_on(self, path: Path) -> None:
        """Go on with a game of the folder."""
        try:
            if game_file(path).exists():
                self.practice = Practice.resume(path)
                self.push_screen(PractiseScreen(self.practice, depth=self._depth))
                return
            keeper = RecordFile(path)
            self._play(Session(keeper.read(), keeper=keeper))
        except ClueError as error:
            self._offer(str(error))

    def _set_up(self, typed: Typed | None = None, last: Table | None = None) -> None:
        offers = self.session is None and bool(self._offered or self._last)
        self.push_screen(SetupScreen(typed or {}, last, offers=offers), self._begin)

    def _begin(self, record: Record | None) -> None:
        """Begin the game that was set up; of nothing, go back to what is offered."""
        if record is None:
            self._offer()
            return
        if self.session is not None:
            keeper, before = self.session.keeper, self.session.record
            record = replace(before, table=record.table, entries=record.entries)
        else:
            keeper = self._keep() if self._keep else None
        session = Session(record, keeper=keeper)
        session.write_out()
        self._play(session)

    def _play(self, session: Session) -> None:
        self.session = session

        def set_up_again(_: None) -> None:
            table, hand = session.record.table, own_hand_in(session.record)
            self._set_up(filled_in(table, hand), table)

        typed = kept_typed(session.keeper)
        self.push_screen(PlayScreen(session, typed=typed, depth=self._depth), set_up_again)
        for warning in warnings_of(session.record.table, session.keeper):
            self.notify(warning, severity="warning", timeout=30)

    # What there is everywhere.

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield all that can be done in a game, for the palette."""
        if isinstance(screen, GameScreen):
            yield from palette(screen, screen.words)
        else:
            yield SystemCommand("quit", "leave", self.action_quit)

    def action_new(self) -> None:
        """Let go of the game, which is kept, and begin another, once this is done."""
        self.call_later(self._begin_another)

    async def _begin_another(self) -> None:
        """Leave the game and its screens; against the same machines another is dealt."""
        self._keep_untaken()
        session, practice = self.session, self.practice
        trouble: object = None
        if session is not None:
            trouble = session.trouble
        elif practice is not None:
            trouble = practice.trouble
        if trouble:
            self.notify(f"not all is in the file: {trouble}", severity="error")
            return
        self.left(ask=False, say=self.notify)
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        self.session = self.practice = None
        self.untaken = ()
        if practice is not None:
            self.practice = practice.again()
            self.push_screen(PractiseScreen(self.practice, depth=self._depth))
            return
        self._offered, self._last, self._keep = (*_kept(), _dated)
        self._offer()

    async def action_over(self, action: str) -> None:
        """Let the game's screen do something over a question, which stays open."""
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                await screen.run_action(action)

    def action_help_quit(self) -> None:
        """Say how to leave, and where the game is."""
        self.notify(f"Ctrl+Q leaves; {in_file(self.session)}")

    def action_turn_light(self) -> None:
        """Change between the dark and the light theme."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.redraw()

    # How it ends.

    async def action_quit(self) -> None:
        """Leave; what was typed and not taken is kept, to be said."""
        self._keep_untaken()
        await super().action_quit()

    def _keep_untaken(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, PlayScreen):
                self.untaken = screen.untaken

    def told_to_end(self, number: int, _frame: FrameType | None) -> None:
        """End on a signal, which comes at any moment: in the loop, if that runs."""
        if self._loop_of_keys is None:
            system.end(number)
        else:
            self.ended_by = number
            self._loop_of_keys.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self._leave_without_terminal()
        self._keep_untaken()
        self.exit()

    def _leave_without_terminal(self) -> None:
        """End the program where its terminal is gone: nobody can type."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            self._keep_untaken()
            saved = self.left(ask=False, say=_say_behind)
            os._exit(1 if saved else UNSAVED)  # the end of the screen would wait for the terminal

    def left(self, *, ask: bool, say: Say = say) -> bool:
        """Let go of the game, and say what became of what was typed; whether it is in its file."""
        if self.practice is not None:
            say(self.practice.leave())
            return not self.practice.trouble
        if self.session is None:
            return True
        if self.untaken:
            kept = keep_typed(self.untaken, self.session.keeper)
            became = "not taken yet, and kept with the game" if kept else "not taken"
            say("\n".join(f"{became}: {printable(line)}" for line in self.untaken))
        return leave(self.session, ask=ask, say=say)


def _say_behind(text: str) -> None:
    """Say something behind the screen that is drawn."""
    with suppress(OSError, ValueError):
        click.echo(text, file=sys.__stderr__)


def run(path: Path | None, typed: Typed) -> None:
    """
    Play on the full screen.

    Args:
        path: The game's file; one that is not there is set up. Without it the games that have not
            ended are offered, or a new one.
        typed: What is known of a new game.

    Raises:
        RecordError: If the game is open in another window, was dealt, or cannot be read.
    """
    if path is None:
        app = beginning(typed)
    elif game_file(path).exists():
        app = PlayApp(practice=Practice.resume(path))
    else:
        keeper = RecordFile(path)
        try:
            session = Session(load_record(path), keeper=keeper) if path.exists() else None
        except BaseException:
            keeper.close()
            raise
        app = PlayApp(session, typed=typed, keep=lambda: keeper)
    show(app)


def beginning(typed: Typed) -> PlayApp:
    """Return the application that offers the games that are kept, or sets up a new one."""
    offered, last = _kept()
    return PlayApp(offered=offered, last=last, typed=typed, keep=_dated)


def _kept() -> tuple[tuple[KeptGame, ...], Table | None]:
    """Return the games that may be gone on with, and the table of the last one."""
    folder = games_folder()
    return offered_games(folder), last_table(folder)


def _dated() -> RecordFile:
    folder = games_folder()
    day = date.today()
    try:
        return RecordFile(fresh_path(folder, day))
    except RecordError:
        return RecordFile(folder / f"{day.isoformat()}.clue")


def check_terminal() -> None:
    """Raise a `SetupError` if there is no terminal, or one that cannot show what is drawn."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SetupError("the full screen needs a terminal; 'play --plain' works on lines")
    if "utf" not in sys.stdout.encoding.lower():
        raise SetupError(
            f"the full screen needs UTF-8, and this terminal has {sys.stdout.encoding}; "
            "'play --plain' works on lines"
        )


def show(app: PlayApp) -> None:
    """
    Run the application on the terminal, and leave its game.

    Raises:
        SetupError: As of `check_terminal`.
        Ended: If the program was told to end.
        SystemExit: If the game could not be written to its file.
    """
    with leaving(lambda ask: app.left(ask=ask)):
        check_terminal()
        with system.on_ending(app.told_to_end):
            app.run()
        if app.ended_by is not None:
            system.end(app.ended_by)
