"""Notes from elsewhere and for elsewhere: pads, tables of suggestions, several notebooks."""
