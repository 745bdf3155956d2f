"""
The user interfaces: command line, lines, full screen, pages.

Importing one starts a program of its own, so settings that make it start and end faster are here.
"""

import atexit
import gc
import os

gc.set_threshold(50_000)  # at 700, Python's own, it looks through modules, which stay, 90 times
atexit.register(gc.disable)  # nor once more for what ends with the program
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here is large enough for threads
