"""
The deal diagram: every deal that fits, as the paths of one layered graph.

One layer for each open card. A state is one state of every holder's hand automaton, packed into one
integer; an arrow gives the layer's card to one holder, whose automaton reads "mine" while all
others read "not mine". Equal states merge. A path is a deal and its weight the product of its
arrows' weights, so one pass forward and one backward give the number of deals, the total weight and
every marginal (a reduced multi-valued decision diagram; Kam, Villa, Brayton, Sangiovanni-
Vincentelli, "Multi-valued Decision Diagrams", 1998).

The weights of a long log span more than a float can. There each arrow's weight is first divided by
that of the best way on from its start and multiplied by that of the best way on from its end
("weight pushing": Mohri, "Finite-State Transducers in Language and Speech Processing",
Computational Linguistics 23, 1997). A whole path weighs what it did but for one constant, and no
sum of ways on is below 1. Each level of care has sums of its own, and only the levels' shares put
them together.

Hands that nothing tells apart, neither their cards nor a rule, are pooled: read as one hand. A path
then stands for every way to share the pool's cards out, which a multinomial coefficient counts
behind the last layer (`openings.Pool`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.automaton import DEAD, Automaton, Rule, automaton
from clue_solver.inference.openings import Openings, Pool, pooled
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import card_numbers

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MEMORY = 400_000_000
"""The most bytes that a diagram may hold; building it and asking it take as much again."""

SPAN = 600.0
"""Up to which logarithm weights and their sums are safe in a float."""

LEAST, MOST = 1e-300, 1.0 - 2.0**-53
"""Between which the chance of what is open is said to be: 0 and 1 are proofs."""

_SCRATCH, _SMALL = 1 << 23, 1 << 12
_own = threading.local()
_DIAGRAM_WORK, _LAYER_WORK, _STATE_WORK = 80_000, 20_000, 300
"""What a diagram, a layer beside its arrows, and a state of a hand cost, as in `spending`."""
_UINT64 = (1 << 64) - 1
_FLOAT = np.dtype(np.float64)

_KEY_BITS = 54
"""The most bits of a packed state."""

_NOWHERE = -(1 << _KEY_BITS + 1)
"""
What an arrow that leads nowhere adds to a packed state: whatever else is added, the sum is below 0,
and of up to 250 such arrows none is below what 64 bits hold.
"""


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


class Diagram:
    """
    All deals that fit, for counting, weighing and drawing.

    Attributes:
        openings: What the diagram was built from.
        pools: The hands that were read, the envelope last.
        layers: One for each open card, in the order in which the cards are placed.
        backward: For each boundary between layers the weight of all ways on from each state, then a
            0 for arrows that lead nowhere; shape (levels, states + 1).
        ends: For each state after the last layer how many deals a path to it stands for.
        alive: For each boundary whether there is a way on from each state, then `False`.
        shares: How likely each level of care is by the whole log, shape (levels,); of one level
            where nothing that is open tells them apart.
        log_weights: The natural logarithm of the total weight of all deals at each level of care,
            with all that is constant and how likely the level was before; minus infinity if no
            deal fits. Shape (levels,), one level where nothing is learned.
    """

    def __init__(
        self,
        openings: Openings,
        *,
        memory: int = MEMORY,
        apart: bool = False,
        first: tuple[int, ...] = (),
    ) -> None:
        """
        Build the diagram.

        Args:
            openings: What is open.
            memory: The most bytes that the diagram may need.
            apart: Whether to read every hand by itself, so that arrows tell all holders apart.
            first: Cards that are placed before the others.

        Raises:
            TooLarge: If it would need more memory.
        """
        spend(_DIAGRAM_WORK)
        self.openings = openings
        self.pools = pooled(openings.hands, apart=apart or bool(openings.dealt))
        order = card_order(openings, first)
        automata = [_read(pool, order, openings) for pool in self.pools]
        possible = all(a.counts[0] for a in automata) and max(openings.constants) > -inf
        levels = max(
            (len(rule.tables) for hand in openings.hands for rule in hand.rules), default=1
        )
        self.pushed = openings.span > SPAN
        self.layers: list[Layer] = []
        totals: list[list[int]] = []
        if possible:
            self.layers, totals = _product(
                order, automata, self.pools, memory, levels, all_weighed=self.pushed
            )
        self.ends = [self._ways(sizes) for sizes in totals]
        self._holders: dict[int, Ints] = {}
        self.alive = self._find_alive()
        best = np.zeros(levels)
        if self.pushed:
            best = self._push(levels)
        else:
            for layer in self.layers:
                if layer.weight is not None:
                    np.exp(layer.weight, out=layer.weight)
        self.backward = self._sum_backward([layer.weight for layer in self.layers], levels)
        self._sums: Floats = self.backward[0][:, 0]
        with np.errstate(divide="ignore"):
            self.log_weights: Floats = np.array(openings.constants) + best + np.log(self._sums)
        self.shares = self.level_chances if levels > 1 else np.ones(1)

    def _ways(self, totals: Sequence[int]) -> int:
        """Return how many deals a path stands for that gives each pool so many cards."""
        pools = self.pools
        if self.openings.dealt:  # every hand is read by itself
            sizes = tuple(
                total if pool.least < pool.most else pool.least
                for pool, total in zip(pools, totals, strict=True)
            )
            return int(any(sizes[: len(dealt)] == dealt for dealt in self.openings.dealt))
        return prod(pool.ways(total) for pool, total in zip(pools, totals, strict=True))

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
        return float(np.logaddexp.reduce(self.log_weights))

    def _find_alive(self) -> list[npt.NDArray[np.bool_]]:
        """Return `alive`, and note which holders some deal gives each layer's card to."""
        alive = [np.array([*map(bool, self.ends), False])]
        for layer in reversed(self.layers):
            leads = alive[-1][layer.after]
            self._holders[layer.card] = layer.holders[leads.any(axis=1)]
            alive.append(np.append(leads.any(axis=0), False))
        alive.reverse()
        return alive

    @property
    def fits(self) -> bool:
        """Whether any deal fits."""
        return bool(self.alive[0][0])

    @property
    def level_chances(self) -> Floats:
        """
        How likely each level of care is by the whole log, as `log_weights`; the sum is 1.

        `shares` are the same, but of one level where nothing that is open tells them apart.
        """
        if not self.fits:
            return np.zeros(len(self.log_weights))
        shares: Floats = np.exp(self.log_weights - self.log_weights.max())
        shares /= shares.sum()
        return shares

    def mixed(self, weights: Floats) -> Floats:
        """Return the probabilities of weights of deals at each level, shape (levels, ...)."""
        probabilities: Floats = np.tensordot(self.shares / self._sums, weights, axes=1)
        return probabilities

    @property
    def arrows_in_all(self) -> int:
        """How many arrows there are: what building and passing through it costs."""
        return sum([layer.after.size for layer in self.layers])

    def count(self) -> int:
        """
        Return the exact number of deals.

        Sums of whole numbers are exact in float64 below 2**53. Beyond, the same pass in whole
        numbers modulo 2**64 gives the low digits and the float the high ones.
        """
        unit: list[Floats | None] = [None] * len(self.layers)
        estimate = float(self._sum_backward(unit)[0].sum())
        if estimate < 2.0**53:
            return round(estimate)
        steps = sum(len(layer.holders) + 1 for layer in self.layers)
        if estimate * steps * 2.0**-52 > 2.0**62:
            return int(self._sum_backward(unit, dtype=np.dtype(object))[0].sum())
        low = int(self._sum_backward(unit, dtype=np.dtype(np.uint64))[0].sum())
        high = (round(estimate) - low + (1 << 63)) >> 64
        return low + (high << 64)

    def marginals(self) -> Floats:
        """
        Return the probability of each card with each holder, shape (cards, holders).

        It is 0 or 1 where that is certain, and nowhere else.
        """
        openings = self.openings
        table = np.zeros((len(openings.certain), len(openings.hands)))
        forward = np.ones((len(self.shares), 1))  # the weight of all ways to each state
        shares = self.shares / self._sums
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
            table[layer.card, layer.holders] = shares @ flow.sum(axis=2)
        # The hands of a pool share its cards.
        for pool in self.pools:
            if len(pool.holders) > 1:
                table[:, pool.holders] = np.outer(table[:, pool.holders[0]], pool.shares)
        for card, holder in enumerate(openings.certain):
            if holder >= 0:
                table[card, holder] = 1.0

        # Rounding makes nothing certain, nor impossible what is only too unlikely for a float.
        masks = np.array(self.possible())[:, None]
        can = masks >> np.arange(len(openings.hands)) & 1 > 0
        table = np.where(can, table.clip(LEAST, MOST), 0.0)
        certain = np.count_nonzero(can, axis=1) == 1
        table[certain] = can[certain]
        return table

    def possible(self) -> list[int]:
        """
        Return for each card the mask of the holders that have it in some deal.

        It is a proof: what cannot be has no arrow, so every path to an end is a deal that fits, and
        every such deal is one. No weight is looked at.
        """
        masks = [1 << holder if holder >= 0 else 0 for holder in self.openings.certain]
        if not self.fits:
            return [0] * len(masks)
        having = {}  # who can have cards of each pool, by its first holder
        for pool in self.pools:
            holders = zip(pool.holders, pool.sizes, strict=True)
            alone = pool.sized or len(pool.holders) == 1
            having[pool.holders[0]] = sum(1 << h for h, size in holders if size or alone)
        for card, some in self._holders.items():
            masks[card] = sum(map(having.__getitem__, some.tolist()))
        return masks

    def draw(self, count: int, rng: np.random.Generator) -> Ints:
        """
        Draw deals, independently and with the exact probabilities.

        Returns:
            The holder of each card in play, shape (count, cards).
        """
        deals = np.tile(np.array(self.openings.certain), (count, 1))
        spend(10 * count * sum([len(layer.holders) for layer in self.layers]))
        level = state = np.zeros(count, np.intp)
        if len(self.shares) > 1:
            upto = self.shares.cumsum()
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

    def every(self) -> tuple[Ints, Floats]:
        """
        Return every deal that fits, for tables with few of them left.

        Returns:
            The holder of each card in play, shape (deals, cards), and the deals' probabilities.
        """
        if self.apart is not self:
            return self.apart.every()
        deals, _, weight = self.ways(len(self.layers))
        likely = self.mixed(weight)
        return deals, likely / likely.sum()

    def ways(self, layers: int) -> tuple[Ints, Ints, Floats]:
        """
        Return every way to place the cards of the first layers.

        Returns:
            The holder of each card in play, -1 for those of later layers, shape (ways, cards); the
            state that each way leads to; and its weight, shape (levels, ways).
        """
        deals = np.array(self.openings.certain)[None, :]
        state = np.zeros(1, np.intp)
        weight = np.ones((len(self.shares), 1))
        for layer, alive in zip(self.layers[:layers], self.alive[1:], strict=False):
            after = layer.after[:, state]
            deal, chosen = np.nonzero(alive[after].T)
            weight = weight.take(deal, axis=1)
            if layer.weight is not None:
                weight *= layer.weight[:, chosen, state[deal]]
            state = after[chosen, deal]
            deals = deals[deal]
            deals[:, layer.card] = layer.holders[chosen]
        return deals, state, weight

    def _push(self, levels: int) -> Floats:
        """
        Divide each arrow's weight by the best way on from its start, and multiply by that from its
        end, so that nothing leaves what a float holds; the layers have logarithms before.

        Returns:
            The logarithm by which all deals weigh more than is left in them, shape (levels,).
        """
        ends = [0.0 if ways else -inf for ways in self.ends]
        best = np.array([[*ends, -inf]] * levels)  # of the ways on from each state
        for number in range(len(self.layers) - 1, -1, -1):
            layer = self.layers[number]
            weight: Floats = best.take(layer.after, axis=1)
            if layer.weight is not None:
                weight += layer.weight
            best = np.full((levels, layer.states + 1), -inf)
            weight.max(axis=1, out=best[:, :-1])
            weight -= np.where(best == -inf, 0.0, best)[:, None, :-1]
            self.layers[number] = layer._replace(weight=np.exp(weight, out=weight))
        pushed: Floats = best[:, 0]
        return pushed

    def _sum_backward(
        self, weights: list[Floats | None], levels: int = 1, dtype: np.dtype[Any] = _FLOAT
    ) -> list[npt.NDArray[Any]]:
        """Return `backward` for these weights of the layers, in floats or in whole numbers."""
        whole = dtype == np.uint64
        ends = [ways & _UINT64 if whole else ways for ways in self.ends]
        sums = np.array([[*ends, 0]] * levels, dtype)
        backward = [sums]
        for layer, weight in zip(reversed(self.layers), reversed(weights), strict=True):
            onward = sums.take(layer.after, axis=1)
            if weight is not None:
                onward *= weight
            sums = np.zeros((levels, layer.states + 1), dtype)
            onward.sum(axis=1, out=sums[:, :-1])
            backward.append(sums)
        backward.reverse()
        return backward


def card_order(openings: Openings, first: tuple[int, ...] = ()) -> list[int]:
    """
    Return the open cards in an order in which few rules are under way at once.

    Greedy: next comes the card that ends most rules and begins fewest; among equals the one that
    furthers most rules already begun. Where it matters how many cards of a category a seat has,
    that category's cards are read first or last, one after the other: then no state need say it.
    The cards of `first` come before all.
    """
    rules = [rule.cards for hand in openings.hands for rule in hand.rules]
    of_card = dict.fromkeys(openings.cards, 0)
    fresh = (1 << len(rules)) - 1  # rules not begun
    ending = 0
    left = []
    for i, cards in enumerate(rules):
        held = card_numbers(cards)
        left.append(len(held))
        if len(held) == 1:
            ending |= 1 << i
        for card in held:
            of_card[card] |= 1 << i
    order: list[int] = []
    blocks = [[card for card in block if card not in first] for block in _blocks(openings)]
    for remaining in ([card for card in openings.cards if card in first], *blocks):
        while remaining:
            costs = [
                (
                    (of_card[card] & fresh).bit_count() - (of_card[card] & ending).bit_count(),
                    -of_card[card].bit_count(),
                    place,
                )
                for place, card in enumerate(remaining)
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
    """Return the open cards in those blocks that are read one after the other."""
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
    read = automaton(
        pool.least,
        pool.most,
        len(own),
        tuple(sorted(rules)),
        sized=pool.sized or bool(openings.dealt),
    )
    spend(_STATE_WORK * len(read.skip))  # also where it was made before: it must not matter
    return read


class _Tables:
    """
    The automata of all hands as flat arrays, and where each layer's part of them starts.

    A state of the diagram is one integer: each hand's state in bits of its own, which shift from
    layer to layer. The arrays hold the next states already shifted, so that landing is adding.

    Attributes:
        candidates, still: By layer, the hands that may get the card, and those that cannot.
        weighted: By layer, whether any arrow has a weight.
        bounds: By boundary between layers, what all packed states are below.
        shifts, masks: By boundary and hand, where its state's bits begin and how many they are.
        offsets: By layer and hand, where the layer's states begin in the flat arrays.
        skip, take: What a hand's state becomes by "not mine" and "mine", shifted for the boundary
            behind the layer.
        skip_weight, take_weight: The logarithms of what these weigh, shape (levels, states).
    """

    def __init__(self, order: list[int], automata: list[Automaton], hands: Sequence[Pool]) -> None:
        self.candidates: list[Ints] = []
        self.still: list[list[int]] = []
        self.weighted: list[bool] = []
        bases = list(accumulate([len(a.skip) for a in automata], initial=0))
        shift_of = np.zeros(bases[-1], np.int64)
        place = [0] * len(hands)  # how many of its cards each hand has read
        shift, mask = _packing(automata, place)
        shifts, masks, offsets = [shift], [mask], []
        for card in order:
            # The candidates read the card; all others stay in their states.
            here = [h for h, hand in enumerate(hands) if hand.cards >> card & 1]
            self.candidates.append(np.array(here))
            self.still.append([h for h in range(len(hands)) if h not in here])
            weighted = [automata[h].weighted[place[h]] for h in here]
            self.weighted.append(True in weighted)
            offset = [0] * len(hands)
            read = []
            for h in here:
                offset[h] = bases[h] + automata[h].starts[place[h]]
                read.append(slice(offset[h], offset[h] + automata[h].counts[place[h]]))
                place[h] += 1
            offsets.append(offset)

            # Behind the card their bits begin elsewhere.
            shift, mask = _packing(automata, place)
            for h, part in zip(here, read, strict=True):
                shift_of[part] = shift[h]
            shifts.append(shift)
            masks.append(mask)
        self.bounds = [1 << row[-1] for row in shifts]
        self.shifts = np.array(shifts)[:, :-1, None]
        self.masks = np.array(masks)[:, :, None]
        self.offsets = np.array(offsets)[:, :, None]
        skip = np.concatenate([a.skip for a in automata])
        take = np.concatenate([a.take for a in automata])
        self.skip = np.where(skip == DEAD, _NOWHERE, skip << shift_of)
        self.take = np.where(take == DEAD, _NOWHERE, take << shift_of)
        levels = max(len(a.skip_weight) for a in automata)
        self.skip_weight = _side_by_side([a.skip_weight for a in automata], levels)
        self.take_weight = _side_by_side([a.take_weight for a in automata], levels)

    def states(self, number: int, keys: Ints) -> Ints:
        """Return each holder's state in the states before a layer, shape (holders, states)."""
        states: Ints = keys >> self.shifts[number]
        states &= self.masks[number]
        return states

    def weights(self, number: int, keys: Ints) -> Floats:
        """Return the logarithms of the weights of a layer's arrows, by the candidates' rows."""
        # Who gets the card takes it, all other candidates skip it.
        at = (self.states(number, keys) + self.offsets[number])[self.candidates[number]]
        skip, take = (rows.take(at, axis=1) for rows in (self.skip_weight, self.take_weight))
        weight: Floats = take - skip + skip.sum(axis=1, keepdims=True)
        return weight


def _side_by_side(weights: list[Floats], levels: int) -> Floats:
    """Return the weights of all automata, shape (levels, arrows); one level stands for all."""
    return np.hstack([np.broadcast_to(each, (levels, each.shape[1])) for each in weights])


def _packing(automata: list[Automaton], position: list[int]) -> tuple[list[int], list[int]]:
    """Return where each holder's bits start at a layer boundary and in all, and their masks."""
    shifts, masks = [0], []
    for a, place in zip(automata, position, strict=True):
        bits = max(a.counts[place] - 1, 0).bit_length()
        shifts.append(shifts[-1] + bits)
        masks.append((1 << bits) - 1)
    if shifts[-1] > _KEY_BITS:
        raise TooLarge("too many open questions at once for the deal diagram")
    return shifts, masks


def _product(
    order: list[int],
    automata: list[Automaton],
    pools: Sequence[Pool],
    memory: int,
    levels: int,
    *,
    all_weighed: bool,
) -> tuple[list[Layer], list[list[int]]]:
    """
    Return the layers, and for each state behind the last one the number of cards in each pool.

    Args:
        order, automata, pools: The cards, and the hands that are read.
        memory: The most bytes of the layers.
        levels: How many weights an arrow has.
        all_weighed: Whether layers will have weights in which every arrow weighs 1.
    """
    if not order:
        return [], [[pool.least for pool in pools]]
    tables = _Tables(order, automata, pools)
    keys = np.zeros(1, np.int64)
    firsts = np.array([pool.holders[0] for pool in pools])
    before: list[Ints] = []  # the states before each layer
    layers: list[Layer] = []
    used = 0
    for number, card in enumerate(order):
        before.append(keys)
        here, still = tables.candidates[number], tables.still[number]
        weights = levels if tables.weighted[number] or all_weighed else 0
        used = _room(memory, used, len(keys) * len(here), weights)
        spend(_LAYER_WORK + len(keys) * len(here) * (levels + 3))

        # Who gets the card takes it, all other candidates skip it, and the rest stay as they are.
        states = tables.states(number, keys)
        at = (states + tables.offsets[number])[here]
        skip = tables.skip.take(at)
        landing = tables.take.take(at)
        landing -= skip
        landing += skip.sum(axis=0)
        if still:
            landing += (states[still] << tables.shifts[number + 1, still]).sum(axis=0)

        # Equal states merge. What leads nowhere is below 0.
        alive = landing >= 0
        keys, reached = merge(landing[alive], tables.bounds[number + 1])
        after = np.full(landing.shape, len(keys), np.intp)
        after[alive] = reached
        layers.append(Layer(card, firsts[here], after, None, at.shape[1]))
    for number, layer_keys in enumerate(before):  # only now: most that is refused is so by now
        if tables.weighted[number]:
            layers[number] = layers[number]._replace(weight=tables.weights(number, layer_keys))
    return layers, _totals(keys, tables, automata)


def _totals(keys: Ints, tables: _Tables, automata: list[Automaton]) -> list[list[int]]:
    """Return for each state behind the last layer how many cards each hand then holds."""
    places = tables.states(-1, keys)
    held = [np.array(a.held)[row] for a, row in zip(automata, places, strict=True)]
    totals: list[list[int]] = np.array(held).T.tolist()
    return totals


def _room(memory: int, used: int, arrows: int, weights: int) -> int:
    """Return the bytes used with those that a layer keeps, or refuse it past the memory."""
    kept = arrows * 8 * (1 + weights)
    if used + kept + arrows * (48 + 16 * max(weights - 1, 0)) > memory:
        raise TooLarge(
            f"the deal diagram would need more than {memory // 1_000_000} MB of memory: too many "
            "cards are open in too many hands; more entries, a viewer's hand or known hand sizes "
            "make it smaller"
        )
    return used + kept


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
