"""The review page: everything that the review says, in one file that fetches nothing."""

from __future__ import annotations

import re

import pytest

from clue_solver import Game, Table, load_edition
from clue_solver.answers.review import Review
from clue_solver.notation import parse_line
from clue_solver.record import Record
from clue_solver.record.contents import with_seats_called
from clue_solver.views import explanations
from clue_solver.views.charts import COLOURS
from clue_solver.views.html import review_page
from tests.outline import Outline
from tests.views.displays import EVENING, HOSTILE, hostile

REVIEW = EVENING.review(sample=500)
PAGE = review_page(REVIEW)


def finished(*lines: str) -> Review:
    """The review of a short game of three, by its lines."""
    table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    record = Record(table=table)
    for line in lines:
        record = record.append(parse_line(line, table, record.turn_state))
    return Game(record).review(sample=100)


def test_the_page_is_whole_and_says_what_the_review_says() -> None:
    outline = Outline(PAGE)
    assert PAGE.startswith("<!DOCTYPE html>")
    assert REVIEW.story in outline.text
    for section in explanations.review_sections(REVIEW):
        assert section.title in outline.text
        for _, line in section.lines:
            assert line in outline.text
    for _, rows in (explanations.review_players(REVIEW), explanations.review_suggestions(REVIEW)):
        for row in rows:
            assert "".join(row) in outline.text
    for line in REVIEW.lines:
        assert line in outline.text


def test_the_page_fetches_nothing_and_runs_nothing() -> None:
    outline = Outline(PAGE)
    assert not {"script", "link", "img", "iframe", "image", "use", "base", "a"} & set(outline.tags)
    assert not {"src", "href", "xlink:href", "srcset"} & {name for name, _ in outline.attributes}
    for word in ("http", "url(", "@import", "//"):
        assert word not in PAGE


def test_the_page_follows_the_theme_of_the_screen() -> None:
    assert "color-scheme:light dark" in PAGE
    assert "@media (prefers-color-scheme:dark)" in PAGE
    colours = {value for name, value in Outline(PAGE).attributes if name in ("fill", "stroke")}
    assert {"currentColor", "none"} | set(COLOURS) >= colours


def test_every_picture_tells_what_it_shows() -> None:
    pictures = [pairs for pairs, _ in Outline(PAGE).of("svg") if pairs.get("role") == "img"]
    assert [pairs["aria-label"] for pairs in pictures] == [
        "The chance to name the true solution",
        "Uncertainty left (bits)",
        "What each suggestion could gain (bits)",
    ]


def test_no_name_is_cut_in_a_terminal() -> None:
    told = str(REVIEW)
    assert "…" not in told
    for row in explanations.review_suggestions(REVIEW)[1]:
        assert f"{row[2]}: {row[4]}" in told
        assert not row[8] or f"better: {row[8]}" in told
    assert max(map(len, told.splitlines())) <= 80
    long = {"Dan": "Maximilian Bartholomew the Third of Lower Saxony"}
    assert "…" not in str(Game(with_seats_called(EVENING.record, long)).review(sample=100))


def test_a_bar_is_as_high_as_the_gain() -> None:
    heights = [float(pairs["height"]) for pairs, _ in Outline(PAGE).of("rect")]
    gains = [each.gain for each in REVIEW.suggestions]
    scale = heights[0] / gains[0]
    assert heights == pytest.approx([gain * scale for gain in gains], rel=1e-4)


def test_a_bar_stands_over_its_entry() -> None:
    bars = Outline(PAGE).of("rect")
    middles = [float(pairs["x"]) + float(pairs["width"]) / 2 for pairs, _ in bars]
    entries = [each.entry for each in REVIEW.suggestions]
    apart = (middles[-1] - middles[0]) / (entries[-1] - entries[0])
    expected = [middles[0] + apart * (entry - entries[0]) for entry in entries]
    assert pytest.approx(middles, abs=0.01) == expected
    assert 472 > middles[-1] > middles[0] > 54


def test_a_line_goes_down_as_the_bits_do() -> None:
    ways = [
        pairs["d"] for pairs, _ in Outline(PAGE).of("path") if pairs.get("stroke-width") == "2.2"
    ]
    for seat, way in zip(REVIEW.seats, ways, strict=True):
        heights = [float(height) for height in re.findall(r"V([\d.]+)", way)]
        bits = [moment.bits for moment in seat.timeline]
        floor, top = max(heights), heights[0]
        expected = [floor - (floor - top) * each / bits[0] for each in bits]
        assert pytest.approx(heights, abs=0.2) == expected


def test_names_that_are_markup_stay_names() -> None:
    page = review_page(hostile().review())
    outline = Outline(page)
    assert not {"script", "img", "scriptalert(1)<"} & set(outline.tags)
    assert not [name for name, _ in outline.attributes if name.startswith("on")]
    assert HOSTILE[1] in outline.text


def test_a_game_without_a_suggestion_has_a_page() -> None:
    review = finished("Ann accuses Plum, Rope, Hall: right")
    outline = Outline(review_page(review))
    assert "Unknown: cannot be told from these notes" in outline.text
    assert not outline.of("rect")


def test_a_record_that_does_not_hold_all_that_was_seen_says_so() -> None:
    review = finished(
        "Ann suggests Plum, Rope, Hall: Ben shows Rope", "Ann accuses Plum, Knife, Hall: right"
    )
    partly = explanations.review_partly(review)
    assert "does not hold all that Ann" in partly
    assert partly in Outline(review_page(review)).text


def test_a_notebook_shows_the_same_review() -> None:
    outline = Outline(REVIEW._repr_html_())
    assert REVIEW.story in outline.text
    assert "Clue: Green, Wrench, Kitchen" in outline.text
    assert not {"html", "body", "script"} & set(outline.tags)
    assert repr(REVIEW).startswith("<Review: Clue: Green, Wrench, Kitchen; Ann won in entry 22")
    assert REVIEW.turning[0].text in " ".join(str(REVIEW).split())
