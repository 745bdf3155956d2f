"""
The open part of a viewer's knowledge: hands, cards and rules that are not settled yet.

Each piece of evidence is about one holder: how many cards it holds in all, or how many of a set of
cards. Certain cards are subtracted from the hand sizes and from the rules, and a rule that no
longer makes a difference becomes part of a constant. Hands that nothing tells apart are pooled. The
deal diagram reads what is left of each hand as an `automaton` ("The deal diagram" in
docs/mathematics.md has the formula).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from math import comb, factorial, inf, isfinite, log, prod
from operator import add
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.automaton import CountRule, LogTable, by_level
from clue_solver.inference.propagation import HolderMasks
from clue_solver.knowledge.clauses import CardMask, Tables, card_numbers, several
from clue_solver.knowledge.viewer import Knowledge


class OpenHand(NamedTuple):
    """
    The open part of one hand: what it may have besides the cards that it certainly has.

    An open card is one whose holder is not yet certain.

    Attributes:
        least, most: The least and the most open cards that the hand gets.
        cards: The mask of the open cards that it can have.
        rules: What else is known of the hand. Each rule is about a set of open cards: it gives the
            hand a weight that depends on how many of them it has.
    """

    least: int
    most: int
    cards: CardMask
    rules: tuple[CountRule, ...]


class Pool(NamedTuple):
    """
    A single hand, or several hands that are read as one because nothing tells them apart.

    Only open cards count here: cards whose holder is not yet certain. Several hands are pooled if
    they can hold the same cards and no rule weighs any of them. Their sizes are known, or nearly:
    all are of one size, but some may have one card more, and nothing says which.

    Attributes:
        least, most: The least and the most open cards that the hands get together.
        cards: The mask of the open cards that they can have.
        rules: The rules that weigh a single hand by how many of some open cards it has; empty for
            several hands.
        holders: The numbers of the hands' holders, ascending.
        sizes: The least number of open cards in each hand, in the order of the holders.
    """

    least: int
    most: int
    cards: CardMask
    rules: tuple[CountRule, ...]
    holders: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def has_variable_size(self) -> bool:
        """Whether the pool has several hands whose number of open cards together may vary."""
        return len(self.holders) > 1 and self.least < self.most

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of the pool's open cards that each hand gets on average, shape (holders,)."""
        if self.has_variable_size or not self.most:
            return np.full(len(self.holders), 1.0 / len(self.holders))
        return np.array(self.sizes) / self.most

    def ways(self, total: int) -> int:
        """
        Return the number of ways to divide `total` open cards among the hands; 1 for one hand.

        If the sizes of the hands are known, it is total! divided by the factorial of each size.
        Otherwise each of h hands gets s or s + 1 cards. If m of them get s + 1, there are comb(h,
        m) choices of these m hands, and with each of them total! / (s!**h * (s + 1)**m) ways.
        """
        if len(self.holders) == 1:
            return 1
        held = sum(self.sizes)
        more = total - held if self.has_variable_size else 0
        arranged = factorial(held + more) // prod(map(factorial, self.sizes))
        larger: int = (self.sizes[0] + 1) ** more
        return comb(len(self.holders), more) * arranged // larger

    def share_out(
        self, deals: npt.NDArray[np.int64], cards: Sequence[int], rng: np.random.Generator
    ) -> None:
        """
        Divide the pool's cards among its hands at random, in many deals.

        All ways to divide them are equally likely.

        Args:
            deals: The holder of each card, shape (deals, cards), changed in place. At first all
                cards of the pool are with its first holder.
            cards: The numbers of the open cards.
            rng: The source of randomness.
        """
        inside = deals[:, cards] == self.holders[0]
        totals = inside.sum(axis=1)
        for total in np.unique(totals).tolist():
            rows = np.flatnonzero(totals == total)
            place = np.nonzero(inside[rows])[1].reshape(len(rows), total)
            shared = np.tile(np.repeat(self.holders, self.sizes), (len(rows), 1))
            if self.has_variable_size:
                everyone = np.tile(self.holders, (len(rows), 1))
                larger = _shuffle_rows(everyone, rng)[:, : total - shared.shape[1]]
                shared = np.hstack([shared, larger])
            deals[rows[:, None], np.array(cards)[place]] = _shuffle_rows(shared, rng)


def _shuffle_rows(rows: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """
    Return the rows of an array, each with its numbers in a random order.

    Only `rng.random` is used, because its numbers are the same in all versions of numpy.
    """
    return np.take_along_axis(rows, rng.random(rows.shape).argsort(axis=1), axis=1)


class Openings(NamedTuple):
    """
    The open part of a viewer's knowledge: the cards whose holder is not certain, and the hands.

    An own-card level is an assumption about how readily players name cards of their own.

    Attributes:
        certain: The number of the holder of each card in play; -1 if the card is open.
        cards: The numbers of the open cards, ascending.
        hands: What each holder can still have, the envelope last.
        joint_sizes: The possible combinations of the seats' numbers of open cards; empty if all
            within their bounds are possible.
        counted: The masks of open cards, one for each category in which it matters how many cards a
            seat has, because of what people usually ask for.
        constants: For each own-card level, the natural logarithm of its prior times all likelihoods
            that are constant by now; a single one if nothing is learned.
        span: How far weights can be apart: an upper bound, as a natural logarithm, on the ratio of
            any two sums over deals or parts of deals, weighted or not.
        weighs_behaviour: Whether the weights include what people usually do.
    """

    certain: tuple[int, ...]
    cards: tuple[int, ...]
    hands: tuple[OpenHand, ...]
    joint_sizes: tuple[tuple[int, ...], ...]
    counted: tuple[CardMask, ...]
    constants: tuple[float, ...]
    span: float
    weighs_behaviour: bool


def openings(knowledge: Knowledge, possible: HolderMasks) -> Openings:
    """
    Return the open part of a viewer's knowledge: what is not settled yet of cards and hands.

    Args:
        knowledge: What is known.
        possible: For each card, the mask of the holders that are not excluded. What it excludes
            must be proved; it need not exclude all that can be proved.
    """
    # Which cards are certain, and which open ones each holder may have.
    layout = knowledge.layout
    certain = [-1] * layout.cards
    has, may = [0] * layout.holders, [0] * layout.holders
    span = 0.0
    for card, mask in enumerate(possible):
        if several(mask):
            span += log(mask.bit_count())  # there are at most as many deals as choices
            for holder in card_numbers(mask):
                may[holder] |= 1 << card
        else:
            certain[card] = mask.bit_length() - 1
            has[certain[card]] |= 1 << card

    # What the evidence says about open cards: constants, and a table for each set of a holder's
    # cards. Clauses about single cards are not needed, as `possible` includes what they say; the
    # rule that the envelope has one card of each category is.
    constants = [log(weight) if all(possible) else -inf for weight in knowledge.prior]
    by_cards: list[dict[int, tuple[LogTable, ...]]] = [{} for _ in range(layout.holders)]
    rules: list[tuple[int, CardMask, Tables]] = [
        (clause.holder, clause.cards, clause.tables)
        for clause in knowledge.clauses
        if several(clause.cards)
    ]
    rules += [(factor.holder, factor.cards, factor.tables) for factor in knowledge.factors]
    rules += [(layout.envelope, mask, _one_of(mask.bit_count())) for mask in layout.categories]
    for holder, cards, tables in rules:
        open_ones = cards & may[holder]
        held = (cards & has[holder]).bit_count()
        logs, spread, is_constant = _logarithms(tables, held, open_ones.bit_count())
        if is_constant:
            weights = tuple([log_table[0] for log_table in logs])
            constants = list(map(add, constants, by_level(weights, len(constants))))
            continue
        span += spread
        earlier = by_cards[holder].get(open_ones)
        by_cards[holder][open_ones] = logs if earlier is None else _together(earlier, logs)

    # How many of the open cards each hand takes, and what it is weighed by.
    hands = []
    for h, (least, most) in enumerate((*layout.bounds, (len(layout.categories),) * 2)):
        sure = has[h].bit_count()
        room = min(most - sure, may[h].bit_count())
        hands.append(OpenHand(max(least - sure, 0), room, may[h], _strongest(by_cards[h])))
    open_cards = [card for card, holder in enumerate(certain) if holder < 0]
    still_open = sum([1 << card for card in open_cards])
    behaviour = knowledge.behaviour
    asked = {factor.cards for factor in behaviour}
    return Openings(
        certain=tuple(certain),
        cards=tuple(open_cards),
        hands=tuple(hands),
        joint_sizes=tuple(
            tuple(size - has[seat].bit_count() for seat, size in enumerate(sizes))
            for sizes in layout.joint_sizes
        ),
        counted=tuple([mask & still_open for mask in layout.categories if mask in asked]),
        constants=tuple(constants),
        span=span,
        weighs_behaviour=bool(behaviour),
    )


@lru_cache
def _one_of(cards: int) -> Tables:
    """Return a table of weights that allows only hands with exactly one of `cards` cards."""
    return ((0.0, 1.0, *(0.0,) * (cards - 1)),)


@lru_cache(maxsize=4096)
def _logarithms(whole: Tables, held: int, more: int) -> tuple[tuple[LogTable, ...], float, bool]:
    """
    Return a rule's tables of weights as logarithms, reduced to the cards that are still open.

    Args:
        whole: The tables: weights by how many of the rule's cards a hand has.
        held: How many of the cards the hand has for certain.
        more: How many more of the cards the hand may have.

    Returns:
        The tables; the span of all finite logarithms and 0 (the largest minus the smallest); and
        whether each table gives all hands the same weight.
    """
    lowest = highest = 0.0
    is_constant = True
    tables = []
    for weights in whole:
        logarithms = [log(value) if value else -inf for value in weights]
        finite = [0.0, *filter(isfinite, logarithms)]
        lowest = min(lowest, *finite)
        highest = max(highest, *finite)
        table = tuple(logarithms[held : held + more + 1])
        is_constant = is_constant and table.count(table[0]) == len(table)
        tables.append(table)
    return tuple(tables), highest - lowest, is_constant


@lru_cache(maxsize=4096)
def _together(earlier: tuple[LogTable, ...], tables: tuple[LogTable, ...]) -> tuple[LogTable, ...]:
    """
    Return the tables of two rules about the same cards as those of one rule.

    As they are logarithms, they are added. There is one table for each own-card level if either
    rule has tables by level.
    """
    levels = max(len(earlier), len(tables))
    pairs = zip(by_level(earlier, levels), by_level(tables, levels), strict=True)
    return tuple(tuple(map(add, one, other)) for one, other in pairs)


def _strongest(rules: dict[int, tuple[LogTable, ...]]) -> tuple[CountRule, ...]:
    """
    Return the rules of a hand, without those that say "at least one of" and follow from another.

    `rules` has the tables of each rule by the mask of its cards.
    """
    needs = [cards for cards, tables in rules.items() if tables[0][0] == -inf]
    kept = []
    for cards, tables in rules.items():
        only_needs = tables == ((-inf,) + (0.0,) * (len(tables[0]) - 1),)
        smaller = [other for other in needs if other != cards and other & cards == other]
        if not only_needs or not smaller:
            kept.append(CountRule(cards, tables))
    return tuple(kept)


def kinds_of_cards(opened: Openings, masks: Sequence[CardMask]) -> list[int]:
    """
    Return the kind of each card in play, as a number.

    Cards that nothing tells apart are of one kind.

    Args:
        opened: The open part of the knowledge.
        masks: Further sets of cards, each of which must be told apart from all other cards.
    """
    of_open = {hand.cards for hand in opened.hands}
    of_open |= {rule.cards for hand in opened.hands for rule in hand.rules}
    numbers: dict[Hashable, int] = {}
    kinds = []
    for card, holder in enumerate(opened.certain):
        classes = (*masks, *of_open) if holder < 0 else masks
        within = [mask >> card & 1 for mask in classes]
        kinds.append(numbers.setdefault((holder, *within), len(numbers)))
    return kinds


def pools_of(hands: Sequence[OpenHand], *, separate: bool = False) -> tuple[Pool, ...]:
    """
    Return the hands as pools: those that nothing tells apart are read as one.

    They are in the order of their first holders, so the envelope, which is never pooled, is last.

    Args:
        hands: What each holder can still have, the envelope last.
        separate: Whether to leave every hand separate.
    """
    groups: dict[Hashable, list[int]] = {}
    for holder, (least, most, cards, rules) in enumerate(hands):
        alike: Hashable = ("alone", holder)
        if not (separate or rules or holder == len(hands) - 1):
            if least == most:
                alike = ("of known size", cards)
            elif least == most - 1:
                alike = ("of one size or the next", cards, least)
        groups.setdefault(alike, []).append(holder)
    pools = []
    for holders in groups.values():
        members = [hands[holder] for holder in holders]
        sizes = tuple([hand.least for hand in members])
        most = sum([hand.most for hand in members])
        _, _, cards, rules = members[0]
        pools.append(Pool(sum(sizes), most, cards, rules, tuple(holders), sizes))
    return tuple(pools)
