"""What questions tell: solutions that no question tells apart, and one way to weigh."""

from __future__ import annotations

import numpy as np

from clue_solver.inference.gains import (
    Alike,
    AnswerModel,
    Outcomes,
    group_alike,
    weigh,
)
from clue_solver.knowledge.evidence import Random


def test_solutions_of_ten_categories_are_told_apart() -> None:
    """Forty cards: a number for each choice would not fit a machine's word."""
    rng = np.random.default_rng(1)
    solutions = rng.integers(0, 4, (500, 10)) + 4 * np.arange(10)
    labels = np.array([np.arange(40), np.arange(40) // 2])
    alike = group_alike(labels, solutions)
    for kind, group, size in zip(labels, *alike, strict=True):
        rows = kind[solutions]
        assert ((group[:, None] == group) == (rows[:, None] == rows).all(axis=2)).all()
        assert (size[group] == (group[:, None] == group).sum(axis=0)).all()


def test_questions_weighed_together_tell_what_each_tells_alone() -> None:
    rng = np.random.default_rng(2)
    worlds, seats, cards, solutions = 400, 3, 3, 6
    model = AnswerModel(seats, "first", Random(), (0,) * seats)
    kind = model.classes(rng.integers(0, seats + 1, (cards, 5, worlds)))
    solution = rng.integers(0, solutions, worlds)
    group = rng.integers(0, 3, (5, solutions))
    size = np.array([np.bincount(row, minlength=3) for row in group])
    for weight in (None, rng.dirichlet(np.ones(worlds))):
        for counting in (False, True):
            together, alone = (
                [
                    gain
                    for part in parts
                    for gain in weigh(
                        Outcomes(kind[part], model.chances),
                        Alike(group[part], size[part]),
                        solution,
                        weight=weight,
                        counting=counting,
                    )
                ]
                for parts in ([slice(0, 5)], [slice(at, at + 1) for at in range(5)])
            )
            for one, other in zip(together, alone, strict=True):
                assert np.allclose(one[:4], other[:4])
                assert np.allclose(one.chances, other.chances)
