"""What one viewer knows of a game: the evidence, its clauses, its likelihoods."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cache
from itertools import takewhile
from operator import attrgetter, is_
from typing import NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.knowledge.clauses import Clause, Factor, Layout, Numbers, Shown
from clue_solver.knowledge.evidence import (
    PRIOR,
    Encoder,
    Evidence,
    no_statements,
    share,
    statements,
)
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.table import Shows, Table


class ReadSoFar(NamedTuple):
    """What was read of a log, and what it means for the entries that come next."""

    observations: tuple[Observation, ...]
    encoder: Encoder

    def begins(self, observations: Sequence[Observation]) -> bool:
        """Return whether a log begins with the very observations that were read."""
        read = self.observations
        return len(read) <= len(observations) and all(map(is_, read, observations))


class Knowledge(Struct, frozen=True, kw_only=True):
    """
    What a viewer knows, in the numbers of `Layout`.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors name them from 1.
        clauses: What must be so, in the order of the last of their entries; what is supposed comes
            from none, and first.
        factors: How likely what was seen is, given the hands, and how usual; in the order of the
            entries.
        shown: The cards shown to the viewer in answers, in the order of the entries.
        shows: The show policy.
        reading: Where reading the log can go on; `None` if it cannot.
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[Factor, ...]
    shown: tuple[Shown, ...] = ()
    shows: Shows = "random"
    reading: ReadSoFar | None = None

    def upto(self, entry: int) -> Self:
        """Return what was known after the first `entry` entries."""
        if entry == self.entries:
            return self
        clauses, factors = self.lengths(entry)
        shown = bisect_right(self.shown, entry, key=_entry)
        return type(self)(
            layout=self.layout,
            entries=entry,
            clauses=self.clauses[:clauses],
            factors=self.factors[:factors],
            shown=self.shown[:shown],
            shows=self.shows,
        )

    def lengths(self, entry: int) -> tuple[int, int]:
        """Return how many clauses and factors come from the first entries alone."""
        return (
            bisect_right(self.clauses, entry, key=_last_entry),
            bisect_right(self.factors, entry, key=_entry),
        )

    def shared_with(self, other: Self) -> int:
        """Return how many of the entries that both were read from they begin with."""
        if self.reading is None or other.reading is None:
            return 0
        pairs = zip(self.reading.observations, other.reading.observations, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))

    @property
    def behaviour(self) -> tuple[Factor, ...]:
        """The factors of what people usually do."""
        return tuple([factor for factor in self.factors if factor.behaviour])

    def without_behaviour(self) -> Self:
        """Return what is known without what people usually do."""
        return replace(self, factors=tuple(f for f in self.factors if not f.behaviour))

    @property
    def prior(self) -> tuple[float, ...]:
        """The prior probability of each own-card level; they sum to 1."""
        learned = any(len(factor.tables) > 1 for factor in self.factors)
        return PRIOR if learned else (1.0,)

    def shown_by(self, seat: int) -> int:
        """Return the mask of the cards that a seat has shown the viewer in answers."""
        return sum({showing.card for showing in self.shown if showing.seat == seat})


_entry = attrgetter("entry")


def _last_entry(clause: Clause) -> int:
    """Return the last of a clause's entries; 0 for what is supposed."""
    return clause.entries[-1] if clause.entries else 0


def knowledge_of(
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    supposed: Iterable[Knowing] = (),
    before: Knowledge | None = None,
) -> Knowledge:
    """
    Return what `viewer` (a seat, or `None` for a spectator) learned from the observations.

    Args:
        table: Who plays, and by which policies.
        observations: A whole record or its beginning, in file order.
        supposed: What is assumed besides, whoever knows it; it belongs to no entry.
        before: What the same viewer knew at this table by these policies and supposing the same,
            of a shorter log; where this one begins with that, only the rest is read.
    """
    observations = tuple(observations)
    if before is None or before.reading is None or not before.reading.begins(observations):
        encoder = Encoder(Numbers(table), table, viewer=viewer)
        before = Knowledge(
            layout=encoder.numbers.layout,
            entries=0,
            clauses=_assumed(supposed, encoder),
            factors=(),
            shows=table.policy,
            reading=ReadSoFar((), encoder),
        )
    assert before.reading is not None
    encoder = copy(before.reading.encoder)
    rest = enumerate(observations[before.entries :], before.entries + 1)
    telling = (entry for entry in rest if not _is_silent(type(entry[1])))
    said = encoder.read(share(telling, table=table, viewer=viewer))
    return Knowledge(
        layout=before.layout,
        entries=len(observations),
        clauses=(*before.clauses, *said.clauses),
        factors=(*before.factors, *said.factors),
        shown=(*before.shown, *said.shown),
        shows=before.shows,
        reading=ReadSoFar(observations, encoder),
    )


@cache
def _is_silent(kind: type[Observation]) -> bool:
    """Return whether entries of a kind say nothing about the deal, as most of a game's do."""
    return statements.dispatch(kind) is no_statements


def shared_knowledge(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what both the seat and the viewer saw, so that each knows that the other knows it.

    Clauses only: what the seat may think likely is not known to the viewer.
    """
    numbered = tuple(enumerate(observations, 1))
    both = share(numbered, table=table, viewer=viewer)
    seen = share(both, table=table, viewer=seat)
    return _clauses_alone(table, seen, len(numbered))


def everyones_knowledge(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """
    Return what a record says in all, whoever saw it.

    Clauses only: no player knows all of it, so nobody would hold anything more or less likely.
    """
    seen = tuple(enumerate(observations, 1))
    return _clauses_alone(table, seen, len(seen), supposed)


def _clauses_alone(
    table: Table, seen: Evidence, entries: int, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """Return the clauses of evidence, without factors."""
    encoder = Encoder(Numbers(table), table, viewer=None)
    return Knowledge(
        layout=encoder.numbers.layout,
        entries=entries,
        clauses=(*_assumed(supposed, encoder), *encoder.read(seen).clauses),
        factors=(),
        shows="none",
    )


def _assumed(supposed: Iterable[Knowing], encoder: Encoder) -> tuple[Clause, ...]:
    """Return what is supposed as clauses that belong to no entry."""
    said = encoder.read(tuple((0, knowing) for knowing in supposed))
    return tuple(clause._replace(entries=()) for clause in said.clauses)
