"""A smallest set of entries that forces a fact, or of entries that cannot all be true."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clue_solver.inference.sat import CONFLICTS, Solver, Undecided, minicard
from clue_solver.inference.spending import spent

WORK = 130_000_000
"""The most that finding a smallest set may cost, in units of `spending` (about half a second)."""

MOST_SETS = 100_000
"""
The most hitting sets (candidates for the smallest set) to try, multiplied by the number of entries.

After these, the result is only a minimal set: no entry can be left out of it, but there may be
smaller sets.
"""

_CHUNKED, _MOST_GROWN = 40, 20_000
"""
While an unsat core has more entries than the first number, half of them are dropped at a time. The
second number is the most steps by which a candidate grows, multiplied by the number of entries.
"""


class ConflictingEntries(NamedTuple):
    """
    Entries that cannot all be true.

    Attributes:
        entries: Their numbers, ascending.
        minimum: Whether it is proved that no smaller set of entries clashes. If not, the search ran
            out of budget, and some of the entries may be superfluous.
    """

    entries: tuple[int, ...]
    minimum: bool


def smallest_conflict(
    solver: Solver, entries: Sequence[int], against: Sequence[int] = ()
) -> ConflictingEntries:
    """
    Return a smallest set of entries that cannot all be true, given what is assumed.

    First it finds a minimal set, from which no entry can be left out: entries are dropped from an
    unsat core, many at a time while there are many, then one by one. Then it finds a minimum set,
    the smallest of all, by implicit hitting sets. Without the entries of a correction set, the
    others no longer clash. The smallest set that has an entry of every known correction set is the
    answer as soon as it clashes itself (Ignatiev, Previti, Liffiton, Marques-Silva, "Smallest MUS
    Extraction with Minimal Hitting Set Dualization", CP 2015).

    Args:
        solver: The solver, which knows what each entry says.
        entries: The numbers of the entries to choose from; together with `against` they must clash.
        against: Literals of the solver (`Solver.has`) that are assumed, such as the opposite of a
            fact to be explained.

    Raises:
        ValueError: If the entries do not clash.
    """
    limit = spent() + WORK  # checked only between searches, as there is always a set to return
    solver.prefer(map(solver.selector, entries))
    shrunk = _clash(solver, entries, against)
    if shrunk is None:
        raise ValueError("the entries do not contradict each other")
    size = len(shrunk) // 2 if len(shrunk) > _CHUNKED else 1
    while size:
        whole = shrunk
        for start in range(0, len(whole), size):
            rest = [number for number in shrunk if number not in whole[start : start + size]]
            if len(rest) < len(shrunk) and spent() < limit:
                less = _clash(solver, rest, against)
                shrunk = shrunk if less is None else less
        size //= 2
    try:
        return _minimum(solver, entries, against, shrunk, limit=limit)
    except Undecided:
        return ConflictingEntries(tuple(shrunk), minimum=False)


def _clash(solver: Solver, chosen: Sequence[int], against: Sequence[int]) -> list[int] | None:
    """
    Return some of the entries `chosen` that cannot all be true, given what is assumed.

    The set need not be a smallest one. `None` if there is no clash.

    Args:
        solver: The solver, which knows what each entry says.
        chosen: The numbers of the entries.
        against: Literals of the solver (`Solver.has`) that are assumed.
    """
    core = solver.core([*against, *map(solver.selector, chosen)])
    if core is None:
        return None
    selected = set(core)
    return [number for number in chosen if solver.selector(number) in selected]


def _minimum(
    solver: Solver, entries: Sequence[int], against: Sequence[int], shrunk: list[int], *, limit: int
) -> ConflictingEntries:
    """
    Return a smallest set of entries that clash, given a minimal one.

    Args:
        solver: The solver, which knows what each entry says.
        entries: The numbers of the entries to choose from.
        against: Literals of the solver (`Solver.has`) that are assumed, such as the opposite of a
            fact to be explained.
        shrunk: The minimal set: no entry can be left out of it.
        limit: The value of `spent()` at which to stop.

    Raises:
        Undecided: If more work is spent than `limit`, or if too many hitting sets are needed.
    """
    sets = HittingSets()
    for _ in range(MOST_SETS // (len(entries) + 1) + 10):
        candidate = sets.smallest(below=len(shrunk))
        if candidate is None:
            return ConflictingEntries(tuple(shrunk), minimum=True)
        if _clash(solver, candidate, against) is not None:
            return ConflictingEntries(tuple(candidate), minimum=True)

        # Some deal fits the candidate, which grows by many entries at a time while some deal fits.
        # The entries that are left out are a correction set.
        inside = set(candidate)
        selected = [*against, *map(solver.selector, inside)]
        inside |= solver.chosen(selected, entries) or set()
        left = max(20, _MOST_GROWN // len(entries)) - 1
        for number in entries:
            if not left:
                break
            if number in inside:
                continue
            if spent() > limit:
                raise Undecided
            selected = [*against, *map(solver.selector, (*inside, number))]
            inside |= solver.chosen(selected, entries) or set()
            left -= 1
        sets.hit(number for number in entries if number not in inside)
    raise Undecided


class HittingSets:
    """
    Finds a smallest set that shares an element with every set added so far (a hitting set).

    As sets are added, its size can only grow. So the search goes on upwards from the last size.
    """

    def __init__(self) -> None:
        self._sets: list[list[int]] = []
        self._size = 0

    def hit(self, elements: Iterable[int]) -> None:
        """Add a set: from now on one of these elements must be included."""
        self._sets.append(list(elements))

    def smallest(self, *, below: int) -> list[int] | None:
        """
        Return a smallest set that shares an element with every set added so far, ascending.

        The result is `None` if that set has `below` elements or more.

        Raises:
            Undecided: If the SAT solver meets more conflicts than `sat.CONFLICTS` for one size.
        """
        elements = sorted({element for members in self._sets for element in members})
        variable = {element: number for number, element in enumerate(elements, 1)}
        while self._size < below:
            with minicard() as solver:
                for members in self._sets:
                    solver.add_clause([variable[element] for element in members])
                if len(elements) > self._size:
                    solver.add_atmost(list(variable.values()), self._size)
                solver.conf_budget(CONFLICTS)
                satisfiable = solver.solve_limited(expect_interrupt=True)
                if satisfiable is None:
                    raise Undecided
                if satisfiable:
                    chosen = {literal for literal in solver.get_model() if literal > 0}
                    return [e for e, number in variable.items() if number in chosen]
            self._size += 1
        return None
