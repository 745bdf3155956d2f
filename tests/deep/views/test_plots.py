"""Pictures show what the answers say, and stand where pyplot, or who calls, wants them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clue_solver import ArgumentError, Contradiction, plots
from clue_solver.errors import MissingExtra
from clue_solver.views import charts
from clue_solver.views.plots import DEEPEST
from tests.views.displays import CLASH, EVENING, EXAMPLES, HOSTILE, hostile

figure = pytest.importorskip("matplotlib.figure")
matplotlib = pytest.importorskip("matplotlib")
REVIEW = EVENING.review(sample=500)
DRAWN: dict[str, Callable[..., Any]] = {
    "sheet": partial(plots.sheet, EVENING.report(upto=12)),
    "solutions": partial(plots.solutions, EVENING),
    "chances": partial(plots.chances, REVIEW),
    "bits": partial(plots.bits, REVIEW),
    "gains": partial(plots.gains, REVIEW),
}
"""Every picture, but for where it is drawn."""


@pytest.fixture(name="plt", autouse=True)
def pyplot() -> Iterator[Any]:
    matplotlib.use("Agg")
    plt = import_module("matplotlib.pyplot")
    plt.close("all")
    yield plt
    plt.close("all")


def inked(picture: Path) -> float:
    """The share of a picture's pixels that are not its ground."""
    pixels = import_module("matplotlib.image").imread(picture)
    return float((pixels != pixels[0, 0]).any(axis=2).mean())


@pytest.mark.parametrize("name", DRAWN)
def test_pyplot_saves_and_titles_what_was_drawn_last(plt: Any, name: str, tmp_path: Path) -> None:
    axes = DRAWN[name]()
    plt.title("Mine")
    assert plt.gca() is axes
    assert axes.get_title() == "Mine"
    plt.savefig(tmp_path / "mine.png")
    assert len(plt.get_fignums()) == 1
    plt.subplots(figsize=axes.figure.get_size_inches(), layout="constrained")
    plt.title("Mine")
    plt.savefig(tmp_path / "empty.png")
    assert inked(tmp_path / "mine.png") > 1.2 * inked(tmp_path / "empty.png")


def test_a_cell_shows_a_picture_once_last_or_not() -> None:
    game = f"load({str(EXAMPLES / 'evening.clue')!r})"
    cells = (
        f"from clue_solver import load, plots\ngame = {game}",
        "plots.sheet(game.report())",
        "plots.sheet(game.report())\ndone = True",
        "import matplotlib.pyplot as plt\naxes = plots.sheet(game.report())\nplt.show()",
        "figure, axes = plt.subplots(1, 2)\nplots.sheet(game.report(), ax=axes[0]);",
    )
    v4 = import_module("nbformat.v4")
    notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
    import_module("nbclient").NotebookClient(notebook, kernel_name="python3").execute()
    shown = [
        sum("image/png" in output.get("data", {}) for output in cell.outputs)
        for cell in notebook.cells
    ]
    assert shown == [0, 1, 1, 1, 1]


def test_what_is_empty_is_drawn_on_and_what_is_not_is_left(plt: Any) -> None:
    plt.figure(figsize=(9, 3))
    first = DRAWN["bits"]()
    assert plt.get_fignums() == [1]
    assert tuple(first.figure.get_size_inches()) == (9, 3)
    second = DRAWN["chances"]()
    assert second.figure is not first.figure
    third = plt.subplot(1, 2, 1)
    assert DRAWN["gains"](ax=third) is third
    assert DRAWN["chances"](ax=plt.subplot(1, 2, 2)) is plt.gca()


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_in_a_grid_no_legend_covers_another_picture(plt: Any, layout: str | None) -> None:
    size = None if layout is None else (14, 10)
    page, grid = plt.subplots(2, 2, layout=layout, figsize=size)
    for name, axes in zip(("solutions", "chances", "bits", "gains"), grid.flat, strict=True):
        DRAWN[name](ax=axes)
    page.draw_without_rendering()
    boxes = {axes: axes.get_window_extent() for axes in grid.flat}
    for axes in grid.flat:
        legend = axes.get_legend().get_window_extent()
        for other, box in boxes.items():
            assert other is axes or not legend.overlaps(box)
        assert (legend.x0 >= boxes[axes].x1) == (layout is not None)


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_in_a_grid_of_six_no_text_stands_on_another(plt: Any, layout: str | None) -> None:
    page, grid = plt.subplots(2, 3, layout=layout)
    for draw, axes in zip(DRAWN.values(), grid.flat, strict=True):
        draw(ax=axes)
    page.draw_without_rendering()
    whole = [axes.get_tightbbox() for axes in grid.flat]  # with all texts
    for place, box in enumerate(whole):
        assert box.x0 >= 0
        assert not any(box.overlaps(other) for other in whole[:place])
    sizes = [axes.title.get_fontsize() for axes in grid.flat]
    assert min(sizes) >= 4


def test_in_a_small_picture_texts_are_small_enough(plt: Any) -> None:
    page, (left, right) = plt.subplots(1, 2, figsize=(6.4, 2.4))
    DRAWN["sheet"](ax=left)
    DRAWN["chances"](ax=right)
    page.draw_without_rendering()
    height = left.get_window_extent().height / len(left.get_yticklabels())
    assert all(text.get_window_extent().height <= 1.3 * height for text in left.texts)
    heads = [label.get_window_extent() for label in left.get_xticklabels()]
    assert all(a.x1 <= b.x0 for a, b in pairwise(heads))
    assert right.title.get_window_extent().width <= right.get_window_extent().width


def test_the_page_and_the_picture_draw_one_chart() -> None:
    chart = charts.chances(REVIEW)
    axes = DRAWN["chances"]()
    steps = [line for line in axes.lines if line.get_drawstyle() == "steps-post"]
    drawn = [(line.get_label(), line.get_color(), line.get_linestyle()) for line in steps]
    marks = {"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":"}
    assert drawn == [(line.name, line.colour, marks[line.style]) for line in chart.lines]
    page = REVIEW._repr_html_()
    assert all(f'stroke="{line.colour}"' in page for line in chart.lines)
    assert chart.title == axes.get_title()
    assert chart.title in page


def test_the_heat_of_a_cell_is_the_chance_and_its_text_the_mark() -> None:
    report = EVENING.report(upto=12)
    axes = plots.sheet(report)
    (image,) = axes.images
    opaque = np.asarray(image.get_array())[..., 3]
    assert report.probabilities * DEEPEST == pytest.approx(opaque)
    texts = {
        (int(each.get_position()[1]), int(each.get_position()[0])): each for each in axes.texts
    }
    row, column = report.cards.index("Plum"), report.holders.index("Ann")
    assert texts[row, column].get_text() == "✓"
    assert texts[row, column + 1].get_text() == "·"
    assert list(report.cards) == [label.get_text() for label in axes.get_yticklabels()]
    assert list(report.holders) == [label.get_text() for label in axes.get_xticklabels()]
    assert axes.get_xlim() == (-0.5, len(report.holders) - 0.5)  # nothing beside the cells


def test_the_bands_of_the_solutions_are_their_chances() -> None:
    axes = plots.solutions(EVENING, viewer="Ben", most=3)
    *bands, rest = axes.collections
    best = EVENING.report(viewer="Ben", upto=20).solutions
    labels = [band.get_label() for band in bands]
    assert labels[0] == "Green, Wrench, Kitchen"
    assert rest.get_label() == "all others"
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["all others", *labels[::-1]]
    chance = dict(best)[("Green", "Wrench", "Kitchen")]
    heights = np.asarray(bands[0].get_paths()[0].vertices)
    assert chance == pytest.approx(min(y for x, y in heights if 20 < x <= 21 and y > 0))
    assert max(y for x, y in heights if x >= 22) == pytest.approx(1)


def test_the_steps_of_a_seat_are_its_bits() -> None:
    axes = plots.bits(REVIEW)
    steps = [line for line in axes.lines if line.get_drawstyle() == "steps-post"]
    for seat, line in zip(REVIEW.seats, steps, strict=True):
        expected = [moment.bits for moment in seat.timeline]
        assert list(np.asarray(line.get_ydata()))[:-1] == expected
        assert seat.seat == line.get_label()
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [(seat.proved, 0.0) for seat in REVIEW.seats] == [
        tuple(*np.asarray(dot.get_xydata())) for dot in dots
    ]
    assert axes.get_ylim()[0] == 0


def test_seats_differ_in_colour_and_in_line() -> None:
    lines = plots.bits(REVIEW).lines[::2]
    assert all(a.get_color() != b.get_color() for a, b in pairwise(lines))
    assert all(a.get_linestyle() != b.get_linestyle() for a, b in pairwise(lines))


def test_a_bar_is_the_gain_and_the_mark_above_it_the_best() -> None:
    axes: Any = plots.gains(REVIEW)  # its bars are patches, of which some have no width
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
    assert {each.entry: each.gain for each in REVIEW.suggestions} == pytest.approx(bars)
    marks = axes.collections[-1].get_segments()
    assert [each.best_gain for each in REVIEW.suggestions] == [mark[0][1] for mark in marks]


def test_a_picture_is_drawn_where_one_asks() -> None:
    axes = figure.Figure().add_subplot()
    assert axes is plots.sheet(EVENING.report(), ax=axes)
    assert axes is plots.bits(REVIEW, ax=axes)
    axes = plots.solutions(EVENING, viewer="spectator", upto=10, ax=figure.Figure().add_subplot())
    assert "spectator" in axes.get_title()
    assert import_module("matplotlib.pyplot").get_fignums() == []


def test_names_are_no_formulas_and_none_is_left_out() -> None:
    game = hostile()
    review = game.review()
    pictures: list[Any] = [plots.sheet(game.report()), plots.solutions(game), plots.bits(review)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for axes in [*pictures, plots.gains(review)]:
            axes.figure.draw_without_rendering()
    legend = pictures[-1].get_legend()
    assert len(legend.get_texts()) == 3
    assert HOSTILE[4].replace("$", r"\$") == legend.get_texts()[2].get_text()


def test_a_contradiction_has_no_picture_and_some_solution_has_a_band() -> None:
    with pytest.raises(Contradiction, match="entries 1 and 3 cannot all be true"):
        plots.sheet(CLASH.report())
    with pytest.raises(Contradiction, match="entries 1 and 3 cannot all be true"):
        plots.solutions(CLASH)
    with pytest.raises(ArgumentError, match="most: expected 1 or more; found 0"):
        plots.solutions(EVENING, most=0)


def test_without_matplotlib_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    install = r"this needs matplotlib: pip install 'clue-solver\[notebook\]'"
    with pytest.raises(MissingExtra, match=install):
        plots.sheet(EVENING.report())
    with pytest.raises(MissingExtra, match=install):
        plots.bits(REVIEW)
