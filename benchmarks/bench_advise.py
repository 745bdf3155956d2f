"""
How long advice takes over the recorded games: all suggestions ranked, the first five exact.

Run with `pytest benchmarks/bench_advise.py -s`; every round is another entry of another game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bench_report import RECORDED
from simulate import random_game

from clue_solver import Game, load


@pytest.fixture(scope="module")
def positions() -> list[tuple[Game, int]]:
    """Every third entry of the recorded games."""
    games = [load(file) for file in sorted(RECORDED.glob("*.clue"))]
    return [(game, n) for game in games for n in range(1, len(game.observations) + 1, 3)]


def measured(benchmark: Any, positions: list[tuple[Game, int]], **options: Any) -> None:
    """Time the advice at each position; print the spread and the largest error."""
    rounds = iter(positions)
    errors = []

    def advice(game: Game, upto: int) -> None:
        found = Game(game.record).seen(upto=upto).adviser().advice(**options)
        errors.append(max(each.error for each in found.suggestions if each.reach))

    benchmark.pedantic(
        advice, setup=lambda: (next(rounds), {}), rounds=len(positions), iterations=1
    )
    times = np.array(benchmark.stats.stats.data)
    median, late = np.percentile(times, [50, 95])
    print(
        f"\n{benchmark.name}: median {median:.2f} s, 95th percentile {late:.2f} s, "
        f"worst {times.max():.2f} s over {len(times)}; largest error {max(errors):.3f} bits"
    )


def test_all_suggestions(benchmark: Any, positions: list[tuple[Game, int]]) -> None:
    """Ranking and opponents."""
    measured(benchmark, positions)


def test_suggestions_of_one_room(benchmark: Any, positions: list[tuple[Game, int]]) -> None:
    """The suggestions of one room only."""
    classic = [(game, n) for game, n in positions if "Hall" in game.table.cards]
    measured(benchmark, classic, rooms="Hall")


def test_master_detective(benchmark: Any) -> None:
    """All 960 suggestions with six players."""
    record = random_game("master-detective", 6, turns=24, seed=1)
    measured(benchmark, [(Game(record), n) for n in range(1, 26, 4)])
