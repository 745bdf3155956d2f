"""
What the log excludes at a glance, by the pencil rules of careful people: quick, not complete.

Each holder has a mask of the cards that it can have and one of those that it has. The rules go
round until none of them adds anything:

- a clause that has one way left to be true is true that way;
- the envelope has one card of each category, and each card one holder;
- with `counting`, besides: a full hand has nothing else, and a hand that can have no more cards
  than it must have has them all.

Without counting this is unit propagation over the clauses of the log and of the deal.
"""

from __future__ import annotations

from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.viewer import Knowledge


def propagate(knowledge: Knowledge, *, counting: bool = True) -> list[int]:
    """
    Return for each card the mask of the holders that can have it, as far as the rules see.

    Args:
        knowledge: What is known.
        counting: Whether hands are counted, too.

    Returns:
        The masks; where one is empty no deal fits.
    """
    layout, envelope = knowledge.layout, knowledge.layout.envelope
    can = [layout.everything] * layout.holders
    has = [0] * layout.holders

    # Clauses of one card are noted down once; the others are looked at each time round.
    either_ors: list[Clause] = []
    for clause in knowledge.clauses:
        if not clause.cards:  # entries that no deal fits
            return [0] * layout.cards
        if clause.cards & clause.cards - 1:
            either_ors.append(clause)
        elif clause.has:
            has[clause.holder] |= clause.cards
        else:
            can[clause.holder] &= ~clause.cards

    before: tuple[list[int], list[int]] | None = None
    while before != (can, has):
        before = can[:], has[:]

        # At least one of the cards, or not all of them: the last way to make it so.
        for _, holder, cards, needs in either_ors:
            if needs:
                left = cards & can[holder]
                if not cards & has[holder] and not left & left - 1:
                    has[holder] |= left
            else:
                left = cards & ~has[holder]
                if not cards & ~can[holder] and not left & left - 1:
                    can[holder] &= ~left

        # The envelope has one card of each category.
        for category in layout.categories:
            sure = category & has[envelope]
            left = category & can[envelope]
            if sure:
                can[envelope] &= ~category | sure
            elif not left & left - 1:
                has[envelope] |= left

        # A hand has its number of cards.
        if counting:
            for holder, (least, most) in enumerate(layout.bounds):
                if has[holder].bit_count() >= most:
                    can[holder] &= has[holder]
                elif can[holder].bit_count() <= least:
                    has[holder] |= can[holder]

        # A card that somebody has is nobody else's, and one that a single holder can have is its.
        once = twice = taken = 0
        for holder in range(layout.holders):
            twice |= once & can[holder]
            once |= can[holder]
            if taken & has[holder]:  # two would have it
                return [0] * layout.cards
            taken |= has[holder]
        for holder in range(layout.holders):
            can[holder] &= ~taken | has[holder]
            has[holder] |= can[holder] & ~twice

    masks = [0] * layout.cards
    for holder, mask in enumerate(can):
        for card in card_numbers(mask):
            masks[card] |= 1 << holder
    return masks
