"""
The brute-force twins: the same answers by listing every deal. For tests, and small tables only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.knowledge.clauses import Clause, Factor, card_numbers
from clue_solver.knowledge.viewer import Knowledge


class Listing(NamedTuple):
    """
    Every deal that fits, one by one.

    Attributes:
        deals: The holder of each card, shape (deals, cards).
        weight: The likelihood of each deal, shape (deals,).
    """

    deals: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]

    def possible(self, holders: int) -> list[int]:
        """Return for each card the mask of the holders that have it in some deal."""
        return [
            sum(1 << holder for holder in range(holders) if holder in column)
            for column in self.deals.T
        ]

    def marginals(self, holders: int) -> npt.NDArray[np.float64]:
        """Return the probability of each card with each holder, shape (cards, holders)."""
        shares = self.weight / self.weight.sum()
        return np.stack([shares @ (self.deals == holder) for holder in range(holders)], axis=1)

    def solutions(self, envelope: int) -> dict[tuple[int, ...], float]:
        """Return the posterior over solutions, by card numbers ascending."""
        posterior: dict[tuple[int, ...], float] = {}
        for deal, share in zip(self.deals, self.weight / self.weight.sum(), strict=True):
            chosen = tuple(np.flatnonzero(deal == envelope).tolist())
            posterior[chosen] = posterior.get(chosen, 0.0) + float(share)
        return posterior


def listing(knowledge: Knowledge) -> Listing:
    """Return every deal that fits the knowledge, with its likelihood."""
    deals = [deal for deal in _deals(knowledge) if _fits(deal, knowledge.clauses)]
    weight = [_weight(deal, knowledge) for deal in deals]
    table = np.array(deals, np.int64).reshape(len(deals), knowledge.layout.cards)
    return Listing(table, np.array(weight, np.float64))


def _deals(knowledge: Knowledge) -> Iterator[tuple[int, ...]]:
    """Yield every deal of the layout, as the holder of each card."""
    layout = knowledge.layout
    categories = [card_numbers(mask) for mask in layout.categories]
    for envelope in product(*categories):
        rest = [card for card in range(layout.cards) if card not in envelope]
        for hands in _hands(rest, [most for _, most in layout.bounds]):
            held = [hands.count(holder) for holder in range(len(layout.bounds))]
            within = all(
                least <= n <= most for n, (least, most) in zip(held, layout.bounds, strict=True)
            )
            if within and (not layout.dealt or tuple(held[: layout.seats]) in layout.dealt):
                deal = [layout.envelope] * layout.cards
                for card, holder in zip(rest, hands, strict=True):
                    deal[card] = holder
                yield tuple(deal)


def _hands(cards: list[int], room: list[int]) -> Iterator[list[int]]:
    """Yield every way to give the cards to holders with so much room."""
    if not cards:
        yield []
        return
    for holder, left in enumerate(room):
        if left:
            room[holder] -= 1
            for others in _hands(cards[1:], room):
                yield [holder, *others]
            room[holder] += 1


def _fits(deal: tuple[int, ...], clauses: tuple[Clause, ...]) -> bool:
    return all(
        any((deal[card] == clause.holder) == clause.has for card in card_numbers(clause.cards))
        for clause in clauses
    )


def _weight(deal: tuple[int, ...], knowledge: Knowledge) -> float:
    """Return how likely what was seen is in a deal, whatever the own-card level."""
    return sum(
        prior * prod(_likelihood(deal, factor, level) for factor in knowledge.factors)
        for level, prior in enumerate(knowledge.prior)
    )


def _likelihood(deal: tuple[int, ...], factor: Factor, level: int) -> float:
    table = factor.tables[level if len(factor.tables) > 1 else 0]
    return table[sum(deal[card] == factor.holder for card in card_numbers(factor.cards))]
