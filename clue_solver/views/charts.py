"""
The pictures of a review page, as SVG inside the HTML.

They need no library, so that everybody can make the page, and lines and letters take the colour of
the page, so that they read on a dark one too: matplotlib, an extra, gives neither. `plots` draws
the same for a notebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from math import log10
from typing import NamedTuple

from clue_solver.answers.review import Judged, Review
from clue_solver.views.markup import element, escaped

COLOURS = ("#1f83c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b39b00", "#8c6bb1")
"""The colours of seats and solutions, in order; they begin again where there are more."""

OTHERS = "#999999"

_DASHES = ("none", "7 3", "9 3 2 3", "2 3")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 260, 40, 12, 10, 38


class _Frame(NamedTuple):
    """A frame of axes: entries across from `first` to `last`, bits upwards from 0 to `top`."""

    first: float
    last: float
    top: float

    def across(self, entry: float) -> float:
        room = _WIDTH - _LEFT - _RIGHT
        return _LEFT + room * (entry - self.first) / (self.last - self.first)

    def up(self, bits: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * bits / self.top


class _Key(NamedTuple):
    """What a colour stands for, as it is drawn."""

    name: str
    colour: str
    dash: str
    thick: float = 3


def bits_left(review: Review) -> str:
    """Return how many bits every seat lacked after each entry; a dot stands where it had proof."""
    most = max(moment.bits for seat in review.seats for moment in seat.timeline)
    frame = _Frame(0, review.entries + 1, max(most, 0.1) * 1.05)
    drawn = []
    for place, seat in enumerate(review.seats):
        colour = COLOURS[place % len(COLOURS)]
        heights = [frame.up(moment.bits) for moment in seat.timeline]
        way = "".join(
            f"V{height:.1f}H{frame.across(n + 1):.1f}" for n, height in enumerate(heights)
        )
        drawn.append(
            element(
                "path", element("title", escaped(seat.seat)),
                d=f"M{frame.across(0):.1f} {heights[0]:.1f}{way}", fill="none", stroke=colour,
                stroke_width=2.2, stroke_dasharray=_DASHES[place % len(_DASHES)],
            )
        )  # fmt: skip
        if seat.proved is not None:
            told = f"{seat.seat} could prove the solution after entry {seat.proved}"
            drawn.append(
                element(
                    "circle", element("title", escaped(told)), cx=frame.across(seat.proved),
                    cy=heights[seat.proved], r=5, fill=colour,
                )
            )  # fmt: skip
    keys = [
        _Key(seat.seat, COLOURS[place % len(COLOURS)], _DASHES[place % len(_DASHES)])
        for place, seat in enumerate(review.seats)
    ]
    return _figure("Bits left for every seat over the entries", frame, drawn, "bits left", keys)


def gains(review: Review) -> str:
    """Return what each suggestion was expected to gain, below a mark for the best there was."""
    most = max((each.best_gain for each in review.suggestions), default=0.0)
    entries = [each.entry for each in review.suggestions]
    first, last = min(entries, default=1), max(entries, default=1)
    frame = _Frame(first - 0.7, last + 0.7, max(most, 0.1) * 1.08)
    places = {seat.seat: place for place, seat in enumerate(review.seats)}
    drawn = [_bar(frame, each, places[each.seat]) for each in review.suggestions]
    keys = [_Key(seat, COLOURS[place % len(COLOURS)], "none", 10) for seat, place in places.items()]
    keys.append(_Key("the best there was", "currentColor", "none"))
    return _figure("Expected gain of each suggestion", frame, drawn, "expected bits", keys)


def _bar(frame: _Frame, judged: Judged, place: int) -> str:
    left, right = frame.across(judged.entry - 0.38), frame.across(judged.entry + 0.38)
    height, best = frame.up(judged.gain), frame.up(judged.best_gain)
    told = (
        f"{judged.entry} {judged.seat}: {', '.join(judged.cards)}, {judged.gain:.2f} bits; "
        f"the best: {', '.join(judged.best)}, {judged.best_gain:.2f} bits"
    )
    return element(
        "g",
        element("title", escaped(told, most=500)),
        element(
            "rect", x=left, y=height, width=right - left, height=frame.up(0) - height,
            fill=COLOURS[place % len(COLOURS)],
        ),
        element(
            "path", d=f"M{left - 2:.1f} {best:.1f}H{right + 2:.1f}", stroke="currentColor",
            stroke_width=2.5,
        ),
    )  # fmt: skip


def _figure(
    title: str,
    frame: _Frame,
    drawn: Sequence[str],
    unit: str,
    keys: Sequence[_Key],
) -> str:
    """Return a picture in its axes, with what its colours mean below it."""
    picture = element(
        "svg", *_axes(frame, unit), *drawn, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", width=_WIDTH,
        height=_HEIGHT, role="img", aria_label=title, font_size=12, fill="currentColor",
    )  # fmt: skip
    told = " ".join(element("span", _swatch(key), " ", escaped(key.name)) for key in keys)
    return element("figure", picture, element("figcaption", told))


def _swatch(key: _Key) -> str:
    line = element(
        "path", d="M0 5H26", stroke=key.colour, stroke_width=key.thick, stroke_dasharray=key.dash
    )
    return element("svg", line, width=26, height=10, aria_hidden="true")


def _axes(frame: _Frame, unit: str) -> Iterator[str]:
    floor, right = frame.up(0), _WIDTH - _RIGHT
    for bits in _ticks(0, frame.top, most=6):
        height = frame.up(bits)
        line = f"M{_LEFT} {height:.1f}H{right}"
        yield element("path", d=line, stroke="currentColor", stroke_opacity=0.18)
        yield element("text", f"{bits:g}", x=_LEFT - 6, y=height + 4, text_anchor="end")
    for entry in _ticks(frame.first, frame.last, most=14, least=1):
        yield element(
            "text", f"{entry:g}", x=frame.across(entry), y=floor + 16, text_anchor="middle"
        )
    middle = (_LEFT + right) / 2
    yield element("text", "entry", x=middle, y=_HEIGHT - 5, text_anchor="middle")
    turned = f"translate(11 {(floor + _TOP) / 2:.0f}) rotate(-90)"
    yield element("text", escaped(unit), transform=turned, text_anchor="middle")


def _ticks(first: float, last: float, *, most: int, least: float = 0.0) -> list[float]:
    """
    Return round numbers from `first` to `last`, at most `most` of them, `least` apart or more.

    >>> _ticks(0, 8.7, most=6)
    [0.0, 2.0, 4.0, 6.0, 8.0]
    >>> _ticks(4.3, 21.7, most=14, least=1)
    [6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0]
    """
    power = 10.0 ** int(log10(last - first) - 2)
    steps = (power * ten * step for ten in (1, 10, 100, 1000) for step in (1, 2, 5))
    step = next(step for step in steps if step >= least and (last - first) / step < most)
    start = -int(-first // step)
    places = range(start, start + most + 1)
    return list(takewhile(lambda tick: tick <= last, (round(n * step, 6) for n in places)))
