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
    What a viewer knows of a game, with numbers in place of the names of cards and holders.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors number them from 1.
        clauses: What must hold, in the order of their last entries; suppositions, which have no
            entry, come first.
        factors: How likely and how usual observations are given the hands, in the order of the
            entries.
        shown: The cards shown to the viewer in answers, in the order of the entries.
        shows: The show policy: how players are assumed to choose which card to show.
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[Factor, ...]
    shown: tuple[Shown, ...] = ()
    shows: Shows = "random"

    def upto(self, entry: int) -> Self:
        """Return what the viewer knew after the first `entry` entries."""
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
        Return how many clauses and how many factors follow from the first `entry` entries alone.

        They are the first in `clauses` and `factors`.
        """
        return (
            bisect_right(self.clauses, entry, key=_entry),
            bisect_right(self.factors, entry, key=_entry),
        )

    def shared_with(self, other: Self) -> int:
        """
        Return how many entries, from the first on, say the same in this knowledge and in another.
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
        """
        How likely each own-card level (how readily players name cards of their own) is at first.

        The probabilities sum to 1. There is only one if the level is not to be learned.
        """
        learned = any(len(factor.tables) > 1 for factor in self.factors)
        return PRIOR if learned else (1.0,)

    def shown_by(self, seat: int) -> CardMask:
        """Return the mask of the cards that a seat (its number) has shown the viewer in answers."""
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
    Return what `viewer` learned from the observations.

    Args:
        table: Who plays, and by which policies.
        observations: A whole record or its beginning, in file order.
        viewer: The seat whose eyes count; `None` for a spectator.
        supposed: Suppositions, which belong to no entry; the viewer learns all of them.
    """
    numbered = tuple(enumerate(observations, 1))
    seen = seen_part(numbered, table=table, viewer=viewer)
    return _knowledge_from(seen, table, len(numbered), viewer=viewer, supposed=supposed)


def shared_knowledge(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what follows from the part of each entry that both the seat and the viewer saw.

    Each of them knows that the other knows it. There are clauses only, no factors, because the
    viewer does not know what the seat thinks likely.
    """
    numbered = tuple(enumerate(observations, 1))
    both = seen_part(numbered, table=table, viewer=viewer)
    seen = seen_part(both, table=table, viewer=seat)
    return _clauses_alone(_knowledge_from(seen, table, len(numbered)))


def everyones_knowledge(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Observation] = ()
) -> Knowledge:
    """
    Return what follows from the whole record, whoever saw it, and from suppositions.

    There are clauses only, no factors: likelihoods depend on what one player knows, and nobody
    knows all this.
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

    Args:
        seen: The entries as the viewer saw them, with their numbers.
        table: The table.
        entries: How many entries the part of the record has that was read.
        viewer: The seat whose eyes count; `None` for a spectator or for no one in particular.
        supposed: Suppositions, which belong to no entry.
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
    """
    Return the same knowledge without factors and without the cards shown: only what must hold.
    """
    return replace(known, factors=(), shown=(), shows="none")
