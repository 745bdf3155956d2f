"""
One line of a record, one observation: reading, checking and writing. No files, no solver.

A typed line is taken apart into tokens (`scan`, by the words of `vocabulary`); `reader` matches
them with the patterns of what people say (`patterns`, clause by clause for a `suggestion`), and
`checks` says what makes sense and brings it to its canonical form. What is left out is a `Gap`,
which a question or `completion` fills. `canonical` writes lines, and reads those of files. What an
earlier line means for a later one is `TurnState`.
"""

from clue_solver.notation.canonical import format_line, format_told, parse_canonical
from clue_solver.notation.completion import Completion, Preview, TypedLine
from clue_solver.notation.lexicon import Lexicon, card_names, lexicon_of
from clue_solver.notation.names import parse_names
from clue_solver.notation.places import InvalidObservation, answering, as_said, normalise
from clue_solver.notation.reader import parse_line, readings, split_comment
from clue_solver.notation.reading import Reading, reading_of, the_one
from clue_solver.rules.turns import TurnState

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
    "format_line",
    "format_told",
    "lexicon_of",
    "normalise",
    "parse_canonical",
    "parse_line",
    "parse_names",
    "reading_of",
    "readings",
    "split_comment",
    "the_one",
]
