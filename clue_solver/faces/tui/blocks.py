"""How a sheet stands on the screen: blocks of categories side by side, long names cut."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations, islice, pairwise
from typing import NamedTuple

from rich.cells import cell_len

from clue_solver.rules.table import ENVELOPE
from clue_solver.views.document import fitting

_NAME, _SHORT, _LEAST_NAME, _CELL, _ROOMY, _WIDEST = 14, 12, 5, 4, 6, 11


class Blocks(NamedTuple):
    """
    How a sheet stands on the screen: blocks of categories side by side.

    Attributes:
        rows: The rows of each block: a category's title, or a card's number. The title of the
            first one stands beside the holders' names.
        width: How many columns of the terminal each block has.
        label: How many of them a card's name has, at most.
        cells: How many each holder has.
        heads: Rows for the holders' names; where columns are narrow every other name is on a
            second one.
        longest: The longest name of a card.
    """

    rows: tuple[tuple[int | str, ...], ...] = ()
    width: int = 0
    label: int = 0
    cells: tuple[int, ...] = ()
    heads: int = 1
    longest: int = 0

    @property
    def height(self) -> int:
        """How many rows of the terminal all of it takes."""
        return self.heads - 1 + max(map(len, self.rows), default=0)

    @property
    def fits(self) -> bool:
        """Whether every holder has a column in sight."""
        return self.label + sum(self.cells) <= self.width


@lru_cache(maxsize=64)
def blocks(
    cards: tuple[str, ...],
    holders: tuple[str, ...],
    kinds: tuple[tuple[str, int], ...],
    width: int,
    number: int,
    *,
    titled: bool = True,
    roomy: bool = False,
) -> Blocks:
    """
    Return so many blocks of a sheet on so wide a screen; names are cut where they do not fit.

    Args:
        cards, holders: Their names.
        kinds: The title of each category and how many of the cards it has, in their order.
        width: Columns of the terminal.
        number: How many blocks.
        titled: Whether the categories but the first one have a row for their title.
        roomy: Whether holders with short names have more than they need, where there is room.
    """
    numbers = iter(range(len(cards)))
    groups: list[tuple[int | str, ...]] = []
    for title, count in kinds:
        head = (title,) if titled or not groups else ()
        groups.append((*head, *islice(numbers, count)))
    cuts = min(
        combinations(range(1, len(groups)), number - 1),
        key=lambda cuts: max(map(len, _joined(groups, cuts))),
    )
    room = (width + 1) // number - 1
    called = ["env." if name == ENVELOPE else name for name in holders]
    cells = [min(max(cell_len(name) + 1, _CELL), _WIDEST) for name in called]
    longest = max(cell_len(card) for card in cards) + 1  # with the stripe before it
    least = next(
        (
            n
            for n in range(_LEAST_NAME, longest)
            if len({fitting(card, n - 1) for card in cards}) == len(cards)
        ),
        longest,
    )
    label = min(longest, max(_NAME, room - sum(cells)))
    while label + sum(cells) > room:
        if max(cells) > _CELL:
            cells[cells.index(max(cells))] -= 1
        elif label > max(_SHORT, least):
            label -= 1
        elif max(cells) == _CELL:
            cells = [_CELL - 1] * len(cells)
            label = min(longest, max(label, room - sum(cells)))
        elif label > least:
            label -= 1
        else:
            break
    if roomy and label + sum(wider := [max(cell, _ROOMY) for cell in cells]) <= room:
        cells = wider
    heads = 1
    if any(cell_len(name) >= cell for name, cell in zip(holders[:-1], cells, strict=False)):
        heads = 2
    return Blocks(tuple(_joined(groups, cuts)), room, label, tuple(cells), heads, longest)


def _joined(
    groups: Sequence[tuple[int | str, ...]], cuts: Sequence[int]
) -> list[tuple[int | str, ...]]:
    """Return the groups, those between two cuts as one."""
    edges = pairwise((0, *cuts, len(groups)))
    return [tuple(chain.from_iterable(groups[first:end])) for first, end in edges]
