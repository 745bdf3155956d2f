"""
How fast, how complete and how exact one sheet is, by the diagram, machine code and other ways.

    python benchmarks/deduction.py [--games N] [--seed S] [--workers W]

It takes 30 seconds of processor time, on all cores. The positions are every second one of
compare.py with two random games of each kind: the recorded games, the examples and seeded random
games (simulate.py), early, in the middle and late; the two slow ways take every second of those,
for half a second each. Each way begins at the log, with nothing kept from another. Times are the
processor's, as ratios to the deal diagram on the same position in the same run; of a way that gave
up, how long it tried.

- The deal diagram and machine code tell every chance, the latter all solutions and the
  number of deals besides. In one call it takes all moments of the game up to there, read before;
  the time is that of one.
- The rules are those of clue_solver/inference/propagation.py: unit propagation over the log's
  clauses, and what a careful person does with pencil and paper, who counts hands as well.
- python-sat is asked for each cell of the sheet whether either side fits, or for all models, which
  are counted. PySDD compiles the formula and counts (methods.py).

A fact is a cell of the sheet that is forced: this holder has this card, or cannot have it. Shares
are of positions that were answered; told falsely is a fact that is not so. The envelope is off by
so many points of 100 that lie on wrong cards of a category; who only has marks takes the cards that
are left as equally likely. The truth is the diagram's, which compare.py holds against PySDD's.

All deals that fit count alike: the show policy is `none`. (Measured before 2026-11-28 with
`random`.)

Cold is a new process from its start to the first sheet, with all that it loads.

What the rules miss is counted besides at every entry of those games and of more random ones, by one
player's view. The SAT backbone is complete: an open cell has a deal for either side. Facts that a
line of the log tells outright, such as the own hand, are in all numbers; all ways find those.
Stages are thirds of the log.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from math import ceil, floor
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

import missed
import numpy as np
from compare import ROOT, Case, cases
from drawing import Span, draw_spans
from limited import GaveUp, Work, timed
from methods import Floats, diagram, known
from results import FOLDER, PUBLISHED, described, figure, markdown, read, write
from rich.progress import track
from ways import DIAGRAM, MACHINE_CODE, Way, missing, small, there

from clue_solver.knowledge.clauses import Layout, card_numbers

NAME = "deduction"
SHEET, STARTED, FACTS = "sheet", "cold", "facts"
"""What a row of the results is of: a way at a position, a new process, or games read by rules."""

ENOUGH = 0.03
"""For how many seconds what is quick is repeated."""

CERTAIN = 1e-12
"""So near to 0 or 1 a chance is told as certain."""

SCRIPT = """
import sys
from time import process_time
from clue_solver import load
from clue_solver.inference.batch import evaluate
from clue_solver.inference.positions import Positions
_, file, how = sys.argv
known = load(file).deduction.knowledge
evaluate(Positions.of([known]), fast=how == "compiled")
print(process_time())
"""
STARTING = {DIAGRAM: "diagram", MACHINE_CODE: "compiled"}
STARTS, COMPILING = 2, 10.0
"""How many processes are started cold; after how many seconds it is said that one compiles."""


def cold(how: str) -> float:
    """Return the least processor seconds of a new process from its start to the first sheet."""
    command = [sys.executable, "-c", SCRIPT, str(ROOT / "examples" / "classic.clue"), how]
    seconds: list[float] = []
    for _ in range(STARTS):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            out, _ = process.communicate(timeout=None if seconds else COMPILING)
        except subprocess.TimeoutExpired:
            print("This takes its time to start: machine code is made, once on this machine.")
            out, _ = process.communicate()
        seconds.append(float(out))
    return min(seconds)


@cache
def ways() -> dict[str, Way]:
    """Return all ways that can be measured here; each has been asked once, so that it is loaded."""
    every = there()
    for way in every.values():
        way.do(way.asked(small()))
    return every


def sheets(number: int, case: Case) -> list[dict[str, Any]]:
    """Return a row for each way that is asked: its time, and how near it comes to the truth."""
    truth = diagram(case.position)
    layout = known(case.position).layout
    rows = []
    for name, way in ways().items():
        if way.slow and number % 2:
            continue
        asked = way.asked(case.position)
        row: dict[str, Any] = {
            "what": SHEET,
            "kind": case.kind,
            "game": case.game,
            "stage": case.stage,
        }
        begun = thread_time()
        try:
            work = Work(way.do, asked, None, way.fresh)
            found, seconds = timed(work, enough=ENOUGH)
            row |= compared(found, truth, layout) | {"gave_up": ""}
        except GaveUp as refusal:
            seconds = thread_time() - begun
            row["gave_up"] = str(refusal)
        rows.append({**row, "method": name, "seconds": seconds / way.answers(asked)})
    return rows


def compared(found: Floats, truth: Floats, layout: Layout) -> dict[str, float | int]:
    """Return how many facts are forced, found and false, and how far off the envelope is."""
    forced = _certain(truth)
    facts = _certain(found)
    false = facts & (np.abs(found - truth) > CERTAIN)
    off = [
        float(np.abs(_likely(found[cards, -1]) - truth[cards, -1]).sum() / 2)
        for cards in map(card_numbers, layout.categories)
    ]
    return {
        "forced": int(forced.sum()),
        "found": int((facts & forced & ~false).sum()),
        "false": int(false.sum()),
        "off": float(np.mean(off)),
        "most_off": max(off),
    }


def _certain(table: Floats) -> Any:
    """Return which cells are told as certain."""
    return (table < CERTAIN) | (table > 1 - CERTAIN)


def _likely(column: Floats) -> Floats:
    """Return the chances of a category's cards to be in the envelope; who has marks makes even."""
    open_ = np.isnan(column)
    if not open_.any():
        return column
    left = max(1.0 - column[~open_].sum(), 0.0)
    return np.where(open_, left / open_.sum(), column)


def measured(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rows of all that is measured."""
    starting = {name: how for name, how in STARTING.items() if name in there()}
    every = list(cases(asked.seed, 2))[::2]
    games = list(missed.games(asked.seed, asked.games))
    with ProcessPoolExecutor(asked.workers, get_context("spawn")) as pool:
        rows: list[dict[str, Any]] = [
            {"what": STARTED, "method": name, "seconds": seconds}
            for name, seconds in zip(starting, pool.map(cold, starting.values()), strict=True)
        ]
        work = pool.map(sheets, range(len(every)), every)
        for found in track(work, "positions", total=len(every), transient=True):
            rows += found
        read = pool.map(missed.moments, [record for _, record in games], chunksize=8)
        kinds = [kind for kind, _ in games]
        rows += [{"what": FACTS, **row} for row in missed.summed(zip(kinds, read, strict=True))]
    return rows


def table(results: Mapping[str, Any]) -> str:
    """Return for each way its speed, what it found and how far off it is."""
    columns = ("way", "time, median", "95th percentile", "facts found", "told falsely")
    return markdown(
        (*columns, "envelope off, mean", "at most", "positions", "gave up"),
        _lines(_of(SHEET, results)),
    )


def _lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for way in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == way]
        answered = [row for row in own if not row["gave_up"]]
        forced, found, false = (
            sum(row[key] for row in answered) for key in ("forced", "found", "false")
        )
        yield (
            way,
            *(_ratio(rows, way, percent) for percent in (50, 95)),
            f"{floor(1e4 * found / forced) / 100:g} %" if forced else "-",
            false,
            _points(sum(row["off"] for row in answered) / max(len(answered), 1)),
            _points(max((row["most_off"] for row in answered), default=0.0)),
            len(own),
            len(own) - len(answered),
        )


def ratios(rows: Sequence[Mapping[str, Any]], way: str) -> list[tuple[float, bool]]:
    """Return a way's times in those of the diagram, ascending, and whether it then gave up."""
    place = itemgetter("kind", "game", "stage")
    ours = {place(row): row["seconds"] for row in rows if row["method"] == DIAGRAM}
    own = [row for row in rows if row["method"] == way]
    return sorted((row["seconds"] / ours[place(row)], bool(row["gave_up"])) for row in own)


def at(found: Sequence[tuple[float, bool]], percent: float) -> tuple[float, bool]:
    """
    Return a percentile, and whether it is at least so much: some that gave up may be longer.

    >>> at([(1.0, False), (2.0, True), (3.0, False)], 50), at([(1.0, False), (2.0, True)], 0)
    ((2.0, True), (1.0, False))
    """
    place = ceil(percent / 100 * (len(found) - 1))
    return found[place][0], any(gave_up for _, gave_up in found[: place + 1])


def _ratio(rows: Sequence[Mapping[str, Any]], way: str, percent: float) -> str:
    """Return a percentile of a way's times as a ratio; of the diagram the time as well."""
    ratio, at_least = at(ratios(rows, way), percent)
    if way != DIAGRAM:
        return "> " * at_least + figure(ratio, "x")
    times = [row["seconds"] for row in rows if row["method"] == way]
    return f"1 ({figure(float(np.percentile(times, percent, method='higher')), 's')})"


def _points(share: float) -> str:
    return "0" if share < CERTAIN else figure(100 * share)


def _of(what: str, results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row for row in results["rows"] if row["what"] == what]


def started(results: Mapping[str, Any]) -> str:
    """Return what a new process takes to the first sheet."""
    rows = _of(STARTED, results)
    lines = [
        (
            row["method"],
            figure(row["seconds"], "s"),
            figure(row["seconds"] / rows[0]["seconds"], "x"),
        )
        for row in rows
    ]
    return markdown(("way", "processor time", "ratio"), lines)


def facts(results: Mapping[str, Any]) -> str:
    """Return what rules miss, over all entries of all games."""
    columns = ("way", "facts found", "missed", "cards not placed", "envelope cards missed")
    return markdown((*columns, "positions with a miss"), missed.overall(_of(FACTS, results)))


def by_stage(results: Mapping[str, Any]) -> str:
    """Return the share of facts missed, by kind of game, stage and way."""
    return missed.by_stage(_of(FACTS, results))


def line(results: Mapping[str, Any]) -> str:
    """Return what matters most in a sentence: facts found, and what simpler ways miss."""
    own, *others = missed.overall(_of(FACTS, results))
    misses = ", ".join(f"{other[0]} {other[2]}" for other in others)
    return f"**Complete**: all of {own[1]} forced facts are found; of them miss: {misses}."


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw how long each way takes, its facts and the error of its envelope beside it."""
    rows = _of(SHEET, results)
    spans = []
    for way, _, _, found, _, off, *_ in _lines(rows):
        low, middle, high = (at(ratios(rows, way), percent) for percent in (5, 50, 95))
        note = f"{found} of the facts, envelope off by {off}"
        spans.append(Span(way, low, middle, high, note))
    draw_spans(path, spans, "times the deal diagram: 5th percentile, median, 95th", results)


def main() -> None:
    """Measure all, write the results and the picture, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--seed", type=int, default=PUBLISHED, help="of the first random games")
    options.add_argument("--games", type=int, default=10, help="random games of each kind")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--folder", type=Path, default=FOLDER, help="where to write")
    asked = options.parse_args()
    begun = monotonic()
    rows = measured(asked)
    settings = {"seed": asked.seed, "games": asked.games, "workers": asked.workers}
    write(NAME, rows, settings=settings, folder=asked.folder)
    results = read(NAME, folder=asked.folder)
    print(table(results), started(results), facts(results), sep="\n\n", end="\n\n")
    print(described(results), *missing().values(), sep="\n")
    if "picture" not in missing():
        picture = asked.folder / f"{NAME}.svg"
        draw(results, picture)
        print(picture)
    print(f"{monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
