"""
What is certain, and all other answers about one knowledge, as of any entry, when first asked for.

A fact is certain when its opposite fits no deal. That is proved from the entries, as far as they
are true: by sound rules, by a diagram that holds all deals, or by a search of minicard that ends
without one; no certificate of it is checked.

Propagation sees most. What it leaves open the deal diagram settles where one is built anyway
(`Deduction.diagram`), as every deal is one of its paths; both note it down at one place, by the
number of entries, and nothing is proved twice. Where nothing is to be counted
(`Deduction.possible`) the solver searches: each deal that it finds witnesses, for every card, one
holder that can have it; a holder that no deal has witnessed yet is asked for by name until there is
such a deal or a proof that there is none (iterative backbone computation with model-based
filtering: Marques-Silva, Janota, Lynce, "On Computing Backbones of Propositional Theories", ECAI
2010).
"""

from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference.diagram import MEMORY, Diagram
from clue_solver.inference.explain import ConflictingEntries, smallest_conflict
from clue_solver.inference.openings import Openings, openings
from clue_solver.inference.propagation import propagate
from clue_solver.inference.sat import Solver
from clue_solver.inference.solutions import Solutions, solutions, solutions_and_at
from clue_solver.inference.spending import OutOfBudget
from clue_solver.knowledge.evidence import ANY_CARD
from clue_solver.knowledge.viewer import Knowledge

MEMORY_WITH_BEHAVIOUR = MEMORY // 8
"""
The most bytes of a diagram that weighs behaviour: past it, it is left out. With four levels of care
an arrow takes 40 bytes, so these are some million arrows.
"""

MANY_PLACES = 120
"""
With more places open to the open cards than these, as a spectator of five players has at first, it
pays to search before a diagram is built: it takes a small part of the time then, and what it
excludes makes the diagram smaller.
"""


def backbone(
    solver: Solver, entries: list[int], within: list[int], witnessed: list[int], *, patience: int
) -> list[int]:
    """
    Return for each card the mask of the holders that have it in some deal that fits, by searching.

    Args:
        entries: The literals of those that count.
        within: Masks of holders outside which no deal gives the card to anybody.
        witnessed: Masks of holders that are known to have it in some deal.
        patience: How many times the usual budget each search has; past it `Undecided` is raised.

    Returns:
        The masks; all are 0 if no deal fits.
    """
    possible = witnessed[:]
    unseen = [may & ~mask for may, mask in zip(within, witnessed, strict=True)]

    def search(*literals: int) -> bool:
        """Search for a deal, and note where its cards lie; where it can, it shows something new."""
        solver.prefer(
            solver.has(card, may.bit_length() - 1) for card, may in enumerate(unseen) if may
        )
        deal = solver.search([*entries, *literals], patience=patience)
        for card, holder in enumerate(deal or ()):
            possible[card] |= 1 << holder
            unseen[card] &= ~(1 << holder)
        return deal is not None

    if not any(witnessed) and not search():
        return witnessed
    for card in range(len(unseen)):
        while unseen[card]:
            holder = unseen[card].bit_length() - 1
            if not search(solver.has(card, holder)):
                unseen[card] &= ~(1 << holder)
    return possible


def marks(possible: list[int], holders: int) -> npt.NDArray[np.int8]:
    """Return what a backbone says of each card and holder: 1 holds, 2 lacks, 0 open."""
    masks = np.array(possible)[:, None]
    can = masks >> np.arange(holders) & 1
    sure = masks & (masks - 1) == 0
    return np.where(can == 0, 2, np.where(sure, 1, 0)).astype(np.int8)


_NO_ENTRY = -1
"""The entry of a diagram of another log: what it was built from may still be what is open here."""


class Deduction:
    """
    What follows from a knowledge; "as of entry N" is a selection of entries, not a rebuild.

    Every method takes the number of entries that count, from 0 to all, and raises `Contradiction`
    where they cannot all be true, `TooLarge` where the deal diagram would not fit into memory.

    Attributes:
        knowledge: What it follows from.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._possible: dict[int, list[int]] = {}
        self._conflicts: dict[int, ConflictingEntries] = {}
        self._diagram: tuple[int, Diagram] | None = None  # the last, and as of which entry
        self._posterior: tuple[Diagram, tuple[Solutions, Solutions]] | None = None  # the last

    @cached_property
    def solver(self) -> Solver:
        """What searches for deals; what was found otherwise needs none."""
        return Solver(self.knowledge)

    def after(self, knowledge: Knowledge) -> Self:
        """Return what follows from another log, and hand over what is known, the diagram too."""
        other = type(self)(knowledge)
        if knowledge.layout == self.knowledge.layout:
            shared = self.knowledge.shared_with(knowledge)
            other._possible = {n: masks for n, masks in self._possible.items() if n <= shared}
            # The diagram goes on where nothing new is told; of another log it is of no entry yet.
            other._diagram, other._posterior = self._diagram, self._posterior
            if self._diagram is not None and self._diagram[0] > shared:
                other._diagram = (_NO_ENTRY, self._diagram[1])
            self._diagram = self._posterior = None  # what looks back builds them again
        return other

    def possible(self, upto: int) -> list[int]:
        """Return for each card the mask of the holders that can have it: the backbone."""
        if upto in self._conflicts:
            conflict = self._conflicts[upto]
            raise Contradiction(conflict.entries, minimum=conflict.minimum)
        if upto not in self._possible:
            # Fewer entries leave open at least what these do, and more entries at most that.
            within = self._at_a_glance(upto)
            witnessed = [0] * len(within)
            later = [entry for entry in self._possible if entry > upto]
            if later:
                witnessed = self._possible[min(later)]
            earlier = [entry for entry in self._possible if entry < upto]
            if earlier:
                before = self._possible[max(earlier)]
                within = [may & mask for may, mask in zip(within, before, strict=True)]
            if witnessed != within:
                within = self._searched(upto, within, witnessed)
            self._possible[upto] = within
        return self._possible[upto]

    def _searched(self, upto: int, within: list[int], witnessed: list[int]) -> list[int]:
        """Return the backbone by the solver, between what is excluded and what is witnessed."""
        solver, entries = self.solver, self.solver.entries(upto)
        possible = solver.decide(
            lambda patience: backbone(solver, entries, within, witnessed, patience=patience),
            lambda: solver.support(entries),
        )
        if not all(possible):
            raise self._contradiction(upto)
        return possible

    def _at_a_glance(self, upto: int) -> list[int]:
        """Return for each card the mask of the holders that propagation does not exclude."""
        masks = propagate(self.knowledge.upto(upto))
        if not all(masks):
            raise self._contradiction(upto)
        return masks

    def _contradiction(self, upto: int) -> Contradiction:
        """Return what to raise where no deal fits."""
        conflict = smallest_conflict(self.solver, range(1, upto + 1))
        self._conflicts[upto] = conflict
        return Contradiction(conflict.entries, minimum=conflict.minimum)

    def consistent(self, upto: int) -> bool:
        """Return whether the entries can all be true."""
        return self.solver.model(self.solver.entries(upto)) is not None

    def diagram(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """Return the deal diagram, of so many bytes at most; the last one asked for is kept."""
        kept = self._diagram  # another thread may let go of it meanwhile
        if kept is None or kept[0] != upto:
            masks = self._possible.get(upto) or self._at_a_glance(upto)
            if sum(mask.bit_count() for mask in masks if mask & (mask - 1)) > MANY_PLACES:
                masks = self.possible(upto)
            open_part = openings(self.knowledge.upto(upto), masks)
            if kept is not None and kept[1].openings == open_part:
                kept = (upto, kept[1])  # the entries between told nothing new
            else:
                self._diagram = self._posterior = kept = None  # makes room for the new one
                kept = (upto, self._built(open_part, upto, memory))
            if upto not in self._possible:
                if not kept[1].fits:
                    raise self._contradiction(upto)
                self._possible[upto] = kept[1].possible
            self._diagram = kept
        return kept[1]

    def _built(self, open_part: Openings, upto: int, memory: int) -> Diagram:
        """Return the diagram; without behaviour where that makes it too large."""
        if not open_part.behaviour:
            return Diagram(open_part, memory=memory)
        try:
            return Diagram(open_part, memory=min(memory, MEMORY_WITH_BEHAVIOUR))
        except OutOfBudget:
            raise
        except TooLarge:
            return self.by_rules(upto, memory=memory)

    def by_rules(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """Return the diagram without what people usually do."""
        known = self.knowledge.upto(upto).by_rules()
        return Diagram(openings(known, self.possible(upto)), memory=memory)

    def by_rules_alone(self, upto: int) -> Solutions:
        """
        Return the posterior over solutions without what people usually do.

        Where all that counts besides is how careful people are who ask, it is the posterior at the
        level of care at which they name any card, and a question tells nothing.
        """
        levels = {len(factor.tables) for factor in self.knowledge.upto(upto).habits}
        if self.diagram(upto).openings.behaviour and 1 not in levels:
            return self._solutions(upto)[1]
        return solutions(self.by_rules(upto), self.knowledge.layout)

    def leaves_out(self, upto: int) -> bool:
        """Return whether what people usually do is left out because it is too much to sum."""
        habits = self.knowledge.upto(upto).habits
        return bool(habits) and not self.diagram(upto).openings.behaviour

    def moved(self, upto: int) -> float:
        """
        Return by how many bits behaviour has changed the posterior over solutions.

        That is the divergence (Kullback and Leibler) of the posterior from what it would be if
        nothing were known of how people play.
        """
        if not self.diagram(upto).openings.behaviour:
            return 0.0
        by_rules = self.by_rules_alone(upto)
        by_all = self.solutions(upto)
        order, other = np.lexsort(by_all.cards.T), np.lexsort(by_rules.cards.T)
        ratio = by_all.probability[order] / by_rules.probability[other]
        return max(0.0, float(by_all.probability[order] @ np.log2(ratio)))

    def solutions(self, upto: int) -> Solutions:
        """Return the posterior over solutions."""
        return self._solutions(upto)[0]

    def _solutions(self, upto: int) -> tuple[Solutions, Solutions]:
        """Return the posterior over solutions, and what it is where any card is named."""
        diagram = self.diagram(upto)
        kept = self._posterior
        if kept is None or kept[0] is not diagram:
            posteriors = solutions_and_at(diagram, self.knowledge.layout, ANY_CARD)
            self._posterior = kept = (diagram, posteriors)
        return kept[1]
