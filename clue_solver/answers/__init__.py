"""
Answers to questions about a game: immutable values, and the code that computes them.

`views` draws them.
"""
