"""
Every command on random tables: does any take too long, too much memory, or end in a traceback?

The same seed and number are the same record. Each command runs in a process of its own, forked from
one that has imported everything; its processor time and its memory beyond that process's are what
the system counts. A command fails if it takes more than 10 s of processor time (`slow`), takes more
than 1 GB (`large`), ends with a traceback (`traceback`), or ends by a signal or with a status that
is not 0, 1, 2 or 3 (`status`).
"""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.faces.cli import main as clue_solver
from clue_solver.knowledge import evidence
from clue_solver.record import Entry, Record, format_record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import ENVELOPE, SPECTATOR
from tests.children import CRASHED, Cost, forked
from tests.random_games import random_game
from tests.random_tables import EDITION_FILE, Fuzzed, fuzzed

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
    failure: str
    error: str


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


def tried(number: int, *, seed: int) -> list[Ran]:
    """Run the commands on one record."""
    told = fuzzed(seed, number)
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(told, folder)
        for command, arguments in commands(told, Random(f"{seed} {number}")):
            cost = run(arguments, folder)
            failed = failure(cost)
            found.append(Ran(number, command, arguments, *cost[1:3], failed, cost.err))
    return found


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
