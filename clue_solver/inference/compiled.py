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
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from clue_solver.knowledge.viewer import ALL, FACTOR, HAS, LACKS, NONE, Rows, Shape

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Small = npt.NDArray[np.int8]

FITS, CLASH, FULL, FOREIGN = 0, 1, 2, 3
"""How it ended: as asked; no deal fits; the workspace is too small; not a shape for this engine."""

MOST_HOLDERS, MOST_CARDS, MOST_RULES, _MOST_TABLES, _MOST_BITS = 24, 60, 192, 24, 62

Function = TypeVar("Function", bound=Callable[..., Any])


_MADE: list[Any] = []


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the machine code on disk."""
    made: Any = numba.njit(cache=True, error_model="numpy")(function)
    _MADE.append(made)
    return cast("Function", made)


def forget() -> None:
    """Empty what is kept on disk: an earlier version's may name what is no longer there."""
    for function in _MADE:
        function._cache.flush()


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
        row_taken, row_weight: Weight split by state and by the envelope's cards.
        rows, row_ends: For each state where its rows begin and end, shape (2, states): of what
            lies before it, and behind it.
        order: The arrows of a layer in another order.
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
    choice: Small
    hashed: Ints
    row_taken: Ints
    row_weight: Floats
    rows: Ints
    row_ends: Ints
    order: Ints
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
        row_taken=np.zeros(2 * arrows, np.int64),
        row_weight=np.zeros(2 * arrows),
        rows=np.zeros((2, states), np.int64),
        row_ends=np.zeros((2, states), np.int64),
        order=np.zeros(2 * arrows + states + 2, np.int64),
        can=np.zeros(MOST_HOLDERS, np.int64),
        has=np.zeros(MOST_HOLDERS, np.int64),
        numbers=np.zeros(4, np.int64),
    )


class Rules(NamedTuple):
    """
    The open rules: a hand's need of one of some cards, or weights by how many of them it has.

    Attributes:
        holder, cards, needs, table: What a rule says; the table only where it is no need.
        cap: From this number of cards on the weight of a table does not change.
        first, last: The layers of a rule's first and last card.
        shift, width: Where its bits stand in a state, and their mask, not shifted.
    """

    holder: Ints
    cards: Ints
    needs: npt.NDArray[np.bool_]
    table: Floats
    cap: Ints
    first: Ints
    last: Ints
    shift: Ints
    width: Ints


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
        width=np.zeros(MOST_RULES, np.int64),
    )


class Hands(NamedTuple):
    """
    The pools of hands, and the open sizes of each holder's hand.

    Attributes:
        may, least, most, members, first, ruled: For each pool its open cards, bounds of their
            number, how many hands it has, the first of them, whether a rule speaks of it.
        least_of, most_of: For each holder how many open cards it gets at least and at most.
        shift, mask: For each pool where a state has the number of cards that it got.
        filled: For each category the bit of a state that says the envelope has its card; 0 if that
            card is known.
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
    filled: Ints


def no_hands() -> Hands:
    """Return memory for the hands of one position."""
    numbers = {name: np.zeros(MOST_HOLDERS, np.int64) for name in Hands._fields if name != "ruled"}
    return Hands(ruled=np.zeros(MOST_HOLDERS, np.bool_), **numbers)


class Layers(NamedTuple):
    """
    What each layer's card means for each of the pools that may have it.

    Attributes:
        facts: By layer and candidate, the columns named by `STEP` and so on.
        tables: By layer and candidate the rules with tables that the card counts for.
        weighing: For each layer whether a table ends with its card.
    """

    facts: Ints
    tables: Ints
    weighing: npt.NDArray[np.bool_]


STEP, SHIFT, MASK, LAST, ENOUGH, OPENS, MEETS, CLOSES, UNMET, PENDING, FINAL, TABLES = range(12)
"""
Of a candidate for a card: what taking it adds to a state; where the number of its cards stands, and
its mask; the number before its last card; the number from which it may leave the card; the bits of
the needs that begin, are met and end with the card, and of others under way; whether some begin
later; whether the envelope gets no other card of the category; how many tables count the card.
"""


def no_layers() -> Layers:
    """Return memory for the layers of one position."""
    return Layers(
        facts=np.zeros((MOST_CARDS, MOST_HOLDERS, 12), np.int64),
        tables=np.zeros((MOST_CARDS, MOST_HOLDERS, _MOST_TABLES), np.int64),
        weighing=np.zeros(MOST_CARDS, np.bool_),
    )


class Memory(NamedTuple):
    """All the memory for one position at a time."""

    work: Workspace
    rules: Rules
    hands: Hands
    plan: Layers


def memory(states: int) -> Memory:
    """Return memory for positions of up to so many states."""
    return Memory(workspace(states), no_rules(), no_hands(), no_layers())


_SPREAD, _PLACES = 0x9E3779B1, 1 << 32


@compiled
def _bits(mask: np.int64 | int) -> int:
    """Return how many cards a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


_NO, _SAME, _NARROWER = -1, 0, 1


@compiled
def _narrowed(shape: Shape, kind: Ints, holder: Ints, cards: Ints, work: Workspace) -> bool:
    """
    Find what single rows and sizes settle: who can have which card, who has it.

    Returns:
        Whether nothing contradicts so far.
    """
    hands, can, has = len(shape.least), work.can, work.has
    for h in range(hands + 1):
        can[h], has[h] = (1 << shape.cards) - 1, 0
    for row in range(len(kind)):
        if kind[row] == NONE:
            can[holder[row]] &= ~cards[row]
        elif kind[row] == ALL:
            has[holder[row]] |= cards[row]
    changed = True
    while changed:
        changed = False
        for row in range(len(kind)):
            if kind[row] <= LACKS:
                told = _by_row(kind[row], holder[row], cards[row], can, has)
                if told == _NO:
                    return False
                changed = changed or told == _NARROWER
        for category in shape.categories:
            sure, may = category & has[hands], category & can[hands]
            if not may or sure & sure - 1:
                return False
            if sure and may != sure:
                can[hands] &= ~category | sure
                changed = True
            elif not sure and not may & may - 1:
                has[hands] |= may
                changed = True
        for h in range(hands):
            told = _by_size(h, shape.least[h], shape.most[h], can, has)
            if told == _NO:
                return False
            changed = changed or told == _NARROWER
        told = _by_card(shape.cards, hands + 1, can, has)
        if told == _NO:
            return False
        changed = changed or told == _NARROWER
    return True


@compiled
def _by_row(kind: int, h: int, cards: int, can: Ints, has: Ints) -> int:
    """Narrow by one row."""
    if kind == HAS:
        left = cards & can[h]
        if cards & has[h] or left & left - 1:
            return _SAME
        has[h] |= left
        return _NARROWER if left else _NO
    left = cards & ~has[h]
    if cards & ~can[h] or left & left - 1:
        return _SAME
    can[h] &= ~left
    return _NARROWER if left else _NO


@compiled
def _by_size(h: int, least: int, most: int, can: Ints, has: Ints) -> int:
    """Narrow by the size of one hand."""
    sure, may = _bits(has[h]), _bits(can[h])
    if has[h] & ~can[h] or sure > most or may < least:
        return _NO
    if sure == may or (sure < most and may > least):
        return _SAME
    if sure == most:
        can[h] = has[h]
    else:
        has[h] = can[h]
    return _NARROWER


@compiled
def _by_card(cards: int, holders: int, can: Ints, has: Ints) -> int:
    """Narrow by each card's having one holder."""
    once, twice, taken, changed = 0, 0, 0, _SAME
    for h in range(holders):
        twice |= once & can[h]
        once |= can[h]
    if once != (1 << cards) - 1:
        return _NO
    for h in range(holders):
        alone = can[h] & ~twice & ~has[h]
        if alone:
            has[h] |= alone
            changed = _NARROWER
        if taken & has[h] or has[h] & ~can[h]:
            return _NO
        taken |= has[h]
    for h in range(holders):
        if can[h] & taken & ~has[h]:
            can[h] &= ~taken | has[h]
            changed = _NARROWER
    return changed


@compiled
def _gathered(shape: Shape, kind: Ints, holder: Ints, cards: Ints, memory: Memory) -> int:
    """
    Collect the open rules, those of one mask as one.

    Returns:
        How many there are, -1 if that is too many, -2 if one cannot be.
    """
    can, has, rules = memory.work.can, memory.work.has, memory.rules
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
        elif kind[row] < FACTOR:
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


@compiled
def _ordered(shape: Shape, work: Workspace, rules: Rules, count: int) -> None:
    """
    Put the open cards in an order in which few rules are under way.

    Greedy, as `diagram.card_order`: a card that ends rules comes early, one that begins some late.
    """
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
                cost = 3 * begins[card] - 4 * ends[card] - 2 * furthers[card]
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


@compiled
def _pooled(shape: Shape, work: Workspace, rules: Rules, count: int, hands: Hands) -> None:
    """Put hands that nothing tells apart into pools, the envelope last."""
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
                alike = least == most if exact else least < most and least == hands.least_of[first]
                if alike:
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


@compiled
def _packed(shape: Shape, work: Workspace, rules: Rules, count: int, hands: Hands) -> int:
    """
    Give everything in a state its bits; a rule's are used again once its last card is placed.

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
        hands.filled[number] = 0
        if not category & work.has[envelope]:
            hands.filled[number] = 1 << shift
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
        rules.cap[rule], width = cap, 0
        while cap >> width:
            width += 1
        rules.width[rule] = (1 << width) - 1
    used = (1 << shift) - 1
    for layer in range(layers):
        for rule in range(count):
            if rules.last[rule] == layer and rules.first[rule] < layer:
                used &= ~(rules.width[rule] << rules.shift[rule])
        for rule in range(count):
            if rules.first[rule] == layer and rules.last[rule] > layer:
                at = 0
                while used >> at & rules.width[rule]:
                    at += 1
                if rules.width[rule] << at >= 1 << _MOST_BITS:
                    return FOREIGN
                rules.shift[rule] = at
                used |= rules.width[rule] << at
    return FITS


@compiled
def _prepared(shape: Shape, memory: Memory, count: int) -> int:
    """Write for each layer what its card means; return `FITS`, or `FOREIGN`."""
    work, rules, hands, plan = memory
    last, rest = work.numbers[POOLS] - 1, 0
    for layer in range(work.numbers[LAYERS]):
        rest |= 1 << work.open_cards[layer]
    for layer in range(work.numbers[LAYERS]):
        card, choices = work.open_cards[layer], 0
        rest &= ~(1 << card)
        plan.weighing[layer] = False
        for pool in range(last + 1):
            if not hands.may[pool] >> card & 1:
                continue
            work.candidates[layer, choices] = pool
            facts = plan.facts[layer, choices]
            facts[:] = 0
            if pool == last:
                for number, category in enumerate(shape.categories):
                    if category >> card & 1:
                        facts[STEP] = hands.filled[number]
                        facts[FINAL] = not category & rest & hands.may[last]
            else:
                facts[SHIFT], facts[MASK] = hands.shift[pool], hands.mask[pool]
                facts[STEP], facts[LAST] = 1 << hands.shift[pool], hands.most[pool] - 1
                facts[ENOUGH] = hands.least[pool] - _bits(hands.may[pool] & rest)
            if hands.ruled[pool]:
                for rule in range(count):
                    if work.pool_of[rules.holder[rule]] != pool or rules.last[rule] < layer:
                        continue
                    bit, here = 1 << rules.shift[rule], rules.cards[rule] >> card & 1
                    if not rules.needs[rule]:
                        if here:
                            if facts[TABLES] == _MOST_TABLES:
                                return FOREIGN
                            plan.tables[layer, choices, facts[TABLES]] = rule
                            facts[TABLES] += 1
                            plan.weighing[layer] |= rules.last[rule] == layer
                    elif rules.first[rule] > layer:
                        facts[PENDING] = 1
                    elif not here:
                        facts[UNMET] |= bit
                    elif rules.first[rule] == layer:
                        facts[OPENS] |= bit
                    else:
                        facts[MEETS] |= bit
                        if rules.last[rule] == layer:
                            facts[CLOSES] |= bit
            choices += 1
        work.choices[layer] = choices
    return FITS


@compiled
def _built(memory: Memory) -> int:
    """Build the diagram layer by layer, summing weights and numbers of ways to each state."""
    work, rules, _, plan = memory
    keys, ahead, deals, states = work.keys, work.ahead, work.deals, work.states
    arrows, targets, weights, chosen = work.arrows, work.to, work.weight, work.choice
    hashed, numbers, layers = work.hashed, work.numbers, work.numbers[LAYERS]
    moves = np.zeros((MOST_HOLDERS, 2), np.int64)
    chances = np.ones((MOST_HOLDERS, 2))
    keys[0], ahead[0], deals[0] = 0, 1.0, 1.0
    states[0], states[1] = 0, 1
    arrow = 0
    for layer in range(layers):
        facts, choices, weighing = plan.facts[layer], work.choices[layer], plan.weighing[layer]
        slots = 64
        while slots <= choices * (states[layer + 1] - states[layer]):
            slots *= 2
        if slots > len(hashed):
            return FULL
        numbers[MARK] += _PLACES
        mark, fresh = numbers[MARK], states[layer + 1]
        for state in range(states[layer], states[layer + 1]):
            arrows[state] = arrow
            key, skipping, able, forced, all_skip = keys[state], 0, 0, 0, 1.0
            for place in range(choices):
                skip = facts[place, OPENS]
                take = facts[place, STEP] - (key & facts[place, MEETS])
                skips = key & facts[place, CLOSES] == 0
                if facts[place, MASK] == 0:  # the envelope
                    takes = key & facts[place, STEP] == 0
                    skips = skips and not (facts[place, FINAL] and takes)
                else:
                    got = key >> facts[place, SHIFT] & facts[place, MASK]
                    takes = got <= facts[place, LAST]
                    skips = skips and got >= facts[place, ENOUGH]
                    if got == facts[place, LAST]:  # with it nothing may be left unmet
                        takes = facts[place, PENDING] == 0 and key & facts[place, UNMET] == 0
                if weighing:
                    chances[place] = 1.0
                for number in range(facts[place, TABLES]):
                    rule = plan.tables[layer, place, number]
                    begun, bit = 0, rules.shift[rule]
                    if rules.first[rule] < layer:
                        begun = key >> bit & rules.width[rule]
                    more = min(begun + 1, rules.cap[rule])
                    if rules.last[rule] == layer:
                        skip -= begun << bit
                        take -= begun << bit
                        chances[place, 0] *= rules.table[rule, begun]
                        chances[place, 1] *= rules.table[rule, more]
                        skips = skips and rules.table[rule, begun] > 0.0
                        takes = takes and rules.table[rule, more] > 0.0
                    else:
                        take += (more - begun) << bit
                moves[place, 0], moves[place, 1] = skip, take
                skipping += skip
                able |= takes << place
                if not skips:
                    forced |= 1 << place
                elif weighing:
                    all_skip *= chances[place, 0]
            if forced:
                able = forced & able if forced & forced - 1 == 0 else 0
            for place in range(choices):
                if not able >> place & 1:
                    continue
                weight = 1.0
                if weighing:
                    weight = chances[place, 1] * all_skip
                    if not forced:
                        weight /= chances[place, 0]
                after = key + skipping - moves[place, 0] + moves[place, 1]
                slot = (after ^ after >> 17) * _SPREAD >> 20 & slots - 1
                to = hashed[slot] - mark
                while to >= 0 and keys[to] != after:
                    slot = slot + 1 & slots - 1
                    to = hashed[slot] - mark
                if to < 0:
                    if fresh + 1 >= len(keys):
                        return FULL
                    to, hashed[slot] = fresh, mark + fresh
                    keys[to], ahead[to], deals[to] = after, 0.0, 0.0
                    fresh += 1
                if arrow >= len(targets):
                    return FULL
                targets[arrow], weights[arrow], chosen[arrow] = to, weight, place
                arrow += 1
                ahead[to] += weight * ahead[state]
                deals[to] += deals[state]
        states[layer + 2] = fresh
        if fresh == states[layer + 1]:
            return CLASH
    for state in range(states[layers], states[layers + 1] + 1):
        arrows[state] = arrow
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
    states, arrows, targets, weights = work.states, work.arrows, work.to, work.weight
    chosen, ahead, behind, flows = work.choice, work.ahead, work.behind, work.flows
    layers = work.numbers[LAYERS]
    deals = 0.0
    nothing = np.zeros(1, np.int64)
    for state in range(states[layers], states[layers + 1]):
        ways = 1.0
        for pool in range(work.numbers[POOLS] - 1):
            if hands.members[pool] > 1:
                total = work.keys[state] >> hands.shift[pool] & hands.mask[pool]
                ways *= _ways(hands, work, pool, total, nothing)
        behind[state] = ways
        deals += ways * work.deals[state]
    flows[:layers] = 0.0
    for layer in range(layers - 1, -1, -1):
        flow = flows[layer]
        for state in range(states[layer], states[layer + 1]):
            onward, before = 0.0, ahead[state]
            for arrow in range(arrows[state], arrows[state + 1]):
                part = weights[arrow] * behind[targets[arrow]]
                onward += part
                flow[chosen[arrow]] += before * part
            behind[state] = onward
    return behind[0], deals


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
def _told(shape: Shape, work: Workspace, hands: Hands, marginals: Floats, verdicts: Small) -> None:
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
def _kinds(shape: Shape, memory: Memory, count: int, kind_of: Ints, strides: Ints) -> int:
    """
    Number the envelope's open cards by kind in each category, from 1; return the last stride.

    Cards are of one kind if the same holders can have them under the same rules.
    """
    work, rules = memory.work, memory.rules
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
    return int(np.argmin(cost))


_MOST_CODES = 1 << 16
"""How many ways of filling the envelope, card kinds counted once, are told apart at most."""


@compiled
def _split(work: Workspace, step_of: Ints, middle: int, onward: int, begin: int) -> int:
    """
    Split the weight by the envelope's cards, from one boundary of the diagram to another.

    Args:
        step_of: What the envelope's having a card adds to the number of what it has.
        middle: Where to.
        onward: 0 from the start to the middle, 1 from the end back to it.
        begin: Where in the rows there is room; a state's rows lie together.

    Returns:
        Where the rows end, -1 if there is not enough room.
    """
    firsts, arrows, targets, weights = work.states, work.arrows, work.to, work.weight
    chosen, behind, hashed, numbers = work.choice, work.behind, work.hashed, work.numbers
    row_taken, row_weight = work.row_taken, work.row_weight
    last, room, end = numbers[POOLS] - 1, len(row_taken), begin
    boundary, order = numbers[LAYERS] if onward else 0, work.order
    rows, row_ends = work.rows[onward], work.row_ends[onward]
    for state in range(firsts[boundary], firsts[boundary + 1]):
        if end >= room:
            return -1
        rows[state], row_ends[state] = end, end + 1
        row_taken[end] = 0
        row_weight[end] = behind[state] if onward else 1.0
        end += 1
    while boundary != middle:
        layer = boundary - onward
        boundary = boundary - 1 if onward else boundary + 1
        step = step_of[work.open_cards[layer]]
        envelope = -1
        for place in range(work.choices[layer]):
            if work.candidates[layer, place] == last:
                envelope = place
        first, states = firsts[boundary], firsts[boundary + 1] - firsts[boundary]
        if not onward:
            _sorted_by_target(work, layer, first, states, order)
        for state in range(first, first + states):
            rows[state] = end
            numbers[MARK] += _PLACES
            mark = numbers[MARK]
            begun = arrows[state] if onward else order[state - first]
            ended = arrows[state + 1] if onward else order[state - first + 1]
            if behind[state] == 0.0:
                ended = begun
            for number in range(begun, ended):
                if onward:
                    arrow, other = number, targets[number]
                else:
                    arrow, other = order[states + 1 + 2 * number], order[states + 2 + 2 * number]
                weight, more = weights[arrow], step if chosen[arrow] == envelope else 0
                if end + row_ends[other] - rows[other] > room:
                    return -1
                if number == begun:  # nothing can meet yet
                    for row in range(rows[other], row_ends[other]):
                        taken = row_taken[row] + more
                        hashed[taken] = mark + end
                        row_taken[end], row_weight[end] = taken, weight * row_weight[row]
                        end += 1
                    continue
                for row in range(rows[other], row_ends[other]):
                    taken = row_taken[row] + more
                    at = hashed[taken] - mark
                    if at < 0:
                        at = end
                        hashed[taken] = mark + at
                        row_taken[at], row_weight[at] = taken, 0.0
                        end += 1
                    row_weight[at] += weight * row_weight[row]
            row_ends[state] = end
    return end


@compiled
def _sorted_by_target(work: Workspace, layer: int, first: int, states: int, order: Ints) -> None:
    """
    List the arrows of a layer by the state that they lead to.

    Args:
        work, layer: Which arrows.
        first, states: The first of the states behind the layer, and how many there are.
        order: Where to write: for each state where its arrows begin, then each arrow and its start.
    """
    arrows, targets = work.arrows, work.to
    order[: states + 1] = 0
    sources = range(work.states[layer], work.states[layer + 1])
    for state in sources:
        for arrow in range(arrows[state], arrows[state + 1]):
            order[targets[arrow] - first + 1] += 1
    for number in range(1, states + 1):
        order[number] += order[number - 1]
    for state in sources:
        for arrow in range(arrows[state], arrows[state + 1]):
            to = targets[arrow] - first
            at = states + 1 + 2 * order[to]
            order[at], order[at + 1] = arrow, state
            order[to] += 1
    for number in range(states, 0, -1):
        order[number] = order[number - 1]
    order[0] = 0


@compiled
def _posterior(shape: Shape, memory: Memory, count: int, chances: Floats) -> int:
    """
    Write how likely each solution is, shape (product of the categories' sizes,).

    A solution's place counts the cards of each category in order, the last category fastest.
    """
    work = memory.work
    kind_of = np.zeros(shape.cards, np.int64)
    strides = np.zeros(len(shape.categories), np.int64)
    codes = _kinds(shape, memory, count, kind_of, strides)
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
    end = _split(work, step_of, middle, 0, 0)
    if end >= 0:
        end = _split(work, step_of, middle, 1, end)
    if end < 0:
        return FULL
    met = np.zeros(codes)
    rows, row_ends, row_taken, row_weight = (
        work.rows,
        work.row_ends,
        work.row_taken,
        work.row_weight,
    )
    for state in range(work.states[middle], work.states[middle + 1]):
        for row in range(rows[0, state], row_ends[0, state]):
            taken, weight = row_taken[row], row_weight[row]
            for other in range(rows[1, state], row_ends[1, state]):
                met[taken + row_taken[other]] += weight * row_weight[other]
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
def _opened(shape: Shape, rows: Rows, at: int, memory: Memory) -> tuple[int, int]:
    """Build the diagram of one position; return the status and the number of rules."""
    work, rules, hands, _ = memory
    count = rows.used[at]
    kind, holder, cards = rows.kind[at, :count], rows.holder[at, :count], rows.cards[at, :count]
    if not _narrowed(shape, kind, holder, cards, work):
        return CLASH, 0
    open_rules = _gathered(shape, kind, holder, cards, memory)
    if open_rules < 0:
        return FOREIGN if open_rules == -1 else CLASH, 0
    _ordered(shape, work, rules, open_rules)
    _pooled(shape, work, rules, open_rules, hands)
    status = _packed(shape, work, rules, open_rules, hands)
    if status == FITS:
        status = _prepared(shape, memory, open_rules)
    if status == FITS:
        status = _built(memory)
    return status, open_rules


class Drawn(NamedTuple):
    """
    Deals drawn from many positions.

    Attributes:
        status: How each position ended, shape (positions,).
        deals: The holder of each card, shape (positions, deals, cards).
        lots: Numbers from 0 to 1 that choose, shape (positions, deals, 2 * cards + holders).
    """

    status: Small
    deals: Small
    lots: Floats


@compiled
def draw(shape: Shape, rows: Rows, which: Ints, memory: Memory, drawn: Drawn) -> None:
    """
    Draw deals, independently and with the exact probabilities.

    Args:
        shape, rows, which, memory: As for `evaluate`.
        drawn: Where to write.
    """
    work, hands = memory.work, memory.hands
    status, deals, lots_of = drawn
    for at in which:
        status[at], _ = _opened(shape, rows, at, memory)
        if status[at] == FITS and _passed_back(work, hands)[0] == 0.0:
            status[at] = CLASH
        if status[at] != FITS:
            continue
        for number in range(deals.shape[1]):
            deal, lots = deals[at, number], lots_of[at, number]
            for card in range(shape.cards):
                for h in range(len(shape.least) + 1):
                    if work.has[h] >> card & 1:
                        deal[card] = h
            state = 0
            for layer in range(work.numbers[LAYERS]):
                left = lots[layer] * work.behind[state]
                chosen = -1
                for arrow in range(work.arrows[state], work.arrows[state + 1]):
                    part = work.weight[arrow] * work.behind[work.to[arrow]]
                    if part > 0.0:
                        chosen = arrow
                        left -= part
                        if left < 0.0:
                            break
                pool = work.candidates[layer, work.choice[chosen]]
                deal[work.open_cards[layer]] = hands.first[pool]
                state = work.to[chosen]
            for pool in range(work.numbers[POOLS] - 1):
                if hands.members[pool] > 1:
                    _share_out(shape, memory, pool, lots[shape.cards :], deal)


@compiled
def _share_out(shape: Shape, memory: Memory, pool: int, lots: Floats, deal: Small) -> None:
    """Share out at random what a pool holds, each way as likely (`hands.Pool.share_out`)."""
    work, hands = memory.work, memory.hands
    room = np.zeros(MOST_HOLDERS, np.int64)
    total, holders = 0, len(shape.least)
    for layer in range(work.numbers[LAYERS]):
        total += deal[work.open_cards[layer]] == hands.first[pool]
    more = total - hands.least[pool] if hands.least[pool] < hands.most[pool] else 0
    members = hands.members[pool]
    for h in range(holders):  # who gets one card more: each choice of so many as likely
        if work.pool_of[h] == pool:
            room[h] = hands.least_of[h]
            if more and lots[shape.cards + h] * members < more:
                room[h] += 1
                more -= 1
            members -= 1
    for layer in range(work.numbers[LAYERS]):
        card = work.open_cards[layer]
        if deal[card] != hands.first[pool]:
            continue
        places = int(lots[layer] * total)
        for h in range(holders):
            if work.pool_of[h] == pool:
                if places < room[h]:
                    deal[card] = -1 - h
                    room[h] -= 1
                    break
                places -= room[h]
        total -= 1
    for card in range(shape.cards):
        if deal[card] < 0:
            deal[card] = -1 - deal[card]


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

    status: Small
    verdicts: Small
    marginals: Floats
    deals: Ints
    solutions: Floats
    bits: Floats


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
    work, hands = memory.work, memory.hands
    for at in which:
        status, count = _opened(shape, rows, at, memory)
        if status == FITS:
            weight, deals = _passed_back(work, hands)
            if weight == 0.0:
                status = CLASH
            else:
                _counted(work, hands, deals, answers.deals[at])
                _told(shape, work, hands, answers.marginals[at], answers.verdicts[at])
                status = _posterior(shape, memory, count, answers.solutions[at])
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
