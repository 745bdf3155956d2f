"""
A budget of work: computations count what they cost, and a block of code can be given a limit.

Work is counted in units of some three nanoseconds, a fair part of what an arrow of a deal diagram
costs. No clock is read, so an answer that is cut short is cut short at the same point on every
machine. Progress is counted in steps, which are far coarser, for whoever waits for the answer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import local

from clue_solver.errors import TooLarge


class OutOfBudget(TooLarge):
    """A block has spent its limit; whatever it would try next is over the limit, too."""


class _Account(local):
    """What this thread has spent in all, its limit, and its progress."""

    spent = 0
    limit = inf
    done = expected = 0.0
    tell: Callable[[float, float], None] | None = None


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
def telling(tell: Callable[[float, float], None]) -> Iterator[None]:
    """Call `tell` after each step of a block with the steps done and the steps expected so far."""
    _account.tell, _account.done, _account.expected = tell, 0.0, 0.0
    try:
        yield
    finally:
        _account.tell = None


def expect(steps: float) -> None:
    """Announce more steps, which will be taken unless something cuts them short."""
    _account.expected += steps


def step(steps: float = 1.0) -> None:
    """Report steps as done."""
    _account.done += steps
    if _account.tell is not None:
        _account.tell(_account.done, _account.expected)


@contextmanager
def limited(work: float) -> Iterator[None]:
    """Let a block cost at most `work` units; past that, `spend` raises `OutOfBudget` in it."""
    before = _account.limit
    _account.limit = min(before, _account.spent + work)
    try:
        yield
    finally:
        _account.limit = before
