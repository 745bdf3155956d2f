"""The hardest logs that a search found: what they cost is counted in work, not in time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clue_solver import Game, load

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from children import forked
from fuzz_tables import GUARD
from hard_logs import Work, worked
from simulate import random_game

HARD = sorted((Path(__file__).resolve().parents[2] / "games" / "hard").glob("*.clue"))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no child is measured here")
@pytest.mark.long(keep=4)
@pytest.mark.parametrize("path", HARD, ids=lambda path: path.stem)
def test_the_work_of_a_report_and_a_check_is_bounded(path: Path) -> None:
    """So are the bytes that it may take: the child has no more."""
    game = load(path)
    cost = forked(lambda: print(*worked(game)), seconds=20, memory=GUARD)
    assert (cost.status, cost.err) == (0, "")
    conflicts, arrows = map(int, cost.out.split())
    # A check weighs what may have been meant instead, by rules and by behaviour.
    most = Work(100_000, 4_000_000) if len(game.table.seats) <= 6 else Work(200_000, 6_000_000)
    assert conflicts <= most.conflicts
    assert arrows <= most.arrows


def test_work_is_counted_and_the_same_again() -> None:
    (path,) = (each for each in HARD if each.stem == "passes-10-fourteen")
    first, again = (worked(load(path)) for _ in range(2))
    assert again == first
    assert first.conflicts > 0
    assert first.arrows > 0


def test_a_spectator_of_ten_players_is_answered_in_the_first_entries() -> None:
    record = random_game("master-detective", 10, turns=24, seed=2)
    for entry in (2, 6, 12):
        assert Game(record).report(viewer="spectator", upto=entry).consistent
