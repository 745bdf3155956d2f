"""Two lists of what happened laid side by side, with gaps where one of them missed something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

Pair = tuple[int | None, int | None]


def aligned(
    one: Sequence[T],
    two: Sequence[T],
    *,
    cost: Callable[[T, T], int | None],
    alone: Callable[[T], int],
) -> list[Pair]:
    """
    Return the cheapest way to lay two lists side by side: pairs of places, `None` for a gap.

    Where something stands in one list only, what the first list has alone comes first
    (Needleman, Wunsch, "A general method applicable to the search for similarities", 1970).

    Args:
        one, two: The lists.
        cost: What it costs to take two things for the same; `None` if they cannot be.
        alone: What it costs to leave a thing without its like.
    """
    rows, columns = len(one), len(two)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    steps = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows, -1, -1):
        for column in range(columns, -1, -1):
            ways: list[tuple[int, int]] = []
            if row < rows and column < columns:
                same = cost(one[row], two[column])
                if same is not None:
                    ways.append((best[row + 1][column + 1] + same, 0))
            if row < rows:
                ways.append((best[row + 1][column] + alone(one[row]), 1))
            if column < columns:
                ways.append((best[row][column + 1] + alone(two[column]), 2))
            if ways:
                best[row][column], steps[row][column] = min(ways)
    pairs: list[Pair] = []
    row = column = 0
    while row < rows or column < columns:
        step = steps[row][column]
        pairs.append((None if step == 2 else row, None if step == 1 else column))
        row, column = row + (step != 2), column + (step != 1)
    return pairs
