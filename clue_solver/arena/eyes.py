"""The former name of `seat_view`, read for one more minor version."""

from typing import Any
from warnings import warn

from clue_solver.arena import seat_view


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    warn("clue_solver.arena.eyes is clue_solver.arena.seat_view", DeprecationWarning, stacklevel=2)
    return getattr(seat_view, name)
