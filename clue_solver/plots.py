"""
Pictures of a game, drawn with matplotlib: `clue_solver.views.plots` by its public name.
"""

from clue_solver.views.plots import *  # noqa: F403
from clue_solver.views.plots import __all__  # noqa: F401
