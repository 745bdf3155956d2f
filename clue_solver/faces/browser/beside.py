"""An executor that runs jobs in a second worker of the browser."""

import pickle
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any


class SecondWorker(Executor):
    """
    Runs jobs in a second worker of the browser, one after the other.

    Args:
        send: Sends a job to the second worker, which calls `run_job`. The result must be passed to
            `receive`. If there is no second worker, `fail` must be called.
    """

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._waiting: deque[tuple[Future[Any], bytes]] = deque()
        self._under_way: Future[Any] | None = None
        self._failure: RuntimeError | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Queue a job, a call of `fn`; its future fails if there is no second worker."""
        done: Future[Any] = Future()
        self._waiting.append((done, pickle.dumps(partial(fn, *args, **kwargs))))
        self._next()
        return done

    def receive(self, content: bytes) -> None:
        """Receive the encoded result of the current job."""
        result, error = pickle.loads(content)
        done, self._under_way = self._under_way, None
        assert done is not None
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
        self._next()

    def fail(self) -> None:
        """Let all waiting and later jobs fail, because there is no second worker."""
        self._failure = RuntimeError("this page's background worker has stopped")
        if self._under_way is not None:
            self._under_way.set_exception(self._failure)
        self._next()

    def _next(self) -> None:
        """Send the next job if none is under way. Without a second worker, let all jobs fail."""
        while self._waiting and (self._failure or self._under_way is None):
            done, content = self._waiting.popleft()
            if not done.set_running_or_notify_cancel():
                continue
            if self._failure:
                done.set_exception(self._failure)
            else:
                self._under_way = done
                self._send(content)


def run_job(content: bytes) -> bytes:
    """Run a job that `SecondWorker` has sent; return the result, encoded for its `receive`."""
    try:
        return pickle.dumps((pickle.loads(content)(), None))
    except Exception as error:
        return pickle.dumps((None, error))
