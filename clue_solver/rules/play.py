"""
The state of play: whose turn it is, where the pieces stand, what may be done now, who is out, when
it is over. What an edition allows stands in its file; here it is applied.

`PlayState` stands on `TurnState`, knows the dice and the board besides, and goes on like it from
one observation to the next. A record may
leave out dice and moves: then `PlayState` keeps every place where a piece may be, and what was done
without them is taken to have been done within the rules. Where everything is told, as in a game
that a program plays (`exact`), only what was told has happened.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import combinations, product
from math import fsum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.rules import observations as observed
from clue_solver.rules.board import Ground, places_in
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import GameRules, Irregularity, Rule, TurnState

_ROLLED, _MOVED, _SUGGESTED, _BONUS, _CLOSED = 1, 2, 4, 8, 16
"""What has been done in a turn; `_CLOSED` once nothing more can be."""

_FREE: Mapping[type[Event], str] = {
    observed.Look: "looks", observed.Question: "asks", observed.Peek: "peeks",
    observed.Finger: "points",
}  # fmt: skip
"""What a bonus die, a snoop and the like let a player do besides suggesting."""


class PlayState(Struct, frozen=True, kw_only=True):
    """
    A game as far as it has been played; `PlayState.begin(table)` is one that has not begun.

    Actions are observations of which nothing is known yet that only shows when it is done: answers,
    a card that is seen, the dice (`Roll(by="Ann")`); an accusation is listed as wrong.

    >>> from clue_solver import Move, Roll, Suggestion, Table, load_edition
    >>> table = Table(
    ...     edition=load_edition("clue-classic"), seats=("Ann", "Ben"), pieces=("Plum", "Scarlett")
    ... )
    >>> state = PlayState.begin(table, exact=True)
    >>> state.turn, state.verbs()
    ('Ben', ('rolls', 'accuses', 'skips'))
    >>> state = state.after(Roll(by="Ben", total=8))
    >>> state.destinations()[:2], state.allows(Move(by="Ben", to="Hall"))
    (('Lounge', 'H17'), False)
    >>> state = state.after(Move(by="Ben", to="Lounge"))
    >>> state = state.after(Suggestion(by="Ben", cards=("Plum", "Rope", "Lounge")))
    >>> state.place("Ann"), state.verbs(), state.ended().turn
    ('Lounge', ('accuses',), 'Ann')
    >>> (doubt,) = state.doubts(Roll(by="Ben", total=5))
    >>> doubt.rule, doubt.turn, doubt.skipped
    ('turn', 'Ann', ('Ann',))

    Attributes:
        rules: What stays as it is during the game.
        turns: Whose turn it is by the lines of the record, and who is out.
        done: What has been done in this turn.
        total, dice: What was rolled in this turn: a total, or the face of each of the dice.
        used: The cards that were suggested in this turn.
        places: Where each piece may stand, as sets of the board's ground.
        called: The seats that another's suggestion may have called since their last turn, as bits.
        looked: The seats that have looked at a face-down card, as bits, for each slot.
        winner: Who made the right accusation.
    """

    rules: GameRules
    turns: TurnState = TurnState()
    done: int = 0
    total: int | None = None
    dice: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    called: int = 0
    looked: tuple[int, ...] = ()
    winner: str | None = None

    @classmethod
    def begin(cls, table: Table, *, exact: bool = False) -> "PlayState":
        """
        Return the state of a game that has not begun.

        Args:
            table: The table; who plays whom and who is first are in its header.
            exact: Whether all dice and moves will be told, as in a game that a program plays.
        """
        rules = GameRules(table, exact=exact)
        return cls(rules=rules, places=rules.begin(), looked=(0,) * len(table.slots))

    @classmethod
    def of(
        cls, table: Table, observations: Sequence[Observation], *, exact: bool = False
    ) -> "PlayState":
        """Return the state of a game in which these were observed, in order."""
        return reduce(PlayState.after, observations, cls.begin(table, exact=exact))

    # What the state tells.

    @property
    def turn(self) -> str | None:
        """Whose turn it is; `None` when it is over, or where it is not known who begins."""
        if self.over:
            return None
        if self.turns.seat is not None and self._open:
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

    @property
    def _open(self) -> bool:
        """Whether the turn of `turns.seat` still goes on."""
        seat = self.turns.seat
        return not self.done & _CLOSED and seat in self.rules.seats and seat not in self.out

    def where(self, seat: str) -> tuple[str, ...]:
        """Return the rooms in which a seat's piece may stand; none where it stands on a square."""
        ground = self.rules.ground
        place = self.places[self.rules.piece[self.rules.seats[seat]]]
        return tuple(room for room, bit in ground.bit.items() if place & bit)

    def place(self, seat: str) -> str | None:
        """Return the room or the square of a seat's piece; `None` where it is not known."""
        ground = self.rules.ground
        place = self.places[self.rules.piece[self.rules.seats[seat]]]
        return ground.names.get(place)

    # What may be done.

    def verbs(self) -> tuple[str, ...]:
        """Return what whoever's turn it is may do now: verbs of lines, in the order of a turn."""
        seat = self.turn
        if seat is None:
            return ()
        state = self._at(seat)
        found = [*("rolls",) * state._may_roll(), *("moves",) * bool(state._ahead(seat))]
        found += ["looks"] * bool(state._unseen(seat))
        found += ["suggests"] * state._may_suggest(seat)
        found += sorted(state._uses())
        found += ["accuses"] * (state._accusing(seat) is None)
        return (*found, *("skips",) * (not state.done & _SUGGESTED))

    def may(self, verb: str) -> bool:
        """Return whether a verb is one of `verbs`, and look at no other."""
        seat = self.turn
        if seat is None:
            return False
        state = self._at(seat)
        match verb:
            case "rolls":
                return state._may_roll()
            case "moves":
                return bool(state._ahead(seat))
            case "suggests":
                return state._may_suggest(seat)
            case "accuses":
                return state._accusing(seat) is None
            case "skips":
                return not state.done & _SUGGESTED
            case "looks" if state._unseen(seat):
                return True
        return verb in state._uses()

    def actions(self) -> tuple[Observation, ...]:
        """
        Return every action that whoever's turn it is may take now; none when it is over.

        Whoever has suggested may also end the turn, which no line tells: `ended` does.
        """
        return tuple(self._actions())

    def _actions(self) -> Iterator[Observation]:
        seat = self.turn
        if seat is None:
            return
        state = self._at(seat)
        edition = self.rules.edition
        if state._may_roll():
            yield observed.Roll(by=seat)
        for place in state.destinations():
            yield observed.Move(by=seat, to=place)
        for slot in state._unseen(seat):
            yield observed.Look(by=seat, holder=slot)
        if state._may_suggest(seat):
            for cards in state.suggestions():
                yield observed.Suggestion(by=seat, cards=cards)
        yield from state.extras()
        if state._accusing(seat) is None:
            kinds = ([card.name for card in kind.cards] for kind in edition.category)
            for cards in product(*kinds):
                yield observed.Accusation(by=seat, cards=cards, right=False)
        if not state.done & _SUGGESTED:
            yield observed.Skip(by=seat)

    def extras(self) -> Iterator[Observation]:
        """Yield what a bonus die, a snoop and the like let whoever's turn it is do now."""
        seat, edition = self.turn, self.rules.edition
        if seat is None:
            return
        state = self._at(seat)
        others = [other for other in self.rules.table.seats if other != seat]
        for verb in sorted(state._uses()):
            match verb:
                case "looks":
                    yield from (observed.Look(by=seat, holder=other) for other in others)
                case "asks":
                    third = state._third() or tuple(edition.features)
                    for other, name in product(others, third):
                        yield observed.Question(by=seat, seat=other, about=(name,))
                case "peeks":
                    yield observed.Peek(by=seat)
                case "points":
                    kinds = ([card.name for card in kind.cards] for kind in edition.category)
                    yield from (observed.Finger(by=seat, cards=each) for each in product(*kinds))

    def face_down(self) -> tuple[str, ...]:
        """Return the face-down cards at which whoever's turn it is may look now."""
        seat = self.turn
        return () if seat is None else tuple(self._at(seat)._unseen(seat))

    def destinations(self) -> tuple[str, ...]:
        """Return where whoever's turn it is may move now: rooms, then squares."""
        seat, ground = self.turn, self.rules.ground
        if seat is None:
            return ()
        ahead, names = self._at(seat)._ahead(seat), ground.names
        rooms = [names[place] for place in places_in(ahead & ground.inside)]
        return (*rooms, *(names[place] for place in places_in(ahead & ground.free)))

    def towards(self, room: str) -> str | None:
        """Return the destination from which it is the fewest steps to a room; `None` for none."""
        ground, to = self.rules.ground, [*self.rules.ground.bit].index(room)
        far = ((ground.steps(ground.places[name])[to], name) for name in self.destinations())
        near = min(((steps, name) for steps, name in far if steps is not None), default=None)
        return None if near is None else near[1]

    def chances(self, seat: str) -> dict[str, float]:
        """
        Return the chance that a seat can suggest in each room in its turn, this one or the next.

        Whoever has not rolled may choose: stay, if that is allowed, take a passage, or roll. Where
        it may stand in several places, it is the greatest chance that it can be; where it is not
        told who plays whom, every room counts then.
        """
        rules, ground = self.rules, self.rules.ground
        state = self.turn_of(seat)
        place, board = state._place(seat) if rules.rooms else 0, rules.board
        if board is None or (place & (place - 1) and not rules.pieces):
            return dict.fromkeys(ground.bit, 1.0)
        told = replace(state, rules=rules.exactly()) if not rules.exact else state
        sure = told._standing(seat)
        if state.done & _ROLLED:
            return _shares(ground, [(1.0, sure | told._ahead(seat))])
        if state.done & _MOVED:
            return _shares(ground, [(1.0, sure)])
        sure |= rules.passages(place)
        taken = state._taken(rules.piece[rules.seats[seat]])
        rolls = enumerate(_rolls(board.dice))
        return _shares(
            ground,
            [(chance, sure | ground.reach(place, n, taken)) for n, chance in rolls if chance],
        )

    def turn_of(self, seat: str) -> "PlayState":
        """Return the state in a seat's turn: this one, if it has not suggested, or its next."""
        now = self._open and self.turns.seat == seat and not self.done & _SUGGESTED
        return self if now else self._opened(seat)

    def suggested(self, seat: str) -> bool:
        """Whether it is a seat's turn still and it has suggested in it."""
        return self._open and self.turns.seat == seat and bool(self.done & _SUGGESTED)

    def moved(self, seat: str) -> bool:
        """Whether it is a seat's turn and where its piece has gone in it was told."""
        return self._open and self.turns.seat == seat and bool(self.done & _MOVED)

    def unlooked(self, seat: str) -> tuple[str, ...]:
        """Return the rooms with a face-down card at which a seat has to look before it suggests."""
        locked, bit = self._locked(seat), self.rules.ground.bit
        return tuple(room for room in self.rules.slots if locked & bit[room])

    def uses(self) -> tuple[str, ...]:
        """Return the verbs of what a bonus die, a snoop and the like allow now."""
        return tuple(sorted(self._uses()))

    def third(self) -> tuple[str, ...]:
        """Return the suspects of the dice that the suggestion left over; none if not told."""
        return self._third()

    def started(self, seat: str, place: str, *, total: int | None = None) -> "PlayState":
        """
        Return the state in a seat's turn, its piece at a place and nothing done but a roll.

        Whoever was called to the place by another's suggestion still has been, where it is told who
        plays whom.

        Args:
            seat, place: As for `placed`.
            total: What was rolled; nothing yet if left out.
        """
        begun = self._open and self.turns.seat == seat and not self.done & (_MOVED | _SUGGESTED)
        opened = replace(self, done=0, total=None, dice=()) if begun else self._opened(seat)
        state = opened.placed(seat, place)
        if self.rules.pieces and state._place(seat) == opened._place(seat):
            state = opened
        return state if total is None else state.after(observed.Roll(by=seat, total=total))

    def placed(self, seat: str, place: str) -> "PlayState":
        """Return the state with a seat's piece in a room, on a square or where a suspect starts."""
        piece, starts = self.rules.piece[self.rules.seats[seat]], self.rules.ground.starts
        bit = starts.get(place, self.rules.ground.places.get(place, 0))
        called = self.called & ~(1 << self.rules.seats[seat])
        return self._with(places=self._put(piece, bit), called=called)

    def rooms(self) -> tuple[str, ...]:
        """Return the rooms in which whoever's turn it is may suggest in this turn, as it stands."""
        seat, ground = self.turn, self.rules.ground
        if seat is None:
            return ()
        state = self._at(seat)
        here = state._suggesting(seat)
        return tuple(room for room, bit in ground.bit.items() if here & bit)

    def suggestions(self, room: str | None = None) -> Iterator[tuple[str, ...]]:
        """
        Yield the cards of every suggestion that may be made now, in category order.

        Args:
            room: The only room that counts; every one of `rooms` if left out.
        """
        edition = self.rules.edition
        rooms = (room,) if room is not None else self.rooms()
        dice = self._at(self.turn)._suspects() if self.turn else None
        for kinds in combinations(edition.category, edition.named):
            names = [[card.name for card in kind.cards] for kind in kinds]
            names = [
                [card for card in kind if card not in self.rules.rooms or card in rooms]
                for kind in names
            ]
            for cards in product(*names):
                if dice is None or self._rolled(cards, dice):
                    yield cards

    # What is doubtful.

    def allows(self, observation: Observation) -> bool:
        """Return whether the rules allow this now."""
        return not self.doubts(observation)

    def doubts(self, observation: Observation) -> tuple[Irregularity, ...]:
        """Return which rules it breaks if this happens now; none if it is within them."""
        if not observation.turn:
            return tuple(self._of_clue_cards(observation))
        seat = str(getattr(observation, observation.form.subject))
        if self.over:
            return (Irregularity("over", seat),)
        if seat in self.out:
            return (Irregularity("out", seat, self.turn),)
        first = self._begins(observation, seat)
        skipped = self._skipped(seat) if first else ()
        if skipped:
            return (Irregularity("turn", seat, self._next(), skipped),)
        state = self._opened(seat) if first else self
        return tuple(state._broken(observation, seat))

    def _broken(self, observation: Observation, seat: str) -> Iterator[Irregularity]:
        """Yield what is against the rules inside a turn of the seat, which it is."""
        match observation:
            case observed.Roll():
                yield from self._of_roll(observation, seat)
            case observed.Move(to=to):
                yield from self._of_move(to, seat)
            case observed.Suggestion(cards=cards):
                yield from self._of_suggestion(cards, seat)
            case observed.Look(holder=holder) if holder not in self.rules.seats:
                yield from self._of_look(holder, seat)
            case observed.Look() | observed.Question() | observed.Peek() | observed.Finger():
                yield from self._of_use(observation, seat)
            case observed.Accusation():
                if (broken := self._accusing(seat)) is not None:
                    yield broken
            case _:
                pass

    # What becomes of it.

    def after(self, observation: Observation) -> "PlayState":
        """Return the state once this was observed, within the rules or not."""
        turns = self.turns.after(observation)
        if not observation.turn:
            return self if turns is self.turns else self._with(turns=turns)
        name = str(getattr(observation, observation.form.subject))
        seat = self.rules.seats.get(name)
        if seat is None:
            return self._with(turns=turns)
        state = self._opened(name) if self._begins(observation, name) else self
        done, places = state.done, state.places
        piece, ground = self.rules.piece[seat], self.rules.ground.places
        match observation:
            case observed.Roll(total=total, dice=dice):
                return state._with(turns=turns, done=done | _ROLLED, total=total, dice=dice)
            case observed.Move(to=to):
                return state._with(
                    turns=turns, done=done | _MOVED, places=state._put(piece, ground.get(to, 0))
                )
            case observed.Suggestion(cards=cards):
                places, called = state._call(cards, seat)
                done |= _SUGGESTED
                return state._with(turns=turns, done=done, used=cards, places=places, called=called)
            case observed.Look(holder=holder) if holder in self.rules.slots:
                slot = self.rules.slots[holder]
                looked = (*self.looked[:slot], self.looked[slot] | 1 << seat)
                there = places[piece] & ground[holder]
                if self.rules.board is None or not there:
                    done |= _MOVED  # else the piece may have stood there before the turn
                return state._with(
                    turns=turns, done=done, places=state._put(piece, ground[holder]),
                    looked=(*looked, *self.looked[slot + 1 :]),
                )  # fmt: skip
            case observed.Accusation(right=right):
                winner = name if right and self.winner is None else self.winner
                return state._with(turns=turns, winner=winner)._close()
            case observed.Skip():
                return state._with(turns=turns)._close()
            case _:
                return state._with(turns=turns, done=done | _BONUS)

    def ended(self) -> "PlayState":
        """Return the state once whoever has suggested ends the turn; the next has the turn then."""
        return self._close() if self._open and self.done & _SUGGESTED else self

    # Whose turn begins.

    def _with(self, **changes: Any) -> "PlayState":
        return replace(self, **changes)

    def _close(self) -> "PlayState":
        return self._with(done=self.done | _CLOSED)

    def _next(self) -> str | None:
        return self.turns.turn(self.rules.table)

    def _at(self, seat: str) -> "PlayState":
        """Return the state in the turn of the seat that has it."""
        return self if self._open and self.turns.seat == seat else self._opened(seat)

    def _begins(self, observation: Event, seat: str) -> bool:
        """Whether the seat must have begun a new turn where this was observed."""
        if self.turns.seat != seat or not self._open:
            return True
        if not self.done & _SUGGESTED:
            return False
        if isinstance(
            observation, observed.Suggestion | observed.Skip | observed.Roll | observed.Move
        ):
            return True
        alone = not self.rules.exact and self.rules.table.after(seat, out=self.out) == seat
        at_slot = isinstance(observation, observed.Look) and observation.holder in self.rules.slots
        used = self.done & _BONUS and not isinstance(observation, observed.Accusation)
        return alone and bool(at_slot or used)  # no line tells the end of the turn of the last one

    def _skipped(self, seat: str) -> tuple[str, ...]:
        """Return whose turns have passed where the seat begins one now."""
        skipped: list[str] = []
        turn = self._next()
        while turn is not None and turn != seat and turn not in skipped:
            skipped.append(turn)
            turn = self.rules.table.after(turn, out=self.out)
        return tuple(skipped)

    def _opened(self, seat: str) -> "PlayState":
        """Return the state at the beginning of the seat's turn."""
        before, called = self.rules.seats.get(self.turns.seat or ""), self.called
        if before is not None:
            called &= ~(1 << before)
        turns = TurnState(seat=seat, out=self.out, sizes=self.turns.sizes)
        return PlayState(
            rules=self.rules, turns=turns, places=self._walked(seat), called=called,
            looked=self.looked, winner=self.winner,
        )  # fmt: skip

    def _walked(self, seat: str) -> tuple[int, ...]:
        """Return where the pieces may stand once turns are over of which no move was told."""
        rules, last = self.rules, self.turns.seat
        if rules.board is None or last not in rules.seats:
            return self.places
        moved = self.done & (_MOVED | _SUGGESTED)
        if rules.told:
            if not rules.ground.way or moved or not self.done & _ROLLED:
                return self.places
            steps = {last: 0}
        else:
            steps = {} if moved else {last: self.total or rules.most}
            steps.update({each: rules.most for each in self._skipped(seat) if each != last})
        places = list(self.places)
        for name, far in steps.items():
            piece = rules.piece[rules.seats[name]]
            ahead = rules.ground.reach(places[piece], far, self._taken(piece)) if far else 0
            passed = rules.passages(places[piece]) if far else 0
            places[piece] |= ahead | passed | rules.ground.way
        return tuple(places)

    def _taken(self, piece: int) -> int:
        """Return the squares on which other pieces stand for certain."""
        taken = 0
        for other, place in enumerate(self.places):
            if other != piece and not place & (place - 1):
                taken |= place
        return taken & self.rules.ground.free

    # Where a seat may go, ask, look and accuse.

    def _place(self, seat: str) -> int:
        return self.places[self.rules.piece[self.rules.seats[seat]]]

    def _ahead(self, seat: str) -> int:
        """Return where the seat's piece may move now; anywhere, where a roll may be left out."""
        rules, done = self.rules, self.done
        ground, board = rules.ground, rules.board
        if board is None or done & (_MOVED | _SUGGESTED):
            return 0
        place, found = self._place(seat), 0
        if not done & _ROLLED and not rules.told:
            return (ground.inside | ground.free) & ~(0 if place & (place - 1) else place)
        if done & _ROLLED:
            taken = self._taken(rules.piece[rules.seats[seat]])
            found = ground.reach(place, self.total or rules.most, taken)
        if (board.passage == "after") == bool(done & _ROLLED):
            found |= rules.passages(place)
        return found

    def _standing(self, seat: str) -> int:
        """Return the rooms in which the seat may suggest, face-down cards apart."""
        rules = self.rules
        place = self._place(seat) & rules.ground.inside
        if self.done & _MOVED:
            return place
        if rules.board is None:
            return rules.ground.inside
        board = rules.board
        may = board.stay or (board.called and self.called >> rules.seats[seat] & 1)
        found = place if may else 0
        return found if rules.told else found | self._ahead(seat) & rules.ground.inside

    def _locked(self, seat: str) -> int:
        """Return the rooms with a face-down card that the seat has to look at first."""
        found, ground = 0, self.rules.ground
        for room, slot in self.rules.slots.items():
            if not self.looked[slot] >> self.rules.seats[seat] & 1:
                found |= ground.bit[room]
        return found

    def _suggesting(self, seat: str) -> int:
        return 0 if self.done & _SUGGESTED else self._standing(seat) & ~self._locked(seat)

    def _entered(self, seat: str) -> int:
        """Return the rooms in which the seat stands, or can be taken to have come."""
        rules, place = self.rules, self._place(seat)
        if rules.board is None and not self.done & _MOVED:
            return rules.ground.inside
        return place if rules.told else place | self._ahead(seat)

    def _unseen(self, seat: str) -> list[str]:
        """Return the face-down cards at which the seat may look now."""
        rules = self.rules
        if not rules.slots or self.done & _SUGGESTED:
            return []
        open_ = self._entered(seat) & self._locked(seat)
        return [room for room in rules.slots if open_ & rules.ground.bit[room]]

    def _may_roll(self) -> bool:
        dice = self.rules.board is not None or self.rules.edition.suspect_dice > 0
        return dice and not self.done & (_ROLLED | _MOVED | _SUGGESTED)

    def _may_suggest(self, seat: str) -> bool:
        if self.done & _SUGGESTED:
            return False
        if self.rules.rooms:
            return bool(self._suggesting(seat))
        return not self._must_roll()

    def _must_roll(self) -> bool:
        """Whether dice with suspects have to be rolled before suggesting."""
        dice = self.rules.exact and self.rules.edition.suspect_dice
        return bool(dice) and not self.done & _ROLLED

    def _suspects(self) -> tuple[str, ...] | None:
        """Return the suspects on the dice, `None` where the dice are not told."""
        return tuple(face for face in self.dice if face in self.rules.suspects) or None

    def _rolled(self, cards: Sequence[str], dice: Sequence[str]) -> bool:
        """Whether the dice have the suspects of these cards, one die for each."""
        named = Counter(str(self.rules.feature[card]) for card in cards)
        return named <= Counter(dice)

    def _third(self) -> tuple[str, ...]:
        """Return the suspects of the dice that the suggestion did not use; none if not told."""
        left = Counter(self._suspects() or ())
        left.subtract(str(self.rules.feature[card]) for card in self.used)
        return tuple(+left) if self.dice else ()

    def _uses(self) -> frozenset[str]:
        """Return the verbs of what a bonus die, a snoop and the like allow now."""
        bonus = self.rules.edition.bonus
        if self.done & _BONUS or (bonus and not self.done & _SUGGESTED):
            return frozenset()
        told = frozenset[str](bonus[face] for face in self.dice if face in bonus)
        return told or self.rules.uses

    def _accusing(self, seat: str) -> Irregularity | None:
        """Return what is against an accusation now."""
        rules, edition, done = self.rules, self.rules.edition, self.done
        if edition.accuse_when == "last":
            first = ["suggests"] * (not done & _SUGGESTED)
            first += sorted(self._uses() or rules.uses) if not done & _BONUS else []
            if first:
                return Irregularity("order", seat, seat, expected=tuple(first))
        if done & _SUGGESTED and not edition.accuses:
            return Irregularity("order", seat, seat)
        if edition.accuse_in == "room" and rules.board is not None:
            place = self._place(seat) | (0 if rules.told else self._ahead(seat))
            if not place & rules.ground.inside:
                return Irregularity("place", seat, seat)
        return None

    # What breaks which rule.

    def _of_roll(self, roll: observed.Roll, seat: str) -> Iterator[Irregularity]:
        rules, edition = self.rules, self.rules.edition
        if rules.board is None and not edition.suspect_dice:
            if rules.exact:
                yield Irregularity("edition", seat, seat)
            return
        if not self._may_roll():
            yield Irregularity("again" if self.done & _ROLLED else "order", seat, seat)
        if roll.total is None and not roll.dice:
            return
        if edition.suspect_dice:
            suspects = [face for face in roll.dice if face in rules.suspects]
            marks = [face for face in roll.dice if face not in rules.suspects]
            known = all(face in edition.bonus for face in marks)
            whole = len(marks) == bool(edition.bonus) or (not rules.exact and not marks)
            if roll.total or len(suspects) != edition.suspect_dice or not (known and whole):
                yield Irregularity("dice", seat, seat)
        elif rules.board is not None:
            least = rules.board.dice
            if (roll.dice and rules.exact) or not least <= (roll.total or least) <= rules.most:
                yield Irregularity("dice", seat, seat, roll=roll.total)

    def _of_move(self, to: str, seat: str) -> Iterator[Irregularity]:
        rules = self.rules
        if rules.board is None:
            if rules.exact:
                yield Irregularity("edition", seat, seat, place=to)
            return
        bit = rules.ground.places.get(to, 0)
        if not bit:
            yield Irregularity("place", seat, seat, place=to)
        elif self.done & _MOVED:
            yield Irregularity("again", seat, seat, place=to)
        elif not bit & self._ahead(seat):
            yield Irregularity("reach", seat, seat, place=to, roll=self.total)

    def _of_suggestion(self, cards: Sequence[str], seat: str) -> Iterator[Irregularity]:
        rules, dice = self.rules, self._suspects()
        if self._must_roll():
            yield Irregularity("order", seat, seat, expected=("rolls",))
        if rules.edition.suspect_dice and dice is not None and not self._rolled(cards, dice):
            yield Irregularity("dice", seat, seat, expected=dice)
        room = next((card for card in cards if card in rules.rooms), None)
        if room is None:
            return
        bit = rules.ground.bit[room]
        if not bit & self._standing(seat):
            stands = self.where(seat) if self.done & _MOVED or rules.told else ()
            rule: Rule = "place" if self.done & _MOVED or rules.told else "reach"
            yield Irregularity(rule, seat, seat, place=room, roll=self.total, expected=stands)
        if bit & self._locked(seat):
            yield Irregularity("look", seat, seat, place=room)

    def _of_look(self, slot: str, seat: str) -> Iterator[Irregularity]:
        rules = self.rules
        if slot not in rules.slots:
            if rules.exact:
                yield Irregularity("place", seat, seat, place=slot)
            return
        bit = rules.ground.bit[slot]
        if not bit & self._entered(seat):
            yield Irregularity("place", seat, seat, place=slot, expected=self.where(seat))
        elif rules.exact and self.done & _SUGGESTED:
            yield Irregularity("order", seat, seat, place=slot)
        elif rules.exact and not bit & self._locked(seat):
            yield Irregularity("again", seat, seat, place=slot)

    def _of_use(self, observation: Observation, seat: str) -> Iterator[Irregularity]:
        rules, verb = self.rules, _FREE[type(observation)]
        if self.done & _BONUS:
            yield Irregularity("again", seat, seat)
        elif rules.edition.bonus and not self.done & _SUGGESTED:
            yield Irregularity("order", seat, seat, expected=("suggests",))
        elif verb not in self._uses():
            rule: Rule = "dice" if verb in rules.uses else "edition"
            yield Irregularity(rule, seat, seat, expected=tuple(sorted(self._uses())))
        elif isinstance(observation, observed.Question) and rules.edition.suspect_dice:
            third = self._third() or tuple(rules.edition.features)
            if len(observation.about) != 1 or observation.about[0] not in third:
                yield Irregularity("dice", seat, seat, expected=third)

    def _of_clue_cards(self, observation: Observation) -> Iterator[Irregularity]:
        """Yield what is against a card revealed now, where everything is told."""
        if not self.rules.exact or isinstance(observation, observed.Hand | observed.Knowing):
            return
        seats, seat = self.rules.table.seats, str(getattr(observation, "seat", ""))
        if self.over:
            yield Irregularity("over", seat)
        elif not any(self.clue_cards()):
            yield Irregularity("edition" if not self.rules.edition.clues else "order", seat)
        elif isinstance(observation, observed.Reveal) and observation.to is not None:
            neighbour = seats[(seats.index(seat) + 1) % len(seats)]
            if observation.to != neighbour:
                yield Irregularity("edition", seat, self.turn, expected=(neighbour,))

    def clue_cards(self) -> tuple[int, ...]:
        """Return how many clue cards the roll can have drawn; none before it and after moving."""
        board, edition = self.rules.board, self.rules.edition
        if board is None or not (board.icon and edition.clues and self._open and self.total):
            return (0,)
        if self.done & (_MOVED | _SUGGESTED):
            return (0,)
        numbers = range(board.dice + 1)
        return tuple(
            icons
            for icons in numbers
            if 2 * (board.dice - icons) <= self.total - icons <= 6 * (board.dice - icons)
        )

    # What an observation changes on the board.

    def _put(self, piece: int, bit: int) -> tuple[int, ...]:
        """Return where the pieces stand once one of them stands at a place."""
        return (*self.places[:piece], bit, *self.places[piece + 1 :]) if bit else self.places

    def _call(self, cards: Sequence[str], seat: int) -> tuple[tuple[int, ...], int]:
        """Return where the pieces stand once these were suggested, and who may have been called."""
        rules = self.rules
        room = next((card for card in cards if card in rules.rooms), None)
        if room is None:
            return self.places, self.called
        bit, called = rules.ground.bit[room], self.called
        places = list(self.places)
        suspects = [card for card in cards if card in rules.suspects]
        if rules.pieces:
            for suspect in suspects:
                piece = rules.pieces[suspect]
                places[piece] = bit
                owner = rules.owner.get(piece, seat)
                called |= (owner != seat) << owner
        elif suspects:
            for other in rules.owner.values():
                places[other] |= bit
                called |= (other != seat) << other
        places[rules.piece[seat]] = bit
        return tuple(places), called


def _shares(ground: Ground, ways: Sequence[tuple[float, int]]) -> dict[str, float]:
    """Return the chance of each room from the chances of sets of places."""
    return {
        room: min(1.0, fsum(chance for chance, places in ways if places & bit))
        for room, bit in ground.bit.items()
    }


@cache
def _rolls(dice: int) -> tuple[float, ...]:
    """Return the chance of each total of so many dice, from 0 on."""
    ways = [1]
    for _ in range(dice):
        sides = range(1, 7)
        ways = [
            sum(ways[total - side] for side in sides if 0 <= total - side < len(ways))
            for total in range(len(ways) + 6)
        ]
    return tuple(way / 6**dice for way in ways)
