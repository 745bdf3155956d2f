"""
The one place that speaks to python-sat.

Variable `card * holders + holder + 1` says that the holder has the card. Each entry of the log has
a selector behind them; its clauses hold only while the selector is assumed. So undo, what-if and
"as of entry N" are assumptions, never a rebuild. minicard counts natively, so hand sizes need no
encoding (Liffiton and Maglalang, "A Cardinality Solver: More Expressive Constraints for Free", SAT
2012).

Clauses are bad at counting: that fifteen cards are too many for three hands takes resolution
exponentially many steps (Haken, "The intractability of resolution", 1985). So every search has a
budget of conflicts. Past it the deal diagram answers, by counting: no deal is the same proof.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import count
from threading import RLock
from typing import Self, TypeVar

import numpy as np
import pysolvers

from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.openings import openings
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.viewer import Knowledge, clauses_upto

CONFLICTS = 1_000
"""The conflicts a search may cost before the diagram is asked; ordinary ones take under 100."""

PATIENCE = 20
"""How many times as many a search may cost where the diagram is too large to answer."""

_LEAST_CONFLICTS = 50
_SEARCH_WORK, _PROPAGATION_WORK = 4_000, 16  # as in `spending`
_DIAGRAM_WORK, _ARROWS_WORK = 15_000, 3  # of a diagram, in propagations: in all, arrows for one


T = TypeVar("T")


class _Minicard:
    """
    minicard, by the compiled part of python-sat, which the rest of it would take longer to load.

    Ctrl-C is left to Python, which minds it once a search has ended: python-sat would catch it
    itself, its error is no interrupt, and its handler stays.
    """

    def __init__(self) -> None:
        self._solver = pysolvers.minicard_new()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._delete()

    def __del__(self) -> None:
        self._delete()

    def _delete(self) -> None:
        if self._solver is not None:
            pysolvers.minicard_del(self._solver)
            self._solver = None

    def add_clause(self, literals: Sequence[int]) -> None:
        """Demand one of the literals."""
        pysolvers.minicard_add_cl(self._solver, literals)

    def add_atmost(self, literals: Sequence[int], most: int) -> None:
        """Allow so many of the literals at most."""
        pysolvers.minicard_add_am(self._solver, literals, most)

    def conf_budget(self, conflicts: int) -> None:
        """Let the next searches cost so many conflicts."""
        pysolvers.minicard_cbudget(self._solver, conflicts)

    def solve_limited(self, assumptions: Sequence[int] = ()) -> bool | None:
        """Return whether all can be so; `None` past the budget of conflicts."""
        found: bool | None = pysolvers.minicard_solve_lim(self._solver, assumptions, 0, 0)
        return found

    def get_model(self) -> list[int]:
        """Return what the last search found, a literal for each variable in order."""
        model: list[int] | None = pysolvers.minicard_model(self._solver)
        return model or []

    def get_core(self) -> list[int]:
        """Return assumptions that cannot all be so, of the last search, which found that."""
        core: list[int] | None = pysolvers.minicard_core(self._solver)
        return core or []

    def set_phases(self, literals: Sequence[int]) -> None:
        """Choose these literals where either will do."""
        pysolvers.minicard_setphases(self._solver, literals)

    def propagate(self, assumptions: Sequence[int] = ()) -> tuple[bool, list[int]]:
        """Return whether nothing clashes at once, and the literals that follow at once."""
        consistent, literals = pysolvers.minicard_propagate(self._solver, assumptions, 0, 0)
        return bool(consistent), literals or []

    def accum_stats(self) -> dict[str, int]:
        """Return how many conflicts and more there were so far; nothing once it is let go of."""
        if self._solver is None:
            return {}
        stats: dict[str, int] = pysolvers.minicard_acc_stats(self._solver)
        return stats


class Undecided(Exception):
    """A search that has used up its conflicts."""


class Solver:
    """
    A SAT solver that holds one knowledge and answers under any selection of its entries.

    Assumptions are entry selectors from `entry` and card literals from `has`; a literal's negative
    says that the holder lacks the card. What neither a search nor the diagram can answer raises
    `TooLarge`.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.layout = knowledge.layout
        self._knowledge = knowledge
        self._conflicts = CONFLICTS
        self._counting = 0  # what diagrams have cost, in propagations
        self._last: tuple[frozenset[int], Diagram | None] = (frozenset(), None)
        self._solver = _Minicard()
        self._holders = self.layout.holders
        self._first_selector = self.layout.cards * self._holders + 1
        self._unused = count(self._first_selector)  # variables
        self._selectors = [next(self._unused) for _ in range(knowledge.entries)]
        self._guards: dict[Clause, int] = {}
        self._lock = RLock()  # a search and reading what it found are one step
        self._deal()
        for clause in knowledge.clauses:
            self.add(clause)

    def carried(self, knowledge: Knowledge) -> tuple[Self, int] | None:
        """
        Return a solver of another log at this table, and how many entries they share.

        What both logs begin with is not read again, and what was learned from it is kept. Both
        solvers stay of use. `None` where nothing can be carried over.
        """
        if knowledge.layout != self.layout:
            return None
        mine = self._knowledge.clauses
        theirs = knowledge.clauses
        same = len(mine)
        if theirs[:same] != mine:  # most logs go on: that is compared at once
            pairs = enumerate(zip(mine, theirs, strict=False))
            same = next((place for place, (one, other) in pairs if one != other), len(theirs))
        ends = [max(clause.entries, default=0) - 1 for clause in (*mine[same:], *theirs[same:])]
        shared = min(self._knowledge.entries, knowledge.entries, *ends)
        if shared < 0:
            return None
        other = copy(self)
        other._knowledge = knowledge
        more = [next(self._unused) for _ in range(shared, knowledge.entries)]
        other._selectors = self._selectors[:shared] + more
        for clause in theirs[clauses_upto(theirs, shared) :]:
            other.add(clause)
        return other, shared

    def has(self, card: int, holder: int) -> int:
        """Return the literal that says that the holder has the card."""
        return card * self._holders + holder + 1

    def entry(self, number: int) -> int:
        """Return the literal that makes an entry's clauses hold; entries are counted from 1."""
        return self._selectors[number - 1]

    def entries(self, upto: int) -> list[int]:
        """Return the literals that make the clauses of the first entries hold."""
        return self._selectors[:upto]

    def add(self, clause: Clause) -> None:
        """Add a clause under the selectors of its entries."""
        self._add([-self.entry(number) for number in clause.entries], clause)

    def _add(self, literals: list[int], clause: Clause) -> None:
        _, holder, cards, has = clause
        while cards:
            low = cards & -cards
            literal = (low.bit_length() - 1) * self._holders + holder + 1
            literals.append(literal if has else -literal)
            cards ^= low
        with self._lock:
            self._solver.add_clause(literals)

    def guarded(self, clause: Clause) -> int:
        """Return a literal that makes one more clause hold; the same clause gives the same one."""
        if clause not in self._guards:
            guard = next(self._unused)
            self._add([-guard], clause)
            self._guards[clause] = guard
        return self._guards[clause]

    @property
    def work(self) -> int:
        """What has been spent so far, in propagations (some 0.2 microseconds each)."""
        return int(self._solver.accum_stats()["propagations"]) + self._counting

    def prefer(self, literals: Iterable[int]) -> None:
        """Make models choose these literals where they are free to."""
        with self._lock:
            self._solver.set_phases(list(literals))

    def prefer_holders(self, masks: list[int]) -> None:
        """Make models give each card to the last holder of its mask; an empty mask says nothing."""
        literals = [
            card * self._holders + mask.bit_length() for card, mask in enumerate(masks) if mask
        ]
        self.prefer(literals)

    def search(self, assumptions: list[int], *, patience: int = 1) -> list[int] | None:
        """
        Return the holder of each card in some deal that fits, or `None` if there is none.

        Raises `Undecided` where that takes more than `patience` times the budget of conflicts.
        """
        with self._lock:
            if not self._satisfiable(assumptions, patience):
                return None
            true = self._solver.get_model()[: self._first_selector - 1]
        return [(literal - 1) % self._holders for literal in true if literal > 0]

    def model(self, assumptions: list[int]) -> list[int] | None:
        """Return the holder of each card in some deal that fits, or `None` if there is none."""
        return self.decided(
            lambda patience: self.search(assumptions, patience=patience),
            lambda: self._counted(assumptions),
        )

    def decided(self, search: Callable[[int], T], count: Callable[[], T]) -> T:
        """
        Return what a search finds, or else counting, or else a longer search.

        `search` takes how many times the usual budget it has, and may raise `Undecided`; `count`
        builds a diagram, or raises `TooLarge`.
        """
        try:
            return search(1)
        except Undecided:
            pass
        try:
            return count()
        except TooLarge as large:
            try:
                return search(PATIENCE)
            except Undecided:
                raise large from None

    def chosen(self, assumptions: list[int], entries: Sequence[int]) -> set[int] | None:
        """Return the entries that some deal fits together with the assumptions, or `None`."""
        try:
            with self._lock:
                if not self._satisfiable(assumptions):
                    return None
                model = self._solver.get_model()
        except Undecided:
            deal = self.model(assumptions)
            return None if deal is None else self._fitting(deal, entries)
        selectors = self._selectors
        known = len(model)
        return {
            number
            for number in entries
            if selectors[number - 1] > known  # nothing hangs on it
            or model[selectors[number - 1] - 1] > 0
        }

    def fitting(self, deals: Sequence[list[int]], entries: range) -> list[list[int]]:
        """Return those of the deals that fit what some more entries say."""
        clauses = self._knowledge.clauses
        first, last = (
            clauses_upto(clauses, entry) for entry in (entries.start - 1, entries.stop - 1)
        )
        return self.satisfying(deals, clauses[first:last])

    def satisfying(self, deals: Sequence[list[int]], clauses: Iterable[Clause]) -> list[list[int]]:
        """Return those of the deals that make all the clauses true."""
        kept = list(deals)
        for _, holder, cards, has in clauses:
            if not kept:
                break
            of = card_numbers(cards)
            if has:
                kept = [deal for deal in kept if holder in map(deal.__getitem__, of)]
            else:
                alone = {holder}
                kept = [deal for deal in kept if not alone.issuperset(map(deal.__getitem__, of))]
        return kept

    def core(self, assumptions: list[int]) -> list[int] | None:
        """
        Return some of the assumptions that no deal fits, or `None` if a deal fits them all.

        Where the diagram has to answer these are all of them.
        """
        try:
            with self._lock:
                if self._satisfiable(assumptions):
                    return None
                return self._solver.get_core()
        except Undecided:
            return None if self.model(assumptions) is not None else list(assumptions)

    def support(self, assumptions: list[int]) -> list[int]:
        """
        Return for each card the mask of the holders that have it in some deal, by counting deals.

        All masks are 0 where no deal fits. Raises `TooLarge` past the diagram's memory.
        """
        diagram = self._deals(assumptions)
        if diagram is None or not diagram.fits:
            return [0] * self.layout.cards
        bits = 1 << np.arange(self._holders, dtype=object)
        masks: list[int] = ((diagram.marginals() > 0) @ bits).tolist()
        return masks

    def implied(self, assumptions: list[int]) -> list[tuple[int, int, bool]] | None:
        """
        Return what follows by unit propagation alone, as card, holder and whether it has the card.

        `None` on a clash.
        """
        with self._lock:
            consistent, literals = self._solver.propagate(assumptions=assumptions)
        if not consistent:
            return None
        return [
            (*divmod(abs(literal) - 1, self._holders), literal > 0)
            for literal in literals
            if abs(literal) < self._first_selector
        ]

    def _satisfiable(self, assumptions: list[int], patience: int = 1) -> bool:
        """Search for a deal; raises `Undecided`."""
        self._solver.conf_budget(self._conflicts if patience == 1 else CONFLICTS * patience)
        before = self.work
        satisfiable: bool | None = self._solver.solve_limited(assumptions=assumptions)
        spend(_SEARCH_WORK + _PROPAGATION_WORK * (self.work - before))
        if satisfiable is None:
            self._conflicts = max(self._conflicts // 2, _LEAST_CONFLICTS)
            raise Undecided
        return satisfiable

    def _counted(self, assumptions: list[int]) -> list[int] | None:
        """Return a deal of the diagram, or `None` if it has none; raises `TooLarge`."""
        diagram = self._deals(assumptions)
        if diagram is None or not diagram.fits:
            return None
        deal: list[int] = diagram.draw(1, np.random.default_rng(0))[0].tolist()
        return deal

    def _deals(self, assumptions: list[int]) -> Diagram | None:
        """Return the diagram of the deals that fit, by clauses alone; `None` if it is plain."""
        key, (last, diagram) = frozenset(assumptions), self._last  # other threads may ask, too
        if last != key:
            known = self.implied(assumptions)
            diagram = None
            if known is not None:
                whole = self._knowledge
                holders = self._holders
                clauses = [
                    *(c for c in whole.clauses if all(self.entry(e) in key for e in c.entries)),
                    *(clause for clause, guard in self._guards.items() if guard in key),
                ]
                selected = Knowledge(
                    layout=whole.layout, entries=whole.entries, clauses=tuple(clauses), factors=()
                )
                possible = [(1 << holders) - 1] * self.layout.cards
                for card, holder, has in known:
                    possible[card] &= 1 << holder if has else ~(1 << holder)
                diagram = Diagram(openings(selected, possible))
                self._counting += _DIAGRAM_WORK + diagram.arrows_in_all // _ARROWS_WORK
            self._last = (key, diagram)
        return diagram

    def _fitting(self, deal: list[int], entries: Iterable[int]) -> set[int]:
        """Return as many of the entries as a deal fits, the earlier ones first."""
        broken: dict[int, list[tuple[int, ...]]] = {}
        for clause in self._knowledge.clauses:
            if not _fits(deal, clause):
                for number in clause.entries:
                    broken.setdefault(number, []).append(clause.entries)
        chosen: set[int] = set()
        for number in entries:
            if not any(chosen.union((number,)).issuperset(t) for t in broken.get(number, ())):
                chosen.add(number)
        return chosen

    def _deal(self) -> None:
        """State what holds for every deal of this layout."""
        layout, holders = self.layout, self._holders
        last = layout.cards * holders
        for first in range(1, last + 1, holders):
            self._exactly(1, 1, list(range(first, first + holders)))
        for category in layout.categories:
            self._exactly(
                1, 1, [self.has(card, layout.envelope) for card in card_numbers(category)]
            )
        fewer = {}  # of each hand with two sizes the variable that says that it has the smaller
        for holder, (least, most) in enumerate(layout.bounds):
            hand = list(range(holder + 1, last + 1, holders))
            if layout.dealt and least < most:
                fewer[holder] = next(self._unused)
                self._exactly(most, most, [*hand, fewer[holder]])
            else:
                self._exactly(least, most, hand)
        dealt = [next(self._unused) for _ in layout.dealt]
        for chosen, sizes in zip(dealt, layout.dealt, strict=True):
            for holder, variable in fewer.items():
                smaller = sizes[holder] == layout.bounds[holder][0]
                self._solver.add_clause([-chosen, variable if smaller else -variable])
        if dealt:
            self._solver.add_clause(dealt)

    def _exactly(self, least: int, most: int, literals: list[int]) -> None:
        if most < len(literals):
            self._solver.add_atmost(literals, most)
        if least == 1:
            self._solver.add_clause(literals)
        elif least > 1:
            self._solver.add_atmost([-literal for literal in literals], len(literals) - least)


def _fits(deal: list[int], clause: Clause) -> bool:
    """Whether a deal, the holder of each card, makes a clause true."""
    return any((deal[card] == clause.holder) == clause.has for card in card_numbers(clause.cards))


class HittingSets:
    """
    Smallest sets that share an element with every set given so far.

    Their size only grows as more sets are given, so it is searched for upwards.
    """

    def __init__(self) -> None:
        self._sets: list[list[int]] = []
        self._size = 0

    def hit(self, elements: Iterable[int]) -> None:
        """Demand that one of these elements be in the set from now on."""
        self._sets.append(list(elements))

    def smallest(self, *, below: int) -> list[int] | None:
        """
        Return a set of smallest size, ascending; `None` if none has fewer elements than `below`.

        Raises:
            Undecided: If searching takes more than its budget of conflicts.
        """
        elements = sorted({element for members in self._sets for element in members})
        variable = {element: number for number, element in enumerate(elements, 1)}
        while self._size < below:
            with _Minicard() as solver:
                for members in self._sets:
                    solver.add_clause([variable[element] for element in members])
                if len(elements) > self._size:
                    solver.add_atmost(list(variable.values()), self._size)
                solver.conf_budget(CONFLICTS)
                satisfiable = solver.solve_limited()
                if satisfiable is None:
                    raise Undecided
                if satisfiable:
                    chosen = {literal for literal in solver.get_model() if literal > 0}
                    return [e for e, number in variable.items() if number in chosen]
            self._size += 1
        return None
