"""
How players are assumed to choose: the card that they show, and the cards that they ask for.

A new show policy is one class, whose name is added to `POLICIES` and to `rules.table.Shows`.

Behaviour, what people usually do, is kept apart from what the rules make likely: it weighs who asks
for which cards and who accuses wrongly. The own-card level says how readily players name cards of
their own. It is not known; if it is to be learned from the log, a factor has a table for each of
the possible `LEVELS`, and one `PRIOR` weighs the levels of all factors together.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from clue_solver.knowledge.clauses import CardMask, Numbers, Tables
from clue_solver.rules.table import Asks, Shows, Table


class ShowPolicy(Protocol):
    """
    How a seat chooses among the cards that it could show.

    Attributes:
        remembers: Whether the choice depends on the cards shown before.
    """

    remembers: bool

    def chances(self, asked: CardMask, *, shown: CardMask, before: CardMask) -> tuple[float, ...]:
        """
        Return the chances that a seat shows the card `shown`; item n if it holds n asked cards.

        Item 0 is not used. `before` has the cards that it showed the viewer in earlier answers.
        """

    def picks(self, could: Sequence[int], *, before: CardMask) -> tuple[float, ...]:
        """
        Return, for each card in `could`, the chance that the seat shows it.

        `before` has the cards that it showed the viewer in earlier answers.
        """


class RandomShows:
    """
    The default show policy: each card in the hand that was asked for is equally likely to be shown.
    """

    remembers = False

    def chances(self, asked: CardMask, *, shown: CardMask, before: CardMask) -> tuple[float, ...]:  # noqa: ARG002
        """Return 1 / k for k asked cards in the hand."""
        return draw_chances(asked)

    def picks(self, could: Sequence[int], *, before: CardMask) -> tuple[float, ...]:  # noqa: ARG002
        """Return the same chance for each card."""
        return (1.0 / len(could),) * len(could)


class StickyShows:
    """
    The show policy by which a seat prefers a card that it has shown the viewer before.

    If it has shown none of the cards asked for, it shows one at random. `picks` always follows this
    habit. `chances` also gives a chance to a seat that shows a new card instead, so that no deal is
    excluded just because a player broke the habit.
    """

    remembers = True

    def chances(self, asked: CardMask, *, shown: CardMask, before: CardMask) -> tuple[float, ...]:
        """
        Return the chances that a seat shows the card `shown`, as described for `ShowPolicy`.

        If it is one of k asked cards that the seat showed before, the chance is 1 / k whatever the
        hand is. If it is a new card, the chances are those of `RandomShows`.
        """
        if not shown & before:
            return draw_chances(asked)
        return (1.0 / (asked & before).bit_count(),) * (asked.bit_count() + 1)

    def picks(self, could: Sequence[int], *, before: CardMask) -> tuple[float, ...]:
        """
        Return for each card in `could` the chance that the seat shows it.

        Cards that it showed before are equally likely, and others are not shown. If it showed none
        of them before, all are equally likely.
        """
        again = [before >> card & 1 for card in could]
        if not any(again):
            return (1.0 / len(could),) * len(could)
        return tuple(one / sum(again) for one in again)


class AskPolicy(NamedTuple):
    """
    How a seat chooses which card of a category it asks for.

    A seat names a card of its own L times as likely as one that it does not hold. So of a category
    of m cards, o of them its own, it names the card s with the chance (L if s is its own, else 1) /
    (m - o + L o).

    Attributes:
        levels: The own-card level L, or its possible values: from near 0 (hardly ever names own
            cards) to 1 (names own cards as readily as others).
    """

    levels: tuple[float, ...]

    def named(self) -> Tables:
        """Return the part of the chance that depends on whether the seat has the named card."""
        return _named(self.levels)

    def among(self, size: int) -> Tables:
        """
        Return the part of the chance that depends on how many cards of the category are its own.

        Args:
            size: The number of the category's cards. The chance is multiplied by it, which changes
                nothing, as it is the same in every deal and at every level.

        >>> AskPolicy((0.5,)).among(3)
        ((1.0, 1.2, 1.5, 2.0),)
        """
        return _among(self.levels, size)


@lru_cache
def _named(levels: tuple[float, ...]) -> Tables:
    """Return the tables of `AskPolicy.named`, cached."""
    return tuple((1.0, level) for level in levels)


@lru_cache
def _among(levels: tuple[float, ...], size: int) -> Tables:
    """Return the tables of `AskPolicy.among`, cached."""
    return tuple(
        tuple(size / (size - own + level * own) for own in range(size + 1)) for level in levels
    )


DEFAULT_LEVEL = 0.25
"""
The level of `careful` if none is given. It is that of a player who names any card of a category,
own or not, 30% of the time, and otherwise a card that it does not hold; on average, 1.3 of the 6
cards are its own, as with four players.
"""

LEVELS = (0.02, DEFAULT_LEVEL, 0.55, 1.0)
PRIOR = (0.3, 0.25, 0.1, 0.35)
"""
The own-card levels that `adaptive` learns from the log, and how likely each is before it.

They are those of players who name any card, own or not, 0%, 30%, 60% and 100% of the time; even a
player who never means to name an own card slips now and then. The prior was chosen by how many bits
about the solution are lost compared with knowing the level, at tables of such players with and
without a board: at worst 0.13 (0.16 if all levels were equally likely; no prior loses less than
0.12), and 0.1 at level 1.
"""

OVERSIGHT = 0.02
"""
How likely a wrong accusation is that names a card of the accuser's own, compared with one that
names none. As it is a slip, the number is that of the first of `LEVELS`.
"""


def ask_policy(asks: Asks) -> AskPolicy | None:
    """Return the policy for how people are expected to ask; `None` if asking is no evidence."""
    match asks.model:
        case "any":
            return None
        case "careful":
            return AskPolicy((asks.level or DEFAULT_LEVEL,))
        case "adaptive":
            return AskPolicy(LEVELS)


_AT_RANDOM = RandomShows()

POLICIES: Mapping[Shows, ShowPolicy | None] = {
    "random": _AT_RANDOM,
    "none": None,  # pure counting: all deals that fit are equally likely
    "sticky": StickyShows(),
}
"""The show policies by the names that a record's header and the command line use."""


def predicting(shows: Shows) -> ShowPolicy:
    """Return the policy that predicts answers; for `none` it is the random choice."""
    return POLICIES[shows] or _AT_RANDOM


def draw_chances(cards: CardMask) -> tuple[float, ...]:
    """
    Return the chance to draw a particular one of k cards, for k from 0 to the size of the mask.

    >>> draw_chances(0b111)
    (1.0, 1.0, 0.5, 0.3333333333333333)
    """
    return (1.0, *(1.0 / k for k in range(1, cards.bit_count() + 1)))


def free_categories(table: Table, numbers: Numbers) -> tuple[CardMask, ...]:
    """Return the masks of the categories in which an asker may name any card."""
    edition = table.edition
    if edition.suspect_dice:  # dice choose the cards
        return ()
    # On a board the asker must name the room that it is in.
    rooms = 0 if table.board == "none" else numbers.cards(edition.rooms)
    return tuple(mask for mask in numbers.layout.categories if not mask & rooms)
