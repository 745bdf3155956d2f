"""
The user interfaces: command line, lines, full screen, pages.

    cli, commands        what is typed at a shell
    opening, setup       the questions before a game; a new game
    feed                 passes what is typed on to a game, and returns the result:
      logged               a game that a person logs
      practising           one that the program deals: `dealing` saves it, `decisions` asks
    tui, plain           show a game on the full screen, or line by line
    replies, helping     the replies of commands that only ask; the help
    thoughts             advice or corrections, which stand beside the sheet
    prompt, asking       a question; the menus that build an entry
    line_input           reads lines, and asks in lines
    games, leaving       the files of games; how a game is closed
    web, browser         pages, from a server or in the browser alone

Whoever imports one of them starts a program, so here are settings for a faster start and end.
"""

import atexit
import gc
import os

gc.set_threshold(50_000)  # by default, the imports alone would cause 90 collections
atexit.register(gc.disable)  # the program ends anyway
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here is large enough for threads
