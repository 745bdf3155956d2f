"""Pictures show what the answers say, and stand where who calls wants them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from clue_solver import Contradiction
from clue_solver.errors import MissingExtra
from clue_solver.views import charts
from tests.views.displays import CLASH, EVENING, HOSTILE, hostile

figure = pytest.importorskip("matplotlib.figure")
matplotlib = pytest.importorskip("matplotlib")
REVIEW = EVENING.review(sample=500)


@pytest.fixture(name="plt", autouse=True)
def pyplot() -> Iterator[Any]:
    matplotlib.use("Agg")
    plt = import_module("matplotlib.pyplot")
    plt.close("all")
    yield plt
    plt.close("all")


def test_the_page_and_the_picture_draw_one_chart() -> None:
    chart = charts.chance_chart(REVIEW)
    axes = REVIEW.plot()
    steps = [line for line in axes.lines if line.get_drawstyle() == "steps-post"]
    drawn = [(line.get_label(), line.get_color(), line.get_linestyle()) for line in steps]
    marks = {"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":"}
    assert drawn == [(line.name, line.colour, marks[line.style]) for line in chart.lines]
    assert all(a.get_color() != b.get_color() for a, b in pairwise(steps))
    assert all(a.get_linestyle() != b.get_linestyle() for a, b in pairwise(steps))
    for line, step in zip(chart.lines, steps, strict=True):
        assert list(np.asarray(step.get_ydata()))[:-1] == list(line.heights)
    assert sum(line.get_marker() == "o" for line in axes.lines) == 1  # who could prove it
    assert [line.get_marker() for line in axes.lines].count("X") == 1  # a wrong accusation
    page = REVIEW._repr_html_()
    assert all(f'stroke="{line.colour}"' in page for line in chart.lines)
    assert chart.title == axes.get_title()
    assert chart.title in page


def test_a_picture_is_drawn_where_one_asks(plt: Any) -> None:
    axes = figure.Figure().add_subplot()
    assert axes is EVENING.report().plot(axes)
    assert axes is REVIEW.plot(ax=axes)
    assert plt.get_fignums() == []
    assert REVIEW.plot() is plt.gca()
    assert EVENING.report().plot() is plt.gca()
    assert len(plt.get_fignums()) == 2


def test_names_are_no_formulas_and_none_is_left_out() -> None:
    game = hostile()
    pictures: list[Any] = [game.report().plot(), game.review().plot()]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for axes in pictures:
            axes.figure.draw_without_rendering()
    legend = pictures[-1].get_legend()
    assert len(legend.get_texts()) == 3
    assert HOSTILE[4].replace("$", r"\$") in legend.get_texts()[2].get_text()


def test_a_contradiction_has_no_picture() -> None:
    with pytest.raises(Contradiction, match="entries 1 and 3 can't both be true"):
        CLASH.report().plot()


def test_without_matplotlib_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    install = r"this needs matplotlib: pip install 'clue-solver\[notebook\]'"
    for answer in (EVENING.report(), REVIEW):
        with pytest.raises(MissingExtra, match=install):
            answer.plot()
