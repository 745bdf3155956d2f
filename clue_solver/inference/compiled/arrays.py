"""What the compiled engine works in: memory for one position, and how it ends."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Small = npt.NDArray[np.int8]

FITS, CLASH, FULL, FOREIGN = 0, 1, 2, 3
"""How it ended: as asked; no deal fits; the workspace is too small; not a shape for this engine."""

MOST_HOLDERS, MOST_CARDS, MOST_RULES, MOST_TABLES, MOST_BITS = 24, 60, 192, 48, 62


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
    arrows = 4 * states
    slots = 1
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
(`LATER`); of all that must be somebody's card the bits by which it is not this one's; the bits of
the needs that begin and that end with the card.
"""

LATER = 1 << 62
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
        tables=np.zeros((MOST_CARDS, MOST_TABLES, 6), np.int64),
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
