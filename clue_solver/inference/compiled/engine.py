"""Many positions of one table, one after the other in the same memory."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.compiled.arrays import (
    CLASH,
    FAR,
    FITS,
    FOREIGN,
    LANES,
    Diagram,
    Floats,
    Ints,
    Memory,
    Small,
    Workspace,
)
from clue_solver.inference.compiled.building import built
from clue_solver.inference.compiled.counting import counted, marked, passed_back, told
from clue_solver.inference.compiled.machine_code import compiled, entered
from clue_solver.inference.compiled.narrowing import narrowed
from clue_solver.inference.compiled.posterior import numbered, posterior
from clue_solver.inference.compiled.reading import (
    gathered,
    ordered,
    packed,
    pooled,
    prepared,
    tabled,
)
from clue_solver.inference.compiled.weighing import pushed, unweighed, weighed
from clue_solver.inference.diagram import LEAST
from clue_solver.knowledge.viewer import Rows, Shape


class Answers(NamedTuple):
    """
    What is known of many positions; not a number, no marks and no deals where none fits.

    Attributes:
        status: How each position ended, shape (positions,).
        verdicts: 1 holds, 2 lacks, 0 open; int8, shape (positions, cards, holders).
        marginals: Probabilities, same shape.
        deals: The number of deals, in limbs, shape (positions, limbs).
        solutions: The posterior, shape (positions, product of the categories' sizes).
        bits: Its entropy, shape (positions,).
        could: Room to note which solutions can be, shape (product of the categories' sizes,).
    """

    status: Small
    verdicts: Small
    marginals: Floats
    deals: Ints
    solutions: Floats
    bits: Floats
    could: npt.NDArray[np.bool_]


@entered
def evaluate(shape: Shape, rows: Rows, which: Ints, memory: Memory, answers: Answers) -> None:
    """
    Evaluate many positions of one table.

    Where a level of care is learned, the diagram is built once and weighed at each level; what is
    told is their mean by how likely each is, the weight of all deals at it times its prior.

    Args:
        shape: The table.
        rows: The evidence.
        which: The numbers of the positions to evaluate.
        memory: For one at a time.
        answers: Where to write.
    """
    diagram, work, hands = memory.diagram, memory.work, memory.hands
    could = answers.could
    for at in which:
        marginals, verdicts = answers.marginals[at], answers.verdicts[at]
        chances, deals = answers.solutions[at], answers.deals[at]
        _filled(marginals, chances, 0.0)
        # read the position, and build its diagram
        status = narrowed(shape, rows, at, work)
        if status == FITS:
            status = gathered(shape, rows, at, memory)
        if status == FITS:
            tabled(work, memory.rules)
            ordered(shape, work, memory.rules)
            pooled(shape, memory)
            status = packed(shape, memory)
        if status == FITS:
            status = prepared(shape, memory)
        if status == FITS:
            status = built(memory)
        if status == FITS:
            status = numbered(shape, memory)
        far = work.numbers[FAR]
        # what can be, where weights are too far apart to tell
        if status == FITS and far:
            unweighed(diagram, work)
            passed_back(diagram, work, hands)
            for level in range(LANES):
                work.scale[level] = 1.0 / LANES / diagram.behind[level]
            told(work, hands, marginals)
            marked(work, marginals, verdicts)
            posterior(diagram, work, chances)
            for place in range(len(chances)):
                could[place] = chances[place] > 0.0
                chances[place] = 0.0
        # sum at all levels of care
        ways = 0.0
        if status == FITS:
            if far:
                pushed(memory)
            else:
                weighed(memory)
            ways = passed_back(diagram, work, hands)
            status = _mixed(shape, diagram, work)
        if status == FITS:
            told(work, hands, marginals)
            posterior(diagram, work, chances)
        # tell
        answers.status[at] = status
        bits = 0.0
        if status == FITS:
            if far:
                for card in range(shape.cards):
                    for h in range(len(shape.least) + 1):
                        if verdicts[card, h] == 1:
                            marginals[card, h] = 1.0
                        elif verdicts[card, h] == 0:
                            marginals[card, h] = max(marginals[card, h], LEAST)
                for place in range(len(chances)):
                    if could[place]:
                        chances[place] = max(chances[place], LEAST)
            else:
                marked(work, marginals, verdicts)
            counted(diagram, work, hands, ways, deals)
            for place in range(len(chances)):
                if chances[place] > 0.0:
                    bits -= chances[place] * np.log2(chances[place])
            answers.bits[at] = max(bits, 0.0)
        else:
            _filled(marginals, chances, np.nan)
            for card in range(shape.cards):
                for h in range(len(shape.least) + 1):
                    verdicts[card, h] = 0
            for limb in range(len(deals)):
                deals[limb] = 0
            answers.bits[at] = np.nan


@compiled
def _filled(marginals: Floats, chances: Floats, value: float) -> None:
    """Write one number everywhere."""
    cards, holders = marginals.shape
    for card in range(cards):
        for h in range(holders):
            marginals[card, h] = value
    for place in range(len(chances)):
        chances[place] = value


@compiled
def _mixed(shape: Shape, diagram: Diagram, work: Workspace) -> int:
    """
    Write what weights at each level of care count for: how likely it is, by that of all deals.

    Returns:
        `FITS`, `CLASH` where nothing has a weight, or `FOREIGN` where only some levels have.
    """
    most, none = -np.inf, 0
    for level in range(LANES):
        work.scale[level] = (
            shape.prior[level] + work.constant[level] + np.log(diagram.behind[level])
        )
        most = max(most, work.scale[level])
        none += diagram.behind[level] == 0.0
    if none:
        return CLASH if none == LANES else FOREIGN
    total = 0.0
    for level in range(LANES):
        work.scale[level] = np.exp(work.scale[level] - most)
        total += work.scale[level]
    for level in range(LANES):
        work.scale[level] /= total * diagram.behind[level]
    return FITS
