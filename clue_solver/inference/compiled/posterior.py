"""How likely each solution is: the weight of the diagram, split by what the envelope has."""

from clue_solver.inference.compiled.arrays import (
    ADDS,
    CHOICE,
    FILLED,
    FIRST,
    FITS,
    FOREIGN,
    FULL,
    LANES,
    LAYERS,
    LEVELS,
    LONGEST,
    NUMBER,
    OPEN,
    POOLS,
    SPLIT,
    Diagram,
    Floats,
    Memory,
    Workspace,
)
from clue_solver.inference.compiled.lanes import added
from clue_solver.inference.compiled.machine_code import compiled, inlined
from clue_solver.inference.compiled.narrowing import card_count
from clue_solver.knowledge.viewer import Shape


@compiled
def numbered(shape: Shape, memory: Memory) -> int:
    """
    Number the envelope's open cards, and list the arrows by what the envelope has.

    Returns:
        `FITS`, `FULL` if there is not enough room for what is split, or `FOREIGN`.
    """
    diagram, work, hands = memory.diagram, memory.work, memory.hands
    holder = len(shape.least)
    count = 0
    may = work.can[holder] & ~work.has[holder]
    known = work.has[holder]
    sizes, card_of = work.counted[0], work.card_of
    filled, lengths, places = work.filled, work.lengths, work.places
    first, stride = 0, 1
    for category in shape.categories:
        stride *= card_count(category)
    for category in range(len(shape.categories)):
        mask = shape.categories[category]
        at = 0
        sizes[count] = 0
        stride //= card_count(mask)
        for card in range(shape.cards):
            if not mask >> card & 1:
                continue
            if known >> card & 1:
                first += at * stride
            elif may >> card & 1:
                card_of[card, NUMBER] = count
                card_of[card, CHOICE] = sizes[count]
                card_of[card, ADDS] = at * stride
                sizes[count] += 1
            at += 1
        count += hands.filled[category] != 0
    longest = lengths[0] = 1
    for chosen in range(1, 1 << count):
        last = 0
        while chosen >> last > 1:
            last += 1
        lengths[chosen] = lengths[chosen ^ 1 << last] * sizes[last]
        filled[chosen] = card_count(chosen)
        if filled[chosen] <= count // 2:
            longest = max(longest, lengths[chosen])
    if longest << count > len(places):
        return FOREIGN
    split = longest * work.numbers[LEVELS]
    while split & 3:  # rows are added up four at a time
        split += 1
    places[0] = 0
    for card in range(shape.cards):
        if may >> card & 1:
            bit = 1 << card_of[card, NUMBER]
            for other in range(bit):
                if filled[other] < count // 2:
                    many = lengths[other]
                    row = (other | bit) * longest + card_of[card, CHOICE] * many
                    for choice in range(many):
                        places[row + choice] = (
                            card_of[card, ADDS] + places[other * longest + choice]
                        )
    work.numbers[FIRST] = first
    work.numbers[OPEN] = count
    work.numbers[SPLIT] = split
    work.numbers[LONGEST] = longest
    if count and work.states[work.numbers[LAYERS] + 1] * split > len(diagram.split):
        return FULL
    _parted(diagram, work)
    return FITS


@compiled
def posterior(diagram: Diagram, work: Workspace, chances: Floats) -> None:
    """
    Write how likely each solution is, shape (product of the categories' sizes,).

    A solution's place counts the cards of each category in order, the last category fastest. The
    weight ahead of a state is split by the cards that the envelope has, while those are of few
    categories; the weight behind it by those that are to come, where few are. The two meet in the
    arrows by which the envelope gets the card in the middle. Where a level of care is learned each
    card has a number for each level, beside each other.
    """
    if not work.numbers[OPEN]:
        chances[work.numbers[FIRST]] = 1.0
        return
    for place in range(work.states[work.numbers[LAYERS] + 1] * work.numbers[SPLIT]):
        diagram.split[place] = 0.0
    _split_behind(diagram, work)
    _split_ahead(diagram, work, chances)


_AHEAD, _AHEAD_MORE, _ACROSS, _BEHIND, _BEHIND_MORE = range(5)
"""
Arrows, by what the envelope has: few categories in both states, one more in the second, few in the
first only; many in both, one more in the second.
"""


@inlined
def _parted(diagram: Diagram, work: Workspace) -> None:
    """List the arrows of each layer by their kind; more categories than `middle` are many."""
    shift = work.numbers[FILLED]
    everything = (1 << work.numbers[OPEN]) - 1
    middle = (work.numbers[OPEN] - 1) // 2
    order = diagram.order
    for kind in range(5):
        work.parts[0, kind] = 0
    for layer in range(work.numbers[LAYERS]):
        last = work.choices[layer] - 1
        to_envelope = last if work.candidates[layer, last] == work.numbers[POOLS] - 1 else -1
        counts = work.parts[layer + 1]
        for kind in range(5):
            counts[kind] = work.parts[layer, kind]
        for arrow in range(work.arrows[layer], work.arrows[layer + 1]):
            filled = work.filled[diagram.keys[diagram.start[arrow]] >> shift & everything]
            if diagram.choice[arrow] != to_envelope:
                kind = _AHEAD if filled <= middle else _BEHIND
            elif filled == middle:
                kind = _ACROSS
            else:
                kind = _AHEAD_MORE if filled < middle else _BEHIND_MORE
            order[kind, counts[kind]] = arrow
            counts[kind] += 1


@inlined
def _split_behind(diagram: Diagram, work: Workspace) -> None:
    """Split the weight behind each state where the envelope has many categories."""
    layers = work.numbers[LAYERS]
    width = work.numbers[SPLIT]
    everything = (1 << work.numbers[OPEN]) - 1
    for state in range(work.states[layers], work.states[layers + 1]):
        for level in range(work.numbers[LEVELS]):
            diagram.split[state * width + level] = diagram.behind[LANES * state + level]
    for layer in range(layers - 1, -1, -1):
        card = work.open_cards[layer]
        index = work.card_of[card, CHOICE]
        bit = 1 << work.card_of[card, NUMBER]
        for number in range(work.parts[layer, _BEHIND_MORE], work.parts[layer + 1, _BEHIND_MORE]):
            arrow = diagram.order[_BEHIND_MORE, number]
            to = diagram.to[arrow]
            row = diagram.start[arrow] * width
            left = everything & ~(diagram.keys[to] >> work.numbers[FILLED])
            _taken(diagram, work, to * width, row, LANES * arrow, left, bit, index)
        for number in range(work.parts[layer, _BEHIND], work.parts[layer + 1, _BEHIND]):
            arrow = diagram.order[_BEHIND, number]
            source, row = diagram.to[arrow] * width, diagram.start[arrow] * width
            for place in range(0, width, LANES):
                added(diagram.split, row + place, diagram.weight, LANES * arrow, source + place)


@inlined
def _taken(
    diagram: Diagram,
    work: Workspace,
    source: int,
    to: int,
    by: int,
    before: int,
    bit: int,
    choice: int,
) -> None:
    """
    Add what is split by some categories to what is split by one more.

    Args:
        diagram, work: Where it is split, and by what.
        source, to, by: From one row to another, times the weights that begin there.
        before, bit, choice: The set of categories before, that of the card's, its number among
            their choices.
    """
    split, lengths, levels = diagram.split, work.lengths, work.numbers[LEVELS]
    low, step = levels * lengths[before & bit - 1], levels * lengths[before & bit - 1 | bit]
    to += choice * low
    for high in range(source, source + levels * lengths[before], low):
        for other in range(low):
            split[to + other] += diagram.weight[by + (other & levels - 1)] * split[high + other]
        to += step


@inlined
def _split_ahead(diagram: Diagram, work: Workspace, chances: Floats) -> None:
    """
    Split the weight ahead of each state where the envelope has few categories.

    Where an arrow leads to one with many, this is joined with what lies behind, and added to
    `chances`.
    """
    shift = work.numbers[FILLED]
    width, longest = work.numbers[SPLIT], work.numbers[LONGEST]
    everything = (1 << work.numbers[OPEN]) - 1
    split, levels = diagram.split, work.numbers[LEVELS]
    for level in range(LANES):
        split[level & levels - 1] += work.scale[level]
    for layer in range(work.numbers[LAYERS]):
        card = work.open_cards[layer]
        index = work.card_of[card, CHOICE]
        bit = 1 << work.card_of[card, NUMBER]
        for number in range(work.parts[layer, _AHEAD], work.parts[layer + 1, _AHEAD]):
            arrow = diagram.order[_AHEAD, number]
            source, row = diagram.start[arrow] * width, diagram.to[arrow] * width
            for place in range(0, width, LANES):
                added(split, row + place, diagram.weight, LANES * arrow, source + place)
        for number in range(work.parts[layer, _AHEAD_MORE], work.parts[layer + 1, _AHEAD_MORE]):
            arrow = diagram.order[_AHEAD_MORE, number]
            source = diagram.start[arrow]
            row = diagram.to[arrow] * width
            has = everything & diagram.keys[source] >> shift
            _taken(diagram, work, source * width, row, LANES * arrow, has, bit, index)
        for number in range(work.parts[layer, _ACROSS], work.parts[layer + 1, _ACROSS]):
            arrow = diagram.order[_ACROSS, number]
            start = diagram.start[arrow]
            to = diagram.to[arrow] * width
            has = everything & diagram.keys[start] >> shift
            left = everything ^ has ^ bit
            many = work.lengths[left]
            place = work.numbers[FIRST] + work.card_of[card, ADDS]
            for choice in range(work.lengths[has]):
                at = place + work.places[has * longest + choice]
                for level in range(levels):
                    part = diagram.weight[LANES * arrow + level]
                    part *= split[start * width + choice * levels + level]
                    if part > 0.0:
                        for other in range(many):
                            chances[at + work.places[left * longest + other]] += (
                                part * split[to + other * levels + level]
                            )
