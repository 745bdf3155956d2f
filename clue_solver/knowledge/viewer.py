"""What one viewer knows of a game: the evidence, its clauses, its likelihoods."""

from collections.abc import Iterable, Sequence
from copy import copy
from itertools import chain
from typing import NamedTuple, Self

from msgspec import Struct

from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import Clause, ClauseEncoder, Layout, Numbers, clauses
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.table import Shows, Table


class ReadSoFar(NamedTuple):
    """What was read of a log, and what it means for the entries that come next."""

    observations: tuple[Observation, ...]
    clauses: ClauseEncoder
    factors: evidence.FactorEncoder

    def begins(self, observations: Sequence[Observation]) -> bool:
        """Return whether a log begins with what was read: with the very same values."""
        return len(self.observations) <= len(observations) and all(
            one is other for one, other in zip(self.observations, observations, strict=False)
        )


class Knowledge(Struct, frozen=True, kw_only=True):
    """
    What a viewer knows, in the numbers of `Layout`.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors name them from 1.
        clauses: What must be so, in the order of the entries; what is supposed comes from none.
        factors: How likely what was seen is, given the hands; in the order of the entries.
        shown: The cards shown to the viewer in answers, in the order of the entries.
        shows: The show policy.
        reading: Where reading the log can go on; `None` if it cannot.
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[evidence.Factor, ...]
    shown: tuple[evidence.Shown, ...] = ()
    shows: Shows = "random"
    reading: ReadSoFar | None = None

    def upto(self, entry: int) -> Self:
        """Return what was known after the first `entry` entries."""
        if entry == self.entries:
            return self
        return type(self)(
            layout=self.layout,
            entries=entry,
            clauses=tuple(c for c in self.clauses if all(e <= entry for e in c.entries)),
            factors=tuple(f for f in self.factors if f.entry <= entry),
            shown=tuple(s for s in self.shown if s.entry <= entry),
            shows=self.shows,
        )

    def habit(self, seat: int) -> int:
        """Return the mask of the cards that a seat has shown the viewer in answers."""
        return sum({each.card for each in self.shown if each.seat == seat})


def knowledge_of(
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    shows: Shows,
    supposed: Iterable[Knowing] = (),
    before: Knowledge | None = None,
) -> Knowledge:
    """
    Return what `viewer` (a seat, or `None` for a spectator) learned from the observations.

    Args:
        observations: A whole record or its beginning, in file order.
        supposed: What is assumed besides, whoever knows it; it belongs to no entry.
        before: What the same viewer knew at this table by the same policy and supposing the same,
            of a shorter log; where this one begins with that, only the rest is read.
    """
    observations = tuple(observations)
    if before is None or before.reading is None or not before.reading.begins(observations):
        numbers, policy = Numbers(table), evidence.POLICIES[shows]
        before = Knowledge(
            layout=numbers.layout,
            entries=0,
            clauses=_assumed(supposed, numbers),
            factors=(),
            shows=shows,
            reading=ReadSoFar(
                observations=(),
                clauses=ClauseEncoder(numbers),
                factors=evidence.FactorEncoder(numbers, viewer=viewer, policy=policy),
            ),
        )
    assert before.reading is not None
    encoder, weighing = copy(before.reading.clauses), copy(before.reading.factors)
    rest = enumerate(observations[before.entries :], before.entries + 1)
    seen = evidence.share(rest, table=table, viewer=viewer)
    told = chain.from_iterable(encoder.clauses(*each) for each in seen)
    likely = chain.from_iterable(weighing.factors(*each) for each in seen)
    shown = evidence.shown_cards(seen, numbers=encoder.numbers, viewer=viewer)
    return Knowledge(
        layout=before.layout,
        entries=len(observations),
        clauses=(*before.clauses, *told),
        factors=(*before.factors, *likely),
        shown=(*before.shown, *shown),
        shows=before.shows,
        reading=ReadSoFar(observations, encoder, weighing),
    )


def shared_knowledge(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what both the seat and the viewer saw, so that each knows that the other knows it.

    Clauses only: what the seat may think likely is not known to the viewer.
    """
    numbered = tuple(enumerate(observations, 1))
    both = evidence.share(numbered, table=table, viewer=viewer)
    seen = evidence.share(both, table=table, viewer=seat)
    return _clauses_alone(table, seen, len(numbered))


def pooled_knowledge(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """
    Return what a record says in all, whoever saw it.

    Clauses only: no player knows all of it, so nobody would hold anything more or less likely.
    """
    seen = tuple(enumerate(observations, 1))
    return _clauses_alone(table, seen, len(seen), supposed)


def _clauses_alone(
    table: Table, seen: evidence.Evidence, entries: int, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """Return what evidence says, nothing weighed."""
    numbers = Numbers(table)
    return Knowledge(
        layout=numbers.layout,
        entries=entries,
        clauses=(*_assumed(supposed, numbers), *clauses(seen, numbers=numbers)),
        factors=(),
        shows="none",
    )


def _assumed(supposed: Iterable[Knowing], numbers: Numbers) -> tuple[Clause, ...]:
    """Return what is supposed as clauses that belong to no entry."""
    told = clauses(((0, each) for each in supposed), numbers=numbers)
    return tuple(clause._replace(entries=()) for clause in told)
