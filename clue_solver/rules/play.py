"""
The state of play: a game as it stands, and what may be done in it now.

What an edition allows stands in its file; here it is applied.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product, takewhile
from math import fsum

from msgspec.structs import replace

from clue_solver.errors import ArgumentError
from clue_solver.rules import observations as observed
from clue_solver.rules.board import places_in
from clue_solver.rules.irregularities import Irregularity, irregularities
from clue_solver.rules.observations import Observation
from clue_solver.rules.permissions import VERBS, Permissions
from clue_solver.rules.state import MOVED, ROLLED, SUGGESTED, GameState
from clue_solver.rules.table import Table


class PlayState(GameState, frozen=True, kw_only=True):
    """
    A game as far as it has been played; `PlayState.begin(table)` is one that has not begun.

    Actions are observations of which nothing is known yet that only shows when it is done:
    answers, a card that is seen, the dice (`Roll(by="Ann")`); an accusation is listed as wrong.
    Attributes are those of `GameState`.

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
    """

    def __repr__(self) -> str:
        turn = "over" if self.over else f"turn of {self.turn or 'nobody known'}"
        return f"<PlayState: {', '.join(self.rules.table.seats)}; {turn}>"

    def _now(self) -> Permissions:
        """Return what whoever's turn it is may do now."""
        seat = self.turn or ""
        return Permissions(self.opened(seat) if seat and not self.goes_on(seat) else self, seat)

    def verbs(self) -> tuple[str, ...]:
        """Return what whoever's turn it is may do now: verbs of lines, in the order of a turn."""
        return tuple(filter(self._now().may, VERBS))

    def may(self, verb: str) -> bool:
        """Return whether a verb is one of `verbs`, and look at no other."""
        return self._now().may(verb)

    def actions(self) -> tuple[Observation, ...]:
        """
        Return every action that whoever's turn it is may take now; none when it is over.

        Whoever has suggested may also end the turn, which no line tells: `ended` does.
        """
        now = self._now()
        seat = now.seat
        actions: list[Observation] = []
        if now.may_roll:
            actions.append(observed.Roll(by=seat))
        if now.may_draw:
            kinds = self.next_clues() if self.rules.exact else self.rules.table.clues
            actions += [observed.Draw(by=seat, kind=kind) for kind in sorted(kinds)]
        actions += [observed.Move(by=seat, to=place) for place in self.destinations()]
        if now.may_stay:
            actions.append(observed.Stay(by=seat))
        actions += [observed.Look(by=seat, holder=slot) for slot in now.face_down]
        if now.may_suggest:
            actions += [observed.Suggestion(by=seat, cards=cards) for cards in self.suggestions()]
        actions += self.extras()
        if now.may_accuse:
            for cards in self._solutions():
                actions.append(observed.Accusation(by=seat, cards=cards, right=False))
        if now.may("skips"):
            actions.append(observed.Skip(by=seat))
        return tuple(actions)

    def extras(self) -> Iterator[Observation]:
        """Yield what a bonus die, a snoop and the like let whoever's turn it is do now."""
        now = self._now()
        seat = now.seat
        others = [other for other in self.rules.table.seats if other != seat]
        for verb in sorted(now.uses):
            match verb:
                case "looks":
                    yield from (observed.Look(by=seat, holder=other) for other in others)
                case "asks":
                    third = now.third or tuple(self.rules.edition.features)
                    for other, name in product(others, third):
                        yield observed.Question(by=seat, seat=other, about=(name,))
                case "peeks":
                    yield observed.Peek(by=seat)
                case "points":
                    yield from (observed.Finger(by=seat, cards=c) for c in self._solutions())

    def _solutions(self) -> Iterator[tuple[str, ...]]:
        """Yield a card of each category, in every way."""
        categories = self.rules.edition.category
        return product(*([card.name for card in kind.cards] for kind in categories))

    def face_down(self) -> tuple[str, ...]:
        """Return the face-down cards at which whoever's turn it is may look now."""
        return self._now().face_down

    def destinations(self) -> tuple[str, ...]:
        """Return where whoever's turn it is may move now: rooms, then squares."""
        now = self._now()
        ground = self.rules.ground
        rooms = places_in(now.ahead & ground.inside)
        squares = places_in(now.ahead & ground.free)
        return tuple(ground.names[place] for place in (*rooms, *squares))

    def towards(self, room: str) -> str | None:
        """Return the destination from which it is the fewest steps to a room; `None` for none."""
        ground = self.rules.ground
        if room not in ground.bit:
            reason = f"room: expected one of {', '.join(ground.bit)}; found {room!r}"
            raise ArgumentError(reason, argument="room")
        to = [*ground.bit].index(room)
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
        rules = self.rules
        ground = rules.ground
        state = self.turn_of(seat)
        place = state.stands(seat) if rules.rooms else 0
        if rules.board is None or (place & (place - 1) and rules.seats[seat] in rules.unknown):
            return dict.fromkeys(ground.bit, 1.0)
        may = Permissions(replace(state, rules=rules.exactly()), seat)
        # The rooms in reach, and the chance of each roll.
        if state.done & MOVED:
            ways = [(1.0, may.standing)]
        elif state.done & ROLLED:
            ways = [(1.0, may.home | may.within)]
        else:
            sure = may.home | rules.passages(place)
            taken = state.taken(rules.piece_of(seat))
            ways = [
                (chance, sure | ground.reach(place, total, taken))
                for total, chance in enumerate(_rolls(rules.board.dice))
                if chance
            ]
        return {
            room: min(1.0, fsum(chance for chance, rooms in ways if rooms & bit))
            for room, bit in ground.bit.items()
        }

    def squares(self, seat: str) -> tuple[str, ...]:
        """
        Return the squares to which a seat can move in its turn, this one or the next.

        They are those of its roll; before that, of the most that the dice can show.
        """
        ground = self.rules.ground
        state = self.turn_of(seat)
        if state.done & ROLLED:
            exact = replace(state, rules=self.rules.exactly())
            places = Permissions(exact, seat).within
        else:
            taken = state.taken(self.rules.piece_of(seat))
            places = ground.reach(state.stands(seat), self.rules.most, taken)
        return tuple(ground.names[each] for each in places_in(places & ground.free))

    def unlooked(self, seat: str) -> tuple[str, ...]:
        """Return the rooms with a face-down card at which a seat has to look before it suggests."""
        locked = Permissions(self, seat).locked
        return tuple(room for room in self.rules.slots if locked & self.rules.ground.bit[room])

    def uses(self) -> tuple[str, ...]:
        """Return the verbs of what a bonus die, a snoop and the like allow now."""
        return tuple(sorted(self._now().uses))

    @property
    def pending(self) -> bool:
        """Whether whoever's turn it is has suggested, and may use the bonus die still."""
        asked = self.done & SUGGESTED and self.rules.edition.bonus
        return bool(asked) and bool(self.uses())

    @property
    def due(self) -> str | None:
        """
        Who is to act; `None` once it is over, or where it is not known.

        That is the next seat once one has suggested, unless a bonus die was rolled and is not used.
        """
        rolled = any(face in self.rules.edition.bonus for face in self.dice)
        if self.over or (rolled and self.pending):
            return self.turn
        return self.turns.turn(self.rules.table)

    def third(self) -> tuple[str, ...]:
        """Return the suspects of the dice that the suggestion left over; none if not told."""
        return self._now().third

    def rooms(self) -> tuple[str, ...]:
        """Return the rooms in which whoever's turn it is may suggest in this turn, as it stands."""
        now = self._now()
        return tuple(room for room, bit in self.rules.ground.bit.items() if now.rooms & bit)

    def suggestions(self, room: str | None = None) -> Iterator[tuple[str, ...]]:
        """
        Yield the cards of every suggestion that may be made now, in category order.

        Args:
            room: The only room that counts; every one of `rooms` if left out.
        """
        edition = self.rules.edition
        now = self._now()
        rooms = self.rooms() if room is None else (room,)
        elsewhere = self.rules.rooms.difference(rooms)
        named = [
            [card.name for card in kind.cards if card.name not in elsewhere]
            for kind in edition.category
        ]
        for kinds in combinations(named, edition.named):
            for cards in product(*kinds):
                if now.on_dice(cards):
                    yield cards

    def allows(self, observation: Observation) -> bool:
        """Return whether the rules allow this now."""
        return not self.doubts(observation)

    def doubts(self, observation: Observation) -> tuple[Irregularity, ...]:
        """Return which rules it breaks if this happens now; none if it is within them."""
        return tuple(irregularities(self, observation))


class Course:
    """The course of a game that is logged: its states of play, kept to go on from."""

    def __init__(self) -> None:
        self._observations: tuple[Observation, ...] = ()
        self._states: list[PlayState] = []  # after none of them, after one, and so on

    def after(self, table: Table, observations: tuple[Observation, ...]) -> PlayState:
        """Return the state of play at a table once these were observed."""
        if not self._states or self._states[0].rules.table is not table:
            self._states = [PlayState.begin(table)]
        pairs = zip(observations, self._observations, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        same = min(same, len(self._states) - 1)
        if same < len(observations):
            del self._states[same + 1 :]
            self._observations = observations
            for observation in observations[same:]:
                self._states.append(self._states[-1].after(observation))
        return self._states[len(observations)]


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
