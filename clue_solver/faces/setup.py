"""
A new game: where it is kept when no file is named (one folder of the user's, one file a game, by
date), and its record set up by question and answer. A wrong answer is asked for again, nothing is
lost.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

import click
from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, RecordError
from clue_solver.notation import parse_told
from clue_solver.notation.names import Names
from clue_solver.record import Record, load_record
from clue_solver.rules.edition import Edition, load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import Table
from clue_solver.session import finished, with_hands


def games_folder() -> Path:
    """Return the folder where this system keeps a user's data for this program."""
    from platformdirs import user_data_path

    return user_data_path("clue-solver", appauthor=False) / "games"


def fresh_path(folder: Path, day: date) -> Path:
    """
    Return a path for a new game, named by the day; the folder is made if it is not there.

    Raises:
        RecordError: If the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecordError(f"cannot make the folder of games: {reason}", path=str(folder)) from None
    number = 1
    while True:
        path = folder / f"{day.isoformat()}{f'-{number}' if number > 1 else ''}.clue"
        if not path.exists():
            return path
        number += 1


def last_unfinished(folder: Path) -> Path | None:
    """Return the game that was written to last and has not ended, if there is one."""
    try:
        files = sorted(folder.glob("*.clue"), key=lambda file: -file.stat().st_mtime)
    except OSError:
        return None
    for file in files:
        try:
            if not finished(load_record(file)):
                return file
        except ClueError:
            continue
    return None


Answer = TypeVar("Answer")


def asked_record() -> Record:
    """Ask for edition, players, viewer, hand sizes and own hand; return the record they begin."""
    edition = _asked("Edition", _edition, default="clue-classic", hint=shipped_editions())
    table = _asked("Players, clockwise, with commas between", lambda text: _table(edition, text))
    table = _asked(
        "Whose notes are these (empty for a spectator)",
        lambda text: _with_viewer(table, text),
        default="",
        hint=table.seats,
    )
    even = ", ".join(str(least) if least == most else "?" for least, most in table.size_bounds())
    table = _asked(
        "Cards in each hand, same order (? for unknown)",
        lambda text: with_hands(table, text),
        default=even,
    )
    record = Record(table=table)
    if table.viewer is None:
        return record
    return _asked(
        f"{table.viewer}'s hand (empty to add it later)",
        lambda text: _with_hand(record, text),
        default="",
    )


def _asked(
    question: str,
    read: Callable[[str], Answer],
    *,
    default: str | None = None,
    hint: tuple[str, ...] = (),
) -> Answer:
    """Ask until the answer can be read; what is wrong with one is said before the next try."""
    if hint:
        click.echo(f"({', '.join(hint)})", err=True)
    while True:
        text = click.prompt(question, default=default, show_default=bool(default), err=True)
        try:
            return read(text.strip())
        except ClueError as error:
            click.echo(f"  {error}", err=True)


def _edition(text: str) -> Edition:
    try:
        return load_edition(Names("edition", shipped_editions()).find(text))
    except NotationError as error:
        if error.nearest:
            raise
        return load_edition(text)


def _table(edition: Edition, text: str) -> Table:
    seats = tuple(" ".join(name.split()) for name in text.split(","))
    return Table(edition=edition, seats=seats)


def _with_viewer(table: Table, text: str) -> Table:
    return replace(table, viewer=Names("player", table.seats).find(text) if text else None)


def _with_hand(record: Record, text: str) -> Record:
    viewer = record.table.viewer
    if not text or viewer is None:
        return record
    return record.append(parse_told(Hand, text, record.table, subject=viewer))
