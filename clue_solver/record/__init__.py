"""
Game records: a table and what was observed at it, with comments, as text and in files.

`parse_record` and `load_record` read both forms, `.clue` and JSON Lines, and tell them apart by
their first character. `format_record`, `to_jsonl` and `save` write them.
"""

from clue_solver.record.clue import format_record
from clue_solver.record.contents import Entry, HeaderLine, Record, with_seats_called
from clue_solver.record.files import load_record, parse_record, save
from clue_solver.record.jsonl import from_jsonl, is_jsonl, to_jsonl

__all__ = [
    "Entry",
    "HeaderLine",
    "Record",
    "format_record",
    "from_jsonl",
    "is_jsonl",
    "load_record",
    "parse_record",
    "save",
    "to_jsonl",
    "with_seats_called",
]
