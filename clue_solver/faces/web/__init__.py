"""The game as a page on each phone. All pages share one log, and each shows its player's part."""
