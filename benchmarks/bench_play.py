"""
How long the full screen takes from a key to what it changes, and from Enter to the new sheet.

Run with `python benchmarks/bench_play.py` or `pytest benchmarks/bench_play.py -s`. The real
application, 100 columns and 34 rows, gets a seeded random game of four players, after 12 and after
100 entries; the next entries are typed key by key. Processor time and time by the clock, from the
key to the moment at which the screen has been drawn with what came of it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from rich.console import RenderableType
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clue_solver import Game
from clue_solver.conversation.session import Session
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.play import PlayScreen
from clue_solver.record import Record, save
from clue_solver.record.files import RecordFile
from tests.random_games import random_game

TYPED = 8  # entries at each length


class Taken(NamedTuple):
    """Milliseconds of processor time and by the clock."""

    worked: float
    waited: float


async def latencies(record: Record, known: int, folder: Path) -> tuple[list[Taken], list[Taken]]:
    """Return what each key takes, and each Enter, for the entries that follow the known ones."""
    path = folder / "game.clue"
    begun = record.upto(known)
    save(begun, path)
    keeper = RecordFile(path)
    app = _Watched(Session(begun, keeper=keeper))
    keys = []
    enters = []
    async with app.run_test(size=(100, 34)) as pilot:
        await _quiet(app, pilot)
        for number, line in enumerate(Game(record).lines[known : known + TYPED], known + 1):
            for mark in line:
                keys.append(await _pressed(app, Key(mark, mark), number - 1))
                await _quiet(app, pilot)
            enters.append(await _pressed(app, Key("enter", "\r"), number))
            await _quiet(app, pilot)
    keeper.close()
    return keys, enters


class _Watched(PlayApp):
    """
    The application, and when it wrote to the terminal: processor time, and time by the clock.

    `first` is when it did so first with the sheet of so many entries, `wrote` when it did so last.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.wrote = (0.0, 0.0)
        self.first: dict[int, tuple[float, float]] = {}

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        if not self._batch_count:
            self.wrote = process_time(), perf_counter()
            if isinstance(screen, PlayScreen) and screen.drawn is not None:
                self.first.setdefault(screen.drawn.entries, self.wrote)


async def _quiet(app: PlayApp, pilot: Pilot[None]) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


async def _pressed(app: _Watched, key: Key, entries: int) -> Taken:
    """Press a key and wait until the sheet of so many entries, and what else changed, is drawn."""
    screen = app.screen
    assert isinstance(screen, PlayScreen)
    worked = process_time()
    waited = perf_counter()
    app.post_message(key)
    if key.key == "enter":
        while entries not in app.first:
            await asyncio.sleep(0.0005)
        drawn = app.first[entries]
    else:
        value = screen.line.value
        while screen.line.value == value:
            await asyncio.sleep(0)
        now = perf_counter()
        while app.wrote[1] < now:
            await asyncio.sleep(0.0005)
        drawn = app.wrote
    return Taken(1000 * (drawn[0] - worked), 1000 * (drawn[1] - waited))


def bench_from_a_key_to_the_screen() -> None:
    """Print the 50th and the 95th percentile of keys and of Enter, after 12 and 100 entries."""
    record = random_game("clue-classic", 4, turns=120, seed=1)
    for known in (12, 100):
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(latencies(record, known, Path(folder)))
        for name, taken in zip(("a key", "Enter to the sheet"), found, strict=True):
            worked, waited = np.percentile(taken, [50, 95], axis=0).T
            print(
                f"{known} entries, {name}, {len(taken)} times: median and 95th percentile", end=" "
            )
            print("{:.1f} and {:.1f} ms worked,".format(*worked), end=" ")
            print("{:.1f} and {:.1f} by the clock".format(*waited))


test_from_a_key_to_the_screen = bench_from_a_key_to_the_screen

if __name__ == "__main__":
    bench_from_a_key_to_the_screen()
