"""The full-screen face: one screen for a game at the table, in Textual."""
