"""
One holder's hand as a small automaton, which reads the cards that the hand can have one by one.

The weight of a hand is a product of rules, each a set of cards and a table by how many of them the
hand has. Tables are logarithms, because the weights of a long log span more than a float can; minus
infinity means impossible. The automaton reads "not mine" or "mine". Its states are the number of
cards held and the counts of the rules that have begun and not ended. States with the same future
are one state, so the automaton is the smallest there is (the reduction rule of decision diagrams:
Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", IEEE Transactions on Computers
35, 1986).

If the own-card level of the players is learned, a rule about it has one table for each level, and
its arrows have one weight for each. The states are the same at all levels.

A rule about the last cards read needs no count if the hand's size is known: the hand then has as
many of them as its size minus the cards held before. So the rule is weighed before these cards.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from operator import add
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from clue_solver.knowledge.clauses import CardMask, card_numbers

Value = TypeVar("Value")

DEAD = -1
"""The number that stands for no successor."""

LogTable = tuple[float, ...]
"""Logarithms of weights by how many of some cards a hand has; minus infinity for none."""

Weight = tuple[float, ...]
"""The logarithm of an arrow's weight, at each own-card level."""

Arrow = tuple[int, Weight]
"""The number of a successor, and the weight of the arrow to it."""

_Row = tuple[int, Weight, int, Weight]
"""The arrows of a state: where "not mine" and "mine" lead to, each with its weight."""


class Rule(NamedTuple):
    """
    The weight of a hand by how many of a mask of cards it has.

    Attributes:
        cards: The mask of the cards.
        tables: One table, or one for each own-card level. All of them have minus infinity in the
            same places.
    """

    cards: CardMask
    tables: tuple[LogTable, ...]


class Automaton(NamedTuple):
    """
    A holder's hand, one layer for each card it may hold, in the order of the diagram.

    Attributes:
        widths: The number of states before each card and after the last one. The first is 1, and so
            is the last unless sizes are told apart; all are 0 if no hand is possible.
        starts: The index of each layer's first state in the arrays below.
        after: The state of the next layer after "not mine" and after "mine", or `DEAD` if there is
            none; shape (2, states).
        weight: The logarithms of these arrows' weights, 0 for dead arrows; shape (2, levels,
            states), with one level for all if the rules have one table.
        held: The number of cards held in each of the last states; 0 if sizes are not told apart.
    """

    widths: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    after: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    held: npt.NDArray[np.int64]


def levelled(tables: tuple[Value, ...], levels: int) -> tuple[Value, ...]:
    """Return one of the tables for each own-card level: all have the same if there is only one."""
    return tables if len(tables) == levels else tables * levels


@lru_cache(maxsize=4096)
def automaton(
    least: int, most: int, cards: int, rules: tuple[Rule, ...], *, sized: bool = False
) -> Automaton:
    """
    Return the smallest automaton of the hands with `least` to `most` of `cards` cards.

    Args:
        least, most: The least and the most cards of the hand.
        cards: How many cards the holder may hold.
        rules: Masks over those cards, which are numbered from 0 in reading order, with their
            tables: one for each rule, or one for each level.
        sized: Whether hands of different sizes must end in different states.

    Returns:
        The automaton; its last layer has no state if no hand is possible.
    """
    levels = max((len(rule.tables) for rule in rules), default=1)
    no_weight = (0.0,) * levels
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
        """Return the number of a key's state before a card; `DEAD` if it leads nowhere."""
        if card == cards:
            return ends.setdefault(key & size_mask if sized else 0, len(ends))
        if key not in numbers[card]:
            skip = take = (DEAD, no_weight)
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
        """Return the state after a card, with the weights of the rules that it ends or begins."""
        weight = no_weight
        for shift, mask, _, _, table in closing[card]:
            weight = tuple(map(add, weight, table[key >> shift & mask]))
            key &= ~(mask << shift)  # its count is forgotten
        for _, _, cap, _, table in opening[card]:
            weight = tuple(map(add, weight, table[min(lacking, cap)]))
        if weight[0] == -inf:  # what cannot be is so at every level
            return DEAD, no_weight
        after = number(card + 1, key)
        return (after, weight) if after != DEAD else (DEAD, no_weight)

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
    """Where a packed state keeps a rule's count, and how far the rule counts."""

    shift: int
    mask: int
    cap: int  # from here on the table does not change
    fatal: bool  # whether nothing can be from `cap` on
    table: tuple[Weight, ...]


def _counters(
    rules: tuple[Rule, ...], cards: int, *, first_shift: int, levels: int, size_known: bool
) -> tuple[list[list[_Counter]], list[list[_Counter]], list[list[_Counter]]]:
    """
    Return the counters of the rules, by card.

    Their bits in a packed state begin at `first_shift`.

    Returns:
        For each card three lists: the counters of rules that count it; those of rules that end with
        it; and, if the hand's size is known, those of rules about exactly this card and all later
        ones.
    """
    stepping: list[list[_Counter]] = [[] for _ in range(cards)]
    closing: list[list[_Counter]] = [[] for _ in range(cards)]
    opening: list[list[_Counter]] = [[] for _ in range(cards)]
    shift = first_shift
    for mask, tables in rules:
        table: tuple[Weight, ...] = tuple(zip(*levelled(tables, levels), strict=True))
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
