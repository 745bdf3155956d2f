"""Work that one worker of a browser gives another, as a process pool gives it to processes."""

import pickle
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any


class SecondWorker(Executor):
    """
    Has work done by a second worker of the browser, one after the other.

    Args:
        send: Passes on what is to be worked out, for `worked` there; what comes of it goes to
            `found`, or `ended` is called where there can be no such worker.
    """

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._waiting: deque[tuple[Future[Any], bytes]] = deque()
        self._under_way: Future[Any] | None = None
        self._over = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Let work wait for its turn and return its future; it fails where nobody does it."""
        done: Future[Any] = Future()
        self._waiting.append((done, pickle.dumps(partial(fn, *args, **kwargs))))
        self._next()
        return done

    def found(self, content: bytes) -> None:
        """Take in what a work has come to."""
        result, error = pickle.loads(content)
        done, self._under_way = self._under_way, None
        assert done is not None
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
        self._next()

    def ended(self) -> None:
        """Let all work that waits fail, and all that is still given."""
        self._over = True
        if self._under_way is not None:
            self._under_way.set_exception(RuntimeError("nobody works beside this"))
        self._next()

    def _next(self) -> None:
        while self._waiting and (self._over or self._under_way is None):
            done, content = self._waiting.popleft()
            if not done.set_running_or_notify_cancel():
                continue
            if self._over:
                done.set_exception(RuntimeError("nobody works beside this"))
            else:
                self._under_way = done
                self._send(content)


def worked(content: bytes) -> bytes:
    """Return what a work that `SecondWorker` has sent comes to, as its `found` takes it."""
    try:
        return pickle.dumps((pickle.loads(content)(), None))
    except Exception as error:
        return pickle.dumps((None, error))
