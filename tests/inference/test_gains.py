"""What questions tell: solutions that no question tells apart, and a gain by its definition."""

from __future__ import annotations

import numpy as np

from clue_solver.inference.gains import group_alike


def test_solutions_of_ten_categories_are_told_apart() -> None:
    """Forty cards: a number for each choice would not fit a machine's word."""
    rng = np.random.default_rng(1)
    solutions = rng.integers(0, 4, (500, 10)) + 4 * np.arange(10)
    for kind in (np.arange(40), np.arange(40) // 2):
        group, size = group_alike(kind, solutions)
        rows = kind[solutions]
        assert ((group[:, None] == group) == (rows[:, None] == rows).all(axis=2)).all()
        assert (size[group] == (group[:, None] == group).sum(axis=0)).all()
