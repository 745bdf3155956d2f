"""The game as a page for a phone: one log, everybody by their own eyes."""
