"""
A game being logged, without a face: from a line that is typed to the entry that it becomes.

A face first asks whether the line is a command (`commands.said_in`) and does that itself. Any other
line it hands to its `Dialog` (`dialog.say`, or `dialog.enter` where it cannot be an answer). The
dialog asks the `Session` what the line can mean (`session.readings`), and what a careful friend
would ask about it: `session.unclear` where the line lacks one thing or means several (`unclear`),
else `session.doubts` (`questions`). A question is a `Doubt` (`doubts`); `hands` says what one's own
hand rules out. Once nothing is left to ask, the session takes the line (`session.take`): it goes on
to a new `Game`, keeps the one before for undo, and writes the file. What came of it is one
`Outcome`; the face then draws the new sheet from `session.report()`. `changes` holds what one step
makes of a record, `showings` the cards that may be shown in answer to a suggestion.
"""
