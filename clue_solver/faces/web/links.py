"""
The secret links of the pages of a game, with the settings of each page.

They are saved in a hidden file next to the game, which only its owner can read.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from secrets import token_urlsafe

import msgspec
from msgspec import Struct, field

from clue_solver.record.files import hidden_file, write_hidden

_LEAST = 20
"""The least number of characters of a saved secret; a shorter one is not accepted."""

HELP = ("nothing", "marks", "sheet", "advice")
"""The levels of help that a page can give. Each includes those before it."""


class Link(Struct, frozen=True):
    """
    The link of one page, and the settings of that page.

    Attributes:
        secret: The end of the page's address. By default, 128 new random bits.
        taken: Whether a player has taken the seat, so that others see no link to it.
        once: The mark of the form by which the seat was taken last; empty if it never was.
        told: The lines that the seat has logged itself, which no other seat may take out, and those
            about which it remembers nothing.
        help: The level of help, one of `HELP`; empty for the usual level.
        steps: Whether machines wait for a tap before each action.
    """

    secret: str = field(default_factory=partial(token_urlsafe, 16))
    taken: bool = False
    once: str = ""
    told: frozenset[str] = frozenset()
    help: str = ""
    steps: bool = False


class _LinksFile(Struct, frozen=True):
    """
    The content of a file of links: the mark of the game, and the links by the names of the seats.

    The recorder's link has an empty name.
    """

    game: str | None
    pages: dict[str, Link]


def _load_links(game: Path) -> _LinksFile:
    """Return the saved links next to a game, even if they belong to an older game."""
    try:
        return msgspec.json.decode(hidden_file(game, "links").read_bytes(), type=_LinksFile)
    except (OSError, ValueError, msgspec.MsgspecError):
        return _LinksFile(None, {})


def kept_links(game: Path, mark: str | None) -> dict[str, Link]:
    """
    Return the links that are saved next to a game, by the name of the page.

    The result is empty if they belong to a game with another mark than `mark`.
    """
    kept = _load_links(game)
    whole = all(len(each.secret) >= _LEAST for each in kept.pages.values())
    return kept.pages if whole and kept.game == mark else {}


def secrets_of(game: Path) -> tuple[str, ...]:
    """Return all saved secrets next to a game, even if they belong to an older game."""
    return tuple(link.secret for link in _load_links(game).pages.values())


def keep_links(game: Path, mark: str | None, pages: Mapping[str, Link]) -> str:
    """
    Save the links of the game with the mark `mark` next to its file `game`.

    Returns:
        An error message; empty if all went well.
    """
    content = msgspec.json.encode(_LinksFile(mark, dict(pages)))
    return write_hidden(content, hidden_file(game, "links"))
