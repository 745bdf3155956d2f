"""The former name of `seat_view`, read for one more minor version."""

from typing import Any
from warnings import warn

from clue_solver.arena import seat_view


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(seat_view, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(f"{__name__} is now {seat_view.__name__}", DeprecationWarning, stacklevel=2)
    return getattr(seat_view, name)
