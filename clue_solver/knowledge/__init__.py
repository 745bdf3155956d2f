"""
What one viewer knows of a game: what must hold (clauses) and how likely it is (factors).

Also how players are assumed to choose the card they show.
"""
