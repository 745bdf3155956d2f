"""What a page asks, and what its form or its address says in answer: values by name."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import parse_qs

Query = Mapping[str, Sequence[str]]
Form = dict[str, list[str]]


def form_in(text: str) -> Form:
    """Return what an encoded text says; nothing of one that is too long."""
    with suppress(ValueError):
        return parse_qs(text, keep_blank_values=True, max_num_fields=200, errors="replace")
    return {}


def one(form: Query, name: str) -> str:
    """Return what stands under a name; empty if nothing does."""
    return "".join(form.get(name, ())[:1])


def number_in(form: Query, name: str) -> int | None:
    """Return a number that stands under a name; `None` where it is none."""
    text = one(form, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


class Choice(NamedTuple):
    """
    Something to tap.

    Attributes:
        label: What it says.
        value: What it sends, in the field of its row; a whole line where its row has none.
        href: Where it leads, where it sends nothing.
        on: Whether it is chosen already.
        main: Whether it is the usual one.
        off: Whether it cannot be chosen now.
        face: The face of a die that it tells.
    """

    label: str
    value: str = ""
    href: str = ""
    on: bool = False
    main: bool = False
    off: bool = False
    face: str = ""


class Row(NamedTuple):
    """
    Choices beside each other.

    Attributes:
        title: What they are.
        choices: The choices.
        name: The field of a form that has the one that is chosen, and sent with others; empty
            where a tap sends it at once.
        own: Whether the title stands above them, as something to do first.
    """

    title: str
    choices: tuple[Choice, ...]
    name: str = ""
    own: bool = False


class Panel(NamedTuple):
    """
    What is asked.

    Attributes:
        action: What the form does.
        field: What a tap sends, where the row has no field of its own.
        title, remark: What is asked, and what to know for it.
        rows: The choices.
        columns: The cards by category, of which one of a column may be chosen.
        fields: What the form says besides: names and values.
        button: What sends what is chosen; empty where a tap does.
        before: What it says instead until enough is chosen.
        most: How many cards are chosen at most, where each choice says what goes with it; who asks
            for so many is sent by itself.
        folded: What it is called while it is folded; empty where it is open.
    """

    action: str
    field: str = "line"
    title: str = ""
    remark: str = ""
    rows: tuple[Row, ...] = ()
    columns: tuple[Row, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    button: str = ""
    before: str = ""
    most: int = 0
    folded: str = ""
