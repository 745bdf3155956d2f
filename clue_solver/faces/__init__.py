"""
The user interfaces: command line, lines, full screen, pages.

    cli, commands        what is typed at a shell
    opening, setup       the questions before a game; a new game
    feed                 what comes of what is typed in a game:
      logged               one that a person logs
      practising           one that the program deals: `dealing` saves it, `decisions` asks
    tui, plain           show it on the full screen, or line by line
    replies, helping     what a command that asks replies; the help
    thoughts             what stands beside the sheet: advice, or corrections
    prompt, asking       a question; the menus that build an entry
    line_input           reads lines, and asks in lines
    games, leaving       the files of games; how a game is closed
    web, browser         pages, from a server or in the browser alone

Importing one starts a program of its own, so settings that make it start and end faster are here.
"""

import atexit
import gc
import os

gc.set_threshold(50_000)  # at the usual 700 it would search the modules, which all stay, 90 times
atexit.register(gc.disable)  # what is left ends with the program
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here is large enough for threads
