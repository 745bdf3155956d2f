"""Positions of one table as rows of integers, to evaluate many of them fast."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, Self

import numpy as np

from clue_solver.errors import ArgumentError
from clue_solver.inference.arrays import Floats, Ints, Truths
from clue_solver.knowledge.clauses import Clause, Factor, Layout, Tables, card_numbers
from clue_solver.knowledge.viewer import Knowledge


class Weights(NamedTuple):
    """
    How likely an observation is, by how many of some cards a holder has.

    Attributes:
        tables: The weights for 0, 1, ... cards, the last for all higher numbers; one table, or one
            for each own-card level.
        origin: Where the weights come from: `rule` (what must hold), `sight` (how likely it was
            seen) or `behaviour` (what people usually do).
    """

    tables: Tables
    origin: Literal["rule", "sight", "behaviour"]


AT_LEAST_ONE = 0
"""The number of the weights that say: at least one of the cards."""


class Positions:
    """
    Positions of one table; each is what one viewer knows at one moment. New ones are empty.

    Attributes:
        layout: The shape of the table, by which holders and cards are numbered.
        may, has: The masks of the cards that each holder may have, and that it has; shape
            (positions, holders).
        kind, holder, cards: For each row, the number of its weights in `weights`, its holder and
            the mask of its cards; shape (positions, rows).
        used: How many rows of each position are in use.
        weights: The weights that rows refer to; the first are those of `AT_LEAST_ONE`.
    """

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout = layout
        self.may = np.full((count, layout.holders), layout.everything)
        self.has = np.zeros_like(self.may)
        self.kind, self.holder, self.cards = np.zeros((3, count, 16), np.int64)
        self.used = np.zeros(count, np.int64)
        self.weights: list[Weights] = []
        self._numbers: dict[Weights, int] = {}
        self.number(((0.0, 1.0),), "rule")  # AT_LEAST_ONE

    @classmethod
    def beginnings(cls, known: Sequence[tuple[Knowledge, Sequence[int]]]) -> Self:
        """
        Return what was known after some entries of each of many logs, a position for each of them.

        Args:
            known: For each log, what was known at its end, and the numbers of entries, ascending,
                after which to look.

        Raises:
            ArgumentError: If there are no logs, or they are not from one table.
        """
        if len({whole.layout for whole, _ in known}) != 1:
            raise ArgumentError("expected positions of one table", argument="known")
        positions = cls(known[0][0].layout, sum(len(entries) for _, entries in known))
        first = 0
        for whole, entries in known:
            positions._read(first, whole, entries)
            first += len(entries)
        return positions

    def _read(self, first: int, whole: Knowledge, entries: Sequence[int]) -> None:
        """Fill positions from `first` on with what was known after some entries of a log."""
        known = 0, 0
        for at, entry in enumerate(entries, first):
            if at > first:  # it begins with all that was known in the one before
                for column in (self.may, self.has, self.kind, self.holder, self.cards, self.used):
                    column[at] = column[at - 1]
            upto = whole.lengths(entry)
            clauses, factors = map(slice, known, upto)
            self.learn(at, whole.clauses[clauses], whole.factors[factors])
            known = upto

    def learn(self, position: int, clauses: Iterable[Clause], factors: Iterable[Factor]) -> None:
        """Add clauses and factors to one position."""
        for clause in clauses:
            if clause.cards.bit_count() != 1:
                rule = AT_LEAST_ONE if clause.has else self.number(clause.tables, "rule")
                self.add_row(position, rule, clause.holder, clause.cards)
            elif clause.has:
                self.has[position, clause.holder] |= clause.cards
            else:
                self.may[position, clause.holder] &= ~clause.cards
        for factor in factors:
            kind = self.number(factor.tables, "behaviour" if factor.behaviour else "sight")
            self.add_row(position, kind, factor.holder, factor.cards)

    def add_row(self, position: int, kind: int, holder: int, cards: int) -> None:
        """Add a row to one position: the index of its weights, its holder, its cards as a mask."""
        at = int(self.used[position])
        if at == self.kind.shape[1]:
            self._widen()
        self.kind[position, at] = kind
        self.holder[position, at] = holder
        self.cards[position, at] = cards
        self.used[position] = at + 1

    def _widen(self) -> None:
        """Make room for twice as many rows."""
        self.kind, self.holder, self.cards = (
            np.hstack([column, np.zeros_like(column)])
            for column in (self.kind, self.holder, self.cards)
        )

    def number(self, tables: Tables, origin: Literal["rule", "sight", "behaviour"]) -> int:
        """Return the number of some weights, which are added if they are new."""
        weights = Weights(tables, origin)
        if weights not in self._numbers:
            self._numbers[weights] = len(self.weights)
            self.weights.append(weights)
        return self._numbers[weights]

    def __len__(self) -> int:
        return len(self.used)

    @property
    def levels(self) -> Ints:
        """For each of the weights, the number of its tables: all own-card levels, or 1."""
        return np.array([len(weights.tables) for weights in self.weights])

    @property
    def behaviour(self) -> Truths:
        """Whether each position weighs what people usually do, shape (positions,)."""
        behaviour = np.array([weights.origin == "behaviour" for weights in self.weights])
        used = np.arange(self.kind.shape[1]) < self.used[:, None]
        return np.asarray((behaviour[self.kind] & used).any(axis=1))

    def logarithms(self, levels: int) -> Floats:
        """Return the logarithms of all weights, shape (weights, levels, cards + 1)."""
        cards = self.layout.cards + 1
        whole = np.zeros((len(self.weights), levels, cards))
        for number, (tables, _) in enumerate(self.weights):
            padded = [(*table, *table[-1:] * cards)[:cards] for table in tables]
            whole[number, : len(tables) if len(tables) > 1 else levels] = padded
        with np.errstate(divide="ignore"):
            logarithms: Floats = np.log(whole)
        return logarithms

    def knowledge(self, position: int) -> Knowledge:
        """
        Return a position as clauses and factors, in which each row counts as an entry.

        What is certain counts as the first entry.
        """
        factors = []
        may, has = self.may[position].tolist(), self.has[position].tolist()
        lacks = [self.layout.everything & ~mask for mask in may]
        clauses = [
            Clause((1,), holder, 1 << card, says)
            for says, masks in ((True, has), (False, lacks))
            for holder, mask in enumerate(masks)
            for card in card_numbers(mask)
        ]
        used = int(self.used[position])
        columns = (
            column[position, :used].tolist() for column in (self.kind, self.holder, self.cards)
        )
        for entry, (kind, holder, cards) in enumerate(zip(*columns, strict=True), 1):
            tables, origin = self.weights[kind]
            if origin == "rule":
                clauses.append(Clause((entry,), holder, cards, has=kind == AT_LEAST_ONE))
            else:
                held = cards.bit_count() + 1
                shortened = tuple(each[:held] for each in tables)
                behaviour = origin == "behaviour"
                factors.append(Factor(entry, holder, cards, shortened, behaviour))
        return Knowledge(
            layout=self.layout,
            entries=max(used, 1),
            clauses=tuple(clauses),
            factors=tuple(factors),
        )
