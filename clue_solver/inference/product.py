"""
Builds the layers of a deal diagram: the product of the hands' automata, card by card.

A state is one state of every automaton, packed into one integer. An arrow gives the layer's card to
one hand, whose automaton reads "mine" while all others read "not mine". Equal states merge. This is
step 3 of "The deal diagram" in docs/mathematics.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.arrays import Floats, Ints, merge
from clue_solver.inference.automaton import DEAD, Automaton, CountRule, automaton
from clue_solver.inference.openings import Openings, Pool
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import card_numbers

_LAYER_WORK, _STATE_WORK = 20_000, 300
"""The cost of a layer without its arrows, and of a state of one hand, in units of `spending`."""

_BUILDING, _BUILDING_LEVEL = 48, 16
"""The extra bytes of an arrow while its layer is built: at one level, and for each further one."""

_KEY_BITS = 54
"""The most bits of an integer into which a state of the diagram is packed."""

_NOWHERE = -(1 << (_KEY_BITS + 1))
"""
The number that stands for "no state" in a sum of packed states: whatever else is added, the sum is
below 0, and even 250 of them stay within 64 bits.
"""


class Layer(NamedTuple):
    """
    A layer of the deal diagram: the arrows that give one card to a holder.

    Attributes:
        card: The number of the card that the layer places.
        holders: The numbers of the holders that may have the card, shape (k,). Of several hands
            that are read as one (a pool), only the first holder is there.
        after: Where the arrows lead, shape (k, states): for each of these holders and each state
            before the layer, the index of a state after it. If there is no arrow, it is the index
            after the last state.
    """

    card: int
    holders: Ints
    after: npt.NDArray[np.intp]


def card_order(openings: Openings, first: tuple[int, ...] = ()) -> list[int]:
    """
    Return the numbers of the open cards in an order in which few rules are under way at once.

    A rule is under way from its first card to its last. The order is greedy: next comes the card
    that begins few rules and ends many; among equals, the one in the most rules. If it matters how
    many cards of a category a seat has, the cards of this category are read one after the other. Of
    these categories, one is read first and one last, so that no state needs these two counts
    (`_blocks`). The cards of `first` come before all others.
    """
    rules = [rule.cards for hand in openings.hands for rule in hand.rules]
    of_card = dict.fromkeys(openings.cards, 0)
    for i, cards in enumerate(rules):
        for card in card_numbers(cards):
            of_card[card] |= 1 << i
    left = [cards.bit_count() for cards in rules]
    fresh = (1 << len(rules)) - 1  # rules not begun
    ending = sum([1 << i for i, many in enumerate(left) if many == 1])
    order: list[int] = []
    blocks = [[card for card in block if card not in first] for block in _blocks(openings)]
    for remaining in ([card for card in openings.cards if card in first], *blocks):
        while remaining:
            costs = [
                (
                    (of_card[card] & fresh).bit_count() - (of_card[card] & ending).bit_count(),
                    -of_card[card].bit_count(),
                    index,
                )
                for index, card in enumerate(remaining)
            ]
            card = remaining.pop(min(costs)[2])
            order.append(card)
            fresh &= ~of_card[card]
            for i in card_numbers(of_card[card]):
                left[i] -= 1
                if left[i] == 1:
                    ending |= 1 << i
    return order


def _blocks(openings: Openings) -> list[list[int]]:
    """
    Return the open cards in blocks, in the order in which they are read.

    The cards of a category are a block if it matters how many of them a seat has. The second
    largest of these blocks comes first, and the largest last. In between come the smaller ones, and
    then all other cards as one block.
    """
    counted = sorted(filter(None, openings.counted), key=int.bit_count)
    last = card_numbers(counted.pop()) if len(counted) > 1 else []
    first = card_numbers(counted.pop()) if counted else []
    between = [card for card in openings.cards if card not in first and card not in last]
    return [
        first,
        *(card_numbers(mask) for mask in counted),
        [card for card in between if not any(mask >> card & 1 for mask in counted)],
        last,
    ]


def automaton_of(pool: Pool, order: list[int], openings: Openings) -> Automaton:
    """
    Return the automaton that reads the cards of a hand or pool and weighs them.

    It reads the open cards that the hand or pool can have, in the order of the diagram's layers
    (`order`).
    """
    own = [card for card in order if pool.cards >> card & 1]
    bit = {card: 1 << index for index, card in enumerate(own)}
    rules = [
        CountRule(sum([bit[card] for card in own if cards >> card & 1]), tables)
        for cards, tables in pool.rules
    ]
    sized = pool.has_variable_size or bool(openings.joint_sizes)
    hand = automaton(pool.least, pool.most, len(own), tuple(sorted(rules)), sized=sized)
    spend(_STATE_WORK * hand.after.shape[1])  # cached or not: budgets end at the same point
    return hand


class _Packing(NamedTuple):
    """
    How a state of the diagram is packed into one integer, with bits for each hand's state.

    A boundary lies before each layer and after the last one. A hand is one automaton.

    Attributes:
        reads: Whether each hand reads each card, shape (layers, hands).
        done: How many of its cards each hand has read by each boundary, shape (boundaries, hands).
        widths: How many states each hand's automaton has at each boundary, the same shape.
        shifts, masks: Where each hand's bits begin, and their mask, shape (boundaries, hands, 1).
        bounds: For each boundary, a number above all packed states.
    """

    reads: npt.NDArray[np.bool_]
    done: Ints
    widths: Ints
    shifts: Ints
    masks: Ints
    bounds: list[int]

    def unpack(self, boundary: int, keys: Ints) -> Ints:
        """
        Return the state of each hand in each of the packed states `keys`, shape (hands, states).

        `boundary` is the number of the boundary between layers where they stand.
        """
        states: Ints = keys >> self.shifts[boundary] & self.masks[boundary]
        return states

    def envelope_starts(self, boundary: int, keys: Ints) -> list[int]:
        """
        Return where the packed states with each state of the envelope begin, and where they all
        end.

        `keys` are the packed states at the boundary with the number `boundary`, sorted.
        """
        firsts = np.arange(self.widths[boundary, -1] + 1) << self.shifts[boundary, -1]
        starts: list[int] = keys.searchsorted(firsts).tolist()
        return starts


def _packing(order: list[int], automata: Sequence[Automaton], pools: Sequence[Pool]) -> _Packing:
    """
    Return how to pack the states of the hands' automata into one integer.

    Args:
        order: The open cards in the order of the layers.
        automata, pools: The hands that are read, each with the automaton that reads it.

    Raises:
        TooLarge: If an integer has too few bits for that.
    """
    reads = np.array([[pool.cards >> card & 1 for pool in pools] for card in order], bool)
    reads = reads.reshape(len(order), len(pools))
    done = np.zeros((len(order) + 1, len(pools)), np.int64)
    reads.cumsum(axis=0, out=done[1:])
    widths = np.transpose([a.widths[at] for a, at in zip(automata, done.T, strict=True)])
    bits = np.frexp(widths - 1)[1].astype(np.int64)  # their lengths in binary
    ends = bits.cumsum(axis=1)
    if ends[:, -1].max() > _KEY_BITS:
        raise TooLarge("too many open questions at once for the deal diagram")
    shifts, masks = (ends - bits)[:, :, None], (1 << bits)[:, :, None] - 1
    return _Packing(reads, done, widths, shifts, masks, (1 << ends[:, -1]).tolist())


class _Joined(NamedTuple):
    """
    The automata of all hands in common arrays, from which packed states can be summed.

    The states after a layer are shifted to their places in the packed state there, which is then
    the sum over all hands. Say that hands A and B are both in state 0 and may have the card. A goes
    to 1 without it and to 2 with it, B to 0 and to 3; after the layer A has bits 0 and 1, B bits 2
    and 3. Then `skip` is 1 for A and 0 for B; `take`, what having the card adds to that, is 1 and
    3 << 2. If A gets the card, the next state is 1 + 0 + 1; if B does, it is 1 + 0 + (3 << 2).
    `_NOWHERE` in place of a state makes the sum negative, whatever the other hands add.

    Attributes:
        begin: Where the states of each hand in each layer begin in the arrays below, shape
            (layers + 1, hands, 1).
        skip, take: The state that "not mine" leads to, and what "mine" adds to it, both shifted;
            shape (states,).
        logs: The logarithm of the weight of "not mine", and what "mine" adds to it; shape (2,
            levels, states).
        weighed: Whether some arrow of each layer weighs other than 1, shape (layers,).
    """

    begin: Ints
    skip: Ints
    take: Ints
    logs: Floats
    weighed: npt.NDArray[np.bool_]


def _join(automata: Sequence[Automaton], packing: _Packing) -> _Joined:
    """
    Return the automata of all hands in common arrays.

    The states in these arrays are shifted to where packed states have the hand's bits.
    """
    hands = range(len(automata))
    base = np.cumsum([0, *(a.after.shape[1] for a in automata)])
    begin = np.transpose([automata[h].starts[packing.done[:, h]] + base[h] for h in hands])
    layer_of = np.concatenate(
        [np.repeat(packing.reads[:, h].nonzero()[0], automata[h].widths[:-1]) for h in hands]
    )
    shift = packing.shifts[layer_of + 1, np.repeat(hands, np.diff(base)), 0]
    after = np.concatenate([a.after for a in automata], axis=1)
    skip, take = np.where(after == DEAD, _NOWHERE, after << shift)
    levels = max([a.weight.shape[1] for a in automata])
    logs = np.concatenate(
        [a.weight.repeat(levels // a.weight.shape[1], axis=1) for a in automata], axis=2
    )
    logs[1] -= logs[0]
    weighed = np.zeros(len(packing.reads), bool)
    weighed[layer_of[logs.any(axis=(0, 1))]] = True
    return _Joined(begin[:, :, None], skip, take - skip, logs, weighed)


def product(
    order: list[int],
    automata: Sequence[Automaton],
    pools: Sequence[Pool],
    memory: int,
    *,
    all_weighed: bool,
) -> tuple[list[Layer], list[Floats | None], list[list[int]], list[list[int]]]:
    """
    Return the layers of a deal diagram, and the logarithms of the weights of their arrows.

    Args:
        order: The open cards in the order of the layers.
        automata, pools: The hands that are read, each with the automaton that reads it.
        memory: The most bytes that the layers and logarithms may take.
        all_weighed: Whether to store logarithms even for layers in which every arrow weighs 1.

    Returns:
        The layers. For each layer the logarithms of the weights, shape (levels, k, states), or
        `None` if all weights are 1. For each boundary between layers, where the states with each
        state of the envelope begin (`Diagram.envelope_starts`). And for each state after the last
        layer, the number of cards in each pool.

    Raises:
        TooLarge: If they would take more than `memory` bytes.
    """
    # Before the first card there is one state: no hand has read anything.
    packing = _packing(order, automata, pools)
    joined = _join(automata, packing)
    levels = joined.logs.shape[1]
    firsts = np.array([pool.holders[0] for pool in pools])
    keys, starts, used = np.zeros(1, np.int64), list[list[int]](), 0
    layers, logs = list[Layer](), list[Floats | None]()
    for number, card in enumerate(order):
        # The memory that the layer takes: an arrow for each state and candidate.
        starts.append(packing.envelope_starts(number, keys))
        here = packing.reads[number].nonzero()[0]
        arrows = len(keys) * len(here)
        weights = levels if all_weighed or joined.weighed[number] else 0
        used += arrows * 8 * (1 + weights)
        if used + arrows * (_BUILDING + _BUILDING_LEVEL * max(weights - 1, 0)) > memory:
            raise TooLarge(
                f"the deal diagram would need more than {memory // 1_000_000} MB of memory: too "
                "many cards are open in too many hands; more entries, a viewer's hand or known "
                "hand sizes make it smaller"
            )
        spend(_LAYER_WORK + arrows * (levels + 3))

        # The holder that gets the card takes it, the other candidates skip it, the rest stay as is.
        states = packing.unpack(number, keys)
        at = (states + joined.begin[number])[here]
        states <<= packing.shifts[number + 1]
        states[here] = joined.skip.take(at)
        landing = joined.take.take(at)
        landing += states.sum(axis=0)
        logs.append(None)
        if weights:
            skipping, logs[-1] = joined.logs.take(at, axis=2)
            logs[-1] += skipping.sum(axis=1, keepdims=True)

        # Equal states merge. Sums below 0 stand for no state.
        alive = landing >= 0
        keys, reached = merge(landing[alive], packing.bounds[number + 1])
        onward = np.full(landing.shape, len(keys), np.intp)
        onward[alive] = reached
        layers.append(Layer(card, firsts[here], onward))
    starts.append(packing.envelope_starts(len(order), keys))
    last = packing.unpack(len(order), keys)
    held = np.transpose([a.held[states] for a, states in zip(automata, last, strict=True)])
    return layers, logs, starts, held.tolist()
