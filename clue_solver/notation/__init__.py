"""
One line of a record, one observation: reading, checking and writing. No files, no solver.

What is typed goes to `readings`, and comes back as each thing that it can mean, or as an error at
the word that stops it. Enter takes the one that is whole, asks which of several, or for the `Gap`
of one. On its way a line meets these modules:

- `canonical`: a line as it is written, and its inverse. Lines of files go no further.
- `scan`: any other line, taken apart into tokens, by the words of `vocabulary` and the `names` of
  the table, its `lexicon`.
- `reader`: the tokens matched with what people say (`patterns`; clause by clause in `suggestion`).
- `places`: what may stand at each place of a line, what is wrong there, and what is left out.
- `reading`: what comes of it, one meaning of the line.
- `completion`: what may be typed next, by what the line so far leaves out.

What an earlier line means for a later one is `TurnState`.
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
