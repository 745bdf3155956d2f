"""
A SAT solver for deals: python-sat finds a deal that fits, or proves that there is none.

Variable `card * holders + holder + 1` says that the holder has the card. Then come variables for
the entries of the log, their selectors: an entry's clauses hold only while its selector is assumed.
So "as of entry N" and "without entry N" are assumptions, never a rebuild. minicard counts natively,
so hand sizes need no encoding (Liffiton and Maglalang, "A Cardinality Solver: More Expressive
Constraints for Free", SAT 2012). The only other search with python-sat is for the hitting sets of
`explain`.

Clauses are bad at counting: that fifteen cards are too many for three hands takes resolution
exponentially many steps (Haken, "The intractability of resolution", 1985). So every search has a
budget of conflicts. If that runs out, the deal diagram answers by counting; a diagram without deals
is an equally good proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from operator import neg
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from clue_solver.inference.diagram import Diagram
from clue_solver.inference.openings import openings
from clue_solver.inference.propagation import HolderMasks, propagate
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.viewer import Knowledge

if TYPE_CHECKING:
    from pysat.solvers import Minicard

CONFLICTS = 1_000
"""
The conflicts (dead ends) that a search may meet before the diagram is used; ordinary searches meet
under 100.
"""

LEAST_CONFLICTS = 50
"""The lowest budget of conflicts. Each search that uses up its budget halves that of the next."""

_SEARCH_WORK, _PROPAGATION_WORK = 4_000, 16
"""The cost of a search and of each of its propagations, in units of `spending`."""


def minicard() -> Minicard:
    """Return a new solver of python-sat, which is imported only when it is needed."""
    from pysat.solvers import Minicard

    return Minicard()


class Undecided(Exception):
    """
    A search has used up its budget without an answer.

    The budget is of conflicts (dead ends); in `explain` it may also be of work or of hitting sets.
    """


class Solver:
    """
    A SAT solver for one viewer's knowledge, under any selection of its entries.

    What is assumed in a search is given as literals, integers that are negated for the opposite:
    for entries those of `selector`, for cards those of `has`. A question that neither a search nor
    the deal diagram can answer raises `TooLarge`.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.layout = knowledge.layout
        self._knowledge = knowledge
        self._holders = self.layout.holders
        self._first_selector = self.layout.cards * self._holders + 1
        self._unused = count(self._first_selector)  # yields variables that are not used yet
        self._selectors = [next(self._unused) for _ in range(knowledge.entries)]
        self._guards: dict[Clause, int] = {}
        self._conflicts, self._propagations = CONFLICTS, 0
        self._last: tuple[frozenset[int], Diagram | None] | None = None
        self._lock = RLock()  # a search and reading what it found are one step
        self._minicard = minicard()
        self._add_deal_rules()
        for clause in knowledge.clauses:
            self._add(clause, map(self.selector, clause.entries))

    def has(self, card: int, holder: int) -> int:
        """
        Return the literal that says that the holder has the card; negated, that it lacks the card.
        """
        return card * self._holders + holder + 1

    def selector(self, entry: int) -> int:
        """Return the literal that switches on the clauses of the entry with this number, from 1."""
        return self._selectors[entry - 1]

    def selectors(self, upto: int) -> list[int]:
        """Return the literals that switch on the clauses of the first `upto` entries."""
        return self._selectors[:upto]

    def guarded(self, clause: Clause) -> int:
        """Add a clause, and return the literal that switches it on; equal clauses share one."""
        if clause not in self._guards:
            guard = next(self._unused)
            self._add(clause, [guard])
            self._guards[clause] = guard
        return self._guards[clause]

    def prefer(self, literals: Iterable[int]) -> None:
        """Make searches prefer deals in which these literals are true, if there are any."""
        with self._lock:
            self._minicard.set_phases(list(literals))

    def search(self, assumptions: list[int]) -> list[int] | None:
        """
        Search for a deal that meets the assumptions; return the holder of each card in it.

        `None` if there is none.

        Args:
            assumptions: Literals, as `has` and `selector` return them.

        Raises:
            Undecided: If the search meets more conflicts than its budget.
        """
        return self._deal(self._model_from_search(assumptions))

    def model(self, assumptions: list[int]) -> list[int] | None:
        """
        Return the holder of each card in some deal that meets the assumptions.

        `None` if there is none. The assumptions are literals, as `has` and `selector` return them.
        If the search takes too long, the deal diagram answers.
        """
        return self._deal(self._literals(assumptions))

    def chosen(self, assumptions: list[int], entries: Sequence[int]) -> set[int] | None:
        """
        Return those of `entries` that some deal fits which meets the assumptions.

        `None` if there is no such deal. The assumptions are literals, as `has` and `selector`
        return them. If the search takes too long, the deal diagram answers; then only entries among
        the assumptions are returned.
        """
        literals = self._literals(assumptions)
        if literals is None:
            return None
        found = set(literals)
        return {number for number in entries if -self._selectors[number - 1] not in found}

    def core(self, assumptions: list[int]) -> list[int] | None:
        """
        Return some assumptions that no deal meets together; `None` if a deal meets them all.

        The assumptions are literals, as `has` and `selector` return them. If the search takes too
        long, the deal diagram answers; then all the assumptions are returned.
        """
        try:
            with self._lock:
                if self._satisfiable(assumptions):
                    return None
                core: list[int] = self._minicard.get_core() or []
                return core
        except Undecided:
            return None if self.model(assumptions) is not None else list(assumptions)

    def possible_by_counting(self, assumptions: list[int]) -> HolderMasks:
        """
        Return the holders that can have each card, by counting deals: a mask for each card.

        All masks are 0 if no deal meets the assumptions, which are literals.

        Raises:
            TooLarge: If the deal diagram would not fit into memory.
        """
        diagram = self._diagram(assumptions)
        return [0] * self.layout.cards if diagram is None else diagram.possible

    def _literals(self, assumptions: list[int]) -> list[int] | None:
        """
        Return the true literals of some deal that meets the assumptions, selectors included.

        `None` if there is none. If the search takes too long, the deal diagram answers.
        """
        try:
            return self._model_from_search(assumptions)
        except Undecided:
            return self._model_from_diagram(assumptions)

    def _deal(self, literals: list[int] | None) -> list[int] | None:
        """
        Return the holder of each card, given the true literals of a deal.

        `None` (no deal) stays `None`.
        """
        if literals is None:
            return None
        has = [literal for literal in literals if 0 < literal < self._first_selector]
        return [(literal - 1) % self._holders for literal in has]

    def _model_from_search(self, assumptions: list[int]) -> list[int] | None:
        """
        Search for a deal that meets the assumptions; return its true literals.

        `None` if there is none.

        Raises:
            Undecided: If the search meets more conflicts than its budget.
        """
        with self._lock:
            if not self._satisfiable(assumptions):
                return None
            model: list[int] = self._minicard.get_model()
        return model

    def _model_from_diagram(self, assumptions: list[int]) -> list[int] | None:
        """
        Return the true literals of a deal that meets the assumptions, taken from the deal diagram.

        `None` if there is none.

        Raises:
            TooLarge: If the diagram would not fit into memory.
        """
        diagram = self._diagram(assumptions)
        if diagram is None or not diagram.fits:
            return None
        deal = diagram.draw(1, np.random.default_rng(0))[0].tolist()
        placed = [self.has(card, holder) for card, holder in enumerate(deal)]
        return placed + [-selector for selector in self._selectors if selector not in assumptions]

    def _satisfiable(self, assumptions: list[int]) -> bool:
        """
        Return whether a deal meets the assumptions, by searching for one.

        Raises:
            Undecided: If the search meets more conflicts than its budget.
        """
        # With these calls Python handles Ctrl-C, at the latest after the budget of conflicts.
        self._minicard.conf_budget(self._conflicts)
        found: bool | None = self._minicard.solve_limited(assumptions, expect_interrupt=True)
        before, self._propagations = (
            self._propagations,
            self._minicard.accum_stats()["propagations"],
        )
        spend(_SEARCH_WORK + _PROPAGATION_WORK * (self._propagations - before))
        if found is None:
            self._conflicts = max(self._conflicts // 2, LEAST_CONFLICTS)
            raise Undecided
        return found

    def _diagram(self, assumptions: list[int]) -> Diagram | None:
        """
        Return the diagram of the deals that meet the assumptions, without any likelihoods.

        `None` if simple rules already show that there is none.

        Raises:
            TooLarge: If the diagram would not fit into memory.
        """
        key, last = frozenset(assumptions), self._last  # other threads may ask, too
        if last is not None and last[0] == key:
            return last[1]
        clauses = [
            *(c for c in self._knowledge.clauses if key.issuperset(map(self.selector, c.entries))),
            *(clause for clause, guard in self._guards.items() if guard in key),
        ]
        for literal in assumptions:
            if abs(literal) < self._first_selector:
                card, holder = divmod(abs(literal) - 1, self._holders)
                clauses.append(Clause((), holder, 1 << card, literal > 0))
        known = Knowledge(layout=self.layout, entries=0, clauses=tuple(clauses), factors=())
        possible = propagate(known)
        diagram: Diagram | None = None
        if all(possible):
            diagram = Diagram(openings(known, possible))
        self._last = (key, diagram)
        return diagram

    def _add(self, clause: Clause, guards: Iterable[int]) -> None:
        """Add a clause that deals must meet if all of the literals `guards` are assumed."""
        literals = list(map(neg, guards))
        sign = 1 if clause.has else -1
        for card in card_numbers(clause.cards):
            literals.append(sign * self.has(card, clause.holder))
        with self._lock:
            self._minicard.add_clause(literals)

    def _add_deal_rules(self) -> None:
        """Add the clauses that every deal of this layout meets, whatever the log says."""
        layout = self.layout
        every = range(1, self._first_selector)  # card by card, and of each card holder by holder
        for first in every[:: self._holders]:
            self._add_bounds(1, 1, list(range(first, first + self._holders)))
        inside = every[layout.envelope :: self._holders]
        for category in layout.categories:
            self._add_bounds(1, 1, [inside[card] for card in card_numbers(category)])
        fewer = {}  # of each hand with two sizes the variable that says that it has the smaller
        for holder, (least, most) in enumerate(layout.bounds):
            hand = list(every[holder :: self._holders])
            if layout.joint_sizes and least < most:
                fewer[holder] = next(self._unused)
                self._add_bounds(most, most, [*hand, fewer[holder]])
            else:
                self._add_bounds(least, most, hand)
        choices = [next(self._unused) for _ in layout.joint_sizes]
        for chosen, sizes in zip(choices, layout.joint_sizes, strict=True):
            for holder, variable in fewer.items():
                smaller = sizes[holder] == layout.bounds[holder][0]
                self._minicard.add_clause([-chosen, variable if smaller else -variable])
        if choices:
            self._minicard.add_clause(choices)

    def _add_bounds(self, least: int, most: int, literals: list[int]) -> None:
        """Add that at least `least` and at most `most` of the literals are true."""
        if most < len(literals):
            self._minicard.add_atmost(literals, most)
        if least == 1:
            self._minicard.add_clause(literals)
        elif least > 1:
            self._minicard.add_atmost([-literal for literal in literals], len(literals) - least)
