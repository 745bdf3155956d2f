"""
Logging a game, whatever the face: from a typed line to the entry that it becomes.

A face first asks whether the line is a command (`commands.said_in`) and does that itself. Any other
line it hands to its `Dialog` (`dialog.say`, or `dialog.enter` where it cannot be an answer). The
dialog finds what the line can mean in the game as it stands (`meaning.meanings`), holds that as a
`Candidate` against the log, and finds what a careful friend would ask about it (`doubts`):
`unclear` where it lacks one thing or means several, else `doubts`. While a `Doubt` is open, the
line waits as a `PendingLine`; each choice has the reading with which the line goes on. Once nothing
is left to ask, the session takes it (`session.take`): it goes on to a new `Game`, keeps the one
before for undo, and writes the file. What came of it is one `Outcome`; the face then draws the new
sheet from `session.game.report()`. `changes` holds what one step makes of a record, `showings` the
cards that may be shown in answer to a suggestion.
"""
