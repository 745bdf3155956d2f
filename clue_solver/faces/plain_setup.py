"""A new game, set up on lines: a question for each field; a wrong answer is asked for again."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, printable
from clue_solver.faces import setup
from clue_solver.faces.games import last_table
from clue_solver.faces.line_input import LineInput, tell
from clue_solver.record import Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.table import Table

ASK_ORDER = ("players", "viewer", "face_down", "hands", "pieces", "first", "hand")
"""The fields in the order in which they are asked for."""


def ask_record(folder: Path, typed: setup.Typed, lines: LineInput) -> Record:
    """
    Ask for the edition and for each field of a new game; return the record that they begin.

    A person may play at the table of last time. Who plays whom and who begins is asked of a person
    alone: a script has lines for that.

    Args:
        folder: Where the record will be kept: an edition's file in it is named from there.
        typed: What is known already.
        lines: Where the answers come from.
    """
    editions = setup.offered_editions()
    last = None if typed or not lines.asks else _table_again(lines)
    if last is not None:
        edition = last.edition
        typed = setup.fields_at(last)
    elif "edition" in typed:
        edition = setup.edition_called(typed["edition"], editions)
    else:
        edition = _ask_edition(editions, lines)
    if Path(edition.name).is_relative_to(folder.resolve()):
        edition = replace(edition, name=str(Path(edition.name).relative_to(folder.resolve())))
    known = ("players", "viewer", "hands") if last is not None else tuple(typed)
    fields = {field.name: field for field in setup.FIELDS}
    new = setup.NewGame(edition, dict.fromkeys(fields, "") | typed, last)
    for name in ASK_ORDER:
        if name not in known and new.asks(name, person=lines.asks):
            new = _ask(fields[name], new, lines)
    return new.record


def _table_again(lines: LineInput) -> Table | None:
    """Return the table of the last game, if a person wants to play there again."""
    last = last_table()
    if last is None or last.viewer is None:
        return None
    asked = f"Same table as last time: {last.edition.title}; {', '.join(last.seats)}?"
    return last if lines.confirm(asked, default=True) else None


def _ask_edition(editions: Sequence[Edition], lines: LineInput) -> Edition:
    for number, edition in enumerate(editions, 1):
        tell(f"{number:>3}  {setup.edition_line(edition)}", indent=5)
    while True:
        try:
            return _edition_in(lines.ask("Edition, its number or name", setup.USUAL), editions)
        except ClueError as error:
            tell(f"  {error}", indent=2)


def _edition_in(text: str, offered: Sequence[Edition]) -> Edition:
    """Return the offered edition of a number or a year, or the one that a text names."""
    if not (text.isascii() and text.isdigit()):
        return setup.edition_called(text, offered)
    of_year = [edition for edition in offered if edition.name.endswith(f"-{text}")]
    if len(of_year) == 1:  # 2015 for clue-2015
        return of_year[0]
    if not 0 < int(text[:9]) <= len(offered):
        raise NotationError(
            f"expected a number from 1 to {len(offered)}; found '{printable(text)}'"
        )
    return offered[int(text[:9]) - 1]


def _ask(field: setup.Field, new: setup.NewGame, lines: LineInput) -> setup.NewGame:
    """Ask for a field until there can be a game with it; return that."""
    name = field.name
    tell(f"({new.hint(name)})")
    before = new.warnings if name != "players" else ()
    offered = new.typed[name] or (new.guess(name) if name != "players" else "")
    begun = new
    while True:
        text = lines.ask(field.label.rstrip("?"), offered)
        try:
            begun = begun.with_answer(name, text)
        except ClueError as error:
            begun = new
            tell(f"  {error}", indent=2)
            continue
        if begun.missing:
            tell(f"  {begun.missing}: type the rest", indent=2)
            continue
        doubts = setup.doubtful_players(begun.table) if name == "players" and lines.asks else ()
        otherwise = next((each for doubt, each in doubts if not lines.confirm(f"  {doubt}")), None)
        if otherwise is not None:
            tell(f"  {otherwise}", indent=2)
            continue
        for warning in begun.warnings:
            if warning not in before and not (name == "players" and lines.asks):
                tell(f"({warning}; the game is set up anyway)")
        return begun
