"""
All answers about one knowledge, as of any entry: first of all what is certain.

A fact is certain if its opposite fits no deal. Sound rules prove it, or a diagram that holds all
deals, or a search of minicard that ends without one (whose proof is not checked again). Each answer
is computed when it is first asked for.

Propagation sees most. What it leaves open the deal diagram settles where one is built anyway
(`Deduction.diagram`), as every deal is one of its paths. Where nothing is to be counted
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
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.inference.spending import OutOfBudget
from clue_solver.knowledge.clauses import HolderMasks
from clue_solver.knowledge.viewer import Knowledge

MEMORY_WITH_BEHAVIOUR = MEMORY // 8
"""
The most bytes of a diagram that weighs behaviour, which is left out past that. With four own-card
levels an arrow takes 40 bytes, so these are some million arrows.
"""

MANY_PLACES = 120
"""
With more places open to the open cards than these, as a spectator of five players has at first, it
pays to search before a diagram is built: it takes a small part of the time then, and what it
excludes makes the diagram smaller.
"""


def backbone(
    solver: Solver,
    selectors: list[int],
    within: HolderMasks,
    witnessed: HolderMasks,
    *,
    patience: int,
) -> HolderMasks:
    """
    Return who can have each card, by searching.

    Args:
        solver: Searches.
        selectors: The literals of the entries that count.
        within: The holders outside which no deal gives the card to anybody.
        witnessed: The holders that are known to have it in some deal.
        patience: How many times the usual budget each search has; past it `Undecided` is raised.
    """
    possible = witnessed[:]
    unseen = [may & ~mask for may, mask in zip(within, witnessed, strict=True)]

    def search(*literals: int) -> bool:
        """Search for a deal, best one that shows something new, and note where its cards lie."""
        solver.prefer(
            solver.has(card, may.bit_length() - 1) for card, may in enumerate(unseen) if may
        )
        deal = solver.search([*selectors, *literals], patience=patience)
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


def marks(possible: HolderMasks, holders: int) -> npt.NDArray[np.int8]:
    """Return what a backbone says of each card and holder: 1 holds, 2 lacks, 0 open."""
    masks = np.array(possible)[:, None]
    can = masks >> np.arange(holders) & 1
    sure = masks & (masks - 1) == 0
    return np.where(can == 0, 2, np.where(sure, 1, 0)).astype(np.int8)


_NO_ENTRY = -1
"""The entry of a diagram of another log: what it was built from may still be what is open here."""


class Deduction:
    """
    What follows from a knowledge, as of any of its entries.

    `upto` is the number of entries that count, from 0 to all. Methods that take it raise
    `Contradiction` where those entries cannot all be true (`consistent` says so instead), and
    `TooLarge` where the deal diagram would not fit into memory. What is certain as of an entry is
    proved once and kept.

    Attributes:
        knowledge: What it follows from.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._possible: dict[int, HolderMasks] = {}
        self._conflicts: dict[int, ConflictingEntries] = {}
        self._diagram: tuple[int, Diagram] | None = None  # the last, and as of which entry
        self._posterior: tuple[Diagram, Solutions] | None = None  # the last

    @cached_property
    def solver(self) -> Solver:
        """The solver, made when it is first needed."""
        return Solver(self.knowledge)

    def after(self, knowledge: Knowledge) -> Self:
        """Return what follows from another log, to which all goes over that holds there, too."""
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

    def possible(self, upto: int) -> HolderMasks:
        """Return the backbone: who can have each card."""
        if upto not in self._possible:
            self._possible[upto] = self._prove(upto, self._at_a_glance(upto))
        return self._possible[upto]

    def _prove(self, upto: int, within: HolderMasks) -> HolderMasks:
        """Return the backbone, between what propagation excludes and what is witnessed."""
        # Fewer entries leave open at least what these do, and more entries at most that.
        witnessed = [0] * len(within)
        later = [entry for entry in self._possible if entry > upto]
        if later:
            witnessed = self._possible[min(later)]
        earlier = [entry for entry in self._possible if entry < upto]
        if earlier:
            before = self._possible[max(earlier)]
            within = [may & mask for may, mask in zip(within, before, strict=True)]
        if witnessed == within:
            return within

        # What may still go either way is searched for.
        solver, selectors = self.solver, self.solver.selectors(upto)
        possible = solver.decide(
            lambda patience: backbone(solver, selectors, within, witnessed, patience=patience),
            lambda: solver.possible_by_counting(selectors),
        )
        if not all(possible):
            raise self._contradiction(upto)
        return possible

    def _at_a_glance(self, upto: int) -> HolderMasks:
        """Return the holders of each card that propagation does not exclude."""
        if upto in self._conflicts:
            raise self._contradiction(upto)
        masks = propagate(self.knowledge.upto(upto))
        if not all(masks):
            raise self._contradiction(upto)
        return masks

    def _contradiction(self, upto: int) -> Contradiction:
        """Return the exception for entries that no deal fits."""
        if upto not in self._conflicts:
            self._conflicts[upto] = smallest_conflict(self.solver, range(1, upto + 1))
        conflict = self._conflicts[upto]
        return Contradiction(conflict.entries, minimum=conflict.minimum)

    def consistent(self, upto: int) -> bool:
        """Return whether the entries can all be true."""
        return self.solver.model(self.solver.selectors(upto)) is not None

    def diagram(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """Return the deal diagram, of at most `memory` bytes; the last one asked for is kept."""
        kept = self._diagram  # another thread may let go of it meanwhile
        if kept is None or kept[0] != upto:
            masks = self._possible.get(upto)
            if masks is None:
                masks = self._at_a_glance(upto)
                if sum(mask.bit_count() for mask in masks if mask & (mask - 1)) > MANY_PLACES:
                    masks = self._possible[upto] = self._prove(upto, masks)
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
            return self.without_behaviour(upto, memory=memory)

    def without_behaviour(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """Return the diagram without what people usually do."""
        known = self.knowledge.upto(upto).without_behaviour()
        return Diagram(openings(known, self.possible(upto)), memory=memory)

    def leaves_out(self, upto: int) -> bool:
        """Return whether what people usually do is left out because it is too much to sum."""
        behaviour = self.knowledge.upto(upto).behaviour
        return bool(behaviour) and not self.diagram(upto).openings.behaviour

    def solutions(self, upto: int) -> Solutions:
        """Return the posterior over solutions."""
        diagram = self.diagram(upto)
        kept = self._posterior
        if kept is None or kept[0] is not diagram:
            self._posterior = kept = (diagram, solutions(diagram, self.knowledge.layout))
        return kept[1]
