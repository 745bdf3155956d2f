"""
The parts of a sheet between its empty columns, each with the tables in it.

A part may have a pad, a table of suggestions, both of them (one above the other), or neither.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clue_solver.exchange.columns import ColumnLayout
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.logs import LogFinder
from clue_solver.exchange.pads import PadFinder
from clue_solver.exchange.people import People
from clue_solver.exchange.tables import Sheet
from clue_solver.notation.names import words_of


class Part(NamedTuple):
    """
    A sheet, or a part of one between empty columns.

    Attributes:
        sheet: The sheet; all cells outside the part are blank.
        pad: The pad or the list of cards in the part; `None` if there is none.
        log: The table of suggestions in the part; `None` if there is none.
    """

    sheet: Sheet
    pad: ColumnLayout | None
    log: ColumnLayout | None

    @property
    def tables(self) -> list[ColumnLayout]:
        """The tables in the part."""
        return [table for table in (self.pad, self.log) if table is not None]

    @property
    def is_sound(self) -> bool:
        """Whether at least one of the tables is certainly a table."""
        return any(table.is_sound for table in self.tables)


def parts_of(sheet: Sheet, deck: Deck, findings: Findings) -> Iterator[Part]:
    """Yield the parts of a sheet from left to right; their tables are found, but not yet read."""
    words = [words_of(" ".join(filter(None, row))) for row in sheet.rows]
    sheet = sheet.without_rows([at for at, row in enumerate(words) if row in findings.used])
    scratch = Findings(findings.hints, findings.used)
    whole = findings.hints.every_column or PadFinder(sheet, deck, scratch).is_across
    for part in [sheet] if whole else sheet.parts():
        log = LogFinder(part, deck, scratch).find()
        yield Part(part, pad_beside(log, part, deck, scratch), log)


def pad_beside(
    log: ColumnLayout | None, sheet: Sheet, deck: Deck, findings: Findings
) -> ColumnLayout | None:
    """Return the pad in a sheet, which may be above or below a log; `None` if there is none."""
    if log is not None:
        whole = sheet.transpose() if log.sheet.turned else sheet
        sheet = whole.without_rows(range(log.header, len(log.sheet.rows)))
    return PadFinder(sheet, deck, findings).find(alone=log is None)


def is_one_game(tables: Sequence[ColumnLayout], findings: Findings) -> bool:
    """
    Return whether tables can be about one game.

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
