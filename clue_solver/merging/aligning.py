"""Two lists of what happened laid side by side, with gaps where one of them missed something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from clue_solver.errors import RecordError

MOST_PLACES = 2_000_000
"""How many places in both lists are looked at; two lists that have nothing in common need all."""

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

    Raises:
        RecordError: If they differ so much that too many ways would have to be compared.
    """
    rows, columns = len(one), len(two)
    best = _cheapest(one, two, cost=cost, alone=alone)
    pairs: list[Pair] = []
    row = column = 0
    while row < rows or column < columns:
        ways: list[tuple[int, int]] = []
        if row < rows and column < columns and (row + 1, column + 1) in best:
            same = cost(one[row], two[column])
            if same is not None:
                ways.append((best[row + 1, column + 1] + same, 0))
        if row < rows and (row + 1, column) in best:
            ways.append((best[row + 1, column] + alone(one[row]), 1))
        if column < columns and (row, column + 1) in best:
            ways.append((best[row, column + 1] + alone(two[column]), 2))
        _, step = min(ways)
        pairs.append((None if step == 2 else row, None if step == 1 else column))
        row, column = row + (step != 2), column + (step != 1)
    return pairs


def _cheapest(
    one: Sequence[T],
    two: Sequence[T],
    *,
    cost: Callable[[T, T], int | None],
    alone: Callable[[T], int],
) -> dict[tuple[int, int], int]:
    """
    Return what it costs to lay side by side all from two places on, by the places.

    Only those that cost no more than the whole lists do are there, so that lists that hardly differ
    take time in proportion to their length (Dijkstra, "A note on two problems in connexion with
    graphs", 1959, from the lists' ends, with the places in turn of what they cost).
    """
    best: dict[tuple[int, int], int] = {}
    turns: dict[int, list[tuple[int, int]]] = {0: [(len(one), len(two))]}
    spent = 0
    while (0, 0) not in best:
        turn = turns.setdefault(spent, [])
        for row, column in turn:  # it grows by what costs nothing more
            if (row, column) in best:
                continue
            best[row, column] = spent
            if len(best) > MOST_PLACES:
                raise RecordError(
                    f"notebooks of {len(one):,} and {len(two):,} entries differ in too many places "
                    "to be laid side by side: are they of one game?"
                )
            if row:
                turns.setdefault(spent + alone(one[row - 1]), []).append((row - 1, column))
            if column:
                turns.setdefault(spent + alone(two[column - 1]), []).append((row, column - 1))
            if row and column:
                same = cost(one[row - 1], two[column - 1])
                if same is not None:
                    turns.setdefault(spent + same, []).append((row - 1, column - 1))
        del turns[spent]
        spent += 1
    return best
