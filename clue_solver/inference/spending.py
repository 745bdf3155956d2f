"""
A budget of work: computations count what they cost, and a block of code can be given a limit.

Work is counted in units of some three nanoseconds, a fair part of what an arrow of a deal diagram
costs. No clock is read, so an answer that is cut short is cut short at the same point on every
machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import local

from clue_solver.errors import TooLarge


class OutOfBudget(TooLarge):
    """A block has spent its limit; whatever it would try next is over the limit, too."""


class _Account(local):
    """What this thread has spent in all, and its limit."""

    spent = 0
    limit = inf


_account = _Account()


def spent() -> int:
    """Return what has been spent so far, in units."""
    return _account.spent


def spend(work: int) -> None:
    """
    Count some work, in units: before it is done, unless only doing it shows how much it was.

    Raises:
        OutOfBudget: If that is more than a block that this is in may cost.
    """
    _account.spent += work
    if _account.spent > _account.limit:
        raise OutOfBudget("this is too much to work out here: record more entries or hands")


@contextmanager
def limited(work: float) -> Iterator[None]:
    """Let a block cost at most `work` units; past that, `spend` raises `OutOfBudget` in it."""
    before = _account.limit
    _account.limit = min(before, _account.spent + work)
    try:
        yield
    finally:
        _account.limit = before
