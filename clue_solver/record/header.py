"""
The keys of a header: what each says about the table, and how its value is read and written.

Files in both forms, the commands of a game and the set-up forms all use this one list, `KEYS`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, RecordError, printable
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, parse_names, seats_in
from clue_solver.rules.edition import MOST_CARDS, Answering, Side
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import SHOWS, SPECTATOR, AskModel, Asks, HouseRule, Slot, Table

NEEDED = ("edition", "players")
"""The keys that every header must have."""

_COUNT = re.compile(r"[-+]?[0-9]+([.][0-9]*)?")


class HeaderKey(NamedTuple):
    """
    A key of the header, such as `hands`.

    Attributes:
        name: The key as it is written.
        attribute: The attribute of the table that the key sets.
        parse: A function that returns the attribute's value. It is given the text after the key,
            and the table that the earlier keys describe.
        format: A function that returns the text for the attribute's value; if the value is a tuple,
            for one of its items.
    """

    name: str
    attribute: str
    parse: Callable[[str, Table], Any]
    format: Callable[[Any], str] = str

    def read(self, text: str, table: Table) -> Table:
        """
        Return the table with this key set to the value that a text gives.

        Args:
            text: The text after the key in a header line.
            table: The table that the keys read so far describe.

        Raises:
            ClueError: If the text is invalid or such a table is impossible.
        """
        return replace(table, **{self.attribute: self.parse(text, table)})

    def value(self, table: Table) -> Any:
        """Return the table's value for the key; `None` if it has none."""
        value = getattr(table, self.attribute)
        return None if value == () else value


@contextmanager
def at_fault(key: str) -> Iterator[None]:
    """
    In a `with` block, mark each `ClueError` that passes as being about a header key.

    `key` becomes the error's `key`, and its `argument`, in the spelling of an argument.
    """
    try:
        yield
    except ClueError as error:
        error.key = key
        error.argument = key.replace("-", "_")
        raise


def table_from(said: Mapping[str, str], seats: tuple[str, ...], beside: Path | None) -> Table:
    """
    Return the table that a header describes.

    Args:
        said: The text of each key's value, by key.
        seats: The players' names, clockwise.
        beside: The folder from which the path of an edition's file starts; the working folder if
            `None`.

    Raises:
        ClueError: If such a table is impossible; the error's `key` is the key at fault.
    """
    with at_fault("edition"):
        edition = load_edition(said.get("edition", ""), beside=beside)
    with at_fault("players"):
        table = Table(edition=edition, seats=seats)
    # The language first, as other keys name cards in it; hands last, as they depend on the others.
    for key in sorted(KEYS.values(), key=lambda key: {"names": 0, "hands": 2}.get(key.name, 1)):
        if key.name in said and key.name not in NEEDED:
            with at_fault(key.name):
                table = key.read(said[key.name], table)
    return table


def with_key(table: Table, name: str, text: str) -> Table:
    """
    Return the table with a header key set to the value that a person typed.

    A text that is empty, or has only `?` in it, removes the value.

    Args:
        table: The table.
        name: The header key, such as `hands`.
        text: The value as typed.

    Raises:
        ClueError: If the text cannot be read or such a table is impossible; the error's `key` is
            `name`.
    """
    key = KEYS[name]
    with at_fault(name):
        if text.strip(" ,?") and (name, text.strip().casefold()) != ("house", "none"):
            return key.read(text.strip(), table)
        given = getattr(table, key.attribute)
        return replace(table, **{key.attribute: () if isinstance(given, tuple) else None})


def key_of(text: str) -> str | None:
    """
    Return the header key that a text names; `None` if it names none.

    The text may be in capitals or small letters, and have spaces or `_` in place of `-`.
    """
    key = "-".join(text.replace("_", " ").replace("-", " ").casefold().split())
    return key if key in KEYS else None


def format_value(table: Table, name: str) -> str | None:
    """
    Return the table's value for a key as a header line writes it; `None` if it has none.

    Raises:
        RecordError: If a header line cannot hold the name of the edition or of a slot.
    """
    key = KEYS[name]
    value = key.value(table)
    if isinstance(value, tuple):
        return ", ".join("?" if each is None else key.format(each) for each in value)
    if value is None:
        return SPECTATOR if name == "viewer" else None
    return key.format(value)


def sizes_in(text: str) -> tuple[int | None, ...]:
    """
    Return the hand sizes in a list such as `5, 5, ?` or `55?`; `None` for an unknown size.

    If a number is too large for one hand, each of its digits is a size.

    Raises:
        NotationError: If the list has anything else.
    """
    items = text.replace(",", " ").split()
    digits = items[0] if len(items) == 1 and re.fullmatch("[0-9?]{2,10}", items[0]) else ""
    if "?" in digits or int(digits or 0) > MOST_CARDS:
        items = list(digits)
    for item in items:
        if item != "?" and _number(item) is None:
            wanted = "numbers and ?, or who was dealt the first card"
            raise NotationError(f"hands: expected {wanted}; found '{printable(item)}'")
    return tuple(map(_number, items))


def slots_in(text: str) -> tuple[Slot, ...]:
    """
    Return the face-down slots in a list such as `Ballroom, Pool 3`.

    Raises:
        NotationError: If a name is missing, or a count is not possible.
    """
    slots: list[Slot] = []
    for item, column in _parts(text):
        name = item.split()
        count = _number(name[-1]) if len(name) > 1 else None
        if count is not None:
            name.pop()
        if not name or _COUNT.fullmatch(name[-1]) or count not in (None, *range(1, MOST_CARDS + 1)):
            wanted = f"a name and a count from 1 to {MOST_CARDS}, such as Pool 3"
            reason = f"face-down: expected {wanted}; found '{printable(item)}'"
            raise NotationError(reason, column=column)
        slots.append(Slot(name=" ".join(name), count=count or 1))
    return tuple(slots)


def _players(table: Table) -> Names:
    """Return the players' names as a list in which abbreviated names can be looked up."""
    return Names("player", table.seats)


def _parts(text: str, between: str = ",") -> Iterator[tuple[str, int]]:
    """
    Yield the parts of a text between commas, each with the column where it begins, from 0.

    `between` has the characters that separate parts, if not just the comma. Empty parts are yielded
    only after a comma.
    """
    for item in re.finditer(f"[^{between}]+|(?<=,)(?=,|$)", text):
        indent = len(item[0]) - len(item[0].lstrip())
        yield item[0].strip(), item.start() + indent


def _find(names: Names, text: str, column: int = 0) -> str:
    """
    Return the one name that a text stands for; the text may be an abbreviation.

    `column` is where the text begins in a longer one, from 0. An error then has the column in that
    longer text.

    Raises:
        NotationError: If the text stands for no name, or for several.
    """
    try:
        return names.find(text)
    except NotationError as error:
        error.column += column
        raise


def _number(text: str) -> int | None:
    """Return a whole number below 1,000 from its digits; `None` if the text is anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else None


def _text(text: str, _table: Table) -> str:
    return text


def _choice(name: str, words: tuple[str, ...]) -> HeaderKey:
    """Return the definition of the header key `name`, whose value is one of these words."""
    names = Names(name, words)
    attribute = name.replace("-", "_")
    return HeaderKey(name, attribute, lambda text, _: _find(names, text))


def _house(text: str, _table: Table) -> tuple[str, ...]:
    """Return the rules of play that a table ignores, from a text such as `turns, play`."""
    names = Names("rule of play", get_args(HouseRule))
    return tuple(_find(names, *part) for part in _parts(text, ", "))


def _hands(text: str, table: Table) -> tuple[int | None, ...]:
    """
    Return the hand sizes, in the order of the seats, from the text of a header line.

    It is a list of sizes, or the name of the player who was dealt the first card. `None` stands for
    an unknown size.
    """
    if any(mark in "?0123456789" for mark in text):
        return sizes_in(text)
    return table.dealt_from(table.index_of(_players(table).find(text)))


def _viewer(text: str, table: Table) -> str | None:
    """Return the seat that a text names; `None` for `spectator`."""
    seats = _players(table).candidates(text)
    name = seats[0] if len(seats) == 1 else Names("player", (*table.seats, SPECTATOR)).find(text)
    return None if name == SPECTATOR else name


def _card_list(text: str, table: Table) -> tuple[str, ...]:
    """Return the cards that a text such as `Plum, Rope` names."""
    return parse_names(text, lexicon_of(table).cards)


def _pieces(text: str, table: Table) -> tuple[str | None, ...]:
    """
    Return the suspect that each player plays, from a list in the order of the players.

    `None` stands for a `?` and for players beyond the end of the list.
    """
    names = lexicon_of(table).suspects
    if "," in text or "?" in text:
        parts = _parts(text.rstrip(" ,"), "," if "," in text else " ")
        pieces = [None if part[0] in ("", "?") else _find(names, *part) for part in parts]
    else:
        pieces = [*parse_names(text, names)]
    return (*pieces, *[None] * (len(table.seats) - len(pieces)))


def _asks(text: str, table: Table) -> tuple[Asks, ...]:
    """Return how players are expected to ask, from a text such as `careful 0.3, Ben any`."""
    asks: list[Asks] = []
    for item, column in _parts(text):
        *seat, model = item.split() or ("",)
        level = None
        with suppress(ValueError):
            if seat:
                level = float(model)
                *seat, model = seat
        found = _find(Names("model", get_args(AskModel)), model, column)
        whose = _find(_players(table), " ".join(seat), column) if seat else None
        asks.append(Asks(model=cast(AskModel, found), level=level, seat=whose))
    return tuple(asks)


def _format(text: str, _table: Table) -> int:
    """
    Return the version of the record's format, given in digits.

    Raises:
        NotationError: If the text is no whole number.
    """
    version = _number(text)
    if version is None:
        raise NotationError(f"format: expected a whole number; found '{printable(text)}'")
    return version


def _edition_name(edition: Any) -> str:
    """
    Return the name of an edition as a header line writes it.

    Raises:
        RecordError: If the name does not fit on one line.
    """
    name: str = edition.name
    if name != name.strip() or any(mark in name for mark in "#\n\r\0"):
        expected = "expected an edition whose name fits on one line"
        raise RecordError(f"{expected}; found '{printable(name)}'")
    return name


def _slot(slot: Slot) -> str:
    """
    Return a face-down slot as a header line writes it: `Pool 3`; just its name for one card.

    Raises:
        RecordError: If the end of its name would be read as the number of cards.
    """
    if _COUNT.fullmatch(slot.name.split()[-1]):
        reason = "expected a name for face-down cards that does not end in a number; found"
        raise RecordError(f"{reason} '{slot.name}'")
    return slot.name if slot.count == 1 else f"{slot.name} {slot.count}"


KEYS = {
    key.name: key
    for key in (
        HeaderKey("edition", "edition", _text, _edition_name),
        HeaderKey("players", "seats", lambda text, _: seats_in(text)),
        HeaderKey("hands", "hands", _hands),
        HeaderKey("viewer", "viewer", _viewer),
        HeaderKey("face-up", "face_up", _card_list),
        HeaderKey("face-down", "slots", lambda text, _: slots_in(text), _slot),
        _choice("order", get_args(Side)),
        _choice("answers", get_args(Answering)),
        _choice("shows", SHOWS),
        HeaderKey("asks", "asks", _asks),
        _choice("board", ("none",)),
        _choice("notch", ("same",)),
        _choice("sizes", ("dealt",)),
        HeaderKey("names", "language", _text),
        HeaderKey("format", "format", _format),
        HeaderKey("first", "first", lambda text, table: _find(_players(table), text)),
        HeaderKey("pieces", "pieces", _pieces),
        HeaderKey("solution", "solution", _card_list),
        HeaderKey("house", "house", _house),
        _choice("clue-cards", ("none",)),
        HeaderKey("game", "game", _text),
    )
}
"""The keys of a header by name, in the order in which a new record has them."""
