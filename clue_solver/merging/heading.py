"""The headers of several notebooks as one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from clue_solver.errors import RecordError, escape
from clue_solver.record.contents import format_value
from clue_solver.rules.table import Table


class Disagreement(RecordError):
    """
    Notebooks that tell one thing in two ways.

    Attributes:
        differences: Each as a sentence, with the entries of both.
    """

    def __init__(self, differences: Sequence[str]) -> None:
        self.differences = tuple(differences)
        some = [f"\n  {each}" for each in self.differences[:10]]
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
    for place, given in enumerate(tables[1:], 1):
        other = _turned(given, table.seats)
        for what, one, two in _header_differences(table, other):
            differences.append(
                f"{what}: {escape(names[0])} says {escape(one, most=200)}, "
                f"{escape(names[place])} says {escape(two, most=200)}"
            )
        if differences:
            continue
        sizes = zip(table.hands or other.hands, other.hands or table.hands, strict=True)
        hands = tuple(mine if mine is not None else theirs for mine, theirs in sizes)
        table = replace(table, hands=hands)
    if differences:
        raise Disagreement(differences)
    viewers, shows = {each.viewer for each in tables}, {each.shows for each in tables}
    return replace(
        table,
        viewer=tables[0].viewer if len(viewers) == 1 else None,
        shows=tables[0].shows if len(shows) == 1 else None,
    )


def _turned(table: Table, seats: tuple[str, ...]) -> Table:
    """Return the table with the seats beginning where the others do, if it is the same circle."""
    if set(table.seats) != set(seats):
        return table
    start = table.seats.index(seats[0])
    hands = table.hands[start:] + table.hands[:start]
    return replace(table, seats=table.seats[start:] + table.seats[:start], hands=hands)


def _header_differences(one: Table, two: Table) -> Iterator[tuple[str, str, str]]:
    """Yield what two headers tell differently: the key, and both values as text."""
    if replace(one.edition, name="") != replace(two.edition, name=""):
        yield "edition", one.edition.name, two.edition.name
    if one.seats != two.seats:
        yield "players", ", ".join(one.seats), ", ".join(two.seats)
        return
    for seat, mine, theirs in zip(one.seats, one.hands, two.hands, strict=False):
        if mine is not None and theirs is not None and mine != theirs:
            yield f"hands, {seat}", str(mine), str(theirs)
    if set(one.face_up) != set(two.face_up):
        yield "face-up", ", ".join(one.face_up) or "none", ", ".join(two.face_up) or "none"
    if {slot.name: slot.count for slot in one.slots} != {
        slot.name: slot.count for slot in two.slots
    }:
        yield "face-down", _slots(one), _slots(two)
    if (one.order or one.edition.order) != (two.order or two.edition.order):
        yield "order", one.order or one.edition.order, two.order or two.edition.order
    if one.everyone_shows != two.everyone_shows:
        yield "answers", _answering(one), _answering(two)


def _slots(table: Table) -> str:
    return format_value(table, "face-down") or "none"


def _answering(table: Table) -> str:
    return "all" if table.everyone_shows else "first"
