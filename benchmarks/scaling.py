"""
How time, states and memory grow with cards, players and entries; and the worst case searched for.

    python benchmarks/scaling.py [--quick] [--seed S] [--workers W]
    python benchmarks/scaling.py --ten GAMES [--workers W]

Each position is a seeded random game (simulate.py) at a table of its own: editions made in code
with three categories in the proportions 2 : 2 : 3, seen by the first seat and by a spectator. One
thing grows, the others stay. What is measured is knowledge, backbone, diagram and all marginals
from scratch, with nothing kept:

- time: the fastest of three, since the machine is shared;
- states and arrows of the deal diagram, and the bytes of its arrows;
- the peak of all memory that Python and numpy took meanwhile, by tracemalloc, in a run of its own;
  the SAT solver's own, which does not grow with the diagram, is not in it.

Every point is the median and the 95th percentile over the seeds. Growth is fitted to the medians by
least squares of the logarithm, once as an exponential and once as a power; the one with the larger
R squared is reported, with both. Over entries a position first grows and then empties, so there the
peak is reported and what follows it is fitted.

The worst case is searched for (hardest.py): logs of true deals are changed step by step towards
more arrows. What is found is a lower bound: a longer search may find worse.

`--ten` takes every entry of random games of Master Detective with ten players instead, and prints
processor times: of the sheet, as above, and with the number of deals and all solutions besides; how
many were refused; and the most memory that a process took.
"""

from __future__ import annotations

import argparse
import resource
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from drawing import Panel, Point, draw_svg
from hardest import Shape, climbed
from msgspec.structs import replace
from positions import Position, edition, forget, worked_out
from results import FOLDER, PUBLISHED, figure, markdown, read, spread, write
from rich.progress import track
from simulate import random_game

from clue_solver.errors import TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.table import ANY, SPECTATOR

NAME = "scaling"
VIEWERS = ("player", SPECTATOR)
MEASURED = ("seconds", "states", "arrows", "arrow_bytes", "peak_bytes")
REPEATS = 3


class Axis(NamedTuple):
    """What grows, through which values, and what everything else is meanwhile."""

    grows: str
    through: tuple[int, ...]
    cards: int
    players: int
    entries: int


AXES = (
    Axis("cards", (12, 15, 18, 21, 24, 28, 32, 36, 40), 21, 4, 16),
    Axis("players", (2, 3, 4, 5, 6, 7, 8, 9, 10), 30, 6, 16),
    Axis("entries", (0, 4, 8, 12, 16, 20, 25, 30, 40, 50, 60, 80, 100), 21, 6, 16),
)


SHAPES = (
    Shape(21, 3, "player", 1500),
    Shape(21, 4, "player", 1500),
    Shape(21, 6, "player", 1000),
    Shape(21, 6, SPECTATOR, 500),
    Shape(30, 6, "player", 300),
    Shape(30, 10, "player", 100),
    Shape(30, 10, SPECTATOR, 30),
    Shape(40, 4, "player", 400),
)
BRIEF_SHAPES = ((21, 4), (21, 6), (30, 10))
"""Cards and players of the worst cases that are worth a line in the README."""

STARTS = 2
"""How many deals are searched, each from the worst of some random logs of any length."""


def measured(position: Position) -> dict[str, float] | None:
    """Return what one position costs, or nothing where its diagram is refused as too large."""
    times = []
    try:
        for _ in range(REPEATS):
            begun = perf_counter()
            diagram = worked_out(position)
            times.append(perf_counter() - begun)
        sizes = {
            "states": sum(layer.states for layer in diagram.layers),
            "arrows": diagram.arrows_in_all,
            "arrow_bytes": sum(
                layer.after.nbytes + (0 if layer.weight is None else layer.weight.nbytes)
                for layer in diagram.layers
            ),
        }
        del diagram
        tracemalloc.start()
        try:
            worked_out(position)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    except TooLarge:
        return None
    return {"seconds": min(times), **sizes, "peak_bytes": peak}


def at(shape: Axis, viewer: str, seed: int) -> dict[str, float] | None:
    """Return what a seeded position of some size costs; nothing where it is refused."""
    turns = max(shape.entries - 1, 0)  # the first entry is the own hand
    game = random_game(edition(shape.cards), shape.players, turns=turns, seed=seed)
    eyes = game.table.viewer if viewer == "player" else None
    return measured((game.table, game.observations[: shape.entries], eyes))


def grown(seeds: Sequence[int]) -> Iterator[dict[str, Any]]:
    """
    Yield the row of each point: medians and 95th percentiles over the seeds.

    One seed goes through all points before the next does, so that whatever else the machine is busy
    with for a while falls on all points alike.
    """
    points = [
        (axis._replace(**{axis.grows: value}), value, viewer)  # type: ignore[arg-type] # a number
        for axis in AXES
        for value in axis.through
        for viewer in VIEWERS
    ]
    tasks = [(place, seed) for seed in seeds for place in range(len(points))]
    found: list[list[dict[str, float] | None]] = [[] for _ in points]
    for place, seed in track(tasks, "growth", transient=True):
        shape, _, viewer = points[place]
        found[place].append(at(shape, viewer, seed))
    for (shape, value, viewer), costs in zip(points, found, strict=True):
        kept = [cost for cost in costs if cost is not None]
        row: dict[str, Any] = {
            "kind": "growth",
            "grows": shape.grows,
            "value": value,
            "viewer": viewer,
            "cards": shape.cards,
            "players": shape.players,
            "entries": shape.entries,
            "positions": len(costs),
            "refused": len(costs) - len(kept),
        }
        for name in MEASURED:
            row[name], row[f"{name}_p95"] = spread([cost[name] for cost in kept])
        yield row


def fits(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield for each axis, viewer and measure the growth fitted to the medians."""
    for axis in AXES:
        for viewer in VIEWERS:
            line = [r for r in rows if (r["grows"], r["viewer"]) == (axis.grows, viewer)]
            for name in MEASURED:
                points = [(r["value"], r[name]) for r in line if r["value"] and r[name]]
                peak = max(points, key=lambda point: point[1], default=(0, 0.0))
                if axis.grows == "entries":
                    points = [point for point in points if point[0] >= peak[0]]
                if len(points) >= 4:
                    yield {
                        "grows": axis.grows,
                        "viewer": viewer,
                        "measure": name,
                        "from": points[0][0],
                        "to": points[-1][0],
                        "peak_at": peak[0],
                        **_fitted(points),
                    }


def _fitted(points: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Return the better of an exponential and a power through the points, with R² of both."""
    across, up = np.log(np.array(points, float)).T
    trials = {"exponential": np.exp(across), "power": across}
    found: dict[str, Any] = {}
    for form, over in trials.items():
        slope, start = np.polyfit(over, up, 1)
        rest = ((up - start - slope * over) ** 2).sum()
        square = 1 - rest / max(((up - up.mean()) ** 2).sum(), 1e-12)
        found[f"{form}_r2"] = float(square)
        if "r2" not in found or square > found["r2"]:
            found |= {"form": form, "slope": float(slope), "start": float(start), "r2": square}
    return found


def worst(shapes: Sequence[Shape], seed: int, workers: int) -> Iterator[dict[str, Any]]:
    """Yield the worst row of each shape: searched side by side, then measured alone."""
    tasks = [(shape, f"{seed} {start}") for shape in shapes for start in range(STARTS)]
    with ProcessPoolExecutor(workers) as pool:
        found = list(track(pool.map(climbed, tasks), "worst cases", len(tasks), transient=True))
    for number, shape in enumerate(shapes):
        starts = found[number * STARTS :][:STARTS]
        hardest, most, _ = max(starts, key=lambda each: each[1])
        cost = measured(hardest) or dict.fromkeys(MEASURED)
        yield {
            "kind": "worst",
            **shape._asdict(),
            "starts": STARTS,
            "found": len(hardest[1]),
            "random_arrows": float(np.median([first for _, _, first in starts])),
            "refused": most == float("inf"),
            **cost,
        }


def ten_players(seed: int) -> tuple[list[tuple[str, float, float, bool]], float]:
    """
    Return what every entry of a game of ten costs, and the most memory of this process, in MB.

    For each entry: who looks on, the seconds of the sheet, with solutions, whether it was refused.
    """
    game = random_game("master-detective", 10, turns=24, seed=seed)
    found = []
    for viewer in VIEWERS:
        eyes = game.table.viewer if viewer == "player" else None
        for upto in range(len(game.observations) + 1):
            forget()
            diagram = deduction = None  # nothing of the position before is kept
            begun = process_time()
            table = replace(game.table, shows="random", asks=ANY)
            known = knowledge_of(table, game.observations[:upto], viewer=eyes)
            deduction, refused, sheet = Deduction(known), False, 0.0
            try:
                diagram = deduction.diagram(upto)
                diagram.marginals()
                sheet = process_time() - begun
                diagram.count()
                deduction.solutions(upto)
            except TooLarge:
                refused = True
            found.append((viewer, sheet, process_time() - begun, refused))
    return found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ten_table(games: int, workers: int) -> str:
    """Return the percentiles over every entry of some games of ten as a Markdown table."""
    with ProcessPoolExecutor(workers) as pool:
        told = list(track(pool.map(ten_players, range(games)), "games", games, transient=True))
    rows = []
    for viewer in VIEWERS:
        mine = [each for found, _ in told for each in found if each[0] == viewer]
        spreads = [
            " / ".join(figure(each, "s") for each in np.percentile(times, [50, 95, 100]).tolist())
            for times in ([each[1] for each in mine], [each[2] for each in mine])
        ]
        rows.append((viewer, len(mine), *spreads, sum(each[3] for each in mine)))
    columns = (
        "seen by",
        "positions",
        "sheet: median / p95 / worst",
        "with all solutions",
        "refused",
    )
    most = figure(max(memory for _, memory in told) * 2.0**20, "B")
    return f"{markdown(columns, rows)}\n\nMost memory of a process: {most}"


def table(results: Mapping[str, Any]) -> str:
    """Return the growth at each point as a Markdown table."""
    columns = (
        "what grows",
        "to",
        "seen by",
        "time",
        "p95",
        "states",
        "arrows",
        "bytes of arrows",
        "peak memory",
        "p95",
    )
    rows = [
        (
            _growing(row),
            row["value"],
            row["viewer"],
            figure(row["seconds"], "s"),
            figure(row["seconds_p95"], "s"),
            figure(row["states"]),
            figure(row["arrows"]),
            figure(row["arrow_bytes"], "B"),
            figure(row["peak_bytes"], "B"),
            figure(row["peak_bytes_p95"], "B"),
        )
        for row in results["rows"]
        if row["kind"] == "growth"
    ]
    return markdown(columns, rows)


def _growing(row: Mapping[str, Any]) -> str:
    fixed = [
        f"{row[name]} {name}" for name in ("cards", "players", "entries") if name != row["grows"]
    ]
    return f"{row['grows']} ({', '.join(fixed)})"


def growth(results: Mapping[str, Any], measures: Sequence[str] = MEASURED) -> str:
    """Return the fitted growth as a Markdown table."""
    columns = ("what grows", "seen by", "measure", "from", "to", "fitted", "R²", "peak at")
    rows = [
        (
            fit["grows"],
            fit["viewer"],
            fit["measure"].replace("_", " "),
            fit["from"],
            fit["to"],
            law(fit),
            f"{fit['r2']:.2f}",
            fit["peak_at"] if fit["grows"] == "entries" else "-",
        )
        for fit in results["fits"]
        if fit["measure"] in measures
    ]
    return markdown(columns, rows)


def law(fit: Mapping[str, Any]) -> str:
    """
    Return a fit in words.

    >>> law({"form": "exponential", "slope": 0.1, "grows": "cards"})
    'x 1.11 with each card'
    >>> law({"form": "power", "slope": 1.52, "grows": "players"})
    'players to the power of 1.5'
    """
    if fit["form"] == "power":
        return f"{fit['grows']} to the power of {fit['slope']:.1f}"
    one = {"entries": "entry"}.get(fit["grows"], fit["grows"].removesuffix("s"))
    return f"x {np.exp(fit['slope']):.2f} with each {one}"


def worst_table(results: Mapping[str, Any]) -> str:
    """Return the worst cases found as a Markdown table."""
    columns = (
        "cards",
        "players",
        "seen by",
        "logs tried",
        "entries",
        "arrows",
        "a random log's arrows",
        "time",
        "peak memory",
    )
    rows = [
        (
            row["cards"],
            row["players"],
            row["viewer"],
            row["tries"] * row["starts"],
            row["found"],
            "refused" if row["refused"] else figure(row["arrows"]),
            figure(row["random_arrows"]),
            figure(row["seconds"], "s"),
            figure(row["peak_bytes"], "B"),
        )
        for row in results["rows"]
        if row["kind"] == "worst"
    ]
    return markdown(columns, rows)


def brief(results: Mapping[str, Any]) -> str:
    """Return what matters most as a short Markdown table: growth of time, and the worst logs."""
    rows: list[tuple[object, ...]] = []
    for fit in results["fits"]:
        if fit["measure"] == "seconds" and fit["grows"] != "entries":
            line = [
                row
                for row in results["rows"]
                if row["kind"] == "growth"
                and (row["grows"], row["viewer"]) == (fit["grows"], fit["viewer"])
            ]
            first, last = line[0], line[-1]
            times = " to ".join(figure(row["seconds"], "s") for row in (first, last))
            shape = _growing(first).partition("(")[2].removesuffix(")")
            through = f"{first['value']} to {last['value']} {fit['grows']}, {shape}"
            rows.append((through, fit["viewer"], times, f"{law(fit)} (R² {fit['r2']:.2f})"))
    for row in results["rows"]:
        if row["kind"] == "worst" and (row["cards"], row["players"]) in BRIEF_SHAPES:
            time = "refused" if row["refused"] else figure(row["seconds"], "s")
            more = row["arrows"] / row["random_arrows"] if not row["refused"] else None
            name = f"worst log found, {row['cards']} cards, {row['players']} players"
            rows.append((name, row["viewer"], time, f"{figure(more, 'x')} a random log's arrows"))
    return markdown(("table", "seen by", "time", "growth"), rows)


def line(results: Mapping[str, Any]) -> str:
    """Return in a sentence the hardest logs of a small and of the largest table."""
    told = []
    for cards, players in (BRIEF_SHAPES[0], BRIEF_SHAPES[-1]):
        times = [
            row["seconds"]
            for row in results["rows"]
            if row["kind"] == "worst" and (row["cards"], row["players"]) == (cards, players)
        ]
        told.append(f"{figure(max(times), 's')} with {players} players and {cards} cards")
    return f"**Bounded**: the hardest logs that a search found take {' and '.join(told)}."


SHOWN: tuple[tuple[str, str, float], ...] = (
    ("seconds", "time, ms", 1e3),
    ("states", "states", 1.0),
    ("peak_bytes", "peak memory, MB", 2.0**-20),
)
"""The measures that the figure shows, its label and its unit."""


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw medians, with the 95th percentile above, for each measure and each thing that grows."""
    rows = [row for row in results["rows"] if row["kind"] == "growth"]

    def points(axis: Axis, viewer: str, name: str, unit: float) -> Iterator[Point]:
        for row in rows:
            if (row["grows"], row["viewer"]) == (axis.grows, viewer) and row[name]:
                middle = row[name] * unit
                yield row["value"], middle, 0.0, row[f"{name}_p95"] * unit - middle

    panels = [
        [
            Panel(
                title=_growing(axis._asdict()),
                across=axis.grows,
                up=label,
                lines={f"seen by a {v}": list(points(axis, v, name, unit)) for v in VIEWERS},
                log=True,
            )
            for axis in AXES
        ]
        for name, label, unit in SHOWN
    ]
    draw_svg(path, panels, results)


def main() -> None:
    """Measure, search, fit, write the results, draw the figure and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--seed", type=int, default=PUBLISHED)
    options.add_argument("--positions", type=int, default=15, help="seeded games for each point")
    options.add_argument("--workers", type=int, default=2, help="for the search only")
    options.add_argument("--ten", type=int, default=0, metavar="GAMES", help="ten players alone")
    options.add_argument("--quick", action="store_true", help="2 games, few tries; to develop with")
    options.add_argument("--folder", type=Path, default=FOLDER, help="where the results go")
    chosen = options.parse_args()
    positions = 2 if chosen.quick else chosen.positions
    if positions < 1 or chosen.workers < 1:
        options.error("expected at least 1 position for each point, and 1 worker")
    if chosen.ten:
        print(ten_table(chosen.ten, chosen.workers))
        return
    seeds = range(chosen.seed * 1000, chosen.seed * 1000 + positions)
    rows = list(grown(seeds))
    fitted = list(fits(rows))
    shapes = [s._replace(tries=s.tries // (20 if chosen.quick else 1)) for s in SHAPES]
    rows += worst(shapes, chosen.seed, chosen.workers)
    asked = {"seed": chosen.seed, "positions": positions, "repeats": REPEATS, "starts": STARTS}
    write(NAME, rows, settings=asked, folder=chosen.folder, fits=fitted)
    results = read(NAME, folder=chosen.folder)
    draw(results, chosen.folder / f"{NAME}.svg")
    print(table(results), growth(results), worst_table(results), sep="\n\n")


if __name__ == "__main__":
    main()
