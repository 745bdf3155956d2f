"""What earlier lines of a record mean for the next: whose turn it is, who is out, known sizes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from msgspec import Struct

from clue_solver.observation import (
    Accusation,
    Hand,
    Look,
    Observation,
    Peek,
    Question,
    Suggestion,
)
from clue_solver.table import Table


class Course(Struct, frozen=True, kw_only=True):
    """
    The state of play after some lines; `Course()` is that of a game which has not begun.

    Attributes:
        seat: Whose turn it was last, `None` before the first turn.
        moved: Whether that seat has suggested or accused in its turn, so that the next follows.
        out: The seats that accused wrongly; they take no turns and still answer.
        sizes: Hand sizes learned from whole hands that were recorded, by seat.
    """

    seat: str | None = None
    moved: bool = False
    out: frozenset[str] = frozenset()
    sizes: Mapping[str, int] = {}

    @classmethod
    def of(cls, observations: tuple[Observation, ...]) -> Course:
        """Return the course of a game in which these were observed, in order."""
        return reduce(Course.after, observations, cls())

    def after(self, observation: Observation) -> Course:
        """Return the course once this, too, was observed; takes the same time at any length."""
        match observation:
            case Hand(seat=seat, cards=cards):
                sizes = {**self.sizes, seat: len(cards)}
                return Course(seat=self.seat, moved=self.moved, out=self.out, sizes=sizes)
            case Suggestion(by=by):
                return Course(seat=by, moved=True, out=self.out, sizes=self.sizes)
            case Accusation(by=by, right=right):
                out = self.out if right else self.out | {by}
                return Course(seat=by, moved=True, out=out, sizes=self.sizes)
            case Question(by=by) | Look(by=by) | Peek(by=by):
                moved = self.moved and by == self.seat
                return Course(seat=by, moved=moved, out=self.out, sizes=self.sizes)
            case _:
                return self

    def turn(self, table: Table) -> str | None:
        """Return who suggests next, `None` where it does not follow from the lines so far."""
        if self.seat is None or self.seat not in table.seats:
            return None
        if self.moved or self.seat in self.out:
            return table.after(self.seat, out=self.out)
        return self.seat
