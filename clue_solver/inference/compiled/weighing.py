"""The weights of a diagram at all levels of care: its arrows', pushed where they span much."""

import numpy as np

from clue_solver.inference.compiled.arrays import (
    ENDS,
    LANES,
    LAYERS,
    MOST,
    PLACE,
    RULE,
    SHIFT,
    TABLED,
    WEIGHED,
    WIDTH,
    Diagram,
    Memory,
    Workspace,
)
from clue_solver.inference.compiled.lanes import added
from clue_solver.inference.compiled.machine_code import compiled, inlined


@compiled
def unweighed(diagram: Diagram, work: Workspace) -> None:
    """Weigh all arrows alike."""
    for place in range(LANES * work.arrows[work.numbers[LAYERS]]):
        diagram.weight[place] = 1.0
    _summed(diagram, work)


@compiled
def weighed(memory: Memory) -> None:
    """Weigh the arrows and states of the diagram by the tables."""
    diagram, work, rules, plan = memory.diagram, memory.work, memory.rules, memory.plan
    weights = diagram.weight
    for layer in range(work.numbers[LAYERS]):
        begin, end = work.arrows[layer], work.arrows[layer + 1]
        for place in range(LANES * begin, LANES * end):
            weights[place] = 1.0
        if not plan.tests[layer, WEIGHED]:
            continue
        for number in range(plan.tests[layer, TABLED]):
            table = plan.tables[layer, number]
            if table[ENDS]:
                weight_of = rules.table[table[RULE]]
                chosen, shift, width, most = table[PLACE], table[SHIFT], table[WIDTH], table[MOST]
                for arrow in range(begin, end):
                    held = diagram.keys[diagram.start[arrow]] >> shift & width
                    held += diagram.choice[arrow] == chosen and held < most
                    for level in range(LANES):
                        weights[LANES * arrow + level] *= weight_of[held, level]
    _summed(diagram, work)


@inlined
def _summed(diagram: Diagram, work: Workspace) -> None:
    """Sum the weights of the ways to each state."""
    ahead = diagram.ahead
    layers = work.numbers[LAYERS]
    for place in range(LANES * work.states[layers + 1]):
        ahead[place] = place < LANES
    for arrow in range(work.arrows[layers]):
        added(
            ahead,
            LANES * diagram.to[arrow],
            diagram.weight,
            LANES * arrow,
            LANES * diagram.start[arrow],
        )


@compiled
def pushed(memory: Memory) -> None:
    """
    Weigh the arrows and states of the diagram such that no sum of ways on is below 1.

    An arrow's weight is divided by that of the best way on from its start, and multiplied by that
    of the best way on from its end (`diagram`).
    """
    diagram, work, rules, plan = memory.diagram, memory.work, memory.rules, memory.plan
    weights = diagram.weight
    best = diagram.behind
    layers, states = work.numbers[LAYERS], work.states
    for place in range(LANES * states[layers + 1]):
        best[place] = -np.inf if place < LANES * states[layers] else 0.0
    for layer in range(layers - 1, -1, -1):
        for arrow in range(work.arrows[layer], work.arrows[layer + 1]):
            key = diagram.keys[diagram.start[arrow]]
            at, start, to = LANES * arrow, LANES * diagram.start[arrow], LANES * diagram.to[arrow]
            for level in range(LANES):
                weights[at + level] = 0.0
            for number in range(plan.tests[layer, TABLED]):
                table = plan.tables[layer, number]
                if table[ENDS]:
                    held = key >> table[SHIFT] & table[WIDTH]
                    held += diagram.choice[arrow] == table[PLACE] and held < table[MOST]
                    for level in range(LANES):
                        weights[at + level] += rules.logs[table[RULE], held, level]
            for level in range(LANES):
                way = weights[at + level] + best[to + level]
                best[start + level] = max(best[start + level], way)
    for arrow in range(work.arrows[layers]):
        at, start, to = LANES * arrow, LANES * diagram.start[arrow], LANES * diagram.to[arrow]
        for level in range(LANES):
            weight = 0.0
            if best[to + level] > -np.inf:
                weight = np.exp(weights[at + level] + best[to + level] - best[start + level])
            weights[at + level] = weight
    for level in range(LANES):
        work.constant[level] += best[level]
    _summed(diagram, work)
