"""
What two notebooks of one game tell of the same thing: their headers as one table, their entries
side by side with gaps where one missed something, and what entries of one event tell together.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from clue_solver.errors import RecordError, printable
from clue_solver.notation.names import joined
from clue_solver.record.header import format_value
from clue_solver.rules.forms import SingleAnswer
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.table import Table

T = TypeVar("T")


class Disagreement(RecordError):
    """
    Notebooks that tell one thing in two ways.

    Attributes:
        differences: Each as a sentence, with the entries of both.

    >>> from clue_solver import load, merge
    >>> from clue_solver.exchange.agreeing import Disagreement
    >>> from clue_solver.rules.observations import Accusation
    >>> record, cards = load("examples/classic.clue").record.upto(17), ("Green", "Rope", "Library")
    >>> books = [record.append(Accusation(by="Ann", cards=cards, right=so)) for so in (True, False)]
    >>> try:
    ...     merge(books)
    ... except Disagreement as error:
    ...     print(len(error.differences))
    1
    """

    def __init__(self, differences: Sequence[str]) -> None:
        self.differences = tuple(differences)
        some = [f"\n  {difference}" for difference in self.differences[:10]]
        more = len(self.differences) - len(some)
        rest = f"\n  and {more} more" if more else ""
        super().__init__(f"the notebooks disagree:{''.join(some)}{rest}")


def one_table(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """
    Return the one table that the headers describe: sizes filled in, seats as in the first.

    Raises:
        Disagreement: If two of them tell something differently.
        SetupError: If the sizes that they tell together do not add up.
    """
    table = tables[0]
    differences: list[str] = []
    for given, name in zip(tables[1:], names[1:], strict=True):
        other = _turned(given, table.seats)
        differences += (
            f"{what}: {printable(names[0])} says {printable(one, most=200)}, "
            f"{printable(name)} says {printable(two, most=200)}"
            for what, one, two in _header_differences(table, other)
        )
        if differences:
            continue
        fields = [key.replace("-", "_") for key in _TOLD_ONCE]
        also = {field: getattr(table, field) or getattr(other, field) for field in fields}
        hands, pieces = _filled(table.hands, other.hands), _filled(table.pieces, other.pieces)
        table = replace(table, hands=hands, pieces=pieces, **also)
    if differences:
        raise Disagreement(differences)
    viewers, shows = {table.viewer for table in tables}, {table.shows for table in tables}
    return replace(
        table,
        viewer=tables[0].viewer if len(viewers) == 1 else None,
        shows=tables[0].shows if len(shows) == 1 else None,
    )


def _filled(mine: tuple[T | None, ...], theirs: tuple[T | None, ...]) -> tuple[T | None, ...]:
    """Return what one list tells of each seat, or else the other."""
    both = zip(mine or theirs, theirs or mine, strict=True)
    return tuple(other if own is None else own for own, other in both)


def _turned(table: Table, seats: tuple[str, ...]) -> Table:
    """Return the table with the seats beginning where the others do, if it is the same circle."""
    if set(table.seats) != set(seats):
        return table
    start = table.seats.index(seats[0])
    hands = table.hands[start:] + table.hands[:start]
    pieces = table.pieces[start:] + table.pieces[:start]
    seats = table.seats[start:] + table.seats[:start]
    return replace(table, seats=seats, hands=hands, pieces=pieces)


def _header_differences(one: Table, two: Table) -> Iterator[tuple[str, str, str]]:
    """Yield what two headers tell differently: the key, and both values as text."""
    if replace(one.edition, name="") != replace(two.edition, name=""):
        yield "edition", one.edition.name, two.edition.name
    if one.seats != two.seats:
        others = [seat for seat in two.seats if seat not in one.seats]
        hint = f" (say who {joined(others, 'and')} is there)" if others else ""
        yield "players", ", ".join(one.seats), ", ".join(two.seats) + hint
        return
    for seat, mine, theirs in zip(one.seats, one.hands, two.hands, strict=False):
        if mine is not None and theirs is not None and mine != theirs:
            yield f"hands, {seat}", str(mine), str(theirs)
    if set(one.face_up) != set(two.face_up):
        yield "face-up", ", ".join(one.face_up) or "none", ", ".join(two.face_up) or "none"
    if {(slot.name, slot.count) for slot in one.slots} != {(s.name, s.count) for s in two.slots}:
        down, other = (format_value(table, "face-down") or "none" for table in (one, two))
        yield "face-down", down, other
    if (one.order or one.edition.order) != (two.order or two.edition.order):
        yield "order", one.order or one.edition.order, two.order or two.edition.order
    if one.rule_of_answering != two.rule_of_answering:
        yield "answers", one.rule_of_answering, two.rule_of_answering
    for seat, piece, other_piece in zip(one.seats, one.pieces, two.pieces, strict=False):
        if piece and other_piece and piece != other_piece:
            yield f"pieces, {seat}", piece, other_piece
    for key in _TOLD_ONCE:
        value, also = format_value(one, key), format_value(two, key)
        if value and also and value != also:
            yield key, value, also


_TOLD_ONCE = (
    *("asks", "board", "notch", "sizes", "first"),
    *("solution", "house", "clue-cards", "game"),
)
"""What one notebook may tell and another leave out."""


MOST_PLACES = 2_000_000
"""How many places in both lists are looked at; two lists that have nothing in common need all."""

Pair = tuple[int | None, int | None]
Cost = Callable[[T, T], int | None]


def aligned(
    one: Sequence[T], two: Sequence[T], *, cost: Cost[T], alone: Callable[[T], int]
) -> list[Pair]:
    """
    Return the cheapest way to lay two lists side by side: pairs of places, `None` for a gap.

    Where something stands in one list only, what the first list has alone comes first
    (Needleman, Wunsch, "A general method applicable to the search for similarities", 1970).
    `cost` is that of taking two things for the same, `None` if they cannot be; `alone` that of
    leaving a thing without its like.

    Raises:
        RecordError: If they differ so much that too many ways would have to be compared.
    """
    rows, columns = len(one), len(two)
    best = _cheapest(one, two, cost=cost, alone=alone)
    pairs: list[Pair] = []
    row = column = 0
    while row < rows or column < columns:
        ways: list[tuple[int, int]] = []
        if row < rows and column < columns and (row + 1, column + 1) in best:
            same = cost(one[row], two[column])
            if same is not None:
                ways.append((best[row + 1, column + 1] + same, 0))
        if row < rows and (row + 1, column) in best:
            ways.append((best[row + 1, column] + alone(one[row]), 1))
        if column < columns and (row, column + 1) in best:
            ways.append((best[row, column + 1] + alone(two[column]), 2))
        _, step = min(ways)
        pairs.append((None if step == 2 else row, None if step == 1 else column))
        row, column = row + (step != 2), column + (step != 1)
    return pairs


def _cheapest(
    one: Sequence[T], two: Sequence[T], *, cost: Cost[T], alone: Callable[[T], int]
) -> dict[tuple[int, int], int]:
    """
    Return what it costs to lay side by side all from two places on, by the places.

    Only what costs no more than the whole lists do is there, so that lists that hardly differ take
    time in proportion to their length (Dijkstra, "A note on two problems in connexion with graphs",
    1959, from the lists' ends, with a queue for each cost).
    """
    best: dict[tuple[int, int], int] = {}
    turns: dict[int, list[tuple[int, int]]] = {0: [(len(one), len(two))]}
    spent = 0
    while (0, 0) not in best:
        turn = turns.setdefault(spent, [])
        for row, column in turn:  # it grows by what costs nothing more
            if (row, column) in best:
                continue
            best[row, column] = spent
            if len(best) > MOST_PLACES:
                raise RecordError(
                    f"notebooks of {len(one):,} and {len(two):,} entries differ in too many places "
                    "to be laid side by side: are they of one game?"
                )
            if row:
                turns.setdefault(spent + alone(one[row - 1]), []).append((row - 1, column))
            if column:
                turns.setdefault(spent + alone(two[column - 1]), []).append((row, column - 1))
            if row and column:
                same = cost(one[row - 1], two[column - 1])
                if same is not None:
                    turns.setdefault(spent + same, []).append((row - 1, column - 1))
        del turns[spent]
        spent += 1
    return best


def alike(one: Observation, two: Observation) -> bool:
    """Whether two entries of one kind that differ are likelier one event than two."""
    if type(one) is not type(two) or not one.same:
        return False
    for field in one.same:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.nearly:
            if len({*mine} & {*theirs}) < len(mine) - 1:
                return False
        elif not _equal(mine, theirs):
            return False
    return True


def filled(one: Observation, two: Observation) -> Observation | None:
    """Return what two entries tell together, the first's wording kept; `None` if they differ."""
    if type(one) is not type(two):
        return None
    together: dict[str, Any] = {}
    tail = one.form.tail
    for field in one.__struct_fields__:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.sight.hidden and isinstance(mine, tuple):
            mine = _answers(mine, theirs)
            if mine is None:
                return None
        elif field == one.sight.hidden and None in (mine, theirs):
            mine = mine or theirs
        elif isinstance(tail, SingleAnswer) and field == tail.field and "unheard" in (mine, theirs):
            mine = theirs if mine == "unheard" else mine
        elif not _equal(mine, theirs):
            return None
        together[field] = mine
    return replace(one, **together)


def _equal(one: Any, two: Any) -> bool:
    """Whether two fields tell the same; lists do in any order."""
    return {*one} == {*two} if isinstance(one, tuple) else bool(one == two)


def _answers(one: tuple[Answer, ...], two: tuple[Answer, ...]) -> tuple[Answer, ...] | None:
    """Return what was heard of the answers in either list; `None` if they differ."""
    heard: dict[str, Answer] = {}
    for answer in (*one, *two):
        if answer.seat is None:
            continue
        known = heard.setdefault(answer.seat, answer)
        if known.answer == "unheard":
            heard[answer.seat] = answer
        if "unheard" in (known.answer, answer.answer):
            continue
        cards = {known.card, answer.card} - {None}
        if known.answer != answer.answer or len(cards) > 1:
            return None
        heard[answer.seat] = replace(known, card=known.card or answer.card)
    more = all(not answers or answers[-1].seat is None for answers in (one, two))
    rest = (Answer(answer="unheard"),) if heard and more else ()
    return (*heard.values(), *rest)
