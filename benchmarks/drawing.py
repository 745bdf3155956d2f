"""
Figures from results: small panels side by side, as an SVG that is the same for the same results.

Text stays text, nothing depends on the day or on chance, and the file says which results it shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

STYLE: dict[Any, object] = {  # its keys are matplotlib's, which spells them all out
    "svg.hashsalt": "clue-solver",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Colours that people with any kind of colour vision tell apart (Okabe and Ito)."""

MARKS = ("o", "s", "^", "D")

Point = tuple[float, float, float, float]
"""Across, up, and how far the interval reaches below and above."""


class Panel(NamedTuple):
    """
    One small diagram.

    Attributes:
        title, across, up: What stands above it and at its axes.
        lines: The points of each line, by what the legend calls it.
        log: Whether the axis upwards is logarithmic.
        slope: The slope of a thin line through 0 to hold the points against, if there is to be one.
    """

    title: str
    across: str
    up: str
    lines: Mapping[str, Sequence[Point]]
    log: bool = False
    slope: float | None = None


Stop = tuple[float, bool]
"""How far something goes, and whether it may go further."""


class Span(NamedTuple):
    """
    One row of a figure of rows.

    Attributes:
        name: What stands at its left.
        low, middle, high: Where its line begins, its mark and its end.
        note: What stands at its right.
    """

    name: str
    low: Stop
    middle: Stop
    high: Stop
    note: str


def digest(results: Mapping[str, Any]) -> str:
    """Return what tells these results from others."""
    written = json.dumps(results, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def draw_svg(path: Path, panels: Sequence[Sequence[Panel]], results: Mapping[str, Any]) -> None:
    """
    Draw rows of panels into an SVG file that names the digest of its results.

    Panels of one column share what goes across; titles stand above the first row.
    """
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        width, height = len(panels[0]), len(panels)
        figure = Figure(figsize=(3.1 * width, 2.5 * height + 0.4), layout="constrained")
        FigureCanvasSVG(figure)
        grid = figure.subplots(height, width, squeeze=False, sharex="col")
        for axes, row in zip(grid, panels, strict=True):
            for each, panel in zip(axes, row, strict=True):
                _fill(each, panel)
        for top, bottom, above, below in zip(grid[0], grid[-1], panels[0], panels[-1], strict=True):
            top.set_title(above.title, fontsize=9, loc="left")
            bottom.set_xlabel(below.across)
        handles, names = grid[0][0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=4, frameon=False)
        _save(figure, path, results)


def draw_spans(path: Path, spans: Sequence[Span], across: str, results: Mapping[str, Any]) -> None:
    """Draw rows on one logarithmic axis; a mark that may be further right is hollow."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9, 0.3 * len(spans) + 0.8), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots()
        axes.axvline(1.0, color="#999999", linewidth=0.8)
        look: dict[str, Any] = {"color": COLOURS[0], "linewidth": 1.6}
        for place, span in enumerate(spans):
            end, further = span.high
            axes.plot((span.low[0], end), (place, place), **look)
            inside = "white" if span.middle[1] else COLOURS[0]
            axes.plot(span.middle[0], place, marker="o", markerfacecolor=inside, **look)
            if further:
                axes.plot(end, place, marker=">", **look)
            axes.text(1.02, place, span.note, transform=axes.get_yaxis_transform(), va="center")
        axes.set(xscale="log", xlabel=across)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_yticks(range(len(spans)), [span.name for span in spans])
        axes.invert_yaxis()
        _save(figure, path, results)


def _save(figure: Any, path: Path, results: Mapping[str, Any]) -> None:
    """Save a figure that is the same on any day, with the digest of what it shows."""
    source = f"{results['benchmark']}.json {digest(results)}"
    told = {"Date": None, "Creator": None, "Source": source}
    figure.savefig(path, format="svg", metadata=told, facecolor="white")


def draw_reliability(
    path: Path,
    columns: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]],
    results: Mapping[str, Any],
) -> None:
    """
    Draw how often it was so where so much was said, and by how much that is off, under each other.

    Args:
        path: The figure.
        columns: By title the lines, by label their rows, with `said`, `true` and `true_ci`.
        results: What the figure is of.
    """

    def points(rows: Sequence[Mapping[str, Any]], less: float) -> list[Point]:
        return [
            (100 * r["said"], 100 * (r["true"] - less * r["said"]), *(100 * r["true_ci"],) * 2)
            for r in rows
        ]

    panels = [
        [
            Panel(
                title=title,
                across="said, percent",
                up=label,
                lines={name: points(rows, less) for name, rows in lines.items()},
                slope=1 - less,
            )
            for title, lines in columns.items()
        ]
        for label, less in (("true, percent", 0.0), ("true less said, points", 1.0))
    ]
    draw_svg(path, panels, results)


def _fill(axes: Any, panel: Panel) -> None:
    if panel.slope is not None:
        axes.axline((0, 0), slope=panel.slope, color="#999999", linewidth=0.8)
    for place, (name, points) in enumerate(panel.lines.items()):
        colour = COLOURS[place % len(COLOURS)]
        if not points:
            axes.plot([], [], color=colour, marker=MARKS[place % len(MARKS)], label=name)
            continue
        across, up, below, above = zip(*points, strict=True)
        axes.errorbar(
            across,
            up,
            yerr=[below, above],
            label=name,
            color=colour,
            marker=MARKS[place % len(MARKS)],
            markersize=3.5,
            linewidth=1.2,
            elinewidth=0.7,
        )
    if panel.log:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("")
    axes.set_ylabel(panel.up)
