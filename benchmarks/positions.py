"""
Positions to measure: tables of any size, and everything about one worked out from scratch.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from msgspec.structs import replace

from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.edition import Card, Category, Edition
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ANY, Table

KINDS = {"suspect": 2, "weapon": 2, "room": 3}
"""The categories and their proportions, those of the classic edition."""

Position = tuple[Table, Sequence[Observation], str | None]
"""A table, what was observed at it, and who looks on: a seat, or nobody for a spectator."""


def edition(cards: int) -> Edition:
    """
    Return an edition of so many cards in three categories, as near 2 : 2 : 3 as can be.

    >>> [len(kind.cards) for kind in edition(30).category]
    [9, 8, 13]
    """
    rest, shares, kinds = cards, sum(KINDS.values()), []
    for name, share in KINDS.items():
        size = round(rest * share / shares)
        rest, shares = rest - size, shares - share
        kinds.append(
            Category(name=name, cards=tuple(Card(name=f"{name} {n + 1}") for n in range(size)))
        )
    return Edition(
        name=f"{cards} cards", title=f"{cards} cards", players=(2, 10), category=tuple(kinds)
    )


READING, INFERENCE = "clue_solver.knowledge", "clue_solver.inference"


def forget(*packages: str) -> None:
    """Clear every cache of these packages, else of both: nothing is left of other positions."""
    for name, module in list(sys.modules.items()):
        if name.startswith(packages or (READING, INFERENCE)):
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


def worked_out(position: Position) -> Diagram:
    """Return the diagram of a position, built from scratch; its marginals are computed as well."""
    table, seen, viewer = position
    forget()
    deduction = Deduction(
        knowledge_of(replace(table, shows="random", asks=ANY), seen, viewer=viewer)
    )
    diagram = deduction.diagram(len(seen))
    diagram.marginals()
    return diagram
