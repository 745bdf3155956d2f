"""
The referee: runs a game by the rules, one decision after another.

Until it is over, a game always waits for one decision (`Referee.request`); `Referee.decide` makes
it and goes on to the next. Tournaments, environments, practice and games of people and machines all
work like this. Each thing that happens updates the log, the state of play and what each seat knows;
a `View` has what one seat sees.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.arena.dealing import Deal, one, shuffled
from clue_solver.arena.players import ROLL, Player
from clue_solver.arena.view import Course, View
from clue_solver.errors import ArgumentError, printable
from clue_solver.notation.canonical import format_line
from clue_solver.record.contents import Entry, Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play

Deciding = Literal["move", "ask", "show", "accuse"]
"""The kinds of decisions, named after the methods of `Player` that make them."""

MOST_TURNS = 1_000
"""The number of turns, of all players together, after which a game ends without a winner."""


class Request(NamedTuple):
    """
    A decision that a seat has to make.

    Attributes:
        seat: The seat that must decide.
        kind: The kind of decision.
        cards: For `show`, the cards that could be shown; else empty.
        to: For `show`, the seat that will see the card; else `None`.
    """

    seat: str
    kind: Deciding
    cards: tuple[str, ...] = ()
    to: str | None = None


class Referee:
    """
    A game that is being played by the rules; it waits for one decision after another.

    >>> from clue_solver import load_edition
    >>> from clue_solver.arena.dealing import deal
    >>> rngs = [np.random.default_rng(seed) for seed in range(5)]
    >>> game = Referee(deal(load_edition("clue-diced"), 3, rngs[0]), rng=rngs[1], rngs=rngs[2:])
    >>> game.request
    Request(seat='Ben', kind='ask', cards=(), to=None)
    >>> game.decide(next(choice for choice in game.choices() if choice is not None))
    >>> game.request.kind
    'accuse'

    Attributes:
        request: The decision that must be made now; `None` once the game is over.
        decisions: All decisions so far, in order.
        began: The state of the random number generator before its first use.
        dealt: Where all cards are; no view shows it.
        course: The course of the game so far; `state` and `log` are taken from it.
        views: For each seat, its view of the game.
        turns: The number of turns so far, of all seats together.
    """

    def __init__(
        self,
        dealt: Deal,
        *,
        rng: np.random.Generator,
        rngs: Sequence[np.random.Generator],
        compiled: bool = True,
        most_turns: int = MOST_TURNS,
        each_shows: bool = False,
    ) -> None:
        """
        Begin a game and go on to its first decision.

        Args:
            dealt: The deal.
            rng: The source of randomness for dice and draws.
            rngs: For each seat, the source of randomness for its player.
            compiled: Whether to use machine code, if numba is installed; the game is the same
                without.
            most_turns: The number of turns after which the game ends.
            each_shows: Whether to ask a seat which card to show even if it has only one.
        """
        table = dealt.table
        self.dealt = dealt
        self.rng = rng
        self.began = rng.bit_generator.state
        self.most_turns = most_turns
        self.each_shows = each_shows
        self.solution = dealt.solution
        self.course = Course(table, fast=compiled)
        self.log = self.course.log
        self.turns = 0
        self.decisions: list[Any] = []
        self.request: Request | None = None
        self._notch: str | None = None
        self._deck = shuffled(table.clues and table.edition.clues, rng)
        hands = [dealt.hand(seat) for seat in table.seats]
        self.views = {
            hand.seat: View(self.course, hand, rng) for hand, rng in zip(hands, rngs, strict=True)
        }
        for hand in hands:
            self.course.happen(hand)
        self._decisions = self._play()
        self._go_on(None)

    @property
    def state(self) -> Play:
        """The state of play: whose turn it is, where the pieces stand, what is allowed."""
        return self.course.state

    @property
    def record(self) -> Record:
        """The whole record so far, with all hands and the solution."""
        entries = [Entry(observation=observation) for observation in self.log]
        if entries:
            entries[0] = replace(entries[0], before=("",))
        return Record(
            table=replace(self.dealt.table, solution=self.solution), entries=tuple(entries)
        )

    def choices(self) -> Iterator[Any]:
        """
        Yield the possible decisions now; `None` comes first if doing nothing is one of them.

        Decisions are places to move to, questions without answers, cards to show, or the cards of
        an accusation in category order.
        """
        request = self.request
        if request is None:
            return
        view = self.views[request.seat]
        match request.kind:
            case "show":
                yield from request.cards
            case "move":
                yield from (None, *view.places)
            case "ask":
                yield None
                yield from view.questions()
            case "accuse":
                yield None
                yield from product(*view.kinds)

    def decide(self, choice: Any) -> None:
        """
        Make the decision that the game waits for, and go on to the next one.

        Raises:
            ArgumentError: If the decision is none of `choices`; then nothing changes.
        """
        request = self.request
        if request is None:
            raise ArgumentError("there is nothing to decide: the game is over", argument="choice")
        if choice not in self.choices():
            text = str(choice)
            if isinstance(choice, observed.Event):
                text = format_line(choice, self.dealt.table)
            reason = f"{request.seat} cannot do that now"
            raise ArgumentError(f"{reason}: {printable(text, most=200)}", argument="choice")
        self.decisions.append(choice)
        self._go_on(choice)

    def _go_on(self, choice: Any) -> None:
        """
        Send `choice`, the decision that was made, to the running game, and take its next request.
        """
        try:
            self.request = self._decisions.send(choice)
        except StopIteration:
            self.request = None

    # The course of a game.

    def _play(self) -> Generator[Request, Any, None]:
        """
        Play the game: a generator that yields each request and is sent the decision.

        It ends when the game is over.
        """
        while not self.state.over and self.turns < self.most_turns:
            seat = str(self.state.turn)
            self.turns += 1
            self.course.state = self.state.turn_of(seat)
            if (yield from self._accuse(seat)):
                continue
            yield from self._move(seat)
            yield from self._ask(seat)
            if (yield from self._accuse(seat)):
                continue
            if self.state.may("skips"):
                self.course.happen(observed.Skip(by=seat))
            else:
                self.course.state = self.state.ended()

    def _accuse(self, seat: str) -> Generator[Request, Any, bool]:
        """Ask a seat whether it accuses, if it may, and judge that; return whether it accused."""
        if not self.state.may("accuses"):
            return False
        cards = yield Request(seat, "accuse")
        if cards is None:
            return False
        right = cards == self.solution
        if not right and self.dealt.table.notch != "same":
            self._notch = None
        self.course.happen(observed.Accusation(by=seat, cards=cards, right=right))
        return True

    def _move(self, seat: str) -> Generator[Request, Any, None]:
        """Let a seat roll and move in its turn, and look at the face-down card where it arrives."""
        rules = self.state.rules
        view = self.views[seat]
        if rules.edition.suspect_dice:
            self._roll_suspects(seat)
            return
        if rules.board is None and not rules.slots:
            return
        if rules.board is not None and rules.board.rolls_first:
            yield from self._roll(seat)
        while True:
            if rules.board is not None and (slots := self.state.face_down):
                self._look(seat, slots[0])
                continue
            if not view.places:
                return
            place = yield Request(seat, "move")
            if place is None:
                return
            if place == ROLL:
                yield from self._roll(seat)
            elif rules.board is None:
                self._look(seat, place)
            else:
                self.course.happen(observed.Move(by=seat, to=place))

    def _look(self, seat: str, slot: str) -> None:
        """Let a seat look at a face-down card."""
        (card,) = self.dealt.hands[slot]
        self.course.happen(observed.Look(by=seat, holder=slot, card=card))

    def _roll_suspects(self, seat: str) -> None:
        """Roll the suspect dice and the bonus die for a seat."""
        edition = self.state.rules.edition
        suspects = tuple(edition.features)
        faces = [one(suspects, self.rng) for _ in range(edition.suspect_dice)]
        if edition.bonus:  # a die has six faces
            blank = [face for face in edition.faces if face not in edition.bonus]
            others = [blank[0]] * (6 - len(edition.bonus)) if blank else []
            faces.append(one((*edition.bonus, *others), self.rng))
        self.course.happen(observed.Roll(by=seat, dice=tuple(faces)))

    def _roll(self, seat: str) -> Generator[Request, Any, None]:
        """Roll the dice of the board for a seat, and draw and obey a clue card for each icon."""
        board, edition = self.state.rules.board, self.state.rules.edition
        assert board is not None
        faces = (self.rng.integers(1, 7, board.dice)).tolist()
        icons = edition.faces[:1] * faces.count(1) if board.icon else ()
        self.course.happen(observed.Roll(by=seat, total=sum(faces), icons=icons))
        for _ in icons if self._deck else ():
            kind = self._deck.pop(0)
            self._deck.append(kind)
            self.course.happen(observed.Draw(by=seat, kind=kind))
            yield from self._obey(seat, kind)

    def _obey(self, seat: str, kind: str) -> Generator[Request, Any, None]:
        """
        Do what a clue card of this kind, which a seat has drawn, says.

        Moving comes later, so `move` and `passage` do nothing here.
        """
        table = self.dealt.table
        drawn = self.log[-1]
        if kind in ("move", "passage"):
            return
        if kind in ("left", "all"):
            for giver in table.seats:
                to = table.after(giver) if kind == "left" else None
                yield from self._reveal(giver, to, drawn)
        elif kind == "one":
            other = one([neighbour for neighbour in table.seats if neighbour != seat], self.rng)
            yield from self._reveal(other, seat, drawn)
        else:
            category = table.edition.category_of
            named = [card for card in table.cards if kind == category[card].casefold()]
            card = one(named, self.rng)
            owner = next((seat for seat in table.seats if card in self.dealt.hands[seat]), None)
            if owner is None:
                self.course.happen(observed.Nobody(card=card))
            else:
                self.course.happen(observed.Reveal(seat=owner, card=card))

    def _reveal(
        self, seat: str, to: str | None, drawn: Observation
    ) -> Generator[Request, Any, None]:
        """
        Let a seat show a card of its hand because of a clue card.

        Args:
            seat: The seat that shows.
            to: The seat that sees the card; `None` if all do.
            drawn: The entry of the clue card.
        """
        card = yield from self._show(seat, self.views[seat].hand, to, drawn)
        self.course.happen(observed.Reveal(seat=seat, card=card, to=to))

    def _ask(self, seat: str) -> Generator[Request, Any, None]:
        """Let a seat make its suggestion, and then the extra actions that are allowed."""
        while self.state.may("suggests") or any(self.state.extras()):
            question = yield Request(seat, "ask")
            if question is None:
                break
            self.course.happen((yield from self._answer(question)))

    def _answer(self, question: Observation) -> Generator[Request, Any, Observation]:
        """
        Let the seats answer a question; return the question with its answers.

        For a look or a peek, the answer is a card or feature drawn at random.
        """
        match question:
            case observed.Inquiry(by=by, cards=cards):
                answers = []
                for seat, could in self.dealt.able_to_answer(by, cards):
                    card = (yield from self._show(seat, could, by, question)) if could else None
                    reply: observed.Reply = "shows" if could else "passes"
                    answers.append(observed.Answer(seat=seat, answer=reply, card=card))
                return replace(question, answers=tuple(answers))
            case observed.Question(by=by, seat=seat, about=about):
                marked = self.state.rules.edition.features
                named = {card for name in about for card in marked.get(name, (name,))}
                could = [card for card in self.views[seat].hand if card in named]
                card = (yield from self._show(seat, could, by, question)) if could else None
                return replace(question, answer="shows" if could else "passes", card=card)
            case observed.Look(holder=holder):
                held = sorted(self.dealt.hands[holder])
                return replace(question, card=one(held, self.rng))
            case _:  # a peek
                self._notch = self._notch or one(self.solution, self.rng)
                return replace(question, feature=self.state.rules.feature[self._notch])

    def _show(
        self, seat: str, could: Sequence[str], to: str | None, asked: Observation
    ) -> Generator[Request, Any, str]:
        """
        Return the card that a seat shows.

        The seat is asked if it has a choice, or always with `each_shows`.

        Args:
            seat: The seat.
            could: The cards that it could show.
            to: The seat that will see the card; `None` if all will.
            asked: The question or the clue card because of which it must show one.
        """
        self.views[seat].asked = asked
        if len(could) == 1 and not self.each_shows:
            return could[0]
        card: str = yield Request(seat, "show", tuple(could), to)
        return card


def decision_of(player: Player, view: View, request: Request) -> Any:
    """Return a player's decision: ask the player for what the request says."""
    if request.kind == "show":
        return player.show(view, request.cards, request.to)
    decision = getattr(player, request.kind)(view)
    return tuple(decision) if isinstance(decision, list) else decision


def play(referee: Referee, players: Mapping[str, Player]) -> None:
    """
    Let players play a game to its end.

    Args:
        referee: The game.
        players: For each seat, its player.

    Raises:
        ArgumentError: If a player's decision is not allowed.
    """
    while (request := referee.request) is not None:
        referee.decide(decision_of(players[request.seat], referee.views[request.seat], request))
