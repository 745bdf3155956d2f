"""
Who sits where, worked out from who passed before whom showed.

Players answer one after the other, so those who passed sit between the asker and who showed, and
nobody else does. A seating fits where that is so in every row; it is sure only as far as everybody
who passed is written down, so that it is proposed and never taken without a word.
"""

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

from clue_solver.errors import counted
from clue_solver.notation.names import joined
from clue_solver.rules.edition import Side

_MOST_PLAYERS, _MOST_SHOWN = 7, 3


class Answered(NamedTuple):
    """Who asked, who passed, and who showed; empty where nobody did."""

    asker: str
    passed: frozenset[str]
    shower: str

    @property
    def told(self) -> bool:
        """Whether all of it is names, and tells something of the seating."""
        names = (self.asker, *self.passed, *filter(None, [self.shower]))
        plain = all(name and not name.endswith("?") for name in names)
        return plain and len(names) > 1 and len(set(names)) == len(names)


def seatings(
    players: Sequence[str], answers: Iterable[Answered], side: Side
) -> list[tuple[str, ...]]:
    """
    Return the seatings, clockwise, in which exactly those who passed sit before who showed.

    >>> seatings(("Ann", "Ben", "Cat"), [Answered("Ann", frozenset(["Cat"]), "Ben")], "left")
    [('Ann', 'Cat', 'Ben')]
    """
    first, *others = players
    if len(players) > _MOST_PLAYERS:
        return []
    rows = list(dict.fromkeys(answers))
    circles = ((first, *rest) for rest in permutations(others))
    return [circle for circle in circles if all(_fits(circle, row, side) for row in rows)]


def _fits(circle: tuple[str, ...], row: Answered, side: Side) -> bool:
    start = circle.index(row.asker)
    order = circle[start + 1 :] + circle[:start]
    if side == "right":
        order = order[::-1]
    asked = order[: order.index(row.shower)] if row.shower else order
    return row.passed == set(asked)


def worked_out(players: Sequence[str], answers: Sequence[Answered], side: Side) -> str:
    """Return which seatings fit the answers, and how sure that is, in words; empty if all do."""
    fitting = seatings(players, answers, side)
    if not fitting or len(players) < 3 or not any(row.passed for row in answers):
        return ""
    rows = counted(len(answers), "answer")
    if len(fitting) == 1:
        (circle,) = fitting
        return (
            f"only {','.join(circle)} fits the {rows}, if these are all players and everybody who "
            "passed is written"
        )
    if len(fitting) > _MOST_SHOWN:
        return ""
    listed = joined(map(",".join, fitting))
    return f"{listed} fit the {rows}, if everybody who passed is written"
