"""
Games on a failing disk, and in processes that are killed: is anything acknowledged lost?

    python benchmarks/faults.py [--faults N] [--kills N]

What people do to a game (the scripts of tests/faults.py: a new one, one gone on with, edits, one
that another program writes to as well) runs once for each call that it makes of the system, from
opening to leaving: open, read, write, flush, fsync, chmod, replace, unlink, lock, mkdir, the
folder's sync. That call, it and the next, or it and all after it fail with ENOSPC, EIO, EROFS or
EACCES; or the process is killed there, on a file and through a link, again and again until there
are so many kills.

Whatever was acknowledged must stand in the file, or where the end says, or be printed by it; after
the next start no temporary file may be left and no lock held. The first time it is not so, it ends
with an AssertionError. Without options every fault is made (about 3,000) and 1,000 kills.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice, product
from pathlib import Path
from unittest.mock import patch

from results import markdown

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.faults import ERRORS, SCRIPTS, each_fault, each_kill

TIMES = (1, 2, 10_000)
"""How many calls fail in a row."""


def faults(folder: Path) -> Iterator[tuple[str, str]]:
    """Make every fault; yield script and call of each."""
    for (name, script), error, times in product(SCRIPTS.items(), ERRORS, TIMES):
        for fault in each_fault(script, folder / "table", error, times):
            yield name, fault.calls[fault.at]


def kills(folder: Path) -> Iterator[tuple[str, str]]:
    """Kill at every call, again and again; yield the script of each, and what was written to."""
    for (name, script), link in cycle([*product(SCRIPTS.items(), (False, True))]):
        for _ in each_kill(script, folder / "table", link=link):
            yield name, "a link" if link else "a file"


def table(what: str, made: Counter[tuple[str, str]]) -> str:
    """Return how many were made, by script."""
    kinds = sorted({kind for _, kind in made})
    rows = [[name, *(str(made[name, kind]) for kind in kinds)] for name in SCRIPTS]
    return f"{made.total():,} {what}, nothing lost\n\n{markdown(['script', *kinds], rows)}"


def main() -> None:
    """Make them, and print how many there were."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--faults", type=int, metavar="N", help="at most so many; default: all")
    parser.add_argument("--kills", type=int, default=1_000, metavar="N", help="default: 1000")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        leaving = "clue_solver.faces.leaving"
        with (
            patch(f"{leaving}.games_folder", lambda: folder / "table" / "games"),
            patch(f"{leaving}.gettempdir", lambda: str(folder / "table")),
        ):
            print(table("faults", Counter(islice(faults(folder), asked.faults))), flush=True)
            print(table("kills", Counter(islice(kills(folder), asked.kills))))


if __name__ == "__main__":
    main()
