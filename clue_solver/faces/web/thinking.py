"""
The threads and processes that compute verdicts, moves and reviews.

All work on games is done in order in one thread; light work goes before heavy work such as a
what-if. A first verdict takes some hundredths of a second, which is no longer than sending the page
again. Better verdicts are computed in other processes, because threads of one process would share
its time. If processes are not available, a second thread computes them.
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
from clue_solver.faces.web.streams import Streams
from clue_solver.faces.web.tables import ServedTable
from clue_solver.game import Game
from clue_solver.record.contents import Record
from clue_solver.workers import persistent_processes

Result = TypeVar("Result")

_LONG = 2.0
"""Seconds within which light work, which may write to a game's file, is finished."""


class Worker:
    """
    A thread that does its work in order, and never keeps the program from ending.

    Args:
        threaded: Whether to use a thread. Otherwise, the running event loop does the work.
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
        Queue work and return its future.

        Args:
            work: The work. If its future is cancelled before it begins, it is skipped.
            heavy: Whether light work goes first.
        """
        done: Future[Result] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._waiting.put((heavy, next(self._numbers), run))
        if self._thread is None:
            asyncio.get_running_loop().call_soon(self._work_once)
        return done

    def give_later(self, work: Callable[[], object], seconds: float) -> None:
        """Queue work after some seconds, without a future."""
        if self._thread is None:
            asyncio.get_running_loop().call_later(seconds, self.give, work)
            return
        timer = threading.Timer(seconds, self.give, (work,))
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        """Stop. Wait briefly for the current work, because light work may be writing a file."""
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
"""How many processes compute verdicts. Each needs about 70 MB."""


class Shared:
    """
    What all tables of a server share, most of all the threads and processes that compute.

    Args:
        origin: As the attribute.
        only: One worker for all work. By default, each kind of work has its own thread.
        processes: The processes for verdicts. By default, there is one for each core, up to four.

    Attributes:
        origin: The scheme, host and port of the pages.
        quick: The thread that does all work on games.
        second: The thread for machines, and for verdicts if there are no processes.
        reviews: The thread for reviews. They take longest, so that machines must not wait for them.
        streams: The open event streams.
        pace: Seconds between the actions of machines, so that people can follow.
    """

    def __init__(
        self, origin: str, only: Worker | None = None, processes: Executor | None = None
    ) -> None:
        self.origin = origin
        self.quick = only or Worker()
        self.second = only or Worker()
        self.reviews = only or Worker()
        self.streams = Streams()
        self.pace = 1.0
        self._processes = processes

    async def run_in_thread(self, work: Callable[[], Result], *, heavy: bool = False) -> Result:
        """
        Run work on a game in the games' thread, and return the result.

        Args:
            work: The work.
            heavy: Whether light work goes first.
        """
        return await asyncio.wrap_future(self.quick.give(work, heavy=heavy))

    def closer_look(self, record: Record) -> "Future[Thought]":
        """Begin to compute the final verdict on a record; return its future."""
        if self._processes is None:
            self._processes = persistent_processes(_CORES)
        return self._processes.submit(final_verdict, record)

    def end(self) -> None:
        """End all open streams, and stop the processes."""
        self.streams.end()
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)


class Thinking:
    """
    Computes the verdicts of a table.

    Args:
        table: The table.
        told: Called with each final verdict, in any thread.
        shared: The threads and processes to use.
    """

    def __init__(
        self, table: ServedTable, told: Callable[[Eyes, Thought], None], shared: Shared
    ) -> None:
        self._table = table
        self._told = told
        self._shared = shared
        self._under_way: dict[Eyes, Future[Thought]] = {}

    def look(self, eyes: Eyes) -> bool:
        """Compute the first verdict on the notes; return whether a better one must follow."""
        session = self._table.current(eyes)
        if eyes.current is not None:
            return False
        eyes.verdict = next(thoughts_on(session.game))._replace(record=session.record)
        return eyes.verdict.first

    def look_closer(self, eyes: Eyes, record: Record) -> None:
        """Begin to compute the final verdict; cancel an earlier computation that has not begun."""
        if eyes in self._under_way:
            self._under_way[eyes].cancel()
        self._under_way[eyes] = look = self._shared.closer_look(record)
        look.add_done_callback(partial(self._found, eyes, record))

    def _found(self, eyes: Eyes, record: Record, done: "Future[Thought]") -> None:
        if done.cancelled():
            return
        if done.exception() is None:
            self._told(eyes, done.result()._replace(record=record))
        else:  # there can be no processes here
            self._shared.second.give(partial(self._look_here, eyes, record))

    def _look_here(self, eyes: Eyes, record: Record) -> None:
        if eyes.game.record is record:
            self._told(eyes, final_verdict(record))


def final_verdict(record: Record) -> Thought:
    """Return the final verdict on a record."""
    *_, last = thoughts_on(Game(record))
    return last
