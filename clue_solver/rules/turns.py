"""
Whose turn it is, who is out of the game and who has won it, by the lines of a record.

That is all that reading a line needs; `Play` adds the board, the dice and what the rules allow.
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
"""What nobody does after a suggestion in the same turn, so that it begins another one."""


class TurnState(Struct, frozen=True, kw_only=True):
    """
    What the lines so far mean for the next; `TurnState()` is a game which has not begun.

    Attributes:
        seat: Whose turn it was last, `None` before the first turn.
        done: What that seat has done in it, by the verbs of lines.
        moved: Where its piece was moved to last in this turn; `None` if no move was told.
        out: The seats that accused wrongly; they take no turns and still answer.
        left: The seats that have left the table; they take no turns, and nobody asks them.
        sizes: Hand sizes learned from whole hands that were recorded, by seat.
        winner: Who made the right accusation.
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
        """Return the state of a game in which these were observed, in order."""
        return reduce(TurnState.after, observations, cls())

    @property
    def gone(self) -> frozenset[str]:
        """The seats that take no more turns."""
        return self.out | self.left

    @property
    def ended(self) -> bool:
        """Whether the seat has suggested, accused or skipped, so that the next has the turn."""
        return "suggests" in self.done or self.closed

    @property
    def closed(self) -> bool:
        """Whether nothing more can be done in the turn."""
        return "accuses" in self.done or "skips" in self.done

    def over(self, table: Table) -> bool:
        """Return whether the game is over: somebody was right, or nobody is left in it."""
        return self.winner is not None or self.gone.issuperset(table.seats)

    def goes_on(self, seat: str) -> bool:
        """Return whether a turn of the seat has begun and is not over."""
        gone = seat in self.out or seat in self.left
        return seat == self.seat and not (self.closed or gone)

    def begins(self, observation: Event) -> bool:
        """Return whether this begins a turn, if it is the next that happens."""
        if not self.goes_on(getattr(observation, observation.form.subject)):
            return True
        return "suggests" in self.done and observation.form.verb in OPENING

    def turn(self, table: Table) -> str | None:
        """Return who is next to suggest, `None` where it does not follow from the lines so far."""
        seat = table.begins if self.seat is None else self.seat
        if seat is None or seat not in table.seats:
            return None
        aside = self.moved is not None and self.moved not in table.edition.rooms
        if self.ended or aside or seat in self.gone:  # nobody suggests in a corridor
            return table.after(seat, out=self.gone)
        return seat

    def after(self, observation: Event) -> "TurnState":
        """Return the state once this, too, was observed; takes the same time at any length."""
        if not observation.turn:
            if isinstance(observation, observed.Hand):
                return replace(self, sizes={**self.sizes, observation.seat: len(observation.cards)})
            if isinstance(observation, observed.Leave):
                return replace(self, left=self.left | {observation.by})
            return self
        by = getattr(observation, observation.form.subject)
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
    """Return the number of the entry that ends the game; 0 while it goes on."""
    if not any(isinstance(each, observed.Accusation | observed.Leave) for each in observations):
        return 0  # nothing else ends a game
    states = accumulate(observations, TurnState.after, initial=TurnState())
    return next((number for number, state in enumerate(states) if state.over(table)), 0)
