"""
The engine for work done a million times: one position evaluated by functions that numba compiles.

A position is flat: rows of evidence, each a holder, a mask of cards and what it says of them. The
same sums as in `diagram` and `solutions` run over one array of integers: a state is how many cards
each hand has got, whether the rules under way are met, and which categories the envelope has, all
packed into one integer. Unlike there no automaton is built before: what a hand cannot come to is
left out by what it still needs. Certain is what no path can change: a marginal of zero is a proof,
as all weights are positive.

Everything here takes and gives arrays; `batch` is what people call. What does not fit the fixed
shapes (too many bits, holders or open rules) is answered with a status, and `batch` hands that
position over to the other engine.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FITS, CLASH, FULL, FOREIGN = 0, 1, 2, 3
"""How it ended: as asked; no deal fits; the workspace is too small; not a shape for this engine."""

HAS, LACKS, FACTOR = 0, 1, 2
"""What a row says: one of the cards at least; not all of them; from `FACTOR` on, a table's number."""

MOST_HOLDERS, MOST_CARDS, MOST_RULES, _MOST_BITS = 24, 60, 192, 62

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the machine code on disk."""
    made: Function = numba.njit(cache=True, error_model="numpy")(function)
    return made


class Shape(NamedTuple):
    """
    A table in numbers.

    Attributes:
        cards: Number of cards in play.
        categories: The mask of each category's cards, shape (categories,).
        least, most: Bounds of the hands' sizes, shape (holders - 1,): seats, then slots.
        tables: Weights by the number of a mask's cards that a hand has, shape (tables, cards + 1).
    """

    cards: int
    categories: Ints
    least: Ints
    most: Ints
    tables: Floats


class Workspace(NamedTuple):
    """
    Memory for one position at a time; what the engine leaves in it is the deal diagram.

    Attributes:
        open_cards: The cards in the order of the layers.
        pool_of: For each holder the number of its pool.
        candidates, choices: For each layer the pools that may have its card, and how many.
        flows: For each layer the weight that goes to each of those pools.
        states: Where each layer's states begin; behind the last layer too.
        keys, ahead, deals, behind, arrows: For each state its key, the weight and the number of
            ways to it, the weight of the ways on from it, and where its arrows begin.
        to, weight, choice: For each arrow the state it leads to, what it multiplies by, and the
            place of its pool among the candidates.
        hashed: A hash table of places, each with the count by which the table is cleared.
        row_state, row_taken, row_weight: Weight split by state and by the envelope's cards so far.
        rows, row_ends: For each state behind the middle where its rows begin and end.
        can, has: For each holder the mask of the cards that it may have, that it has.
        numbers: Counts that functions hand on: layers, pools, generation of the hash table.
    """

    open_cards: Ints
    pool_of: Ints
    candidates: Ints
    choices: Ints
    flows: Floats
    states: Ints
    keys: Ints
    ahead: Floats
    deals: Floats
    behind: Floats
    arrows: Ints
    to: npt.NDArray[np.int32]
    weight: Floats
    choice: npt.NDArray[np.int8]
    hashed: Ints
    row_state: Ints
    row_taken: Ints
    row_weight: Floats
    rows: Ints
    row_ends: Ints
    can: Ints
    has: Ints
    numbers: Ints


LAYERS, POOLS, MARK = 0, 1, 2


def workspace(states: int) -> Workspace:
    """Return memory for positions of up to so many states; some 200 bytes for each."""
    arrows, slots = 4 * states, 1
    while slots < 4 * states:
        slots *= 2
    return Workspace(
        open_cards=np.zeros(MOST_CARDS, np.int64),
        pool_of=np.zeros(MOST_HOLDERS, np.int64),
        candidates=np.zeros((MOST_CARDS, MOST_HOLDERS), np.int64),
        choices=np.zeros(MOST_CARDS, np.int64),
        flows=np.zeros((MOST_CARDS, MOST_HOLDERS)),
        states=np.zeros(MOST_CARDS + 2, np.int64),
        keys=np.zeros(states, np.int64),
        ahead=np.zeros(states),
        deals=np.zeros(states),
        behind=np.zeros(states),
        arrows=np.zeros(states + 1, np.int64),
        to=np.zeros(arrows, np.int32),
        weight=np.zeros(arrows),
        choice=np.zeros(arrows, np.int8),
        hashed=np.zeros(slots, np.int64),
        row_state=np.zeros(2 * arrows, np.int64),
        row_taken=np.zeros(2 * arrows, np.int64),
        row_weight=np.zeros(2 * arrows),
        rows=np.zeros(states, np.int64),
        row_ends=np.zeros(states, np.int64),
        can=np.zeros(MOST_HOLDERS, np.int64),
        has=np.zeros(MOST_HOLDERS, np.int64),
        numbers=np.zeros(4, np.int64),
    )


_SPREAD, _PLACES = 0x9E3779B1, 1 << 32


@compiled
def _cleared(work: Workspace) -> int:
    """Clear the hash table: what is below the number returned is nothing."""
    work.numbers[MARK] += _PLACES
    return work.numbers[MARK]


@compiled
def _bits(mask: int) -> int:
    """Return how many cards a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def _narrowed(shape: Shape, kind: Ints, holder: Ints, cards: Ints, work: Workspace) -> bool:
    """
    Find what single rows and sizes settle: who can have which card, who has it.

    Returns:
        Whether nothing contradicts so far.
    """
    hands = len(shape.least)
    can, has = work.can, work.has
    everything = (1 << shape.cards) - 1
    for h in range(hands + 1):
        can[h], has[h] = everything, 0
    changed = True
    while changed:
        changed = False
        for row in range(len(kind)):
            h, mask = holder[row], cards[row]
            if kind[row] == HAS:
                if mask & has[h]:
                    continue
                left = mask & can[h]
                if not left:
                    return False
                if not left & left - 1:
                    has[h] |= left
                    changed = True
            elif kind[row] == LACKS and not mask & ~can[h]:
                left = mask & ~has[h]
                if not left:
                    return False
                if not left & left - 1:
                    can[h] &= ~left
                    changed = True
        for category in shape.categories:
            sure, may = category & has[hands], category & can[hands]
            if not may or sure & sure - 1:
                return False
            if sure:
                if may != sure:
                    can[hands] &= ~category | sure
                    changed = True
            elif not may & may - 1:
                has[hands] |= may
                changed = True
        for h in range(hands):
            if has[h] & ~can[h]:
                return False
            sure, may = _bits(has[h]), _bits(can[h])
            if sure > shape.most[h] or may < shape.least[h]:
                return False
            if sure != may and (sure == shape.most[h] or may == shape.least[h]):
                if sure == shape.most[h]:
                    can[h] = has[h]
                else:
                    has[h] = can[h]
                changed = True
        once, twice = 0, 0
        for h in range(hands + 1):
            twice |= once & can[h]
            once |= can[h]
        if once != everything:
            return False
        taken = 0
        for h in range(hands + 1):
            alone = can[h] & ~twice & ~has[h]
            if alone:
                has[h] |= alone
                changed = True
            if taken & has[h] or has[h] & ~can[h]:
                return False
            taken |= has[h]
        for h in range(hands + 1):
            if can[h] & taken & ~has[h]:
                can[h] &= ~taken | has[h]
                changed = True
    return True


@compiled
def _gathered(
    shape: Shape, kind: Ints, holder: Ints, cards: Ints, work: Workspace, rules: "Rules"
) -> int:
    """Collect the open rules, those of one mask as one; return how many, -1 if too many."""
    can, has = work.can, work.has
    found = 0
    for row in range(len(kind)):
        h = holder[row]
        mask = cards[row] & can[h] & ~has[h]
        needs = kind[row] == HAS
        known = _bits(cards[row] & has[h])
        size = _bits(mask)
        if needs:
            if known:
                continue
        elif kind[row] == LACKS:
            if cards[row] & ~can[h]:
                continue
        else:
            table = shape.tables[kind[row] - FACTOR]
            steady = True
            for k in range(1, size + 1):
                steady = steady and table[known + k] == table[known]
            if steady:
                if table[known] == 0.0:
                    return -2
                continue
        at = 0
        while at < found:
            if rules.holder[at] == h and rules.needs[at] == needs:
                if rules.cards[at] == mask:
                    break
                if needs and rules.cards[at] & mask == rules.cards[at]:
                    break  # what is there says more
                if needs and rules.cards[at] & mask == mask:
                    rules.cards[at] = mask
                    break
            at += 1
        if at == found:
            if found == MOST_RULES:
                return -1
            found += 1
            rules.holder[at], rules.cards[at], rules.needs[at] = h, mask, needs
            rules.table[at, : size + 1] = 1.0
        if kind[row] == LACKS:
            rules.table[at, size] = 0.0
        elif not needs:
            for k in range(size + 1):
                rules.table[at, k] *= table[known + k]
    return found


class Rules(NamedTuple):
    """
    The open rules: a hand's need of one of some cards, or weights by how many of them it has.

    Attributes:
        holder, cards, needs, table: What a rule says; the table only where it is no need.
        cap: From this number of cards on the weight of a table does not change.
        first, last: The layers of a rule's first and last card.
        shift: Where its bits stand in a state.
    """

    holder: Ints
    cards: Ints
    needs: npt.NDArray[np.bool_]
    table: Floats
    cap: Ints
    first: Ints
    last: Ints
    shift: Ints


def no_rules() -> Rules:
    """Return memory for the rules of one position."""
    return Rules(
        holder=np.zeros(MOST_RULES, np.int64),
        cards=np.zeros(MOST_RULES, np.int64),
        needs=np.zeros(MOST_RULES, np.bool_),
        table=np.ones((MOST_RULES, MOST_CARDS + 1)),
        cap=np.zeros(MOST_RULES, np.int64),
        first=np.zeros(MOST_RULES, np.int64),
        last=np.zeros(MOST_RULES, np.int64),
        shift=np.zeros(MOST_RULES, np.int64),
    )


@compiled
def _ordered(shape: Shape, work: Workspace, rules: Rules, count: int) -> int:
    """Put the open cards in the order of `diagram.card_order`; return how many there are."""
    open_cards = 0
    for h in range(len(shape.least) + 1):
        open_cards |= work.can[h] & ~work.has[h]
    envelope = work.can[len(shape.least)] & ~work.has[len(shape.least)]
    masks = np.zeros(count + len(shape.categories), np.int64)
    masks[:count] = rules.cards[:count]
    for number, category in enumerate(shape.categories):
        masks[count + number] = category & envelope
    begins = np.zeros(shape.cards, np.int64)
    ends = np.zeros(shape.cards, np.int64)
    furthers = np.zeros(shape.cards, np.int64)
    left = np.zeros(len(masks), np.int64)
    for rule, mask in enumerate(masks):
        left[rule] = _bits(mask)
        for card in range(shape.cards):
            if mask >> card & 1:
                begins[card] += 1
                furthers[card] += 1
                ends[card] += left[rule] == 1
    layers = 0
    while open_cards:
        best, least = -1, 0
        for card in range(shape.cards):
            if open_cards >> card & 1:
                cost = (begins[card] - ends[card]) * 1024 - furthers[card]
                if best < 0 or cost < least:
                    best, least = card, cost
        open_cards &= ~(1 << best)
        work.open_cards[layers] = best
        for rule, mask in enumerate(masks):
            if mask >> best & 1:
                left[rule] -= 1
                fresh = left[rule] + 1 == _bits(mask)
                if fresh or left[rule] == 1:
                    for card in range(shape.cards):
                        if mask >> card & 1:
                            begins[card] -= fresh
                            if left[rule] == 1 and open_cards >> card & 1:
                                ends[card] += 1
        layers += 1
    work.numbers[LAYERS] = layers
    return layers


@compiled
def _pooled(shape: Shape, work: Workspace, rules: Rules, count: int, hands: "Hands") -> int:
    """Put hands that nothing tells apart into pools, the envelope last; return how many."""
    envelope = len(shape.least)
    found = 0
    for h in range(envelope + 1):
        may = work.can[h] & ~work.has[h]
        held = _bits(work.has[h])
        least, most = 0, 0
        ruled = h == envelope
        if h < envelope:
            least, most = max(shape.least[h] - held, 0), min(shape.most[h] - held, _bits(may))
            for rule in range(count):
                ruled = ruled or rules.holder[rule] == h
        at = found
        if not ruled and most - least <= 1:
            for pool in range(found):
                if hands.ruled[pool] or hands.may[pool] != may:
                    continue
                first = hands.first[pool]
                exact = hands.least_of[first] == hands.most_of[first]
                if exact and least == most:
                    at = pool
                elif not exact and least < most and least == hands.least_of[first]:
                    at = pool
        hands.least_of[h], hands.most_of[h] = least, most
        work.pool_of[h] = at
        if at == found:
            found += 1
            hands.may[at], hands.ruled[at], hands.first[at] = may, ruled, h
            hands.least[at], hands.most[at], hands.members[at] = 0, 0, 0
        hands.least[at] += least
        hands.most[at] += most
        hands.members[at] += 1
    work.numbers[POOLS] = found
    return found


class Hands(NamedTuple):
    """
    The pools of hands, and the open sizes of each holder's hand.

    Attributes:
        may, least, most, members, first, ruled: For each pool its open cards, bounds of their
            number, how many hands it has, the first of them, whether a rule speaks of it.
        least_of, most_of: For each holder how many open cards it gets at least and at most.
        shift, mask: For each pool where a state has the number of cards that it got.
    """

    may: Ints
    least: Ints
    most: Ints
    members: Ints
    first: Ints
    ruled: npt.NDArray[np.bool_]
    least_of: Ints
    most_of: Ints
    shift: Ints
    mask: Ints


def no_hands() -> Hands:
    """Return memory for the hands of one position."""
    numbers = [np.zeros(MOST_HOLDERS, np.int64) for _ in range(9)]
    return Hands(*numbers[:5], np.zeros(MOST_HOLDERS, np.bool_), *numbers[5:])


@compiled
def _packed(
    shape: Shape, work: Workspace, rules: Rules, count: int, hands: Hands, filled: Ints
) -> int:
    """
    Give everything in a state its bits; a rule's are used again once its last card is placed.

    Args:
        filled: Where to write each category's bit; 0 if its card is known.

    Returns:
        `FITS`, or `FOREIGN` if the bits do not suffice.
    """
    layers, pools, envelope = work.numbers[LAYERS], work.numbers[POOLS], len(shape.least)
    shift = 0
    for pool in range(pools - 1):
        width = 0
        while hands.most[pool] >> width:
            width += 1
        hands.shift[pool], hands.mask[pool] = shift, (1 << width) - 1
        shift += width
    hands.shift[pools - 1], hands.mask[pools - 1] = 0, 0
    for number, category in enumerate(shape.categories):
        filled[number] = 0
        if not category & work.has[envelope]:
            filled[number] = 1 << shift
            shift += 1
    if shift > _MOST_BITS:
        return FOREIGN
    for rule in range(count):
        rules.first[rule] = -1
        for layer in range(layers):
            if rules.cards[rule] >> work.open_cards[layer] & 1:
                if rules.first[rule] < 0:
                    rules.first[rule] = layer
                rules.last[rule] = layer
        cap = 1
        if not rules.needs[rule]:
            cap = _bits(rules.cards[rule])
            while cap > 1 and rules.table[rule, cap - 1] == rules.table[rule, cap]:
                cap -= 1
        rules.cap[rule] = cap
    used = (1 << shift) - 1
    for layer in range(layers):
        for rule in range(count):
            width = 0
            while rules.cap[rule] >> width:
                width += 1
            if rules.last[rule] == layer and rules.first[rule] < layer:
                used &= ~(((1 << width) - 1) << rules.shift[rule])
        for rule in range(count):
            if rules.first[rule] == layer and rules.last[rule] > layer:
                width = 0
                while rules.cap[rule] >> width:
                    width += 1
                at = 0
                while used >> at & (1 << width) - 1:
                    at += 1
                if at + width > _MOST_BITS:
                    return FOREIGN
                rules.shift[rule] = at
                used |= ((1 << width) - 1) << at
    return FITS


@compiled
def _built(
    shape: Shape, work: Workspace, rules: Rules, count: int, hands: Hands, filled: Ints
) -> int:
    """Build the diagram layer by layer, summing weights and numbers of ways to each state."""
    layers, pools, envelope = work.numbers[LAYERS], work.numbers[POOLS], len(shape.least)
    slots_in_all, room = len(work.hashed), len(work.keys)
    take = np.zeros(MOST_HOLDERS, np.int64)
    skip = np.zeros(MOST_HOLDERS, np.int64)
    take_weight = np.ones(MOST_HOLDERS)
    skip_weight = np.ones(MOST_HOLDERS)
    can_take = np.zeros(MOST_HOLDERS, np.bool_)
    pool_rules = np.zeros((MOST_HOLDERS, count + 1), np.int64)
    rules_here = np.zeros(MOST_HOLDERS, np.int64)
    opening = np.zeros(MOST_HOLDERS, np.int64)
    meeting = np.zeros(MOST_HOLDERS, np.int64)
    closing = np.zeros(MOST_HOLDERS, np.int64)
    unmet = np.zeros(MOST_HOLDERS, np.int64)
    pending = np.zeros(MOST_HOLDERS, np.bool_)
    left = np.zeros(MOST_HOLDERS, np.int64)
    for pool in range(pools):
        left[pool] = _bits(hands.may[pool])
    rest = 0
    for layer in range(layers):
        rest |= 1 << work.open_cards[layer]
    work.keys[0], work.ahead[0], work.deals[0] = 0, 1.0, 1.0
    work.states[0], work.states[1] = 0, 1
    arrow, last = 0, pools - 1
    for layer in range(layers):
        card = work.open_cards[layer]
        rest &= ~(1 << card)
        choices = 0
        for pool in range(pools):
            if hands.may[pool] >> card & 1:
                work.candidates[layer, choices] = pool
                choices += 1
        work.choices[layer] = choices
        category, final = 0, False
        for number, mask in enumerate(shape.categories):
            if mask >> card & 1:
                category = filled[number]
                final = not mask & rest & hands.may[last]
        weighing = False
        for place in range(choices):
            pool = work.candidates[layer, place]
            left[pool] -= 1
            rules_here[place] = 0
            opening[place] = meeting[place] = closing[place] = unmet[place] = 0
            pending[place] = False
            for rule in range(count):
                if work.pool_of[rules.holder[rule]] != pool or rules.last[rule] < layer:
                    continue
                bit = 1 << rules.shift[rule]
                if rules.needs[rule]:
                    if rules.first[rule] > layer:
                        pending[place] = True
                        continue
                    if rules.last[rule] > layer and rules.first[rule] < layer:
                        unmet[place] |= bit
                if not rules.cards[rule] >> card & 1:
                    continue
                if not rules.needs[rule]:
                    pool_rules[place, rules_here[place]] = rule
                    rules_here[place] += 1
                    weighing = weighing or rules.last[rule] == layer
                elif rules.first[rule] == layer:
                    opening[place] |= bit
                else:
                    meeting[place] |= bit
                    if rules.last[rule] == layer:
                        closing[place] |= bit
        slots = 64
        while slots < 4 * choices * (work.states[layer + 1] - work.states[layer]):
            slots *= 2
        slots = min(slots, slots_in_all)
        mark = _cleared(work)
        fresh = work.states[layer + 1]
        for state in range(work.states[layer], work.states[layer + 1]):
            work.arrows[state] = arrow
            key = work.keys[state]
            skipping, forced, must, dead = 0, 0, -1, False
            all_skip = 1.0
            for place in range(choices):
                pool = work.candidates[layer, place]
                skip[place] = opening[place]
                take[place] = -(key & meeting[place])
                skips = not key & closing[place]
                if pool == last:
                    takes = not key & category
                    skips = skips and not (final and takes)
                    take[place] += category
                else:
                    got = key >> hands.shift[pool] & hands.mask[pool]
                    takes = got < hands.most[pool]
                    skips = skips and hands.least[pool] - got <= left[pool]
                    take[place] += 1 << hands.shift[pool]
                    if got + 1 == hands.most[pool] and takes:
                        unmet_then = key & unmet[place] & ~meeting[place]
                        takes = not (pending[place] or unmet_then)
                if weighing:
                    take_weight[place] = skip_weight[place] = 1.0
                for number in range(rules_here[place]):
                    rule = pool_rules[place, number]
                    cap, shift = rules.cap[rule], rules.shift[rule]
                    begun = 0
                    if rules.first[rule] < layer:
                        width = cap | cap >> 1
                        width |= width >> 2
                        width |= width >> 4
                        begun = key >> shift & width
                    more = min(begun + 1, cap)
                    if rules.last[rule] == layer:
                        skip[place] -= begun << shift
                        take[place] -= begun << shift
                        skip_weight[place] *= rules.table[rule, begun]
                        take_weight[place] *= rules.table[rule, more]
                        skips = skips and rules.table[rule, begun] > 0.0
                        takes = takes and rules.table[rule, more] > 0.0
                    else:
                        take[place] += (more - begun) << shift
                can_take[place] = takes
                skipping += skip[place]
                if not skips:
                    forced += 1
                    must = place
                    dead = dead or not takes
                elif weighing:
                    all_skip *= skip_weight[place]
            if dead or forced > 1:
                continue
            for place in range(choices):
                if not can_take[place] or (forced and place != must):
                    continue
                weight = 1.0
                if weighing:
                    weight = take_weight[place] * all_skip
                    if not forced:
                        weight /= skip_weight[place]
                after = key + skipping - skip[place] + take[place]
                slot = (after ^ after >> 17) * _SPREAD >> 20 & slots - 1
                while work.hashed[slot] >= mark and work.keys[work.hashed[slot] - mark] != after:
                    slot = slot + 1 & slots - 1
                if work.hashed[slot] >= mark:
                    to = work.hashed[slot] - mark
                else:
                    if fresh + 1 >= room or arrow + choices >= len(work.to):
                        return FULL
                    to = fresh
                    work.hashed[slot] = mark + to
                    work.keys[to], work.ahead[to], work.deals[to] = after, 0.0, 0.0
                    fresh += 1
                work.to[arrow], work.weight[arrow], work.choice[arrow] = to, weight, place
                arrow += 1
                work.ahead[to] += weight * work.ahead[state]
                work.deals[to] += work.deals[state]
        work.states[layer + 2] = fresh
        if fresh == work.states[layer + 1]:
            return CLASH
    for state in range(work.states[layers], work.states[layers + 1] + 1):
        work.arrows[state] = arrow
    return FITS


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


@compiled
def _passed_back(work: Workspace, hands: Hands) -> tuple[float, float]:
    """Sum the weights of the ways on from each state; return the weight and number of deals."""
    layers = work.numbers[LAYERS]
    deals = 0.0
    nothing = np.zeros(1, np.int64)
    for state in range(work.states[layers], work.states[layers + 1]):
        ways = 1.0
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = work.keys[state] >> hands.shift[pool] & hands.mask[pool]
                ways *= _ways(hands, work, pool, total, nothing)
        work.behind[state] = ways
        deals += ways * work.deals[state]
    work.flows[:layers] = 0.0
    for layer in range(layers - 1, -1, -1):
        flow = work.flows[layer]
        for state in range(work.states[layer], work.states[layer + 1]):
            onward, before = 0.0, work.ahead[state]
            for arrow in range(work.arrows[state], work.arrows[state + 1]):
                part = work.weight[arrow] * work.behind[work.to[arrow]]
                onward += part
                flow[work.choice[arrow]] += before * part
            work.behind[state] = onward
    return work.behind[0], deals


@compiled
def _counted(work: Workspace, hands: Hands, estimate: float, deals: Ints) -> None:
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
    for state in range(work.states[layers]):
        for arrow in range(work.arrows[state], work.arrows[state + 1]):
            _added(counts[work.to[arrow]], counts[state])
    for state in range(work.states[layers], work.states[layers + 1]):
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = work.keys[state] >> hands.shift[pool] & hands.mask[pool]
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
def _told(
    shape: Shape, work: Workspace, hands: Hands, marginals: Floats, verdicts: npt.NDArray[np.int8]
) -> None:
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


@compiled
def _kinds(
    shape: Shape, work: Workspace, rules: Rules, count: int, kind_of: Ints, strides: Ints
) -> int:
    """
    Number the envelope's open cards by kind in each category, from 1; return the last stride.

    Cards are of one kind if the same holders can have them under the same rules.
    """
    envelope = len(shape.least)
    open_cards = work.can[envelope] & ~work.has[envelope]
    words = 1 + count // _MOST_BITS
    told = np.zeros((shape.cards, 1 + words), np.int64)
    for card in range(shape.cards):
        if open_cards >> card & 1:
            for h in range(envelope):
                told[card, 0] |= (work.can[h] >> card & 1) << h
            for rule in range(count):
                bit = rule % _MOST_BITS
                told[card, 1 + rule // _MOST_BITS] |= (rules.cards[rule] >> card & 1) << bit
    stride = 1
    for number, category in enumerate(shape.categories):
        strides[number] = stride
        kinds = 0
        for card in range(shape.cards):
            if not category & open_cards & 1 << card:
                continue
            kind_of[card] = 0
            for other in range(card):
                if category & open_cards & 1 << other:
                    alike = True
                    for word in range(words + 1):
                        alike = alike and told[card, word] == told[other, word]
                    if alike:
                        kind_of[card] = kind_of[other]
                        break
            if not kind_of[card]:
                kinds += 1
                kind_of[card] = kinds
        stride *= kinds + 1
    return stride


@compiled
def _middle(shape: Shape, work: Workspace, kind_of: Ints) -> int:
    """Return the boundary up to which splitting from both ends should cost least."""
    layers, envelope = work.numbers[LAYERS], len(shape.least)
    open_cards = work.can[envelope] & ~work.has[envelope]
    cost = np.zeros(layers + 1)
    for direction in range(2):
        seen = np.zeros(len(shape.categories), np.int64)
        so_far = 1.0
        for step in range(layers):
            layer = step if direction == 0 else layers - 1 - step
            boundary = layer + 1 if direction == 0 else layer
            card = work.open_cards[layer]
            if open_cards >> card & 1:
                for number, category in enumerate(shape.categories):
                    if category >> card & 1:
                        seen[number] |= 1 << kind_of[card]
            ways = 1.0
            for number in range(len(seen)):
                ways *= 1 + _bits(seen[number])
            so_far += ways * (work.states[layer + 1] - work.states[layer])
            cost[boundary] += so_far
        cost[0 if direction == 0 else layers] += 1.0
    return np.argmin(cost)


_MOST_CODES = 1 << 16
"""How many ways of filling the envelope, card kinds counted once, are told apart at most."""


@compiled
def _split_ahead(
    shape: Shape, work: Workspace, kind_of: Ints, step_of: Ints, codes: int, middle: int
) -> int:
    """Split the weight up to the middle by the envelope's cards; return how many rows there are."""
    last = work.numbers[POOLS] - 1
    room, slots_in_all = len(work.row_state), len(work.hashed)
    begin, end = 0, 1
    work.row_state[0], work.row_taken[0], work.row_weight[0] = 0, 0, 1.0
    for layer in range(middle):
        card = work.open_cards[layer]
        arrows = work.arrows[work.states[layer + 1]] - work.arrows[work.states[layer]]
        slots = 64
        while slots < 4 * (end - begin) * work.choices[layer] and slots < 4 * arrows * codes:
            slots *= 2
        slots = min(slots, slots_in_all)
        mark = _cleared(work)
        fresh = end
        for row in range(begin, end):
            state = work.row_state[row]
            for arrow in range(work.arrows[state], work.arrows[state + 1]):
                to = work.to[arrow]
                if work.behind[to] == 0.0:
                    continue
                taken = work.row_taken[row]
                if work.candidates[layer, work.choice[arrow]] == last:
                    taken += step_of[card]
                key = to * codes + taken
                slot = (key ^ key >> 17) * _SPREAD >> 20 & slots - 1
                at = work.hashed[slot] - mark
                while at >= 0 and not (work.row_taken[at] == taken and work.row_state[at] == to):
                    slot = slot + 1 & slots - 1
                    at = work.hashed[slot] - mark
                if at < 0:
                    if fresh >= room or 2 * (fresh - end) >= slots_in_all:
                        return -1
                    at = fresh
                    work.hashed[slot] = mark + at
                    work.row_state[at], work.row_taken[at], work.row_weight[at] = to, taken, 0.0
                    fresh += 1
                work.row_weight[at] += work.row_weight[row] * work.weight[arrow]
        if fresh > room // 2 and begin > 0:  # the rows before are not needed any more
            count = fresh - end
            for row in range(count):
                work.row_state[row] = work.row_state[end + row]
                work.row_taken[row] = work.row_taken[end + row]
                work.row_weight[row] = work.row_weight[end + row]
            begin, end = 0, count
        else:
            begin, end = end, fresh
    count = end - begin
    for row in range(count):
        work.row_state[row] = work.row_state[begin + row]
        work.row_taken[row] = work.row_taken[begin + row]
        work.row_weight[row] = work.row_weight[begin + row]
    return count


@compiled
def _split_back(
    shape: Shape, work: Workspace, step_of: Ints, codes: int, middle: int, begin: int
) -> int:
    """
    Split the weight from the end back to the middle; `work.rows` says where a state's rows begin.

    Args:
        begin: Where in the rows there is room.

    Returns:
        Where the rows end, -1 if there is not enough room.
    """
    last, layers = work.numbers[POOLS] - 1, work.numbers[LAYERS]
    room, end = len(work.row_state), begin
    ends = work.row_ends
    for state in range(work.states[layers], work.states[layers + 1]):
        if end >= room:
            return -1
        work.rows[state] = end
        work.row_taken[end], work.row_weight[end] = 0, work.behind[state]
        end += 1
        ends[state] = end
    for layer in range(layers - 1, middle - 1, -1):
        card = work.open_cards[layer]
        for state in range(work.states[layer], work.states[layer + 1]):
            work.rows[state] = end
            if work.behind[state] == 0.0:
                ends[state] = end
                continue
            mark = _cleared(work)
            for arrow in range(work.arrows[state], work.arrows[state + 1]):
                to, weight, step = work.to[arrow], work.weight[arrow], 0
                if work.candidates[layer, work.choice[arrow]] == last:
                    step = step_of[card]
                for row in range(work.rows[to], ends[to]):
                    taken = work.row_taken[row] + step
                    at = work.hashed[taken] - mark
                    if at < 0:
                        if end >= room:
                            return -1
                        at = end
                        work.hashed[taken] = mark + at
                        work.row_taken[at], work.row_weight[at] = taken, 0.0
                        end += 1
                    work.row_weight[at] += weight * work.row_weight[row]
            ends[state] = end
    return end


@compiled
def _posterior(shape: Shape, work: Workspace, rules: Rules, count: int, chances: Floats) -> int:
    """
    Write how likely each solution is, shape (product of the categories' sizes,).

    A solution's place counts the cards of each category in order, the last category fastest.
    """
    kind_of = np.zeros(shape.cards, np.int64)
    strides = np.zeros(len(shape.categories), np.int64)
    codes = _kinds(shape, work, rules, count, kind_of, strides)
    if codes > _MOST_CODES or codes > len(work.hashed):
        return FOREIGN if codes > _MOST_CODES else FULL
    envelope = len(shape.least)
    open_cards = work.can[envelope] & ~work.has[envelope]
    step_of = np.zeros(shape.cards, np.int64)
    for number, category in enumerate(shape.categories):
        for card in range(shape.cards):
            if category & open_cards & 1 << card:
                step_of[card] = kind_of[card] * strides[number]
    middle = _middle(shape, work, kind_of)
    ahead = _split_ahead(shape, work, kind_of, step_of, codes, middle)
    if ahead < 0 or _split_back(shape, work, step_of, codes, middle, ahead) < 0:
        return FULL
    met = np.zeros(codes)
    for row in range(ahead):
        state = work.row_state[row]
        for other in range(work.rows[state], work.row_ends[state]):
            met[work.row_taken[row] + work.row_taken[other]] += (
                work.row_weight[row] * work.row_weight[other]
            )
    chances[:] = 0.0
    places, members = _listed(shape, kind_of, open_cards, work.has[envelope])
    chosen = np.zeros(2 * len(chances), np.int64)
    for code in range(codes):
        if met[code] == 0.0:
            continue
        found, size = 1, 1
        chosen[0] = 0
        for number in range(len(strides)):
            kinds = codes if number + 1 == len(strides) else strides[number + 1]
            kind = code % kinds // strides[number]
            many, reached = members[number, kind], found
            for place in range(many):
                for each in range(found):
                    chosen[reached + each] = chosen[each] + places[number, kind, place]
                reached += found
            for each in range(reached - found):
                chosen[each] = chosen[found + each]
            found = reached - found
            size *= many
        for each in range(found):
            chances[chosen[each]] = met[code] / work.behind[0] / size
    return FITS


@compiled
def _listed(shape: Shape, kind_of: Ints, open_cards: int, known: int) -> tuple[Ints, Ints]:
    """Return what each card adds to a solution's place, by category and kind; and how many."""
    categories = len(shape.categories)
    places = np.zeros((categories, shape.cards + 1, shape.cards), np.int64)
    members = np.zeros((categories, shape.cards + 1), np.int64)
    stride = 1
    for number in range(categories - 1, -1, -1):
        place = 0
        for card in range(shape.cards):
            if not shape.categories[number] >> card & 1:
                continue
            kind = kind_of[card] if open_cards >> card & 1 else 0
            if kind or known >> card & 1:
                places[number, kind, members[number, kind]] = place * stride
                members[number, kind] += 1
            place += 1
        stride *= place
    return places, members


@compiled
def opened(
    shape: Shape, kind: Ints, holder: Ints, cards: Ints, work: Workspace, rules: Rules, hands: Hands
) -> tuple[int, int]:
    """Build the diagram of one position and pass through it; return the status, and the rules."""
    if not _narrowed(shape, kind, holder, cards, work):
        return CLASH, 0
    count = _gathered(shape, kind, holder, cards, work, rules)
    if count < 0:
        return FOREIGN if count == -1 else CLASH, 0
    _ordered(shape, work, rules, count)
    _pooled(shape, work, rules, count, hands)
    filled = np.zeros(len(shape.categories), np.int64)
    status = _packed(shape, work, rules, count, hands, filled)
    if status == FITS:
        status = _built(shape, work, rules, count, hands, filled)
    return status, count


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
    """

    status: npt.NDArray[np.int8]
    verdicts: npt.NDArray[np.int8]
    marginals: Floats
    deals: Ints
    solutions: Floats
    bits: Floats


@compiled
def evaluate(
    shape: Shape, kind: Ints, holder: Ints, cards: Ints, length: Ints, which: Ints,
    work: Workspace, rules: Rules, hands: Hands, answers: Answers,
) -> None:  # fmt: skip
    """
    Evaluate many positions of one table.

    Args:
        shape: The table.
        kind, holder, cards: The rows of each position, shape (positions, rows).
        length: How many of a position's rows count, shape (positions,).
        which: The numbers of the positions to evaluate.
        work, rules, hands: Memory.
        answers: Where to write.
    """
    for at in which:
        rows = length[at]
        status, count = opened(
            shape, kind[at, :rows], holder[at, :rows], cards[at, :rows], work, rules, hands
        )
        if status == FITS:
            weight, deals = _passed_back(work, hands)
            if weight == 0.0:
                status = CLASH
            else:
                _counted(work, hands, deals, answers.deals[at])
                _told(shape, work, hands, answers.marginals[at], answers.verdicts[at])
                status = _posterior(shape, work, rules, count, answers.solutions[at])
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
