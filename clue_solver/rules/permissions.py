"""What a seat may do at a moment of its turn, by the rules of edition and table."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from clue_solver.rules.state import ALL, BONUS, MOVED, ROLLED, SUGGESTED, GameState

VERBS = ("rolls", "moves", "looks", "suggests", "asks", "peeks", "points", "accuses", "skips")
"""What may be done in a turn: verbs of lines, in the order of a turn."""


class Permissions:
    """
    What a seat may do now; sets of places are those of the board's ground.

    Attributes:
        state: The game, in a turn of the seat.
        seat: Whose turn it is; empty for nobody's, in which nothing may be done.
        rules, done: The state's.
        place: Where the seat's piece may stand.
    """

    def __init__(self, state: GameState, seat: str) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.rules
        self.done = state.done if seat else ALL
        self.place = state.stands(seat) if seat else 0

    def may(self, verb: str) -> bool:
        """Return whether a verb is allowed now."""
        match verb:
            case "rolls":
                return self.may_roll
            case "moves":
                return bool(self.ahead)
            case "suggests":
                return self.may_suggest
            case "accuses":
                return self.may_accuse
            case "skips":
                return not self.done & SUGGESTED
            case "looks" if self.face_down:
                return True
        return verb in self.uses

    # Dice and moves.

    @property
    def may_roll(self) -> bool:
        """Whether the seat may roll now."""
        dice = self.rules.board is not None or self.rules.edition.suspect_dice > 0
        return dice and not self.done & (ROLLED | MOVED | SUGGESTED)

    @cached_property
    def ahead(self) -> int:
        """Where the seat's piece may move now; anywhere, where a roll may be left out."""
        ground = self.rules.ground
        board = self.rules.board
        place = self.place
        if board is None or self.done & (MOVED | SUGGESTED):
            return 0
        rolled = bool(self.done & ROLLED)
        if not rolled and not self.rules.told:
            known = not place & (place - 1)
            anywhere = ground.inside | ground.free
            return anywhere & ~place if known else anywhere
        found = 0
        if rolled:
            taken = self.state.taken(self.rules.piece_of(self.seat))
            found = ground.reach(place, self.state.total or self.rules.most, taken)
        if (board.passage == "after") == rolled:
            found |= self.rules.passages(place)
        return found

    # Rooms.

    @property
    def standing(self) -> int:
        """The rooms in which the seat may suggest, face-down cards apart."""
        rules = self.rules
        board = rules.board
        place = self.place & rules.ground.inside
        if self.done & MOVED:
            return place
        if board is None:
            return rules.ground.inside
        if not board.stay:
            called = board.called and self.state.called >> rules.seats[self.seat] & 1
            place = place if called else 0
        return place if rules.told else place | self.ahead & rules.ground.inside

    @property
    def locked(self) -> int:
        """The rooms with a face-down card that the seat has to look at before it suggests."""
        locked = 0
        for room, slot in self.rules.slots.items():
            if not self.state.looked[slot] >> self.rules.seats[self.seat] & 1:
                locked |= self.rules.ground.bit[room]
        return locked

    @property
    def rooms(self) -> int:
        """The rooms in which the seat may suggest now."""
        return 0 if self.done & SUGGESTED else self.standing & ~self.locked

    @property
    def entered(self) -> int:
        """The rooms in which the seat stands, or can be taken to have come."""
        if self.rules.board is None and not self.done & MOVED:
            return self.rules.ground.inside
        return self.place if self.rules.told else self.place | self.ahead

    @property
    def face_down(self) -> tuple[str, ...]:
        """The face-down cards at which the seat may look now."""
        slots = self.rules.slots
        if not slots or self.done & SUGGESTED:
            return ()
        open_ = self.entered & self.locked
        return tuple(room for room in slots if open_ & self.rules.ground.bit[room])

    # Suggestions, and dice with suspects.

    @property
    def may_suggest(self) -> bool:
        """Whether the seat may suggest something now."""
        if self.done & SUGGESTED:
            return False
        return bool(self.rooms) if self.rules.rooms else not self.must_roll

    @property
    def must_roll(self) -> bool:
        """Whether dice with suspects have to be rolled before suggesting."""
        return self.rules.exact and bool(self.rules.edition.suspect_dice) and not self.done & ROLLED

    @property
    def suspects(self) -> tuple[str, ...]:
        """The suspects on the dice; none where the dice are not told."""
        return tuple(face for face in self.state.dice if face in self.rules.suspects)

    def on_dice(self, cards: Sequence[str]) -> bool:
        """Return whether the dice have the suspects of these cards, one die for each."""
        dice = self.suspects
        named = Counter(str(self.rules.feature[card]) for card in cards)
        return not dice or named <= Counter(dice)

    @property
    def third(self) -> tuple[str, ...]:
        """The suspects of the dice that the suggestion did not use; none if not told."""
        left = Counter(self.suspects)
        left.subtract(str(self.rules.feature[card]) for card in self.state.used)
        return tuple(+left) if self.state.dice else ()

    @property
    def uses(self) -> frozenset[str]:
        """The verbs of what a bonus die, a snoop and the like allow now."""
        bonus = self.rules.edition.bonus
        if self.done & BONUS or (bonus and not self.done & SUGGESTED):
            return frozenset()
        told = frozenset(bonus[face] for face in self.state.dice if face in bonus)
        return told or self.rules.uses

    # Accusations.

    @property
    def may_accuse(self) -> bool:
        """Whether the seat may accuse now."""
        allowed = not (self.before_accusing or self.too_late) and self.where_one_accuses
        return bool(self.seat) and allowed

    @property
    def too_late(self) -> bool:
        """Whether the suggestion has ended the time to accuse."""
        return bool(self.done & SUGGESTED) and not self.rules.edition.accuses

    @property
    def before_accusing(self) -> tuple[str, ...]:
        """The verbs of what the rules want done first; none if one may accuse at any time."""
        if self.rules.edition.accuse_when != "last":
            return ()
        first = () if self.done & SUGGESTED else ("suggests",)
        return first if self.done & BONUS else (*first, *sorted(self.uses or self.rules.uses))

    @property
    def where_one_accuses(self) -> bool:
        """Whether the seat stands, or can be taken to have come, where the rules let it accuse."""
        rules = self.rules
        if rules.edition.accuse_in != "room" or rules.board is None:
            return True
        return bool(self.entered & rules.ground.inside)
