"""
The second candidate for exact counting, inclusion and exclusion, measured against the deal diagram.

Let U be the open cards and G_o(S) the weighted number of hands that holder o can have inside S.
Hand sizes add up to |U|, so hands that cover U do not overlap, and

    deals = sum over S within U of (-1)^|U - S| * product over o of G_o(S).

Cards of one class (same holders, same rules) are counted, not told apart: a point of the lattice is
how many of each class lie in S. G_o asks only how many lie in each of o's own groups (same rules of
o): a zeta transform with binomials over that small lattice, spread over the large one. Holder o has
the card c in deals of weight

    sum over S that contain c of Z_o(S) * (G_o(S) - G_o(S - c)),

Z_o the rest of the terms. The product is a tree of joins; a class is summed out once all its
holders are joined, and every Z_o flows back down the tree (reverse accumulation). Where a hand's
size is a range, G_o is a polynomial in x, one power for each card beyond the least, and only the
power is read off at which the sizes add up to |U|.

Everything is whole numbers, likelihoods scaled, modulo 2^64 and, where a bound on the total asks
for it, modulo primes of 31 bits besides (Chinese remainders). Nothing is rounded but quotients.

Run `python benchmarks/inclusion_exclusion.py` for the comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import accumulate, combinations
from math import comb, exp, gcd, inf, lcm, prod
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.inference.diagram import Diagram
from clue_solver.inference.hands import OpenHand, Openings, Rule, automaton
from clue_solver.rules.table import ANY

Whole = npt.NDArray[Any]
"""Whole numbers: int64 or uint64, or Python's own where 64 bits do not hold them."""

LARGEST = 1 << 22
"""The most points that a table over the lattice may have."""

_BLOCK = 1 << 6
_SMALL = 1 << 13
_PRIMES = tuple((1 << 31) - below for below in (1, 19, 61, 69, 85, 99, 105, 151))
_PASCAL = np.array([[comb(n, k) for k in range(62)] for n in range(62)], np.int64)
_NUMBERS = np.arange(62)
_SIGNED = _PASCAL * (-1) ** (np.arange(62)[:, None] + np.arange(62))


class Block(NamedTuple):
    """
    Neighbouring axes of the lattice, written as one: classes that the same holders may have.

    Attributes:
        classes: The mask of cards of each class.
        holders: The mask of the holders that may have them.
        counts: How many of each class there are at each point, shape (classes, points).
    """

    classes: list[int]
    holders: int
    counts: Whole

    @property
    def points(self) -> int:
        """The length of the axis."""
        return int(self.counts.shape[1])

    def signs(self) -> Whole:
        """Return at each point the number of sets S there, negative where |U - S| is odd."""
        sizes = [cards.bit_count() for cards in self.classes]
        return reduce(lambda a, b: (a[:, None] * b).ravel(), [_SIGNED[n][: n + 1] for n in sizes])


class Hands(NamedTuple):
    """
    One holder's G_o on the small lattice of its own groups of cards.

    Attributes:
        groups: The mask of cards of each group.
        strides: What one more card of a group adds to the flat index.
        inside: G_o by cards beyond the least and by flat index, shape (sizes, points); exact.
        least: The least size.
        heaviest: A bound on the weight of one hand.
        scale: What the weights were multiplied by.
    """

    groups: list[int]
    strides: list[int]
    inside: Whole
    least: int
    heaviest: int
    scale: int

    def through(self, ring: Ring) -> Whole:
        """Return for each group G_o(S) - G_o(S - c), c a card of it: (groups, sizes, points)."""
        found = np.zeros((len(self.groups), *self.inside.shape), self.inside.dtype)
        for one, cards, stride in zip(found, self.groups, self.strides, strict=True):
            shape = (-1, cards.bit_count() + 1, stride)
            inside = self.inside.reshape(shape)
            np.subtract(inside[:, 1:], inside[:, :-1], out=one.reshape(shape)[:, 1:])
        return ring.of(found)


class Leaf(NamedTuple):
    """
    One holder in the tree of joins.

    Attributes:
        hands: Its G_o.
        scope: The blocks that it may have cards of, ascending.
        cut: How many of them run down the rows of its table; the others run along.
        groups: For each class of each block in the scope the number of its group.
        flat: The flat index into `hands.inside` of each point, for each different row.
        rows: For each row which of the different ones it is; `None` where each stands for itself.
    """

    hands: Hands
    scope: list[int]
    cut: int
    groups: list[list[int]]
    flat: Whole
    rows: Whole | None

    @property
    def cost(self) -> int:
        """What its marginals cost, roughly."""
        rows, along = self.flat.shape
        points: int = along * (rows if self.rows is None else len(self.rows))
        return len(self.hands.groups) * points

    def spread(self, inside: Whole) -> Whole:
        """Return functions on its groups as tables, shape (functions, rows, along)."""
        table = inside.take(self.flat, axis=1)
        return table if self.rows is None else table.take(self.rows, axis=1)


class Join(NamedTuple):
    """Two tables of the tree by number, and the axes to sum out of their product."""

    left: int
    right: int
    done: tuple[int, ...]


class Ring:
    """Whole numbers modulo a prime of 31 bits, or modulo 2^64, where uint64 wraps by itself."""

    def __init__(self, prime: int = 0) -> None:
        self.prime = prime
        self.size = prime or 1 << 64

    def of(self, numbers: Whole) -> Whole:
        """Return exact numbers as elements of the ring."""
        if self.prime or numbers.dtype == object:
            return (numbers % self.size).astype(np.uint64)
        return numbers.view(np.uint64)

    def back(self, numbers: Whole) -> Whole:
        """Reduce, in place, a product of two elements or a sum of many."""
        if self.prime:
            numbers -= numbers // np.uint64(self.prime) * np.uint64(self.prime)
        return numbers

    def product(self, left: Whole, right: Whole, powers: int) -> Whole:
        """Return the product of two polynomials, powers along the first axis, cut off."""
        if len(left) == len(right) == 1:
            return self.back(left * right)
        rows = range(min(len(left) + len(right) - 1, powers))
        return np.stack([self.coefficient(left, right, row) for row in rows])

    def coefficient(self, left: Whole, right: Whole, power: int) -> Whole:
        """Return one coefficient of the product of two polynomials."""
        those = range(max(power - len(right) + 1, 0), min(power + 1, len(left)))
        return self.back(reduce(np.add, (self.back(left[i] * right[power - i]) for i in those)))


class InclusionExclusion:
    """
    All deals that fit, for counting and weighing: `Diagram` by other means, as far as that goes.

    Holders with equal hands are asked for their marginals once. The one that would cost most is not
    asked at all: it has what the others leave.

    Attributes:
        openings: What is counted.
        total: The exact weight of all deals, likelihoods scaled to whole numbers.
        weight: The same unscaled, constant likelihoods left out.

    Raises:
        MemoryError: If a table over the lattice would have more than `LARGEST` points.
    """

    def __init__(self, openings: Openings) -> None:
        self.openings = openings
        self.total, self.weight = 1, 1.0
        if not openings.cards:
            return
        blocks = _blocks(openings)
        holders = [h for h, hand in enumerate(openings.hands) if hand.cards]
        scopes = [[b for b, x in enumerate(blocks) if x.holders >> h & 1] for h in holders]
        joins = _joins([_mask(scope) for scope in scopes], [block.points for block in blocks])
        slack = len(openings.cards) - sum(hand.least for hand in openings.hands)
        self._alike: dict[OpenHand, list[int]] = {}  # equal hands: their holders
        leaves: list[Leaf] = []
        for h, scope in zip(holders, scopes, strict=True):
            hand = openings.hands[h]
            same = self._alike.setdefault(hand, [])
            leaves.append(
                leaves[holders.index(same[0])] if same else _leaf(hand, slack, scope, blocks)
            )
            same.append(h)
        first = [holders.index(same[0]) for same in self._alike.values()]
        costs = [leaves[i].cost for i in first]
        self._rest = costs.index(max(costs))
        self._asked = [i for i in first if i != first[self._rest]]
        self._classes = [cards for block in blocks for cards in block.classes]
        bound = _bound(openings.cards, [leaf.hands for leaf in leaves])
        bound *= max(cards.bit_count() for cards in self._classes)
        self._passes = [
            Pass(
                ring,
                leaves=leaves,
                joins=joins,
                blocks=blocks,
                powers=slack + 1,
                rest=first[self._rest],
            )
            for ring in _rings(bound)
        ]
        self._moduli = [one.ring.size for one in self._passes]
        self.total = _joined([one.total for one in self._passes], self._moduli)
        self.weight = float(Fraction(self.total, prod(leaf.hands.scale for leaf in leaves)))

    def count(self) -> int:
        """Return the exact number of deals."""
        hands = []
        for hand in self.openings.hands:
            rules = (
                Rule(r.cards, (tuple(v if v == -inf else 0.0 for v in r.tables[0]),))
                for r in hand.rules
            )
            hands.append(hand._replace(rules=tuple(rules)))
        return InclusionExclusion(self.openings._replace(hands=tuple(hands))).total

    def marginals(self) -> npt.NDArray[np.float64]:
        """Return the probability of each card with each holder, shape (cards, holders)."""
        certain = self.openings.certain
        table = np.zeros((len(certain), len(self.openings.hands)))
        for card, holder in enumerate(certain):
            if holder >= 0:
                table[card, holder] = 1.0
        if self.openings.cards:
            of_class = np.array(
                [(c, j) for j, cards in enumerate(self._classes) for c in _cards(cards)]
            )
            table[of_class[:, 0]] = self._shares()[of_class[:, 1]]
        return table

    def _shares(self) -> npt.NDArray[np.float64]:
        """Return the probability of a card of each class with each holder."""
        shares = np.zeros((len(self._classes), len(self.openings.hands)))
        sizes = np.array([cards.bit_count() for cards in self._classes])
        found = [one.moments(self._asked) for one in self._passes]
        if len(found) == 1:
            moments, left = found[0], sizes.astype(np.uint64) * np.uint64(self.total)
        else:
            moments = [
                np.array([_joined(one, self._moduli) for one in zip(*same, strict=True)], object)
                for same in zip(*found, strict=True)
            ]
            left = sizes.astype(object) * self.total
        alike = list(self._alike.values())
        rest = alike.pop(self._rest)
        whole = sizes * float(self.total)
        for same, moment in zip(alike, moments, strict=True):
            left -= moment * left.dtype.type(len(same))
            shares[:, same] = (moment.astype(np.float64) / whole)[:, None]
        shares[:, rest] = (left.astype(np.float64) / (whole * len(rest)))[:, None]
        return shares


class Pass:
    """
    All sums in one ring: up the tree at birth, down again for the marginals.

    Attributes:
        ring: Where it counts.
        total: The weight of all deals there.
    """

    def __init__(
        self,
        ring: Ring,
        *,
        leaves: list[Leaf],
        joins: list[Join],
        blocks: list[Block],
        powers: int,
        rest: int,
    ) -> None:
        """Each block's signs go to one leaf; most to leaf `rest`, whose marginals are not asked."""
        self.ring, self._leaves, self._joins, self._powers = ring, leaves, joins, powers
        self._blocks = blocks
        self._places = list(accumulate((len(block.classes) for block in blocks), initial=0))
        self._signs: list[Whole | None] = [None] * len(leaves)
        unsigned = set(range(len(blocks)))
        self._tables: list[Whole] = []
        for number in (rest, *range(len(leaves))):
            here = unsigned.intersection(leaves[number].scope)
            unsigned -= here
            if here:
                self._signs[number] = ring.of(_outer_signs(blocks, sorted(here)))
        for leaf, signs in zip(leaves, self._signs, strict=True):
            inside = ring.of(leaf.hands.inside)
            shape = [b.points if i in leaf.scope else 1 for i, b in enumerate(blocks)]
            table = leaf.spread(inside).reshape(-1, *shape)
            self._tables.append(table if signs is None else ring.back(table * signs))
        for left, right, done in joins[:-1]:
            table = ring.product(self._tables[left], self._tables[right], powers)
            self._tables.append(self._summed(table, done))
        left, right, _ = joins[-1]
        last = ring.coefficient(self._tables[left], self._tables[right], powers - 1)
        self.total = int(last.sum()) % ring.size

    def moments(self, asked: list[int]) -> list[Whole]:
        """Return for each leaf asked the weight of the deals times its cards, class by class."""
        flows = self._flows(asked)
        return [self._moments(number, flows[number]) for number in asked]

    def _summed(self, table: Whole, axes: Iterable[int]) -> Whole:
        axes = tuple(axes)
        return self.ring.back(table.sum(axis=axes, keepdims=True)) if axes else table

    def _flows(self, asked: list[int]) -> dict[int, Whole]:
        """Return for each leaf asked the product of all else, summed over what it lacks."""
        tables, leaves = self._tables, len(self._leaves)
        wanted = set(asked)
        for number, (left, right, _) in enumerate(self._joins[:-1], leaves):
            if left in wanted or right in wanted:
                wanted.add(number)
        left, right, _ = self._joins[-1]
        flows = {left: tables[right], right: tables[left]}
        for number in range(len(tables) - 1, leaves - 1, -1):
            if number not in wanted:
                continue
            flow = flows.pop(number)
            left, right, _ = self._joins[number - leaves]
            for child, other in ((left, right), (right, left)):
                if child in wanted:
                    joined = self.ring.product(flow, tables[other], self._powers)
                    inner = zip(joined.shape[1:], tables[child].shape[1:], strict=True)
                    lacks = (axis for axis, (n, m) in enumerate(inner, 1) if n > m)
                    flows[child] = self._summed(joined, lacks)
        return flows

    def _moments(self, number: int, flow: Whole) -> Whole:
        """Return the sum of flow * (G(S) - G(S - c)) * cards of the class in S, by class."""
        ring, leaf, signs = self.ring, self._leaves[number], self._signs[number]
        if signs is not None:
            flow = ring.back(flow * signs)
        flow = flow.reshape(len(flow), -1, leaf.flat.shape[1])
        through = leaf.hands.through(ring)
        # powers of the flow and of the hands add up to the highest
        pairs = [(i, self._powers - 1 - i) for i in range(through.shape[1])]
        terms = [self._sides(leaf, through[:, i], flow[j]) for i, j in pairs if j < len(flow)]
        down, along = (ring.back(reduce(np.add, side)) for side in zip(*terms, strict=True))
        sums = self._by_block(down, leaf.scope[: leaf.cut])
        sums += self._by_block(along, leaf.scope[leaf.cut :])
        found = np.zeros(self._places[-1], np.uint64)
        for b, groups, one in zip(leaf.scope, leaf.groups, sums, strict=True):
            cards = ring.back(one.take(groups, axis=0) * self._blocks[b].counts.view(np.uint64))
            found[self._places[b] : self._places[b + 1]] = ring.back(cards.sum(axis=1))
        return found

    def _sides(self, leaf: Leaf, through: Whole, flow: Whole) -> tuple[Whole, Whole]:
        """Return, for each group, the sums of flow times through of every row and column."""
        ring = self.ring
        if leaf.rows is None:
            weight = ring.back(leaf.spread(through) * flow)
            return ring.back(weight.sum(axis=2)), ring.back(weight.sum(axis=1))
        spread = through.take(leaf.flat, axis=1)
        order = np.argsort(leaf.rows, kind="stable")
        starts = np.searchsorted(leaf.rows[order], np.arange(len(leaf.flat)))
        alike = ring.back(np.add.reduceat(flow.take(order, axis=0), starts, axis=0))
        along = ring.back(ring.back(spread * alike).sum(axis=1))
        down = np.zeros((len(through), len(flow)), np.uint64)
        for group in {group for groups in leaf.groups[: leaf.cut] for group in groups}:
            weight = spread[group].take(leaf.rows, axis=0)
            weight *= flow
            down[group] = ring.back(ring.back(weight).sum(axis=1))
        return down, along

    def _by_block(self, weight: Whole, scope: list[int]) -> list[Whole]:
        """Return the sums along each block, of rows over all points of these blocks."""
        if len(scope) < 2:
            return [weight] * len(scope)
        half = len(scope) // 2
        rows = prod(self._blocks[b].points for b in scope[:half])
        square = weight.reshape(len(weight), rows, -1)
        return [
            *self._by_block(self.ring.back(square.sum(axis=2)), scope[:half]),
            *self._by_block(self.ring.back(square.sum(axis=1)), scope[half:]),
        ]


# -- classes, groups and hands -------------------------------------------------------------------


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)


def _cards(mask: int) -> Iterator[int]:
    while mask:
        yield mask.bit_length() - 1
        mask ^= 1 << mask.bit_length() - 1


def _refined(cards: int, masks: Iterable[int]) -> list[int]:
    """Return the cards in parts that lie inside or outside of each mask as a whole."""
    parts = [cards]
    for mask in masks:
        parts = [part for whole in parts for part in (whole & mask, whole & ~mask) if part]
    return parts


def _counts(lengths: list[int]) -> Whole:
    """Return the coordinates of a lattice's points, shape (axes, points)."""
    counts = np.empty((len(lengths), *lengths), np.int64)
    for axis in range(len(lengths)):
        counts[axis] = _coordinate(lengths, axis)
    return counts.reshape(len(lengths), -1)


def _coordinate(lengths: list[int], axis: int) -> Whole:
    return _NUMBERS[: lengths[axis]].reshape(-1, *(1,) * (len(lengths) - axis - 1))


def _strides(lengths: list[int]) -> list[int]:
    return [prod(lengths[axis + 1 :]) for axis in range(len(lengths))]


def _outer_signs(blocks: list[Block], which: list[int]) -> Whole:
    """Return the product of some blocks' signs, each along its own axis."""
    shapes = {b: (-1, *(1,) * (len(blocks) - 1 - b)) for b in which}
    return reduce(np.multiply, [blocks[b].signs().reshape(shapes[b]) for b in which])


def _blocks(openings: Openings) -> list[Block]:
    """Return the lattice's axes, those of most holders last: there they are contiguous."""
    masks = [hand.cards for hand in openings.hands]
    masks += [rule.cards for hand in openings.hands for rule in hand.rules]
    of_holders: dict[int, list[int]] = {}
    for cards in _refined(_mask(openings.cards), masks):
        holders = _mask(h for h, hand in enumerate(openings.hands) if hand.cards & cards)
        of_holders.setdefault(holders, []).append(cards)
    chunks: list[tuple[int, list[int]]] = []
    for holders in sorted(of_holders, key=int.bit_count):
        points = _BLOCK + 1
        for cards in of_holders[holders]:
            points *= cards.bit_count() + 1
            if points > _BLOCK:
                points = cards.bit_count() + 1
                chunks.append((holders, []))
            chunks[-1][1].append(cards)
    return [
        Block(classes, holders, _counts([cards.bit_count() + 1 for cards in classes]))
        for holders, classes in chunks
    ]


def _leaf(hand: OpenHand, slack: int, scope: list[int], blocks: list[Block]) -> Leaf:
    """Return a holder's leaf; `slack` is how many cards all hands have beyond their least."""
    hands = _hands(hand, min(hand.most - hand.least, slack) + 1)
    sides = [np.zeros(1, np.intp), np.zeros(1, np.intp)]
    groups = []
    points = prod(blocks[b].points for b in scope)
    cut, rows = 0, 1
    for b in scope[:-1]:
        if (rows * blocks[b].points) ** 2 > points and cut:
            break
        rows *= blocks[b].points
        cut += 1
    for number, b in enumerate(scope):
        own = [next(g for g, of in enumerate(hands.groups) if of & c) for c in blocks[b].classes]
        groups.append(own)
        steps = np.array([hands.strides[g] for g in own]) @ blocks[b].counts
        side = number >= cut
        sides[side] = (sides[side][:, None] + steps).ravel()
    if points <= _SMALL:
        return Leaf(hands, scope, cut, groups, sides[0][:, None] + sides[1], None)
    distinct, which = np.unique(sides[0], return_inverse=True)
    return Leaf(hands, scope, cut, groups, distinct[:, None] + sides[1], which)


def _hands(hand: OpenHand, sizes: int) -> Hands:
    """Return one holder's G_o; `sizes` is how many sizes from the least on can matter."""
    groups = _refined(hand.cards, [rule.cards for rule in hand.rules])
    numbers = [cards.bit_count() for cards in groups]
    lengths = [min(number, hand.most) + 1 for number in numbers]
    counts = [_coordinate(lengths, axis) for axis in range(len(lengths))]
    tables = [_whole(tuple(map(exp, rule.tables[0]))) for rule in hand.rules]
    heaviest = prod(max(table) for table, _ in tables)
    kind = np.int64 if heaviest << hand.cards.bit_count() < 1 << 62 else object
    held = reduce(np.add, counts)
    inside: Whole = np.array([held == hand.least + more for more in range(sizes)]).astype(kind)
    for rule, (table, _) in zip(hand.rules, tables, strict=True):
        own = [one for one, cards in zip(counts, groups, strict=True) if cards & rule.cards]
        inside *= np.array(table, kind)[reduce(np.add, own)]
    for axis, (number, length) in enumerate(zip(numbers, lengths, strict=True)):
        zeta = _PASCAL[: number + 1, :length].astype(kind, copy=False)
        inside = zeta @ inside.reshape(-1, length, prod(lengths[axis + 1 :]))
    strides = _strides([number + 1 for number in numbers])
    scale = prod(scale for _, scale in tables)
    return Hands(groups, strides, inside.reshape(sizes, -1), hand.least, heaviest, scale)


def _ratio(value: float) -> Fraction:
    exact = Fraction(value)
    simple = exact.limit_denominator(10**9)
    return simple if abs(simple - exact) <= exact * Fraction(1, 10**14) else exact


def _whole(table: tuple[float, ...]) -> tuple[list[int], int]:
    """Return a table of likelihoods as whole numbers, and what they were multiplied by."""
    scale = 1
    while scale < 10**12:  # mostly halves and thirds
        numbers = [value * scale for value in table]
        whole = [round(number) for number in numbers]
        if all(abs(n - w) <= 1e-14 * n for n, w in zip(numbers, whole, strict=True)):
            break
        scale *= 6
    else:
        ratios = [_ratio(value) for value in table]
        scale = lcm(*(ratio.denominator for ratio in ratios))
        whole = [int(ratio * scale) for ratio in ratios]
    shared = gcd(scale, *whole)
    return [number // shared for number in whole], scale // shared


def _bound(cards: tuple[int, ...], hands: list[Hands]) -> int:
    """Return a bound on the weight of all deals: the hands dealt one after the other."""
    bound, room = 1, len(cards)
    for one in sorted(hands, key=lambda one: sum(cards.bit_count() for cards in one.groups)):
        own = min(room, sum(cards.bit_count() for cards in one.groups))
        ways = sum(comb(own, one.least + more) for more in range(len(one.inside)))
        bound *= min(one.heaviest * ways, int(one.inside[:, -1].sum()))
        room -= one.least
    return bound


def _rings(bound: int) -> list[Ring]:
    """Return rings whose sizes have a product above the bound."""
    rings, size = [Ring()], 1 << 64
    for prime in _PRIMES:
        if size > bound:
            return rings
        rings.append(Ring(prime))
        size *= prime
    raise MemoryError(f"a total of up to {bound}, less than {size} is provided for")


def _joined(residues: Iterable[Any], moduli: list[int]) -> int:
    """Return the number below the product of the moduli with these residues (Garner)."""
    number, size = 0, 1
    for residue, modulus in zip(residues, moduli, strict=True):
        number += size * ((int(residue) - number) * pow(size, -1, modulus) % modulus)
        size *= modulus
    return number


# -- the tree of joins ---------------------------------------------------------------------------


def _joins(scopes: list[int], points: list[int]) -> list[Join]:
    """
    Return the joins, greedy by the points that come in and go out; the last two tables come last.

    Raises:
        MemoryError: If a table would have more than `LARGEST` points.
    """
    known: dict[int, int] = {}

    def size(mask: int) -> int:
        if mask not in known:
            known[mask] = prod(n for block, n in enumerate(points) if mask >> block & 1)
        return known[mask]

    live = dict(enumerate(scopes))
    joins: list[Join] = []
    while len(live) > 2:
        once = twice = thrice = 0  # blocks in at least so many tables
        for mask in live.values():
            thrice |= twice & mask
            twice |= once & mask
            once |= mask

        def kept(left: int, right: int, twice: int = twice, thrice: int = thrice) -> int:
            return (left ^ right) & twice | left & right & thrice

        def cost(pair: tuple[int, int]) -> int:
            left, right = live[pair[0]], live[pair[1]]
            return size(left | right) + size(kept(left, right)) - size(left) - size(right)

        pair = min(combinations(live, 2), key=cost)
        left, right = (live.pop(number) for number in pair)
        _admit(size(left | right))
        live[len(scopes) + len(joins)] = kept(left, right)
        done = tuple(1 + block for block in _cards((left | right) & ~kept(left, right)))
        joins.append(Join(*pair, done))
    for mask in live.values():
        _admit(size(mask))
    left, right = live
    return [*joins, Join(left, right, ())]


def _admit(points: int) -> None:
    if points > LARGEST:
        raise MemoryError(f"a table of {points} points over the lattice; {LARGEST} are allowed")


# -- the comparison ------------------------------------------------------------------------------


class Timing(NamedTuple):
    """
    One position: seconds of each candidate from the same openings to the marginals.

    Attributes:
        kind: What kind of game it is, and who counts.
        entries: How many entries of the record were seen.
        points: The size of the whole lattice.
        diagram: Seconds of the deal diagram, the better of two runs.
        other: Seconds of inclusion and exclusion, or `None` where it refused.
        apart: The largest difference between the two tables of marginals.
    """

    kind: str
    entries: int
    points: int
    diagram: float
    other: float | None
    apart: float


def lattice(openings: Openings) -> int:
    """Return the number of points of the whole lattice."""
    return prod(block.points for block in _blocks(openings)) if openings.cards else 1


def timed(build: Callable[[Openings], Any], openings: Openings) -> tuple[float, Any, Any]:
    """Return seconds for building and marginals, the better of two runs, and what they gave."""
    runs = []
    for _ in range(2):
        automaton.cache_clear()  # nothing may be left over from another position
        start = perf_counter()
        built = build(openings)
        table = built.marginals()
        runs.append(perf_counter() - start)
    return min(runs), built, table


def compared(kind: str, entries: int, openings: Openings) -> Timing:
    """Time both candidates on one position; exits if they disagree about the number of deals."""
    seconds, diagram, table = timed(Diagram, openings)
    try:
        others, other, same = timed(InclusionExclusion, openings)
    except MemoryError:
        return Timing(kind, entries, lattice(openings), seconds, None, 0.0)
    if diagram.count() != other.count():
        raise SystemExit(f"{diagram.count()} deals, or {other.count()}: {openings}")
    return Timing(kind, entries, lattice(openings), seconds, others, float(abs(table - same).max()))


def positions() -> Iterator[tuple[str, int, Openings]]:
    """Yield the positions by kind: of the recorded games and of random ones."""
    from simulate import random_game

    from clue_solver.inference.deduction import Deduction
    from clue_solver.inference.hands import openings
    from clue_solver.knowledge.viewer import knowledge_of
    from clue_solver.record import load_record

    recorded = Path(__file__).resolve().parents[1] / "tests" / "games"
    games = [("recorded", load_record(file), 1) for file in sorted(recorded.glob("*.clue"))]
    for seats in (3, 4, 5, 6):
        for seed in range(3):
            game = random_game("clue-classic", seats, turns=24, seed=seed)
            games.append((f"{seats} players", game, 2))
    for seed in range(2):
        game = random_game("master-detective", 10, turns=24, seed=seed)
        games.append(("10 players, 30 cards", game, 4))
    for name, record, step in games:
        for viewer in dict.fromkeys((record.table.viewer, None)):
            kind = f"{name}, {'spectator' if viewer is None else 'viewer'}"
            for upto in range(1, len(record.observations) + 1, step):
                known = knowledge_of(
                    replace(record.table, shows="random", asks=ANY),
                    record.observations[:upto],
                    viewer=viewer,
                )
                yield kind, upto, openings(known, Deduction(known).possible(upto))


def print_table(title: str, timings: list[Timing], group: Callable[[Timing], str]) -> None:
    """Print both candidates' median / 95th percentile / worst by group, in milliseconds."""
    groups: dict[str, list[Timing]] = {}
    for timing in timings:
        groups.setdefault(group(timing), []).append(timing)
    print(
        f"{title:45}{'positions':>9}  {'diagram, ms':>22}  {'in- and exclusion, ms':>24}"
        f"{'ratio':>7}{'2x faster':>10}{'2x slower':>10}{'refused':>9}  difference"
    )
    for name, members in groups.items():
        both = [(t.diagram * 1e3, t.other * 1e3) for t in members if t.other is not None]
        refused = 1 - len(both) / len(members)
        if both:
            ours, others = np.array(both).T
            ratio = others / ours
            print(
                f"{name:45}{len(members):9}  {_spread(ours):>22}  {_spread(others):>24}"
                f"{np.median(ratio):7.2f}{np.mean(ratio < 0.5):10.0%}{np.mean(ratio > 2):10.0%}"
                f"{refused:9.0%}  {max(t.apart for t in members):.1e}"
            )
        if refused:
            left = np.array([t.diagram * 1e3 for t in members if t.other is None])
            print(f"{'  refused of ' + name:45}{len(left):9}  {_spread(left):>22}")
    print()


def _stage(timing: Timing) -> str:
    first = 1 << (timing.entries - 1).bit_length() - 1 if timing.entries > 1 else 0
    who = timing.kind.rpartition(", ")[2]
    return f"{first + 1} to {max(2 * first, 1)}, {who}"


def _spread(times: npt.NDArray[np.float64]) -> str:
    return f"{np.median(times):.2f} / {np.percentile(times, 95):.2f} / {times.max():.2f}"


def main() -> None:
    """Print the comparison by kind of game, by stage of the game and by size of the lattice."""
    timings = [compared(*position) for position in positions()]
    print("Times are median / 95th percentile / worst; `ratio` is the median of the quotients.\n")
    print_table("kind", timings, lambda timing: timing.kind)
    timings.sort(key=lambda timing: timing.entries)
    print_table("entries seen", timings, _stage)
    timings.sort(key=lambda timing: timing.points)
    print_table(
        "points of the lattice", timings, lambda timing: f"below 10^{len(str(timing.points))}"
    )


if __name__ == "__main__":
    main()
