"""The game as a page on each phone: one log, of which every player sees their own part."""
