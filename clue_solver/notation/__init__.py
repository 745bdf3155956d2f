"""
One line of a record, one observation: reading, checking and writing. No files, no solver.

`parse_line` reads what a person types, `format_line` writes it in its canonical form, and `settle`
checks an observation from anywhere else. What an earlier line means for a later one is `Course`.
`completions` says what may be typed next, and `preview` what is typed so far.
"""

from __future__ import annotations

from clue_solver.notation.completing import Completion, Preview, completions, preview
from clue_solver.notation.course import Course
from clue_solver.notation.reading import parse_fact, parse_line
from clue_solver.notation.settling import Misfit, settle
from clue_solver.notation.words import split_comment
from clue_solver.notation.writing import format_fact, format_line

__all__ = [
    "Completion",
    "Course",
    "Misfit",
    "Preview",
    "completions",
    "format_fact",
    "format_line",
    "parse_fact",
    "parse_line",
    "preview",
    "settle",
    "split_comment",
]
