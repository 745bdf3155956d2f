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
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TypeVar

import click
from click import termui
from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, counted, listed, printable
from clue_solver.faces.games import games_folder, last_table
from clue_solver.notation import card_names, lexicon_of, parse_names
from clue_solver.notation.names import Names, seats_in
from clue_solver.record import Record, header
from clue_solver.rules.edition import TEMPLATE, Edition, load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import SPECTATOR, Slot, Table


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


ASKED: tuple[str, ...] = ("players", "viewer", "face_down", "hands", "pieces", "first", "hand")
ASKED_AGAIN = ("face_down", "pieces", "first")
"""The fields in the order in which they are asked for on lines; at the same table as last time."""

Typed = dict[str, str]
"""What the fields hold, as it was typed, by their names."""

Answer = TypeVar("Answer")


def asked_record(folder: Path) -> Record:
    """
    Ask for the edition and for each field of a new game; return the record that they begin.

    At the same table as last time the hand comes first, and an edition's name begins another. Who
    plays whom and who begins is asked of a person alone: a script has lines for the rest.

    Args:
        folder: Where the record will be kept: an edition's file in it is named from there.
    """
    editions = offered_editions()
    last = last_table()
    order, typed = ASKED, dict.fromkeys(ASKED, "") | {"face_up": ""}
    chosen = None if last is None else _asked_same(last, editions)
    if isinstance(chosen, str) and last is not None:
        typed |= filled_in(last) | {"hand": chosen}
        edition, order = last.edition, ASKED_AGAIN
    else:
        edition, last = chosen if isinstance(chosen, Edition) else _asked_edition(editions), None
    if Path(edition.name).is_relative_to(folder.resolve()):
        edition = replace(edition, name=str(Path(edition.name).relative_to(folder.resolve())))
    for name in order:
        _ask_field(name, typed, edition, last)
    return record_of(typed, edition, last)


def _asked_same(last: Table, editions: Sequence[Edition]) -> str | Edition | None:
    """Ask for the hand at the last table, if that was one's own; else return nothing."""
    if last.viewer is None:
        return None
    seats = ", ".join(last.seats)
    tell(f"Same table as last time: {last.edition.title}; {seats}")
    question = f"{last.viewer}'s hand (Enter: later; n: another table)"
    return _asked(question, lambda text: _same_table(text, last, editions), default="")


def _same_table(text: str, last: Table, editions: Sequence[Edition]) -> str | Edition | None:
    """Return a hand at the last table, or the edition of another; `None` for one to be asked."""
    if text.casefold() in ("n", "no"):
        return None
    if not text and not sys.stdin.isatty():  # a script that leaves out the edition: the usual one
        return load_edition(USUAL)
    try:
        record_of(filled_in(last) | {"hand": text}, last.edition, last)
    except NotationError as error:
        with suppress(ClueError):
            return _edition(text, editions)
        raise error
    return text


def _asked_edition(editions: Sequence[Edition]) -> Edition:
    for number, edition in enumerate(editions, 1):
        tell(f"{number:>3}  {edition_line(edition)}", indent=5)
    question = "Edition, its number or name"
    return _asked(question, lambda text: _numbered(text, editions), default=USUAL)


def _ask_field(name: str, typed: Typed, edition: Edition, last: Table | None) -> None:
    """Ask for one field until there can be a record with it, and keep it as it was typed."""
    table = None if name == "players" else table_of(typed, edition, last)
    question, default = _question(name, typed, edition, table)

    begun: tuple[str, ...] = ()

    def read(text: str) -> Record:
        nonlocal begun
        said = "" if text == "-" and name == "face_down" else text or default
        if name == "hand" and table is not None:
            if begun and not text:
                begun = ()
                raise NotationError("the hand was not taken")
            held = cards_in(said, table)
            begun = (*begun, *held) if set(held).isdisjoint(begun) else held
            sized = header.with_key(table, "hands", typed["hands"])
            if cards_lacking(len(begun), sized):
                raise NotationError(
                    f"so far: {', '.join(begun)}; {cards_lacking(len(begun), sized)}: "
                    "type the rest, or all of it (empty to begin again)"
                )
            said = ", ".join(begun) or said
        record = record_of(typed | {name: said}, edition, last)
        for doubt, otherwise in doubtful_players(record.table) if name == "players" else ():
            if sys.stdin.isatty() and not click.confirm(f"  {doubt}", err=True):
                raise NotationError(otherwise)
        typed[name] = said
        return record

    if question:
        record = _asked(question, read, default=default if name == "hands" else "")
        warning = {"players": beyond_limits, "pieces": not_nearest}.get(name, lambda _: "")
        if (said := warning(record.table)) and not (name == "players" and sys.stdin.isatty()):
            tell(f"({said}; the game is set up anyway)")


def _question(name: str, typed: Typed, edition: Edition, table: Table | None) -> tuple[str, str]:
    """Return how a field is asked for, empty where it is not, and what Enter alone says."""
    if table is None:
        low, high = edition.players
        return f"Players, {low} to {high}, clockwise (commas where a name has spaces)", ""
    before, person = typed[name], sys.stdin.isatty()
    match name:
        case "viewer":
            tell(f"({', '.join(table.seats)})")
            return f"Whose notes are these (Enter: {table.seats[0]}; -: a spectator's)", ""
        case "face_down" if count := edition.undealt(len(table.seats)):
            rooms = before or rooms_in(table)
            offered = f"Enter: {rooms}; -: none" if rooms else "Enter: none"
            return f"The {count} rooms in which a card lies face-down ({offered})", rooms
        case "hands":
            least, extra = divmod(table.dealt, len(table.seats))
            if extra:
                have = "1 player has" if extra == 1 else f"{extra} players have"
                who = f"{have} {least + 1} cards, the others {least}"
                tell(f"({who}: just say who was dealt the first card)")
            return "Cards in each hand, same order (? for unknown)", sizes_of(table)
        case "pieces" if person and edition.board is not None:
            offered = before or "later"
            return f"Your piece, or everybody's in the same order (Enter: {offered})", before
        case "first" if person and replace(table, first=None).begins is None:
            return f"Who begins (Enter: {before or 'later'})", before
        case "hand" if table.viewer is not None:
            return f"{table.viewer}'s hand (empty to add it later)", ""
    return "", ""


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


def cards_in(text: str, table: Table) -> tuple[str, ...]:
    """Return the cards that a text lists; none where it cannot be read."""
    with suppress(NotationError):
        return parse_names(text, lexicon_of(table).cards) if text else ()
    return ()


def _asked(question: str, read: Callable[[str], Answer], *, default: str) -> Answer:
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
        "Which piece is yours?",
        "Yours alone, or everybody's in the order of the players, ? where you don't know.",
    ),
    ("face_down", "Face-down, in rooms", "In which rooms cards lie that nobody has, if any do."),
    ("first", "Who begins", "Who has the first turn, if you know."),
    ("face_up", "Face-up on the table", "Cards left over that everybody sees, if there are any."),
)
"""The fields in the order in which a person thinks of them: name, label, what belongs there."""


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
        "pieces": f"such as {names[-1].name}",
        "first": f"such as {seats[1]}",
        "face_up": f"such as {cards[-1]}",
        "face_down": f"such as {edition.rooms[0]}" if edition.rooms else "",
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
            slots = face_down_in(typed["face_down"], edition)
            table = replace(table, slots=_in_rooms(slots, edition.undealt(len(seats)), edition))
    if edition.board is not None:
        table = header.with_key(table, "pieces", _pieces_in(typed["pieces"], table))
    return header.with_key(table, "first", typed["first"])


def _in_rooms(slots: tuple[Slot, ...], count: int, edition: Edition) -> tuple[Slot, ...]:
    """Return face-down slots; raise where the rules put so many in rooms, and these are not."""
    rooms = [slot for slot in slots if slot.name in edition.rooms and slot.count == 1]
    if count and not len(rooms) == len(slots) == count:
        other = next((slot.name for slot in slots if slot not in rooms), f"{len(rooms)} rooms")
        raise NotationError(
            f"expected {count} rooms, such as {', '.join(edition.rooms[:count])}; "
            f"found {printable(other)}"
        )
    return slots


def _pieces_in(text: str, table: Table) -> str:
    """Return who plays whom as a header has it, where the viewer's piece alone may be told."""
    if table.viewer is None or not text.strip() or "," in text:
        return text
    return ", ".join(text if seat == table.viewer else "?" for seat in table.seats)


def rooms_in(table: Table) -> str:
    """Return the rooms in which the rules put the cards that so many players leave over."""
    if not table.edition.undealt(len(table.seats)):
        return ""
    return ", ".join(table.edition.face_down_rooms(len(table.seats)))


def own_hand_in(record: Record) -> tuple[str, ...]:
    """Return the viewer's hand that a new record begins with, if it does."""
    hands = (each for each in record.observations if isinstance(each, Hand))
    return next((each.cards for each in hands if each.seat == record.table.viewer), ())


def hand_completed(hand: str, table: Table) -> str | None:
    """
    Return the half-typed hand with its last card's name completed; `None` where none fits.

    A card is completed once no other card begins so, or from a slip of it alone, and those typed
    before are left out.
    """
    done, comma, last = hand.rpartition(",")
    word = last.strip()
    if not word:
        return None
    names = lexicon_of(table).cards
    taken = {card for part in done.split(",") for card in names.readings(part.strip())}
    begun = names.readings(word) or names.nearest(word)
    cards = [card for card in begun if card not in taken]
    if not cards:
        return None
    return f"{done}, {cards[0]}" if comma else cards[0]


def cards_lacking(held: int, table: Table) -> str:
    """Return how many cards the viewer's hand has to have, where so many are some of them alone."""
    if table.viewer is None:
        return ""
    least, _ = table.size_bounds()[table.seats.index(table.viewer)]
    return f"expected {counted(least, 'card')}" if 0 < held < least else ""


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
