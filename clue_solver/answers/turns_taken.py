"""Which turns each seat had, as far as a log tells."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from clue_solver.rules.observations import Accusation, Observation
from clue_solver.rules.turns import TurnState


class TurnsTaken:
    """
    The turns of a whole log, each as the numbers of its entries.

    Attributes:
        entries: The entries of each turn, in order.
    """

    def __init__(self, observations: Sequence[Observation]) -> None:
        self.entries: list[list[int]] = []
        self._observations = observations
        self._over = len(observations) + 1  # past the last entry without a right accusation
        self._gone: dict[str, int] = {}
        state = TurnState()
        for entry, observation in enumerate(observations, 1):
            if observation.turn and state.begins(observation):
                self.entries.append([])
            if observation.turn:
                self.entries[-1].append(entry)
            after = state.after(observation)
            if state.winner is None and after.winner is not None:
                self._over = entry
            self._gone |= dict.fromkeys(after.gone - state.gone, entry)
            state = after

    def of(self, seat: str) -> list[list[int]]:
        """Return the turns of the seat until it was out or the game over."""
        return [turn for turn in self._by(seat) if turn[0] <= self._last(seat)]

    def ends(self, seat: str) -> list[int]:
        """Return the last entry before the next turn, for each turn of the seat that has a next."""
        return [after[0] - 1 for turn, after in pairwise(self.entries) if turn in self._by(seat)]

    def passed_up(self, seat: str, since: int) -> list[int]:
        """Return what the seat did, after an entry, in turns in which it did not accuse."""
        entries = (entry for turn in self._silent(seat) for entry in turn)
        return [entry for entry in entries if since < entry < self._last(seat)]

    def silent(self, seat: str, *, later: bool = True) -> dict[int, int]:
        """
        Return the turns of the seat that are over and in which it did not accuse.

        Args:
            seat: Whose.
            later: Whether one may accuse to the end of a turn, not only where it begins.

        Returns:
            The last entry of each turn, by the entry as of which it could last have accused.
        """
        silent = [*self._silent(seat)]
        return {
            after[0] - 1 if later else turn[0] - 1: turn[-1]
            for turn, after in pairwise(self.entries)
            if turn in silent and turn[-1] < self._last(seat)
        }

    def before(self, seat: str, entry: int, earlier: int) -> bool:
        """Return whether an earlier entry is of a turn of the seat that ended before this one."""
        return any(earlier in turn and entry not in turn for turn in self._by(seat))

    def _by(self, seat: str) -> Iterator[list[int]]:
        for turn in self.entries:
            if getattr(self._observations[turn[0] - 1], "by", None) == seat:
                yield turn

    def _silent(self, seat: str) -> Iterator[list[int]]:
        """Yield the turns of the seat in which it did not accuse."""
        for turn in self._by(seat):
            if not any(isinstance(self._observations[e - 1], Accusation) for e in turn):
                yield turn

    def _last(self, seat: str) -> int:
        """Return the entry by which the seat was out, or the game over."""
        return min(self._gone.get(seat, self._over), self._over)
