"""
One line of a record, one observation: reading, checking and writing. No files, no solver.

The way of a line that somebody types, `ben mus wr lou: cat pas, dan shows`, from `readings` on:

1. `canonical` reads it if it is written as in files: by the form that its kind of observation
   declares (`rules.forms`), of which it is also the writer. Any other line goes on.
2. `scan` takes it apart into tokens. Each keeps all that it can be, its senses: a sense is a role
   (`seat`, `card`, `passes`) and the names that it can stand for. The roles of words are in
   `vocabulary`; names and what they are called come from the table (`lexicon`, `names`).
3. `reader` goes through all ways to choose one sense for each token. A line with an unknown word, a
   misplaced `not` or too many ways is refused at once. The roles of a way, a letter each, are
   matched with `patterns`: with those of whole lines of one verb; and clause by clause with those
   of a suggestion and its answers (`suggestion`).
4. What matches says fields of an observation. `places` says what they leave out (a `Gap`), refuses
   what is wrong (`InvalidObservation`), and brings the rest into canonical form (`normalise`).
5. Each way that goes through is a `Reading`; each other one a `Fault`. If there is no reading the
   worst fault is the error: rather one whose words all fit, but make no sense; then the one
   furthest on in the line. Complete readings count before those with a gap.

Enter takes the one reading that is complete, asks which of several is meant, or asks for the gap.
`completion` reads what is before the cursor and offers what its readings leave out next.
What earlier lines mean for a line is `TurnState`.
"""

from clue_solver.notation.canonical import format_line, format_told, parse_canonical
from clue_solver.notation.completion import Completion, Preview, TypedLine
from clue_solver.notation.lexicon import Lexicon, card_names, lexicon_of
from clue_solver.notation.names import parse_names
from clue_solver.notation.places import (
    InvalidObservation,
    answered_seats,
    normalise,
    without_implied,
)
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
    "answered_seats",
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
    "without_implied",
]
