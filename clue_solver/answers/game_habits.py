"""
What one finished game tells of how each player asks, shows and accuses.

A game is looked at as its record has it in the end, all notes together, whoever saw what. Where
that does not tell a hand, every deal that fits counts with its weight: the deal diagram carries a
weight for each level of a habit, so one pass gives the likelihood of them all.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.hands import openings
from clue_solver.inference.spending import limited, spend
from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.viewer import Knowledge, knowledge_of, pooled_knowledge
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ANY, ENVELOPE, Table
from clue_solver.rules.turns import TurnsTaken

Floats = npt.NDArray[np.float64]

_LEVELS = 48

NODES: Floats = np.arange(1, _LEVELS + 1) / _LEVELS
"""Where likelihoods are computed, the last at random: the roots of L; 1 without the sticking."""

CARE = tuple((NODES**2).tolist())
"""The levels of care at the nodes."""

MOST_WORK = 400_000_000
"""What the habits in one game may cost, in units of `spending`."""

_ENTRY_WORK = 3_000  # of an entry that is read once more, in these


class SeatGame(NamedTuple):
    """
    What one game, or several, tell of one player, or of all.

    Attributes:
        asked, own, chances, again, could_accuse, accused: As in `PlayerHabits`.
        careful, sticky: The logarithm of the likelihood at the nodes, shape (nodes,).
        kinds: By category how often a card of it could be shown, was, and would be at random.
    """

    asked: int
    own: float
    careful: Floats
    chances: int
    again: int
    sticky: Floats
    kinds: Mapping[str, tuple[int, int, float]]
    could_accuse: int
    accused: int


GameHabits = Mapping[str, SeatGame]
"""What one game tells of each player, by name."""


class _Showing(NamedTuple):
    """A card that was shown, by numbers; `habit` is what this asker was shown by it before."""

    entry: int
    seat: str
    card: int
    asked: int
    habit: int


class _Graded(Knowledge, frozen=True, kw_only=True):
    """A knowledge whose behaviour has a table for each node, all as likely before the log."""

    @property
    def prior(self) -> tuple[float, ...]:
        """The same chance for each node; the sum is 1."""
        return (1.0 / _LEVELS,) * _LEVELS


def game_habits(table: Table, observations: Sequence[observed.Observation]) -> GameHabits:
    """
    Return what a finished game tells of its players.

    Raises:
        Contradiction: If the entries, and the solution of the header, cannot all be true.
        TooLarge: If the deal diagram would not fit into memory, or it takes too much work.
    """
    with limited(MOST_WORK):
        final = _Final(replace(table, asks=ANY), tuple(observations))
        return {seat: final.told_of(seat) for seat in table.seats}


class _Final:
    """A record as it is in the end, all notes together."""

    def __init__(self, table: Table, observations: tuple[observed.Observation, ...]) -> None:
        self.table = table
        self.observations = observations
        self.numbers = Numbers(table)
        solution = [
            observed.Knowing(by=table.seats[0], holder=ENVELOPE, has=(card,))
            for card in table.solution
        ]
        known = pooled_knowledge(table, observations, supposed=solution)
        self.told_hands = {
            observation.seat: self.numbers.cards(observation.cards)
            for observation in observations
            if isinstance(observation, observed.Hand)
        }
        self.showings = tuple(self._shown())
        policy = evidence.POLICIES[table.policy]
        weighed = tuple(
            evidence.Factor(
                showing.entry,
                self.numbers.holder(showing.seat),
                showing.asked,
                (policy.chances(showing.asked, shown=showing.card, habit=showing.habit),),
            )
            for showing in self.showings
            if policy
        )
        deduction = Deduction(replace(known, factors=weighed))
        self.known = deduction.knowledge
        self.last = len(observations)
        self.possible = deduction.possible(self.last)
        self.marginals = deduction.diagram(self.last).marginals()

    def told_of(self, seat: str) -> SeatGame:
        """Return what the game tells of a player."""
        spend(_ENTRY_WORK * len(self.observations))
        encoder = evidence.FactorEncoder(self.numbers, self.table, viewer=None)
        encoder.asking |= {seat: evidence.AskPolicy(CARE)}
        if not self.table.edition.bluff:
            encoder.chosen = ()  # own cards may not be named: that is no habit
        asked = 0
        own = 0.0
        careful: list[evidence.Factor] = []
        for entry, observation in enumerate(self.observations, 1):
            careful += encoder.behaviour(entry, observation)
            match observation:
                case observed.Suggestion(by=by, cards=cards) if by == seat:
                    for card in map(self.numbers.card, cards):
                        if any(card & mask for mask in encoder.chosen):
                            asked += 1
                            own += self._chance(card, by)
        showings = [showing for showing in self.showings if showing.seat == seat]
        sticky = tuple(self._sticking(showing) for showing in showings)
        others = tuple(
            factor for factor in self.known.factors if self.table.seats[factor.holder] != seat
        )
        trials = [showing for showing in showings if self._proper(showing)]
        kinds = {kind.name: (0, 0, 0.0) for kind in self.table.edition.category}
        for showing in showings:
            self._count_kinds(showing, kinds)
        could_accuse, accused = self._accused(seat)
        return SeatGame(
            asked=asked,
            own=own,
            careful=self._likelihood(self.known.factors, tuple(careful)),
            chances=len(trials),
            again=sum(1 for showing in trials if showing.card & showing.habit),
            sticky=self._likelihood(others, sticky),
            kinds=kinds,
            could_accuse=could_accuse,
            accused=accused,
        )

    def _likelihood(
        self, factors: tuple[evidence.Factor, ...], graded: tuple[evidence.Factor, ...]
    ) -> Floats:
        """Return the logarithm of the likelihood of each node, up to one constant."""
        if not any(len(factor.tables) > 1 for factor in graded):
            return np.zeros(_LEVELS)
        known = _Graded(
            layout=self.known.layout,
            entries=self.last,
            clauses=self.known.clauses,
            factors=factors,
            behaviour=graded,
        )
        levels = Diagram(openings(known, self.possible)).log_levels
        logarithms: Floats = levels - levels.max()
        return logarithms

    def _shown(self) -> Iterator[_Showing]:
        """Yield every card that the record says was shown in an answer."""
        habits = defaultdict[tuple[str, str], int](int)
        for entry, observation in enumerate(self.observations, 1):
            asker = getattr(observation, "by", "")
            for seat, card, asked in evidence.shown_to(asker, observation):
                mask = self.numbers.card(card)
                yield _Showing(entry, seat, mask, self.numbers.cards(asked), habits[seat, asker])
                habits[seat, asker] |= mask

    def _sticking(self, shown: _Showing) -> evidence.Factor:
        """Return how likely a card was shown, by the asked cards held, a table for each node."""
        holder = self.numbers.holder(shown.seat)
        size = shown.asked.bit_count()
        before = (shown.asked & shown.habit).bit_count()
        if not before:
            tables: tuple[tuple[float, ...], ...] = (evidence.one_in(shown.asked),)
        else:
            again = 1.0 / before if shown.card & shown.habit else 0.0
            tables = tuple(
                tuple(s * again + (1.0 - s) / max(held, 1) for held in range(size + 1))
                for s in (1.0 - NODES).tolist()
            )
        return evidence.Factor(shown.entry, holder, shown.asked, tables)

    def _proper(self, shown: _Showing) -> bool:
        """Return whether it could show a card again and could show another as well."""
        could = shown.asked & self.told_hands.get(shown.seat, 0)
        return bool(could & shown.habit) and bool(could & ~shown.habit)

    def _count_kinds(self, shown: _Showing, kinds: dict[str, tuple[int, int, float]]) -> None:
        """Count of which category the shown card was, and of which it could have been."""
        has = shown.asked & self.told_hands.get(shown.seat, 0)
        held = has.bit_count()
        if held < 2 or has & shown.habit:
            return
        layout = self.numbers.layout
        for kind, mask in zip(self.table.edition.category, layout.categories, strict=True):
            if mine := (has & mask).bit_count():
                could, did, chance = kinds[kind.name]
                if mine < held:
                    did += bool(shown.card & mask)
                    kinds[kind.name] = (could + 1, did, chance + mine / held)

    def _chance(self, card: int, seat: str) -> float:
        number = card.bit_length() - 1
        return float(self.marginals[number, self.numbers.holder(seat)])

    def _accused(self, seat: str) -> tuple[int, int]:
        """Return at how many of its turns a seat could prove the solution, and at how many of these
        it accused."""
        deduction = Deduction(knowledge_of(self.table, self.observations, viewer=seat))
        inside = 1 << self.numbers.layout.envelope
        wanted = len(self.table.edition.category)
        could = did = 0
        for turn in TurnsTaken(self.observations).of(seat):
            accused = next((e for e in turn if self._accusation(e)), None)
            before = turn[0] - 1 if not self.table.edition.accuses else turn[-1]
            at = before if accused is None else accused - 1
            if could or deduction.possible(at).count(inside) == wanted:
                could, did = could + 1, did + (accused is not None)
        return could, did

    def _accusation(self, entry: int) -> bool:
        return isinstance(self.observations[entry - 1], observed.Accusation)
