"""
Why: smallest sets of entries that force a fact or cannot all be true.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clue_solver.inference.sat import HittingSets, Solver

WORK = 10_000_000
"""What a smallest set may cost, in propagations (some 0.2 microseconds each)."""

MOST_SETS = 100_000
"""Entries times hitting sets to try before a minimal set is given for a minimum one."""

_CHUNKED = 40


class Culprits(NamedTuple):
    """
    Entries that cannot all be true, none of which can be spared.

    Attributes:
        entries: Their numbers, ascending.
        minimum: Whether it is proved that no smaller set exists; else only, unless that took too
            long, that none of these can be spared.
    """

    entries: tuple[int, ...]
    minimum: bool


def culprits(solver: Solver, entries: Sequence[int], against: Sequence[int] = ()) -> Culprits:
    """
    Return a smallest set of entries that clash with each other and with the literals `against`.

    A minimal set comes from one unsat core by leaving out entries, many at a time while there are
    many, then one by one. A minimum one comes
    from implicit hitting sets: the smallest set of entries that meets every known correction is the
    answer as soon as it clashes itself (Ignatiev, Previti, Liffiton, Marques-Silva, "Smallest MUS
    Extraction with Minimal Hitting Set Dualization", CP 2015).

    Args:
        solver: What is known.
        entries: The entries to choose from; together with `against` they must clash.
        against: Card literals that are assumed, such as the opposite of a fact to be explained.
    """

    def clash(chosen: Sequence[int]) -> list[int] | None:
        core = solver.core([*against, *map(solver.entry, chosen)])
        if core is None:
            return None
        selected = set(core)
        return [number for number in chosen if solver.entry(number) in selected]

    limit = solver.work + WORK
    solver.prefer(map(solver.entry, entries))
    shrunk = clash(entries)
    if shrunk is None:
        raise ValueError("the entries do not clash")
    size = len(shrunk) // 2 if len(shrunk) > _CHUNKED else 1
    while size:
        whole = shrunk
        for start in range(0, len(whole), size):
            rest = [number for number in shrunk if number not in whole[start : start + size]]
            if len(rest) < len(shrunk) and solver.work < limit:
                less = clash(rest)
                shrunk = shrunk if less is None else less
        size //= 2
    sets = HittingSets()
    for _ in range(MOST_SETS // (len(entries) + 1) + 10):
        candidate = sorted(sets.smallest())
        if len(candidate) == len(shrunk):
            return Culprits(tuple(shrunk), minimum=True)
        if clash(candidate) is not None:
            return Culprits(tuple(candidate), minimum=True)
        inside = set(candidate)
        grown = [set[int](), *({number} for number in entries)]
        for more in grown:  # as far as deals fit, many entries at a time
            if solver.work > limit:
                return Culprits(tuple(shrunk), minimum=False)
            if not more or not more <= inside:
                selected = [*against, *map(solver.entry, inside | more)]
                inside |= solver.chosen(selected, entries) or set()
        sets.hit(number for number in entries if number not in inside)
    return Culprits(tuple(shrunk), minimum=False)


def conflict(solver: Solver, entries: Sequence[int]) -> tuple[int, ...]:
    """Return a smallest set of entries that cannot all be true; empty if the deal alone cannot."""
    return culprits(solver, entries).entries
