"""Whose eyes: what a viewer knows, as clauses and as factors; models of behaviour."""
