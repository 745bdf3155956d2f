"""The state of play agrees with an independent referee in games that are new every time."""

from __future__ import annotations

from collections import Counter

import pytest

from clue_solver.rules.table import Table
from tests.rules.test_play import TABLES, agreed, named


@pytest.mark.long(keep=10)
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_the_referee_agrees_in_many_games(table: Table, seed: str) -> None:
    games = [agreed(table, int(seed, 36) + game) for game in range(6)]
    judged = sum(games, Counter[bool]())
    assert judged[True]
    assert judged[False] > 10
