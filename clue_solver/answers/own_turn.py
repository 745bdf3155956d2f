"""
What the rules allow a player to do in its own turn, the current or the next one.

Where the player stands and what it has rolled follow from the record. A caller can also give a
place and a roll, written as in lines of the record; they are applied to a copy of the state of
play, and `Play.legal` lists what may be done then. If neither is known, every room and any roll is
possible.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf

from msgspec.structs import replace

from clue_solver.errors import ArgumentError, NotationError
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.reader import parse_line
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table

Cards = tuple[str, ...]
"""The cards of a suggestion, in category order."""


class OwnTurn:
    """
    A player's own turn, the current or the next one, and what may be done in it.

    It is made from the table, all entries so far and the player's seat. `rooms` and `at` are those
    of `Game.advice`, and so are the errors; `roll` is what `roll_from` returns.

    >>> from clue_solver import Table, load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben"))
    >>> turn = OwnTurn(table, (), "Ann", at="study", roll=observed.Roll(by="Ann", total=4))
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
        rooms: The chance to suggest in each room, by room; empty if the edition has no rooms.
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
        roll: observed.Roll | None = None,
    ) -> None:
        self.viewer = viewer
        self.edition = table.edition
        now = Play.of(table, observations)
        self.later = now.due not in (None, viewer)
        self.asked = now.suggested(viewer)
        if roll is not None and self.asked and roll.dice:
            now = replace(now, dice=roll.dice)  # what was rolled before the suggestion
            roll = None
        self.pending = self.asked and now.pending
        play = now if self.pending else now.turn_of(viewer)

        # Where the player stands.
        place = None if at is None else place_from(play, at)
        if place is None and viewer in play.rules.unknown and not play.moved(viewer):
            place = _last_place(observations, viewer, table.edition.rooms)
        known = place is not None or viewer not in play.rules.unknown or play.moved(viewer)
        self.known = bool(table.edition.rooms) and known
        if place is not None and place != play.place(viewer):
            play = play.placed(viewer, place)  # else the player may have been called there

        # What was rolled, in this turn or the one to come.
        if roll is not None:
            if roll.total is not None and not self.known and rooms is None:
                reason = "a roll needs a place to start from: add where you are"
                raise ArgumentError(reason, argument="at")
            play = play.after(roll)
        self.play = play

        # Which rooms are in reach then.
        self.rooms = play.chances(viewer)
        if rooms is not None:
            texts = rooms.split(",") if isinstance(rooms, str) else rooms
            listed = [*map(lexicon_of(table).rooms.find, texts)]
            self.rooms = {room: float(room in listed) for room in self.rooms}
        self._accusing = now if self.asked else play
        self.after = self._accusing.before_accusing

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
        Return the possible suggestions, each with the chance that its room can be reached.

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
        """
        Return the room of a suggestion if its face-down card must be seen first.

        `cards` are those of the suggestion. `None` if no card must be seen before it.
        """
        return next((card for card in cards if card in self.play.unlooked), None)

    def can_suggest_in_place(self, cards: Cards) -> bool:
        """Return whether the player can stay in their room and suggest these cards there."""
        return self.place in cards and self.play.may("stays")

    def barred(self, cards: Cards) -> bool:
        """
        Return whether the player may not accuse these cards in this turn because it is in no room.
        """
        if "suggests" in self.after:
            return bool(self.edition.rooms) and not any(self.rooms.values())
        accusation = observed.Accusation(by=self.viewer, cards=cards, right=True)
        breach = self._accusing.check(accusation)
        return breach is not None and breach.rule == "place"

    def distance_to(self, room: str) -> tuple[int | None, float]:
        """
        Return the distance to a room, in steps and in turns.

        A secret passage takes 0 steps and one turn. The number of turns is estimated from the mean
        roll. If no way leads to the room, the steps are `None` and the turns infinite. If the
        edition has no board or the player's place is unknown, the steps are `None` and the turns 1.
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
    """
    Return where the viewer last was: moved to, looked into (one of `rooms`), or suggested in.

    `None` if the log does not say.
    """
    for observation in reversed(observations):
        match observation:
            case observed.Move(by=by, to=place) if by == viewer:
                return place
            case observed.Look(by=by, holder=place) if by == viewer and place in rooms:
                return place
            case observed.Suggestion(by=by, cards=cards) if by == viewer:
                return next((card for card in cards if card in rooms), None)
    return None


def place_from(play: Play, at: str) -> str:
    """
    Return the room or square that the text `at` names.

    Raises:
        ArgumentError: If the table has no board.
        NotationError: If there is no such place.
    """
    if play.rules.board is None:
        reason = "this table has no board: name the rooms in reach instead"
        raise ArgumentError(reason, argument="at")
    return lexicon_of(play.rules.table).spots.find(at)


def roll_from(table: Table, viewer: str, roll: int | str | Iterable[str]) -> observed.Roll:
    """
    Return the viewer's roll from what a caller gives: a total, a text, or a list of faces.

    A text is read as the end of a line such as `Ann rolls 7`.

    Raises:
        ArgumentError: If the dice of the table cannot show that.
    """
    text = roll if isinstance(roll, int | str) else ", ".join(roll)
    play = Play.begin(table).opened(viewer)
    with suppress(NotationError):  # which would be about a line that nobody typed
        rolled = parse_line(f"{viewer} rolls {text}", table)
        breach = play.check(rolled)
        if isinstance(rolled, observed.Roll) and (breach is None or breach.rule != "dice"):
            return rolled
    expected = f"{play.rules.edition.suspect_dice} suspects and at most one special face"
    if play.rules.board is not None:
        expected = f"{play.rules.board.dice} to {play.rules.most}"
    raise ArgumentError(f"the dice show {expected}; found {text or 'nothing'}", argument="roll")
