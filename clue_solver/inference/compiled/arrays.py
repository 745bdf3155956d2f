"""What the compiled engine works in: memory for one position, and how it ends."""

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.compiled.machine_code import INTERPRETED
from clue_solver.knowledge.evidence import PRIOR

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Small = npt.NDArray[np.int8]

FITS, CLASH, FULL, FOREIGN = 0, 1, 2, 3
"""How it ended: as asked; no deal fits; the workspace is too small; not a shape for this engine."""

MOST_HOLDERS, MOST_CARDS, MOST_RULES, MOST_TABLES, MOST_BITS = 24, 60, 192, 48, 62
MOST_CATEGORIES, MOST_PLACES = 12, 1 << 18

LANES = len(PRIOR)
"""
Weights stand four together, one for each level of care, so that one pass weighs at all of them;
where nothing is learned the four are equal. `building` and the others write them out: a loop over
so few costs more.
"""


def _record(**fields: tuple[Any, ...]) -> Any:
    """
    Return arrays of fixed shapes as one record.

    It is handed to a function as one address; each array by itself takes seven numbers.
    """
    dtype = np.dtype([(name, kind, shape) for name, (kind, *shape) in fields.items()])
    record = np.zeros(1, dtype)[0]
    return SimpleNamespace(**{name: record[name] for name in fields}) if INTERPRETED else record


class Diagram(NamedTuple):
    """
    The deal diagram of a position, and what else grows with it.

    Attributes:
        keys, deals: For each state its key, and the number of ways to it.
        ahead, behind: For each state the weights of the ways to it, and of those on from it, flat.
        start, to, choice: For each arrow the states that it leads from and to, and the place of its
            pool among the candidates.
        weight: For each arrow what it multiplies by, flat.
        after: The keys of the states that the arrows of one layer lead to.
        hashed: A hash table of places, each with the count by which the table is cleared.
        split: Weights split by state and by the envelope's cards.
        order: Arrows by kind.
    """

    keys: Ints
    deals: Floats
    ahead: Floats
    behind: Floats
    start: npt.NDArray[np.uint32]
    to: npt.NDArray[np.uint32]
    choice: Small
    weight: Floats
    after: Ints
    hashed: Ints
    split: Floats
    order: npt.NDArray[np.uint32]


def diagram(states: int) -> Diagram:
    """Return memory for diagrams of up to so many states; some 700 bytes for each."""
    arrows = 4 * states
    slots = 1
    while slots < 4 * states:
        slots *= 2
    return Diagram(
        keys=np.zeros(states, np.int64),
        deals=np.zeros(states),
        ahead=np.zeros(LANES * states),
        behind=np.zeros(LANES * states),
        start=np.zeros(arrows, np.uint32),
        to=np.zeros(arrows, np.uint32),
        choice=np.zeros(arrows, np.int8),
        weight=np.zeros(LANES * arrows),
        after=np.zeros(arrows, np.int64),
        hashed=np.zeros(slots, np.int64),
        split=np.zeros(LANES * 2 * arrows),
        order=np.zeros((5, arrows), np.uint32),
    )


class Workspace(NamedTuple):
    """
    What functions hand on about one position.

    Attributes:
        open_cards: The cards in the order of the layers.
        pool_of: For each holder the number of its pool.
        candidates, choices: For each layer the pools that may have its card, and how many.
        flows: For each layer the weights that go to each of those pools.
        states, arrows: Where each layer's states and arrows begin; behind the last layer too.
        parts: Where those of each layer and kind begin in `order`.
        can, has: For each holder the mask of the cards that it may have, that it has.
        card_of: By open card of the envelope the columns named by `NUMBER` and so on.
        filled, lengths: For each set of the envelope's open categories, a mask, how many they are,
            and the number of choices of a card from each.
        places: For each set of at most half of them what each choice adds to a solution's place,
            one set after the other; the last category's card changes slowest.
        counted: Room to count in, a row for each purpose.
        numbers: Counts, named by `LAYERS` and so on.
        constant: The logarithm of what every deal is weighed by, at each level of care.
        scale: What weights at each level of care are to be multiplied by to be told.
    """

    open_cards: Ints
    pool_of: Ints
    candidates: Ints
    choices: Ints
    flows: Floats
    states: Ints
    arrows: Ints
    parts: Ints
    can: Ints
    has: Ints
    card_of: Ints
    filled: Ints
    lengths: Ints
    places: Ints
    counted: Ints
    numbers: Ints
    constant: Floats
    scale: Floats


def workspace() -> Any:
    """Return memory for what functions hand on."""
    return _record(
        open_cards=(np.int64, MOST_CARDS),
        pool_of=(np.int64, MOST_HOLDERS),
        candidates=(np.int64, MOST_CARDS, MOST_HOLDERS),
        choices=(np.int64, MOST_CARDS),
        flows=(np.float64, MOST_CARDS, MOST_HOLDERS, LANES),
        states=(np.int64, MOST_CARDS + 2),
        arrows=(np.int64, MOST_CARDS + 1),
        parts=(np.int64, MOST_CARDS + 1, 5),
        can=(np.int64, MOST_HOLDERS),
        has=(np.int64, MOST_HOLDERS),
        card_of=(np.int64, MOST_CARDS, 3),
        filled=(np.int64, 1 << MOST_CATEGORIES),
        lengths=(np.int64, 1 << MOST_CATEGORIES),
        places=(np.int64, MOST_PLACES),
        counted=(np.int64, 5, MOST_RULES + MOST_CATEGORIES),
        numbers=(np.int64, FAR + 1),
        constant=(np.float64, LANES),
        scale=(np.float64, LANES),
    )


LAYERS, POOLS, RULES, LEVELS, MARK, FILLED, FIRST, OPEN, SPLIT, LONGEST, FAR = range(11)
"""
How many layers, pools and rules a position has, at how many levels of care it is weighed; the
generation of the hash table; the first bit of a state that stands for a category; what the known
cards add to a solution's place, how many of the envelope's categories are open, in how many numbers
a weight is split, how many choices there are at most; whether weights are too far apart for floats.
"""

NUMBER, CHOICE, ADDS = range(3)
"""
Of a card: its open category, from 0; its number among the cards of that which the envelope may
have; what it adds to a solution's place.
"""


class Rules(NamedTuple):
    """
    The open rules: a hand's need of one of some cards, or weights by how many of them it has.

    Attributes:
        holder, cards, needs, logs: What a rule says; only where it is no need the logarithms of
            the weights, by rule, number of cards, and level of care.
        table: The weights, likewise.
        cap: From this number of cards on the weight of a table does not change.
        first, last: The layers of a rule's first and last card.
        shift, width: Where its bits stand in a state, and their mask, not shifted.
    """

    holder: Ints
    cards: Ints
    needs: Ints
    logs: Floats
    table: Floats
    cap: Ints
    first: Ints
    last: Ints
    shift: Ints
    width: Ints


def no_rules() -> Any:
    """Return memory for the rules of one position."""
    return _record(
        holder=(np.int64, MOST_RULES),
        cards=(np.int64, MOST_RULES),
        needs=(np.int64, MOST_RULES),
        logs=(np.float64, MOST_RULES, MOST_CARDS + 1, LANES),
        table=(np.float64, MOST_RULES, MOST_CARDS + 1, LANES),
        cap=(np.int64, MOST_RULES),
        first=(np.int64, MOST_RULES),
        last=(np.int64, MOST_RULES),
        shift=(np.int64, MOST_RULES),
        width=(np.int64, MOST_RULES),
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
    ruled: Ints
    least_of: Ints
    most_of: Ints
    shift: Ints
    mask: Ints
    base: Ints
    filled: Ints


def no_hands() -> Any:
    """Return memory for the hands of one position."""
    return _record(**dict.fromkeys(Hands._fields, (np.int64, MOST_HOLDERS)))


class Layers(NamedTuple):
    """
    What each layer's card means for each of the pools that may have it.

    Attributes:
        facts: By layer and candidate, the columns named by `STEP` and so on.
        tests: By layer, the columns named by `NEAR` and so on.
        tables: By layer and number the tables that the card counts for, the columns named by
            `RULE` and so on.
        moves: For one state, what each candidate's taking the card adds to it, beside what leaving
            it does.
    """

    facts: Ints
    tests: Ints
    tables: Ints
    moves: Ints


STEP, TOP, MEETS, UNMET, NOT_OWED, BEGINS, CLOSES = range(7)
"""
Of a candidate for a card: what taking it adds to a state, beside what leaving it does; the bit that
says that it is full; the bits of the needs that are met, and of others under way or to come
(`LATER`); of all that must be somebody's card the bits by which it is not this one's; the bits of
the needs that begin and that end with the card.
"""

LATER = 1 << 62
"""Set in every state where it is asked whether a need is left: some begin later."""

NEAR, TESTED, OPENS, ENDING, TABLED, WEIGHED = range(6)
"""
Of a layer: what to add to a state such that the bits `TESTED` are those of candidates that may
leave the card; the bits of all needs that begin, and of those that end with it; how many tables it
counts for, and how many of those end with it.
"""

RULE, PLACE, SHIFT, WIDTH, MOST, ENDS = range(6)
"""
Of a table that a layer's card counts for: the rule; its holder's place among the candidates; where
the number so far stands in a state, and its mask, 0 if this is its first card; from which number on
it stays; whether this is its last card.
"""


def no_layers() -> Any:
    """Return memory for the layers of one position."""
    return _record(
        facts=(np.int64, MOST_CARDS, MOST_HOLDERS, 7),
        tests=(np.int64, MOST_CARDS, 6),
        tables=(np.int64, MOST_CARDS, MOST_TABLES, 6),
        moves=(np.int64, MOST_HOLDERS),
    )


class Memory(NamedTuple):
    """All the memory for one position at a time."""

    diagram: Diagram
    work: Workspace
    rules: Rules
    hands: Hands
    plan: Layers


def memory(states: int) -> Memory:
    """Return memory for positions of up to so many states."""
    return Memory(diagram(states), workspace(), no_rules(), no_hands(), no_layers())
