"""
What thinking costs, counted where it is done; a block may be given no more than so much.

A unit is some three nanoseconds, a fair part of what an arrow of a deal diagram costs. Nothing is
measured by a clock, so an answer that is cut short is cut short alike on every machine. Steps are
coarser, and told to whoever waits.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import local

from clue_solver.errors import TooLarge


class OutOfBudget(TooLarge):
    """A block that may cost no more: what comes next in it may not, either."""


class _Account(local):
    """What this thread has spent in all, and up to where it may."""

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
    Count some work, in units, before it is done.

    Raises:
        OutOfBudget: If a block that this is in may not cost as much.
    """
    _account.spent += work
    if _account.spent > _account.limit:
        raise OutOfBudget("this is too much to work out here: record more entries or hands")


@contextmanager
def telling(tell: Callable[[float, float], None]) -> Iterator[None]:
    """Tell after each step of a block how many are done of those that are expected by then."""
    _account.tell, _account.done, _account.expected = tell, 0.0, 0.0
    try:
        yield
    finally:
        _account.tell = None


def expect(steps: float) -> None:
    """Say that so many more steps will be taken, if nothing cuts them short."""
    _account.expected += steps


def step(steps: float = 1.0) -> None:
    """Say that so many steps are done."""
    _account.done += steps
    if _account.tell is not None:
        _account.tell(_account.done, _account.expected)


@contextmanager
def limited(work: float) -> Iterator[None]:
    """Let a block cost so many units at most; past it, what is counted raises `OutOfBudget`."""
    before = _account.limit
    _account.limit = min(before, _account.spent + work)
    try:
        yield
    finally:
        _account.limit = before
