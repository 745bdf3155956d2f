"""
Pictures of a game, drawn with matplotlib: each function returns the Axes that it drew on.

Nothing here touches pyplot: without `ax` a picture gets a Figure of its own (`axes.figure`), which
no window and no list of figures holds. Texts and frames take the colours of the style in use, and
grounds are left as they are, so that dark styles and transparent pictures read well. Colours are
close to those of Okabe and Ito, which colour-blind people can tell apart; seats differ in line
style too.

matplotlib comes with the `notebook` extra: without it every function raises `MissingExtra`.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, get_args

import numpy as np

from clue_solver.answers.habits import Habits
from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.errors import ArgumentError, Contradiction, import_extra
from clue_solver.errors.arguments import checked
from clue_solver.game import Game
from clue_solver.rules.table import Shows
from clue_solver.views import charts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bits", "chances", "gains", "habits", "sheet", "solutions"]

DEEPEST = 0.65
"""How opaque a certain cell of the heat map is: text of any colour reads on it."""


@checked
def sheet(report: Report, *, ax: Axes | None = None) -> Axes:
    """
    Draw the detective's sheet as a heat map: the fuller a cell, the likelier the card lies there.

    Args:
        report: What to draw.
        ax: Where to draw; a new figure if left out.

    Raises:
        Contradiction: If no deal fits the log.
        MissingExtra: If matplotlib is not installed.
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
    for y, row in enumerate(drawn):
        for x, cell in enumerate(row):
            axes.text(
                x,
                y,
                cell.text,
                ha="center",
                va="center",
                fontsize=9,
                alpha=0.4 if cell.verdict == "lacks" else 1,
                fontweight="bold" if cell.verdict == "holds" else "normal",
            )
    axes.set_yticks(range(rows), [_label(charts.printed(report, card)) for card in report.cards])
    axes.set_xticks(range(columns), [_label(holder) for holder in report.holders])
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    for end in np.cumsum([len(cards) for _, cards in kinds])[:-1]:
        axes.axhline(end - 0.5, color=charts.OTHERS, linewidth=1)
    axes.axvline(columns - 1.5, color=charts.OTHERS, linewidth=1)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_title(f"{_label(report.viewer)}, after {report.entries} entries", pad=12)
    return axes


@checked
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
        ax: Where to draw; a new figure if left out.

    Raises:
        Contradiction: If the entries cannot all be true.
        ArgumentError: If `most` is below 1.
        NotationError, ArgumentError, TooLarge: As `Game.report`.
        MissingExtra: If matplotlib is not installed.
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
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, reverse=True)
    return axes


@checked
def chances(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw every player's chance to name the true solution, entry by entry; a dot marks proof.

    A star behind a name: the record does not hold all that this player saw, so the chance may have
    been higher. A triangle is a right accusation, a cross a wrong one.

    Args:
        review: The review of the game, as `Game.review` returns it.
        ax: Where to draw; a new figure if left out.

    Returns:
        The Axes; alone in a notebook's cell they show the picture.

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
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
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


@checked
def bits(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw how many bits every seat lacked after each entry; a dot stands where it had proof.

    Args:
        review: The review of the game.
        ax: Where to draw; a new figure if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.
    """
    chart = charts.bits(review)
    axes = _charted(chart, ax)
    for line in chart.lines:
        _stepped(axes, line)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return axes


@checked
def gains(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw what each suggestion was expected to gain, as a bar, below a mark for the best there was.

    Args:
        review: The review of the game.
        ax: Where to draw; a new figure if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.
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
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return axes


@checked
def habits(habits: Habits, habit: charts.Habit = "careful", *, ax: Axes | None = None) -> Axes:
    """
    Draw a habit of every player as a dot, with a line for its interval; all together are grey.

    Args:
        habits: What was learned of the players.
        habit: `careful`, `sticky` or `accuses`.
        ax: Where to draw; a new figure if left out.

    Raises:
        ArgumentError: If there is no such habit.
        MissingExtra: If matplotlib is not installed.
    """
    if habit not in (known := get_args(charts.Habit)):
        reason = f"expected one of {', '.join(known)}; found {habit!r}"
        raise ArgumentError(f"habit: {reason}", argument="habit")
    title, spans = charts.habits(habits, habit)
    axes = _axes(ax, 7, 1.2 + 0.35 * len(spans))
    for row, (_, colour, value, low, high) in enumerate(spans):
        axes.plot([low, high], [row, row], color=colour, linewidth=2.5, solid_capstyle="butt")
        axes.plot([value], [row], "o", color=colour, markersize=7, clip_on=False, zorder=3)
    axes.set_xlim(0, 1)
    axes.set_yticks(range(len(spans)), [_label(span.name) for span in spans])
    axes.invert_yaxis()
    axes.set_title(_label(title, most=100))
    return axes


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    figure = import_extra("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    axes: Axes = figure.add_subplot()

    def shown() -> bytes:
        page = BytesIO()
        figure.savefig(page, format="png", dpi=100)
        return page.getvalue()

    axes._repr_png_ = shown  # type: ignore[attr-defined] # so a cell of a notebook shows it
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _charted(chart: charts.Chart, ax: Axes | None) -> Axes:
    """Return the frame of a chart, with nothing drawn in it."""
    axes = _axes(ax, 8, 3.6)
    axes.set_xlim(chart.first, chart.last)
    axes.set_ylim(0, chart.top)
    axes.set_xlabel("entry")
    axes.set_ylabel(chart.unit)
    if chart.percent:
        axes.yaxis.set_major_formatter(import_extra("matplotlib.ticker").PercentFormatter(1.0))
    axes.set_title(_label(chart.title, most=100))
    axes.xaxis.set_major_locator(import_extra("matplotlib.ticker").MaxNLocator(integer=True))
    return axes


def _label(name: str, *, most: int = 24) -> str:
    """Return a name as matplotlib draws it: no formula, and never left out of a legend."""
    clipped = name if len(name) <= most else f"{name[: most - 1]}…"
    text = clipped.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
