"""
A picture of the screen, drawn by the program itself.

    python -m clue_solver.faces.tui.shot GAME.clue OUT.svg [COLUMNS ROWS]
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from clue_solver.faces.tui.app import PlayApp
from clue_solver.record import load_record
from clue_solver.session import Session


async def shot(game: Path, *, size: tuple[int, int] = (100, 34), typed: str = "") -> str:
    """Return the screen of a game as SVG, with something typed into the entry line."""
    app = PlayApp(Session(load_record(game)))
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        for mark in typed:
            await pilot.press("space" if mark == " " else mark)
        await app.workers.wait_for_complete()
        await pilot.pause()
        return app.export_screenshot(title=f"clue-solver play {game.name}")


def main(words: list[str]) -> None:
    """Write the picture that the command line asks for."""
    game, out, *rest = words
    size = (int(rest[0]), int(rest[1])) if len(rest) > 1 else (100, 34)
    typed = rest[2] if len(rest) > 2 else ""
    Path(out).write_text(asyncio.run(shot(Path(game), size=size, typed=typed)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
