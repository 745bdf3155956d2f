"""
How an answer shows itself at a prompt. In a notebook it is HTML: see `report.html`.
"""

from __future__ import annotations

from typing import Any


def at_prompt(value: object, printer: Any, cycle: bool) -> None:
    """
    Show a value at an IPython prompt: the whole page alone, one line inside a list or a tuple.

    A class takes it as its `_repr_pretty_`; `str` of the value is the page, `repr` the line.
    """
    alone = len(printer.stack) == 1 and not cycle
    printer.text(str(value) if alone else repr(value))


def percent(chance: float) -> str:
    """
    Return an open chance in percent: whole numbers, and never 0 or 100, which would be certain.

    >>> [percent(chance) for chance in (0.0004, 0.16, 0.994, 0.9999)]
    ['<1', '16', '99', '>99']
    """
    if chance < 0.005:
        return "<1"
    if chance >= 0.995:
        return ">99"
    return f"{chance * 100:.0f}"


def share(chance: float) -> str:
    """
    Return a share in percent, as `percent` does where it is neither nothing nor all.

    >>> share(1.0), share(0.999), share(0.0)
    ('100 %', '>99 %', '0 %')
    """
    return f"{chance * 100:.0f} %" if chance <= 0 or chance >= 1 else f"{percent(chance)} %"


def since_when(entry: int) -> str:
    """Return since which entry something is so; before the first one there is only the table."""
    return f"since entry {entry}" if entry else "from the start"
