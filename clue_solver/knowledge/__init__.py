"""What one viewer knows, as clauses and as factors; show policies."""
