"""
Imports, exports and merges notes: pads, tables of suggestions, several notebooks.

How notes become a record, in the order in which the modules are used:

1. `tables` makes sheets of text from files, and `terms` knows the words of note-takers.
2. `imports` takes what the user states (`findings.ImportHints`) and leads through all steps.
3. `deck` finds the edition and its cards, `own_hand` the writer's own cards, `people` the players.
4. `parts` looks for the tables in each part of a sheet. `columns` says what a column can mean.
5. `pads` (with `marks`) and `logs` each find their kind of table and read it. `logs` writes a row
   as a line of the notation, and `lines` reads notes that are lines already.
6. What is guessed or unclear goes to `findings.Findings`. `imports` asks about it, or makes the
   record.

`export` writes pads and tables that can be read back; `merging` makes one record of several.
"""
