"""Pictures show what the answers say; nobody's list of figures grows."""

from __future__ import annotations

import sys
import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from clue_solver import ArgumentError, Contradiction, plots
from clue_solver.errors import MissingExtra
from clue_solver.views.plots import DEEPEST
from tests.views.displays import CLASH, EVENING, HOSTILE, hostile

figure = pytest.importorskip("matplotlib.figure")
REVIEW = EVENING.review(sample=500)


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
    assert "spectator" in plots.solutions(EVENING, viewer="spectator", upto=10).get_title()
    assert "matplotlib.pyplot" not in sys.modules


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
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    install = r"this needs matplotlib: pip install 'clue-solver\[notebook\]'"
    with pytest.raises(MissingExtra, match=install):
        plots.sheet(EVENING.report())
    with pytest.raises(MissingExtra, match=install):
        plots.bits(REVIEW)
