"""How a game is left: in its file, else where it can be written, else printed; never in silence."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir

import click

from clue_solver import system
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError
from clue_solver.faces.games import free_path, games_folder
from clue_solver.record import Record, format_record, save
from clue_solver.record.files import RecordFile, placed, write_whole
from clue_solver.rules.table import Table
from clue_solver.views.sentences import outside_text

UNSAVED = 4
"""Exit status: a game could not be written to its file."""

LINKED = "this file has another name as well (a hard link); what is written here does not reach it"

Say = Callable[[str], object]


def warnings_of(table: Table, keeper: RecordFile | None) -> Iterator[str]:
    """Yield what to warn of as a game from a file is opened."""
    if keeper is not None and keeper.linked:
        yield LINKED
    if beyond := table.beyond_limits:
        yield beyond


def in_file(*sessions: Session | None) -> str:
    """Return whether all of some games is in their files, in words."""
    for session in sessions:
        if session is not None and session.trouble:
            return f"not everything is in the file: {session.trouble}"
    return "every entry is in the file already"


def say(text: str) -> None:
    """Say something on standard error, if anybody can be told."""
    with suppress(OSError, ValueError):
        click.echo(text, err=True)


@contextmanager
def leaving(leave_all: Callable[[], bool]) -> Iterator[None]:
    """
    Leave games at the end of a block, however it ends; what tells the program to end breaks it off.

    Args:
        leave_all: Leaves the games, and returns whether all are in their files.

    Raises:
        SystemExit: With `UNSAVED` after a block that ended by itself and left one elsewhere.
    """
    with system.on_ending(system.end):
        try:
            yield
        finally:
            with system.on_ending(lambda *_: None):  # it ends as soon as the games are safe
                saved = leave_all()
    if not saved:
        raise SystemExit(UNSAVED)


def leave(
    session: Session, *, called: str = "the game", brief: bool = False, say: Say = say
) -> bool:
    """
    Let go of a game, and say where it is.

    Where its file cannot be written, a copy goes to the user's games, or to a temporary folder;
    where nothing can be written at all it is printed.

    Args:
        session: The game; nothing is said of one that is kept in no file.
        called: What to call it.
        brief: Whether nothing is said of a game that is in its own file.
        say: Says it.

    Returns:
        Whether the game is in its own file.
    """
    keeper = session.keeper
    if keeper is None:
        return True
    try:
        saved = session.save()
        if session.outside:
            say(f"! {outside_text(session.outside)}")
        if saved:
            if not brief:
                say(f"{called} is in {keeper.path}")
            return True
        trouble = keeper.trouble or RecordError("cannot be read again", path=str(keeper.path))
        record, folder = session.record, keeper.path.parent
        copy = copied(keeper, lambda path: save(placed(record, folder, path.parent), path))
        if copy is not None:
            say(f"{trouble}; {called} is in {copy} instead")
        else:
            say(f"{trouble}, nor anywhere else; this is {called}:")
            _print(record)
        return False
    finally:
        session.close()


def keep_typed(lines: Iterable[str], keeper: RecordFile | None) -> bool:
    """Keep lines that were typed and not taken beside the game; return whether they are."""
    if keeper is None:
        return False
    try:
        text = "".join(f"{line}\n" for line in lines)
        write_whole(text.encode("utf-8", "replace"), _typed_beside(keeper), private=True)
    except (OSError, ValueError):
        return False
    return True


def kept_typed(keeper: RecordFile | None) -> tuple[str, ...]:
    """Return the lines that were kept when the game was left; they are kept no longer."""
    with suppress(OSError, ValueError):
        if keeper is not None:
            file = _typed_beside(keeper)
            lines = file.read_text("utf-8").splitlines()
            file.unlink()
            return tuple(lines)
    return ()


def _typed_beside(keeper: RecordFile) -> Path:
    return keeper.path.parent / f".{keeper.path.name}.typed"


def copied(keeper: RecordFile, write: Callable[[Path], object]) -> Path | None:
    """
    Write a copy to the user's games, else to a temporary folder.

    Returns:
        Its path; `None` if it cannot be written anywhere.
    """
    for folder in (games_folder, lambda: Path(gettempdir())):
        with suppress(ClueError, OSError):
            path = free_path(folder() / keeper.path.name)
            write(path)
            return path
    return None


def _print(record: Record) -> None:
    """Print a record on whichever standard stream is still there."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.write(format_record(record))
            stream.flush()
            return
