"""
What one viewer knows of a game: the evidence, its clauses, its likelihoods; and as arrays.

`Positions` hold what many viewers of one table know: what `clauses` and `evidence` say with an
object each stands there in a row of integers. Appending what an entry tells changes arrays and
builds no objects, so tables can be played by the thousand; `inference.batch` evaluates them.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from itertools import chain
from operator import attrgetter, is_
from typing import NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from clue_solver.errors import ArgumentError
from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import (
    Clause,
    ClauseEncoder,
    Layout,
    Numbers,
    clauses,
    clauses_of,
    no_clauses,
)
from clue_solver.knowledge.evidence import Factor, one_in
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.table import Shows, Table


class ReadSoFar(NamedTuple):
    """What was read of a log, and what it means for the entries that come next."""

    observations: tuple[Observation, ...]
    clauses: ClauseEncoder
    factors: evidence.FactorEncoder

    def begins(self, observations: Sequence[Observation]) -> bool:
        """Return whether a log begins with the very observations that were read."""
        read = self.observations
        return len(read) <= len(observations) and all(map(is_, read, observations))


class Knowledge(Struct, frozen=True, kw_only=True):
    """
    What a viewer knows, in the numbers of `Layout`.

    Attributes:
        layout: The shape of the table.
        entries: How many entries of the record were read; clauses and factors name them from 1.
        clauses: What must be so, in the order of the last of their entries; what is supposed comes
            from none, and first.
        factors: How likely what was seen is, given the hands; in the order of the entries.
        behaviour: The same of what people usually do, which only moves numbers.
        shown: The cards shown to the viewer in answers, in the order of the entries.
        shows: The show policy.
        reading: Where reading the log can go on; `None` if it cannot.
    """

    layout: Layout
    entries: int
    clauses: tuple[Clause, ...]
    factors: tuple[evidence.Factor, ...]
    behaviour: tuple[evidence.Factor, ...] = ()
    shown: tuple[evidence.Shown, ...] = ()
    shows: Shows = "random"
    reading: ReadSoFar | None = None

    def upto(self, entry: int) -> Self:
        """Return what was known after the first `entry` entries."""
        if entry == self.entries:
            return self
        clauses = clauses_upto(self.clauses, entry)
        factors, behaviour, shown = (
            bisect_right(dated, entry, key=attrgetter("entry"))
            for dated in (self.factors, self.behaviour, self.shown)
        )
        return type(self)(
            layout=self.layout,
            entries=entry,
            clauses=self.clauses[:clauses],
            factors=self.factors[:factors],
            behaviour=self.behaviour[:behaviour],
            shown=self.shown[:shown],
            shows=self.shows,
        )

    @property
    def prior(self) -> tuple[float, ...]:
        """The prior probability of each level of care; they sum to 1."""
        learned = any(len(factor.tables) > 1 for factor in self.behaviour)
        return evidence.PRIOR if learned else (1.0,)

    def habit(self, seat: int) -> int:
        """Return the mask of the cards that a seat has shown the viewer in answers."""
        return sum({showing.card for showing in self.shown if showing.seat == seat})


def clauses_upto(clauses: Sequence[Clause], entry: int) -> int:
    """Return how many of a knowledge's clauses come from the first `entry` entries alone."""
    return bisect_right(clauses, entry, key=_last_entry)


def _last_entry(clause: Clause) -> int:
    """Return the last of a clause's entries; 0 for what is supposed."""
    return max((0, *clause.entries))


def knowledge_of(
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    supposed: Iterable[Knowing] = (),
    before: Knowledge | None = None,
    again: bool = False,
) -> Knowledge:
    """
    Return what `viewer` (a seat, or `None` for a spectator) learned from the observations.

    Args:
        table: Who plays, and by which policies.
        observations: A whole record or its beginning, in file order.
        supposed: What is assumed besides, whoever knows it; it belongs to no entry.
        before: What the same viewer knew at this table by these policies and supposing the same,
            of a shorter log; where this one begins with that, only the rest is read.
        again: Whether nobody here asks again for a card that it was shown, where behaviour counts.
    """
    observations = tuple(observations)
    if before is None or before.reading is None or not before.reading.begins(observations):
        numbers = Numbers(table)
        before = Knowledge(
            layout=numbers.layout,
            entries=0,
            clauses=_assumed(supposed, numbers),
            factors=(),
            shows=table.policy,
            reading=ReadSoFar(
                observations=(),
                clauses=ClauseEncoder(numbers),
                factors=evidence.FactorEncoder(numbers, table, viewer=viewer),
            ),
        )
    assert before.reading is not None
    encoder, weighing = copy(before.reading.clauses), copy(before.reading.factors)
    rest = enumerate(observations[before.entries :], before.entries + 1)
    telling = (entry for entry in rest if not _is_silent(type(entry[1])))
    seen = evidence.share(telling, table=table, viewer=viewer)
    certain = chain.from_iterable(encoder.clauses(*entry) for entry in seen)
    likely = chain.from_iterable(weighing.factors(*entry) for entry in seen)
    usual = chain.from_iterable(
        (*weighing.behaviour(*entry), *(weighing.asked_again(*entry) if again else ()))
        for entry in seen
    )
    shown = evidence.shown_cards(seen, numbers=encoder.numbers, viewer=viewer)
    return Knowledge(
        layout=before.layout,
        entries=len(observations),
        clauses=(*before.clauses, *certain),
        factors=(*before.factors, *likely),
        behaviour=(*before.behaviour, *usual),
        shown=(*before.shown, *shown),
        shows=before.shows,
        reading=ReadSoFar(observations, encoder, weighing),
    )


@cache
def _is_silent(kind: type[Observation]) -> bool:
    """Return whether entries of a kind say nothing about the deal, as most of a game's do."""
    says, likely = clauses_of.dispatch(kind), evidence.factors_of.dispatch(kind)
    return says is no_clauses and likely is evidence.no_factors


def shared_knowledge(
    table: Table, observations: Iterable[Observation], *, viewer: str | None, seat: str
) -> Knowledge:
    """
    Return what both the seat and the viewer saw, so that each knows that the other knows it.

    Clauses only: what the seat may think likely is not known to the viewer.
    """
    numbered = tuple(enumerate(observations, 1))
    both = evidence.share(numbered, table=table, viewer=viewer)
    seen = evidence.share(both, table=table, viewer=seat)
    return _clauses_alone(table, seen, len(numbered))


def pooled_knowledge(
    table: Table, observations: Iterable[Observation], *, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """
    Return what a record says in all, whoever saw it.

    Clauses only: no player knows all of it, so nobody would hold anything more or less likely.
    """
    seen = tuple(enumerate(observations, 1))
    return _clauses_alone(table, seen, len(seen), supposed)


def _clauses_alone(
    table: Table, seen: evidence.Evidence, entries: int, supposed: Iterable[Knowing] = ()
) -> Knowledge:
    """Return what evidence says, nothing weighed."""
    numbers = Numbers(table)
    return Knowledge(
        layout=numbers.layout,
        entries=entries,
        clauses=(*_assumed(supposed, numbers), *clauses(seen, numbers=numbers)),
        factors=(),
        shows="none",
    )


def _assumed(supposed: Iterable[Knowing], numbers: Numbers) -> tuple[Clause, ...]:
    """Return what is supposed as clauses that belong to no entry."""
    certain = clauses(((0, knowing) for knowing in supposed), numbers=numbers)
    return tuple(clause._replace(entries=()) for clause in certain)


Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Tables = tuple[tuple[float, ...], ...]

HAS, LACKS, NONE, ALL, FACTOR = range(5)
"""
What a row says of a holder: at least one of the cards; not all of them; none; all; from `FACTOR`
on, how likely what was seen is by how many of the cards it has, in the table of that number.
"""


class Shape(NamedTuple):
    """
    A table in numbers.

    Attributes:
        cards: Number of cards in play.
        categories: The mask of each category's cards, shape (categories,).
        least, most: Bounds of the hands' sizes, shape (holders - 1,): seats, then slots.
        tables: Logarithms of weights by level of care and by the number of a mask's cards that a
            hand has, shape (tables, levels, cards + 1).
        levels: At how many levels each of the tables has its own weights: at all or at one, shape
            (tables,).
        prior: The logarithm of how likely each level is before anything is seen, shape (levels,).
    """

    cards: int
    categories: Ints
    least: Ints
    most: Ints
    tables: Floats
    levels: Ints
    prior: Floats


class Rows(NamedTuple):
    """
    The evidence of many positions of one table.

    Attributes:
        kind: What a row says, shape (positions, rows).
        holder: Of whom, same shape.
        cards: The mask of the cards, same shape.
        used: How many of a position's rows there are, shape (positions,).
    """

    kind: Ints
    holder: Ints
    cards: Ints
    used: Ints


class Positions:
    """
    Positions of one table, each what one viewer knows at one moment; new ones know nothing.

    Attributes:
        layout: The shape of the table; holders and cards are numbered as there.
        rows: The evidence so far; the arrays are longer than what counts.

    >>> from clue_solver import load_edition, Table
    >>> from clue_solver.knowledge.clauses import Numbers
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    >>> positions = Positions(Numbers(table).layout, 2)
    >>> positions.add(NONE, holder=1, cards=0b111, which=np.array([0, 1]))
    >>> positions.rows.used
    array([1, 1])
    """

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout = layout
        empty = np.zeros((count, 16), np.int64)
        self.rows = Rows(empty, empty.copy(), empty.copy(), np.zeros(count, np.int64))
        self._tables: dict[tuple[Tables, bool], int] = {
            ((one_in(layout.everything),), False): 0
        }  # at one level or at each, with whether they say what people usually do
        self._kinds: dict[tuple[Tables, bool], int] = {}  # of tables as they were given
        self._shape: tuple[int, Shape | None] = (0, None)

    @classmethod
    def of(cls, known: Sequence[Knowledge]) -> Self:
        """
        Return what was read already as positions, in order.

        Raises:
            ArgumentError: If there are none, or they are not of one table.
        """
        return cls.beginnings([(position, (position.entries,)) for position in known])

    @classmethod
    def beginnings(cls, known: Sequence[tuple[Knowledge, Sequence[int]]]) -> Self:
        """
        Return what was known after some entries of each of many logs, in order.

        A log is walked through once, however many of its beginnings are asked for.

        Args:
            known: What was known in the end, and after how many entries to look, ascending.

        Raises:
            ArgumentError: If there are none, or they are not of one table.
        """
        if len({whole.layout for whole, _ in known}) != 1:
            raise ArgumentError("expected positions of one table", argument="known")
        positions = cls(known[0][0].layout, sum(len(entries) for _, entries in known))
        listed = [
            np.fromiter(chain.from_iterable(positions._first_rows(*one)), np.int64).reshape(-1, 4).T
            for one in known
        ]
        longest = max(len(first) for first, *_ in listed)
        columns = np.zeros((3, len(positions), max(longest, 1)), np.int64)
        used = np.zeros(len(positions), np.int64)
        at = 0
        for rows, (_, entries) in zip(listed, known, strict=True):
            first = rows[0]
            here = slice(at, at + len(entries))
            columns[:, here, : len(first)] = rows[1:, None]
            used[here] = np.searchsorted(first, np.arange(len(entries)), "right")
            at += len(entries)
        kind, holder, cards = columns
        positions.rows = Rows(kind, holder, cards, used)
        return positions

    def __len__(self) -> int:
        return len(self.rows.used)

    def __repr__(self) -> str:
        layout = self.layout
        return f"<Positions: {len(self)} of {layout.cards} cards, {layout.holders} holders>"

    def take(self, which: Ints | Sequence[int]) -> Self:
        """Return some of the positions, by their numbers, as new ones."""
        which = self._numbers(which, "which")
        taken = copy(self)
        longest = max(int(self.rows.used[which].max(initial=0)), 1)
        kind, holder, cards = (column[which, :longest] for column in self.rows[:3])
        taken.rows = Rows(kind, holder, cards, self.rows.used[which])
        return taken

    @property
    def shape(self) -> Shape:
        """The table and the weights that rows speak of."""
        tables, shape = self._shape
        if shape is None or tables != len(self._tables):
            least, most = np.array(self.layout.bounds, np.int64).reshape(-1, 2).T
            categories = np.array(self.layout.categories, np.int64)
            every = len(evidence.LEVELS)
            levels = [len(tables) for tables, _ in self._tables]
            weights = [tables * (every // len(tables)) for tables, _ in self._tables]
            with np.errstate(divide="ignore"):
                logarithms = np.log(weights)
            shape = Shape(
                self.layout.cards,
                categories,
                least.copy(),
                most.copy(),
                logarithms,
                np.array(levels),
                np.log(evidence.PRIOR),
            )
            self._shape = (len(self._tables), shape)
        return shape

    @property
    def behaviour(self) -> npt.NDArray[np.bool_]:
        """Whether each position weighs what people usually do, shape (positions,)."""
        usual = np.array([usual for _, usual in self._tables])
        kind = self.rows.kind
        used = np.arange(self.rows.kind.shape[1]) < self.rows.used[:, None]
        rows = used & (kind >= FACTOR) & usual[np.maximum(kind - FACTOR, 0)]
        weighed: npt.NDArray[np.bool_] = rows.any(axis=1)
        return weighed

    def table(self, weights: Iterable[float]) -> int:
        """
        Return the kind of a row that weighs hands, making it if it is new.

        Args:
            weights: The weight of a hand that has none of the cards, one of them and so on; the
                last counts for all higher numbers.
        """
        return self._kind((tuple(weights),), usual=False)

    def _kind(self, tables: Tables, *, usual: bool) -> int:
        """Return the kind of a row that weighs by one table, or by one at each level of care."""
        given = tables, usual
        if given not in self._kinds:
            longest = self.layout.cards + 1
            padded = tuple(
                (*map(float, table), *table[-1:] * (longest - len(table))) for table in tables
            )
            number = self._tables.setdefault((padded, usual), len(self._tables))
            self._kinds[given] = FACTOR + number
        return self._kinds[given]

    def add(self, kind: int | Ints, *, holder: int | Ints, cards: int | Ints, which: Ints) -> None:
        """
        Add one row to each of some positions.

        Args:
            kind, holder, cards: Of all of them, or of each, shape (len(which),).
            which: The numbers of the positions, each once.
        """
        at = self.rows.used[which]
        if len(which) and int(at.max()) >= self.rows.kind.shape[1]:
            self._widen()
        for column, value in zip(self.rows, (kind, holder, cards), strict=False):
            column[which, at] = value
        self.rows.used[which] += 1

    def _widen(self) -> None:
        """Make room for as many rows again."""
        kinds, holders, masks = (
            np.hstack([column, np.zeros_like(column)]) for column in self.rows[:3]
        )
        self.rows = Rows(kinds, holders, masks, self.rows.used)

    def shown(
        self, *, holder: int | Ints, card: int | Ints, asked: int | Ints, which: Ints
    ) -> None:
        """
        Add what a viewer learns from being shown a card, by the show policy `random`.

        Args:
            holder: Who shows it; of all positions or of each.
            card, asked: The masks of the card and of those asked for.
            which: The numbers of the positions, each once.
        """
        self.add(ALL, holder=holder, cards=card, which=which)
        self.add(FACTOR, holder=holder, cards=asked, which=which)

    def knowledge(self, position: int) -> Knowledge:
        """Return a position as clauses and factors, each row an entry of its own."""
        self._numbers([position], "position")
        tables = list(self._tables)
        clauses: list[Clause] = []
        factors: list[Factor] = []
        behaviour: list[Factor] = []
        rows = zip(*(column[position].tolist() for column in self.rows[:3]), strict=True)
        count = int(self.rows.used[position])
        for entry, (kind, holder, cards) in zip(range(1, count + 1), rows, strict=False):
            single = [1 << card for card in range(self.layout.cards) if cards >> card & 1]
            if kind >= FACTOR:
                weights, usual = tables[kind - FACTOR]
                held = len(single) + 1
                factor = Factor(entry, holder, cards, tuple(table[:held] for table in weights))
                (behaviour if usual else factors).append(factor)
            elif kind in (HAS, LACKS):
                clauses.append(Clause((entry,), holder, cards, kind == HAS))
            else:
                clauses += [Clause((entry,), holder, card, kind == ALL) for card in single]
        return Knowledge(
            layout=self.layout,
            entries=count,
            clauses=tuple(clauses),
            factors=tuple(factors),
            behaviour=tuple(behaviour),
        )

    def learn(self, position: int, clauses: Iterable[Clause], factors: Iterable[Factor]) -> None:
        """Add to one position what an entry tells its viewer, as clauses and factors say it."""
        for kind, holder, cards in self._rows(clauses, factors):
            self.append(position, kind, holder, cards)

    def append(self, position: int, kind: int, holder: int, cards: int) -> None:
        """Add one row to one position."""
        at = int(self.rows.used[position])
        if at >= self.rows.kind.shape[1]:
            self._widen()
        rows = self.rows
        rows.kind[position, at] = kind
        rows.holder[position, at] = holder
        rows.cards[position, at] = cards
        rows.used[position] = at + 1

    def _numbers(self, which: Ints | Sequence[int], argument: str) -> Ints:
        """Return numbers of positions as an array; refuse what is none."""
        numbers = np.asarray(which, np.int64)
        wrong = numbers[(numbers < 0) | (numbers >= len(self))]
        if len(wrong):
            told = f"{argument}: expected a number below {len(self)}; found {wrong[0]}"
            raise ArgumentError(told, argument=argument)
        return numbers

    def _first_rows(
        self, whole: Knowledge, entries: Sequence[int]
    ) -> Iterator[tuple[int, int, int, int]]:
        """Yield each row of a log behind the number of the first beginning that has it."""
        clauses = _begun(whole.clauses, _last_entry, entries)
        factors, behaviour = (
            _begun(told, attrgetter("entry"), entries) for told in (whole.factors, whole.behaviour)
        )
        for number, told in enumerate(zip(clauses, factors, behaviour, strict=True)):
            if number < len(entries) and any(told):
                for row in self._rows(*told):
                    yield number, *row

    def _rows(
        self, clauses: Iterable[Clause], factors: Iterable[Factor], behaviour: Iterable[Factor] = ()
    ) -> Iterable[tuple[int, int, int]]:
        """Yield the rows of clauses and factors; single cards of one holder share theirs."""
        single: dict[tuple[int, int], int] = {}
        for _, holder, cards, has in clauses:
            if cards & cards - 1 or not cards:
                yield HAS if has else LACKS, holder, cards
            else:
                of = (ALL if has else NONE, holder)
                single[of] = single.get(of, 0) | cards
        for (kind, holder), cards in single.items():
            yield kind, holder, cards
        for likely, usual in ((factors, False), (behaviour, True)):
            for _, holder, cards, tables in likely:
                yield self._kind(tables, usual=usual), holder, cards


Part = TypeVar("Part")


def _begun(
    told: Iterable[Part], date: Callable[[Part], int], entries: Sequence[int]
) -> list[list[Part]]:
    """Return what is new in each of a log's beginnings, and last what is in none of them."""
    parts: list[list[Part]] = [[] for _ in range(len(entries) + 1)]
    begun = np.searchsorted(entries, [*map(date, told)]).tolist()
    for one, number in zip(told, begun, strict=True):
        parts[number].append(one)
    return parts
