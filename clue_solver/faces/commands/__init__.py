"""The commands of the command line, by purpose. Each loads what it needs when it runs."""
