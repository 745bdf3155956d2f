"""Cases as lines of text: what goes in, a mark, what comes out."""

from __future__ import annotations

import re
from pathlib import Path


def rows(text: str, mark: str = " -> ") -> list[tuple[str, ...]]:
    r"""
    Return the cells of each line that is not empty.

    >>> rows("a -> b\n\nc -> d\n")
    [('a', 'b'), ('c', 'd')]
    """
    return [tuple(line.split(mark)) for line in text.splitlines() if line]


def rows_in(path: Path) -> dict[str, list[tuple[str, ...]]]:
    """Return the rows of each part of a file, by its heading behind `### `; `# ` is a remark."""
    text = re.sub(r"^# .*\n", "", path.read_text("utf-8"), flags=re.M)
    parts = (part.partition("\n") for part in text.split("### ")[1:])
    return {heading: rows(lines) for heading, _, lines in parts}


def spelt(text: str) -> str:
    r"""Return what a cell stands for, in which `\n` and `\t` are spelt out."""
    return text.replace(r"\n", "\n").replace(r"\t", "\t")
