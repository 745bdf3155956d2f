"""What only the last digits of a number tell apart stands in the order of the edition."""

from math import log
from pathlib import Path

import numpy as np
import pytest

from clue_solver import load
from clue_solver.inference.rounding import sort_key

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_solutions_of_equal_chance_stand_in_the_order_of_the_edition() -> None:
    game = load(EXAMPLES / "classic.clue")
    report = type(game)(game.record.upto(1)).report()
    cards = game.record.table.cards
    ranks = [
        (-sort_key(log(each.probability)), *map(cards.index, each.cards))
        for each in report.solutions
    ]
    assert sorted(ranks) == ranks
    assert len({rank[0] for rank in ranks}) < len(ranks) / 10


@pytest.mark.parametrize("fraction", [1 / 3, 1 / 1024, 0.5, 1e-9, 5e-10, 0.0])
def test_last_digits_do_not_move_a_key(fraction: float) -> None:
    near = fraction * (1.0 + np.arange(-8, 9) * 2.0**-52)
    assert [sort_key(fraction)] == sorted({*sort_key(near).tolist()})
