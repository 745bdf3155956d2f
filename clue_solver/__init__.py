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
    from clue_solver.answers.advice import (
        AccuseAdvice,
        AccuseOrWait,
        Advice,
        AnswerChance,
        AskAdvice,
        BonusAction,
        Opponent,
        RankedSuggestion,
        RoomAdvice,
        ShownCard,
        WinChances,
    )
    from clue_solver.answers.corrections import Check, CorrectedLine, Correction
    from clue_solver.answers.decision import Decision
    from clue_solver.answers.reasons import Influence, Reason, ReasonStep
    from clue_solver.answers.report import CardRow, Fact, Level, Report, Settled, Solution
    from clue_solver.answers.review import (
        AccusationReview,
        KeyMoment,
        MissedDeduction,
        MissedWin,
        Moment,
        Review,
        ReviewedFile,
        SeatReview,
        SuggestionReview,
        TurningPoint,
        Unweighed,
    )
    from clue_solver.answers.season import PlayedGame, PlayerSeason, Season
    from clue_solver.answers.turns import OddTurn
    from clue_solver.arena.tournament import play_games
    from clue_solver.conversation.doubts import Doubt, DoubtChoice
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
    from clue_solver.exchange.imports import Imported, MarkRead
    from clue_solver.exchange.merging import Merged, Missed, merge
    from clue_solver.exchange.pads import Pad, export_pad, import_notes
    from clue_solver.game import Game, load, review_all, season
    from clue_solver.game.games import Evaluated, Games, load_games
    from clue_solver.record import Entry, HeaderLine, Record, format_record, parse_record, save
    from clue_solver.rules.edition import Card, Category, Edition, load_edition, shipped_editions
    from clue_solver.rules.observations import (
        Accusation,
        Answer,
        Draw,
        Finger,
        Hand,
        Knowing,
        Leave,
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
    from clue_solver.rules.play import Breach, Play
    from clue_solver.rules.table import Asks, Slot, Table

__version__ = "0.1.0"

__all__ = [
    "Accusation",
    "AccusationReview",
    "AccuseAdvice",
    "AccuseOrWait",
    "Advice",
    "Answer",
    "AnswerChance",
    "ArgumentError",
    "AskAdvice",
    "Asks",
    "BonusAction",
    "Breach",
    "Card",
    "CardRow",
    "Category",
    "Check",
    "ClueError",
    "Contradiction",
    "CorrectedLine",
    "Correction",
    "Decision",
    "Disagreement",
    "Doubt",
    "DoubtChoice",
    "Draw",
    "Edition",
    "EditionError",
    "Entry",
    "Evaluated",
    "Fact",
    "Finger",
    "Game",
    "Games",
    "Hand",
    "HeaderLine",
    "Imported",
    "Impossible",
    "Influence",
    "KeyMoment",
    "Knowing",
    "Leave",
    "Level",
    "Look",
    "MarkRead",
    "Merged",
    "Missed",
    "MissedDeduction",
    "MissedWin",
    "MissingExtra",
    "Moment",
    "Move",
    "Nobody",
    "NotationError",
    "Observation",
    "OddTurn",
    "Opponent",
    "Pad",
    "Peek",
    "Play",
    "PlayedGame",
    "PlayerSeason",
    "Question",
    "RankedSuggestion",
    "Reason",
    "ReasonStep",
    "Record",
    "RecordError",
    "Report",
    "Reveal",
    "Review",
    "ReviewedFile",
    "Roll",
    "RoomAdvice",
    "Season",
    "SeatReview",
    "Session",
    "Settled",
    "SetupError",
    "ShownCard",
    "Skip",
    "Slot",
    "Solution",
    "Stay",
    "Suggestion",
    "SuggestionReview",
    "Table",
    "TooLarge",
    "TurningPoint",
    "Unweighed",
    "WinChances",
    "export_pad",
    "format_record",
    "import_notes",
    "load",
    "load_edition",
    "load_games",
    "merge",
    "parse_record",
    "play_games",
    "review_all",
    "save",
    "season",
    "shipped_editions",
]

_HOMES = {
    "answers.advice": "AccuseAdvice AccuseOrWait Advice AnswerChance AskAdvice BonusAction "
    "Opponent RankedSuggestion RoomAdvice ShownCard WinChances",
    "answers.corrections": "Check CorrectedLine Correction",
    "answers.decision": "Decision",
    "answers.reasons": "Influence Reason ReasonStep",
    "answers.report": "CardRow Fact Level Report Settled Solution",
    "answers.review": "AccusationReview KeyMoment MissedDeduction MissedWin Moment Review "
    "ReviewedFile SeatReview SuggestionReview TurningPoint Unweighed",
    "answers.season": "PlayedGame PlayerSeason Season",
    "answers.turns": "OddTurn",
    "arena.tournament": "play_games",
    "conversation.doubts": "Doubt DoubtChoice",
    "conversation.session": "Session",
    "errors": "ArgumentError ClueError Contradiction EditionError Impossible "
    "MissingExtra NotationError RecordError SetupError TooLarge",
    "exchange.agreeing": "Disagreement",
    "exchange.imports": "Imported MarkRead",
    "exchange.merging": "Merged Missed merge",
    "exchange.pads": "Pad export_pad import_notes",
    "game": "Game load review_all season",
    "game.games": "Evaluated Games load_games",
    "record": "Entry HeaderLine Record format_record parse_record save",
    "rules.edition": "Card Category Edition load_edition shipped_editions",
    "rules.observations": "Accusation Answer Draw Finger Hand Knowing Leave Look Move "
    "Nobody Observation Peek Question Reveal Roll Skip Stay Suggestion",
    "rules.play": "Breach Play",
    "rules.table": "Asks Slot Table",
}
"""The public names by the module that has them."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_HOME[name]}")
    found = getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
