"""
Players: the protocol that every computer player follows, and those that come with the program.

A player decides by a `View`, which has only what its seat saw. There is a new player for each seat
and game, so it may keep any state. `find_player` finds players by name, or as
`package.module:Class`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from clue_solver.answers.advice import Advice
from clue_solver.arena.dealing import one
from clue_solver.arena.view import View
from clue_solver.errors import ArgumentError, name_hint, printable
from clue_solver.inference.propagation import propagate
from clue_solver.knowledge.clauses import several
from clue_solver.rules.observations import Finger, Look, Observation, Question, Suggestion
from clue_solver.rules.play import Play

T = TypeVar("T")

ROLL = "rolls"
"""The value that `move` returns to roll the dice."""

_UNSEEN, _LEAST = 2.0, 1e-9
"""
`_UNSEEN` is the value of going to a room with an unknown face-down card. `_LEAST` is the least
value at which it is worth going to a room.
"""


class Player(Protocol):
    """
    A player of one seat: it makes the seat's decisions when the referee asks for them.

    The referee refuses decisions that are not allowed.
    """

    def move(self, view: View) -> str | None:
        """
        Return one of `view.places`, or `None` to stay where the piece stands.

        It is called again as long as there is a choice. Before the roll, `view.places` has `rolls`
        and the rooms that a secret passage leads to; after it, the places that the roll reaches.
        """

    def ask(self, view: View) -> Observation | None:
        """
        Return one of `view.questions()`, without its answers, or `None` to ask nothing more.

        It is called until nothing is left to ask in this turn: for a suggestion, and for what a
        bonus die or a snoop (a card drawn from another's hand) allows.
        """

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:
        """
        Return the card to show.

        Args:
            view: What the seat has seen so far.
            cards: The cards that could be shown, at least one.
            to: The seat that will see the card; `None` if all will.
        """

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the cards of an accusation in category order, or `None` not to accuse."""


class Asker:
    """
    A player with complete deduction, which accuses only when the solution is proved.

    Subclasses decide which cards are worth asking for. On a board the piece goes to a room that is
    worth asking for, if one is in reach. Otherwise it goes to any room in reach as long as suspects
    or weapons are open, and after that towards a room that is worth asking for. Rooms with an
    unknown face-down card come first. The card to show is chosen at random.

    Args:
        bluff: The share of suggestions that name a card of the player's own.
    """

    def __init__(self, *, bluff: float = 0.0) -> None:
        self.bluff = _share("bluff", bluff)

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """
        Return what it is worth to ask for each of the cards, in the same order.

        Any scale will do; 0 is for a card not worth asking for.
        """
        raise NotImplementedError

    def value_of_going(self, view: View, room: str) -> float:
        """
        Return what it is worth to go to a room, on the scale of `worths`.

        A room with an unknown face-down card is worth more than any other.
        """
        slot = view.table.holders.index(room) if room in view.state.rules.slots else None
        if slot is None or any(marks[slot] == 1 for marks in view.sheet.verdicts):
            return self.worths(view, [room])[0]
        return _UNSEEN

    def move(self, view: View) -> str | None:
        """
        Return where to go: a room, or a place nearer to a room worth asking for.

        The result is `rolls` to roll the dice first, and `None` to stay.
        """
        places = view.places
        rooms = [place for place in places if place in view.state.rules.rooms]
        here = [room for room in view.state.rooms if view.state.place(view.seat) in (None, room)]
        worth = [self.value_of_going(view, room) for room in (*rooms, *here)]
        wanted = _most([*rooms, *here], worth, view) if worth else None
        going = wanted if wanted in rooms else None
        if view.state.rules.board is None:  # rooms with a face-down card; the others need no move
            return going
        unseen = any(self.value_of_going(view, room) == _UNSEEN for room in view.state.rules.slots)
        least = _UNSEEN if unseen else _LEAST
        if wanted is not None and self.value_of_going(view, wanted) >= least:
            return going
        if ROLL in places:
            return ROLL
        if wanted is not None and not unseen:
            settled = {*self.certain(view), *view.edition.rooms}
            if any(settled.isdisjoint(kind) for kind in view.kinds):
                return going
        return self._nearer(view, places)

    def certain(self, view: View) -> tuple[str, ...]:
        """Return the cards that, as this player knows, must be in the envelope."""
        return tuple(view.cards[number] for number in view.sheet.certain)

    def _nearer(self, view: View, places: Sequence[str]) -> str | None:
        """
        Return the one of `places` that is nearest to a room worth going to.

        If no such room is known, the place is random; if there are no places, it is `None`.
        """
        worth = {room: self.value_of_going(view, room) for room in view.edition.rooms}
        least = _UNSEEN if _UNSEEN in worth.values() else _LEAST
        far = {room: view.steps(room) for room, much in worth.items() if much >= least}
        goal = min(((steps, room) for room, steps in far.items() if steps), default=None)
        if goal is None:
            return one(places, view.rng) if places else None
        return view.state.towards(goal[1])

    def ask(self, view: View) -> Observation | None:
        """
        Return a suggestion of the cards most worth asking for; after it, a use of the bonus die.

        `None` if neither is allowed.
        """
        edition = view.edition
        if not view.state.may("suggests"):
            return self._extra(view)
        if edition.suspect_dice or edition.named < len(edition.category):
            return Suggestion(by=view.seat, cards=self._by_dice(view))
        closed = {*edition.rooms} - {*view.state.rooms}
        named = [
            self._pick(view, [card for card in kind if card not in closed]) for kind in view.kinds
        ]
        own = [card for card in view.hand if card not in closed]
        if self.bluff and view.rng.random() < self.bluff and own:
            bluff = one(own, view.rng)
            pairs = zip(view.kinds, named, strict=True)
            named = [bluff if bluff in kind else card for kind, card in pairs]
        return Suggestion(by=view.seat, cards=tuple(named))

    def _by_dice(self, view: View) -> tuple[str, ...]:
        """
        Return the cards of the suggestion most worth making among those that are allowed.

        It is for editions in which dice choose suspects or not every category is named.
        """
        options = list(view.state.suggestions())
        if self.bluff and view.rng.random() < self.bluff:
            own = [cards for cards in options if any(card in view.hand for card in cards)]
            options = own or options
        return _most(options, [sum(self.worths(view, cards)) for cards in options], view)

    def _pick(self, view: View, cards: Sequence[str]) -> str:
        """Return the one of these cards that is most worth asking for."""
        return _most(cards, self.worths(view, cards), view)

    def _extra(self, view: View) -> Observation | None:
        """
        Return a use of the bonus die, preferably one that tells something.

        `None` if none is allowed.
        """
        options = list(view.state.extras())
        if not options:
            return None
        if isinstance(options[0], Finger):
            cards = tuple(self._pick(view, kind) for kind in view.kinds)
            return Finger(by=view.seat, cards=cards)
        return one([each for each in options if _tells(view, each)] or options, view.rng)

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:  # noqa: ARG002
        """Return a random one of the cards."""
        return one(cards, view.rng)

    def accuse(self, view: View) -> tuple[str, ...] | None:
        """Return the solution if this player knows it, else `None`."""
        certain = self.certain(view)
        return certain if len(certain) == len(view.kinds) else None


def _share(option: str, value: float) -> float:
    """
    Return the value of the player's option `option`, which must be between 0 and 1.

    Raises:
        ArgumentError: If it is not.
    """
    if not 0 <= value <= 1:
        raise ArgumentError(f"{option}: expected 0 to 1; found {value:g}", argument="players")
    return value


def _most(options: Sequence[T], worth: Sequence[float], view: View) -> T:
    """Return the option whose number in `worth` is highest; ties are broken at random."""
    least = max(worth) - _LEAST
    return one(
        [option for option, much in zip(options, worth, strict=True) if much >= least], view.rng
    )


def _tells(view: View, extra: Observation) -> bool:
    """
    Return whether a use of the bonus die may tell something.

    A look or a question tells nothing if the other seat's whole hand is known.
    """
    match extra:
        case Look(holder=other) | Question(seat=other):
            place = view.table.holders.index(other)
            return any(marks[place] == 0 for marks in view.sheet.verdicts)
    return True


class RandomAsker(Asker):
    """The player named `random`: asks for random cards that may be in the envelope."""

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """Return 1 for each card that may be in the envelope, else 0."""
        return [float(view.chance(card) > 0) for card in cards]


class LikeliestAsker(Asker):
    """The player named `likeliest` or `medium`: asks for the likeliest card of each category."""

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """Return the chance that each card is in the envelope."""
        return [*map(view.chance, cards)]


class NoteTaker(Asker):
    """
    The player named `note-taker`: keeps notes like a person, by simple rules (`propagation`).

    It asks for random cards that the notes do not exclude from the envelope, and accuses when they
    leave one solution. It notes no either-ors about cards that it has not seen: neither that a seat
    has one of several cards nor that one of several seats has a card.

    Args:
        bluff: The share of suggestions that name a card of the player's own.
        again: The share of suggestions that repeat the suspect and the weapon of the last one.
    """

    def __init__(self, *, bluff: float = 0.0, again: float = 0.0) -> None:
        super().__init__(bluff=bluff)
        self.again = _share("again", again)
        self._notes: tuple[int, dict[str, int]] = (-1, {})

    def notes(self, view: View) -> dict[str, int]:
        """
        Return who can have each card by the notes: a mask of holders (bit h for holder h), by card.
        """
        known = view.known
        if self._notes[0] != known.entries:
            plain = (
                clause for clause in known.clauses if not clause.has or not several(clause.cards)
            )
            left = propagate(replace(known, clauses=tuple(plain)))
            self._notes = known.entries, dict(zip(view.cards, left, strict=True))
        return self._notes[1]

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """Return 1 for each card that, according to the notes, can be in the envelope, else 0."""
        envelope = len(view.table.holders) - 1
        return [float(self.notes(view)[card] >> envelope & 1) for card in cards]

    def certain(self, view: View) -> tuple[str, ...]:
        """Return the cards that, according to the notes, must be in the envelope."""
        inside = 1 << len(view.table.holders) - 1
        return tuple(card for card, holders in self.notes(view).items() if holders == inside)

    def ask(self, view: View) -> Observation | None:
        """
        Return a suggestion as `Asker` makes it, perhaps with the last suspect and weapon again.

        They are repeated with the chance `again`, but never where dice choose the suspects. After
        the suggestion, return a use of the bonus die; `None` if nothing is allowed.
        """
        asked = super().ask(view)
        if not (self.again and isinstance(asked, Suggestion)) or view.edition.suspect_dice:
            return asked
        asks = (each for each in view.game.observations if isinstance(each, Suggestion))
        before = [each.cards for each in asks if each.by == view.seat]
        if before and view.rng.random() < self.again:
            rooms = view.edition.rooms
            pairs = zip(asked.cards, before[-1], strict=True)
            asked = replace(asked, cards=tuple(c if c in rooms else old for c, old in pairs))
        return asked


class AdviceTaker(LikeliestAsker):
    """
    The player named `advice` or `hard`: follows `Game.advice`, given only what its seat has seen.

    Args:
        quick: 0 for the whole advice, any other number for quick advice.
    """

    def __init__(self, *, quick: float = 0) -> None:
        super().__init__()
        self.quick = bool(quick)
        self._given: tuple[Play, Advice] | None = None

    def advice(self, view: View) -> Advice:
        """Return the advice for the present position; it is computed once for each position."""
        if self._given is None or self._given[0] is not view.state:
            state, at = view.state, None
            if state.rules.board is not None and not state.moved(view.seat):
                at = state.place(view.seat)
            self._given = view.state, view.game.advice(at=at, quick=self.quick, brief=True)
        return self._given[1]

    def accuse(self, view: View) -> tuple[str, ...] | None:
        """Return the cards to name in an accusation if accusing is advised now, else `None`."""
        accuse = self.advice(view).accuse
        return accuse.cards if accuse.advice == "accuse" else None

    def move(self, view: View) -> str | None:
        """
        Return the room to ask in or to go to, or a place on the way to it.

        The result is `rolls` to roll the dice first, and `None` to stay in a room and ask there.
        """
        advice, places = self.advice(view), view.places
        ask, heading = advice.ask, advice.heading
        if ask is not None and ask.look in places:
            return ask.look
        named = ask.cards if ask else ()
        named = named if heading is None else (heading.room,)
        room = next((card for card in named if card in view.edition.rooms), None)
        if room is None or view.state.rules.board is None:
            return super().move(view)
        if room in places:
            return room
        if room == view.state.place(view.seat) and room in view.state.rooms:
            return None
        return ROLL if ROLL in places else view.state.towards(room)

    def ask(self, view: View) -> Observation | None:
        """
        Return the advised suggestion or use of the bonus die.

        If it is not allowed now, ask as `LikeliestAsker` does; `None` if nothing is allowed.
        """
        advice, options = self.advice(view), list(view.questions())
        asked = [Suggestion(by=view.seat, cards=advice.ask.cards)] if advice.ask else []
        for each in (*asked, *(use.use for use in advice.uses)):
            if each in options:
                return each
        return super().ask(view)


EASY = partial(NoteTaker, bluff=0.38, again=0.1)
"""
A player that takes notes and asks as people do: 16 of 42 questions in nine notebooks of real games
named a card of the asker's own.
"""

PLAYERS: dict[str, Callable[..., Player]] = {
    "random": RandomAsker,
    "note-taker": NoteTaker,
    "person": EASY,
    "likeliest": LikeliestAsker,
    "advice": AdviceTaker,
    "easy": EASY,
    "medium": LikeliestAsker,
    "hard": AdviceTaker,
}
"""The players that come with the program, by name; three have a second name in plain words."""


def find_player(name: str) -> Player:
    """
    Return a new player by name.

    Args:
        name: A name in `PLAYERS`, or `package.module:Class`; `:option=number` may follow.

    Raises:
        ArgumentError: If there is no such player or option, or an option's value is no number.

    >>> find_player("likeliest:bluff=0.3").bluff
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
    kind = PLAYERS.get(called) or _import(called)
    try:
        return kind(**options)
    except TypeError as error:
        given = f" with {', '.join(options)}" if options else ""
        reason = f"cannot be created{given}: {error}"
        raise ArgumentError(f"{printable(name)}: {reason}", argument="players") from None


def _import(name: str) -> Callable[..., Player]:
    """
    Return the class of a player with a name such as `package.module:Class`.

    Raises:
        ArgumentError: If there is no such class, or it lacks a method that a player needs.
    """
    module, colon, kind = name.partition(":")
    if not colon:
        known = (*PLAYERS, "package.module:Class")
        message = f"no player is called '{printable(name)}'" + name_hint(name, known)
        raise ArgumentError(message, argument="players")
    try:
        player: Any = getattr(import_module(module), kind)
    except (ImportError, AttributeError, ValueError) as error:
        raise ArgumentError(
            f"{printable(name)}: no such player: {error}", argument="players"
        ) from None
    needed = ("move", "ask", "show", "accuse")
    if lacking := [method for method in needed if not hasattr(player, method)]:
        lacks = f"this one lacks {', '.join(lacking)}"
        reason = f"a player needs the methods move, ask, show and accuse; {lacks}"
        raise ArgumentError(f"{printable(name)}: {reason}", argument="players")
    made: Callable[..., Player] = player
    return made
