"""
How much processor time a review with its page takes against reviews of earlier versions.

    python benchmarks/review_times.py [--before FOLDER]... [--games N] [--rounds N] [--seed S]
                                      [--keep FILE]

Three kinds of records: simulated games (review_honesty.py) with everything recorded, the notes of
the first seat of each, and the shipped examples. A folder holds the sources of an earlier version,
as `git worktree add --detach FOLDER COMMIT` makes it. Each version works in a process of its own,
all in turn: this one without numba and with it, the earlier ones without. Counted is the least
processor time of some rounds, the first of which is left out: then nothing is loaded or compiled
any more. An earlier version makes its review without a page; here it is timed without one, with its
page, and with the page that has the sheet after each entry.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

HERE = Path(__file__).resolve()
STAGES = ("review", "with its page", "with its steps")


def served() -> None:
    """Review the games that are asked for, a JSON line each; print the times of the stages."""
    from clue_solver import load

    pages = find_spec("clue_solver.views") and find_spec("clue_solver.answers.walkthrough")
    for line in sys.stdin:
        path, solution = json.loads(line)
        try:
            game = load(path)
        except Exception:  # a record that this version cannot read
            print("null", flush=True)
            continue
        begun = process_time()
        review = game.review(solution=solution and tuple(solution))
        times = [process_time() - begun]
        if pages:
            from clue_solver.views.html import review_page

            review_page(review)
            times.append(process_time() - begun)
            review_page(review, [game.walkthrough()])
            times.append(process_time() - begun - (times[1] - times[0]))
        print(json.dumps(times), flush=True)


class Version:
    """A version of the program in a process of its own."""

    def __init__(self, name: str, folder: Path, *, fast: bool) -> None:
        self.name = name
        without = "" if fast else "sys.modules['numba'] = None;"
        code = f"import sys; {without} sys.path[:0] = {[str(folder), str(HERE.parent)]!r}; "
        code += "import review_times; review_times.served()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def times(self, path: Path, solution: list[str] | None) -> list[float] | None:
        """Return the seconds that the stages of a review took; `None` if it cannot be read."""
        given, told = self.process.stdin, self.process.stdout
        assert given is not None
        assert told is not None
        given.write(json.dumps([str(path), solution]) + "\n")
        given.flush()
        times: list[float] | None = json.loads(told.readline())
        return times


def records(folder: Path, *, games: int, seed: int) -> Iterator[tuple[str, Path, list[str] | None]]:
    """Yield records as files, each with its kind and its solution where the file has none."""
    from review_honesty import notes_of, whole_game

    from clue_solver.record import save
    from clue_solver.rules.observations import Hand

    for number in range(games):
        record = whole_game(seed * 100_000 + number)
        hands = [each for each in record.observations if isinstance(each, Hand)]
        held = {card for each in hands for card in each.cards}
        solution = [card for card in record.table.cards if card not in held]
        for kind, each in (
            ("all hands", record),
            ("one player's notes", notes_of(record, record.table.seats[0])),
        ):
            path = folder / f"{number}-{kind[:3]}.clue"
            save(each, path)
            yield kind, path, solution
    for path in sorted((HERE.parents[1] / "examples").glob("*.clue")):
        yield "examples", path, None


def main() -> None:
    """Review, and print the ratios."""
    options = argparse.ArgumentParser(description="Processor time of reviews, against before.")
    options.add_argument("--before", type=Path, action="append", default=[])
    options.add_argument("--games", type=int, default=10)
    options.add_argument("--rounds", type=int, default=4)
    options.add_argument("--seed", type=int, default=2026)
    options.add_argument("--keep", type=Path)
    chosen = options.parse_args()
    from results import machine

    print(machine())
    root = HERE.parents[1]
    versions = [Version("plain", root, fast=False), Version("fast", root, fast=True)]
    versions += [Version(each.name, each, fast=False) for each in chosen.before]
    rows: list[dict[str, Any]] = []
    with TemporaryDirectory() as made:
        for kind, path, solution in records(Path(made), games=chosen.games, seed=chosen.seed):
            least: dict[str, list[float]] = {}
            for turn in range(chosen.rounds + 1):
                for version in versions:
                    times = version.times(path, solution)
                    if turn and times:
                        so_far = least.get(version.name, times)
                        least[version.name] = [*map(min, so_far, times)]
            rows.append({"kind": kind, "game": path.stem, **least})
            print(f"{kind}, {path.stem}:", _told(rows[-1:], versions), flush=True)
    for kind in dict.fromkeys(row["kind"] for row in rows):
        alike = [row for row in rows if row["kind"] == kind]
        print(f"{kind}, {len(alike)} games in all:", _told(alike, versions))
    print(f"all {len(rows)} games:", _told(rows, versions))
    if chosen.keep is not None:
        chosen.keep.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def _told(rows: list[dict[str, Any]], versions: list[Version]) -> str:
    """Return what reviews of some games took, and as ratios of earlier versions."""
    ours, earlier = versions[:2], versions[2:]
    parts = []
    for each in earlier:
        read = [row for row in rows if each.name in row]
        before = sum(row[each.name][0] for row in read)
        ratios = [
            f"{version.name} "
            + "/".join(
                f"{sum(row[version.name][stage] for row in read) / (before or inf):.2f}"
                for stage in range(len(STAGES))
            )
            for version in ours
        ]
        parts.append(f"{each.name} {before:.2f} s, {', '.join(ratios)}")
    return "; ".join(parts)


if __name__ == "__main__":
    main()
