"""
Many positions of one table in one call: arrays in, arrays out.

With numba (`pip install 'clue-solver[fast]'`), positions are evaluated in machine code. Without it,
each is evaluated by a deal diagram, and so are positions that are too large for machine code or of
a table at which only some combinations of hand sizes are possible (`Layout.joint_sizes`). Both ways
give the same verdicts and numbers of deals, and the same probabilities up to rounding.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from math import prod
from types import ModuleType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference.arrays import Floats, Ints, entropy
from clue_solver.inference.deduction import Deduction, verdict_numbers
from clue_solver.inference.positions import Positions
from clue_solver.inference.solutions import solution_strides
from clue_solver.knowledge.clauses import Layout
from clue_solver.knowledge.policies import PRIOR
from clue_solver.system import hold_interrupts

MOST_STATES, MOST_STATES_WITH_BEHAVIOUR = 1 << 18, 1 << 16
"""
The most states of a diagram in machine code, without behaviour and with it.

Positions with larger diagrams go to `deduction`, which leaves behaviour out if its own diagram
takes more than `MEMORY_WITH_BEHAVIOUR`, 50 MB. With behaviour, a diagram in machine code takes 36
MB at most: four arrows a state and 136 bytes an arrow. So for one position either all commands
leave behaviour out or none does, unless the diagram of `deduction`, which orders the cards in
another way, has half as many arrows again as that of machine code.
"""


class Evaluations(Struct, frozen=True, kw_only=True, eq=False):
    """
    What is certain and how likely the rest is, in many positions: the numbers of a report of each.

    If no deal fits, probabilities are `nan`, and verdicts and deals are 0.

    Attributes:
        consistent: Whether some deal fits, shape (positions,).
        verdicts: int8, shape (positions, cards, holders): 1 holds, 2 lacks, 0 open.
        marginals: float64, the same shape: the probability that each holder has each card; 0 or 1
            only if that is certain.
        deals: The number of deals that fit, whole numbers of any size (objects), shape
            (positions,).
        solutions: The probability of each solution, with an axis for each category: shape
            (positions, cards of the first category, ...).
        bits: The entropy of the solutions in bits, shape (positions,).
        compiled: Whether machine code evaluated the position, shape (positions,).
        left_out: Whether behaviour (what people usually do) is left out because summing over it
            would cost too much, shape (positions,).
        refused: Why a position in which too much is open has no probabilities, by the position's
            number. Its probabilities are `nan`; its 0 deals stand for an unknown number.
    """

    consistent: npt.NDArray[np.bool_]
    verdicts: npt.NDArray[np.int8]
    marginals: Floats
    deals: npt.NDArray[np.object_]
    solutions: Floats
    bits: Floats
    compiled: npt.NDArray[np.bool_]
    left_out: npt.NDArray[np.bool_]
    refused: dict[int, str]

    @classmethod
    def empty(cls, layout: Layout, count: int) -> Self:
        """Return arrays for `count` positions, not filled in yet."""
        table = (count, layout.cards, layout.holders)
        return cls(
            consistent=np.ones(count, np.bool_),
            verdicts=np.zeros(table, np.int8),
            marginals=np.full(table, np.nan),
            deals=np.zeros(count, np.object_),
            solutions=np.full((count, *(mask.bit_count() for mask in layout.categories)), np.nan),
            bits=np.full(count, np.nan),
            compiled=np.zeros(count, np.bool_),
            left_out=np.zeros(count, np.bool_),
            refused={},
        )

    def put(self, which: Ints, found: Self) -> None:
        """
        Copy results into these arrays.

        Args:
            which: The numbers of the positions that get the results.
            found: The results for these positions, in the same order.
        """
        for name in Evaluations.__struct_fields__:
            if name != "refused":
                getattr(self, name)[which] = getattr(found, name)
        self.refused.update({int(which[number]): why for number, why in found.refused.items()})


def evaluate(
    positions: Positions, *, which: Sequence[int] | None = None, fast: bool = True
) -> Evaluations:
    """
    Return what is certain and how likely the rest is, in positions of one table.

    Args:
        positions: What is known in each position.
        which: The numbers of the positions to evaluate; all if left out. The others are left empty
            in the result.
        fast: Whether to use machine code, if numba is installed.

    >>> from clue_solver import load
    >>> known = load("examples/evening.clue").seen().deduction.knowledge
    >>> evaluate(Positions.beginnings([(known, (0, known.entries))])).deals
    array([250092722880, 3], dtype=object)
    """
    found = Evaluations.empty(positions.layout, len(positions))
    left = np.arange(len(positions)) if which is None else np.array(which)
    if fast and numba_installed():
        _evaluate_fast(positions, left, found)
    for position in left[~found.compiled[left]].tolist():
        _evaluate_one(positions, position, found)
    return found


@cache
def numba_installed() -> bool:
    """Return whether numba is installed, so that machine code can be used."""
    return find_spec("numba") is not None


_SMALLEST = Layout(cards=4, seats=2, categories=(0b11, 0b1100), bounds=((1, 1), (1, 1)))


def prepare(purpose: str) -> None:
    """
    Compile the machine code if numba is installed, and keep it on disk for all processes.

    Args:
        purpose: What needs the code, as the message on standard error says while it compiles.
    """
    if not numba_installed():
        return
    with hold_interrupts():  # an interrupt while numba loads is lost, or becomes an ImportError
        from clue_solver.inference import machine_code

        message = f"Compiling machine code for {purpose}: about 15 s, only once on this computer."
        with machine_code.compiling(lambda: print(message, file=sys.stderr)):
            evaluate(Positions(_SMALLEST, 1))


def _evaluate_fast(positions: Positions, left: Ints, found: Evaluations) -> None:
    """
    Evaluate positions in machine code, as far as it can hold them, and write the results.

    Args:
        positions: What is known in each position.
        left: The numbers of the positions to evaluate.
        found: Gets the results; `compiled` says which positions could be evaluated.
    """
    from clue_solver.inference import machine_code  # late: numba takes its time

    # What the code's arrays cannot hold is left for the diagram.
    layout = positions.layout
    if (
        layout.cards > machine_code.MOST_CARDS
        or layout.holders > machine_code.MOST_HOLDERS
        or len(layout.categories) > machine_code.MOST_CATEGORIES
        or not {*positions.levels.tolist()} <= {1, machine_code.LEVEL_COUNT}
        or layout.joint_sizes
    ):
        return

    # The table, which all positions share, and room for the answers.
    least, most = np.array(layout.bounds, np.int64).reshape(-1, 2).T.copy()
    common = machine_code.Common(
        categories=np.array(layout.categories, np.int64),
        strides=solution_strides(layout),
        least=least,
        most=most,
        logs=positions.logarithms(machine_code.LEVEL_COUNT),
        levels=positions.levels,
        prior=np.log(PRIOR),
    )
    count = len(positions)
    answers = machine_code.Answers(
        status=np.full(count, machine_code.TOO_LARGE, np.int8),
        verdicts=found.verdicts,
        marginals=found.marginals,
        deals=np.zeros(count),
        solutions=found.solutions.reshape(count, prod(found.solutions.shape[1:])),
    )

    # With behaviour the limit is lower, so that larger diagrams go to `deduction`.
    weighs = positions.weighs_behaviour[left]
    for which, states in ((left[~weighs], MOST_STATES), (left[weighs], MOST_STATES_WITH_BEHAVIOUR)):
        memory = _memory(machine_code, states)
        machine_code.evaluate(tuple(common), positions.rows, which, memory, tuple(answers))

    # A position that did not fit into the memory stays for the diagram.
    clash = answers.status == machine_code.CLASH
    found.consistent[clash] = False
    fits = answers.status == machine_code.FITS
    found.compiled[:] = clash | fits
    found.deals[fits] = answers.deals[fits].astype(np.int64)
    found.bits[fits] = entropy(answers.solutions[fits])


@cache
def _memory(machine_code: ModuleType, states: int) -> tuple[Any, ...]:
    """
    Return the working memory of the module `machine_code` for diagrams of at most `states` states.

    It is made once and used again by further calls.
    """
    return tuple(machine_code.memory(states))


def _evaluate_one(positions: Positions, position: int, found: Evaluations) -> None:
    """
    Evaluate the position with this number without machine code, and write the results to `found`.
    """
    known = positions.knowledge(position)
    deduction = Deduction(known)
    layout = known.layout
    try:
        possible = deduction.possible(known.entries)  # stands even if the diagram is too large
        found.verdicts[position] = verdict_numbers(possible, layout.holders)
        diagram = deduction.diagram(known.entries)
        posterior = deduction.solutions(known.entries)
    except Contradiction:
        found.consistent[position] = False
        return
    except TooLarge as error:
        found.refused[position] = str(error)
        return
    found.left_out[position] = deduction.leaves_out(known.entries)
    found.marginals[position] = diagram.marginals()
    found.deals[position] = diagram.count()
    solutions = found.solutions[position].reshape(-1)
    solutions[:] = 0.0
    solutions[solution_strides(layout)[posterior.cards].sum(axis=1)] = posterior.probability
    found.bits[position] = posterior.bits
