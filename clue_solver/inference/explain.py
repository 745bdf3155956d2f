"""
Why: smallest sets of entries that force a fact or cannot all be true.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clue_solver.inference.sat import HittingSets, Solver, Undecided

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

    limit = solver.work + WORK
    solver.prefer(map(solver.entry, entries))
    shrunk = _clash(solver, entries, against)
    if shrunk is None:
        raise ValueError("the entries do not clash")
    size = len(shrunk) // 2 if len(shrunk) > _CHUNKED else 1
    while size:
        whole = shrunk
        for start in range(0, len(whole), size):
            rest = [number for number in shrunk if number not in whole[start : start + size]]
            if len(rest) < len(shrunk) and solver.work < limit:
                less = _clash(solver, rest, against)
                shrunk = shrunk if less is None else less
        size //= 2
    try:
        return _minimum(solver, entries, against, shrunk, limit=limit)
    except Undecided:
        return Culprits(tuple(shrunk), minimum=False)


def _clash(solver: Solver, chosen: Sequence[int], against: Sequence[int]) -> list[int] | None:
    """Return some of the chosen entries that clash, or `None` if they do not."""
    core = solver.core([*against, *map(solver.entry, chosen)])
    if core is None:
        return None
    selected = set(core)
    return [number for number in chosen if solver.entry(number) in selected]


def _minimum(
    solver: Solver,
    entries: Sequence[int],
    against: Sequence[int],
    shrunk: list[int],
    *,
    limit: int,
) -> Culprits:
    """
    Return a smallest set of entries that clash, given one of which none can be spared.

    Raises:
        Undecided: If the solver's work would exceed the limit.
    """
    sets = HittingSets()
    for _ in range(MOST_SETS // (len(entries) + 1) + 10):
        candidate = sets.smallest(below=len(shrunk))
        if candidate is None:
            return Culprits(tuple(shrunk), minimum=True)
        if _clash(solver, candidate, against) is not None:
            return Culprits(tuple(candidate), minimum=True)
        inside = set(candidate)
        grown = [set[int](), *({number} for number in entries)]
        for more in grown:  # as far as deals fit, many entries at a time
            if solver.work > limit:
                raise Undecided
            if not more or not more <= inside:
                selected = [*against, *map(solver.entry, inside | more)]
                inside |= solver.chosen(selected, entries) or set()
        sets.hit(number for number in entries if number not in inside)
    raise Undecided


def conflict(solver: Solver, entries: Sequence[int]) -> tuple[int, ...]:
    """Return a smallest set of entries that cannot all be true; empty if the deal alone cannot."""
    return culprits(solver, entries).entries
