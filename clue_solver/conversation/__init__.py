"""
Logs a game, in every interface: from a typed line to the entry that it becomes.

An interface first checks whether a text is a command (`commands.parse_command`), and runs that
itself. Any other text goes to its `Dialog`: to `dialog.say`, or to `dialog.enter` if it cannot be
an answer. The dialog finds what the line can mean in the game so far (`meaning.meanings`). A single
meaning becomes a `Candidate` for the log, and `doubts.find_doubts` finds what a careful friend
would ask about it. If there are several meanings, or something is missing,
`doubts.meaning_doubt` asks. While a `Doubt` is open, the line waits as a `PendingLine`; each
choice of the doubt has the reading that is logged if it is chosen. Once nothing is left to ask, the
session logs the line (`session.commit`): it makes a new `Game`, keeps the old one for undo, and
writes the file. The result is an `Outcome`; the interface then draws the new sheet from
`session.game.report()`. `changes` has the changes that can be made to a record, `showings` the
cards that can be shown in answer to a suggestion.

The readings of a line are sifted three times. `LineReader.likeliest` drops those that the words
make unlikely, `meaning.plausible` those that the viewer's hand or the log rules out, and
`single_reading` returns the one that is left if it is complete. `meaning.meanings` takes the first
two steps; `meaning.read` takes all three, and raises an error if several are left.
"""
