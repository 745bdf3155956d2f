"""
A table as it begins: a game that is gone on with, or one that is set up on its page.

The program may deal it, to people and machines in the chairs that the page names; else it is logged
by whoever plays with the box.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import randbelow
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.arena.chairs import MACHINES, PERSON, free_names
from clue_solver.errors import ArgumentError, ClueError, EditionError
from clue_solver.faces import games, setup
from clue_solver.faces.games import game_file
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.pages import Viewing, filled
from clue_solver.faces.web.said import Query, Said, one
from clue_solver.faces.web.tables import ServedTable
from clue_solver.record.files import content_of, edition_from, may_be_kept, write_whole
from clue_solver.rules.edition import SEATS, Edition, load_edition, parse_edition
from clue_solver.rules.pasted import counted_back, pasted_deck
from clue_solver.rules.table import Table

_FIRST = ("players", "viewer", "hands")
"""What is asked of every table; what few have is folded."""

_OWN = "own"
"""What the form calls a deck whose names are pasted."""

_LISTS = ("suspects", "weapons", "rooms")
_CHAIRS = range(1, SEATS[1] + 1)
_FIELDS = (
    *("edition", "deals", "board", "title", "counted", "meant", *_LISTS),
    *(name for name, _, _ in setup.FIELDS),
    *(f"{name}-{chair}" for chair in _CHAIRS for name in ("name", "plays")),
)
"""What the form has; a chair's `plays` is a machine, or empty for a page of one's own."""

_USUAL = {"plays-2": "hard", "plays-3": "easy"}
"""Who plays, besides a person, where nobody has played before."""


class Seating(NamedTuple):
    """A chair to be taken: its number, who sits there, who plays, and its name if left empty."""

    number: int
    name: str
    plays: str
    otherwise: str


def opened(path: Path | None, fresh: LoggedTable) -> ServedTable:
    """
    Return the table of the game in a file, dealt or logged, or one that is not set up yet.

    Args:
        path: The file; one that is not there is set up.
        fresh: The table for a game that the program has not dealt.

    Raises:
        RecordError: If the game is open elsewhere or cannot be read.
    """
    if path is None:
        return fresh
    if game_file(path).exists():
        return DealtTable.resume(path)
    may_be_kept(path)
    if path.exists():
        fresh.open_file(path)
    return fresh


def typed_in(table: LoggedTable, said: Said) -> setup.Typed:
    """Return what the fields hold once a form is sent; those that it has not hold what they did."""
    sent = {name: ", ".join(filter(None, said[name])) for name in _FIELDS if name in said}
    return _typed(table, games.last_table(table.folder)) | sent


def _typed(table: LoggedTable, last: Table | None) -> setup.Typed:
    """Return what the fields hold; at first what they did when one played last."""
    typed = dict.fromkeys(_FIELDS, "")
    if table.typed:
        return typed | table.typed
    if last is not None:
        typed |= {"edition": last.edition.name, **setup.filled_in(last), "hands": ""}
    players = _last_players(table.folder) or _USUAL
    return typed | {"board": "on", **players, **table.given}


def begun(table: LoggedTable, typed: setup.Typed) -> ServedTable | None:
    """
    Begin the game that a form sets up; nothing is written if there can be none.

    Returns:
        The table at which it is played; `None` where a deck is to be counted back first, or
        players are doubtful: what is asked about them is `meant` then.

    Raises:
        ClueError: If there can be no such game.
    """
    path = table.keep()
    edition, content = _edition(typed, path)
    if content and typed["counted"] != counted_back(edition):
        return None
    if typed["deals"] and path is not None:
        return _dealt(table, typed, edition, content, path)
    if path is not None:
        edition = edition_from(edition, path.parent)
    told = typed | {"viewer": "-", "hand": ""} if table.public else typed
    last = games.last_table(table.folder)
    record = setup.record_of(told, edition, last)
    asked = " ".join(asked for asked, _ in setup.doubtful_players(record.table))
    same = last is not None and last.seats == record.table.seats
    if asked != typed["meant"] and not same:
        typed["meant"] = asked
        return None
    _keep(edition, content, path)
    table.begin(record)
    return table


def _dealt(
    table: LoggedTable, typed: setup.Typed, edition: Edition, content: str, path: Path
) -> ServedTable:
    """Deal the game that a form sets up."""
    chairs = [*_chairs(typed)]
    players = {each.name: each.plays if each.plays in MACHINES else PERSON for each in chairs}
    names = [each.name for each in chairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ArgumentError(f"{twice} is there twice: give one of them another name")
    if PERSON not in players.values():
        raise ArgumentError("say what you are called, in the first line")
    if table.alone and [*players.values()].count(PERSON) > 1:
        raise ArgumentError("one phone has one player: let machines play the others")
    low, high = edition.players
    if len(players) < low:
        raise ArgumentError(f"{edition.title} is for {low} to {high}: add somebody, or a machine")
    Table(edition=edition, seats=tuple(players))  # it refuses names that cannot be
    _keep(edition, content, path)
    dealt = DealtTable.deal(
        edition,
        players,
        path,
        seed=randbelow(1 << 32),
        board=bool(typed["board"]),
        recorder=table.recorder,
    )
    dealt.alone = table.alone
    return dealt


def _edition(typed: setup.Typed, path: Path | None) -> tuple[Edition, str]:
    """Return the edition that is chosen, and the text of its file where that is new."""
    if typed["edition"] != _OWN:
        return load_edition(typed["edition"]), ""
    title = " ".join(typed["title"].split()) or "Our deck"
    content = pasted_deck(title, *(typed[name] for name in _LISTS))
    name = re.sub(r"[^\w-]+", "-", title.casefold()).strip("-")[:40] or "deck"
    file = Path(f"{name}.toml")
    file = file if path is None else games.free_path(path.with_name(file.name))
    return parse_edition(content, name=str(file)), content


def _keep(edition: Edition, content: str, path: Path | None) -> None:
    """Write the file of a new deck beside the game."""
    if not content or path is None:
        return
    file = path.with_name(Path(edition.name).name)
    try:
        write_whole(content.encode(), file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EditionError(f"cannot write the deck: {reason}", path=str(file)) from None


def _chairs(typed: setup.Typed) -> Iterator[Seating]:
    """Yield the chairs that somebody takes; a machine without a name gets one."""
    for each in _seats(typed, _CHAIRS):
        if name := each.name or each.otherwise:
            yield each._replace(name=name)


def _seats(typed: setup.Typed, chairs: Sequence[int]) -> Iterator[Seating]:
    """Yield all chairs, each with who sits there."""
    names = {chair: " ".join(typed[f"name-{chair}"].split()) for chair in chairs}
    free, given = [*free_names(names.values())], set[str]()
    for chair, name in names.items():
        plays, otherwise = typed[f"plays-{chair}"], ""
        if not name and plays in MACHINES:  # its own, whoever sits in the chairs before it
            offered = (*free[chair - 2 :], *free)
            otherwise = next(each for each in offered if each not in given)
            given.add(otherwise)
        yield Seating(chair, name, plays, otherwise)


def _last_players(folder: Path | None) -> setup.Typed:
    """Return who played in the game that the program dealt last, as the form has it."""
    for path in games.games_by_time(folder or games.games_folder()):
        with suppress(ClueError, ValueError, KeyError, AttributeError):
            players: dict[str, str] = json.loads(content_of(game_file(path)))["players"]
            chairs = zip(_CHAIRS, players.items(), strict=False)
            return {
                f"{field}-{chair}": value
                for chair, pair in chairs
                for field, value in zip(("name", "plays"), pair, strict=True)
            }
    return {}


def setup_page(shown: Viewing, query: Query) -> str:
    """
    Return the page on which a new game is set up.

    Args:
        shown: What is served.
        query: What the address says: what is `wrong`, or that it is `unsure` whether a deck is.
    """
    table = shown.table
    assert isinstance(table, LoggedTable)
    folder = table.folder
    beside = () if folder is None else (Path(), folder)
    editions = {edition.name: edition for edition in setup.offered_editions(*beside)}
    last = games.last_table(folder)
    if last is not None:
        editions.setdefault(last.edition.name, last.edition)
    typed = _typed(table, last)
    own = typed["edition"] == _OWN
    chosen, told, mistake = editions.get(typed["edition"], editions[setup.USUAL]), "", ""
    if own:
        try:
            chosen, _ = _edition(typed, None)
            told = counted_back(chosen)
        except ClueError as error:
            chosen = replace(chosen, category=(), board=None)
            mistake = str(error) if any(typed[name].strip() for name in _LISTS) else ""
    held = {card.strip() for card in typed["hand"].split(",")}
    chairs = range(1, chosen.players[1] + 1) if typed["deals"] else ()
    apart = {"hand", "viewer"} if table.public else {"hand"}
    apart |= {"pieces"} if chosen.board is None else set()
    fields = [field for field in setup.FIELDS if field[0] not in apart]
    more = [field for field in fields if field[0] not in _FIRST]
    return filled(
        "setup",
        shown,
        title="A new game",
        editions=list(editions.values()),
        chosen=chosen,
        own=own,
        told=told,
        mistake=mistake,
        unsure="unsure" in query,
        asked=typed["meant"],
        fields=[field for field in fields if field[0] in _FIRST],
        more=more,
        unfolded=any(typed[name] for name, _, _ in more),
        typed=typed,
        held=held,
        wrong=one(query, "wrong"),
        stem=lambda name: Path(name).stem,
        chairs=tuple(_seats(typed, chairs)),
        machines=MACHINES,
    )
