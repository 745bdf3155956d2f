"""The colours of the screen: two themes, and the tints of the sheet in them."""

from typing import Literal

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
    variables={"line": "#3a404b", "block-cursor-blurred-background": "#3a3d42"},
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
    variables={"line": "#c9c4b8", "block-cursor-blurred-background": "#d9d7d3"},
)

Depth = Literal["true", "256", "few"]
"""How many colours the terminal has."""

STEPS = 5
"""How many tints there are from no chance to certainty: more cannot be told apart."""

STRONGEST = 0.45
"""How far the strongest tint goes towards its colour: text on it keeps a contrast of 4.5 to 1."""

GREYS = {True: (234, 235, 236, 237, 238), False: (255, 254, 253, 252, 251)}
"""The tints with 256 colours, on a dark and on a light ground: the cube has navy and teal alone."""


def tint(chance: float, *, inside: bool, dark: bool, depth: Depth) -> Style:
    """
    Return how a chance is drawn.

    Args:
        chance: From 0 to 1.
        inside: Whether it is one of the envelope.
        dark, depth: The ground, and the colours that there are.
    """
    theme = DARK if dark else LIGHT
    likely = chance >= 0.5
    step = min(int(chance * STEPS), STEPS - 1)
    full = str(theme.accent if inside else theme.primary)
    if depth == "few":
        return Style(bold=likely)
    if depth == "256":
        ground = Color.from_ansi(GREYS[dark][step])
        return Style(color=full if dark else theme.foreground, bgcolor=ground, bold=likely)
    back = Color.parse(str(theme.background)).get_truecolor()
    front = Color.parse(full).get_truecolor()
    mixed = blend_rgb(back, front, STRONGEST * (step + 1) / STEPS)
    return Style(color=theme.foreground, bgcolor=Color.from_triplet(mixed), bold=likely)


def sure(verdict: str, *, inside: bool, dark: bool) -> Style:
    """Return how a sure sign is drawn: the envelope's stands out, what cannot be is faint."""
    theme = DARK if dark else LIGHT
    if verdict == "lacks":
        return Style(color="#a4a7ae" if dark else "#5e6068")
    if inside:
        return Style(color=theme.background, bgcolor=str(theme.accent), bold=True)
    return Style(color=theme.success, bold=True)


def piece_colour(piece: str, *, dark: bool) -> str:
    """Return the colour of a piece."""
    return PIECES[piece][0 if dark else 1]
