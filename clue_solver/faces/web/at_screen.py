"""A player of a dealt table at the screen where it is served: asked as lines, beside the pages."""

import threading
from collections.abc import Callable
from typing import Any

from rich.console import Console

from clue_solver.arena.referee import Request, decided
from clue_solver.errors import ClueError
from clue_solver.faces.practising import HELP, Left, Person
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.server import PageServer
from clue_solver.rules.observations import Observation
from clue_solver.views.table_talk import said


class AtScreen:
    """
    Asks the player of a seat in a thread of its own, until the game is over or the player leaves.

    Args:
        server: What answers for the table.
        seat: Whose seat.
        lines: Returns the next line for a prompt, `None` after the last.
        console: Where everything is printed.
    """

    def __init__(
        self,
        server: PageServer,
        seat: str,
        lines: Callable[[str], str | None],
        console: Console,
    ) -> None:
        table = server.table
        assert isinstance(table, DealtTable)
        self.server, self.table, self.book = server, table, table.seats[seat]
        self.person = Person(lines, console)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self._told = 0
        self._changed = threading.Event()
        tell = table.changed

        def changed(book: Any) -> None:
            tell(book)
            self._changed.set()

        table.changed = changed

    def begin(self) -> None:
        """Say who plays, and ask from now on."""
        self.person.say(f"You are {self.book.seat}.\n{HELP}")
        self.thread.start()

    def _run(self) -> None:
        try:
            while not self.table.over:
                self._changed.clear()
                number, request, news = self._done(self._asked)
                self._tell(news)
                if request is None:
                    self._changed.wait()
                else:
                    self._answer(number, request)
            self._tell(self._done(self._asked)[2])
            self.person.say(f"The game is over. The envelope held {self._held}.")
        except Left:
            self.person.say("You have left the screen.")
            self.person.say("The host's page has your own one, and a machine for you: under Table.")

    @property
    def _held(self) -> str:
        return ", ".join(self.table.chairs.game.solution)

    def _asked(self) -> tuple[int, Request | None, list[Observation]]:
        """Return what is asked of the seat, if anything, and what it has seen since."""
        news = self.table.shares(self.book)[self._told :]
        return self.table.chairs.number, self.table.asked(self.book), news

    def _tell(self, news: list[Observation]) -> None:
        self._told += len(news)
        table = self.table.chairs.game.dealt.table
        for each in news:
            self.person.say(said(each, table, viewer=self.book.seat))

    def _answer(self, number: int, request: Request) -> None:
        """Ask, and let the game go on; what was decided on the page meanwhile stands."""
        choice = decided(self.person, self.table.chairs.game.views[request.seat], request)
        cards = self.person.accusing
        accuses = cards is not None and request.kind not in ("accuse", "show")
        if accuses:
            choice, self.person.accusing = cards, None

        def decide() -> None:
            self.table.decide(self.book, number, choice, accuses=accuses)
            self.server.play_on()

        try:
            self._done(decide)
        except ClueError as error:
            self.person.say(f"error: {error}")

    def _done(self, work: Callable[[], Any]) -> Any:
        """Do work in the thread of the game, and return its result."""
        return self.server.shared.quick.give(work, (self.server, "", "")).result()
