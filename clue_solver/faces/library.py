"""
Where games are kept when no file is named: one folder of the user's, one file a game, by date.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from clue_solver.errors import ClueError, RecordError
from clue_solver.record import load_record
from clue_solver.session import finished


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
