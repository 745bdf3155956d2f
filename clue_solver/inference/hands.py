"""
One holder's hand as a small automaton.

Everything that the evidence says speaks of one holder at a time: how many cards it holds in all,
and how many of a set of cards. So the weight of a hand is a product of rules, each a set of cards
and a table by how many of them the hand has (0 where that cannot be). Read the holder's possible
cards one by one, "not mine" or "mine": the states are the room left and the counts of the rules
that are under way. States with the same future are one state, so the automaton is the smallest
there is (the reduction rule of decision diagrams: Bryant, "Graph-Based Algorithms for Boolean
Function Manipulation", IEEE Transactions on Computers 35, 1986).

The deal diagram is the product of these automata: each card is "mine" for exactly one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

DEAD = -1
"""The successor of a state that cannot go on."""


class Rule(NamedTuple):
    """The weight of a hand by how many of a mask of cards it has; 0.0 where that cannot be."""

    cards: int
    table: tuple[float, ...]


class Automaton(NamedTuple):
    """
    A holder's hand, one layer for each card it may hold, in the order of the diagram.

    Attributes:
        counts: Number of states before each card and after the last; the first is 1, and so is
            the last unless sizes are told apart.
        starts: Where each layer's states start in the arrays below.
        skip, take: The state of the next layer after "not mine" and "mine", or `DEAD`; int64.
        skip_weight, take_weight: What the arrow multiplies the weight by; float64, 1 on dead ones.
        weighted: For each layer whether any of its weights is not 1.
        held: The number of cards held in each of the last states, ascending; 0 where sizes are
            not told apart.
    """

    counts: tuple[int, ...]
    starts: tuple[int, ...]
    skip: npt.NDArray[np.int64]
    take: npt.NDArray[np.int64]
    skip_weight: npt.NDArray[np.float64]
    take_weight: npt.NDArray[np.float64]
    weighted: tuple[bool, ...]
    held: tuple[int, ...]


Arrow = tuple[int, float]
"""A successor, by its packed key or its state number, and the weight of going there."""


@lru_cache(maxsize=4096)
def automaton(
    least: int, most: int, cards: int, rules: tuple[Rule, ...], *, sized: bool = False
) -> Automaton:
    """
    Return the smallest automaton of the hands with `least` to `most` of `cards` cards.

    Args:
        least, most: Bounds of the hand's size.
        cards: How many cards the holder may hold.
        rules: Masks over those cards, counted from 0 in reading order, and their tables.
        sized: Whether hands of different sizes end in different states.

    Returns:
        The automaton; where no hand is possible its last layer has no state.
    """
    layers = _unrolled(least, most, cards, rules)
    size_mask = (1 << _size_bits(most)) - 1
    held = {key: key & size_mask if sized else 0 for key in layers[-1]}
    return _reduced(layers, held)


class _Counter(NamedTuple):
    """Where a rule's count stands in a packed state, and what ends it."""

    shift: int
    mask: int
    cap: int  # from here on the table does not change
    fatal: bool  # whether the table is 0 from `cap` on
    table: tuple[float, ...]
    cards: int


def _counters(rules: Iterable[Rule], *, first_shift: int) -> list[_Counter]:
    counters, shift = [], first_shift
    for rule in rules:
        cap = len(rule.table) - 1
        while cap and rule.table[cap - 1] == rule.table[-1]:
            cap -= 1
        width = cap.bit_length()
        fatal = rule.table[cap] == 0.0
        counters.append(_Counter(shift, (1 << width) - 1, cap, fatal, rule.table, rule.cards))
        shift += width
    return counters


def _unrolled(
    least: int, most: int, cards: int, rules: tuple[Rule, ...]
) -> list[dict[int, tuple[Arrow, Arrow]]]:
    """Return for each card the reachable states, packed, with their two arrows."""
    size_bits = _size_bits(most)
    size_mask = (1 << size_bits) - 1
    counters = _counters(rules, first_shift=size_bits)
    dead: Arrow = (DEAD, 1.0)
    layers: list[dict[int, tuple[Arrow, Arrow]]] = []
    states = {0} if least <= cards and most >= 0 else set()
    for card in range(cards):
        stepping = [c for c in counters if c.cards >> card & 1]
        closing = [c for c in stepping if c.cards >> card == 1]
        needed = least - (cards - card - 1)  # cards that must be held by now
        layer: dict[int, tuple[Arrow, Arrow]] = {}
        for key in states:
            held = key & size_mask
            skip = take = dead
            if held >= needed:
                skip = _closed(key, closing) if closing else (key, 1.0)
            if needed <= held + 1 <= most:
                taken = _stepped(key, stepping) if stepping else key + 1
                if taken != DEAD:
                    take = _closed(taken, closing) if closing else (taken, 1.0)
            layer[key] = (skip, take)
        layers.append(layer)
        states = {key for arrows in layer.values() for key, _ in arrows}
        states.discard(DEAD)
    layers.append(dict.fromkeys(states, (dead, dead)))
    return layers


def _size_bits(most: int) -> int:
    """Return how many bits of a packed state count the cards held."""
    return max(most, 1).bit_length() + 1


def _stepped(key: int, stepping: list[_Counter]) -> int:
    """Return the state after one more card that these rules count, or `DEAD`."""
    taken = key + 1
    for shift, mask, cap, fatal, _, _ in stepping:
        count = key >> shift & mask
        if count < cap:
            if fatal and count + 1 == cap:
                return DEAD
            taken += 1 << shift
    return taken


def _closed(key: int, closing: list[_Counter]) -> Arrow:
    """Return the state after the last card of these rules, their counts forgotten."""
    weight = 1.0
    for shift, mask, _, _, table, _ in closing:
        weight *= table[key >> shift & mask]
        key &= ~(mask << shift)
    return (key, weight) if weight else (DEAD, 1.0)


def _reduced(layers: list[dict[int, tuple[Arrow, Arrow]]], held: dict[int, int]) -> Automaton:
    """
    Merge states with the same future, last layer first, and drop those without one.

    Args:
        layers: The unrolled automaton.
        held: What tells its last states apart.
    """
    ends = sorted({*held.values()})
    numbers = {key: ends.index(size) for key, size in held.items()}
    numbers[DEAD] = DEAD
    rows: list[list[tuple[int, float, int, float]]] = []
    counts = [len(ends)]
    for layer in reversed(layers[:-1]):
        merged: dict[tuple[int, float, int, float], int] = {}
        before: dict[int, int] = {DEAD: DEAD}
        for key, ((skip, skip_weight), (take, take_weight)) in layer.items():
            skipped, taken = numbers[skip], numbers[take]
            if skipped == DEAD and taken == DEAD:
                before[key] = DEAD
                continue
            row = (
                skipped, 1.0 if skipped == DEAD else skip_weight,
                taken, 1.0 if taken == DEAD else take_weight,
            )  # fmt: skip
            before[key] = merged.setdefault(row, len(merged))
        numbers = before
        rows.append(list(merged))
        counts.append(len(merged))
    rows.reverse()
    counts.reverse()
    starts, total = [], 0
    for count in counts:
        starts.append(total)
        total += count
    skips, skip_weights, takes, take_weights = (
        zip(*(row for layer_rows in rows for row in layer_rows), strict=True)
        if total > counts[-1]
        else ((), (), (), ())
    )
    return Automaton(
        counts=tuple(counts),
        starts=tuple(starts),
        skip=np.array(skips, np.int64),
        take=np.array(takes, np.int64),
        skip_weight=np.array(skip_weights),
        take_weight=np.array(take_weights),
        weighted=tuple(any(r[1] != 1.0 or r[3] != 1.0 for r in rs) for rs in rows),
        held=tuple(ends),
    )
