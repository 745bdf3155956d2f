"""
How long the full screen takes from Enter to the new sheet, over the recorded games.

Run with `python benchmarks/bench_play.py` or `pytest benchmarks/bench_play.py -s`. Every entry is
put into the entry line of the real application; the clock runs from the key to the moment at which
the sheet of that entry has been drawn.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from textual.events import Key

from clue_solver.conversation.session import Session
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.entry import EntryLine
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.game import Game
from clue_solver.record import Record, load_record, save
from clue_solver.record.files import RecordFile

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "games"


async def latencies(record: Record, folder: Path) -> list[float]:
    """Return the milliseconds from Enter to the new sheet for each entry of a game."""
    path = folder / "game.clue"
    save(record.upto(0), path)
    keeper = RecordFile(path)
    app = PlayApp(Session(record.upto(0), keeper=keeper))
    taken = []
    async with app.run_test(size=(100, 34)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        for number, line in enumerate(Game(record).lines, 1):
            screen.query_one(EntryLine).value = line
            await app.workers.wait_for_complete()
            await pilot.pause()
            start = perf_counter()
            screen.query_one(EntryLine).post_message(_enter())
            while screen.drawn is None or screen.drawn.entries != number:
                await asyncio.sleep(0)
            drawn = asyncio.Event()
            screen.call_after_refresh(drawn.set)
            await drawn.wait()
            taken.append((perf_counter() - start) * 1000)
            await pilot.pause()
    keeper.close()
    return taken


def _enter() -> Key:
    return Key("enter", "\r")


def measured() -> dict[str, list[float]]:
    """Return the latencies of every recorded game, by its file."""
    found = {}
    for file in sorted(RECORDED.glob("*.clue")):
        with tempfile.TemporaryDirectory() as folder:
            found[file.name] = asyncio.run(latencies(load_record(file), Path(folder)))
    return found


def bench_from_enter_to_the_new_sheet() -> None:
    """Print the 50th and the 95th percentile of each game and of all."""
    found = measured()
    found["all"] = [each for taken in found.values() for each in taken]
    for name, taken in found.items():
        half, most = np.percentile(taken, [50, 95])
        print(f"{name}: {len(taken)} entries, median {half:.0f} ms, 95th percentile {most:.0f} ms")


test_from_enter_to_the_new_sheet = bench_from_enter_to_the_new_sheet

if __name__ == "__main__":
    bench_from_enter_to_the_new_sheet()
