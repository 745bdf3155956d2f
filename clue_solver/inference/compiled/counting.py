"""What the diagram says of the deals: their number, to the last digit, and each card's holder."""

import numpy as np

from clue_solver.inference.compiled.arrays import (
    LAYERS,
    POOLS,
    Floats,
    Hands,
    Ints,
    Small,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled, inlined
from clue_solver.knowledge.viewer import Shape

_LIMB = 48
"""Whole numbers beyond what a float counts: limbs of so many bits, the lowest first."""


@compiled
def _times(value: Ints, factor: int) -> None:
    """Multiply a number in limbs by a small one, in place."""
    carry = 0
    for limb in range(len(value)):
        carry += value[limb] * factor
        value[limb] = carry & (1 << _LIMB) - 1
        carry >>= _LIMB


@compiled
def _shared(value: Ints, divisor: int) -> None:
    """Divide a number in limbs by a small one that divides it, in place."""
    rest = 0
    for limb in range(len(value) - 1, -1, -1):
        rest = (rest << _LIMB) + value[limb]
        value[limb] = rest // divisor
        rest -= value[limb] * divisor


@compiled
def _ways(hands: Hands, work: Workspace, pool: int, total: int, exact: Ints) -> float:
    """
    Return in how many ways a pool shares so many cards out, and multiply `exact` by it.

    The multinomial coefficient of the sizes; where one card more is open for each hand, times the
    ways to choose the hands that get one (`hands.Pool.ways`).
    """
    envelope = len(work.pool_of) - 1
    sized = hands.least[pool] < hands.most[pool]
    more = total - hands.least[pool]
    ways, placed, members = 1.0, 0, 0
    for h in range(envelope + 1):
        if work.pool_of[h] != pool or members == hands.members[pool]:
            continue
        size = hands.least_of[h]
        if sized and members < more:
            size += 1  # these got the cards more; which ones is chosen below
        for card in range(1, size + 1):
            ways = ways * (placed + card) / card
            _times(exact, placed + card)
            _shared(exact, card)
        placed += size
        members += 1
    if sized:
        for chosen in range(1, more + 1):
            ways = ways * (members - more + chosen) / chosen
            _times(exact, members - more + chosen)
            _shared(exact, chosen)
    return ways


@inlined
def _held(hands: Hands, key: int, pool: int) -> int:
    """Return how many cards a pool has got in a state."""
    return int((key >> hands.shift[pool] & hands.mask[pool]) - hands.base[pool])


@compiled
def passed_back(work: Workspace, hands: Hands) -> tuple[float, float]:
    """Sum the weights of the ways on from each state; return the weight and number of deals."""
    states, arrows, targets, weights = work.states, work.arrows, work.to, work.weight
    starts = work.start
    chosen, ahead, behind, flows = work.choice, work.ahead, work.behind, work.flows
    layers = work.numbers[LAYERS]
    deals = 0.0
    nothing = np.zeros(1, np.int64)
    for state in range(states[layers], states[layers + 1]):
        ways = 1.0
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = _held(hands, work.keys[state], pool)
                ways *= _ways(hands, work, pool, total, nothing)
        behind[state] = ways
        deals += ways * work.deals[state]
    flows[:layers] = 0.0
    for layer in range(layers - 1, -1, -1):
        flow = flows[layer]
        behind[states[layer] : states[layer + 1]] = 0.0
        for arrow in range(arrows[layer], arrows[layer + 1]):
            start = starts[arrow]
            part = weights[arrow] * behind[targets[arrow]]
            behind[start] += part
            flow[chosen[arrow]] += ahead[start] * part
    return behind[0], deals


@compiled
def counted(work: Workspace, hands: Hands, estimate: float, deals: Ints) -> None:
    """
    Write the exact number of deals, in limbs.

    Below 2**44 the float is within a tenth of it. Beyond, the ways to each state are summed again
    in limbs.
    """
    deals[:] = 0
    if estimate < 2.0**44:
        deals[0] = round(estimate)
        return
    layers = work.numbers[LAYERS]
    counts = np.zeros((work.states[layers + 1], len(deals)), np.int64)
    counts[0, 0] = 1
    for arrow in range(work.arrows[layers]):
        _added(counts[work.to[arrow]], counts[work.start[arrow]])
    for state in range(work.states[layers], work.states[layers + 1]):
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = _held(hands, work.keys[state], pool)
                _ways(hands, work, pool, total, counts[state])
        _added(deals, counts[state])


@compiled
def _added(value: Ints, other: Ints) -> None:
    """Add a number in limbs to another, in place."""
    carry = 0
    for limb in range(len(value)):
        carry += value[limb] + other[limb]
        value[limb] = carry & (1 << _LIMB) - 1
        carry >>= _LIMB


@compiled
def told(shape: Shape, work: Workspace, hands: Hands, marginals: Floats, verdicts: Small) -> None:
    """Write how likely each card is with each holder, and what is certain of it."""
    holders = len(shape.least) + 1
    total = work.behind[0]
    marginals[:] = 0.0
    for card in range(shape.cards):
        for h in range(holders):
            if work.has[h] >> card & 1:
                marginals[card, h] = 1.0
    for layer in range(work.numbers[LAYERS]):
        card = work.open_cards[layer]
        for place in range(work.choices[layer]):
            pool = work.candidates[layer, place]
            for h in range(holders):
                if work.pool_of[h] != pool:
                    continue
                share = 1.0
                if hands.members[pool] > 1:
                    if hands.least[pool] < hands.most[pool]:
                        share = 1.0 / hands.members[pool]
                    else:
                        share = hands.least_of[h] / hands.least[pool]
                marginals[card, h] = work.flows[layer, place] / total * share
    for card in range(shape.cards):
        possible = 0
        for h in range(holders):
            possible += marginals[card, h] > 0.0
        for h in range(holders):
            if marginals[card, h] == 0.0:
                verdicts[card, h] = 2
            elif possible == 1:
                verdicts[card, h], marginals[card, h] = 1, 1.0
            else:
                verdicts[card, h] = 0
