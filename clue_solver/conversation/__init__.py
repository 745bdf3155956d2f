"""
Logging a game, whatever the face: from a typed line to the entry that it becomes.

A face first asks whether a text is a command (`commands.said_in`) and does that itself. Any other
text goes to its `Dialog`: to `dialog.say`, or to `dialog.enter` if it cannot be an answer. The
dialog finds what the line can mean in the game as it stands (`meaning.meanings`). If that is one
thing, it is a `Candidate` for the log, and `doubts.find_doubts` finds what a careful friend would
ask about it; if it is several, or lacks something, `meaning.unclear` asks. While a `Doubt` is open,
the line waits as a `PendingLine`; each choice has the reading with which the line goes on. Once
nothing is left to ask, the session puts the line into the log (`session.commit`): it goes on to a
new `Game`, keeps the one before for undo, and writes the file. What came of the line is an
`Outcome`; the face then draws the new sheet from `session.game.report()`. `changes` has the changes
that can be made in a record, `showings` the cards that may be shown in answer to a suggestion.
"""
