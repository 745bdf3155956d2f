"""
Opens the table of a saved game, or sets up a new game on its page.

The program may deal the new game to people and machines. Otherwise, people play it with the box and
log it by hand.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.arena.chairs import MACHINES, PERSON, free_names, machines
from clue_solver.errors import ArgumentError, ClueError, EditionError, printable, system_reason
from clue_solver.faces import games, setup
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.games import game_file
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.pages import PageContext, fill_template
from clue_solver.faces.web.panel import Form
from clue_solver.faces.web.tables import ServedTable
from clue_solver.notation.names import seats_in
from clue_solver.record import header
from clue_solver.record.files import edition_from, may_be_kept, write_whole
from clue_solver.rules.edition import SEATS, Edition
from clue_solver.rules.edition_files import load_edition, parse_edition
from clue_solver.rules.pasted import deck_summary, pasted_deck
from clue_solver.rules.table import Table

_OWN = "own"
"""The value of the field `edition` for a deck whose card names are typed or pasted."""

_LISTS = ("suspects", "weapons", "rooms")
_CHAIRS = range(1, SEATS[1] + 1)
_FIELDS = (
    *("edition", "deals", "board", "title", "counted", "meant", *_LISTS),
    *("me", "dealt", "begins", "hand", "hands", "face_down", "face_up"),
    *(f"{name}-{chair}" for chair in _CHAIRS for name in ("name", "plays", "piece")),
)
"""
The fields of the form for a new game. The field `plays` of a chair is a machine, or empty for a
person. The fields `me`, `dealt` (who gets the first card) and `begins` are numbers of chairs.
"""

_MORE = {
    "face_down": "Face down in rooms, where a player who enters may look",
    "hands": "Cards in each hand, in player order, with ? for any you don't know",
    "face_up": "Face up on the table, for everybody to see",
}
"""The labels of the fields that few tables need."""

_USUAL = {"plays-2": "hard", "plays-3": "easy"}
"""The machines that play by default if there is no earlier game."""

_LONGEST = 24
"""How many letters a player's name may have on the pages; longer ones make the sheet too wide."""


class Seating(NamedTuple):
    """
    A chair on the form for a new game.

    Attributes:
        number: The number of the chair, clockwise.
        name: The name of the player; empty if there is none.
        plays: The machine that plays; empty for a person.
        piece: The player's piece; empty if it is not known.
        otherwise: The name that a machine gets, if none was entered for it; otherwise empty.
    """

    number: int
    name: str
    plays: str
    piece: str
    otherwise: str


def open_table(path: Path | None, fresh: LoggedTable) -> ServedTable:
    """
    Return the table of the game in a file, which may be dealt, logged, or still to be set up.

    Args:
        path: The file. If it does not exist, the game is set up.
        fresh: The table for a game that the program does not deal.

    Raises:
        RecordError: If the game is open elsewhere or cannot be read.
    """
    if path is None:
        return fresh
    if game_file(path).exists():
        return DealtTable(DealtGame.resume(path))
    may_be_kept(path)
    if path.exists():
        fresh.open_file(path)
    return fresh


def typed_in(table: LoggedTable, form: Form) -> setup.Typed:
    """Return the values of all fields for a new game, updated by a form that was sent."""
    sent = {name: ", ".join(filter(None, form[name])) for name in _FIELDS if name in form}
    return _field_values(table, games.last_played(table.folder, dealt=True)) | sent


def _field_values(table: LoggedTable, last: games.KeptGame | None) -> setup.Typed:
    """
    Return the values of all fields of the form for a new game.

    They are those that the table has stored from the form, and for the rest those of the last game,
    if there was one.
    """
    typed, seats = dict.fromkeys(_FIELDS, "") | {"board": "on"} | _USUAL, tuple[str, ...]()
    if last is not None:
        there, players = last.next_table, games.players_in(last.path)
        seats = there.seats
        typed["board"] = "" if there.board == "none" else "on"
        typed |= {"edition": there.edition.name, "deals": "program" if last.dealt else ""}
        typed |= {f"plays-{chair}": "" for chair in _CHAIRS}
        typed |= {f"plays-{chair}": players.get(seat, "") for chair, seat in enumerate(seats, 1)}
        typed |= {f"piece-{chair}": piece or "" for chair, piece in enumerate(there.pieces, 1)}
        if table.alone:
            typed["plays-1"] = PERSON
        if there.viewer is not None:
            typed["me"] = str(seats.index(there.viewer) + 1)
    if "players" in table.typed:
        seats = seats_in(table.typed["players"])
    typed |= {f"name-{chair}": seat for chair, seat in zip(_CHAIRS, seats, strict=False)}
    return {**typed, **table.typed}


def _setup_values(typed: setup.Typed, *, public: bool) -> setup.Typed:
    """
    Return the fields of `faces.setup`, which all interfaces use, from the values of the form.

    Args:
        typed: The values of the form.
        public: Whether each seat has its own page, on which its player enters the hand.
    """
    chairs = [each for each in _seats(typed, _CHAIRS) if each.name]
    names = {str(each.number): each.name for each in chairs}
    pieces = [each.piece or "?" for each in chairs]
    viewer = "-" if public or typed["me"] == "-" else names.get(typed["me"], "")
    return {
        "players": ", ".join(names.values()),
        "viewer": viewer,
        "pieces": ", ".join(pieces) if {*pieces} != {"?"} else "",
        "hands": typed["hands"] or names.get(typed["dealt"], ""),
        "first": names.get(typed["begins"], ""),
        "hand": "" if public else typed["hand"],
        "face_down": typed["face_down"],
        "face_up": typed["face_up"],
    }


def begin_game(table: LoggedTable, typed: setup.Typed) -> ServedTable | None:
    """
    Begin the game that a form sets up. Nothing is written if the game is impossible.

    Returns:
        The table of the game; `None` if the user must first confirm a pasted deck or doubtful
        players. The question about the players is then in the field `meant`.

    Raises:
        ClueError: If such a game is impossible.
    """
    path = table.keep()
    edition, content = _edition(typed, path)
    if content and typed["counted"] != deck_summary(edition):
        return None
    if typed["deals"]:
        players = _dealt_players(table, typed, edition)
        _write_deck(edition, content, path)
        board = bool(typed["board"])
        game = DealtGame.deal(edition, players, path, board=board)
        return DealtTable(game, recorder=table.recorder)
    edition = edition_from(edition, path.parent)
    told, last = _setup_values(typed, public=table.public), games.last_table(table.folder)
    if not told["players"]:
        low, high = edition.players
        reason = f"say who plays: {edition.title} is for {low} to {high} players"
        raise ArgumentError(reason, argument="players")
    record = setup.NewGame(edition, told, last).record
    if edition.board is not None:
        rule = "" if typed["board"] else "none"
        record = replace(record, table=header.with_key(record.table, "board", rule))
    _check_names(record.table.seats)
    asked = " ".join(asked for asked, _ in setup.doubtful_players(record.table))
    same = last is not None and last.seats == record.table.seats
    if asked != typed["meant"] and not same:
        typed["meant"] = asked
        return None
    _write_deck(edition, content, path)
    table.begin(record)
    return table


def _dealt_players(table: LoggedTable, typed: setup.Typed, edition: Edition) -> dict[str, str]:
    """
    Return who plays each seat of a game to be dealt: a machine, or `''` for a person, by seat.

    Args:
        table: The table.
        typed: The values of the form.
        edition: The edition.

    Raises:
        ClueError: If no such game is possible.
    """
    chairs = [each for each in _seats(typed, _CHAIRS) if each.name or each.otherwise]
    if table.alone:  # one phone has one player
        chairs = [each for each in chairs if each.number == 1 or each.plays]
    seats = tuple(each.name or each.otherwise for each in chairs)
    plays = [each.plays if each.plays in MACHINES else PERSON for each in chairs]
    low, high = edition.players
    if PERSON not in plays:
        raise ArgumentError("enter your name on the first line", argument="players")
    if len(seats) < low:
        reason = f"{edition.title} is for {low} to {high} players: add somebody, or the computer"
        raise ArgumentError(reason, argument="players")
    with header.at_fault("players"):  # by names that cannot be
        Table(edition=edition, seats=seats)
    _check_names(seats)
    return dict(zip(seats, plays, strict=True))


def _edition(typed: setup.Typed, path: Path) -> tuple[Edition, str]:
    """
    Return the chosen edition, and the text of its file if it is a new deck.

    The text is empty for any other edition.

    Args:
        typed: The values of the form.
        path: The file of the game, beside which a new deck gets its file.

    Raises:
        ClueError: If there is no such edition, or the cards of the new deck cannot be used.
    """
    if typed["edition"] != _OWN:
        return load_edition(typed["edition"]), ""
    title = " ".join(typed["title"].split()) or "Our deck"
    content = pasted_deck(title, *(typed[name] for name in _LISTS))
    name = re.sub(r"[^\w-]+", "-", title.casefold()).strip("-")[:40] or "deck"
    file = games.free_path(path.with_name(f"{name}.toml"))
    return parse_edition(content, name=str(file)), content


def _write_deck(edition: Edition, content: str, path: Path) -> None:
    """Write the text of a new deck, unless it is empty, to a file beside the game at `path`."""
    if not content:
        return
    file = path.with_name(Path(edition.name).name)
    try:
        write_whole(content.encode(), file)
    except (OSError, ValueError) as error:
        reason = f"cannot write the deck: {system_reason(error)}"
        raise EditionError(reason, path=str(file)) from None


def _check_names(seats: Iterable[str]) -> None:
    """Raise an `ArgumentError` if the name of a player is too long for the pages."""
    for name in seats:
        if len(name) > _LONGEST:
            most = f"names can have at most {_LONGEST} letters here"
            reason = f"'{printable(name)}' is too long: {most}"
            raise ArgumentError(reason, argument="players")


def _seats(typed: setup.Typed, chairs: Iterable[int]) -> Iterator[Seating]:
    """
    Yield what the form says about each chair.

    Args:
        typed: The values of the form.
        chairs: The numbers of the chairs, from 1.
    """
    names = {chair: " ".join(typed[f"name-{chair}"].split()) for chair in chairs}
    free, given = [*free_names(names.values())], set[str]()
    for chair, name in names.items():
        plays, otherwise = typed[f"plays-{chair}"], ""
        if not name and plays in MACHINES:  # the name of this chair, whoever sits before it
            offered = (*free[chair - 2 :], *free)
            otherwise = next(each for each in offered if each not in given)
            given.add(otherwise)
        yield Seating(chair, name, plays, typed[f"piece-{chair}"], otherwise)


def setup_page(shown: PageContext, wrong: ClueError | None = None, *, unsure: bool = False) -> str:
    """
    Return the page on which a new game is set up.

    Args:
        shown: The table and whose page it is.
        wrong: The error because of which the game cannot begin; `None` if there was none.
        unsure: Whether the deck or the players have to be confirmed.
    """
    # The editions to choose from, with that of the last game.
    table = shown.served
    assert isinstance(table, LoggedTable)
    folder = table.folder
    beside = () if folder is None else (Path(), folder)
    editions = {edition.name: edition for edition in setup.offered_editions(*beside)}
    last = games.last_played(folder, dealt=True)
    if last is not None:
        edition = last.next_table.edition
        editions.setdefault(edition.name, edition)
    # What was typed so far; a deck of one's own is read as far as possible.
    typed = _field_values(table, last)
    own = typed["edition"] == _OWN
    chosen, told, mistake = editions.get(typed["edition"], editions[setup.USUAL]), "", ""
    if own:
        try:
            chosen, _ = _edition(typed, table.keep())
            told = deck_summary(chosen)
        except ClueError as error:
            chosen = replace(chosen, category=(), board=None)
            mistake = str(error) if any(typed[name].strip() for name in _LISTS) else ""
    # What the page marks: the own cards, the field at fault, as many chairs as may be taken.
    held = {card.strip() for card in typed["hand"].split(",")}
    fault = (wrong and wrong.argument) or ""
    taken = [chair for chair in _CHAIRS if typed[f"name-{chair}"]]
    most = max(chosen.players[1], max(taken, default=0) + (not typed["deals"]))
    return fill_template(
        "setup",
        shown,
        title="A new game",
        editions=list(editions.values()),
        chosen=chosen,
        own=own,
        told=told,
        mistake=mistake,
        unsure=unsure,
        asked=typed["meant"],
        more=_MORE,
        unfolded=any(typed[name] for name in ("dealt", "begins", *_MORE)),
        typed=typed,
        held=held,
        wrong="" if wrong is None else str(wrong).removeprefix(f"{fault}: "),
        fault=fault,
        chairs=tuple(_seats(typed, _CHAIRS[:most])),
        longest=_LONGEST,
        machines=machines(chosen.name),
    )
