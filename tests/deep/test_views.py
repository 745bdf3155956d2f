"""
Tables hold the numbers of the answers that they are made of.

Pictures show what the answers say, and stand where who calls wants them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from IPython.lib.pretty import pretty

from clue_solver import ClueError, Contradiction, Game, Games, load, parse_record
from clue_solver.answers.display import MOST_LINES
from clue_solver.errors import MissingExtra
from clue_solver.views import charts
from tests.strategies import games
from tests.views.displays import CLASH, EVENING, EXAMPLES, HOSTILE, hostile
from tests.views.test_document import ASKED

NA = pytest.importorskip("pandas").NA
REVIEW, ADVICE = EVENING.review(sample=500), EVENING.advice(upto=17)


@settings(max_examples=25)
@given(games())
def test_marginals_and_solutions_are_the_reports(game: Game) -> None:
    report = game.report()
    frame = report.to_frame()
    assert list(report.holders) == list(frame.columns)
    category = game.table.edition.category_of
    assert [(category[card], card) for card in report.cards] == list(frame.index)
    assert np.array_equal(report.probabilities, frame.to_numpy(), equal_nan=True)
    likely = report.to_frame("solutions")
    assert [(*cards, chance) for cards, chance in report.solutions] == [
        tuple(row) for row in likely.itertuples(index=False)
    ]


def test_a_contradiction_has_no_chances_and_no_solutions() -> None:
    report = CLASH.report()
    assert report.to_frame().isna().all(axis=None)
    assert list(report.to_frame("solutions")) == ["suspect", "weapon", "room", "probability"]
    assert len(report.to_frame("solutions")) == 0


@settings(max_examples=25)
@given(games())
def test_a_log_has_a_row_for_each_entry(game: Game) -> None:
    frame = game.to_frame()
    assert list(range(1, len(game.observations) + 1)) == list(frame.index)
    assert list(game.lines) == list(frame["line"])
    assert [each.__struct_config__.tag for each in game.observations] == list(frame["kind"])


def test_a_log_tells_who_asked_who_showed_and_what() -> None:
    columns = ["kind", "by", "of", "cards", "answer", "shower", "shown"]
    frame = EVENING.to_frame()
    asked = "suggestion", "Ann", None, "Green, Knife, Library"
    answers = "Ben passes, Cat passes, Dan shows", "Dan", "Library"
    assert list(frame.loc[13, columns]) == [*asked, *answers]
    wrong = ["accusation", "Dan", None, "Green, Rope, Kitchen", "wrong", None, None]
    assert list(frame.loc[17, columns]) == wrong
    diced = load(EXAMPLES / "diced.clue").to_frame()
    assert list(diced.loc[3, columns]) == [
        "look",
        "Mia",
        "Zoe",
        None,
        None,
        None,
        "Brains Scarlett",
    ]
    question = ["question", "Zoe", "Mia", "Orchid", "shows", "Mia", "Brains Orchid"]
    assert list(diced.loc[13, columns]) == question
    assert list(diced.loc[4, ["shown", "shower"]]) == [None, "Zoe"]


def test_a_review_has_a_row_for_each_moment_of_each_seat() -> None:
    frame = REVIEW.to_frame("timeline")
    assert list(frame.index.names) == ["seat", "entry"]
    assert len(frame) == sum(len(seat.timeline) for seat in REVIEW.seats)


def test_beside_each_seat_of_many_games_stands_who_plays_there() -> None:
    kinds = {"Ann": "likeliest", "Ben": "random", "Cat": "likeliest", "Dan": "random"}
    games = Games([Game(EVENING.record, players=kinds)])
    table = games.to_frame().iloc[0]
    assert (table["first"], table["first_player"]) == ("Ann", "likeliest")
    assert (table["winner"], table["winner_player"]) == ("Ann", "likeliest")
    known = games.evaluate(viewer="each", upto="each")
    entries = games.to_frame("entries")
    for frame, seat, player in (
        (known.to_frame(), "viewer", "player"),
        (known.to_frame("marginals"), "viewer", "player"),
        (entries, "by", "by_player"),
    ):
        assert list(frame[player]) == [kinds[each] for each in frame[seat]]
        assert list(frame).index(player) == list(frame).index(seat) + 1
    assert {*known.to_frame()} & {*entries} == {"game", "entry"}
    (nobody,) = games.evaluate(viewer="spectator").to_frame()["player"]
    assert nobody is None
    unknown = Games([Game(parse_record("edition: clue-classic\nplayers: Ann, Ben\n"))]).to_frame()
    assert unknown[["winner", "winner_player"]].isna().all(axis=None)


@pytest.mark.parametrize("value", [EVENING.report(), REVIEW])
def test_a_table_that_is_not_there_is_named(value: Any) -> None:
    with pytest.raises(ClueError, match=r"what: expected [\w, ]+ or \w+; found 'odds'"):
        value.to_frame("odds")


def test_without_pandas_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    report = EVENING.report()
    monkeypatch.setitem(sys.modules, "pandas", None)
    for ask in (EVENING.to_frame, report.to_frame, ADVICE.to_frame, REVIEW.to_frame):
        with pytest.raises(MissingExtra) as caught:
            ask()
        assert str(caught.value) == "this needs pandas: pip install 'clue-solver[notebook]'"
    assert (caught.value.library, caught.value.extra) == ("pandas", "notebook")


@pytest.mark.parametrize(
    "shown", [*(asked() for asked in ASKED.values()), EVENING, EVENING.advice(upto=17)], ids=repr
)
def test_alone_the_page_is_shown_and_in_a_list_the_line(shown: Any) -> None:
    page, at_prompt = str(shown).split("\n"), pretty(shown).split("\n")
    assert len(at_prompt) <= MOST_LINES
    assert at_prompt[: MOST_LINES - 1] == page[: MOST_LINES - 1]
    assert "\n" not in repr(shown)
    assert repr(shown) in pretty([shown], max_width=10_000)


def test_of_a_page_that_no_screen_holds_the_beginning_is_shown() -> None:
    review = EVENING.review(sample=100)
    *first, last = pretty(review).split("\n")
    lines = str(review).split("\n")
    assert first == lines[: MOST_LINES - 1]
    assert last == f"... and {len(lines) - MOST_LINES + 1} lines more: print() shows all"


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
