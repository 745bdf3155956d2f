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
