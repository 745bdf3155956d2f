"""
A new game: where it is kept when no file is named (one folder of the user's, one file a game, by
date), and its record set up by question and answer. A wrong answer is asked for again, nothing is
lost. What completes a command line asks here, too, so that what needs a solver is loaded later.
"""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from itertools import chain, count
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TypeVar

import click
from click import termui
from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, RecordError, counted, listed, printable
from clue_solver.notation import card_names, lexicon_of, parse_names
from clue_solver.notation.names import Names, seats_in
from clue_solver.record import Record, header, load_record
from clue_solver.rules.edition import TEMPLATE, Edition, load_edition, shipped_editions
from clue_solver.rules.table import SPECTATOR, Slot, Table


def games_folder() -> Path:
    """Return the folder where this system keeps a user's data for this program."""
    from platformdirs import user_data_path

    return user_data_path("clue-solver", appauthor=False) / "games"


def fresh_path(folder: Path, day: date) -> Path:
    """
    Return a path for a new game, named by the day; the folder is made if it is not there.

    Raises:
        RecordError: If the folder cannot be made.
    """
    return free_path(folder / f"{day.isoformat()}.clue")


def free_path(path: Path) -> Path:
    """
    Return a path, or with a number if there is one already; its folder is made if it is not there.

    Raises:
        RecordError: If the folder cannot be made or looked into.
    """
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        numbered = (folder / f"{path.stem}-{number}{path.suffix}" for number in count(2))
        return next(free for free in chain([path], numbered) if not free.exists())
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecordError(f"cannot make the folder of games: {reason}", path=str(folder)) from None


def games_by_time(folder: Path) -> Iterator[Path]:
    """Yield the games in a folder, the one that was written to last first."""
    written: dict[Path, float] = {}
    with suppress(OSError):
        for file in folder.glob("*.clue"):
            with suppress(OSError):  # a link that leads nowhere, or a file that is gone by now
                if file.is_file():
                    written[file] = file.stat().st_mtime
    yield from sorted(written, key=lambda file: -written[file])


def last_game(folder: Path | None = None) -> Path:
    """
    Return the game that was written to last; in the folder of games if none is named.

    A game in which nothing is logged counts only where there is no other.

    Raises:
        RecordError: If there is none.
    """
    folder = folder or games_folder()
    files = tuple(games_by_time(folder))
    for file in files:
        try:
            if load_record(file).entries:
                return file
        except ClueError:
            return file  # whoever reads it says what is wrong with it
    if not files:
        raise RecordError("expected a game; none has been played here yet", path=str(folder))
    return files[0]


def unfinished_games(folder: Path) -> tuple[Path, ...]:
    """
    Return the games to go on with, the likeliest first: none, one or two.

    That is the one that was written to last and has not ended, though nothing may be logged in it
    yet; where that is so, after the last one in which something is. Of a shared table it is its
    log, never a player's own file.
    """
    from clue_solver.conversation.session import finished

    empty: tuple[Path, ...] = ()
    files = tuple(games_by_time(folder))
    for file in files:
        with suppress(ClueError):
            record = load_record(file)
            if _players_own(file, record, files):
                continue
            if record.entries and not finished(record):
                return (file, *empty)
            if not empty and not record.entries:
                empty = (file,)
    return empty


def _players_own(file: Path, record: Record, files: Iterable[Path]) -> bool:
    """Return whether a file has one player's notes of a shared table whose log is here, too."""
    for log in files:
        if record.table.game is not None and file.name.startswith(f"{log.stem}-"):
            with suppress(ClueError):
                if load_record(log).table.game == record.table.game:
                    return True
    return False


def last_unfinished(folder: Path) -> Path | None:
    """Return the game to go on with, if there is one, as `unfinished_games` does."""
    return next(iter(unfinished_games(folder)), None)


def game_line(file: Path, record: Record | None = None) -> str:
    """
    Return what tells a game from others: its file, who plays, how much is logged.

    Args:
        file: The file.
        record: The game in it, where it is open already.
    """
    record = record or load_record(file)
    count = len(record.entries)
    logged = counted(count, "entry") if count else "nothing logged yet"
    return f"{file.name}: {', '.join(record.table.seats)}; {logged}"


def last_table(folder: Path | None = None) -> Table | None:
    """
    Return the table of the game that was written to last, to play at again; `None` if none.

    One at which nothing was logged counts only where there is no other. The solution and the mark
    are left out, and so are cards that lay face-up then, and hand sizes with them.
    """
    table: Table | None = None
    for file in games_by_time(folder or games_folder()):
        with suppress(ClueError):
            record = load_record(file)
            if record.entries or table is None:
                table = record.table
            if record.entries:
                break
    if table is None:
        return None
    return replace(
        table, face_up=(), hands=() if table.face_up else table.hands, solution=(), game=None
    )


def own_editions(*folders: Path) -> tuple[Edition, ...]:
    """Return the editions in files of these folders, each named by its whole path."""
    editions: dict[str, Edition] = {}
    for file in sorted(file for folder in folders for file in folder.glob("*.toml")):
        with suppress(ClueError):
            name = os.path.realpath(file)
            editions.setdefault(name, load_edition(name))
    return tuple(editions.values())


def offered_editions(*folders: Path) -> tuple[Edition, ...]:
    """
    Return the editions to choose from: the shipped ones but for the template, then one's own.

    Args:
        folders: Where one's own lie; the working folder and that of the games if left out.
    """
    shipped = (load_edition(name) for name in shipped_editions() if name != TEMPLATE)
    return (*shipped, *own_editions(*(folders or (Path(), games_folder()))))


def edition_line(edition: Edition, *, note: bool = True) -> str:
    """Return what tells an edition from the others: its name, players, cards, and what is noted."""
    low, high = edition.players
    cards = "+".join(str(len(kind.cards)) for kind in edition.category)
    line = f"{Path(edition.name).stem}: {edition.title}, {low}-{high} players, {cards} cards"
    return f"{line}. {edition.note}".strip() if note else line


USUAL = "clue-classic"
"""The edition that is played where nobody says otherwise."""

Answer = TypeVar("Answer")


def asked_record(folder: Path) -> Record:
    """
    Ask for edition, players, viewer, hand sizes and own hand; return the record they begin.

    At the same table as last time only the hand is asked for; an edition's name begins another.

    Args:
        folder: Where the record will be kept: an edition's file in it is named from there.
    """
    editions = offered_editions()
    last = last_table()
    chosen: Record | Edition | None = None
    if last is not None and last.viewer is not None:
        table = last
        seats = ", ".join(table.seats)
        tell(f"Same table as last time: {table.edition.title}; {seats}")
        chosen = _asked(
            f"{table.viewer}'s hand (Enter: later; n: another table)",
            lambda text: _same_table(table, text, editions),
            default="",
        )
    if isinstance(chosen, Record):
        return replace(chosen, table=_asked_beginning(_asked_face_down(chosen.table)))
    if chosen is None:
        for number, edition in enumerate(editions, 1):
            tell(f"{number:>3}  {edition_line(edition)}", indent=5)
        chosen = _asked(
            "Edition, its number or name", lambda text: _numbered(text, editions), default=USUAL
        )
    if Path(chosen.name).is_relative_to(folder.resolve()):
        chosen = replace(chosen, name=str(Path(chosen.name).relative_to(folder.resolve())))
    table = _asked_table(chosen)
    record = Record(table=table)
    if table.viewer is None:
        return record
    return _asked(
        f"{table.viewer}'s hand (empty to add it later)",
        lambda text: _with_hand(record, text),
        default="",
    )


def _same_table(table: Table, text: str, editions: Iterable[Edition]) -> Record | Edition | None:
    """Return the record that a hand begins at the last table, or the edition of another table."""
    if text.casefold() in ("n", "no"):
        return None
    if not text:  # a script that leaves out the edition means the usual one
        return Record(table=table) if sys.stdin.isatty() else load_edition(USUAL)
    try:
        return _with_hand(Record(table=table), text)
    except NotationError as error:
        with suppress(ClueError):
            return _edition(text, editions)
        raise error


def _asked_table(edition: Edition) -> Table:
    low, high = edition.players
    table = _asked(
        f"Players, {low} to {high}, clockwise (commas where a name has spaces)",
        lambda text: _begun_table(text, edition),
    )
    if (beyond := beyond_limits(table)) and not sys.stdin.isatty():
        tell(f"({beyond}; the game is set up anyway)")
    table = _asked(
        f"Whose notes are these (Enter: {table.seats[0]}; -: a spectator's)",
        lambda text: replace(table, viewer=viewer_in(text, table.seats)),
        default="",
        hint=table.seats,
    )
    table = _asked_face_down(table)
    least, extra = divmod(table.dealt, len(table.seats))
    if extra:
        have = "1 player has" if extra == 1 else f"{extra} players have"
        who = f"{have} {least + 1} cards, the others {least}"
        tell(f"({who}: just say who was dealt the first card)")
    table = _asked(
        "Cards in each hand, same order (? for unknown)",
        lambda text: header.with_key(table, "hands", text),
        default=sizes_of(table),
    )
    return _asked_beginning(table)


def _asked_beginning(table: Table) -> Table:
    """
    Ask who plays whom, and who begins where nothing else tells it; Enter leaves it as it was.

    Nothing is asked of a script, whose lines are answers to the other questions.
    """
    if not sys.stdin.isatty():
        return table
    filled = filled_in(table)
    pieces, first = filled["pieces"], filled["first"]
    if table.edition.board is not None:
        table = _asked(
            f"Who plays whom, same order (? for one not known; Enter: {pieces or 'later'})",
            lambda text: header.with_key(table, "pieces", text or pieces),
            default="",
        )
    if warning := not_nearest(table):
        tell(f"({warning}; the game is set up anyway)")
    begun = replace(table, first=None)
    if begun.begins is not None:
        return begun
    return _asked(
        f"Who begins (Enter: {first or 'later'})",
        lambda text: header.with_key(table, "first", text or first),
        default="",
    )


def doubtful_players(table: Table) -> Iterator[tuple[str, str]]:
    """
    Yield what to ask about players' names, and what to do otherwise.

    Asked about are a name of several words among names of one, a weapon or a room (pieces are
    called as the suspects are, and so are players), and more or fewer than the edition is for.
    """
    several = [name for name in table.seats if " " in name]
    if 0 < len(several) < len(table.seats):
        asked = f"Is '{printable(several[0])}' one player?"
        yield asked, "put commas between all players, or none"
    suspects = [card.name for card in table.edition.category[0].cards]
    cards = card_names(table.edition)
    for name in table.seats:
        if (named := cards.exact(name)) and named[0] not in suspects:
            asked = f"Is a player really called {printable(name)}, like the card?"
            yield asked, "the hand comes later"
    if beyond := beyond_limits(table):
        yield f"{beyond}: is that right?", "choose another edition or other players"


def _begun_table(text: str, edition: Edition) -> Table:
    """Return the table of the players in a text; at a terminal what is doubtful is asked about."""
    table = Table(edition=edition, seats=seats_in(text))
    for asked, otherwise in doubtful_players(table) if sys.stdin.isatty() else ():
        if not click.confirm(f"  {asked}", err=True):
            raise NotationError(otherwise)
    return table


def _asked_face_down(table: Table) -> Table:
    """Ask for the rooms with a face-down card, where the edition leaves some undealt."""
    count = table.edition.undealt(len(table.seats))
    if not count:
        return table
    corners = table.edition.face_down_rooms(len(table.seats))
    rooms = ", ".join([slot.name for slot in table.slots] or corners)
    as_before = f"Enter: {rooms}; -: none" if rooms else "Enter: none"
    return _asked(
        f"The {count} rooms in which a card lies face-down ({as_before})",
        lambda text: replace(table, slots=_face_down_rooms(text or rooms, table.edition, count)),
        default="",
    )


def _face_down_rooms(text: str, edition: Edition, count: int) -> tuple[Slot, ...]:
    """Return the slots in so many rooms that a text names; none for `-` or nothing."""
    if text in ("", "-"):
        return ()
    slots = face_down_in(text, edition)
    rooms = [slot.name for slot in slots if slot.name in edition.rooms and slot.count == 1]
    if len(rooms) != len(slots) or len(rooms) != count:
        other = next((slot.name for slot in slots if slot.name not in rooms), f"{len(rooms)} rooms")
        raise NotationError(
            f"expected {count} rooms, such as {', '.join(edition.rooms[:count])}; "
            f"found {printable(other)}"
        )
    return slots


def face_down_in(text: str, edition: Edition) -> tuple[Slot, ...]:
    """
    Return the face-down slots that a list names; any beginning of a room's name will do.

    Raises:
        NotationError: If cards are listed that are no rooms: a hand in the wrong place.
    """
    names = card_names(edition).only("room", edition.rooms)
    cards: tuple[str, ...] = ()
    with suppress(NotationError):
        cards = parse_names(text, card_names(edition))
    if len(cards) > 1 and not {*cards} <= {*edition.rooms}:
        raise NotationError(
            f"expected places in which cards lie face-down, such as Pool 3; found {listed(cards)}: "
            "cards of your own go into your hand"
        )

    def whole(slot: Slot) -> Slot:
        readings = names.readings(slot.name)
        return replace(slot, name=readings[0]) if len(readings) == 1 else slot

    return tuple(map(whole, header.slots_in(text)))


def beyond_limits(table: Table) -> str:
    """Return that the edition is for other numbers of players, in words; empty if it is not."""
    low, high = table.edition.players
    if low <= len(table.seats) <= high:
        return ""
    return f"{table.edition.title} is for {low} to {high} players; found {len(table.seats)}"


def not_nearest(table: Table) -> str:
    """Return that somebody cannot play the piece that starts nearest, in words; empty if all do."""
    suspects = table.edition.suspects
    around = [suspects.index(piece) for piece in table.pieces if piece is not None]
    first = around.index(min(around)) if around else 0
    clockwise = [*around[first:], *around[:first]]
    if table.edition.adopts != "nearest" or clockwise == sorted(around):
        return ""
    order = listed([suspects[place] for place in sorted(around)])
    return f"in {table.edition.title} each plays the nearest piece, so clockwise {order}"


def _with_hand(record: Record, text: str) -> Record:
    """Return the record with the hand; where cards are missing yet, they are asked for."""
    from clue_solver.exchange.imports import with_hand

    table = record.table
    if table.viewer is None:
        return with_hand(record, text)
    least, _ = table.size_bounds()[table.seats.index(table.viewer)]
    held = _cards_in(text, table)
    while 0 < len(held) < least:
        tell(f"  so far: {', '.join(held)}; expected {least} cards", indent=2)
        question = "The rest of the hand, or all of it (empty to begin again)"
        text = click.prompt(wrapped(question), default="", show_default=False, err=True).strip()
        more = _cards_in(text, table)
        if not text:
            raise NotationError("the hand was not taken")
        if more and set(held).isdisjoint(more):
            more = (*held, *more)
        held = more
    return with_hand(record, ", ".join(held) or text)


def _cards_in(text: str, table: Table) -> tuple[str, ...]:
    """Return the cards that a text lists; none where it cannot be read."""
    with suppress(NotationError):
        return parse_names(text, lexicon_of(table).cards) if text else ()
    return ()


def _asked(
    question: str,
    read: Callable[[str], Answer],
    *,
    default: str | None = None,
    hint: tuple[str, ...] = (),
) -> Answer:
    """Ask until the answer can be read; what is wrong with one is said before the next try."""
    if hint:
        tell(f"({', '.join(hint)})")
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


def _numbered(text: str, offered: Sequence[Edition]) -> Edition:
    """Return the offered edition of a number, or the one that a text names."""
    if not (text.isascii() and text.isdigit()):
        return _edition(text, offered)
    if not 0 < int(text[:9]) <= len(offered):
        of_year = [edition for edition in offered if edition.name.endswith(f"-{text}")]
        if len(of_year) == 1:  # 2015 for clue-2015
            return of_year[0]
        raise NotationError(
            f"expected a number from 1 to {len(offered)}; found '{printable(text)}'"
        )
    return offered[int(text[:9]) - 1]


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


def _edition(text: str, offered: Iterable[Edition]) -> Edition:
    """Return the offered edition that a text names, or the one in the file of that path."""
    called = {Path(edition.name).stem: edition for edition in offered}
    try:
        return called[Names("edition", called).find(text)]
    except NotationError as error:
        if error.nearest:
            raise
    whole = text in shipped_editions() or "\0" in text  # which no path has
    return load_edition(text if whole else os.path.realpath(text))


def viewer_in(text: str, seats: Sequence[str]) -> str | None:
    """
    Return whose notes a text says: nothing means the first player, `-` a spectator (`None`).

    Raises:
        NotationError: If there is no such player.
    """
    said = text.strip()
    if said == "-" or (said.casefold() == SPECTATOR and said not in seats):
        return None
    names = Names("player", seats)
    own = not said or (said.casefold() in ("me", "i") and not names.readings(said))
    return seats[0] if own else names.find(said)


def sizes_of(table: Table) -> str:
    """Return the hand sizes as they are filled in: numbers, `?` where the cards do not divide."""
    return ", ".join(str(low) if low == most else "?" for low, most in table.size_bounds())


FIELDS = (
    ("players", "Players, clockwise", "The players as they sit, clockwise, with commas between."),
    ("viewer", "You are", "Which of them you are; - if you only watch."),
    (
        "hand",
        "Your cards",
        "The first letters of each will do, Tab completes them. You may also tell them later.",
    ),
    (
        "hands",
        "Cards in each hand",
        "In the order of the players, ? where you don't know; or who was dealt the first card.",
    ),
    (
        "pieces",
        "Who plays whom",
        "Their pieces, in the order of the players, ? where you don't know.",
    ),
    ("first", "Who begins", "Who has the first turn, if you know."),
    ("face_up", "Face-up on the table", "Cards left over that everybody sees, if there are any."),
    ("face_down", "Face-down, nobody's", "Where cards lie that nobody has seen, if any do."),
)
"""The fields in the order in which a person thinks of them: name, label, what belongs there."""

Typed = dict[str, str]
"""What the fields hold, as it was typed, by their names."""


def examples_of(edition: Edition) -> Typed:
    """Return what the fields may hold where this edition is played, to be greyed in them."""
    seats = ("Ann", "Ben", "Cat", "Dan")[: edition.players[1]]
    cards = [kind.cards[0].name for kind in edition.category]
    names = edition.category[0].cards
    dealt = len(edition.cards) - len(cards)
    sizes = (dealt // len(seats) + (place < dealt % len(seats)) for place in range(len(seats)))
    return {
        "players": ", ".join(seats),
        "viewer": "the first of them",
        "hand": f"such as {', '.join(cards)}, ...",
        "hands": f"such as {', '.join(map(str, sizes))}",
        "pieces": f"such as {names[-1].name}, ?, {names[0].name}",
        "first": f"such as {seats[1]}",
        "face_up": f"such as {cards[-1]}",
        "face_down": "such as Pool 3",
    }


def filled_in(table: Table) -> Typed:
    """Return what fields hold at first where one plays at an earlier table; the hand aside."""
    fields = (name for name, _, _ in FIELDS if name != "hand")
    return {name: header.format_value(table, name.replace("_", "-")) or "" for name in fields}


def table_of(typed: Typed, edition: Edition, last: Table | None = None) -> Table:
    """
    Return the table that the fields describe, with the customs of the last one.

    Raises:
        ClueError: If there can be none; its `argument` is the field at fault.
    """
    with header.at_fault("players"):
        seats = seats_in(typed["players"])
        same = last if last and (last.edition, last.seats) == (edition, seats) else None
        begun = same or Table(edition=edition, seats=seats)
    table = replace(begun, viewer=None, hands=(), face_up=(), slots=(), pieces=(), first=None)
    with header.at_fault("viewer"):
        table = replace(table, viewer=viewer_in(typed["viewer"], seats))
    table = header.with_key(table, "face-up", typed["face_up"])
    with header.at_fault("face-down"):
        if typed["face_down"].strip():
            table = replace(table, slots=face_down_in(typed["face_down"], edition))
    if edition.board is not None:
        table = header.with_key(table, "pieces", typed["pieces"])
    return header.with_key(table, "first", typed["first"])


def record_of(typed: Typed, edition: Edition, last: Table | None = None) -> Record:
    """
    Return the record that the fields begin.

    Raises:
        ClueError: If there can be none; its `argument` is the field at fault.
    """
    from clue_solver.exchange.imports import with_hand

    table = header.with_key(table_of(typed, edition, last), "hands", typed["hands"])
    with header.at_fault("hand"):
        return with_hand(Record(table=table), typed["hand"].strip(" ,") if table.viewer else "")
