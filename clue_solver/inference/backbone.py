"""
What is certain: the backbone of a knowledge.

A fact is certain when its opposite fits no deal. Each model shows, for every card, one holder that
can have it; a holder that no model has shown yet is asked for by name until the solver either finds
such a deal or proves that there is none (iterative backbone computation with model-based filtering:
Marques-Silva, Janota, Lynce, "On Computing Backbones of Propositional Theories", ECAI 2010).
"""

from __future__ import annotations

from clue_solver.errors import Contradiction
from clue_solver.inference.sat import Solver


def backbone(
    solver: Solver,
    assumptions: list[int],
    within: list[int] | None = None,
    deals: list[list[int]] | None = None,
) -> list[int]:
    """
    Return for each card the mask of the holders that can have it.

    The answer is complete: a bit is set exactly if some deal that fits the assumptions gives the
    card to that holder. A card with one bit is certain; a cleared bit is a certain "lacks".

    Args:
        solver, assumptions: What is known.
        within: The backbone of some of the assumptions, where it is known: only what it leaves open
            is asked for.
        deals: Deals that fit, as far as some are known: the holder of each card; those that are
            found are added.

    Raises:
        Contradiction: If no deal fits; without entries, which are `explain.conflict`'s to find.
        TooLarge: If neither searching nor counting can tell.
    """
    known = [] if deals is None else deals
    possible = solver.decided(
        lambda patience: _searched(solver, assumptions, within, known, patience=patience),
        lambda: solver.support(assumptions),
    )
    if not all(possible):
        raise Contradiction(())
    return possible


def _searched(
    solver: Solver,
    assumptions: list[int],
    within: list[int] | None,
    deals: list[list[int]],
    *,
    patience: int,
) -> list[int]:
    """
    Return the backbone by searching alone, no holder anywhere if no deal fits.

    Raises:
        Undecided: If a search takes more than `patience` times its budget of conflicts.
    """
    cards, holders = solver.layout.cards, solver.layout.holders
    if not deals:
        first = solver.search(assumptions, patience=patience)
        if first is None:
            return [0] * cards
        deals.append(first)
    possible = [0] * cards
    for deal in deals:
        for card, holder in enumerate(deal):
            possible[card] |= 1 << holder
    everyone = (1 << holders) - 1
    unseen = [may & ~mask for may, mask in zip(within or [everyone] * cards, possible, strict=True)]
    for literal in solver.implied(assumptions) or ():
        card, holder = solver.place(literal)
        if literal > 0:
            unseen[card] = 0
        else:
            unseen[card] &= ~(1 << holder)

    for card in range(cards):
        while unseen[card]:
            holder = unseen[card].bit_length() - 1
            solver.prefer(
                solver.has(other, mask.bit_length() - 1)
                for other, mask in enumerate(unseen)
                if mask
            )
            literal = solver.has(card, holder)
            model = solver.search([*assumptions, literal], patience=patience)
            if model is None:
                unseen[card] &= ~(1 << holder)
                continue
            deals.append(model)
            for other, place in enumerate(model):
                possible[other] |= 1 << place
                unseen[other] &= ~(1 << place)
    return possible
