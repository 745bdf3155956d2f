"""
The threads and processes that compute pages, advice, moves and reviews.

All work on games is done in one thread, in order, but light work goes before heavy work such as a
what-if. Quick advice is computed there, too. It takes some hundredths of a second, no longer than
sending the page again. Full advice is computed in other processes, because the threads of one
process would slow each other down. Without processes, a second thread computes it.
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
from clue_solver.faces.web.safety import error_place
from clue_solver.faces.web.streams import Streams
from clue_solver.faces.web.tables import ServedTable
from clue_solver.game import Game
from clue_solver.record.contents import Record
from clue_solver.workers import persistent_processes

Result = TypeVar("Result")

_LONG = 2.0
"""How many seconds to wait at the end for light work, which may be writing to a game's file."""


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
            heavy: Whether light work that is queued later goes first.
        """
        done: Future[Result] = Future()

        def run() -> None:
            """Do the work, and set the future to its result or its error."""
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
        """Queue work after so many seconds, without a future."""
        if self._thread is None:
            asyncio.get_running_loop().call_later(seconds, self.give, work)
            return
        timer = threading.Timer(seconds, self.give, (work,))
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        """Stop the worker. Wait briefly for its current work, which may be writing to a file."""
        if not self._ended:  # who has ended it once may do so again
            self._ended = True
            self._waiting.put((False, -1, lambda: None))
        if self._thread is not None:
            self._thread.join(_LONG)

    def _work(self) -> None:
        """Do all work until the end, in the thread."""
        while not self._ended:
            self._work_once()  # a call of its own, so that nothing is kept until the next

    def _work_once(self) -> None:
        """Do the next piece of work, waiting until there is one."""
        *_, work = self._waiting.get()
        work()


_CORES = min(os.cpu_count() or 1, 4)
"""How many processes compute advice. Each needs about 70 MB."""


class Shared:
    """
    What all tables of a server share, most of all the threads and processes that compute.

    Args:
        origin: The scheme, host and port of the pages.
        only: A worker for all work in threads. By default, each kind of work has its own thread.
        processes: The processes for advice. By default, there is one for each core, up to four.

    Attributes:
        origin: The scheme, host and port of the pages.
        games: The thread that does all work on games, called the games' thread.
        second: The thread in which machines think, and which computes advice without processes.
        reviews: The thread for reviews, which take so long that machines must not wait for them.
        streams: The open event streams.
        alone: Whether the games are on a single phone, which has one worker for all work.
        pace: Seconds between the actions of machines, so that people can follow.
        tell: Called with messages for the host.
    """

    def __init__(
        self, origin: str, only: Worker | None = None, processes: Executor | None = None
    ) -> None:
        self.origin = origin
        self.games = only or Worker()
        self.second = only or Worker()
        self.reviews = only or Worker()
        self.streams = Streams()
        self.alone = only is not None
        self.pace = 1.0
        self.tell: Callable[[str], None] = lambda _: None
        self._processes = processes

    async def run_in_thread(self, work: Callable[[], Result], *, heavy: bool = False) -> Result:
        """
        Run work on a game in the games' thread, and return the result.

        Args:
            work: The work.
            heavy: Whether light work that is queued later goes first.
        """
        return await asyncio.wrap_future(self.games.give(work, heavy=heavy))

    def begin(self, work: Callable[[], object], seconds: float = 0.0) -> None:
        """
        Do work in the games' thread. An error in it is reported to the host.

        Args:
            work: The work.
            seconds: How many seconds to wait before it is done.
        """

        def run() -> None:
            """Do the work; if it fails, tell the host."""
            try:
                work()
            except Exception as error:
                self.tell(f"something went wrong: {error_place(error)}")

        if seconds:
            self.games.give_later(run, seconds)
        else:
            self.games.give(run)

    @property
    def processes(self) -> Executor:
        """The processes for advice, which are started when they are first needed."""
        if self._processes is None:
            self._processes = persistent_processes(_CORES)
        return self._processes

    def end(self) -> None:
        """End all open streams, and stop the processes."""
        self.streams.end()
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)


class Thinking:
    """
    Computes advice or corrections for the pages of a table: first quick advice, then the full one.

    Args:
        table: The table.
        shared: The threads and processes to use.
    """

    def __init__(self, table: ServedTable, shared: Shared) -> None:
        self._table = table
        self._shared = shared
        self._under_way: dict[Eyes, Future[Thought]] = {}

    def think(self, eyes: Eyes) -> None:
        """Compute quick advice for a page if it shows any, and begin to compute the full advice."""
        if eyes.session is None or eyes.thought is not None or not self._table.advises(eyes):
            return
        record = eyes.game.record
        eyes.last_thought = next(thoughts_on(eyes.game.game))._replace(record=record)
        if eyes.last_thought.first:
            self._shared.begin(partial(self.think_further, eyes, record))

    def think_further(self, eyes: Eyes, record: Record) -> None:
        """
        Have the full advice on a page's notes, `record`, computed in a process.

        An earlier computation for the page is cancelled if it has not begun yet.
        """
        if eyes in self._under_way:
            self._under_way[eyes].cancel()
        self._under_way[eyes] = found = self._shared.processes.submit(final_thought, record)
        found.add_done_callback(partial(self._take_result, eyes, record))

    def _take_result(self, eyes: Eyes, record: Record, done: "Future[Thought]") -> None:
        """
        Store the advice that a process has computed; if it failed, use a second thread.

        The host is told of the error, unless it only means that no process can be used.

        Args:
            eyes: The page.
            record: The page's notes on which the advice is.
            done: The future of the advice.
        """
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._store(eyes, done.result()._replace(record=record))
            return
        if not isinstance(error, OSError | RuntimeError):  # these mean that there are none
            self._shared.tell(f"something went wrong: {error_place(error)}")
        self._shared.second.give(partial(self._think_here, eyes, record))

    def _think_here(self, eyes: Eyes, record: Record) -> None:
        """Compute the full advice in this process, if the page's notes are still the same."""
        if eyes.game.record is record:
            self._store(eyes, final_thought(record))

    def _store(self, eyes: Eyes, thought: Thought) -> None:
        """Store advice for a page, in the games' thread."""
        self._shared.begin(partial(self._table.store_thought, eyes, thought))


def final_thought(record: Record) -> Thought:
    """Return the final advice on a record, or its likely corrections."""
    *_, last = thoughts_on(Game(record))
    return last
