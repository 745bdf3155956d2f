"""
Chances of several players, each shrunk towards what is usual among them.

The usual level has, before anything is seen, an even chance to be none at all (`at random`) and is
else as likely to be anywhere from 0 to 1. A player has an even chance to do as is usual, and else a
level of its own, spread the same way. So one who was hardly seen is taken for one of the others,
and what all of them did tells what is usual (a spike and a slab: Mitchell, Beauchamp, "Bayesian
variable selection in linear regression", 1988).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from clue_solver.inference.diagram import sort_key

Floats = npt.NDArray[np.float64]

_CELLS = 960

LEVELS: Floats = (np.arange(_CELLS) + 0.5) / _CELLS
"""The levels, from 0 to 1, that stand for all; behind them is the point for none at all."""


def posterior(told: Sequence[Floats], *, random: bool = True) -> Floats:
    """
    Return the posterior of each player's level, shape (players, points).

    Args:
        told: The logarithm of each player's likelihood at the points, shape (points,).
        random: Whether there is such a thing as none at all; else its point counts for nothing.

    >>> nothing = np.zeros(len(LEVELS) + 1)
    >>> posterior([nothing, nothing])[:, -1].round(3).tolist()
    [0.5, 0.5]
    """
    here = 0.5 if random else 0.0
    prior = np.append(np.full(_CELLS, (1.0 - here) / _CELLS), here)
    likely = np.exp(np.reshape([each - each.max() for each in told], (-1, len(prior))))
    alone = likely @ prior[:, None]
    mixed = (likely + alone) / 2.0
    together = np.log(mixed).sum(axis=0)
    usual = prior * np.exp(together - together.max())
    as_usual = usual / usual.sum() * likely / (2.0 * mixed)
    apart = 1.0 - as_usual.sum(axis=1, keepdims=True)
    found: Floats = as_usual + apart * prior * likely / alone
    return found


def interval(weights: Floats, places: Floats, *, missed: float) -> tuple[float, float]:
    """
    Return the shortest interval that misses no more than so much of a posterior.

    What is at random is in it unless it has less than that chance; then it is of the rest.

    Args:
        weights: The posterior at the points, shape (points,).
        places: Where they are, rising or falling but for the last, shape (points,).

    >>> places = np.append(LEVELS, 0.0)
    >>> low, high = interval(np.append(LEVELS, 0.0) / LEVELS.sum(), places, missed=0.19)
    >>> round(low, 2), round(high, 2)
    (0.44, 1.0)
    """
    spread, here = weights[:-1], float(weights[-1])
    inside = here >= missed
    enough = 1.0 - missed - here if inside else (1.0 - here) * (1.0 - missed)
    middle = sort_key(np.abs(LEVELS - 0.5))
    best = np.lexsort((middle, -sort_key(spread * _CELLS)))
    most = int(np.searchsorted(spread[best].cumsum(), enough - 1e-9)) + 1 if enough > 0 else 0
    held = [*places[best[:most]].tolist(), *([float(places[-1])] if inside else [])]
    return min(held), max(held)
