"""
What is certain, and all other answers about one knowledge, as of any entry, when first asked for.

A fact is certain when its opposite fits no deal: the backbone. Each model shows, for every card,
one holder that can have it; a holder that no model has shown yet is asked for by name until the
solver either finds such a deal or proves that there is none (iterative backbone computation with
model-based filtering: Marques-Silva, Janota, Lynce, "On Computing Backbones of Propositional
Theories", ECAI 2010).
"""

from collections import deque
from contextlib import suppress
from copy import copy
from functools import cached_property
from itertools import zip_longest
from typing import Self

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference.diagram import MEMORY, Diagram
from clue_solver.inference.explain import ConflictingEntries, smallest_conflict
from clue_solver.inference.openings import Openings, openings
from clue_solver.inference.sat import Solver
from clue_solver.inference.solutions import Solutions, solutions, solutions_and_last
from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.viewer import Knowledge


def backbone(
    solver: Solver,
    assumptions: list[int],
    within: list[int] | None = None,
    deals: list[list[int]] | None = None,
) -> list[int]:
    """
    Return for each card the mask of the holders that can have it.

    The answer is complete: a bit is set exactly if some deal that fits the assumptions gives the
    card to that holder. A card with one bit is certain; a cleared bit is a certain "lacks".

    Args:
        within: The backbone of some of the assumptions, where it is known: only what it leaves open
            is asked for.
        deals: The holders by card of some deals that fit; those that are found are added.

    Raises:
        Contradiction: If no deal fits; without entries, which `explain.smallest_conflict` finds.
        TooLarge: If neither searching nor counting can tell.
    """
    known = [] if deals is None else deals
    possible = solver.decided(
        lambda patience: _searched(solver, assumptions, within, known, patience=patience),
        lambda: solver.support(assumptions),
    )
    if not all(possible):
        raise Contradiction(())
    return possible


def _searched(
    solver: Solver,
    assumptions: list[int],
    within: list[int] | None,
    deals: list[list[int]],
    *,
    patience: int,
) -> list[int]:
    """
    Return the backbone by searching alone, no holder anywhere if no deal fits.

    Raises `Undecided` past `patience` times the budget of conflicts.
    """
    cards, holders = solver.layout.cards, solver.layout.holders
    if not deals:
        first = solver.search(assumptions, patience=patience)
        if first is None:
            return [0] * cards
        deals.append(first)
    possible = [0] * cards
    for deal in deals:
        for card, holder in enumerate(deal):
            possible[card] |= 1 << holder
    everyone = (1 << holders) - 1
    unseen = [may & ~mask for may, mask in zip(within or [everyone] * cards, possible, strict=True)]
    for card, holder, _ in solver.implied(assumptions) or ():  # in all deals or in none
        unseen[card] &= ~(1 << holder)

    fresh = True
    for card in range(cards):
        while unseen[card]:
            holder = unseen[card].bit_length() - 1
            if fresh:
                solver.prefer_holders(unseen)
            literal = solver.has(card, holder)
            model = solver.search([*assumptions, literal], patience=patience)
            fresh = model is not None
            if model is None:
                unseen[card] &= ~(1 << holder)
                continue
            deals.append(model)
            for other, place in enumerate(model):
                possible[other] |= 1 << place
                unseen[other] &= ~(1 << place)
    return possible


def marks(possible: list[int], holders: int) -> npt.NDArray[np.int8]:
    """Return what a backbone says of each card and holder: 1 holds, 2 lacks, 0 open."""
    masks = np.array(possible)[:, None]
    can = masks >> np.arange(holders) & 1
    sure = masks & (masks - 1) == 0
    return np.where(can == 0, 2, np.where(sure, 1, 0)).astype(np.int8)


def _exchanged(deal: list[int], can: list[int], layout: Layout) -> list[int]:
    """Return a deal in which cards that lie where they cannot have changed places with others."""
    deal = deal[:]
    for card, holder in enumerate(deal):
        if can[card] >> holder & 1:
            continue
        alike = next(mask for mask in layout.categories if mask >> card & 1)
        for other, place in enumerate(deal):
            same = alike >> other & 1 or layout.envelope not in (holder, place)
            if same and can[card] >> place & 1 and can[other] >> holder & 1:
                deal[card] = place
                deal[other] = holder
                break
    return deal


_MOST_DEALS, _MOST_MENDED = 100, 20

MEMORY_WITH_BEHAVIOUR = MEMORY // 8
"""The most bytes of a diagram that weighs behaviour: past it, it is left out."""


def _weighed_alike(one: Knowledge, other: Knowledge) -> int:
    """Return up to which entry two logs make the same things likely."""
    last = min(one.entries, other.entries)
    for mine, theirs in ((one.factors, other.factors), (one.behaviour, other.behaviour)):
        if theirs[: len(mine)] == mine:  # most logs go on: that is compared at once
            last = min(last, theirs[len(mine)].entry - 1) if len(mine) < len(theirs) else last
            continue
        pairs = zip_longest(mine, theirs)
        first = next((pair for pair in pairs if pair[0] != pair[1]), ())
        last = min([last, *(factor.entry - 1 for factor in first if factor is not None)])
    return last


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
        self._deals: tuple[int, list[list[int]]] = (-1, [])  # some that fit the first entries
        self._searched: deque[list[int]] = deque(maxlen=_MOST_DEALS)  # some that fitted a line
        self._diagram: tuple[int, Diagram] | None = None
        self._posterior: tuple[Diagram, tuple[Solutions, Solutions]] | None = None  # of the last

    @cached_property
    def solver(self) -> Solver:
        """What searches for deals; what was found otherwise needs none."""
        return Solver(self.knowledge)

    def found(self, upto: int, possible: list[int]) -> None:
        """Take over what another engine found of `possible`."""
        self._possible.setdefault(upto, possible)

    def carried(self, knowledge: Knowledge) -> Self | None:
        """
        Return what follows from another log at the same table, going on from this one.

        Returns `None` where the logs begin differently.
        """
        carried = self.solver.carried(knowledge)
        if carried is None:
            return None
        other = copy(self)
        other.knowledge = knowledge
        other.solver, shared = carried
        other._possible = {upto: mask for upto, mask in self._possible.items() if upto <= shared}
        other._conflicts = {
            upto: conflict for upto, conflict in self._conflicts.items() if upto <= shared
        }
        if other._deals[0] > shared:
            other._deals = (-1, [])
        weighed = min(shared, _weighed_alike(self.knowledge, knowledge))
        if other._diagram is not None and other._diagram[0] > weighed:
            other._diagram = other._posterior = None
        self._diagram = self._posterior = None  # what looks back builds them again
        return other

    def possible(self, upto: int) -> list[int]:
        """Return for each card the mask of the holders that can have it: the backbone."""
        if upto in self._conflicts:
            conflict = self._conflicts[upto]
            raise Contradiction(conflict.entries, minimum=conflict.minimum)
        if upto not in self._possible:
            entries = range(1, upto + 1)
            # what held of fewer entries, and the deals that fitted them, narrow the search
            before = max([-1, *(earlier for earlier in self._possible if earlier < upto)])
            within = self._possible.get(before)
            last, deals = self._deals
            if upto < last:
                deals = deals[:]  # what fits more entries fits these
            elif last == before >= 0:
                deals = self.solver.fitting(deals, range(before + 1, upto + 1))
            else:
                deals = []
            assumed = self.solver.entries(upto)
            try:
                possible = backbone(self.solver, assumed, within, deals)
            except Contradiction:
                conflict = self._conflicts[upto] = smallest_conflict(self.solver, entries)
                raise Contradiction(conflict.entries, minimum=conflict.minimum) from None
            self._possible[upto] = possible
            if upto > last:
                self._deals = (upto, deals[-_MOST_DEALS:])
        return self._possible[upto]

    def fits(self, clauses: tuple[Clause, ...]) -> bool:
        """
        Return whether some deal fits the clauses of any log at this table.

        Where the backbone rules it out, or a deal that is known fits or does so once cards are
        exchanged, nothing is searched for.
        """
        layout, known = self.knowledge.layout, self.knowledge
        can = [(1 << layout.holders) - 1] * layout.cards
        more = clauses
        settled = self._possible.get(known.entries)
        read = len(known.clauses)
        if settled is not None and clauses[:read] == known.clauses:
            can = settled[:]
            more = clauses[read:]
        for _, holder, cards, has in more:
            if cards.bit_count() == 1:
                can[cards.bit_length() - 1] &= 1 << holder if has else ~(1 << holder)
        for _, holder, cards, has in more:
            allowed = 1 << holder if has else ~(1 << holder)
            if not any(can[card] & allowed for card in card_numbers(cards)):
                return False
        deals = [*self._deals[1], *self._searched]
        if self.solver.satisfying(deals, clauses):
            return True
        mended = [_exchanged(deal, can, layout) for deal in deals[-_MOST_MENDED:]]
        fitting = self.solver.satisfying(mended, clauses)
        if not fitting:
            literals = [self.solver.guarded(clause._replace(entries=())) for clause in clauses]
            deal = self.solver.model(literals)
            if deal is None:
                return False
            fitting = [deal]
        self._searched.append(fitting[0])
        return True

    def consistent(self, upto: int) -> bool:
        """Return whether the entries can all be true."""
        return self.solver.model(self.solver.entries(upto)) is not None

    def diagram(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """Return the deal diagram, of so many bytes at most; the last one asked for is kept."""
        kept = self._diagram  # another thread may carry this on and let go of it meanwhile
        if kept is None or kept[0] != upto:
            known = self.knowledge.upto(upto)
            open_part = openings(known, self.possible(upto))
            if kept is not None and kept[1].openings == open_part:
                kept = (upto, kept[1])  # the entries between told nothing new
            else:
                self._diagram = self._posterior = kept = None  # makes room for the new one
                kept = (upto, self._built(open_part, upto, memory))
            self._diagram = kept
        return kept[1]

    def _built(self, open_part: Openings, upto: int, memory: int) -> Diagram:
        """Return the diagram; without behaviour where that makes it too large."""
        if open_part.behaviour:
            room = min(memory, MEMORY_WITH_BEHAVIOUR)
            with suppress(TooLarge):
                return Diagram(open_part, memory=room)
            return self.by_rules(upto, memory)
        return Diagram(open_part, memory=memory)

    def by_rules(self, upto: int, memory: int = MEMORY) -> Diagram:
        """Return the diagram without what people usually do."""
        known = replace(self.knowledge.upto(upto), behaviour=())
        return Diagram(openings(known, self.possible(upto)), memory=memory)

    def let_go(self) -> None:
        """Free the memory of the last diagram; it is built again where it is asked for."""
        self._diagram = self._posterior = None

    def by_rules_alone(self, upto: int) -> Solutions:
        """
        Return the posterior over solutions without what people usually do.

        Where all that counts besides is how careful people are who ask, it is the posterior at the
        last level of care, at which they name any card and a question tells nothing.
        """
        behaviour = self.knowledge.upto(upto).behaviour
        if self.diagram(upto).openings.behaviour and 1 not in {len(f.tables) for f in behaviour}:
            return self._solutions(upto)[1]
        return solutions(self.by_rules(upto), self.knowledge.layout)

    def leaves_out(self, upto: int) -> bool:
        """Return whether what people usually do is left out because it is too much to sum."""
        behaviour = self.knowledge.upto(upto).behaviour
        return bool(behaviour) and not self.diagram(upto).openings.behaviour

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
        """Return the posterior over solutions, and what it is at the last level of care alone."""
        diagram = self.diagram(upto)
        kept = self._posterior
        if kept is None or kept[0] is not diagram:
            posteriors = solutions_and_last(diagram, self.knowledge.layout)
            self._posterior = kept = (diagram, posteriors)
        return kept[1]
