"""
The deal diagram: every deal that fits, as the paths of one layered graph.

One layer for each open card. A state is one state of every holder's hand automaton, packed into one
integer; an arrow gives the layer's card to one holder, whose automaton reads "mine" while all
others read "not mine". Equal states merge. A path is a deal and its weight the product of its
arrows' weights, so one pass forward and one backward give the number of deals, the total weight and
every marginal (a reduced multi-valued decision diagram; Kam, Villa, Brayton, Sangiovanni-
Vincentelli, "Multi-valued Decision Diagrams", 1998). All weights are positive: nothing cancels,
floats are safe.

Hands that nothing tells apart, neither their cards nor a rule, are pooled: read as one hand. A path
then stands for every way to share the pool's cards out, which a multinomial coefficient counts
behind the last layer (`hands.Pool`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from math import log, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.hands import DEAD, Automaton, Openings, Pool, Rule, automaton, pooled
from clue_solver.knowledge.clauses import card_numbers

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MEMORY = 400_000_000
"""The most bytes that a diagram may hold; building it and asking it take as much again."""

_SCRATCH, _SMALL = 1 << 23, 1 << 12
_own = threading.local()
_KEY_BITS = 58
_UINT64 = (1 << 64) - 1
_NOWHERE = -(1 << _KEY_BITS)
_FLOAT = np.dtype(np.float64)


class Layer(NamedTuple):
    """
    The arrows of one card.

    Attributes:
        card: The card that the layer places.
        holders: The holders that may have it, shape (k,); the first holder stands for its pool.
        after: For each of them and each state the state it leads to, shape (k, states); the number
            of states after the layer where there is no arrow.
        weight: What the arrows multiply by, shape (levels, k, states), or `None` where that is 1
            for all.
        states: Number of states before the layer.
    """

    card: int
    holders: Ints
    after: npt.NDArray[np.intp]
    weight: Floats | None
    states: int


class Arrows(NamedTuple):
    """
    Single arrows of a layer as equally long lists: states before and after, holder, weight.

    The weights have shape (levels, arrows).
    """

    start: npt.NDArray[np.intp]
    stop: npt.NDArray[np.intp]
    holder: Ints
    weight: Floats

    def at(self, places: npt.NDArray[np.intp]) -> Arrows:
        """Return the arrows at some places of the lists."""
        return Arrows(
            self.start[places],
            self.stop[places],
            self.holder[places],
            self.weight.take(places, axis=1),
        )


class Diagram:
    """
    All deals that fit, for counting, weighing and drawing.

    Attributes:
        openings: What the diagram was built from.
        pools: The hands that were read, the envelope last.
        layers: One for each open card, in the order in which the cards are placed.
        prior: How likely each level of care is before the layers are passed, shape (levels,).
        weight: The total weight of all deals, constant likelihoods left out; 0 if none fits.
    """

    def __init__(self, openings: Openings, *, memory: int = MEMORY, apart: bool = False) -> None:
        """
        Build the diagram.

        Args:
            openings: What is open.
            memory: The most bytes that the diagram may need.
            apart: Whether to read every hand by itself, so that arrows tell all holders apart.

        Raises:
            TooLarge: If it would need more memory.
        """
        self.openings = openings
        self.pools = pooled(openings.hands, apart=apart or bool(openings.dealt))
        order = card_order(openings)
        hands = [_read(pool, order, openings) for pool in self.pools]
        self.layers: list[Layer]
        self._forward: list[Floats]
        possible = all(hand.counts[0] for hand in hands)
        told = max((len(rule.tables) for hand in openings.hands for rule in hand.rules), default=1)
        self.prior = np.array(openings.levels)
        if told == 1:  # nothing that is open tells the levels apart
            self.prior = self.prior.sum(keepdims=True)
        self.layers, self._forward, totals = (
            _product(order, hands, self.pools, memory, self.prior) if possible else ([], [], [])
        )
        self._multiplicity = [
            prod(pool.ways(total) for pool, total in zip(self.pools, each, strict=True))
            * self._can_be(each)
            for each in totals
        ]
        self._backward = self._pass_back([layer.weight for layer in self.layers])
        self.weight = float((self.prior @ self._backward[0][:, :-1]).sum())

    def _can_be(self, totals: Sequence[int]) -> bool:
        """Return whether the seats can have so many cards together; sizes that are known are 0."""
        if not self.openings.dealt:
            return True
        pairs = zip(self.pools, totals, strict=True)
        sizes = tuple(total if pool.least < pool.most else pool.least for pool, total in pairs)
        return any(sizes[: len(each)] == each for each in self.openings.dealt)

    @cached_property
    def apart(self) -> Diagram:
        """
        The same deals with every hand read by itself: this diagram where no hands are pooled.

        Raises:
            TooLarge: If it would need more than a quarter of `MEMORY`.
        """
        if all(len(pool.holders) == 1 for pool in self.pools):
            return self
        return Diagram(self.openings, memory=MEMORY // 4, apart=True)

    @property
    def log_weight(self) -> float:
        """The natural logarithm of the total weight of all deals, with all that is constant."""
        return log(self.weight) + self.openings.log_scale

    @property
    def levels(self) -> Floats:
        """How likely each level of care is by the whole log, shape (levels,); the sum is 1."""
        each: Floats = np.array(self.openings.levels) * self._backward[0][:, :-1].sum(axis=1)
        each /= each.sum()
        return each

    @property
    def arrows_in_all(self) -> int:
        """How many arrows there are: what building and passing through it costs."""
        return sum(layer.after.size for layer in self.layers)

    def count(self) -> int:
        """
        Return the exact number of deals.

        Sums of whole numbers are exact in float64 below 2**53. Beyond, the same pass in whole
        numbers modulo 2**64 gives the low digits and the float the high ones.
        """
        unit: list[Floats | None] = [None] * len(self.layers)
        estimate = float(self._pass_back(unit)[0].sum())
        if estimate < 2.0**53:
            return round(estimate)
        steps = sum(len(layer.holders) + 1 for layer in self.layers)
        if estimate * steps * 2.0**-52 > 2.0**62:
            return int(self._pass_back(unit, np.dtype(object))[0].sum())
        low = int(self._pass_back(unit, np.dtype(np.uint64))[0].sum())
        return low + (round(estimate) - low + (1 << 63) >> 64 << 64)

    def marginals(self) -> Floats:
        """Return the probability of each open card with each holder, shape (cards, holders)."""
        openings = self.openings
        table = np.zeros((len(openings.certain), len(openings.hands)))
        for layer, before, behind in zip(
            self.layers, self._forward, self._backward[1:], strict=False
        ):
            onward = behind.take(layer.after, axis=1)
            if layer.weight is not None:
                onward *= layer.weight
            table[layer.card, layer.holders] = np.einsum("kcs,ks->c", onward, before)
        table /= self.weight
        for pool in self.pools:
            if len(pool.holders) > 1:
                table[:, pool.holders] = np.outer(table[:, pool.holders[0]], pool.shares)
        for card, holder in enumerate(openings.certain):
            if holder >= 0:
                table[card, holder] = 1.0
        return table

    def draw(self, count: int, rng: np.random.Generator) -> Ints:
        """
        Draw deals, independently and with the exact probabilities.

        Returns:
            The holder of each card in play, shape (count, cards).
        """
        deals = np.tile(np.array(self.openings.certain), (count, 1))
        first = self.prior[:, None] * self._backward[0][:, :-1]
        level = state = np.zeros(count, np.intp)
        if first.size > 1:
            level, state = np.divmod(
                rng.choice(first.size, count, p=first.ravel() / first.sum()), first.shape[1]
            )
        for layer, behind in zip(self.layers, self._backward[1:], strict=True):
            after = layer.after[:, state]
            chance = behind[level, after]
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

    def every(self) -> tuple[Ints, Floats]:
        """
        Return every deal that fits, for tables with few of them left.

        Returns:
            The holder of each card in play, shape (deals, cards), and the deals' probabilities.
        """
        if self.apart is not self:
            return self.apart.every()
        deals = np.array(self.openings.certain)[None, :]
        state = np.arange(self._forward[0].shape[1])
        deals, weight = np.repeat(deals, len(state), axis=0), self._forward[0]
        for number, layer in enumerate(self.layers):
            arrows = self.arrows(number)
            parts = np.bincount(arrows.start, minlength=layer.states)
            order = np.argsort(arrows.start, kind="stable")
            first = np.cumsum(parts) - parts
            copies = parts[state]
            deal, place = runs(first[state], copies)
            arrow = order[place]
            weight = weight.take(deal, axis=1) * arrows.weight.take(arrow, axis=1)
            deals = deals[deal]
            deals[:, layer.card] = arrows.holder[arrow]
            state = arrows.stop[arrow]
        return deals, weight.sum(axis=0) / weight.sum()

    @property
    def begins(self) -> Floats:
        """The weight of the states before the first layer, shape (levels, states)."""
        return self._forward[0]

    @property
    def ends(self) -> Floats:
        """For each state behind the last layer how many deals a path to it stands for."""
        return np.array(self._multiplicity, np.float64)

    def arrows(self, number: int) -> Arrows:
        """Return the arrows of a layer that lie on some deal, by layer number from 0."""
        layer, behind = self.layers[number], self._backward[number + 1]
        row, start = np.nonzero((behind != 0.0).any(axis=0)[layer.after])
        weight = np.ones((1, len(row))) if layer.weight is None else layer.weight[:, row, start]
        return Arrows(start, layer.after[row, start], layer.holders[row], weight)

    def _pass_back(
        self, weights: list[Floats | None], dtype: np.dtype[Any] = _FLOAT
    ) -> list[npt.NDArray[Any]]:
        """
        Return for each layer the weight of all ways on from its states, and a 0 behind them.

        Each has shape (levels, states + 1).
        """
        whole = dtype == np.uint64
        ends = [each & _UINT64 if whole else each for each in self._multiplicity]
        levels = max((len(weight) for weight in weights if weight is not None), default=1)
        ahead = np.array([[*ends, 0]] * levels, dtype)
        passed = [ahead]
        for layer, weight in zip(reversed(self.layers), reversed(weights), strict=True):
            onward = ahead.take(layer.after, axis=1)
            if weight is not None:
                onward *= weight
            ahead = np.zeros((levels, layer.states + 1), dtype)
            onward.sum(axis=1, out=ahead[:, :-1])
            passed.append(ahead)
        passed.reverse()
        return passed


def card_order(openings: Openings) -> list[int]:
    """
    Return the open cards in an order in which few rules are under way at once.

    Greedy: next comes the card that ends most rules and begins fewest; among equals the one that
    furthers most rules already begun. Where it matters how many cards of a category a seat has,
    that category's cards are read first or last, one after the other: then no state need say it.
    """
    rules = [rule.cards for hand in openings.hands for rule in hand.rules]
    of_card = {
        card: sum(1 << i for i, cards in enumerate(rules) if cards >> card & 1)
        for card in openings.cards
    }
    fresh = (1 << len(rules)) - 1  # rules not begun
    ending = sum(1 << i for i, cards in enumerate(rules) if cards.bit_count() == 1)
    left = [cards.bit_count() for cards in rules]
    order: list[int] = []

    def cost(card: int) -> tuple[int, int]:
        mine = of_card[card]
        return (mine & fresh).bit_count() - (mine & ending).bit_count(), -mine.bit_count()

    for remaining in _blocks(openings):
        while remaining:
            card = min(remaining, key=cost)
            remaining.remove(card)
            order.append(card)
            fresh &= ~of_card[card]
            for i in card_numbers(of_card[card]):
                left[i] -= 1
                if left[i] == 1:
                    ending |= 1 << i
    return order


def _blocks(openings: Openings) -> list[list[int]]:
    """Return the open cards in those blocks that are read one after the other."""
    counted = sorted(filter(None, openings.counted), key=int.bit_count)
    last = card_numbers(counted.pop()) if len(counted) > 1 else []
    first = card_numbers(counted.pop()) if counted else []
    between = [card for card in openings.cards if card not in first and card not in last]
    return [
        first,
        *(card_numbers(each) for each in counted),
        [card for card in between if not any(each >> card & 1 for each in counted)],
        last,
    ]


def _read(pool: Pool, order: list[int], openings: Openings) -> Automaton:
    """Return the automaton of a hand or pool, reading its cards in the diagram's order."""
    own = [card for card in order if pool.cards >> card & 1]
    place = {card: 1 << number for number, card in enumerate(own)}
    rules = []
    for cards, tables in pool.rules:
        mask = 0
        for card in own:
            if cards >> card & 1:
                mask |= place[card]
        rules.append(Rule(mask, tables))
    by_size = pool.least < pool.most and any(
        rule.cards == mask & pool.cards for rule in pool.rules for mask in openings.counted
    )
    return automaton(
        *(pool.least, pool.most, len(own), tuple(sorted(rules))),
        sized=pool.sized or bool(openings.dealt), by_size=by_size,
    )  # fmt: skip


class _Tables:
    """
    The automata of all holders as flat arrays, and where each layer's part of them starts.

    A state of the diagram is one integer: each holder's state in bits of its own, which shift from
    layer to layer. The arrays hold the next states already shifted, so that landing is adding.
    """

    def __init__(self, order: list[int], automata: list[Automaton], hands: Sequence[Pool]):
        self.candidates: list[list[int]] = []  # by layer
        self.still: list[list[int]] = []  # by layer: the holders that are no candidates
        self.weighted: list[bool] = []  # by layer
        bases = list(accumulate((len(a.skip) for a in automata), initial=0))
        position = [0] * len(hands)
        offsets, shifts, masks = [], [], []
        shift_of: list[int] = [0] * bases[-1]
        everyone = range(len(hands))
        shift, mask = _packing(automata, position)
        for card in order:
            shifts.append(shift)
            masks.append(mask)
            here = [h for h in everyone if hands[h].cards >> card & 1]
            starts = [bases[h] + automata[h].starts[position[h]] for h in here]
            self.candidates.append(here)
            self.still.append([h for h in everyone if h not in here])
            self.weighted.append(any(automata[h].weighted[position[h]] for h in here))
            counts = [automata[h].counts[position[h]] for h in here]
            row = [0] * len(hands)
            for h, start in zip(here, starts, strict=True):
                row[h] = start
                position[h] += 1
            offsets.append(row)
            shift, mask = _packing(automata, position)
            for h, start, count in zip(here, starts, counts, strict=True):
                shift_of[start : start + count] = [shift[h]] * count
        shifts.append(shift)
        self.last_masks = mask
        self.bounds = [1 << row[-1] for row in shifts]
        self.shifts = np.array(shifts)[:, :-1, None]
        self.masks = np.array(masks)[:, :, None]
        self.offsets = np.array(offsets)[:, :, None]
        skip = np.concatenate([a.skip for a in automata])
        take = np.concatenate([a.take for a in automata])
        moved = np.array(shift_of)
        self.skip = np.where(skip == DEAD, _NOWHERE, skip << moved)
        self.take = np.where(take == DEAD, _NOWHERE, take << moved)
        levels = max(len(a.skip_weight) for a in automata)
        self.skip_weight = _side_by_side([a.skip_weight for a in automata], levels)
        self.take_weight = _side_by_side([a.take_weight for a in automata], levels)


def _side_by_side(weights: list[Floats], levels: int) -> Floats:
    """Return the weights of all automata, shape (levels, arrows)."""
    whole = [np.broadcast_to(each, (levels, each.shape[1])) for each in weights]
    return np.concatenate(whole, axis=1)


def _packing(automata: list[Automaton], position: list[int]) -> tuple[list[int], list[int]]:
    """Return where each holder's bits start at a layer boundary and in all, and their masks."""
    shifts, masks = [0], []
    for a, place in zip(automata, position, strict=True):
        bits = max(a.counts[place] - 1, 0).bit_length()
        shifts.append(shifts[-1] + bits)
        masks.append((1 << bits) - 1)
    if shifts[-1] > _KEY_BITS - 4:
        raise TooLarge("too many open questions at once for the deal diagram")
    return shifts, masks


def _product(
    order: list[int],
    automata: list[Automaton],
    pools: Sequence[Pool],
    memory: int,
    prior: Floats,
) -> tuple[list[Layer], list[Floats], list[list[int]]]:
    """
    Return the layers, for each boundary the weight of all ways to its states, shape
    (levels, states), and for each state behind the last layer the number of cards in each pool.
    """
    if not order:
        return [], [prior[:, None]], [[pool.least for pool in pools]]
    tables = _Tables(order, automata, pools)
    keys = np.zeros(1, np.int64)
    for hand, shift in zip(automata, tables.shifts[0, :, 0].tolist(), strict=True):
        keys = np.add.outer(keys, np.arange(hand.counts[0]) << shift).ravel()
    forward: list[Floats] = [np.repeat(prior[:, None], len(keys), axis=1)]
    layers: list[Layer] = []
    used = 0
    for number, card in enumerate(order):
        here, still = tables.candidates[number], tables.still[number]
        weights = len(prior) if tables.weighted[number] else 0
        used += _room(memory - used, len(keys) * len(here), weights)
        states = keys >> tables.shifts[number]
        states &= tables.masks[number]
        at = (states + tables.offsets[number])[here]
        skip = tables.skip.take(at)
        landing = tables.take.take(at)
        landing -= skip
        landing += skip.sum(axis=0)
        if still:
            landing += (states[still] << tables.shifts[number + 1, still]).sum(axis=0)
        alive = landing >= 0
        keys, reached = merge(landing[alive], tables.bounds[number + 1])
        after = np.full(landing.shape, len(keys), np.intp)
        after[alive] = reached
        weight = _weights(tables, at) if tables.weighted[number] else None
        firsts = np.array([pools[place].holders[0] for place in here])
        layers.append(Layer(card, firsts, after, weight, at.shape[1]))
        flow = np.empty((len(prior), *after.shape))
        flow[:] = forward[-1][:, None]
        if weight is not None:
            flow *= weight
        reached = after.ravel()
        sums = [collect(reached, each.ravel(), len(keys) + 1)[:-1] for each in flow]
        forward.append(np.array(sums))
    return layers, forward, _totals(keys, tables, automata)


def _totals(keys: Ints, tables: _Tables, automata: list[Automaton]) -> list[list[int]]:
    """Return for each state behind the last layer how many cards each hand then holds."""
    places = (keys >> tables.shifts[-1]) & np.array(tables.last_masks)[:, None]
    held = [np.array(a.held)[row] for a, row in zip(automata, places, strict=True)]
    totals: list[list[int]] = np.array(held).T.tolist()
    return totals


def _weights(tables: _Tables, at: Ints) -> Floats:
    skip = tables.skip_weight.take(at, axis=1)
    weight: Floats = tables.take_weight.take(at, axis=1) / skip * skip.prod(axis=1, keepdims=True)
    return weight


def _room(left: int, arrows: int, weights: int) -> int:
    """Return the bytes that a layer will keep with so many weights an arrow, or refuse it."""
    kept = arrows * 8 * (1 + weights)
    if kept + arrows * (48 + 16 * max(weights - 1, 0)) > left:
        raise TooLarge(
            "the deal diagram would need close to 1 GB of memory: too many cards are open in too "
            "many hands; more entries, a viewer's hand or known hand sizes make it smaller"
        )
    return kept


def merge(keys: Ints, bound: int) -> tuple[Ints, npt.NDArray[np.intp]]:
    """Return the distinct keys, all below `bound`, and for each key its place among them."""
    if bound > _SCRATCH:
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, place
    if bound > _SMALL:
        if not hasattr(_own, "scratch"):
            _own.scratch = np.empty(_SCRATCH, np.intp)
        owner = _own.scratch
    else:
        owner = np.empty(bound, np.intp)
    order = np.arange(len(keys))  # only what is written is read: no need to clear the scratch
    owner[keys] = order
    distinct = keys[owner[keys] == order]
    owner[distinct] = np.arange(len(distinct))
    return distinct, owner[keys]


def runs(first: Ints, copies: Ints) -> tuple[Ints, Ints]:
    """Return the rows, each so many times, and the places from each row's first one upwards."""
    row = np.repeat(np.arange(len(copies)), copies)
    offset = first - (np.cumsum(copies) - copies)
    return row, np.arange(len(row)) + offset[row]


def collect(place: npt.NDArray[np.intp], weight: Floats, size: int = 0) -> Floats:
    """Return the sums of the weights by place, shape (size,) or larger if a place needs it."""
    return np.bincount(place, weight, size)  # type: ignore[return-value] # floats for floats
