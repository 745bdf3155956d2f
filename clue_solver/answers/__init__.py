"""Answers: immutable values with names, the code that computes them, and how they are drawn."""
