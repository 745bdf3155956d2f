"""What thinking costs is counted, and a block is held to so much of it."""

from __future__ import annotations

import pytest

from clue_solver import TooLarge, load
from clue_solver.inference.spending import limited, spend, spent


def test_a_block_may_cost_so_much_and_an_inner_one_no_more_than_the_outer() -> None:
    before = spent()
    with limited(10):
        spend(10)
        with pytest.raises(TooLarge), limited(100):
            spend(1)
    spend(1_000)
    assert spent() - before == 1_011


def test_the_same_game_costs_the_same_whatever_was_asked_before() -> None:
    costs = []
    for _ in range(2):
        before = spent()
        load("examples/evening.clue").review(sample=100)
        costs.append(spent() - before)
    assert costs[0] == costs[1] > 0
