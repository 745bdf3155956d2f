"""What one viewer knows of a game: the evidence, its clauses, its likelihoods."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from clue_solver.knowledge.clauses import Clause, Layout, Numbers, clauses
from clue_solver.knowledge.evidence import (
    Evidence,
    Factor,
    Shown,
    evidence,
    factors,
    share,
    shown_cards,
)
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.table import Shows, Table


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
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[Factor, ...]
    shown: tuple[Shown, ...] = ()
    shows: Shows = "random"

    def upto(self, entry: int) -> Knowledge:
        """Return what was known after the first `entry` entries."""
        return Knowledge(
            layout=self.layout,
            entries=entry,
            clauses=tuple(c for c in self.clauses if all(e <= entry for e in c.entries)),
            factors=tuple(f for f in self.factors if f.entry <= entry),
            shown=tuple(s for s in self.shown if s.entry <= entry),
            shows=self.shows,
        )

    def habit(self, seat: int) -> int:
        """Return the mask of the cards that a seat has shown the viewer in answers."""
        mask = 0
        for _, who, card in self.shown:
            if who == seat:
                mask |= card
        return mask


def know(
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    shows: Shows,
    supposed: Iterable[Knowing] = (),
) -> Knowledge:
    """
    Return what `viewer` (a seat, or `None` for a spectator) learned from the observations.

    Args:
        table: The table they happened at.
        observations: A whole record or its beginning, in file order.
        viewer: Whose eyes.
        shows: The show policy.
        supposed: What is assumed besides, whoever knows it; it belongs to no entry.
    """
    observations = tuple(observations)
    seen = evidence(observations, table=table, viewer=viewer)
    return _drawn(
        table, seen, len(observations), viewer=viewer, shows=shows, supposed=tuple(supposed)
    )


def common(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what `seat` knows that the viewer knows it knows: what both of them saw.

    Clauses only: what the seat may think likely is its own affair.
    """
    observations = tuple(observations)
    seen = share(evidence(observations, table=table, viewer=viewer), table=table, viewer=seat)
    return _drawn(table, seen, len(observations), viewer=seat, shows="none", supposed=())


def laid_together(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """
    Return what a record says in all, whoever saw it.

    Clauses only: no player knows all of it, so nobody would hold anything more or less likely.
    """
    seen = tuple(enumerate(observations, 1))
    return _drawn(table, seen, len(seen), viewer=None, shows="none", supposed=tuple(supposed))


def _drawn(
    table: Table,
    seen: Evidence,
    entries: int,
    *,
    viewer: str | None,
    shows: Shows,
    supposed: tuple[Knowing, ...],
) -> Knowledge:
    numbers = Numbers(table)
    assumed = clauses(((0, each) for each in supposed), numbers=numbers)
    return Knowledge(
        layout=numbers.layout,
        entries=entries,
        clauses=(
            *(clause._replace(entries=()) for clause in assumed),
            *clauses(seen, numbers=numbers),
        ),
        factors=tuple(factors(seen, numbers=numbers, viewer=viewer, shows=shows)),
        shown=tuple(shown_cards(seen, numbers=numbers, viewer=viewer)),
        shows=shows,
    )


__all__ = ["Clause", "Factor", "Knowledge", "Layout", "common", "know", "laid_together"]
