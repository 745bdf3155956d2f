"""
What is certain, and all other answers about one knowledge, as of any entry, when first asked for.

A fact is certain when its opposite fits no deal: the backbone. Each model shows, for every card,
one holder that can have it; a holder that no model has shown yet is asked for by name until the
solver either finds such a deal or proves that there is none (iterative backbone computation with
model-based filtering: Marques-Silva, Janota, Lynce, "On Computing Backbones of Propositional
Theories", ECAI 2010).
"""

from clue_solver.errors import Contradiction
from clue_solver.inference.diagram import MEMORY, Diagram
from clue_solver.inference.explain import culprits
from clue_solver.inference.hands import openings
from clue_solver.inference.sat import Solver
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.knowledge.viewer import Knowledge


def backbone(solver: Solver, assumptions: list[int]) -> list[int]:
    """
    Return for each card the mask of the holders that can have it.

    The answer is complete: a bit is set exactly if some deal that fits the assumptions gives the
    card to that holder. A card with one bit is certain; a cleared bit is a certain "lacks".

    Raises:
        Contradiction: If no deal fits; without entries, which are `explain.conflict`'s to find.
        TooLarge: If neither searching nor counting can tell.
    """
    possible = solver.decided(
        lambda patience: _searched(solver, assumptions, patience),
        lambda: solver.support(assumptions),
    )
    if not all(possible):
        raise Contradiction(())
    return possible


def _searched(solver: Solver, assumptions: list[int], patience: int) -> list[int]:
    """
    Return the backbone by searching alone, no holder anywhere if no deal fits.

    Raises:
        Undecided: If a search takes more than `patience` times its budget of conflicts.
    """
    cards, holders = solver.layout.cards, solver.layout.holders
    first = solver.search(assumptions, patience=patience)
    if first is None:
        return [0] * cards
    possible = [1 << holder for holder in first]
    unseen = [((1 << holders) - 1) & ~mask for mask in possible]
    for literal in solver.implied(assumptions) or ():
        card, holder = solver.place(literal)
        if literal > 0:
            unseen[card] = 0
        else:
            unseen[card] &= ~(1 << holder)

    for card in range(cards):
        while unseen[card]:
            holder = unseen[card].bit_length() - 1
            solver.prefer(
                solver.has(other, mask.bit_length() - 1)
                for other, mask in enumerate(unseen)
                if mask
            )
            literal = solver.has(card, holder)
            model = solver.search([*assumptions, literal], patience=patience)
            if model is None:
                unseen[card] &= ~(1 << holder)
                continue
            for other, place in enumerate(model):
                possible[other] |= 1 << place
                unseen[other] &= ~(1 << place)
    return possible


class Deduction:
    """
    What follows from a knowledge; "as of entry N" is a selection of entries, not a rebuild.

    Every method takes the number of entries that count, from 0 to all, and raises `Contradiction`
    where they cannot all be true, `TooLarge` where the deal diagram would not fit into memory.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.solver = Solver(knowledge)
        self._possible: dict[int, list[int]] = {}
        self._diagram: tuple[int, Diagram] | None = None

    def possible(self, upto: int) -> list[int]:
        """Return for each card the mask of the holders that can have it: the backbone."""
        if upto not in self._possible:
            entries = range(1, upto + 1)
            try:
                possible = backbone(self.solver, [self.solver.entry(entry) for entry in entries])
            except Contradiction:
                found = culprits(self.solver, entries)
                raise Contradiction(found.entries, minimum=found.minimum) from None
            self._possible[upto] = possible
        return self._possible[upto]

    def consistent(self, upto: int) -> bool:
        """Return whether the entries can all be true."""
        entries = range(1, upto + 1)
        return self.solver.model([self.solver.entry(entry) for entry in entries]) is not None

    def diagram(self, upto: int, *, memory: int = MEMORY) -> Diagram:
        """Return the deal diagram, of so many bytes at most; the last one asked for is kept."""
        if self._diagram is None or self._diagram[0] != upto:
            open_part = openings(self.knowledge.upto(upto), self.possible(upto))
            if self._diagram is not None and self._diagram[1].openings == open_part:
                self._diagram = (upto, self._diagram[1])  # the entries between told nothing new
            else:
                self._diagram = (upto, Diagram(open_part, memory=memory))
        return self._diagram[1]

    def solutions(self, upto: int) -> Solutions:
        """Return the posterior over solutions."""
        return solutions(self.diagram(upto), self.knowledge.layout)
