"""
Complete deduction and exact probabilities for Clue and Cluedo.

>>> from clue_solver import load
>>> game = load("examples/classic.clue")
>>> report = game.report(upto=9)
>>> report.verdict("Revolver", "Ben"), round(report.probability("Rope", "envelope"), 3)
('holds', 0.281)

A name is loaded when it is first used, so that what needs no solver loads none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clue_solver import plots
    from clue_solver.answers.advice import Advice
    from clue_solver.answers.corrections import Check
    from clue_solver.answers.decision import Decision
    from clue_solver.answers.habits import Habits
    from clue_solver.answers.reasons import Reason
    from clue_solver.answers.report import Fact, Report, Solution
    from clue_solver.answers.review import Review
    from clue_solver.answers.season import Season
    from clue_solver.arena.tournament import play_games
    from clue_solver.conversation.doubts import Doubt
    from clue_solver.conversation.session import Session
    from clue_solver.errors import (
        ArgumentError,
        ClueError,
        Contradiction,
        EditionError,
        Impossible,
        MissingExtra,
        NotationError,
        RecordError,
        SetupError,
        TooLarge,
    )
    from clue_solver.exchange.agreeing import Disagreement
    from clue_solver.exchange.merging import merge
    from clue_solver.exchange.pads import export_pad, import_notes
    from clue_solver.game import Game, habits, load, positions, review_all, season
    from clue_solver.game.games import Evaluated, Games, load_games
    from clue_solver.inference.batch import Evaluations, draw_deals, evaluate
    from clue_solver.knowledge.viewer import Positions
    from clue_solver.record import Record, format_record, parse_record, save
    from clue_solver.rules.edition import Edition, load_edition, shipped_editions
    from clue_solver.rules.irregularities import Irregularity
    from clue_solver.rules.observations import (
        Accusation,
        Answer,
        Draw,
        Finger,
        Hand,
        Knowing,
        Look,
        Move,
        Nobody,
        Observation,
        Peek,
        Question,
        Reveal,
        Roll,
        Skip,
        Stay,
        Suggestion,
    )
    from clue_solver.rules.play import PlayState
    from clue_solver.rules.table import Slot, Table

__version__ = "0.1.0"

__all__ = [
    "Accusation",
    "Advice",
    "Answer",
    "ArgumentError",
    "Check",
    "ClueError",
    "Contradiction",
    "Decision",
    "Disagreement",
    "Doubt",
    "Draw",
    "Edition",
    "EditionError",
    "Evaluated",
    "Evaluations",
    "Fact",
    "Finger",
    "Game",
    "Games",
    "Habits",
    "Hand",
    "Impossible",
    "Irregularity",
    "Knowing",
    "Look",
    "MissingExtra",
    "Move",
    "Nobody",
    "NotationError",
    "Observation",
    "Peek",
    "PlayState",
    "Positions",
    "Question",
    "Reason",
    "Record",
    "RecordError",
    "Report",
    "Reveal",
    "Review",
    "Roll",
    "Season",
    "Session",
    "SetupError",
    "Skip",
    "Slot",
    "Solution",
    "Stay",
    "Suggestion",
    "Table",
    "TooLarge",
    "draw_deals",
    "evaluate",
    "export_pad",
    "format_record",
    "habits",
    "import_notes",
    "load",
    "load_edition",
    "load_games",
    "merge",
    "parse_record",
    "play_games",
    "plots",
    "positions",
    "review_all",
    "save",
    "season",
    "shipped_editions",
]

_HOMES = {
    "answers.advice": "Advice",
    "answers.decision": "Decision",
    "answers.corrections": "Check",
    "answers.habits": "Habits",
    "answers.reasons": "Reason",
    "answers.report": "Fact Report Solution",
    "answers.review": "Review",
    "answers.season": "Season",
    "arena.tournament": "play_games",
    "conversation.doubts": "Doubt",
    "conversation.session": "Session",
    "errors": "ArgumentError ClueError Contradiction EditionError Impossible MissingExtra "
    "NotationError RecordError SetupError TooLarge",
    "exchange.agreeing": "Disagreement",
    "exchange.merging": "merge",
    "exchange.pads": "export_pad import_notes",
    "game": "Game habits load positions review_all season",
    "game.games": "Evaluated Games load_games",
    "inference.batch": "Evaluations draw_deals evaluate",
    "knowledge.viewer": "Positions",
    "plots": "plots",
    "record": "Record format_record parse_record save",
    "rules.edition": "Edition load_edition shipped_editions",
    "rules.irregularities": "Irregularity",
    "rules.observations": "Accusation Answer Draw Finger Hand Knowing Look Move Nobody Observation "
    "Peek Question Reveal Roll Skip Stay Suggestion",
    "rules.play": "PlayState",
    "rules.table": "Slot Table",
}
"""The public names by the module that has them."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_HOME[name]}")
    found = module if name == "plots" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
