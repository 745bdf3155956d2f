"""What one viewer knows of a game: the evidence, its clauses, its likelihoods."""

from bisect import bisect_right
from collections.abc import Iterable
from copy import copy
from functools import cache, reduce
from operator import attrgetter, or_
from typing import NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.knowledge.clauses import Clause, Factor, Layout, Numbers, Shown
from clue_solver.knowledge.evidence import (
    PRIOR,
    Encoder,
    Evidence,
    no_statements,
    said_by,
    seen_part,
)
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Shows, Table


class ReadSoFar(NamedTuple):
    """The observations read so far, and the encoder that can read on from there."""

    observations: tuple[Observation, ...]
    encoder: Encoder

    def shared_with(self, observations: Iterable[Observation]) -> int:
        """Return how many of these, from the first on, are also the first that were read."""
        shared = 0
        for mine, theirs in zip(self.observations, observations, strict=False):
            if mine is not theirs:
                break
            shared += 1
        return shared


class Knowledge(Struct, frozen=True, kw_only=True):
    """
    What a viewer knows, in the numbers of `Layout`.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors number them from 1.
        clauses: What must hold, in the order of the last entry of each; suppositions, which have no
            entry, come first.
        factors: How likely, and how usual, each observation is given the hands, in the order of the
            entries.
        shown: The cards shown to the viewer in answers, in the order of the entries.
        shows: The show policy.
        reading: What is needed to read further entries; `None` if that is not possible.
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
        """Return how many clauses and factors come from the first `entry` entries alone."""
        return (
            bisect_right(self.clauses, entry, key=_last_entry),
            bisect_right(self.factors, entry, key=_entry),
        )

    def shared_with(self, other: Self) -> int:
        """Return how many entries, from the first on, this and another knowledge have in common."""
        if self.reading is None or other.reading is None:
            return 0
        return self.reading.shared_with(other.reading.observations)

    @property
    def behaviour(self) -> tuple[Factor, ...]:
        """The factors that weigh what people usually do."""
        return tuple([factor for factor in self.factors if factor.behaviour])

    def without_behaviour(self) -> Self:
        """Return the same knowledge without the factors of what people usually do."""
        kept = tuple([factor for factor in self.factors if not factor.behaviour])
        return replace(self, factors=kept, reading=None)

    @property
    def prior(self) -> tuple[float, ...]:
        """The prior probability of each own-card level; they sum to 1."""
        learned = any(len(factor.tables) > 1 for factor in self.factors)
        return PRIOR if learned else (1.0,)

    def shown_by(self, seat: int) -> int:
        """Return the mask of the cards that a seat has shown the viewer in answers."""
        return reduce(or_, [shown.card for shown in self.shown if shown.seat == seat], 0)


_entry = attrgetter("entry")


def _last_entry(clause: Clause) -> int:
    """Return the number of a clause's last entry; 0 for a supposition."""
    return clause.entries[-1] if clause.entries else 0


def knowledge_of(
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    supposed: Iterable[Observation] = (),
    before: Knowledge | None = None,
) -> Knowledge:
    """
    Return what `viewer` (a seat, or `None` for a spectator) learned from the observations.

    Args:
        table: Who plays, and by which policies.
        observations: A whole record or its beginning, in file order.
        supposed: Suppositions, whoever knows them; they belong to no entry.
        before: What the same viewer knew from another log, with the same table, policies and
            suppositions. If this log begins with that one, only the rest is read.
    """
    observations = tuple(observations)
    read = before.reading if before is not None else None
    if before is None or read is None or read.shared_with(observations) < before.entries:
        encoder = Encoder(Numbers(table), table, viewer=viewer)
        read = ReadSoFar((), encoder)
        before = Knowledge(
            layout=encoder.numbers.layout,
            entries=0,
            clauses=_assumed(supposed, encoder),
            factors=(),
            shows=table.policy,
        )
    encoder = copy(read.encoder)
    rest = enumerate(observations[before.entries :], before.entries + 1)
    telling = (entry for entry in rest if not _is_silent(type(entry[1])))
    said = encoder.read(seen_part(telling, table=table, viewer=viewer))
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
    """
    Return whether a kind of observation says nothing about the deal, as a roll does.

    Such entries, most of those on a board, are left out before it is found out who saw them.
    """
    return said_by.dispatch(kind) is no_statements


def shared_knowledge(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what both the seat and the viewer saw, so each knows that the other knows it.

    It has clauses only, because the viewer does not know what the seat thinks likely.
    """
    numbered = tuple(enumerate(observations, 1))
    both = seen_part(numbered, table=table, viewer=viewer)
    seen = seen_part(both, table=table, viewer=seat)
    return _clauses_alone(table, seen, len(numbered))


def everyones_knowledge(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Observation] = ()
) -> Knowledge:
    """
    Return everything that a record says, whoever saw it.

    It has clauses only: no player knows all of it, so likelihoods would be nobody's.
    """
    seen = tuple(enumerate(observations, 1))
    return _clauses_alone(table, seen, len(seen), supposed)


def _clauses_alone(
    table: Table, seen: Evidence, entries: int, supposed: Iterable[Observation] = ()
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


def _assumed(supposed: Iterable[Observation], encoder: Encoder) -> tuple[Clause, ...]:
    """Return suppositions as clauses that belong to no entry."""
    said = encoder.read(tuple((0, each) for each in supposed))
    return tuple(clause._replace(entries=()) for clause in said.clauses)
