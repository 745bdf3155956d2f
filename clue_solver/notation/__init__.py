"""
Reads, checks and writes the lines of a record, one observation per line. No files, no solver.

How a typed line such as `ben mus wr lou: cat pas, dan shows` is read, starting in `readings`:

1. `canonical` reads lines that are in the form in which files have them. Each kind of observation
   declares this form (`rules.forms`), and `canonical` also writes it. Other lines go on to step 2.
2. `scan` splits the line into tokens. Each token keeps all its possible senses: a sense is a role
   (`seat`, `card`, `passes`) and the names that it can stand for. The roles of words are in
   `vocabulary`; names and their aliases come from the table (`lexicon`, `names`).
3. `scan.ways` yields every way to choose one sense for each token. A line with an unknown word or
   with too many ways is refused at once. `reader` matches the roles of a way, one letter each,
   with `patterns`: those of whole lines with one verb and, clause by clause, those of a suggestion
   or a question and its answers (`suggestion`). A way that matches nothing is a `Fault` at the
   first word that does not fit.
4. A match gives some fields of an observation. `places` finds what is missing (a `Gap`); `checks`
   refuses what is wrong (`InvalidObservation`) and brings the rest into canonical form
   (`normalise`).
5. A way that passes is a `Reading`; any other is a `Fault`. A way with two gaps yields both. With a
   single gap, the reading has, for each name that fits, the reading that this name completes
   (`filled`); each other name is a fault. If there is no reading, one fault becomes the error:
   preferably one where all words fit but make no sense, otherwise the one furthest along the line.
   Complete readings take precedence over those with a gap.

Enter takes the reading if exactly one is complete; otherwise it asks which of several is meant, or
asks for what is missing. `completion` reads the line up to the cursor and offers what its readings
lack next. `TurnState` holds what earlier lines imply for a line.

A `Reading` also notes how the observation was expressed. In Ben's turn `mus wr lou: dan shows ?` is
read as `Ben suggests Mustard, Wrench, Lounge: Cat passes, Dan shows` if Cat sits between them, and

- `guessed` is Ben: no player was named, so it is the one whose turn it is;
- `explicit` is Dan: the seats whose answers were typed; Cat's pass was filled in;
- `unseen` is Dan: `?` says that the shown card is unknown, so it is not asked for;
- `unheard` is true: the line ends with `?`, so any answers that follow are not asked for.

For other lines, `late` says that they answer an open suggestion (`dan shows`), and `by_order` that
cards without roles were given them in the order of the roles (Clue Diced: `plum green`).

>>> from clue_solver import parse_record
>>> from clue_solver.notation.reader import readings
>>> record = parse_record("edition: clue-classic\\nplayers: Ann, Ben, Cat, Dan\\n\\nAnn skips\\n")
>>> (way,) = readings("mus wr lou: dan shows ?", record.table, record.turn_state)
>>> way.guessed, sorted(way.explicit), sorted(way.unseen), way.unheard
('Ben', ['Dan'], ['Dan'], True)
"""
