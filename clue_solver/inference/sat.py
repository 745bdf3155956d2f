"""
The one place that speaks to python-sat.

Variable `card * holders + holder + 1` says that the holder has the card. Each entry of the log has
a selector behind them; its clauses hold only while the selector is assumed. So undo, what-if and
"as of entry N" are assumptions, never a rebuild. minicard counts natively, so hand sizes need no
encoding (Liffiton and Maglalang, "A Cardinality Solver: More Expressive Constraints for Free", SAT
2012).
"""

from __future__ import annotations

from collections.abc import Iterable

from pysat.solvers import Minicard

from clue_solver.knowledge import Clause, Knowledge
from clue_solver.knowledge.layout import card_numbers


class Solver:
    """
    A SAT solver that holds one knowledge and answers under any selection of its entries.

    Assumptions are entry selectors from `entry` and card literals from `has`; a literal's negative
    says that the holder lacks the card.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.layout = knowledge.layout
        self._solver = Minicard()
        self._holders = self.layout.holders
        self._first_selector = self.layout.cards * self._holders + 1
        self._entries = knowledge.entries
        self._guards: dict[Clause, int] = {}
        self._deal()
        for clause in knowledge.clauses:
            self.add(clause)

    def has(self, card: int, holder: int) -> int:
        """Return the literal that says that the holder has the card."""
        return card * self._holders + holder + 1

    def place(self, literal: int) -> tuple[int, int]:
        """Return the card and the holder that a literal of either sign speaks of."""
        return divmod(abs(literal) - 1, self._holders)

    def entry(self, number: int) -> int:
        """Return the literal that makes an entry's clauses hold; entries are counted from 1."""
        return self._first_selector + number - 1

    def add(self, clause: Clause) -> None:
        """Add a clause under the selectors of its entries."""
        entries, holder, cards, has = clause
        literals = [-self.entry(number) for number in entries]
        while cards:
            low = cards & -cards
            literal = (low.bit_length() - 1) * self._holders + holder + 1
            literals.append(literal if has else -literal)
            cards ^= low
        self._solver.add_clause(literals)

    def guarded(self, clause: Clause) -> int:
        """Return a literal that makes one more clause hold; the same clause gives the same one."""
        if clause not in self._guards:
            number = self._entries + len(self._guards) + 1
            self._guards[clause] = self.entry(number)
            self.add(clause._replace(entries=(number,)))
        return self._guards[clause]

    def prefer(self, literals: Iterable[int]) -> None:
        """Make models choose these literals where they are free to."""
        self._solver.set_phases(list(literals))

    def model(self, assumptions: list[int]) -> list[int] | None:
        """Return the holder of each card in some deal that fits, or `None` if there is none."""
        if not self._solver.solve(assumptions=assumptions):
            return None
        true = self._solver.get_model()[: self._first_selector - 1]
        return [(literal - 1) % self._holders for literal in true if literal > 0]

    def chosen(self, assumptions: list[int], entries: Iterable[int]) -> set[int] | None:
        """Return the entries that some deal fits together with the assumptions, or `None`."""
        if not self._solver.solve(assumptions=assumptions):
            return None
        model = self._solver.get_model()
        first = self._first_selector - 1
        return {number for number in entries if model[first + number - 1] > 0}

    def core(self, assumptions: list[int]) -> list[int] | None:
        """Return some of the assumptions that no deal fits, or `None` if a deal fits them all."""
        if self._solver.solve(assumptions=assumptions):
            return None
        return list(self._solver.get_core() or ())

    def implied(self, assumptions: list[int]) -> list[int] | None:
        """Return card literals that follow by unit propagation alone; `None` on a clash."""
        consistent, literals = self._solver.propagate(assumptions=assumptions)
        if not consistent:
            return None
        return [literal for literal in literals if abs(literal) < self._first_selector]

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
        for holder, (least, most) in enumerate(layout.bounds):
            self._exactly(least, most, list(range(holder + 1, last + 1, holders)))

    def _exactly(self, least: int, most: int, literals: list[int]) -> None:
        if most < len(literals):
            self._solver.add_atmost(literals, most)
        if least == 1:
            self._solver.add_clause(literals)
        elif least > 1:
            self._solver.add_atmost([-literal for literal in literals], len(literals) - least)


class HittingSets:
    """Smallest sets that share an element with every set given so far (by MaxSAT: RC2)."""

    def __init__(self) -> None:
        from pysat.examples.hitman import Hitman

        self._hitman = Hitman(htype="sorted")

    def hit(self, elements: Iterable[int]) -> None:
        """Demand that one of these elements be in the set from now on."""
        self._hitman.hit(list(elements))

    def smallest(self) -> list[int]:
        """Return a set of smallest size."""
        return list(self._hitman.get() or ())
