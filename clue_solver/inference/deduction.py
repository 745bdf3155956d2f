"""
What follows from one viewer's knowledge, as of any entry.

A fact is certain if its opposite fits no deal. The proof is by the rules of propagation, by a
diagram that has all deals, or by a search with minicard that finds no deal (whose proof is not
checked again). Each answer is computed when it is first asked for.

Propagation finds most facts. The rest is settled by the deal diagram if it is built anyway
(`Deduction.diagram`), because every deal is one of its paths. If nothing has to be counted
(`Deduction.possible`), the solver searches. Each deal that it finds proves, for every card, that
one holder can have it. For each holder that has a card in no deal so far, it searches for such a
deal or proves that there is none (iterative backbone computation with model-based filtering:
Marques-Silva, Janota, Lynce, "On Computing Backbones of Propositional Theories", ECAI 2010).
"""

from typing import Self

import numpy as np
import numpy.typing as npt

from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference.diagram import MEMORY, Diagram
from clue_solver.inference.explain import ConflictingEntries, smallest_conflict
from clue_solver.inference.openings import Openings, openings
from clue_solver.inference.propagation import HolderMasks, propagate
from clue_solver.inference.sat import Solver, Undecided
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.knowledge.clauses import several
from clue_solver.knowledge.viewer import Knowledge

MEMORY_WITH_BEHAVIOUR = MEMORY // 8
"""
The most bytes of a diagram that weighs behaviour, what people usually do; in a larger one it is
left out.

With four own-card levels an arrow takes 40 bytes, so there is room for about a million arrows.
"""

MANY_PLACES = 120
"""
If more pairs of a card and a holder than this are open, it pays to search before a diagram is
built. A spectator of five players has so many at first. The search then takes a small part of the
time, and what it excludes makes the diagram smaller.
"""


def backbone(
    solver: Solver,
    selectors: list[int],
    within: HolderMasks,
    witnessed: HolderMasks,
) -> HolderMasks:
    """
    Return the holders that can have each card, found by searching for deals: a mask for each card.

    All masks are 0 if no deal fits.

    Args:
        solver: The solver that searches for deals.
        selectors: The literals that switch on the entries that count.
        within: For each card, the mask of the holders that are not excluded yet; nobody else can
            have it.
        witnessed: For each card, the mask of the holders that have it in some known deal.

    Raises:
        Undecided: If a search exceeds its budget.
    """
    possible = witnessed[:]
    unseen = [may & ~mask for may, mask in zip(within, witnessed, strict=True)]

    def search(*literals: int) -> bool:
        """
        Search for a deal that meets these literals; return whether there is one.

        It is noted where its cards lie. The solver prefers a deal in which a card lies where no
        known deal has it.
        """
        solver.prefer(
            solver.has(card, may.bit_length() - 1) for card, may in enumerate(unseen) if may
        )
        deal = solver.search([*selectors, *literals])
        for card, holder in enumerate(deal or ()):
            possible[card] |= 1 << holder
            unseen[card] &= ~(1 << holder)
        return deal is not None

    if not any(witnessed) and not search():
        return possible  # all 0: no deal fits
    for card in range(len(unseen)):
        while unseen[card]:
            holder = unseen[card].bit_length() - 1
            if not search(solver.has(card, holder)):
                unseen[card] &= ~(1 << holder)
    return possible


def verdict_numbers(possible: HolderMasks, holders: int) -> npt.NDArray[np.int8]:
    """
    Return a verdict on each card and holder, shape (cards, holders): 1 holds, 2 lacks, 0 open.

    Args:
        possible: For each card, the mask of the holders that can have it.
        holders: How many holders there are.
    """
    masks = np.array(possible)[:, None]
    can = masks >> np.arange(holders) & 1
    sure = masks & (masks - 1) == 0
    return np.where(can == 0, 2, np.where(sure, 1, 0)).astype(np.int8)


class Deduction:
    """
    What follows from a viewer's knowledge, as of any of its entries.

    `upto` is the number of entries that count, from 0 to all. Methods that take it raise
    `Contradiction` if those entries cannot all be true (`consistent` returns false instead), and
    `TooLarge` if the deal diagram, the graph that counts all deals, would not fit into memory. What
    is certain as of an entry is proved once and kept.

    Several threads may ask at once. So a method reads what is kept only once, into a local name,
    and copies the proofs before it goes through them: another thread may change both meanwhile.

    Attributes:
        knowledge: What the viewer knows.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._possible: dict[int, HolderMasks] = {}
        self._conflicts: dict[int, ConflictingEntries] = {}
        # The last diagram and the entry that it goes up to; `None` if it comes from another log.
        self._diagram: tuple[int | None, Diagram] | None = None
        self._posterior: tuple[Diagram, Solutions] | None = None  # the last one, of this diagram
        self._solver: Solver | None = None

    @property
    def solver(self) -> Solver:
        """The SAT solver, which is made when it is first needed."""
        solver = self._solver
        if solver is None:
            solver = self._solver = Solver(self.knowledge)
        return solver

    def hand_over(self, knowledge: Knowledge) -> Self:
        """
        Return a deduction for another log, which starts with all results that hold for both.

        To save memory, this object gives its diagram to the new one and drops its solver. It builds
        both again when they are needed.

        Args:
            knowledge: What the viewer knows by the other log.
        """
        other = type(self)(knowledge)
        if knowledge.layout == self.knowledge.layout:
            shared = self.knowledge.shared_with(knowledge)
            other._possible = {n: masks for n, masks in dict(self._possible).items() if n <= shared}
            # The diagram may be that of the other log, too, which `diagram` finds out.
            kept, other._posterior = self._diagram, self._posterior
            if kept is not None and (kept[0] or 0) > shared:
                kept = (None, kept[1])
            other._diagram = kept
            self._diagram = self._posterior = self._solver = None  # each takes some MB
        return other

    def possible(self, upto: int) -> HolderMasks:
        """
        Return who can have each card after the first `upto` entries: a mask of holders by card.

        What the masks leave out is proved (the backbone). Raises `Contradiction` if the entries
        cannot all be true.
        """
        if upto not in self._possible:
            self._possible[upto] = self._prove(upto, self._not_excluded(upto))
        return self._possible[upto]

    def _prove(self, upto: int, within: HolderMasks) -> HolderMasks:
        """
        Return the holders that can have each card, found by searching: a mask for each card.

        Args:
            upto: How many entries count.
            within: For each card, the mask of the holders that are not excluded yet.

        Raises:
            Contradiction: If no deal fits.
        """
        # What is excluded by fewer entries is excluded; what is possible with more is possible.
        proved, witnessed = dict(self._possible), [0] * len(within)
        later = [entry for entry in proved if entry > upto]
        if later:
            witnessed = proved[min(later)]
        earlier = [entry for entry in proved if entry < upto]
        if earlier:
            within = [may & mask for may, mask in zip(within, proved[max(earlier)], strict=True)]
        if witnessed == within:
            return within

        # Only what is between these bounds has to be searched for.
        solver = self.solver
        selectors = solver.selectors(upto)
        try:
            possible = backbone(solver, selectors, within, witnessed)
        except Undecided:
            possible = solver.possible_by_counting(selectors)
        if not all(possible):
            raise self._contradiction(upto)
        return possible

    def _not_excluded(self, upto: int) -> HolderMasks:
        """
        Return the holders that simple rules do not exclude (`propagation`): a mask for each card.

        Only the first `upto` entries count. Raises `Contradiction` if the rules exclude every deal.
        """
        if upto in self._conflicts:
            raise self._contradiction(upto)
        masks = propagate(self.knowledge.upto(upto))
        if not all(masks):
            raise self._contradiction(upto)
        return masks

    def _contradiction(self, upto: int) -> Contradiction:
        """
        Return the error to raise if no deal fits the first `upto` entries.

        It has a smallest set of entries that cannot all be true.
        """
        if upto not in self._conflicts:
            self._conflicts[upto] = smallest_conflict(self.solver, range(1, upto + 1))
        conflict = self._conflicts[upto]
        return Contradiction(conflict.entries, minimum=conflict.minimum)

    def consistent(self, upto: int) -> bool:
        """Return whether the first `upto` entries can all be true."""
        solver = self.solver
        return solver.model(solver.selectors(upto)) is not None

    def diagram(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """
        Return the deal diagram after `upto` entries: the graph that counts all deals that fit.

        The last diagram is kept, and returned again if it still holds. A new one takes at most
        `memory` bytes; if it would take more, `TooLarge` is raised.
        """
        kept = self._diagram
        if kept is None or kept[0] != upto:
            masks = self._possible.get(upto)
            if masks is None:
                masks = self._not_excluded(upto)
                if sum(mask.bit_count() for mask in masks if several(mask)) > MANY_PLACES:
                    masks = self._possible[upto] = self._prove(upto, masks)
            open_part = openings(self.knowledge.upto(upto), masks)
            if kept is not None and kept[1].openings == open_part:
                kept = (upto, kept[1])  # the entries between the two say nothing new
            else:
                self._diagram = self._posterior = kept = None  # makes room for the new one
                kept = (upto, self._build(open_part, upto, memory))
            if upto not in self._possible:
                if not kept[1].fits:
                    raise self._contradiction(upto)
                self._possible[upto] = kept[1].possible
            self._diagram = kept
        return kept[1]

    def _build(self, open_part: Openings, upto: int, memory: int) -> Diagram:
        """
        Return a new deal diagram of what is open.

        If behaviour (what people usually do) would make the diagram too large, it is left out.

        Args:
            open_part: The cards and rules that are not settled after the first `upto` entries.
            upto: How many entries count.
            memory: The most bytes of the diagram.

        Raises:
            TooLarge: If it would take more than `memory` bytes.
        """
        if not open_part.weighs_behaviour:
            return Diagram(open_part, memory=memory)
        try:
            return Diagram(open_part, memory=min(memory, MEMORY_WITH_BEHAVIOUR))
        except TooLarge:
            return self.without_behaviour(upto, memory=memory)

    def without_behaviour(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """
        Return the deal diagram after the first `upto` entries that ignores what people usually do.

        It takes at most `memory` bytes; if it would take more, `TooLarge` is raised.
        """
        known = self.knowledge.upto(upto).without_behaviour()
        return Diagram(openings(known, self.possible(upto)), memory=memory)

    def leaves_out(self, upto: int) -> bool:
        """
        Return whether the diagram ignores what people usually do, because weighing it costs much.

        Only the first `upto` entries count. If they say anything of this kind, the diagram is built
        to find that out.
        """
        behaviour = self.knowledge.upto(upto).behaviour
        return bool(behaviour) and not self.diagram(upto).openings.weighs_behaviour

    def solutions(self, upto: int) -> Solutions:
        """
        Return the probabilities of all solutions that the first `upto` entries leave possible.
        """
        diagram = self.diagram(upto)
        kept = self._posterior
        if kept is None or kept[0] is not diagram:
            self._posterior = kept = (diagram, solutions(diagram, self.knowledge.layout))
        return kept[1]
