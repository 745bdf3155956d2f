"""
The engine for work done a million times: one position evaluated by functions that numba compiles.

A position is flat: rows of evidence, each a holder, a mask of cards and what it says of them. The
same sums as in `diagram` and `solutions` run over one array of integers: a state is how many cards
each hand has got, whether the rules under way are met, and which categories the envelope has, all
packed into one integer. Unlike there no automaton is built before: what a hand cannot come to is
left out by what it still needs. Certain is what no path can change: a marginal of zero is a proof,
as all weights are positive. Those of a long log are pushed first, as in `diagram`; then what can be
is told by the same sums over deals that all weigh the same.

Everything here takes and gives arrays; `batch` is what people call. What does not fit the fixed
shapes (too many bits, holders or open rules) is answered with a status, and `batch` hands that
position over to the other engine.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from clue_solver.inference.diagram import LEAST, SPAN
from clue_solver.knowledge.viewer import ALL, FACTOR, HAS, LACKS, NONE, Rows, Shape

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Small = npt.NDArray[np.int8]

FITS, CLASH, FULL, FOREIGN = 0, 1, 2, 3
"""How it ended: as asked; no deal fits; the workspace is too small; not a shape for this engine."""

MOST_HOLDERS, MOST_CARDS, MOST_RULES, _MOST_TABLES, _MOST_BITS = 24, 60, 192, 48, 62

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")


_MADE: list[Any] = []


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the machine code on disk."""
    made: Any = numba.njit(cache=True, error_model="numpy")(function)
    _MADE.append(made)
    return cast("Function", made)


def inlined(function: Function) -> Function:
    """Compile a function into those that call it: to hand over so many arrays takes its time."""
    return cast("Function", numba.njit(forceinline=True, error_model="numpy")(function))


def renewed(call: Callable[[], Result]) -> Result:
    """Return what a call returns, made anew where what is kept on disk is an earlier version's."""
    try:
        return call()
    except (ImportError, AttributeError):  # machine code of an earlier version
        forget()
        return call()


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
        keys, ahead, deals, behind: For each state its key, the weight and the number of ways to
            it, the weight of the ways on from it.
        arrows: Where each layer's arrows begin, and where all end.
        start, to, weight, choice: For each arrow the states that it leads from and to, what it
            multiplies by, and the place of its pool among the candidates.
        after: The keys of the states that the arrows of one layer lead to.
        hashed: A hash table of places, each with the count by which the table is cleared.
        split: Weight split by state and by the envelope's cards.
        order, parts: Arrows by kind, and where those of each layer and kind begin.
        can, has: For each holder the mask of the cards that it may have, that it has.
        numbers: Counts that functions hand on: layers, pools, generation of the hash table, the
            first bit of a state that stands for a category; how building the diagram ended, how
            many numbers of `built` say of what it is, 0 for none; whether `order` is of it; whether
            weights are too far apart for floats, so that they are all 1 until they are pushed.
        built: What makes the diagram: two of one content differ in weights only.
        constant: The logarithm of what every deal is weighed by, shape (1,).
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
    start: npt.NDArray[np.uint32]
    to: npt.NDArray[np.uint32]
    after: Ints
    weight: Floats
    choice: Small
    hashed: Ints
    split: Floats
    order: npt.NDArray[np.uint32]
    parts: Ints
    can: Ints
    has: Ints
    numbers: Ints
    built: Ints
    constant: Floats


LAYERS, POOLS, MARK, FILLED, ENDED, SAID, PARTED, FAR = range(8)


def workspace(states: int) -> Workspace:
    """Return memory for positions of up to so many states; some 320 bytes for each."""
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
        arrows=np.zeros(MOST_CARDS + 1, np.int64),
        start=np.zeros(arrows, np.uint32),
        to=np.zeros(arrows, np.uint32),
        after=np.zeros(arrows, np.int64),
        weight=np.zeros(arrows),
        choice=np.zeros(arrows, np.int8),
        hashed=np.zeros(slots, np.int64),
        split=np.zeros(2 * arrows),
        order=np.zeros((5, arrows), np.uint32),
        parts=np.zeros((MOST_CARDS + 1, 5), np.int64),
        can=np.zeros(MOST_HOLDERS, np.int64),
        has=np.zeros(MOST_HOLDERS, np.int64),
        numbers=np.zeros(8, np.int64),
        built=np.zeros(2 * MOST_HOLDERS + 3 * MOST_RULES + MOST_RULES, np.int64),
        constant=np.zeros(1),
    )


class Rules(NamedTuple):
    """
    The open rules: a hand's need of one of some cards, or weights by how many of them it has.

    Attributes:
        holder, cards, needs, logs: What a rule says; only where it is no need the logarithms of
            the weights.
        table: The weights; where these are too far apart 1 for all that are not 0.
        cap: From this number of cards on the weight of a table does not change.
        first, last: The layers of a rule's first and last card.
        shift, width: Where its bits stand in a state, and their mask, not shifted.
    """

    holder: Ints
    cards: Ints
    needs: npt.NDArray[np.bool_]
    logs: Floats
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
        logs=np.zeros((MOST_RULES, MOST_CARDS + 1)),
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
        base: What stands there before it has any: so much that the highest bit is set when it is
            full.
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
    base: Ints
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
        tests: By layer, the columns named by `NEAR` and so on.
        tables: By layer and number the tables that the card counts for, the columns named by
            `RULE` and so on.
        moves, chances: For one state, what each candidate's taking the card adds to it and
            multiplies by, beside what leaving it does.
    """

    facts: Ints
    tests: Ints
    tables: Ints
    moves: Ints
    chances: Floats


STEP, TOP, MEETS, UNMET, NOT_OWED, BEGINS, CLOSES = range(7)
"""
Of a candidate for a card: what taking it adds to a state, beside what leaving it does; the bit that
says that it is full; the bits of the needs that are met, and of others under way or to come
(`_LATER`); of all that must be somebody's card the bits by which it is not this one's; the bits of
the needs that begin and that end with the card.
"""

_LATER = 1 << 62
"""Set in every state where it is asked whether a need is left: some begin later."""

NEAR, TESTED, OPENS, ENDING, TABLED = range(5)
"""
Of a layer: what to add to a state such that the bits `TESTED` are those of candidates that may
leave the card; the bits of all needs that begin, and of those that end with it; how many tables it
counts for.
"""

RULE, PLACE, SHIFT, WIDTH, MOST, ENDS = range(6)
"""
Of a table that a layer's card counts for: the rule; its holder's place among the candidates; where
the number so far stands in a state, and its mask, 0 if this is its first card; from which number on
it stays; whether this is its last card.
"""


def no_layers() -> Layers:
    """Return memory for the layers of one position."""
    return Layers(
        facts=np.zeros((MOST_CARDS, MOST_HOLDERS, 7), np.int64),
        tests=np.zeros((MOST_CARDS, 5), np.int64),
        tables=np.zeros((MOST_CARDS, _MOST_TABLES, 6), np.int64),
        moves=np.zeros(MOST_HOLDERS, np.int64),
        chances=np.ones(MOST_HOLDERS),
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


_SPREAD, _PLACES = -7046029254386353131, 1 << 32


@inlined
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


@inlined
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


@inlined
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


@inlined
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
    constant = memory.work.constant
    found, constant[0] = 0, 0.0
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
                if table[known] == -np.inf:
                    return -2
                constant[0] += table[known]
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
            rules.logs[at, : size + 1] = 0.0
        if kind[row] == LACKS:
            rules.logs[at, size] = -np.inf
        elif not needs:
            for k in range(size + 1):
                rules.logs[at, k] += table[known + k]
    return found


@compiled
def _parts(shape: Shape, work: Workspace, rules: Rules, count: int) -> Ints:
    """Return the masks of the cards that are placed first, then, and so on."""
    sizes = np.zeros(len(shape.categories), np.int64)
    for rule in range(count):
        mine = work.can[rules.holder[rule]] & ~work.has[rules.holder[rule]]
        for number, category in enumerate(shape.categories):
            if not rules.needs[rule] and rules.cards[rule] == category & mine:
                sizes[number] = max(sizes[number], _bits(category & mine))
    parts = np.zeros(4, np.int64)
    ranked = np.argsort(-sizes)
    for place, number in enumerate(ranked):
        at = 2
        if sizes[number]:
            at = 1
            if place == 0:
                at = 3 if len(ranked) > 1 and sizes[ranked[1]] else 0
            elif place == 1:
                at = 0
        parts[at] |= shape.categories[number]
    return parts


@compiled
def _ordered(shape: Shape, work: Workspace, rules: Rules, count: int) -> None:
    """
    Put the open cards in an order in which few rules are under way.

    Greedy, as `diagram.card_order`: a card that ends rules comes early, one that begins some late.
    Categories of which it matters how many cards a hand has are placed one after the other, there
    as here.
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
    layers, part, rank = 0, 0, _parts(shape, work, rules, count)
    while open_cards:
        best, least = -1, 0
        while not open_cards & rank[part]:
            part += 1
        for card in range(shape.cards):
            if open_cards & rank[part] & 1 << card:
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
def _pooled(shape: Shape, memory: Memory, count: int) -> None:
    """Put hands that nothing tells apart into pools, the envelope last."""
    work, rules, hands, _ = memory
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
        width, most = 0, hands.most[pool]
        if most:
            width = 1
            while 1 << (width - 1) < most:
                width += 1
            hands.base[pool] = (1 << (width - 1)) - most
        else:
            hands.base[pool] = 0
        hands.shift[pool], hands.mask[pool] = shift, (1 << width) - 1
        shift += width
    work.numbers[FILLED] = shift
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
        tests = plan.tests[layer]
        tests[:] = 0
        for pool in range(last + 1):
            if not hands.may[pool] >> card & 1:
                continue
            work.candidates[layer, choices] = pool
            facts = plan.facts[layer, choices]
            facts[:] = 0
            if pool == last:
                for number, category in enumerate(shape.categories):
                    if category >> card & 1:
                        facts[STEP] = facts[TOP] = hands.filled[number]
                        if not category & rest & hands.may[last]:
                            tests[TESTED] |= facts[TOP]
            else:
                facts[STEP] = 1 << hands.shift[pool]
                facts[TOP] = (hands.mask[pool] + 1 >> 1) << hands.shift[pool]
                enough = hands.least[pool] - _bits(hands.may[pool] & rest)
                if enough > 0:
                    tests[TESTED] |= facts[TOP]
                    tests[NEAR] += facts[TOP] - (enough + hands.base[pool] << hands.shift[pool])
            if hands.ruled[pool]:
                for rule in range(count):
                    if work.pool_of[rules.holder[rule]] == pool and rules.last[rule] >= layer:
                        if rules.needs[rule]:
                            _needed(rules, rule, layer, card, facts)
                        elif rules.cards[rule] >> card & 1:
                            if tests[TABLED] == _MOST_TABLES:
                                return FOREIGN
                            table = plan.tables[layer, tests[TABLED]]
                            tests[TABLED] += 1
                            table[RULE], table[PLACE] = rule, choices
                            table[SHIFT], table[MOST] = rules.shift[rule], rules.cap[rule]
                            table[WIDTH] = rules.width[rule] * (rules.first[rule] < layer)
                            table[ENDS] = rules.last[rule] == layer
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
        facts[UNMET] |= _LATER
    elif not here:
        facts[UNMET] |= bit
    elif rules.first[rule] == layer:
        facts[STEP] -= bit
        facts[BEGINS] |= bit
    else:
        facts[MEETS] |= bit
        if rules.last[rule] == layer:
            facts[CLOSES] |= bit


@compiled
def _built(memory: Memory) -> int:
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
    tables, weight_of = plan.tables[layer], rules.table
    start, after_of, weights, chosen = work.start, work.after, work.weight, work.choice
    facts, choices = plan.facts[layer], work.choices[layer]
    tests = plan.tests[layer]
    near, tested, opens = tests[NEAR], tests[TESTED], tests[OPENS]
    ending, tabled = tests[ENDING], tests[TABLED]
    moves, chances = plan.moves, plan.chances
    for place in range(choices):
        moves[place], chances[place] = facts[place, STEP], 1.0
    arrow, last = np.uint64(work.arrows[layer]), np.uint64(0)
    for state in range(work.states[layer], work.states[layer + 1]):
        key, barred, must = work.keys[state], 0, 0
        skipping, owed, left = key + opens, ~(key + near) & tested | key & ending, 1.0
        if tabled:
            for number in range(tabled):
                place = tables[number, PLACE]
                moves[place], chances[place] = facts[place, STEP], 1.0
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
            bad |= (key | _LATER) & facts[place, UNMET] & (0 - full)
            if tabled:
                bad |= barred >> place & 1 | must & ~(1 << place)
            # written in any case: a branch that nobody can foresee costs more
            start[arrow], chosen[arrow] = state, place
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
        keys[fresh], ahead[fresh], deals[fresh] = after, 0.0, 0.0
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
def _passed_back(work: Workspace, hands: Hands) -> tuple[float, float]:
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


class Envelope(NamedTuple):
    """
    The envelope's open cards; sets of open categories are masks of their numbers from 0.

    Attributes:
        number, choice, place: For each card its open category, its number among the cards of that
            which the envelope may have, and what it adds to a solution's place.
        first: What the known cards add to it.
        filled: For each set how many categories it has.
        lengths: For each set the number of choices of a card from each category.
        places: For each set what each choice adds to a solution's place, for sets of at most half
            the open categories; the last category's card changes slowest.
    """

    number: Ints
    choice: Ints
    place: Ints
    first: int
    filled: Ints
    lengths: Ints
    places: Ints


@compiled
def _envelope(shape: Shape, work: Workspace, hands: Hands) -> Envelope:
    """Number the envelope's open cards."""
    holder, count = len(shape.least), 0
    may, known = work.can[holder] & ~work.has[holder], work.has[holder]
    sizes = np.zeros(len(shape.categories), np.int64)
    number, index, place = np.zeros((3, shape.cards), np.int64)
    first, stride = 0, 1
    for category in shape.categories:
        stride *= _bits(category)
    for category in range(len(shape.categories)):
        mask, at = shape.categories[category], 0
        stride //= _bits(mask)
        for card in range(shape.cards):
            if not mask >> card & 1:
                continue
            if known >> card & 1:
                first += at * stride
            elif may >> card & 1:
                number[card], index[card], place[card] = count, sizes[count], at * stride
                sizes[count] += 1
            at += 1
        count += hands.filled[category] != 0
    lengths = np.ones(1 << count, np.int64)
    filled = np.zeros(1 << count, np.int64)
    longest = 1
    for chosen in range(1, 1 << count):
        last = 0
        while chosen >> last > 1:
            last += 1
        lengths[chosen] = lengths[chosen ^ 1 << last] * sizes[last]
        filled[chosen] = _bits(chosen)
        if filled[chosen] <= count // 2:
            longest = max(longest, lengths[chosen])
    places = np.zeros((1 << count, longest), np.int64)
    for card in range(shape.cards):
        if may >> card & 1:
            bit = 1 << number[card]
            for other in range(bit):
                if filled[other] < count // 2:
                    many = lengths[other]
                    for choice in range(many):
                        places[other | bit, index[card] * many + choice] = (
                            place[card] + places[other, choice]
                        )
    return Envelope(number, index, place, first, filled, lengths, places)


@compiled
def _posterior(shape: Shape, memory: Memory, chances: Floats) -> int:
    """
    Write how likely each solution is, shape (product of the categories' sizes,).

    A solution's place counts the cards of each category in order, the last category fastest. The
    weight ahead of a state is split by the cards that the envelope has, while those are of few
    categories; the weight behind it by those that are to come, where few are. The two meet in the
    arrows by which the envelope gets the card in the middle.

    Returns:
        `FITS`, or `FULL` if there is not enough room.
    """
    work, hands = memory.work, memory.hands
    told = _envelope(shape, work, hands)
    chances[:] = 0.0
    everything = len(told.lengths) - 1
    if not everything:
        chances[told.first] = 1.0
        return FITS
    middle, width = (told.filled[everything] - 1) // 2, 4
    for has in range(everything + 1):
        if told.filled[has] <= told.filled[everything] // 2:
            while width < told.lengths[has]:
                width += 4
    end = work.states[work.numbers[LAYERS] + 1]
    if end * width > len(work.split):
        return FULL
    work.split[: end * width] = 0.0
    if not work.numbers[PARTED]:
        _parted(work, told, middle)
        work.numbers[PARTED] = 1
    _split_behind(work, told, width)
    _split_ahead(work, told, width, chances)
    for place in range(len(chances)):
        chances[place] /= work.behind[0]
    return FITS


_AHEAD, _AHEAD_MORE, _ACROSS, _BEHIND, _BEHIND_MORE = range(5)
"""
Arrows, by what the envelope has: few categories in both states, one more in the second, few in the
first only; many in both, one more in the second.
"""


@inlined
def _parted(work: Workspace, told: Envelope, middle: int) -> None:
    """List the arrows of each layer by their kind; more than `middle` categories are many."""
    shift, everything, order = work.numbers[FILLED], len(told.lengths) - 1, work.order
    kind_of = np.zeros((everything + 1, 2), np.int64)  # of arrows to others, to the envelope
    for has in range(everything + 1):
        filled = told.filled[has]
        kind_of[has, 0] = _AHEAD if filled <= middle else _BEHIND
        kind_of[has, 1] = _AHEAD_MORE if filled < middle else _BEHIND_MORE
        if filled == middle:
            kind_of[has, 1] = _ACROSS
    counts = np.zeros(5, np.int64)
    for layer in range(work.numbers[LAYERS]):
        last = work.choices[layer] - 1
        envelope = last if work.candidates[layer, last] == work.numbers[POOLS] - 1 else -1
        work.parts[layer] = counts
        for arrow in range(work.arrows[layer], work.arrows[layer + 1]):
            has = work.keys[work.start[arrow]] >> shift & everything
            kind = kind_of[has, 1 if work.choice[arrow] == envelope else 0]
            order[kind, counts[kind]] = arrow
            counts[kind] += 1
        work.parts[layer + 1] = counts


@inlined
def _split_behind(work: Workspace, told: Envelope, width: int) -> None:
    """Split the weight behind each state where the envelope has many categories."""
    layers, everything = work.numbers[LAYERS], len(told.lengths) - 1
    for state in range(work.states[layers], work.states[layers + 1]):
        work.split[state * width] = work.behind[state]
    for layer in range(layers - 1, -1, -1):
        card = work.open_cards[layer]
        index, bit = told.choice[card], 1 << told.number[card]
        for number in range(work.parts[layer, _BEHIND_MORE], work.parts[layer + 1, _BEHIND_MORE]):
            arrow = work.order[_BEHIND_MORE, number]
            to, row = work.to[arrow], work.start[arrow] * width
            left = everything & ~(work.keys[to] >> work.numbers[FILLED])
            taken = left, bit, index
            _taken(work.split, (to * width, row), taken, work.weight[arrow], told.lengths)
        for number in range(work.parts[layer, _BEHIND], work.parts[layer + 1, _BEHIND]):
            arrow = work.order[_BEHIND, number]
            source, row = work.to[arrow] * width, work.start[arrow] * width
            _added_up(work.split, source, row, width, work.weight[arrow])


@inlined
def _added_up(split: Floats, source: int, to: int, many: int, weight: float) -> None:
    """Add so many numbers, four at a time, times a weight to others."""
    # no index below 0: signed ones would be tested for counting from the end
    begin, at, one = np.uint64(source), np.uint64(to), np.uint64(1)
    end, two, three = begin + np.uint64(many), np.uint64(2), np.uint64(3)
    while begin < end:
        sums = (
            split[at] + weight * split[begin],
            split[at + one] + weight * split[begin + one],
            split[at + two] + weight * split[begin + two],
            split[at + three] + weight * split[begin + three],
        )
        split[at], split[at + one], split[at + two], split[at + three] = sums
        begin += np.uint64(4)
        at += np.uint64(4)


@inlined
def _taken(
    split: Floats, rows: tuple[int, int], card: tuple[int, int, int], weight: float, lengths: Ints
) -> None:
    """
    Add what is split by some categories to what is split by one more.

    Args:
        split, rows, weight: From one row to another, times the weight.
        card: The set of categories before, that of the card's, its number among their choices.
        lengths: For each set the number of choices.
    """
    (source, to), (before, bit, choice) = rows, card
    low, step = lengths[before & bit - 1], lengths[before & bit - 1 | bit]
    to += choice * low
    for high in range(source, source + lengths[before], low):
        for other in range(low):
            split[to + other] += weight * split[high + other]
        to += step


@inlined
def _split_ahead(work: Workspace, told: Envelope, width: int, chances: Floats) -> None:
    """
    Split the weight ahead of each state where the envelope has few categories.

    Where an arrow leads to one with many, this is joined with what lies behind, and added to
    `chances`.
    """
    shift, everything, split = work.numbers[FILLED], len(told.lengths) - 1, work.split
    split[0] = 1.0
    for layer in range(work.numbers[LAYERS]):
        card = work.open_cards[layer]
        index, bit = told.choice[card], 1 << told.number[card]
        for number in range(work.parts[layer, _AHEAD], work.parts[layer + 1, _AHEAD]):
            arrow = work.order[_AHEAD, number]
            source, row = work.start[arrow] * width, work.to[arrow] * width
            _added_up(split, source, row, width, work.weight[arrow])
        for number in range(work.parts[layer, _AHEAD_MORE], work.parts[layer + 1, _AHEAD_MORE]):
            arrow = work.order[_AHEAD_MORE, number]
            source, row = work.start[arrow], work.to[arrow] * width
            taken = everything & work.keys[source] >> shift, bit, index
            _taken(split, (source * width, row), taken, work.weight[arrow], told.lengths)
        for number in range(work.parts[layer, _ACROSS], work.parts[layer + 1, _ACROSS]):
            arrow = work.order[_ACROSS, number]
            start, to = work.start[arrow], work.to[arrow] * width
            has = everything & work.keys[start] >> shift
            left = everything ^ has ^ bit
            weight, many, place = work.weight[arrow], told.lengths[left], told.place[card]
            for choice in range(told.lengths[has]):
                part = weight * split[start * width + choice]
                if part > 0.0:
                    at = told.first + place + told.places[has, choice]
                    for other in range(many):
                        chances[at + told.places[left, other]] += part * split[to + other]


@compiled
def _tabled(work: Workspace, rules: Rules, count: int) -> None:
    """Write the weights of each rule, and from which number of cards on they do not change."""
    span = 0.0
    for rule in range(count):
        rules.cap[rule] = 1
        if rules.needs[rule]:
            continue
        cap, least, most = _bits(rules.cards[rule]), 0.0, 0.0
        for number in range(cap + 1):
            told = rules.logs[rule, number]
            most = max(most, told)
            if told > -np.inf:
                least = min(least, told)
        span += most - least
        while cap > 1 and rules.logs[rule, cap - 1] == rules.logs[rule, cap]:
            cap -= 1
        rules.cap[rule] = cap
    work.numbers[FAR] = span > SPAN
    for rule in range(count):
        if not rules.needs[rule]:
            for number in range(rules.cap[rule] + 1):
                told = rules.logs[rule, number]
                rules.table[rule, number] = told > -np.inf if span > SPAN else np.exp(told)


@compiled
def _changed(work: Workspace, rules: Rules, count: int, holders: int) -> bool:
    """Note what makes the diagram of a position; return whether that is other than it was."""
    built, at, changed = work.built, 0, False
    for number in range(holders):
        changed |= built[at] != work.can[number] or built[at + 1] != work.has[number]
        built[at], built[at + 1] = work.can[number], work.has[number]
        at += 2
    for rule in range(count):
        said = rules.holder[rule] << 8 | rules.cap[rule] << 1 | rules.needs[rule]
        barred = 0
        if not rules.needs[rule]:
            for number in range(_bits(rules.cards[rule]) + 1):
                barred |= (rules.logs[rule, number] == -np.inf) << number
        changed |= built[at] != said or built[at + 1] != rules.cards[rule]
        changed |= built[at + 2] != barred
        built[at], built[at + 1], built[at + 2] = said, rules.cards[rule], barred
        at += 3
    changed |= work.numbers[SAID] != at
    work.numbers[SAID] = at
    return bool(changed)


@compiled
def _weighed_anew(memory: Memory) -> None:
    """Weigh the arrows and states of the diagram by the tables that the rules have now."""
    work, rules, _, plan = memory
    ahead, weights, chances = work.ahead, work.weight, plan.chances
    for layer in range(work.numbers[LAYERS]):
        begin, end = work.arrows[layer], work.arrows[layer + 1]
        tables, tabled, last, left = plan.tables[layer], plan.tests[layer, TABLED], -1, 1.0
        if tabled:
            chances[: work.choices[layer]] = 1.0
            for arrow in range(begin, end):
                state = int(work.start[arrow])
                if state != last:
                    key, last, left = work.keys[state], state, 1.0
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
def _pushed(memory: Memory) -> None:
    """
    Weigh the arrows and states of the diagram such that no sum of ways on is below 1.

    An arrow's weight is divided by that of the best way on from its start, and multiplied by that
    of the best way on from its end (`diagram`).
    """
    work, rules, _, plan = memory
    ahead, weights, chances, best = work.ahead, work.weight, plan.chances, work.behind
    layers, states = work.numbers[LAYERS], work.states
    best[: states[layers]] = -np.inf
    best[states[layers] : states[layers + 1]] = 0.0
    for layer in range(layers - 1, -1, -1):
        tables, tabled, last, left = plan.tables[layer], plan.tests[layer, TABLED], -1, 0.0
        chances[: work.choices[layer]] = 0.0
        for arrow in range(work.arrows[layer], work.arrows[layer + 1]):
            state, to = int(work.start[arrow]), work.to[arrow]
            if state != last and tabled:
                key, left = work.keys[state], 0.0
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
    if not _narrowed(shape, kind, holder, cards, work):
        return CLASH
    open_rules = _gathered(shape, kind, holder, cards, memory)
    if open_rules < 0:
        return FOREIGN if open_rules == -1 else CLASH
    _tabled(work, rules, open_rules)
    if not _changed(work, rules, open_rules, len(shape.least) + 1):
        if work.numbers[ENDED] == FITS:
            _weighed_anew(memory)
        return int(work.numbers[ENDED])
    _ordered(shape, work, rules, open_rules)
    _pooled(shape, memory, open_rules)
    status = _packed(shape, work, rules, open_rules, hands)
    if status == FITS:
        status = _prepared(shape, memory, open_rules)
    if status == FITS:
        status = _built(memory)
    work.numbers[ENDED], work.numbers[PARTED] = status, 0
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
    weight, deals = _passed_back(work, hands)
    if weight == 0.0:
        return CLASH
    _counted(work, hands, deals, answers.deals[at])
    _told(shape, work, hands, answers.marginals[at], answers.verdicts[at])
    answers.weights[at] = np.log(weight) + work.constant[0]
    if answers.solutions.shape[1]:
        return int(_posterior(shape, memory, answers.solutions[at]))
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
            verdicts, marginals = answers.verdicts[at].copy(), answers.marginals[at]
            chances = answers.solutions[at]
            could = chances > 0.0
            _pushed(memory)
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
