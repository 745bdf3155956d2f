"""What one viewer knows of a game: the evidence, its clauses, its likelihoods."""
