"""
All answers about one knowledge, as of any entry, each computed when it is first asked for.
"""

from __future__ import annotations

from copy import copy

from clue_solver.errors import Contradiction
from clue_solver.inference.backbone import backbone
from clue_solver.inference.diagram import MEMORY, Diagram
from clue_solver.inference.explain import culprits
from clue_solver.inference.openings import openings
from clue_solver.inference.sat import Solver
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.knowledge import Knowledge

_MOST_DEALS = 100


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
        self._deals: tuple[int, list[list[int]]] = (-1, [])  # some that fit the first entries
        self._diagram: tuple[int, Diagram] | None = None

    def carried(self, knowledge: Knowledge) -> Deduction | None:
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
        if other._deals[0] > shared:
            other._deals = (-1, [])
        if other._diagram is not None and other._diagram[0] > shared:
            other._diagram = None
        self._diagram = None  # what looks back builds it again
        return other

    def possible(self, upto: int) -> list[int]:
        """Return for each card the mask of the holders that can have it: the backbone."""
        if upto not in self._possible:
            entries = range(1, upto + 1)
            within, deals = self._possible.get(upto - 1), []
            if within is not None and self._deals[0] == upto - 1:
                deals = self.solver.fitting(self._deals[1], upto)
            assumed = [self.solver.entry(entry) for entry in entries]
            try:
                possible = backbone(self.solver, assumed, within, deals)
            except Contradiction:
                found = culprits(self.solver, entries)
                raise Contradiction(found.entries, minimum=found.minimum) from None
            self._possible[upto] = possible
            self._deals = (upto, deals[-_MOST_DEALS:])
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
