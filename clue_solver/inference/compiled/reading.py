"""A position's rules, read for its diagram: their order, pools of hands, and bits of a state."""

import numpy as np

from clue_solver.inference.compiled.arrays import (
    BEGINS,
    CLASH,
    CLOSES,
    ENDING,
    ENDS,
    FAR,
    FILLED,
    FITS,
    FOREIGN,
    LANES,
    LATER,
    LAYERS,
    LEVELS,
    MEETS,
    MOST,
    MOST_BITS,
    MOST_RULES,
    MOST_TABLES,
    NEAR,
    NOT_OWED,
    OPENS,
    PLACE,
    POOLS,
    RULE,
    RULES,
    SHIFT,
    STEP,
    TABLED,
    TESTED,
    TOP,
    UNMET,
    WEIGHED,
    WIDTH,
    Ints,
    Memory,
    Rules,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled, inlined
from clue_solver.inference.compiled.narrowing import card_count
from clue_solver.inference.diagram import SPAN
from clue_solver.knowledge.viewer import FACTOR, HAS, LACKS, Rows, Shape


@compiled
def gathered(shape: Shape, rows: Rows, position: int, memory: Memory) -> int:
    """
    Collect the open rules, those of one mask as one.

    Returns:
        `FITS`, `FOREIGN` if they are too many, or `CLASH` if one cannot be.
    """
    work, rules = memory.work, memory.rules
    can, has = work.can, work.has
    kind, holder, cards = rows.kind[position], rows.holder[position], rows.cards[position]
    constant = work.constant
    levels = 1
    for row in range(rows.used[position]):
        if kind[row] >= FACTOR:
            levels = max(levels, shape.levels[kind[row] - FACTOR])
    work.numbers[LEVELS] = levels
    for level in range(LANES):
        constant[level] = 0.0
    count = 0
    for row in range(rows.used[position]):
        h = holder[row]
        mask = cards[row] & can[h] & ~has[h]
        needs = kind[row] == HAS
        known = card_count(cards[row] & has[h])
        size = card_count(mask)
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
            for level in range(LANES):
                for k in range(1, size + 1):
                    steady &= table[level, known + k] == table[level, known]
            if steady:
                if table[0, known] == -np.inf:
                    return CLASH
                for level in range(LANES):
                    constant[level] += table[level, known]
                continue
        at = 0
        while at < count:
            if rules.holder[at] == h and rules.needs[at] == needs:
                if rules.cards[at] == mask:
                    break
                if needs and rules.cards[at] & mask == rules.cards[at]:
                    break  # what is there says more
                if needs and rules.cards[at] & mask == mask:
                    rules.cards[at] = mask
                    break
            at += 1
        if at == count:
            if count == MOST_RULES:
                return FOREIGN
            count += 1
            rules.holder[at] = h
            rules.cards[at] = mask
            rules.needs[at] = needs
            for level in range(LANES):
                for k in range(size + 1):
                    rules.logs[at, k, level] = 0.0
        if kind[row] == LACKS:
            for level in range(LANES):
                rules.logs[at, size, level] = -np.inf
        elif not needs:
            for level in range(LANES):
                for k in range(size + 1):
                    rules.logs[at, k, level] += shape.tables[kind[row] - FACTOR, level, known + k]
    work.numbers[RULES] = count
    return FITS


@compiled
def tabled(work: Workspace, rules: Rules) -> None:
    """Write the weights of each rule, and from which number of cards on they do not change."""
    span = 0.0
    for rule in range(work.numbers[RULES]):
        rules.cap[rule] = 1
        if rules.needs[rule]:
            continue
        cards = card_count(rules.cards[rule])
        widest = 0.0
        cap = 1
        for level in range(LANES):
            least, most = 0.0, 0.0
            for number in range(cards + 1):
                logarithm = rules.logs[rule, number, level]
                rules.table[rule, number, level] = np.exp(logarithm)
                most = max(most, logarithm)
                if logarithm > -np.inf:
                    least = min(least, logarithm)
                if number and logarithm != rules.logs[rule, number - 1, level]:
                    cap = max(cap, number)
            widest = max(widest, most - least)
        rules.cap[rule] = cap
        span += widest
    work.numbers[FAR] = span > SPAN


@compiled
def _parts(shape: Shape, work: Workspace, rules: Rules, parts: Ints) -> None:
    """Write the masks of the cards that are placed first, then, and so on."""
    count = work.numbers[RULES]
    sizes = work.counted[0]
    for number in range(len(shape.categories)):
        sizes[number] = 0
    for rule in range(count):
        mine = work.can[rules.holder[rule]] & ~work.has[rules.holder[rule]]
        for number, category in enumerate(shape.categories):
            if not rules.needs[rule] and rules.cards[rule] == category & mine:
                sizes[number] = max(sizes[number], card_count(category & mine))
    largest, second = 0, -1
    for number in range(1, len(shape.categories)):
        if sizes[number] > sizes[largest]:
            largest, second = number, largest
        elif second < 0 or sizes[number] > sizes[second]:
            second = number
    if second < 0 or not sizes[second]:
        second = largest  # one alone comes first
    for part in range(4):
        parts[part] = 0
    for number, category in enumerate(shape.categories):
        at = 1 if sizes[number] else 2
        if number == largest:
            at = 3
        if number == second:
            at = 0 if sizes[number] else 2
        parts[at] |= category


@compiled
def ordered(shape: Shape, work: Workspace, rules: Rules) -> None:
    """
    Put the open cards in an order in which few rules are under way.

    Greedy, as `diagram.card_order`: a card that ends rules comes early, one that begins some late.
    Categories of which it matters how many cards a hand has are placed one after the other, there
    as here.
    """
    count = work.numbers[RULES]
    _parts(shape, work, rules, work.parts[0])  # before what it counts in is needed here
    open_cards = 0
    for h in range(len(shape.least) + 1):
        open_cards |= work.can[h] & ~work.has[h]
    envelope = work.can[len(shape.least)] & ~work.has[len(shape.least)]
    masks, left = work.counted[0], work.counted[1]
    begins, ends, furthers = work.counted[2], work.counted[3], work.counted[4]
    for card in range(shape.cards):
        begins[card], ends[card], furthers[card] = 0, 0, 0
    ruled = count + len(shape.categories)
    for rule in range(ruled):
        mask = rules.cards[rule] if rule < count else shape.categories[rule - count] & envelope
        masks[rule] = mask
        left[rule] = card_count(mask)
        for card in range(shape.cards):
            if mask >> card & 1:
                begins[card] += 1
                furthers[card] += 1
                ends[card] += left[rule] == 1
    layers = 0
    part = 0
    while open_cards:
        best, least = -1, 0
        while not open_cards & work.parts[0, part]:
            part += 1
        for card in range(shape.cards):
            if open_cards & work.parts[0, part] & 1 << card:
                cost = 3 * begins[card] - 4 * ends[card] - 2 * furthers[card]
                if best < 0 or cost < least:
                    best = card
                    least = cost
        open_cards &= ~(1 << best)
        work.open_cards[layers] = best
        for rule in range(ruled):
            mask = masks[rule]
            if mask >> best & 1:
                left[rule] -= 1
                fresh = left[rule] + 1 == card_count(mask)
                if fresh or left[rule] == 1:
                    for card in range(shape.cards):
                        if mask >> card & 1:
                            begins[card] -= fresh
                            if left[rule] == 1 and open_cards >> card & 1:
                                ends[card] += 1
        layers += 1
    work.numbers[LAYERS] = layers


@compiled
def pooled(shape: Shape, memory: Memory) -> None:
    """Put hands that nothing tells apart into pools, the envelope last."""
    work, rules, hands = memory.work, memory.rules, memory.hands
    count = work.numbers[RULES]
    envelope = len(shape.least)
    pools = 0
    for h in range(envelope + 1):
        may = work.can[h] & ~work.has[h]
        held = card_count(work.has[h])
        least, most = 0, 0
        ruled = h == envelope
        if h < envelope:
            least = max(shape.least[h] - held, 0)
            most = min(shape.most[h] - held, card_count(may))
            for rule in range(count):
                ruled = ruled or rules.holder[rule] == h
        at = pools
        if not ruled and most - least <= 1:
            for pool in range(pools):
                if hands.ruled[pool] or hands.may[pool] != may:
                    continue
                first = hands.first[pool]
                exact = hands.least_of[first] == hands.most_of[first]
                alike = least == most if exact else least < most and least == hands.least_of[first]
                if alike:
                    at = pool
        hands.least_of[h] = least
        hands.most_of[h] = most
        work.pool_of[h] = at
        if at == pools:
            pools += 1
            hands.may[at] = may
            hands.ruled[at] = ruled
            hands.first[at] = h
            hands.least[at], hands.most[at], hands.members[at] = 0, 0, 0
        hands.least[at] += least
        hands.most[at] += most
        hands.members[at] += 1
    work.numbers[POOLS] = pools


@compiled
def packed(shape: Shape, memory: Memory) -> int:
    """
    Give everything in a state its bits; a rule's are used again once its last card is placed.

    Returns:
        `FITS`, or `FOREIGN` if the bits do not suffice.
    """
    work, rules, hands = memory.work, memory.rules, memory.hands
    count = work.numbers[RULES]
    layers = work.numbers[LAYERS]
    pools = work.numbers[POOLS]
    envelope = len(shape.least)
    shift = 0
    for pool in range(pools - 1):
        width = 0
        most = hands.most[pool]
        if most:
            width = 1
            while 1 << (width - 1) < most:
                width += 1
            hands.base[pool] = (1 << (width - 1)) - most
        else:
            hands.base[pool] = 0
        hands.shift[pool] = shift
        hands.mask[pool] = (1 << width) - 1
        shift += width
    work.numbers[FILLED] = shift
    for number, category in enumerate(shape.categories):
        hands.filled[number] = 0
        if not category & work.has[envelope]:
            hands.filled[number] = 1 << shift
            shift += 1
    if shift > MOST_BITS:
        return FOREIGN
    for rule in range(count):
        rules.first[rule] = -1
        for layer in range(layers):
            if rules.cards[rule] >> work.open_cards[layer] & 1:
                if rules.first[rule] < 0:
                    rules.first[rule] = layer
                rules.last[rule] = layer
        width = 0
        while rules.cap[rule] >> width:
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
                if rules.width[rule] << at >= 1 << MOST_BITS:
                    return FOREIGN
                rules.shift[rule] = at
                used |= rules.width[rule] << at
    return FITS


@compiled
def prepared(shape: Shape, memory: Memory) -> int:
    """Write for each layer what its card means; return `FITS`, or `FOREIGN`."""
    work, rules, hands, plan = memory.work, memory.rules, memory.hands, memory.plan
    count = work.numbers[RULES]
    last = work.numbers[POOLS] - 1
    rest = 0
    for layer in range(work.numbers[LAYERS]):
        rest |= 1 << work.open_cards[layer]
    for layer in range(work.numbers[LAYERS]):
        card = work.open_cards[layer]
        choices = 0
        rest &= ~(1 << card)
        tests = plan.tests[layer]
        for column in range(len(tests)):
            tests[column] = 0
        for pool in range(last + 1):
            if not hands.may[pool] >> card & 1:
                continue
            work.candidates[layer, choices] = pool
            facts = plan.facts[layer, choices]
            for column in range(len(facts)):
                facts[column] = 0
            if pool == last:
                for number, category in enumerate(shape.categories):
                    if category >> card & 1:
                        facts[STEP] = facts[TOP] = hands.filled[number]
                        if not category & rest & hands.may[last]:
                            tests[TESTED] |= facts[TOP]
            else:
                facts[STEP] = 1 << hands.shift[pool]
                facts[TOP] = (hands.mask[pool] + 1 >> 1) << hands.shift[pool]
                enough = hands.least[pool] - card_count(hands.may[pool] & rest)
                if enough > 0:
                    tests[TESTED] |= facts[TOP]
                    tests[NEAR] += facts[TOP] - (enough + hands.base[pool] << hands.shift[pool])
            if hands.ruled[pool]:
                for rule in range(count):
                    if work.pool_of[rules.holder[rule]] == pool and rules.last[rule] >= layer:
                        if rules.needs[rule]:
                            _needed(rules, rule, layer, card, facts)
                        elif rules.cards[rule] >> card & 1:
                            if tests[TABLED] == MOST_TABLES:
                                return FOREIGN
                            table = plan.tables[layer, tests[TABLED]]
                            tests[TABLED] += 1
                            table[RULE] = rule
                            table[PLACE] = choices
                            table[SHIFT], table[MOST] = rules.shift[rule], rules.cap[rule]
                            table[WIDTH] = rules.width[rule] * (rules.first[rule] < layer)
                            table[ENDS] = rules.last[rule] == layer
                            tests[WEIGHED] += table[ENDS]
            if pool == last:  # full is one category only
                facts[UNMET] = 0
            tests[OPENS] |= facts[BEGINS]
            tests[ENDING] |= facts[CLOSES]
            facts[NOT_OWED] = ~(facts[TOP] | facts[CLOSES])
            choices += 1
        work.choices[layer] = choices
    return FITS


@inlined
def _needed(rules: Rules, rule: int, layer: int, card: int, facts: Ints) -> None:
    """Write what a layer's card means for a need of a candidate."""
    bit, here = 1 << rules.shift[rule], rules.cards[rule] >> card & 1
    if rules.first[rule] > layer:
        facts[UNMET] |= LATER
    elif not here:
        facts[UNMET] |= bit
    elif rules.first[rule] == layer:
        facts[STEP] -= bit
        facts[BEGINS] |= bit
    else:
        facts[MEETS] |= bit
        if rules.last[rule] == layer:
            facts[CLOSES] |= bit
