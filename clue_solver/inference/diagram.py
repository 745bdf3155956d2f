"""
The deal diagram: every deal that fits, as the paths of one layered graph.

One layer for each open card. A state is one state of every holder's hand automaton, packed into one
integer; an arrow gives the layer's card to one holder, whose automaton reads "mine" while all
others read "not mine". Equal states merge. A path is a deal and its weight the product of its
arrows' weights, so one pass forward and one backward give the number of deals, the total weight and
every marginal (a reduced multi-valued decision diagram; Kam, Villa, Brayton, Sangiovanni-
Vincentelli, "Multi-valued Decision Diagrams", 1998).

The weights of a long log span more than a float can. So each arrow's weight is first divided by
that of the best way on from its start and multiplied by that of the best way on from its end
("weight pushing": Mohri, "Finite-State Transducers in Language and Speech Processing",
Computational Linguistics 23, 1997). All weights of paths keep their proportions, and the sum
of the ways on from a state is at least 1. Each own-card level has sums of its own, which are mixed
only at the end, by how likely the level is.

Hands that nothing tells apart, neither their cards nor a rule, are pooled: read as one hand. A path
then stands for every way to share the pool's cards out, which a multinomial coefficient counts
behind the last layer (`openings.Pool`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.arrays import Floats, Ints, collect, merge
from clue_solver.inference.automaton import DEAD, Automaton, Rule, automaton
from clue_solver.inference.openings import Openings, Pool, pooled
from clue_solver.inference.propagation import HolderMasks
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import card_numbers

MEMORY = 400_000_000
"""The most bytes that a diagram may take; building and using it take as much again."""

SPAN = 700.0
"""
The largest `Openings.span` for which plain weights and their sums fit into floats, which end at
e**±708.
"""

LEAST, MOST = 1e-300, 1.0 - 2.0**-53
"""The smallest and the largest chance of an open fact; 0 and 1 are reserved for proofs."""

_DIAGRAM_WORK, _LAYER_WORK, _STATE_WORK = 80_000, 20_000, 300
"""
The cost of a diagram, of a layer without its arrows, and of a state of a hand, in units of
`spending`.
"""

_BUILDING, _BUILDING_LEVEL = 48, 16
"""The bytes that an arrow takes besides while its layer is built, and for each further level."""

_UINT64 = (1 << 64) - 1
_FLOAT = np.dtype(np.float64)

_KEY_BITS = 54
"""The most bits of a packed state."""

_NOWHERE = -(1 << (_KEY_BITS + 1))
"""
The number that an arrow which leads nowhere adds to a packed state. Whatever else is added, the sum
is below 0, and even 250 such arrows stay within 64 bits.
"""


class Layer(NamedTuple):
    """
    The arrows of one card.

    Attributes:
        card: The card that the layer places.
        holders: The holders that may have the card, shape (k,); a pool is represented by its first
            holder.
        after: For each of these holders and each state, the state that the arrow leads to; if there
            is no arrow, the number of states after the layer. Shape (k, states).
        weight: The weights of the arrows, shape (levels, k, states); `None` if all are 1. While a
            diagram is built, these are logarithms, which are then replaced in place.
    """

    card: int
    holders: Ints
    after: npt.NDArray[np.intp]
    weight: Floats | None


class Diagram:
    """
    All deals that fit, for counting, weighing and drawing.

    Attributes:
        openings: What the diagram was built from.
        pools: The hands that were read, the envelope last.
        layers: The layers, one for each open card, in the order in which the cards are placed.
        envelope: The automaton of the envelope.
        envelope_starts: For each boundary between layers, where the states of each state of the
            envelope's automaton begin, and where the last ones end. States are sorted by it.
        ends: For each state after the last layer, how many deals a path to it stands for.
        counts: For each boundary, the number of ways on from each state, as exact as floats are,
            then a 0 for arrows that lead nowhere; shape (1, states + 1).
        backward: For each boundary, the total weight of the ways on from each state, then a 0;
            shape (levels, states + 1).
        mixture: The probability of each own-card level by which its sums are mixed, shape
            (levels,): `level_chances`, but a single 1 if nothing open depends on the level.
        pushed: Whether weights would be too far apart for floats, so that they were pushed.
        log_weights: The natural logarithm of the total weight of all deals at each own-card level,
            including all constants and the level's prior; minus infinity if no deal fits. Shape
            (levels,), with one level if nothing is learned.
    """

    def __init__(
        self,
        openings: Openings,
        *,
        memory: int = MEMORY,
        separate: bool = False,
        first: tuple[int, ...] = (),
    ) -> None:
        """
        Build the diagram.

        Args:
            openings: The open part of the knowledge.
            memory: The most bytes that the diagram may take.
            separate: Whether to read every hand by itself, so that arrows tell all holders apart.
            first: The cards to place before the others.

        Raises:
            TooLarge: If it would take more memory.
        """
        spend(_DIAGRAM_WORK)
        self.openings = openings
        self.pools = pooled(openings.hands, separate=separate or bool(openings.dealt))
        order = card_order(openings, first)
        automata = [_automaton_of(pool, order, openings) for pool in self.pools]
        may_fit = all(a.widths[0] for a in automata) and max(openings.constants) > -inf
        self._levels = max([a.weight.shape[1] for a in automata])
        self.pushed = openings.span > SPAN
        self.envelope = automata[-1]
        self.layers: list[Layer] = []
        self.envelope_starts: list[list[int]] = []
        totals: list[list[int]] = []
        if may_fit:
            self.layers, self.envelope_starts, totals = _product(
                order, automata, self.pools, memory, all_weighed=self.pushed
            )
        self.ends = [self._arrangements(sizes) for sizes in totals]
        self.counts: list[Floats] = self._sum_backward(weighed=False)
        best = np.zeros(self._levels)
        if self.pushed:
            best = self._push()
        else:
            for layer in self.layers:
                if layer.weight is not None:
                    np.exp(layer.weight, out=layer.weight)
        self.backward: list[Floats] = self._sum_backward(weighed=True)
        self._sums: Floats = self.backward[0][:, 0]
        with np.errstate(divide="ignore"):
            self.log_weights: Floats = np.array(openings.constants) + best + np.log(self._sums)
        self.mixture = self.level_chances if self._levels > 1 else np.ones(1)

    def _arrangements(self, totals: list[int]) -> int:
        """Return how many deals a path stands for, given how many cards each pool gets."""
        if self.openings.dealt:  # every hand is read by itself
            return int(any(totals[: len(sizes)] == [*sizes] for sizes in self.openings.dealt))
        return prod(pool.ways(total) for pool, total in zip(self.pools, totals, strict=True))

    @cached_property
    def unpooled(self) -> Diagram:
        """
        A diagram of the same deals without pools; this diagram if it has none.

        Raises:
            TooLarge: If it would take more than a quarter of `MEMORY`.
        """
        if all(len(pool.holders) == 1 for pool in self.pools):
            return self
        return Diagram(self.openings, memory=MEMORY // 4, separate=True)

    @property
    def log_weight(self) -> float:
        """The natural logarithm of the total weight of all deals, including all constants."""
        return float(np.logaddexp.reduce(self.log_weights))

    @property
    def fits(self) -> bool:
        """Whether any deal fits."""
        return bool(self.counts[0][0, 0])

    @property
    def level_chances(self) -> Floats:
        """
        The probability of each own-card level given the whole log; all are 0 if no deal fits.

        It has every learned level, even if nothing open depends on the level.
        """
        if not self.fits:
            return np.zeros(len(self.log_weights))
        chances: Floats = np.exp(self.log_weights - self.log_weight)
        return chances

    def mixed(self, weights: Floats) -> Floats:
        """Return the probabilities for weights of deals by level, shape (levels, ...)."""
        probabilities: Floats = np.tensordot(self.mixture / self._sums, weights, axes=1)
        return probabilities

    def count(self) -> int:
        """
        Return the exact number of deals.

        Sums of whole numbers below 2**53 are exact in float64. Above that, the same pass in whole
        numbers modulo 2**64 gives the low digits, and the float gives the high ones; if it is too
        inexact even for these, the pass is repeated with Python's integers.
        """
        estimate = float(self.counts[0][0, 0])
        if estimate < 2.0**53:
            return round(estimate)
        steps = sum(len(layer.holders) + 1 for layer in self.layers)
        if estimate * steps * 2.0**-52 > 2.0**62:
            return int(self._sum_backward(np.dtype(object), weighed=False)[0].sum())
        low = int(self._sum_backward(np.dtype(np.uint64), weighed=False)[0].sum())
        high = (round(estimate) - low + (1 << 63)) >> 64
        return low + (high << 64)

    def marginals(self) -> Floats:
        """
        Return the probability that each holder has each card, shape (cards, holders).

        It is exactly 0 or 1 if that is certain, and only then.
        """
        openings = self.openings
        chances = np.zeros((len(openings.certain), len(openings.hands)))
        forward = np.ones((len(self.mixture), 1))  # the weight of all ways to each state
        mixture = self.mixture / self._sums
        for layer, backward in zip(self.layers, self.backward[1:], strict=True):
            # What flows through an arrow: all ways to it, its own weight, all ways on from it.
            flow = np.empty((len(forward), *layer.after.shape))
            flow[:] = forward[:, None]
            if layer.weight is not None:
                flow *= layer.weight
            reached, states = layer.after.ravel(), backward.shape[1]
            forward = np.array(
                [collect(reached, weights, states)[:-1] for weights in flow.reshape(len(flow), -1)]
            )
            flow *= backward.take(layer.after, axis=1)
            chances[layer.card, layer.holders] = mixture @ flow.sum(axis=2)
        # The hands of a pool share its cards.
        for pool in self.pools:
            if len(pool.holders) > 1:
                chances[:, pool.holders] = np.outer(chances[:, pool.holders[0]], pool.shares)

        # Rounding makes nothing certain, nor impossible what is only too unlikely for a float.
        masks = np.array(self.possible)[:, None]
        can = masks >> np.arange(len(openings.hands)) & 1 > 0
        chances = np.where(can, chances.clip(LEAST, MOST), 0.0)
        certain = np.count_nonzero(can, axis=1) == 1
        chances[certain] = can[certain]
        return chances

    @cached_property
    def possible(self) -> HolderMasks:
        """
        The mask of the holders that can have each card.

        This is a proof: what is impossible has no arrow, so every path to an end is a deal that
        fits, and every such deal is a path. Weights play no part.
        """
        masks = [1 << holder if holder >= 0 else 0 for holder in self.openings.certain]
        if not self.fits:
            return [0] * len(masks)
        having = {}  # who can have cards of each pool, by its first holder
        for pool in self.pools:
            holders = zip(pool.holders, pool.sizes, strict=True)
            alone = pool.has_variable_size or len(pool.holders) == 1
            having[pool.holders[0]] = sum(1 << h for h, size in holders if size or alone)
        for layer, counts in zip(self.layers, self.counts[1:], strict=True):
            some = layer.holders[counts[0].take(layer.after).any(axis=1)]
            masks[layer.card] = sum(map(having.__getitem__, some.tolist()))
        return masks

    def draw(self, count: int, rng: np.random.Generator) -> Ints:
        """
        Draw independent deals with their exact probabilities.

        Returns:
            The holder of each card in play, shape (count, cards).
        """
        deals = np.tile(np.array(self.openings.certain), (count, 1))
        spend(10 * count * sum([len(layer.holders) for layer in self.layers]))
        level = state = np.zeros(count, np.intp)
        if len(self.mixture) > 1:
            upto = self.mixture.cumsum()
            level = np.searchsorted(upto[:-1], rng.random(count) * upto[-1], "right")
        for layer, backward in zip(self.layers, self.backward[1:], strict=True):
            after = layer.after[:, state]
            chance = backward[level, after]
            if layer.weight is not None:
                chance *= layer.weight[level, :, state].T
            chance = chance.cumsum(axis=0)
            chosen = (chance <= rng.random(count) * chance[-1]).sum(axis=0)
            deals[:, layer.card] = layer.holders[chosen]
            state = after[chosen, np.arange(count)]
        for pool in self.pools:
            if len(pool.holders) > 1 and pool.cards:
                pool.share_out(deals, list(self.openings.cards), rng)
        return deals

    def ways(self, layers: int) -> tuple[Ints, Ints, Floats]:
        """
        Return every way to place the cards of the first layers; the diagram must have no pools.

        Returns:
            The holder of each card in play, -1 for cards of later layers, shape (ways, cards); the
            state that each way leads to, shape (ways,); and its weight, shape (levels, ways).
        """
        deals = np.array(self.openings.certain)[None, :]
        state = np.zeros(1, np.intp)
        weight = np.ones((len(self.mixture), 1))
        for layer, counts in zip(self.layers[:layers], self.counts[1:], strict=False):
            after = layer.after[:, state]
            deal, chosen = counts[0].take(after).T.nonzero()
            weight = weight.take(deal, axis=1)
            if layer.weight is not None:
                weight *= layer.weight[:, chosen, state[deal]]
            state = after[chosen, deal]
            deals = deals[deal]
            deals[:, layer.card] = layer.holders[chosen]
        return deals, state, weight

    def _push(self) -> Floats:
        """
        Turn the logarithms in the layers into weights that fit into floats.

        Each arrow's weight is divided by that of the best way on from its start and multiplied by
        that of the best way on from its end.

        Returns:
            The logarithm of the factor that was taken out of all deals, shape (levels,).
        """
        ends = [0.0 if ways else -inf for ways in self.ends]
        best = np.array([[*ends, -inf]] * self._levels)  # of the ways on from each state
        for number in range(len(self.layers) - 1, -1, -1):
            layer = self.layers[number]
            weight: Floats = layer.weight + best.take(layer.after, axis=1)
            best = np.pad(weight.max(axis=1), ((0, 0), (0, 1)), constant_values=-inf)
            weight -= np.where(best == -inf, 0.0, best)[:, None, :-1]
            self.layers[number] = layer._replace(weight=np.exp(weight, out=weight))
        pushed: Floats = best[:, 0]
        return pushed

    def _sum_backward(
        self, dtype: np.dtype[Any] = _FLOAT, *, weighed: bool
    ) -> list[npt.NDArray[Any]]:
        """Return `backward`; if nothing is weighed, `counts` as floats or whole numbers."""
        ends = [ways & _UINT64 if dtype == np.uint64 else ways for ways in self.ends]
        sums = np.array([[*ends, 0]] * (self._levels if weighed else 1), dtype)
        backward = [sums]
        for layer in reversed(self.layers):
            onward = sums.take(layer.after, axis=1)
            if weighed and layer.weight is not None:
                onward *= layer.weight
            sums = np.zeros((len(sums), layer.after.shape[1] + 1), dtype)
            onward.sum(axis=1, out=sums[:, :-1])
            backward.append(sums)
        backward.reverse()
        return backward


def card_order(openings: Openings, first: tuple[int, ...] = ()) -> list[int]:
    """
    Return the open cards in an order in which few rules overlap.

    The order is greedy: next comes the card that ends the most rules and begins the fewest; among
    equals, the one that advances the most rules already begun. If it matters how many cards of a
    category a seat has, the cards of this category are read one after the other. Two such
    categories are read first and last; no state needs their numbers (`_blocks`). The cards of
    `first` come before all others.
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

    If it matters how many cards of a category a seat has, its cards are a block: the second largest
    comes first, the largest last, the smaller ones after the first. All other cards are one block
    before the last.
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


def _automaton_of(pool: Pool, order: list[int], openings: Openings) -> Automaton:
    """Return the automaton that reads the cards of a hand or pool in the order of the diagram."""
    own = [card for card in order if pool.cards >> card & 1]
    bit = {card: 1 << index for index, card in enumerate(own)}
    rules = [
        Rule(sum([bit[card] for card in own if cards >> card & 1]), tables)
        for cards, tables in pool.rules
    ]
    sized = pool.has_variable_size or bool(openings.dealt)
    read = automaton(pool.least, pool.most, len(own), tuple(sorted(rules)), sized=sized)
    spend(_STATE_WORK * read.after.shape[1])  # kept or new, so that budgets end at the same point
    return read


class _Packing(NamedTuple):
    """
    How a state of the diagram is packed into one integer, with bits for each hand's state.

    Attributes:
        reads: Whether each hand reads each card, shape (layers, hands).
        read: How many of its cards each hand has read by each boundary, shape (boundaries, hands).
        widths: How many states each hand's automaton has at each boundary, the same shape.
        shifts, masks: Where each hand's bits begin, and their mask, shape (boundaries, hands, 1).
        bounds: For each boundary, a number above all packed states.
    """

    reads: npt.NDArray[np.bool_]
    read: Ints
    widths: Ints
    shifts: Ints
    masks: Ints
    bounds: list[int]

    def unpacked(self, boundary: int, keys: Ints) -> Ints:
        """Return the state of each hand, unpacked from packed states; shape (hands, states)."""
        states: Ints = keys >> self.shifts[boundary] & self.masks[boundary]
        return states

    def envelope_starts(self, boundary: int, keys: Ints) -> list[int]:
        """Return where each state of the envelope begins among sorted packed states."""
        firsts = np.arange(self.widths[boundary, -1] + 1) << self.shifts[boundary, -1]
        starts: list[int] = keys.searchsorted(firsts).tolist()
        return starts


def _packing(order: list[int], automata: Sequence[Automaton], pools: Sequence[Pool]) -> _Packing:
    """Return how to pack the states of these hands."""
    reads = np.array([[pool.cards >> card & 1 for pool in pools] for card in order], bool)
    reads = reads.reshape(len(order), len(pools))
    read = np.zeros((len(order) + 1, len(pools)), np.int64)
    reads.cumsum(axis=0, out=read[1:])
    widths = np.transpose([a.widths[at] for a, at in zip(automata, read.T, strict=True)])
    bits = np.frexp(widths - 1)[1].astype(np.int64)  # their lengths in binary
    ends = bits.cumsum(axis=1)
    if ends[:, -1].max() > _KEY_BITS:
        raise TooLarge("too many open questions at once for the deal diagram")
    shifts, masks = (ends - bits)[:, :, None], (1 << bits)[:, :, None] - 1
    return _Packing(reads, read, widths, shifts, masks, (1 << ends[:, -1]).tolist())


def _product(
    order: list[int],
    automata: Sequence[Automaton],
    pools: Sequence[Pool],
    memory: int,
    *,
    all_weighed: bool,
) -> tuple[list[Layer], list[list[int]], list[list[int]]]:
    """
    Return the layers, `envelope_starts`, and the numbers of cards in each pool by last state.

    The weights of the layers are logarithms.

    Args:
        order, automata, pools: The cards in order, and the hands that are read.
        memory: The most bytes that the layers may take.
        all_weighed: Whether to store weights even for layers in which every arrow weighs 1.
    """
    packing = _packing(order, automata, pools)
    reads, read, shifts = packing.reads, packing.read, packing.shifts
    levels = max([a.weight.shape[1] for a in automata])

    # All automata as one, and where the states of each begin in each layer. The states behind a
    # layer are shifted as they will be there, so the sum over all hands is the packed state there.
    #
    # Say that hands A and B are both in state 0 and may have the card. A goes to 1 without it and
    # to 2 with it, B to 0 and to 3; behind the layer A has bits 0 and 1, B bits 2 and 3. Then
    # `skip` is 1 for A and 0 for B; `take`, what having the card adds to that, is 1 and 3 << 2. If
    # A gets the card, the next state is 1 + 0 + 1; if B does, it is 1 + 0 + (3 << 2). `_NOWHERE`
    # in place of a state makes the sum negative, whatever the other hands add.
    hands = range(len(pools))
    base = np.cumsum([0, *(a.after.shape[1] for a in automata)])
    begin = np.transpose([automata[h].starts[read[:, h]] + base[h] for h in hands])[:, :, None]
    layer_of = np.concatenate(
        [np.repeat(reads[:, h].nonzero()[0], automata[h].widths[:-1]) for h in hands]
    )
    shift = shifts[layer_of + 1, np.repeat(hands, np.diff(base)), 0]
    after = np.concatenate([a.after for a in automata], axis=1)
    skip, take = np.where(after == DEAD, _NOWHERE, after << shift)
    take -= skip
    logs = np.concatenate(
        [a.weight.repeat(levels // a.weight.shape[1], axis=1) for a in automata], axis=2
    )
    logs[1] -= logs[0]  # as for `take`: the rest of the weight is in the sum over all who skip
    weighed = np.full(len(order), all_weighed)
    weighed[layer_of[logs.any(axis=(0, 1))]] = True

    keys, layers, starts, used = np.zeros(1, np.int64), list[Layer](), list[list[int]](), 0
    firsts = np.array([pool.holders[0] for pool in pools])
    for number, card in enumerate(order):
        starts.append(packing.envelope_starts(number, keys))
        here = reads[number].nonzero()[0]
        arrows = len(keys) * len(here)
        weights = levels if weighed[number] else 0
        used += arrows * 8 * (1 + weights)
        if used + arrows * (_BUILDING + _BUILDING_LEVEL * max(weights - 1, 0)) > memory:
            raise TooLarge(
                f"the deal diagram would need more than {memory // 1_000_000} MB of memory: too "
                "many cards are open in too many hands; more entries, a viewer's hand or known "
                "hand sizes make it smaller"
            )
        spend(_LAYER_WORK + arrows * (levels + 3))

        # Who gets the card takes it, all other candidates skip it, and the rest stay as they are.
        states = packing.unpacked(number, keys)
        at = (states + begin[number])[here]
        states <<= shifts[number + 1]
        states[here] = skip.take(at)
        landing = take.take(at)
        landing += states.sum(axis=0)
        weight: Floats | None = None
        if weighed[number]:
            skipping, weight = logs.take(at, axis=2)
            weight += skipping.sum(axis=1, keepdims=True)

        # Equal states merge. What leads nowhere is below 0.
        alive = landing >= 0
        keys, reached = merge(landing[alive], packing.bounds[number + 1])
        onward = np.full(landing.shape, len(keys), np.intp)
        onward[alive] = reached
        layers.append(Layer(card, firsts[here], onward, weight))
    starts.append(packing.envelope_starts(len(order), keys))
    last = packing.unpacked(len(order), keys)
    held = np.transpose([a.held[states] for a, states in zip(automata, last, strict=True)])
    return layers, starts, held.tolist()
