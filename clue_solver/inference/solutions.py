"""
The posterior over solutions: how likely each choice of one card a category is to be the envelope.

A state of the deal diagram knows of which categories the envelope has its card, not which card. So
the weight of all ways on from a state is split by the cards that the envelope is still to get: an
array with an axis for each category, as long as there are kinds of its cards still to come, and of
length 1 where the envelope has its card. One pass back through the layers fills these arrays. Where
an arrow gives the card to a player, the array behind it is added as it stands; where it gives it to
the envelope, at the card's place along its category's axis. The array at the start is the
posterior. Cards that no evidence tells apart are one kind and share its probability evenly.

How some cards lie together with the solution (`jointly`) is the same sum, with one more axis for
each of these cards. `worlds` gives the deals one by one: all that fit where they are few, else an
exact independent sample.
"""

from __future__ import annotations

from math import inf, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import LEAST, Diagram, Floats, Ints, Layer
from clue_solver.inference.openings import kinds_of_cards
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Layout, card_numbers

MOST_NUMBERS = 50_000_000
"""How many numbers may stand behind the states of one layer, for one level of care: 400 MB."""

_JOINT_MEMORY, MOST_JOINT_NUMBERS = 50_000_000, 20_000_000
"""The most bytes of a diagram that is built for a question, and how many numbers it may take."""

_TOGETHER = 1 << 19
"""Up to how many arrows all levels of care are split at once; else one by one, to save memory."""

_AT_ONCE = 1 << 17
"""How many numbers are gathered at once: what fits into a processor's cache."""

_ARRAY_WORK, _NUMBER_WORK = 10_000, 1
"""What an array costs beside its numbers, and what a number does, as in `spending`."""


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
    """

    way: Ints
    group: Ints
    probability: Floats
    size: Ints


def solutions(diagram: Diagram, layout: Layout) -> Solutions:
    """Return the exact posterior over solutions."""
    return solutions_and_at(diagram, layout, 0)[0]


def solutions_and_at(diagram: Diagram, layout: Layout, level: int) -> tuple[Solutions, Solutions]:
    """Return the exact posterior over solutions, and what it is at one level of care alone."""
    split = _Split(diagram, layout)
    weight = split.weight()
    possible: npt.NDArray[np.bool_] = weight.sum(axis=0) > 0.0  # why: `Diagram.possible`
    if diagram.pushed:  # some may be too unlikely for a float
        possible = split.possible()
    posterior = split.listed(diagram.mixed(weight), possible)
    return posterior, posterior if len(weight) == 1 else split.listed(weight[level], possible)


def jointly(diagram: Diagram, layout: Layout, cards: tuple[int, ...], place: Ints) -> Jointly:
    """
    Return the exact joint distribution of how some cards lie and of the solution.

    Args:
        diagram: All deals that fit.
        layout: The shape of the table.
        cards: The numbers of the cards.
        place: A number from 0 for each holder; holders with one number are not told apart.

    Raises:
        TooLarge: If that would need too much memory or time.
    """
    # The asked cards are placed first: until then nothing need tell where they lie.
    openings = diagram.openings
    diagram = Diagram(openings, memory=_JOINT_MEMORY, apart=True, first=cards)
    split = _Split(diagram, layout, cards, place.tolist())
    weight = split.weight()
    likely = diagram.mixed(weight)

    # One row for each group of solutions and way of the cards that can be.
    sizes = split.group_sizes()
    ways = split.ways(base=int(place.max()) + 1)
    likely = likely.reshape(len(sizes), len(ways))
    group, way = np.nonzero(likely)
    probability = likely[group, way]
    groups, group = np.unique(group, return_inverse=True)
    return Jointly(ways[way], group, probability / probability.sum(), sizes[groups])


class _Group(NamedTuple):
    """
    Holders of a layer's card that nothing tells apart.

    Attributes:
        holders: Their rows in the layer.
        gets: The category of which the envelope gets its card, as a mask; else 0.
        places: Axes, and the place along each that tells what happens.
    """

    holders: slice | list[int]
    gets: int
    places: list[tuple[int, int]]


class _Split:
    """
    The weight behind the states of a diagram, split by what the envelope gets.

    Every array has the levels of care first, then an axis for each category, then one for each open
    card of those asked for. A kind has its place along its category's axis in the order in which
    kinds come up from the last layer on; so what is not yet come up is a shorter axis.
    """

    def __init__(
        self,
        diagram: Diagram,
        layout: Layout,
        asked: tuple[int, ...] = (),
        place: list[int] | None = None,
    ) -> None:
        self.diagram = diagram
        self.layout = layout
        self._envelope = layout.envelope
        self.asked = asked
        self.place = place or []
        self._work = 0

        # The kinds of each category's cards that the envelope can have; each asked card is one.
        opened = diagram.openings
        kind = kinds_of_cards(opened, (*layout.categories, *(1 << card for card in asked)))
        inside = opened.hands[self._envelope].cards
        self.kinds: list[list[list[int]]] = []
        self._on_axis: dict[int, tuple[int, int]] = {}  # a card's category and its kind's place
        for category, mask in enumerate(layout.categories):
            alike: dict[int, list[int]] = {}
            for layer in reversed(diagram.layers):
                card = layer.card
                if mask & inside & 1 << card:
                    alike.setdefault(kind[card], []).append(card)
                    self._on_axis[card] = category, [*alike].index(kind[card])
            self.kinds.append(list(alike.values()))

        # The places that the open ones of the asked cards can have.
        self.places: dict[int, list[int]] = {}
        for layer in diagram.layers:
            if layer.card in asked:
                able = {self.place[holder] for holder in layer.holders.tolist()}
                self.places[layer.card] = sorted(able)
        self._axes = len(self.kinds) + len(self.places)

    def weight(self) -> Floats:
        """Return the weight of all deals, by level of care and along all axes."""
        levels = len(self.diagram.shares)
        at_once = levels if self.diagram.arrows_in_all <= _TOGETHER else 1
        filled = self._filled()
        parts = []
        for first in range(0, levels, at_once):
            self._work = 0
            parts.append(self._pass_back(filled, slice(first, first + at_once)))
        return np.concatenate(parts)

    def possible(self) -> npt.NDArray[np.bool_]:
        """Return which choices some deal has, however unlikely, along all axes."""
        possible: npt.NDArray[np.bool_] = self._pass_back(self._filled(), None)[0] > 0.0
        return possible

    def _filled(self) -> list[Ints]:
        """Return which categories the envelope has in each state, as a mask, by layer."""
        at_first = sum(1 << category for category, kinds in enumerate(self.kinds) if not kinds)
        filled = [np.array([at_first])]
        for layer, backward in zip(self.diagram.layers, self.diagram.backward[1:], strict=True):
            after = np.zeros(backward.shape[1], np.int64)
            if layer.holders[-1] == self._envelope:
                category, _ = self._on_axis[layer.card]
                after[layer.after[:-1]] = filled[-1]
                after[layer.after[-1]] = filled[-1] | 1 << category
            else:
                after[layer.after] = filled[-1]
            filled.append(after[:-1])
        return filled

    def _pass_back(self, filled: list[Ints], levels: slice | None) -> Floats:
        """Return the weight of all deals at some levels of care, or their number, by all axes."""
        diagram = self.diagram
        count = 1 if levels is None else len(diagram.shares[levels])
        length = [1] * self._axes

        # The states in which the envelope has the same categories have one array, a column each;
        # a column of zeros stands last, for arrows that lead nowhere. At the end it has them all.
        ends = np.array([*diagram.ends, 0], np.float64)
        whole = np.broadcast_to(ends, (count, *length, len(ends)))
        behind = {(1 << len(self.kinds)) - 1: whole}
        column = np.arange(len(ends))  # of each state in its array
        column[-1] = -1

        for number in range(len(diagram.layers) - 1, -1, -1):
            layer = diagram.layers[number]
            after = column.take(layer.after)
            weight = None
            if levels is not None and layer.weight is not None:
                weight = layer.weight[levels]

            # An axis is as long as kinds of its cards, or the places of its card, have come up.
            groups = self._groups(layer)
            for _, _, places in groups:
                for axis, place in places:
                    length[axis] = max(length[axis], place + 1)

            alive = diagram.backward[number][0, :-1].nonzero()[0]  # from which some deal goes on
            has = filled[number][alive]
            before: dict[int, Floats] = {}
            column_before = np.full(layer.states + 1, -1)
            for held in np.bincount(has).nonzero()[0].tolist():
                states = alive[has == held]
                column_before[states] = np.arange(len(states))
                shape = [1 if held >> axis & 1 else size for axis, size in enumerate(length)]
                self._count(len(states) * prod(shape), len(layer.holders) * count)
                sums = np.zeros((count, *shape, len(states) + 1))

                # What is behind an arrow is added at the places that tell where the card goes.
                for holders, gets, places in groups:
                    onward = behind.get(held | gets)
                    if onward is None or held & gets:
                        continue
                    part = [*map(slice, onward.shape[:-1])]
                    for axis, place in places:
                        part[axis + 1] = slice(place, place + 1)
                    theirs = None if weight is None else weight[:, holders]
                    self._add(sums[tuple(part)], onward, after[holders], theirs, states)
                before[held] = sums
            behind, column = before, column_before

        (whole,) = behind.values()
        return whole[..., 0]

    def _add(
        self, sums: Floats, onward: Floats, after: Ints, weight: Floats | None, states: Ints
    ) -> None:
        """Add to the column of each state those of `onward` to which its arrows lead."""
        at_once = max(1, _AT_ONCE // (onward[..., 0].size * len(after)))
        for first in range(0, len(states), at_once):
            some = states[first : first + at_once]
            numbers = onward.take(after.take(some, axis=1), axis=-1)
            if weight is not None:
                factor = weight.take(some, axis=2)
                numbers *= factor.reshape(len(factor), *[1] * self._axes, *factor.shape[1:])
            sums[..., first : first + len(some)] += numbers.sum(axis=-2)

    def _groups(self, layer: Layer) -> list[_Group]:
        """Return the holders of a layer's card in groups that nothing tells apart."""
        asked = self.places.get(layer.card)
        mine = len(self.kinds) + list(self.places).index(layer.card) if asked else -1
        groups: list[_Group] = []
        players = len(layer.holders)
        if layer.holders[-1] == self._envelope:
            players -= 1
            category, kind = self._on_axis[layer.card]
            places = [(category, kind)]
            if asked:
                places.append((mine, asked.index(self.place[self._envelope])))
            groups.append(_Group(slice(players, None), 1 << category, places))
        if asked is None:
            groups.append(_Group(slice(players), 0, []))
            return groups
        where = [self.place[holder] for holder in layer.holders.tolist()[:players]]
        for number, place in enumerate(asked):
            alike = [row for row, other in enumerate(where) if other == place]
            if alike:
                groups.append(_Group(alike, 0, [(mine, number)]))
        return groups

    def _count(self, numbers: int, times: int) -> None:
        """Count the numbers of some states; refuse what would be too many."""
        self._work += numbers
        most = MOST_JOINT_NUMBERS if self.asked else inf
        if numbers > MOST_NUMBERS or self._work > most:
            raise TooLarge("too much is open to tell how likely each solution is")
        spend(_ARRAY_WORK + _NUMBER_WORK * numbers * times)

    def group_sizes(self) -> Ints:
        """Return how many solutions each choice of kinds stands for, in the order of the axes."""
        sizes = np.ones(1, np.int64)
        for kinds in self.kinds:
            alike = [len(cards) for cards in kinds] or [1]
            sizes = np.outer(sizes, alike).ravel()
        return sizes

    def ways(self, *, base: int) -> Ints:
        """Return how the asked cards lie, as in `Jointly`, in the order of the axes."""
        ways = np.zeros(1, np.int64)
        certain = self.diagram.openings.certain
        for number, card in enumerate(reversed(self.asked)):
            if card not in self.places:
                ways += base**number * self.place[certain[card]]
        for card, places in self.places.items():
            digit = base ** (len(self.asked) - 1 - self.asked.index(card))
            ways = np.add.outer(ways, digit * np.array(places)).ravel()
        return ways

    def listed(self, weight: Floats, possible: npt.NDArray[np.bool_]) -> Solutions:
        """Return weights by kinds of cards as solutions, normalised and sorted."""
        # Along each axis the cards in order instead of their kinds, which share evenly.
        columns = []
        for axis, mask in enumerate(self.layout.categories):
            kinds = self.kinds[axis]
            if not kinds:
                certain = self.diagram.openings.certain
                kinds = [[c for c in card_numbers(mask) if certain[c] == self._envelope]]
            place = {card: at for at, cards in enumerate(kinds) for card in cards}
            cards = sorted(place)
            kind = np.array([place[card] for card in cards])
            share = 1.0 / np.array([len(kinds[at]) for at in kind])
            weight = weight.take(kind, axis) * share.reshape(-1, *[1] * (weight.ndim - axis - 1))
            possible = possible.take(kind, axis)
            columns.append(np.array(cards))

        chosen = possible.nonzero()
        probability = weight[chosen]
        probability = (probability / probability.sum()).clip(min=LEAST)
        likely = sort_key(np.log(probability))  # what differs by a billionth of itself
        order = np.argsort(-likely, kind="stable")
        listed = [column[at[order]] for column, at in zip(columns, chosen, strict=True)]
        return Solutions(np.stack(listed, axis=1), probability[order])


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
    places = places_of_solutions(layout)
    taken = (deals == layout.envelope) @ places
    listed = places[posterior.cards].sum(axis=1)
    order = np.argsort(listed)
    place = order[np.searchsorted(listed, taken, sorter=order)]
    return Worlds(deals, weight, place, posterior, exact)


def places_of_solutions(layout: Layout) -> Ints:
    """Return what each card adds to a solution's place; the last category changes fastest."""
    places = np.zeros(layout.cards, np.int64)
    stride = 1
    for mask in reversed(layout.categories):
        places[card_numbers(mask)] = stride * np.arange(mask.bit_count())
        stride *= mask.bit_count()
    return places
