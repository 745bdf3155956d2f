"""
What pictures and sheets show, computed once: cells, lines, bars and bands with their names.

A chart is a frame of axes, entries across and a quantity upwards, with what is drawn in it. It
knows no pixels: the page draws it as SVG, a notebook with matplotlib, and both only draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle, groupby, takewhile
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report, Verdict
from clue_solver.rules.table import ENVELOPE, Table

if TYPE_CHECKING:
    from clue_solver.answers.review import Review

COLOURS = ("#1f83c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b39b00", "#8c6bb1")
"""
The colours of seats and solutions, in order; they begin again where there are more. They are close
to those of Okabe and Ito, which colour-blind people can tell apart.
"""

STYLES = ("solid", "dashed", "dashdot", "dotted")
"""How lines differ besides their colour."""

OTHERS = "#999999"
"""The colour of everything that has none of its own."""


class CellMarks(NamedTuple):
    """The sure marks of a sheet: the holder has the card, the holder cannot have it."""

    holds: str = "✓"
    lacks: str = "·"


UNICODE, ASCII = CellMarks(), CellMarks("*", ".")
"""Marks for most terminals, and for one that has no others."""


PIECES = {
    "scarlett": ("#ff6b70", "#b3122a"),
    "mustard": ("#f2c14e", "#8a6100"),
    "white": ("#f1efe9", "#5b5f66"),
    "green": ("#6fcf7f", "#1d6b33"),
    "peacock": ("#6db3ff", "#0f5aa8"),
    "plum": ("#c79bff", "#6d2fa6"),
    "orchid": ("#ff9ecb", "#a82a6e"),
}
"""The colours of the pieces on a dark and on a light ground; `static/design.css` has the same."""


def coloured(suspects: Iterable[str]) -> dict[str, str]:
    """Return the piece that has each suspect's name, of those that have a colour."""
    pieces = {suspect: suspect.casefold() for suspect in suspects}
    return {suspect: piece for suspect, piece in pieces.items() if piece in PIECES}


def pieces_of(table: Table) -> dict[str, str]:
    """Return whose colour each seat has: its piece's where that is told, else one that is left."""
    known = coloured(filter(None, table.pieces))
    played = zip(table.seats, table.pieces, strict=False)
    told = {seat: known[suspect] for seat, suspect in played if suspect and suspect in known}
    left = [piece for piece in PIECES if piece not in told.values()] or list(PIECES)
    others = [seat for seat in table.seats if seat not in told]
    return told | {seat: left[place % len(left)] for place, seat in enumerate(others)}


class SheetCell(NamedTuple):
    """A cell of a sheet: what it says, how likely the card lies there, whether in the envelope."""

    text: str
    verdict: Verdict
    chance: float
    inside: bool


class Line(NamedTuple):
    """
    A stepped line: its height after each entry, from 0 on.

    A dot marks one of them, if any, and an outcome another: `right` or `wrong`, an accusation.
    """

    name: str
    colour: str
    style: str
    heights: tuple[float, ...]
    dot: int | None
    accused: tuple[tuple[int, bool], ...] = ()


class Bar(NamedTuple):
    """A bar at an entry, below a mark at the best that could have been."""

    name: str
    colour: str
    entry: int
    height: float
    best: float
    told: str


class Chart(NamedTuple):
    """
    A frame of axes: entries across from `first` to `last`, what the title says up to `top`.

    `keys` are the seats that the colours of bars stand for; `percent` says how heights are written.
    """

    title: str
    first: float
    last: float
    top: float
    lines: tuple[Line, ...] = ()
    bars: tuple[Bar, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    percent: bool = False


def rows(
    report: Report, marks: CellMarks = UNICODE
) -> Iterator[tuple[str, tuple[tuple[str, tuple[SheetCell, ...]], ...]]]:
    """
    Yield the categories of a sheet, each with its cards, each with its cells in holder order.

    Cards are called as `printed` says.
    """
    kinds = {kind.name: kind.plural or kind.name for kind in report.table.edition.category}
    category = report.table.edition.category_of
    for kind, cards in groupby(report.cards, category.__getitem__):
        yield (
            kinds[kind],
            tuple((printed(report, card), tuple(_cells(report, card, marks))) for card in cards),
        )


def printed(report: Report, card: str) -> str:
    """Return what a sheet calls a card: its name in the language that the record turned on."""
    return report.table.edition.printed(card, report.table.language)


def _cells(report: Report, card: str, marks: CellMarks) -> Iterator[SheetCell]:
    for holder in report.holders:
        verdict = report.verdict(card, holder)
        chance = report.probability(card, holder)
        text = percent(chance) if verdict == "open" else getattr(marks, verdict)
        yield SheetCell(text, verdict, chance, holder == ENVELOPE)


def chances(review: Review) -> Chart:
    """
    Return each seat's chance of naming the true solution, until the game was over.

    A dot stands where it had proof. Where the record does not hold all that a player saw, the
    chance was as high as drawn or higher.
    """
    from clue_solver.answers.review import end_of_game

    over = end_of_game(review.accusations, review.entries)
    lines = tuple(
        Line(
            seat.seat,
            colour,
            style,
            tuple(moment.true_chance for moment in seat.timeline[:over]),
            None if seat.told else seat.proved,
            tuple((e.entry, e.right) for e in review.accusations if e.seat == seat.seat),
        )
        for seat, colour, style in zip(review.seats, cycle(COLOURS), cycle(STYLES), strict=False)
    )
    title = "The chance to name the true solution"
    return Chart(title, 0, over, 1.04, lines=lines, percent=True)


def bits(review: Review) -> Chart:
    """Return the bits that every seat lacked after each entry; a dot stands where it had proof."""
    lines = tuple(
        Line(seat.seat, colour, style, tuple(moment.bits for moment in seat.timeline), seat.proved)
        for seat, colour, style in zip(review.seats, cycle(COLOURS), cycle(STYLES), strict=False)
    )
    most = max(height for line in lines for height in line.heights)
    top = max(most, 0.1) * 1.05
    return Chart("Uncertainty left (bits)", 0, review.entries + 1, top, lines=lines)


def gains(review: Review) -> Chart:
    """Return what each suggestion was expected to gain, below a mark for the best there was."""
    seats = (seat.seat for seat in review.seats)
    colours = dict(zip(seats, cycle(COLOURS), strict=False))
    bars = tuple(
        Bar(
            suggestion.seat,
            colours[suggestion.seat],
            suggestion.entry,
            suggestion.gain,
            suggestion.best_gain,
            f"{suggestion.entry} {suggestion.seat}: {', '.join(suggestion.cards)}, "
            f"{suggestion.gain:.2f} bits; "
            f"the best: {', '.join(suggestion.best)}, {suggestion.best_gain:.2f} bits",
        )
        for suggestion in review.suggestions
    )
    top = max(0.1, *(bar.best for bar in bars)) * 1.08 if bars else 0.1
    first = bars[0].entry if bars else 1
    last = bars[-1].entry if bars else 1
    title = "What each suggestion could gain (bits)"
    keys = tuple(colours.items())
    return Chart(title, first - 0.7, last + 0.7, top, bars=bars, keys=keys)


def ticks(first: float, last: float, *, most: int, least: float = 0.0) -> list[float]:
    """
    Return round numbers from `first` to `last`, at most `most` of them, `least` apart or more.

    >>> ticks(0, 8.7, most=6)
    [0.0, 2.0, 4.0, 6.0, 8.0]
    >>> ticks(4.3, 21.7, most=14, least=1)
    [6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0]
    """
    power = 10.0 ** int(log10(last - first) - 2)
    steps = (power * ten * step for ten in (1, 10, 100, 1000) for step in (1, 2, 5))
    step = next(step for step in steps if step >= least and (last - first) / step < most)
    start = -int(-first // step)
    places = range(start, start + most + 1)
    return list(takewhile(lambda tick: tick <= last, (round(n * step, 6) for n in places)))
