"""
What a player may do in its own turn, the current or the next one, by the rules alone.

Where the player stands and what it has rolled is given by the caller or follows from the record.
Both are added as observations to a copy of the state of play, and `Play.legal` lists what may be
done then. If neither is known, every room and any roll counts.
"""

from collections.abc import Iterable, Sequence
from math import inf

from msgspec.structs import replace

from clue_solver.errors import ArgumentError
from clue_solver.notation import lexicon_of
from clue_solver.rules import observations as observed
from clue_solver.rules.board import ground_of
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table

Cards = tuple[str, ...]
"""The cards of a suggestion, in category order."""


class OwnTurn:
    """
    A player's own turn, the current or the next one.

    The arguments and errors are those of `Game.advice`.

    >>> from clue_solver import Table, load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben"))
    >>> turn = OwnTurn(table, (), "Ann", at="study", roll=4)
    >>> [room for room, chance in turn.rooms.items() if chance]
    ['Hall']
    >>> len(turn.suggestions())
    36

    Attributes:
        play: The state of play in this turn; in the next turn if the player has suggested and can
            only accuse in this one.
        later: Whether it is another player's turn now.
        asked: Whether the player has suggested in the current turn.
        pending: Whether the bonus die must be used next.
        known: Whether it is known where the player stands.
        rooms: The chance to suggest in each room; empty if the edition has no rooms.
        after: The verbs of what must be done before accusing.
    """

    def __init__(
        self,
        table: Table,
        observations: Sequence[Observation],
        viewer: str,
        *,
        rooms: str | Iterable[str] | None = None,
        at: str | None = None,
        roll: int | None = None,
        dice: str | Iterable[str] | None = None,
    ) -> None:
        if at is not None and table.board is not None:
            table = replace(table, board=None)  # who says where it stands plays on a board
        self.viewer = viewer
        self.edition = table.edition
        now = Play.of(table, observations)
        self.later = now.due not in (None, viewer)
        self.asked = now.suggested(viewer)

        # What was rolled, in this turn or the one to come.
        if dice is not None:
            faces = dice_faces(table, dice)
            if self.asked:
                now = replace(now, dice=faces)
            else:
                now = now.turn_of(viewer).after(observed.Roll(by=viewer, dice=faces))
        self.pending = self.asked and now.pending
        self.play = now if self.pending else now.turn_of(viewer)

        # Where the player stands.
        listed = None if rooms is None else named_rooms(table, rooms, at)
        if at is not None or (roll is not None and listed is None):
            check_place_and_roll(self.play, roll)
        stood = None if at is None else place_named(table, at)
        if stood is None and viewer in self.play.rules.unknown:
            stood = _last_place(observations, viewer, table.edition.rooms)
            stood = None if self.play.moved(viewer) else stood
        self.known = stood is not None or viewer not in self.play.rules.unknown
        self.known = bool(table.edition.rooms) and (self.known or self.play.moved(viewer))
        if stood is not None and listed is None and not self.pending:
            roll = self._stand(stood, roll, told=at is not None)
        if roll is not None and listed is None:
            if not self.known:
                reason = "a roll needs a place to start from: add where you are"
                raise ArgumentError(reason, argument="at")
            if not self.play.moved(viewer):
                self.play = self.play.after(observed.Roll(by=viewer, total=roll))

        # Which rooms that leaves.
        self.rooms = dict.fromkeys(table.edition.rooms, 1.0)
        if listed is not None:
            self.rooms = {room: float(room in listed) for room in self.rooms}
        elif self.known:
            self.rooms = self.play.chances(viewer)
        self._accusing = now if self.asked else self.play
        self.after = self._accusing.before_accusing

    def _stand(self, place: str, roll: int | None, *, told: bool) -> int | None:
        """Let the turn begin at a place; return the roll to add there, `None` if not known."""
        play = self.play
        if told and play.place(self.viewer) == place and not play.moved(self.viewer):
            return roll  # where the player may have been called
        if told and play.moved(self.viewer):
            roll = play.total if roll is None else roll
            play = play.opened(self.viewer)
        self.play = play.placed(self.viewer, place)
        return roll

    @property
    def place(self) -> str | None:
        """The room or square where the player stands; `None` if that is not certain."""
        return self.play.place(self.viewer) if self.known else None

    @property
    def must_roll(self) -> bool:
        """Whether the player must roll before asking anything, and the roll is not known yet."""
        board = self.play.rules.board
        if board is not None and board.rolls_first and self.known:
            return self.play.total is None and not self.play.moved(self.viewer)
        return bool(self.edition.suspect_dice) and not self.play.dice

    def suggestions(self, rooms: dict[str, float] | None = None) -> dict[Cards, float]:
        """
        Return the possible suggestions, each with the chance to reach its room.

        Args:
            rooms: The chance of each room; that of the attribute `rooms` if left out.
        """
        if not self.edition.rooms:
            return dict.fromkeys(self.play.suggestions(), 1.0)
        found: dict[Cards, float] = {}
        for room, chance in (self.rooms if rooms is None else rooms).items():
            there = self.play.after(observed.Move(by=self.viewer, to=room))
            if room in there.unlooked:
                there = there.after(observed.Look(by=self.viewer, holder=room))
            for cards in there.suggestions() if chance else ():
                found[cards] = chance if room in cards else 1.0
        place = {name: number for number, name in enumerate(self.edition.names)}
        in_order = sorted(found, key=lambda cards: [place[card] for card in cards])
        return {cards: found[cards] for cards in in_order}

    def look(self, cards: Cards) -> str | None:
        """Return the suggestion's room if its face-down card must be seen first, else `None`."""
        return next((card for card in cards if card in self.play.unlooked), None)

    def can_suggest_in_place(self, cards: Cards) -> bool:
        """Return whether the player can stay in their room and suggest these cards there."""
        return self.place in cards and self.play.may("stays")

    def barred(self, cards: Cards) -> bool:
        """Return whether the player may not accuse in this turn because it is in no room."""
        if "suggests" in self.after:
            return bool(self.edition.rooms) and not any(self.rooms.values())
        accusation = observed.Accusation(by=self.viewer, cards=cards, right=True)
        breach = self._accusing.check(accusation)
        return breach is not None and breach.rule == "place"

    def distance_to(self, room: str) -> tuple[int | None, float]:
        """
        Return the distance to a room, in steps and in turns.

        The steps are 0 through a secret passage; `None` if the player's place is unknown, the
        edition has no board, or no way leads there. The turns are estimated from the mean roll: 1
        through a passage or if there is no place or board, infinite if no way leads there.
        """
        board, place = self.play.rules.board, self.place
        if place is None or board is None:
            return None, 1.0
        if any({place, room} == set(pair) for pair in board.passages):
            return 0, 1.0
        steps = self.play.rules.ground.steps_to(place, room)
        return steps, inf if steps is None else 1.0 + steps / (3.5 * board.dice)


def _last_place(
    observations: Sequence[Observation], viewer: str, rooms: Sequence[str]
) -> str | None:
    """Return where a player last moved, looked or suggested; `None` if nowhere."""
    for observation in reversed(observations):
        match observation:
            case observed.Move(by=by, to=place) if by == viewer:
                return place
            case observed.Look(by=by, holder=place) if by == viewer and place in rooms:
                return place
            case observed.Suggestion(by=by, cards=cards) if by == viewer:
                return next((card for card in cards if card in rooms), None)
    return None


def check_place_and_roll(play: Play, roll: int | None) -> None:
    """Raise an `ArgumentError` if there is no board to stand on, or no such roll."""
    edition, board = play.rules.edition, play.rules.board
    if not edition.rooms:
        raise ArgumentError(f"{edition.name} has no rooms", argument="at")
    if board is None:
        raise ArgumentError(
            f"{edition.name} has no distances between rooms; name rooms instead", argument="at"
        )
    if roll is not None and not board.dice <= roll <= 6 * board.dice:
        dice = "1 die gives" if board.dice == 1 else f"{board.dice} dice give"
        raise ArgumentError(
            f"{dice} {board.dice} to {6 * board.dice}; found {roll}", argument="roll"
        )


def named_rooms(table: Table, rooms: str | Iterable[str], at: str | None) -> list[str]:
    """Return the rooms in a list of names or in a text such as `Hall, Study`."""
    if at is not None:
        raise ArgumentError(
            "give either the rooms in reach or where you are, not both", argument="rooms"
        )
    if not table.edition.rooms:
        raise ArgumentError(f"{table.edition.name} has no rooms", argument="rooms")
    return list(lexicon_of(table).rooms.find_all(rooms))


def dice_faces(table: Table, dice: str | Iterable[str]) -> tuple[str, ...]:
    """Return the faces of the dice: the suspects, and the face of the bonus die if given."""
    edition = table.edition
    if not edition.suspect_dice:
        raise ArgumentError(f"{edition.name} has no dice with suspects on them", argument="dice")
    faces = lexicon_of(table).faces.find_all(dice)
    suspects = tuple(face for face in faces if face in edition.features)
    marks = tuple(face for face in faces if face not in suspects)
    if len(suspects) != (edition.suspect_dice or 3) or len(marks) > 1:
        also = f", and {len(marks)} faces of the bonus die" if len(marks) > 1 else ""
        raise ArgumentError(
            f"expected three rolled suspects; found {len(suspects)}{also}", argument="dice"
        )
    return (*suspects, *marks)


def place_named(table: Table, at: str) -> str:
    """Return the place that a text names: a room, a suspect (its start square), or a square."""
    edition = table.edition
    ground = ground_of(edition.board, edition.rooms)
    square = at.strip().upper()
    if square in ground.places and square not in ground.bit:
        return square
    return lexicon_of(table).cards.subset("room", (*edition.rooms, *ground.starts)).find(at)
