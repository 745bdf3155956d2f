"""Positions of one table as arrays of integers, so that many can be evaluated fast."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from clue_solver.errors import ArgumentError
from clue_solver.inference.arrays import Floats, Ints
from clue_solver.knowledge.clauses import CardMask, Clause, Factor, Layout, Tables
from clue_solver.knowledge.viewer import Knowledge

AT_LEAST_ONE = 0
"""The number of the table that says that a holder has at least one of the cards."""


class Positions:
    """
    Positions of one table; each is what one viewer knows at one moment. New ones are empty.

    A row is one statement about a holder and some cards: a table weighs how many of them it has.

    Attributes:
        layout: The shape of the table, by which holders and cards are numbered.
        may, has: The masks of the cards that each holder may have, and that it has; shape
            (positions, holders).
        kind, holder, cards: For each row, the number of its table in `tables`, its holder and the
            mask of its cards; shape (positions, rows).
        used: How many rows of each position are in use.
        weighs_behaviour: Whether each position weighs what people usually do, shape (positions,).
        tables: The tables that rows refer to. An item is a single table, or has a table for each
            own-card level. A table has weights by how many of a row's cards the holder has; its
            last weight also counts for all higher numbers. Item 0 is that of `AT_LEAST_ONE`.
    """

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout = layout
        self.may = np.full((count, layout.holders), layout.everything)
        self.has = np.zeros_like(self.may)
        self.kind, self.holder, self.cards = np.zeros((3, count, 16), np.int64)
        self.used = np.zeros(count, np.int64)
        self.weighs_behaviour = np.zeros(count, np.bool_)
        self.tables: list[Tables] = [((0.0, 1.0),)]  # AT_LEAST_ONE
        self._numbers: dict[Tables, int] = {}
        self._learned: list[tuple[list[Clause], list[Factor]]] = [([], []) for _ in range(count)]

    @classmethod
    def beginnings(cls, known: Sequence[tuple[Knowledge, Sequence[int]]]) -> Self:
        """
        Return the positions after given entries of many logs.

        Args:
            known: A pair for each log: what was known at its end, and the numbers of the entries,
                ascending, after each of which there is to be a position.

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
        """
        Fill one position for each of `entries`, with what was known after that entry.

        Args:
            first: The number of the first position to fill.
            whole: What was known at the end of the log.
            entries: The numbers of entries, ascending.
        """
        known = 0, 0
        for at, entry in enumerate(entries, first):
            if at > first:  # it begins with all that was known in the one before
                for column in (*self.rows, self.weighs_behaviour):
                    column[at] = column[at - 1]
                clauses, factors = self._learned[at - 1]
                self._learned[at] = [*clauses], [*factors]
            upto = whole.lengths(entry)
            new_clauses, new_factors = map(slice, known, upto)
            self.learn(at, whole.clauses[new_clauses], whole.factors[new_factors])
            known = upto

    @property
    def rows(self) -> tuple[Ints, ...]:
        """
        The arrays of what is known, in the order of the fields of `machine_code.PositionRows`.
        """
        return self.may, self.has, self.kind, self.holder, self.cards, self.used

    def learn(self, position: int, clauses: Sequence[Clause], factors: Sequence[Factor]) -> None:
        """
        Add what a viewer learns to the position with this number, from 0.

        Args:
            position: The number of the position.
            clauses: What must hold.
            factors: How likely and how usual observations are.
        """
        learned_clauses, learned_factors = self._learned[position]
        learned_clauses += clauses
        learned_factors += factors
        for clause in clauses:
            if clause.cards.bit_count() != 1:
                kind = AT_LEAST_ONE if clause.has else self._number(clause.tables)
                self._add_row(position, kind, clause.holder, clause.cards)
            elif clause.has:
                self.has[position, clause.holder] |= clause.cards
            else:
                self.may[position, clause.holder] &= ~clause.cards
        for factor in factors:
            self._add_row(position, self._number(factor.tables), factor.holder, factor.cards)
            self.weighs_behaviour[position] |= factor.is_behaviour

    def _add_row(self, position: int, kind: int, holder: int, cards: CardMask) -> None:
        """
        Add a row to the position with this number.

        Args:
            position: The number of the position.
            kind: The number of the row's table in `tables`.
            holder: The number of the holder that the row is about.
            cards: The mask of the cards that it is about.
        """
        at = int(self.used[position])
        if at == self.kind.shape[1]:  # make room for twice as many
            self.kind, self.holder, self.cards = (
                np.hstack([column, np.zeros_like(column)])
                for column in (self.kind, self.holder, self.cards)
            )
        self.kind[position, at] = kind
        self.holder[position, at] = holder
        self.cards[position, at] = cards
        self.used[position] = at + 1

    def _number(self, tables: Tables) -> int:
        """
        Return the index of a table, or of a table by level, in the attribute `tables`.

        It is added if it is new.
        """
        if tables not in self._numbers:
            self._numbers[tables] = len(self.tables)
            self.tables.append(tables)
        return self._numbers[tables]

    def __len__(self) -> int:
        return len(self.used)

    @property
    def levels(self) -> Ints:
        """For how many own-card levels each table has weights: for all, or 1; shape (tables,)."""
        return np.array([len(by_level) for by_level in self.tables])

    def logarithms(self, levels: int) -> Floats:
        """
        Return the logarithms of the weights of all tables, shape (tables, levels, cards + 1).

        The last index is how many of a row's cards the holder has. `levels` is the number of
        own-card levels; a table without levels has the same weights at each.
        """
        cards = self.layout.cards + 1
        whole = np.zeros((len(self.tables), levels, cards))
        for number, by_level in enumerate(self.tables):
            padded = [(*table, *table[-1:] * cards)[:cards] for table in by_level]
            whole[number, : len(by_level) if len(by_level) > 1 else levels] = padded
        with np.errstate(divide="ignore"):
            logarithms: Floats = np.log(whole)
        return logarithms

    def knowledge(self, position: int) -> Knowledge:
        """
        Return what is known in the position with this number, from 0, as clauses and factors.

        Clauses are what must hold, factors how likely it is. `entries` is the last entry that any
        of them follows from.
        """
        clauses, factors = self._learned[position]
        last = max((each[-1].entry for each in (clauses, factors) if each), default=0)
        return Knowledge(
            layout=self.layout, entries=last, clauses=tuple(clauses), factors=tuple(factors)
        )
