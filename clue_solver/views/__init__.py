"""Formats answers as text, HTML, pictures and tables. Nothing is computed here."""
