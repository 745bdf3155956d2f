"""
Propagation: what a log excludes by the rules that people use on paper. Fast, but not complete.

A cell is a pair of a card and a holder; it is taken if the holder has the card. All rules are
groups of cells with bounds on how many of them are taken:

- a card is in one cell, a hand takes as many as it has cards, the envelope one of each category;
- of an either-or at least one cell is taken, of a wrong accusation at least one is not.

Once a group has as many taken cells as it may have, its other cells are not taken; once it has only
as many possible cells left as must be taken, all of them are. The groups are checked again and
again until nothing is added. Without the groups of hands, this is unit propagation over the clauses
of the log and of the deal. `argument` checks the same groups and keeps a reason for each fact.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.viewer import Knowledge

HolderMasks = list[int]
"""
Who can have each card in play: for each card, a mask of holders (bit h for holder h).

A mask is 0 if no deal fits.
"""


class Group(NamedTuple):
    """
    Some cells, with bounds on how many of them are taken.

    A cell is a pair of a holder and a card; it is taken if the holder has the card.

    Attributes:
        kind: What the cells are: those of a `card`, of a `hand`, of a `category` in the envelope,
            of an either-or (`has`), or of cards that a holder does not have together (`lacks`).
        cells: The mask of the cells: bit `holder * cards + card` for each.
        least, most: The least and the most cells that are taken.
        entries: The entries that it follows from; empty if it follows from the rules of the game.
    """

    kind: Literal["card", "hand", "category", "has", "lacks"]
    cells: int
    least: int
    most: int
    entries: tuple[int, ...] = ()


def groups_of(layout: Layout, clauses: Iterable[Clause]) -> list[Group]:
    """
    Return the groups of cells that are counted: those of the game, then one for each clause.

    Those of the game are, in order, the cards, the hands and the envelope's categories.
    """
    cards = layout.cards
    places = sum(1 << holder * cards for holder in range(layout.holders))
    found = [Group("card", places << card, 1, 1) for card in range(cards)]
    for holder, (least, most) in enumerate(layout.bounds):
        found.append(Group("hand", layout.everything << holder * cards, least, most))
    for category in layout.categories:
        found.append(Group("category", category << layout.envelope * cards, 1, 1))
    for entries, holder, mask, has in clauses:
        cells, size = mask << holder * cards, mask.bit_count()
        if has:
            found.append(Group("has", cells, 1, size, entries))
        else:
            found.append(Group("lacks", cells, 0, size - 1, entries))
    return found


def propagate(knowledge: Knowledge) -> HolderMasks:
    """
    Return who can have each card, as far as simple rules tell: a mask of holders for each card.

    All masks are 0 if the rules find that no deal fits.
    """
    layout = knowledge.layout
    groups = groups_of(layout, knowledge.clauses)
    has = out = 0  # the cells that are taken for certain, and those that are not
    known = None
    while known != (has, out):
        known = has, out
        undecided = []
        for group in groups:
            _, cells, least, most, _ = group
            held, can = cells & has, cells & ~out
            taken, left = held.bit_count(), can.bit_count()
            if taken > most or left < least:
                return [0] * layout.cards
            if taken == most:
                out |= cells & ~held
            elif left == least:
                has |= can
            else:
                undecided.append(group)
        if has & out:
            return [0] * layout.cards
        groups = undecided

    masks = [0] * layout.cards
    for holder in range(layout.holders):
        for card in card_numbers(layout.everything & ~(out >> holder * layout.cards)):
            masks[card] |= 1 << holder
    return masks
