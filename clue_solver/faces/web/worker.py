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


class Worker:
    """
    One thread that does what it is given in order, and never keeps the program from ending.

    Args:
        threaded: Whether it has a thread; else the loop that runs does each work, once it is back.
    """

    def __init__(self, *, threaded: bool = True) -> None:
        self._waiting: PriorityQueue[tuple[bool, int, Callable[[], None]]] = PriorityQueue()
        self._numbers = count()
        self._threaded = threaded
        if threaded:
            threading.Thread(target=self._work, daemon=True).start()

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
        if not self._threaded:
            asyncio.get_running_loop().call_soon(self._work_once)
        return done

    def _work(self) -> None:
        while True:
            self._work_once()  # nothing of it is kept until the next

    def _work_once(self) -> None:
        *_, work = self._waiting.get()
        work()
