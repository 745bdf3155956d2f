"""
A knowledge as a plain CNF formula, for counters and solvers of other people.

Variable `card * holders + holder + 1` says that the holder has the card, as in `sat.py`. Hand sizes
are written out with sequential counters (Sinz, "Towards an Optimal CNF Encoding of Boolean
Cardinality Constraints", CP 2005), defined in both directions: every auxiliary variable follows
from the cards, so models and deals are one to one. A likelihood is a table by how many of some
cards a holder has; it becomes weights of variables that say "exactly so many of them".
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.evidence import Factor
from clue_solver.knowledge.viewer import Knowledge


class Count(NamedTuple):
    """What an auxiliary variable says: how many of a mask of cards the holder has."""

    holder: int
    cards: int
    number: int
    exactly: bool
    """Exactly so many, or at least so many."""


class Formula(NamedTuple):
    """
    A knowledge in conjunctive normal form.

    Attributes:
        layout: The shape of the table.
        counts: What the variables behind those of the cards say, in their order.
        clauses: Lists of literals, of which one at least must be true.
        deal: The places in `clauses` of those that hold for every deal.
        supposed: The places of those that are only supposed.
        entries: For each entry, from 1 at place 0, the places of its clauses; a clause that two
            entries make together stands with the later one.
        weights: What a model's weight is multiplied by where a variable is true. All other weights
            are 1.
        weighed: For each entry the variables to whose weights it contributed.
        scale: The product of the likelihoods that are the same in every deal; in no weight.
    """

    layout: Layout
    counts: tuple[Count, ...]
    clauses: tuple[tuple[int, ...], ...]
    deal: range
    supposed: range
    entries: tuple[range, ...]
    weights: dict[int, float]
    weighed: tuple[tuple[int, ...], ...]
    scale: float

    @property
    def cards(self) -> int:
        """How many variables say that a holder has a card; they are the first."""
        return self.layout.cards * self.layout.holders

    @property
    def variables(self) -> int:
        """How many variables there are in all."""
        return self.cards + len(self.counts)

    def place(self, variable: int) -> tuple[int, int]:
        """Return the card and the holder of one of the first `cards` variables."""
        return divmod(variable - 1, self.layout.holders)


def formula(knowledge: Knowledge) -> Formula:
    """Return the knowledge as a formula whose models are the deals that fit."""
    writing = _Writing(knowledge.layout)
    writing.deal()
    deal = range(len(writing.clauses))
    by_entry: list[list[Clause]] = [[] for _ in range(knowledge.entries + 1)]
    for clause in knowledge.clauses:
        by_entry[max(clause.entries, default=0)].append(clause)
    likely: list[list[Factor]] = [[] for _ in range(knowledge.entries + 1)]
    for factor in (*knowledge.factors, *knowledge.behaviour):
        likely[factor.entry].append(factor)

    spans: list[range] = []
    weighed: list[tuple[int, ...]] = []
    for clauses, factors in zip(by_entry, likely, strict=True):
        first = len(writing.clauses)
        for clause in clauses:
            writing.clause(clause)
        weighed.append(tuple(v for factor in factors for v in writing.factor(factor)))
        spans.append(range(first, len(writing.clauses)))
    return Formula(
        layout=knowledge.layout,
        counts=tuple(writing.counts),
        clauses=tuple(writing.clauses),
        deal=deal,
        supposed=spans[0],
        entries=tuple(spans[1:]),
        weights=writing.weights,
        weighed=tuple(weighed[1:]),
        scale=writing.scale,
    )


class _Writing:
    """A formula as far as it is written."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.clauses: list[tuple[int, ...]] = []
        self.counts: list[Count] = []
        self.weights: dict[int, float] = {}
        self.scale = 1.0
        self._counters: dict[tuple[int, int], list[int]] = {}
        self._exact: dict[Count, int] = {}

    def has(self, card: int, holder: int) -> int:
        """Return the variable that says that the holder has the card."""
        return card * self.layout.holders + holder + 1

    def deal(self) -> None:
        """State what holds for every deal of the layout."""
        layout = self.layout
        for card in range(layout.cards):
            self._one([self.has(card, holder) for holder in range(layout.holders)])
        for category in layout.categories:
            self._one([self.has(card, layout.envelope) for card in card_numbers(category)])
        for holder, (least, most) in enumerate(layout.bounds):
            counter = self._counter(holder, layout.everything, most=most)
            if least > len(counter):
                self.clauses.append(())
            elif least:
                self.clauses.append((counter[least - 1],))
        self._dealt()

    def _dealt(self) -> None:
        """State which sizes the hands can have together."""
        layout = self.layout
        bounds = layout.bounds[: layout.seats] if layout.dealt else ()
        for sizes in product(*(range(least, most + 1) for least, most in bounds)):
            if sizes in layout.dealt or not bounds:
                continue
            literals: list[int] = []
            for holder, size in enumerate(sizes):
                least, most = bounds[holder]
                counter = self._counter(holder, layout.everything, most=most)
                if least < most:
                    literals.append(-counter[most - 1] if size == most else counter[most - 1])
            self.clauses.append(tuple(literals))

    def clause(self, clause: Clause) -> None:
        """State that the holder has, or lacks, one at least of the cards."""
        sign = 1 if clause.has else -1
        literals = (sign * self.has(card, clause.holder) for card in card_numbers(clause.cards))
        self.clauses.append(tuple(literals))

    def factor(self, factor: Factor) -> Iterator[int]:
        """Weigh the models by the factor; yields the variables that bear its weights."""
        _, holder, cards, (table, *_) = factor
        if all(value == table[0] for value in table):
            self.scale *= table[0]
            return
        counter = self._counter(holder, cards)
        for number, value in enumerate(table[: len(counter) + 1]):
            if value == 0.0:
                self.clauses.append(tuple(-part for part in _exactly(counter, number)))
            elif value != 1.0:
                count = Count(holder, cards, number, True)
                if count not in self._exact:
                    self._exact[count] = self._defined(count, _exactly(counter, number))
                variable = self._exact[count]
                self.weights[variable] = self.weights.get(variable, 1.0) * value
                yield variable

    def _one(self, literals: list[int]) -> None:
        """State that exactly one of the literals is true."""
        self.clauses.append(tuple(literals))
        self.clauses.extend((-a, -b) for a, b in combinations(literals, 2))

    def _counter(self, holder: int, cards: int, *, most: int | None = None) -> list[int]:
        """
        Return the variables that say that the holder has at least 1, 2, ... of the cards.

        It is stated as well that there are no more than `most`; there is no variable beyond.
        """
        if (holder, cards) in self._counters:
            return self._counters[holder, cards]
        row, sofar = list[int](), 0  # over the cards so far
        for card in card_numbers(cards):
            mine = self.has(card, holder)
            sofar = sofar | 1 << card
            before = row
            row = []
            for number in range(1, len(before) + 2):
                enough = [mine, *before[number - 2 : number - 1]] if number > 1 else [mine]
                already = before[number - 1 : number]
                if most is not None and number > most:
                    self.clauses.append(tuple(-part for part in enough))
                elif already or len(enough) > 1:
                    row.append(
                        self._defined(Count(holder, sofar, number, False), enough, or_else=already)
                    )
                else:
                    row.append(mine)
        self._counters[holder, cards] = row
        return row

    def _defined(self, count: Count, parts: list[int], or_else: Iterable[int] = ()) -> int:
        """Return a new variable: true where all of the parts are, or one of the others is."""
        self.counts.append(count)
        variable = self.layout.cards * self.layout.holders + len(self.counts)
        others = list(or_else)
        self.clauses.append((variable, *(-part for part in parts)))
        self.clauses.extend((variable, -other) for other in others)
        self.clauses.extend((-variable, part, *others) for part in parts)
        return variable


def _exactly(counter: list[int], number: int) -> list[int]:
    """Return the literals that say together that exactly so many are held."""
    at_least = counter[number - 1 : number] if number else []
    return [*at_least, *(-more for more in counter[number : number + 1])]
