"""The application: what it begins with, its colours, and how it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from clue_solver.errors import RecordError, SetupError
from clue_solver.faces.library import fresh_path, games_folder, last_unfinished
from clue_solver.faces.tui.colours import DARK, LIGHT
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.faces.tui.starting import OfferScreen, SetupScreen
from clue_solver.record import Record, load_record
from clue_solver.record.files import Keeper
from clue_solver.session import Session

Keep = Callable[[], Keeper]


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
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "turn_light", "Dark, light", show=False, priority=True),
    ]

    def __init__(
        self,
        session: Session | None = None,
        *,
        offered: Session | None = None,
        keep: Keep | None = None,
        notice: str = "",
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.session = session
        self.offered, self._keep, self._notice = offered, keep, notice
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    def on_mount(self) -> None:
        """Open the first screen."""
        if self.session is not None:
            self.push_screen(PlayScreen(self.session))
        elif self.offered is not None:
            self.push_screen(OfferScreen(self.offered), self._decided)
        else:
            self._set_up()

    def action_turn_light(self) -> None:
        """Turn from dark to light and back."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def _decided(self, go_on: bool | None) -> None:
        offered = self.offered
        if go_on and offered is not None:
            self.session = offered
            self.push_screen(PlayScreen(offered))
            return
        if offered is not None:
            offered.close()
        self._set_up()

    def _set_up(self) -> None:
        self.push_screen(SetupScreen(self._notice), self._begin)

    def _begin(self, record: Record | None) -> None:
        if record is None:
            self.exit()
            return
        keeper = self._keep() if self._keep else None
        if keeper is not None:
            keeper.write(record)
        self.session = Session(record, keeper=keeper)
        self.push_screen(PlayScreen(self.session))


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
            if path.exists():
                app = PlayApp(Session(load_record(path), keeper=keeper))
            else:
                app = PlayApp(keep=lambda: keeper)
        except BaseException:
            keeper.close()
            raise
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
    """Return the keeper of a new game, named by the day."""
    folder, day = games_folder(), date.today()
    try:
        return Keeper(fresh_path(folder, day))
    except RecordError:
        return Keeper(folder / f"{day.isoformat()}.clue")
