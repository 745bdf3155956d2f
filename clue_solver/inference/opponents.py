"""
Who is close: the probability that another seat can already name the solution.

The viewer does not know the other hands. So deals are drawn from the viewer's posterior; in each,
what the seat has seen is rebuilt: its hand, the cards it was shown (drawn by the show policy where
the viewer did not see them), what it looked at, what it saw in the notch. Whether that leaves one
solution is asked of the SAT solver, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from clue_solver.inference.diagram import Ints
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.evidence import ShowPolicy


class Private(NamedTuple):
    """
    Something that a seat saw and the viewer did not.

    Attributes:
        holder: Whose card it saw.
        cards: The mask of the cards it can be: those asked for, or all.
        shown: Whether the holder chose the card by the show policy, or chance did.
        groups: For a notch the masks of the cards of one colour; empty for a card seen.
    """

    holder: int
    cards: int
    shown: bool
    groups: tuple[int, ...] = ()


class Closeness(NamedTuple):
    """The probability that a seat can name the solution, and its standard error."""

    knows: float
    error: float


def closeness(
    solver: Solver,
    public: Iterable[int],
    *,
    seat: int,
    private: tuple[Private, ...],
    deals: Ints,
    rng: np.random.Generator,
    policy: ShowPolicy,
) -> Closeness:
    """
    Return how likely the seat can already name the solution.

    Args:
        solver: Holds what the seat shares with the viewer, by entry.
        public: The selectors of the entries that count.
        seat: The seat's number.
        private: What it saw besides, in the order of the entries.
        deals: Independent deals from the viewer's posterior, shape (deals, cards).
        rng: Draws the cards that were shown unseen.
        policy: How showers choose.
    """
    assumed = list(public)
    known = np.zeros(len(deals), bool)
    for number, deal in enumerate(deals.tolist()):
        seen = [*_hand(solver, deal, seat), *_seen(solver, deal, private, rng, policy)]
        known[number] = _sure(solver, [*assumed, *seen], deal)
    share = float(known.mean())
    spread = max(share * (1 - share), 0.25 / (len(known) + 1))
    return Closeness(share, float(np.sqrt(spread / len(known))))


def _hand(solver: Solver, deal: list[int], seat: int) -> Iterator[int]:
    for card, holder in enumerate(deal):
        yield solver.has(card, seat) * (1 if holder == seat else -1)


def _seen(
    solver: Solver,
    deal: list[int],
    private: tuple[Private, ...],
    rng: np.random.Generator,
    policy: ShowPolicy,
) -> Iterator[int]:
    """Yield the literals of what the seat saw; colours as clauses under selectors of their own."""
    held = [0] * solver.layout.holders
    for card, holder in enumerate(deal):
        held[holder] |= 1 << card
    seen = [0] * solver.layout.holders  # what the seat has seen of each holder
    habits = [0] * solver.layout.holders  # what each holder has shown it
    for holder, cards, shown, groups in private:
        could = held[holder] & cards
        if not could or not (groups or could & ~seen[holder]):
            continue
        choice = card_numbers(could)
        if shown and len(choice) > 1:
            chances = np.cumsum(policy.picks(choice, habit=habits[holder]))
            card = choice[int(np.searchsorted(chances, rng.random() * chances[-1], "right"))]
        else:
            card = choice[int(rng.random() * len(choice))]
        if not groups:
            seen[holder] |= 1 << card
            habits[holder] |= shown << card
            yield solver.has(card, holder)
            continue
        for colour in groups:
            if colour >> card & 1:
                yield solver.guarded(Clause((), holder, colour, True))


def _sure(solver: Solver, assumed: list[int], deal: list[int]) -> bool:
    """Whether no deal that fits has another solution than this one."""
    layout: Layout = solver.layout
    solution = sum(1 << card for card, holder in enumerate(deal) if holder == layout.envelope)
    other = solver.guarded(Clause((), layout.envelope, solution, False))
    return solver.model([*assumed, other]) is None
