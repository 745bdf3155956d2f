"""
Deals to look at one by one: all that fit where they are few, else an exact independent sample.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.diagram import Diagram, Floats, Ints
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.knowledge.clauses import Layout, card_numbers


class Worlds(NamedTuple):
    """
    Deals with their probabilities.

    Attributes:
        deals: The holder of each card, shape (worlds, cards).
        weight: Probabilities, shape (worlds,); the sum is 1.
        solution: The number of each world's solution in `solutions`, shape (worlds,).
        solutions: The exact posterior over solutions.
        exact: Whether these are all deals that fit, not a sample.
    """

    deals: Ints
    weight: Floats
    solution: npt.NDArray[np.intp]
    solutions: Solutions
    exact: bool


def worlds(
    diagram: Diagram, layout: Layout, rng: np.random.Generator, *, most: int, sample: int
) -> Worlds:
    """Return all deals where there are at most `most`, else `sample` drawn independently."""
    posterior = solutions(diagram, layout)
    exact = diagram.count() <= most
    if exact:
        deals, weight = diagram.every()
    else:
        deals, weight = diagram.draw(sample, rng), np.full(sample, 1.0 / sample)
    numbers = _numbering(layout)
    taken = (deals == layout.envelope) @ numbers
    listed = numbers[posterior.cards].sum(axis=1)
    order = np.argsort(listed)
    place = order[np.searchsorted(listed, taken, sorter=order)]
    return Worlds(deals, weight, place, posterior, exact)


def _numbering(layout: Layout) -> Ints:
    """Return a number for each card such that the sum over a solution tells solutions apart."""
    numbers = np.zeros(layout.cards, np.int64)
    stride = 1
    for category in layout.categories:
        cards = card_numbers(category)
        numbers[cards] = np.arange(len(cards)) * stride
        stride *= len(cards)
    return numbers
