"""The sheet: a card a row, a holder a column, the envelope first."""

from collections.abc import Iterator
from typing import Literal, get_args

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.coordinate import Coordinate
from textual.widgets import DataTable, Static

from clue_solver.answers.report import Report
from clue_solver.errors import counted
from clue_solver.faces.tui.colours import Colours
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.charts import SheetCell, seat_colours, sheet_rows
from clue_solver.views.document import fitting

Hints = Literal["nothing", "marks", "sheet", "advice"]
"""How much of what the program knows is shown: the own hand, what is certain, chances, advice."""

HINTS: tuple[Hints, ...] = get_args(Hints)

_NARROW, _CELL, _ROOMY = 4, 5, 7
"""Widths of a holder's column where there is little room, as a rule, and with much room."""
_LEAST, _LONGEST, _WIDE = 9, 9, 50
"""The least width of a card's name, the most of a holder's; that of a sheet beside other panes."""

_KINDS = ("plum", "mustard", "green")
"""The pieces whose colours tell the categories apart, in turn."""


class Sheet(DataTable[Text]):
    """
    The sheet of a report; Enter or a second click asks why.

    Attributes:
        roomy: Whether there is room for wide columns, and for a row with each category's name.
    """

    def __init__(self) -> None:
        super().__init__(id="sheet", cursor_type="cell", cell_padding=0)
        self.roomy = False
        self._heads: dict[str, Text] = {}  # what heads each holder's column, as wide as that
        self._cards: list[str] = []  # the card of each row, empty for a category's name
        self._shape: object = None  # what columns and rows were made for

    @property
    def cell(self) -> tuple[str, str] | None:
        """The card and the holder under the cursor."""
        row, column = self.cursor_coordinate
        if not column or not self._cards[row]:
            return None
        return self._cards[row], [*self._heads][column - 1]

    @property
    def columns_wide(self) -> int:
        """How many columns of the terminal it takes."""
        return sum(column.width for column in self.columns.values())

    def show(self, report: Report, hints: Hints) -> None:
        """Show a report; what stays as it was is not drawn again."""
        colours = Colours.of(self.app)
        names = self._name_heads(report, colours)
        drawn = [*self._rows(report, colours, names, hints)]
        heads = [head.plain for head in self._heads.values()]
        shape = (report.holders, report.table.pieces, heads, self.roomy, colours, len(drawn))
        if shape == self._shape:
            for row, cells in enumerate(drawn):
                for column, cell in enumerate(cells):
                    place = Coordinate(row, column)
                    now = self.get_cell_at(place)
                    if (now, now.spans, now.style) != (cell, cell.spans, cell.style):
                        self.update_cell_at(place, cell)
            return
        self._shape = shape
        self.clear(columns=True)
        self.fixed_columns = 1
        self.add_column("", width=names + 1)
        for head in self._heads.values():
            self.add_column(head, width=head.cell_len)
        for cells in drawn:
            self.add_row(*cells)
        self.move_cursor(row=self._cards.index(report.cards[0]), column=1)

    def _name_heads(self, report: Report, colours: Colours) -> int:
        """
        Head each holder's column, the envelope's first, in the colour of its piece.

        Returns:
            The columns for a card's name: all of it, where there is room.
        """
        holders, wide = len(report.holders), self.app.size.width
        needed = _LEAST + 1 + holders * _CELL
        if needed <= _WIDE:
            wide = min(wide, _WIDE)
        names = max(map(cell_len, report.cards)) + 1
        least, most = _ROOMY, _LONGEST
        if not self.roomy:
            least = _CELL if needed <= wide else _NARROW
            names = min(names, max(_LEAST, wide - 1 - holders * least))
            room = (wide - 1 - names - least) // (holders - 1) - 1
            most = max(least - 1, min(_LONGEST, room))
        pieces = seat_colours(report.table)
        self._heads = {}
        for holder in sorted(report.holders, key=lambda holder: holder != ENVELOPE):
            name = "✉" if holder == ENVELOPE else fitting(holder, most)
            style = Style(bold=True)
            if holder in pieces:
                style += colours.piece(pieces[holder])
            self._heads[holder] = Text(_centred(name, max(least, cell_len(name) + 1)), style)
        return names

    def _rows(
        self, report: Report, colours: Colours, names: int, hints: Hints
    ) -> Iterator[list[Text]]:
        """Yield the rows: each category's name, where there is room, and its cards."""
        self._cards = []
        left = iter(report.cards)
        settled = {(fact.card, fact.holder) for fact in report.new}
        for number, (kind, cards) in enumerate(sheet_rows(report)):
            style = colours.piece(_KINDS[number % len(_KINDS)])
            if self.roomy:
                self._cards.append("")
                yield [Text(f" {kind}", style + Style(bold=True)), *(Text() for _ in self._heads)]
            for label, cells in cards:
                card = next(left)
                held = dict(zip(report.holders, cells, strict=True))
                self._cards.append(card)
                row = [Text.assemble(("▎", style), fitting(label, names - 1))]
                for holder, head in self._heads.items():
                    told = "sheet" if holder == report.table.viewer else hints
                    text = _drawn(held[holder], head.cell_len, colours, told)
                    if text.plain.strip() and (card, holder) in settled:
                        middle = head.cell_len // 2
                        text.stylize(Style(underline=True), middle - 1, middle + 1)
                    row.append(text)
                yield row


class SheetPane(Vertical):
    """The sheet, and under it how much of it there is no room for."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(id="cards")
        self.sheet = sheet
        self.below = Static(id="below", markup=False)

    def compose(self) -> ComposeResult:
        yield self.sheet
        yield self.below

    def on_resize(self) -> None:
        """Say what is beyond the edges, and how it is reached."""
        over = self.sheet.row_count + 1 - self.content_size.height
        beyond = [f"▼ {counted(over + 1, 'more row')}"] if over > 0 else []
        beyond += ["▶ more"] if self.sheet.columns_wide > self.app.size.width else []
        self.below.update(f"{' '.join(beyond)}: Tab, then arrows")
        self.below.display = bool(beyond)


def _drawn(cell: SheetCell, width: int, colours: Colours, hints: Hints) -> Text:
    """Return a cell: a sure sign, or a chance; nothing of what is not to be told."""
    if hints == "nothing" or (hints == "marks" and cell.verdict == "open"):
        return Text(" " * width)
    if cell.verdict == "open":
        return Text(_centred(cell.text, width), colours.tint(cell.chance, inside=cell.inside))
    return Text(_centred(cell.text, width), colours.sure(cell.verdict, inside=cell.inside))


def _centred(text: str, width: int) -> str:
    """Return a text in the middle of so many columns of the terminal."""
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - cell_len(text) - left)
