"""
The turns of a log, and those that are out of order.

A turn is out of order if the same player had the turn before, if a turn is missing before it, or
if its player is out. It is a slip in the log or a house rule, and never makes a log inconsistent.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from clue_solver.rules.observations import Accusation, Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

MOST_MISSING = 1 / 3
"""The share of all turns that a log may lack and still have its turns judged."""

OddTurnKind = Literal["again", "left out", "out"]


class OddTurn(NamedTuple):
    """
    An entry that does not follow the order of turns.

    Attributes:
        entry: The entry.
        kind: `again`: the same player had the turn before; `left out`: a turn is missing before it;
            `out`: the player takes no more turns.
        seat: The player.
        expected: The player whose turn it was; `None` if unknown.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Skip
    >>> record = load("examples/classic.clue").record.upto(4)
    >>> Game(record.append(Skip(by="Ann"))).check().turns
    (OddTurn(entry=5, kind='left out', seat='Ann', expected='Dan'),)
    """

    entry: int
    kind: OddTurnKind
    seat: str
    expected: str | None


def odd_turns(table: Table, observations: Sequence[Observation]) -> tuple[OddTurn, ...] | None:
    """
    Return the turns of a log that are out of order; empty if the house rules ignore the order.

    If more than a third of the turns are missing, as when only a few were noted, the order cannot
    be judged, and the result is `None`.
    """
    if not table.keeps("turns"):
        return ()
    odd: list[OddTurn] = []
    turns = missing = 0
    last = None
    play = Play.begin(table)
    for entry, observation in enumerate(observations, 1):
        if observation.turn:
            seat = observation.actor
            breach = play.check(observation)
            if breach is None or not breach.of_turns:
                turns += play.begins(observation)
            elif breach.rule != "turn":
                odd.append(OddTurn(entry, "out", seat, breach.turn))
            else:
                again = seat == last
                turns += 1
                missing += 1 if again else len(breach.skipped)  # if it is not a slip, at least 1
                odd.append(OddTurn(entry, "again" if again else "left out", seat, breach.turn))
            last = seat
        play = play.after(observation)
    if missing > MOST_MISSING * (turns + missing):
        return None
    return tuple(odd)


class Turn(NamedTuple):
    """
    A turn of a log.

    Attributes:
        seat: The seat whose turn it is.
        last: The number of the last entry that belongs to the turn.
        accuses: Whether the seat accuses in the turn.
        end: The number of the last entry before the next turn; `None` for the last turn of the log.
    """

    seat: str
    last: int
    accuses: bool
    end: int | None = None


class TurnsTaken:
    """
    The turns of a whole log.

    Attributes:
        turns: Every turn, in order.
    """

    def __init__(self, observations: Sequence[Observation]) -> None:
        self._states = [*accumulate(observations, TurnState.after, initial=TurnState())]
        self.turns: list[Turn] = []
        for entry, observation in enumerate(observations, 1):
            if not observation.turn:
                continue
            accuses = isinstance(observation, Accusation)
            if self._states[entry - 1].begins(observation):
                if self.turns:
                    self.turns[-1] = self.turns[-1]._replace(end=entry - 1)
                self.turns.append(Turn(observation.actor, entry, accuses))
            else:
                turn = self.turns[-1]
                self.turns[-1] = turn._replace(last=entry, accuses=turn.accuses or accuses)

    def silent(self, seat: str) -> dict[int, int]:
        """
        Return the finished turns in which a seat could have accused but did not.

        Returns:
            A dict with an item for each such turn. The value is the number of the last entry that
            belongs to the turn; the key is that of the last entry before the next turn, until which
            the seat could have accused.
        """
        return {
            turn.end: turn.last
            for turn in self.turns
            if turn.seat == seat and not turn.accuses
            if turn.end is not None and turn.last < self.last(seat)
        }

    def last(self, seat: str) -> int:
        """
        Return the number of the entry by which the seat was out or the game was over.

        If neither happened, it is one more than the number of entries.
        """
        out = (n for n, state in enumerate(self._states) if seat in state.gone)
        return min(self.over, next(out, self.over))

    @property
    def over(self) -> int:
        """
        The number of the entry with the right accusation.

        If there is none, it is one more than the number of entries.
        """
        won = (n for n, state in enumerate(self._states) if state.winner is not None)
        return next(won, len(self._states))
