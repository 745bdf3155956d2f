"""
Whose turn it is, and what a game goes by from its first turn to its last.

`TurnState` is what the lines of a record say of whose turn it is, `TurnsTaken` which turns there
were. `GameRules` is a table with its
rules and its board, names turned to numbers. `Irregularity` is a rule that something breaks.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Literal, NamedTuple

from msgspec import Struct

from clue_solver.rules import observations as observed
from clue_solver.rules.board import ground_of
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table

Rule = Literal[
    "over", "out", "turn", "again", "order", "place", "reach", "look", "dice", "edition"
]  # fmt: skip
"""
Which rule something breaks: the game is `over`; the seat is `out`; it is not its `turn`; it is done
`again` in one turn; in another `order` than that of a turn; somewhere that is no `place` for it;
out of `reach`; without the `look` that comes first; against the `dice`; against the `edition`.
"""


class TurnState(Struct, frozen=True, kw_only=True):
    """
    What the lines so far mean for the next; `TurnState()` is a game which has not begun.

    Attributes:
        seat: Whose turn it was last, `None` before the first turn.
        ended: Whether that seat has suggested or accused, so that the next has the turn.
        out: The seats that accused wrongly; they take no turns and still answer.
        sizes: Hand sizes learned from whole hands that were recorded, by seat.
    """

    seat: str | None = None
    ended: bool = False
    out: frozenset[str] = frozenset()
    sizes: Mapping[str, int] = {}

    @classmethod
    def of(cls, observations: Sequence[Observation]) -> "TurnState":
        """Return the state of a game in which these were observed, in order."""
        return reduce(TurnState.after, observations, cls())

    def after(self, observation: Event) -> "TurnState":
        """Return the state once this, too, was observed; takes the same time at any length."""
        seat, ended, out, sizes = self.seat, self.ended, self.out, self.sizes
        if observation.turn:
            by: str = getattr(observation, observation.form.subject)
            seat, ended = by, observation.turn == "ends" or (ended and by == seat)
        match observation:
            case observed.Hand(seat=holder, cards=cards):
                sizes = {**sizes, holder: len(cards)}
            case observed.Accusation(by=by, right=False):
                out = out | {by}
            case _ if not observation.turn:
                return self
        return TurnState(seat=seat, ended=ended, out=out, sizes=sizes)

    def turn(self, table: Table) -> str | None:
        """Return who suggests next, `None` where it does not follow from the lines so far."""
        if self.seat is None or self.seat not in table.seats:
            return table.begins if self.seat is None else None
        if self.ended or self.seat in self.out:
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


class Irregularity(NamedTuple):
    """
    A rule that an observation breaks, as far as the state of play tells; facts, no words.

    Attributes:
        rule: Which rule.
        seat: Whose observation it is.
        turn: Whose turn it is.
        skipped: The seats whose turns must have passed without a suggestion, if it is true.
        place: The room that it is about.
        roll: What was rolled, where that does not reach.
        expected: What would have been right: verbs, faces, places or suspects.
    """

    rule: Rule
    seat: str
    turn: str | None = None
    skipped: tuple[str, ...] = ()
    place: str | None = None
    roll: int | None = None
    expected: tuple[str, ...] = ()


class GameRules:
    """
    What a state of play goes by that stays as it is: table, rules, board; with numbers for names.

    Attributes:
        table, edition, board: The table, its edition, and its board where there is one.
        exact: Whether dice and moves are all told.
        seats: The number of each seat, in the order of the table.
        ground: The places of the board; its rooms where there is none, if it has any.
        free: Whether rooms are named freely, as without a board.
        told: Whether there is a board and each roll and move on it is told.
        piece: The piece of each seat: the number of its suspect, or its own where it is not told.
        pieces: The number of each suspect's piece; empty where it is not told who plays whom.
        owner: The seat of each piece that has one.
        rooms, suspects: The cards that are rooms, and those that are suspects.
        most: The most that the dice can show.
        uses: The verbs of what may be done besides: by the bonus die, or as the edition observes.
        slots: The numbers of the face-down slots that are rooms.
        feature: The feature of each card.
    """

    def __init__(self, table: Table, *, exact: bool) -> None:
        edition = table.edition
        self.table, self.edition, self.exact = table, edition, exact
        self.seats = {seat: place for place, seat in enumerate(table.seats)}
        self.rooms, self.suspects = frozenset(edition.rooms), frozenset(edition.suspects)
        board = None if table.board == "none" else edition.board
        self.board = board if board is not None and board.steps else None
        self.ground = ground_of(self.board, edition.rooms)
        self.free = self.board is None and bool(edition.rooms)
        self.told = exact and not self.free
        names = edition.suspects if table.pieces else ()
        self.pieces = {suspect: place for place, suspect in enumerate(names)}
        self.piece = tuple(self.pieces[name] for name in table.pieces) or tuple(
            range(len(table.seats))
        )
        self.owner = {piece: seat for seat, piece in enumerate(self.piece)}
        self.most = 6 * self.board.dice if self.board else 0
        self.partner: dict[int, int] = {}
        for pair in self.board.passages if self.board is not None else ():
            bits = [self.ground.bit[room] for room in pair]
            self.partner[bits[0]] = self.partner.get(bits[0], 0) | bits[1]
            self.partner[bits[1]] = self.partner.get(bits[1], 0) | bits[0]
        bonus = edition.bonus.values()
        own = () if edition.face_down else ("looks",)  # the looks of such editions are at rooms
        self.uses = frozenset(bonus) or frozenset(
            verb
            for verb in (*own, "asks", "peeks", "points")
            if verb in edition.observes  # by a space of the board, or as a table has it
        )
        self.slots = {
            slot.name: place for place, slot in enumerate(table.slots) if slot.name in self.rooms
        }
        self.feature = {card.name: card.feature for card in edition.cards}

    def exactly(self) -> "GameRules":
        """Return the same rules for a game in which all is told."""
        return GameRules(self.table, exact=True)

    def begin(self) -> tuple[int, ...]:
        """Return where the pieces stand at first."""
        ground = self.ground
        every = ground.free | ground.inside
        if self.pieces:
            return tuple(ground.starts.get(name, every) for name in self.pieces)
        return (sum({*ground.starts.values()}) or every,) * len(self.seats)

    def passages(self, places: int) -> int:
        """Return the rooms to which passages lead from places."""
        found = 0
        for room, others in self.partner.items():
            if places & room:
                found |= others
        return found
