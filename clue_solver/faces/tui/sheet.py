"""The sheet: a card a row, a holder a column, the envelope first."""

from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.binding import BindingType
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from clue_solver.answers.report import Report
from clue_solver.faces.tui.colours import Depth, piece_colour, sure, tint
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.charts import SheetCell, pieces_of, rows
from clue_solver.views.document import fitting

Hints = Literal["nothing", "marks", "sheet", "advice"]
"""How much of what the program knows is shown: the own hand, what is certain, chances, advice."""

HINTS: tuple[Hints, ...] = get_args(Hints)

_NAME, _CELL, _ROOMY, _FEW = 13, 5, 7, 5
"""Widths of a card's name among many holders, of a holder, of one with room; few holders."""
_SHORT, _LONGEST, _WIDE = 5, 9, 50
"""The columns of a holder's name at most, the same with room, and of a sheet that leaves room."""

_KINDS = ("plum", "mustard", "green")
"""The pieces whose colours tell the categories apart, in turn."""


class Sheet(DataTable[Text]):
    """
    The sheet of a report; Enter or a second click asks why.

    Attributes:
        report: What it shows.
        roomy: Whether there is room for wide columns, and for a row with each category's name.
        depth: The colours that the terminal has.
    """

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, depth: Depth) -> None:
        super().__init__(id="sheet", cursor_type="cell", cell_padding=0)
        self.report: Report | None = None
        self.roomy = False
        self.depth = depth
        self._cards: list[str] = []  # the card of each row, empty for a category's name
        self._drawn: object = None  # what the columns and rows were made for

    @property
    def cell(self) -> tuple[str, str] | None:
        """The card and the holder under the cursor."""
        row, column = self.cursor_coordinate
        if self.report is None or not column or not self._cards[row]:
            return None
        return self._cards[row], self._holders(self.report)[column - 1]

    def show(self, report: Report, *, dark: bool, hints: Hints) -> None:
        """Show a report; what stays as it was is not drawn again."""
        self.report = report
        drawn = [*self._rows(report, dark=dark, hints=hints)]
        shape = (report.holders, self.roomy, dark)
        if shape != self._drawn or len(drawn) != self.row_count:
            self._begin(report, dark=dark)
            for cells in drawn:
                self.add_row(*cells)
            self._drawn = shape
            if self.cell is None:
                self.move_cursor(row=self._cards.index(report.cards[0]), column=1)
            return
        for row, cells in enumerate(drawn):
            for column, cell in enumerate(cells):
                place = Coordinate(row, column)
                now = self.get_cell_at(place)
                if (now, now.spans, now.style) != (cell, cell.spans, cell.style):
                    self.update_cell_at(place, cell)

    def steer(self, rows: int, columns: int) -> None:
        """Move the cursor, over the names of categories and cards."""
        row, column = self.cursor_coordinate
        row = max(0, min(self.row_count - 1, row + rows))
        step = 1 if rows >= 0 else -1
        while 0 <= row < self.row_count and not self._cards[row]:
            row += step
        column = max(1, min(len(self.columns) - 1, column + columns))
        if 0 <= row < self.row_count:
            self.move_cursor(row=row, column=column)

    def _holders(self, report: Report) -> list[str]:
        """Return the holders as their columns stand: the envelope comes first."""
        return sorted(report.holders, key=lambda holder: holder != ENVELOPE)

    def _names(self, report: Report) -> int:
        """Return the columns for a card's name: all of it, where there is room."""
        longest = max(cell_len(card) for card in report.cards) + 1
        crowded = len(report.holders) > _FEW and not self.roomy
        return min(longest, _NAME) if crowded else longest

    @property
    def _longest(self) -> int:
        """The columns of a holder's name at most."""
        report = self.report
        if self.roomy or report is None:
            return _LONGEST
        left = _WIDE - self._names(report) - _CELL
        return max(_SHORT, min(_LONGEST, left // (len(report.holders) - 1) - 1))

    def _head(self, holder: str) -> tuple[str, int]:
        """Return what heads a holder's column, and its width."""
        name = "✉" if holder == ENVELOPE else fitting(holder, self._longest)
        return name, max(_ROOMY if self.roomy else _CELL, cell_len(name) + 1)

    @property
    def columns_wide(self) -> int:
        """How many columns of the terminal it takes."""
        return sum(column.width for column in self.columns.values())

    def _begin(self, report: Report, *, dark: bool) -> None:
        """Make the columns anew, each headed by its holder in the colour of its piece."""
        self.clear(columns=True)
        self.fixed_columns = 1
        pieces = pieces_of(report.table)
        self.add_column("", width=self._names(report) + 1)
        for holder in self._holders(report):
            name, width = self._head(holder)
            style = Style(bold=True)
            if holder in pieces and self.depth != "few":
                style += Style(color=piece_colour(pieces[holder], dark=dark))
            self.add_column(Text(_centred(name, width), style), width=width)

    def _rows(self, report: Report, *, dark: bool, hints: Hints) -> Iterator[list[Text]]:
        """Yield the rows: each category's name, where there is room, and its cards."""
        self._cards = []
        names = iter(report.cards)
        settled = {(fact.card, fact.holder) for fact in report.new}
        order = [report.holders.index(holder) for holder in self._holders(report)]
        for number, (kind, cards) in enumerate(rows(report)):
            colour = piece_colour(_KINDS[number % len(_KINDS)], dark=dark)
            style = Style(bold=True) if self.depth == "few" else Style(color=colour)
            if self.roomy:
                self._cards.append("")
                yield [Text(f" {kind}", style + Style(bold=True)), *(Text() for _ in order)]
            for label, cells in cards:
                card = next(names)
                self._cards.append(card)
                yield [
                    Text.assemble(("▎", style), fitting(label, self._names(report) - 1)),
                    *(
                        self._cell(
                            cells[place],
                            report.holders[place],
                            fresh=(card, report.holders[place]) in settled,
                            dark=dark,
                            hints="sheet" if self._own(report, place) else hints,
                        )
                        for place in order
                    ),
                ]

    def _own(self, report: Report, place: int) -> bool:
        return report.holders[place] == report.table.viewer

    def _cell(self, cell: SheetCell, holder: str, *, fresh: bool, dark: bool, hints: Hints) -> Text:
        """Return a cell: a sure sign, or a chance; what the last entry settled is underlined."""
        _, width = self._head(holder)
        if hints == "nothing" or (hints == "marks" and cell.verdict == "open"):
            return Text(" " * width)
        if cell.verdict == "open":
            style = tint(cell.chance, inside=cell.inside, dark=dark, depth=self.depth)
            return Text(_centred(cell.text, width), style)
        style = sure(cell.verdict, inside=cell.inside, dark=dark)
        text = Text(_centred(cell.text, width), style)
        if fresh:
            text.stylize(Style(underline=True), width // 2 - 1, width // 2 + 1)
        return text


def _centred(text: str, width: int) -> str:
    """Return a text in the middle of so many columns of the terminal."""
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - cell_len(text) - left)
