"""
The state of a game: whose turn it is, where the pieces may stand, and how both change.

A record may leave out dice and moves; then every place where a piece may be is kept. In a game that
the program plays (`exact`), nothing has happened but what is recorded. `play.Play` says what the
rules allow next.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.rules import observations as observed
from clue_solver.rules.board import ground_of
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

ROLLING = ("rolls", "draws", "moves", "stays")
"""The verbs of lines that occur only in games with dice or a board."""
MOVES = frozenset(("moves", "stays"))
"""The verbs of lines that say where a piece goes in its turn."""
USES = frozenset(("looks", "asks", "peeks", "points"))
"""
The verbs of the extra actions that a bonus die or a snoop (a card drawn from another's hand)
allows.
"""

Piece = str | int
"""
A piece on the board: the suspect's name; for a seat that may play any suspect, its index, from 0.
"""


def is_single(places: int) -> bool:
    """Return whether a mask of places has at most one place."""
    return not places & (places - 1)


class GameRules:
    """
    What does not change during a game: the table, its edition, the board and who plays which piece.

    Attributes:
        table, edition, board: The table, its edition, and its board; `None` if there is no board.
        exact: Whether all dice and moves are recorded.
        ground: The places of the board; without a board, only the edition's rooms.
        pieces: The suspects that have a piece on the board; empty if the record does not say who
            plays whom.
        piece: For each seat, its piece.
        owner: For each piece that a seat plays, the seat.
        unknown: The seats whose suspect is not known.
        kinds: The names of the cards, category by category.
        rooms, suspects, weapons: The names of the room, suspect and weapon cards.
        slots: The names of the face-down slots that are rooms.
        most: The largest total that the dice can show; 0 without a board.
        rolling: Those verbs of `ROLLING` that can occur in this game.
        uses: The verbs of the extra actions that a bonus die or a snoop allows in this game.
        feature: For each card, its feature.
    """

    def __init__(self, table: Table, *, exact: bool) -> None:
        edition = table.edition
        self.table = table
        self.edition = edition
        self.exact = exact
        board = None if table.board == "none" else edition.board
        self.board = board if board is not None and board.squares else None
        self.ground = ground_of(self.board, edition.rooms)
        self.most = 6 * self.board.dice if self.board else 0
        dice = ("rolls", "draws") if edition.suspect_dice else ("draws",)
        self.rolling = frozenset(ROLLING if self.board else dice)
        self.kinds = [[card.name for card in kind.cards] for kind in edition.category]
        self.rooms = frozenset(edition.rooms)
        self.suspects = frozenset(edition.suspects)
        self.weapons = frozenset(edition.weapons)
        self.slots = tuple(slot.name for slot in table.slots if slot.name in self.rooms)
        self.feature = {card.name: str(card.feature) for card in edition.cards}
        # Who plays whom.
        played = table.pieces or (None,) * len(table.seats)
        pieces = [index if name is None else name for index, name in enumerate(played)]
        self.pieces = edition.suspects if any(played) else ()
        self.piece: dict[str, Piece] = dict(zip(table.seats, pieces, strict=True))
        self.owner = {piece: seat for seat, piece in self.piece.items()}
        self.unknown = frozenset(
            seat for seat, piece in self.piece.items() if isinstance(piece, int)
        )
        # What the bonus die allows, else spaces of the board, or as a table has it.
        own = () if edition.face_down else ("looks",)  # the looks of such editions are at rooms
        verbs = (verb for verb in (*own, "asks", "peeks", "points") if verb in edition.observes)
        self.uses: frozenset[str] = frozenset(edition.bonus.values()) or frozenset(verbs)

    def piece_of(self, seat: str) -> Piece:
        """Return a seat's piece; raise an `ArgumentError` if there is no such seat."""
        self.table.index_of(seat)
        return self.piece[seat]

    def begin(self) -> dict[Piece, int]:
        """
        Return where the pieces may stand before the first turn: for each piece, a mask of places.
        """
        ground = self.ground
        anywhere = ground.squares | ground.inside
        places: dict[Piece, int] = {}
        for name in self.pieces:
            if name in self.owner or (self.edition.spare == "starts" and not self.unknown):
                places[name] = ground.starts.get(name, anywhere)
            else:  # nobody plays it, unless a seat does whose suspect is not known
                places[name] = anywhere if self.unknown else ground.inside
        starts = {bit for name, bit in ground.starts.items() if name not in self.owner}
        return places | {self.piece[seat]: sum(starts) or anywhere for seat in self.unknown}


class Position(Struct, frozen=True, kw_only=True, dict=True):
    """
    A game as far as it has been played. It never changes: `after` returns the next one.

    Attributes:
        rules: What does not change during the game: the table, its edition and board, and who plays
            which piece.
        turns: The state of the turns, as the lines of the record show it.
        total: The total of this turn's roll; `None` if no total is recorded.
        dice: If there is a total, the icons that were rolled with it; otherwise the face of each
            die.
        drawn: The kinds of the clue cards drawn in this turn.
        deck: The kinds of the used clue cards, which lie at the bottom of the deck, the last drawn
            last.
        used: The cards suggested in this turn.
        places: The mask of the places where each piece may stand, by piece.
        weapons: For each weapon that a suggestion has moved, its room.
        called: The seats that another's suggestion may have moved into a room since their last
            turn.
        looked: Pairs of a seat and a face-down slot whose card the seat has looked at.
    """

    rules: GameRules
    turns: TurnState = TurnState()
    total: int | None = None
    dice: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    places: Mapping[Piece, int] = {}
    weapons: Mapping[str, str] = {}
    called: frozenset[str] = frozenset()
    looked: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def begin(cls, table: Table, *, exact: bool = False) -> Self:
        """
        Return the position before the first turn.

        Args:
            table: The table, whose header says who plays whom and who is first.
            exact: Whether all dice and moves will be recorded, as in a game that a program plays.
        """
        rules = GameRules(table, exact=exact)
        return cls(rules=rules, places=rules.begin())

    @classmethod
    def of(cls, table: Table, observations: Sequence[Observation], *, exact: bool = False) -> Self:
        """
        Return the position after these observations, in order.

        `exact` says that all dice and moves are recorded, as in a game that a program plays.
        """
        return reduce(cls.after, observations, cls.begin(table, exact=exact))

    def __repr__(self) -> str:
        turn = "over" if self.over else f"turn of {self.turn or 'nobody known'}"
        return f"<{type(self).__name__}: {', '.join(self.rules.table.seats)}; {turn}>"

    # Whose turn it is.

    @property
    def done(self) -> frozenset[str]:
        """
        The verbs of what has been done in this turn.

        A look at a face-down slot counts as a move to its room. Any line or act that just ends the
        turn counts as `skips`.
        """
        return self.turns.done

    @cached_property
    def over(self) -> bool:
        """Whether the game is over: somebody has won, or nobody is left in it."""
        return self.turns.over(self.rules.table)

    @cached_property
    def turn(self) -> str | None:
        """The seat whose turn it is; `None` if the game is over or the first seat is not known."""
        if self.over:
            return None
        if self.turns.seat is not None and self.goes_on(self.turns.seat):
            return self.turns.seat
        return self.turns.turn(self.rules.table)

    def goes_on(self, seat: str) -> bool:
        """Return whether a turn of a seat has begun and is not over."""
        return seat in self.rules.piece and self.turns.goes_on(seat)

    def suggested(self, seat: str) -> bool:
        """Return whether it is still a seat's turn and the seat has suggested in it."""
        return "suggests" in self.done and self.goes_on(seat)

    def moved(self, seat: str) -> bool:
        """Return whether it is a seat's turn and its move in this turn is recorded."""
        return bool(self.done & MOVES) and self.goes_on(seat)

    def turn_of(self, seat: str) -> Self:
        """
        Return the position in which a seat can act before suggesting in its current or next turn.

        It is this position if it is the seat's turn and the seat has not suggested yet; else the
        one at the beginning of its next turn.
        """
        return self if self.goes_on(seat) and "suggests" not in self.done else self.opened(seat)

    @cached_property
    def _going(self) -> Self:
        """
        This position with the current player's turn begun, whether or not a line has begun it.
        """
        seat = self.turn
        return self if seat is None or self.goes_on(seat) else self.opened(seat)

    def ended(self) -> Self:
        """
        Return the position after the current player has ended the turn.

        Nothing changes unless the player has suggested and the turn still goes on.
        """
        if "suggests" not in self.done or self.turns.closed:
            return self
        return replace(self, turns=replace(self.turns, done=self.done | {"skips"}))

    def begins(self, observation: Event) -> bool:
        """Return whether an observation begins a new turn, if it happens next."""
        rules = self.rules
        if self.turns.begins(observation):
            return True
        # No line says where a turn of the only player left in the game ends.
        alone = len(self.turns.gone) == len(rules.piece) - 1
        if rules.exact or not alone or "suggests" not in self.done:
            return False
        if isinstance(observation, observed.Look) and observation.holder in rules.slots:
            return True
        return bool(self.done & USES) and not isinstance(observation, observed.Accusation)

    def skipped(self, seat: str) -> tuple[str, ...]:
        """
        Return the seats whose turns were skipped if this seat begins a turn now, in order.

        Empty if it is this seat's turn, or if it is not known whose turn it is.
        """
        table = self.rules.table
        turn = self.turns.turn(table)
        if self.rules.exact and not self.turns.ended and self.turn == self.turns.seat:
            turn = self.turn  # a turn that stops in a corridor ends by a line of its own
        skipped: list[str] = []
        while turn is not None and turn != seat and turn not in skipped:
            skipped.append(turn)
            turn = table.after(turn, out=self.turns.gone)
        return tuple(skipped)

    # Where the pieces stand.

    def may_stand(self, seat: str) -> int:
        """Return the mask of the places where a seat's piece may stand."""
        return self.places[self.rules.piece_of(seat)]

    def place(self, seat: str) -> str | None:
        """Return the room or square where a seat's piece stands; `None` if it is not known."""
        return self.rules.ground.names.get(self.may_stand(seat))

    def where_is(self, card: str) -> str | None:
        """
        Return the room or square where the piece of a suspect or of a weapon is.

        `None` if it is not known.
        """
        if card in self.places:
            return self.rules.ground.names.get(self.places[card])
        return self.weapons.get(card)

    def placed(self, seat: str, place: str) -> Self:
        """Return the position with a seat's piece moved to a place, a room or a square, by name."""
        bit = self.rules.ground.places.get(place, 0)
        return replace(self._put(seat, bit), called=self.called - {seat})

    def _rooms(self, places: int) -> tuple[str, ...]:
        """Return the names of the rooms in a mask of places."""
        return tuple(room for room, bit in self.rules.ground.rooms.items() if places & bit)

    def taken(self, seat: str) -> int:
        """Return the mask of the squares where pieces other than this seat's stand for certain."""
        own = self.rules.piece_of(seat)
        places = {place for piece, place in self.places.items() if piece != own}
        return sum(place for place in places if is_single(place)) & self.rules.ground.squares

    # How the position changes.

    def after(self, observation: Observation) -> Self:
        """Return the position after an observation, whether or not it is within the rules."""
        seat = observation.actor
        if not observation.turn or seat not in self.rules.piece:
            turns = self.turns.after(observation)
            return self if turns is self.turns else replace(self, turns=turns)
        play = self.opened(seat) if self.begins(observation) else self
        play = replace(play, turns=play.turns.after(observation))
        ground = self.rules.ground
        match observation:
            case observed.Roll(total=total, dice=dice, icons=icons):
                return replace(play, total=total, dice=dice or icons)
            case observed.Draw(kind=kind):
                deck = (*play.deck, kind)[-len(self.rules.edition.clues) :]
                return replace(play, drawn=(*play.drawn, kind), deck=deck)
            case observed.Move(to=to):
                return play._put(seat, ground.places.get(to, 0))
            case observed.Stay():
                return play._put(seat, play.may_stand(seat) & ground.inside)
            case observed.Suggestion(cards=cards):
                return replace(play._call_pieces(seat, cards), used=cards)
            case observed.Look(holder=slot) if slot in self.rules.slots:
                bit = ground.rooms[slot]
                done = play.done - {"looks"}  # this look uses no bonus die
                if self.rules.board is None or not play.may_stand(seat) & bit:
                    done |= {"moves"}  # else the piece may have stood there before the turn
                play = replace(play._put(seat, bit), turns=replace(play.turns, done=done))
                return replace(play, looked=play.looked | {(seat, slot)})
            case observed.Accusation(right=False):
                return play._left_door(seat)
        return play

    def opened(self, seat: str) -> Self:
        """Return the position at the beginning of a seat's next turn."""
        return replace(
            self,
            turns=replace(self.turns, seat=seat, done=frozenset(), moved=None),
            places=self._places_after_walks(seat),
            called=self.called - {str(self.turns.seat)},
            # These belong to a single turn; all else lasts.
            total=None,
            dice=(),
            drawn=(),
            used=(),
        )

    def _places_after_walks(self, seat: str) -> Mapping[Piece, int]:
        """
        Return the mask of the places where each piece may stand when a seat's turn begins.

        Seats whose turns came before may have moved without a line in the record.
        """
        rules = self.rules
        ground = rules.ground
        last = self.turns.seat
        if rules.exact or rules.board is None or last is None or last not in rules.piece:
            return self.places
        # The seats that may have moved, and how far.
        here = "suggests" in self.done or self.done & MOVES
        far = {other: rules.most for other in self.skipped(seat) if other != last}
        far |= {} if here else {last: self.total or rules.most}
        # Where their pieces may be now.
        places = dict(self.places)
        for name, steps in far.items():
            piece = rules.piece[name]
            stood = places[piece]
            places[piece] |= ground.reach(stood, steps, self.taken(name))
            if name != last or "rolls" not in self.done or rules.board.passage == "after":
                places[piece] |= ground.passages(stood)
            if name == last:
                places[piece] |= self.by_cards
        return places

    @property
    def by_cards(self) -> int:
        """The mask of the places to which the clue cards drawn in this turn may take a piece."""
        ground = self.rules.ground
        places = ground.inside if "move" in self.drawn else 0
        return places | (ground.passages(ground.inside) if "passage" in self.drawn else 0)

    def _put(self, seat: str, bit: int) -> Self:
        """
        Return the position with a seat's piece at the places in the mask `bit`.

        The empty mask 0 leaves the piece where it is.
        """
        piece = self.rules.piece_of(seat)
        return replace(self, places={**self.places, piece: bit}) if bit else self

    def _left_door(self, seat: str) -> Self:
        """
        Return the position after a wrong accuser's piece has gone from a door into the room.

        Nothing changes unless the board's rules move it (`Board.out`) and it stands at a door.
        """
        board = self.rules.board
        stands = self.may_stand(seat)
        if board is None or board.out == "stays" or not is_single(stands):
            return self
        rooms = self.rules.ground.behind(stands)
        return self._put(seat, rooms & -rooms)

    def _call_pieces(self, seat: str, cards: tuple[str, ...]) -> Self:
        """Return the position after a seat's suggestion has moved the named pieces to the room."""
        rules = self.rules
        room = next((card for card in cards if card in rules.rooms), None)
        if room is None:
            return self
        bit = rules.ground.rooms[room]
        places = dict(self.places)
        called = set[str]()
        for suspect in rules.suspects.intersection(cards):
            if suspect in places:
                places[suspect] = bit
            owner = rules.owner.get(suspect)
            for other in rules.unknown if owner is None else (owner,):  # any of them may play it
                places[rules.piece[other]] |= bit
                called.add(other)
        return replace(
            self,
            places=places | {rules.piece[seat]: bit},
            weapons={**self.weapons, **dict.fromkeys(rules.weapons.intersection(cards), room)},
            called=self.called | called - {seat},
        )
