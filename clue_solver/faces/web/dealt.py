"""
A table at which the program deals, rolls, moves and shows: people on their pages, and machines.

The game is the arena's; a page gets of it what its seat has seen. It is saved at every decision, in
a hidden file beside the log of what everybody sees, so that nobody comes upon the cards by chance.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from clue_solver.answers.review import Review
from clue_solver.arena.chairs import PERSON, Chairs
from clue_solver.arena.referee import Request
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, RecordError
from clue_solver.faces.games import game_file, new_mark
from clue_solver.faces.leaving import leave
from clue_solver.faces.practising import REVIEWED
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.game import Game
from clue_solver.knowledge.evidence import seen
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile, content_of, edition_from, write_whole
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
        trouble: Why the game could not be saved; empty while all is well.
        story: What the review begins with, once the game is over and reviewed; `None` before.
    """

    dealt = True

    def __init__(
        self,
        chairs: Chairs,
        keeper: RecordFile | None = None,
        *,
        recorder: Notebook | None = None,
    ) -> None:
        super().__init__(keep=lambda: None, public=True)
        self.recorder = recorder or self.recorder
        self.chairs = chairs
        self.trouble = ""
        self.story: str | None = None
        self._thinking = False
        self._read: dict[Notebook, int] = {}
        self._shares: dict[Notebook, list[Observation]] = {}
        table = chairs.game.dealt.table
        public = Record(table=replace(table, viewer=None))
        self.recorder.session = Session(public, keeper=keeper)
        for seat in table.seats:
            self.seats[seat] = Notebook(seat, Session(Record(table=replace(table, viewer=seat))))
        for book in self.notebooks:
            self.current(book)
        self._take_links()
        self.save()
        self.write_out()

    @classmethod
    def deal(
        cls,
        edition: Edition,
        players: Mapping[str, str],
        path: Path,
        *,
        seed: int,
        board: bool,
        recorder: Notebook | None = None,
    ) -> "DealtTable":
        """
        Return a table with a new game in a file; arguments as there and of `Chairs.begin`.

        Raises:
            SetupError, ArgumentError: As `Chairs.begin`.
            RecordError: If the file is open elsewhere.
        """
        own = edition_from(edition, path.parent)
        chairs = Chairs.begin(own, players, seed=seed, board=board, mark=new_mark())
        return cls(chairs, RecordFile(path), recorder=recorder)

    @classmethod
    def resume(cls, path: Path, recorder: Notebook | None = None) -> "DealtTable":
        """
        Return the table of a game that is saved beside a file; arguments as there.

        Raises:
            RecordError: If the file is open elsewhere, or there is no such game.
        """
        keeper = RecordFile(path)
        try:
            values = json.loads(content_of(game_file(path)))
            if not isinstance(values, dict):
                raise RecordError("expected a game that was saved", path=str(game_file(path)))
            return cls(Chairs.resumed(values, beside=path.parent), keeper, recorder=recorder)
        except BaseException as error:
            keeper.close()
            if isinstance(error, ValueError):
                reason = "expected a game that was saved"
                raise RecordError(reason, path=str(game_file(path))) from None
            raise

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self.chairs.game.request is None

    def current(self, book: Notebook) -> Session:
        """Return what a page shows: what its seat has seen so far; all of it once it is over."""
        session, game = book.game, self.chairs.game
        if self._read.get(book) == len(game.log) + self.over:
            return session
        shares = self._shares.setdefault(book, [])
        table = session.record.table
        for observation in game.log[self._read.get(book, 0) :]:
            share = seen(observation, table=table, viewer=book.seat)
            if share is not None:
                shares.append(share)
        self._read[book] = len(game.log) + self.over
        if self.over:
            whole = game.record
            session.rewrite(whole.entries, replace(whole.table, viewer=book.seat), later=True)
        else:
            entries = tuple(Entry(observation=share) for share in shares)
            session.rewrite(entries, later=True)
        self.unwritten.add(book)
        return session

    def shares(self, book: Notebook) -> list[Observation]:
        """Return all that a page's seat has seen."""
        self.current(book)
        return self._shares[book]

    def happened(self, book: Notebook) -> tuple[Observation, ...]:
        """Return what a page's seat has seen since its last turn; the last of it for everybody."""
        told = [each for each in self.shares(book) if not isinstance(each, Hand)]
        own = [
            number
            for number, each in enumerate(told, 1)
            if each.turn == "ends" and getattr(each, "by", None) == book.seat
        ]
        since = own[-1] - 1 if own else 0
        return tuple(told[max(since, len(told) - _TOLD) :])

    # What is decided.

    def asked(self, book: Notebook) -> Request | None:
        """Return what the game asks of the person at a page now, if anything."""
        mine = book.seat is not None and self.chairs.person == book.seat
        return self.chairs.game.request if mine else None

    def decide(self, book: Notebook, number: int, choice: Any, *, accuses: bool = False) -> None:
        """
        Take a decision from a seat's page; nothing if it was made already.

        Args:
            book: The page.
            number: How many decisions there were when the page asked for it.
            choice: What was decided, as `Referee.choices` has it.
            accuses: Whether it is to accuse, whatever was asked for.

        Raises:
            ArgumentError: If that is not allowed now; nothing has changed then.
        """
        if number != self.chairs.number or self.asked(book) is None:
            return
        if accuses:
            self.chairs.accuse(choice)
        else:
            self.chairs.decide(choice)
        self._decided()

    def due(self) -> Callable[[], Callable[[], None]] | None:
        """
        Return what lets a machine think, if one has to decide; what comes of it makes the decision.

        Nothing while one thinks already: it would draw its lots twice.
        The first may run beside all else, the second in the thread of the game. Once the game is
        over it is reviewed so.
        """
        seat, number = self.chairs.machine, self.chairs.number
        waits = self.story is None if self.over else seat is not None
        if not waits or self._thinking:
            return None
        self._thinking = True
        if self.over:
            return partial(self._reviewed, self.chairs.game.record)

        def think() -> Callable[[], None]:
            try:
                choice = self.chairs.thought()
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

    def _reviewed(self, record: Record) -> Callable[[], None]:
        story = ""
        with suppress(ClueError):
            story = self.reviewed(Game(record)).story

        def tell() -> None:
            self.story, self._thinking = story, False
            self.all_changed()

        return tell

    def reviewed(self, game: Game) -> Review:
        """Return the same review for the page and for the file that it offers."""
        return game.review(sample=REVIEWED)

    def sit(self, seat: str, player: str) -> None:
        """
        Let a machine play a seat, or a person.

        Raises:
            ArgumentError: If there is no such seat or player.
        """
        if seat not in self.seats:
            raise ArgumentError(f"there is no seat of {seat}", argument="seat")
        if self.chairs.players[seat] != player:
            self.chairs.sit(seat, player)
            self._decided()

    def _decided(self) -> None:
        self.save()
        self.all_changed()

    def save(self) -> None:
        """Save the game."""
        keeper = self.recorder.game.keeper
        if keeper is None:
            return
        values = self.chairs.saved()
        try:
            write_whole(json.dumps(values).encode(), game_file(keeper.path), private=True)
        except (OSError, ValueError) as error:
            self.trouble = (isinstance(error, OSError) and error.strerror) or str(error)
            self.tell(f"the game cannot be saved: {self.trouble}")
        else:
            self.trouble = ""

    # What a table that is logged by hand does otherwise.

    def undoing(self, book: Notebook, session: Session) -> str:  # noqa: ARG002
        """Return nothing: what has happened stands."""
        return ""

    def may_forget(self, book: Notebook, observation: Observation) -> bool:  # noqa: ARG002
        """Return false: what has happened stands."""
        return False

    def plays(self, seat: str) -> bool:
        """Whether a person plays a seat, who needs its link."""
        return seat not in self.machines

    @property
    def machines(self) -> Mapping[str, str]:
        """The seats that machines play, each with the strength of its machine."""
        return {seat: each for seat, each in self.chairs.players.items() if each != PERSON}

    def poll(self) -> None:
        """Do nothing: the program alone writes the log."""

    def close(self, *, ask: bool = False, brief: bool = False) -> bool:
        """Write the log, let go of its file and say where it is; as of `ServedTable`."""
        self.current(self.recorder)
        self.write_out()
        return leave(self.recorder.game, ask=ask, called="the log", brief=brief)
