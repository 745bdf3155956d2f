"""
Cuts sheets into regions: each is a table, several tables that stand above one another, or neither.

The regions of a sheet lie side by side, with an empty column between them. A region is a copy of
the sheet in which everything else is blank, so that its rows and columns keep their names.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.exchange.columns import ColumnLayout, Finder
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.names import Deck, People
from clue_solver.exchange.tables import Sheet
from clue_solver.notation.names import words_of

_MOST_PARTS = 12
"""A sheet with more parts than this is read as a whole, because each join of two takes time."""


class Region(NamedTuple):
    """
    A part of a sheet.

    Attributes:
        sheet: The sheet; all cells outside the region are blank.
        pad: The pad or the list of cards in the region; `None` if there is none.
        log: The table of suggestions in the region; `None` if there is none.
        columns: The indexes of the region's columns.
    """

    sheet: Sheet
    pad: ColumnLayout | None
    log: ColumnLayout | None
    columns: range

    @property
    def tables(self) -> list[ColumnLayout]:
        """The tables in the region."""
        return [table for table in (self.pad, self.log) if table is not None]

    @property
    def is_sound(self) -> bool:
        """Whether at least one of the region's tables is certainly a table."""
        return any(table.is_sound for table in self.tables)

    def lines(self) -> Iterator[str]:
        """Yield the rows as lines, and each column as a list below its title."""
        for row in self.sheet.rows:
            yield ", ".join(filter(None, row))
        for at in self.columns:
            title, *listed = [*filter(None, self.sheet.column(at))] or [""]
            yield f"{title}: {', '.join(listed)}"
            yield f"{self.sheet.title}: {', '.join((title, *listed))}"


def regions_of(sheet: Sheet, deck: Deck, findings: Findings) -> list[Region]:
    """Return the regions of a sheet, from left to right."""
    whole = range(len(sheet.rows[0]) if sheet.rows else 0)
    filled = groupby(whole, lambda at: any(sheet.column(at)))
    parts = [[*columns] for has_text, columns in filled if has_text]
    one = findings.hints.every_column or len(parts) > _MOST_PARTS
    if one or Finder(sheet, deck, findings).is_across():
        parts = [[*whole]]
    spans = [range(part[0], part[-1] + 1) for part in parts]
    return [_region(sheet, span, deck, findings) for span in spans]


def log_in(sheet: Sheet, deck: Deck, findings: Findings) -> ColumnLayout | None:
    """Return the table of suggestions in a region; `None` if there is none."""
    finder = Finder(sheet, deck, findings)
    if finder.is_export:  # a pad: an exported log has no such corner
        return None
    return finder.find_suggestions() or Finder(sheet.transpose(), deck, findings).find_suggestions()


def pad_in(
    sheet: Sheet, log: ColumnLayout | None, deck: Deck, findings: Findings
) -> ColumnLayout | None:
    """Return the pad in a region, which may stand above or below a log; `None` if there is none."""
    if log is not None:
        whole = sheet if log.sheet.told == sheet.told else sheet.transpose()
        blank = ("",) * len(whole.rows[0])
        read = range(log.header, len(log.sheet.rows))
        rest = (blank if at in read else row for at, row in enumerate(whole.rows))
        sheet = replace(whole, rows=tuple(rest))
    return Finder(sheet, deck, findings).find_pad(alone=log is None)


def is_one_game(tables: Sequence[ColumnLayout], findings: Findings) -> bool:
    """
    Whether tables can be about one game.

    They can if at most one is a log, no card is in two pads, and at least half of the askers in the
    log are players of the pads.
    """
    logs = [table for table in tables if table.kind == "suggestions"]
    pads = [table for table in tables if table.kind != "suggestions"]
    cards = [card for pad in pads for card in pad.named_cards()]
    seats = findings.hints.players or (pads[0].players if pads else ())
    people = People(seats, findings.hints.viewer, findings.hints)
    askers = {log.text("asker", row) for log in logs for row, _ in log.rows()}
    met = sum(bool(people.seat(asker)) for asker in askers)
    return len(logs) < 2 and len(cards) == len({*cards}) and 2 * met >= len(askers)


def _region(sheet: Sheet, columns: range, deck: Deck, findings: Findings) -> Region:
    """Return the region with these columns of a sheet."""
    rows = []
    for row in sheet.rows:
        heard = words_of(" ".join(filter(None, row))) in findings.heard
        kept = columns if not heard else ()
        rows.append(tuple(cell if at in kept else "" for at, cell in enumerate(row)))
    part = replace(sheet, rows=tuple(rows))
    scratch = Findings(findings.hints, findings.heard)
    log = log_in(part, deck, scratch)
    return Region(part, pad_in(part, log, deck, scratch), log, columns)
