"""
The editions as text, for a terminal: the whole shelf, and one edition from close by.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.edition import Edition
from clue_solver.errors import shown


def shelf_of(editions: Iterable[Edition]) -> RenderableType:
    """Return a list of the editions: name, players, cards by category, what sets them apart."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for edition in editions:
        low, high = edition.players
        deck = "/".join(str(len(kind.cards)) for kind in edition.category)
        about = Text(edition.title, "bold").append(f" {edition.note}", "not bold")
        grid.add_row(Text(edition.name, "cyan"), f"{low}-{high}", deck, about)
    return grid


def one_edition(edition: Edition) -> RenderableType:
    """Return everything about one edition: deck with aliases, rules, board."""
    parts: list[RenderableType] = [
        Text(shown(edition.title), "bold"),
        Text(shown(edition.name, most=200), "cyan"),
    ]
    if edition.note:
        parts.append(Text(shown(edition.note, most=500)))
    for kind in edition.category:
        parts.append(Text(f"\n{shown(kind.plural or kind.name)}", "bold italic"))
        for card in kind.cards:
            others = [name for name in (card.title, *card.aliases) if name and name != card.name]
            line = Text(f"  {card.name}")
            if others:
                line.append(f"  ({', '.join(others)})", "dim")
            parts.append(line)
    parts.append(Text("\nrules", "bold italic"))
    parts += [Padding(Text(rule), (0, 0, 0, 2)) for rule in _rules(edition)]
    return Group(*parts)


def _rules(edition: Edition) -> Iterable[str]:
    low, high = edition.players
    yield f"{low} to {high} players; the turn passes to the {edition.turns}"
    who = "everyone who can shows" if edition.answers == "all" else "the first who can shows"
    yield f"the neighbour on the asker's {edition.order} answers first; {who}"
    named, kinds = edition.named, len(edition.category)
    yield f"a suggestion names {named} card{'s' * (named != 1)}" + (
        f", of {named} of the {kinds} categories" if named < kinds else ", one of each category"
    )
    yield "own cards may be named" if edition.bluff else "own cards may not be named"
    if edition.accuses:
        yield "an accusation may follow a suggestion in the same turn"
    yield f"observed: {', '.join(edition.observes)}"
    if edition.features:
        yield f"the notch shows: {', '.join(edition.features)}"
    for face, effect in edition.dice.items():
        yield f"die, {face}: {effect}"
    if edition.board is not None:
        board = edition.board
        yield f"board: {board.dice} dice" if board.dice != 1 else "board: one die"
        for a, b in board.passages:
            yield f"secret passage: {a} - {b}"
