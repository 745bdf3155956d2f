"""
The pictures of the tutorial, the front page and the README, drawn by the program itself.

    python -m docs.screens [NAME ...]  # draws them anew, all if none is named
    python -m docs.screens --check [NAME ...]  # says which the program draws otherwise, and exits 1
"""

import argparse
import asyncio
import html
import re
import sys
from pathlib import Path
from typing import Any

from tests.faces.shot import shot

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
GAME = EXAMPLES / "classic.clue"
PLAY: dict[str, Any] = {"entries": 11, "typed": "gre can lib : ", "size": (100, 34)}
SCREENS: dict[str, dict[str, Any]] = {
    "setup": {"game": None, "keys": ("enter", *"Ann,Ben,Cat,Dan", "enter")},
    "typing": {"entries": 1, "typed": "ann gr rope ha: ben no, cat ha"},
    "question": {"entries": 1, "typed": "ann gr rope ha cat", "keys": ("enter",)},
    "sheet": {"entries": 8},
    "advice": {"entries": 8, "keys": ("f10",)},
    "certain": {"entries": 17},
    "mine": {"entries": 9, "keys": ("down",) * 4, "size": (120, 40)},
    "light": {"entries": 9, "keys": ("down",) * 3, "light": True},
    "greys": {"entries": 11, "typed": "gre can lib : ", "colours": "256"},
    "plain": {"entries": 9, "keys": ("down",) * 3, "colours": "few"},
    "play": PLAY,
    "play-light": {**PLAY, "keys": ("ctrl+t",)},
    "play-narrow": {**PLAY, "size": (48, 37)},
    "play-narrow-light": {**PLAY, "size": (48, 37), "keys": ("ctrl+t",)},
}
"""For each picture what is done before it is taken: a game up to an entry, what is typed, keys."""


def drawn(name: str) -> str:
    """Return a picture as SVG."""
    what = {"game": GAME, "size": (80, 24), **SCREENS[name]}
    return asyncio.run(shot(what.pop("game"), **what))


def written(svg: str) -> list[str]:
    """Return what stands on a picture, line by line, without spaces; the caret may blink."""
    rows: dict[str, list[str]] = {}
    for place, text in re.findall(r'<text class="[^"]*" x="[^"]*" y="([^"]*)"[^>]*>([^<]*)', svg):
        rows.setdefault(place, []).append(html.unescape(text))
    return ["".join("".join(row).split()) for row in rows.values()]


def kept(name: str) -> Path:
    """Return where a picture is: the README's, which the wheel has too, among the examples."""
    front = DOCS / "static" if name.startswith("play-") else DOCS / "tutorial"
    return (EXAMPLES if name == "play" else front) / f"{name}.svg"


def changed(name: str) -> bool:
    """Return whether something else stands on a picture than the program draws."""
    return written(drawn(name)) != written(kept(name).read_text("utf-8"))


def main() -> None:
    """Draw or check."""
    options = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    options.add_argument("--check", action="store_true", help="change nothing, only say")
    options.add_argument("names", nargs="*", metavar="NAME", help="a picture; all if none is named")
    asked = options.parse_args()
    if unknown := {*asked.names} - {*SCREENS}:
        options.error(f"expected one of {', '.join(SCREENS)}; found {', '.join(sorted(unknown))}")
    names = asked.names or [*SCREENS]
    if asked.check:
        others = [name for name in names if changed(name)]
        print("\n".join(others) or "the pictures are what the program draws")
        sys.exit(bool(others))
    for name in names:
        kept(name).write_text(drawn(name), "utf-8")


if __name__ == "__main__":
    main()
