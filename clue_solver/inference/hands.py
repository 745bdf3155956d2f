"""
The open hands: knowledge reduced to what is still open, and one holder's hand as a small automaton.

Everything that the evidence says speaks of one holder at a time: how many cards it holds in all,
and how many of a set of cards. So the weight of a hand is a product of rules, each a set of cards
and a table by how many of them the hand has. Tables are logarithms, as a long log spans more than a
float can, and what cannot be is minus infinity. Read the holder's possible cards one by one, "not
mine" or "mine": the states are the room left and the counts of the rules that are under way. States
with the same future are one state, so the automaton is the smallest there is (the reduction rule of
decision diagrams: Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", IEEE
Transactions on Computers 35, 1986). The deal diagram is the product of these automata: each card is
"mine" for exactly one of them.

How careful players are, where that is learned, decides some tables: such a rule has one table for
each level, and its arrows one weight for each. The states are the same at all levels.

Two kinds of rules need no count of their own: one about the first cards read, because as many of
them are held as cards in all, and one about the last cards, because the hand's size less what is
held by then is how many it will have. So a hand whose size is not known and that has a rule of the
second kind is read for each size by itself, from a first state for each.

Certain cards never enter the diagram. They are counted off the hand sizes and off the rules, and a
rule that can no longer go either way becomes part of one constant. Hands that nothing tells apart
are pooled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from math import comb, factorial, inf, isfinite, log, prod
from operator import add
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.viewer import Knowledge

DEAD = -1
"""The successor of a state that cannot go on."""


Table = tuple[float, ...]
"""Logarithms of weights by how many of some cards a hand has; minus infinity for none."""


TableRule = tuple[int, int, tuple[tuple[float, ...], ...]]
"""A holder, cards, and tables of weights by how many of the cards the holder has."""


class Rule(NamedTuple):
    """
    The weight of a hand by how many of a mask of cards it has.

    Attributes:
        cards: The mask.
        tables: One table, or one for each level of care; what cannot be is the same in all.
    """

    cards: int
    tables: tuple[Table, ...]


class Automaton(NamedTuple):
    """
    A holder's hand, one layer for each card it may hold, in the order of the diagram.

    Attributes:
        counts: Number of states before each card and after the last; the first is 1 unless the
            hand is read for each size by itself, the last is 1 unless sizes are told apart.
        starts: Where each layer's states start in the arrays below.
        skip, take: The state of the next layer after "not mine" and "mine", or `DEAD`; int64.
        skip_weight, take_weight: The logarithm of what the arrow multiplies the weight by, 0 on
            dead ones; float64, shape (levels, arrows), where one level stands for all if its rules
            have one table.
        weighted: For each layer whether any of these is not 0.
        held: The number of cards held in each of the last states, ascending; 0 where sizes are
            not told apart.
    """

    counts: tuple[int, ...]
    starts: tuple[int, ...]
    skip: npt.NDArray[np.int64]
    take: npt.NDArray[np.int64]
    skip_weight: npt.NDArray[np.float64]
    take_weight: npt.NDArray[np.float64]
    weighted: tuple[bool, ...]
    held: tuple[int, ...]


Weight = tuple[float, ...]
"""The logarithm of what an arrow multiplies by, at each level of care."""

Arrow = tuple[int, Weight]
"""A successor, by its packed key or its state number, and the weight of going there."""


@lru_cache(maxsize=4096)
def automaton(
    least: int,
    most: int,
    cards: int,
    rules: tuple[Rule, ...],
    *,
    sized: bool = False,
    by_size: bool = False,
) -> Automaton:
    """
    Return the smallest automaton of the hands with `least` to `most` of `cards` cards.

    Args:
        least, most: Bounds of the hand's size.
        cards: How many cards the holder may hold.
        rules: Masks over those cards, counted from 0 in reading order, and their tables: one each,
            or one for each level in at least one of them.
        sized: Whether hands of different sizes end in different states.
        by_size: Whether the hand is read for each size by itself.

    Returns:
        The automaton; where no hand is possible its last layer has no state.
    """
    levels = max((len(rule.tables) for rule in rules), default=1)
    size_mask = (1 << _size_bits(most)) - 1
    if not by_size:
        layers = _unrolled(least, most, cards, rules, levels)
    else:
        layers = [{} for _ in range(cards + 1)]
        for size in range(least, most + 1):
            mark = size + 1 << _MARK
            alone = _unrolled(size, size, cards, rules, levels)
            for layer, arrows in zip(layers, alone, strict=True):
                for key, ((skip, skip_weight), (take, take_weight)) in arrows.items():
                    skipped = skip if skip == DEAD else skip | mark
                    taken = take if take == DEAD else take | mark
                    layer[key | mark] = (skipped, skip_weight), (taken, take_weight)
    held = {key: key & size_mask if sized else 0 for key in layers[-1]}
    return _reduced(layers, held, levels)


_MARK = 256
"""From this bit on a packed state says what size its hand is read for."""


class _Counter(NamedTuple):
    """Where a rule's count stands in a packed state, and what ends it."""

    shift: int
    mask: int
    cap: int  # from here on the table does not change
    fatal: bool  # whether nothing can be from `cap` on
    table: tuple[Weight, ...]


class _Counters(NamedTuple):
    """
    The rules by the cards at which something is to be done for them, a list for each card.

    Attributes:
        stepping: Those that count the card.
        closing: Of these those whose last card it is.
        opening: Those about this card and all later ones, where the hand's size is known.
        held: Those about this card and all earlier ones: these and the last need no count, as the
            number of cards held tells it.
    """

    stepping: list[list[_Counter]]
    closing: list[list[_Counter]]
    opening: list[list[_Counter]]
    held: list[list[_Counter]]


def _counters(
    rules: tuple[Rule, ...], cards: int, *, first_shift: int, levels: int, size_known: bool
) -> _Counters:
    places = range(cards)
    counters = _Counters(
        [[] for _ in places], [[] for _ in places], [[] for _ in places], [[] for _ in places]
    )
    shift = first_shift
    for mask, tables in rules:
        every = tables if len(tables) == levels else tables * levels
        table: tuple[Weight, ...] = tuple(zip(*every, strict=True))
        cap = len(table) - 1
        while cap and table[cap - 1] == table[-1]:
            cap -= 1
        width = cap.bit_length()
        counter = _Counter(shift, (1 << width) - 1, cap, table[cap][0] == -inf, table)
        shift += width
        first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
        if size_known and first < last and mask >> first == (1 << cards - first) - 1:
            counters.opening[first].append(counter)
        elif mask & mask + 1 == 0:
            counters.held[last].append(counter)
        else:
            counters.closing[last].append(counter)
            for card in card_numbers(mask):
                counters.stepping[card].append(counter)
    return counters


def _unrolled(
    least: int, most: int, cards: int, rules: tuple[Rule, ...], levels: int
) -> list[dict[int, tuple[Arrow, Arrow]]]:
    """Return for each card the reachable states, packed, with their two arrows."""
    size_bits = _size_bits(most)
    size_mask = (1 << size_bits) - 1
    counters = _counters(
        rules, cards, first_shift=size_bits, levels=levels, size_known=least == most
    )
    one = (0.0,) * levels
    dead: Arrow = (DEAD, one)
    layers: list[dict[int, tuple[Arrow, Arrow]]] = []
    states = {0} if least <= cards and most >= 0 else set()
    for card, counted in enumerate(zip(*counters, strict=True)):
        stepping, closing, opening, holding = counted
        weighed = bool(closing or opening or holding)
        needed = least - (cards - card - 1)  # cards that must be held by now
        layer: dict[int, tuple[Arrow, Arrow]] = {}
        reached: set[int] = set()
        for key in states:
            held = key & size_mask
            skip, take = dead, dead
            if held >= needed:
                skip = (key, one)
            if needed <= held + 1 <= most:
                after = key + 1
                for shift, mask, cap, fatal, _ in stepping:
                    count = key >> shift & mask
                    if count < cap:
                        if fatal and count + 1 == cap:
                            break
                        after += 1 << shift
                else:
                    take = (after, one)
            if weighed:
                arrows = []
                for after, weight in (skip, take):
                    if after == DEAD:
                        arrows.append(dead)
                        continue
                    total = weight
                    left = after
                    for shift, mask, _, _, table in closing:
                        more = table[after >> shift & mask]
                        total = more if total is one else tuple(map(add, total, more))
                        left &= ~(mask << shift)  # the count is forgotten
                    for _, _, cap, _, table in opening:
                        more = table[min(most - held, cap)]
                        total = more if total is one else tuple(map(add, total, more))
                    for _, _, cap, _, table in holding:
                        more = table[min(after & size_mask, cap)]
                        total = more if total is one else tuple(map(add, total, more))
                    # what cannot be is so at every level
                    arrows.append(dead if total[0] == -inf else (left, total))
                skip, take = arrows
            layer[key] = (skip, take)
            reached.add(skip[0])
            reached.add(take[0])
        layers.append(layer)
        states = reached
        states.discard(DEAD)
    layers.append(dict.fromkeys(states, (dead, dead)))
    return layers


def _size_bits(most: int) -> int:
    """Return how many bits of a packed state count the cards held."""
    return max(most, 1).bit_length() + 1


def _reduced(
    layers: list[dict[int, tuple[Arrow, Arrow]]], held: dict[int, int], levels: int
) -> Automaton:
    """
    Merge states with the same future, last layer first, and drop those without one.

    Args:
        layers: The unrolled automaton.
        held: What tells its last states apart.
        levels: How many weights an arrow has.
    """
    one = (0.0,) * levels
    ends = sorted({*held.values()})
    numbers = {key: ends.index(size) for key, size in held.items()}
    numbers[DEAD] = DEAD
    rows: list[tuple[int, Weight, int, Weight]] = []
    counts = [len(ends)]
    weighted = []
    merged_layers = []
    for layer in reversed(layers[:-1]):
        merged: dict[tuple[int, Weight, int, Weight], int] = {}
        before: dict[int, int] = {DEAD: DEAD}
        heavy = False
        for key, ((skip, skip_weight), (take, take_weight)) in layer.items():
            skipped, taken = numbers[skip], numbers[take]
            if skipped == DEAD and taken == DEAD:
                before[key] = DEAD
                continue
            row = (
                skipped,
                one if skipped == DEAD else skip_weight,
                taken,
                one if taken == DEAD else take_weight,
            )
            before[key] = merged.setdefault(row, len(merged))
            heavy = heavy or row[1] != one or row[3] != one
        numbers = before
        merged_layers.append(merged)
        counts.append(len(merged))
        weighted.append(heavy)
    for merged in reversed(merged_layers):
        rows += merged
    counts.reverse()
    weighted.reverse()
    skips, skip_weights, takes, take_weights = zip(*rows, strict=True) if rows else ((),) * 4
    return Automaton(
        counts=tuple(counts),
        starts=tuple(accumulate(counts[:-1], initial=0)),
        skip=np.array(skips, np.int64),
        take=np.array(takes, np.int64),
        skip_weight=_by_level(skip_weights, levels),
        take_weight=_by_level(take_weights, levels),
        weighted=tuple(weighted),
        held=tuple(ends),
    )


def _by_level(weights: Sequence[Weight], levels: int) -> npt.NDArray[np.float64]:
    """Return the weights of arrows, shape (levels, arrows)."""
    return np.ascontiguousarray(np.array(weights, np.float64).reshape(-1, levels).T)


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
                larger = _shuffled(everyone, rng)[:, : total - shared.shape[1]]
                shared = np.hstack([shared, larger])
            deals[rows[:, None], np.array(cards)[place]] = _shuffled(shared, rng)


def _shuffled(rows: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return each row in a random order; by `random` alone, whose numbers no version changes."""
    return np.take_along_axis(rows, rng.random(rows.shape).argsort(axis=1), axis=1)


class Openings(NamedTuple):
    """
    The open part of a knowledge.

    Attributes:
        certain: For each card in play its holder, or -1 where it is open.
        cards: The open cards, ascending.
        hands: For each holder, the envelope last, what it can still have.
        dealt: How many open cards the seats can have together; empty where all within their bounds
            can be.
        counted: The open cards of each category of which it matters how many a seat has.
        levels: For each level of care the natural logarithm of how likely it is by itself and by
            all likelihoods that are constant by now; of one where nothing is learned.
        span: By their natural logarithms no two weights are farther apart than this, and none is
            from 1.
        behaviour: Whether what people usually do is in the weights.
    """

    certain: tuple[int, ...]
    cards: tuple[int, ...]
    hands: tuple[OpenHand, ...]
    dealt: tuple[tuple[int, ...], ...]
    counted: tuple[int, ...]
    levels: tuple[float, ...]
    span: float
    behaviour: bool


class Told(NamedTuple):
    """
    How often a log tells each rule, and how much of it was read for that.

    Rules are holder, cards and tables by number of cards: those of clauses, of what was seen and of
    what people usually do, each in the order in which they are first told. A log that goes on tells
    few new ones.
    """

    rules: tuple[Counter[TableRule], ...]
    read: tuple[int, ...]

    @classmethod
    def of(cls, knowledge: Knowledge, before: Told | None = None) -> Told:
        """Return what a log tells; only the rest is read of one that begins as the one before."""
        parts = knowledge.clauses, knowledge.factors, knowledge.behaviour
        known, read = before or (tuple(Counter[TableRule]() for _ in parts), (0,) * len(parts))
        rules = [counted.copy() for counted in known]
        rules[0].update(_needs(knowledge.clauses[read[0] :]))
        rules[1].update((h, cards, tables) for _, h, cards, tables in parts[1][read[1] :])
        rules[2].update((h, cards, tables) for _, h, cards, tables in parts[2][read[2] :])
        return cls(tuple(rules), tuple(map(len, parts)))


def openings(knowledge: Knowledge, possible: list[int], told: Told | None = None) -> Openings:
    """
    Return the open part of the knowledge.

    Args:
        knowledge: What is known.
        possible: Its backbone: for each card the mask of the holders that can have it.
        told: How often it tells each rule, where that was counted.
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

    # what the rules say of the open cards: constants, and a table for each set of a holder's cards
    constant = [_log(weight) for weight in knowledge.prior]
    by_cards: list[dict[int, tuple[Table, ...]]] = [{} for _ in range(layout.holders)]
    span = 0.0
    told = told or Told.of(knowledge)
    rules = chain(*(counted.items() for counted in told.rules), _envelopes(layout))
    for (holder, cards, whole), often in rules:
        still = cards & may[holder]
        known = (cards & has[holder]).bit_count()
        tables, wide, plain = _logarithms(whole, known, still.bit_count(), often)
        span += wide
        if plain:
            weights = [table[0] for table in tables]
            constant = list(map(add, constant, weights * (len(constant) // len(weights))))
            continue
        earlier = by_cards[holder].get(still)
        by_cards[holder][still] = tables if earlier is None else _together(earlier, tables)

    hands = []
    for h, (least, most) in enumerate((*layout.bounds, (len(layout.categories),) * 2)):
        sure = has[h].bit_count()
        room = min(most - sure, may[h].bit_count())
        hands.append(OpenHand(max(least - sure, 0), room, may[h], _strongest(by_cards[h])))
    open_cards = [card for card, holder in enumerate(certain) if holder < 0]
    still_open = sum([1 << card for card in open_cards])
    asked = {factor.cards for factor in knowledge.behaviour}
    return Openings(
        certain=tuple(certain),
        cards=tuple(open_cards),
        hands=tuple(hands),
        dealt=tuple(
            tuple(size - has[seat].bit_count() for seat, size in enumerate(sizes))
            for sizes in layout.dealt
        ),
        counted=tuple([mask & still_open for mask in layout.categories if mask in asked]),
        levels=tuple(constant),
        span=span,
        behaviour=bool(knowledge.behaviour),
    )


@lru_cache(maxsize=4096)
def _logarithms(
    whole: tuple[tuple[float, ...], ...], known: int, still: int, often: int
) -> tuple[tuple[Table, ...], float, bool]:
    """
    Return tables of weights as logarithms, of those cards that are still open.

    Args:
        whole: The tables by how many of all the cards a hand has.
        known: How many of the cards the hand has for certain.
        still: How many more of them it may have.
        often: How many times the hand is weighed by them.

    Returns:
        The tables; how far what they say, and 0, are apart at most; and whether each weighs all
        hands alike.
    """
    least = most = 0.0
    plain = True
    tables = []
    for weights in whole:
        logarithms = [log(value) if value else -inf for value in weights]
        finite = [0.0, *filter(isfinite, logarithms)]
        least = min(least, *finite)
        most = max(most, *finite)
        table = tuple([often * value for value in logarithms[known : known + still + 1]])
        plain = plain and table.count(table[0]) == len(table)
        tables.append(table)
    return tuple(tables), often * (most - least), plain


@lru_cache(maxsize=4096)
def _together(earlier: tuple[Table, ...], tables: tuple[Table, ...]) -> tuple[Table, ...]:
    """Return the product of tables over the same cards, level by level where either has levels."""
    levels = max(len(earlier), len(tables))
    pairs = zip(earlier * (levels // len(earlier)), tables * (levels // len(tables)), strict=True)
    return tuple(tuple(map(add, one, other)) for one, other in pairs)


def _log(value: float) -> float:
    return log(value) if value else -inf


def _needs(clauses: Sequence[Clause]) -> Iterator[TableRule]:
    """Yield the clauses about several cards as rules; single cards are in the backbone."""
    for _, holder, cards, has in clauses:
        if cards & (cards - 1):
            size = cards.bit_count()
            table = (0.0,) + (1.0,) * size if has else (1.0,) * size + (0.0,)
            yield holder, cards, (table,)


def _envelopes(layout: Layout) -> Iterator[tuple[TableRule, int]]:
    """Yield the rules of the envelope, which has one card of each category; each told once."""
    for category in layout.categories:
        table = (0.0, 1.0) + (0.0,) * (category.bit_count() - 1)
        yield (layout.envelope, category, (table,)), 1


def _strongest(rules: dict[int, tuple[Table, ...]]) -> tuple[Rule, ...]:
    """Drop each "at least one of" that a smaller one of the same holder already implies."""
    needs = [cards for cards, tables in rules.items() if tables[0][0] == -inf]
    kept = []
    for cards, tables in rules.items():
        only_needs = tables == ((-inf,) + (0.0,) * (len(tables[0]) - 1),)
        smaller = [other for other in needs if other != cards and other & cards == other]
        if not only_needs or not smaller:
            kept.append(Rule(cards, tables))
    return tuple(kept)


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
        least, most, cards, rules = hands[holders[0]]
        sizes: tuple[int, ...] = (least,)
        for holder in holders[1:]:
            sizes += (hands[holder].least,)
            most += hands[holder].most
        pools.append(Pool(sum(sizes), most, cards, rules, tuple(holders), sizes))
    return tuple(pools)
