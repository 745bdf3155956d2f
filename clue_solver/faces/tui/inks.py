"""The colours of the full screen: two themes, and how the sheet is drawn in them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

from rich.color import Color, blend_rgb
from rich.style import Style
from textual.theme import Theme

from clue_solver.views.charts import PIECES

# What fills a surface is so near to grey that 256 colours have it as a grey.
DARK = Theme(
    name="clue-dark",
    dark=True,
    primary="#6db3ff",
    secondary="#ffb84d",
    accent="#ffb84d",
    success="#7fd4a8",
    warning="#f2c14e",
    error="#ff6b70",
    foreground="#ebeae8",
    background="#14161a",
    surface="#1b1e24",
    panel="#23272e",
    variables={
        "line": "#3a404b",
        "block-cursor-blurred-background": "#3a3d42",
        "scrollbar": "#5a5d63",
        "scrollbar-background": "#23272e",
    },
)
LIGHT = Theme(
    name="clue-light",
    dark=False,
    primary="#0f5aa8",
    secondary="#9a5b00",
    accent="#9a5b00",
    success="#14684a",
    warning="#9a5b00",
    error="#b3122a",
    foreground="#1d1f23",
    background="#fbfaf7",
    surface="#f0efed",
    panel="#e8e5e0",
    variables={
        "line": "#c9c4b8",
        "block-cursor-blurred-background": "#d9d7d3",
        "scrollbar": "#a8a6a1",
        "scrollbar-background": "#e8e5e0",
    },
)

_STEPS, _TINT = 20, 0.45
"""How many tints there are, and how far the strongest goes towards its colour."""

Colours = Literal["true", "256", "few"]


class Inks(NamedTuple):
    """
    How the sheet is drawn.

    Attributes:
        solved: A card in the envelope.
        shades, inside: Chances from 0, of hands and of the envelope.
        pieces: The colours of pieces.
        kinds: The stripes of the categories, which take turns.
    """

    plain: Style
    heading: Style
    kind: Style
    lacks: Style
    holds: Style
    solved: Style
    shades: tuple[Style, ...]
    inside: tuple[Style, ...]
    pieces: Mapping[str, Style]
    kinds: tuple[Style, ...]

    def shade(self, chance: float, *, inside: bool) -> Style:
        shades = self.inside if inside else self.shades
        return shades[round(chance * (len(shades) - 1))]


@cache
def inks(*, dark: bool, colours: Colours = "true") -> Inks:
    """Return how the sheet is drawn on a dark or a light ground, with so many colours."""
    theme = DARK if dark else LIGHT
    ground, ink = str(theme.background), str(theme.foreground)
    faint = "#a4a7ae" if dark else "#5e6068"
    pieces = {
        piece: Style(color=both[0 if dark else 1], bgcolor=ground, bold=True)
        for piece, both in PIECES.items()
    }
    return Inks(
        plain=Style(color=ink, bgcolor=ground),
        heading=Style(color=ink, bgcolor=ground, bold=True),
        kind=Style(color=faint, bgcolor=ground, bold=True),
        lacks=Style(color=faint, bgcolor=ground),
        holds=Style(color=theme.success, bgcolor=ground, bold=True),
        solved=Style(color=ground, bgcolor=theme.accent, bold=True),
        shades=tuple(_shades(theme, theme.primary, colours)),
        inside=tuple(_shades(theme, str(theme.accent), colours)),
        pieces=pieces,
        kinds=tuple(pieces[piece] for piece in ("plum", "mustard", "green")),
    )


def _shades(theme: Theme, full: str, colours: Colours) -> Iterator[Style]:
    """
    Yield the tints from no chance to certainty.

    With 256 colours they are greys, from that of the ground on: the nearest to a tint would be navy
    or teal. The number is coloured where it can be read so. With fewer what is likelier than not is
    bold.
    """
    ground, ink = str(theme.background), str(theme.foreground)
    back, front = (Color.parse(each).get_truecolor() for each in (ground, full))
    greys = range(0x12, 0x44, 10) if theme.dark else (0xFF, 0xF4, 0xEE, 0xE4, 0xDA)
    for step in range(_STEPS + 1):
        likely = 2 * step >= _STEPS
        if colours == "true":
            tint = Color.from_triplet(blend_rgb(back, front, _TINT * step / _STEPS))
            yield Style(color=ink, bgcolor=tint, bold=likely)
        elif colours == "256":
            grey = greys[round(step / _STEPS * (len(greys) - 1))]
            number = full if theme.dark else ink
            yield Style(color=number, bgcolor=Color.from_rgb(grey, grey, grey), bold=likely)
        else:
            yield Style(color=ink, bgcolor=ground, bold=likely)
