"""
A game being logged, without a face: from a line that is typed to the entry that it becomes.

A face hands the line to its `Dialog` (`dialog.say`). That asks the `Session` what the line can mean
there (`session.readings`), and the `questions` what a careful friend would ask about it. Where
nothing is asked, or all is answered, the session takes it: it goes on to a new `Game` (the ones
before are its undo) and writes the file. What came of it all is one `Outcome`; the face then draws
the new sheet from `session.report()`. `changes` are what a step makes of a record, `commands` what
may be typed beside lines, `showings` the cards that may be shown in answer to a suggestion.
"""
