"""
What each seat of a game sees, and what follows from it: all that players may use.

A view has a `Game` of the seat's own notes. What follows if questions are no evidence (`asks: any`)
is computed for all seats at once, in machine code if numba is installed; most players use only
this.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.errors import TooLarge
from clue_solver.game import Game
from clue_solver.inference.arrays import Floats
from clue_solver.inference.batch import Evaluations, evaluate, numba_installed
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.encoder import Encoder
from clue_solver.knowledge.sight import seen
from clue_solver.knowledge.viewer import Knowledge
from clue_solver.record.contents import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import ANY, Table

MOST_TOWARDS = 3
"""The most rooms that are listed for a square that is on the way to them."""


class SeatSheet(NamedTuple):
    """
    What one seat can know about the cards if questions are no evidence (`asks: any`).

    Attributes:
        verdicts: For each card, a list with a number for each holder: 1 the holder has the card, 2
            lacks it, 0 open.
        marginals: The chance that each holder has each card, shape (cards, holders).
        solutions: The probability of each solution, with an axis for each category: shape (cards of
            the first category, cards of the second, ...).

    >>> from clue_solver import load
    >>> sheet = Course(load("examples/evening.clue").table).sheet("Ann")
    >>> sheet.certain, sheet.marginals.shape
    ((), (21, 5))
    """

    verdicts: list[list[int]]
    marginals: Floats
    solutions: Floats

    @property
    def certain(self) -> tuple[int, ...]:
        """The numbers of the cards, from 0, that are certainly in the envelope."""
        return tuple(card for card, marks in enumerate(self.verdicts) if marks[-1] == 1)


class Course:
    """
    The course of a game: what has happened, and what each seat can know about the cards.

    Args:
        table: The table, with all hand sizes.
        fast: Whether to use machine code, if numba is installed; then all seats are computed at
            once.

    Attributes:
        state: The state of play.
        log: Everything that happened in full, including hands, dice and moves.
    """

    def __init__(self, table: Table, *, fast: bool = True) -> None:
        self.state = Play.begin(table, exact=True)
        self.log: list[Observation] = []
        self.table = replace(table, asks=ANY)
        self.fast = fast and numba_installed()
        numbers = Numbers(table)
        self._positions = Positions(numbers.layout, len(table.seats))
        self._encoders = [Encoder(numbers, self.table, viewer=seat) for seat in table.seats]
        self._entry = 0
        self._found: Evaluations | None = None
        self._sheets: dict[str, SeatSheet] = {}

    def happen(self, observation: Observation) -> None:
        """Note an observation with everything in it; each seat learns the part that it can see."""
        self.state = self.state.after(observation)
        self.log.append(observation)
        if isinstance(observation, observed.Roll | observed.Move | observed.Skip):
            return
        self._entry += 1
        self._found = None
        self._sheets = {}
        for number, encoder in enumerate(self._encoders):
            share = seen(observation, table=self.table, viewer=encoder.viewer)
            if share is not None:
                said = encoder.read(((self._entry, share),))
                factors = [factor for factor in said.factors if not factor.is_behaviour]
                self._positions.learn(number, said.clauses, factors)

    def known(self, seat: str) -> Knowledge:
        """
        Return what a seat has seen, as clauses (what must hold) and factors (how likely it is).
        """
        return self._positions.knowledge(self.table.seats.index(seat))

    def sheet(self, seat: str) -> SeatSheet:
        """
        Return what a seat can know now.

        Raises:
            TooLarge: If too many deals are still possible to count them.
        """
        if seat not in self._sheets:
            number = self.table.seats.index(seat)
            if self._found is None or not self.fast:
                which = None if self.fast else [number]
                self._found = evaluate(self._positions, which=which, fast=self.fast)
            found = self._found
            if number in found.refused:
                raise TooLarge(found.refused[number])
            self._sheets[seat] = SeatSheet(
                verdicts=found.verdicts[number].tolist(),
                marginals=found.marginals[number],
                solutions=found.solutions[number],
            )
        return self._sheets[seat]


class View:
    """
    A game as one seat sees it, by which its player decides.

    Everything is computed when it is needed. Apart from the state of play, which is public, the
    view has only what this seat saw.

    Attributes:
        seat: The seat whose view it is.
        hand: The seat's cards, in edition order.
        table: The table with this seat as its viewer, without the solution.
        edition: The edition played.
        cards: The cards in play, in edition order; `kinds` has them by category.
        rng: The seat's own source of randomness.
        asked: The suggestion, question or clue card for which a card must be shown.
    """

    asked: Observation | None = None

    def __init__(self, course: Course, hand: observed.Hand, rng: np.random.Generator) -> None:
        table = course.state.rules.table
        self.seat = hand.seat
        self.hand = hand.cards
        self.table = replace(table, viewer=hand.seat, solution=())
        self.edition = table.edition
        self.cards = table.cards
        self.kinds = course.state.rules.kinds
        self.rng = rng
        self._course = course
        self._read = 0
        self._game = Game(Record(table=self.table))

    # What was seen.

    @property
    def game(self) -> Game:
        """The game as in this seat's own notes."""
        record, log = self._game.record, self._course.log
        for observation in log[self._read :]:
            share = seen(observation, table=self.table, viewer=self.seat)
            if share is not None:
                record = record.extended(share)
        self._read = len(log)
        if record is not self._game.record:
            self._game = self._game.changed(record)
        return self._game

    @property
    def known(self) -> Knowledge:
        """What this seat has seen, as clauses (what must hold) and factors (how likely it is)."""
        return self._course.known(self.seat)

    # What follows from it, by complete deduction.

    @property
    def sheet(self) -> SeatSheet:
        """What the seat knows, in numbers: what is certain, and how likely the rest is."""
        return self._course.sheet(self.seat)

    def chance(self, card: str) -> float:
        """Return the chance that a card is in the envelope."""
        return float(self.sheet.marginals[self.cards.index(card), -1])

    @property
    def proved(self) -> tuple[str, ...] | None:
        """The solution if it is proved, else `None`."""
        certain = self.sheet.certain
        if len(certain) < len(self.kinds):
            return None
        return tuple(self.cards[card] for card in certain)

    def probability(self, cards: Sequence[str]) -> float:
        """Return the probability of a solution, given as cards in category order."""
        places = (kind.index(card) for kind, card in zip(self.kinds, cards, strict=True))
        return float(self.sheet.solutions[tuple(places)])

    # What may be done.

    @property
    def state(self) -> Play:
        """The state of play, which is public."""
        return self._course.state

    @property
    def places(self) -> tuple[str, ...]:
        """
        Where the seat may go now: `rolls` if it may roll first, then rooms, then squares.

        Without a board, these are the rooms whose face-down card this seat has not looked at.
        """
        if self.state.rules.board is None:
            return self.state.face_down
        rolls = ("rolls",) if self.state.may("rolls") else ()
        return (*rolls, *self.state.destinations)

    def questions(self) -> Iterator[Observation]:
        """
        Yield all questions allowed now: suggestions, and what a bonus die or a snoop allows.

        A snoop is a card drawn from another's hand. Answers are left out.
        """
        yield from self.state.legal("suggests")
        yield from self.state.extras()

    def towards(self) -> dict[str, tuple[str, ...]]:
        """
        Return the squares in reach that are on the way to rooms out of reach.

        Each square leads to the names of the nearest of these rooms, at most `MOST_TOWARDS`.
        """
        rooms = self.edition.rooms
        squares = {*self.places} - {*rooms, "rolls"}
        far: dict[str, list[str]] = {}
        left_out = (*self.places, self.state.place(self.seat))
        for room in rooms if squares else ():
            place = self.state.towards(room)
            if room not in left_out and place in squares:
                far.setdefault(str(place), []).append(room)
        for others in far.values():
            others.sort(key=lambda room: self.steps(room) or 0)
        return {place: tuple(others[:MOST_TOWARDS]) for place, others in far.items()}

    def steps(self, room: str) -> int | None:
        """
        Return the number of steps from this seat's piece to a room.

        `None` if there is no known way.
        """
        place = self.state.place(self.seat)
        if place is None or self.state.rules.board is None:
            return None
        return self.state.rules.ground.steps_to(place, room)
