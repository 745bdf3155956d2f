"""
Steps of an argument: facts, the rules behind them, and what hangs on what.
"""

from __future__ import annotations

from itertools import count
from typing import Literal, NamedTuple

from msgspec import Struct

Rule = Literal[
    "told",  # the entry says so itself
    "placed",  # the card is somewhere else
    "only place",  # every other place of the card is excluded
    "full",  # the hand has all the cards that it can hold
    "needed",  # the hand needs every card that is left for it
    "category taken",  # the envelope has another card of the category
    "last of category",  # every other card of the category is excluded
    "either-or",  # one way is left to have at least one of several cards
    "not all",  # one way is left to lack at least one of several cards
    "full of either-ors",  # separate either-ors fill the hand
    "shared",  # as many holders as cards have at least one of these cards each
    "hands full",  # several hands together have all the cards that they can hold
    "hands needed",  # several hands together need every card that is left for them
    "supposed",  # assumed, inside a step by cases
    "cases",  # the opposite fails in every case
    "counted",  # too many cases to write down: of all deals that fit the entries none is otherwise
    "clash",  # a fact and its opposite, or no way left
]


class Claim(NamedTuple):
    """The holder has the card, or lacks it."""

    card: int
    holder: int
    has: bool

    @property
    def opposite(self) -> Claim:
        """The same card and holder the other way round."""
        return Claim(self.card, self.holder, not self.has)


class Step(Struct, frozen=True, kw_only=True, eq=False):
    """
    One step of an argument; it points at the earlier steps that it rests on.

    Attributes:
        number: Steps are numbered as they are found; a step rests on smaller numbers only.
        fact: What it shows; `None` for a clash.
        rule: Why.
        entries: The entries that the step itself rests on, ascending.
        uses: The steps that it rests on.
        cards: The cards that the rule speaks of: a mask.
        holders: The holders that the rule speaks of.
        cases: For a step by cases one clash for each case; what leads to it hangs below it.
    """

    number: int
    fact: Claim | None
    rule: Rule
    entries: tuple[int, ...] = ()
    uses: tuple[Step, ...] = ()
    cards: int = 0
    holders: tuple[int, ...] = ()
    cases: tuple[Step, ...] = ()


def numbered() -> int:
    """Return the next number for a step."""
    return next(_numbers)


_numbers = count()


def below(last: Step) -> tuple[Step, ...]:
    """Return all that a step rests on and the step itself, in an order to be read in."""
    seen = {last}
    pending = [last]
    while pending:
        for used in pending.pop().uses:
            if used not in seen:
                seen.add(used)
                pending.append(used)
    return tuple(sorted(seen, key=lambda step: step.number))


def inside(case: Step) -> tuple[Step, ...]:
    """Return the steps of a case: those that rest on what was supposed in it, and its clash."""
    steps = below(case)
    first = max(step.number for step in steps if step.rule == "supposed")
    hanging: set[Step] = set()
    for step in steps:
        if step.number == first or any(used in hanging for used in step.uses):
            hanging.add(step)
    return tuple(step for step in steps if step in hanging)
