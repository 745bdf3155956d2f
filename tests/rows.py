"""
Cases as text: lines with a mark between what goes in and what comes out, or blocks of them.

Where a test works out what stands in a block (`held`), `ANEW=1` writes its file anew instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
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


def blocks(path: Path) -> dict[str, str]:
    """Return the blocks of a file of transcripts: by its heading what stands under each."""
    parts = (part.partition("\n") for part in path.read_text("utf-8").split("### ")[1:])
    return {name: text for name, _, text in parts}


def held(path: Path, name: str, lines: Iterable[str]) -> None:
    """Hold a block to what is so; with `ANEW` write it."""
    found = "".join(f"{line}\n" for line in lines)
    every = blocks(path)
    if os.environ.get("ANEW"):
        head, *_ = path.read_text("utf-8").partition("### ")
        told = (f"### {each}\n{text}" for each, text in (every | {name: found}).items())
        path.write_text(head + "".join(told), "utf-8")
    assert found == every[name] or os.environ.get("ANEW")
