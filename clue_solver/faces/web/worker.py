"""
Work on the games in one thread, in turns: between the tables, between the pages of each, then
between the phones of each.

Who asks for much waits for what it asks itself: one that floods a page delays another by no more
than the work that is in hand, and one piece of each table and page. What takes longer, such as a
what-if, lets what is light go first.
"""

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")

MOST_WAITING = 64
"""How much work of one page may wait."""

_GO_FIRST = 8
"""How much light work goes before what is heavy, if that waits."""

Way = tuple[Hashable, ...]


class Busy(Exception):
    """So much of this page's work waits that no more is taken."""


class Turns:
    """
    Work that waits, one step deeper for each part of its way; each takes its turn with the others.

    Who waits longest comes first: who was served goes behind all that wait.
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[Hashable, Turns | list[Callable[[], None]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, way: Way, work: Callable[[], None]) -> None:
        """Let work wait."""
        first, *rest = way
        if rest:
            below = self._waiting.setdefault(first, Turns())
            assert isinstance(below, Turns)
            below.add(tuple(rest), work)
        else:
            line = self._waiting.setdefault(first, [])
            assert isinstance(line, list)
            line.append(work)

    def next(self) -> tuple[Way, Callable[[], None]]:
        """Take out the work whose turn it is, with its way."""
        first, below = self._waiting.popitem(last=False)
        rest, work = below.next() if isinstance(below, Turns) else ((), below.pop(0))
        if below:
            self._waiting[first] = below
        return (first, *rest), work


class Worker:
    """
    One thread that does what it is given in turns, and never keeps the program from ending.

    Args:
        threaded: Whether it has a thread; else the loop that runs does each work, once it is back.
    """

    def __init__(self, *, threaded: bool = True) -> None:
        self._given = threading.Condition()
        self._light, self._heavy = Turns(), Turns()
        self._waiting: Counter[Way] = Counter()
        self._went_first = 0
        self._threaded = threaded
        if threaded:
            threading.Thread(target=self._work, daemon=True).start()

    def give(
        self, work: Callable[[], Result], way: Way = ("", ""), *, heavy: bool = False
    ) -> "Future[Result]":
        """
        Let work wait for its turn and return its future.

        Args:
            work: The work; one whose future was cancelled before its turn is skipped.
            way: Whose it is: a page, then a phone of it, and before them the table where there are
                several; empty names for a page and a phone where it is the table's own.
            heavy: Whether what is light goes before it.

        Raises:
            Busy: If too much of the page's work waits.
        """
        done: Future[Result] = Future()
        page = way[:-1]

        def worked() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        with self._given:
            if page[-1] and self._waiting[page] >= MOST_WAITING:
                raise Busy
            self._waiting[page] += 1
            turns = self._heavy if heavy else self._light
            turns.add(way, worked)
            self._given.notify()
        if not self._threaded:
            asyncio.get_running_loop().call_soon(self._work_once)
        return done

    def _next(self) -> Callable[[], None]:
        """Take out what is to be done now."""
        heavy = bool(self._heavy) and (not self._light or self._went_first >= _GO_FIRST)
        self._went_first = 0 if heavy else self._went_first + 1
        way, work = (self._heavy if heavy else self._light).next()
        page = way[:-1]
        self._waiting[page] -= 1
        if not self._waiting[page]:
            del self._waiting[page]
        return work

    def _work(self) -> None:
        while True:
            self._work_once()  # nothing of it is kept until the next

    def _work_once(self) -> None:
        with self._given:
            while not (self._light or self._heavy):
                self._given.wait()
            work = self._next()
        work()
