"""What questions tell: solutions that no question tells apart, and a gain by its definition."""

from __future__ import annotations

from math import fsum, log2

import numpy as np
import numpy.typing as npt
import pytest

from clue_solver.inference.gains import AnswerModel, Outcomes, group_alike, weigh
from clue_solver.knowledge.evidence import Random


def test_solutions_of_ten_categories_are_told_apart() -> None:
    """Forty cards: a number for each choice would not fit a machine's word."""
    rng = np.random.default_rng(1)
    solutions = rng.integers(0, 4, (500, 10)) + 4 * np.arange(10)
    for kind in (np.arange(40), np.arange(40) // 2):
        group, size = group_alike(kind, solutions)
        rows = kind[solutions]
        assert ((group[:, None] == group) == (rows[:, None] == rows).all(axis=2)).all()
        assert (size[group] == (group[:, None] == group).sum(axis=0)).all()


def test_a_gain_is_the_entropy_now_less_that_expected_after_the_answer() -> None:
    rng = np.random.default_rng(2)
    worlds, seats, cards, solutions = 40, 3, 3, 6
    model = AnswerModel(seats, "first", Random(), (0,) * seats)
    places = rng.integers(0, seats + 1, (cards, worlds))
    solution, weight = rng.integers(0, solutions, worlds), rng.dirichlet(np.ones(worlds))
    alone = np.ones(solutions, np.int64)
    seen = Outcomes(model.classes(places), model.chances)
    gain = weigh(seen, solution, alone, weight=weight, counting=False)

    joint = np.zeros((solutions, 1 + seats * cards))
    for world, (chance, held) in enumerate(zip(weight, places.T, strict=True)):
        shower = held.min()  # the first in order shows one of its cards
        could = np.flatnonzero(held == shower)
        shown = [0] if shower == seats else 1 + shower * cards + could
        joint[solution[world], shown] += chance / len(shown)
    answers = joint.sum(axis=0)

    def entropy(chances: npt.NDArray[np.float64]) -> float:
        return -fsum(p * log2(p) for p in chances.ravel().tolist() if p > 0)

    assert gain.bits == pytest.approx(
        entropy(joint.sum(axis=1)) + entropy(answers) - entropy(joint)
    )
    assert gain.best_after == pytest.approx(joint.max(axis=0).sum())
    assert gain.settles == pytest.approx(answers[(joint > 0).sum(axis=0) == 1].sum())
    assert sorted(gain.chances) == pytest.approx(sorted(answers[answers > 0]))
