"""
The pictures of the terminal on the pages, drawn by the program itself.

    python -m docs.screens [NAME ...]  # draws them anew, all if none is named
"""

import asyncio
import html
import re
import sys
from pathlib import Path
from typing import Any

from tests.faces.screen import shot

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
SCREENS: dict[str, dict[str, Any]] = {
    "play": {"entries": 11, "typed": "gre can lib : ", "size": (100, 34)},
    "setup": {
        "game": None,
        "keys": ("enter", *"Ann,Ben,Cat,Dan", "enter", "enter", *"sc,mus,wh,plum,cons", "enter"),
    },
    "typing": {"entries": 1, "typed": "ann gr rope ha: ben no, cat ha"},
    "sheet": {"entries": 8},
    "advice": {"entries": 8, "keys": ("f10",)},
}
"""For each picture what is done before it is taken: a game up to an entry, what is typed, keys."""


def drawn(name: str) -> str:
    """Return a picture as SVG."""
    what = {"game": EXAMPLES / "classic.clue", "size": (80, 24), **SCREENS[name]}
    return asyncio.run(shot(what.pop("game"), **what))


def written(svg: str) -> list[str]:
    """Return what stands on a picture, line by line, without spaces; the caret may blink."""
    rows: dict[str, list[str]] = {}
    for place, text in re.findall(r'<text class="[^"]*" x="[^"]*" y="([^"]*)"[^>]*>([^<]*)', svg):
        rows.setdefault(place, []).append(html.unescape(text))
    return ["".join("".join(row).split()) for row in rows.values()]


def kept(name: str) -> Path:
    """Return where a picture is: the README's, which the wheel has too, among the examples."""
    return (EXAMPLES if name == "play" else DOCS / "pictures") / f"{name}.svg"


def changed(name: str) -> bool:
    """Return whether something else stands on a picture than the program draws."""
    return written(drawn(name)) != written(kept(name).read_text("utf-8"))


if __name__ == "__main__":
    for name in sys.argv[1:] or SCREENS:
        kept(name).write_text(drawn(name), "utf-8")
