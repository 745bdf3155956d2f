"""
Complete deduction and exact probabilities for Clue and Cluedo.

>>> from clue_solver import load
>>> game = load("examples/classic.clue")
>>> report = game.report(upto=9)
>>> report.verdict("Revolver", "Ben"), round(report.probability("Rope", "envelope"), 3)
('holds', 0.281)

A name is imported when it is first used, so that programs that need no solver do not load one. The
observations, a class for each kind of line, are in `observations`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clue_solver.answers.advice import Advice as Advice  # noqa: I001 - one line a module
    from clue_solver.answers.corrections import Check as Check
    from clue_solver.answers.reasons import Reason as Reason
    from clue_solver.answers.report import Report as Report
    from clue_solver.answers.review import Review as Review
    from clue_solver.answers.season import Season as Season
    from clue_solver.arena.tournament import play as play
    from clue_solver.conversation.session import Session as Session
    from clue_solver.errors import (
        ArgumentError as ArgumentError,
        ClueError as ClueError,
        Contradiction as Contradiction,
        EditionError as EditionError,
        Impossible as Impossible,
        MissingExtra as MissingExtra,
        NotationError as NotationError,
        RecordError as RecordError,
        SetupError as SetupError,
        TooLarge as TooLarge,
    )
    from clue_solver.exchange.export import export_pad as export_pad
    from clue_solver.exchange.imports import import_notes as import_notes
    from clue_solver.exchange.merging import merge as merge
    from clue_solver.game.game import Game as Game, load as load
    from clue_solver.game.games import (
        Games as Games,
        load_all as load_all,
        season as season,
    )
    from clue_solver.record.clue import format_record as format_record
    from clue_solver.record.contents import Entry as Entry, Record as Record
    from clue_solver.record.files import parse_record as parse_record, save as save
    from clue_solver.rules import observations as observations
    from clue_solver.rules.edition import Card as Card, Edition as Edition
    from clue_solver.rules.edition_files import (
        load_edition as load_edition,
        shipped_editions as shipped_editions,
    )
    from clue_solver.rules.table import Slot as Slot, Table as Table

__version__ = "0.1.0"

_HOMES = {
    "answers.advice": "Advice",
    "answers.corrections": "Check",
    "answers.reasons": "Reason",
    "answers.report": "Report",
    "answers.review": "Review",
    "answers.season": "Season",
    "arena.tournament": "play",
    "conversation.session": "Session",
    "errors": "ArgumentError ClueError Contradiction EditionError Impossible "
    "MissingExtra NotationError RecordError SetupError TooLarge",
    "exchange.export": "export_pad",
    "exchange.imports": "import_notes",
    "exchange.merging": "merge",
    "game.game": "Game load",
    "game.games": "Games load_all season",
    "record.clue": "format_record",
    "record.contents": "Entry Record",
    "record.files": "parse_record save",
    "rules.edition": "Card Edition",
    "rules.edition_files": "load_edition shipped_editions",
    "rules.observations": "observations",
    "rules.table": "Slot Table",
}
"""The public names, by module."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOME[name]}")
    found = home if name == "observations" else getattr(home, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
