"""The links of pages: secrets, which a hidden file beside the game keeps for its owner alone."""

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from clue_solver.record.files import write_whole

_LEAST = 20
"""The least characters of a secret that is kept."""


HELP = ("nothing", "marks", "sheet", "advice")
"""How much help a page gives, each with what those before it give."""


def new_secret() -> str:
    """Return a secret of 128 random bits, as it stands in an address."""
    return token_urlsafe(16)


class Links(Struct, frozen=True):
    """
    The links of one page, and what was said there once and for all.

    Attributes:
        secrets: What its addresses end in; all lead there, and the last one is shown.
        taken: Whether somebody has said that the seat is theirs, so that others see no link.
        coming: A link that replaces the others once it is used; empty if there is none.
        open: Whether the seat's cards lie open, now that the game is over.
        help: How much help the page gives, of `HELP`; empty for what such a page gives at first.
        steps: Whether machines wait for a tap before each thing they do.
    """

    secrets: tuple[str, ...]
    taken: bool = False
    coming: str = ""
    open: bool = False
    help: str = ""
    steps: bool = False

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


def beside(game: Path, ending: str) -> Path:
    """Return a hidden file beside a game's that no list of games has."""
    real = Path(os.path.realpath(game))
    return real.with_name(f".{real.name}.{ending}")


def links_file(game: Path) -> Path:
    """Return the hidden file beside a game that keeps its links."""
    return beside(game, "links")


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


def secrets_of(game: Path) -> tuple[str, ...]:
    """Return all secrets that were kept beside a game, even if another game had that name then."""
    try:
        kept = msgspec.json.decode(links_file(game).read_bytes(), type=_Kept)
    except (OSError, ValueError, msgspec.MsgspecError):
        return ()
    return tuple(secret for links in kept.pages.values() for secret in links.every)


def keep_links(game: Path, mark: str | None, pages: Mapping[str, Links]) -> str:
    """Keep the links beside a game, for its owner alone; return why not, or nothing."""
    content = msgspec.json.encode(_Kept(mark, dict(pages)))
    try:
        write_whole(content, links_file(game), private=True)
    except (OSError, ValueError) as error:
        return (isinstance(error, OSError) and error.strerror) or str(error)
    return ""
