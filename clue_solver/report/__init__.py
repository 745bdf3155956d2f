"""A report of what is known: the frozen value, and the ways to draw it."""
