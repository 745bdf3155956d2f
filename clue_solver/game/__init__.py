"""A game to ask questions of, somebody's view of it, and many games at once."""

from clue_solver.game.batches import (
    games_in,
    review_all,
    season,
    season_of_files,
)
from clue_solver.game.game import Game, load

__all__ = [
    "Game",
    "games_in",
    "load",
    "review_all",
    "season",
    "season_of_files",
]
