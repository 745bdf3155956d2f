"""
A smallest set of entries that forces a fact, or of entries that cannot all be true.

Also defines the steps of an argument from those entries: each has a fact, the rule that gives it,
and the earlier steps that it rests on.
"""

from collections.abc import Sequence
from itertools import count
from typing import Literal, NamedTuple, Self

from msgspec import Struct, field

from clue_solver.inference.sat import HittingSets, Solver, Undecided
from clue_solver.inference.spending import spent

WORK = 130_000_000
"""The most that finding a smallest set may cost, in units of `spending` (about half a second)."""

MOST_SETS = 100_000
"""
The most entries times hitting sets to try before a minimal set is returned in place of a minimum
one.
"""

_CHUNKED, _MOST_GROWN = 40, 20_000


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
    Return a smallest set of entries that clash with each other and with the literals `against`.

    First comes a minimal set, of which no entry can be left out: entries are dropped from an unsat
    core, many at a time while there are many, then one by one. Then comes a minimum set, than which
    none is smaller, by implicit hitting sets: the smallest set that has an entry of every known
    correction is the answer as soon as it clashes itself (Ignatiev, Previti, Liffiton,
    Marques-Silva, "Smallest MUS Extraction with Minimal Hitting Set Dualization", CP 2015).

    Args:
        entries: The entries to choose from; together with `against` they must clash.
        against: Card literals that are assumed, such as the opposite of a fact to be explained.
    """

    limit = spent() + WORK
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
    """Return some of the chosen entries that clash; `None` if they do not clash."""
    core = solver.core([*against, *map(solver.selector, chosen)])
    if core is None:
        return None
    selected = set(core)
    return [number for number in chosen if solver.selector(number) in selected]


def _minimum(
    solver: Solver, entries: Sequence[int], against: Sequence[int], shrunk: list[int], *, limit: int
) -> ConflictingEntries:
    """
    Return a smallest set, given a minimal one.

    Raises `Undecided` if that costs more than the limit.
    """
    sets = HittingSets()
    for _ in range(MOST_SETS // (len(entries) + 1) + 10):
        candidate = sets.smallest(below=len(shrunk))
        if candidate is None:
            return ConflictingEntries(tuple(shrunk), minimum=True)
        if _clash(solver, candidate, against) is not None:
            return ConflictingEntries(tuple(candidate), minimum=True)
        inside = set(candidate)
        left = max(20, _MOST_GROWN // len(entries))
        for more in ((), *((number,) for number in entries)):
            if more and more[0] in inside:
                continue  # as far as deals fit, many entries at a time
            if spent() > limit:
                raise Undecided
            selected = [*against, *map(solver.selector, (*inside, *more))]
            inside |= solver.chosen(selected, entries) or set()
            left -= 1
            if not left:
                break
        sets.hit(number for number in entries if number not in inside)
    raise Undecided


Rule = Literal[
    "told",  # the entry says so itself
    "placed",  # the card is somewhere else
    "only place",  # every other place of the card is excluded
    "full",  # the hand has all the cards that it can hold
    "needed",  # the hand needs every card that is left for it
    "category taken",  # the envelope has another card of the category
    "last of category",  # every other card of the category is excluded
    "either-or",  # one way is left to have at least one of several cards
    "not all",  # one way is left to lack at least one of several cards
    "full of either-ors",  # separate either-ors fill the hand
    "hands full",  # several hands together have all the cards that they can hold
    "hands needed",  # several hands together need every card that is left for them
    "supposed",  # assumed, inside a step by cases
    "cases",  # the opposite fails in every case
    "counted",  # too many cases to write down: of all deals that fit the entries none is otherwise
    "clash",  # a fact and its opposite, or no way left
]


class CertainFact(NamedTuple):
    """A certain fact: the holder has the card, or lacks it."""

    card: int
    holder: int
    has: bool

    @property
    def opposite(self) -> Self:
        """The opposite fact about the same card and holder."""
        return type(self)(self.card, self.holder, not self.has)


class Step(Struct, frozen=True, eq=False):
    """
    One step of an argument, with the earlier steps that it rests on.

    Attributes:
        fact: The fact that the step shows; `None` for a clash.
        rule: The rule that gives the fact.
        entries: The entries that the step itself uses, ascending.
        uses: The earlier steps that it rests on.
        cards: The mask of the cards that the rule is about.
        holders: The holders that the rule is about.
        cases: For a step by cases, the steps of each case, from the supposition to its clash.
        number: The number of the step, in the order found. A step rests only on smaller numbers.
    """

    fact: CertainFact | None
    rule: Rule
    entries: tuple[int, ...] = ()
    uses: "tuple[Step, ...]" = ()
    cards: int = 0
    holders: tuple[int, ...] = ()
    cases: "tuple[tuple[Step, ...], ...]" = ()
    number: int = field(default_factory=count().__next__)


def support_of(last: Step) -> tuple[Step, ...]:
    """Return all steps that a step rests on, and the step itself, in reading order."""
    seen = {last}
    pending = [last]
    while pending:
        for used in pending.pop().uses:
            if used not in seen:
                seen.add(used)
                pending.append(used)
    return tuple(sorted(seen, key=lambda step: step.number))


def steps_between(supposed: Step | None, clash: Step) -> tuple[Step, ...]:
    """Return the steps from a supposition to a clash; empty if the clash does not rest on it."""
    hanging: set[Step] = set()
    for step in support_of(clash):
        if step is supposed or not hanging.isdisjoint(step.uses):
            hanging.add(step)
    return tuple(sorted(hanging, key=lambda step: step.number))
