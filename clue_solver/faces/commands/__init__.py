"""The commands, by what they are for: each loads what it needs when it runs."""
