"""
What a viewer may do in its own turn, this one or its next: rooms, dice and the bonus die.

Where it stands and what it has rolled is said by whoever asks, or follows from the record. Where
neither tells, every room counts, and any dice.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, product
from math import inf, prod
from operator import itemgetter

from msgspec.structs import replace

from clue_solver.answers.advice import FirstInTurn
from clue_solver.errors import ArgumentError, NotationError, printable
from clue_solver.notation.names import Names
from clue_solver.rules import observations as observed
from clue_solver.rules.board import ground_of
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table

Cards = tuple[str, ...]
"""What a suggestion names, in category order."""


class OwnTurn:
    """
    What the rules allow a viewer in its own turn.

    Arguments and errors are those of `Game.advice`.

    >>> from clue_solver import Table, load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben"))
    >>> turn = OwnTurn(table, (), viewer="Ann", at="study", roll=4)
    >>> [room for room, chance in turn.chances.items() if chance]
    ['Hall']
    >>> len(turn.suggestions())
    36

    Attributes:
        state: The state of play at the beginning of the turn, with the roll if one is told; if the
            viewer has suggested in its turn already, of its next turn.
        suggested: Whether it has, so that it may accuse still.
        pending: Whether it has, and may use the bonus die still.
        later: Whether it is another's turn now.
        chances: The chance to suggest in each room; empty where the edition has no rooms.
        told: Whether it is told where the viewer stands, or which rooms are in reach.
        suspects: The suspects on the dice, of which a suggestion is made; empty where they are not
            told, or the edition has no such dice.
        uses: What the bonus die lets the viewer do, as verbs of lines; all that it may do where its
            face is not told, nothing where there is no such die.
        looks: The rooms with a face-down card at which the viewer has to look before it suggests.
    """

    def __init__(
        self,
        table: Table,
        observations: Sequence[Observation],
        *,
        viewer: str,
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
        self.state = now.turn_of(viewer)
        self.later = now.due not in (None, viewer)
        self.suggested = now.suggested(viewer)
        if dice is not None:
            faces = self._faces(dice)
            now = replace(now, dice=faces)
            self.state = self.state.after(observed.Roll(by=viewer, dice=faces))
        if rooms is not None:
            self.told = True
            self.chances = self._named(rooms, at)
        else:
            own = now.turn == viewer and not now.suggested(viewer)
            self.told = self._stand(at, roll, own=own)
            known = self.told or not self.edition.rooms
            self.chances = (
                self.state.chances(viewer) if known else dict.fromkeys(self.edition.rooms, 1.0)
            )
        self.suspects = self.state.suspects
        self.pending = self.suggested and now.pending
        self._play = now if self.suggested else self.state
        self.uses = tuple(sorted(self._play.uses)) if self.edition.dice_choose else ()
        self.looks = self.state.unlooked

    @property
    def place(self) -> str | None:
        """Where the viewer stands, a room or a square; `None` where that is not certain."""
        return self.state.place(self.viewer) if self.told and self.edition.rooms else None

    @property
    def recorded(self) -> dict[str, str]:
        """Where the viewer stands and what it rolled, by the arguments of `Game.advice`."""
        arguments = {"at": self.place, "roll": self.state.total, "dice": ", ".join(self.state.dice)}
        return {name: str(value) for name, value in arguments.items() if value}

    @property
    def rolls(self) -> bool:
        """Whether the dice are to be rolled before anything is asked, and are not told yet."""
        board = self.state.rules.board
        if board is not None and board.rolls_first and self.told:
            return self.state.total is None and not self.state.moved(self.viewer)
        return self.edition.dice_choose and not self.state.dice

    def stays(self, cards: Cards) -> bool:
        """Whether the viewer asks for these where it stands, and has not moved yet."""
        return self.place in cards and self.state.may("stays")

    @property
    def barred(self) -> bool:
        """Whether the viewer may not accuse in this turn, as it is in no room and comes to none."""
        if self.state.rules.board is None:
            return False
        if self.edition.accuse_when != "turn":
            return not (self.suggested or any(self.chances.values()))
        if self.edition.accuse_in == "anywhere":
            return False
        inside = self.told and bool(self.state.where(self.viewer))
        return not (inside or self.suggested or any(self.chances.values()))

    @property
    def before_accusing(self) -> tuple[FirstInTurn, ...]:
        """What the edition has the viewer do first in the turn."""
        verbs = self._play.before_accusing
        first: tuple[FirstInTurn, ...] = ("suggestion",) if "suggests" in verbs else ()
        return (*first, "bonus die") if {*verbs} - {"suggests"} else first

    def suggestions(self) -> dict[Cards, float]:
        """Return the suggestions that can be made, each with the chance to be in its room."""
        chances = self.chances
        reach = {
            cards: prod(chances[card] for card in cards if card in chances)
            for cards in all_suggestions(self.edition)
            if self.state.on_dice(cards)
        }
        return {cards: chance for cards, chance in reach.items() if chance > 0}

    def third(self, cards: Cards = ()) -> tuple[str, ...]:
        """
        Return the suspects that a question of the bonus die may be about.

        Args:
            cards: The suggestion that goes before; none if it is not chosen yet.
        """
        return self._play.third(None if self.pending else cards)

    def steps(self, room: str) -> int | None:
        """Return how many steps a room is away, where that is known; 0 through a passage."""
        rules = self.state.rules
        if self.place is None or rules.board is None:
            return None
        if any({self.place, room} == set(pair) for pair in rules.board.passages):
            return 0
        return rules.ground.steps_to(self.place, room)

    def way(self, room: str) -> tuple[float, str | None]:
        """
        Return about how many turns it takes to a room, and the passage that is taken, if one is.

        A turn is a mean roll or a passage; the passage is named by the room in which it begins.
        """
        rules = self.state.rules
        place = self.place
        if place is None or rules.board is None:
            return 1.0, None
        roll = 3.5 * rules.board.dice

        def walk(here: str, there: str) -> float:
            steps = rules.ground.steps_to(here, there)
            return inf if steps is None else steps / roll

        ways: list[tuple[float, str | None]] = [(1 + walk(place, room), None)]
        for pair in rules.board.passages:
            for begin, end in (pair, pair[::-1]):
                walked = 1 + walk(place, begin) if begin != place else 0.0
                onward = 1 + walk(end, room) if end != room else 0.0
                ways.append((walked + 1 + onward, begin))
        return min(ways, key=itemgetter(0))

    def _stand(self, at: str | None, roll: int | None, *, own: bool) -> bool:
        """
        Take where the viewer stands and what it rolled; return whether the place is told.

        Where nobody's suspect is told, others may call the viewer anywhere before its turn. So the
        record tells where it stands only in its `own` turn then.
        """
        viewer, state = self.viewer, self.state
        if at is not None:
            self._check_board(roll)
            self.state = self._at(place_named(self.edition, at))
            total = state.total if roll is None else roll
            if total is not None:
                self.state = self.state.after(observed.Roll(by=viewer, total=total))
            return True
        certain = bool(state.rules.pieces) or (own and state.place(viewer) is not None)
        certain = certain and bool(self.edition.rooms)
        if roll is not None:
            if not certain:
                raise ArgumentError(
                    "a roll needs a place to start from: add where you are", argument="at"
                )
            self._check_board(roll)
            if not state.moved(viewer):
                self.state = state.after(observed.Roll(by=viewer, total=roll))
        return certain

    def _at(self, place: str) -> Play:
        """Return the turn with the viewer's piece at a place, nothing done in it."""
        viewer, state = self.viewer, self.state
        if state.moved(viewer):
            begun = state.opened(viewer)
        else:
            turns = replace(state.turns, done=frozenset())
            begun = replace(state, turns=turns, total=None, dice=())
        placed = begun.placed(viewer, place)
        # Whoever was called to the place still has been, where it is told who plays whom.
        called = bool(state.rules.pieces) and placed.stands(viewer) == begun.stands(viewer)
        return begun if called else placed

    def _check_board(self, roll: int | None) -> None:
        """Refuse a place where there are no distances, and a roll that no dice give."""
        board = self.state.rules.board
        if not self.edition.rooms:
            raise ArgumentError(f"{self.edition.name} has no rooms", argument="at")
        if board is None:
            raise ArgumentError(
                f"{self.edition.name} has no distances between rooms; name rooms instead",
                argument="at",
            )
        if roll is not None and not board.dice <= roll <= 6 * board.dice:
            dice = "1 die gives" if board.dice == 1 else f"{board.dice} dice give"
            raise ArgumentError(
                f"{dice} {board.dice} to {6 * board.dice}; found {roll}", argument="roll"
            )

    def _named(self, rooms: str | Iterable[str], at: str | None) -> dict[str, float]:
        """Return the rooms of a list, one by one or such as `Hall, Study`, as surely in reach."""
        if at is not None:
            raise ArgumentError(
                "give either the rooms in reach or where you are, not both", argument="rooms"
            )
        named = _names(self.edition).find_all(rooms)
        return {room: float(room in named) for room in self.edition.rooms}

    def _faces(self, dice: str | Iterable[str]) -> tuple[str, ...]:
        """Return the faces of the dice: the suspects, and that of the bonus die if it is told."""
        edition = self.edition
        if not edition.dice_choose:
            raise ArgumentError(
                f"{edition.name} has no dice with suspects on them", argument="dice"
            )
        words = {face: (name,) for face, name in zip(edition.faces, edition.dice, strict=True)}
        names = Names("suspect", (*edition.features, *words), aliases={**edition.aliases, **words})
        faces = names.find_all(dice)
        suspects = tuple(face for face in faces if face in edition.features)
        marks = tuple(face for face in faces if face not in suspects)
        if len(suspects) != (edition.suspect_dice or 3) or len(marks) > 1:
            also = f", and {len(marks)} faces of the bonus die" if len(marks) > 1 else ""
            raise ArgumentError(
                f"expected three rolled suspects; found {len(suspects)}{also}", argument="dice"
            )
        return (*suspects, *marks)


def all_suggestions(edition: Edition, *, hidden: Collection[str] = ()) -> Iterator[Cards]:
    """Yield every suggestion that the edition allows anywhere, but for those of hidden cards."""
    for kinds in combinations(edition.category, edition.named):
        names = [[card.name for card in kind.cards if card.name not in hidden] for kind in kinds]
        yield from product(*names)


def room_among(cards: Cards, rooms: Sequence[str]) -> str | None:
    """Return the card of a suggestion that is among some rooms; `None` if none is."""
    return next((card for card in cards if card in rooms), None)


def place_named(edition: Edition, at: str) -> str:
    """Return the one room of that name, the suspect whose start square it is, or the square."""
    ground = ground_of(edition.board, edition.rooms)
    square = at.strip().upper()
    if square in ground.places and square not in ground.bit:
        return square
    names = _names(edition, *ground.starts)
    try:
        return names.find(at)
    except NotationError as error:
        if error.nearest:
            raise
        start = ", or the suspect on whose start square you are" if ground.starts else ""
        wanted = f"one room, such as {edition.rooms[0]} or {edition.rooms[-1]}{start}"
        written = f"'{printable(at)}'" if at.strip() else "nothing"
        raise NotationError(f"expected {wanted}; found {written}", line=at) from None


def _names(edition: Edition, *others: str) -> Names:
    if not edition.rooms:
        raise ArgumentError(f"{edition.name} has no rooms", argument="rooms")
    called = {card.name: filter(None, (card.title, *card.aliases)) for card in edition.cards}
    return Names("room", (*edition.rooms, *others), aliases=called)
