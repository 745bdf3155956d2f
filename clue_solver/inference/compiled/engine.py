"""Many positions of one table, one after the other in the same memory."""

from typing import NamedTuple

import numpy as np

from clue_solver.inference.compiled.arrays import (
    CLASH,
    ENDED,
    FAR,
    FITS,
    FOREIGN,
    PARTED,
    SAID,
    Floats,
    Ints,
    Memory,
    Small,
)
from clue_solver.inference.compiled.building import built
from clue_solver.inference.compiled.counting import counted, passed_back, told
from clue_solver.inference.compiled.machine_code import compiled
from clue_solver.inference.compiled.narrowing import narrowed
from clue_solver.inference.compiled.posterior import posterior
from clue_solver.inference.compiled.reading import gathered, ordered, packed, pooled, prepared
from clue_solver.inference.compiled.weighing import changed, pushed, tabled, weighed_anew
from clue_solver.inference.diagram import LEAST
from clue_solver.knowledge.viewer import Rows, Shape


@compiled
def _opened(shape: Shape, rows: Rows, at: int, memory: Memory) -> int:
    """
    Build the diagram of one position; return the status.

    That of the position before is used again where only weights are others, as they are from one
    level of care to the next.
    """
    work, rules, hands, _ = memory
    count = rows.used[at]
    kind, holder, cards = rows.kind[at, :count], rows.holder[at, :count], rows.cards[at, :count]
    if not narrowed(shape, kind, holder, cards, work):
        return CLASH
    open_rules = gathered(shape, kind, holder, cards, memory)
    if open_rules < 0:
        return FOREIGN if open_rules == -1 else CLASH
    tabled(work, rules, open_rules)
    if not changed(work, rules, open_rules, len(shape.least) + 1):
        if work.numbers[ENDED] == FITS:
            weighed_anew(memory)
        return int(work.numbers[ENDED])
    ordered(shape, work, rules, open_rules)
    pooled(shape, memory, open_rules)
    status = packed(shape, work, rules, open_rules, hands)
    if status == FITS:
        status = prepared(shape, memory, open_rules)
    if status == FITS:
        status = built(memory)
    work.numbers[ENDED] = status
    work.numbers[PARTED] = 0
    return status


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
        weights: The logarithm of the weight of all deals, shape (positions,).
    """

    status: Small
    verdicts: Small
    marginals: Floats
    deals: Ints
    solutions: Floats
    bits: Floats
    weights: Floats


@compiled
def _answered(shape: Shape, memory: Memory, answers: Answers, at: int) -> int:
    """Write what the diagram in memory says of a position; return how it ended."""
    work, hands = memory.work, memory.hands
    weight, deals = passed_back(work, hands)
    if weight == 0.0:
        return CLASH
    counted(work, hands, deals, answers.deals[at])
    told(shape, work, hands, answers.marginals[at], answers.verdicts[at])
    answers.weights[at] = np.log(weight) + work.constant[0]
    if answers.solutions.shape[1]:
        return int(posterior(shape, memory, answers.solutions[at]))
    return FITS


@compiled
def evaluate(shape: Shape, rows: Rows, which: Ints, memory: Memory, answers: Answers) -> None:
    """
    Evaluate many positions of one table.

    Args:
        shape: The table.
        rows: The evidence.
        which: The numbers of the positions to evaluate.
        memory: For one at a time.
        answers: Where to write.
    """
    work = memory.work
    work.numbers[SAID] = 0
    for at in which:
        status = _opened(shape, rows, at, memory)
        if status == FITS:
            status = _answered(shape, memory, answers, at)
        if status == FITS and work.numbers[FAR]:
            verdicts = answers.verdicts[at].copy()
            marginals = answers.marginals[at]
            chances = answers.solutions[at]
            could = chances > 0.0
            pushed(memory)
            status = _answered(shape, memory, answers, at)
            answers.verdicts[at] = verdicts
            for card in range(shape.cards):
                for h in range(len(shape.least) + 1):
                    if verdicts[card, h] != 2:
                        marginals[card, h] = max(marginals[card, h], LEAST)
            for place in range(len(chances)):
                if could[place]:
                    chances[place] = max(chances[place], LEAST)
        answers.status[at] = status
        if status == FITS:
            bits = 0.0
            for chance in answers.solutions[at]:
                if chance > 0.0:
                    bits -= chance * np.log2(chance)
            answers.bits[at] = max(bits, 0.0)
        else:
            answers.deals[at] = 0
            answers.verdicts[at] = 0
            answers.marginals[at] = np.nan
            answers.solutions[at] = np.nan
            answers.bits[at] = np.nan
