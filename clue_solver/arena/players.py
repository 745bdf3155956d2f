"""
Players: the protocol that anybody's player follows, and those that come with the program.

A player decides by a `View`, which has what its seat saw and nothing else. There is a new one for
each seat and game, so it may keep what it likes. `find_player` has it by name, or as
`package.module:Class`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from clue_solver.arena.dealing import one
from clue_solver.arena.seat_view import View
from clue_solver.errors import ArgumentError, nearest, printable
from clue_solver.inference.propagation import propagate
from clue_solver.rules.observations import Finger, Look, Observation, Question, Suggestion

T = TypeVar("T")

ROLL = "rolls"
"""What `move` returns to roll the dice."""

_UNSEEN, _LEAST = 2.0, 1e-9
"""What a room with an unknown face-down card is worth going to; what any that is worth it is."""


class Player(Protocol):
    """What plays a seat. Whatever it returns must be allowed now; the referee sees to that."""

    def move(self, view: View) -> str | None:
        """
        Return one of `view.places`, or `None` to stay where the piece stands.

        Asked as long as there is something to choose: before the dice, with `rolls` and the rooms
        that a passage leads to, then with what the roll reaches.
        """

    def ask(self, view: View) -> Observation | None:
        """
        Return one of `view.questions()`, without its answers, or `None` for nothing more.

        Asked until there is nothing left to ask in this turn: a suggestion, and besides what a
        bonus die or a snoop allows.
        """

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:
        """
        Return which of these cards to show: each is in the hand, and could be shown.

        Args:
            view: What the seat saw before.
            cards: One at least.
            to: Who will see it.
        """

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the cards to accuse, one of each category in order, or `None` not to."""


class Asker:
    """
    Complete deduction: accuses when the solution is proved, and not before.

    Subclasses say which cards to ask for. On a board the piece goes to a room worth asking for, if
    one is in reach; else, as long as suspects or weapons are open, to any room in reach; else
    nearer to a room worth asking for. A room with a face-down card that is not known comes before
    all others. A card is shown at random.

    Args:
        bluff: The share of suggestions in which a card of the own hand is named.
    """

    def __init__(self, *, bluff: float = 0.0) -> None:
        if not 0 <= bluff <= 1:
            raise ArgumentError(f"bluff: expected 0 to 1; found {bluff:g}", argument="players")
        self.bluff = bluff

    def worth(self, view: View, card: str) -> float:
        """Return how much a card is worth asking for; 0 for not at all."""
        raise NotImplementedError

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """Return how much each of some cards is worth asking for."""
        return [self.worth(view, card) for card in cards]

    def worth_going(self, view: View, room: str) -> float:
        """Return how much a room is worth going to."""
        slot = view.table.holders.index(room) if room in view.state.rules.slots else None
        if slot is None or any(marks[slot] == 1 for marks in view.sheet.verdicts):
            return self.worth(view, room)
        return _UNSEEN

    def move(self, view: View) -> str | None:
        """Return the room to go to, `rolls`, or what is nearer to a room worth asking for."""
        places = view.places
        rooms = [place for place in places if place in view.state.rules.rooms]
        here = [room for room in view.rooms if view.state.place(view.seat) in (None, room)]
        if view.state.rules.board is None:  # rooms with a face-down card; the others need no move
            best = self._best(view, [*rooms, *here])
            return best if best in rooms else None
        wanted = self._best(view, [*rooms, *here])
        unseen = any(self.worth_going(view, room) == _UNSEEN for room in view.state.rules.slots)
        least = _UNSEEN if unseen else 0.0
        if wanted is not None and self.worth_going(view, wanted) >= max(least, _LEAST):
            return wanted if wanted in rooms else None
        if ROLL in places:
            return ROLL
        if wanted is not None and not unseen and self._others_open(view):
            return wanted if wanted in rooms else None
        return self._nearer(view, places)

    def _others_open(self, view: View) -> bool:
        """Whether a question without a room to ask for could still tell something."""
        certain = self.certain(view)
        kinds = view.edition.category
        return not all(
            kind.name.casefold() == "room" or any(card.name in certain for card in kind.cards)
            for kind in kinds
        )

    def certain(self, view: View) -> tuple[str, ...]:
        """Return the cards that are in the envelope for certain, as far as this player sees."""
        return tuple(view.cards[number] for number in view.sheet.certain)

    def _nearer(self, view: View, places: Sequence[str]) -> str | None:
        """Return the place from which it is the fewest steps to the nearest room worth it."""
        worth = {room: self.worth_going(view, room) for room in view.edition.rooms}
        least = _UNSEEN if _UNSEEN in worth.values() else _LEAST
        far = {room: view.steps(room) for room, much in worth.items() if much >= least}
        goal = min(((steps, room) for room, steps in far.items() if steps), default=None)
        if goal is None:
            return one(places, view.rng) if places else None
        return view.state.towards(goal[1])

    def ask(self, view: View) -> Observation | None:
        """Return the suggestion, or a random use of the bonus with the cards worth asking for."""
        edition = view.edition
        if not view.state.may("suggests"):
            return self._extra(view)
        if edition.suspect_dice or edition.named < len(edition.category):
            return Suggestion(by=view.seat, cards=self._rolled(view))
        rooms = set(edition.rooms)
        open_rooms = view.rooms
        named = [
            self._pick(view, [name for name in names if name not in rooms or name in open_rooms])
            for names in view.kinds
        ]
        if self.bluff and view.rng.random() < self.bluff:
            own = [
                (place, card)
                for place, names in enumerate(view.kinds)
                for card in names
                if card in view.hand and (card not in rooms or card in open_rooms)
            ]
            if own:
                place, card = one(own, view.rng)
                named[place] = card
        return Suggestion(by=view.seat, cards=tuple(named))

    def _rolled(self, view: View) -> tuple[str, ...]:
        """Return the suggestion most worth it of those that the dice allow."""
        options = list(view.state.suggestions())
        if self.bluff and view.rng.random() < self.bluff:
            own = [cards for cards in options if any(card in view.hand for card in cards)]
            options = own or options
        return _most(options, [sum(self.worths(view, cards)) for cards in options], view)

    def _pick(self, view: View, cards: Sequence[str]) -> str:
        return _most(cards, self.worths(view, cards), view)

    def _best(self, view: View, rooms: Sequence[str]) -> str | None:
        worth = [self.worth_going(view, room) for room in rooms]
        return _most(rooms, worth, view) if rooms else None

    def _extra(self, view: View) -> Observation | None:
        options = list(view.state.extras())
        if not options:
            return None
        match options[0]:
            case Finger():
                cards = tuple(self._pick(view, names) for names in view.kinds)
                return Finger(by=view.seat, cards=cards)
            case Look() | Question():
                open_ = [extra for extra in options if _tells(view, extra)]
                return one(open_ or options, view.rng)
        return one(options, view.rng)

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:  # noqa: ARG002
        """Return any of the cards."""
        return one(cards, view.rng)

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the solution once it is proved."""
        return view.proved


def _most(options: Sequence[T], worth: Sequence[float], view: View) -> T:
    """Return the option of most worth, among equals by lot."""
    if len(options) == 1:
        return options[0]
    least = max(worth) - _LEAST
    best = [option for option, much in zip(options, worth, strict=True) if much >= least]
    return one(best, view.rng)


def _tells(view: View, extra: Observation) -> bool:
    """Return whether somebody who can be looked at or asked has unknown cards."""
    if isinstance(extra, Look):
        place = view.table.holders.index(extra.holder)
    elif isinstance(extra, Question):
        place = view.table.holders.index(extra.seat)
    else:
        return True
    return any(marks[place] == 0 for marks in view.sheet.verdicts)


class RandomAsker(Asker):
    """`random`: random cards that are not known to be elsewhere than in the envelope."""

    def worth(self, view: View, card: str) -> float:
        """Return 1 for a card that may be in the envelope."""
        return float(view.possible(card))


class Likeliest(Asker):
    """`likeliest`: of each category the card that is likeliest in the envelope."""

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """Return the chances that they are in the envelope."""
        inside = view.sheet.inside
        place = view.place
        return [inside[place[card]] for card in cards]

    def worth(self, view: View, card: str) -> float:
        """Return the chance that it is in the envelope."""
        return view.chance(card)


class NoteTaker(Asker):
    """
    `note-taker`: notes by hand, with the usual rules and hand counting (`inference.propagation`).

    It asks random cards that the notes do not rule out of the envelope and accuses when they leave
    one solution. Of a card that it has not seen it writes down no either-or, neither that a seat
    has one of some cards nor that a card is with one of some seats.

    Args:
        bluff: As of `Asker`.
        again: The share of questions that name the suspect and the weapon of the one before.
    """

    def __init__(self, *, bluff: float = 0.0, again: float = 0.0) -> None:
        super().__init__(bluff=bluff)
        if not 0 <= again <= 1:
            raise ArgumentError(f"again: expected 0 to 1; found {again:g}", argument="players")
        self.again = again
        self._notes: tuple[int, list[int]] = (-1, [])

    def _can(self, view: View) -> list[int]:
        entries = len(view.observations)
        if self._notes[0] != entries:
            self._notes = (entries, self.notes(view))
        return self._notes[1]

    def notes(self, view: View) -> list[int]:
        """Return for each card the mask of the holders that the notes leave it."""
        known = view.knowledge
        plain = (
            clause
            for clause in known.clauses
            if not clause.has or not clause.cards & clause.cards - 1
        )
        return propagate(replace(known, clauses=tuple(plain)), counting=True)

    def worth(self, view: View, card: str) -> float:
        """Return 1 for a card that the notes do not rule out of the envelope."""
        envelope = len(view.table.holders) - 1
        return float(self._can(view)[view.cards.index(card)] >> envelope & 1)

    def certain(self, view: View) -> tuple[str, ...]:
        """Return the cards that the notes leave to the envelope alone."""
        inside = 1 << len(view.table.holders) - 1
        cards = zip(view.cards, self._can(view), strict=True)
        return tuple(card for card, holders in cards if holders == inside)

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the solution once the notes leave one."""
        certain = self.certain(view)
        return certain if len(certain) == len(view.edition.category) else None

    def ask(self, view: View) -> Observation | None:
        """Return the suggestion, or that of the turn before in another room."""
        asked = super().ask(view)
        if not (self.again and isinstance(asked, Suggestion)) or view.edition.dice_choose:
            return asked
        rooms = view.edition.rooms
        own = (
            each.cards
            for each in reversed(view.observations)
            if isinstance(each, Suggestion) and each.by == view.seat
        )
        before = next(own, None)
        if before is not None and view.rng.random() < self.again:
            pairs = zip(asked.cards, before, strict=True)
            asked = replace(asked, cards=tuple(c if c in rooms else old for c, old in pairs))
        return asked


def _by_name(name: str, **options: float) -> Player:
    """Return a player of this name that builds on the others."""
    return _imported(name)(**options)


PLAYERS: dict[str, Callable[..., Player]] = {
    "random": RandomAsker,
    "likeliest": Likeliest,
    "note-taker": NoteTaker,
    "person": partial(NoteTaker, bluff=0.38, again=0.1),
    "advice": partial(_by_name, "clue_solver.arena.advised:Advised"),
}
"""
The players that come with the program, by name.

`person` is a note-taker who plays as people do: 16 of 42 questions in nine notebooks of real games
named a card of the asker's own.
"""


def find_player(name: str) -> Callable[[], Player]:
    """
    Return what makes a player of this name.

    Args:
        name: A name of `PLAYERS`, or `package.module:Class`; `:option=number` may follow.

    Raises:
        ArgumentError: If there is no such player, or not with these options.

    >>> find_player("likeliest:bluff=0.3")().bluff
    0.3
    """
    options: dict[str, float] = {}
    called = name
    while "=" in called.rpartition(":")[2]:
        called, _, option = called.rpartition(":")
        key, _, value = option.partition("=")
        try:
            options[key.strip()] = float(value)
        except ValueError:
            expected = f"expected a number after {printable(key)}=; found '{printable(value)}'"
            raise ArgumentError(f"{printable(name)}: {expected}", argument="players") from None
    kind = PLAYERS.get(called) or _imported(called)

    def make() -> Player:
        try:
            return kind(**options)
        except TypeError as error:
            named = ", ".join(options) or "no options"
            reason = f"no such player with {named}: {error}"
            raise ArgumentError(f"{printable(name)}: {reason}", argument="players") from None

    make()
    return make


def _imported(name: str) -> Callable[..., Player]:
    """Return the class that `package.module:Class` names."""
    module, colon, kind = name.partition(":")
    if not colon:
        known = (*PLAYERS, "package.module:Class")
        message = f"no player is called '{printable(name)}'" + nearest(name, known)
        raise ArgumentError(message, argument="players")
    try:
        imported: Any = getattr(import_module(module), kind)
    except (ImportError, AttributeError, ValueError) as error:
        raise ArgumentError(
            f"{printable(name)}: no such player: {error}", argument="players"
        ) from None
    lacking = [
        method for method in ("move", "ask", "show", "accuse") if not hasattr(imported, method)
    ]
    if lacking:
        raise ArgumentError(
            f"{printable(name)}: a player has move, ask, show and accuse; this one lacks "
            f"{', '.join(lacking)}",
            argument="players",
        )
    player: Callable[..., Player] = imported
    return player
