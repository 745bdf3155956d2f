"""A list of editions for a terminal."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.rules.edition import Edition


def edition_list(editions: Iterable[Edition]) -> RenderableType:
    """Return a list of editions: name, players, cards by category, what is special."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for wrapped in (False, False, False, True):
        grid.add_column(no_wrap=not wrapped)
    for edition in editions:
        low, high = edition.players
        deck = "/".join(str(len(kind.cards)) for kind in edition.category)
        about = Text(edition.title, "bold").append(f" {edition.note}", "not bold")
        grid.add_row(Text(edition.name, "cyan"), f"{low}-{high}", deck, about)
    return grid
