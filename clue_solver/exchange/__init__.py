"""Imports, exports and merges notes: pads, tables of suggestions, several notebooks."""
