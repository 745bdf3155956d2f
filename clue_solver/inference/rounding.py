"""
How to sort and print numbers so that rounding makes no difference.

Builds of numpy add up in different orders, so sums of the same numbers may differ in their last
digits. Numbers that are equal but for that must be sorted and printed alike everywhere.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

ROUNDING = 1e-9
"""By how much two numbers may differ that are the same but for rounding."""

_OFF_THE_GRID = 0.381966
"""Where between two multiples of `ROUNDING` a step begins: where no simple fraction lies."""


def sort_key(values: npt.ArrayLike) -> Any:
    """
    Return what to sort numbers by: the same for two that only rounding tells apart.

    Steps are as wide as `ROUNDING` and begin off the grid, so that no fraction lies on an edge.

    >>> int(sort_key(0.1 + 0.2)) == int(sort_key(0.3))
    True
    """
    return np.floor(np.divide(values, ROUNDING) + _OFF_THE_GRID)


def rounded(values: npt.ArrayLike) -> Any:
    """
    Return a number, or a list of them, without the digits in which builds of numpy differ.

    Up to some 0.6 billionths become 0: chances that are open are written by `answers.display`.

    >>> rounded(0.1 + 0.2), rounded(2 / 3)
    (0.3, 0.666666667)
    """
    return (sort_key(values) / 1e9).tolist()
