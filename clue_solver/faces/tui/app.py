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
from clue_solver.conversation.commands import COMMAND, Said
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError, SetupError
from clue_solver.faces import games, leaving, setup
from clue_solver.faces.helping import key_of
from clue_solver.faces.practising import Practice
from clue_solver.faces.tui.colours import DARK, LIGHT
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.entry import EntryScreen
from clue_solver.faces.tui.keys import TypeAhead
from clue_solver.faces.tui.play import PlayScreen
from clue_solver.faces.tui.practise import PractiseScreen
from clue_solver.faces.tui.setup import SetupScreen
from clue_solver.record import Record, load_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Table

_LOOK = 2.0
"""After how many seconds it is looked again whether the terminal is there."""


class PlayApp(TypeAhead):
    """
    The program on the full screen.

    Attributes:
        game: The screen of the game, if one is played.
    """

    TITLE = "clue-solver"
    CSS_PATH = "game.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "light", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", priority=True, key_display="Ctrl+Q"),
    ]

    def __init__(
        self,
        game: Session | Practice | None = None,
        *,
        offered: Sequence[games.KeptGame] | None = None,
        last: Table | None = None,
        typed: setup.Typed | None = None,
        keep: Callable[[], RecordFile] | None = None,
    ) -> None:
        """
        Begin with a game, or let somebody choose or set up one.

        Args:
            game: A game to log, or one against machines.
            offered: The games that may be gone on with, beside other ways to begin; without it a
                game is set up.
            last: The table of the last game, where a new one may be played.
            typed: What is known of a new game, which is set up at once then.
            keep: Gives the keeper of a new game, once it is set up; in memory if left out.
        """
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.game: EntryScreen | None = None if game is None else _screen_of(game)
        self.ended_by: int | None = None  # the signal that ended it
        self._next: Callable[[], PlayApp] | None = None  # what it ended for
        self._offered, self._last, self._keep = offered, last, keep
        self._typed = typed or {}
        self._loop_of_keys: asyncio.AbstractEventLoop | None = None
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    def on_mount(self) -> None:
        """Show the game, or how to begin one."""
        self._loop_of_keys = asyncio.get_running_loop()
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(_LOOK, self._leave_without_terminal)
        if self.game is not None:
            self._play(self.game)
        elif self._typed or (self._offered is None and self._last is None):
            self._set_up(self._typed)
        else:
            self._offer()

    # How it begins.

    def _offer(self, hint: str = "") -> None:
        """Offer the games that go on, the last table, a new game, and the games that are over."""
        going: list[tuple[str, Callable[[], None]]] = []
        over: list[tuple[str, Callable[[], None]]] = []
        for game in self._offered or ():
            begins, ways = ("Look back on", over) if game.over else ("Go on with", going)
            label = f"{begins} {'; '.join(game.columns[1:])}"
            ways.append((label, partial(self._begin_with, partial(_opened, game.path))))
        if self._last is not None:
            again = setup.fields_at(replace(self._last, hands=()))
            same = f"{self._last.edition.title}; {', '.join(self._last.seats)}"
            label = f"A new game, same table as last time: {same}"
            going.append((label, partial(self._set_up, again, self._last)))
        other = "A new game at another table" if self._last else "A new game"
        machines = ("A game against machines", partial(self._begin_with, _practice))
        ways = [*going, (other, self._set_up), machines, *over]

        def begin(chosen: int | str | None) -> None:
            if isinstance(chosen, int):
                ways[chosen][1]()
            else:
                self._offer("Ctrl+Q leaves.")

        labels = [label for label, _ in ways]
        question = "How do you begin?"
        self.push_screen(Choose(question, labels, marked=0, hint=hint), begin)

    def _begin_with(self, game: Callable[[], Session | Practice]) -> None:
        """Play a game; where it cannot be, offer what else there is."""
        try:
            self._play(_screen_of(game()))
        except ClueError as error:
            self._offer(str(error))

    def _set_up(self, typed: setup.Typed | None = None, last: Table | None = None) -> None:
        offers = self._offered is not None or self._last is not None
        self.push_screen(SetupScreen(typed or {}, last, offers=offers), self._begin)

    def _begin(self, record: Record | None) -> None:
        """Begin the game that was set up; of nothing, go back to what is offered."""
        if record is None:
            self._offer()
            return
        session = Session(record, keeper=self._keep() if self._keep else None)
        session.write_out()
        self._play(_screen_of(session))

    def _play(self, game: EntryScreen) -> None:
        self.game = game
        self.set_class(True, "-playing")
        self.push_screen(game)
        for warning in leaving.warnings_of(game.session.record.table, game.session.keeper):
            self.notify(warning, severity="warning", timeout=30)

    # What there is everywhere.

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield all that can be done in a game, for the palette."""
        if not isinstance(screen, EntryScreen):
            yield SystemCommand("quit", "leave", self.action_quit)
            return
        for command in map(COMMAND.__getitem__, screen.words):
            how = key_of(command) or f"no shortcut key: type {command.word} {command.example}"
            does = partial(screen.action_do, command.word)
            yield SystemCommand(f"{command.word}: {command.does}", how, does)

    def action_new(self) -> None:
        """Let go of the game, which is kept, and begin another, of the same kind."""
        game = self.game
        if isinstance(game, PractiseScreen):
            self._change_to(lambda: PlayApp(game.practice.again()))
        else:
            self._change_to(lambda: beginning({}))

    def action_practise(self) -> None:
        """Let go of the game, which is kept, and play against machines."""
        self._change_to(lambda: PlayApp(_practice()))

    def _change_to(self, following: "Callable[[], PlayApp]") -> None:
        if self.game is not None and self.game.trouble:
            self.notify(f"not everything is in the file: {self.game.trouble}", severity="error")
        else:
            self._next = following
            self.exit()

    def another(self) -> "PlayApp | None":
        """Return what plays the game that follows this one; `None` if the program ends."""
        return None if self._next is None else self._next()

    def action_start(self) -> None:
        """Start the game that is set up."""
        if len(self.screen_stack) > 1 and isinstance(self.screen_stack[-2], SetupScreen):
            self.screen_stack[-2].action_start()

    def action_over(self, word: str) -> None:
        """Let the game's screen do something over a question, which stays open."""
        if self.game is not None:
            self.game.do(Said(word))

    def action_help_quit(self) -> None:
        """Say how to leave, and where the game is."""
        self.notify(f"Ctrl+Q leaves; {leaving.in_file(self.game.session if self.game else None)}")

    def action_light(self) -> None:
        """Change between the dark and the light theme."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name
        if self.game is not None:
            self.game.redraw()

    # How it ends.

    def told_to_end(self, number: int, _frame: FrameType | None) -> None:
        """End on a signal, which comes at any moment: in the loop, if that runs."""
        if self._loop_of_keys is None:
            system.end(number)
        else:
            self.ended_by = number
            self._loop_of_keys.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self._leave_without_terminal()
        self.exit()

    def _leave_without_terminal(self) -> None:
        """End the program where its terminal is gone: nobody can type."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            saved = self.left(ask=False, say=_say_behind)
            # The end of the screen would wait for the terminal.
            os._exit(1 if saved else leaving.UNSAVED)

    def left(self, ask: bool, say: leaving.Say = leaving.say) -> bool:
        """Let go of the game, and say what became of what was typed; whether it is in its file."""
        return self.game is None or self.game.leave(ask=ask, say=say)


def _screen_of(game: Session | Practice) -> EntryScreen:
    """Return the screen on which a game is played."""
    if isinstance(game, Practice):
        return PractiseScreen(game)
    return PlayScreen(game, leaving.kept_typed(game.keeper))


def _practice() -> Practice:
    """Return a new game against machines."""
    return Practice.begin(load_edition(setup.USUAL))


def _opened(path: Path) -> Session | Practice:
    """Return the game of a file; raises a `RecordError` if it cannot be read, or is open."""
    if games.game_file(path).exists():
        return Practice.resume(path)
    keeper = RecordFile(path)
    try:
        return Session(load_record(path), keeper=keeper)
    except BaseException:
        keeper.close()
        raise


def _say_behind(text: str) -> None:
    """Say something behind the screen that is drawn."""
    with suppress(OSError, ValueError):
        click.echo(text, file=sys.__stderr__)


def run(path: Path | None, typed: setup.Typed) -> None:
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
        show(beginning(typed))
    elif path.exists() or games.game_file(path).exists():
        show(PlayApp(_opened(path)))
    else:
        keeper = RecordFile(path)
        show(PlayApp(typed=typed, keep=lambda: keeper))


def beginning(typed: setup.Typed, offered: Sequence[games.KeptGame] | None = None) -> PlayApp:
    """Return the application that offers games, those that are kept, or sets up a new one."""
    folder = games.games_folder()
    offered = games.offered_games(folder) if offered is None else offered
    last = games.last_table(folder)
    return PlayApp(offered=offered, last=last, typed=typed, keep=_dated)


def _dated() -> RecordFile:
    try:
        return RecordFile(games.fresh_path())
    except RecordError:  # the game goes on in memory, which is said
        return RecordFile(games.games_folder() / f"{date.today().isoformat()}.clue")


def check_terminal() -> None:
    """Raise a `SetupError` if there is no terminal, or one that cannot show what is drawn."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SetupError("the full screen needs a terminal; 'play --plain' works on lines")
    if "utf" not in sys.stdout.encoding.lower():
        raise SetupError(
            f"the full screen needs UTF-8, and this terminal has {sys.stdout.encoding}; "
            "'play --plain' works on lines"
        )


def show(app: PlayApp | None) -> None:
    """
    Run the application on the terminal, and leave its game; and then the one after it, if any.

    Raises:
        SetupError: As of `check_terminal`.
        Ended: If the program was told to end.
        SystemExit: If the game could not be written to its file.
    """
    while app is not None:
        with leaving.leaving(app.left):
            check_terminal()
            with system.on_ending(app.told_to_end):
                app.run()
            if app.ended_by is not None:
                system.end(app.ended_by)
        app = app.another()
