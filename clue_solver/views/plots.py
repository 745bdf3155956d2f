"""
The sheet as a heat map and the chances during a game, drawn with matplotlib.

matplotlib comes with the `notebook` extra and is imported when something is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clue_solver.answers.display import view
from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.errors import Contradiction, counted, import_extra
from clue_solver.views import charts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEEPEST = 0.65
"""The opacity of a certain cell in the heat map, low enough for text of any colour."""

_MARKERS = {"proof": "o", "right": "^", "wrong": "X"}
"""The matplotlib marker of each sign on a line."""


@view(Report, "plot")
def sheet(report: Report, ax: Axes | None = None) -> Axes:
    """
    Draw a report's sheet as a heat map, with marks and chances in its cells; return the axes.

    Args:
        report: The report.
        ax: The axes to draw on; new ones if left out.

    Raises:
        Contradiction: If the entries cannot all be true.
        MissingExtra: If matplotlib is not installed.

    >>> from clue_solver import load
    >>> load("examples/classic.clue").report().plot().get_title()
    'Ann, after 18 entries'
    """
    if not report.consistent:
        raise Contradiction(report.conflict)
    rows, columns = report.probabilities.shape
    axes = _axes(ax, 2.2 + 0.75 * columns, 0.9 + 0.26 * rows)
    heat = np.empty((rows, columns, 4))
    heat[..., :3] = import_extra("matplotlib.colors").to_rgb(charts.COLOURS[0])
    heat[..., 3] = report.probabilities * DEEPEST
    axes.imshow(heat, aspect="auto", interpolation="nearest")
    kinds = [cards for _, cards in charts.sheet_rows(report)]
    for y, row in enumerate(row for cards in kinds for row in cards):
        for x, cell in enumerate(row.cells):
            alpha = 0.4 if cell.verdict == "lacks" else 1.0
            weight = "bold" if cell.verdict == "holds" else "normal"
            axes.text(x, y, cell.text, ha="center", va="center", alpha=alpha, fontweight=weight)
    for end in np.cumsum([len(cards) for cards in kinds])[:-1]:
        axes.axhline(end - 0.5, color=charts.OTHERS, linewidth=1)
    axes.set_yticks(range(rows), [_label(report.table.printed(card)) for card in report.cards])
    axes.set_xticks(range(columns), map(_label, report.holders))
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.set_title(_label(f"{report.viewer}, after {counted(report.entries, 'entry')}"))
    return axes


@view(Review, "plot")
def chance_plot(review: Review, ax: Axes | None = None) -> Axes:
    """
    Plot each player's chance of naming the true solution after each entry; return the axes.

    Args:
        review: The review of the game.
        ax: The axes to draw on; new ones if left out.

    >>> from clue_solver import load
    >>> load("examples/evening.clue").review().plot().get_title()
    'The chance of naming the solution'
    """
    chart = charts.chance_chart(review)
    axes = _axes(ax, 8, 3.6)
    for line in chart.lines:
        axes.step(
            range(line.start, line.start + len(line.heights) + 1),
            [*line.heights, line.heights[-1]],
            where="post",
            color=line.colour,
            linestyle=line.style,
            label=_label(line.name),
        )
        for sign, entry, height in line.signs:
            mark = _MARKERS[sign]
            axes.plot(entry, height, mark, color=line.colour, markersize=8, clip_on=False)
    axes.set(xlim=(0, chart.last), ylim=(0, charts.TOP), xlabel="entry", title=chart.title)
    ticker = import_extra("matplotlib.ticker")
    axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1.0))
    axes.legend(framealpha=0.7)
    return axes


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    """
    Return the axes to draw on: `ax`, or if it is `None` those of a new figure.

    `width` and `height` are the size of the new figure in inches.
    """
    axes: Axes
    if ax is not None:
        return ax
    pyplot = import_extra("matplotlib.pyplot")
    _, axes = pyplot.subplots(figsize=(width, height), layout="constrained")
    return axes


def _label(name: str) -> str:
    """Return a name that matplotlib prints literally and shows in every legend."""
    text = name.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
