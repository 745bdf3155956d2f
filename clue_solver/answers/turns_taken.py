"""Which turns each seat had, as far as a log tells."""

from collections.abc import Sequence
from typing import NamedTuple

from clue_solver.rules.observations import Accusation, Observation
from clue_solver.rules.turns import TurnState


class Turn(NamedTuple):
    """
    A turn of a log.

    Attributes:
        seat: Whose; `None` where the log does not tell.
        entries: The numbers of its entries.
        accuses: Whether the seat accused in it.
        end: The last entry before the next turn; `None` of the last turn of the log.
    """

    seat: str | None
    entries: tuple[int, ...]
    accuses: bool
    end: int | None


class TurnsTaken:
    """
    The turns of a whole log.

    Attributes:
        turns: Every turn, in order.
    """

    def __init__(self, observations: Sequence[Observation]) -> None:
        self._over = len(observations) + 1  # past the last entry without a right accusation
        self._gone: dict[str, int] = {}
        begun: list[list[int]] = []
        state = TurnState()
        for entry, observation in enumerate(observations, 1):
            if observation.turn and state.begins(observation):
                begun.append([])
            if observation.turn:
                begun[-1].append(entry)
            after = state.after(observation)
            if state.winner is None and after.winner is not None:
                self._over = entry
            self._gone |= dict.fromkeys(after.gone - state.gone, entry)
            state = after
        ends = [*(turn[0] - 1 for turn in begun[1:]), None]
        self.turns = [
            Turn(
                seat=getattr(observations[entries[0] - 1], "by", None),
                entries=tuple(entries),
                accuses=any(isinstance(observations[e - 1], Accusation) for e in entries),
                end=end,
            )
            for entries, end in zip(begun, ends, strict=False)
        ]

    def ends(self, seat: str) -> list[int]:
        """Return the last entry before the next turn, for each turn of the seat that has a next."""
        return [turn.end for turn in self.turns if turn.seat == seat and turn.end is not None]

    def silent(self, seat: str) -> dict[int, int]:
        """
        Return the turns of the seat that are over and in which it did not accuse.

        Returns:
            The last entry of each turn, by the last entry before the next turn, after which it
            could still have accused.
        """
        last = self.last(seat)
        return {
            turn.end: turn.entries[-1]
            for turn in self.turns
            if turn.seat == seat and not turn.accuses
            if turn.end is not None and turn.entries[-1] < last
        }

    def last(self, seat: str) -> int:
        """Return the entry by which the seat was out, or the game over."""
        return min(self._gone.get(seat, self._over), self._over)
