"""
A table at which the program deals, rolls, moves and shows: people on their pages, and machines.

Its log is told by the arena's referee; a page has of it what its seat has seen. The game is saved
at every decision, in a hidden file beside the log of what everybody sees, so that nobody comes upon
the cards by chance.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from clue_solver.answers.review import Review
from clue_solver.arena.chairs import PERSON, Chairs
from clue_solver.arena.referee import Request
from clue_solver.conversation.session import Session
from clue_solver.faces import dealing
from clue_solver.faces.games import free_path
from clue_solver.faces.leaving import leave
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.tables import ServedTable
from clue_solver.game import Game
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Hand, Observation

_TOLD = 12
"""The most that is told at once of what has happened."""


class DealtTable(ServedTable):
    """
    A game that the program deals.

    Args:
        chairs: The game, and who plays it.
        keeper: The file of the log, beside which the game is saved; in memory alone without one.
        recorder: What leads to the host's page, where there is one already.

    Attributes:
        chairs: The game, and who plays it.
    """

    dealt = True

    def __init__(
        self,
        chairs: Chairs,
        keeper: RecordFile | None = None,
        *,
        recorder: Eyes | None = None,
    ) -> None:
        super().__init__(public=True)
        self.recorder = recorder or self.recorder
        self.chairs = chairs
        self._step = -1  # how long the log was at the last tap for a machine
        table = replace(chairs.game.dealt.table, viewer=None)
        self.whole = Record(table=table)
        self.recorder.session = Session(Record(table=table), keeper=keeper)
        for seat in table.seats:
            self.seats[seat] = Eyes(seat, Session(Record(table=replace(table, viewer=seat))))
        self._take_in()
        self.recorder.session.write_out()
        self.take_links()

    @classmethod
    def deal(
        cls,
        edition: Edition,
        players: Mapping[str, str],
        path: Path,
        *,
        board: bool,
        seed: int | None = None,
        recorder: Eyes | None = None,
    ) -> "DealtTable":
        """
        Return a table with a new game in a file; arguments as there and of `Chairs.begin`.

        Raises:
            SetupError, ArgumentError: As `Chairs.begin`.
            RecordError: If the file is open elsewhere.
        """
        chairs = dealing.deal_at(path, edition, players, seed=seed, board=board)
        return cls(chairs, RecordFile(path), recorder=recorder)

    @classmethod
    def resume(cls, path: Path, recorder: Eyes | None = None) -> "DealtTable":
        """
        Return the table of a game that is saved beside a file; arguments as there.

        Raises:
            RecordError: If the file is open elsewhere, or there is no such game.
        """
        chairs, keeper = dealing.resume(path)
        return cls(chairs, keeper, recorder=recorder)

    @property
    def own(self) -> Eyes:
        """The recorder's eyes; on a phone alone those of the person who plays."""
        people = [eyes for seat, eyes in self.seats.items() if seat not in self.machines]
        return people[0] if self.alone and len(people) == 1 else self.recorder

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.chairs.game.request is None

    def _take_in(self) -> None:
        """Save the game, and take into the log what the referee tells."""
        assert self.whole is not None
        self._save()
        game = self.chairs.game
        told = game.log[len(self.whole.entries) :]
        entries = tuple(Entry(observation=each) for each in told)
        self.whole = replace(self.whole, entries=(*self.whole.entries, *entries))
        if self.over:
            self.open = True
            self.whole = replace(game.record, table=replace(game.record.table, viewer=None))
        for eyes in self.every:
            self.current(eyes)

    def stamp(self, eyes: Eyes) -> str:  # noqa: ARG002
        """Return how many decisions were made."""
        return str(self.chairs.number)

    def happened(self, eyes: Eyes) -> tuple[Observation, ...]:
        """Return what a page's seat has seen since its last turn; the last of it for everybody."""
        told = [each for each in eyes.game.record.observations if not isinstance(each, Hand)]
        own = [
            number
            for number, each in enumerate(told, 1)
            if each.turn == "ends" and getattr(each, "by", None) == eyes.seat
        ]
        since = own[-1] - 1 if own else 0
        return tuple(told[max(since, len(told) - _TOLD) :])

    # What is decided.

    def asked(self, eyes: Eyes) -> Request | None:
        """Return what the game asks of the person at a page now, if anything."""
        mine = eyes.seat is not None and self.chairs.person == eyes.seat
        return self.chairs.game.request if mine else None

    def decide(self, choice: Any, *, accuses: bool = False) -> None:
        """
        Make the decision that the game waits for.

        Args:
            choice: What was decided, as `Referee.choices` has it.
            accuses: Whether it is to accuse, whatever was asked for.

        Raises:
            ArgumentError: If that is not allowed now; nothing has changed then.
        """
        if accuses:
            self.chairs.accuse(choice)
        else:
            self.chairs.decide(choice)
        self._decided()

    def due(self) -> Callable[[], Callable[[], None]] | None:
        """
        Return what lets a machine think, if one has to decide; what comes of it makes the decision.

        Nothing while one thinks already: it would draw its lots twice.
        The first may run beside all else, the second in the thread of the game.
        """
        seat, number = self.chairs.machine, self.chairs.number
        if seat is None or self._thinking:
            return super().due()
        if self.steps and self._step != len(self.chairs.game.log):
            return None
        self._thinking = True

        def think() -> Callable[[], None]:
            try:
                choice = self.chairs.machine_choice()
            except Exception as error:  # a player of one's own may be wrong
                self.tell(f"{seat} cannot decide, and does nothing: {type(error).__name__}")
                choice = next(self.chairs.game.choices())

            def decide() -> None:
                self._thinking = False
                if (self.chairs.machine, self.chairs.number) == (seat, number):
                    self.chairs.decide(choice)
                    self._decided()

            return decide

        return think

    @property
    def steps(self) -> bool:
        """Whether a machine waits for a tap before what it does, as some page wants to follow."""
        return any(eyes.links.steps for eyes in self.every)

    def step(self) -> None:
        """Let machines go on until one has done what everybody notices."""
        self._step = len(self.chairs.game.log)

    def reviewed(self, game: Game) -> Review:
        """Return the same review for the page and for the file that it offers."""
        return game.review(sample=dealing.REVIEWED)

    @property
    def machines(self) -> Mapping[str, str]:
        """The seats that machines play, each with the strength of its machine."""
        return {seat: each for seat, each in self.chairs.players.items() if each != PERSON}

    def _next(self) -> "DealtTable":
        keeper = self.recorder.game.keeper
        assert keeper is not None
        path = free_path(keeper.path)
        return DealtTable(dealing.deal_again(self.chairs, path), RecordFile(path))

    def sit(self, seat: str, player: str) -> None:
        """
        Let a machine play a seat, or a person.

        Raises:
            ArgumentError: If there is no such seat or player.
        """
        self.of(seat)
        if self.chairs.players[seat] != player:
            self.chairs.sit(seat, player)
            self._decided()

    def _decided(self) -> None:
        self._take_in()
        self.all_changed()

    def _save(self) -> None:
        """Save the game."""
        keeper = self.recorder.game.keeper
        if keeper is None:
            return
        self.trouble = dealing.save(self.chairs, keeper.path)
        if self.trouble:
            self.tell(f"the game cannot be saved: {self.trouble}")

    def close(self, *, brief: bool = False) -> bool:
        """Let go of the log's file and say where it is; as of `ServedTable`."""
        return leave(self.recorder.game, called="the log", brief=brief)
