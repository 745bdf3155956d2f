"""
Who is close to naming the solution.

The viewer does not know the other hands. So deals are drawn from the viewer's posterior; in each,
what another seat has seen is rebuilt: its hand, the cards it was shown (drawn by the show policy
where the viewer did not see them), what it looked at, what it saw in the notch. Whether that leaves
one solution is asked of the SAT solver, exactly. Who could name it when a turn of its own ended
would most likely have accused: where it kept silent, deals weigh less.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.diagram import Ints
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.evidence import ShowPolicy


class UnseenByViewer(NamedTuple):
    """
    A card that a seat saw and the viewer did not.

    Attributes:
        entry: When.
        holder: Whose card it is.
        cards: The mask of the cards that it may be.
        shown: Whether the holder chose it by the show policy; else chance did.
        groups: For a notch, which shows a colour, the masks of the cards of one colour.
        again: The mask of the cards that the seat has asked for since: it was most likely shown
            another one.
    """

    entry: int
    holder: int
    cards: int
    shown: bool
    groups: tuple[int, ...] = ()
    again: int = 0


class RivalInDeals(NamedTuple):
    """
    In which deals a seat can name the solution, and how long it has kept silent.

    Attributes:
        knows: Whether it can name it now, shape (deals,).
        silent: At the ends of how many own turns it could, and did not accuse, same shape.
    """

    knows: npt.NDArray[np.bool_]
    silent: Ints


def opponent_knows(
    solver: Solver,
    *,
    entries: int,
    seat: int,
    private: tuple[UnseenByViewer, ...],
    turns: Sequence[int],
    deals: Ints,
    rng: np.random.Generator,
    policy: ShowPolicy,
) -> RivalInDeals:
    """
    Return in which deals a seat can name the solution, and since which of its turns.

    Who can name it once can name it later, so the first such turn is found by bisection.

    Args:
        solver: Holds what the seat shares with the viewer, by entry.
        entries: How many entries count.
        private: What the seat saw besides, in the order of the entries.
        turns: The last entry of each turn of its own that is over and in which it did not accuse,
            ascending.
        deals: Independent deals from the viewer's posterior, shape (deals, cards).
    """
    knows, silent = np.zeros(len(deals), bool), np.zeros(len(deals), np.int64)
    envelope = solver.layout.envelope
    for number, deal in enumerate(deals.tolist()):
        # What the seat knows in this deal besides what it shares with the viewer.
        hand = [solver.has(card, seat) * (1 if at == seat else -1) for card, at in enumerate(deal)]
        seen = list(_seen(solver, deal, private, rng, policy))

        # It can name the solution if it can rule out that the envelope has anything else.
        solution = sum(1 << card for card, holder in enumerate(deal) if holder == envelope)
        other = solver.guarded(Clause((), envelope, solution, False))
        proves = partial(_proves, solver, [*hand, other], seen)
        if proves(entries):
            knows[number] = True
            silent[number] = len(turns) - bisect_left(turns, True, key=proves)
    return RivalInDeals(knows, silent)


def _proves(solver: Solver, assumed: list[int], seen: list[tuple[int, int]], upto: int) -> bool:
    """Return whether so many entries rule out what is assumed, by what a seat saw in them."""
    assumptions = solver.entries(upto)
    assumptions += [literal for entry, literal in seen if entry <= upto]
    return solver.model([*assumptions, *assumed]) is None


def _seen(
    solver: Solver,
    deal: list[int],
    private: tuple[UnseenByViewer, ...],
    rng: np.random.Generator,
    policy: ShowPolicy,
) -> Iterator[tuple[int, int]]:
    """
    Draw what the seat saw in a deal; yield the entries, and what each says as a literal.

    Of a notch it saw a colour: a clause under a selector of its own.
    """
    held = [0] * solver.layout.holders
    for card, holder in enumerate(deal):
        held[holder] |= 1 << card
    seen = [0] * solver.layout.holders  # what the seat has seen of each holder
    habits = [0] * solver.layout.holders  # what each holder has shown it
    for entry, holder, cards, shown, groups, _ in private:
        could = held[holder] & cards
        if not could or not (groups or could & ~seen[holder]):
            continue  # it learned nothing new
        # Draw which card it was.
        choice = card_numbers(could)
        if shown and len(choice) > 1:
            chances = np.cumsum(policy.picks(choice, habit=habits[holder]))
            card = choice[int(np.searchsorted(chances, rng.random() * chances[-1], "right"))]
        else:
            card = choice[int(rng.random() * len(choice))]
        if not groups:
            seen[holder] |= 1 << card
            habits[holder] |= shown << card
            yield entry, solver.has(card, holder)
            continue
        for colour in groups:
            if colour >> card & 1:
                yield entry, solver.guarded(Clause((), holder, colour, True))
