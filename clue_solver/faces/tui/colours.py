"""The colours of the full screen: two themes, and the backgrounds of the sheet's cells."""

from typing import Any, Literal, NamedTuple

from rich.color import Color, blend_rgb
from rich.style import Style
from textual.app import App
from textual.theme import Theme

from clue_solver.views.charts import PIECES

_PALETTE = {
    "primary": ("#6db3ff", "#0f5aa8"),
    "secondary": ("#ffb84d", "#9a5b00"),
    "accent": ("#ffb84d", "#9a5b00"),
    "success": ("#7fd4a8", "#14684a"),
    "warning": ("#f2c14e", "#9a5b00"),
    "error": ("#ff6b70", "#b3122a"),
    "foreground": ("#ebeae8", "#1d1f23"),
    "background": ("#14161a", "#fbfaf7"),
    "surface": ("#1b1e24", "#f0efed"),
    "panel": ("#23272e", "#e8e5e0"),
    "line": ("#3a404b", "#c9c4b8"),
    "block-cursor-blurred-background": ("#3a3d42", "#d9d7d3"),
}
"""
The colours of each part of the screen, in the dark theme and in the light theme.

Backgrounds are so close to grey that a terminal with 256 colours shows them as grey.
"""


def _theme(name: str, column: int) -> Theme:
    """Return the theme with the colours of `_PALETTE` at index `column`: 0 dark, 1 light."""
    colours: dict[str, Any] = {part: both[column] for part, both in _PALETTE.items()}
    named = {part: colours.pop(part) for part in ("line", "block-cursor-blurred-background")}
    return Theme(name=name, dark=column == 0, variables=named, **colours)


DARK, LIGHT = _theme("clue-dark", 0), _theme("clue-light", 1)

Depth = Literal["true", "256", "few"]
"""How many colours the terminal has: 24 bits of them, 256, or fewer."""

STEPS = 5
"""How many tints the sheet uses for chances; more cannot be told apart."""

STRONGEST = 0.45
"""
The share of pure colour in the strongest tint; the rest is background.

With this share, text on the tint has a contrast of 4.5 to 1.
"""

GREYS = {True: (234, 235, 236, 237, 238), False: (255, 254, 253, 252, 251)}
"""
The tints on a terminal with 256 colours, as indices of colours, by whether the theme is dark. They
are greys, because those colours include no suitable blues.
"""


class Colours(NamedTuple):
    """
    The colours in which the sheet is drawn in a terminal.

    Attributes:
        theme: The theme: `DARK` or `LIGHT`.
        depth: How many colours the terminal has.
    """

    theme: Theme
    depth: Depth

    @classmethod
    def of(cls, app: App[object]) -> "Colours":
        """Return the colours for an application's terminal and theme."""
        depth: Depth = "256" if app.console.color_system == "256" else "true"
        if app.no_color or app.console.color_system in ("standard", "windows", None):
            depth = "few"
        return cls(DARK if app.current_theme.dark else LIGHT, depth)

    def tint(self, chance: float, *, inside: bool) -> Style:
        """Return the style of a chance from 0 to 1; `inside` is for the envelope's column."""
        theme, likely = self.theme, chance >= 0.5
        step = min(int(chance * STEPS), STEPS - 1)
        full = str(theme.accent if inside else theme.primary)
        if self.depth == "few":
            return Style(bold=likely)
        if self.depth == "256":
            ground = Color.from_ansi(GREYS[theme.dark][step])
            return Style(
                color=full if theme.dark else theme.foreground, bgcolor=ground, bold=likely
            )
        back = Color.parse(str(theme.background)).get_truecolor()
        front = Color.parse(full).get_truecolor()
        mixed = blend_rgb(back, front, STRONGEST * (step + 1) / STEPS)
        return Style(color=theme.foreground, bgcolor=Color.from_triplet(mixed), bold=likely)

    def mark_style(self, verdict: str, *, inside: bool) -> Style:
        """Return a mark's style: faint for `lacks`, striking for a card `inside` the envelope."""
        if verdict == "lacks":
            return Style(color="#a4a7ae" if self.theme.dark else "#5e6068")
        if inside:
            return Style(color=self.theme.background, bgcolor=str(self.theme.accent), bold=True)
        return Style(color=self.theme.success, bold=True)

    def piece_style(self, piece: str) -> Style:
        """Return the style in the colour of a piece, or bold if the terminal has few colours."""
        if self.depth == "few":
            return Style(bold=True)
        return Style(color=PIECES[piece][0 if self.theme.dark else 1])
