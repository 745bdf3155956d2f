"""
The state of a game: whose turn it is, what was done in it, and where the pieces stand.

`GameRules` is a table with its rules and its board, names turned to numbers; `GameState` goes on
from one observation to the next. A record may leave out dice and moves: then the state keeps every
place where a piece may be, and what was done without them is taken to have been done within the
rules. Where everything is told, as in a game that a program plays (`exact`), only what was told has
happened.
"""

from collections.abc import Sequence
from functools import reduce
from typing import NoReturn, Self

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.errors import ArgumentError
from clue_solver.rules import observations as observed
from clue_solver.rules.board import ground_of
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

ROLLED, MOVED, SUGGESTED, BONUS, CLOSED = 1, 2, 4, 8, 16
"""What has been done in a turn, as bits; `CLOSED` once nothing more can be."""

ALL = ROLLED | MOVED | SUGGESTED | BONUS | CLOSED


class _Seats(dict[str, int]):
    """The number of each seat, by its name; another name is refused."""

    def __missing__(self, seat: str) -> NoReturn:
        reason = f"seat: expected one of {', '.join(self)}; found {seat!r}"
        raise ArgumentError(reason, argument="seat")


class GameRules:
    """
    The fixed rules of one game: table, edition and board, with numbers for names.

    Attributes:
        table, edition, board: The table, its edition, and its board where there is one.
        exact: Whether dice and moves are all told.
        seats: The number of each seat, in the order of the table.
        ground: The places of the board; its rooms where there is none, if it has any.
        free: Whether rooms are named freely, as without a board.
        told: Whether there is a board and each roll and move on it is told.
        piece: The piece of each seat: the number of its suspect, or its own where it is not told.
        pieces: The number of each suspect's piece; empty where it is not told who plays whom.
        unknown: The seats of which it is not told whom they play, as numbers.
        owner: The seat of each piece that has one.
        rooms, suspects, weapons: The cards that are rooms, suspects and weapons.
        most: The most that the dice can show.
        uses: The verbs of what may be done besides: by the bonus die, or as the edition observes.
        slots: The numbers of the face-down slots that are rooms.
        feature: The feature of each card.
    """

    def __init__(self, table: Table, *, exact: bool) -> None:
        edition = table.edition
        self.table = table
        self.edition = edition
        self.exact = exact
        self.seats = _Seats({seat: place for place, seat in enumerate(table.seats)})
        self.rooms = frozenset(edition.rooms)
        self.suspects = frozenset(edition.suspects)
        self.weapons = frozenset(edition.weapons)
        board = None if table.board == "none" else edition.board
        self.board = board if board is not None and board.squares else None
        self.ground = ground_of(self.board, edition.rooms)
        self.free = self.board is None and bool(edition.rooms)
        self.told = exact and not self.free
        played = table.pieces or (None,) * len(table.seats)
        names = edition.suspects if any(played) else ()
        self.pieces = {suspect: place for place, suspect in enumerate(names)}
        self.unknown = tuple(seat for seat, name in enumerate(played) if name is None)
        numbers = {seat: len(names) + place for place, seat in enumerate(self.unknown)}
        self.piece = tuple(
            numbers[seat] if name is None else self.pieces[name] for seat, name in enumerate(played)
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
        return self if self.exact else GameRules(self.table, exact=True)

    def piece_of(self, seat: str) -> int:
        """Return the number of a seat's piece."""
        return self.piece[self.seats[seat]]

    def begin(self) -> tuple[int, ...]:
        """Return where the pieces stand at first."""
        ground = self.ground
        every = ground.free | ground.inside
        # Whose piece is not told is another's or nobody's, and may be anywhere after a turn.
        spare: dict[str, int] = {}
        if not self.unknown and self.table.edition.spare == "starts":
            spare = ground.starts
        elif not self.unknown:
            spare = dict.fromkeys(self.pieces, ground.inside)
        begun = [
            (ground.starts if name in self.table.pieces else spare).get(name, every)
            for name in self.pieces
        ]
        free = {bit for name, bit in ground.starts.items() if name not in self.table.pieces}
        begun += [sum(free) or every] * len(self.unknown)
        return tuple(begun)

    def passages(self, places: int) -> int:
        """Return the rooms at the other ends of passages from some places."""
        rooms = 0
        for room, others in self.partner.items():
            if places & room:
                rooms |= others
        return rooms


class GameState(Struct, frozen=True, kw_only=True):
    """
    A game as far as it has been played, and what becomes of it; `PlayState` adds what may be done.

    Attributes:
        rules: What stays as it is during the game.
        turns: Whose turn it is by the lines of the record, and who is out.
        done: What has been done in this turn.
        total, dice: What was rolled in this turn: a total and the icons on the dice, or the face of
            each of the dice.
        drawn: The kinds of the clue cards that were drawn in this turn.
        deck: The kinds of the clue cards at the bottom of the deck, the last drawn at the end.
        used: The cards that were suggested in this turn.
        places: Where each piece may stand, as sets of the board's ground.
        weapons: The weapons that suggestions have moved on the board, each with the room.
        called: The seats that another's suggestion may have called since their last turn, as bits.
        looked: The seats that have looked at a face-down card, as bits, for each slot.
        winner: Who made the right accusation.
    """

    rules: GameRules
    turns: TurnState = TurnState()
    done: int = 0
    total: int | None = None
    dice: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    weapons: tuple[tuple[str, str], ...] = ()
    called: int = 0
    looked: tuple[int, ...] = ()
    winner: str | None = None

    @classmethod
    def begin(cls, table: Table, *, exact: bool = False) -> Self:
        """
        Return the state of a game that has not begun.

        Args:
            table: The table; who plays whom and who is first are in its header.
            exact: Whether all dice and moves will be told, as in a game that a program plays.
        """
        rules = GameRules(table, exact=exact)
        return cls(rules=rules, places=rules.begin(), looked=(0,) * len(table.slots))

    @classmethod
    def of(cls, table: Table, observations: Sequence[Observation], *, exact: bool = False) -> Self:
        """Return the state of a game in which these were observed, in order."""
        return reduce(cls.after, observations, cls.begin(table, exact=exact))

    # What the state tells.

    @property
    def turn(self) -> str | None:
        """Whose turn it is; `None` when it is over, or where it is not known who begins."""
        if self.over:
            return None
        if self.turns.seat is not None and self.goes_on(self.turns.seat):
            return self.turns.seat
        return self.turns.turn(self.rules.table)

    @property
    def out(self) -> frozenset[str]:
        """The seats that have accused wrongly."""
        return self.turns.out

    @property
    def over(self) -> bool:
        """Whether the game is over: somebody was right, or all are out."""
        return self.winner is not None or len(self.turns.out) == len(self.rules.seats)

    def goes_on(self, seat: str) -> bool:
        """Return whether a turn of the seat has begun and is not over."""
        return (
            self.turns.seat == seat
            and not self.done & CLOSED
            and seat in self.rules.seats
            and seat not in self.out
        )

    def suggested(self, seat: str) -> bool:
        """Return whether it is a seat's turn still and it has suggested in it."""
        return self.goes_on(seat) and bool(self.done & SUGGESTED)

    def moved(self, seat: str) -> bool:
        """Return whether it is a seat's turn and where its piece has gone in it was told."""
        return self.goes_on(seat) and bool(self.done & MOVED)

    def stands(self, seat: str) -> int:
        """Return where a seat's piece may stand, as a set of the board's ground."""
        return self.places[self.rules.piece_of(seat)]

    def where(self, seat: str) -> tuple[str, ...]:
        """Return the rooms in which a seat's piece may stand; none where it stands on a square."""
        stands = self.stands(seat)
        return tuple(room for room, bit in self.rules.ground.bit.items() if stands & bit)

    def place(self, seat: str) -> str | None:
        """Return the room or the square of a seat's piece; `None` where it is not known."""
        return self.rules.ground.names.get(self.stands(seat))

    def lies(self, card: str) -> str | None:
        """Return where the piece of a suspect or of a weapon is; `None` where it is not known."""
        if card in self.rules.pieces:
            return self.rules.ground.names.get(self.places[self.rules.pieces[card]])
        return dict(self.weapons).get(card)

    def taken(self, piece: int) -> int:
        """Return the squares on which pieces other than this one stand for certain."""
        taken = 0
        for other, place in enumerate(self.places):
            if other != piece and not place & (place - 1):
                taken |= place
        return taken & self.rules.ground.free

    def skipped(self, seat: str) -> tuple[str, ...]:
        """Return whose turns have passed where the seat begins one now."""
        skipped: list[str] = []
        turns, table = self.turns, self.rules.table
        turn = turns.turn(table)
        if self.rules.exact and turns.is_aside(table) and self.goes_on(turns.seat or ""):
            turn = turns.seat  # one that ends in a corridor is told to end, where everything is
        while turn is not None and turn != seat and turn not in skipped:
            skipped.append(turn)
            turn = table.after(turn, out=self.out)
        return tuple(skipped)

    def clue_cards(self) -> tuple[int, ...]:
        """Return how many clue cards the roll can have drawn; none before it and after moving."""
        board = self.rules.board
        goes_on = self.turns.seat is not None and self.goes_on(self.turns.seat)
        if board is None or not (board.icon and self.rules.table.clues):
            return (0,)
        if not (goes_on and self.total) or self.done & (MOVED | SUGGESTED):
            return (0,)
        if self.dice or self.rules.exact:
            return (len(self.dice),)
        counts = []
        for icons in range(board.dice + 1):  # an icon counts 1, any other face 2 to 6
            others = board.dice - icons
            if 2 * others <= self.total - icons <= 6 * others:
                counts.append(icons)
        return tuple(counts)

    def next_clues(self) -> frozenset[str]:
        """Return the kinds of which the next clue card can be, if every one drawn was told."""
        every = self.rules.edition.clues
        if len(self.deck) == len(every):
            return frozenset(self.deck[:1])  # used ones lie under the others, in their order
        return frozenset(kind for kind in every if self.deck.count(kind) < every.count(kind))

    # What becomes of it.

    def after(self, observation: Observation) -> Self:
        """Return the state once this was observed, within the rules or not."""
        turns = self.turns.after(observation)
        if not observation.turn:
            return self if turns is self.turns else replace(self, turns=turns)
        name = str(getattr(observation, observation.form.subject))
        seat = self.rules.seats.get(name)
        if seat is None:
            return replace(self, turns=turns)
        state = self.opened(name) if self.begins_turn(observation, name) else self
        done = state.done
        ground = self.rules.ground.places
        match observation:
            case observed.Roll(total=total, dice=dice, icons=icons):
                faces = dice or icons
                return replace(state, turns=turns, done=done | ROLLED, total=total, dice=faces)
            case observed.Draw(kind=kind):
                deck = (*state.deck, kind)[-len(self.rules.edition.clues) :]
                return replace(state, turns=turns, drawn=(*state.drawn, kind), deck=deck)
            case observed.Move(to=to):
                places = state._put(name, ground.get(to, 0))
                return replace(state, turns=turns, done=done | MOVED, places=places)
            case observed.Stay():
                places = state._put(name, state.stands(name) & self.rules.ground.inside)
                return replace(state, turns=turns, done=done | MOVED, places=places)
            case observed.Suggestion(cards=cards):
                return replace(state._call(cards, seat), turns=turns, done=done | SUGGESTED)
            case observed.Look(holder=holder) if holder in self.rules.slots:
                slot = self.rules.slots[holder]
                looked = list(self.looked)
                looked[slot] |= 1 << seat
                if self.rules.board is None or not state.stands(name) & ground[holder]:
                    done |= MOVED  # else the piece may have stood there before the turn
                places = state._put(name, ground[holder])
                return replace(state, turns=turns, done=done, places=places, looked=tuple(looked))
            case observed.Accusation(right=right):
                winner = name if right and self.winner is None else self.winner
                places = state.places if right else state._left_door(name)
                return replace(state, turns=turns, winner=winner, done=done | CLOSED, places=places)
            case observed.Skip():
                return replace(state, turns=turns, done=done | CLOSED)
            case _:
                return replace(state, turns=turns, done=done | BONUS)

    def ended(self) -> Self:
        """Return the state once whoever has suggested ends the turn; the next has the turn then."""
        seat = self.turns.seat
        if seat is None or not self.suggested(seat):
            return self
        return replace(self, done=self.done | CLOSED)

    def placed(self, seat: str, place: str) -> Self:
        """Return the state with a seat's piece in a room, on a square or where a suspect starts."""
        ground = self.rules.ground
        bit = ground.starts.get(place, ground.places.get(place, 0))
        called = self.called & ~(1 << self.rules.seats[seat])
        return replace(self, places=self._put(seat, bit), called=called)

    def started(self, seat: str, place: str, *, total: int | None = None) -> Self:
        """
        Return the state in a seat's turn, its piece at a place and nothing done but a roll.

        Whoever was called to the place by another's suggestion still has been, where it is told who
        plays whom.

        Args:
            seat, place: As for `placed`.
            total: What was rolled; nothing yet if left out.
        """
        if self.goes_on(seat) and not self.done & (MOVED | SUGGESTED):
            opened = replace(self, done=0, total=None, dice=())
        else:
            opened = self.opened(seat)
        state = opened.placed(seat, place)
        if self.rules.pieces and state.stands(seat) == opened.stands(seat):
            state = opened
        return state if total is None else state.after(observed.Roll(by=seat, total=total))

    # Whose turn begins.

    def begins_turn(self, observation: Event, seat: str) -> bool:
        """Return whether the seat must have begun a new turn where this was observed."""
        if not self.goes_on(seat):
            return True
        if not self.done & SUGGESTED:
            return False
        if isinstance(
            observation,
            observed.Suggestion
            | observed.Skip
            | observed.Roll
            | observed.Draw
            | observed.Move
            | observed.Stay,
        ):
            return True
        # No line tells where the turn of the last one in the game ends.
        if self.rules.exact or self.rules.table.after(seat, out=self.out) != seat:
            return False
        if isinstance(observation, observed.Look) and observation.holder in self.rules.slots:
            return True
        return bool(self.done & BONUS) and not isinstance(observation, observed.Accusation)

    def turn_of(self, seat: str) -> Self:
        """Return the state in a seat's turn: this one, if it has not suggested, or its next."""
        now = self.goes_on(seat) and not self.done & SUGGESTED
        return self if now else self.opened(seat)

    def opened(self, seat: str) -> Self:
        """Return the state at the beginning of the seat's next turn."""
        called = self.called
        before = self.rules.seats.get(self.turns.seat or "")
        if before is not None:
            called &= ~(1 << before)
        return replace(
            self,
            turns=TurnState(seat=seat, out=self.out, sizes=self.turns.sizes),
            places=self._walked(seat),
            called=called,
            # What belongs to one turn; all else lasts.
            done=0,
            total=None,
            dice=(),
            drawn=(),
            used=(),
        )

    def _walked(self, seat: str) -> tuple[int, ...]:
        """Return where the pieces may stand after turns whose moves were not told."""
        rules = self.rules
        last = self.turns.seat
        if rules.board is None or last is None or last not in rules.seats:
            return self.places
        # Who may have walked, and how far.
        moved = self.done & (MOVED | SUGGESTED)
        far: dict[str, int] = {}
        if rules.told:
            return self.places
        if not moved:
            far[last] = self.total or rules.most
        far.update({other: rules.most for other in self.skipped(seat) if other != last})
        # Where they may have come to.
        places = list(self.places)
        for name, steps in far.items():
            piece = rules.piece_of(name)
            here = places[piece]
            places[piece] |= rules.ground.reach(here, steps, self.taken(piece))
            if name != last or not self.done & ROLLED or rules.board.passage == "after":
                places[piece] |= rules.passages(here)
        return tuple(places)

    # What an observation changes on the board.

    def _put(self, seat: str, bit: int) -> tuple[int, ...]:
        """Return the places of the pieces with a seat's at one; 0 leaves them as they are."""
        piece = self.rules.piece_of(seat)
        return (*self.places[:piece], bit, *self.places[piece + 1 :]) if bit else self.places

    def _left_door(self, seat: str) -> tuple[int, ...]:
        """Return the places of the pieces once a wrong accuser has left a door, where one must."""
        board = self.rules.board
        stands = self.stands(seat)
        if board is None or board.out == "stays" or stands & (stands - 1):
            return self.places
        rooms = self.rules.ground.behind(stands)
        return self._put(seat, rooms & -rooms)

    def _call(self, cards: tuple[str, ...], seat: int) -> Self:
        """Return the state once these were suggested: the suspects were called to the room."""
        rules = self.rules
        room = next((card for card in cards if card in rules.rooms), None)
        if room is None:
            return replace(self, used=cards)
        bit = rules.ground.bit[room]
        called = self.called
        places = list(self.places)
        suspects = [card for card in cards if card in rules.suspects]
        for suspect in suspects:
            if suspect in rules.pieces:
                places[rules.pieces[suspect]] = bit
            owner = rules.owner.get(rules.pieces.get(suspect, -1))
            if owner is None:  # it may be the piece of any seat of which that is not told
                for other in rules.unknown:
                    places[rules.piece[other]] |= bit
                    called |= 1 << other
            else:
                called |= 1 << owner
        called &= ~(1 << seat) | self.called
        places[rules.piece[seat]] = bit
        weapons = dict(self.weapons)
        if rules.board is not None:
            weapons.update((card, room) for card in cards if card in rules.weapons)
        moved = tuple(weapons.items())
        return replace(self, used=cards, places=tuple(places), weapons=moved, called=called)
