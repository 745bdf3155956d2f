"""
The deal diagram: every deal that fits, as the paths of one layered graph.

It has a layer for each open card; each arrow of a layer gives its card to one holder (`product`
builds it). A path is a deal and its weight the product of its arrows' weights, so one pass forward
and one backward give the number of deals, the total weight and every marginal (a reduced
multi-valued decision diagram; Kam, Villa, Brayton, Sangiovanni-Vincentelli, "Multi-valued Decision
Diagrams", 1998).

The weights of a long log may span more than a float can. Then each arrow's weight is first
multiplied by that of the best path from its end and divided by that of the best path from its start
("weight pushing": Mohri, "Finite-State Transducers in Language and Speech Processing",
Computational Linguistics 23, 1997). All weights of paths keep their proportions, and the paths from
a state together weigh at least 1. Each own-card level has sums of its own, which are mixed only at
the end, by how likely the level is.

Hands that nothing tells apart, neither their cards nor a rule, are pooled: read as one hand. A path
then stands for every way to share the pool's cards out; a multinomial coefficient after the last
layer counts these ways (`openings.Pool`).
"""

from __future__ import annotations

from functools import cached_property
from math import inf, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints, collect
from clue_solver.inference.openings import Openings, pools_of
from clue_solver.inference.product import Layer, automaton_of, card_order, product
from clue_solver.inference.propagation import HolderMasks
from clue_solver.inference.spending import spend

MEMORY = 400_000_000
"""The most bytes that a diagram may take; building and using it take as much again."""

SPAN = 700.0
"""
The largest `Openings.span` (the logarithm of how far weights can be apart) for which plain weights
and their sums fit into floats, which end at e**±708.
"""

LEAST, MOST = 1e-300, 1.0 - 2.0**-53
"""The smallest and the largest chance of an open fact; 0 and 1 are reserved for proofs."""

_DIAGRAM_WORK = 80_000
"""The cost of a diagram without its layers and hands, in units of `spending`."""

_UINT64 = (1 << 64) - 1
_FLOAT = np.dtype(np.float64)


class Diagram:
    """
    All deals that fit, for counting, weighing and drawing: a graph with a deal for each path.

    It has a layer for each open card (one whose holder is not certain). An arrow of a layer gives
    its card to a holder; the weight of a deal is the product of its arrows' weights. A boundary
    lies before each layer and after the last. A level is an assumption about how readily players
    name cards of their own.

    Attributes:
        openings: What the diagram was built from.
        pools: The hands that were read, the envelope last.
        layers: The layers, one for each open card, in the order in which the cards are placed.
        weights: For each layer the weights of its arrows, shape (levels, k, states), where k is the
            number of holders that may have the layer's card; `None` if all are 1.
        envelope: The automaton of the envelope.
        envelope_starts: At each boundary, states are sorted by the state of the envelope's
            automaton. For each boundary, this is the index of the first state for each state of the
            automaton, and at the end the number of all states.
        ends: For each state after the last layer, how many deals a path to it stands for.
        counts: For each boundary, the number of ways to complete a deal from each state, as exact
            as floats are, then a 0 for arrows that lead nowhere; shape (1, states + 1). Boundary k
            is before layer k; the last is after all layers.
        backward: For each boundary, the total weight of the paths from each state, then a 0; shape
            (levels, states + 1).
        mixture: The probabilities with which the sums of the levels are mixed, shape (levels,):
            `level_chances`, but a single 1 if nothing open depends on the level.
        pushed: Whether weights would be too far apart for floats, so that they were pushed.
        log_weights: The natural logarithm of the total weight of all deals at each level, including
            all constants and the level's prior; minus infinity if no deal fits. Shape (levels,),
            with one level if nothing is learned.
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
            openings: What is not settled yet of a viewer's knowledge: the cards whose holder is
                not certain, and what each hand can have of them.
            memory: The most bytes that the diagram may take.
            separate: Whether each hand has arrows of its own. Otherwise hands that nothing tells
                apart are pooled: an arrow gives a card to any of them.
            first: The cards to place before the others.

        Raises:
            TooLarge: If it would take more than `memory` bytes.
        """
        spend(_DIAGRAM_WORK)
        self.openings = openings
        self.pools = pools_of(openings.hands, separate=separate or bool(openings.joint_sizes))
        order = card_order(openings, first)
        automata = [automaton_of(pool, order, openings) for pool in self.pools]
        may_fit = all(a.widths[0] for a in automata) and max(openings.constants) > -inf
        self._levels = max([a.weight.shape[1] for a in automata])
        self.pushed = openings.span > SPAN
        self.envelope = automata[-1]
        self.layers: list[Layer] = []
        logs: list[Floats | None] = []
        self.envelope_starts: list[list[int]] = []
        totals: list[list[int]] = []
        if may_fit:
            self.layers, logs, self.envelope_starts, totals = product(
                order, automata, self.pools, memory, all_weighed=self.pushed
            )
        self.ends = [self._arrangements(sizes) for sizes in totals]
        self.counts: list[Floats] = self._sum_backward(weighed=False)
        self.weights, best = self._weights(logs)
        self.backward: list[Floats] = self._sum_backward(weighed=True)
        self._sums: Floats = self.backward[0][:, 0]
        with np.errstate(divide="ignore"):
            self.log_weights: Floats = np.array(openings.constants) + best + np.log(self._sums)
        self.mixture = self.level_chances if self._levels > 1 else np.ones(1)

    def _arrangements(self, totals: list[int]) -> int:
        """
        Return how many deals a path stands for: the ways to share out the pools' cards.

        `totals` is the number of open cards that each pool gets on the path.
        """
        if self.openings.joint_sizes:  # every hand is read by itself
            return int(any(totals[: len(sizes)] == [*sizes] for sizes in self.openings.joint_sizes))
        return prod(pool.ways(total) for pool, total in zip(self.pools, totals, strict=True))

    @cached_property
    def unpooled(self) -> Diagram:
        """
        A diagram of the same deals in which each hand has arrows of its own.

        In other diagrams, hands that nothing tells apart are read as one (a pool). A diagram
        without pools returns itself.

        Raises:
            TooLarge: If it would take more than a quarter of `MEMORY`.
        """
        if all(len(pool.holders) == 1 for pool in self.pools):
            return self
        return Diagram(self.openings, memory=MEMORY // 4, separate=True)

    @property
    def log_weight(self) -> float:
        """
        The natural logarithm of the total weight of all deals, including all constants.

        It says how well a log fits what is likely, for comparison with another log.
        """
        return float(np.logaddexp.reduce(self.log_weights))

    @property
    def fits(self) -> bool:
        """Whether there is a deal that fits."""
        return bool(self.counts[0][0, 0])

    @property
    def level_chances(self) -> Floats:
        """
        The probability of each own-card level given the whole log; all are 0 if no deal fits.

        An own-card level says how readily players ask for cards of their own. If it is learned from
        the log, the array has an item for each of `policies.LEVELS`, in order, even if nothing that
        is not yet certain depends on the level. Otherwise it has a single item.
        """
        if not self.fits:
            return np.zeros(len(self.log_weights))
        chances: Floats = np.exp(self.log_weights - self.log_weight)
        return chances

    def mix(self, weights: Floats) -> Floats:
        """
        Return the probabilities of some deals, given their total weights at each own-card level.

        The weights have shape (levels, ...). The levels are mixed, so the probabilities have shape
        (...).
        """
        probabilities: Floats = np.tensordot(self.mixture / self._sums, weights, axes=1)
        return probabilities

    def count(self) -> int:
        """
        Return the exact number of deals that fit.

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

        A probability is exactly 0 or 1 if that is certain, and only then.
        """
        openings = self.openings
        chances = np.zeros((len(openings.certain), len(openings.hands)))
        forward = np.ones((len(self.mixture), 1))  # the weight of all ways to each state
        mixture = self.mixture / self._sums
        for number, layer in enumerate(self.layers):
            weight, backward = self.weights[number], self.backward[number + 1]
            # What flows through an arrow: all ways to it, its own weight, all ways on from it.
            flow = np.empty((len(forward), *layer.after.shape))
            flow[:] = forward[:, None]
            if weight is not None:
                flow *= weight
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

        # No chance may round to 0 or 1 unless it is proved.
        masks = np.array(self.possible)[:, None]
        can = masks >> np.arange(len(openings.hands)) & 1 > 0
        chances = np.where(can, chances.clip(LEAST, MOST), 0.0)
        certain = np.count_nonzero(can, axis=1) == 1
        chances[certain] = can[certain]
        return chances

    @cached_property
    def possible(self) -> HolderMasks:
        """
        Who can have each card: for each card, the mask of its possible holders.

        This is a proof: what is impossible has no arrow, so every path to an end is a deal that
        fits, and every such deal is a path. Weights play no part.
        """
        masks = [1 << holder if holder >= 0 else 0 for holder in self.openings.certain]
        if not self.fits:
            return [0] * len(masks)
        having = {}  # by a pool's first holder, the mask of its holders that can have cards
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
        Return `count` independent random deals, drawn with their exact probabilities.

        Returns:
            The number of the holder of each card in play, shape (count, cards).
        """
        deals = np.tile(np.array(self.openings.certain), (count, 1))
        spend(10 * count * sum([len(layer.holders) for layer in self.layers]))
        level = state = np.zeros(count, np.intp)
        if len(self.mixture) > 1:
            upto = self.mixture.cumsum()
            level = np.searchsorted(upto[:-1], rng.random(count) * upto[-1], "right")
        for number, layer in enumerate(self.layers):
            after = layer.after[:, state]
            chance = self.backward[number + 1][level, after]
            if (weight := self.weights[number]) is not None:
                chance *= weight[level, :, state].T
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
        Return every way to place the cards of the first `layers` layers.

        The diagram must have no pools, that is, each hand must have arrows of its own.

        Returns:
            The holder of each card in play, -1 for cards of later layers, shape (ways, cards); the
            state that each way leads to, shape (ways,); and its weight, shape (levels, ways).
        """
        deals = np.array(self.openings.certain)[None, :]
        state = np.zeros(1, np.intp)
        weight = np.ones((len(self.mixture), 1))
        for number, layer in enumerate(self.layers[:layers]):
            after = layer.after[:, state]
            deal, chosen = self.counts[number + 1][0].take(after).T.nonzero()
            weight = weight.take(deal, axis=1)
            if (factor := self.weights[number]) is not None:
                weight *= factor[:, chosen, state[deal]]
            state = after[chosen, deal]
            deals = deals[deal]
            deals[:, layer.card] = layer.holders[chosen]
        return deals, state, weight

    def _weights(self, logs: list[Floats | None]) -> tuple[list[Floats | None], Floats]:
        """
        Return the weights of each layer's arrows from their logarithms, which are overwritten.

        If the weights are too far apart for floats, each is multiplied by the weight of the best
        path that begins at the arrow's end, and divided by that of the best path that begins at its
        start.

        Returns:
            The weights, and the logarithm of the factor that was taken out of all deals, shape
            (levels,).
        """
        if not self.pushed:
            weights = [None if log is None else np.exp(log, out=log) for log in logs]
            return weights, np.zeros(self._levels)
        pushed: list[Floats | None] = []
        ends = [0.0 if ways else -inf for ways in self.ends]
        best = np.array([[*ends, -inf]] * self._levels)  # of the ways on from each state
        for layer in reversed(self.layers):
            weight: Floats = logs.pop() + best.take(layer.after, axis=1)
            best = np.pad(weight.max(axis=1), ((0, 0), (0, 1)), constant_values=-inf)
            weight -= np.where(best == -inf, 0.0, best)[:, None, :-1]
            pushed.append(np.exp(weight, out=weight))
        return pushed[::-1], best[:, 0]

    def _sum_backward(
        self, dtype: np.dtype[Any] = _FLOAT, *, weighed: bool
    ) -> list[npt.NDArray[Any]]:
        """
        Return, for each boundary between layers, a sum over all ways on from each state.

        These are the total weights of the ways (`backward`) if `weighed`, else their number
        (`counts`). `dtype` is the type of the numbers: floats or whole numbers.
        """
        ends = [ways & _UINT64 if dtype == np.uint64 else ways for ways in self.ends]
        sums = np.array([[*ends, 0]] * (self._levels if weighed else 1), dtype)
        backward = [sums]
        for number, layer in reversed([*enumerate(self.layers)]):
            onward = sums.take(layer.after, axis=1)
            if weighed and (weight := self.weights[number]) is not None:
                onward *= weight
            sums = np.zeros((len(sums), layer.after.shape[1] + 1), dtype)
            onward.sum(axis=1, out=sums[:, :-1])
            backward.append(sums)
        backward.reverse()
        return backward
