"""What a game is: editions, tables, and what can be observed at them."""
