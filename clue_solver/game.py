"""
A game to ask questions of: the record, and everything that follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clue_solver.errors import SetupError, shown
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge import know
from clue_solver.notation import format_line
from clue_solver.observation import Observation
from clue_solver.record import Record, load_record
from clue_solver.report.model import Report, draw_up
from clue_solver.table import SHOWS, SPECTATOR, Shows, Table


class Game:
    """
    A recorded game.

    Answers are computed when they are asked for and kept as long as the game is: the record behind
    a game never changes. `viewer`, `upto` and `shows` mean the same in every method:

    Args of the methods:
        viewer: A seat's name, or `spectator`; the viewer of the header if left out.
        upto: How many entries of the record count; all if left out.
        shows: The show policy: `random`, `none` or `sticky`; the header's if left out.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._deductions: dict[tuple[str | None, Shows], Deduction] = {}

    @property
    def table(self) -> Table:
        """The table that the game is played at."""
        return self.record.table

    @property
    def observations(self) -> Sequence[Observation]:
        """What was recorded, in file order; entry 1 is the first."""
        return self.record.observations

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries as canonical lines, in file order."""
        return tuple(format_line(each, self.table) for each in self.observations)

    def report(
        self, *, viewer: str | None = None, upto: int | None = None, shows: Shows | None = None
    ) -> Report:
        """
        Return what is certain and how likely the rest is.

        Raises:
            SetupError: If there is no such viewer, entry or policy.
            TooLarge: If the deal diagram would not fit into memory.
        """
        seat, policy = self._viewer(viewer), self._policy(shows)
        return draw_up(
            self.table,
            self.deduction(viewer=viewer, shows=shows),
            viewer=seat,
            shows=policy,
            upto=self._upto(upto),
        )

    def deduction(self, *, viewer: str | None = None, shows: Shows | None = None) -> Deduction:
        """Return the deductions of one viewer, in the numbers of the solver."""
        key = (self._viewer(viewer), self._policy(shows))
        if key not in self._deductions:
            known = know(self.table, self.observations, viewer=key[0], shows=key[1])
            self._deductions[key] = Deduction(known)
        return self._deductions[key]

    def _viewer(self, name: str | None) -> str | None:
        if name is None:
            return self.table.viewer
        if name == SPECTATOR:
            return None
        if name not in self.table.seats:
            seats = ", ".join(map(shown, self.table.seats))
            raise SetupError(f"viewer: expected {SPECTATOR} or one of {seats}; found {name!r}")
        return name

    def _upto(self, entry: int | None) -> int:
        entries = len(self.observations)
        if entry is None:
            return entries
        if not 0 <= entry <= entries:
            raise SetupError(f"upto: the record has {entries} entries; found {entry}")
        return entry

    def _policy(self, name: Shows | None) -> Shows:
        policy = name or self.table.shows or "random"
        if policy not in SHOWS:
            raise SetupError(f"shows: expected one of {', '.join(SHOWS)}; found {policy!r}")
        return policy


def load(path: str | Path) -> Game:
    """
    Return the game in a file, in the record notation or as JSON Lines; `-` reads standard input.

    Raises:
        RecordError: If the file cannot be read as a record; the message names the line.
        EditionError: If its edition cannot be used.
    """
    return Game(load_record(path))
