"""
Advice as text, for a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.answers.advice import Advice, AnswerChance, Suggested
from clue_solver.errors import shown
from clue_solver.views.text import Section, labelled, share


def advised(advice: Advice, *, most: int = 10) -> RenderableType:
    """Return what to ask, whether to accuse, who is close."""
    parts: list[RenderableType] = [
        Text(headline(advice), "bold"), Text(),
        Text("What to ask", "bold"), _suggestions(advice, most),
    ]  # fmt: skip
    for title, told in sections(advice):
        parts += [Text(), labelled(title, told) if told else Text(title)]
    return Group(*parts)


def headline(advice: Advice) -> str:
    """Return whose advice it is, and how much is left open."""
    return f"{shown(advice.viewer)}, {advice.bits:.2f} bits left"


def sections(advice: Advice) -> Iterator[Section]:
    """Yield what stands under the suggestions."""
    if advice.ask:
        yield Section("Ask", ((", ".join(advice.ask.cards), advice.ask.why),))
        best = advice.ask.suggestion
        rows = ((share(each.probability), _answer(each)) for each in best.answers[:6])
        yield Section(f"How {', '.join(best.cards)} may be answered", tuple(rows))
    if advice.heading:
        far = advice.heading.steps
        way = "" if far is None else f", {far} steps" if far else ", by the secret passage"
        told = f"No room is in reach: head for {advice.heading.room}{way}"
        yield Section(f"{told} ({advice.heading.gain:.2f} bits there).", ())
    if advice.bonus:
        bonus = ((f"{each.gain:.2f}", shown(each.action, most=200)) for each in advice.bonus[:6])
        yield Section("The bonus die, bits", tuple(bonus))
    accuse = advice.accuse
    yield Section("Accuse?", ((accuse.advice, f"{', '.join(accuse.cards)}: {accuse.why}"),))
    if advice.opponents:
        close = ((share(each.knows), shown(each.seat)) for each in advice.opponents)
        yield Section("Who can name it already", tuple(close))


def ranking(advice: Advice, *, most: int = 10) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the best suggestions as a table: its headings, and a row of cells for each."""
    board = any(each.reach < 1 for each in advice.suggestions)
    heads = ("bits", "settles", "best after", "leak", *(("reach",) * board), "suggestion")
    return heads, [tuple(_cells(each, board=board)) for each in advice.suggestions[:most]]


def _suggestions(advice: Advice, most: int) -> RenderableType:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    heads, rows = ranking(advice, most=most)
    for _ in heads[:-1]:
        grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    grid.add_row(*(Text(head, "dim") for head in heads))
    for row in rows:
        grid.add_row(*map(Text, row))
    return grid


def _cells(each: Suggested, *, board: bool) -> Iterator[str]:
    yield f"{each.gain:.2f}" + ("" if not each.error else f" ±{each.error:.2f}")
    yield share(each.settles)
    yield share(each.best_after)
    yield "" if each.leak is None else f"{each.leak:.2f}"
    if board:
        yield share(each.reach)
    yield ", ".join(each.cards)


def _answer(answer: AnswerChance) -> str:
    if not answer.shows:
        return "nobody shows"
    return ", ".join(f"{shown(seat)} shows {card}" for seat, card in answer.shows)
