"""
Array types, and small functions on arrays: merging keys, adding up weights, entropies.

Merging and adding up are the steps of all sums over the states of a deal diagram.
"""

import threading

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

_SMALL, _LARGEST = 1 << 12, 1 << 21
"""
If all keys are below the first bound, they are merged with a new array. If they are below the
second, they are merged with an array that each thread keeps, because it is too large to be cleared
each time (16 MB).
"""

_own = threading.local()


def merge(keys: Ints, bound: int) -> tuple[Ints, npt.NDArray[np.intp]]:
    """
    Return the distinct keys, ascending, and for each of `keys` its index among the distinct ones.

    All keys are from 0 to below `bound`. If `bound` is too large for an array, numpy sorts the
    keys.
    """
    if bound > _LARGEST:
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, place
    if bound <= _SMALL:
        owner = np.zeros(bound, np.intp)
        owner[keys] = 1
        distinct = owner.nonzero()[0]
    else:
        if not hasattr(_own, "scratch"):
            _own.scratch = np.empty(_LARGEST, np.intp)
        owner = _own.scratch
        owner[keys] = order = np.arange(len(keys))  # nothing is read but what is written here
        distinct = np.sort(keys[owner[keys] == order])
    owner[distinct] = np.arange(len(distinct))
    return distinct, owner[keys]


def collect(place: npt.NDArray[np.intp], weight: Floats, size: int) -> Floats:
    """
    Return the sums of weights by place: item p is the sum of all `weight[i]` with `place[i] == p`.

    The result has shape (size,).
    """
    return np.bincount(place, weight, size)  # type: ignore[return-value] # floats for floats


def log2(chances: Floats) -> Floats:
    """Return the binary logarithms of chances; 0 for a chance of 0."""
    return np.log2(chances, out=np.zeros_like(chances), where=chances > 0.0)


def entropy(chances: Floats) -> Floats:
    """Return the entropy, in bits, of each distribution along the last axis."""
    bits: Floats = np.maximum(-(chances * log2(chances)).sum(axis=-1), 0.0) + 0.0  # never -0.0
    return bits
