"""
One line of a record, one observation: reading, checking and writing. No files, no solver.

What a line may be is declared with each observation (`observations`, `forms`); here are the walks
over that description. `parse_line` reads what a person types, `format_line` writes it in its
canonical form, and `normalise` checks an observation from anywhere else. What an earlier line means
for a later one is `TurnState`. `completions` says what may be typed next, and `preview` what is
typed so far.
"""

from clue_solver.notation.canonical import format_line, format_told, parse_canonical
from clue_solver.notation.checks import (
    InvalidObservation,
    TurnState,
    answering,
    as_said,
    normalise,
)
from clue_solver.notation.completion import Completion, Preview, TypedLine, completions, preview
from clue_solver.notation.lexicon import Lexicon, card_names, lexicon_of
from clue_solver.notation.names import parse_names
from clue_solver.notation.reader import (
    Reading,
    parse_line,
    parse_told,
    reading_of,
    readings,
    split_comment,
    the_one,
    told_readings,
)

__all__ = [
    "Completion",
    "InvalidObservation",
    "Lexicon",
    "Preview",
    "Reading",
    "TurnState",
    "TypedLine",
    "answering",
    "as_said",
    "card_names",
    "completions",
    "format_line",
    "format_told",
    "lexicon_of",
    "normalise",
    "parse_canonical",
    "parse_line",
    "parse_names",
    "parse_told",
    "preview",
    "reading_of",
    "readings",
    "split_comment",
    "the_one",
    "told_readings",
]
