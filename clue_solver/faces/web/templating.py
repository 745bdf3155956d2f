"""The HTML templates of all pages, and the functions that the templates use."""

from functools import cache
from importlib.resources import files
from zlib import crc32

from jinja2 import Environment

from clue_solver.answers.display import percent
from clue_solver.views import charts
from clue_solver.views.html import environment

_SHADES = 20
"""How many shades of a colour show the size of a chance."""


@cache
def asset(name: str) -> str:
    """Return the address of a static file. Its query changes whenever the file does."""
    for package in ("clue_solver.faces.web", "clue_solver.views"):
        file = files(package) / "static" / name
        if file.is_file():
            return f"static/{name}?{crc32(file.read_bytes()):x}"
    raise FileNotFoundError(name)


def _tint(card: str) -> str:
    """Return the key of a suspect's colour in `charts.PIECES`; empty for a card without one."""
    name = card.rpartition(" ")[2].casefold()
    return name if name in charts.PIECES else ""


@cache
def templates() -> Environment:
    """Return the environment with the templates of all pages."""
    found = environment("clue_solver.faces.web")
    found.globals["asset"] = asset
    found.filters["percent"] = percent
    found.filters["tint"] = _tint
    found.filters["shade"] = lambda chance: f"s{round(chance * _SHADES)}"
    return found
