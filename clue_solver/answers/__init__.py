"""Answers: named, frozen values, what computes them, and how they find what draws them."""
