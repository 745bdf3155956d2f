"""
What is still open: knowledge reduced by its backbone to the cards that have more than one place.

Certain cards never enter the diagram. They are counted off the hand sizes and off the rules, and a
rule that can no longer go either way becomes part of one constant. Hands that nothing tells apart
are pooled.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.hands import Rule
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import Knowledge


class OpenHand(NamedTuple):
    """What one holder can still have: bounds of the number, the cards, the rules over them."""

    least: int
    most: int
    cards: int
    rules: tuple[Rule, ...]


class Pool(NamedTuple):
    """
    Hands that can hold the same cards under no rule, read as one; or one hand by itself.

    Either the size of each is known, or all have the same size or one card more, and nothing says
    which have more.

    Attributes:
        least, most, cards, rules: Of the hands together, as in `OpenHand`.
        holders: Whose hands they are, ascending.
        sizes: The least size of each hand, in the order of the holders.
    """

    least: int
    most: int
    cards: int
    rules: tuple[Rule, ...]
    holders: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def sized(self) -> bool:
        """Whether the number of ways depends on how many cards the pool holds."""
        return len(self.holders) > 1 and self.least < self.most

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of the pool's cards that each hand has on average, shape (holders,)."""
        if self.sized or not self.most:
            return np.full(len(self.holders), 1.0 / len(self.holders))
        return np.array(self.sizes) / self.most

    def ways(self, total: int) -> int:
        """Return in how many ways the hands can share out so many cards; 1 for one hand."""
        if len(self.holders) == 1:
            return 1
        held = sum(self.sizes)
        more = total - held if self.sized else 0
        arranged = factorial(held + more) // prod(map(factorial, self.sizes))
        larger: int = (self.sizes[0] + 1) ** more  # only hands of one size can have one more
        return comb(len(self.holders), more) * arranged // larger

    def share_out(
        self, deals: npt.NDArray[np.int64], cards: Sequence[int], rng: np.random.Generator
    ) -> None:
        """
        Share out what the pool holds at random, each way as likely; changes `deals` in place.

        Args:
            deals: The holder of each card, shape (deals, cards); the pool's cards lie with its
                first holder.
            cards: The open cards.
            rng: Shuffles.
        """
        inside = deals[:, cards] == self.holders[0]
        totals = inside.sum(axis=1)
        for total in np.unique(totals).tolist():
            rows = np.flatnonzero(totals == total)
            place = np.nonzero(inside[rows])[1].reshape(len(rows), total)
            shared = np.tile(np.repeat(self.holders, self.sizes), (len(rows), 1))
            if self.sized:
                everyone = np.tile(self.holders, (len(rows), 1))
                larger = rng.permuted(everyone, axis=1)[:, : total - shared.shape[1]]
                shared = np.hstack([shared, larger])
            deals[rows[:, None], np.array(cards)[place]] = rng.permuted(shared, axis=1)


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


def pooled(hands: Sequence[OpenHand], *, apart: bool = False) -> tuple[Pool, ...]:
    """
    Return the hands, in the order of their first holders and the envelope last.

    Args:
        hands: What each holder can still have, the envelope last.
        apart: Whether to leave every hand by itself.
    """
    groups: dict[Hashable, list[int]] = {}
    for holder, (least, most, cards, rules) in enumerate(hands):
        alike: Hashable = holder
        if not (apart or rules or holder == len(hands) - 1):
            if least == most:
                alike = (cards,)
            elif least == most - 1:
                alike = (cards, least)
        groups.setdefault(alike, []).append(holder)
    pools = []
    for holders in groups.values():
        first = hands[holders[0]]
        sizes = tuple(hands[holder].least for holder in holders)
        least, most = sum(sizes), sum(hands[holder].most for holder in holders)
        pools.append(Pool(least, most, first.cards, first.rules, tuple(holders), sizes))
    return tuple(pools)
