"""
Answers as HTML, by the templates beside this module: for a notebook, and a review as a page.

Text takes the colour of the page, and grounds are translucent, so that a sheet reads on light and
on dark themes. Without the style sheet, which some viewers drop, it is a plain table. A page holds
its pictures and fetches nothing. Whatever a template is given is data, and escaped.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension

from clue_solver.answers.advice import Advice
from clue_solver.answers.corrections import Check
from clue_solver.answers.display import view
from clue_solver.answers.reasons import Reason
from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.answers.season import Season
from clue_solver.errors import ClueError
from clue_solver.game import Game
from clue_solver.rules.table import SPECTATOR
from clue_solver.views import charts, explanations, text
from clue_solver.views.board import BoardPicture
from clue_solver.views.headlines import verdict

_POLICIES = {
    "random": "assuming that whoever could show several cards chose one at random",
    "none": "assuming nothing of how players choose the card that they show",
    "sticky": "assuming that players show the same asker the same card again",
}


class Frame(NamedTuple):
    """Where a chart is drawn in a picture, in pixels: the frame's sides, and places in it."""

    chart: charts.Chart
    width: int = 480
    height: int = 280
    left: int = 54
    right: int = 472
    top: int = 16
    bottom: int = 236

    @property
    def y_ticks(self) -> list[float]:
        return charts.ticks(0.0, self.chart.top, most=6)

    @property
    def x_ticks(self) -> list[float]:
        return charts.ticks(self.chart.first, self.chart.last, most=10, least=1)

    def x(self, entry: float) -> float:
        share = (entry - self.chart.first) / (self.chart.last - self.chart.first)
        return self.left + (self.right - self.left) * share

    def y(self, quantity: float) -> float:
        return self.bottom - (self.bottom - self.top) * quantity / self.chart.top


class WithoutLineBreaks(Extension):
    """Templates are read without their line breaks and indents: text in a cell stands alone."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        return re.sub(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{\"])", "", source).replace("\n", " ")


def rounded(value: object) -> object:
    """Return what a template writes: a place in a picture to six digits, all else as it is."""
    return f"{value:.6g}" if isinstance(value, float) else value


@view(Report, "html")
def report(report: Report, lines: Sequence[str] = ()) -> str:
    """Return the whole report; the entries, if they are given as lines, are quoted."""
    return _filled("report", drawn=_report(report, lines))


@view(Game, "html")
def game(game: Game) -> str:
    """Return a game: its table, its log and its report, or why there is none."""
    table, lines = game.table, game.lines
    heads = [
        ("edition", table.edition.title),
        ("players", ", ".join(table.seats)),
        ("viewer", table.viewer or SPECTATOR),
    ]
    try:
        drawn = _report(game.report(), lines)
        error = ""
    except ClueError as refused:  # a notebook shows what there is
        drawn = {}
        error = str(refused)
    return _filled("game", heads=heads, lines=lines, drawn=drawn, error=error)


@view(Reason, "html")
def reason(reason: Reason) -> str:
    """Return why a card is where it is, or may be."""
    heading = explanations.reason_headline(reason)
    return _filled("explained", heading=heading, sections=explanations.reason_sections(reason))


@view(Check, "html")
def check(check: Check) -> str:
    """Return whether a log is consistent; if not, why, and suggested corrections."""
    if check.conflict is None:
        return _filled("explained", heading=explanations.check_headlines(check), sections=())
    return _filled("explained", heading=(), sections=explanations.check_sections(check))


@view(Advice, "html")
def advice(advice: Advice, *, most: int = 10) -> str:
    """Return what to ask, whether to accuse, who is close."""
    heads, rows = explanations.ranking(advice, most=most)
    return _filled(
        "advice",
        verdict=verdict(advice),
        title=explanations.choices_title(advice),
        heads=heads,
        rows=rows,
        sections=explanations.advice_sections(advice),
    )


@view(Review, "html")
def review_section(review: Review) -> str:
    """Return the review for a notebook."""
    return _filled("review", **_review(review))


def review_page(review: Review) -> str:
    """Return the review as an HTML file of its own, for phones, paper, light and dark screens."""
    return _filled("page", **_review(review)) + "\n"


def board_section(board: BoardPicture) -> str:
    """Return a board as a picture, or its rooms as a list; what can be tapped is a link."""
    tokens = chain(board.tokens, *(room.tokens for room in board.rooms))
    tapped = any(room.tap for room in board.rooms) or any(token.href for token in tokens)
    return _filled("board", board=board, tapped=tapped)


@view(Season, "html")
def season_section(season: Season) -> str:
    """Return a season for a notebook."""
    return _filled("season", **_season(season))


def _season(season: Season) -> dict[str, Any]:
    return {
        "title": explanations.season_headline(season),
        "players": explanations.season_players(season),
        "legend": explanations.SEASON_LEGEND,
        "failed": season.failed,
    }


def _report(report: Report, lines: Sequence[str]) -> dict[str, Any]:
    return {
        "report": report,
        "heading": text.headline(report).plain.split("\n"),
        "sections": list(text.sections(report, lines)),
        "rows": charts.rows(report) if report.consistent else (),
        "legend": text.legend(),
    }


def _review(review: Review) -> dict[str, Any]:
    drawn: list[tuple[charts.Chart, Any]] = [
        (charts.chances(review), None),
        (charts.bits(review), None),
    ]
    if review.suggestions:
        drawn.append((charts.gains(review), explanations.review_suggestions(review)))
    first, *others = [(chart, Frame(chart), table) for chart, table in drawn]
    return {
        "review": review,
        "title": explanations.review_headline(review),
        "glossary": explanations.review_glossary(),
        "players": explanations.review_players(review),
        "partly": explanations.review_partly(review),
        "sections": list(explanations.review_sections(review)),
        "first": first,
        "pictures": others,
        "policy": _POLICIES[review.shows],
    }


def _filled(name: str, **given: Any) -> str:
    return _templates().get_template(f"{name}.html").render(given)


@cache
def _templates() -> Environment:
    return Environment(
        loader=ChoiceLoader(
            [PackageLoader("clue_solver.views", folder) for folder in ("templates", "static")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=rounded,
        extensions=[WithoutLineBreaks],
    )
