"""The error of an observation that has no meaning at its table."""

from __future__ import annotations

from typing import NoReturn

from clue_solver.errors import NotationError

Path = tuple[str | int, ...]
"""A part of an observation: names of fields and places in lists, outermost first."""


class Misfit(NotationError):
    """
    An observation that has no meaning at its table.

    Attributes:
        path: The part that is at fault: `("answers", 0, "card")`.
    """

    def __init__(self, reason: str, *, path: Path, nearest: tuple[str, ...] = ()) -> None:
        self.path = path
        super().__init__(reason, nearest=nearest)


def refuse(reason: str, *path: str | int, nearest: tuple[str, ...] = ()) -> NoReturn:
    """Raise the misfit."""
    raise Misfit(reason, path=path, nearest=nearest)
