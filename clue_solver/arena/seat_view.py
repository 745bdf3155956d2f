"""
What each seat of a game sees, and what can be deduced from it: the only thing that players get.

`Sheets` keep what all seats of one game can know. `GameSheets` go by the knowledge and the
deduction of any game; `CompiledSheets` keep flat rows for all seats at once, which the compiled
engine evaluates in one call: faster, and the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from msgspec.structs import replace

from clue_solver.errors import TooLarge
from clue_solver.game import Game
from clue_solver.inference.batch import Evaluations, evaluate, installed
from clue_solver.inference.deduction import Deduction, marks
from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import ClauseEncoder, Numbers, card_numbers
from clue_solver.knowledge.viewer import (
    ALL,
    FACTOR,
    HAS,
    NONE,
    Floats,
    Knowledge,
    Positions,
    knowledge_of,
)
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Finger, Hand, Move, Observation, Roll, Skip, Suggestion
from clue_solver.rules.play import Play
from clue_solver.rules.table import ANY, Table


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
    >>> sheet = sheets_of(table).sheet(0)
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


class Sheets(Protocol):
    """The sheets of all seats of one game."""

    def tell(self, observation: Observation) -> None:
        """Take a whole observation; each seat learns its share."""

    def sheet(self, seat: int) -> Sheet:
        """Return what a seat can know now."""

    def proved(self) -> list[bool]:
        """Return for each seat whether it can prove the solution now."""


def sheets_of(table: Table, *, compiled: bool | None = None) -> Sheets:
    """
    Return the sheets of a game that has not begun.

    Args:
        table: The table, with all hand sizes.
        compiled: Whether by the compiled engine; where it is installed if left out.
    """
    return CompiledSheets(table) if installed() and compiled is not False else GameSheets(table)


_TELLS_NOTHING = (Roll, Move, Skip)


class GameSheets:
    """The sheets by the deduction of `Game`, which goes on from entry to entry."""

    def __init__(self, table: Table) -> None:
        self.table = replace(table, viewer=None, asks=ANY)
        self.numbers = Numbers(self.table)
        self.observations: list[Observation] = []
        self._deductions: dict[int, Deduction] = {}
        self._sheets: dict[int, Sheet] = {}

    def tell(self, observation: Observation) -> None:
        """Take a whole observation; each seat learns its share."""
        if not isinstance(observation, _TELLS_NOTHING):
            self.observations.append(observation)
            self._sheets.clear()

    def sheet(self, seat: int) -> Sheet:
        """Return what a seat can know now."""
        if seat not in self._sheets:
            self._sheets[seat] = self._deduced(seat)
        return self._sheets[seat]

    def proved(self) -> list[bool]:
        """Return for each seat whether it can prove the solution now."""
        sheets = map(self.sheet, range(len(self.table.seats)))
        kinds = len(self.numbers.layout.categories)
        return [len(sheet.certain) == kinds for sheet in sheets]

    def _deduced(self, seat: int) -> Sheet:
        before = self._deductions.get(seat)
        known = knowledge_of(
            self.table,
            self.observations,
            viewer=self.table.seats[seat],
            before=before.knowledge if before else None,
        )
        deduction = (before.carried(known) if before else None) or Deduction(known)
        self._deductions[seat] = deduction
        layout, last = known.layout, known.entries
        kinds = [card_numbers(mask) for mask in layout.categories]
        posterior = deduction.solutions(last)
        chances = np.zeros([len(kind) for kind in kinds])
        place = {card: number for kind in kinds for number, card in enumerate(kind)}
        for cards, chance in zip(posterior.cards.tolist(), posterior.probability, strict=True):
            chances[tuple(place[card] for card in cards)] = chance
        verdicts = marks(deduction.possible(last), layout.holders).tolist()
        marginals = deduction.diagram(last).marginals()
        return Sheet(
            verdicts=verdicts,
            marginals=marginals,
            inside=marginals[:, -1].tolist(),
            solutions=chances,
        )


class CompiledSheets:
    """The sheets by flat rows of all seats, evaluated together."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.numbers = Numbers(table)
        seats = range(len(table.seats))
        self.seats = seats
        self.positions = Positions(self.numbers.layout, len(table.seats))
        self._encoders = [
            (
                ClauseEncoder(self.numbers),
                evidence.FactorEncoder(self.numbers, self.table, viewer=seat),
            )
            for seat in table.seats
        ]
        self._entry = 0
        self._evaluations: Evaluations | None = None
        self._sheets: dict[int, Sheet] = {}

    def tell(self, observation: Observation) -> None:
        """Take a whole observation; each seat learns its share."""
        if isinstance(observation, _TELLS_NOTHING):
            return
        self._evaluations = None
        self._sheets.clear()
        match observation:
            case Suggestion() | Finger():
                self._answered(observation)
            case Hand(seat=name, cards=cards):
                seat = self.numbers.holder(name)
                held = self.numbers.cards(cards)
                self.positions.append(seat, ALL, seat, held)
                self.positions.append(seat, NONE, seat, self.numbers.layout.everything & ~held)
            case _:
                self._encoded(observation)

    def _answered(self, asked: Suggestion | Finger) -> None:
        """Add a row for each pass, and what the showing of a card tells to whom."""
        numbers = self.numbers
        append = self.positions.append
        mask = numbers.cards(asked.cards)
        by = numbers.holder(asked.by)
        for answer in asked.answers:
            holder = numbers.holder(str(answer.seat))
            if answer.answer == "passes":
                for seat in self.seats:
                    append(seat, NONE, holder, mask)
                continue
            for seat in self.seats:
                if seat == by:
                    append(seat, ALL, holder, numbers.card(str(answer.card)))
                    append(seat, FACTOR, holder, mask)
                elif seat != holder:
                    append(seat, HAS, holder, mask)

    def _encoded(self, observation: Observation) -> None:
        """Add what any other observation tells each seat."""
        self._entry += 1
        for seat in self.seats:
            clauses, factors = self._encoders[seat]
            share = evidence.seen(observation, table=self.table, viewer=self.table.seats[seat])
            if share is not None:
                self.positions.learn(
                    seat, clauses.clauses(self._entry, share), factors.factors(self._entry, share)
                )

    def _evaluated(self) -> Evaluations:
        if self._evaluations is None:
            self._evaluations = evaluate(self.positions)
            for refused in self._evaluations.refused.values():
                raise TooLarge(refused)
        return self._evaluations

    def proved(self) -> list[bool]:
        """Return for each seat whether it can prove the solution now."""
        certain = (self._evaluated().verdicts[:, :, -1] == 1).sum(axis=1)
        proved: list[bool] = (certain == len(self.numbers.layout.categories)).tolist()
        return proved

    def sheet(self, seat: int) -> Sheet:
        """Return what a seat can know now."""
        if seat not in self._sheets:
            evaluated = self._evaluated()
            self._sheets[seat] = Sheet(
                verdicts=evaluated.verdicts[seat].tolist(),
                marginals=evaluated.marginals[seat],
                inside=evaluated.marginals[seat, :, -1].tolist(),
                solutions=evaluated.solutions[seat],
            )
        return self._sheets[seat]


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
            return state.face_down()
        rolls = ("rolls",) if state.may("rolls") else ()
        return (*rolls, *state.destinations())

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms in which this seat may suggest as the pieces stand now."""
        return self.state.rooms()

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
