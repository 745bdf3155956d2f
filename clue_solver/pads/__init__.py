"""Notes kept elsewhere: pads and tables of suggestions read into a record, and pads written."""
