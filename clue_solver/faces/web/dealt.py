"""
A table at which the program deals to people, who have their pages, and to machines.

The referee writes the log, and each page shows what its seat has seen of it. After every decision,
the game is saved in a hidden file beside the public log, so that nobody sees the cards by accident.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from clue_solver.arena.chairs import PERSON
from clue_solver.arena.referee import Request
from clue_solver.conversation.session import Session
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.tables import Job, ServedTable
from clue_solver.record.contents import Entry, Record
from clue_solver.rules.observations import Hand, Observation, Suggestion

_MOST_EVENTS = 12
"""How many of the observations since its seat's last turn a page shows at most."""


class DealtTable(ServedTable):
    """
    A game that the program deals.

    Args:
        kept: The game, with its files.
        recorder: The host's page, if it already exists; `None` for a new one.

    Attributes:
        kept: The game, with its files.
        chairs: The game, and who plays it.
    """

    dealt = True

    def __init__(self, kept: DealtGame, *, recorder: Eyes | None = None) -> None:
        super().__init__(public=True)
        self.recorder = recorder or self.recorder
        self.kept, self.chairs = kept, kept.chairs
        self._step = -1  # the length of the log at the last tap that lets machines act
        table = replace(self.chairs.game.dealt.table, viewer=None)
        self.whole = Record(table=table)
        self.recorder.session = Session(Record(table=table), keeper=kept.keeper)
        for seat in table.seats:
            self.seats[seat] = Eyes(seat, Session(Record(table=replace(table, viewer=seat))))
        self._save_and_log()
        self.recorder.session.write_out()
        self.take_links()

    @property
    def own(self) -> Eyes:
        """The host's page. On a single phone, it is the page of the seat that is played there."""
        if not self.alone:
            return self.recorder
        seats = self.seats.items()
        mine = (eyes for seat, eyes in seats if eyes.link.taken or seat not in self.machines)
        return next(mine, self.recorder)

    def _save_and_log(self) -> None:
        """Save the game, and add what the referee reports to the log."""
        assert self.whole is not None
        self.kept.save()
        self.trouble = self.kept.trouble
        if self.trouble:
            self.tell(f"the game cannot be saved: {self.trouble}")
        game = self.chairs.game
        whole = replace(self.whole, entries=tuple(Entry(observation=each) for each in game.log))
        if game.request is None:  # from now on the solution and all hands are seen
            self.open = True
            whole = self.kept.whole_record()
        self.set_whole(replace(whole, table=replace(whole.table, viewer=None)))

    def stamp(self, _: Eyes) -> str:
        """Return how many decisions were made; a form with another number is outdated."""
        return str(self.chairs.decision_count)

    def recent_events(self, eyes: Eyes) -> tuple[Observation, ...]:
        """Return what a page's seat has seen since its last turn, at most `_MOST_EVENTS` of it."""
        told = [each for each in eyes.game.record.observations if not isinstance(each, Hand)]
        own = [
            number
            for number, each in enumerate(told, 1)
            if each.turn == "ends" and each.actor == eyes.seat
        ]
        since = own[-1] - 1 if own else 0
        return tuple(told[max(since, len(told) - _MOST_EVENTS) :])

    # Decisions.

    def request_for(self, eyes: Eyes) -> Request | None:
        """Return the decision that the person at a page has to make now; `None` if none is due."""
        mine = eyes.seat is not None and self.chairs.person == eyes.seat
        return self.chairs.game.request if mine else None

    @property
    def suggested(self) -> Suggestion | None:
        """The suggestion to which a player has to show a card now; `None` if there is none."""
        request = self.chairs.game.request
        if request is None or request.kind != "show":
            return None
        asked = self.chairs.game.views[request.seat].asked
        return asked if isinstance(asked, Suggestion) else None

    def advises(self, eyes: Eyes) -> bool:
        """Return whether a page shows advice now, because its seat has to make a decision."""
        request = self.request_for(eyes)
        asked = request is not None and request.kind != "show"
        return asked and self.help(eyes) == HELP.index("advice")

    def decide(self, choice: Any, *, accuses: bool = False) -> None:
        """
        Make the decision that the game waits for.

        Args:
            choice: The decision, one of `Referee.choices`.
            accuses: Whether the decision is an accusation, which may come instead of another one.

        Raises:
            ArgumentError: If the decision is not allowed now. Nothing is changed.
        """
        self.chairs.decide(choice, accuses=accuses)
        self._after_decision()

    def next_job(self) -> Job | None:
        """
        Return the job that is due: a machine's next decision, or the review of the finished game.

        `None` if there is none, or if machines wait for a tap.
        """
        seat = self.chairs.machine
        if seat is None:
            return super().next_job()
        if self.waits_for_tap and self._step != len(self.chairs.game.log):
            return None
        return partial(self._compute_decision, seat, self.chairs.decision_count)

    def _compute_decision(self, seat: str, number: int) -> Callable[[], None]:
        """
        Let a machine think; return the function that carries out its decision.

        Args:
            seat: The seat of the machine.
            number: How many decisions were made before. If others are made meanwhile, that function
                does nothing.
        """
        try:
            choice = self.chairs.machine_choice()
        except Exception as error:  # a player of one's own may be wrong
            self.tell(f"{seat} cannot decide, and does nothing: {type(error).__name__}")
            choice = next(self.chairs.game.choices())
        return partial(self._make_decision, seat, number, choice)

    def _make_decision(self, seat: str, number: int, choice: Any) -> None:
        """
        Carry out a machine's decision, unless the game has gone on without it meanwhile.

        Args:
            seat: The seat of the machine.
            number: How many decisions had been made when the machine began to think.
            choice: The decision.
        """
        if (self.chairs.machine, self.chairs.decision_count) == (seat, number):
            self.decide(choice)

    @property
    def waits_for_tap(self) -> bool:
        """Whether machines wait for a tap before each action, because some page asks for it."""
        return any(eyes.link.steps for eyes in self.every)

    def step(self) -> None:
        """Let machines that wait for a tap act until the log has a new entry."""
        self._step = len(self.chairs.game.log)

    @property
    def machines(self) -> Mapping[str, str]:
        """The strength of each machine, by its seat."""
        return {seat: each for seat, each in self.chairs.players.items() if each != PERSON}

    def _next(self) -> "DealtTable":
        return DealtTable(self.kept.again())

    def sit(self, seat: str, player: str) -> None:
        """
        Change who plays a seat: `player` is the strength of a machine, or `''` for a person.

        Raises:
            ArgumentError: If the seat or the player does not exist.
        """
        self.of(seat)
        if self.chairs.players[seat] != player:
            self.chairs.sit(seat, player)
            self._after_decision()

    def _after_decision(self) -> None:
        """Save the game after a decision or a change of players, and have all pages drawn again."""
        self._save_and_log()
        self.change_all_pages()
