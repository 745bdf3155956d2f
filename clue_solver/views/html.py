"""
Reports, games and advice as HTML, for a notebook.

Text takes the colour of the page, and grounds are translucent, so that a sheet reads on light and
on dark themes. Without the style sheet, which some viewers drop, it is a plain table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from clue_solver.answers.advice import Advice
from clue_solver.answers.display import draws, percent
from clue_solver.answers.report import Report
from clue_solver.errors import ClueError
from clue_solver.game import Game
from clue_solver.table import ENVELOPE, SPECTATOR
from clue_solver.views import explanations, text
from clue_solver.views.markup import element, escaped, grid
from clue_solver.views.text import Section

STYLE = (
    "<style>"
    ".clue-solver{line-height:1.4;overflow-x:auto}"
    ".clue-solver p{margin:.3em 0;max-width:60em}"
    ".clue-solver .beside{display:flex;flex-wrap:wrap;gap:0 2.5em;align-items:flex-start}"
    ".clue-solver table{border-collapse:collapse;border:0;margin:.3em 0;color:inherit;"
    "font-size:1em}"
    ".clue-solver tbody tr,.clue-solver tbody tr:hover{background:none}"
    ".clue-solver table th,.clue-solver table td{border:0;padding:.08em .55em;color:inherit;"
    "font-weight:normal;text-align:center;vertical-align:baseline;white-space:nowrap;max-width:16em;overflow:hidden;"
    "text-overflow:ellipsis}"
    ".clue-solver table thead th{font-weight:bold;border-bottom:1px solid currentColor}"
    ".clue-solver table .words,.clue-solver table tbody th{text-align:left}"
    ".clue-solver table td.words{white-space:normal;max-width:46em}"
    ".clue-solver table .number{text-align:right;font-variant-numeric:tabular-nums}"
    ".clue-solver table .kind th{font-weight:bold;font-style:italic;padding-top:.5em}"
    ".clue-solver table td.holds{font-weight:bold;background:rgba(0,158,115,.35)}"
    ".clue-solver table td.lacks{opacity:.5}"
    ".clue-solver small{white-space:pre-wrap}"
    ".clue-solver .title{font-weight:bold;margin-top:.8em}"
    ".clue-solver figure{margin:.5em 0}.clue-solver figcaption span{margin-right:1.2em}"
    ".clue-solver svg{max-width:100%;height:auto;color:inherit}"
    ".clue-solver .log{max-height:22em;overflow-y:auto;margin:.3em 0}"
    "</style>"
)

_SHADE = "rgba(30,130,210,{:.2f})"
"""The ground of an open cell: blue, which all eyes tell from the green of a sure one."""


@draws(Report, "html")
def report(report: Report, lines: Sequence[str] = ()) -> str:
    """
    Return the whole report.

    Args:
        report: What to draw.
        lines: The record's entries as lines, in order, to quote from.
    """
    return framed(*_report(report, lines))


@draws(Game, "html")
def game(game: Game) -> str:
    """Return a game: its table, its log and its report, or why there is none."""
    table, lines = game.table, game.lines
    try:
        told = list(_report(game.report(), lines))
    except ClueError as error:  # a notebook shows what there is
        told = [_line(str(error))]
    heads = [
        ("edition", table.edition.title),
        ("players", ", ".join(table.seats)),
        ("viewer", table.viewer or SPECTATOR),
    ]
    log = element("ol", *(element("li", escaped(line)) for line in lines), class_="log")
    return framed(
        grid(("", ""), heads, words=(0, 1)),
        element("details", element("summary", "The log"), log),
        *told,
    )


@draws(Advice, "html")
def advice(advice: Advice, *, most: int = 10) -> str:
    """Return what to ask, whether to accuse, who is close."""
    heads, rows = explanations.ranking(advice, most=most)
    return framed(
        element("p", element("strong", escaped(explanations.headline(advice)))),
        titled("What to ask", grid(heads, rows, words=(len(heads) - 1,))),
        *map(_section, explanations.sections(advice)),
    )


def framed(*parts: str) -> str:
    """Return markup with its style sheet, in a frame that keeps the style from all else."""
    return STYLE + element("div", *parts, class_="clue-solver")


def _line(line: str) -> str:
    return element("p", escaped(line, most=500))


def titled(title: str, *parts: str) -> str:
    """Return markup under a title."""
    return element("div", element("p", escaped(title), class_="title"), *parts)


def _section(section: Section) -> str:
    if not section.lines:
        return titled(section.title)
    return titled(section.title, grid(("", ""), section.lines, words=(1,)))


def _report(report: Report, lines: Sequence[str]) -> Iterator[str]:
    first, *more = text.headline(report).plain.split("\n")
    yield element(
        "p", element("strong", escaped(first)), *(f"<br>{escaped(line)}" for line in more)
    )
    told = "".join(map(_section, text.sections(report, lines)))
    if report.consistent:
        drawn = _sheet(report) + element("p", element("small", escaped(text.legend())))
        yield element("div", element("div", drawn), element("div", told), class_="beside")
    else:
        yield told


def _sheet(report: Report) -> str:
    heads = "".join(
        element("th", escaped(holder), scope="col", title=holder) for holder in report.holders
    )
    return element(
        "table",
        element("thead", element("tr", element("td"), heads)),
        element("tbody", *_rows(report)),
    )


def _rows(report: Report) -> Iterator[str]:
    kinds = {kind.name: kind.plural or kind.name for kind in report.table.edition.category}
    category = report.table.edition.category_of
    across = len(report.holders) + 1
    for kind, cards in groupby(report.cards, category.__getitem__):
        yield element("tr", element("th", escaped(kinds[kind]), colspan=across), class_="kind")
        for card in cards:
            label = element("th", escaped(card), scope="row", title=card)
            yield element("tr", label, *_cells(report, card))


def _cells(report: Report, card: str) -> Iterable[str]:
    for holder in report.holders:
        verdict = report.verdict(card, holder)
        if verdict != "open":
            mark = text.UNICODE.holds if verdict == "holds" else text.UNICODE.lacks
            yield element("td", mark, class_=verdict)
            continue
        chance = report.probability(card, holder)
        share = escaped(percent(chance))
        if holder == ENVELOPE:
            share = element("strong", share)
        yield element("td", share, style=f"background:{_SHADE.format(chance * 0.55)}")
