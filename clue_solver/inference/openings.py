"""
What is still open: knowledge reduced by its backbone to the cards that have more than one place.

Certain cards never enter the diagram. They are counted off the hand sizes and off the rules, and a
rule that can no longer go either way becomes part of one constant.
"""

from __future__ import annotations

from typing import NamedTuple

from clue_solver.inference.hands import Rule
from clue_solver.knowledge import Knowledge
from clue_solver.knowledge.layout import card_numbers


class OpenHand(NamedTuple):
    """What one holder can still have: bounds of the number, the cards, the rules over them."""

    least: int
    most: int
    cards: int
    rules: tuple[Rule, ...]


class Openings(NamedTuple):
    """
    The open part of a knowledge.

    Attributes:
        certain: For each card in play its holder, or -1 where it is open.
        cards: The open cards, ascending.
        hands: For each holder, the envelope last, what it can still have.
        scale: The product of all likelihoods that are constant by now.
    """

    certain: tuple[int, ...]
    cards: tuple[int, ...]
    hands: tuple[OpenHand, ...]
    scale: float


def openings(knowledge: Knowledge, possible: list[int]) -> Openings:
    """
    Return the open part of the knowledge.

    Args:
        knowledge: What is known.
        possible: Its backbone: for each card the mask of the holders that can have it.
    """
    layout = knowledge.layout
    certain = [-1] * layout.cards
    has, may = [0] * layout.holders, [0] * layout.holders
    for card, mask in enumerate(possible):
        if mask & (mask - 1):
            for holder in card_numbers(mask):
                may[holder] |= 1 << card
        else:
            certain[card] = mask.bit_length() - 1
            has[certain[card]] |= 1 << card

    tables: list[dict[int, tuple[float, ...]]] = [{} for _ in range(layout.holders)]
    scale = 1.0
    for holder, cards, whole in _rules(knowledge):
        known, still = (cards & has[holder]).bit_count(), cards & may[holder]
        table = whole[known : known + still.bit_count() + 1]
        if all(value == table[0] for value in table):
            scale *= table[0]
            continue
        earlier = tables[holder].get(still, (1.0,) * len(table))
        tables[holder][still] = tuple(a * b for a, b in zip(earlier, table, strict=True))

    bounds = (*layout.bounds, (len(layout.categories),) * 2)
    hands = tuple(
        OpenHand(
            max(least - has[h].bit_count(), 0),
            min(most - has[h].bit_count(), may[h].bit_count()),
            may[h],
            tuple(Rule(cards, table) for cards, table in _strongest(tables[h])),
        )
        for h, (least, most) in enumerate(bounds)
    )
    open_cards = tuple(card for card, holder in enumerate(certain) if holder < 0)
    return Openings(tuple(certain), open_cards, hands, scale)


def _rules(knowledge: Knowledge) -> list[tuple[int, int, tuple[float, ...]]]:
    """Return every clause, factor and category as holder, cards and table by number of cards."""
    rules = [
        (clause.holder, clause.cards, _clause_table(clause.cards.bit_count(), has=clause.has))
        for clause in knowledge.clauses
        if clause.cards & (clause.cards - 1)  # single cards are in the backbone
    ]
    rules += [(factor.holder, factor.cards, factor.table) for factor in knowledge.factors]
    for category in knowledge.layout.categories:
        table = (0.0, 1.0) + (0.0,) * (category.bit_count() - 1)
        rules.append((knowledge.layout.envelope, category, table))
    return rules


def _clause_table(size: int, *, has: bool) -> tuple[float, ...]:
    return (0.0,) + (1.0,) * size if has else (1.0,) * size + (0.0,)


def _strongest(tables: dict[int, tuple[float, ...]]) -> list[tuple[int, tuple[float, ...]]]:
    """Drop each "at least one of" that a smaller one of the same holder already implies."""
    needs = [cards for cards, table in tables.items() if not table[0]]
    return [
        (cards, table)
        for cards, table in tables.items()
        if table != _clause_table(len(table) - 1, has=True)
        or not any(other != cards and other & cards == other for other in needs)
    ]
