"""
A budget of work: computations count what they cost, and a block of code can have a limit.

Work is counted in units of about three nanoseconds, a fraction of the cost of an arrow of a deal
diagram. No clock is read, so an answer is cut short at the same point on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import local


class OutOfBudget(Exception):
    """
    The work allowed in a `with limited(...)` block is used up.

    More work in that block raises it again. The code that sets the limit catches it.
    """


class _Account(local):
    """The work that this thread has spent in all, and its limit."""

    spent = 0
    limit = inf


_account = _Account()


def spent() -> int:
    """Return the work that this thread has spent so far, in units."""
    return _account.spent


def spend(work: int) -> None:
    """
    Count `work` units of work; call this before the work is done, if possible.

    Raises:
        OutOfBudget: If a surrounding block reaches its limit.
    """
    _account.spent += work
    if _account.spent > _account.limit:
        raise OutOfBudget


@contextmanager
def limited(work: float) -> Iterator[None]:
    """Let a block cost at most `work` units; past that, `spend` raises `OutOfBudget` in it."""
    before = _account.limit
    _account.limit = min(before, _account.spent + work)
    try:
        yield
    finally:
        _account.limit = before
