"""What one viewer knows of a game, as clauses and factors."""

from bisect import bisect_right
from collections.abc import Iterable
from functools import reduce
from itertools import zip_longest
from operator import attrgetter, or_
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.knowledge.clauses import CardMask, Clause, Factor, Layout, Numbers, Shown
from clue_solver.knowledge.encoder import Encoder
from clue_solver.knowledge.policies import PRIOR
from clue_solver.knowledge.sight import Evidence, seen_part
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Shows, Table


class Knowledge(Struct, frozen=True, kw_only=True):
    """
    What a viewer knows, in the numbers of `Layout`.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors number them from 1.
        clauses: What must hold, in the order of their last entries; suppositions, which have
            no entry, come first.
        factors: How likely and how usual observations are given the hands, in the order of the
            entries.
        shown: The cards shown to the viewer in answers, in the order of the entries.
        shows: How players are assumed to choose which card to show.
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[Factor, ...]
    shown: tuple[Shown, ...] = ()
    shows: Shows = "random"

    def upto(self, entry: int) -> Self:
        """Return what was known after the first `entry` entries."""
        if entry == self.entries:
            return self
        clauses, factors = self.lengths(entry)
        shown = bisect_right(self.shown, entry, key=_entry)
        return replace(
            self,
            entries=entry,
            clauses=self.clauses[:clauses],
            factors=self.factors[:factors],
            shown=self.shown[:shown],
        )

    def lengths(self, entry: int) -> tuple[int, int]:
        """
        Return the number of clauses, and that of factors, that come from the first `entry` entries
        alone.
        """
        return (
            bisect_right(self.clauses, entry, key=_entry),
            bisect_right(self.factors, entry, key=_entry),
        )

    def shared_with(self, other: Self) -> int:
        """
        Return the number of entries, from the first on, about which this and another log say the
        same.
        """
        pairs = [*zip_longest(self.clauses, other.clauses)]
        pairs += zip_longest(self.factors, other.factors)
        different = [pair for pair in pairs if pair[0] != pair[1]]
        news = (each.entry - 1 for pair in different for each in pair if each is not None)
        return min(self.entries, other.entries, *news)

    @property
    def behaviour(self) -> tuple[Factor, ...]:
        """The factors that weigh what people usually do."""
        return tuple([factor for factor in self.factors if factor.is_behaviour])

    def without_behaviour(self) -> Self:
        """Return the same knowledge without the factors that weigh what people usually do."""
        kept = tuple([factor for factor in self.factors if not factor.is_behaviour])
        return replace(self, factors=kept)

    @property
    def prior(self) -> tuple[float, ...]:
        """The prior probability of each own-card level; they sum to 1."""
        learned = any(len(factor.tables) > 1 for factor in self.factors)
        return PRIOR if learned else (1.0,)

    def shown_by(self, seat: int) -> CardMask:
        """Return the mask of the cards that a seat has shown the viewer in answers."""
        return reduce(or_, [shown.card for shown in self.shown if shown.seat == seat], 0)


_entry = attrgetter("entry")


def knowledge_of(
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    supposed: Iterable[Observation] = (),
) -> Knowledge:
    """
    Return what `viewer` (a seat, or `None` for a spectator) learned from the observations.

    Args:
        table: Who plays, and by which policies.
        observations: A whole record or its beginning, in file order.
        supposed: Suppositions, which belong to no entry; the viewer learns all of them.
    """
    numbered = tuple(enumerate(observations, 1))
    seen = seen_part(numbered, table=table, viewer=viewer)
    return _knowledge_from(seen, table, len(numbered), viewer=viewer, supposed=supposed)


def shared_knowledge(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what follows from all that both the seat and the viewer saw.

    Each of them knows that the other knows it. It has clauses only, because the viewer does not
    know what the seat thinks likely.
    """
    numbered = tuple(enumerate(observations, 1))
    both = seen_part(numbered, table=table, viewer=viewer)
    seen = seen_part(both, table=table, viewer=seat)
    return _clauses_alone(_knowledge_from(seen, table, len(numbered)))


def everyones_knowledge(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Observation] = ()
) -> Knowledge:
    """
    Return everything that a record says, whoever saw it.

    It has clauses only: likelihoods depend on what one player knows, and nobody knows all this.
    """
    seen = tuple(enumerate(observations, 1))
    return _clauses_alone(_knowledge_from(seen, table, len(seen), supposed=supposed))


def _knowledge_from(
    seen: Evidence,
    table: Table,
    entries: int,
    *,
    viewer: str | None = None,
    supposed: Iterable[Observation] = (),
) -> Knowledge:
    """
    Return what a viewer knows from evidence and suppositions.

    `entries` is the number of entries in the part of the record that was read.
    """
    encoder = Encoder(Numbers(table), table, viewer=viewer)
    assumed = encoder.read(tuple((0, each) for each in supposed)).clauses
    said = encoder.read(seen)
    return Knowledge(
        layout=encoder.numbers.layout,
        entries=entries,
        clauses=(*(clause._replace(entries=()) for clause in assumed), *said.clauses),
        factors=tuple(said.factors),
        shown=tuple(said.shown),
        shows=table.policy,
    )


def _clauses_alone(known: Knowledge) -> Knowledge:
    """Return knowledge without its likelihoods: only what must hold."""
    return replace(known, factors=(), shown=(), shows="none")
