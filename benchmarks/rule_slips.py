"""
How many slips break a rule of play, and is every one of them asked about?

    python benchmarks/rule_slips.py [--games N] [--seed S]

True games of every shipped edition, for the fewest players and for four, dice and moves told. Each
entry is logged as it was, and before that mistyped: another asker, another card, another answer
first, another roll or room, another use of the bonus die, another seat skipped. A slip breaks a
rule if an independent referee says so (`tests/enforcer.py`); it is asked about if the session asks
about a rule, a turn or a contradiction, or refuses the line.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from results import markdown

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clue_solver import load_edition
from clue_solver.conversation.session import Session
from clue_solver.rules.edition import shipped_editions
from tests.conversation.test_rules_of_play import asked, asked_or_refused, played, slips
from tests.enforcer import breaches


def main() -> None:
    """Plant the slips, and print a table by kind."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    options.add_argument("--games", type=int, default=3, help="at each table")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    rng = np.random.default_rng(chosen.seed)
    planted, against, missed, caught = (
        Counter[str](),
        Counter[str](),
        Counter[str](),
        Counter[str](),
    )
    entries = doubted = 0
    for name, game in product(shipped_editions(), range(chosen.games)):
        low, high = load_edition(name).players
        for seats in sorted({low, min(high, 4)}):
            record = played(name, seats, seed=chosen.seed * 1000 + game)
            session = Session(replace(record, entries=()))
            for entry in record.observations:
                before = session.record.observations
                for kind, slip in slips(entry, record.table, rng):
                    broken = bool(breaches(record.table, (*before, slip)))
                    noticed = asked_or_refused(session, slip)
                    planted[kind] += 1
                    against[kind] += broken
                    caught[kind] += noticed
                    missed[kind] += broken and not noticed
                entries += 1
                doubted += bool(asked(session, entry))
                session.append(entry)
    heads = ("mistyped", "slips", "break a rule, %", "of these asked, %", "asked in all, %")
    rows = [
        (
            kind,
            f"{planted[kind]:,}",
            f"{100 * against[kind] / planted[kind]:.0f}",
            f"{100 * (1 - missed[kind] / max(against[kind], 1)):.1f}",
            f"{100 * caught[kind] / planted[kind]:.0f}",
        )
        for kind in sorted(planted)
    ]
    print(f"{entries:,} true entries, {doubted} asked about")
    print(markdown(heads, rows))


if __name__ == "__main__":
    main()
