"""The hardest logs that a search found: what they cost is counted in work, not in time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clue_solver import Game, load

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from random import Random

from children import forked
from fuzz_tables import GUARD, MOST_BYTES
from hard_logs import Growing, Place, Work, edition_text, six_categories, worked
from simulate import random_game

from clue_solver.record import Record
from clue_solver.rules.edition import parse_edition

HARD = Path(__file__).resolve().parents[1] / "games" / "hard"
LOGS = sorted(path.stem for path in HARD.glob("*.clue"))
MOST = {6: Work(conflicts=100_000, arrows=2_000_000), 10: Work(200_000, 4_000_000)}
"""The most work of a report and a check, by the number of players."""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no child is measured here")
@pytest.mark.parametrize("name", LOGS)
def test_the_work_of_a_hard_log_is_bounded(name: str) -> None:
    game = load(HARD / f"{name}.clue")
    cost = forked(lambda: print(*worked(game)), seconds=10, memory=GUARD)
    assert (0, "") == (cost.status, cost.err)
    most = MOST[6 if len(game.table.seats) <= 6 else 10]
    assert cost.memory < MOST_BYTES
    conflicts, arrows = map(int, cost.out.split())
    assert conflicts <= most.conflicts
    assert arrows <= most.arrows


def test_work_is_counted_and_the_same_again() -> None:
    game = load(HARD / "passes-10-fourteen.clue")
    first, again = (worked(Game(game.record)) for _ in range(2))
    assert first == again
    assert first.conflicts > 0
    assert first.arrows > 0


def test_a_log_grows_by_what_costs_most() -> None:
    """Here an entry costs as many conflicts as cards are asked about, up to five entries."""

    class Measured(Growing):
        def costs(self, record: Record) -> Work:
            told = [len(getattr(each, "about", ())) for each in record.observations]
            return Work(sum(told[:5]), 0)

    growing = Measured(Place("clue-classic", 3, "spectator", "conflicts"), Random(1))
    record, work = growing.grown()
    assert Measured.costs(growing, record) == work
    assert 1 <= len(record.entries) <= 5
    asked = [len(getattr(each, "about", ())) for each in record.observations]
    assert sum(asked) == work.conflicts >= len(asked)


def test_the_edition_of_six_categories_is_written_as_it_is() -> None:
    edition = six_categories()
    assert edition == parse_edition(edition_text(), name=edition.name)
    assert (6, 40) == (len(edition.category), len(edition.names))


def test_a_spectator_of_ten_players_is_answered_in_the_first_entries() -> None:
    record = random_game("master-detective", 10, turns=24, seed=2)
    for entry in (2, 6, 12):
        assert Game(record).report(viewer="spectator", upto=entry).consistent
