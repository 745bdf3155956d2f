"""
What tests of views draw, and what a piece of HTML holds: its elements, attributes and text.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from clue_solver import Game, Table, load, parse_record
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Record
from clue_solver.rules.edition_files import parse_edition

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&amp;", "_x", "$\\frac$")

EVENING = load(EXAMPLES / "evening.clue")
CLASH = Game(
    parse_record(
        "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
        "Ann suggests Plum, Rope, Hall: Ben shows Rope\n"
        "Ann suggests Plum, Knife, Hall: Ben shows Knife\n"
        "Cat reveals Rope\n"
    )
)


def hostile() -> Game:
    """A finished game whose players, cards, categories and edition bear names that are markup."""
    evil, image, amp, hidden, formula = HOSTILE
    script, quote = (name.replace(">", "") for name in (evil, image))
    kinds = {
        "who": (script, "Plum", "Green", "White"),
        "with": (quote, amp, "Rope"),
        "where": (hidden, formula, "Hall"),
    }
    text = f"title = '{evil}'\n"
    for name, cards in kinds.items():
        listed = ", ".join("{ name = '" + card + "' }" for card in cards)
        text += f"[[category]]\nname = '{name}'\nplural = '{image}'\ncards = [{listed}]\n"
    seats = (evil, image, formula)
    table = Table(edition=parse_edition(text, name="evil.toml"), seats=seats, viewer=evil)
    record = Record(table=table)
    for line in (
        f"{evil} holds Plum, {amp}, Hall",
        f"{image} holds Green, {hidden}",
        f"{formula} holds White, {quote}",
        f"{evil} suggests {script}, {quote}, {hidden}: {image} shows {hidden}",
        f"{image} suggests Plum, Rope, Hall: {formula} passes, {evil} shows Plum",
        f"{evil} accuses {script}, Rope, {formula}: right",
    ):
        record = record.append(parse_line(line, table, record.turn_state))
    return Game(record)


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
