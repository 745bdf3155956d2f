"""
A new game: where it is kept when no file is named (one folder of the user's, one file a game, by
date), and its record set up by question and answer. A wrong answer is asked for again, nothing is
lost.
"""

from collections.abc import Callable
from datetime import date
from itertools import chain, count
from pathlib import Path
from typing import TypeVar

import click
from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, RecordError
from clue_solver.exchange.layout import with_hand
from clue_solver.notation.names import Names
from clue_solver.record import Record, load_record
from clue_solver.rules.edition import Edition, load_edition, shipped_editions
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
    dated = (folder / f"{day.isoformat()}-{number}.clue" for number in count(2))
    paths = chain([folder / f"{day.isoformat()}.clue"], dated)
    return next(path for path in paths if not path.exists())


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
    table = _asked(
        "Players, clockwise, with commas between",
        lambda text: Table(edition=edition, seats=listed(text)),
    )
    table = _asked(
        "Whose notes are these (empty for a spectator)",
        lambda text: _with_viewer(table, text),
        default="",
        hint=table.seats,
    )
    table = _asked(
        "Cards in each hand, same order (? for unknown)",
        lambda text: with_hands(table, text),
        default=sizes_of(table),
    )
    record = Record(table=table)
    if table.viewer is None:
        return record
    return _asked(
        f"{table.viewer}'s hand (empty to add it later)",
        lambda text: with_hand(record, text),
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


def _with_viewer(table: Table, text: str) -> Table:
    return replace(table, viewer=Names("player", table.seats).find(text) if text else None)


def listed(text: str) -> tuple[str, ...]:
    """Return the names in a text, commas between them, with one space between their words."""
    return tuple(" ".join(name.split()) for name in text.split(","))


def sizes_of(table: Table) -> str:
    """Return the hand sizes as they are filled in: numbers, `?` where the cards do not divide."""
    return ", ".join(str(low) if low == most else "?" for low, most in table.size_bounds())
