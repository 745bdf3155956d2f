"""How a game is left: in its file, else where it can be written, else printed; never in silence."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import gettempdir

import click

from clue_solver import system
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError, printable
from clue_solver.faces.games import free_path, games_folder
from clue_solver.faces.setup import beyond_limits
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
    if beyond := beyond_limits(table):
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
def leaving(leave_all: Callable[[bool], bool]) -> Iterator[None]:
    """
    Leave games at the end of a block, however it ends; what tells the program to end breaks it off.

    Args:
        leave_all: Leaves the games, and returns whether all are in their files; it is told whether
            somebody may be asked, which nobody is who broke the block off.

    Raises:
        SystemExit: With `UNSAVED` after a block that ended by itself and left one elsewhere.
    """
    whole = False
    with system.on_ending(system.end):
        try:
            yield
            whole = True
        finally:
            saved = leave_all(whole and sys.stdin.isatty() and sys.stderr.isatty())
    if not saved:
        raise SystemExit(UNSAVED)


def leave(
    session: Session,
    *,
    ask: bool,
    called: str = "the game",
    brief: bool = False,
    say: Say = say,
) -> bool:
    """
    Let go of a game, and say where it is.

    Where its file cannot be written, a person says where instead; else a copy goes to the user's
    games, or to a temporary folder; where nothing can be written at all it is printed.

    Args:
        session: The game; nothing is said of one that is kept in no file.
        ask: Whether a person is there to be asked.
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
        trouble = str(keeper.trouble or RecordError("cannot be read again", path=str(keeper.path)))
        copy = None
        if ask:
            with suppress(click.Abort, SystemExit, OSError):  # gone, or told to end
                copy = _asked(session.record, keeper, trouble, called)
        with system.on_ending(lambda *_: None):  # it ends as soon as the game is safe
            copy = copy or copied(keeper, partial(_write, session.record, keeper))
            if copy is not None:
                say(f"{trouble}; {called} is in {copy} instead")
            else:
                say(f"{trouble}, nor anywhere else; this is {called}:")
                _print(session.record)
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


def places(keeper: RecordFile) -> Iterator[Path]:
    """Yield where else a game may be written."""
    for folder in (games_folder, lambda: Path(gettempdir())):
        with suppress(ClueError, OSError):
            yield free_path(folder() / keeper.path.name)


def _write(record: Record, keeper: RecordFile, path: Path) -> None:
    """Write a game to another file; raises as `save`."""
    save(placed(record, keeper.path.parent, path.parent), path)


def copied(keeper: RecordFile, write: Callable[[Path], object]) -> Path | None:
    """Write a copy where it can be, and return its path; `None` if nowhere."""
    for path in places(keeper):
        with suppress(ClueError, OSError):
            write(path)
            return path
    return None


def _asked(record: Record, keeper: RecordFile, trouble: str, called: str) -> Path | None:
    """Ask where to write a game, until it is written; `None` once nothing is left to offer."""
    for offered in places(keeper):
        path = None
        while path != offered:
            question = f"{trouble}; to which other file shall {called} be written?"
            typed = click.prompt(question, default=str(offered), err=True)
            path = Path(typed.strip()).expanduser()
            if path.is_dir():
                path = path / keeper.path.name
            try:
                if path.exists():
                    raise RecordError("this file exists already", path=str(path))
                _write(record, keeper, path)
                return path
            except (ClueError, OSError, ValueError) as error:
                trouble = printable(str(error), most=300)
    return None


def _print(record: Record) -> None:
    """Print a record on whichever standard stream is still there."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.write(format_record(record))
            stream.flush()
            return
