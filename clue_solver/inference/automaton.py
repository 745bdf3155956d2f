"""
One holder's hand as a small automaton, which reads the cards that the hand can have one by one.

The weight of a hand is a product of rules, each a set of cards and a table by how many of them the
hand has. Tables are logarithms, as a long log spans more than a float can, and what cannot be is
minus infinity. The automaton reads "not mine" or "mine": its states are the number of cards held
and the counts of the rules that are under way. States with the same future are one state, so the
automaton is the smallest there is (the reduction rule of decision diagrams: Bryant, "Graph-Based
Algorithms for Boolean Function Manipulation", IEEE Transactions on Computers 35, 1986).

Where the own-card level of the players is learned, a rule about it has one table for each level,
and its arrows one weight for each. The states are the same at all levels.

A rule about the last cards read needs no count where the hand's size is known: of them it has the
size less what is held before them. So it is weighed where they begin.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from operator import add
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.knowledge.clauses import card_numbers

DEAD = -1
"""The successor of a state that cannot go on."""

LogTable = tuple[float, ...]
"""Logarithms of weights by how many of some cards a hand has; minus infinity for none."""

Weight = tuple[float, ...]
"""The logarithm of what an arrow multiplies by, at each own-card level."""

Arrow = tuple[int, Weight]
"""The number of a successor, and the weight of going there."""

_Row = tuple[int, Weight, int, Weight]
"""The arrows of a state: where "not mine" and "mine" lead to, each with its weight."""


class Rule(NamedTuple):
    """
    The weight of a hand by how many of a mask of cards it has.

    Attributes:
        cards: The mask.
        tables: One table, or one for each own-card level; what cannot be is the same in all.
    """

    cards: int
    tables: tuple[LogTable, ...]


class Automaton(NamedTuple):
    """
    A holder's hand, one layer for each card it may hold, in the order of the diagram.

    Attributes:
        widths: Number of states before each card and after the last; the first is 1, the last is 1
            unless sizes are told apart, and all are 0 where no hand is possible.
        starts: Where each layer's states start in the arrays below.
        after: The states of the next layer after "not mine" and after "mine", or `DEAD`, shape (2,
            states).
        weight: The logarithm of what these arrows multiply the weight by, 0 on dead ones, shape (2,
            levels, states); one level stands for all if its rules have one table.
        held: The number of cards held in each of the last states; 0 where sizes are not told
            apart.
    """

    widths: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    after: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    held: npt.NDArray[np.int64]


@lru_cache(maxsize=4096)
def automaton(
    least: int, most: int, cards: int, rules: tuple[Rule, ...], *, sized: bool = False
) -> Automaton:
    """
    Return the smallest automaton of the hands with `least` to `most` of `cards` cards.

    Args:
        least, most: Bounds of the hand's size.
        cards: How many cards the holder may hold.
        rules: Masks over those cards, counted from 0 in reading order, and their tables: one each,
            or one for each level in at least one of them.
        sized: Whether hands of different sizes end in different states.

    Returns:
        The automaton; where no hand is possible its last layer has no state.
    """
    levels = max((len(rule.tables) for rule in rules), default=1)
    one = (0.0,) * levels
    size_mask = (1 << max(most, 1).bit_length() + 1) - 1
    stepping, closing, opening = _counters(
        rules,
        cards,
        first_shift=size_mask.bit_length(),
        levels=levels,
        size_known=least == most,
    )
    layers: list[dict[_Row, int]] = [{} for _ in range(cards)]  # the states, by what comes then
    numbers: list[dict[int, int]] = [{} for _ in range(cards)]  # of states, by their packed keys
    ends: dict[int, int] = {}  # the same behind the last card, by the cards held

    def number(card: int, key: int) -> int:
        """Return the number of the state of a packed key before a card, `DEAD` if none goes on."""
        if card == cards:
            return ends.setdefault(key & size_mask if sized else 0, len(ends))
        if key not in numbers[card]:
            skip = take = (DEAD, one)
            held = key & size_mask
            needed = least - (cards - card - 1)  # cards that must be held by now

            # Not mine, if the cards that are left are still enough.
            if held >= needed:
                skip = arrow(card, key, most - held)

            # Mine, if there is room and no rule forbids one more: a count goes up to its cap.
            if needed <= held + 1 <= most:
                after = key + 1
                for shift, mask, cap, fatal, _ in stepping[card]:
                    count = key >> shift & mask
                    if count < cap:
                        if fatal and count + 1 == cap:
                            break
                        after += 1 << shift
                else:
                    take = arrow(card, after, most - held)

            # Equal rows are one state.
            row = (*skip, *take)
            alive = skip[0] != DEAD or take[0] != DEAD
            numbers[card][key] = layers[card].setdefault(row, len(layers[card])) if alive else DEAD
        return numbers[card][key]

    def arrow(card: int, key: int, lacking: int) -> Arrow:
        """Return where a card leads to, with the weights of the rules that it closes or opens."""
        weight = one
        for shift, mask, _, _, table in closing[card]:
            weight = tuple(map(add, weight, table[key >> shift & mask]))
            key &= ~(mask << shift)  # its count is forgotten
        for _, _, cap, _, table in opening[card]:
            weight = tuple(map(add, weight, table[min(lacking, cap)]))
        if weight[0] == -inf:  # what cannot be is so at every level
            return DEAD, one
        after = number(card + 1, key)
        return (after, weight) if after != DEAD else (DEAD, one)

    if least <= cards and most >= 0:
        number(0, 0)

    widths = np.array([*map(len, layers), len(ends)])
    rows = [row for layer in layers for row in layer]
    skips, skip_weights, takes, take_weights = zip(*rows, strict=True) if rows else ((),) * 4
    weights = np.array([skip_weights, take_weights], np.float64).reshape(2, len(rows), levels)
    return Automaton(
        widths=widths,
        starts=widths.cumsum() - widths,
        after=np.array([skips, takes], np.int64),
        weight=np.ascontiguousarray(weights.transpose(0, 2, 1)),
        held=np.array([*ends]),
    )


class _Counter(NamedTuple):
    """Where a packed state has a rule's count, and how far the rule counts."""

    shift: int
    mask: int
    cap: int  # from here on the table does not change
    fatal: bool  # whether nothing can be from `cap` on
    table: tuple[Weight, ...]


def _counters(
    rules: tuple[Rule, ...], cards: int, *, first_shift: int, levels: int, size_known: bool
) -> tuple[list[list[_Counter]], list[list[_Counter]], list[list[_Counter]]]:
    """
    Return the rules' counters by card; their bits in a packed state begin at `first_shift`.

    Returns:
        Those that count the card; of these those whose last card it is; those about this card and
        all later ones, where the hand's size is known.
    """
    stepping: list[list[_Counter]] = [[] for _ in range(cards)]
    closing: list[list[_Counter]] = [[] for _ in range(cards)]
    opening: list[list[_Counter]] = [[] for _ in range(cards)]
    shift = first_shift
    for mask, tables in rules:
        every = tables if len(tables) == levels else tables * levels
        table: tuple[Weight, ...] = tuple(zip(*every, strict=True))
        cap = len(table) - 1
        while cap and table[cap - 1] == table[-1]:
            cap -= 1
        width = cap.bit_length()
        counter = _Counter(shift, (1 << width) - 1, cap, table[cap][0] == -inf, table)
        shift += width
        first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
        if size_known and first < last and mask >> first == (1 << cards - first) - 1:
            opening[first].append(counter)
        else:
            closing[last].append(counter)
            for card in card_numbers(mask):
                stepping[card].append(counter)
    return stepping, closing, opening
