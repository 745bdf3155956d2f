"""How often functions are called, in every thread: budgets are counts, not times."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any


@contextmanager
def counted(*functions: Callable[..., Any], within: str = "") -> Iterator[Counter[str]]:
    """
    Count the calls of functions, by name, from here on; clear the counter to begin again.

    Of all functions where none are named, or of those in files whose names begin with `within`;
    a comprehension counts as a call, and so does each time that a generator goes on.
    """
    names = {_place(function.__code__): function.__qualname__ for function in functions}
    calls: Counter[str] = Counter()

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (name := names.get(_place(frame.f_code))):
            calls[name] += 1
        elif event == "call" and not names and frame.f_code.co_filename.startswith(within):
            calls[frame.f_code.co_qualname] += 1

    threading.setprofile(seen)
    sys.setprofile(seen)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def _place(code: CodeType) -> tuple[str, str, int]:
    """Return where a function stands; its code is another once its lines are measured."""
    return code.co_filename, code.co_qualname, code.co_firstlineno
