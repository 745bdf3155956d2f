"""
The posterior over solutions: how likely each set of one card per category is to be in the envelope.

A state of the deal diagram says for which categories the envelope already has its card, but not
which card that is. So the weight of all ways on from a state is split by the cards that the
envelope still gets: into an array with an axis for each category. The length of an axis is the
number of kinds of the category's cards that are still to come, or 1 if the envelope already has its
card.

One pass back through the layers fills these arrays. If an arrow gives the card to a player, the
array of the state that it leads to is added as it stands; if it gives the card to the envelope, the
array is added at the card's place along its category's axis. The array of the start is the
posterior. Cards that no evidence tells apart are one kind and share its probability evenly.

`joint` finds the joint distribution of who has some cards and of the solution, by a diagram that
places these cards first: each way to place them leads to a state, whose array has the rest.
"""

from __future__ import annotations

from math import inf, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.arrays import Floats, Ints, entropy
from clue_solver.inference.automaton import DEAD
from clue_solver.inference.diagram import LEAST, Diagram
from clue_solver.inference.openings import kinds_of_cards
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Layout, card_numbers

MOST_NUMBERS = 50_000_000
"""The most numbers in one array of split weights (`_Split`), for one own-card level: 400 MB."""

_JOINT_MEMORY, MOST_JOINT_NUMBERS = 50_000_000, 20_000_000
"""The most bytes of a diagram that is built for a question, and the most numbers in its arrays."""

MOST_AT_ONCE = 1 << 17
"""The most numbers that are gathered at once: what fits into a processor's cache."""

_ARRAY_WORK, _NUMBER_WORK = 10_000, 1
"""The cost of an array without its numbers, and of a number, in units of `spending`."""


class Solutions(NamedTuple):
    """
    All solutions that are possible, the likeliest first; ties are in card order.

    Attributes:
        cards: The numbers of the cards, one for each category in order, shape (solutions,
            categories).
        probability: The probabilities, shape (solutions,); they sum to 1.
    """

    cards: Ints
    probability: Floats

    @property
    def bits(self) -> float:
        """The entropy of the solutions, in bits."""
        return float(entropy(self.probability))


class JointChances(NamedTuple):
    """
    How likely it is who has some cards and what the solution is, together.

    Solutions form a group if they differ only in cards that nothing tells apart and that are not
    among these cards. Whoever has these cards, the solutions of a group are equally likely. A row
    is a group together with the owners of the cards.

    Attributes:
        owners: For each row and each of the cards, the number of its owner (`joint`), shape (rows,
            cards).
        group: The number of each row's group, shape (rows,).
        probability: The probability of each row, shape (rows,); they sum to 1.
        size: How many solutions each group has, shape (groups,).
    """

    owners: Ints
    group: Ints
    probability: Floats
    size: Ints


def solutions(diagram: Diagram, layout: Layout) -> Solutions:
    """
    Return all possible solutions with their exact probabilities, given the diagram of the deals.
    """
    split = _Split(diagram, layout)
    weight = split.onward()[0][..., 0]
    possible: npt.NDArray[np.bool_] = weight.sum(axis=0) > 0.0
    if diagram.pushed:  # some may be too unlikely for a float
        possible = split.onward(weighed=False)[0][0, ..., 0] > 0.0
    return split.solutions(diagram.mix(weight), possible)


def joint(diagram: Diagram, layout: Layout, cards: tuple[int, ...], owner: Ints) -> JointChances:
    """
    Return exactly how likely it is who has some cards and what the solution is, together.

    Args:
        diagram: All deals that fit.
        layout: The shape of the table.
        cards: The numbers of the cards.
        owner: The number of each holder's owner, from 0, shape (holders,). Holders with equal
            numbers are one owner: they are not told apart.

    Raises:
        TooLarge: If that would take too much memory or time.
    """
    # These cards are placed first: each way leads to a state, whose array says how likely the other
    # cards of the envelope are.
    diagram = Diagram(diagram.openings, memory=_JOINT_MEMORY, separate=True, first=cards)
    split = _Split(diagram, layout, asked=cards)
    placed = sum(diagram.openings.certain[card] < 0 for card in cards)
    onward = split.onward(placed)
    deals, state, weight = diagram.ways(placed)
    starts = diagram.envelope_starts[placed]
    envelope = np.searchsorted(starts, state, "right") - 1  # its state in each way
    owners, placing = np.unique(owner[deals[:, cards]], axis=0, return_inverse=True)
    placing = placing.ravel()  # some versions of numpy return a column

    # The ways in which the envelope gets the same ones of the cards are added at once.
    likely = np.zeros((len(owners), *split.lengths))
    gets = deals[:, cards] == layout.envelope
    for got in np.unique(gets, axis=0):
        rows = (gets == got).all(axis=1).nonzero()[0]
        drawn = [split.on_axis[card] for card in np.array(cards)[got] if card in split.on_axis]
        its = envelope[rows[0]]
        numbers = onward[its]
        part = [slice(None), *map(slice, numbers.shape[1:-1])]
        for axis, kind in drawn:
            part[axis + 1] = slice(kind, kind + 1)
        numbers = numbers.take(state[rows] - starts[its], axis=-1)
        numbers *= weight[:, rows].reshape(len(weight), *[1] * len(split.lengths), -1)
        np.add.at(likely[tuple(part)], placing[rows], np.moveaxis(diagram.mix(numbers), -1, 0))

    # A row is a group of solutions, that is, a kind of each category, with owners of the cards.
    # Impossible groups get no number.
    likely = likely.reshape(len(owners), -1).T
    kinds, held = np.nonzero(likely)
    probability = likely[kinds, held]
    possible, group = np.unique(kinds, return_inverse=True)
    sizes = split.group_sizes()
    return JointChances(owners[held], group, probability / probability.sum(), sizes[possible])


class _Arrows(NamedTuple):
    """
    The arrows of a layer that lead from one state of the envelope to another.

    A state of the envelope's automaton says what the envelope has so far. The states of the diagram
    in which the envelope is in the same state are a block, with a column of an array for each.

    Attributes:
        start, to: The numbers of these two states in the envelope's automaton.
        axis, kind: The category of the card that the envelope gets, and the index of the card's
            kind in `_Split.kinds`; both are -1 if the card goes to a player.
        after: The column that each arrow leads to, or the one after the last if it leads nowhere;
            shape (holders, states).
        weight: The weights of the arrows, shape (levels, holders, states); `None` if all are 1.
    """

    start: int
    to: int
    axis: int
    kind: int
    after: Ints
    weight: Floats | None

    def add(self, sums: Floats, numbers: Floats) -> None:
        """
        Add split weights that begin with these arrows to the total over all arrows, in place.

        Args:
            sums: The total over all arrows from the state `start`, with an axis for each category.
            numbers: The weights. If the envelope gets the card, they are added at the card's kind
                along the axis of its category.
        """
        part = [*map(slice, numbers.shape)]
        if self.axis >= 0:
            part[self.axis + 1] = slice(self.kind, self.kind + 1)
        sums[tuple(part)] += numbers

    def sum_backward(self, onward: Floats) -> Floats:
        """
        Return the weight of all ways to the end that begin with these arrows, for each state.

        The weights are split by the cards that the envelope still gets, with an axis for each
        category. `onward` has the weights of the ways from where the arrows lead, split in the same
        way.
        """
        states = self.after.shape[1]
        numbers = np.empty((*onward.shape[:-1], states))
        at_once = max(1, MOST_AT_ONCE // (onward[..., 0].size * len(self.after)))
        for first in range(0, states, at_once):
            some = slice(first, first + at_once)
            after = onward.take(self.after[:, some], axis=-1, mode="clip")
            if self.weight is not None:
                weight = self.weight[..., some]
                after *= weight.reshape(len(weight), *[1] * (onward.ndim - 2), *weight.shape[1:])
            after.sum(axis=-2, out=numbers[..., some])
        return numbers


class _Split:
    """
    The weights of ways through a diagram, split by the cards that the envelope gets on them.

    Every array has the own-card levels first, then an axis for each category, and the states last.
    A category's axis has the kinds of its cards, in the order in which they appear from the last
    layer backwards, so the axis is short while few have appeared. Cards that nothing tells apart
    are one kind. States in which the envelope's automaton is in the same state
    (`Diagram.envelope_starts`) share one array, with a column for each.

    Attributes:
        kinds: For each category, the kinds of cards that the envelope can get, each as a list of
            cards.
        on_axis: For each card that the envelope can get, its category and the index of its kind.
        lengths: The full lengths of the axes.
        has: For each boundary between layers and state of the envelope, the mask of the categories
            whose card the envelope has.
    """

    def __init__(self, diagram: Diagram, layout: Layout, asked: tuple[int, ...] = ()) -> None:
        """
        Prepare to split the weights of a diagram.

        Args:
            diagram: The diagram whose weights are split.
            layout: The shape of the table.
            asked: The numbers of cards that are each a kind of their own. If there are any,
                `TooLarge` is raised once the arrays would need more than `MOST_JOINT_NUMBERS`
                numbers.
        """
        self.diagram = diagram
        self.layout = layout
        self._most = MOST_JOINT_NUMBERS if asked else inf
        self._work = 0
        self._holders = layout.holders

        # The kinds of each category's cards that the envelope can have.
        opened = diagram.openings
        kind = kinds_of_cards(opened, (*layout.categories, *(1 << card for card in asked)))
        inside = opened.hands[layout.envelope].cards
        self.kinds: list[list[list[int]]] = []
        self.on_axis: dict[int, tuple[int, int]] = {}
        for category, mask in enumerate(layout.categories):
            alike: dict[int, list[int]] = {}
            for layer in reversed(diagram.layers):
                card = layer.card
                if mask & inside & 1 << card:
                    alike.setdefault(kind[card], []).append(card)
                    self.on_axis[card] = category, [*alike].index(kind[card])
            self.kinds.append(list(alike.values()))
        self.lengths = [max(len(kinds), 1) for kinds in self.kinds]
        self._follow_envelope()

    def _follow_envelope(self) -> None:
        """
        Find what the envelope has in each of its states, and where each card leads from there.

        A state of the envelope is followed by two: one if a player gets the layer's card, one if
        the envelope does.
        """
        automaton = self.diagram.envelope
        self.has = [[sum(1 << axis for axis, kinds in enumerate(self.kinds) if not kinds)]]
        self._becomes: list[list[tuple[int, int]]] = []
        read = 0  # of the envelope's cards
        for layer in self.diagram.layers:
            has = self.has[-1]
            if layer.card in self.on_axis:
                first = automaton.starts[read]
                becomes = [*map(tuple, automaton.after[:, first : first + len(has)].T.tolist())]
                gets = 1 << self.on_axis[layer.card][0]
                read += 1
            else:
                becomes = [(state, DEAD) for state in range(len(has))]
                gets = 0
            after = {}
            for held, (skip, take) in zip(has, becomes, strict=True):
                after[skip], after[take] = held, held | gets
            self.has.append([after[state] for state in sorted(after) if state != DEAD])
            self._becomes.append(becomes)

    def _arrows(self, number: int, weight: Floats | None) -> list[_Arrows]:
        """
        Return the arrows of a layer, grouped by the envelope's states at both ends.

        Args:
            number: The number of the layer.
            weight: The weights of its arrows; `None` if all are 1.
        """
        layer = self.diagram.layers[number]
        starts, ends = self.diagram.envelope_starts[number : number + 2]
        axis, kind = self.on_axis.get(layer.card, (-1, -1))
        players = len(layer.holders) - (axis >= 0)
        found = []
        for start, (skip, take) in enumerate(self._becomes[number]):
            states = slice(starts[start], starts[start + 1])
            to_players = slice(players), skip, -1, -1
            to_envelope = slice(players, None), take, axis, kind
            for rows, to, along, at in (to_players, to_envelope):
                if to != DEAD and states.start < states.stop:
                    after = layer.after[rows, states] - ends[to]
                    part = None if weight is None else weight[:, rows, states]
                    found.append(_Arrows(start, to, along, at, after, part))
        return found

    def onward(self, boundary: int = 0, *, weighed: bool = True) -> dict[int, Floats]:
        """
        Return the weight of all ways from a boundary between layers to the end, split by solution.

        The result maps each state of the envelope to an array: own-card levels, an axis for each
        category, states. From the first boundary, 0, the ways are whole deals, and every axis has
        its full length.

        Args:
            boundary: The number of the boundary; k is before layer k.
            weighed: Whether to add up weights; otherwise the ways are counted.
        """
        diagram = self.diagram
        weights = diagram.weights if weighed else [None] * len(diagram.layers)
        levels = len(diagram.mixture) if weighed else 1
        self._work = 0
        length = [1] * len(self.lengths)

        # The last column of an array is 0, for arrows that lead nowhere. At the end is one array.
        ends = np.array([*diagram.ends, 0], np.float64)
        onward: dict[int, Floats] = {0: np.broadcast_to(ends, (levels, *length, len(ends)))}

        for number in range(len(diagram.layers) - 1, boundary - 1, -1):
            axis, kind = self.on_axis.get(diagram.layers[number].card, (0, 0))
            length[axis] = max(length[axis], kind + 1)  # as many kinds as have appeared
            starts = diagram.envelope_starts[number]
            before = {
                state: self._zeros(levels, length, held, starts[state + 1] - starts[state] + 1)
                for state, held in enumerate(self.has[number])
                if starts[state + 1] > starts[state]
            }
            for arrows in self._arrows(number, weights[number]):
                if arrows.to in onward:
                    arrows.add(before[arrows.start], arrows.sum_backward(onward[arrows.to]))
            onward = before
        return onward

    def _zeros(self, levels: int, lengths: list[int], short: int, states: int) -> Floats:
        """
        Return an array of zeros, shape (levels, one axis for each category, states).

        Args:
            levels: The number of own-card levels.
            lengths: The length of each category's axis.
            short: The mask of the categories whose axes have length 1 instead.
            states: The number of states.

        Raises:
            TooLarge: If the array would be too large, alone or with those made before.
        """
        axes = [1 if short >> axis & 1 else length for axis, length in enumerate(lengths)]
        numbers = states * prod(axes)
        self._work += numbers
        if numbers > MOST_NUMBERS or self._work > self._most:
            raise TooLarge("too much is open to tell how likely each solution is")
        spend(_ARRAY_WORK + _NUMBER_WORK * numbers * levels * self._holders)
        return np.zeros((levels, *axes, states))

    def group_sizes(self) -> Ints:
        """
        Return how many solutions each choice of one kind for each category stands for.

        The result has one item for each choice; the kind of the last category varies fastest.
        """
        sizes = np.ones(1, np.int64)
        for kinds in self.kinds:
            alike = [len(cards) for cards in kinds] or [1]
            sizes = np.outer(sizes, alike).ravel()
        return sizes

    def solutions(self, weight: Floats, possible: npt.NDArray[np.bool_]) -> Solutions:
        """
        Return the solutions, likeliest first, with probabilities that sum to 1.

        Args:
            weight: The weight of each choice of one kind for each category, with an axis for each
                category.
            possible: Whether each of these choices is possible; the same shape.
        """
        # Replace the kinds along each axis by their cards in order, which share a kind's weight.
        columns = []
        for axis, mask in enumerate(self.layout.categories):
            kinds = self.kinds[axis]
            if not kinds:
                certain = self.diagram.openings.certain
                kinds = [[c for c in card_numbers(mask) if certain[c] == self.layout.envelope]]
            kind_of = {card: number for number, cards in enumerate(kinds) for card in cards}
            cards = sorted(kind_of)
            kind = np.array([kind_of[card] for card in cards])
            share = 1.0 / np.array([len(kinds[number]) for number in kind])
            weight = weight.take(kind, axis) * share.reshape(-1, *[1] * (weight.ndim - axis - 1))
            possible = possible.take(kind, axis)
            columns.append(np.array(cards))

        chosen = possible.nonzero()
        probability = weight[chosen]
        probability = (probability / probability.sum()).clip(min=LEAST)
        likely = sort_key(np.log(probability))  # equal if they differ by less than a billionth
        order = np.argsort(-likely, kind="stable")
        listed = [column[at[order]] for column, at in zip(columns, chosen, strict=True)]
        return Solutions(np.stack(listed, axis=1), probability[order])


def solution_strides(layout: Layout) -> Ints:
    """
    Return what each card adds to the index of its solution in a flat array of all solutions.

    A solution's index is the sum over its cards. The card of the last category varies fastest.
    """
    strides = np.zeros(layout.cards, np.int64)
    stride = 1
    for mask in reversed(layout.categories):
        strides[card_numbers(mask)] = stride * np.arange(mask.bit_count())
        stride *= mask.bit_count()
    return strides
