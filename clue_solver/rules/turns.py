"""
Whose turn it is, and which turns there were, by the lines of a record.

`TurnState` is what the lines so far mean for the next, `TurnsTaken` the turns of a whole log.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise

from msgspec import Struct

from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table


class TurnState(Struct, frozen=True, kw_only=True):
    """
    What the lines so far mean for the next; `TurnState()` is a game which has not begun.

    Attributes:
        seat: Whose turn it was last, `None` before the first turn.
        ended: Whether that seat has suggested or accused, so that the next has the turn.
        moved: Where its piece was moved to last in this turn; `None` if no move was told.
        out: The seats that accused wrongly; they take no turns and still answer.
        sizes: Hand sizes learned from whole hands that were recorded, by seat.
    """

    seat: str | None = None
    ended: bool = False
    moved: str | None = None
    out: frozenset[str] = frozenset()
    sizes: Mapping[str, int] = {}

    @classmethod
    def of(cls, observations: Sequence[Observation]) -> "TurnState":
        """Return the state of a game in which these were observed, in order."""
        return reduce(TurnState.after, observations, cls())

    def after(self, observation: Event) -> "TurnState":
        """Return the state once this, too, was observed; takes the same time at any length."""
        seat, ended, out, sizes = self.seat, self.ended, self.out, self.sizes
        moved = self.moved
        if observation.turn:
            by: str = getattr(observation, observation.form.subject)
            if isinstance(observation, observed.Move):
                moved = observation.to
            elif by != seat or isinstance(observation, observed.Roll):
                moved = None
            seat, ended = by, observation.turn == "ends" or (ended and by == seat)
        match observation:
            case observed.Hand(seat=holder, cards=cards):
                sizes = {**sizes, holder: len(cards)}
            case observed.Accusation(by=by, right=False):
                out = out | {by}
            case _ if not observation.turn:
                return self
        return TurnState(seat=seat, ended=ended, moved=moved, out=out, sizes=sizes)

    def is_aside(self, table: Table) -> bool:
        """Return whether that seat's piece stands on a square after a move: it cannot suggest."""
        return self.moved is not None and self.moved not in table.edition.rooms

    def turn(self, table: Table) -> str | None:
        """Return who suggests next, `None` where it does not follow from the lines so far."""
        if self.seat is None or self.seat not in table.seats:
            return table.begins if self.seat is None else None
        if self.ended or self.seat in self.out or self.is_aside(table):
            return table.after(self.seat, out=self.out)
        return self.seat


class TurnsTaken:
    """Whose turns there were, as far as the log tells."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        self.observations = observations
        self.entries: list[list[int]] = []  # those of each turn, in order
        self.over = len(observations) + 1  # past the last entry without a right accusation
        self._out: dict[str, int] = {}
        course = TurnState()
        for entry, observation in enumerate(observations, 1):
            if observation.turn:
                again = course.ended and isinstance(
                    observation, observed.Suggestion | observed.Skip
                )
                if again or self._by(entry) != course.seat or not self.entries:
                    self.entries.append([])
                self.entries[-1].append(entry)
            match observation:
                case observed.Accusation(right=True):
                    self.over = min(self.over, entry)
                case observed.Accusation(by=by):
                    self._out.setdefault(by, entry)
            course = course.after(observation)

    def passed_up(self, seat: str, since: int) -> list[int]:
        """Return what the seat did, after an entry, in turns in which it did not accuse."""
        last = min(self._out.get(seat, self.over), self.over)
        return [
            entry
            for turn in self.entries
            if self._by(turn[-1]) == seat
            and not any(isinstance(self.observations[e - 1], observed.Accusation) for e in turn)
            for entry in turn
            if since < entry < last
        ]

    def of(self, seat: str) -> list[list[int]]:
        """Return the entries of each turn of the seat until it was out or the game over."""
        last = min(self._out.get(seat, self.over), self.over)
        return [turn for turn in self.entries if self._by(turn[0]) == seat and turn[0] <= last]

    def ends(self, seat: str) -> list[int]:
        """Return the last entry before the next turn, for each turn of the seat that has a next."""
        pairs = pairwise(self.entries)
        return [after[0] - 1 for turn, after in pairs if self._by(turn[0]) == seat]

    def silent(self, seat: str, *, later: bool = True) -> dict[int, int]:
        """
        Return the turns of the seat that are over and in which it did not accuse.

        Args:
            seat: Whose.
            later: Whether one may accuse to the end of a turn, not only where it begins.

        Returns:
            The last entry of each turn, by the entry as of which it could last have accused.
        """
        last = min(self._out.get(seat, self.over), self.over)
        return {
            after[0] - 1 if later else turn[0] - 1: turn[-1]
            for turn, after in pairwise(self.entries)
            if self._by(turn[0]) == seat
            and turn[-1] < last
            and not any(isinstance(self.observations[e - 1], observed.Accusation) for e in turn)
        }

    def before(self, seat: str, entry: int, earlier: int) -> bool:
        """Return whether an earlier entry is of a turn of the seat that ended before this one."""
        return any(
            earlier in turn and entry not in turn and self._by(earlier) == seat
            for turn in self.entries
        )

    def _by(self, entry: int) -> str | None:
        return getattr(self.observations[entry - 1], "by", None)
