"""
The colours of the full-screen face: the palette of Okabe and Ito, on a dark and on a light ground.

It can be told apart with any kind of colour vision; and no mark is told by its colour alone.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from rich.color import Color, blend_rgb
from rich.style import Style
from textual.theme import Theme

ORANGE, SKY, GREEN, YELLOW = "#e69f00", "#56b4e9", "#009e73", "#f0e442"
BLUE, VERMILION, PURPLE = "#0072b2", "#d55e00", "#cc79a7"

DARK = Theme(
    name="clue-dark", dark=True,
    primary=SKY, secondary=ORANGE, accent=ORANGE, success=GREEN, warning=YELLOW, error=VERMILION,
    foreground="#e6e6e6", background="#121212", surface="#1a1a1a", panel="#262626",
)  # fmt: skip
LIGHT = Theme(
    name="clue-light", dark=False,
    primary=BLUE, secondary=ORANGE, accent=BLUE, success=GREEN, warning=ORANGE, error=VERMILION,
    foreground="#1a1a1a", background="#fafafa", surface="#f2f2f2", panel="#e4e4e4",
)  # fmt: skip

_STEPS = 20


class Inks(NamedTuple):
    """
    How the parts of the sheet are drawn.

    Attributes:
        plain, heading, kind, lacks, holds, solved: Styles of the ground, a holder's name, the
            name of a category, and the sure marks; `solved` is a card surely in the envelope.
        shades: Styles of open chances, from 0 to 1 in even steps.
    """

    plain: Style
    heading: Style
    kind: Style
    lacks: Style
    holds: Style
    solved: Style
    shades: tuple[Style, ...]

    def shade(self, chance: float) -> Style:
        """Return the style of an open chance."""
        return self.shades[round(chance * (len(self.shades) - 1))]


@cache
def inks(*, dark: bool) -> Inks:
    """Return the styles of the sheet on a dark or a light ground."""
    ground, ink = ("#121212", "#e6e6e6") if dark else ("#fafafa", "#1a1a1a")
    faint, sure = ("#808080", "#3fd0a4") if dark else ("#767676", "#00694d")
    back = Color.parse(ground).get_truecolor()
    full = Color.parse(BLUE if dark else SKY).get_truecolor()
    shades = tuple(
        Style(color=ink, bgcolor=Color.from_triplet(blend_rgb(back, full, step / _STEPS)))
        for step in range(_STEPS + 1)
    )
    return Inks(
        plain=Style(color=ink, bgcolor=ground),
        heading=Style(color=ink, bgcolor=ground, bold=True, underline=True),
        kind=Style(color=ink, bgcolor=ground, bold=True, italic=True),
        lacks=Style(color=faint, bgcolor=ground),
        holds=Style(color=sure, bgcolor=ground, bold=True),
        solved=Style(color="#1a1a1a", bgcolor=ORANGE, bold=True),
        shades=shades,
    )
