"""
The rules of play: what may happen next in a position of a game (`position`).

Each rule is written once, as a guard with its reason, which `Play.check` tests. `Play.legal` uses
the same sets of places and cards to list the legal actions. If a record leaves out dice and moves,
they are assumed to have been within the rules.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, reduce
from itertools import chain, combinations, product
from math import fsum
from operator import or_
from typing import Literal, NamedTuple

from clue_solver.rules import observations as observed
from clue_solver.rules.board import places_in
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.position import MOVES, ROLLING, USES, Position, is_single
from clue_solver.rules.turns import OPENING

ACTIONS = (*ROLLING, "looks", "suggests", "asks", "peeks", "points", "accuses", "skips")
"""The verbs of everything that may be done in a turn, in the order of a turn."""

_OfTurns = Literal["over", "left", "out", "turn"]
_InTurn = Literal["again", "order", "place", "reach", "stay", "look", "dice", "deck", "edition"]
Rule = _OfTurns | _InTurn
"""
Which rule an action breaks: the game is `over`; the seat has `left` or is `out`; it is not the
seat's `turn`; the action is done `again` in the same turn; it comes in the wrong `order` in the
turn; the piece is at the wrong `place`; the place is out of `reach`; the piece may not `stay`; a
`look` must come first; the `dice` do not allow it; the `deck` has no more such clue cards; the
`edition` does not allow it.
"""

Guard = tuple[object, Rule, Sequence[str]]
"""
A rule tested for one action: whether the action breaks it (any truth value), which rule it is, and
what it allows instead, as in `Breach.expected`.
"""


class Breach(NamedTuple):
    """
    A rule that an observation breaks, as facts; the views put them into words.

    Attributes:
        rule: The rule that is broken.
        seat: The seat that broke the rule.
        turn: The seat whose turn it is; `None` if not known.
        skipped: The seats whose turns must have been skipped if the observation is right.
        place: The room or square that the observation is about; `None` if there is none.
        roll: The total that was rolled; `None` if not known.
        expected: What the rule allows: verbs, faces, places or suspects; empty if there is nothing
            to list.

    >>> from clue_solver import load
    >>> from clue_solver.rules.observations import Skip
    >>> play = load("examples/classic.clue").play(4)
    >>> breach = play.check(Skip(by="Ben"))
    >>> breach.rule, breach.turn
    ('turn', 'Dan')
    """

    rule: Rule
    seat: str
    turn: str | None = None
    skipped: tuple[str, ...] = ()
    place: str | None = None
    roll: int | None = None
    expected: tuple[str, ...] = ()

    @property
    def of_turns(self) -> bool:
        """Whether the seat has no turn: it is another's turn, or the seat is out or has left."""
        return self.rule in ("turn", "out", "left")


class Play(Position, frozen=True, kw_only=True):
    """
    A game as far as it has been played, and what the rules allow in it now.

    `Play.begin(table)` is a game before its first turn. Sets of places are bit masks, as in
    `Ground`.

    >>> from clue_solver import Table, load_edition
    >>> from clue_solver.rules.observations import Move, Roll, Suggestion
    >>> table = Table(
    ...     edition=load_edition("clue-classic"), seats=("Ann", "Ben"), pieces=("Plum", "Scarlett")
    ... )
    >>> play = Play.begin(table, exact=True)
    >>> play.turn, [verb for verb in ACTIONS if play.may(verb)]
    ('Ben', ['rolls', 'accuses', 'skips'])
    >>> play = play.after(Roll(by="Ben", total=8))
    >>> play.destinations[:2], play.check(Move(by="Ben", to="Hall")).rule
    (('Lounge', 'H17'), 'reach')
    >>> play = play.after(Move(by="Ben", to="Lounge"))
    >>> play = play.after(Suggestion(by="Ben", cards=("Plum", "Rope", "Lounge")))
    >>> play.place("Ann"), play.due, play.ended().turn
    ('Lounge', 'Ann', 'Ann')
    >>> breach = play.check(Roll(by="Ben", total=5))
    >>> breach.rule, breach.turn, breach.skipped
    ('turn', 'Ann', ('Ann',))
    """

    @property
    def due(self) -> str | None:
        """
        The seat that acts next; `None` if the game is over or if it is not known.

        After a suggestion, the next seat acts, unless a rolled bonus die is still to be used.
        """
        rolled = any(face in self.rules.edition.bonus for face in self.dice)
        if self.over or (rolled and self.pending):
            return self.turn
        return self.turns.turn(self.rules.table)

    @property
    def pending(self) -> bool:
        """Whether the current player has suggested and may still use the bonus die."""
        asked = self.turn is not None and self.suggested(self.turn) and not self.done & USES
        return asked and bool(self.rules.edition.bonus and self.uses)

    # What is in reach.

    def reach(self, seat: str | None) -> dict[str, float]:
        """
        Return the chance of each place that a seat can get to in its current or next turn, by name.

        Each room has its chance. Squares are there only if the roll is known: those within it have
        the chance 1. Empty if there is no board, if it is not known where the piece is and whose it
        is, or if the seat has already moved or suggested in its turn.
        """
        rules = self.rules
        if not seat or rules.board is None or self.moved(seat) or self.suggested(seat):
            return {}
        play = self.turn_of(seat)
        known = play.place(seat) is not None
        if seat in rules.unknown and not known:
            return {}
        squares = self.squares(seat) if known and play.total is not None else ()
        return self.chances(seat) | dict.fromkeys(squares, 1.0)

    def chances(self, seat: str) -> dict[str, float]:
        """
        Return the chance that a seat can suggest in each room in its current or next turn, by room.

        A seat that has not rolled may stay, if that is allowed, take a passage, or roll. If its
        piece may stand in several places, the chance is that from the best of them. If its suspect
        is not known either, every room has the chance 1.
        """
        ways = self._ways(seat)
        return {
            room: min(1.0, fsum(chance for chance, places in ways if places & bit))
            for room, bit in self.rules.ground.rooms.items()
        }

    def squares(self, seat: str) -> tuple[str, ...]:
        """
        Return the names of the squares to which a seat can move in its current or next turn.

        They are the squares that its roll reaches; before the roll, those that the highest roll
        reaches.
        """
        ground = self.rules.ground
        places = reduce(or_, (places for _, places in self._ways(seat)))
        return tuple(ground.names[each] for each in places_in(places & ground.squares))

    def _ways(self, seat: str) -> list[tuple[float, int]]:
        """
        Return what each roll reaches in a seat's turn: pairs of its chance and a mask of places.

        Each mask includes the rooms where the seat can suggest without a roll. If the roll is known
        or not needed, there is one mask, with the chance 1.
        """
        rules = self.rules
        ground = rules.ground
        if rules.board is None:
            return [(1.0, ground.inside)]
        play = self.turn_of(seat)
        place = play.may_stand(seat)
        if play.done & MOVES:
            return [(1.0, place & ground.inside)]
        sure = play._home
        if seat in rules.unknown and not is_single(place):
            sure = ground.inside
        if "rolls" in play.done:
            return [(1.0, sure | play._targets)]
        sure |= ground.passages(place)
        taken = play.taken(seat)
        return [
            (chance, sure | ground.reach(place, total, taken))
            for total, chance in _rolls(rules.board.dice).items()
        ]

    def towards(self, room: str) -> str | None:
        """
        Return the place to which the current player may move and which is nearest to a room.

        `None` if there is no way to the room from any such place.
        """
        ground = self.rules.ground
        far = ((ground.steps_to(name, room), name) for name in self.destinations)
        near = min(((steps, name) for steps, name in far if steps is not None), default=None)
        return None if near is None else near[1]

    # What the rules say about an observation.

    def check(self, observation: Observation) -> Breach | None:
        """
        Return the first rule that an observation breaks if it happens now.

        `None` if it breaks none.
        """
        seat = observation.actor
        if isinstance(observation, observed.Leave):
            return Breach("left", seat, self.turn) if seat in self.turns.left else None
        if not observation.turn:
            return self._check_revealed_card(observation)
        if self.over:
            return Breach("over", seat)
        if seat in self.turns.left:
            return Breach("left", seat, self.turn)
        if seat in self.turns.out:
            return Breach("out", seat, self.turn)
        if not self.begins(observation):
            return self._check_in_turn(observation)
        # A turn that begins comes after the turns of all seats between.
        if skipped := self.skipped(seat):
            return Breach("turn", seat, skipped[0], skipped)
        return self.opened(seat)._check_in_turn(observation)

    def _check_in_turn(self, observation: Event) -> Breach | None:
        """
        Return the first rule that an observation breaks in a turn that has begun.

        `None` if it breaks none. The observation's actor must have this turn: where the turn begins
        with the observation, `opened` comes before.
        """
        seat = str(self.turns.seat)
        rolled = observation.total if isinstance(observation, observed.Roll) else self.total
        guards = chain(self._guards(observation.form.verb), self._guards_of(observation))
        for broken, rule, expected in guards:
            if broken:
                place = self._place_of(observation)
                return Breach(rule, seat, seat, (), place, rolled, tuple(expected))
        return None

    def _guards(self, verb: str) -> Iterator[Guard]:
        """
        Yield the rules that hold for every action with this verb, each tested in this position.

        `_guards_of` adds the rules that depend on the places, cards or dice of one action.
        """
        rules = self.rules
        edition, exact = rules.edition, rules.exact
        moved = self.done & MOVES
        yield "suggests" in self.done and verb in OPENING, "again", ()
        if verb in ROLLING and verb not in rules.rolling:
            yield exact, "edition", ()
            return
        yield verb == "rolls" and "rolls" in self.done, "again", ()
        yield moved and verb in ROLLING, "again" if verb in MOVES else "order", ()
        yield verb in (*MOVES, "suggests") and self._required_first, "order", self._required_first
        match verb:
            case "stays":
                yield not self._place & rules.ground.inside, "place", ()
                yield not self._home, "stay", ()
            case "asks" | "peeks" | "points":
                yield from self._guards_of_bonus(verb)
            case "accuses":
                first = self.before_accusing
                # If the dice are not recorded, a face may have been rolled that allows nothing.
                idle = not (self.dice or exact) and {*edition.faces} > {*edition.bonus}
                anywhere = edition.accuse_in == "anywhere" or rules.board is None
                yield "suggests" in first or (first and not idle), "order", first
                yield not (anywhere or self._may_be_at & rules.ground.inside), "place", ()

    def _guards_of(self, observation: Event) -> Iterator[Guard]:
        """
        Yield the rules for the places, cards and dice of one action, each tested in this position.
        """
        rules = self.rules
        ground, exact = rules.ground, rules.exact
        match observation:
            case observed.Roll():
                yield not self._can_show(observation), "dice", ()
            case observed.Draw(kind=kind):
                known = exact or self.total is not None
                yield kind not in rules.table.clues, "edition", ()
                yield known and not self._may_draw, "again" if self.drawn else "dice", ()
                yield exact and kind not in self._next_clues, "deck", sorted(self._next_clues)
            case observed.Move(to=to) if rules.board is not None:
                bit = ground.places.get(to, 0)
                yield not bit, "place", ()
                yield not bit & self._targets, "reach", ()
            case observed.Suggestion(cards=cards):
                yield not self.on_dice(cards), "dice", self.suspects
                yield from (self._bans[card] for card in cards if card in self._bans)
            case observed.Look(holder=slot) if slot in rules.slots:
                yield not ground.rooms[slot] & self._may_be_at, "place", self._rooms(self._place)
                yield "suggests" in self.done, "order", ()
                yield slot not in self.unlooked, "again", ()
            case observed.Look(holder=slot) if slot not in rules.piece:
                yield exact, "place", ()
            case observed.Look():
                yield from self._guards_of_bonus("looks")
            case observed.Question(about=about) if rules.edition.suspect_dice:
                yield len(about) > 1 or about[0] not in self.third, "dice", self.third

    def _guards_of_bonus(self, verb: str) -> Iterator[Guard]:
        """
        Yield the rules for extra actions with this verb, each tested in this position.

        Extra actions are those that a bonus die or a snoop (a card drawn from another's hand)
        allows.
        """
        rules = self.rules
        rule: Rule = "dice" if verb in rules.uses else "edition"
        yield self.done & USES, "again", ()
        yield rules.edition.bonus and "suggests" not in self.done, "order", ("suggests",)
        yield verb not in self.uses, rule, sorted(self.uses)

    def _place_of(self, observation: Event) -> str | None:
        """
        Return the room or the square that an observation is about; `None` if there is none.

        If it names none, that is the room of the current player's piece, where only one is
        possible.
        """
        match observation:
            case observed.Move(to=place):
                return place
            case observed.Look(holder=slot) if slot not in self.rules.piece:
                return slot
            case observed.Suggestion(cards=cards):
                return next((card for card in cards if card in self.rules.rooms), None)
        where = self._rooms(self._place)
        return where[0] if len(where) == 1 else None

    def _can_show(self, roll: observed.Roll) -> bool:
        """
        Return whether the edition's dice can show this roll.

        True if the roll has neither a total nor faces, so that nothing is known about it.
        """
        rules = self.rules
        edition, board = rules.edition, rules.board
        if "rolls" not in rules.rolling or (roll.total is None and not roll.dice):
            return True
        if board is None:
            marks = [face for face in roll.dice if face not in edition.suspects]
            suspects = len(roll.dice) - len(marks)
            bonus_dice = 1 if edition.bonus else 0
            whole = len(marks) == bonus_dice or not (rules.exact or marks)
            known = {*marks} <= {*edition.faces}
            return not roll.total and suspects == edition.suspect_dice and whole and known
        total = roll.total or board.dice
        if roll.icons or (rules.exact and board.icon):  # else icons may have been left out
            shown = len(roll.icons) in board.icons_in(total)
        else:
            shown = board.dice <= total <= rules.most
        return shown and not (roll.dice and rules.exact)

    def _check_revealed_card(self, observation: Observation) -> Breach | None:
        """
        Return the rule that revealing a card breaks, as a `Breach`; `None` if it breaks none.

        It is checked only in games that the program plays (`exact`), where everything is recorded.
        """
        table = self.rules.table
        if not self.rules.exact or observation.sight.owner:
            return None
        seat = observation.actor
        if self.over:
            return Breach("over", seat)
        if not self.drawn or self.turns.ended or self.done & MOVES:
            return Breach("order" if table.clues else "edition", seat)
        kind = self.drawn[-1]
        to = self.turn if kind == "one" else None
        if kind == "left":  # `nobody` has no neighbour
            to = table.after(seat) if seat else ""
        if kind not in ("move", "passage") and getattr(observation, "to", None) == to:
            return None
        return Breach("edition", seat, self.turn, expected=(to,) if to else ())

    # What the guards use, all about the current player's turn.

    @cached_property
    def _place(self) -> int:
        """The mask of the places where the current player's piece may stand."""
        return self.may_stand(str(self.turns.seat))

    @cached_property
    def unlooked(self) -> tuple[str, ...]:
        """The rooms where the current player must look at the face-down card before suggesting."""
        seat = str(self.turns.seat)
        return tuple(slot for slot in self.rules.slots if (seat, slot) not in self.looked)

    @property
    def _may_draw(self) -> bool:
        """
        Whether the current player may draw a clue card.

        That is so while the roll has more icons than cards have been drawn for it.
        """
        board = self.rules.board
        if board is None or not (board.icon and self.rules.table.clues and self.total):
            return False
        known = self.dice or self.rules.exact
        icons = len(self.dice) if known else max(board.icons_in(self.total), default=0)
        return len(self.drawn) < icons

    @property
    def _next_clues(self) -> frozenset[str]:
        """
        The kinds that the next clue card can have, judged by the cards drawn so far.

        It is right only if every drawn card is recorded.
        """
        every = self.rules.edition.clues
        if len(self.deck) == len(every):
            return frozenset(self.deck[:1])  # used ones lie under the others, in their order
        return frozenset(kind for kind in every if self.deck.count(kind) < every.count(kind))

    @cached_property
    def _required_first(self) -> tuple[str, ...]:
        """
        The verbs of what must come before moving and suggesting in this turn.

        Empty if nothing must, or if the game is not recorded in full (`exact`).
        """
        rules = self.rules
        if not rules.exact or self.done & MOVES:
            return ()
        dice = rules.board.rolls_first if rules.board is not None else rules.edition.suspect_dice
        if dice and "rolls" not in self.done:
            return ("rolls",)
        return ("draws",) if self._may_draw else ()

    @cached_property
    def _targets(self) -> int:
        """
        The mask of the places to which the current player's piece may move; 0 if it may not.

        If a roll may have been left out of the record, these are all free places.
        """
        rules = self.rules
        ground, board, place = rules.ground, rules.board, self._place
        rolled = "rolls" in self.done
        known = is_single(place)
        if board is None or "suggests" in self.done or self.done & MOVES:
            return 0
        taken = self.taken(str(self.turns.seat))
        if not rolled and not rules.exact:
            anywhere = ground.inside | (ground.squares & ~taken)
            return anywhere & ~place if known else anywhere
        # By the dice, by a passage, by a clue card.
        places = 0
        if rolled:
            total = self.total or rules.most
            places = ground.reach(place, total, taken)
            if self.total and known and not board.short and places & ground.squares:
                places &= ground.inside | ground.ends_of_walks(place, total, taken)
        if (board.passage == "after") == rolled:
            places |= ground.passages(place)
        return places | self.by_cards & ~place

    @cached_property
    def _home(self) -> int:
        """The mask of the rooms where the current player may suggest without moving first."""
        board, inside = self.rules.board, self.rules.ground.inside
        if "suggests" in self.done or self.done & MOVES:
            return 0
        if board is None:
            return inside
        called = board.called and self.turns.seat in self.called
        return self._place & inside if board.stay or called else 0

    @cached_property
    def _bans(self) -> dict[str, Guard]:
        """
        The rooms where the current player may not suggest, each with the guard that forbids it.
        """
        rules = self.rules
        moved = self.done & MOVES
        settled = rules.exact or moved
        known = self._rooms(self._place) if settled else ()
        standing = self._may_be_at if moved else self._home | (0 if rules.exact else self._targets)
        closed: dict[str, Guard] = {}
        for room, bit in rules.ground.rooms.items():
            if not standing & bit:
                rule: Rule = "place" if settled else "reach"
                if not (moved or self._place & ~bit):
                    rule = "stay"
                closed[room] = True, rule, known
            elif room in self.unlooked:
                closed[room] = True, "look", ()
        return closed

    @property
    def _may_be_at(self) -> int:
        """
        The mask of the places where the current player's piece may be by now.

        They are those where it stood when the turn began and, if moves may have been left out of
        the record, those to which it may have moved since then.
        """
        return self._place | self._home | (0 if self.rules.exact else self._targets)

    @cached_property
    def suspects(self) -> tuple[str, ...]:
        """The suspects that the dice show; empty if the dice are not recorded."""
        return tuple(face for face in self.dice if face in self.rules.suspects)

    def on_dice(self, cards: Sequence[str]) -> bool:
        """
        Return whether the dice show the suspects of these cards, each on a die of its own.

        True if the dice are not recorded.
        """
        left = list(self.suspects)
        if not left:
            return True
        for card in cards:
            feature = self.rules.feature[card]
            if feature not in left:
                return False
            left.remove(feature)
        return True

    @property
    def third(self) -> tuple[str, ...]:
        """
        The suspects that a player with the bonus die may ask about after suggesting two.

        They are those that the dice show and the suggestion did not use; all suspects if there are
        none, as when the dice are not recorded.
        """
        left = Counter(self.suspects)
        left.subtract(self.rules.feature[card] for card in self.used)
        return tuple(+left) or tuple(self.rules.edition.features)

    @cached_property
    def uses(self) -> frozenset[str]:
        """
        The verbs of the extra actions that the roll allows; a player may take one in each turn.

        If no bonus die is recorded, these are all extra actions of the game. If the face that was
        rolled allows nothing, there are none.
        """
        bonus = self.rules.edition.bonus
        if any(face in self.rules.edition.faces and face not in bonus for face in self.dice):
            return frozenset()  # a face that lets one do nothing
        return frozenset(bonus[face] for face in self.dice if face in bonus) or self.rules.uses

    @property
    def before_accusing(self) -> tuple[str, ...]:
        """
        The verbs of what must come before accusing in this turn; empty if nothing must.

        If several extra actions (`uses`) are among them, any one of these is enough.
        """
        when = self.rules.edition.accuse_when
        first = () if when == "turn" or "suggests" in self.done else ("suggests",)
        if when != "last" or self.done & USES:
            return first
        return (*first, *sorted(self.uses))

    # What may be done now.

    def legal(self, verb: str = "") -> Iterator[Observation]:
        """
        Yield every action that the current player may take now; none if the game is over.

        Actions are observations without their outcome: answers, cards seen and dice are left out,
        and an accusation is listed as wrong. After a suggestion the player may also end the turn,
        which is no action (`ended`).

        Args:
            verb: The verb of the actions; all `ACTIONS` if left out.
        """
        play = self._going
        for each in (verb,) if verb else ACTIONS:
            if self.turn and not any(broken for broken, _, _ in play._guards(each)):
                yield from play._actions(each)

    def may(self, verb: str) -> bool:
        """Return whether the current player may take an action of this verb now."""
        if verb not in self._may:
            self._may[verb] = any(True for _ in self.legal(verb))
        return self._may[verb]

    @cached_property
    def _may(self) -> dict[str, bool]:
        """What `may` has returned so far, by verb."""
        return {}

    @cached_property
    def destinations(self) -> tuple[str, ...]:
        """The places to which the current player may move now: rooms, then squares."""
        return tuple(each.to for each in self.legal("moves") if isinstance(each, observed.Move))

    def suggestions(self) -> Iterator[tuple[str, ...]]:
        """Yield the cards of every suggestion that may be made now, in category order."""
        legal = self.legal("suggests")
        yield from (each.cards for each in legal if isinstance(each, observed.Suggestion))

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The rooms where the current player may suggest now."""
        rooms = self.rules.ground.rooms if self.may("suggests") else ()
        return tuple(room for room in rooms if room not in self._going._bans)

    @cached_property
    def face_down(self) -> tuple[str, ...]:
        """The face-down slots that the current player may look at now."""
        slots = self.rules.slots
        looks = {getattr(look, "holder", "") for look in self.legal("looks")} if slots else ()
        return tuple(slot for slot in slots if slot in looks)

    def extras(self) -> Iterator[Observation]:
        """
        Yield the extra actions that the current player may take now.

        They are those that a bonus die or a snoop (a card drawn from another's hand) allows.
        """
        for verb in ACTIONS:
            if verb in self._going.uses:
                actions = self.legal(verb)
                slots = self.rules.slots
                yield from (each for each in actions if getattr(each, "holder", "") not in slots)

    def _actions(self, verb: str) -> Iterator[Observation]:
        """
        Yield every legal action with this verb, one for each place or combination of cards.

        Only for a verb that `_guards` allow.
        """
        rules = self.rules
        edition, ground = rules.edition, rules.ground
        seat = str(self.turns.seat)
        match verb:
            case "rolls" if verb in rules.rolling:
                yield observed.Roll(by=seat)
            case "draws" if self._may_draw:
                clues = self._next_clues if rules.exact else rules.table.clues
                yield from (observed.Draw(by=seat, kind=clue) for clue in sorted(clues))
            case "moves":
                rooms, squares = self._targets & ground.inside, self._targets & ground.squares
                for place in (*places_in(rooms), *places_in(squares)):
                    yield observed.Move(by=seat, to=ground.names[place])
            case "stays" if rules.board is not None:
                yield observed.Stay(by=seat)
            case "looks":
                for holder in (*rules.slots, *rules.table.seats):
                    look = observed.Look(by=seat, holder=holder)
                    if holder != seat and not any(broken for broken, _, _ in self._guards_of(look)):
                        yield look
            case "suggests":
                named = [[card for card in cards if self._may_name(card)] for cards in rules.kinds]
                for chosen in combinations(named, edition.named):
                    for cards in product(*chosen):
                        if self.on_dice(cards):
                            yield observed.Suggestion(by=seat, cards=cards)
            case "asks":
                for other, name in product(rules.table.seats, self.third):
                    if other != seat:
                        yield observed.Question(by=seat, seat=other, about=(name,))
            case "peeks":
                yield observed.Peek(by=seat)
            case "points":
                for cards in product(*rules.kinds):
                    yield observed.Finger(by=seat, cards=cards)
            case "accuses":
                for cards in product(*rules.kinds):
                    yield observed.Accusation(by=seat, cards=cards, right=False)
            case "skips":
                yield observed.Skip(by=seat)

    def _may_name(self, card: str) -> bool:
        """Return whether the room and the dice allow a suggestion to name this card."""
        dice = self.suspects
        return card not in self._bans and (not dice or self.rules.feature[card] in dice)


@cache
def _rolls(dice: int) -> dict[int, float]:
    """Return the chance of each total that this number of dice can show, by total."""
    ways = Counter(map(sum, product(range(1, 7), repeat=dice)))
    return {total: number / 6**dice for total, number in ways.items()}
