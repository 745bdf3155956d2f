"""
Pictures of a game, drawn with matplotlib: each function returns the Axes that it drew on.

Without `ax` a picture is drawn where pyplot draws: on its current Axes if nothing is there yet,
else on a new figure, which becomes the current one. So `plt.title`, `plt.savefig` and `plt.show` do
what they always do, and a cell of a notebook shows it. With `ax` pyplot is not touched; in a grid
give the figure a layout (`plt.subplots(2, 2, layout="constrained")`), and legends stand beside
their pictures, else inside.

Texts and frames take the colours of the style in use, and grounds are left as they are, so that
dark styles and transparent pictures read well. Colours are close to those of Okabe and Ito, which
colour-blind people can tell apart; seats differ in line style too.

matplotlib comes with the `notebook` extra: without it every function raises `MissingExtra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.errors import ArgumentError, Contradiction, counted, import_extra
from clue_solver.game import Game
from clue_solver.rules.table import Shows
from clue_solver.views import charts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bits", "chances", "gains", "sheet", "solutions"]

DEEPEST = 0.65
"""How opaque a certain cell of the heat map is: text of any colour reads on it."""


def sheet(report: Report, *, ax: Axes | None = None) -> Axes:
    """
    Draw the detective's sheet as a heat map: the fuller a cell, the likelier the card lies there.

    Args:
        report: What to draw.
        ax: Where to draw; where pyplot draws if left out.

    Raises:
        Contradiction: If no deal fits the log.
        MissingExtra: If matplotlib is not installed.

    >>> from clue_solver import load, plots
    >>> axes = plots.sheet(load("examples/classic.clue").report())
    """
    if not report.consistent:
        raise Contradiction(report.conflict)
    rows, columns = report.probabilities.shape
    axes = _axes(ax, 2.2 + 0.75 * columns, 0.9 + 0.26 * rows)
    colour = import_extra("matplotlib.colors").to_rgb(charts.COLOURS[0])
    cells = np.empty((rows, columns, 4))
    cells[..., :3] = colour
    cells[..., 3] = report.probabilities * DEEPEST
    axes.imshow(cells, aspect="auto", interpolation="nearest")
    kinds = list(charts.rows(report))
    drawn = [row for _, cards in kinds for _, row in cards]
    width, height = _room(axes)
    size = min(9.0, 0.8 * height / rows)
    for y, row in enumerate(drawn):
        for x, cell in enumerate(row):
            axes.text(
                x,
                y,
                cell.text,
                ha="center",
                va="center",
                fontsize=size,
                alpha=0.4 if cell.verdict == "lacks" else 1,
                fontweight="bold" if cell.verdict == "holds" else "normal",
            )
    axes.set_yticks(range(rows), [_label(charts.printed(report, card)) for card in report.cards])
    axes.set_xticks(range(columns), [_label(holder) for holder in report.holders])
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    axes.tick_params(axis="y", labelsize=size)
    longest = max(len(label.get_text()) for label in axes.get_xticklabels())
    if _arranged(axes):  # then the cards' names take their room from the picture
        width -= _WIDTH_OF_A_LETTER * size * max(map(len, report.cards))
    fitting = width / columns / (_WIDTH_OF_A_LETTER * (longest + 1))
    axes.tick_params(axis="x", labelsize=min(10.0, fitting))
    for end in np.cumsum([len(cards) for _, cards in kinds])[:-1]:
        axes.axhline(end - 0.5, color=charts.OTHERS, linewidth=1)
    axes.axvline(columns - 1.5, color=charts.OTHERS, linewidth=1)
    for side in axes.spines.values():
        side.set_visible(False)
    _titled(axes, f"{report.viewer}, after {counted(report.entries, 'entry')}")
    return axes


def solutions(
    game: Game,
    *,
    viewer: str | None = None,
    shows: Shows | None = None,
    upto: int | None = None,
    most: int = 6,
    ax: Axes | None = None,
) -> Axes:
    """
    Draw how one viewer's chances of the solutions went, entry by entry, one upon the other.

    The likeliest at the end have a band each, then those that came closest on the way; all others
    are grey.

    Args:
        game: The game.
        viewer, shows, upto: As in `Game.report`.
        most: How many solutions have a band of their own, 1 or more.
        ax: Where to draw; where pyplot draws if left out.

    Raises:
        Contradiction: If the entries cannot all be true.
        ArgumentError: If `most` is below 1.
        NotationError, ArgumentError, TooLarge: As `Game.report`.
        MissingExtra: If matplotlib is not installed.

    >>> from clue_solver import load, plots
    >>> axes = plots.solutions(load("examples/classic.clue"))
    """
    if most < 1:
        raise ArgumentError(f"most: expected 1 or more; found {most}", argument="most")
    last = game.report(viewer=viewer, shows=shows, upto=upto)
    if not last.consistent:
        raise Contradiction(last.conflict)
    entries = range(last.entries)
    reports = [game.report(viewer=viewer, shows=shows, upto=entry) for entry in entries]
    chart = charts.solutions([*reports, last], most=most)
    axes = _charted(chart, ax)
    shares = np.array([(*band.shares, band.shares[-1]) for band in chart.bands])
    axes.stackplot(
        np.arange(shares.shape[1]),
        *shares,
        step="post",  # an entry's shares last up to the next
        colors=[*(band.colour for band in chart.bands[:-1]), (charts.OTHERS, 0.3)],
        labels=[_label(band.name, most=60) for band in chart.bands],
    )
    _legend(axes, reverse=True)
    return axes


def chances(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw every player's chance to name the true solution, entry by entry; a dot marks proof.

    Where the record does not hold all that a player saw, the chance may have been higher. A
    triangle is a right accusation, a cross a wrong one.

    Args:
        review: The review of the game, as `Game.review` returns it.
        ax: Where to draw; where pyplot draws if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.

    >>> from clue_solver import load, plots
    >>> axes = plots.chances(load("examples/evening.clue").review())
    >>> axes.get_title()
    'The chance to name the true solution'
    """
    chart = charts.chances(review)
    axes = _charted(chart, ax)
    for line in chart.lines:
        _stepped(axes, line)
        for entry, right in line.accused:
            height = line.heights[min(entry, len(line.heights)) - 1]
            axes.plot(
                [entry],
                [height],
                "^" if right else "X",
                markersize=9,
                color=line.colour,
                clip_on=False,
                zorder=4,
            )
    _legend(axes)
    return axes


def _stepped(axes: Axes, line: charts.Line) -> None:
    """Draw a line in steps, and its dot."""
    axes.step(
        range(len(line.heights) + 1),
        [*line.heights, line.heights[-1]],
        where="post",
        linewidth=2,
        color=line.colour,
        linestyle=line.style,
        label=_label(line.name),
    )
    if line.dot is not None and line.dot < len(line.heights):
        axes.plot(
            [line.dot],
            [line.heights[line.dot]],
            "o",
            markersize=8,
            clip_on=False,
            zorder=3,
            color=line.colour,
        )


def bits(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw how many bits every seat lacked after each entry; a dot stands where it had proof.

    Args:
        review: The review of the game.
        ax: Where to draw; where pyplot draws if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.

    >>> from clue_solver import load, plots
    >>> axes = plots.bits(load("examples/evening.clue").review())
    """
    chart = charts.bits(review)
    axes = _charted(chart, ax)
    for line in chart.lines:
        _stepped(axes, line)
    _legend(axes)
    return axes


def gains(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw what each suggestion was expected to gain, as a bar, below a mark for the best there was.

    Args:
        review: The review of the game.
        ax: Where to draw; where pyplot draws if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.

    >>> from clue_solver import load, plots
    >>> axes = plots.gains(load("examples/evening.clue").review())
    """
    chart = charts.gains(review)
    axes = _charted(chart, ax)
    for name, colour in chart.keys:
        bars = [bar for bar in chart.bars if bar.name == name]
        axes.bar(
            [bar.entry for bar in bars],
            [bar.height for bar in bars],
            yerr=[bar.error for bar in bars],
            ecolor=charts.OTHERS,
            width=0.7,
            color=colour,
            label=_label(name),
        )
    axes.hlines(
        [bar.best for bar in chart.bars],
        [bar.entry - 0.45 for bar in chart.bars],
        [bar.entry + 0.45 for bar in chart.bars],
        colors=charts.OTHERS,
        linewidth=2.5,
        label="the best there was",
    )
    _legend(axes)
    return axes


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Return where to draw: `ax`, pyplot's current Axes if empty, or those of a new figure."""
    if ax is not None:
        return ax
    pyplot = import_extra("matplotlib.pyplot")
    if pyplot.get_fignums():
        current: Axes = pyplot.gca()
        if not current.has_data():
            return current
    axes: Axes
    _, axes = pyplot.subplots(figsize=(width, height), layout="constrained")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _legend(axes: Axes, *, reverse: bool = False) -> None:
    """Put the legend beside the axes where the figure makes room for it, else inside, small."""
    scale = _scale(axes)
    if _arranged(axes) and scale == 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, reverse=reverse)
        return
    longest = max((len(name) for name in axes.get_legend_handles_labels()[1]), default=0)
    fitting = 0.8 * _room(axes)[0] / (_WIDTH_OF_A_LETTER * longest + 4)
    axes.legend(loc="best", fontsize=min(7 * scale, fitting), framealpha=0.7, reverse=reverse)


def _arranged(axes: Axes) -> bool:
    """Whether the figure makes room for what stands around its axes."""
    figure = axes.get_figure(root=True)
    return figure is not None and figure.get_layout_engine() is not None


def _scale(axes: Axes) -> float:
    """Return the size of texts, of which 1 is the usual: in small axes half of that at least."""
    width, height = _room(axes)
    return max(0.5, min(1.0, width / 200, height / 120))


def _shrink(axes: Axes) -> None:
    """Draw what stands at the axes as small as they are, so that neighbours in a grid have room."""
    scale = _scale(axes)
    if scale < 1:
        size = float(axes.xaxis.label.get_fontsize()) * scale
        axes.tick_params(labelsize=size, length=3 * scale, pad=3 * scale)
        axes.set_xlabel("")  # it would stand in the title below


def _room(axes: Axes) -> tuple[float, float]:
    """Return how wide and how high the axes are, in points, before anything makes room."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    box = axes.get_window_extent()
    return box.width / figure.dpi * 72, box.height / figure.dpi * 72


def _titled(axes: Axes, title: str) -> None:
    """Give the axes a title that is no wider than they are."""
    label = _label(title, most=100)
    text = axes.set_title(label, pad=6 * _scale(axes))
    fitting = _room(axes)[0] / (_WIDTH_OF_A_LETTER * len(label))
    text.set_fontsize(min(float(text.get_fontsize()) * _scale(axes), fitting))


_WIDTH_OF_A_LETTER = 0.55
"""How wide a letter is on the average, in sizes of its font."""


def _charted(chart: charts.Chart, ax: Axes | None) -> Axes:
    """Return the frame of a chart, with nothing drawn in it."""
    axes = _axes(ax, 8, 3.6)
    axes.set_xlim(chart.first, chart.last)
    axes.set_ylim(0, chart.top)
    axes.set_xlabel("entry")
    if chart.percent:
        axes.yaxis.set_major_formatter(import_extra("matplotlib.ticker").PercentFormatter(1.0))
    _titled(axes, chart.title)
    axes.xaxis.set_major_locator(import_extra("matplotlib.ticker").MaxNLocator(integer=True))
    _shrink(axes)
    return axes


def _label(name: str, *, most: int = 24) -> str:
    """Return a name as matplotlib draws it: no formula, and never left out of a legend."""
    clipped = name if len(name) <= most else f"{name[: most - 1]}…"
    text = clipped.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
