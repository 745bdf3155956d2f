"""
This benchmark compares the speed, completeness and accuracy of sheets with the alternatives'.

    python benchmarks/deduction.py [--games N] [--seed S] [--out FOLDER] [--peers FOLDER]

The positions are early, middle and late ones of the recorded games, the examples and seeded random
games. All deals that fit count alike, and every method starts from the log. Times are processor
times relative to the deal diagram on the same position. If a method gave up, the time until then
counts.

- The deal diagram and machine code compute every chance. A batch takes all positions of a game in
  one call; the time given is per position.
- Unit propagation works on the log's clauses; pencil and paper also counts hands, as a careful
  person does.
- python-sat is asked about each cell (a card and a holder), or for all models. PySDD compiles the
  formula and counts. Both start after unit propagation.
- Programs in the folder `--peers` get the path of a record and print lines `card,holder,chance`.

A fact is a cell that is certain. The envelope error is the chance given to the wrong cards of a
category, in percent; if a method only makes marks, its chance is spread evenly over the cards that
are left. The diagram is taken as the truth; PySDD's counts agree with it.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib.util import find_spec
from math import ceil, floor
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time, thread_time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace
from positions import CACHES, Case, Position, cases, forget, games
from publish import (
    COLOURS,
    PUBLISHED,
    ROOT,
    STYLE,
    described,
    figure,
    markdown,
    save_picture,
    write,
)

from clue_solver.inference.batch import evaluate
from clue_solver.inference.cnf import formula
from clue_solver.inference.deduction import Deduction, verdict_numbers
from clue_solver.inference.positions import Positions
from clue_solver.inference.propagation import propagate
from clue_solver.knowledge.clauses import Layout, Numbers, card_numbers
from clue_solver.knowledge.viewer import Knowledge
from clue_solver.record.contents import Entry, Record
from clue_solver.record.files import save
from tests.random_games import random_game

TITLE = "Compared with the alternatives"
PICTURE = "how long each method takes, the facts it finds, and its envelope error"
SHEET, COLD, FACTS = "sheet", "cold", "facts"
"""What a row of the results is of: a way at a position, a new process, or games read by rules."""

Floats = npt.NDArray[np.float64]

REPEATS, ENOUGH = 7, 0.03
"""Quick work is repeated so often, or for so many seconds; the median of the times counts."""

LIMIT = 0.5
"""How many seconds a slow way has for a position."""

MOST_MODELS = 50_000
"""How many models are listed at most."""

CERTAIN = 1e-12
"""A chance that is so near to 0 or 1 is taken as certain."""


class GaveUp(Exception):
    """A way will not do: the text says what it ran into."""


class Way(NamedTuple):
    """
    One way to a sheet, and how it is measured.

    Attributes:
        sheet: Returns the table of what it is asked, shape (cards, holders): 1 where the holder has
            the card, 0 where it cannot, a chance between, `nan` where it is open without a chance.
        prepare: Makes of a position what the way is asked, not measured.
        forget: Called before each run, not measured.
        positions: How many positions one call answers; the time of one counts.
        slow: It often takes as long as it may, so it is asked at every second position only.
    """

    sheet: Callable[[Any], Floats]
    prepare: Callable[[Position], Any] = lambda position: position
    forget: Callable[[], None] = forget
    positions: Callable[[Any], int] = lambda _: 1
    slow: bool = False


def by_diagram(position: Position) -> Floats:
    """The deal diagram."""
    return Deduction(position.known()).diagram(len(position.seen)).marginals()


def by_machine_code(position: Position) -> Floats:
    """Machine code, for one position."""
    known = position.known()
    return by_batch(Positions.beginnings([(known, (known.entries,))]))


def by_batch(positions: Positions) -> Floats:
    """Machine code, for many positions in one call."""
    last: Floats = evaluate(positions).marginals[-1]
    return last


def moments(position: Position) -> Positions:
    """Return all moments of a position's game up to there."""
    knowledge = position.known()
    return Positions.beginnings([(knowledge, range(1, knowledge.entries + 1))])


def by_rules(position: Position, *, counting: bool) -> Floats:
    """Pencil-and-paper rules; with `counting`, these count hands, too."""
    knowledge = position.known()
    possible = propagate(knowledge if counting else uncounted(knowledge))
    return np.array([np.nan, 1.0, 0.0])[verdict_numbers(possible, knowledge.layout.holders)]


def uncounted(knowledge: Knowledge) -> Knowledge:
    """Return the knowledge with hands of any size."""
    layout = knowledge.layout
    return replace(
        knowledge, layout=replace(layout, bounds=((0, layout.cards),) * len(layout.bounds))
    )


def by_cells(position: Position) -> Floats:
    """python-sat: for each cell of the sheet, whether there is a deal with it and one without."""
    from pysat.solvers import Solver

    knowledge = position.known()
    layout, (whole, _) = knowledge.layout, formula(knowledge)
    table = np.full((layout.cards, layout.holders), np.nan)
    with Solver("glucose4", bootstrap_with=whole.clauses) as solver:
        for variable in range(1, table.size + 1):
            if not solver.solve([variable]):
                table[divmod(variable - 1, layout.holders)] = 0.0
            elif not solver.solve([-variable]):
                table[divmod(variable - 1, layout.holders)] = 1.0
    return table


class Reduced(NamedTuple):
    """
    A formula after unit propagation, its variables numbered anew without gaps.

    Attributes:
        clauses: What is left of the clauses, in the new numbers.
        places: Of each open card variable its new number, its card and its holder.
        certain: The table with what is certain; 0 where a variable is open.
        variables: How many variables are left.
    """

    clauses: list[list[int]]
    places: list[tuple[int, int, int]]
    certain: Floats
    variables: int


def reduced(position: Position) -> Reduced:
    """Return the formula of a position after unit propagation, sorted card by card."""
    knowledge = position.known()
    layout, (whole, pool) = knowledge.layout, formula(knowledge)
    clauses: Sequence[Sequence[int]] = whole.clauses
    true: set[int] = set()
    grown = True
    while grown:
        rest = []
        before = len(true)
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            left = [literal for literal in clause if -literal not in true]
            if len(left) == 1:
                true.add(left[0])
            else:
                rest.append(left)
        clauses, grown = rest, len(true) > before
    used = {abs(literal) for clause in clauses for literal in clause}
    variables = sorted(used, key=lambda variable: (pool.obj(variable)[0], variable))
    number = {old: new for new, old in enumerate(variables, 1)}
    table = np.zeros((layout.cards, layout.holders))
    for literal in true:
        if 0 < literal <= table.size:
            table[divmod(literal - 1, layout.holders)] = 1.0
    return Reduced(
        [[number[abs(x)] * (1 if x > 0 else -1) for x in clause] for clause in clauses],
        [
            (new, *divmod(old - 1, layout.holders))
            for old, new in number.items()
            if old <= table.size
        ],
        table,
        len(variables),
    )


def by_models(position: Position, *, seconds: float = LIMIT) -> Floats:
    """python-sat: every model of the formula, one by one."""
    from pysat.solvers import Solver

    begun = process_time()
    found = reduced(position)
    if not found.variables:
        return found.certain
    counts, models = np.zeros(found.variables), 0
    with Solver("glucose4", bootstrap_with=found.clauses) as solver:
        for model in solver.enum_models():
            counts += np.array(model) > 0
            models += 1
            if models > MOST_MODELS:
                raise GaveUp(f"more than {MOST_MODELS:,} models")
            if process_time() - begun > seconds:
                raise GaveUp("time")
    for number, card, holder in found.places:
        found.certain[card, holder] = counts[number - 1] / models
    return found.certain


def by_compilation(position: Position, *, seconds: float = LIMIT) -> Floats:
    """
    PySDD: the formula compiled to a sentential decision diagram, then counted.

    The variables stand card by card in a balanced vtree and the clauses are conjoined in that
    order: of the ways tried (balanced, left and right vtrees, this order and its reverse, the
    library's own reader, minimization on and off) by far the fastest.
    """
    from pysdd.sdd import SddManager, Vtree

    begun = process_time()
    found = reduced(position)
    if not found.variables:
        return found.certain
    order = list(range(1, found.variables + 1))
    manager = SddManager.from_vtree(Vtree(found.variables, order, "balanced"))
    manager.auto_gc_and_minimize_off()
    root = manager.true()
    root.ref()
    for clause in sorted(found.clauses, key=lambda clause: sorted(map(abs, clause))[::-1]):
        either = manager.false()
        for literal in clause:
            either = manager.disjoin(either, manager.literal(literal))
        before, root = root, manager.conjoin(root, either)
        root.ref()
        before.deref()
        if process_time() - begun > seconds:
            raise GaveUp("time")
    counting = root.wmc(log_mode=False)
    counting.propagate()
    for number, card, holder in found.places:
        found.certain[card, holder] = counting.literal_pr(manager.literal(number))
    return found.certain


def by_peer(position: Position, *, program: Path) -> Floats:
    """Another program, in a process of its own; raises `GaveUp` where it fails."""
    numbers = Numbers(position.table)
    table = np.full((len(position.table.cards), len(position.table.holders)), np.nan)
    viewed = Record(
        table=position.table, entries=tuple(Entry(observation=o) for o in position.seen)
    )
    with TemporaryDirectory() as folder:
        path = Path(folder, "position.clue")
        save(viewed, path)
        asked = subprocess.run([program, path], capture_output=True, text=True, check=False)
    if asked.returncode:
        raise GaveUp(f"exit status {asked.returncode}")
    for card, holder, chance in csv.reader(asked.stdout.splitlines()):
        row = position.table.cards.index(card)
        table[row, numbers.holder(holder)] = float(chance)
    return table


def small() -> Position:
    """Return a position on which all that a way needs is loaded."""
    record = random_game("clue-diced", 2, turns=4, seed=0)
    return Position(record.table, record.observations, record.table.viewer)


def forget_batch() -> None:
    """Forget what machine code keeps: what two positions have in common."""
    forget(CACHES[0])
    by_machine_code(small())


DIAGRAM, MACHINE_CODE, PYSDD = "deal diagram", "machine code", "PySDD"
COUNTED, PLAIN = "pencil and paper", "unit propagation"
WAYS = {
    DIAGRAM: Way(by_diagram),
    MACHINE_CODE: Way(by_machine_code, forget=forget_batch),
    f"{MACHINE_CODE}, batch": Way(by_batch, moments, forget=forget_batch, positions=len),
    COUNTED: Way(partial(by_rules, counting=True)),
    PLAIN: Way(partial(by_rules, counting=False)),
    "python-sat, cell by cell": Way(by_cells),
    "python-sat, all models": Way(by_models, slow=True),
    PYSDD: Way(by_compilation, slow=True),
}
"""The ways by their names; the others are compared with the first."""

EXTRAS = {"numba": (MACHINE_CODE, "fast"), "pysdd": (PYSDD, "benchmark")}
"""Modules that need not be there: the ways that need one, and the extra that brings it."""


def left_out() -> dict[str, str]:
    """Return how the ways begin for which something is missing, and a sentence about each."""
    return {
        way: f"Left out: {way} (pip install '.[{extra}]' brings {module})."
        for module, (way, extra) in EXTRAS.items()
        if find_spec(module) is None
    }


@cache
def ways(peers: Path | None = None) -> dict[str, Way]:
    """Return all ways that can be measured here; each has been asked once, so that it is loaded."""
    missing = tuple(left_out())
    found = {name: way for name, way in WAYS.items() if not name.startswith(missing)}
    for way in found.values():
        way.sheet(way.prepare(small()))
    if peers is not None:
        for program in sorted(peers.iterdir()):
            if os.access(program, os.X_OK):
                found[program.name] = Way(partial(by_peer, program=program), slow=True)
    return found


def sheets(number: int, case: Case, peers: Path | None = None) -> list[dict[str, Any]]:
    """Return a row for each way: its time, and how near it comes to the truth."""
    truth = by_diagram(case.position)
    layout = case.position.known().layout
    rows = []
    for name, way in ways(peers).items():
        if way.slow and number % 2:
            continue
        asked = way.prepare(case.position)
        row: dict[str, Any] = {"what": SHEET, **case._asdict(), "way": name, "gave_up": ""}
        del row["position"]
        begun = seconds_used()
        try:
            found, row["seconds"] = timed(way, asked)
            row |= compared(found, truth, layout)
        except GaveUp as refusal:
            row |= {"seconds": seconds_used() - begun, "gave_up": str(refusal)}
        row["seconds"] /= way.positions(asked)
        rows.append(row)
    return rows


def seconds_used() -> float:
    """Return the processor seconds of this thread and of all children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return thread_time() + children.ru_utime + children.ru_stime


def timed(way: Way, asked: Any) -> tuple[Floats, float]:
    """Return what a way answers, and the median of the processor seconds that it takes."""
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < ENOUGH:
        way.forget()
        begun = seconds_used()
        table = way.sheet(asked)
        times.append(seconds_used() - begun)
    return table, float(np.median(times))


def compared(found: Floats, truth: Floats, layout: Layout) -> dict[str, float | int]:
    """Return how many facts are forced, found and false, and how far off the envelope is."""
    forced, facts = _certain(truth), _certain(found)
    false = facts & (np.abs(found - truth) > CERTAIN)
    off = [
        float(np.abs(_chances(found[cards, -1]) - truth[cards, -1]).sum() / 2)
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
    return (table < CERTAIN) | (table > 1 - CERTAIN)


def _chances(column: Floats) -> Floats:
    """Return the chances of a category's cards in the envelope; open ones are equally likely."""
    is_open = np.isnan(column)
    if not is_open.any():
        return column
    rest = max(1.0 - column[~is_open].sum(), 0.0)
    return np.where(is_open, rest / is_open.sum(), column)


SCRIPT = """
import sys
from time import process_time
from clue_solver import load
from clue_solver.inference.batch import evaluate
from clue_solver.inference.positions import Positions
_, file, how = sys.argv
known = load(file).deduction.knowledge
evaluate(Positions.beginnings([(known, (known.entries,))]), fast=how == "machine code")
print(process_time())
"""


def cold(way: str) -> float:
    """Return the least processor seconds of two new processes, from start to first sheet."""
    command = [sys.executable, "-c", SCRIPT, str(ROOT / "examples" / "classic.clue"), way]
    return min(float(subprocess.check_output(command, text=True)) for _ in range(2))


def facts(kind: str, position: Position) -> list[dict[str, Any]]:
    """
    Return for each entry of a game and each way by rules how many forced facts it finds.

    Raises:
        SystemExit: If rules rule out what can be: then one of the two is wrong.
    """
    rows = []
    for upto in range(1, len(position.seen) + 1):
        forget()
        knowledge = position._replace(seen=position.seen[:upto]).known()
        possible = Deduction(knowledge).possible(upto)
        pencil, plain = propagate(knowledge), propagate(uncounted(knowledge))
        for way, found in ((DIAGRAM, possible), (COUNTED, pencil), (PLAIN, plain)):
            if any(mask & ~left for mask, left in zip(possible, found, strict=True)):
                raise SystemExit(f"{way} rules out what can be: {position}, entry {upto}")
            number = int((verdict_numbers(found, knowledge.layout.holders) > 0).sum())
            rows.append({"what": FACTS, "kind": kind, "way": way, "facts": number})
    return rows


def summed(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield for each kind of game and way the facts found at all entries."""
    sums: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row["kind"], row["way"]
        sums[key] = sums.get(key, 0) + row["facts"]
    for (kind, way), number in sums.items():
        yield {"what": FACTS, "kind": kind, "way": way, "facts": number}


def measured(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rows of all that is measured."""
    every = list(cases(asked.seed, 2))[::2]
    read = [
        (kind, Position(record.table, record.observations, record.table.viewer))
        for kind, _, record, spectator in games(asked.seed, asked.games)
        if not spectator
    ]
    starting = [way for way in (DIAGRAM, MACHINE_CODE) if way not in left_out()]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        found = pool.map(partial(sheets, peers=asked.peers), range(len(every)), every)
        counted = pool.map(facts, *zip(*read, strict=True), chunksize=8)
        rows = [row for each in found for row in each]
        rows += summed([row for each in counted for row in each])
    return [*rows, *({"what": COLD, "way": way, "seconds": cold(way)} for way in starting)]


def tables(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables by their titles."""
    return {
        "One sheet": sheet_table(_of(SHEET, results)),
        "From a new process to the first sheet": cold_table(_of(COLD, results)),
        "Facts that simpler methods miss, after every entry": facts_table(_of(FACTS, results)),
    }


def sheet_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return for each way its speed, what it found and how far off it is."""
    columns = ("method", "time, median", "95th percentile", "facts found", "false")
    errors = ("envelope error, mean", "largest")
    return markdown((*columns, *errors, "positions", "gave up"), _sheet_lines(rows))


def _sheet_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for way in dict.fromkeys(row["way"] for row in rows):
        own = [row for row in rows if row["way"] == way]
        answered = [row for row in own if not row["gave_up"]]
        forced, found, false = (
            sum(row[key] for row in answered) for key in ("forced", "found", "false")
        )
        yield (
            way,
            *(_ratio(rows, way, percent) for percent in (50, 95)),
            f"{floor(1e4 * found / forced) / 100:g}%" if forced else "-",
            false,
            _points(sum(row["off"] for row in answered) / max(len(answered), 1)),
            _points(max((row["most_off"] for row in answered), default=0.0)),
            len(own),
            len(own) - len(answered),
        )


def ratios(rows: Sequence[Mapping[str, Any]], way: str) -> list[tuple[float, bool]]:
    """Return a way's times in those of the diagram, ascending, and whether it then gave up."""
    place = itemgetter("kind", "game", "stage")
    ours = {place(row): row["seconds"] for row in rows if row["way"] == DIAGRAM}
    own = [row for row in rows if row["way"] == way]
    return sorted((row["seconds"] / ours[place(row)], bool(row["gave_up"])) for row in own)


def percentile(found: Sequence[tuple[float, bool]], percent: float) -> tuple[float, bool]:
    """
    Return a percentile, and whether it is at least so much: some that gave up may be longer.

    >>> percentile([(1.0, False), (2.0, True), (3.0, False)], 50)
    (2.0, True)
    """
    place = ceil(percent / 100 * (len(found) - 1))
    return found[place][0], any(gave_up for _, gave_up in found[: place + 1])


def _ratio(rows: Sequence[Mapping[str, Any]], way: str, percent: float) -> str:
    """Return a percentile of a way's times as a ratio; of the diagram the time as well."""
    ratio, at_least = percentile(ratios(rows, way), percent)
    if way != DIAGRAM:
        return "> " * at_least + figure(ratio, "x")
    times = [row["seconds"] for row in rows if row["way"] == way]
    return f"1 ({figure(float(np.percentile(times, percent, method='higher')), 's')})"


def _points(share: float) -> str:
    return "0" if share < CERTAIN else figure(100 * share)


def _of(what: str, results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row for row in results["rows"] if row["what"] == what]


def cold_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return what a new process takes to the first sheet."""
    lines = []
    for row in rows:
        ratio = figure(row["seconds"] / rows[0]["seconds"], "x")
        lines.append((row["way"], figure(row["seconds"], "s"), ratio))
    return markdown(("method", "processor time", "ratio"), lines)


def facts_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the share of facts that rules miss, by kind of game."""
    kinds = dict.fromkeys(row["kind"] for row in rows)
    lines = [(kind, *_missed([row for row in rows if row["kind"] == kind])) for kind in kinds]
    columns = ("games", "facts", f"missed by {COUNTED}", f"missed by {PLAIN}")
    return markdown(columns, [*lines, ("all", *_missed(rows))])


def _missed(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str, str]:
    """Return the number of facts, and the shares that the two ways by rules miss."""
    every, counted, plain = (
        sum(row["facts"] for row in rows if row["way"] == way) for way in (DIAGRAM, COUNTED, PLAIN)
    )
    shares = [figure((every - found) / every, "%") for found in (counted, plain)]
    return f"{every:,}", shares[0], shares[1]


def line(results: Mapping[str, Any]) -> str:
    """Return in a sentence what matters most: how fast, and what simpler ways miss."""
    rows = _of(SHEET, results)
    times = [row["seconds"] for row in rows if row["way"] == DIAGRAM]
    ratio = _ratio(rows, PYSDD, 50).replace("> ", "more than ").replace(" x", " times")
    every, counted, _ = _missed(_of(FACTS, results))
    return (
        f"**Fast and complete**: computing a sheet with exact chances takes "
        f"{figure(float(np.median(times)), 's')} (median); PySDD, a general-purpose "
        f"model-counting library, takes {ratio} as long. The sheet shows every fact that can be "
        f"proved, {every} in the test games; pencil-and-paper rules miss {counted} of them."
    )


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw how long each way takes, its facts and the error of its envelope beside it."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    rows = _of(SHEET, results)
    lines = list(_sheet_lines(rows))
    with matplotlib.rc_context(STYLE):
        picture = Figure(figsize=(9, 0.3 * len(lines) + 0.8), layout="constrained")
        FigureCanvasSVG(picture)
        axes = picture.subplots()
        axes.axvline(1.0, color="#999999", linewidth=0.8)
        look: dict[str, Any] = {"color": COLOURS[0], "linewidth": 1.6}
        for place, (way, _, _, found, _, off, *_) in enumerate(lines):
            low, middle, high = (percentile(ratios(rows, way), each) for each in (5, 50, 95))
            axes.plot((low[0], high[0]), (place, place), **look)
            inside = "white" if middle[1] else COLOURS[0]  # hollow: it may be further right
            axes.plot(middle[0], place, marker="o", markerfacecolor=inside, **look)
            if high[1]:
                axes.plot(high[0], place, marker=">", **look)
            note = f"{found} of the facts, envelope error {off}"
            axes.text(1.02, place, note, transform=axes.get_yaxis_transform(), va="center")
        across = "times the deal diagram: 5th percentile, median, 95th"
        axes.set(xscale="log", xlabel=across)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_yticks(range(len(lines)), [each[0] for each in lines])
        axes.invert_yaxis()
        save_picture(picture, path, results)


def main() -> None:
    """Measure all and print the tables; write results and picture where that is asked for."""
    options = argparse.ArgumentParser(description="How fast, complete and exact is a sheet?")
    options.add_argument("--seed", type=int, default=PUBLISHED, help="of the first random games")
    options.add_argument("--games", type=int, default=10, help="random games of each kind")
    options.add_argument("--peers", type=Path, help="a folder of programs to measure as well")
    options.add_argument("--out", type=Path, help="a folder for deduction.json and deduction.svg")
    asked = options.parse_args()
    begun = monotonic()
    rows = measured(asked)
    with TemporaryDirectory() as nowhere:
        settings = {"seed": asked.seed, "games": asked.games}
        folder = asked.out or Path(nowhere)
        results = write("deduction", rows, settings=settings, folder=folder)
        if asked.out is not None and find_spec("matplotlib") is not None:
            draw(results, asked.out / "deduction.svg")
    for title, table in tables(results).items():
        print(title, table, sep="\n\n", end="\n\n")
    print(described(results), *left_out().values(), sep="\n")
    print(f"{monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
