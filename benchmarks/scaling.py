"""
This benchmark measures how time, states and memory grow with cards, players and entries, and looks
for the hardest logs.

    python benchmarks/scaling.py [--seed S] [--positions N] [--out FOLDER]

The positions come from seeded random games of made-up editions with three categories in the
proportions 2 : 2 : 3, seen by the first player and by a spectator. One size grows at a time. A
sheet is computed from scratch: the time is the fastest of three, and the memory is the peak of
Python and numpy. Each figure is the median over the seeds.

The hardest logs are found by hill climbing: suggestions of a random log are changed one by one, and
changes are kept unless the diagram shrinks. A longer search may find harder ones.
"""

from __future__ import annotations

import argparse
import os
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from positions import Position, edition_of, worked_out
from publish import PUBLISHED, figure, markdown, write
from rich.progress import track

from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import Diagram
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import SPECTATOR
from tests.random_games import random_cards, random_deal, random_game, suggestion

TITLE = "How it grows"
PLAYER = "player"
MEASURED = ("seconds", "states", "arrows", "bytes")
REPEATS = 3


class Size(NamedTuple):
    """A table and the length of its log."""

    cards: int
    players: int
    entries: int


AXES: dict[str, tuple[Size, tuple[int, ...]]] = {
    "cards": (Size(21, 4, 16), (12, 15, 18, 21, 24, 28, 32, 36, 40)),
    "players": (Size(30, 6, 16), (2, 3, 4, 5, 6, 7, 8, 9, 10)),
    "entries": (Size(21, 6, 16), (0, 4, 8, 12, 16, 20, 25, 30, 40, 60, 100)),
}
"""What grows, what everything else is meanwhile, and the values that it takes."""


class Shape(NamedTuple):
    """A table to search the hardest log for, and how many logs are tried from each start."""

    cards: int
    players: int
    viewer: str
    tries: int


SHAPES = (
    Shape(21, 3, PLAYER, 1500),
    Shape(21, 4, PLAYER, 1500),
    Shape(21, 6, PLAYER, 1000),
    Shape(21, 6, SPECTATOR, 500),
    Shape(30, 6, PLAYER, 300),
    Shape(30, 10, PLAYER, 100),
    Shape(30, 10, SPECTATOR, 30),
    Shape(40, 4, PLAYER, 400),
)
STARTS, RANDOM_LOGS, LONGEST = 2, 10, 60
"""Deals that are searched; random logs of each to begin with; the most suggestions of a log."""


def arrows_of(diagram: Diagram) -> int:
    """Return the number of arrows; building and every pass cost work in proportion to it."""
    return sum(layer.after.size for layer in diagram.layers)


def cost(position: Position) -> dict[str, float] | None:
    """Return what one position costs, or nothing where its diagram is refused as too large."""
    times = []
    try:
        for _ in range(REPEATS):
            begun = process_time()
            diagram = worked_out(position)
            times.append(process_time() - begun)
        states = sum(layer.after.shape[1] for layer in diagram.layers)
        arrows = arrows_of(diagram)
        del diagram
        tracemalloc.start()
        try:
            worked_out(position)
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    except TooLarge:
        return None
    return {"seconds": min(times), "states": states, "arrows": arrows, "bytes": most}


def position_of(size: Size, viewer: str, seed: int) -> Position:
    """Return a seeded position of some size."""
    turns = max(size.entries - 1, 0)  # the first entry is the own hand
    game = random_game(edition_of(size.cards), size.players, turns=turns, seed=seed)
    seat = game.table.viewer if viewer == PLAYER else None
    return Position(game.table, game.observations[: size.entries], seat)


def growth(seeds: Sequence[int]) -> Iterator[dict[str, Any]]:
    """
    Yield the row of each point: medians and 95th percentiles over the seeds.

    One seed goes through all points before the next does, so that whatever else the machine is busy
    with for a while falls on all points alike.
    """
    points = [
        (grows, base._replace(**{grows: value}), value, viewer)
        for grows, (base, values) in AXES.items()
        for value in values
        for viewer in (PLAYER, SPECTATOR)
    ]
    found: list[list[dict[str, float]]] = [[] for _ in points]
    for seed in track(seeds, "growth", transient=True):
        for place, (_, size, _, viewer) in enumerate(points):
            measured = cost(position_of(size, viewer, seed))
            if measured is not None:
                found[place].append(measured)
    for (grows, size, value, viewer), costs in zip(points, found, strict=True):
        row: dict[str, Any] = {"what": "growth", "grows": grows, "value": value, "viewer": viewer}
        row |= {**size._asdict(), "positions": len(seeds), "refused": len(seeds) - len(costs)}
        for name in MEASURED:
            middle, late = np.percentile([each[name] for each in costs] or [np.nan], [50, 95])
            row[name], row[f"{name}_p95"] = float(middle), float(late)
        yield row


class Asked(NamedTuple):
    """A suggestion of a log under search: who asks, for what, and which match is shown."""

    by: str
    cards: tuple[str, ...]
    choice: float


class Search:
    """Hill climbing over the logs of one true deal, towards more arrows."""

    def __init__(self, shape: Shape, seed: str) -> None:
        self.random = Random(f"{seed} {shape.cards} {shape.players} {shape.viewer}")
        self.dealt = random_deal(self.random, edition_of(shape.cards), shape.players)
        self.shape = shape

    def position(self, log: Sequence[Asked]) -> Position:
        """Return the log with the table's true answers, the viewer's own hand first."""
        seen: list[Observation] = [self.dealt.hand(self.dealt.table.seats[0])]
        for asked in log:

            def choose(could: list[str], _seat: str, _by: str, asked: Asked = asked) -> str:
                return could[int(asked.choice * len(could))]

            seen.append(suggestion(self.dealt, asked.by, asked.cards, choose=choose))
        table = self.dealt.table
        return Position(table, seen, table.viewer if self.shape.viewer == PLAYER else None)

    def arrows(self, log: Sequence[Asked]) -> float:
        """Return the arrows of the log's diagram; infinity where it is refused."""
        try:
            return arrows_of(worked_out(self.position(log)))
        except TooLarge:
            return inf

    def suggestion(self) -> Asked:
        """Return a random suggestion."""
        cards = random_cards(self.random, self.dealt.table.edition)
        return Asked(self.random.choice(self.dealt.table.seats), cards, self.random.random())

    def changed(self, log: Sequence[Asked]) -> list[Asked]:
        """Return the log with one change."""
        random, after = self.random, list(log)
        place = random.randrange(len(after)) if after else 0
        change = random.choice(("more", "less", "another", "asker", "card", "shown"))
        if change == "more" or not after:
            if len(after) < LONGEST:
                after.insert(place, self.suggestion())
            return after
        if change == "less":
            del after[place]
            return after
        old, new = after[place], self.suggestion()
        if change == "asker":
            new = old._replace(by=new.by)
        elif change == "card":
            kind = random.randrange(len(old.cards))
            new = old._replace(cards=(*old.cards[:kind], new.cards[kind], *old.cards[kind + 1 :]))
        elif change == "shown":
            new = old._replace(choice=new.choice)
        after[place] = new
        return after

    def climb(self) -> tuple[list[Asked], float, float]:
        """Return the hardest log found, its arrows, and the median of the random logs before it."""
        lengths = [self.random.randint(1, 3 * self.shape.players) for _ in range(RANDOM_LOGS)]
        logs = [[self.suggestion() for _ in range(length)] for length in lengths]
        arrows = [self.arrows(log) for log in logs]
        most = max(arrows)
        log = logs[arrows.index(most)]
        for _ in range(self.shape.tries):
            other = self.changed(log)
            found = self.arrows(other)
            if found >= most:
                log, most = other, found
        return log, most, float(np.median(arrows))


def climbed(task: tuple[Shape, str]) -> tuple[Position, float, float]:
    """Search from one start; return the position found and its arrows, and a random log's."""
    search = Search(*task)
    log, most, usual = search.climb()
    return search.position(log), most, usual


def hardest(seed: int, shapes: Sequence[Shape]) -> Iterator[dict[str, Any]]:
    """Yield the hardest log of each shape: searched side by side, then measured alone."""
    tasks = [(shape, f"{seed} {start}") for shape in shapes for start in range(STARTS)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = list(track(pool.map(climbed, tasks), "hardest", len(tasks), transient=True))
    for number, shape in enumerate(shapes):
        starts = found[number * STARTS :][:STARTS]
        position, _, _ = max(starts, key=lambda each: each[1])
        usual = float(np.median([each[2] for each in starts]))
        row = {"what": "hardest", **shape._asdict(), "found": len(position.seen), "usual": usual}
        yield row | (cost(position) or dict.fromkeys(MEASURED))


def tables(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables by their titles."""
    return {
        "From the smallest to the largest": markdown(
            ("what grows", "seen by", "time", "states", "memory", "refused"),
            list(_grown(results["rows"])),
        ),
        "The hardest logs found": markdown(
            ("table", "seen by", "entries", "arrows", "arrows, random log", "time", "memory"),
            [_hard(row) for row in results["rows"] if row["what"] == "hardest"],
        ),
    }


def _grown(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    """Yield for each axis and viewer the range of each measure."""
    growth = [row for row in rows if row["what"] == "growth"]
    units = {"seconds": "s", "states": "", "bytes": "B"}
    for grows, viewer in dict.fromkeys((row["grows"], row["viewer"]) for row in growth):
        own = [row for row in growth if (row["grows"], row["viewer"]) == (grows, viewer)]
        fixed = ", ".join(f"{own[0][each]} {each}" for each in Size._fields if each != grows)
        ranges = []
        for name, unit in units.items():
            least, most = (each([row[name] for row in own]) for each in (min, max))
            ranges.append(f"{figure(least, unit)} to {figure(most, unit)}")
        title = f"{own[0]['value']} to {own[-1]['value']} {grows}, {fixed}"
        yield title, viewer, *ranges, sum(row["refused"] for row in own)


def _hard(row: Mapping[str, Any]) -> tuple[object, ...]:
    arrows = "refused" if row["arrows"] is None else figure(row["arrows"])
    sizes = f"{row['cards']} cards, {row['players']} players"
    costs = figure(row["seconds"], "s"), figure(row["bytes"], "B")
    return sizes, row["viewer"], row["found"], arrows, figure(row["usual"]), *costs


def line(results: Mapping[str, Any]) -> str:
    """Return in a sentence the hardest logs of a usual and of the largest table."""
    times = {
        players: max(
            row["seconds"]
            for row in results["rows"]
            if (row["what"], row["cards"], row["players"]) == ("hardest", cards, players)
        )
        for cards, players in ((21, 4), (30, 10))
    }
    return (
        f"**Worst cases**: the hardest games that we could find take {figure(times[4], 's')} with "
        f"4 players and 21 cards and {figure(times[10], 's')} with 10 players and 30 cards."
    )


def main() -> None:
    """Measure, search and print the tables; write the results where that is asked for."""
    options = argparse.ArgumentParser(description="How do time, states and memory grow?")
    options.add_argument("--seed", type=int, default=PUBLISHED)
    options.add_argument("--positions", type=int, default=15, help="seeded games for each point")
    options.add_argument("--tries", type=float, default=1.0, help="so many times the usual search")
    options.add_argument("--out", type=Path, help="a folder for scaling.json")
    chosen = options.parse_args()
    seeds = range(chosen.seed * 1000, chosen.seed * 1000 + chosen.positions)
    shapes = [each._replace(tries=round(each.tries * chosen.tries)) for each in SHAPES]
    rows = [*growth(seeds), *hardest(chosen.seed, shapes)]
    settings = {"seed": chosen.seed, "positions": chosen.positions}
    with TemporaryDirectory() as nowhere:
        results = write("scaling", rows, settings=settings, folder=chosen.out or Path(nowhere))
    for title, table in tables(results).items():
        print(title, table, sep="\n\n", end="\n\n")


if __name__ == "__main__":
    main()
