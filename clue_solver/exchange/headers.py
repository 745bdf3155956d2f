"""The one table that the headers of notebooks of one game describe."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from clue_solver.errors import RecordError, printable
from clue_solver.notation.names import joined
from clue_solver.record.header import KEYS, HeaderKey, format_value
from clue_solver.rules.table import Table


class Disagreement(RecordError):
    """
    Notebooks that tell one thing in two ways.

    Attributes:
        differences: Each as a sentence, with both accounts.
        books: What the two notebooks are called that differ, for each; empty for headers.

    >>> print(Disagreement(["entry 2 of ann says 'Ann skips' but entry 2 of ben says 'Ann stays'"]))
    the notebooks disagree:
      entry 2 of ann says 'Ann skips' but entry 2 of ben says 'Ann stays'
    """

    def __init__(self, differences: Sequence[str], books: Sequence[tuple[str, str]] = ()) -> None:
        self.differences = tuple(differences)
        self.books = tuple(books)
        some = [f"\n  {difference}" for difference in self.differences[:10]]
        more = len(self.differences) - len(some)
        rest = f"\n  and {more} more" if more else ""
        super().__init__(f"the notebooks disagree:{''.join(some)}{rest}")


_SHARED = [
    key
    for key in KEYS.values()
    if key.name not in ("edition", "players", "viewer", "shows", "format")
]
"""What notebooks of one game tell alike, or leave out."""
_OF_EACH_SEAT = ("hands", "pieces")


def one_table(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """Return the one table that headers describe; raise a `Disagreement` if there is none."""
    table = tables[0]
    differences: list[str] = []
    for given, name in zip(tables[1:], names[1:], strict=True):
        other = _turned(given, table.seats)
        for key, mine, theirs in _header_differences(table, other):
            differences.append(
                f"{key}: {printable(names[0])} says {printable(mine, most=200)}, "
                f"{printable(name)} says {printable(theirs, most=200)}"
            )
        if not differences:
            both = {key.attribute: _filled_in(key, table, other) for key in _SHARED}
            table = replace(table, **both)
    if differences:
        raise Disagreement(differences)
    own = {
        attribute: getattr(table, attribute)
        if len({getattr(each, attribute) for each in tables}) == 1
        else None
        for attribute in ("viewer", "shows")
    }
    return replace(table, **own)


def _filled_in(key: HeaderKey, one: Table, two: Table) -> Any:
    """Return what one table says under a key, or else the other; of each seat alone."""
    mine, theirs = (getattr(table, key.attribute) for table in (one, two))
    if key.name not in _OF_EACH_SEAT:
        return mine or theirs
    both = zip(mine or theirs, theirs or mine, strict=True)
    return tuple(other if own is None else own for own, other in both)


def _turned(table: Table, seats: tuple[str, ...]) -> Table:
    """Return the table with the seats beginning where the others do, if it is the same circle."""
    if set(table.seats) != set(seats):
        return table
    start = table.seats.index(seats[0])
    turned = {
        field: getattr(table, field)[start:] + getattr(table, field)[:start]
        for field in ("seats", *_OF_EACH_SEAT)
    }
    return replace(table, **turned)


def _header_differences(one: Table, two: Table) -> Iterator[tuple[str, str, str]]:
    """Yield what two headers tell differently: the key, and both values as text."""
    if replace(one.edition, name="") != replace(two.edition, name=""):
        yield "edition", one.edition.name, two.edition.name
    if one.seats != two.seats:
        others = [seat for seat in two.seats if seat not in one.seats]
        hint = f" (say who {joined(others, 'and')} is there)" if others else ""
        yield "players", ", ".join(one.seats), ", ".join(two.seats) + hint
        return
    rules = {"order": one.edition.order, "answers": one.edition.answers}
    unsaid = {**rules, **dict.fromkeys(("face-up", "face-down"), "none")}
    for key in _SHARED:
        mine, theirs = (getattr(table, key.attribute) for table in (one, two))
        if key.name in _OF_EACH_SEAT:
            for seat, *told in zip(one.seats, mine, theirs, strict=False):
                if None not in told and told[0] != told[1]:
                    yield f"{key.name}, {seat}", str(told[0]), str(told[1])
        elif as_set(mine) != as_set(theirs):
            texts = [format_value(table, key.name) or unsaid.get(key.name) for table in (one, two)]
            if texts[0] and texts[1] and texts[0] != texts[1]:
                yield key.name, texts[0], texts[1]


def as_set(value: Any) -> Any:
    """Return a list as a set: what it tells is the same in any order."""
    return frozenset(value) if isinstance(value, tuple) else value
