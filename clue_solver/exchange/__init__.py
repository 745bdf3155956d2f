"""
Imports, exports and merges notes: pads, tables of suggestions, several notebooks.

How notes become a record, in the order in which the modules come into play:

1. `tables` makes sheets of text from files, and `terms` knows the words of note-takers.
2. `imports` takes what the user states (`findings.ImportHints`) and leads through all steps.
3. `names` finds the edition (`Deck`), the players (`People`) and the writer's own cards.
4. `regions` cuts a sheet into pads, lists and tables of suggestions, and `columns` says what each
   of their columns means (`ColumnLayout`).
5. `pads` (with `marks`), `logs` and `lines` read the cells as entries; `logs` and `lines` write
   each row as a line, which `notation` reads.
6. What is guessed or unclear goes to `findings.Findings`. `imports` asks about it, or makes the
   record.

`export` writes pads and tables that can be read back; `merging` makes one record of several.
"""
