"""What single rows and the sizes of hands settle, before anything is summed."""

import numpy as np

from clue_solver.inference.compiled.arrays import CLASH, FITS, Ints, Workspace
from clue_solver.inference.compiled.machine_code import compiled, inlined
from clue_solver.knowledge.viewer import ALL, HAS, LACKS, NONE, Rows, Shape


@inlined
def card_count(mask: np.int64 | int) -> int:
    """Return how many cards a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


_NO, _SAME, _NARROWER = -1, 0, 1


@compiled
def narrowed(shape: Shape, rows: Rows, at: int, work: Workspace) -> int:
    """
    Find what single rows and sizes settle: who can have which card, who has it.

    Returns:
        `FITS`, or `CLASH` if something contradicts already.
    """
    count = rows.used[at]
    kind, holder, cards = rows.kind[at], rows.holder[at], rows.cards[at]
    hands = len(shape.least)
    can = work.can
    has = work.has
    for h in range(hands + 1):
        can[h] = (1 << shape.cards) - 1
        has[h] = 0
    for row in range(count):
        if kind[row] == NONE:
            can[holder[row]] &= ~cards[row]
        elif kind[row] == ALL:
            has[holder[row]] |= cards[row]
    changed = True
    while changed:
        changed = False
        for row in range(count):
            if kind[row] <= LACKS:
                outcome = _by_row(kind[row], holder[row], cards[row], can, has)
                if outcome == _NO:
                    return CLASH
                changed = changed or outcome == _NARROWER
        for category in shape.categories:
            sure, may = category & has[hands], category & can[hands]
            if not may or sure & sure - 1:
                return CLASH
            if sure and may != sure:
                can[hands] &= ~category | sure
                changed = True
            elif not sure and not may & may - 1:
                has[hands] |= may
                changed = True
        for h in range(hands):
            outcome = _by_size(h, shape.least[h], shape.most[h], can, has)
            if outcome == _NO:
                return CLASH
            changed = changed or outcome == _NARROWER
        outcome = _by_card(shape.cards, hands + 1, can, has)
        if outcome == _NO:
            return CLASH
        changed = changed or outcome == _NARROWER
    return FITS


@inlined
def _by_row(kind: int, h: int, cards: int, can: Ints, has: Ints) -> int:
    """Narrow by one row."""
    if kind == HAS:
        left = cards & can[h]
        if cards & has[h] or left & left - 1:
            return _SAME
        has[h] |= left
        return _NARROWER if left else _NO
    left = cards & ~has[h]
    if cards & ~can[h] or left & left - 1:
        return _SAME
    can[h] &= ~left
    return _NARROWER if left else _NO


@inlined
def _by_size(h: int, least: int, most: int, can: Ints, has: Ints) -> int:
    """Narrow by the size of one hand."""
    sure, may = card_count(has[h]), card_count(can[h])
    if has[h] & ~can[h] or sure > most or may < least:
        return _NO
    if sure == may or (sure < most and may > least):
        return _SAME
    if sure == most:
        can[h] = has[h]
    else:
        has[h] = can[h]
    return _NARROWER


@inlined
def _by_card(cards: int, holders: int, can: Ints, has: Ints) -> int:
    """Narrow by each card's having one holder."""
    once = 0
    twice = 0
    taken = 0
    changed = _SAME
    for h in range(holders):
        twice |= once & can[h]
        once |= can[h]
    if once != (1 << cards) - 1:
        return _NO
    for h in range(holders):
        alone = can[h] & ~twice & ~has[h]
        if alone:
            has[h] |= alone
            changed = _NARROWER
        if taken & has[h] or has[h] & ~can[h]:
            return _NO
        taken |= has[h]
    for h in range(holders):
        if can[h] & taken & ~has[h]:
            can[h] &= ~taken | has[h]
            changed = _NARROWER
    return changed
