"""What the diagram says of the deals: their number, to the last digit, and each card's holder."""

from clue_solver.inference.compiled.arrays import (
    LANES,
    LAYERS,
    POOLS,
    Diagram,
    Floats,
    Hands,
    Ints,
    Small,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled, inlined

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
def passed_back(diagram: Diagram, work: Workspace, hands: Hands) -> float:
    """Sum the weights of the ways on from each state; return the number of deals."""
    states, arrows, targets, weights = work.states, work.arrows, diagram.to, diagram.weight
    starts = diagram.start
    chosen, ahead, behind, flows = diagram.choice, diagram.ahead, diagram.behind, work.flows
    layers = work.numbers[LAYERS]
    deals = 0.0
    nothing = work.counted[0, :1]  # no number is asked for here
    for state in range(states[layers], states[layers + 1]):
        ways = 1.0
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = _held(hands, diagram.keys[state], pool)
                ways *= _ways(hands, work, pool, total, nothing)
        for level in range(LANES):
            behind[LANES * state + level] = ways
        deals += ways * diagram.deals[state]
    for layer in range(layers - 1, -1, -1):
        flow = flows[layer]
        for choice in range(work.choices[layer]):
            for level in range(LANES):
                flow[choice, level] = 0.0
        for place in range(LANES * states[layer], LANES * states[layer + 1]):
            behind[place] = 0.0
        for arrow in range(arrows[layer], arrows[layer + 1]):
            start, to = LANES * starts[arrow], LANES * targets[arrow]
            choice = chosen[arrow]
            for level in range(LANES):
                part = weights[LANES * arrow + level] * behind[to + level]
                behind[start + level] += part
                flow[choice, level] += ahead[start + level] * part
    return deals


@compiled
def counted(diagram: Diagram, work: Workspace, hands: Hands, estimate: float, deals: Ints) -> None:
    """
    Write the exact number of deals, in limbs.

    Below 2**44 the float is within a tenth of it. Beyond, the ways to each state are summed again
    in limbs.
    """
    limbs = len(deals)
    for limb in range(limbs):
        deals[limb] = 0
    if estimate < 2.0**44:
        deals[0] = round(estimate)
        return
    layers = work.numbers[LAYERS]
    counts = diagram.after  # that it was needed for is built
    for place in range(limbs * work.states[layers + 1]):
        counts[place] = 0
    counts[0] = 1
    for arrow in range(work.arrows[layers]):
        to, start = limbs * diagram.to[arrow], limbs * diagram.start[arrow]
        _added(counts[to : to + limbs], counts[start : start + limbs])
    for state in range(work.states[layers], work.states[layers + 1]):
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = _held(hands, diagram.keys[state], pool)
                _ways(hands, work, pool, total, counts[limbs * state : limbs * (state + 1)])
        _added(deals, counts[limbs * state : limbs * (state + 1)])


@compiled
def _added(value: Ints, other: Ints) -> None:
    """Add a number in limbs to another, in place."""
    carry = 0
    for limb in range(len(value)):
        carry += value[limb] + other[limb]
        value[limb] = carry & (1 << _LIMB) - 1
        carry >>= _LIMB


@compiled
def told(work: Workspace, hands: Hands, marginals: Floats) -> None:
    """Write how likely each open card is with each holder, at all levels of care together."""
    holders = marginals.shape[1]
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
                chance = 0.0
                for level in range(LANES):
                    chance += work.flows[layer, place, level] * work.scale[level]
                marginals[card, h] = chance * share


@compiled
def marked(work: Workspace, marginals: Floats, verdicts: Small) -> None:
    """Write what is certain: what holds in all deals, and what in none."""
    cards, holders = marginals.shape
    for card in range(cards):
        possible = 0
        for h in range(holders):
            if work.has[h] >> card & 1:
                marginals[card, h] = 1.0
            possible += marginals[card, h] > 0.0
        for h in range(holders):
            if marginals[card, h] == 0.0:
                verdicts[card, h] = 2
            elif possible == 1:
                verdicts[card, h], marginals[card, h] = 1, 1.0
            else:
                verdicts[card, h] = 0
