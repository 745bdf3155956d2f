"""The deal diagram of one position: states, merged in a hash table, and arrows."""

import numpy as np

from clue_solver.inference.compiled.arrays import (
    CLASH,
    ENDING,
    ENDS,
    FITS,
    FULL,
    LATER,
    LAYERS,
    MARK,
    MEETS,
    MOST,
    NEAR,
    NOT_OWED,
    OPENS,
    PLACE,
    POOLS,
    RULE,
    SHIFT,
    STEP,
    TABLED,
    TESTED,
    TOP,
    UNMET,
    WIDTH,
    Diagram,
    Memory,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled, inlined

_SPREAD = -7046029254386353131
_PLACES = 1 << 32


@compiled
def built(memory: Memory) -> int:
    """Build the diagram layer by layer, summing the numbers of ways to each state."""
    diagram, work, hands = memory.diagram, memory.work, memory.hands
    keys, deals, states = diagram.keys, diagram.deals, work.states
    keys[0], deals[0] = 0, 1.0
    for pool in range(work.numbers[POOLS] - 1):
        keys[0] += hands.base[pool] << hands.shift[pool]
    states[0], states[1], work.arrows[0] = 0, 1, 0
    for layer in range(work.numbers[LAYERS]):
        room = work.choices[layer] * (states[layer + 1] - states[layer])
        slots = 64
        while slots <= room:
            slots *= 2
        if (
            slots > len(diagram.hashed)
            or work.arrows[layer] + room > len(diagram.to)
            or states[layer + 1] + room >= len(keys)
        ):
            return FULL
        work.arrows[layer + 1] = _arrows(memory, layer)
        states[layer + 2] = _merged(diagram, work, layer, slots)
        if states[layer + 2] == states[layer + 1]:
            return CLASH
    return FITS


@inlined
def _arrows(memory: Memory, layer: int) -> int:
    """List the arrows of a layer and the keys that they lead to; return where they end."""
    diagram, work, rules, plan = memory.diagram, memory.work, memory.rules, memory.plan
    tables = plan.tables[layer]
    logs = rules.logs
    start, after_of, chosen = diagram.start, diagram.after, diagram.choice
    facts = plan.facts[layer]
    choices = work.choices[layer]
    tests = plan.tests[layer]
    near, tested, opens = tests[NEAR], tests[TESTED], tests[OPENS]
    ending, tabled = tests[ENDING], tests[TABLED]
    moves = plan.moves
    for place in range(choices):
        moves[place] = facts[place, STEP]
    arrow, last = np.uint64(work.arrows[layer]), np.uint64(0)
    for state in range(work.states[layer], work.states[layer + 1]):
        key = diagram.keys[state]
        barred = 0
        must = 0
        skipping = key + opens
        owed = ~(key + near) & tested | key & ending
        if tabled:
            for number in range(tabled):
                place = tables[number, PLACE]
                moves[place] = facts[place, STEP]
            for number in range(tabled):
                rule, place = tables[number, RULE], tables[number, PLACE]
                shift, most = tables[number, SHIFT], tables[number, MOST]
                begun = key >> shift & tables[number, WIDTH]
                more = begun + 1 if begun < most else most
                if tables[number, ENDS]:
                    skipping -= begun << shift
                    barred |= (logs[rule, more, 0] == -np.inf) << place
                    must |= (logs[rule, begun, 0] == -np.inf) << place
                else:
                    moves[place] += more - begun << shift
        for place in range(choices):
            top = facts[place, TOP]
            after = skipping + moves[place] - (key & facts[place, MEETS])
            full = after & top != 0
            bad = key & top | owed & facts[place, NOT_OWED]
            bad |= (key | LATER) & facts[place, UNMET] & (0 - full)
            if tabled:
                bad |= barred >> place & 1 | must & ~(1 << place)
            # written in any case: a branch that nobody can foresee costs more
            start[arrow] = state
            chosen[arrow] = place
            after_of[last] = after
            arrow += np.uint64(bad == 0)
            last += np.uint64(bad == 0)
    return int(arrow)


@inlined
def _merged(diagram: Diagram, work: Workspace, layer: int, slots: int) -> int:
    """Make the states that the arrows of a layer lead to; return where they end."""
    keys, deals, hashed = diagram.keys, diagram.deals, diagram.hashed
    work.numbers[MARK] += _PLACES
    mark, fresh, begin = work.numbers[MARK], work.states[layer + 1], work.arrows[layer]
    for arrow in range(begin, work.arrows[layer + 1]):
        after, start = diagram.after[arrow - begin], diagram.start[arrow]
        slot = (after ^ after >> 31) * _SPREAD >> 32 & slots - 1
        keys[fresh] = after
        deals[fresh] = 0.0
        to = hashed[slot] - mark
        to = fresh if to < 0 else to
        while keys[to] != after:
            slot = slot + 1 & slots - 1
            to = hashed[slot] - mark
            to = fresh if to < 0 else to
        hashed[slot] = mark + to
        fresh += to == fresh
        diagram.to[arrow] = to
        deals[to] += deals[start]
    return int(fresh)
