"""
The posterior over solutions: how likely each choice of one card a category is to be the envelope.

A state of the deal diagram knows which categories the envelope has, not by which card. So the
weight that reaches a state is split by the cards that the envelope has taken so far: from the start
to a boundary in the middle, and from the end back to it, where the two halves meet. In a large
diagram the halves are those in which the envelope has the cards of few categories and of many; they
meet in the arrows by which it gets the card in the middle. Cards that no evidence tells apart are
counted as one kind and share its probability evenly.

`worlds` gives the deals behind it one by one: all that fit where they are few, else an exact
independent sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import (
    LEAST,
    Arrows,
    Diagram,
    Floats,
    Ints,
    Layer,
    collect,
    collected,
    merge,
    runs,
    sort_key,
    where_any,
)
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Layout, card_numbers

FEW_ARROWS = 50_000
"""Up to how many arrows rows one by one cost less than arrays of a layer's rows."""

MOST_JOINT_ROWS, _MOST_CELLS = 4_000_000, 400_000_000
"""
How many rows (some 0.03 to 0.15 microseconds each) splitting a diagram may take that tells more
than the solution apart; how many numbers (some 3 nanoseconds each) where it does not.
"""

_MOST_KEYS, _AT_ONCE = 1 << 62, 1 << 16

_STEP_WORK, _ROW_WORK = 20_000, 5
"""What a step of splitting costs beside its rows, and what a row does, as in `spending`."""

_TOGETHER = 1 << 20
"""How many numbers of one layer, over levels of care, are worked on at once."""


class Solutions(NamedTuple):
    """
    All solutions of non-zero probability, likeliest first; among equals in card order.

    Attributes:
        cards: Numbers of the cards, one a category in order, shape (solutions, categories).
        probability: Their probabilities, shape (solutions,); the sum is 1.
    """

    cards: Ints
    probability: Floats

    @property
    def bits(self) -> float:
        """The entropy of the posterior."""
        return max(0.0, -float((self.probability * np.log2(self.probability)).sum()))


class Jointly(NamedTuple):
    """
    How some cards lie together with the solution.

    Solutions that differ only in cards of one kind, none of them among those cards, are one group:
    whatever way the cards lie, its members are equally likely.

    Attributes:
        way: For each row how the cards lie: places in the order of the cards, the first card's the
            most significant, in a base one above the largest place.
        group: The number of the row's group.
        probability: The probability of each row; the sum is 1.
        size: How many solutions each group has.
        work: How many rows splitting the diagram went through.
    """

    way: Ints
    group: Ints
    probability: Floats
    size: Ints
    work: int


class _Split(NamedTuple):
    """
    Weight split by state and by what the envelope has taken; sorted by state.

    The weights have shape (levels, rows): one for each level of care, where that decides.
    """

    state: npt.NDArray[np.intp]
    taken: Ints
    weight: Floats
    work: int = 0


def solutions(diagram: Diagram, layout: Layout) -> Solutions:
    """Return the exact posterior over solutions."""
    return solutions_and_last(diagram, layout)[0]


def solutions_and_last(diagram: Diagram, layout: Layout) -> tuple[Solutions, Solutions]:
    """Return the exact posterior over solutions, and what it is at the last level of care alone."""
    kinds, strides = _kinds(diagram, layout)

    def split(diagram: Diagram) -> _Split:
        if diagram.arrows_in_all > FEW_ARROWS:
            return _SolutionSplit(diagram, layout, kinds, strides).met()
        total = strides[-1]
        steps = _steps(kinds, strides, layout)
        return _met(diagram, layout, steps, total, total, most=_MOST_CELLS)

    def listed(weight: Floats) -> Solutions:
        mixed = met._replace(weight=weight[None])
        return _listed(mixed, kinds, strides, diagram.openings.certain, layout)

    met = split(diagram)
    if diagram.pushed:  # some may be too unlikely for a float
        every = split(diagram.unweighted)
        weights = np.zeros((len(met.weight), len(every.taken)))
        weights[:, np.searchsorted(every.taken, met.taken)] = met.weight
        met = every._replace(weight=weights)
    posterior = listed(diagram.mixed(met.weight))
    return posterior, posterior if len(met.weight) == 1 else listed(met.weight[-1])


class _SolutionSplit:
    """
    The weight split by what the envelope has, in rows: a number for each choice of a kind.

    Sets of open categories are masks of their numbers from 0. In a row the kinds of a set's last
    category change slowest.
    """

    def __init__(
        self, diagram: Diagram, layout: Layout, kinds: list[list[list[int]]], strides: list[int]
    ) -> None:
        self.diagram = diagram
        self.envelope = layout.envelope
        opened = [number for number, alike in enumerate(kinds) if alike]
        self.sets = 1 << len(opened)
        self.middle = (len(opened) - 1) // 2
        self.kind = {
            card: (1 << bit, kind)
            for bit, number in enumerate(opened)
            for kind, cards in enumerate(kinds[number])
            for card in cards
        }
        self.places = [np.zeros(1, np.int64)]  # for each set what its choices add to "taken so far"
        for bit, number in enumerate(opened):
            steps = strides[number] * np.arange(1, len(kinds[number]) + 1)
            self.places += [
                (steps[:, None] + earlier).ravel() for earlier in self.places[: 1 << bit]
            ]
        self.width = max(
            (
                len(choices)
                for has, choices in enumerate(self.places)
                if has.bit_count() <= len(opened) // 2
            ),
            default=1,
        )
        self.few = np.array([has.bit_count() <= self.middle for has in range(self.sets)])
        self.work = 0

    def met(self) -> _Split:
        """Return the weight of all deals, split by what the envelope has."""
        if self.sets == 1:
            alone = np.ones((len(self.diagram.begins), 1))
            return _Split(np.zeros(1, np.intp), np.zeros(1, np.int64), alone)
        has = self._filled()
        levels = len(self.diagram.begins)
        at_once = max(1, _TOGETHER // (self.width * max(map(len, has))))
        pieces = [
            list(self._crossing(has, slice(first, first + at_once)))
            for first in range(0, levels, at_once)
        ]
        codes: list[Ints] = []
        weights: list[Floats] = []
        for same in zip(*pieces, strict=True):
            codes.append(same[0][0])
            weights.append(np.concatenate([weight for _, weight in same]))
        taken, place = np.unique(np.concatenate(codes), return_inverse=True)
        every = np.concatenate(weights, axis=1)
        weight = collected(place, every, len(taken))
        kept = where_any(weight)
        return _Split(np.zeros(len(kept), np.intp), taken[kept], weight[:, kept])

    def _crossing(self, has: list[Ints], levels: slice) -> Iterator[tuple[Ints, Floats]]:
        """Yield what the envelope has and its weights, shape (levels, ways), in pieces."""
        self.levels = levels
        self.work = 0
        behind = self._behind(has)
        begins = self.diagram.begins[levels].T
        few = np.arange(len(begins))
        rows = np.zeros((*begins.shape, self.width))
        rows[:, :, 0] = begins
        for number, layer in enumerate(self.diagram.layers):
            for before, crossing, beyond in behind[number]:
                bit, kind = self.kind[layer.card]
                left = self.places[self.sets - 1 ^ before ^ bit]
                code = self.places[before][:, None] + self.places[bit][kind] + left
                ahead = rows[np.searchsorted(few, crossing), :, : len(code)]
                spend(_STEP_WORK + code.size * len(begins.T) * len(crossing) // 2)
                met = ahead.transpose(1, 2, 0) @ beyond.transpose(1, 0, 2)
                yield code.ravel(), met.reshape(len(met), -1)
            few, rows = self._ahead(number, has, few, rows)

    def _filled(self) -> list[Ints]:
        """Return for each boundary the set that the envelope has in each state; any if none is."""
        filled = [np.zeros(self.diagram.begins.shape[1] + 1, np.int64)]
        layers = self.diagram.layers
        for number, layer in enumerate(layers):
            last = number + 1 == len(layers)
            has = np.zeros((len(self.diagram.ends) if last else layers[number + 1].states) + 1, int)
            for holder, after in zip(layer.holders.tolist(), layer.after, strict=True):
                bit = self.kind[layer.card][0] if holder == self.envelope else 0
                has[after] = filled[-1][:-1] | bit
            filled.append(has)
        return filled

    def _behind(self, has: list[Ints]) -> list[list[tuple[int, Ints, Floats]]]:
        """
        Split the weight behind states in which the envelope has many categories.

        Returns:
            For each layer the arrows by which it gets to have many: by the set it has before, the
            states that they come from and the rows behind them, times the arrows' weights, shape
            (states, levels, choices).
        """
        crossings: list[list[tuple[int, Ints, Floats]]] = []
        levels = len(self.diagram.begins[self.levels])
        rows = np.zeros((len(self.diagram.ends), levels, self.width))
        rows[:, :, 0] = self.diagram.ends[:, None]
        row = np.arange(len(rows) + 1)  # of each state; behind them all an empty one
        for number in range(len(self.diagram.layers) - 1, -1, -1):
            layer = self.diagram.layers[number]
            ahead = np.concatenate([rows, np.zeros((1, levels, self.width))])
            before = has[number][:-1]
            many = np.flatnonzero(~self.few[before])
            rows = self._empty(len(many), len(layer.holders))
            bit, kind = self.kind.get(layer.card, (0, 0))
            crossing: list[tuple[int, Ints, Floats]] = []
            for place, holder in enumerate(layer.holders.tolist()):
                if holder != self.envelope:
                    onward = row[layer.after[place, many]]
                    rows += self._weighed(ahead[onward], layer, place, many)
                    continue
                for held in range(self.sets):
                    if held & bit:
                        continue
                    start = np.flatnonzero(before == held)
                    onward = row[layer.after[place, start]]
                    start, onward = (at[onward < len(ahead) - 1] for at in (start, onward))
                    if not len(start) or held.bit_count() < self.middle:
                        continue
                    left = self.sets - 1 ^ held ^ bit
                    choices = len(self.places[left])
                    weighed = self._weighed(ahead[onward, :, :choices], layer, place, start)
                    if held.bit_count() == self.middle:
                        crossing.append((held, start, weighed))
                    else:
                        self._taken(rows, np.searchsorted(many, start), weighed, left, (bit, kind))
            crossings.append(crossing)
            row = np.full(layer.states + 1, len(many))
            row[many] = np.arange(len(many))
        return crossings[::-1]

    def _ahead(self, number: int, has: list[Ints], few: Ints, rows: Floats) -> tuple[Ints, Floats]:
        """Return the states with few categories behind a layer, and the rows ahead of them."""
        layer = self.diagram.layers[number]
        before = has[number]
        beyond = np.flatnonzero(self.few[has[number + 1][:-1]])
        row = np.full(len(has[number + 1]), len(beyond))
        row[beyond] = np.arange(len(beyond))
        after = self._empty(len(beyond) + 1, len(layer.holders))
        bit, kind = self.kind.get(layer.card, (0, 0))
        for place, holder in enumerate(layer.holders.tolist()):
            to = row[layer.after[place, few]]
            if holder != self.envelope:
                weighed = self._weighed(rows, layer, place, few)
                size = weighed.shape[1] * self.width
                at = to[:, None] * size + np.arange(size)
                after += collect(at.ravel(), weighed.ravel(), after.size).reshape(after.shape)
                continue
            for held in range(self.sets):
                if held & bit or held.bit_count() >= self.middle:
                    continue
                start = np.flatnonzero(before[few] == held)
                weighed = rows[start, :, : len(self.places[held])]
                weighed = self._weighed(weighed, layer, place, few[start])
                self._taken(after, to[start], weighed, held, (bit, kind))
        return beyond, after[:-1]

    def _taken(
        self, rows: Floats, to: Ints, weights: Floats, before: int, card: tuple[int, int]
    ) -> None:
        """Add what is split by a set of categories to rows by one more, for a card of that."""
        bit, kind = card
        low, size = len(self.places[before & bit - 1]), len(self.places[bit])
        choice = np.arange(weights.shape[2])
        column = choice // low * (low * size) + kind * low + choice % low
        levels = np.arange(weights.shape[1])[:, None]
        np.add.at(rows, (to[:, None, None], levels, column), weights)

    def _empty(self, states: int, arrows: int) -> Floats:
        """Return empty rows for some states, each with so many arrows, unless it is too much."""
        self.work += states * (arrows + 1) * self.width
        if self.work > _MOST_CELLS or states * self.width > _MOST_CELLS // 16:
            raise TooLarge("too much is open to tell how likely each solution is")
        levels = len(self.diagram.begins[self.levels])
        spend(_STEP_WORK + states * (arrows + 1) * self.width * levels * 2 // 3)
        return np.zeros((states, levels, self.width))

    def _weighed(self, rows: Floats, layer: Layer, place: int, states: Ints) -> Floats:
        """Return rows times the weights of the arrows of some states to a holder."""
        if layer.weight is None:
            return rows
        weighed: Floats = rows * layer.weight[self.levels, place, states].T[:, :, None]
        return weighed


def jointly(diagram: Diagram, layout: Layout, cards: tuple[int, ...], place: Ints) -> Jointly:
    """
    Return the exact joint distribution of how some cards lie and of the solution.

    Args:
        diagram: All deals that fit.
        layout: The shape of the table.
        cards: The numbers of the cards.
        place: A number from 0 for each holder; holders with one number are not told apart.

    Raises:
        TooLarge: If that would need too much memory.
    """
    diagram = diagram.apart
    kinds, strides = _kinds(diagram, layout, apart=cards)
    total = strides[-1]
    steps = _steps(kinds, strides, layout)
    base = int(place.max()) + 1
    certain = 0
    for number, card in enumerate(reversed(cards)):
        value = base**number
        steps[card] += total * value * place
        holder = diagram.openings.certain[card]
        certain += value * int(place[holder]) if holder >= 0 else 0
    met = _met(diagram, layout, steps, total, total * base ** len(cards), most=MOST_JOINT_ROWS)
    way, taken = np.divmod(met.taken, total)
    groups, group = np.unique(taken, return_inverse=True)
    size = np.ones(len(groups), np.int64)
    for stride, alike in zip(strides, kinds, strict=False):
        sizes = np.array([1, *(len(cards) for cards in alike)])
        size *= sizes[groups // stride % len(sizes)]
    likely = diagram.mixed(met.weight)
    return Jointly(way + certain, group, likely / likely.sum(), size, met.work)


def _steps(kinds: list[list[list[int]]], strides: list[int], layout: Layout) -> Ints:
    """Return what a card's going to a holder adds to "taken so far", shape (cards, holders)."""
    steps = np.zeros((layout.cards, layout.holders), np.int64)
    envelope = steps[:, layout.envelope]
    for category, stride in zip(kinds, strides, strict=False):
        for number, cards in enumerate(category, 1):
            envelope[cards] = number * stride
    return steps


def _met(
    diagram: Diagram, layout: Layout, steps: Ints, outside: int, total: int, *, most: int
) -> _Split:
    """
    Return the weight of all deals, split by the sum of the steps of cards and holders.

    Raises:
        TooLarge: If that takes more than `most` rows.
    """
    middle = _middle(diagram, layout, steps, outside)
    begins = diagram.begins
    ahead = _Split(np.arange(begins.shape[1]), np.zeros(begins.shape[1], np.int64), begins)
    ends = diagram.ends
    weights = np.broadcast_to(ends, (len(begins), len(ends)))
    back = _Split(np.arange(len(ends)), np.zeros(len(ends), np.int64), weights)
    for number in range(middle):
        arrows = diagram.arrows(number)
        taken = steps[diagram.layers[number].card, arrows.holder]
        ahead = _joined(ahead, arrows, taken, total, most)
    for number in range(len(diagram.layers) - 1, middle - 1, -1):
        arrows = diagram.arrows(number)
        turned = arrows._replace(start=arrows.stop, stop=arrows.start)
        taken = steps[diagram.layers[number].card, arrows.holder]
        back = _joined(back, turned, taken, total, most - ahead.work)
    bridge = Arrows(back.state, np.zeros_like(back.state), back.state, back.weight)
    met = _joined(ahead, bridge, back.taken, total, most - back.work)
    return met._replace(work=met.work + back.work)


def _kinds(
    diagram: Diagram, layout: Layout, *, apart: tuple[int, ...] = ()
) -> tuple[list[list[list[int]]], list[int]]:
    """
    Return the open cards of each category that the envelope can have, by kind, and the strides.

    Cards are of one kind if the same holders can have them under the same rules; a card of `apart`
    is of a kind of its own. The stride of a
    category is what one step of its kind adds to the number that stands for "taken so far"; the
    last stride is the number of such numbers.
    """
    hands = diagram.openings.hands
    envelope = hands[layout.envelope].cards
    rules = [rule.cards for hand in hands for rule in hand.rules]
    kinds: list[list[list[int]]] = []
    strides = [1]
    for category in layout.categories:
        alike: dict[tuple[int, ...], list[int]] = {}
        for card in card_numbers(category & envelope):
            bit = 1 << card
            holders = [h for h, hand in enumerate(hands) if hand.cards & bit]
            under = [~r for r, cards in enumerate(rules) if cards & bit]
            own = [len(hands) + card] if card in apart else []
            alike.setdefault((*holders, *own, *under), []).append(card)
        kinds.append(list(alike.values()))
        strides.append(strides[-1] * (len(alike) + 1))
    return kinds, strides


def _middle(diagram: Diagram, layout: Layout, steps: Ints, outside: int) -> int:
    """
    Return the boundary up to which the splitting from both ends costs least.

    Args:
        diagram, layout, steps: What is split.
        outside: From this step on a step tells something else than what the envelope takes.
    """
    category = {
        card: number for number, mask in enumerate(layout.categories) for card in card_numbers(mask)
    }
    beyond = (steps // outside).tolist() if steps.max(initial=0) >= outside else None
    inside = (steps[:, layout.envelope] % outside).tolist()
    of_layer = [
        (
            category[layer.card],
            inside[layer.card],
            len({beyond[layer.card][h] for h in layer.holders.tolist()}) if beyond else 1,
            layer.states,
        )
        for layer in diagram.layers
    ]

    def growth(order: list[int]) -> list[float]:
        taken: list[set[int]] = [{0} for _ in layout.categories]
        ways = 1
        sizes = [1.0]
        for number in order:
            kind, step, apart, states = of_layer[number]
            if step not in taken[kind]:
                ways = ways // len(taken[kind]) * (len(taken[kind]) + 1)
                taken[kind].add(step)
            ways *= apart
            sizes.append(float(ways * states))
        return sizes

    layers = list(range(len(diagram.layers)))
    ahead = np.cumsum(growth(layers))
    back = np.cumsum(growth(layers[::-1]))[::-1]
    return int(np.argmin(ahead + back))


def _joined(split: _Split, arrows: Arrows, taken: Ints, total: int, most: int) -> _Split:
    """
    Send each part of the split along each arrow from its state, and add up what meets.

    Args:
        split: What stands at the arrows' starts.
        arrows: Where it goes.
        taken: What each arrow adds to "taken so far".
        total: How many values "taken so far" can have.
        most: How many rows all joins so far and this one may have.
    """
    parts = np.bincount(split.state, minlength=int(arrows.start.max()) + 1)
    first = np.cumsum(parts) - parts
    copies = parts[arrows.start]
    size = int(copies.sum())
    bound = int(arrows.stop.max() + 1) * total
    work = split.work + (size // 4 if bound < size else size)  # to add up in place is that cheap
    if work > most or bound > _MOST_KEYS:
        raise TooLarge("too much is open to tell how likely each solution is")
    spend(_STEP_WORK + _ROW_WORK * size * (len(split.weight) + 1))
    if size > _AT_ONCE:
        order = np.argsort(arrows.stop, kind="stable")
        arrows = arrows.at(order)
        taken = taken[order]
        copies = copies[order]
    ends = np.cumsum(copies)
    key, offset = arrows.stop * total + taken, first[arrows.start] - (ends - copies)

    def summed(begin: int, end: int, low: int, reach: int) -> tuple[Ints, Floats]:
        """Return the keys from `low` on, less than `reach` above it, that some arrows lead to."""
        often = copies[begin:end]
        start = int(ends[begin] - often[0])
        arrow = np.repeat(np.arange(begin, end), often)
        part = offset.take(arrow)
        part += np.arange(start, ends[end - 1])
        keys = key.take(arrow)
        keys -= low
        keys += split.taken.take(part)
        weight = split.weight.take(part, axis=1)
        weight *= arrows.weight.take(arrow, axis=1)
        if reach < 4 * len(keys):
            sums = collected(keys, weight, reach)
            distinct = where_any(sums)
            return distinct + low, sums[:, distinct]
        distinct, place = merge(keys, reach)
        sums = collected(place, weight, len(distinct))
        if (distinct[1:] < distinct[:-1]).any():
            order = np.argsort(distinct)
            return distinct[order] + low, sums[:, order]
        return distinct + low, sums

    if size <= _AT_ONCE:
        distinct, weight = summed(0, len(ends), 0, bound)
    elif bound < size:  # few keys for many rows: a sum for each
        sums = np.zeros((len(split.weight), bound))
        for begin, end in _pieces(ends, np.arange(len(ends))):
            places, more = summed(begin, end, 0, bound)
            sums[:, places] += more
        distinct = where_any(sums)
        weight = sums[:, distinct]
    else:
        pieces: list[tuple[Ints, Floats]] = []
        for begin, end in _pieces(ends, arrows.stop):
            low, high = int(arrows.stop[begin]), int(arrows.stop[end - 1])
            pieces.append(summed(begin, end, low * total, (high - low + 1) * total))
        distinct = np.concatenate([keys for keys, _ in pieces])
        weight = np.concatenate([weights for _, weights in pieces], axis=1)
    return _Split(*np.divmod(distinct, total), weight, work)


def _pieces(ends: Ints, group: Ints) -> Iterator[tuple[int, int]]:
    """
    Cut a list into pieces that stay in the cache, where a group ends.

    Args:
        ends: How many rows there are up to each element and with it.
        group: The group of each element, ascending.
    """
    begin = 0
    while begin < len(ends):
        before = int(ends[begin - 1]) if begin else 0
        last = min(int(np.searchsorted(ends, before + _AT_ONCE)), len(ends) - 1)
        end = int(np.searchsorted(group, group[last], "right"))
        yield begin, end
        begin = end


def _listed(
    met: _Split,
    kinds: list[list[list[int]]],
    strides: list[int],
    certain: tuple[int, ...],
    layout: Layout,
) -> Solutions:
    """Write kinds of one weight each out as cards, normalise and sort."""
    row = np.arange(len(met.taken))  # of each solution
    columns: list[Ints] = []
    (probability,) = met.weight
    envelope = layout.envelope
    for category, alike, stride in zip(layout.categories, kinds, strides, strict=False):
        known = [c for c in card_numbers(category) if certain[c] == envelope]
        choices = [known, *alike]
        sizes = np.array([len(cards) for cards in choices])
        first = np.cumsum(sizes) - sizes
        chosen = met.taken[row] // stride % len(choices)
        copies = sizes[chosen]
        again, place = runs(first[chosen], copies)
        columns = [column[again] for column in columns]
        columns.append(np.concatenate([np.array(cards, int) for cards in choices])[place])
        probability = (probability / copies)[again]
        row = row[again]
    probability = (probability / probability.sum()).clip(min=LEAST)
    likely = sort_key(np.log(probability))  # what differs by a billionth of itself
    order = np.lexsort((*columns[::-1], -likely))
    return Solutions(np.stack(columns, axis=1)[order], probability[order])


class Worlds(NamedTuple):
    """
    Deals with their probabilities.

    Attributes:
        deals: The holder of each card, shape (worlds, cards).
        weight: Probabilities, shape (worlds,); the sum is 1.
        solution: The number of each world's solution in `solutions`, shape (worlds,).
        solutions: The exact posterior over solutions.
        exact: Whether these are all deals that fit, not a sample.
    """

    deals: Ints
    weight: Floats
    solution: npt.NDArray[np.intp]
    solutions: Solutions
    exact: bool


def worlds(
    diagram: Diagram,
    layout: Layout,
    rng: np.random.Generator,
    *,
    posterior: Solutions,
    most: int,
    sample: int,
) -> Worlds:
    """Return all deals where there are at most `most`, else `sample` drawn independently."""
    exact = bool(most) and diagram.count() <= most
    if exact:
        deals, weight = diagram.every()
    else:
        deals = diagram.draw(sample, rng)
        weight = np.full(sample, 1.0 / sample)
    numbers = _numbering(layout)
    taken = (deals == layout.envelope) @ numbers
    listed = numbers[posterior.cards].sum(axis=1)
    order = np.argsort(listed)
    place = order[np.searchsorted(listed, taken, sorter=order)]
    return Worlds(deals, weight, place, posterior, exact)


def _numbering(layout: Layout) -> Ints:
    """Return a number for each card such that the sum over a solution tells solutions apart."""
    numbers = np.zeros(layout.cards, np.int64)
    stride = 1
    for category in layout.categories:
        cards = card_numbers(category)
        numbers[cards] = np.arange(len(cards)) * stride
        stride *= len(cards)
    return numbers
