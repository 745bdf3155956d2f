"""
Closes games.

Each is saved in its file. If that fails, a copy is saved elsewhere; if that fails too, the game is
printed.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import TextIO

import click

from clue_solver import system
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError
from clue_solver.faces.games import free_path, games_folder
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import RecordFile, hidden_file, relocated, save, write_hidden
from clue_solver.views.sentences import outside_text

UNSAVED = 4
"""The exit status if a game could not be written to its file."""

LINKED = "this file has another name as well (a hard link); what is written here does not reach it"

_TYPED = "typed"
"""The ending of the hidden file for lines that were typed but not logged."""

Say = Callable[[str], object]


def warnings_of(session: Session) -> Iterator[str]:
    """Yield the warnings to show when a game is opened."""
    if session.keeper is not None and session.keeper.linked:
        yield LINKED
    if beyond := session.record.table.beyond_limits:
        yield beyond


def saved_text(*sessions: Session | None) -> str:
    """Return a sentence that says whether all these games are completely saved."""
    for session in sessions:
        if session is not None and session.trouble:
            return f"not everything is saved: {session.trouble}"
    return "every entry is already saved"


def say(text: str, file: TextIO | None = None) -> None:
    """Print a message on a stream, if that is possible; `None` for standard error."""
    with suppress(OSError, ValueError):
        click.echo(text, file, err=True)


@contextmanager
def closing(close_all: Callable[[], bool]) -> Iterator[None]:
    """
    Close games at the end of a `with` block, however the block ends.

    A signal to end the program ends the block, too.

    Args:
        close_all: Closes the games; returns whether all are saved in their files.

    Raises:
        SystemExit: With `UNSAVED`, if the block ended normally but a game is not in its file.
    """
    with system.on_ending(system.end):
        try:
            yield
        finally:
            with system.on_ending(lambda *_: None):  # it ends once the games are saved
                saved = close_all()
    if not saved:
        raise SystemExit(UNSAVED)


def close_session(session: Session, *, called: str = "the game", say: Say = say) -> bool:
    """
    Close a game, and say where it is saved.

    If its file cannot be written, a copy goes to the folder of the user's games, or to a temporary
    folder; if that fails too, the game is printed.

    Args:
        session: The game. If it has no file, nothing is said.
        called: What to call the game in messages.
        say: Prints a message.

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
            say(f"{called} is in {keeper.path}")
            return True
        trouble = keeper.trouble or RecordError("can no longer be read", path=str(keeper.path))
        record, folder = session.record, keeper.path.parent
        copy = write_copy(keeper, lambda path: save(relocated(record, folder, path.parent), path))
        if copy is not None:
            say(f"{trouble}; {called} is in {copy} instead")
        else:
            say(f"{trouble}; saving it elsewhere failed too. This is {called}:")
            _print(record)
        return False
    finally:
        session.close()


def keep_lines(lines: Iterable[str], keeper: RecordFile | None) -> bool:
    """
    Save lines that were typed but not logged, in a hidden file beside the game.

    Args:
        lines: The lines.
        keeper: The file of the game; `None` if it has none, so that nothing can be saved.

    Returns:
        Whether that worked.
    """
    if keeper is None:
        return False
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
    return not write_hidden(text, hidden_file(keeper.path, _TYPED))


def take_kept_lines(keeper: RecordFile | None) -> tuple[str, ...]:
    """
    Return the lines that `keep_lines` saved beside a game, and delete their file.

    Empty if there are none. `keeper` is the file of the game; `None` if it has none.
    """
    with suppress(OSError, ValueError):
        if keeper is not None:
            file = hidden_file(keeper.path, _TYPED)
            lines = file.read_text("utf-8").splitlines()
            file.unlink()
            return tuple(lines)
    return ()


def write_copy(keeper: RecordFile, write: Callable[[Path], object]) -> Path | None:
    """
    Write a copy of a game to the folder of the user's games, or else to a temporary folder.

    Args:
        keeper: The file of the game, which gives the copy its name.
        write: Writes the copy to a path.

    Returns:
        The path of the copy; `None` if it cannot be written anywhere.
    """
    for folder in (games_folder, lambda: Path(gettempdir())):
        with suppress(ClueError, OSError):
            path = free_path(folder() / keeper.path.name)
            write(path)
            return path
    return None


def _print(record: Record) -> None:
    """Print a record on standard output, or on standard error if that is closed."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.write(format_record(record))
            stream.flush()
            return
