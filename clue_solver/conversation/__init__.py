"""A game being logged, without a face: what is asked about a line, the session that keeps it."""
