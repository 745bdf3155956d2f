"""How likely each solution is: the weight of the diagram, split by what the envelope has."""

from typing import NamedTuple

import numpy as np

from clue_solver.inference.compiled.arrays import (
    FILLED,
    FITS,
    FULL,
    LAYERS,
    PARTED,
    POOLS,
    Floats,
    Hands,
    Ints,
    Memory,
    Workspace,
)
from clue_solver.inference.compiled.machine_code import compiled, inlined
from clue_solver.inference.compiled.narrowing import card_count
from clue_solver.knowledge.viewer import Shape


class Envelope(NamedTuple):
    """
    The envelope's open cards; sets of open categories are masks of their numbers from 0.

    Attributes:
        number, choice, place: For each card its open category, its number among the cards of that
            which the envelope may have, and what it adds to a solution's place.
        first: What the known cards add to it.
        filled: For each set how many categories it has.
        lengths: For each set the number of choices of a card from each category.
        places: For each set what each choice adds to a solution's place, for sets of at most half
            the open categories; the last category's card changes slowest.
    """

    number: Ints
    choice: Ints
    place: Ints
    first: int
    filled: Ints
    lengths: Ints
    places: Ints


@compiled
def _envelope(shape: Shape, work: Workspace, hands: Hands) -> Envelope:
    """Number the envelope's open cards."""
    holder = len(shape.least)
    count = 0
    may = work.can[holder] & ~work.has[holder]
    known = work.has[holder]
    sizes = np.zeros(len(shape.categories), np.int64)
    number, index, place = np.zeros((3, shape.cards), np.int64)
    first, stride = 0, 1
    for category in shape.categories:
        stride *= card_count(category)
    for category in range(len(shape.categories)):
        mask = shape.categories[category]
        at = 0
        stride //= card_count(mask)
        for card in range(shape.cards):
            if not mask >> card & 1:
                continue
            if known >> card & 1:
                first += at * stride
            elif may >> card & 1:
                number[card] = count
                index[card] = sizes[count]
                place[card] = at * stride
                sizes[count] += 1
            at += 1
        count += hands.filled[category] != 0
    lengths = np.ones(1 << count, np.int64)
    filled = np.zeros(1 << count, np.int64)
    longest = 1
    for chosen in range(1, 1 << count):
        last = 0
        while chosen >> last > 1:
            last += 1
        lengths[chosen] = lengths[chosen ^ 1 << last] * sizes[last]
        filled[chosen] = card_count(chosen)
        if filled[chosen] <= count // 2:
            longest = max(longest, lengths[chosen])
    places = np.zeros((1 << count, longest), np.int64)
    for card in range(shape.cards):
        if may >> card & 1:
            bit = 1 << number[card]
            for other in range(bit):
                if filled[other] < count // 2:
                    many = lengths[other]
                    for choice in range(many):
                        places[other | bit, index[card] * many + choice] = (
                            place[card] + places[other, choice]
                        )
    return Envelope(number, index, place, first, filled, lengths, places)


@compiled
def posterior(shape: Shape, memory: Memory, chances: Floats) -> int:
    """
    Write how likely each solution is, shape (product of the categories' sizes,).

    A solution's place counts the cards of each category in order, the last category fastest. The
    weight ahead of a state is split by the cards that the envelope has, while those are of few
    categories; the weight behind it by those that are to come, where few are. The two meet in the
    arrows by which the envelope gets the card in the middle.

    Returns:
        `FITS`, or `FULL` if there is not enough room.
    """
    work, hands = memory.work, memory.hands
    envelope = _envelope(shape, work, hands)
    chances[:] = 0.0
    everything = len(envelope.lengths) - 1
    if not everything:
        chances[envelope.first] = 1.0
        return FITS
    middle = (envelope.filled[everything] - 1) // 2
    width = 4
    for has in range(everything + 1):
        if envelope.filled[has] <= envelope.filled[everything] // 2:
            while width < envelope.lengths[has]:
                width += 4
    end = work.states[work.numbers[LAYERS] + 1]
    if end * width > len(work.split):
        return FULL
    work.split[: end * width] = 0.0
    if not work.numbers[PARTED]:
        _parted(work, envelope, middle)
        work.numbers[PARTED] = 1
    _split_behind(work, envelope, width)
    _split_ahead(work, envelope, width, chances)
    for place in range(len(chances)):
        chances[place] /= work.behind[0]
    return FITS


_AHEAD, _AHEAD_MORE, _ACROSS, _BEHIND, _BEHIND_MORE = range(5)
"""
Arrows, by what the envelope has: few categories in both states, one more in the second, few in the
first only; many in both, one more in the second.
"""


@inlined
def _parted(work: Workspace, envelope: Envelope, middle: int) -> None:
    """List the arrows of each layer by their kind; more than `middle` categories are many."""
    shift = work.numbers[FILLED]
    everything = len(envelope.lengths) - 1
    order = work.order
    kind_of = np.zeros((everything + 1, 2), np.int64)  # of arrows to others, to the envelope
    for has in range(everything + 1):
        filled = envelope.filled[has]
        kind_of[has, 0] = _AHEAD if filled <= middle else _BEHIND
        kind_of[has, 1] = _AHEAD_MORE if filled < middle else _BEHIND_MORE
        if filled == middle:
            kind_of[has, 1] = _ACROSS
    counts = np.zeros(5, np.int64)
    for layer in range(work.numbers[LAYERS]):
        last = work.choices[layer] - 1
        to_envelope = last if work.candidates[layer, last] == work.numbers[POOLS] - 1 else -1
        work.parts[layer] = counts
        for arrow in range(work.arrows[layer], work.arrows[layer + 1]):
            has = work.keys[work.start[arrow]] >> shift & everything
            kind = kind_of[has, 1 if work.choice[arrow] == to_envelope else 0]
            order[kind, counts[kind]] = arrow
            counts[kind] += 1
        work.parts[layer + 1] = counts


@inlined
def _split_behind(work: Workspace, envelope: Envelope, width: int) -> None:
    """Split the weight behind each state where the envelope has many categories."""
    layers = work.numbers[LAYERS]
    everything = len(envelope.lengths) - 1
    for state in range(work.states[layers], work.states[layers + 1]):
        work.split[state * width] = work.behind[state]
    for layer in range(layers - 1, -1, -1):
        card = work.open_cards[layer]
        index = envelope.choice[card]
        bit = 1 << envelope.number[card]
        for number in range(work.parts[layer, _BEHIND_MORE], work.parts[layer + 1, _BEHIND_MORE]):
            arrow = work.order[_BEHIND_MORE, number]
            to = work.to[arrow]
            row = work.start[arrow] * width
            left = everything & ~(work.keys[to] >> work.numbers[FILLED])
            taken = left, bit, index
            _taken(work.split, (to * width, row), taken, work.weight[arrow], envelope.lengths)
        for number in range(work.parts[layer, _BEHIND], work.parts[layer + 1, _BEHIND]):
            arrow = work.order[_BEHIND, number]
            source, row = work.to[arrow] * width, work.start[arrow] * width
            _added_up(work.split, source, row, width, work.weight[arrow])


@inlined
def _added_up(split: Floats, source: int, to: int, many: int, weight: float) -> None:
    """Add so many numbers, four at a time, times a weight to others."""
    # no index below 0: signed ones would be tested for counting from the end
    begin, at, one = np.uint64(source), np.uint64(to), np.uint64(1)
    end = begin + np.uint64(many)
    two = np.uint64(2)
    three = np.uint64(3)
    while begin < end:
        sums = (
            split[at] + weight * split[begin],
            split[at + one] + weight * split[begin + one],
            split[at + two] + weight * split[begin + two],
            split[at + three] + weight * split[begin + three],
        )
        split[at], split[at + one], split[at + two], split[at + three] = sums
        begin += np.uint64(4)
        at += np.uint64(4)


@inlined
def _taken(
    split: Floats, rows: tuple[int, int], card: tuple[int, int, int], weight: float, lengths: Ints
) -> None:
    """
    Add what is split by some categories to what is split by one more.

    Args:
        split, rows, weight: From one row to another, times the weight.
        card: The set of categories before, that of the card's, its number among their choices.
        lengths: For each set the number of choices.
    """
    source, to = rows
    before, bit, choice = card
    low, step = lengths[before & bit - 1], lengths[before & bit - 1 | bit]
    to += choice * low
    for high in range(source, source + lengths[before], low):
        for other in range(low):
            split[to + other] += weight * split[high + other]
        to += step


@inlined
def _split_ahead(work: Workspace, envelope: Envelope, width: int, chances: Floats) -> None:
    """
    Split the weight ahead of each state where the envelope has few categories.

    Where an arrow leads to one with many, this is joined with what lies behind, and added to
    `chances`.
    """
    shift = work.numbers[FILLED]
    everything = len(envelope.lengths) - 1
    split = work.split
    split[0] = 1.0
    for layer in range(work.numbers[LAYERS]):
        card = work.open_cards[layer]
        index = envelope.choice[card]
        bit = 1 << envelope.number[card]
        for number in range(work.parts[layer, _AHEAD], work.parts[layer + 1, _AHEAD]):
            arrow = work.order[_AHEAD, number]
            source, row = work.start[arrow] * width, work.to[arrow] * width
            _added_up(split, source, row, width, work.weight[arrow])
        for number in range(work.parts[layer, _AHEAD_MORE], work.parts[layer + 1, _AHEAD_MORE]):
            arrow = work.order[_AHEAD_MORE, number]
            source = work.start[arrow]
            row = work.to[arrow] * width
            taken = everything & work.keys[source] >> shift, bit, index
            _taken(split, (source * width, row), taken, work.weight[arrow], envelope.lengths)
        for number in range(work.parts[layer, _ACROSS], work.parts[layer + 1, _ACROSS]):
            arrow = work.order[_ACROSS, number]
            start = work.start[arrow]
            to = work.to[arrow] * width
            has = everything & work.keys[start] >> shift
            left = everything ^ has ^ bit
            weight = work.weight[arrow]
            many = envelope.lengths[left]
            place = envelope.place[card]
            for choice in range(envelope.lengths[has]):
                part = weight * split[start * width + choice]
                if part > 0.0:
                    at = envelope.first + place + envelope.places[has, choice]
                    for other in range(many):
                        chances[at + envelope.places[left, other]] += part * split[to + other]
