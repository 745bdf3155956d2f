"""Work on the game, in one thread and in order."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

Result = TypeVar("Result")


class Worker:
    """One thread that does what it is given in order, and never keeps the program from ending."""

    def __init__(self) -> None:
        self._given: SimpleQueue[Callable[[], None]] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def give(self, work: Callable[[], Result]) -> "Future[Result]":
        """Queue work and return its future; work that was cancelled before its turn is skipped."""
        done: Future[Result] = Future()

        def worked() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._given.put(worked)
        return done

    def _work(self) -> None:
        while True:
            self._given.get()()
