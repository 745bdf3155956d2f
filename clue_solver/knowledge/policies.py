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
        Return how likely a seat is to show one card, by how many of the cards asked for it holds.

        Args:
            asked: The mask of the cards asked for.
            shown: The mask of the card that is shown, with a single bit.
            before: The mask of the cards that the seat showed the viewer in earlier answers.

        Returns:
            The chances: item n if the seat holds n of the cards asked for. Item 0 is not used.
        """

    def picks(self, could: Sequence[int], *, before: CardMask) -> tuple[float, ...]:
        """
        Return how likely a seat is to show each of the cards that it could show, in the same order.

        Args:
            could: The numbers of these cards.
            before: The mask of the cards that the seat showed the viewer in earlier answers.
        """


class RandomShows:
    """
    The default show policy: each card in the hand that was asked for is equally likely to be shown.
    """

    remembers = False

    def chances(self, asked: CardMask, *, shown: CardMask, before: CardMask) -> tuple[float, ...]:  # noqa: ARG002
        """
        Return the chance to show the card `shown`: 1 / n for a seat with n of the asked cards.
        """
        return draw_chances(asked)

    def picks(self, could: Sequence[int], *, before: CardMask) -> tuple[float, ...]:  # noqa: ARG002
        """Return the chance that a seat shows each card in `could`: the same for all."""
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
        Return the chances that a seat shows the card `shown`: item n if it holds n asked cards.

        If that card is one of k asked cards that the seat showed before, the chance is 1 / k
        whatever the hand is. If it is a new card, the chances are those of `RandomShows`.
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
        levels: The own-card level L, from near 0 (hardly ever names own cards) to 1 (names own
            cards as readily as others). If the level is to be learned, its possible values.
    """

    levels: tuple[float, ...]

    def named(self) -> Tables:
        """
        Return the weight of naming a card: 1 if the seat lacks the card, L if it has the card.

        L is the own-card level: how likely an own card is to be named, compared with another. There
        is a table (1, L) for each level L.
        """
        return _named(self.levels)

    def among(self, size: int) -> Tables:
        """
        Return the rest of the chance to name a card, by how many of its category the seat has.

        L is the own-card level: how likely an own card is to be named, compared with another. There
        is a table for each level L, whose item o is size / (size - o + L o). The numerator `size`,
        the number of the category's cards, is the same in every deal and at every level, so it
        changes nothing; it only keeps the numbers near 1.

        >>> AskPolicy((0.5,)).among(3)
        ((1.0, 1.2, 1.5, 2.0),)
        """
        return _among(self.levels, size)


@lru_cache
def _named(levels: tuple[float, ...]) -> Tables:
    """
    Return a table (1, L) for each own-card level L: the weights of lacking and of having a card.
    """
    return tuple((1.0, level) for level in levels)


@lru_cache
def _among(levels: tuple[float, ...], size: int) -> Tables:
    """
    Return a table for each own-card level L: item o is the weight of having o of `size` cards.
    """
    return tuple(
        tuple(size / (size - own + level * own) for own in range(size + 1)) for level in levels
    )


DEFAULT_LEVEL = 0.25
"""
The own-card level of `careful` if none is given.

It is that of a player who names any card of a category, own or not, 30% of the time, and otherwise
a card that it does not hold; on average, 1.3 of the 6 cards are its own, as with four players.
"""

LEVELS = (0.02, DEFAULT_LEVEL, 0.55, 1.0)
"""
The own-card levels among which `adaptive` learns that of the table from the record.

They are those of players who name any card, own or not, 0%, 30%, 60% and 100% of the time; even a
player who never means to name an own card slips now and then.
"""
PRIOR = (0.3, 0.25, 0.1, 0.35)
"""
How likely each of `LEVELS` is before the record says anything.

It was chosen by how many bits about the solution are lost compared with knowing the level, at
tables of such players with and without a board: at worst 0.13 (0.16 if all levels were equally
likely; no prior loses less than 0.12), and 0.1 at level 1.
"""

OVERSIGHT = 0.02
"""
How likely a wrong accusation is that names a card of the accuser's own, compared with one that
names none. As it is a slip, the number is the first of `LEVELS`.
"""


def ask_policy(asks: Asks) -> AskPolicy | None:
    """
    Return the policy by which people are expected to ask; `None` if questions are no evidence.
    """
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
    """
    Return the policy by which answers are predicted: that of `shows`, or random choice for `none`.
    """
    return POLICIES[shows] or _AT_RANDOM


def draw_chances(cards: CardMask) -> tuple[float, ...]:
    """
    Return the chance to draw one particular card from k cards, for each k.

    The numbers k are those from 0 (where the chance means nothing) to the number of cards in the
    mask.

    >>> draw_chances(0b111)
    (1.0, 1.0, 0.5, 0.3333333333333333)
    """
    return (1.0, *(1.0 / k for k in range(1, cards.bit_count() + 1)))


def free_categories(table: Table, numbers: Numbers) -> tuple[CardMask, ...]:
    """
    Return the categories of which an asker may name any card, each as the mask of its cards.

    On a board the asker must name the room where its piece stands; dice may choose all cards.
    """
    edition = table.edition
    if edition.suspect_dice:  # dice choose the cards
        return ()
    # On a board the asker must name the room that it is in.
    rooms = 0 if table.board == "none" else numbers.cards(edition.rooms)
    return tuple(mask for mask in numbers.layout.categories if not mask & rooms)
