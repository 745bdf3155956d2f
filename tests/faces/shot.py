"""A picture of the screen, drawn by the program itself; `docs/screens.py` says which are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from textual import constants

from clue_solver.conversation.session import Session
from clue_solver.faces.tui.app import PlayApp
from clue_solver.record import load_record
from tests.faces.screen import showing

_FONTS = re.compile(r"\s*@font-face \{.*?\}(?=\s)", re.DOTALL)
"""Fonts that a browser would fetch from elsewhere; without them it takes one of its own."""


async def shot(
    game: Path | None,
    *,
    size: tuple[int, int],
    entries: int | None = None,
    typed: str = "",
    keys: Sequence[str] = (),
) -> str:
    """
    Return the screen of a game as SVG, in all colours, which needs nothing from elsewhere.

    Args:
        game: The game's file; `None` for a new game that is set up.
        size: Columns and rows of the terminal.
        entries: How many entries count; all if left out.
        typed: What stands in the entry line.
        keys: The keys that are pressed after it.
    """
    session = None
    if game is not None:
        record = load_record(game)
        session = Session(record if entries is None else record.upto(entries))
    with patch.object(constants, "COLOR_SYSTEM", "truecolor"):
        app = PlayApp(session) if session is not None else PlayApp(typed={})
    async with showing(app, size, decides=True) as at:
        await at.type(typed)
        await at.type("", *keys)
        await at.pilot.pause(0.5)
        await at.settle()
        title = "clue-solver play" if game is None else f"clue-solver play {game.name}"
        return _FONTS.sub("", at.app.export_screenshot(title=title))
