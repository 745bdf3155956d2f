"""
Whose turn it is, who is out and who has won, as the lines of a record show.

Reading a line needs no more than this; `Play` adds the board, the dice and what the rules allow.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table

OPENING = frozenset(("rolls", "draws", "moves", "stays", "suggests", "skips"))
"""
The verbs of actions that nobody takes after suggesting in the same turn: they begin a new turn.
"""


class TurnState(Struct, frozen=True, kw_only=True):
    """
    The state of the turns after a line; `TurnState()` is the state before the first.

    Attributes:
        seat: The seat that had the last turn, which may not be over; `None` before the first.
        done: The verbs of what that seat has done in this turn.
        moved: Where its piece last moved to in this turn; `None` if no move is recorded.
        out: The seats that accused wrongly; they take no more turns, but still answer.
        left: The seats that have left the table; they take no turns, and nobody asks them.
        sizes: For each seat whose whole hand is recorded, its hand size.
        winner: The seat that made the right accusation; `None` while there is none.
    """

    seat: str | None = None
    done: frozenset[str] = frozenset()
    moved: str | None = None
    out: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    sizes: Mapping[str, int] = {}
    winner: str | None = None

    @classmethod
    def of(cls, observations: Sequence[Observation]) -> "TurnState":
        """Return the state after these observations, in order."""
        return reduce(TurnState.after, observations, cls())

    @property
    def gone(self) -> frozenset[str]:
        """The seats that take no more turns."""
        return self.out | self.left

    @property
    def ended(self) -> bool:
        """Whether `seat` has suggested, accused or skipped, so that the next seat has the turn."""
        return "suggests" in self.done or self.closed

    @property
    def closed(self) -> bool:
        """Whether the turn is over for certain: it had an accusation, or the seat skipped."""
        return "accuses" in self.done or "skips" in self.done

    def over(self, table: Table) -> bool:
        """Return whether the game is over: somebody has won, or nobody is left in it."""
        return self.winner is not None or self.gone.issuperset(table.seats)

    def goes_on(self, seat: str) -> bool:
        """Return whether a turn of a seat has begun and is not over."""
        return seat == self.seat and not (self.closed or seat in self.gone)

    def begins(self, observation: Event) -> bool:
        """Return whether an observation begins a new turn if it happens next."""
        if not self.goes_on(observation.actor):
            return True
        return "suggests" in self.done and observation.form.verb in OPENING

    def turn(self, table: Table) -> str | None:
        """Return the seat that suggests next; `None` if the lines so far do not tell."""
        seat = table.begins if self.seat is None else self.seat
        if seat is None or seat not in table.seats:
            return None
        aside = self.moved is not None and self.moved not in table.edition.rooms
        if self.ended or aside or seat in self.gone:  # nobody suggests in a corridor
            return table.after(seat, out=self.gone)
        return seat

    def after(self, observation: Event) -> "TurnState":
        """
        Return the state after one more observation. The time for it does not grow with the record.
        """
        if not observation.turn:
            if isinstance(observation, observed.Hand):
                return replace(self, sizes={**self.sizes, observation.seat: len(observation.cards)})
            if isinstance(observation, observed.Leave):
                return replace(self, left=self.left | {observation.by})
            return self
        by = observation.actor
        verb = observation.form.verb
        out, winner = self.out, self.winner
        if isinstance(observation, observed.Accusation):
            winner = winner or (by if observation.right else None)
            out = out if observation.right else out | {by}
        begins = by != self.seat or self.begins(observation)
        moved = None if begins or verb == "rolls" else self.moved
        if isinstance(observation, observed.Move):
            moved = observation.to
        done = frozenset((verb,)) if begins else self.done | {verb}
        return replace(self, seat=by, done=done, moved=moved, out=out, winner=winner)


def over_since(table: Table, observations: Sequence[Observation]) -> int:
    """Return the number of the entry, from 1, that ends the game; 0 while the game goes on."""
    if not any(isinstance(each, observed.Accusation | observed.Leave) for each in observations):
        return 0  # nothing else ends a game
    states = accumulate(observations, TurnState.after, initial=TurnState())
    return next((number for number, state in enumerate(states) if state.over(table)), 0)
