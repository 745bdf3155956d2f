"""
Complete deduction and exact probabilities for Clue and Cluedo.

>>> from clue_solver import load
>>> game = load("examples/classic.clue")
>>> report = game.report(upto=9)
>>> report.verdict("Revolver", "Ben"), round(report.probability("Rope", "envelope"), 3)
('holds', 0.352)
"""

from __future__ import annotations

from clue_solver import plots
from clue_solver.answers.report import Fact, Report, Solution
from clue_solver.edition import Edition, load_edition, shipped_editions
from clue_solver.errors import (
    ClueError,
    Contradiction,
    EditionError,
    NotationError,
    RecordError,
    SetupError,
    TooLarge,
)
from clue_solver.game import Game, load
from clue_solver.record import Record, parse_record
from clue_solver.table import Table

__version__ = "0.1.0"

__all__ = [
    "ClueError",
    "Contradiction",
    "Edition",
    "EditionError",
    "Fact",
    "Game",
    "NotationError",
    "Record",
    "RecordError",
    "Report",
    "SetupError",
    "Solution",
    "Table",
    "TooLarge",
    "load",
    "load_edition",
    "parse_record",
    "plots",
    "shipped_editions",
]
