"""The page on which a new game is set up."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from clue_solver.errors import ClueError
from clue_solver.faces import setup
from clue_solver.faces.web.pages import Viewing, filled
from clue_solver.rules.edition import Edition

_FIRST = ("players", "viewer", "hands")
"""What is asked of every table; what few have is folded."""


def setup_page(shown: Viewing, typed: Mapping[str, str], wrong: str) -> str:
    """Return the page on which a new game is set up, filled in as it was sent."""
    folder = shown.table.folder
    beside = () if folder is None else (Path(), folder)
    editions = {edition.name: edition for edition in setup.offered_editions(*beside)}
    last = setup.last_table(folder)
    if not typed and last is not None:
        editions.setdefault(last.edition.name, last.edition)
        typed = {"edition": last.edition.name, **setup.filled_in(last), "hands": ""}
    typed = dict.fromkeys((name for name, _, _ in setup.FIELDS), "") | dict(typed)
    chosen: Edition = editions.get(typed.get("edition", ""), editions[setup.USUAL])
    held = {card.strip() for card in typed.get("hand", "").split(",")}
    offered = shown.table.offered
    line = ""
    if offered is not None:
        with suppress(ClueError):
            line = setup.game_line(offered)
    apart = {"hand", "viewer"} if shown.table.public else {"hand"}
    apart |= {"pieces"} if chosen.board is None else set()
    fields = [field for field in setup.FIELDS if field[0] not in apart]
    more = [field for field in fields if field[0] not in _FIRST]
    return filled(
        "setup",
        shown,
        title="A new game",
        editions=list(editions.values()),
        chosen=chosen,
        fields=[field for field in fields if field[0] in _FIRST],
        more=more,
        unfolded=any(typed[name] for name, _, _ in more),
        typed=typed,
        held=held,
        wrong=wrong,
        offered=line,
        edition_line=setup.edition_line,
        stem=lambda name: Path(name).stem,
    )
