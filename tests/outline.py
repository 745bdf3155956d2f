"""What a piece of HTML holds, for tests: its elements, its attributes and its text."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "meta"}


class Outline(HTMLParser):
    """
    HTML read strictly: an element that is not closed in its place is refused.

    Attributes:
        tags: The names of the elements, in the order in which they begin.
        attributes: Name and value of every attribute, in the same order.
        elements: Element, attributes and own text of every element, in the order of their ends.
        text: All text outside style sheets.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.elements: list[tuple[str, dict[str, str], str]] = []
        self.text = ""
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(html)
        self.close()
        if self._open:
            raise ValueError(f"not closed: {[tag for tag, _, _ in self._open]}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        pairs = {name: value or "" for name, value in attrs}
        self.attributes += pairs.items()
        if tag not in VOID:
            self._open.append((tag, pairs, []))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            raise ValueError(f"</{tag}> closes nothing")
        name, pairs, text = self._open.pop()
        self.elements.append((name, pairs, "".join(text)))

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1][2].append(data)
        if not self._open or self._open[-1][0] != "style":
            self.text += data

    def of(self, tag: str) -> list[tuple[dict[str, str], str]]:
        """Attributes and own text of every element of that name."""
        return [(pairs, text) for name, pairs, text in self.elements if name == tag]
