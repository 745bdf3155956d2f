"""Formats answers as text, HTML, pictures and tables. What they say is computed in `answers`."""
