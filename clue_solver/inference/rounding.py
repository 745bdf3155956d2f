"""
Sorts and prints numbers independently of rounding errors.

Builds of numpy add up in different orders, so sums of the same numbers may differ in their last
digits. Numbers that differ only in these must be sorted and printed alike everywhere.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

ROUNDING = 1e-9
"""The largest difference between two numbers that differ only by rounding."""

_OFF_THE_GRID = 0.381966
"""
How far sort keys are shifted, as a share of `ROUNDING`, so that no simple fraction lies where one
key ends and the next begins.
"""


def sort_key(values: npt.ArrayLike) -> Any:
    """
    Return keys to sort numbers by; numbers that differ only by rounding get equal keys.

    A key is the number of a step of width `ROUNDING`. The steps are shifted so that no simple
    fraction lies on an edge.

    >>> int(sort_key(0.1 + 0.2)) == int(sort_key(0.3))
    True
    """
    return np.floor(np.divide(values, ROUNDING) + _OFF_THE_GRID)


def rounded(values: npt.ArrayLike) -> Any:
    """
    Return numbers, one or a list, without the digits in which builds of numpy differ.

    Numbers up to about 0.6 billionths become 0, so chances that are not certain are written by
    `answers.display` instead.

    >>> rounded(0.1 + 0.2), rounded(2 / 3)
    (0.3, 0.666666667)
    """
    return (sort_key(values) / 1e9).tolist()
