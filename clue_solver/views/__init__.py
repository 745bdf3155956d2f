"""Answers as text, HTML, pictures and tables: they are drawn here, and nothing is computed."""
