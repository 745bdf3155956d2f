"""What a seat may do at a moment of its turn, by the rules of edition and table."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from clue_solver.rules.state import ALL, BONUS, MOVED, ROLLED, SUGGESTED, GameState

VERBS = (
    "rolls",
    "draws",
    "moves",
    "stays",
    "looks",
    "suggests",
    "asks",
    "peeks",
    "points",
    "accuses",
    "skips",
)
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
            case "draws":
                return self.may_draw
            case "moves":
                return bool(self.ahead)
            case "stays":
                return bool(self.may_stay)
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
    def _piece(self) -> int:
        """The number of the seat's piece."""
        return self.rules.piece_of(self.seat)

    @property
    def may_roll(self) -> bool:
        """Whether the seat may roll now."""
        dice = self.rules.board is not None or self.rules.edition.suspect_dice > 0
        return dice and not self.done & (ROLLED | MOVED | SUGGESTED)

    @property
    def may_draw(self) -> bool:
        """Whether the roll lets the seat draw a clue card, or one more."""
        return len(self.state.drawn) < max(self.state.clue_cards())

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The verbs of what comes before moving and suggesting, where all is told."""
        rules = self.rules
        dice: bool = rules.edition.suspect_dice > 0
        if rules.board is not None:
            dice = rules.board.rolls_first
        if not rules.exact or self.done & (MOVED | SUGGESTED):
            return ()
        if dice and not self.done & ROLLED:
            return ("rolls",)
        return ("draws",) if self.may_draw else ()

    @property
    def ahead(self) -> int:
        """Where the seat's piece may move now; anywhere, where a roll may be left out."""
        return 0 if self.waits_for else self.within

    @cached_property
    def within(self) -> int:
        """Where the seat's piece may move in this turn, once clue cards are drawn."""
        ground = self.rules.ground
        board = self.rules.board
        place = self.place
        if board is None or self.done & (MOVED | SUGGESTED):
            return 0
        rolled = bool(self.done & ROLLED)
        if not rolled and not self.rules.told:
            known = not place & (place - 1)
            anywhere = ground.inside | (ground.free & ~self.state.taken(self._piece))
            return anywhere & ~place if known else anywhere
        places = 0
        if rolled:
            taken = self.state.taken(self._piece)
            places = ground.reach(place, self.state.total or self.rules.most, taken)
            certain = self.state.total and not place & (place - 1)
            if certain and not board.short and places & ground.free:
                places &= ground.inside | ground.after(place, self.state.total or 0, taken)
        if (board.passage == "after") == rolled:
            places |= self.rules.passages(place)
        return places | self._by_clue_card

    @property
    def _by_clue_card(self) -> int:
        """Where a clue card lets the seat move: to any room, or to any with a secret passage."""
        rooms = 0
        if "passage" in self.state.drawn:
            rooms = self.rules.passages(self.rules.ground.inside)
        if "move" in self.state.drawn:
            rooms = self.rules.ground.inside
        return rooms & ~self.place

    @property
    def may_stay(self) -> int:
        """The rooms in which the seat may stand and stay, now."""
        return 0 if self.waits_for else self.home

    @property
    def home(self) -> int:
        """The rooms in which the seat may stand and stay in this turn, once the dice are read."""
        if self.rules.board is None or self.done & (MOVED | SUGGESTED):
            return 0
        called = self.rules.board.called and self.state.called >> self.rules.seats[self.seat] & 1
        may = self.rules.board.stay or called
        return self.place & self.rules.ground.inside if may else 0

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
        place = self.may_stay
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
        if self.done & SUGGESTED or self.waits_for:
            return False
        return bool(self.rooms) or not self.rules.rooms

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
        if any(face in self.rules.edition.faces and face not in bonus for face in self.state.dice):
            return frozenset()  # a face that lets one do nothing
        verbs = frozenset(bonus[face] for face in self.state.dice if face in bonus)
        return verbs or self.rules.uses

    # Accusations.

    @property
    def may_accuse(self) -> bool:
        """Whether the seat may accuse now."""
        return bool(self.seat) and not self.before_accusing and self.where_one_accuses

    @property
    def before_accusing(self) -> tuple[str, ...]:
        """The verbs of what the rules want done first; none if one may accuse at any time."""
        if self.rules.edition.accuse_when == "turn":
            return ()
        first = () if self.done & SUGGESTED else ("suggests",)
        if self.rules.edition.accuse_when == "after":
            return first
        uses = self.uses if self.done & SUGGESTED else self.rules.uses
        edition = self.rules.edition
        if not (self.state.dice or self.rules.exact) and {*edition.faces} > {*edition.bonus}:
            uses = frozenset()  # a face that lets one do nothing may have been rolled
        return first if self.done & BONUS else (*first, *sorted(uses))

    @property
    def where_one_accuses(self) -> bool:
        """Whether the seat stands, or can be taken to have come, where the rules let it accuse."""
        rules = self.rules
        if rules.edition.accuse_in != "room" or rules.board is None:
            return True
        return bool(self.entered & rules.ground.inside)
