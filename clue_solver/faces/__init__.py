"""The ways in which a person meets the program."""
