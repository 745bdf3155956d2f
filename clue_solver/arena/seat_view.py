"""
What each seat of a game sees, and what can be deduced from it: the only thing that players get.

`Sheets` keep what all seats of one game can know; a `View` is what a player decides by.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.errors import TooLarge
from clue_solver.game import Game
from clue_solver.inference.batch import Evaluations, Floats, evaluate, installed
from clue_solver.inference.positions import ONE_OF, Positions
from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.evidence import one_in
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Finger, Hand, Move, Observation, Roll, Skip, Suggestion
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table


class Sheet(NamedTuple):
    """
    What follows for one seat, questions telling nothing (`asks: any`).

    Attributes:
        verdicts: For each card and holder 1 holds, 2 lacks, 0 open.
        marginals: The chance of each card to be with each holder, shape (cards, holders).
        inside: The chance of each card to be in the envelope.
        solutions: The posterior over solutions, shape (cards of the first category, ...).

    >>> from clue_solver import load
    >>> table = load("examples/evening.clue").table
    >>> sheet = Sheets(table).sheet(0)
    >>> sheet.certain, sheet.marginals.shape
    ((), (21, 5))
    """

    verdicts: list[list[int]]
    marginals: Floats
    inside: list[float]
    solutions: Floats

    @property
    def certain(self) -> tuple[int, ...]:
        """The numbers of the cards that are in the envelope for certain."""
        return tuple(card for card, marks in enumerate(self.verdicts) if marks[-1] == 1)


_TELLS_NOTHING = (Roll, Move, Skip)


class Sheets:
    """
    The sheets of all seats of one game, kept as rows of integers.

    They are evaluated all at once in machine code, or each by itself where there is none.
    """

    def __init__(self, table: Table, *, fast: bool = True) -> None:
        """
        Begin a game.

        Args:
            table: The table, with all hand sizes.
            fast: Whether in machine code, where numba is installed.
        """
        self.table = table
        self.fast = fast and installed()
        self.numbers = Numbers(table)
        self.positions = Positions(self.numbers.layout, len(table.seats))
        self._random = self.positions.number((one_in(self.numbers.layout.everything),), "sight")
        self._encoders = [
            evidence.Encoder(self.numbers, table, viewer=seat) for seat in table.seats
        ]
        self._entry = 0
        self._sheets: dict[int, Sheet] = {}
        self._found: Evaluations | None = None

    def tell(self, observation: Observation) -> None:
        """Take a whole observation; each seat learns its share."""
        if isinstance(observation, _TELLS_NOTHING):
            return
        self._sheets.clear()
        self._found = None
        match observation:
            case Suggestion() | Finger():
                self._answered(observation)
            case Hand(seat=name, cards=cards):
                seat = self.numbers.holder(name)
                held = self.numbers.cards(cards)
                self.positions.has[seat, seat] |= held
                self.positions.may[seat, seat] &= held
            case _:
                self._encoded(observation)

    def _answered(self, asked: Suggestion | Finger) -> None:
        """Note each pass, and what the showing of a card tells to whom."""
        numbers, positions = self.numbers, self.positions
        mask = numbers.cards(asked.cards)
        by = numbers.holder(asked.by)
        for answer in asked.answers:
            holder = numbers.holder(str(answer.seat))
            if answer.answer == "passes":
                positions.may[:, holder] &= ~mask
                continue
            positions.has[by, holder] |= numbers.card(str(answer.card))
            positions.add(by, self._random, holder, mask)
            for seat in range(len(self.table.seats)):
                if seat not in (by, holder):
                    positions.add(seat, ONE_OF, holder, mask)

    def _encoded(self, observation: Observation) -> None:
        """Add what any other observation tells each seat."""
        self._entry += 1
        for seat, encoder in enumerate(self._encoders):
            share = evidence.seen(observation, table=self.table, viewer=self.table.seats[seat])
            if share is not None:
                said = encoder.read(((self._entry, share),))
                self.positions.learn(seat, said.clauses, said.factors)

    def sheet(self, seat: int) -> Sheet:
        """
        Return what a seat can know now.

        Raises:
            TooLarge: If too much is open.
        """
        if seat not in self._sheets:
            found = self._found
            if found is None:
                which = None if self.fast else [seat]
                found = evaluate(self.positions, which=which, fast=self.fast)
                self._found = found if self.fast else None
            if seat in found.refused:
                raise TooLarge(found.refused[seat])
            self._sheets[seat] = Sheet(
                verdicts=found.verdicts[seat].tolist(),
                marginals=found.marginals[seat],
                inside=found.marginals[seat, :, -1].tolist(),
                solutions=found.solutions[seat],
            )
        return self._sheets[seat]

    def proved(self) -> list[bool]:
        """Return for each seat whether it can prove the solution now."""
        kinds = len(self.numbers.layout.categories)
        return [len(self.sheet(seat).certain) == kinds for seat in range(len(self.table.seats))]


class View:
    """
    A game as one seat sees it; what a player decides by.

    Whatever is asked of it is computed when it is asked for. Beside the state of play, which is
    public, it has only what this seat saw: `game` is the record of that, which answers everything
    that any record does.

    Attributes:
        seat: Whose view it is.
        edition: What is played.
        hand: The seat's cards, in edition order.
        rng: The seat's own random numbers.
        state: The state of play.
        cards: The cards in play, in edition order; by category in `kinds`.
        asked: What a card is to be shown for: a suggestion, a question, or a clue card.
    """

    asked: Observation | None = None

    def __init__(
        self,
        table: Table,
        hand: Hand,
        *,
        sheets: Sheets,
        rng: np.random.Generator,
        log: Sequence[Observation],
        state: Play,
    ) -> None:
        self.seat = hand.seat
        self.hand = hand.cards
        self.rng = rng
        self.edition = table.edition
        self.state = state
        self._whole = table
        self.cards = table.cards
        self.kinds = tuple(
            tuple(card.name for card in kind.cards) for kind in table.edition.category
        )
        self._log = log
        self._sheets = sheets
        self._number = table.seats.index(hand.seat)
        self._shares: list[Observation] = []
        self._read = 0
        self._game: Game | None = None
        self._known: Knowledge | None = None

    @cached_property
    def table(self) -> Table:
        """The table, with this seat as its viewer; what the envelope holds is not in it."""
        return replace(self._whole, viewer=self.seat, solution=())

    # What was seen.

    @property
    def observations(self) -> tuple[Observation, ...]:
        """What this seat saw, in order; its own hand first."""
        for observation in self._log[self._read :]:
            share = evidence.seen(observation, table=self.table, viewer=self.seat)
            if share is not None:
                self._shares.append(share)
        self._read = len(self._log)
        return tuple(self._shares)

    @property
    def game(self) -> Game:
        """The game as this seat's own notes have it."""
        seen = self.observations
        if self._game is None or len(self._game.observations) != len(seen):
            entries = tuple(Entry(observation=observation) for observation in seen)
            record = Record(table=self.table, entries=entries)
            self._game = self._game.changed(record) if self._game else Game(record)
        return self._game

    @property
    def knowledge(self) -> Knowledge:
        """What the notes say, as clauses and likelihoods in numbers."""
        self._known = knowledge_of(
            self.table, self.observations, viewer=self.seat, before=self._known
        )
        return self._known

    # What follows from it, by complete deduction.

    @property
    def sheet(self) -> Sheet:
        """What is certain and how likely the rest is, in numbers."""
        return self._sheets.sheet(self._number)

    def chance(self, card: str) -> float:
        """Return how likely a card is in the envelope."""
        return self.sheet.inside[self.place[card]]

    def possible(self, card: str) -> bool:
        """Return whether a card may be in the envelope."""
        return self.sheet.verdicts[self.place[card]][-1] != 2

    def holder(self, card: str) -> str | None:
        """Return who has a card for certain: a seat, a slot or the envelope; `None` if open."""
        verdicts = self.sheet.verdicts[self.place[card]]
        return self.table.holders[verdicts.index(1)] if 1 in verdicts else None

    @property
    def proved(self) -> tuple[str, ...] | None:
        """The solution, if it can be proved."""
        certain = self.sheet.certain
        if len(certain) < len(self.kinds):
            return None
        return tuple(self.cards[card] for card in certain)

    def probability(self, cards: Sequence[str]) -> float:
        """Return how likely a solution is, its cards in category order."""
        places = (kind.index(card) for kind, card in zip(self.kinds, cards, strict=True))
        return float(self.sheet.solutions[tuple(places)])

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The number of each card."""
        return {card: number for number, card in enumerate(self.cards)}

    # What may be done.

    @property
    def places(self) -> tuple[str, ...]:
        """
        Where the piece may go now, rooms first; `rolls` before them where the dice may be rolled.

        Without a board: the rooms with a face-down card that this seat has not looked at.
        """
        state = self.state
        if state.rules.board is None:
            return state.face_down
        rolls = ("rolls",) if state.may("rolls") else ()
        return (*rolls, *state.destinations)

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms in which this seat may suggest as the pieces stand now."""
        return self.state.rooms

    def questions(self) -> Iterator[Observation]:
        """Yield all that may be asked now: suggestions, and what a bonus die or a snoop allows."""
        if self.state.may("suggests"):
            for cards in self.state.suggestions():
                yield Suggestion(by=self.seat, cards=cards)
        yield from self.state.extras()

    def steps(self, room: str) -> int | None:
        """Return how far a room is from the piece, in steps; `None` where no way leads."""
        rules = self.state.rules
        place = self.state.place(self.seat)
        if place is None or rules.board is None:
            return None
        return rules.ground.steps_to(place, room)
