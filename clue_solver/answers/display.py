"""
How answers become text, pictures and JSON: a registry of drawing functions, and texts for chances.

An answer does not import the views. It asks this registry for a drawing of itself. The views
register their drawing functions when they are imported, which happens here when a drawing is first
requested.
"""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from msgspec import Struct

from clue_solver.errors import counted
from clue_solver.inference.rounding import ROUNDING

Form = Literal["document", "text", "html", "sentence", "frame", "plot"]
"""
The forms of a drawing: blocks, blocks as a page of text or as HTML, one or more sentences, a pandas
table, a plot on axes of matplotlib.
"""

_VIEWS: dict[Form, tuple[str, ...]] = {
    "document": ("reports", "reasons", "checks", "advice", "reviews"),
    "text": ("document",),
    "html": ("document",),
    "sentence": ("reasons", "reviews", "headlines"),
    "frame": ("exports",),
    "plot": ("plots",),
}
"""For each form, the modules of `clue_solver.views` that draw it."""

WIDEST_VALUE = 200
"""The most characters in the `repr` of a value."""

MOST_LINES = 20
"""The most lines of a page that an IPython prompt shows."""

Drawing = TypeVar("Drawing", bound=Callable[..., Any])


_drawings: dict[tuple[type, Form], Callable[..., Any]] = {}
"""The functions that draw values, by the class of the value and the form."""


def view(kind: type, form: Form) -> Callable[[Drawing], Drawing]:
    """Return a decorator that registers a function to draw values of a class in a form."""

    def register(drawing: Drawing) -> Drawing:
        _drawings[kind, form] = drawing
        return drawing

    return register


def draw(value: object, form: Form, *args: Any, **options: Any) -> Any:
    """
    Return a value drawn in a form, such as `text`.

    `args` and `options` are passed on to the drawing function.

    Raises:
        TypeError: If such values have no drawing in this form.
    """
    for module in (None, *_VIEWS[form]):  # first without importing anything
        if module is not None:
            import_module(f"clue_solver.views.{module}")
        for kind in type(value).__mro__:
            if (kind, form) in _drawings:
                return _drawings[kind, form](value, *args, **options)
    raise TypeError(f"{type(value).__name__} has no {form}")


class Written(NamedTuple):
    """
    How the JSON of a class differs from its fields.

    Attributes:
        schema: The version of the JSON format; 0 for a class that is only part of others.
        also: Further attributes, which are no fields, written before the fields.
        without: Fields that are not written.
        called: For attributes whose JSON key is not their name: the key, by name.
    """

    schema: int = 0
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    called: Mapping[str, str] = MappingProxyType({})

    def keys(self, kind: type[Struct]) -> dict[str, str]:
        """
        Return the JSON keys of the attributes that are written, by the attributes' names, in order.

        `kind` is the class whose JSON this describes.
        """
        names = (*self.also, *kind.__struct_fields__)
        return {name: self.called.get(name, name) for name in names if name not in self.without}


class AnswerValue(Struct, frozen=True, kw_only=True):
    """
    The base class of all answers, which gives them their JSON form.

    `to_dict` and `to_json` use the fields of the answer's class, and its attribute `written`. The
    JSON reference is generated from these and from the descriptions of the attributes.
    """

    written: ClassVar[Written] = Written()

    def __repr__(self) -> str:
        line = " ".join(super().__repr__().split())
        return line if len(line) <= WIDEST_VALUE else f"{line[: WIDEST_VALUE - 1]}…"

    def to_dict(self) -> dict[str, Any]:
        """Return the value as dicts and lists, as `to_json` writes it."""
        keys = self.written.keys(type(self))
        answer = {"schema": self.written.schema} if self.written.schema else {}
        return answer | {key: _plain(getattr(self, name)) for name, key in keys.items()}

    def to_json(self) -> str:
        """Return the value as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def at_prompt(value: object, printer: Any, cycle: bool) -> None:
    """
    Show a value at an IPython prompt: as a page, or as a line inside a list or a tuple.

    Classes use this function as their `_repr_pretty_`. The page is the value's `str`, the line its
    `repr`. Of a very long page only the beginning is shown.

    Args:
        value: The value.
        printer: IPython's printer, which takes the text.
        cycle: Whether the value is inside itself.
    """
    alone = len(printer.stack) == 1 and not cycle
    if not alone:
        printer.text(repr(value))
        return
    lines = str(value).split("\n")
    if len(lines) > MOST_LINES:
        more = len(lines) - MOST_LINES + 1
        lines[MOST_LINES - 1 :] = [f"... and {counted(more, 'line')} more: print() shows all"]
    printer.text("\n".join(lines))


class ShownValue(AnswerValue, frozen=True, kw_only=True):
    """The base class of answers that can be shown: as a line, as a page of text, and as HTML."""

    def __repr__(self) -> str:
        text, *_ = next(draw(self, "document"))  # a line's text, or a table's title
        return f"<{type(self).__name__}: {text}>"

    def __str__(self) -> str:
        return str(draw(self, "text"))

    def _repr_html_(self) -> str:
        return str(draw(self, "html"))

    _repr_pretty_ = at_prompt


def _plain(value: Any) -> Any:
    """Return a value in the types that JSON has, such as dicts and lists."""
    if isinstance(value, AnswerValue):
        return value.to_dict()
    if isinstance(value, float):
        return _to_ten_digits(value)
    if isinstance(value, Mapping):
        return {key: _plain(element) for key, element in value.items()}
    if not isinstance(value, tuple):
        return value
    if names := getattr(value, "_fields", None):  # a row with names
        return dict(zip(names, map(_plain, value), strict=True))
    return [_plain(element) for element in value]


_BELOW_ONE = 0.9999999999
"""The largest number below 1 that is written; 1 would mean certain."""


def _to_ten_digits(value: float) -> float:
    """
    Return a number rounded to ten significant digits, on which all builds of numpy agree.

    A number below 1 is never rounded up to 1.
    """
    short = float(f"{value:.10g}")
    return _BELOW_ONE if short == 1.0 and value < 1.0 else short


def chance_text(chance: float, *, proved: bool = False) -> str:
    """
    Return a chance in percent, with the sign; 100% only if it is proved, 0% only if it is 0.

    >>> chance_text(0.0), chance_text(0.16), chance_text(1.0), chance_text(1.0, proved=True)
    ('0%', '16%', '>99%', '100%')
    """
    if chance <= 0:
        return "0%"
    return "100%" if proved else f"{percent(chance)}%"


def percent(chance: float) -> str:
    """
    Return a chance that is not certain in percent, without the sign.

    The number is whole, and never 0 or 100, which would mean that it is certain.

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
    Return a share in percent, with the sign; 0% only if it is 0, 100% if it is 1 up to rounding.

    This is for what is counted or measured; `chance_text` is for chances.

    >>> share(1.0), share(0.999), share(0.0)
    ('100%', '>99%', '0%')
    """
    return chance_text(chance, proved=chance >= 1 - ROUNDING)
