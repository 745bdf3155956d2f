"""
The contents of sheets and charts, computed once for all outputs: cells, lines, bars, colours.

Pages draw a `Chart` as SVG in a `Frame`, notebooks draw it with matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle, groupby
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from clue_solver.answers.display import percent, share
from clue_solver.answers.opened import OpenedSheet
from clue_solver.answers.report import Report, Verdict
from clue_solver.rules.table import ENVELOPE, Table

if TYPE_CHECKING:
    from clue_solver.answers.review import Review

COLOURS = ("#1f83c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b39b00", "#8c6bb1")
"""
The colours of seats and solutions, in order; with more of these they repeat. They resemble those of
Okabe and Ito, which colour-blind people can tell apart.
"""

STYLES = ("solid", "dashed", "dashdot", "dotted")
"""The dash styles that distinguish lines besides colour."""

OTHERS = "#999999"
"""The colour of everything without a colour of its own."""


class CellMarks(NamedTuple):
    """
    The signs in a sheet for what is certain.

    Attributes:
        holds: The sign if the holder has the card.
        lacks: The sign if the holder cannot have it.
    """

    holds: str = "✓"
    lacks: str = "·"


UNICODE, ASCII = CellMarks(), CellMarks("*", ".")
"""The marks for most terminals, and for terminals that show only ASCII."""


PIECES = {
    "scarlett": ("#ff6b70", "#b3122a"),
    "mustard": ("#f2c14e", "#8a6100"),
    "white": ("#f1efe9", "#5b5f66"),
    "green": ("#6fcf7f", "#1d6b33"),
    "peacock": ("#6db3ff", "#0f5aa8"),
    "plum": ("#c79bff", "#6d2fa6"),
    "orchid": ("#ff9ecb", "#a82a6e"),
}
"""The colours of the pieces on dark and on light backgrounds, as in `static/design.css`."""


def suspect_colours(suspects: Iterable[str]) -> dict[str, str]:
    """Return the key in `PIECES` of each suspect's colour, without suspects that have none."""
    pieces = {suspect: suspect.casefold() for suspect in suspects}
    return {suspect: piece for suspect, piece in pieces.items() if piece in PIECES}


def seat_colours(table: Table) -> dict[str, str]:
    """Return each seat's colour, a key of `PIECES`: its piece's if known, else a free one."""
    by_name = suspect_colours(filter(None, table.pieces))
    played = zip(table.seats, table.pieces, strict=False)
    own = {seat: by_name[suspect] for seat, suspect in played if suspect and suspect in by_name}
    left = [piece for piece in PIECES if piece not in own.values()] or list(PIECES)
    others = [seat for seat in table.seats if seat not in own]
    return own | {seat: left[place % len(left)] for place, seat in enumerate(others)}


class SheetCell(NamedTuple):
    """
    A cell of a sheet, for one card and one holder.

    Attributes:
        text: The text of the cell.
        verdict: Whether the holder has the card: `holds`, `lacks` or `open`.
        chance: The probability that the holder has the card, from 0 to 1.
        in_envelope: Whether the cell is in the column of the envelope.
    """

    text: str
    verdict: Verdict
    chance: float
    in_envelope: bool


class SheetRow(NamedTuple):
    """
    A row of a detective's sheet: what is known about one card.

    Attributes:
        card: The card.
        name: The name of the card in the language of the record.
        cells: A cell for each holder: the seats, then the face-down cards, then the envelope.
    """

    card: str
    name: str
    cells: tuple[SheetCell, ...]


class StepLine(NamedTuple):
    """
    A line of a chart that rises or falls in steps, from 0 to 1.

    Attributes:
        name: The name in the legend.
        colour: The colour, as `#rrggbb`.
        style: The dash style, one of `STYLES`.
        start: The number of the entry where the line begins.
        heights: The height after each entry from `start` on.
        signs: The signs on the line: `proof`, `right` or `wrong`, each with its entry and height.
    """

    name: str
    colour: str
    style: str
    start: int
    heights: tuple[float, ...]
    signs: tuple[tuple[str, int, float], ...] = ()


class Bar(NamedTuple):
    """
    A bar of a chart.

    Attributes:
        colour: The colour, as `#rrggbb`.
        entry: The number of the entry at which it stands.
        height: Its height, from 0 to 1.
        text: What it stands for, in words.
    """

    colour: str
    entry: int
    height: float
    text: str


class Chart(NamedTuple):
    """
    A chart of lines or bars, with entries on the x axis and a share from 0 to 1 on the y axis.

    Attributes:
        title: The title.
        first, last: The numbers of the entries at the left and right edges. A fraction leaves space
            beside the first and the last bar.
        lines: The lines.
        bars: The bars.
        keys: Each seat with its colour, for the legend of bars.
    """

    title: str
    first: float
    last: float
    lines: tuple[StepLine, ...] = ()
    bars: tuple[Bar, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def signs(self) -> list[tuple[str, str]]:
        """The signs that occur on the lines, each with its meaning."""
        used = {sign for line in self.lines for sign, _, _ in line.signs}
        return [meaning for sign, meaning in SIGNS.items() if sign in used]


SIGNS = {
    "proof": ("●", "could prove the solution"),
    "right": ("▲", "right accusation"),
    "wrong": ("✕", "wrong accusation"),
}
"""The character and the meaning of each sign on a line."""

TOP = 1.04
"""The share at the upper edge of a chart, a little above 1."""


UNKNOWN = "?"
"""
The text of a sheet's cell, once hands were revealed, if the card is in none of them and may be in
several others.
"""


class Frame(NamedTuple):
    """
    A picture in which a chart is drawn, and positions in it, all in pixels.

    Attributes:
        chart: The chart.
        width, height: The size of the picture.
        left, right, top, bottom: The edges of the area of the chart.
        y_ticks: The shares that are named beside the chart.
    """

    chart: Chart
    width: int = 480
    height: int = 280
    left: int = 54
    right: int = 472
    top: int = 16
    bottom: int = 236
    y_ticks: tuple[float, ...] = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

    @property
    def x_ticks(self) -> range:
        """
        The entries that are named below the chart: at most ten, with a round number between them.

        >>> [*Frame(Chart("", first=0, last=8.7)).x_ticks]
        [0, 1, 2, 3, 4, 5, 6, 7, 8]
        >>> [*Frame(Chart("", first=4.3, last=31.7)).x_ticks]
        [5, 10, 15, 20, 25, 30]
        """
        first, last = self.chart.first, self.chart.last
        steps = (ten * step for ten in (1, 10, 100, 1000) for step in (1, 2, 5))
        step = next(step for step in steps if (last - first) / step < 10)
        return range(ceil(first / step) * step, int(last) + 1, step)

    def x(self, entry: float) -> float:
        """Return how many pixels an entry is from the left edge of the picture."""
        share = (entry - self.chart.first) / (self.chart.last - self.chart.first)
        return self.left + (self.right - self.left) * share

    def y(self, share: float) -> float:
        """Return how many pixels a share is from the top edge of the picture."""
        return self.bottom - (self.bottom - self.top) * share / TOP


def sheet_rows(
    report: Report, marks: CellMarks = UNICODE
) -> Iterator[tuple[str, tuple[SheetRow, ...]]]:
    """
    Yield the categories of a sheet, each with the rows of its cards.

    Hands that were revealed after the game are filled in. `marks` are the signs for certain cells.
    """
    kinds = {kind.name: kind.plural or kind.name for kind in report.table.edition.category}
    category = report.table.edition.category_of
    opened = OpenedSheet(report)
    for kind, cards in groupby(report.cards, category.__getitem__):
        yield (
            kinds[kind],
            tuple(
                SheetRow(card, report.table.printed(card), tuple(_cells(opened, card, marks)))
                for card in cards
            ),
        )


def _cells(sheet: OpenedSheet, card: str, marks: CellMarks) -> Iterator[SheetCell]:
    """
    Yield the cells of a card's row, one for each holder.

    A cell that is not certain has the chance in percent as its text. Once players have laid their
    hands open, it has a question mark instead.

    Args:
        sheet: The sheet, with the hands that were laid open.
        card: The card.
        marks: The signs for certain cells.
    """
    for holder in sheet.report.holders:
        verdict = sheet.verdict(card, holder)
        chance = sheet.report.probability(card, holder)
        text = UNKNOWN if sheet.seats else percent(chance)
        if verdict != "open":
            text = getattr(marks, verdict)
        yield SheetCell(text, verdict, chance, holder == ENVELOPE)


def chance_chart(review: Review) -> Chart:
    """Return a chart of each judged seat's chance to name the solution, until the game ended."""
    lines = []
    for seat, colour, style in zip(review.seats, cycle(COLOURS), cycle(STYLES), strict=False):
        timeline = [moment for moment in seat.timeline if moment.entry < review.over]
        if not (seat.whole and timeline):
            continue
        signs = [("proof", seat.proved, 1.0)] if seat.proved is not None else []
        for each in review.accusations:
            if each.seat == seat.seat:
                before = seat.after(each.entry - 1) or timeline[0]
                signs.append(("right" if each.right else "wrong", each.entry, before.true_chance))
        heights = tuple(moment.true_chance for moment in timeline)
        start = timeline[0].entry
        lines.append(StepLine(seat.seat, colour, style, start, heights, tuple(signs)))
    return Chart("The chance of naming the solution", 0, review.over, lines=tuple(lines))


def accuracy_chart(review: Review) -> Chart:
    """Return a chart of how much each suggestion could tell, as a share of the best one."""
    seats = [seat.seat for seat in review.seats if seat.whole and seat.accuracy is not None]
    colours = dict(zip(seats, cycle(COLOURS), strict=False))
    bars = tuple(
        Bar(
            colours[asked.seat],
            asked.entry,
            asked.accuracy,
            f"{asked.entry} {asked.seat}: {', '.join(asked.cards)}: {share(asked.accuracy)} of the "
            f"best ({', '.join(asked.best)})",
        )
        for asked in review.graded
    )
    entries = [bar.entry for bar in bars] or [1]
    title = "Each suggestion, compared with the best one"
    first, last = entries[0] - 0.7, entries[-1] + 0.7
    return Chart(title, first, last, bars=bars, keys=tuple(colours.items()))
