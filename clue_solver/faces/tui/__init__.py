"""The full-screen interface, in Textual."""

import os

os.environ.setdefault("TEXTUAL_FPS", "120")  # what a key changes stands on the screen 8 ms sooner
