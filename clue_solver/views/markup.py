"""
HTML from names that anybody may have typed: what is text is escaped here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from clue_solver.errors import shown


def escaped(text: str, *, most: int = 200) -> str:
    """
    Return text as it may stand in HTML, also between quotes; what does not print is spelled out.

    >>> escaped('<b> & "Ann"')
    '&lt;b&gt; &amp; &quot;Ann&quot;'
    """
    return escape(shown(text, most=most))


def element(tag: str, *inside: str, **attributes: str | float) -> str:
    """
    Return an element around markup; the values of its attributes are escaped.

    An underscore at the end of a name is dropped, inside it becomes a hyphen.

    >>> element("p", escaped("1 < 2"), class_="told", data_seat="<Ann>")
    '<p class="told" data-seat="&lt;Ann&gt;">1 &lt; 2</p>'
    """
    pairs = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{pairs}>{''.join(inside)}</{tag}>"


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: Iterable[int] = ()) -> str:
    """
    Return a table of texts under headings.

    Args:
        heads: The headings; none are drawn if they are all empty.
        rows: The cells of each row, as many as there are headings.
        words: The columns that hold words and not numbers.
    """
    kinds = ["words" if column in set(words) else "number" for column in range(len(heads))]
    pairs = list(zip(heads, kinds, strict=True))
    top = "".join(element("th", escaped(head), class_=kind, scope="col") for head, kind in pairs)
    body = "".join(
        element(
            "tr",
            *(
                element("td", escaped(cell), class_=kind)
                for cell, kind in zip(row, kinds, strict=True)
            ),
        )
        for row in rows
    )
    head = element("thead", element("tr", top)) if any(heads) else ""
    return element("table", head, element("tbody", body))


def _value(value: str | float) -> str:
    return escaped(value, most=len(value) + 1) if isinstance(value, str) else f"{value:.6g}"
