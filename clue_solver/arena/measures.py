"""What is measured in a game besides who wins it: who could prove it, and what turns tell."""

from collections.abc import Container

import numpy as np
from msgspec import Struct

from clue_solver.arena.seat_view import Sheets
from clue_solver.rules.table import Table


class Accused(Struct, frozen=True):
    """
    An accusation.

    Attributes:
        seat: By whom.
        probability: How likely it was right, by the seat or its sheet.
        right: Whether it was.
    """

    seat: str
    probability: float
    right: bool


class HowPlayed(Struct, frozen=True, kw_only=True):
    """
    How a game went.

    Attributes:
        first: Who had the first turn.
        winner: Who made the right accusation; `None` for nobody.
        turns: Everybody's turns, to the end.
        solved: Everybody's turns until the first player could prove the solution, or accused it
            rightly without; `None` if nobody did.
        sure: Who could prove it then.
        accusations: The accusations in order.
        asking, watching: The mean bits of its own posterior over solutions that a seat gained in a
            turn of its own and in somebody else's, until then.
    """

    first: str
    winner: str | None
    turns: int
    solved: int | None
    sure: tuple[str, ...]
    accusations: tuple[Accused, ...]
    asking: float
    watching: float


class Measures:
    """
    The measures of one game.

    Args:
        table: The table.
        sheets: What its seats can know.
        heard: How many entries the log has before the first turn.
        turns: Whether it is measured after each turn who can prove the solution, and what the turn
            told.
    """

    def __init__(self, table: Table, sheets: Sheets, heard: int, *, turns: bool) -> None:
        self._table = table
        self._sheets = sheets
        self._heard = heard
        self._turns = turns
        self._bits = [bits for bits, _ in sheets.standing()] if turns else []
        self._gains: tuple[list[float], list[float]] = ([], [])
        self._accusations: list[Accused] = []
        self._solved: int | None = None
        self._sure: tuple[str, ...] = ()

    def accused(self, turn: int, seat: str, chance: float, *, right: bool) -> None:
        """Note an accusation, and how likely it was to be right."""
        self._accusations.append(Accused(seat, round(chance, 6), right))
        if right and self._solved is None:
            self._solved = turn
            self._sure = (seat,)

    def turn(self, turn: int, seat: str, heard: int, out: Container[str]) -> None:
        """
        Note after a turn who can prove the solution, and what it told, until somebody can.

        Args:
            turn: Its number, from 1.
            seat: Whose it was.
            heard: How many entries the log has now.
            out: The seats that accused wrongly.
        """
        if not self._turns or self._solved is not None or heard == self._heard:
            return
        self._heard = heard
        sure = []
        for place, (bits, proved) in enumerate(self._sheets.standing()):
            other = self._table.seats[place]
            self._gains[other != seat].append(self._bits[place] - bits)
            self._bits[place] = bits
            if proved and other not in out:
                sure.append(other)
        if sure:
            self._solved = turn
            self._sure = tuple(sure)

    def played(self, turns: int, winner: str | None) -> HowPlayed:
        """Return how a game of so many turns went, won by somebody or nobody."""
        asking, watching = (float(np.mean(gains)) if gains else 0.0 for gains in self._gains)
        return HowPlayed(
            winner=winner,
            first=str(self._table.begins),
            turns=turns,
            solved=self._solved,
            sure=self._sure,
            accusations=tuple(self._accusations),
            asking=round(asking, 6),
            watching=round(watching, 6),
        )
