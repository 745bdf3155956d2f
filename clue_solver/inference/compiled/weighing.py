"""The weights of a diagram: given anew where nothing else changes, pushed where they span much."""

import numpy as np

from clue_solver.inference.compiled.arrays import (
    ENDS,
    FAR,
    LAYERS,
    MOST,
    PLACE,
    RULE,
    SAID,
    SHIFT,
    TABLED,
    WIDTH,
    Memory,
    Rules,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled
from clue_solver.inference.compiled.narrowing import card_count
from clue_solver.inference.diagram import SPAN


@compiled
def tabled(work: Workspace, rules: Rules, count: int) -> None:
    """Write the weights of each rule, and from which number of cards on they do not change."""
    span = 0.0
    for rule in range(count):
        rules.cap[rule] = 1
        if rules.needs[rule]:
            continue
        cap = card_count(rules.cards[rule])
        least = 0.0
        most = 0.0
        for number in range(cap + 1):
            logarithm = rules.logs[rule, number]
            most = max(most, logarithm)
            if logarithm > -np.inf:
                least = min(least, logarithm)
        span += most - least
        while cap > 1 and rules.logs[rule, cap - 1] == rules.logs[rule, cap]:
            cap -= 1
        rules.cap[rule] = cap
    work.numbers[FAR] = span > SPAN
    for rule in range(count):
        if not rules.needs[rule]:
            for number in range(rules.cap[rule] + 1):
                logarithm = rules.logs[rule, number]
                rules.table[rule, number] = (
                    logarithm > -np.inf if span > SPAN else np.exp(logarithm)
                )


@compiled
def changed(work: Workspace, rules: Rules, count: int, holders: int) -> bool:
    """Note what makes the diagram of a position; return whether that is other than it was."""
    built = work.built
    at = 0
    changed = False
    for number in range(holders):
        changed |= built[at] != work.can[number] or built[at + 1] != work.has[number]
        built[at], built[at + 1] = work.can[number], work.has[number]
        at += 2
    for rule in range(count):
        said = rules.holder[rule] << 8 | rules.cap[rule] << 1 | rules.needs[rule]
        barred = 0
        if not rules.needs[rule]:
            for number in range(card_count(rules.cards[rule]) + 1):
                barred |= (rules.logs[rule, number] == -np.inf) << number
        changed |= built[at] != said or built[at + 1] != rules.cards[rule]
        changed |= built[at + 2] != barred
        built[at] = said
        built[at + 1] = rules.cards[rule]
        built[at + 2] = barred
        at += 3
    changed |= work.numbers[SAID] != at
    work.numbers[SAID] = at
    return bool(changed)


@compiled
def weighed_anew(memory: Memory) -> None:
    """Weigh the arrows and states of the diagram by the tables that the rules have now."""
    work, rules, _, plan = memory
    ahead = work.ahead
    weights = work.weight
    chances = plan.chances
    for layer in range(work.numbers[LAYERS]):
        begin, end = work.arrows[layer], work.arrows[layer + 1]
        tables = plan.tables[layer]
        tabled = plan.tests[layer, TABLED]
        last = -1
        left = 1.0
        if tabled:
            chances[: work.choices[layer]] = 1.0
            for arrow in range(begin, end):
                state = int(work.start[arrow])
                if state != last:
                    key = work.keys[state]
                    last = state
                    left = 1.0
                    for number in range(tabled):
                        chances[tables[number, PLACE]] = 1.0
                    for number in range(tabled):
                        if tables[number, ENDS]:
                            rule, place = tables[number, RULE], tables[number, PLACE]
                            begun = key >> tables[number, SHIFT] & tables[number, WIDTH]
                            more = begun + 1 if begun < tables[number, MOST] else begun
                            leaving, taking = rules.table[rule, begun], rules.table[rule, more]
                            chances[place] *= taking
                            if leaving > 0.0:
                                chances[place] /= leaving
                                left *= leaving
                weights[arrow] = left * chances[work.choice[arrow]]
        ahead[work.states[layer + 1] : work.states[layer + 2]] = 0.0
        for arrow in range(begin, end):
            ahead[work.to[arrow]] += weights[arrow] * ahead[work.start[arrow]]


@compiled
def pushed(memory: Memory) -> None:
    """
    Weigh the arrows and states of the diagram such that no sum of ways on is below 1.

    An arrow's weight is divided by that of the best way on from its start, and multiplied by that
    of the best way on from its end (`diagram`).
    """
    work, rules, _, plan = memory
    ahead = work.ahead
    weights = work.weight
    chances = plan.chances
    best = work.behind
    layers, states = work.numbers[LAYERS], work.states
    best[: states[layers]] = -np.inf
    best[states[layers] : states[layers + 1]] = 0.0
    for layer in range(layers - 1, -1, -1):
        tables = plan.tables[layer]
        tabled = plan.tests[layer, TABLED]
        last = -1
        left = 0.0
        chances[: work.choices[layer]] = 0.0
        for arrow in range(work.arrows[layer], work.arrows[layer + 1]):
            state = int(work.start[arrow])
            to = work.to[arrow]
            if state != last and tabled:
                key = work.keys[state]
                left = 0.0
                for number in range(tabled):
                    chances[tables[number, PLACE]] = 0.0
                for number in range(tabled):
                    if tables[number, ENDS]:
                        rule, place = tables[number, RULE], tables[number, PLACE]
                        begun = key >> tables[number, SHIFT] & tables[number, WIDTH]
                        more = begun + 1 if begun < tables[number, MOST] else begun
                        leaving, taking = rules.logs[rule, begun], rules.logs[rule, more]
                        chances[place] += taking
                        if leaving > -np.inf:
                            chances[place] -= leaving
                            left += leaving
            last = state
            weights[arrow] = left + chances[work.choice[arrow]]
            best[state] = max(best[state], weights[arrow] + best[to])
    work.constant[0] += best[0]
    ahead[1 : states[layers + 1]] = 0.0
    for arrow in range(work.arrows[layers]):
        state, to = work.start[arrow], work.to[arrow]
        weight = 0.0
        if best[to] > -np.inf:
            weight = np.exp(weights[arrow] + best[to] - best[state])
        weights[arrow] = weight
        ahead[to] += weight * ahead[state]
