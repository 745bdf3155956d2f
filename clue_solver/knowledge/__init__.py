"""What one viewer knows of a game: the evidence, its clauses, its likelihoods."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from clue_solver.knowledge.clauses import Clause, clauses
from clue_solver.knowledge.evidence import evidence
from clue_solver.knowledge.layout import Layout, Numbers
from clue_solver.knowledge.likelihood import Factor, factors
from clue_solver.observation import Knowing, Observation
from clue_solver.table import Shows, Table


class Knowledge(Struct, frozen=True, kw_only=True):
    """
    What a viewer knows, in the numbers of `Layout`.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors name them from 1.
        clauses: What must be so, in the order of the entries; what is supposed comes from none.
        factors: How likely what was seen is, given the hands; in the order of the entries.
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[Factor, ...]

    def upto(self, entry: int) -> Knowledge:
        """Return what was known after the first `entry` entries."""
        return Knowledge(
            layout=self.layout,
            entries=entry,
            clauses=tuple(c for c in self.clauses if all(e <= entry for e in c.entries)),
            factors=tuple(f for f in self.factors if f.entry <= entry),
        )


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
    numbers = Numbers(table)
    seen = evidence(observations, table=table, viewer=viewer)
    assumed = clauses(((0, each) for each in supposed), numbers=numbers)
    return Knowledge(
        layout=numbers.layout,
        entries=len(observations),
        clauses=(
            *(clause._replace(entries=()) for clause in assumed),
            *clauses(seen, numbers=numbers),
        ),
        factors=tuple(factors(seen, numbers=numbers, viewer=viewer, shows=shows)),
    )


__all__ = ["Clause", "Factor", "Knowledge", "Layout", "know"]
