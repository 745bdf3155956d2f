"""Cases as lines of text: what goes in, a mark, what comes out."""

from __future__ import annotations


def rows(text: str, mark: str = " -> ") -> list[tuple[str, ...]]:
    r"""
    Return the cells of each line that is not empty.

    >>> rows("a -> b\n\nc -> d\n")
    [('a', 'b'), ('c', 'd')]
    """
    return [tuple(line.split(mark)) for line in text.splitlines() if line]
