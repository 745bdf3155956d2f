"""The colours of the full screen: tints grow with the chance; numbers can be read on them."""

from __future__ import annotations

from typing import get_args

import pytest
from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet
from rich.style import Style

from clue_solver.faces.tui.inks import Colours, inks

SHOWN: dict[Colours, ColorSystem] = {
    "true": ColorSystem.TRUECOLOR,
    "256": ColorSystem.EIGHT_BIT,
    "few": ColorSystem.STANDARD,
}


def shown(colour: Color | None, colours: Colours) -> ColorTriplet:
    """Return a colour as a terminal with so many shows it."""
    assert colour is not None
    return colour.downgrade(SHOWN[colours]).get_truecolor()


def luminance(colour: ColorTriplet) -> float:
    """Return the relative luminance of WCAG 2, 0 to 1."""
    parts = (part / 255 for part in colour)
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(style: Style, colours: Colours) -> float:
    """Return the contrast of WCAG 2 between a text and its ground, from 1."""
    both = (luminance(shown(each, colours)) for each in (style.color, style.bgcolor))
    low, high = sorted(both)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("colours", get_args(Colours))
def test_what_is_likelier_is_never_less_shaded(colours: Colours, dark: bool) -> None:
    ink = inks(dark=dark, colours=colours)
    ground = luminance(shown(ink.plain.bgcolor, colours))
    for styles in (ink.shades, ink.inside):
        away = [abs(luminance(shown(style.bgcolor, colours)) - ground) for style in styles]
        assert away == sorted(away)
        bold = [bool(style.bold) for style in styles]
        assert bold == sorted(bold)
        fifths = [(away[step], bold[step]) for step in (0, 5, 10, 15, 20)]
        assert len({*fifths}) == (2 if colours == "few" else 5)


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("colours", ["true", "256"])
def test_a_number_can_be_read_on_its_tint(colours: Colours, dark: bool) -> None:
    ink = inks(dark=dark, colours=colours)
    for style in (*ink.shades, *ink.inside):
        assert contrast(style, colours) >= 4.5
