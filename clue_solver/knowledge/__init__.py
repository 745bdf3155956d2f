"""What one viewer knows, as clauses and factors; how players choose the card they show."""
