"""The help of the full screen."""

HELP = """\
Type what happens, in full or in short, then Enter:
  ann mus wr lou : cat mus     Ann suggests Mustard, Wrench, Lounge: ... Cat shows Mustard
  mus wr lou -                 whose turn it is suggests; nobody shows
  ben asks cat about plum : -  see the README for all kinds of lines
Tab accepts the match, Up and Down choose another one, Enter tells the line.
A half-typed line stays until you tell it or delete it.

F1 or ?   this help                 F2   choose what happened from lists
F3        which of your cards to show in answer to the typed suggestion
F4        hand sizes                F5   the first correction (1-9: that one)
F6, Tab   the next pane: sheet, log, solutions, entry line
F7        the next player's eyes    [ ]  the game as of an earlier, later entry
F8        what if: the cell's holder has the card; once more: has it not
F9        why: Enter on a cell, or with nothing typed
F10       what to ask next, whether to accuse, who is close (Ctrl+G where F10 is taken)
Ctrl+Z, Ctrl+Y   undo, redo         Ctrl+T   dark, light
Ctrl+Q    leave; every entry is in the file already
Esc       leaves an edit, then comes back from a view, then to the entry line

With nothing typed the arrows move the cursor on the sheet.
In the sheet: w why, i what if.     In the log: Enter edits, Del takes out,
                                    Space shows the game as of that entry.
✓ has it   · cannot have it   number: chance in percent   ✗ contradicts the log"""
