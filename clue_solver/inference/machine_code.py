"""
Many positions in machine code: one deal diagram after the other.

This is the diagram of `diagram`, with other states: how many cards each hand has so far, how far
the rules in progress are, and which categories the envelope has, all packed into one integer. So no
automaton is built first; an arrow is left out if the hand could no longer get what it needs. Equal
states are merged by a hash table. All weights are positive, so a marginal of zero is a proof. The
sums are those of "The deal diagram" in docs/mathematics.md.

For each position `evaluate` goes through these steps, which read and write the same `Memory`:

    narrow             what single rows and the sizes of hands settle
    gather_rules       the rules about what is open
    order_cards        a layer of the diagram for each open card
    pool_hands         hands that nothing tells apart, read as one
    assign_bits        which bits of a state stand for what
    describe_layers    how giving a layer's card to a hand changes a state
    build_diagram      states and arrows (`list_arrows`, `merge_states`)
    number_solutions   the envelope's open cards, by category
    count_deals        how many deals fit
    weigh_arrows       the weights of the arrows
    sum_forward        the weight of all ways to each state
    sum_backward       the weight of all ways on, and from both that of each card in each hand
    mix_levels         how likely each own-card level is
    write_marginals    how likely each card is with each holder
    fill_solution_chances  how likely each solution is

In all these functions, `at` is the number of the position, and layers are numbered from 0. A status
that is returned is `FITS`, `CLASH` or `TOO_LARGE`; after the last two, the next steps are left out.

numba compiles all of it when `evaluate` is first called, and keeps the machine code on disk until
this file changes. So it is one file that imports nothing from the others (it repeats some of their
constants), and `evaluate` takes only arrays and records, so that the code on disk refers to no
class of this program.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core import event

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FITS, CLASH, TOO_LARGE = range(3)
"""The status of a position: evaluated; no deal fits; too large for machine code or its memory."""

AT_LEAST_ONE = 0
"""
Stands in place of a table's number: the row only says that its holder has at least one of its
cards.
"""

LEVEL_COUNT = 4
"""
The number of own-card levels (how readily players name cards of their own) if the level is learned;
else there is one.
"""

MOST_HOLDERS, MOST_CARDS, MOST_CATEGORIES = 24, 60, 12
MOST_RULES, MOST_TABLES = 192, 48
"""The most open rules of one position, and the most tables in which any one card counts."""

MOST_BITS = 62
"""The most bits of a state, so that it stays positive and has one bit to spare (`LATER`)."""

MOST_OPEN = 3
"""The most categories in which the envelope's card may be open."""

MOST_SPAN = 600.0
"""
The largest span of weights: the natural logarithm of the largest divided by the smallest. Up to it,
the weights and their sums over `EXACT` deals fit into floats.
"""

BELOW_ONE = 1.0 - 2.0**-53
"""The largest chance below 1; 1 itself is a proof."""

EXACT = 2.0**53
"""Whole numbers below this are exact in a float."""

_HOW = {"no_cfunc_wrapper": True, "_nrt": False, "error_model": "numpy"}
"""
How everything is compiled: without entry points for C, and without counting references, as no
array is made here. Both would take a good part of the time.
"""

_numba: Any = njit
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Return a function compiled, for functions that only compiled functions call."""
    return cast("Function", _numba(no_cpython_wrapper=True, **_HOW)(function))


def inlined(function: Function) -> Function:
    """
    Return a function compiled so that its code becomes part of its callers.

    Otherwise passing its many arrays would take time.
    """
    return cast("Function", _numba(no_cpython_wrapper=True, forceinline=True, **_HOW)(function))


def kept(function: Function) -> Function:
    """Return a function that is compiled when Python first calls it; the code is kept on disk."""
    return cast("Function", _numba(cache=True, **_HOW)(function))


class Common(NamedTuple):
    """
    What all positions of one call have in common.

    A table weighs a holder by how many of some cards it has. A level is an own-card level: how
    readily players name cards of their own.

    Attributes:
        categories: The mask of each category's cards.
        strides: What each card adds to the index of its solution.
        least, most: The least and the most cards of each hand: seats, then slots.
        logs: The tables: logarithms of weights by how many of the cards the holder has, shape
            (tables, levels, cards + 1).
        levels: The number of levels for which each table has weights: all, or 1.
        prior: The logarithm of the prior probability of each level.
    """

    categories: Ints
    strides: Ints
    least: Ints
    most: Ints
    logs: Floats
    levels: Ints
    prior: Floats


class PositionRows(NamedTuple):
    """
    What is known in many positions. A row is one statement about a holder and some cards.

    Attributes:
        may, has: The masks of the cards that each holder may have, and that it has; shape
            (positions, holders).
        kind: For each row, `AT_LEAST_ONE` or the number of the table that weighs its holder's
            cards; shape (positions, rows), as the next two.
        holder, cards: The number of each row's holder, and the mask of its cards.
        used: How many rows of each position are in use.
    """

    may: Ints
    has: Ints
    kind: Ints
    holder: Ints
    cards: Ints
    used: Ints


class Answers(NamedTuple):
    """
    Arrays for the results; the first index is the position.

    Attributes:
        status: `FITS`, `CLASH` or `TOO_LARGE`. The other arrays are valid only for `FITS`.
        verdicts: 1 holds, 2 lacks, 0 open; shape (positions, cards, holders).
        marginals: The probability that each holder has each card, same shape.
        deals: The number of deals, below `EXACT`.
        solutions: The probability of each solution, shape (positions, product of the categories'
            sizes).
    """

    status: npt.NDArray[np.int8]
    verdicts: npt.NDArray[np.int8]
    marginals: Floats
    deals: Floats
    solutions: Floats


def _fields(kind: Any, names: str, *shape: int) -> list[tuple[str, Any, tuple[int, ...]]]:
    """
    Return the fields of a record: all have the type `kind` and the shape `shape`.

    `names` has the names of the fields with blanks between them.
    """
    return [(name, kind, shape) for name in names.split()]


POSITION = np.dtype(
    [
        # how many of each there are; `levels` counts the own-card levels
        *_fields(np.int64, "rules layers pools levels"),
        # by holder: cards it may have, has; its pool; the least number of its open cards
        *_fields(np.int64, "may has pool_of size", MOST_HOLDERS),
        # by category: how early its cards are placed
        *_fields(np.int64, "block", MOST_CATEGORIES),
        # by card: how many rules it would begin, end and further if it were placed next
        *_fields(np.int64, "begins ends furthers", MOST_CARDS),
        # by candidate of a layer: what taking its card adds to the state that is read
        *_fields(np.int64, "steps", MOST_HOLDERS),
        # by rule, then by category: its cards, and how many of them are not placed yet
        *_fields(np.int64, "masks left", MOST_RULES + MOST_CATEGORIES),
        # by category: the bit of a state that says the envelope has its card; 0 if it is known
        *_fields(np.int64, "category_bit", MOST_CATEGORIES),
        # the place of the first of these bits; how many; what known cards add to a solution's index
        *_fields(np.int64, "first_bit open_categories known_index"),
        # by card that is open in the envelope: its category's bit, its number in the category
        *_fields(np.int64, "bit_of choice_of", MOST_CARDS),
        # by set of at most one open category: how many cards are open, what each adds to the index
        *_fields(np.int64, "choices", 1 << MOST_OPEN),
        *_fields(np.int64, "added", 1 << MOST_OPEN, MOST_CARDS),
        # the longest of these; a hash table's generation
        *_fields(np.int64, "longest mark"),
        # in how many ways pools share their cards out
        *_fields(np.float64, "ways"),
        # by level: the logarithm of every deal's common weight; the factor from weights to chances
        *_fields(np.float64, "constant scale", LEVEL_COUNT),
        # by layer, candidate and level: the weight of the deals in which it gets the card
        *_fields(np.float64, "flow", MOST_CARDS, MOST_HOLDERS, LEVEL_COUNT),
    ]
)
"""The numbers about one position that functions pass on to each other."""

RULE = np.dtype(_fields(np.int64, "holder cards needs cap first last shift width"))
"""
A rule about open `cards` of one `holder`. If it `needs`, the holder must have one of them; else the
rule weighs how many of them the holder has, and from `cap` on the weight stays the same. `first`
and `last` are the layers of its first and last card. A state has its bits from bit `shift` on;
`width` is their mask before shifting.
"""

POOL = np.dtype(_fields(np.int64, "may least most exact ruled shift mask base"))
"""
Hands read as one: the open cards that they `may` have, the `least` and the `most` of them, whether
these are `exact` (equal), and whether the pool is `ruled`, that is, some rule is about it. A state
has the number of cards that the pool got, from bit `shift` on, with this `mask` before shifting.
The number begins at `base`, which is chosen so that its highest bit is set when the pool is full.
"""

LAYER = np.dtype(
    _fields(
        np.int64, "card candidates envelope state arrow near tested opens ending tables weighed"
    )
)
"""
A layer: its `card`, how many pools may have it (`candidates`), which of these is the `envelope`
(-1: none), and the numbers of its first `state` and `arrow`. If `near` is added to a state, the
bits `tested` are set for the candidates that need not take the card. `opens` and `ending` have the
bits of the needs that begin and end with this card. `tables` is the number of tables in which the
card counts, `weighed` the number of those that end with it.
"""

CANDIDATE = np.dtype(_fields(np.int64, "pool step top meets unmet others begins closes"))
"""
A candidate: a `pool` that may have a layer's card. Taking the card adds `step` to the state that
would come next if nobody took it. The bit `top` is set when the pool is full. `meets` has the bits
of the needs (rules with `needs`) that the card meets, and `unmet` those of the pool's other needs,
under way or to come (`LATER`). `begins` and `closes` have the bits of the needs that begin and end
with the card, `others` all bits but `top` and `closes`.
"""

LATER = 1 << MOST_BITS
"""The bit that stands for all needs that begin in later layers, which a full hand cannot meet."""

COUNTED = np.dtype(_fields(np.int64, "rule candidate shift width most ends"))
"""
A table in which a layer's card counts: its `rule`, and the number of its holder's pool among the
layer's candidates. A state has the number of the table's cards so far, from bit `shift` on, with
the mask `width`. The mask is 0 if this is the first card; the number does not grow beyond `most`.
`ends` says whether this is the last card.
"""


class Memory(NamedTuple):
    """
    The working memory for one position at a time.

    The states of a diagram say what the holders have after some of the open cards; an arrow leads
    from one state to another by giving the next card to a holder. A way is a chain of arrows.

    Attributes:
        positions: One record, through which the functions pass numbers on.
        rules, pools, layers: A record for each rule, pool and layer; after the last layer comes one
            more.
        logs, weights: The logarithms of the weights of each rule, and the weights, by number of
            cards and level.
        candidates, counted: For each layer, the pools that can get its card, and the tables in
            which it counts.
        keys, deals: The packed key of each state, and the number of ways to it.
        forward, backward: The weight of all ways to each state, and of all ways on from it, by
            level.
        split: For each state a row: its `forward` or its `backward`, split by level and by card of
            the envelope.
        start, to, choice: For each arrow, the states that it leads from and to, and the candidate.
        weight: The weight of each arrow, by level.
        reached: The keys that one layer's arrows lead to.
        hashed: A hash table of states.
    """

    positions: Any
    rules: Any
    pools: Any
    layers: Any
    logs: Floats
    weights: Floats
    candidates: Any
    counted: Any
    keys: Ints
    deals: Floats
    forward: Floats
    backward: Floats
    split: Floats
    start: npt.NDArray[np.uint32]
    to: npt.NDArray[np.uint32]
    choice: npt.NDArray[np.int8]
    weight: Floats
    reached: Ints
    hashed: Ints


def memory(states: int) -> Memory:
    """
    Return working memory for diagrams of at most `states` states; it takes some 600 bytes for each.
    """
    arrows = 4 * states
    return Memory(
        positions=np.zeros(1, POSITION),
        rules=np.zeros(MOST_RULES, RULE),
        pools=np.zeros(MOST_HOLDERS, POOL),
        layers=np.zeros(MOST_CARDS + 2, LAYER),
        logs=np.zeros((MOST_RULES, MOST_CARDS + 1, LEVEL_COUNT)),
        weights=np.zeros((MOST_RULES, MOST_CARDS + 1, LEVEL_COUNT)),
        candidates=np.zeros((MOST_CARDS, MOST_HOLDERS), CANDIDATE),
        counted=np.zeros((MOST_CARDS, MOST_TABLES), COUNTED),
        keys=np.zeros(states, np.int64),
        deals=np.zeros(states),
        forward=np.zeros(LEVEL_COUNT * states),
        backward=np.zeros(LEVEL_COUNT * states),
        split=np.zeros(8 * LEVEL_COUNT * states),
        start=np.zeros(arrows, np.uint32),
        to=np.zeros(arrows, np.uint32),
        choice=np.zeros(arrows, np.int8),
        weight=np.zeros(LEVEL_COUNT * arrows),
        reached=np.zeros(arrows, np.int64),
        hashed=np.zeros(1 << (4 * states - 1).bit_length(), np.int64),
    )


def _binomials() -> Floats:
    """Return Pascal's triangle: the number of ways to choose k of n cards in row n, column k."""
    rows = np.zeros((MOST_CARDS + 1, MOST_CARDS + 1))
    rows[:, 0] = 1
    for row in range(1, MOST_CARDS + 1):
        rows[row, 1:] = rows[row - 1, 1:] + rows[row - 1, :-1]
    return rows


_CHOOSE = _binomials()
"""The number of ways to choose k of n cards: row n, column k."""


@kept
def evaluate(common: Any, rows: Any, which: Ints, memory: Any, answers: Any) -> None:
    """
    Evaluate positions, and write the results to `answers`.

    Args:
        common, rows, memory, answers: The arrays of `Common`, `PositionRows`, `Memory` and
            `Answers`, as plain tuples.
        which: The numbers of the positions to evaluate.
    """
    for position in which:
        status = evaluate_one(
            Common(*common), PositionRows(*rows), position, Memory(*memory), Answers(*answers)
        )
        answers[0][position] = status


class _CompileListener(event.Listener):
    """Calls a function as soon as numba begins to compile something, but only once."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        """Call the function, if it has not been called yet."""
        if self.tell is not None:
            self.tell()
            self.tell = None

    def on_end(self, event: Any) -> None:
        """Do nothing; numba requires this method."""


@contextmanager
def compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` as soon as something is compiled in the block."""
    with event.install_listener("numba:compile", _CompileListener(tell)):
        yield


@compiled
def evaluate_one(
    common: Common, rows: PositionRows, at: int, memory: Memory, answers: Answers
) -> int:
    """
    Evaluate the position with the number `at`, and write the results to `answers`.

    Return its status: `FITS`, `CLASH` (no deal fits) or `TOO_LARGE`.
    """
    status = narrow(common, rows, at, memory)
    if status == FITS:
        status = gather_rules(common, rows, at, memory)
    if status != FITS:
        return status
    order_cards(common, memory)
    pool_hands(common, memory)
    status = assign_bits(common, memory)
    if status == FITS:
        status = describe_layers(common, memory)
    if status == FITS:
        status = build_diagram(memory)
    if status == FITS:
        status = number_solutions(common, memory)
    if status == FITS:
        status = count_deals(memory, at, answers)
    if status != FITS:
        return status
    sum_weights(memory)
    status = mix_levels(common, memory)
    if status == FITS:
        write_marginals(memory, answers.marginals[at], answers.verdicts[at])
        fill_solution_chances(common, memory, answers.solutions[at])
    return status


@inlined
def count_cards(mask: int) -> int:
    """Return the number of cards in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def narrow(common: Common, rows: PositionRows, at: int, memory: Memory) -> int:
    """
    Find, by simple rules, which cards each holder may have and which it has.

    The rules are about single rows, the sizes of hands, and the one holder of each card. They are
    applied until nothing changes. They are those of `propagation`, except that wrong accusations
    are not used here but weighed like other tables. In Python, this step would take longer than all
    others.

    Args:
        common: What all positions have in common.
        rows: What is known in each position.
        at: The number of the position.
        memory: The working memory, which gets the masks of the cards.

    Returns:
        The status: `FITS`, or `CLASH` if the position is impossible.
    """
    position = memory.positions[0]
    may, has = position.may, position.has
    hands = len(common.least)
    everything = (1 << len(common.strides)) - 1
    for h in range(hands + 1):
        may[h], has[h] = rows.may[at, h], rows.has[at, h]
    changed = True
    while changed:
        changed = False
        # a need that one card alone can meet
        for row in range(rows.used[at]):
            if rows.kind[at, row] == AT_LEAST_ONE:
                h = rows.holder[at, row]
                left = rows.cards[at, row] & may[h]
                if not left:
                    return CLASH
                if not left & (left - 1) and not left & has[h]:
                    has[h] |= left
                    changed = True
        # a hand that is full gets no more, and one that needs all cards left gets them; the
        # envelope is such a hand of one card in each category
        for number in range(hands + len(common.categories)):
            h, cards, least, most = hands, everything, 1, 1
            if number < hands:
                h, least, most = number, common.least[number], common.most[number]
            else:
                cards = common.categories[number - hands]
            held, left = count_cards(has[h] & cards), count_cards(may[h] & cards)
            if held > most or left < least:
                return CLASH
            if held < left and (held == most or left == least):
                if held == most:
                    may[h] &= has[h] | ~cards
                else:
                    has[h] |= may[h] & cards
                changed = True
        # every card has one holder
        once = 0
        twice = 0
        taken = 0
        for h in range(hands + 1):
            twice |= once & may[h]
            once |= may[h]
        if once != everything:
            return CLASH
        for h in range(hands + 1):
            alone = may[h] & ~twice & ~has[h]
            if alone:
                has[h] |= alone
                changed = True
            if taken & has[h] or has[h] & ~may[h]:
                return CLASH
            taken |= has[h]
        for h in range(hands + 1):
            if may[h] & taken & ~has[h]:
                may[h] &= ~taken | has[h]
                changed = True
    return FITS


@compiled
def gather_rules(common: Common, rows: PositionRows, at: int, memory: Memory) -> int:
    """
    Write a position's rules about open cards, and the weights that all its deals share.

    They go to `memory`. An open card is one whose holder is not yet certain. Return the status:
    `FITS`, `CLASH` (no deal fits) or `TOO_LARGE` (too many rules, or weights too far apart).
    """
    position, rules, logs = memory.positions[0], memory.rules, memory.logs
    # as many own-card levels as the row with the most has
    levels = 1
    for row in range(rows.used[at]):
        levels = max(levels, common.levels[rows.kind[at, row]])
    for level in range(LEVEL_COUNT):
        position.constant[level] = 0.0
    count = 0
    for row in range(rows.used[at]):
        kind, h, cards = rows.kind[at, row], rows.holder[at, row], rows.cards[at, row]
        left = cards & position.may[h] & ~position.has[h]
        known, size = count_cards(cards & position.has[h]), count_cards(left)
        # leave out a need that is met, and a weight that does not depend on open cards
        if kind == AT_LEAST_ONE:
            if known:
                continue
        else:
            steady = True
            for level in range(levels):
                for more in range(known + 1, known + size + 1):
                    steady &= common.logs[kind, level, more] == common.logs[kind, level, known]
            if steady:
                if common.logs[kind, 0, known] == -np.inf:
                    return CLASH
                for level in range(levels):
                    position.constant[level] += common.logs[kind, level, known]
                continue
        # rules about the same cards become one; of two needs, the stricter one stays
        rule = 0
        while rule < count:
            other = rules[rule]
            if other.holder == h and other.needs == (kind == AT_LEAST_ONE):
                both = other.cards & left
                if other.cards == left or (other.needs and both in (left, other.cards)):
                    other.cards = both
                    break
            rule += 1
        if rule == count:
            if count == MOST_RULES:
                return TOO_LARGE
            count += 1
            rules[rule].holder, rules[rule].cards = h, left
            rules[rule].needs = kind == AT_LEAST_ONE
            for number in range(size + 1):
                for level in range(levels):
                    logs[rule, number, level] = 0.0
        # weights of rules about the same cards are multiplied
        if kind != AT_LEAST_ONE:
            for number in range(size + 1):
                for level in range(levels):
                    logs[rule, number, level] += common.logs[kind, level, known + number]
    position.rules, position.levels = count, levels
    return weigh_rules(memory)


@inlined
def weigh_rules(memory: Memory) -> int:
    """
    Write the weights of each rule, by how many of its cards the holder has, to `memory`.

    Also write the number of cards, `cap`, from which on they are all the same. Return the status:
    `FITS`, or `TOO_LARGE` if the weights are too far apart.
    """
    position, rules, logs = memory.positions[0], memory.rules, memory.logs
    span = 0.0
    for rule in range(position.rules):
        cap, widest = 1, 0.0
        if not rules[rule].needs:
            for level in range(position.levels):
                least, most = 0.0, 0.0
                for number in range(count_cards(rules[rule].cards) + 1):
                    logarithm = logs[rule, number, level]
                    memory.weights[rule, number, level] = np.exp(logarithm)
                    most = max(most, logarithm)
                    if logarithm > -np.inf:
                        least = min(least, logarithm)
                    if number > cap and logarithm != logs[rule, number - 1, level]:
                        cap = number
                widest = max(widest, most - least)
        rules[rule].cap = cap
        span += widest
    return TOO_LARGE if span > MOST_SPAN else FITS


@inlined
def find_blocks(common: Common, memory: Memory) -> None:
    """
    Write for each category a number, `block`, that says how early its cards are placed.

    Higher numbers come first; -1 comes last. If it matters how many cards of a category a hand has,
    these cards are placed one after the other. Then few states need to count them. The largest such
    category comes last, the second largest first.
    """
    position, blocks = memory.positions[0], memory.positions[0].block
    largest, count = 0, 0
    for number in range(len(common.categories)):
        blocks[number] = 0
        for rule in range(position.rules):
            h = memory.rules[rule].holder
            mine = common.categories[number] & position.may[h] & ~position.has[h]
            if not memory.rules[rule].needs and memory.rules[rule].cards == mine:
                early = count_cards(mine) * MOST_CATEGORIES + MOST_CATEGORIES - number
                blocks[number] = max(blocks[number], early)
        count += blocks[number] > 0
        if blocks[number] > blocks[largest]:
            largest = number
    if count > 1:
        blocks[largest] = -1


@compiled
def order_cards(common: Common, memory: Memory) -> None:
    """
    Choose the order in which the open cards are placed: write the card of each layer to `memory`.

    An open card is one whose holder is not yet certain. A rule is under way from its first card to
    its last; the fewer rules overlap, the fewer states there are. The order is greedy, as in
    `product.card_order`, but by a single cost: cards that are the last of rules, or belong to many,
    come early; cards that are the first of rules come late. That the envelope has a card of each
    category counts as a rule, too.
    """
    position, rules, layers = memory.positions[0], memory.rules, memory.layers
    begins, ends, furthers = position.begins, position.ends, position.furthers
    # the open cards, in blocks of which the earlier ones are placed first
    find_blocks(common, memory)
    cards, envelope = len(common.strides), len(common.least)
    rest = 0
    for h in range(envelope + 1):
        rest |= position.may[h] & ~position.has[h]
    for card in range(cards):
        begins[card], ends[card], furthers[card] = 0, 0, 0
    # what each card begins, ends and furthers before any is placed
    count = position.rules + len(common.categories)
    for rule in range(count):
        if rule < position.rules:
            mask = rules[rule].cards
        else:
            mask = common.categories[rule - position.rules]
            mask &= position.may[envelope] & ~position.has[envelope]
        position.masks[rule], position.left[rule] = mask, count_cards(mask)
        for card in range(cards):
            if mask >> card & 1:
                begins[card] += 1
                furthers[card] += 1
                ends[card] += position.left[rule] == 1
    layer = 0
    while rest:
        # the cards that are placed now
        early, block = np.int64(-1), 0
        for number in range(len(common.categories)):
            if rest & common.categories[number] and position.block[number] >= early:
                if position.block[number] > early:
                    early, block = position.block[number], 0
                block |= rest & common.categories[number]
        # of ten ways to weigh these three numbers, this one made the fewest states
        best, least = -1, 0
        for card in range(cards):
            if block >> card & 1:
                cost = 3 * begins[card] - 4 * ends[card] - 2 * furthers[card]
                if best < 0 or cost < least:
                    best, least = card, cost
        rest &= ~(1 << best)
        layers[layer].card = best
        # its rules have begun now; if one card of a rule is left, that card ends it
        for rule in range(count):
            mask = position.masks[rule]
            if mask >> best & 1:
                begun = position.left[rule] == count_cards(mask)
                position.left[rule] -= 1
                if begun or position.left[rule] == 1:
                    for card in range(cards):
                        if mask >> card & 1:
                            begins[card] -= begun
                            ends[card] += position.left[rule] == 1
                if rule < position.rules:
                    rules[rule].first = layer if begun else rules[rule].first
                    rules[rule].last = layer
        layer += 1
    position.layers = layer


@compiled
def pool_hands(common: Common, memory: Memory) -> None:
    """
    Write to `memory` which hands are read as one, because nothing tells them apart (a pool).

    Such hands can have the same open cards, their sizes are known, and no rule is about them. The
    envelope is the last pool, by itself.
    """
    position, rules, pools = memory.positions[0], memory.rules, memory.pools
    envelope = len(common.least)
    position.ways = 1.0
    count = 0
    for h in range(envelope + 1):
        may, held = position.may[h] & ~position.has[h], count_cards(position.has[h])
        least, most, ruled = 0, 0, True
        if h < envelope:
            least = max(common.least[h] - held, 0)
            most = min(common.most[h] - held, count_cards(may))
            ruled = False
            for rule in range(position.rules):
                ruled = ruled or rules[rule].holder == h
        # a pool that it can join
        at = count
        if not ruled and least == most:
            for pool in range(count):
                if not pools[pool].ruled and pools[pool].exact and pools[pool].may == may:
                    at = pool
        position.pool_of[h], position.size[h] = at, least
        if at == count:
            count += 1
            pools[at].may, pools[at].ruled, pools[at].exact = may, ruled, least == most
            pools[at].least, pools[at].most = least, most
        else:
            # whichever cards the pool gets, there are equally many ways to share them out
            pools[at].least += least
            pools[at].most += most
            position.ways *= _CHOOSE[pools[at].most, least]
    position.pools = count


@compiled
def assign_bits(common: Common, memory: Memory) -> int:
    """
    Decide which bits of a state's key stand for what, and write that to `memory`.

    The bits of a rule are free again after its last card. Return the status: `FITS`, or `TOO_LARGE`
    if there are too few bits.
    """
    position, rules, pools = memory.positions[0], memory.rules, memory.pools
    # the number of cards that each pool has got, in bits whose highest says that it is full
    shift = 0
    for number in range(position.pools - 1):
        pool = pools[number]
        width = 0
        while (1 << width) >> 1 < pool.most:
            width += 1
        pool.base = ((1 << width) >> 1) - pool.most
        pool.shift, pool.mask = shift, (1 << width) - 1
        shift += width
    # whether the envelope has its card of each category
    position.first_bit = shift
    for number in range(len(common.categories)):
        position.category_bit[number] = 0
        if not common.categories[number] & position.has[len(common.least)]:
            position.category_bit[number] = 1 << shift
            shift += 1
    position.open_categories = shift - position.first_bit
    if shift > MOST_BITS or position.open_categories > MOST_OPEN:
        return TOO_LARGE
    # whether each need is still unmet, and the count of each table
    for rule in range(position.rules):
        width = 0
        while rules[rule].cap >> width:
            width += 1
        rules[rule].width = (1 << width) - 1
    used = (1 << shift) - 1
    for layer in range(position.layers):
        for rule in range(position.rules):
            if rules[rule].last == layer and rules[rule].first < layer:
                used &= ~(rules[rule].width << rules[rule].shift)
        for rule in range(position.rules):
            if rules[rule].first == layer and rules[rule].last > layer:
                at = 0
                while used >> at & rules[rule].width:
                    at += 1
                if rules[rule].width << at >= 1 << MOST_BITS:
                    return TOO_LARGE
                rules[rule].shift = at
                used |= rules[rule].width << at
    return FITS


@compiled
def describe_layers(common: Common, memory: Memory) -> int:
    """
    Describe, for each layer and each pool that may have its card, how that changes a state.

    The description goes to `memory`. Return the status: `FITS`, or `TOO_LARGE` if there is no room
    for it.
    """
    position, pools = memory.positions[0], memory.pools
    last = position.pools - 1
    rest = 0  # the cards of later layers
    for number in range(position.layers):
        rest |= 1 << memory.layers[number].card
    for number in range(position.layers):
        layer = memory.layers[number]
        layer.candidates, layer.envelope = 0, -1
        layer.near, layer.tested, layer.opens, layer.ending = 0, 0, 0, 0
        layer.tables, layer.weighed = 0, 0
        rest &= ~(1 << layer.card)
        for pool in range(last + 1):
            if not pools[pool].may >> layer.card & 1:
                continue
            mine = memory.candidates[number, layer.candidates]
            mine.pool, mine.meets, mine.unmet, mine.begins, mine.closes = pool, 0, 0, 0, 0
            if pool == last:
                layer.envelope = layer.candidates
                for category in range(len(common.categories)):
                    if common.categories[category] >> layer.card & 1:
                        mine.step = mine.top = position.category_bit[category]
                        if not common.categories[category] & rest & pools[pool].may:
                            layer.tested |= mine.top
            else:
                mine.step = 1 << pools[pool].shift
                mine.top = ((pools[pool].mask + 1) >> 1) << pools[pool].shift
                # how many cards it must have by now if it need not take this one
                enough = pools[pool].least - count_cards(pools[pool].may & rest)
                if enough > 0:
                    layer.tested |= mine.top
                    layer.near += mine.top - ((enough + pools[pool].base) << pools[pool].shift)
            if not describe_rules(memory, number, layer.candidates):
                return TOO_LARGE
            if pool == last:
                mine.unmet = 0  # its top bit says that one category is full, not the envelope
            layer.opens |= mine.begins
            layer.ending |= mine.closes
            mine.others = ~(mine.top | mine.closes)
            layer.candidates += 1
    return FITS


@inlined
def describe_rules(memory: Memory, number: int, candidate: int) -> bool:
    """
    Write to `memory` how taking a layer's card changes what a state says about a pool's rules.

    Return whether there was room for that.

    Args:
        memory: The working memory.
        number: The number of the layer.
        candidate: The number of the pool among those that may have the layer's card.
    """
    position, layer = memory.positions[0], memory.layers[number]
    mine = memory.candidates[number, candidate]
    for which in range(position.rules):
        rule = memory.rules[which]
        if position.pool_of[rule.holder] != mine.pool or rule.last < number:
            continue
        here, bit = rule.cards >> layer.card & 1, 1 << rule.shift
        if not rule.needs:
            if here:
                if layer.tables == MOST_TABLES:
                    return False
                counted = memory.counted[number, layer.tables]
                counted.rule, counted.candidate, counted.shift = which, candidate, rule.shift
                counted.width = rule.width * (rule.first < number)
                counted.most, counted.ends = rule.cap, rule.last == number
                layer.tables += 1
                layer.weighed += counted.ends
        elif rule.first > number:
            mine.unmet |= LATER
        elif not here:
            mine.unmet |= bit
        elif rule.first == number:
            mine.step -= bit
            mine.begins |= bit
        else:
            mine.meets |= bit
            if rule.last == number:
                mine.closes |= bit
    return True


@compiled
def build_diagram(memory: Memory) -> int:
    """
    Build the states and arrows of the diagram layer by layer, and count the ways to each state.

    Return the status: `FITS`, `CLASH` (no deal fits) or `TOO_LARGE` (for the working memory).
    """
    position, layers, pools = memory.positions[0], memory.layers, memory.pools
    memory.keys[0], memory.deals[0] = 0, 1.0
    for pool in range(position.pools - 1):
        memory.keys[0] += pools[pool].base << pools[pool].shift
    layers[0].state, layers[1].state, layers[0].arrow = 0, 1, 0
    for number in range(position.layers):
        layer, after = layers[number], layers[number + 1]
        room = layer.candidates * (after.state - layer.state)
        slots = 64
        while slots <= room:
            slots *= 2
        if (
            slots > len(memory.hashed)
            or layer.arrow + room > len(memory.to)
            or after.state + room >= len(memory.keys)
        ):
            return TOO_LARGE
        after.arrow = list_arrows(memory, number)
        layers[number + 2].state = merge_states(memory, number, slots)
        if layers[number + 2].state == after.state:
            return CLASH
    return FITS


@inlined
def list_arrows(memory: Memory, number: int) -> int:
    """
    Write the arrows of a layer, and the keys of the states that they lead to, to `memory`.

    `number` is that of the layer. Return the number of the last arrow plus 1. A layer places one
    open card, that is, a card whose holder is not yet certain; an arrow gives the card to one
    holder.

    The key of a state is a number whose bits say what the holders have so far. For example, let Ann
    get 3 of the open cards, Ben 2 and the envelope one; and Ben needs one of the first two cards.
    Before the first card, the fields are, from the right:

        001: Ann's number of cards plus 1, so that it is 100 once she has her 3 cards
        00: Ben's number of cards, so that it is 10 once he has his 2 cards
        0: 1 once the envelope has its card
        0: 1 while Ben's need has begun and is not met

    So the top bit of a hand's number says that the hand is full. If Ann takes the first card, the
    key becomes 1 0 00 010. If Ben then takes the second, which meets his need, it becomes
    0 0 01 010.
    """
    layer, candidates = memory.layers[number], memory.candidates[number]
    counted, logs, steps = memory.counted[number], memory.logs, memory.positions[0].steps
    start, reached, choice = memory.start, memory.reached, memory.choice
    near, tested, opens, ending = layer.near, layer.tested, layer.opens, layer.ending
    tables, count = layer.tables, layer.candidates
    for candidate in range(count):
        steps[candidate] = candidates[candidate].step
    arrow, last = layer.arrow, 0
    for state in range(layer.state, memory.layers[number + 1].state):
        key = memory.keys[state]
        skipping = key + opens  # the state if nobody took the card
        # The top bit of a pool's number is set when it is full, and the number grows no more. What
        # `near` adds is less than that bit, so nothing is carried into the next pool's bits.
        owed = ~(key + near) & tested | key & ending  # the bits of those who must take it
        barred = 0  # the candidates that must not take it
        must = 0  # those that must, by a table
        if tables:
            for table in range(tables):
                candidate = counted[table].candidate
                steps[candidate] = candidates[candidate].step
            for table in range(tables):
                rule, shift = counted[table].rule, counted[table].shift
                candidate = counted[table].candidate
                begun = key >> shift & counted[table].width
                more = begun + 1 if begun < counted[table].most else counted[table].most
                if counted[table].ends:
                    skipping -= begun << shift
                    barred |= (logs[rule, more, 0] == -np.inf) << candidate
                    must |= (logs[rule, begun, 0] == -np.inf) << candidate
                else:
                    steps[candidate] += (more - begun) << shift
        for candidate in range(count):
            mine = candidates[candidate]
            after = skipping + steps[candidate] - (key & mine.meets)
            full = after & mine.top != 0  # 0 - full is all ones then
            bad = key & mine.top | owed & mine.others
            bad |= (key | LATER) & mine.unmet & (0 - full)  # a full hand that still needs a card
            if tables:
                bad |= barred >> candidate & 1 | must & ~(1 << candidate)
            # written in any case, because a branch that is hard to predict would cost more
            start[arrow] = state
            choice[arrow] = candidate
            reached[last] = after
            arrow += bad == 0
            last += bad == 0
    return int(arrow)


_SPREAD = -7046029254386353131
"""2**64 divided by the golden ratio: multiplying by it moves similar keys far apart."""

_GENERATION = 1 << 24
"""
A number above all numbers of states. It is added to what the hash table stores, once for each
layer, so that an entry says for which layer it was made and the table need not be cleared.
"""


@inlined
def merge_states(memory: Memory, number: int, slots: int) -> int:
    """
    Make one state of all equal keys to which the arrows of a layer lead.

    Return the number of the last state plus 1.

    Args:
        memory: The working memory, which gets the states.
        number: The number of the layer.
        slots: The size of the hash table, a power of 2.
    """
    keys, deals, hashed = memory.keys, memory.deals, memory.hashed
    memory.positions[0].mark += _GENERATION
    mark = memory.positions[0].mark
    begin, fresh = memory.layers[number].arrow, memory.layers[number + 1].state
    for arrow in range(begin, memory.layers[number + 1].arrow):
        key, start = memory.reached[arrow - begin], memory.start[arrow]
        slot = ((key ^ (key >> 31)) * _SPREAD >> 32) & (slots - 1)
        keys[fresh] = key  # so that the search ends, at the latest with a new state
        deals[fresh] = 0.0
        to = hashed[slot] - mark
        to = fresh if to < 0 else to
        while keys[to] != key:
            slot = (slot + 1) & (slots - 1)
            to = hashed[slot] - mark
            to = fresh if to < 0 else to
        hashed[slot] = mark + to
        fresh += to == fresh
        memory.to[arrow] = to
        deals[to] += deals[start]
    return int(fresh)


@compiled
def count_deals(memory: Memory, at: int, answers: Answers) -> int:
    """
    Write the number of deals that fit to `answers`; `at` is the number of the position.

    Return the status: `FITS` if a float holds the number exactly, else `TOO_LARGE`.
    """
    position, layers = memory.positions[0], memory.layers
    deals = 0.0
    for state in range(layers[position.layers].state, layers[position.layers + 1].state):
        deals += memory.deals[state]
    answers.deals[at] = deals * position.ways
    return FITS if answers.deals[at] < EXACT else TOO_LARGE


@compiled
def sum_weights(memory: Memory) -> None:
    """
    Write the weights of arrows, and the total weights of ways, at each own-card level to `memory`.

    One level and several levels have compiled code of their own.
    """
    if memory.positions[0].levels == 1:
        weigh_arrows(memory, 1)
        sum_forward(memory, 1)
        sum_backward(memory, 1)
    else:
        weigh_arrows(memory, LEVEL_COUNT)
        sum_forward(memory, LEVEL_COUNT)
        sum_backward(memory, LEVEL_COUNT)


@inlined
def weigh_arrows(memory: Memory, levels: int) -> None:
    """
    Write the weight of each arrow at each of `levels` own-card levels into `memory.weight`.

    The weights of an arrow at all levels are next to each other. A table weighs a hand by how many
    of some cards it has, so its weight is known once the last of these cards is placed. The weight
    of an arrow is the product over the tables whose last card the arrow places. Layers in which no
    table ends are left out: there every arrow weighs 1.
    """
    weight = memory.weight
    for number in range(memory.positions[0].layers):
        layer, end = memory.layers[number], memory.layers[number + 1].arrow
        if not layer.weighed:
            continue
        for index in range(levels * layer.arrow, levels * end):
            weight[index] = 1.0
        for table in range(layer.tables):
            counted = memory.counted[number, table]
            if not counted.ends:
                continue
            weights = memory.weights[counted.rule]
            candidate, shift = counted.candidate, counted.shift
            width, most = counted.width, counted.most
            for arrow in range(layer.arrow, end):
                held = memory.keys[memory.start[arrow]] >> shift & width
                held += memory.choice[arrow] == candidate and held < most
                for level in range(levels):
                    weight[levels * arrow + level] *= weights[held, level]


@inlined
def sum_forward(memory: Memory, levels: int) -> None:
    """
    Write the total weight of all ways from the start to each state, at each of `levels` levels.
    """
    layers, forward = memory.layers, memory.forward
    count = memory.positions[0].layers
    for index in range(levels * layers[count + 1].state):
        forward[index] = index < levels
    for number in range(count):
        weighed = layers[number].weighed
        for arrow in range(layers[number].arrow, layers[number + 1].arrow):
            start, to = levels * memory.start[arrow], levels * memory.to[arrow]
            for level in range(levels):
                part = forward[start + level]
                if weighed:
                    part *= memory.weight[levels * arrow + level]
                forward[to + level] += part


@inlined
def sum_backward(memory: Memory, levels: int) -> None:
    """
    Write the total weight of all ways from each state to the end, at each of `levels` levels.

    Also write, as `flow`, the weight of all deals in which each card goes to each pool.
    """
    layers, forward, backward = memory.layers, memory.forward, memory.backward
    count, flow = memory.positions[0].layers, memory.positions[0].flow
    for index in range(levels * layers[count + 1].state):
        backward[index] = index >= levels * layers[count].state
    for number in range(count - 1, -1, -1):
        weighed = layers[number].weighed
        for choice in range(layers[number].candidates):
            for level in range(levels):
                flow[number, choice, level] = 0.0
        for arrow in range(layers[number].arrow, layers[number + 1].arrow):
            start, to = levels * memory.start[arrow], levels * memory.to[arrow]
            choice = memory.choice[arrow]
            for level in range(levels):
                part = backward[to + level]
                if weighed:
                    part *= memory.weight[levels * arrow + level]
                backward[start + level] += part
                flow[number, choice, level] += forward[start + level] * part


@compiled
def mix_levels(common: Common, memory: Memory) -> int:
    """
    Write, for each own-card level, the factor by which its weights are multiplied to be chances.

    The chances of all levels are then added. Return the status: `CLASH` if no deal has any weight,
    else `FITS`.
    """
    position, backward = memory.positions[0], memory.backward
    levels, scale, likeliest, total = position.levels, position.scale, -np.inf, 0.0
    for level in range(levels):
        scale[level] = common.prior[level] + position.constant[level] + np.log(backward[level])
        likeliest = max(likeliest, scale[level])
    if likeliest == -np.inf:
        return CLASH
    for level in range(levels):
        scale[level] = np.exp(scale[level] - likeliest)
        total += scale[level]
    for level in range(levels):
        if scale[level] > 0.0:
            scale[level] /= total * backward[level]
    return FITS


@compiled
def write_marginals(memory: Memory, marginals: Floats, verdicts: npt.NDArray[np.int8]) -> None:
    """
    Write the probability that each holder has each card to `marginals`, and whether it has it.

    The second goes to `verdicts`: 1 has it, 2 lacks it, 0 open. A probability of 0 means that there
    is no such deal: all weights are above 0, so nothing cancels, and no product becomes 0, because
    no span exceeds `MOST_SPAN` and floats go down to e ** -708.
    """
    position, pools = memory.positions[0], memory.pools
    cards, holders = marginals.shape
    for card in range(cards):
        for h in range(holders):
            marginals[card, h] = position.has[h] >> card & 1
    for number in range(position.layers):
        layer = memory.layers[number]
        for candidate in range(layer.candidates):
            pool = memory.candidates[number, candidate].pool
            chance = 0.0
            for level in range(position.levels):
                chance += position.flow[number, candidate, level] * position.scale[level]
            for h in range(holders):
                if position.pool_of[h] == pool:
                    share = 1.0
                    if position.size[h] < pools[pool].least:
                        share = position.size[h] / pools[pool].least
                    marginals[layer.card, h] = chance * share
    for card in range(cards):
        possible = 0
        for h in range(holders):
            possible += marginals[card, h] > 0.0
        for h in range(holders):
            verdicts[card, h] = 0
            if marginals[card, h] == 0.0:
                verdicts[card, h] = 2
            elif possible == 1:
                verdicts[card, h], marginals[card, h] = 1, 1.0
            else:  # 1 is a proof
                marginals[card, h] = min(marginals[card, h], BELOW_ONE)


@compiled
def number_solutions(common: Common, memory: Memory) -> int:
    """
    Number, from 0 in each category, the open cards that the envelope may have.

    Return the status: `TOO_LARGE` if there is no room to split the weights of the states by these
    cards, else `FITS`.
    """
    position, envelope = memory.positions[0], len(common.least)
    may = position.may[envelope] & ~position.has[envelope]
    position.known_index, position.longest = 0, 1
    for number in range(len(common.categories)):
        bit, choice = position.category_bit[number] >> position.first_bit, 0
        for card in range(len(common.strides)):
            if not common.categories[number] >> card & 1:
                continue
            if position.has[envelope] >> card & 1:
                position.known_index += common.strides[card]
            elif may >> card & 1:
                position.bit_of[card], position.choice_of[card] = bit, choice
                position.added[bit, choice] = common.strides[card]
                choice += 1
        position.choices[bit] = choice
        position.longest = max(position.longest, choice)
    position.choices[0], position.added[0, 0] = 1, 0
    states = memory.layers[position.layers + 1].state
    if states * position.longest * position.levels > len(memory.split):
        return TOO_LARGE
    return FITS


@compiled
def fill_solution_chances(common: Common, memory: Memory, chances: Floats) -> None:
    """
    Write the probability of each solution to `chances`, shape (solutions,).

    A category is open if its card in the envelope is not known. With n open categories let m be (n
    - 1) // 2. In states in which the envelope has at most m of its open cards, the forward weight
    (of all ways to the state) is split by that card; in all others the backward weight (of all ways
    on) is split by the card that is still missing. As n is at most 3, each split is by one
    category. They meet in the arrows that give the envelope its card number m + 1; every deal goes
    through one of these.
    """
    position, split = memory.positions[0], memory.split
    for index in range(len(chances)):
        chances[index] = 0.0
    if not position.open_categories:
        chances[position.known_index] = 1.0
        return
    width = position.longest * position.levels
    for index in range(width * memory.layers[position.layers + 1].state):
        split[index] = 0.0
    split_backward(memory)
    split_forward(common, memory, chances)


@inlined
def carry_row(memory: Memory, source: int, to: int, arrow: int, weighed: int) -> None:
    """
    Add the weights of one state, split by card of the envelope, to those of another state.

    They are its row and the other's row in `Memory.split`.

    Args:
        memory: The working memory.
        source, to: Where the two rows begin.
        arrow: The number of the arrow between the two states.
        weighed: Whether the weights are multiplied by the weight of the arrow.
    """
    position, split = memory.positions[0], memory.split
    longest, levels = position.longest, position.levels
    row, other = split[to : to + longest * levels], split[source : source + longest * levels]
    if not weighed:
        for index in range(longest * levels):
            row[index] += other[index]
        return
    for level in range(levels):
        weight = memory.weight[levels * arrow + level]
        for choice in range(longest):
            row[level * longest + choice] += weight * other[level * longest + choice]


@inlined
def fill_row(memory: Memory, source: int, to: int, arrow: int, weighed: int, choice: int) -> None:
    """
    Add the weight of one state to that of another, under one card of the envelope.

    They have a row each in `Memory.split`; the first is not split yet.

    Args:
        memory: The working memory.
        source, to: Where the two rows begin.
        arrow: The number of the arrow between the two states.
        weighed: Whether the weight is multiplied by the weight of the arrow.
        choice: The number of the card in its category.
    """
    position, split = memory.positions[0], memory.split
    longest, levels = position.longest, position.levels
    for level in range(levels):
        part = split[source + level * longest]
        if weighed:
            part *= memory.weight[levels * arrow + level]
        split[to + level * longest + choice] += part


@inlined
def split_backward(memory: Memory) -> None:
    """
    Split the weight of all ways on from a state by the card that the envelope still lacks.

    Only states in which the envelope has more than m of its open cards count, where m is (n - 1) //
    2 for n categories whose card is open.
    """
    position, layers, split = memory.positions[0], memory.layers, memory.split
    longest, levels = position.longest, position.levels
    width, shift = longest * levels, position.first_bit
    everything = (1 << position.open_categories) - 1
    middle = (position.open_categories - 1) // 2
    for state in range(layers[position.layers].state, layers[position.layers + 1].state):
        for level in range(levels):
            split[state * width + level * longest] = memory.backward[levels * state + level]
    for number in range(position.layers - 1, -1, -1):
        choice = position.choice_of[layers[number].card]
        for arrow in range(layers[number].arrow, layers[number + 1].arrow):
            start = memory.start[arrow]
            if count_cards(memory.keys[start] >> shift & everything) <= middle:
                continue
            source, to = memory.to[arrow] * width, start * width
            if memory.choice[arrow] != layers[number].envelope:
                carry_row(memory, source, to, arrow, layers[number].weighed)
            else:
                fill_row(memory, source, to, arrow, layers[number].weighed, choice)


@inlined
def split_forward(common: Common, memory: Memory, chances: Floats) -> None:
    """
    Split the weight of all ways to a state by the envelope's card, and combine both splits.

    The products with the split weights of the ways on are added to the `chances` of the solutions.
    """
    position, layers, split = memory.positions[0], memory.layers, memory.split
    longest, levels = position.longest, position.levels
    width, shift = longest * levels, position.first_bit
    everything = (1 << position.open_categories) - 1
    middle = (position.open_categories - 1) // 2
    for level in range(levels):
        split[level * longest] = position.scale[level]
    for number in range(position.layers):
        card = layers[number].card
        bit, index = position.bit_of[card], position.known_index + common.strides[card]
        for arrow in range(layers[number].arrow, layers[number + 1].arrow):
            start = memory.start[arrow]
            has = memory.keys[start] >> shift & everything
            filled = count_cards(has)
            if filled > middle:
                continue
            source, to = start * width, memory.to[arrow] * width
            if memory.choice[arrow] != layers[number].envelope:
                carry_row(memory, source, to, arrow, layers[number].weighed)
            elif filled < middle:
                choice = position.choice_of[card]
                fill_row(memory, source, to, arrow, layers[number].weighed, choice)
            else:
                left = everything ^ has ^ bit
                for one in range(position.choices[has]):
                    first = index + position.added[has, one]
                    for level in range(levels):
                        part = split[source + level * longest + one]
                        if layers[number].weighed:
                            part *= memory.weight[levels * arrow + level]
                        for other in range(position.choices[left]):
                            chances[first + position.added[left, other]] += (
                                part * split[to + level * longest + other]
                            )
