"""
Game records: a table and what was observed at it, with comments; as text and in files.

`parse_record` and `load_record` read both forms, `.clue` and JSON Lines, and tell them apart by
their first character. `format_record`, `to_jsonl` and `save` write them.
"""
