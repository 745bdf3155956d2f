"""
The rules of play, written a second time from the page on editions and not from the program's code.

`Referee` judges games that record everything, dice and moves too; for each action, it looks back
over the whole game. `breaches` judges records that may leave dice and moves out; it assumes that
what is left out kept to the rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from clue_solver.rules.observations import (
    Accusation,
    Draw,
    Finger,
    Hand,
    Knowing,
    Look,
    Move,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Roll,
    Skip,
    Stay,
    Suggestion,
)
from clue_solver.rules.table import Table

DICED = ("clue-diced", "clue-diced-master", "clue-express")
MAY_STAY = ("clue-2015", "cluedo-watson")
SCARLETT_FIRST = ("clue-1996", "clue-2015", "clue-classic", "cluedo-watson")
DRAWN = ("clue-1996", "clue-2015", "clue-classic", "clue-custom", "cluedo-watson")
FACES: dict[str, type] = {
    "glass": Look,
    "question": Question,
    "eye": Peek,
    "finger": Finger,
    "blank": type(None),
}
CLUES = ("suspect", "weapon", "room", "left", "left", "all", "one", "move", "passage")
ROOMS = (
    "Kitchen",
    "Ballroom",
    "Conservatory",
    "Dining Room",
    "Billiard Room",
    "Library",
    "Lounge",
    "Hall",
    "Study",
)
PASSAGES = {
    "Kitchen": "Study",
    "Study": "Kitchen",
    "Conservatory": "Lounge",
    "Lounge": "Conservatory",
}

CORRIDORS = """\
         .    .
       ...    ...
      ..        ..
      ..        ..
      ..        ..
      ..        ...
      ..        ........
........        .......
 .................
     .............
        ..     ...
        ..     ...
        ..     ...
        ..     ........
        ..     ...
        ..     ..
 .........     ..
.................
 ........      ...
       ..      .........
       ..      ........
       ..      ..
       ..      ..
       ..      ..
       .        .
""".splitlines()
DOORS = {
    "Kitchen": [(7, 4)],
    "Ballroom": [(5, 7), (5, 16), (8, 9), (8, 14)],
    "Conservatory": [(5, 18)],
    "Dining Room": [(12, 8), (16, 6)],
    "Billiard Room": [(9, 17), (13, 22)],
    "Library": [(16, 16), (13, 20)],
    "Lounge": [(18, 6)],
    "Hall": [(17, 11), (17, 12), (20, 15)],
    "Study": [(20, 17)],
}
STARTS = {
    "Scarlett": (24, 7),
    "Mustard": (17, 0),
    "White": (0, 9),
    "Green": (0, 14),
    "Peacock": (6, 23),
    "Plum": (19, 23),
}

Square = tuple[int, int]
Place = str | Square


class Map:
    """The board of an edition, by the names of its rooms."""

    def __init__(self, table: Table) -> None:
        edition = table.edition
        self.rooms = [card.name for card in edition.category[-1].cards]
        named = dict(zip(ROOMS, self.rooms, strict=True))
        suspects = [card.name for card in edition.category[0].cards]
        squares = {(y, x) for y, row in enumerate(CORRIDORS) for x, m in enumerate(row) if m == "."}
        doors, starts = dict(DOORS), dict(zip(suspects, STARTS.values(), strict=True))
        if edition.name == "clue-2015":
            doors |= {"Conservatory": [(6, 18)], "Hall": [(17, 11), (17, 12)]}
            squares = squares - {(6, 23)} | {(7, 23)}
            starts["Peacock"] = (7, 23)
        self.doors = {named[room]: squares_ for room, squares_ in doors.items()}
        self.passages = {named[one]: named[other] for one, other in PASSAGES.items()}
        self.squares, self.starts = squares, starts

    def place(self, name: str) -> Place:
        """Return the room or the square with a name."""
        places: list[Place] = [*self.squares, *self.rooms]
        return next(place for place in places if spoken(place) == name)

    def ways(self, place: Place, far: int, taken: Iterable[Square] = ()) -> set[Place]:
        """Return the places that a piece can reach in at most `far` steps."""
        blocked = set(taken)
        seen: dict[Place, int] = {place: 0}
        queue = deque([place])
        while queue:
            here = queue.popleft()
            if seen[here] == far or (isinstance(here, str) and here != place):
                continue  # a room ends the move
            for there in self._beside(here):
                if there not in seen and there not in blocked:
                    seen[there] = seen[here] + 1
                    queue.append(there)
        return set(seen) - {place}

    def _beside(self, here: Place) -> Iterator[Place]:
        """Yield the places that are one step away."""
        if isinstance(here, str):
            yield from self.doors[here]
            return
        y, x = here
        yield from {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & self.squares
        yield from (room for room, doors in self.doors.items() if here in doors)

    def goals(self, place: Place, far: int, taken: Iterable[Square]) -> set[Place]:
        """Return where a move of `far` steps can end: on no square twice; a room ends it early."""
        blocked, ends = set(taken), set[Place]()

        def walk(here: Place, left: int, been: frozenset[Place]) -> None:
            if here != place and (not left or isinstance(here, str)):
                ends.add(here)
            elif left:
                for there in self._beside(here):
                    if there not in been and there not in blocked:
                        walk(there, left - 1, been | {there})

        walk(place, far, frozenset({place}))
        return ends

    def steps(self, one: Place, other: str) -> int:
        """Return how many steps a room is away."""
        return next(far for far in range(1, 99) if other in self.ways(one, far))


class Referee:
    """Judges a game that records all dice, moves and pieces."""

    def __init__(self, table: Table) -> None:
        self.table, self.name = table, table.edition.name
        self.seats = list(table.seats)
        self.past: list[Observation] = []
        self.map = Map(table) if self.name in DRAWN and table.board is None else None
        suspects = [card.name for card in table.edition.category[0].cards]
        self.at: dict[str, Place] = dict(self.map.starts) if self.map else {}
        played = zip(table.seats, table.pieces, strict=False)
        self.plays = {seat: piece for seat, piece in played if piece is not None}
        if self.name == "cluedo-watson" and self.plays:  # spare pieces lie in rooms
            self.at = {name: at for name, at in self.at.items() if name in table.pieces}
        self.called: set[str] = set()
        self.seen: set[tuple[str, str]] = set()
        self.out: set[str] = set()
        self.won = False
        self.now: str | None = table.first
        if self.now is None and self.plays and self.name in SCARLETT_FIRST:
            self.now = next(s for name in suspects for s in self.seats if self.plays[s] == name)
        self.turn: list[Observation] = []
        self.drawn: list[str] = []  # clue cards, of the whole game

    # The past of this turn.

    def did(self, kind: type) -> Observation | None:
        """Return the first action of a kind in this turn; `None` if there is none."""
        return next(
            (observation for observation in self.turn if isinstance(observation, kind)), None
        )

    def used(self) -> bool:
        """Whether the bonus die, or the snoop, has been used."""
        return any(
            isinstance(observation, Question | Peek | Finger)
            or (isinstance(observation, Look) and observation.holder in self.seats)
            for observation in self.turn
        )

    def over(self) -> bool:
        """Return whether the game is over."""
        return self.won or len(self.out) == len(self.seats)

    def after(self, seat: str) -> str:
        """Return the seat whose turn comes after that of another."""
        place = self.seats.index(seat)
        around = [*self.seats[place + 1 :], *self.seats[: place + 1]]
        return next((other for other in around if other not in self.out), seat)

    # Judgement.

    def legal(self, action: Observation) -> bool:
        """Return whether the rules allow an action now."""
        if isinstance(action, Hand | Knowing):
            return True
        if self.over():
            return False
        if isinstance(action, Reveal | Nobody):
            return self._clue_card(action)
        if action.by in self.out:
            return False
        if self.now is not None and action.by != self.now:
            if not self.did(Suggestion) or action.by != self.after(self.now):
                return False  # only whoever has suggested may leave the turn to the next
            saved, self.turn = self.turn, []
            called = self.called - {self.now}
            was, self.called, self.now, before = self.called, called, action.by, self.now
            answer = self._inside(action)
            self.turn, self.called, self.now = saved, was, before
            return answer
        return self._inside(action)

    def _inside(self, action: Observation) -> bool:
        match action:
            case Skip():
                alone = set(self.seats) - self.out == {action.by}
                return alone or not self.did(Suggestion)
            case Roll():
                return self._roll(action)
            case Draw(kind=kind):
                return self._owed() and kind in self._deck()
            case Move(by=by, to=to):
                return self.map is not None and to in {spoken(p) for p in self._goals(by)}
            case Stay(by=by):
                return self._stays(by)
            case Suggestion():
                return self._suggestion(action)
            case Look(by=by, holder=room) if room not in self.seats:
                return self._look(by, room)
            case Look() | Question() | Peek() | Finger():
                return self._bonus(action)
            case Accusation(by=by):
                return self._accusation(by)
        raise AssertionError(action)

    def _again(self, by: str) -> bool:
        """Return whether the only player who is left begins another turn."""
        return bool(self.did(Suggestion)) and set(self.seats) - self.out == {by}

    def _roll(self, roll: Roll) -> bool:
        done = bool(self.turn) and not all(
            isinstance(observation, Look) for observation in self.turn
        )
        if done and not self._again(roll.by):
            return False
        if self.name in DICED:
            if not roll.dice:
                return roll.total is None
            suspects = {card.feature for card in self.table.edition.cards}
            *three, blue = roll.dice
            return len(three) == 3 and set(three) <= suspects and blue in FACES
        if self.map is None or roll.dice:
            return False
        if roll.total is None:
            return True
        if self.name == "clue-2015":  # an icon stands in place of the 1
            others = 2 - len(roll.icons)
            return others >= 0 and 2 * others <= roll.total - len(roll.icons) <= 6 * others
        dice = 1 if self.name == "clue-custom" else 2
        return not roll.icons and dice <= roll.total <= 6 * dice

    def _owed(self) -> bool:
        """Return whether an icon was rolled for which no clue card has been drawn yet."""
        rolled = self.did(Roll)
        if not isinstance(rolled, Roll) or self.did(Move) or self.did(Stay) or self.did(Suggestion):
            return False
        return len(rolled.icons) > sum(isinstance(observation, Draw) for observation in self.turn)

    def _deck(self) -> set[str]:
        """Return the clue cards that can be on top; used ones go to the bottom."""
        if len(self.drawn) >= len(CLUES):
            return {self.drawn[-len(CLUES)]}
        left = list(CLUES)
        for kind in self.drawn:
            left.remove(kind)
        return set(left)

    def _waits(self, by: str) -> bool:
        """Return whether a roll or a clue card has to come first."""
        if self.name != "clue-2015" or self._again(by) or not self.did(Roll):
            return self.name == "clue-2015"
        return self._owed()

    def _stays(self, by: str) -> bool:
        if self.map is None or self.did(Move) or self.did(Stay) or self.did(Suggestion):
            return self.map is not None and self._again(by) and self._may_stay(by)
        return not self._waits(by) and self._may_stay(by)

    def _may_stay(self, by: str) -> bool:
        if not isinstance(self.at[self.plays[by]], str):
            return False
        if self._again(by):
            return self.name in MAY_STAY and self.name != "clue-2015"
        return self.name in MAY_STAY or by in self.called

    def _goals(self, by: str) -> set[Place]:
        assert self.map is not None
        again = self._again(by)
        if not again and (self.did(Move) or self.did(Stay) or self.did(Suggestion)):
            return set()
        if self._waits(by):
            return set()
        here = self.at[self.plays[by]]
        rolled = None if again else self.did(Roll)
        goals: set[Place] = set()
        if isinstance(rolled, Roll):
            others = {
                at
                for suspect, at in self.at.items()
                if suspect != self.plays[by] and not isinstance(at, str)
            }
            goals = self.map.ways(here, rolled.total or 12, others)
            if self.name == "clue-2015" and rolled.total is not None:
                goals = self.map.goals(here, rolled.total, others)
        drawn = (
            {observation.kind for observation in self.turn if isinstance(observation, Draw)}
            if not again
            else set()
        )
        if "move" in drawn:
            goals |= set(self.map.rooms) - {here}
        if "passage" in drawn:
            goals |= set(self.map.passages) - {here}
        icons_first = self.name == "clue-2015"
        if here in self.map.passages and icons_first == (rolled is not None):
            goals.add(self.map.passages[str(here)])
        return goals

    def _suggestion(self, asked: Suggestion) -> bool:
        by, again = asked.by, self._again(asked.by)
        if self.did(Suggestion) and not again:
            return False
        if self.name in DICED:
            rolled = None if again else self.did(Roll)
            if not isinstance(rolled, Roll):
                return False
            feature = {card.name: card.feature for card in self.table.edition.cards}
            left = list(rolled.dice[:3])
            for card in asked.cards:
                if feature[card] not in left:
                    return False
                left.remove(str(feature[card]))
            return True
        room = asked.cards[-1]
        if self.map is not None:
            if self.at[self.plays[by]] != room:
                return False
            came = not again and (self.did(Move) or self.did(Stay))
            if not came and self._waits(by):
                return False
            if not (came or self.name in MAY_STAY or (by in self.called and not again)):
                return False
        elif not again:
            looked = [
                observation.holder for observation in self.turn if isinstance(observation, Look)
            ]
            if any(holder in self.table.edition.rooms and holder != room for holder in looked):
                return False  # she is in that room
        return not self._covered(by, room)

    def _covered(self, by: str, room: str) -> bool:
        slots = {slot.name for slot in self.table.slots}
        return room in slots and (by, room) not in self.seen

    def _look(self, by: str, room: str) -> bool:
        if self.did(Suggestion) or not self._covered(by, room):
            return False
        if room not in self.table.edition.rooms:
            return False
        if self.map is not None:
            return self.at[self.plays[by]] == room
        return not any(
            isinstance(observation, Look) and observation.holder != room
            for observation in self.turn
        )

    def _bonus(self, action: Observation) -> bool:
        if self.name in DICED:
            rolled = self.did(Roll)
            asked = self.did(Suggestion)
            if not isinstance(asked, Suggestion) or not isinstance(rolled, Roll) or self.used():
                return False
            if not isinstance(action, FACES[rolled.dice[-1]]):
                return False
            if isinstance(action, Question):
                left = list(rolled.dice[:3])
                feature = {card.name: card.feature for card in self.table.edition.cards}
                for card in asked.cards:
                    left.remove(str(feature[card]))
                return len(action.about) == 1 and action.about[0] in left
            return True
        return self.name == "master-detective" and isinstance(action, Look) and not self.used()

    def _accusation(self, by: str) -> bool:
        if self.name in DICED:
            rolled = self.did(Roll)
            blank = isinstance(rolled, Roll) and rolled.dice[-1:] == ("blank",)
            return self.did(Suggestion) is not None and (self.used() or blank)
        if self.name == "cluedo-watson":
            return self.did(Suggestion) is not None
        if self.name == "clue-2015" and self.map is not None:
            return isinstance(self.at[self.plays[by]], str)
        return True

    def _clue_card(self, action: Observation) -> bool:
        drawn = [observation.kind for observation in self.turn if isinstance(observation, Draw)]
        if not drawn or drawn[-1] in ("move", "passage"):
            return False
        if self.did(Move) or self.did(Stay) or self.did(Suggestion):
            return False
        to = action.to if isinstance(action, Reveal) else None
        if drawn[-1] == "left":
            if not isinstance(action, Reveal):
                return False
            return to == self.seats[(self.seats.index(action.seat) + 1) % len(self.seats)]
        return to == (self.now if drawn[-1] == "one" else None)

    # What happens.

    def tell(self, action: Observation) -> None:
        """Record a legal action, and what it changes."""
        self.past.append(action)
        if isinstance(action, Hand | Knowing | Reveal | Nobody):
            return
        if action.by != self.now or (
            self._again(action.by)
            and isinstance(action, Suggestion | Skip | Roll | Draw | Move | Stay)
        ):
            if self.now is not None:
                self.called.discard(self.now)
            self.now, self.turn = action.by, []
        self.turn.append(action)
        match action:
            case Move(by=by, to=to):
                assert self.map is not None
                self.at[self.plays[by]] = self.map.place(to)
            case Draw(kind=kind):
                self.drawn.append(kind)
            case Suggestion(by=by, cards=cards) if self.map is not None:
                self.at[cards[0]] = cards[-1]
                self.called |= {s for s in self.seats if self.plays[s] == cards[0] and s != by}
            case Look(by=by, holder=room) if room not in self.seats:
                self.seen.add((by, room))
            case Accusation(by=by, right=right):
                self.won = self.won or right
                if not right:
                    self.out.add(by)
                    self._leave_door(by)
                self._pass()
            case Skip():
                self._pass()
            case _:
                pass

    def _leave_door(self, by: str) -> None:
        if self.name == "clue-custom" and self.map is not None:
            at = self.at[self.plays[by]]
            behind = [room for room, doors in self.map.doors.items() if at in doors]
            self.at[self.plays[by]] = behind[0] if behind else at

    def end(self) -> None:
        """End the turn of a player who has suggested."""
        assert self.did(Suggestion)
        self._pass()

    def _pass(self) -> None:
        assert self.now is not None
        self.called.discard(self.now)
        self.now, self.turn = self.after(self.now), []


def breaches(table: Table, observations: Iterable[Observation]) -> list[str]:
    """Return what breaks the rules in a record: for each breach the entry's number, and why."""
    reasons: list[str] = []
    notes = _Notes(table)
    for entry, observation in enumerate(observations, 1):
        if not isinstance(observation, Hand | Knowing | Reveal | Nobody):
            reasons += [f"{entry}: {why}" for why in notes.read(observation)]
    return reasons


class _Notes:
    """Reads a record from its first line to its last."""

    def __init__(self, table: Table) -> None:
        self.table, self.name = table, table.edition.name
        self.map = Map(table) if self.name in DRAWN and table.board is None else None
        self.at: dict[str, set[Place] | None] = dict.fromkeys(table.seats)
        if self.map is not None and table.pieces:
            for seat, piece in zip(table.seats, table.pieces, strict=True):
                self.at[seat] = None if piece is None else {self.map.starts[piece]}
        self.maybe_called: set[str] = set()
        self.seen: set[tuple[str, str]] = set()
        self.out: set[str] = set()
        self.over = False
        self.turn: list[Observation] = []
        self.by: str | None = None
        self.here: Place | None = None  # the room of this turn, or the square
        if self.name in SCARLETT_FIRST and table.pieces and table.first is None:
            suspects = [card.name for card in table.edition.category[0].cards]
            self.starts: str | None = table.seats[
                table.pieces.index(next(name for name in suspects if name in table.pieces))
            ]
        else:
            self.starts = table.first

    def did(self, *kinds: type) -> bool:
        return any(isinstance(observation, kinds) for observation in self.turn)

    def used(self) -> bool:
        """Whether the bonus die, or the snoop, has been used."""
        return self.did(Question, Peek, Finger) or any(
            isinstance(observation, Look) and observation.holder in self.table.seats
            for observation in self.turn
        )

    def read(self, observation: Observation) -> Iterator[str]:
        by: str = observation.by  # type: ignore[union-attr]
        if self.over:
            yield "the game was over"
        if by in self.out:
            yield f"{by} is out"
        aside = isinstance(self.here, tuple) and by != self.by  # nobody suggests on a square
        ended = aside or self.did(Suggestion, Skip, Accusation)
        new_turn = isinstance(
            observation, Suggestion | Skip | Roll | Draw | Move | Stay
        ) or self.did(Skip, Accusation)
        if self._following(by) == by:  # no line tells the end of the turn of the last one
            at_slot = isinstance(observation, Look) and observation.holder not in self.table.seats
            new_turn = (
                new_turn or at_slot or (self.used() and not isinstance(observation, Accusation))
            )
        if by != self.by or (ended and new_turn):
            due = self.starts if self.by is None else self.by
            if self.by is not None and ended:
                due = self._following(self.by)
            if due is not None and due != by:
                yield f"it is {due}'s turn"
            if self.by is not None:
                self.maybe_called.discard(self.by)
            self.by, self.turn, self.here = by, [], None
        yield from self._inside(observation, by)
        self.turn.append(observation)
        if isinstance(observation, Accusation):
            self.over = self.over or observation.right
            self.out |= set() if observation.right else {by}

    def _following(self, seat: str) -> str:
        around = [*self.table.seats, *self.table.seats]
        rest = around[around.index(seat) + 1 :]
        return next((other for other in rest if other not in self.out), seat)

    def _inside(self, observation: Observation, by: str) -> Iterator[str]:
        match observation:
            case Roll():
                if self.did(Roll, Move, Suggestion):
                    yield "no roll is due"
                dice = 1 if self.name == "clue-custom" else 2
                if self.map is not None and not dice <= (observation.total or 0) <= 6 * dice:
                    yield "no dice give that"
            case Move(to=to):
                yield from self._enters(by, to if self.map is None else self.map.place(to))
            case Stay():
                yield from self._stayed(by)
            case Skip():
                if not self.did(Move):
                    self._walked(by)
            case Suggestion(cards=cards):
                yield from self._asks(by, cards)
            case Look(holder=slot) if slot not in self.table.seats:
                stands = self.map is not None and slot in (self.at[by] or ())
                if stands:
                    self.at[by] = {slot}
                elif self.here != slot:
                    yield from self._enters(by, slot)
                self.seen.add((by, slot))
            case Look() | Question() | Peek() | Finger():
                if self.name in DICED and not self.did(Suggestion):
                    yield "the bonus die comes after the suggestion"
                if self.used():
                    yield "there is one bonus a turn"
                face = self._dice()[-1:]
                if self.name in DICED and face and not isinstance(observation, FACES[face[0]]):
                    yield "the bonus die shows something else"
                if isinstance(observation, Question) and len(observation.about) != 1:
                    yield "the question is about one suspect"
            case Accusation():
                if self.name in DICED and not self.did(Suggestion):
                    yield "an accusation comes after the suggestion"
                rolled = next((earlier for earlier in self.turn if isinstance(earlier, Roll)), None)
                blank = rolled is None or not rolled.dice or rolled.dice[-1] == "blank"
                if self.name in DICED and not blank and not self.used():
                    yield "an accusation comes after the bonus die"
                at = self.at[by]
                if self.name == "clue-2015" and at and not any(isinstance(p, str) for p in at):
                    yield "an accusation is made in a room"
                if self.name == "cluedo-watson" and not self.did(Suggestion):
                    yield "an accusation comes after the suggestion"

    def _walked(self, by: str) -> None:
        """Note where a player who skips may have gone, by the dice or a passage."""
        at = self.at[by]
        if self.map is None or at is None:
            return
        rolled = next((earlier for earlier in self.turn if isinstance(earlier, Roll)), None)
        far = rolled.total if rolled is not None and rolled.total else 12
        ways = {way for here in at for way in self.map.ways(here, far)}
        if rolled is None or self.name == "clue-2015":  # there after the roll, too
            ways |= {self.map.passages[str(here)] for here in at if here in self.map.passages}
        self.at[by] = at | ways

    def _stayed(self, by: str) -> Iterator[str]:
        at = self.at[by]
        rooms: set[Place] | None = None
        if at is not None:
            rooms = {place for place in at if isinstance(place, str)}
        if rooms is not None and not rooms:
            yield f"{by} is in no room"
        elif self.name not in MAY_STAY and by not in self.maybe_called:
            yield f"{by} has to leave"
        self.at[by] = rooms
        if rooms is not None and len(rooms) == 1:
            (self.here,) = map(str, rooms)

    def _dice(self) -> tuple[str, ...]:
        """Return the faces that were rolled in this turn; empty if they are not recorded."""
        rolled = next(
            (observation for observation in self.turn if isinstance(observation, Roll)), None
        )
        return rolled.dice if rolled is not None else ()

    def _rolled(self, cards: tuple[str, ...]) -> bool:
        """Return whether each suspect has a die of its own; true if the dice are not recorded."""
        left = list(self._dice()[:3])
        feature = {card.name: str(card.feature) for card in self.table.edition.cards}
        for card in cards if left else ():
            if feature[card] not in left:
                return False
            left.remove(feature[card])
        return True

    def _asks(self, by: str, cards: tuple[str, ...]) -> Iterator[str]:
        if self.name in DICED:
            if not self._rolled(cards):
                yield "the dice do not show these suspects"
            return
        room = cards[-1]
        if self.here != room:
            stays = self.name in MAY_STAY or by in self.maybe_called
            if not (stays and self.at[by] is not None and room in (self.at[by] or ())):
                yield from self._enters(by, room)
        if any(slot.name == room for slot in self.table.slots) and (by, room) not in self.seen:
            yield f"{by} has not looked at the card in {room}"
        self.here, self.at[by] = room, {room}
        for place, seat in enumerate(self.table.seats):
            if self.table.pieces and self.table.pieces[place] == cards[0] and seat != by:
                self.at[seat] = {room}
                self.maybe_called.add(seat)
            elif not self.table.pieces and seat != by:
                if self.at[seat] is not None:
                    self.at[seat] = {room, *(self.at[seat] or ())}
                self.maybe_called.add(seat)

    def _enters(self, by: str, room: Place) -> Iterator[str]:
        """Move a player to a place; yield why that is impossible by the recorded dice, if it is."""
        at, before = self.at[by], self.here
        self.at[by], self.here = {room}, room
        if before is not None:
            yield f"{by} is in {before}"
        elif self.map is not None and at is not None:
            rolled = next(
                (observation for observation in self.turn if isinstance(observation, Roll)), None
            )
            if rolled is None:
                if at == {room}:
                    yield f"{by} did not leave {room}"
                return
            ways = {way for here in at for way in self.map.ways(here, rolled.total or 12)}
            if self.name == "clue-2015":
                ways |= {self.map.passages[str(here)] for here in at if here in self.map.passages}
            drawn = {observation.kind for observation in self.turn if isinstance(observation, Draw)}
            ways |= set(self.map.rooms) if "move" in drawn else set()
            ways |= set(self.map.passages) if "passage" in drawn else set()
            if room not in ways:
                yield f"{rolled.total} is not enough for {room}"


def spoken(place: Place) -> str:
    """Return the name of a room, or of a square: its column's letter and its row's number."""
    return (
        place if isinstance(place, str) else f"{'ABCDEFGHIJKLMNOPQRSTUVWX'[place[1]]}{place[0] + 1}"
    )
