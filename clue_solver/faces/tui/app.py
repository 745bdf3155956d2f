"""The full-screen application: how it begins, its themes, and how it ends."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from clue_solver import system
from clue_solver.conversation.commands import COMMAND, TypedCommand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, SetupError
from clue_solver.faces import games, leaving
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.helping import key_of
from clue_solver.faces.logged import LoggedGame
from clue_solver.faces.opening import opening
from clue_solver.faces.practising import Practice
from clue_solver.faces.setup import NewGame, Typed
from clue_solver.faces.tui.colours import DARK, LIGHT
from clue_solver.faces.tui.keys import TypeAhead
from clue_solver.faces.tui.opening import OpeningScreen
from clue_solver.faces.tui.screen import GameScreen

_COMPUTER = "A game against the computer"
_OTHERS = "Against the computer with other editions or players: clue-solver practise --help"

_LOOK = 2.0
"""The seconds between two checks that the terminal still exists."""


class PlayApp(TypeAhead):
    """
    The full-screen application.

    Attributes:
        game_screen: The screen of the current game; `None` if there is none.
    """

    TITLE = "clue-solver"
    CSS_PATH = "game.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide"), (120, "-framed")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-usual"), (32, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True, key_display="Ctrl+Q"),
    ]

    def __init__(
        self,
        game: Session | Practice | None = None,
        *,
        path: Path | None = None,
        typed: Typed | None = None,
        kept: Sequence[games.KeptGame] | None = None,
    ) -> None:
        """
        Begin with a game, or let the person choose or set up one.

        Args:
            game: A game to log, or one against machines.
            path: The file of a new game; `None` to offer saved games, too.
            typed: The known fields of a new game; `None` to ask how to begin.
            kept: The saved games to offer; by default the latest.
        """
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.game_screen: GameScreen | None = None
        self.ended_by: int | None = None  # the signal that ended it
        self._begins_with, self._path, self._typed, self._kept = game, path, typed, kept
        self._loop_of_keys: asyncio.AbstractEventLoop | None = None
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    def on_mount(self) -> None:
        """Show the game, or the ways to begin one."""
        self._loop_of_keys = asyncio.get_running_loop()
        self.theme_changed_signal.subscribe(self, self._redraw)
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(_LOOK, self._leave_without_terminal)
        game = self._begins_with
        if game is not None:
            self._play(lambda: game)
        else:
            self._ask_how_to_begin(self._path, self._typed)

    # How it begins.

    def _ask_how_to_begin(
        self, path: Path | None = None, typed: Typed | None = None, hint: str = _OTHERS
    ) -> None:
        """
        Ask for a saved or a new game, then open or begin it, and play.

        Args:
            path: The file of a new game; `None` to offer saved games, too.
            typed: The known fields of a new game; `None` to ask how to begin.
            hint: What to say below the first question.
        """
        kept = games.offered_games(games.games_folder()) if self._kept is None else self._kept
        asking = opening(path, typed, person=True, kept=kept, others=(_COMPUTER,), hint=hint)

        def begin(chosen: NewGame | str | None) -> None:
            """
            Play the game with which the player wants to begin.

            `chosen` is a new game, the path of a saved one, or the name of the choice to play
            against the computer; `None` if the player left.
            """
            if isinstance(chosen, NewGame):
                self._play(partial(chosen.begin, path or games.fresh_path()))
            elif chosen == _COMPUTER:
                self._play(Practice.begin)
            elif chosen is not None:
                self._play(partial(_open_game, Path(chosen)))

        self.push_screen(OpeningScreen(asking), begin)

    def _play(self, game: Callable[[], Session | Practice]) -> None:
        """Show the game that `game` opens; if that fails, say why, and ask again how to begin."""
        try:
            begun = game()
        except ClueError as error:
            self._ask_how_to_begin(hint=str(error))
            return
        if isinstance(begun, Practice):
            self.game_screen = GameScreen(begun)
        else:
            kept = leaving.take_kept_lines(begun.keeper)
            self.game_screen = GameScreen(LoggedGame(begun), kept)
        self.push_screen(self.game_screen)
        for warning in leaving.warnings_of(self.game_screen.session):
            self.notify(warning, severity="warning", timeout=30)

    # Commands that every screen has.

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the commands that the palette lists, most of them those of the game."""
        if isinstance(screen, GameScreen):
            for command in map(COMMAND.__getitem__, screen.feed.words):
                how = key_of(command) or f"no shortcut key: type {command.word} {command.example}"
                does = partial(screen.action_do, command.word)
                yield SystemCommand(f"{command.word}: {command.does}", how, does)
        yield SystemCommand("theme", "the colours of the screen", self.action_change_theme)

    def action_new(self) -> None:
        """
        Close the game, and begin another.

        After a dealt game, the same players are dealt another one; otherwise the person is asked
        how to begin.
        """
        if self.game_screen is None:
            return
        feed = self.game_screen.feed
        if feed.trouble:
            self.notify(f"not everything is saved: {feed.trouble}", severity="error")
            return
        self.close_game(say=self.notify)
        self.game_screen = None
        self.pop_screen()
        if isinstance(feed, Practice):
            self._play(feed.again)
        else:
            self._ask_how_to_begin()

    def action_over(self, word: str) -> None:
        """Run a command of the game's screen, while a question on top of it stays open."""
        if self.game_screen is not None:
            self.game_screen.do(TypedCommand(word))

    def _redraw(self, _: Theme) -> None:
        """Draw the game in the colours of another theme."""
        if self.game_screen is not None:
            self.game_screen.redraw()

    # How it ends.

    def end_on_signal(self, number: int, _frame: FrameType | None) -> None:
        """
        End the application after the signal with this number.

        It ends at the next step of the event loop, or at once if the loop does not run yet.
        """
        if self._loop_of_keys is None:
            system.end(number)
        else:
            self.ended_by = number
            self._loop_of_keys.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        """End the application, or the program if its terminal is gone."""
        self._leave_without_terminal()
        self.exit()

    def _leave_without_terminal(self) -> None:
        """End the program if its terminal is gone."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            behind = partial(leaving.say, file=sys.__stderr__)  # the full screen has the other one
            saved = self.close_game(behind)
            # The end of the screen would wait for the terminal.
            os._exit(1 if saved else leaving.UNSAVED)

    def close_game(self, say: leaving.Say = leaving.say) -> bool:
        """Close the game; return whether it is in its file. `say` prints what happened to it."""
        screen = self.game_screen
        return screen is None or screen.feed.close(say, screen.line.value)


def _open_game(path: Path) -> Session | Practice:
    """Return the game in a file; raise a `RecordError` if it is open elsewhere or unreadable."""
    if games.game_file(path).exists():
        return Practice(DealtGame.resume(path))
    return games.open_session(path)


def run(path: Path | None, typed: Typed) -> None:
    """
    Run the full-screen interface.

    Args:
        path: The game's file; if it does not exist, a new game is set up. If `None`, saved games
            and a new one are offered.
        typed: The known fields of a new game.

    Raises:
        RecordError: If the game is open in another window, was dealt for several people, or cannot
            be read.
    """
    if path is not None and (path.exists() or games.game_file(path).exists()):
        show(PlayApp(_open_game(path)))
    else:
        show(PlayApp(path=path, typed=typed or None))


def check_terminal() -> None:
    """Raise a `SetupError` if there is no terminal, or if it cannot show the full screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SetupError("the full screen needs a terminal; 'play --plain' works line by line")
    if "utf" not in sys.stdout.encoding.lower():
        raise SetupError(
            f"the full screen needs UTF-8, and this terminal has {sys.stdout.encoding}; "
            "'play --plain' works line by line"
        )


def show(app: PlayApp) -> None:
    """
    Run an application on the terminal, and close its game.

    Raises:
        SetupError: If there is no terminal that can show the full screen.
        Ended: If a signal ended the program.
        SystemExit: If the game could not be written to its file.
    """
    with leaving.closing(app.close_game):
        check_terminal()
        with system.on_ending(app.end_on_signal):
            app.run()
        if app.ended_by is not None:
            system.end(app.ended_by)
