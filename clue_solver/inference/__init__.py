"""Answers from knowledge: what is certain, how likely the rest is. No text and no file here."""
