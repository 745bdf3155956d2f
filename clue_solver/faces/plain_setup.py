"""A new game, set up on lines: a question for each field; a wrong answer is asked for again."""

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TypeVar

import click
from click import termui
from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, printable
from clue_solver.faces.games import last_table
from clue_solver.faces.setup import (
    FIELDS,
    USUAL,
    Field,
    Typed,
    beyond_limits,
    cards_in,
    cards_lacking,
    doubtful_players,
    edition_called,
    edition_line,
    filled_in,
    not_nearest,
    offered_editions,
    offered_in,
    record_of,
    table_of,
)
from clue_solver.record import Record, header
from clue_solver.rules.edition import Edition
from clue_solver.rules.table import Table

ORDER = ("players", "viewer", "face_down", "hands", "pieces", "first", "hand")
"""The fields in the order in which they are asked for."""

Answer = TypeVar("Answer")


def asked_record(folder: Path, typed: Typed) -> Record:
    """
    Ask for the edition and for each field of a new game; return the record that they begin.

    A person may play at the table of last time. Who plays whom and who begins is asked of a person
    alone: a script has lines for that.

    Args:
        folder: Where the record will be kept: an edition's file in it is named from there.
        typed: What is known already.
    """
    editions = offered_editions()
    last = None if typed or not sys.stdin.isatty() else _table_again()
    fields = dict.fromkeys((field.name for field in FIELDS), "") | typed
    if last is not None:
        edition = last.edition
        fields |= filled_in(last)
    elif "edition" in typed:
        edition = edition_called(typed["edition"], editions)
    else:
        edition = _asked_edition(editions)
    if Path(edition.name).is_relative_to(folder.resolve()):
        edition = replace(edition, name=str(Path(edition.name).relative_to(folder.resolve())))
    known = ("players", "viewer", "hands") if last is not None else tuple(typed)
    for field in sorted(FIELDS, key=lambda field: _place(field.name)):
        if field.name in ORDER and field.name not in known:
            _ask(field, fields, edition, last)
    return record_of(fields, edition, last)


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _table_again() -> Table | None:
    """Return the table of the last game, if a person wants to play there again."""
    last = last_table()
    if last is None or last.viewer is None:
        return None
    asked = f"Same table as last time: {last.edition.title}; {', '.join(last.seats)}?"
    return last if click.confirm(wrapped(asked), default=True, err=True) else None


def _asked_edition(editions: Sequence[Edition]) -> Edition:
    for number, edition in enumerate(editions, 1):
        tell(f"{number:>3}  {edition_line(edition)}", indent=5)
    question = "Edition, its number or name"
    return _answer_to(question, lambda text: _numbered(text, editions), default=USUAL)


def _numbered(text: str, offered: Sequence[Edition]) -> Edition:
    """Return the offered edition of a number, or the one that a text names."""
    if not (text.isascii() and text.isdigit()):
        return edition_called(text, offered)
    of_year = [edition for edition in offered if edition.name.endswith(f"-{text}")]
    if len(of_year) == 1:  # 2015 for clue-2015
        return of_year[0]
    if not 0 < int(text[:9]) <= len(offered):
        raise NotationError(
            f"expected a number from 1 to {len(offered)}; found '{printable(text)}'"
        )
    return offered[int(text[:9]) - 1]


def _ask(field: Field, fields: Typed, edition: Edition, last: Table | None) -> None:
    """Ask for one field until there can be a record with it, and keep it as it was typed."""
    name = field.name
    table = None if name == "players" else table_of(fields, edition, last)
    if table is not None and not _asked_for(name, table):
        return
    offered = offered_in(name, fields, table)
    begun: tuple[str, ...] = ()

    def read(text: str) -> Record:
        nonlocal begun
        said = "" if text == "-" and name == "face_down" else text or offered
        if name == "hand" and table is not None and (held := cards_in(text, table)):
            begun = tuple(dict.fromkeys((*begun, *held)))
            sized = header.with_key(table, "hands", fields["hands"])
            if lacking := cards_lacking(len(begun), sized):
                raise NotationError(f"so far: {', '.join(begun)}; {lacking}: type the rest")
            said = ", ".join(begun)
        try:
            record = record_of(fields | {name: said}, edition, last)
        except ClueError:
            begun = ()
            raise
        for doubt, otherwise in doubtful_players(record.table) if name == "players" else ():
            if sys.stdin.isatty() and not click.confirm(f"  {doubt}", err=True):
                raise NotationError(otherwise)
        fields[name] = said
        return record

    for remark in _remarks(field, table, edition):
        tell(f"({remark})")
    record = _answer_to(field.label.rstrip("?"), read, default=offered)
    warning = {"players": beyond_limits, "pieces": not_nearest}.get(name, lambda _: "")
    if (said := warning(record.table)) and not (name == "players" and sys.stdin.isatty()):
        tell(f"({said}; the game is set up anyway)")


def _asked_for(name: str, table: Table) -> bool:
    """Return whether a field is asked for at a table."""
    person = sys.stdin.isatty()
    match name:
        case "face_down":
            return table.edition.undealt(len(table.seats)) > 0
        case "pieces":
            return person and table.edition.board is not None
        case "first":
            return person and replace(table, first=None).begins is None
        case "hand":
            return table.viewer is not None
    return True


def _remarks(field: Field, table: Table | None, edition: Edition) -> Iterator[str]:
    """Yield what helps to fill in a field."""
    low, high = edition.players
    yield field.hint if table is not None else f"{low} to {high}. {field.hint}"
    if field.name == "hands" and table is not None:
        least, extra = divmod(table.dealt, len(table.seats))
        if extra:
            have = "1 player has" if extra == 1 else f"{extra} players have"
            yield f"{have} {least + 1} cards, the others {least}"


def _answer_to(question: str, read: Callable[[str], Answer], *, default: str) -> Answer:
    """Ask until the answer can be read; what is wrong with one is said before the next try."""
    shown = wrapped(f"{question} [{default}]: " if default else f"{question}: ")
    while True:
        text = click.prompt(shown, default=default, show_default=False, prompt_suffix="", err=True)
        try:
            return read(text.strip())
        except ClueError as error:
            tell(f"  {error}", indent=2)


def leave_what_follows() -> None:
    """Read only the answers from a pipe; the lines behind them are the game."""
    with suppress(io.UnsupportedOperation):  # a stream of text alone has nothing behind it
        if not sys.stdin.isatty():
            file = sys.stdin.fileno()
            termui.visible_prompt_func = lambda _: _line_of(file)


def _line_of(file: int) -> str:
    line = b""
    while not line.endswith(b"\n"):
        if not (byte := os.read(file, 1)):
            break
        line += byte
    if not line:
        raise EOFError
    return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r\n")


def wrapped(text: str, *, indent: int = 0, margin: int = 1) -> str:
    """
    Return a text with its lines broken between words where a terminal shows it.

    Args:
        text: The text; spaces at its ends stay.
        indent: How far lines after the first begin.
        margin: How many columns to leave free.
    """
    if not sys.stderr.isatty():
        return text
    lines = wrap(
        text,
        get_terminal_size().columns - margin,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + (" " if text.endswith(" ") else "")


def tell(text: str, *, indent: int = 0) -> None:
    """Say something to the person who is asked, words whole; later lines are indented."""
    click.echo(wrapped(text, indent=indent), err=True)
