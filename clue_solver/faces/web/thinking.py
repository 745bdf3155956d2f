"""
One thread works on the games; others, and processes, think of verdicts, moves and reviews.

All work on the games is done in one thread, one piece after the other; what takes longer, such as a
what-if, lets what is light go first. A first look takes some hundredths of a second, no longer than
to send the page once more. Closer ones are taken in processes, as threads of one process would
share its time; where there can be none, in a second thread.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from itertools import count
from queue import PriorityQueue
from typing import TypeVar

from clue_solver.faces.thoughts import Thought, thoughts_on
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.tables import ServedTable
from clue_solver.game import Game
from clue_solver.inference.workers import persistent_processes
from clue_solver.record import Record

Result = TypeVar("Result")

_LONG = 2.0
"""Seconds; what is light, and may write to a game's file, is done in less."""


class Worker:
    """
    One thread that does what it is given in order, and never keeps the program from ending.

    Args:
        threaded: Whether it has a thread; else the loop that runs does each work, once it is back.
    """

    def __init__(self, *, threaded: bool = True) -> None:
        self._waiting: PriorityQueue[tuple[bool, int, Callable[[], None]]] = PriorityQueue()
        self._numbers = count()
        self._ended = False
        self._thread = threading.Thread(target=self._work, daemon=True) if threaded else None
        if self._thread is not None:
            self._thread.start()

    def give(self, work: Callable[[], Result], *, heavy: bool = False) -> "Future[Result]":
        """
        Let work wait for its turn and return its future.

        Args:
            work: The work; one whose future was cancelled before its turn is skipped.
            heavy: Whether what is light goes before it.
        """
        done: Future[Result] = Future()

        def worked() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._waiting.put((heavy, next(self._numbers), worked))
        if self._thread is None:
            asyncio.get_running_loop().call_soon(self._work_once)
        return done

    def give_later(self, work: Callable[[], object], seconds: float) -> None:
        """Let work that nobody waits for have its turn after some time."""
        if self._thread is None:
            asyncio.get_running_loop().call_later(seconds, self.give, work)
            return
        timer = threading.Timer(seconds, self.give, (work,))
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        """Do no more work; wait for what is done now, unless it is long: that writes nothing."""
        if not self._ended:  # who has ended it once may do so again
            self._ended = True
            self._waiting.put((False, -1, lambda: None))
        if self._thread is not None:
            self._thread.join(_LONG)

    def _work(self) -> None:
        while not self._ended:
            self._work_once()  # nothing of it is kept until the next

    def _work_once(self) -> None:
        *_, work = self._waiting.get()
        work()


_CORES = min(os.cpu_count() or 1, 4)
"""How many closer looks are taken at once; each of these processes needs some 70 MB."""


class Thinkers:
    """
    Who thinks for all tables of a server.

    Args:
        only: The thread of machines and reviews; one of their own for each if left out.
        processes: What takes closer looks; as many processes as there are cores if left out.

    Attributes:
        second: The thread of machines, and of closer looks where there are no processes.
        reviews: The thread of reviews, which take longest: no machine waits for them.
    """

    def __init__(self, only: Worker | None = None, processes: Executor | None = None) -> None:
        self.second = only or Worker()
        self.reviews = only or Worker()
        self._processes = processes

    def closer_look(self, record: Record) -> "Future[Thought]":
        """Begin a closer look at a record."""
        if self._processes is None:
            self._processes = persistent_processes(_CORES)
        return self._processes.submit(closest, record)

    def end(self) -> None:
        """Think no more."""
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)


class Thinking:
    """
    Thinks of the verdicts of a table.

    Args:
        table: The table.
        told: Called with each verdict of a closer look, in any thread.
        thinkers: Who takes closer looks.
    """

    def __init__(
        self, table: ServedTable, told: Callable[[Eyes, Thought], None], thinkers: Thinkers
    ) -> None:
        self._table = table
        self._told = told
        self._thinkers = thinkers
        self._under_way: dict[Eyes, Future[Thought]] = {}

    def look(self, eyes: Eyes) -> bool:
        """Take a first look at a game as it stands; return whether a closer one has to follow."""
        session = self._table.current(eyes)
        if eyes.current is not None:
            return False
        eyes.verdict = next(thoughts_on(session.game))._replace(record=session.record)
        return eyes.verdict.first

    def look_closer(self, eyes: Eyes, record: Record) -> None:
        """Begin a closer look; what it replaces need not begin any more."""
        if eyes in self._under_way:
            self._under_way[eyes].cancel()
        self._under_way[eyes] = look = self._thinkers.closer_look(record)
        look.add_done_callback(partial(self._found, eyes, record))

    def _found(self, eyes: Eyes, record: Record, done: "Future[Thought]") -> None:
        if done.cancelled():
            return
        if done.exception() is None:
            self._told(eyes, done.result()._replace(record=record))
        else:  # there can be no processes here
            self._thinkers.second.give(partial(self._look_here, eyes, record))

    def _look_here(self, eyes: Eyes, record: Record) -> None:
        if eyes.game.record is record:
            self._told(eyes, closest(record))


def closest(record: Record) -> Thought:
    """Return the last look at a record."""
    *_, last = thoughts_on(Game(record))
    return last
