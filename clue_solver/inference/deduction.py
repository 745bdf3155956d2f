"""
All answers about one knowledge, as of any entry, each computed when it is first asked for.
"""

from __future__ import annotations

from clue_solver.errors import Contradiction
from clue_solver.inference.backbone import backbone
from clue_solver.inference.diagram import MEMORY, Diagram
from clue_solver.inference.explain import culprits
from clue_solver.inference.openings import openings
from clue_solver.inference.sat import Solver
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.knowledge.viewer import Knowledge


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
