"""The detective's sheet: a row for each card, a column for each holder, the envelope first."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widgets import DataTable

from clue_solver.answers.report import Report
from clue_solver.faces.feed import Hints
from clue_solver.faces.tui.colours import Colours
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.charts import SheetCell, seat_colours, sheet_rows

_NARROW, _CELL, _ROOMY = 4, 5, 7
"""The width of a holder's column, in terminal columns: if space is short, usually, at most."""
_LEAST, _LONGEST, _WIDE = 8, 9, 50
"""Three widths: the least of a card's name, the most of a holder's, the most beside panes."""

_KINDS = ("plum", "mustard", "green")
"""The pieces whose colours distinguish the categories."""


class SheetTable(DataTable[Text]):
    """
    The sheet of a report. Enter, or a click on the selected cell, asks for its explanation.

    Attributes:
        roomy: Whether there is space for wide columns and for headings of categories.
    """

    def __init__(self) -> None:
        super().__init__(id="sheet", cursor_type="cell", cell_padding=0)
        self.roomy = False
        self._heads: dict[str, Text] = {}  # of the holders' columns, as wide as these

    @property
    def selected_cell(self) -> tuple[str, str] | None:
        """The card and the holder of the selected cell; `None` if that has a heading or a name."""
        if not self.is_valid_coordinate(self.cursor_coordinate):
            return None
        row, column = self.coordinate_to_cell_key(self.cursor_coordinate)
        return (row.value, column.value) if row.value and column.value else None

    @property
    def columns_wide(self) -> int:
        """The width of the whole sheet, in terminal columns."""
        return sum(column.width for column in self.columns.values())

    def show(self, report: Report, hints: Hints) -> None:
        """Show a report as far as the level of `hints` allows; the cursor stays where it is."""
        colours = Colours.of(self.app)
        names = self._name_heads(report, colours)
        place = self.cursor_coordinate
        self.clear(columns=True)
        self.fixed_columns = 1
        self.add_column("", width=names + 1)
        for holder, head in self._heads.items():
            self.add_column(head, width=head.cell_len, key=holder)
        for card, cells in self._rows(report, colours, hints):
            self.add_row(*cells, key=card)
        first = self.get_row_index(report.cards[0])
        self.move_cursor(row=max(place.row, first), column=max(place.column, 1))

    def _name_heads(self, report: Report, colours: Colours) -> int:
        """
        Set the headings of the holders' columns, in the colours of their pieces; envelope first.

        Returns:
            The width of the column of card names, in terminal columns.
        """
        # How wide the sheet may be: panes stand beside it if that leaves enough for it.
        holders, wide = len(report.holders), self.app.size.width - 1  # the scrollbar
        needed = _LEAST + 1 + holders * _CELL
        if needed <= _WIDE:
            wide = min(wide, _WIDE)
        # Cards' names and holders' names are shortened until it fits.
        names = max(map(cell_len, report.cards)) + 1
        least, most = _ROOMY, _LONGEST
        if not self.roomy:
            least = _CELL if needed <= wide else _NARROW
            names = min(names, max(_LEAST, wide - 1 - holders * least))
            room = (wide - 1 - names - least) // (holders - 1) - 1
            most = max(least - 1, min(_LONGEST, room))
        # The envelope comes first; what lies in a room has a mark.
        pieces = seat_colours(report.table)
        rooms = [slot.name for slot in report.table.slots]
        self._heads = {}
        for holder in sorted(report.holders, key=lambda holder: holder != ENVELOPE):
            name = "✉" if holder == ENVELOPE else holder
            if holder in rooms:
                name = f"▫{holder}"
            style = Style(bold=True)
            if holder in pieces:
                style += colours.piece_style(pieces[holder])
            self._heads[holder] = head = Text(name, style)
            head.truncate(most, overflow="ellipsis")
            head.align("center", max(least, head.cell_len + 1))
        return names

    def _rows(
        self, report: Report, colours: Colours, hints: Hints
    ) -> Iterator[tuple[str | None, list[Text]]]:
        """
        Yield each row of the sheet as its card and its cells.

        If there is space, a row with a heading comes before each category; its card is `None`.
        """
        settled = {(fact.card, fact.holder) for fact in report.new}
        for number, (kind, cards) in enumerate(sheet_rows(report)):
            style = colours.piece_style(_KINDS[number % len(_KINDS)])
            if self.roomy:
                yield None, [Text(f" {kind}", style + Style(bold=True))]
            for card, label, cells in cards:
                held = dict(zip(report.holders, cells, strict=True))
                row = [Text.assemble(("▎", style), label, no_wrap=True, overflow="ellipsis")]
                for holder in self._heads:
                    told = "sheet" if holder == report.table.viewer else hints
                    text = _cell_text(held[holder], colours, told)
                    if (card, holder) in settled:
                        text.stylize(Style(underline=True), 0, len(text))
                    row.append(text)
                yield card, row


def _cell_text(cell: SheetCell, colours: Colours, hints: Hints) -> Text:
    """
    Return the text of a cell, a mark or a chance; blank if the level of `hints` hides it.

    Args:
        cell: The cell.
        colours: The colours to draw it in.
        hints: How much the program shows.
    """
    if hints == "nothing" or (hints == "marks" and cell.verdict == "open"):
        return Text()
    style = colours.mark_style(cell.verdict, inside=cell.in_envelope)
    if cell.verdict == "open":
        style = colours.tint(cell.chance, inside=cell.in_envelope)
    return Text(cell.text, style, justify="center")
