"""
A game being logged, without a face: what is asked about a line, the session that keeps it, and the
dialog by which lines come there.
"""
