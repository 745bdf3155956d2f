"""
HTML pages and SVG pictures, from the templates beside this module; templates escape all text.

A page includes its pictures and loads nothing else.
"""

from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from clue_solver.views import charts
from clue_solver.views.board import BoardPicture


def template_value(value: object) -> object:
    """
    Return a value as a template writes it: a `float` to six significant digits, others unchanged.
    """
    return f"{value:.6g}" if isinstance(value, float) else value


def page(title: str, style: str, inside: Markup) -> str:
    """
    Return a complete HTML file that suits phones, paper, light and dark screens.

    `style` is its CSS; `inside` is the content.
    """
    return f"{_fill('page', title=title, style=Markup(style), inside=inside)}\n"


def chart_section(chart: charts.Chart) -> Markup:
    """Return a chart as a picture with a legend."""
    return _fill("chart", chart=chart, frame=charts.Frame(chart))


def board_section(board: BoardPicture) -> str:
    """Return a board as a picture, or as a list of rooms; places that can be tapped are links."""
    tapped = bool(board.tappable) or any(room.tap for room in board.rooms)
    return _fill("board", board=board, tapped=tapped)


def _fill(name: str, **given: Any) -> Markup:
    """Return the template with this name, filled with the given values."""
    return Markup(environment().get_template(f"{name}.html").render(given))


@cache
def environment(*packages: str) -> Environment:
    """Return the environment that loads templates, also those of `packages`, and escapes text."""
    views = [PackageLoader("clue_solver.views", folder) for folder in ("templates", "static")]
    return Environment(
        loader=ChoiceLoader([*map(PackageLoader, packages), *views]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=template_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
