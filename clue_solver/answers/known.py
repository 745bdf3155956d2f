"""A game as far as one viewer knows it, from which all answers but reviews and seasons are made."""

from collections.abc import Sequence
from typing import NamedTuple

from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.propagation import HolderMasks
from clue_solver.inference.rounding import ROUNDING
from clue_solver.inference.solutions import Solutions
from clue_solver.knowledge.viewer import Knowledge
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

ALMOST = 1.0 - ROUNDING / 2
"""The largest chance that is given to anything that is not proved."""


class KnownGame(NamedTuple):
    """
    A game as far as the table's viewer knows it.

    Attributes:
        table: The table.
        log: The entries so far.
        deduction: What follows for the viewer. It may include later entries, which do not count
            here.
    """

    table: Table
    log: Sequence[Observation]
    deduction: Deduction

    @property
    def upto(self) -> int:
        """The number of entries so far, which is also that of the last one."""
        return len(self.log)

    @property
    def knowledge(self) -> Knowledge:
        """What the viewer knows after these entries."""
        return self.deduction.knowledge.upto(self.upto)

    @property
    def possible(self) -> HolderMasks:
        """
        Who can have each card: for each card, the mask of its possible holders.

        The holder with the number h has bit h.
        """
        return self.deduction.possible(self.upto)

    @property
    def diagram(self) -> Diagram:
        """
        The deal diagram after these entries: the graph that counts and weighs all deals that fit.
        """
        return self.deduction.diagram(self.upto)

    @property
    def solutions(self) -> Solutions:
        """
        All possible solutions with their probabilities; one has probability 1 only if it is proved.
        """
        found = self.deduction.solutions(self.upto)
        if len(found.probability) == 1:
            return found
        return found._replace(probability=found.probability.clip(max=ALMOST))
