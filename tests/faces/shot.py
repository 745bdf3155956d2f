"""A picture of the screen, drawn by the program itself; `docs/screens.py` says which are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from rich.color import Color, ColorSystem
from textual import constants

from clue_solver.conversation.session import Session
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.colours import LIGHT, Depth
from clue_solver.record import load_record
from tests.faces.screen import showing

_FONTS = re.compile(r"\s*@font-face \{.*?\}(?=\s)", re.DOTALL)
"""Fonts that a browser would fetch from elsewhere; without them it takes one of its own."""

_COLOUR = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)


async def shot(
    game: Path | None,
    *,
    size: tuple[int, int],
    entries: int | None = None,
    typed: str = "",
    keys: Sequence[str] = (),
    light: bool = False,
    colours: Depth | None = None,
) -> str:
    """
    Return the screen of a game as SVG, in all colours, which needs nothing from elsewhere.

    Args:
        game: The game's file; `None` for a new game that is set up.
        size: Columns and rows of the terminal.
        entries: How many entries count; all if left out.
        typed: What stands in the entry line.
        keys: The keys that are pressed after it.
        light: Whether on a light ground.
        colours: How many colours the terminal has; `few` is none here, as `NO_COLOR` asks for. All
            if left out.
    """
    session = None
    if game is not None:
        record = load_record(game)
        session = Session(record if entries is None else record.upto(entries))
    system = "256" if colours == "256" else "truecolor"
    none = {"NO_COLOR": "1"} if colours == "few" else {}
    with patch.object(constants, "COLOR_SYSTEM", system), patch.dict(os.environ, none):
        app = PlayApp(session) if session is not None else PlayApp(typed={})
    if light:
        app.theme = LIGHT.name
    async with showing(app, size, decides=True) as at:
        await at.type(typed)
        await at.type("", *keys)
        await at.pilot.pause(0.5)
        await at.settle()
        title = "clue-solver play" if game is None else f"clue-solver play {game.name}"
        svg = _FONTS.sub("", at.app.export_screenshot(title=title))
    return _COLOUR.sub(_of_256, svg) if colours == "256" else svg


def _of_256(colour: re.Match[str]) -> str:
    """Return the colour that a terminal of 256 has for one."""
    return Color.parse(colour[0]).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex
