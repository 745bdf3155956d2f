"""
A game between people and machines, and who plays each seat.

A machine decides only by what its seat sees. A person and a machine may replace each other in a
seat at any time; the new player knows what the seat saw. A game is saved as its start and its
decisions; the rest follows from the rules.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from msgspec.structs import replace

from clue_solver.arena.dealing import Deal, deal
from clue_solver.arena.players import Player, find_player
from clue_solver.arena.referee import Referee, decision_of
from clue_solver.errors import ArgumentError, RecordError
from clue_solver.notation.canonical import format_line
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import parse_record
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Accusation, Event, Move, Roll

PERSON = ""
"""What `Chairs.players` has for a seat that a person plays."""

MACHINES = {
    "easy": "takes notes by hand as people do, and asks for its own cards now and then",
    "medium": "misses nothing, and asks for the likeliest cards",
    "hard": "does what this program advises: it learns from your questions and picks its moment",
}
"""The machines that people can choose, the weakest first, and how each plays."""

HARD_WINS = {
    "clue-classic": ("three", 62),
    "clue-2015": ("one", 58),
    "clue-diced": ("two", 39),
    "master-detective": ("three", 49),
}
"""
How `hard` was measured, by edition: against how many `medium` players, and its wins in 100 games.
"""

NAMES = (
    *("Watson", "Hastings", "Lestrade", "Japp", "Lemon", "Hudson"),
    *("Bunter", "Archie", "Mycroft", "Irene"),
)
"""The default names of machines, as many as there can be seats."""


def machines(edition: str) -> dict[str, str]:
    """
    Return how each machine plays, in words, by the machine's name.

    For `hard` it also says how often it wins in this edition, if that was measured.

    >>> machines("clue-classic")["hard"].partition("; ")[2]
    'against three at medium it wins 62 of 100 games'
    """
    if edition not in HARD_WINS:
        return MACHINES
    others, wins = HARD_WINS[edition]
    won = f"against {others} at medium it wins {wins} of 100 games"
    return {**MACHINES, "hard": f"{MACHINES['hard']}; {won}"}


def free_names(taken: Iterable[str]) -> Iterator[str]:
    """
    Yield names that are not taken, to give to machines.

    >>> next(free_names(["watson", "Mum"]))
    'Hastings'
    """
    known = {name.casefold() for name in taken}
    yield from (name for name in NAMES if name.casefold() not in known)


class Chairs:
    """
    A game between people and machines.

    Args:
        game: The game. With people in it, the referee should ask for every card shown
            (`each_shows`), so that no pause tells whether there was a choice.
        players: Who plays each seat: one of `MACHINES`, any player of the arena, or `PERSON`.

    Attributes:
        game: The game, which waits for a decision of a person or a machine.
        players: Who plays each seat.

    Raises:
        ArgumentError: If there is no such player.

    >>> from clue_solver.arena.tournament import Tournament
    >>> game = Tournament(edition="clue-diced", players=("random",) * 3).begin(1)
    >>> chairs = Chairs(game, {"Ann": PERSON, "Ben": "easy", "Cat": "hard"})
    >>> chairs.person, chairs.game.request.kind
    ('Ann', 'ask')
    """

    def __init__(self, game: Referee, players: Mapping[str, str]) -> None:
        self.game = game
        self.players: dict[str, str] = {}
        self._machines: dict[str, Player] = {}
        self._heard = 0  # how long the log was when a person decided last
        self._values: dict[str, Any] = {}
        for seat in game.views:
            self._sit(seat, players.get(seat, PERSON))
        self._go_on()

    @classmethod
    def begin(
        cls,
        edition: Edition,
        players: Mapping[str, str],
        *,
        seed: int,
        board: bool = True,
        mark: str | None = None,
    ) -> Self:
        """
        Return a new game, with its cards dealt.

        Args:
            edition: The edition played.
            players: Who plays each seat, clockwise: one of `MACHINES`, any player of the arena, or
                `PERSON`.
            seed: The seed of the cards and dice.
            board: Whether to play on the board, if the edition has one. Without it, any room can be
                named.
            mark: The mark by which the game's files are recognised; `None` for none.

        Raises:
            SetupError: If the edition is not for this number of players, or a name is not allowed.
            ArgumentError: If there is no such player.
        """
        rng = np.random.default_rng([seed, 0])
        dealt = deal(edition, len(players), rng, board=board, names=tuple(players))
        dealt = dealt._replace(table=replace(dealt.table, game=mark))
        rngs = [np.random.default_rng([seed, 2, seat]) for seat in range(len(players))]
        dice = np.random.default_rng([seed, 1])
        game = Referee(dealt, rng=dice, rngs=rngs, compiled=False, each_shows=True)
        return cls(game, players)

    @property
    def decision_count(self) -> int:
        """The number of decisions made so far, by people and machines."""
        return len(self.game.decisions)

    @property
    def person(self) -> str | None:
        """The seat of the person who must decide now; `None` if no person must."""
        request = self.game.request
        return request.seat if request and self.players[request.seat] == PERSON else None

    @property
    def machine(self) -> str | None:
        """The seat of the machine that must decide now; `None` if no machine must."""
        request = self.game.request
        return request.seat if request and self.players[request.seat] != PERSON else None

    def machine_choice(self) -> Any:
        """
        Return the decision of the machine that must decide now.

        This may run in another thread.
        """
        request = self.game.request
        assert request is not None
        return decision_of(self._machines[request.seat], self.game.views[request.seat], request)

    def decide(self, choice: Any, *, accuses: bool = False) -> None:
        """
        Make the decision that the game waits for, and go on to the next one.

        People are asked whether to accuse only after they have learned something in their turn.

        Args:
            choice: The decision, one of `Referee.choices`.
            accuses: Whether the person accuses instead, and does nothing else in the turn.

        Raises:
            ArgumentError: If that is not allowed now; then nothing changes.
        """
        if accuses:
            self._skip_to_accusation(choice)
        if self.person is not None:
            self._heard = len(self.game.log)
        self.game.decide(choice)
        self._go_on()

    @property
    def may_accuse(self) -> bool:
        """Whether the person who must decide now may accuse instead."""
        request, state = self.game.request, self.game.state
        own = request is not None and request.kind != "show" and self.person == state.turn
        return own and state.may("accuses")

    def _skip_to_accusation(self, cards: tuple[str, ...]) -> None:
        """
        Decline the person's decisions until they are asked whether to accuse.

        Raises:
            ArgumentError: If these cards may not be accused now; then nothing is declined.
        """
        accusation = Accusation(by=str(self.person), cards=cards, right=False)
        if not self.may_accuse or accusation not in self.game.state.legal("accuses"):
            raise ArgumentError("you cannot make this accusation now", argument="choice")
        while self.game.request is not None and self.game.request.kind != "accuse":
            self.game.decide(None)

    def sit(self, seat: str, player: str) -> None:
        """
        Put another player, a machine or a person, into a seat, and let the game go on.

        Raises:
            ArgumentError: If there is no such player.
        """
        self._sit(seat, player)
        self._go_on()

    def _sit(self, seat: str, player: str) -> None:
        """
        Put another player into a seat, but do not let the game go on yet.

        Raises:
            ArgumentError: If there is no such player.
        """
        if player != PERSON:
            self._machines[seat] = find_player(player)
        self.players[seat] = player

    def _go_on(self) -> None:
        """
        Let the game go on until a person or a machine really has something to decide.

        For a person who has learned nothing in their turn, decide not to accuse. Where turns begin
        with the roll, people are asked before the roll, too.
        """
        game = self.game
        while game.request is not None and self.person is not None:
            news = (each for each in game.log[self._heard :] if not isinstance(each, Roll | Move))
            board = game.state.rules.board
            asks = any(news) if game.state.done else board is not None and board.rolls_first
            if game.request.kind != "accuse" or asks:
                break
            game.decide(None)
        self._values = _values(game)

    def saved(self) -> dict[str, Any]:
        """Return the game as of the last decision and its players, as JSON values for `resumed`."""
        return self._values | {"players": self.players}

    @classmethod
    def resumed(cls, values: Mapping[str, Any], *, beside: Path | None = None) -> Self:
        """
        Return a saved game with its players, at the decision that it waited for.

        Args:
            values: The result of `saved`, also after a round trip through JSON.
            beside: The folder that the path of a user's own edition starts from.

        Raises:
            RecordError: If the values are no saved game, or break the rules.
        """
        try:
            table = parse_record(values["table"], beside=beside).table
            hands = {holder: frozenset(held) for holder, held in values["hands"].items()}
            game = Referee(
                Deal(table, hands),
                rng=_generator(values["dice"]),
                rngs=[_generator(state) for state in values["seats"]],
                compiled=False,
                each_shows=values["each_shows"],
            )
            for decision in values["decisions"]:
                choices = (each for each in game.choices() if _plain(game, each) == decision)
                game.decide(next(choices))
            return cls(game, dict(values["players"]))
        except (KeyError, TypeError, ValueError, StopIteration) as error:
            raise RecordError(f"expected a saved game: {error!r}") from None


def _values(game: Referee) -> dict[str, Any]:
    """Return how a game started and all its decisions, as JSON values."""
    return {
        "table": format_record(Record(table=game.dealt.table)),
        "hands": {holder: sorted(held) for holder, held in game.dealt.hands.items()},
        "dice": game.began,
        "seats": [view.rng.bit_generator.state for view in game.views.values()],
        "each_shows": game.each_shows,
        "decisions": [_plain(game, choice) for choice in game.decisions],
    }


def _plain(game: Referee, choice: Any) -> Any:
    """
    Return a decision as a JSON value.

    A question becomes a line, a place or a card a name, and the cards of an accusation a list.
    `None` is the decision to do nothing.
    """
    if isinstance(choice, Event):
        return format_line(choice, game.dealt.table)
    return list(choice) if isinstance(choice, tuple) else choice


def _generator(state: Mapping[str, Any]) -> np.random.Generator:
    """Return a random number generator that goes on from a saved state."""
    rng = np.random.default_rng(0)
    rng.bit_generator.state = state
    return rng
