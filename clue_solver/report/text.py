"""
The detective's sheet as text, for a terminal.

Sure marks and percentages differ in shape, never in colour alone. Names are shown as they were
typed: nothing in them is markup, and control characters are spelled out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import log10

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.errors import shown
from clue_solver.report.model import Fact, Report
from clue_solver.table import ENVELOPE

HOLDS, LACKS = "✓", "·"
"""The sure marks: the holder has the card, the holder cannot have it."""

_TOP = 5
_LONGEST = 14
_VERDICT = ("", HOLDS, LACKS)


def sheet(report: Report, lines: Sequence[str] = (), *, width: int = 80) -> RenderableType:
    """
    Return the whole report, drawn for a terminal.

    Args:
        report: What to draw.
        lines: The record's entries as lines, in order, to quote from.
        width: Columns of the terminal.
    """
    if not report.consistent:
        return Group(_headline(report), Text(), _clash(report, lines))
    parts: list[RenderableType] = [_headline(report)]
    parts += _grids(report, width)
    parts.append(
        Text(f"{HOLDS} has it   {LACKS} cannot have it   number: chance in percent", "dim")
    )
    parts += [Text(), _likeliest(report)]
    if report.new:
        parts += [Text(), _settled(report, lines)]
    return Group(*parts)


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


def in_words(fact: Fact) -> str:
    """Return a fact as a short sentence."""
    verb = "has" if fact.verdict == "holds" else "lacks"
    return f"{shown(fact.holder)} {verb} {fact.card}"


def _headline(report: Report) -> Text:
    entries = f"{report.entries} entr{'y' if report.entries == 1 else 'ies'}"
    head = Text.assemble(
        (shown(report.table.edition.title), "bold"),
        f", seen by {shown(report.viewer)}, after {entries}",
    )
    if report.consistent:
        head.append(f"; {report.bits:.2f} bits left, {amount(report.deals)} deals fit")
    return head


def amount(number: int) -> str:
    """
    Return a number that may be huge in a form that a person can read.

    >>> amount(1820), amount(589363479342733455360000)
    ('1,820', '5.9e23')
    """
    if number < 10**12:
        return f"{number:,}"
    exponent = int(log10(number))
    return f"{number / 10**exponent:.1f}e{exponent}"


def _grids(report: Report, width: int) -> Iterator[Grid]:
    """Yield the sheet in as many blocks of holders as the width asks for."""
    longest = max(cell_len(card) for card in report.cards)
    first = min(longest, _LONGEST)
    least = 5
    block = max(1, (width - first - 2) // (least + 1))
    for start in range(0, len(report.holders), block):
        holders = range(start, min(start + block, len(report.holders)))
        room = min(10, (width - first - 2) // len(holders) - 1)
        yield _grid(report, holders, first, room)


def _grid(report: Report, holders: Sequence[int], first: int, room: int) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    grid.add_column("", no_wrap=True, width=first)
    names = [fitting(shown(report.holders[h]), room) for h in holders]
    for name in names:
        grid.add_column(Text(name), no_wrap=True, justify="center", width=max(cell_len(name), 4))
    category = report.table.edition.category_of
    plural = {kind.name: kind.plural or kind.name for kind in report.table.edition.category}
    for kind, group in groupby(range(len(report.cards)), lambda c: category[report.cards[c]]):
        grid.add_row(Text(fitting(shown(plural[kind]), first), "bold italic"))
        for card in group:
            label = Text(fitting(report.cards[card], first))
            grid.add_row(label, *(_cell(report, card, holder) for holder in holders))
    return grid


def _cell(report: Report, card: int, holder: int) -> Text:
    verdict = _VERDICT[report.verdicts[card, holder]]
    inside = report.holders[holder] == ENVELOPE
    if verdict == HOLDS:
        return Text(f" {HOLDS} ", "bold reverse" if inside else "bold green")
    if verdict == LACKS:
        return Text(f" {LACKS} ", "dim")
    return Text(f"{percent(report.probabilities[card, holder]):>3}", "bold" if inside else "")


def fitting(text: str, room: int) -> str:
    """Return the text cut to so many terminal cells, with a mark where something is missing."""
    if cell_len(text) <= room:
        return text
    return set_cell_size(text, room - 1).rstrip() + "…"


def _likeliest(report: Report) -> RenderableType:
    best = report.solutions[:_TOP]
    more = len(report.solutions) - len(best)
    lines = [
        (f"{percent(chance) if len(report.solutions) > 1 else '100'} %", ", ".join(cards))
        for cards, chance in best
    ]
    if more:
        lines.append(("", f"and {more:,} more"))
    return _listed("Likeliest solutions" if len(best) > 1 else "The solution", lines)


def _clash(report: Report, lines: Sequence[str]) -> RenderableType:
    if not report.conflict:
        return Text("The header alone allows no deal.", "bold")
    return _listed("These entries cannot all be true", _quoted(lines, report.conflict))


def _settled(report: Report, lines: Sequence[str]) -> RenderableType:
    told = [*_quoted(lines, [report.entries]), *(("", line) for line in _found(report))]
    return _listed("Settled by the last entry", told)


def _listed(title: str, lines: Iterable[tuple[str, str]]) -> RenderableType:
    """Return a heading over lines with a short label each; long lines wrap beside the label."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", no_wrap=True, min_width=6)
    grid.add_column()
    for label, line in lines:
        grid.add_row(Text(label), Text(line))
    return Group(Text(title, "bold"), grid)


def _quoted(lines: Sequence[str], entries: Iterable[int]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        yield str(entry), shown(lines[entry - 1], most=200) if entry <= len(lines) else ""


def _found(report: Report) -> Iterator[str]:
    """Yield what was settled: each card that found its place, and who is out for which card."""
    found = [fact for fact in report.new if fact.verdict == "holds"]
    placed = {fact.card for fact in found}
    out = [fact for fact in report.new if fact.verdict == "lacks" and fact.card not in placed]
    yield from _by_holder(found, "has")
    yield from _by_holder(out, "lacks")


def _by_holder(facts: Iterable[Fact], verb: str) -> Iterator[str]:
    cards: dict[str, list[str]] = {}
    for fact in facts:
        cards.setdefault(fact.holder, []).append(fact.card)
    for holder, names in cards.items():
        name = "the envelope" if holder == ENVELOPE else shown(holder)
        yield f"{name} {verb} {', '.join(names)}"
