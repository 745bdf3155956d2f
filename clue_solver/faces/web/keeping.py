"""
What a table keeps beside its game: each seat's own file, and the links that lead to its pages.

A file belongs to the game whose mark it bears, and to the eyes that its header names, never to a
name alone: last week's hand is not taken into a new game, and nothing of another game is written
over.
"""

import os
import re
from collections.abc import Container, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from secrets import token_urlsafe

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from clue_solver.errors import ClueError
from clue_solver.faces.games import new_mark
from clue_solver.record import Record, load_record
from clue_solver.record.files import write_whole
from clue_solver.rules.table import Table

TABLE = "table"
"""What the file of the public log is called, where it is not the game's own."""

_LONGEST, _LEAST = 40, 20
"""The most characters of a seat in a file's name, and the least of a secret."""


def marked(record: Record) -> Record:
    """Return a record that bears the mark of its game; a new one where it bears none."""
    if record.table.game is not None:
        return record
    return replace(record, table=replace(record.table, game=new_mark()))


def beside(base: Path, table: Table, name: str = "", taken: Container[Path] = ()) -> Path:
    """
    Return the path of the file beside a game's that has the notes of a table's viewer.

    Args:
        base: The game's file.
        table: Whose notes, of which game.
        name: What the file is called; the viewer's name if left out.
        taken: Paths that others have.

    Returns:
        The file that bears the game's mark and the viewer's name; else a path that is free.
    """
    stem = name or re.sub(r"[^\w-]+", "_", table.viewer or "")[:_LONGEST]
    start, ending = f"{base.stem}-{stem}", base.suffix or ".clue"
    called = re.compile(rf"{re.escape(start)}(-\d+)?{re.escape(ending)}", re.IGNORECASE)
    with suppress(OSError):
        for path in sorted(base.parent.iterdir()):
            if called.fullmatch(path.name) and path not in taken and _belongs(path, table):
                return path
    for number in count(1):
        path = base.with_name(f"{start}{f'-{number}' if number > 1 else ''}{ending}")
        if path not in taken and not os.path.lexists(path):
            return path
    raise AssertionError


def _belongs(path: Path, table: Table) -> bool:
    """Whether a file has the notes of a table's viewer, of that very game."""
    with suppress(ClueError):
        found = load_record(path).table
        return found.game == table.game is not None and found.viewer == table.viewer
    return False


def new_secret() -> str:
    """Return a secret of 128 random bits, as it stands in an address."""
    return token_urlsafe(16)


class Links(Struct, frozen=True):
    """
    The links of one page.

    Attributes:
        secrets: What its addresses end in; all lead there, and the last one is shown.
        taken: Whether somebody has told something there, so that the link is shown no more.
        coming: A link that replaces the others once it is opened; empty if there is none.
    """

    secrets: tuple[str, ...]
    taken: bool = False
    coming: str = ""

    @classmethod
    def new(cls) -> "Links":
        """Return one link, as a secret that nobody knows yet."""
        return cls((new_secret(),))

    def renewed(self) -> "Links":
        """Return the links once the coming one has taken the place of the others."""
        return replace(self, secrets=(self.coming,), coming="")

    @property
    def ends(self) -> str:
        """What a form says that ends the link that is shown; it leads nowhere."""
        return sha256(self.secrets[-1].encode()).hexdigest()[:8]

    @property
    def every(self) -> tuple[str, ...]:
        """All that lead there."""
        return (*self.secrets, self.coming) if self.coming else self.secrets


class _Kept(Struct, frozen=True):
    """What stands in the file of a table's links; the recorder's have an empty name."""

    game: str | None
    pages: dict[str, Links]


def links_file(game: Path) -> Path:
    """Return the hidden file beside a game that keeps its links."""
    real = Path(os.path.realpath(game))
    return real.with_name(f".{real.name}.links")


def kept_links(game: Path, mark: str | None) -> dict[str, Links]:
    """Return the links that were kept beside a game, by the pages' names; none of another game."""
    try:
        kept = msgspec.json.decode(links_file(game).read_bytes(), type=_Kept)
    except (OSError, ValueError, msgspec.MsgspecError):
        return {}
    if kept.game != mark:
        return {}
    whole = all(len(each) >= _LEAST for links in kept.pages.values() for each in links.secrets)
    return kept.pages if whole and all(links.secrets for links in kept.pages.values()) else {}


def keep_links(game: Path, mark: str | None, pages: Mapping[str, Links]) -> str:
    """Keep the links beside a game, for its owner alone; return why not, or nothing."""
    content = msgspec.json.encode(_Kept(mark, dict(pages)))
    try:
        write_whole(content, links_file(game), private=True)
    except (OSError, ValueError) as error:
        return (isinstance(error, OSError) and error.strerror) or str(error)
    return ""
