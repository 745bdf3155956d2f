"""
Reads, checks and writes the lines of a record, one observation per line. No files, no solver.

The way of a line that somebody types, `ben mus wr lou: cat pas, dan shows`, from `readings` on:

1. `canonical` reads it if it is written as in files: by the form that its kind of observation
   declares (`rules.forms`), of which it is also the writer. Any other line goes on.
2. `scan` takes it apart into tokens. Each keeps all that it can be, its senses: a sense is a role
   (`seat`, `card`, `passes`) and the names that it can stand for. The roles of words are in
   `vocabulary`; names and what they are called come from the table (`lexicon`, `names`).
3. `scan.ways` gives each token one of its senses, in all ways. A line with an unknown word or too
   many ways is refused at once. The roles of a way, one letter each, are matched with `patterns` by
   `reader`: with those of whole lines of one verb; and clause by clause, each where it may stand,
   with those of a suggestion and its answers (`suggestion`). What matches nothing is no report.
4. What matches says fields of an observation. `places` says what they leave out (a `Gap`), refuses
   what is wrong (`InvalidObservation`), and brings the rest into canonical form (`normalise`).
5. Each way that goes through is a `Reading`; each other one a `Fault`. If there is no reading the
   worst fault is the error: rather one whose words all fit, but make no sense; then the one
   furthest on in the line. Complete readings count before those with a gap.

Enter takes the one reading that is complete, asks which of several is meant, or asks for the gap.
`completion` reads what is before the cursor and offers what its readings leave out next.
What earlier lines mean for a line is `TurnState`.

Besides what it says, a `Reading` notes how that was said. In Ben's turn `mus wr lou: dan shows ?`
is `Ben suggests Mustard, Wrench, Lounge: Cat passes, Dan shows` where Cat sits between them, and

- `guessed` is Ben: no player was named, so it is the one whose turn it is;
- `explicit` is Dan: the seats whose answers were typed; the pass of Cat was filled in;
- `unseen` is Dan: a shown card was left out on purpose, by `?`, and is not to be asked for;
- `unheard` is true: the line ends with `?`, and what its end leaves out is not to be asked for.

Of other lines, `late` says that they answer an open suggestion (`dan shows`); `by_order` that cards
without their roles got them in the order of the roles (Clue Diced: `plum green`).

>>> from clue_solver import parse_record
>>> from clue_solver.notation import readings
>>> record = parse_record("edition: clue-classic\\nplayers: Ann, Ben, Cat, Dan\\n\\nAnn skips\\n")
>>> (way,) = readings("mus wr lou: dan shows ?", record.table, record.turn_state)
>>> way.guessed, sorted(way.explicit), sorted(way.unseen), way.unheard
('Ben', ['Dan'], ['Dan'], True)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from clue_solver.notation.canonical import (
    format_after_verb,
    format_line,
    parse_canonical,
    split_comment,
)
from clue_solver.notation.lexicon import card_names, lexicon_of
from clue_solver.notation.names import parse_names
from clue_solver.notation.places import (
    InvalidObservation,
    answered_seats,
    normalise,
    without_implied,
)
from clue_solver.rules.turns import TurnState

if TYPE_CHECKING:
    from clue_solver.notation.completion import Completion, TypedLine
    from clue_solver.notation.reader import parse_line, readings
    from clue_solver.notation.reading import Reading, reading_of, single_observation

__all__ = [
    "Completion",
    "InvalidObservation",
    "Reading",
    "TurnState",
    "TypedLine",
    "answered_seats",
    "card_names",
    "format_after_verb",
    "format_line",
    "lexicon_of",
    "normalise",
    "parse_canonical",
    "parse_line",
    "parse_names",
    "reading_of",
    "readings",
    "single_observation",
    "split_comment",
    "without_implied",
]

_OF_TYPED_LINES = {
    "completion": ("Completion", "TypedLine"),
    "reader": ("parse_line", "readings"),
    "reading": ("Reading", "reading_of", "single_observation"),
}
"""What reads typed lines, by module: loaded when it is first used, since files do not need it."""


def __getattr__(name: str) -> Any:
    for module, names in _OF_TYPED_LINES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
