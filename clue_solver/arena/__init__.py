"""Computer players, the referee of their games, and tournaments between them."""
