"""Answers: immutable values with names, and the code that computes them; `views` draws them."""
