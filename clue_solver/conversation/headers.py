"""A header that is changed while a game is logged: hands, players, pieces, and house rules."""

import re
from typing import Literal, get_args

from msgspec.structs import replace

from clue_solver.errors import ArgumentError, SetupError, printable
from clue_solver.notation.names import Names, seats_in
from clue_solver.notation.words import deck_of, lexicon_of
from clue_solver.record import Record, with_seats_called
from clue_solver.rules.table import HouseRule, Table

HeaderPart = Literal["seats", "hands", "pieces", "first", "house"]
"""What of a header may be changed."""


def with_hands(table: Table, text: str) -> Table:
    """
    Return the table with other hand sizes, as they are typed.

    Args:
        table: The table.
        text: Numbers in table order, with or without commas (`34434`), `?` for one unknown; or
            the player who was dealt the first card, where the cards do not divide evenly; empty
            for all unknown.

    Raises:
        SetupError: If they do not add up; an `ArgumentError` if they cannot be read.
        NotationError: If there is no such player.
    """
    sizes = text.replace(",", " ").split()
    if len(sizes) == 1 and len(sizes[0]) == len(table.seats) and _SIZES.fullmatch(sizes[0]):
        sizes = list(sizes[0])
    elif sizes and not any(mark in "?0123456789" for mark in text):
        return _dealt(table, lexicon_of(table).seats.find(text))
    for size in sizes:
        if size != "?" and not (size.isascii() and size.isdigit() and len(size) < 4):
            wanted = f"numbers or ?, or who was dealt the first card, such as {table.seats[0]}"
            typed = printable(text)
            raise ArgumentError(f"hands: expected {wanted}; found '{typed}'", argument="hands")
    hands = tuple(None if size == "?" else int(size) for size in sizes)
    return replace(table, hands=() if set(hands) <= {None} else hands)


_SIZES = re.compile(r"[0-9?]+")


def _dealt(table: Table, first: str) -> Table:
    """Return the table with the sizes that follow from who was dealt the first card, clockwise."""
    least, extra = divmod(table.dealt, len(table.seats))
    start = table.seats.index(first)
    after = ((place - start) % len(table.seats) for place in range(len(table.seats)))
    return replace(table, hands=tuple(least + (steps < extra) for steps in after))


def with_pieces(table: Table, text: str) -> Table:
    """
    Return the table with other pieces: suspects, in the order of the players.

    One that is not known is `?`, or left out at the end.

    Raises:
        NotationError: If there is no such suspect.
        SetupError: If there are too many, or one is listed twice.
    """
    names = deck_of(table.edition, table.language).suspects
    pieces = [None if name in ("", "?") else names.find(name) for name in seats_in(text)]
    pieces += [None] * (len(table.seats) - len(pieces))
    return replace(table, pieces=tuple(pieces) if any(pieces) else ())


def with_first(table: Table, text: str) -> Table:
    """Return the table where this player begins; nothing, or `?`, if that is not known."""
    known = text.strip() not in ("", "?")
    return replace(table, first=lexicon_of(table).seats.find(text) if known else None)


def with_house(table: Table, text: str) -> Table:
    """Return the table with other rules of play that it does not keep; `none` if it keeps all."""
    names = Names("rule of play", get_args(HouseRule))
    words = [] if text.strip().casefold() == "none" else text.replace(",", " ").split()
    return replace(table, house=tuple(map(names.find, words)))


def with_part(record: Record, part: HeaderPart, text: str) -> Record:
    """Return the record with another part of its header, as the functions here read it."""
    if part == "seats":
        return with_seats(record, text)
    changes = {
        "hands": with_hands,
        "pieces": with_pieces,
        "first": with_first,
        "house": with_house,
    }
    return replace(record, table=changes[part](record.table, text))


def with_seats(record: Record, text: str) -> Record:
    """
    Return the record with its players renamed, or in another order: all of them clockwise.

    Each new name takes the place of the next one that is missing; the entries follow, and are to
    be checked in that order. A name in small letters is the player's who is called so in any case.

    Raises:
        SetupError: If there are more or fewer of them, or one cannot be a player's name.
    """
    table = record.table
    typed = seats_in(text)
    folded = {seat.casefold(): seat for seat in table.seats}
    meant = [name if name in table.seats else folded.get(name.casefold()) for name in typed]
    names = tuple(
        seat if seat and name.islower() else name for name, seat in zip(typed, meant, strict=True)
    )
    gone = [seat for seat in table.seats if seat not in meant]
    new = [name for name, seat in zip(names, meant, strict=True) if not seat]
    if len(names) != len(table.seats) or len(gone) != len(new):
        raise SetupError(f"players: expected {len(table.seats)} different names")
    named = dict(zip(meant, names, strict=True)) | dict(zip(gone, new, strict=True))
    called = {seat: named[seat] for seat in table.seats}
    before = [list(called.values()).index(name) for name in names]
    record = with_seats_called(record, called)
    table = replace(
        record.table,
        seats=names,
        hands=tuple(table.hands[place] for place in before if table.hands),
        pieces=tuple(table.pieces[place] for place in before if table.pieces),
    )
    return replace(record, table=table)
