"""
Every command on random tables: does any take too long, too much memory, or end in a traceback?

    python benchmarks/fuzz_tables.py [--tables N] [--seed S] [--jobs J] [--out FOLDER]
    python benchmarks/fuzz_tables.py --seed S --only NUMBER [--command NAME]

The tables are those of random_tables.py: the same seed and number are the same record. Each command
runs in a process of its own, forked from one that has imported everything; its processor time and
its memory beyond that process's are what the system counts. A command fails if it

- takes more than 10 s of processor time (`slow`; the first Python calls say where it was),
- takes more than 1 GB of memory (`large`),
- ends with a traceback (`traceback`), or
- ends by a signal or with a status that is not 0, 1, 2 or 3 (`status`).

Failing records are written to the folder of --out, a folder each, with the command and what it
said.
"""

from __future__ import annotations

import argparse
import functools
import io
import os
import re
import shlex
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from children import CRASHED, Cost, forked
from msgspec.structs import replace
from random_tables import EDITION_FILE, Fuzzed, fuzzed
from results import figure, markdown
from rich.progress import track
from simulate import random_game

from clue_solver.faces.cli import main as clue_solver
from clue_solver.knowledge import evidence
from clue_solver.record import Entry, Record, format_record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import ENVELOPE, SPECTATOR

MOST_SECONDS, MOST_BYTES = 10, 1_000_000_000
"""What a command may take."""

GUARD = 3_000_000_000
"""The address space that a command may have beyond what this process has."""

STATUSES = (0, 1, 2, 3)
GAME, PAD, ROWS, COPY = "game.clue", "pad.csv", "rows.csv", "copy.clue"
TYPED = "/log\n/best\n/sheet 1\n/undo\n/redo\n/quit\n"
"""What is typed into `play`."""


class Ran(NamedTuple):
    """One command on one record: what it cost, and in what it failed if it did."""

    number: int
    command: str
    arguments: tuple[str, ...]
    seconds: float
    memory: int
    status: int
    failure: str
    where: str


def commands(told: Fuzzed, random: Random) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands that are tried on a record: a name and the arguments of each."""
    table, record = told.record.table, told.record
    asked = [] if random.random() < 0.7 else ["--viewer", random.choice((*table.seats, SPECTATOR))]
    if record.entries and random.random() < 0.1:
        asked += ["--upto", str(random.randint(0, len(record.entries)))]
    if random.random() < 0.1:
        holder, card = random.choice(table.holders), random.choice(table.cards)
        asked += ["--suppose", f"{holder} {random.choice(('has', 'lacks'))} {card}"]
    yield "report", ("report", GAME, *asked)
    yield "report --json", ("report", "--json", GAME)
    yield "check", ("check", "--json", GAME, *asked)
    yield "check", ("check", GAME)
    for holder in (random.choice(table.seats), random.choice(table.holders), ENVELOPE):
        yield "why", ("why", GAME, random.choice(table.cards), holder, *asked)
    yield "advise", ("advise", "--json", GAME, *asked)
    for form in ("clue", "jsonl", "dimacs"):
        yield f"export --as {form}", ("export", "--as", form, GAME)
    yield "import notebooks", ("import", "one.clue", "two.clue")
    yield "export", ("export", "--force", "-o", PAD, GAME)
    edition = ("--edition", (told.edition and EDITION_FILE) or table.edition.name)
    viewer = ("--viewer", table.viewer or table.seats[0])
    players = ("--players", ",".join(table.seats))
    yield "import pad", ("import", PAD, *edition, *viewer, *players, "--json")
    yield "import table", ("import", ROWS, *edition, *players, "--json")
    yield "import record", ("import", GAME, "--json")
    yield "play", ("play", "--plain", COPY)
    if told.kind == "true" and random.random() < 0.2:
        yield "review", ("review", "--json", GAME, "--solution", ", ".join(told.solution))
        yield "season", ("season", GAME)


def write_files(told: Fuzzed, folder: Path) -> None:
    """Write the record and all else that the commands read."""
    if told.edition is not None:
        (folder / EDITION_FILE).write_text(told.edition, "utf-8")
    text, table = format_record(told.record), told.record.table
    (folder / GAME).write_text(text, "utf-8")
    (folder / COPY).write_text(text, "utf-8")
    for name, seat in zip(("one.clue", "two.clue"), table.seats, strict=False):
        (folder / name).write_text(format_record(share(told.record, seat)), "utf-8")
    rows = [",".join(["asker", *(kind.name for kind in table.edition.category), "shower"])]
    for each in told.record.observations:
        if isinstance(each, Suggestion):
            kinds = table.edition.category_of
            named = {kinds[card]: card for card in each.cards}
            cards = [named.get(kind.name, "") for kind in table.edition.category]
            shown = [answer.seat or "" for answer in each.answers if answer.answer == "shows"]
            rows.append(",".join([each.by, *cards, *(shown[:1] or [""])]))
    (folder / ROWS).write_text("\n".join(rows) + "\n", "utf-8")


def share(record: Record, seat: str) -> Record:
    """Return what one seat noticed of a record."""
    seen = evidence.share(enumerate(record.observations, 1), table=record.table, viewer=seat)
    entries = tuple(
        Entry(observation=observation, before=() if place else ("",))
        for place, (_, observation) in enumerate(seen)
    )
    return Record(table=replace(record.table, viewer=seat), entries=entries)


def run(arguments: Sequence[str], folder: Path) -> Cost:
    """Return what a command costs, run in a folder."""

    def work() -> int | None:
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = str(folder)
        sys.stdin = io.StringIO(TYPED)
        clue_solver.main(list(arguments), prog_name="clue-solver")
        return 0

    return forked(work, seconds=MOST_SECONDS, memory=GUARD)


def failure(cost: Cost) -> str:
    """Return in what a command failed; empty if it did not."""
    slow = cost.seconds >= MOST_SECONDS or cost.status == -signal.SIGXCPU
    if cost.status == CRASHED:
        return "traceback"
    if slow or cost.memory > MOST_BYTES:
        return "slow" if slow else "large"
    return "" if cost.status in STATUSES else "status"


_CALL = re.compile(r'File "[^"]*?(?:clue_solver|pysat|numpy)/([^"]*)", line (\d+)(?:,)? in (\w+)')


def where(cost: Cost) -> str:
    """Return the innermost calls of this project's code that a traceback or a dump names."""
    calls = [f"{file}:{line} {name}" for file, line, name in _CALL.findall(cost.err)]
    if cost.status == CRASHED:  # a traceback has the last call last, a dump first
        calls.reverse()
    last = cost.err.strip().splitlines()[-1][:150] if cost.status == CRASHED and cost.err else ""
    return " < ".join(calls[:4]) + f" | {last}" * bool(last)


def tried(number: int, *, seed: int, out: Path | None, only: str | None = None) -> list[Ran]:
    """Run the commands on one record; what fails is kept in the folder `out`."""
    told = fuzzed(seed, number)
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(told, folder)
        for place, (command, arguments) in enumerate(commands(told, Random(f"{seed} {number}"))):
            if only not in (None, command):
                continue
            cost = run(arguments, folder)
            failed = failure(cost)
            at = where(cost) if failed else ""
            found.append(Ran(number, command, arguments, *cost[1:3], cost.status, failed, at))
            if failed and out is not None:
                keep(out / f"{seed}-{number}-{place}", folder, arguments, cost, failed)
    return found


def keep(to: Path, folder: Path, arguments: Sequence[str], cost: Cost, failed: str) -> None:
    """Write down what failed: the files, the command, and what it said."""
    to.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        (to / file.name).write_bytes(file.read_bytes())
    used = f"{failed}: status {cost.status}, {cost.seconds:.1f} s, {cost.memory / 1e6:.0f} MB"
    said = "\n".join((shlex.join(("clue-solver", *arguments)), used, "", cost.err))
    (to / "failure.txt").write_text(said, "utf-8")


def warm() -> None:
    """Run every command once in this process, so that all is imported before any is measured."""
    game = random_game("clue-classic", 3, turns=3, seed=0)
    told = Fuzzed(game, None, "true", ("Plum", "Rope", "Hall"))
    said = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with tempfile.TemporaryDirectory() as name, chdir(name), redirect_stdout(said):
        write_files(told, Path(name))
        for _, arguments in commands(told, Random(0)):
            with redirect_stderr(said), suppress(SystemExit):
                clue_solver.main(list(arguments), prog_name="clue-solver")


def table(found: Iterable[Ran]) -> str:
    """Return what each command cost as a Markdown table."""
    by: dict[str, list[Ran]] = {}
    for ran in found:
        by.setdefault(ran.command, []).append(ran)
    rows = []
    for command, runs in by.items():
        seconds = [ran.seconds for ran in runs]
        middle, most, last = np.percentile(seconds, (50, 95, 99))
        worst = max(runs, key=lambda ran: ran.seconds)
        failed = Counter(ran.failure for ran in runs if ran.failure)
        rows.append(
            (
                command,
                len(runs),
                *(figure(each, "s") for each in (middle, most, last)),
                f"{figure(worst.seconds, 's')} ({worst.number})",
                figure(float(max(ran.memory for ran in runs)), "B"),
                ", ".join(f"{count} {name}" for name, count in failed.items()) or "none",
            )
        )
    columns = ("command", "runs", "median", "95 %", "99 %", "worst (table)", "memory", "failures")
    return markdown(columns, rows)


def main() -> int:
    """Try every command on random tables, print what failed and what each command cost."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--tables", type=int, default=300)
    options.add_argument("--first", type=int, default=0, help="the number of the first table")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--only", type=int, help="this one table")
    options.add_argument("--command", help="this one command")
    options.add_argument("--out", type=Path, help="where failing records are written")
    chosen = options.parse_args()
    numbers = range(chosen.first, chosen.first + chosen.tables)
    if chosen.only is not None:
        numbers = range(chosen.only, chosen.only + 1)
    warm()
    one = functools.partial(tried, seed=chosen.seed, out=chosen.out, only=chosen.command)
    found: list[Ran] = []
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("fork")) as pool:
        for runs in track(pool.map(one, numbers), "tables", len(numbers), transient=True):
            found += runs
            for ran in runs:
                if ran.failure:
                    used = f"status {ran.status}, {ran.seconds:.1f} s, {ran.memory / 1e6:.0f} MB"
                    print(f"{ran.number}: {shlex.join(ran.arguments)}", flush=True)
                    print(f"  {ran.failure}: {used}: {ran.where}", flush=True)
    print(table(found))
    return int(any(ran.failure for ran in found))


if __name__ == "__main__":
    sys.exit(main())
