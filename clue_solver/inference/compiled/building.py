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
    Memory,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled, inlined

_SPREAD = -7046029254386353131
_PLACES = 1 << 32


@compiled
def built(memory: Memory) -> int:
    """Build the diagram layer by layer, summing weights and numbers of ways to each state."""
    work, hands = memory.work, memory.hands
    keys, ahead, deals, states = work.keys, work.ahead, work.deals, work.states
    keys[0], ahead[0], deals[0] = 0, 1.0, 1.0
    for pool in range(work.numbers[POOLS] - 1):
        keys[0] += hands.base[pool] << hands.shift[pool]
    states[0], states[1], work.arrows[0] = 0, 1, 0
    for layer in range(work.numbers[LAYERS]):
        room = work.choices[layer] * (states[layer + 1] - states[layer])
        slots = 64
        while slots <= room:
            slots *= 2
        if (
            slots > len(work.hashed)
            or work.arrows[layer] + room > len(work.to)
            or states[layer + 1] + room >= len(keys)
        ):
            return FULL
        work.arrows[layer + 1] = _arrows(memory, layer)
        states[layer + 2] = _merged(work, layer, slots)
        if states[layer + 2] == states[layer + 1]:
            return CLASH
    return FITS


@inlined
def _arrows(memory: Memory, layer: int) -> int:
    """List the arrows of a layer and the keys that they lead to; return where they end."""
    work, rules, _, plan = memory
    tables = plan.tables[layer]
    weight_of = rules.table
    start, after_of, weights, chosen = work.start, work.after, work.weight, work.choice
    facts = plan.facts[layer]
    choices = work.choices[layer]
    tests = plan.tests[layer]
    near, tested, opens = tests[NEAR], tests[TESTED], tests[OPENS]
    ending, tabled = tests[ENDING], tests[TABLED]
    moves, chances = plan.moves, plan.chances
    for place in range(choices):
        moves[place] = facts[place, STEP]
        chances[place] = 1.0
    arrow, last = np.uint64(work.arrows[layer]), np.uint64(0)
    for state in range(work.states[layer], work.states[layer + 1]):
        key = work.keys[state]
        barred = 0
        must = 0
        skipping = key + opens
        owed = ~(key + near) & tested | key & ending
        left = 1.0
        if tabled:
            for number in range(tabled):
                place = tables[number, PLACE]
                moves[place] = facts[place, STEP]
                chances[place] = 1.0
            for number in range(tabled):
                rule, place = tables[number, RULE], tables[number, PLACE]
                shift, most = tables[number, SHIFT], tables[number, MOST]
                begun = key >> shift & tables[number, WIDTH]
                more = begun + 1 if begun < most else most
                if tables[number, ENDS]:
                    leaving, taking = weight_of[rule, begun], weight_of[rule, more]
                    skipping -= begun << shift
                    barred |= (taking == 0.0) << place
                    must |= (leaving == 0.0) << place
                    chances[place] *= taking
                    if leaving > 0.0:
                        chances[place] /= leaving
                        left *= leaving
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
            weights[arrow] = left * chances[place]
            arrow += np.uint64(bad == 0)
            last += np.uint64(bad == 0)
    return int(arrow)


@inlined
def _merged(work: Workspace, layer: int, slots: int) -> int:
    """Make the states that the arrows of a layer lead to; return where they end."""
    keys, ahead, deals, hashed = work.keys, work.ahead, work.deals, work.hashed
    work.numbers[MARK] += _PLACES
    mark, fresh, begin = work.numbers[MARK], work.states[layer + 1], work.arrows[layer]
    for arrow in range(begin, work.arrows[layer + 1]):
        after, start = work.after[arrow - begin], work.start[arrow]
        slot = (after ^ after >> 31) * _SPREAD >> 32 & slots - 1
        keys[fresh] = after
        ahead[fresh] = 0.0
        deals[fresh] = 0.0
        to = hashed[slot] - mark
        to = fresh if to < 0 else to
        while keys[to] != after:
            slot = slot + 1 & slots - 1
            to = hashed[slot] - mark
            to = fresh if to < 0 else to
        hashed[slot] = mark + to
        fresh += to == fresh
        work.to[arrow] = to
        ahead[to] += work.weight[arrow] * ahead[start]
        deals[to] += deals[start]
    return int(fresh)
