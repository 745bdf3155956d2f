"""
The posterior over solutions: how likely each choice of one card a category is to be the envelope.

A state of the deal diagram knows which categories the envelope has, not by which card. So the
weight that reaches a state is split by the cards that the envelope has taken so far: from the start
to a boundary in the middle, and from the end back to it, where the two halves meet. Cards that no
evidence tells apart are counted as one kind and share its probability evenly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import MEMORY, Arrows, Diagram, Floats, Ints, collect, merge
from clue_solver.knowledge import Layout
from clue_solver.knowledge.layout import card_numbers


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
        return max(0.0, -float(self.probability @ np.log2(self.probability)))


class _Split(NamedTuple):
    """Weight split by state and by what the envelope has taken; sorted by state."""

    state: npt.NDArray[np.intp]
    taken: Ints
    weight: Floats


def solutions(diagram: Diagram, layout: Layout) -> Solutions:
    """Return the exact posterior over solutions."""
    kinds, strides = _kinds(diagram, layout)
    total = strides[-1]
    step = np.zeros(layout.cards, np.int64)  # what the envelope's taking a card adds to `taken`
    for category, stride in zip(kinds, strides, strict=False):
        for number, cards in enumerate(category, 1):
            step[cards] = number * stride

    def taken(number: int, holder: Ints) -> Ints:
        return np.where(holder == layout.envelope, step[diagram.layers[number].card], 0)

    middle = _middle(diagram, layout)
    start = _Split(np.zeros(1, np.intp), np.zeros(1, np.int64), np.ones(1))
    ahead, back = start, start
    for number in range(middle):
        arrows = diagram.arrows(number)
        ahead = _joined(ahead, arrows, taken(number, arrows.holder), total)
    for number in range(len(diagram.layers) - 1, middle - 1, -1):
        arrows = diagram.arrows(number)
        turned = arrows._replace(start=arrows.stop, stop=arrows.start)
        back = _joined(back, turned, taken(number, arrows.holder), total)
    bridge = Arrows(back.state, np.zeros_like(back.state), back.state, back.weight)
    met = _joined(ahead, bridge, back.taken, total)
    return _listed(met, kinds, strides, diagram.openings.certain, layout)


def _kinds(diagram: Diagram, layout: Layout) -> tuple[list[list[list[int]]], list[int]]:
    """
    Return the open cards of each category that the envelope can have, by kind, and the strides.

    Cards are of one kind if the same holders can have them under the same rules. The stride of a
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
            told = tuple(h for h, hand in enumerate(hands) if hand.cards & bit)
            under = tuple(~r for r, cards in enumerate(rules) if cards & bit)
            alike.setdefault(told + under, []).append(card)
        kinds.append(list(alike.values()))
        strides.append(strides[-1] * (len(alike) + 1))
    return kinds, strides


def _middle(diagram: Diagram, layout: Layout) -> int:
    """Return the boundary up to which the splitting from both ends costs least."""
    envelope = diagram.openings.hands[layout.envelope].cards

    def growth(order: list[int]) -> list[float]:
        counts, sizes = [1] * len(layout.categories), [1.0]
        for number in order:
            bit = 1 << diagram.layers[number].card
            for i, category in enumerate(layout.categories):
                counts[i] += bool(bit & category & envelope)
            sizes.append(float(np.prod(counts)) * diagram.layers[number].states)
        return sizes

    layers = list(range(len(diagram.layers)))
    ahead = np.cumsum(growth(layers))
    back = np.cumsum(growth(layers[::-1]))[::-1]
    return int(np.argmin(ahead + back))


def _joined(split: _Split, arrows: Arrows, taken: Ints, total: int) -> _Split:
    """
    Send each part of the split along each arrow from its state, and add up what meets.

    Args:
        split: What stands at the arrows' starts.
        arrows: Where it goes.
        taken: What each arrow adds to "taken so far".
        total: How many values "taken so far" can have.
    """
    parts = np.bincount(split.state, minlength=int(arrows.start.max()) + 1)
    first = np.cumsum(parts) - parts
    copies = parts[arrows.start]
    size = int(copies.sum())
    if size * 64 > MEMORY:
        raise TooLarge("the posterior over solutions would need more than 1 GB of memory")
    arrow = np.repeat(np.arange(len(copies)), copies)
    part = np.arange(size) + np.repeat(first[arrows.start] - (np.cumsum(copies) - copies), copies)
    keys = arrows.stop[arrow] * total + (split.taken[part] + taken[arrow])
    distinct, place = merge(keys, int(arrows.stop.max() + 1) * total)
    summed = collect(place, split.weight[part] * arrows.weight[arrow])
    order = np.argsort(distinct)
    state, sofar = np.divmod(distinct[order], total)
    return _Split(state, sofar, summed[order])


def _listed(
    met: _Split,
    kinds: list[list[list[int]]],
    strides: list[int],
    certain: tuple[int, ...],
    layout: Layout,
) -> Solutions:
    """Write kinds out as cards, normalise and sort."""
    choices: list[list[list[int]]] = []
    for category, alike in zip(layout.categories, kinds, strict=True):
        known = [c for c in card_numbers(category) if certain[c] == layout.envelope]
        choices.append([known, *alike])
    cards: list[Ints] = []
    chances: list[Floats] = []
    for taken, weight in zip(met.taken.tolist(), met.weight.tolist(), strict=True):
        chosen = [
            options[taken // stride % len(options)]
            for options, stride in zip(choices, strides, strict=False)
        ]
        grid = np.stack(np.meshgrid(*chosen, indexing="ij"), axis=-1).reshape(-1, len(chosen))
        cards.append(grid)
        chances.append(np.full(len(grid), weight / len(grid)))
    table, probability = np.concatenate(cards), np.concatenate(chances)
    probability /= probability.sum()
    order = np.lexsort((*table.T[::-1], -probability))
    return Solutions(table[order], probability[order])
