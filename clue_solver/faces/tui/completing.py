"""What the entry line asks of the notation: matches for a half-typed line, and a look ahead."""

from __future__ import annotations

from clue_solver.notation import Course
from clue_solver.notation.completing import Completion, Preview, completions, preview
from clue_solver.table import Table

__all__ = ["Completion", "Preview", "matches", "outlook"]


def matches(line: str, table: Table, course: Course) -> tuple[Completion, ...]:
    """Return what the line may become, likeliest first."""
    return completions(line, table, course)


def outlook(line: str, table: Table, course: Course) -> Preview:
    """Return what the line says as it stands, or what is wrong with it."""
    return preview(line, table, course)
