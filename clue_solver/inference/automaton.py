"""
One holder's hand as a small automaton, which reads the cards that the hand can have one by one.

The weight of a hand is the product of what its rules say. A rule has a set of cards, and a table of
weights by how many of them the hand has. The tables are logarithms, because the weights of a long
log span more than a float can; minus infinity means impossible. For each card the automaton reads
"not mine" or "mine". A state is the number of cards held and the counts of the rules that have
begun and not ended. States with the same future are one state, so the automaton is the smallest
there is (the reduction rule of decision diagrams: Bryant, "Graph-Based Algorithms for Boolean
Function Manipulation", IEEE Transactions on Computers 35, 1986).

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
"""The number that stands for an arrow that leads to no state."""

LogTable = tuple[float, ...]
"""Logarithms of weights: item n is for a hand that has n of some cards."""

Weight = tuple[float, ...]
"""
The logarithm of an arrow's weight, for each own-card level (how readily players name own cards).
"""

Arrow = tuple[int, Weight]
"""The number of the state that an arrow leads to, and the weight of the arrow."""

_Row = tuple[int, Weight, int, Weight]
"""The arrows of a state: where "not mine" and "mine" lead to, each with its weight."""


class CountRule(NamedTuple):
    """
    A rule that weighs a hand by how many of some cards it has.

    Attributes:
        cards: The mask of the cards.
        tables: Logarithms of weights, item n for a hand with n of the cards: one table, or one for
            each own-card level. All of them have minus infinity (impossible) in the same places.
    """

    cards: CardMask
    tables: tuple[LogTable, ...]


class Automaton(NamedTuple):
    """
    A holder's hand as an automaton, with a layer for each card that it may hold.

    It reads the cards in the order of the diagram, "not mine" or "mine", and weighs each hand.

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


def by_level(tables: tuple[Value, ...], levels: int) -> tuple[Value, ...]:
    """
    Return one of `tables` for each own-card level; a single table is repeated for all `levels`.
    """
    return tables if len(tables) == levels else tables * levels


@lru_cache(maxsize=4096)
def automaton(
    least: int, most: int, cards: int, rules: tuple[CountRule, ...], *, sized: bool = False
) -> Automaton:
    """
    Return the smallest automaton that reads and weighs the possible hands of one holder.

    These are the hands with `least` to `most` of the `cards` cards that the holder may hold.

    Args:
        least, most: The least and the most cards of the hand.
        cards: How many cards the holder may hold.
        rules: The rules that weigh the hand, each by how many cards of a mask it has. The masks
            number the cards from 0 in reading order.
        sized: Whether hands of different sizes must end in different states.

    Returns:
        The automaton; its last layer has no state if no hand is possible.
    """
    builder = _Builder(least, most, cards, rules, sized=sized)
    if least <= cards and most >= 0:
        builder.state(0, 0)
    return builder.automaton()


class _Counter(NamedTuple):
    """
    How the states of an automaton count the cards of a rule.

    Attributes:
        shift, mask: Where the key of a state has the count: from bit `shift` on, with this mask
            before shifting.
        cap: The highest number that is counted: with more cards the table does not change.
        fatal: Whether a hand with `cap` of the cards is impossible.
        table: The weights of the rule by count, each at every own-card level.
    """

    shift: int
    mask: int
    cap: int
    fatal: bool
    table: tuple[Weight, ...]


class _Builder:
    """
    Builds an automaton from the rules about a hand.

    A state is at first a packed key: the number of cards held in the lowest bits, then the counts
    of rules. It gets a number once its arrows, and so all states after it, are known.

    For each card, `_counting` has the counters of the rules that count it, `_closing` those of the
    rules that end with it, and `_opening`, if the hand's size is known, those of the rules about
    exactly this card and all later ones.
    """

    def __init__(
        self, least: int, most: int, cards: int, rules: tuple[CountRule, ...], *, sized: bool
    ) -> None:
        self._least, self._most, self._cards, self._sized = least, most, cards, sized
        self._levels = max((len(rule.tables) for rule in rules), default=1)
        self._no_weight = (0.0,) * self._levels
        self._no_arrow: Arrow = (DEAD, self._no_weight)
        self._counting: list[list[_Counter]] = [[] for _ in range(cards)]
        self._closing: list[list[_Counter]] = [[] for _ in range(cards)]
        self._opening: list[list[_Counter]] = [[] for _ in range(cards)]
        shift = max(most, 0).bit_length()
        self._held_mask = (1 << shift) - 1
        for rule in rules:
            shift += self._add_rule(rule, shift)
        self._layers: list[dict[_Row, int]] = [{} for _ in range(cards)]  # states by their arrows
        self._numbers: list[dict[int, int]] = [{} for _ in range(cards)]  # states by their keys
        self._ends: dict[int, int] = {}  # states after the last card, by the cards held

    def _add_rule(self, rule: CountRule, shift: int) -> int:
        """
        Add a rule whose count is stored from bit `shift` of a key on; return its number of bits.
        """
        mask, tables = rule
        table = tuple(zip(*by_level(tables, self._levels), strict=True))
        cap = len(table) - 1
        while cap and table[cap - 1] == table[-1]:
            cap -= 1
        width = cap.bit_length()
        counter = _Counter(shift, (1 << width) - 1, cap, table[cap][0] == -inf, table)
        first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
        to_end = mask >> first == (1 << (self._cards - first)) - 1  # all cards from the first on
        if self._least == self._most and first < last and to_end:
            self._opening[first].append(counter)
        else:
            self._closing[last].append(counter)
            for card in card_numbers(mask):
                self._counting[card].append(counter)
        return width

    def state(self, card: int, key: int) -> int:
        """
        Return the number of the state with a packed key, after building all that can follow it.

        `DEAD` if no hand can be completed from there.

        Args:
            card: The card that is read next, numbered from 0 in reading order.
            key: The packed key: the number of cards held, and the counts of rules.
        """
        if card == self._cards:
            held = key & self._held_mask if self._sized else 0
            return self._ends.setdefault(held, len(self._ends))
        numbers, layer = self._numbers[card], self._layers[card]
        if key not in numbers:
            skip, take = self._skip(card, key), self._take(card, key)
            if skip[0] == take[0] == DEAD:
                numbers[key] = DEAD
            else:
                numbers[key] = layer.setdefault((*skip, *take), len(layer))  # equal rows are one
        return numbers[key]

    def _skip(self, card: int, key: int) -> Arrow:
        """
        Return the arrow for "not mine" from the state with this key, as the card `card` is read.

        It is dead (leads to `DEAD`) if the cards after this one are not enough for the hand.
        """
        held = key & self._held_mask
        if held + self._cards - card - 1 < self._least:
            return self._no_arrow
        return self._arrow(card, key, self._most - held)

    def _take(self, card: int, key: int) -> Arrow:
        """
        Return the arrow for "mine" from the state with this key, as the card `card` is read.

        It is dead (leads to `DEAD`) if the hand has no room, or a rule forbids the card.
        """
        held = key & self._held_mask
        if held == self._most or held + self._cards - card < self._least:
            return self._no_arrow
        after = key + 1
        for shift, mask, cap, fatal, _ in self._counting[card]:
            count = key >> shift & mask
            if count < cap:  # counts go up to their caps
                if fatal and count + 1 == cap:
                    return self._no_arrow
                after += 1 << shift
        return self._arrow(card, after, self._most - held)

    def _arrow(self, card: int, key: int, lacking: int) -> Arrow:
        """
        Return the arrow past a card, with the weights of the rules that end or begin with the card.

        It is dead (leads to `DEAD`) if no hand can be completed that way.

        Args:
            card: The number of the card in reading order.
            key: The packed key after the card, still with the counts of the rules that end with it.
            lacking: How many cards the hand lacked before this card.
        """
        weight = self._no_weight
        for shift, mask, _, _, table in self._closing[card]:
            weight = tuple(map(add, weight, table[key >> shift & mask]))
            key &= ~(mask << shift)  # its count is forgotten
        for _, _, cap, _, table in self._opening[card]:
            weight = tuple(map(add, weight, table[min(lacking, cap)]))
        if weight[0] == -inf:  # what is impossible is impossible at every level
            return self._no_arrow
        after = self.state(card + 1, key)
        return (after, weight) if after != DEAD else self._no_arrow

    def automaton(self) -> Automaton:
        """Return the automaton of all states that were built."""
        widths = np.array([*map(len, self._layers), len(self._ends)])
        rows = [row for layer in self._layers for row in layer]
        skips, skip_weights, takes, take_weights = zip(*rows, strict=True) if rows else ((),) * 4
        weights = np.array([skip_weights, take_weights], np.float64)
        weights = weights.reshape(2, len(rows), self._levels)
        return Automaton(
            widths=widths,
            starts=widths.cumsum() - widths,
            after=np.array([skips, takes], np.int64),
            weight=np.ascontiguousarray(weights.transpose(0, 2, 1)),
            held=np.array([*self._ends]),
        )
