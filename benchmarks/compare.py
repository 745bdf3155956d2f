"""
How fast and how exact the table of marginals is, against the tools that people would use instead.

    python benchmarks/compare.py [--quick] [--seed S] [--seconds T] [--workers W]

The same positions for all: the recorded games, the examples, and seeded random games
(simulate.py) of several sizes; each early, in the middle and late (a quarter, a half and four
fifths of the log). The ways are those of methods.py. Each works on each position in a process of
its own, with limits of time and memory (limited.py); quick ones are repeated with nothing kept, and
the median counts. Times are the processor's, as ratios to the deal diagram on the same position in
the same run; a way that gave up counts as slower than all that did not, so a median says "gave up"
where more than half of the positions were too much.

Errors are differences from the diagram's chances (methods.exact), over the cells that are open, in
points of 100; the diagram's own are differences from those of PySDD, where that has an answer. All
deals that fit count alike: the show policy is `none`. (Measured before 2026-11-28 with the policy
`random`, and before 2026-11-23 against inclusion and exclusion, which docs/decisions tells of.)
Memory is the peak beyond the loaded process.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from limited import Outcome, Work, limited
from methods import METHODS, exact
from positions import Position, forget
from results import FOLDER, PUBLISHED, figure, markdown, read, write
from rich.progress import track
from simulate import random_game

from clue_solver.record import Record, load_record
from clue_solver.rules.table import SPECTATOR

NAME = "compare"
ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "tests" / "games"
OURS, OTHER, *_ = METHODS
STAGES = {"early": 0.25, "middle": 0.5, "late": 0.8}
TURNS = 24
MEMORY = 2 << 30
RANDOM: tuple[tuple[str, str, int, bool], ...] = (
    ("3 players", "clue-classic", 3, False),
    ("4 players", "clue-classic", 4, False),
    ("6 players", "clue-classic", 6, False),
    ("4 players, spectator", "clue-classic", 4, True),
    ("Clue Diced, 3 players", "clue-diced", 3, False),
    ("Master Detective, 6 players", "master-detective", 6, False),
    ("Master Detective, 10 players", "master-detective", 10, False),
)
"""Kinds of random games: name, edition, players, whether a spectator looks on."""


class Case(NamedTuple):
    """A position with what kind of game it is from and how far that has gone."""

    kind: str
    game: str
    stage: str
    position: Position


def cases(seed: int, games: int) -> Iterator[Case]:
    """Yield all positions, those of so many random games of each kind."""
    for file in sorted(RECORDED.glob("*.clue")):
        yield from _staged("recorded", file.stem, load_record(file))
    for file in sorted((ROOT / "examples").glob("*.clue")):
        yield from _staged("examples", file.stem, load_record(file))
    for kind, edition, seats, spectator in RANDOM:
        for game in range(seed, seed + games):
            record = random_game(edition, seats, turns=TURNS, seed=game)
            yield from _staged(kind, f"{edition} {seats} {game}", record, spectator=spectator)


def _staged(kind: str, game: str, record: Record, *, spectator: bool = False) -> Iterator[Case]:
    viewer = None if spectator else record.table.viewer
    for stage, share in STAGES.items():
        seen = record.observations[: max(1, round(share * len(record.observations)))]
        yield Case(kind, game, stage, (record.table, seen, viewer))


def measured(case: Case, *, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield a row for each way: what it took and how far off it was."""
    warm = random_game("clue-diced", 2, turns=4, seed=0)
    small: Position = (warm.table, warm.observations, warm.table.viewer)

    def outcome(way: Any) -> Outcome:
        work = Work(way, case.position, small, forget)
        return limited(work, seconds=seconds, memory=MEMORY)

    reference = outcome(exact)
    exactly, deals = reference.value or (None, None)
    table, seen, viewer = case.position
    about = {
        "kind": case.kind,
        "game": case.game,
        "stage": case.stage,
        "entries": len(seen),
        "viewer": viewer or SPECTATOR,
        "cards": len(table.cards),
        "holders": len(table.holders),
        "deals": deals,
    }
    outcomes = {name: outcome(way) for name, way in METHODS.items()}
    for name, found in outcomes.items():
        truth = outcomes[OTHER].value if name == OURS else exactly
        yield {
            **about,
            "method": name,
            "seconds": found.seconds,
            "bytes": found.bytes,
            **_errors(found.value, truth),
            "gave_up": found.gave_up,
        }


def _errors(found: Any, truth: Any) -> dict[str, float | int | None]:
    """Return how many open cells were answered, the largest and the mean difference of those."""
    if found is None or truth is None:
        return {"cells": None, "largest_error": None, "mean_error": None}
    asked = (truth > 0) & (truth < 1) & ~np.isnan(found)
    apart = np.abs(found - truth)[asked]
    largest, mean = (float(apart.max()), float(apart.mean())) if len(apart) else (0.0, 0.0)
    return {"cells": len(apart), "largest_error": largest, "mean_error": mean}


def table(results: Mapping[str, Any]) -> str:
    """Return the comparison as Markdown: ratios to the deal diagram over all positions."""
    columns = ("way", "time, median", "95th percentile", "most memory", "largest error")
    return markdown((*columns, "mean error", "gave up"), _summary(results["rows"]))


def line(results: Mapping[str, Any]) -> str:
    """Return what matters most in a sentence: our time, and what the first other way takes."""
    own, other, *_ = _summary(results["rows"])
    median = str(own[1]).partition("(")[2].removesuffix(")")
    longer = str(other[1]).removesuffix(" x")
    return (
        f"**Fast**: the whole table of chances of a position takes {median} from scratch (median); "
        f"{other[0]} takes {longer} times as long and gives up on {other[-1]}."
    )


def by_kind(results: Mapping[str, Any]) -> str:
    """Return for each kind of game the median ratio of times to the deal diagram."""
    rows: list[Mapping[str, Any]] = results["rows"]
    ways = list(dict.fromkeys(row["method"] for row in rows))
    lines = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        of_kind = [row for row in rows if row["kind"] == kind]
        own = [row["seconds"] for row in of_kind if row["method"] == ways[0]]
        ratios = [_at(_ratios(of_kind, way), 50) for way in ways[1:]]
        lines.append((kind, len(own), _at(_times(own), 50, "s"), *ratios))
    return markdown(("positions", "number", f"{ways[0]}, median", *ways[1:]), lines)


def gave_up(results: Mapping[str, Any]) -> str:
    """Return why each way gave up, and how often."""
    rows: list[Mapping[str, Any]] = results["rows"]
    found: dict[tuple[str, str], int] = {}
    for row in rows:
        if row["gave_up"]:
            reason = (row["method"], row["gave_up"])
            found[reason] = found.get(reason, 0) + 1
    return markdown(
        ("way", "it ran into", "positions"),
        [(way, why, number) for (way, why), number in found.items()],
    )


def _summary(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    for way in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == way]
        answered = [row for row in own if not row["gave_up"]]
        compared = [row for row in answered if row["largest_error"] is not None]
        ratios = _ratios(rows, way)
        if way == rows[0]["method"]:
            times = _times(row["seconds"] for row in own)
            speed = [f"1 ({_at(times, 50, 's')})", f"1 ({_at(times, 95, 's')})"]
        else:
            speed = [_at(ratios, 50), _at(ratios, 95)]
        yield (
            way,
            *speed,
            figure(max((row["bytes"] for row in answered), default=None), "B"),
            _points(max((row["largest_error"] for row in compared), default=None)),
            _points(np.mean([row["mean_error"] for row in compared]) if compared else None),
            f"{len(own) - len(answered)} of {len(own)}",
        )


def _ratios(rows: Iterable[Mapping[str, Any]], way: str) -> list[float]:
    """Return a way's times as ratios to the diagram's, infinite where it gave up."""
    times = {(r["method"], r["kind"], r["game"], r["stage"]): r["seconds"] for r in rows}
    return [
        _or_never(seconds) / ours
        for (method, *place), seconds in times.items()
        if method == way and (ours := times[(OURS, *place)]) is not None
    ]


def _times(seconds: Iterable[float | None]) -> list[float]:
    return [_or_never(each) for each in seconds]


def _or_never(seconds: float | None) -> float:
    return np.inf if seconds is None else seconds


def _at(values: Sequence[float], percent: float, unit: str = "x") -> str:
    """Return a percentile; that of one who gave up is no number."""
    if not values:
        return "-"
    found = float(np.percentile(values, percent, method="higher"))
    return "gave up" if np.isinf(found) else figure(found, unit)


def _points(share: float | None) -> str:
    return figure(None if share is None else float(share) * 100)


def main() -> None:
    """Measure all, write the results and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--quick", action="store_true", help="a few positions, short limits")
    options.add_argument("--seed", type=int, default=PUBLISHED, help="of the first random games")
    options.add_argument("--games", type=int, default=1, help="random games of each kind")
    options.add_argument("--seconds", type=float, default=10.0, help="limit of each way")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--folder", type=Path, default=FOLDER, help="where to write")
    asked = options.parse_args()
    if find_spec("pysdd") is None:
        options.error("pysdd is missing: pip install '.[benchmark]'")
    seconds = min(asked.seconds, 1.0) if asked.quick else asked.seconds
    every = list(cases(asked.seed, asked.games))
    if asked.quick:
        every = every[1::11]

    with ThreadPoolExecutor(asked.workers) as pool:
        jobs = {pool.submit(_rows, case, seconds): place for place, case in enumerate(every)}
        done = {
            jobs[job]: job.result()
            for job in track(as_completed(jobs), "positions", total=len(jobs), transient=True)
        }
    rows = [row for place in sorted(done) for row in done[place]]
    results: Mapping[str, Any] = {"rows": rows}
    if not asked.quick:
        limits = {"seconds": seconds, "memory": MEMORY, "workers": asked.workers}
        settings = {"seed": asked.seed, "games": asked.games, **limits}
        write(NAME, rows, settings=settings, folder=asked.folder)
        results = read(NAME, folder=asked.folder)
    print(table(results), by_kind(results), gave_up(results), sep="\n\n")


def _rows(case: Case, seconds: float) -> list[dict[str, Any]]:
    return list(measured(case, seconds=seconds))


if __name__ == "__main__":
    main()
