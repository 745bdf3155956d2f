"""
Work on the games in one thread, one piece after the other; what takes longer, such as a what-if,
lets what is light go first.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from queue import PriorityQueue
from typing import TypeVar

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
