"""Deals one by one: all that fit if they are few, else an exact independent sample."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.solutions import Solutions, solution_strides
from clue_solver.knowledge.clauses import Layout


class Worlds(NamedTuple):
    """
    Deals that fit, with their probabilities: all of them, or a random sample.

    Attributes:
        deals: The number of the holder of each card, shape (worlds, cards).
        weight: The probabilities, shape (worlds,); they sum to 1.
        solution: The index of each deal's solution in `solutions`, shape (worlds,).
        solutions: All possible solutions, with their exact probabilities.
        exact: Whether these are all deals that fit rather than a sample.
    """

    deals: Ints
    weight: Floats
    solution: npt.NDArray[np.intp]
    solutions: Solutions
    exact: bool


def worlds(
    diagram: Diagram,
    layout: Layout,
    rng: np.random.Generator,
    *,
    posterior: Solutions,
    most: int,
    sample: int,
) -> Worlds:
    """
    Return all deals that fit if there are at most `most`; else `sample` independent random ones.

    Args:
        diagram: All deals that fit.
        layout: The shape of the table.
        rng: The source of randomness.
        posterior: The possible solutions, with their probabilities.
        most: The most deals to list.
        sample: How many deals to draw if there are more.
    """
    exact = bool(most) and diagram.count() <= most
    if exact:
        diagram = diagram.unpooled
        deals, _, weights = diagram.ways(len(diagram.layers))
        weight = diagram.mix(weights)
        weight /= weight.sum()
    else:
        deals = diagram.draw(sample, rng)
        weight = np.full(sample, 1.0 / sample)
    strides = solution_strides(layout)
    drawn = (deals == layout.envelope) @ strides
    listed = strides[posterior.cards].sum(axis=1)
    order = np.argsort(listed)
    solution = order[np.searchsorted(listed, drawn, sorter=order)]
    return Worlds(deals, weight, solution, posterior, exact)
