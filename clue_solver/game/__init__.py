"""A game as one viewer sees it, with what follows from it; and many games at once (in `games`)."""

from clue_solver.game.game import Game, load

__all__ = ["Game", "load"]
