"""
What a record holds: a table with one header line for each fact about it, the entries, and the
comments and blank lines between them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from clue_solver import errors
from clue_solver.notation import TurnState, deck_of, normalise, parse_names
from clue_solver.notation.names import Names
from clue_solver.rules.edition import MOST_CARDS, Answering, Edition, Side, load_edition
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import SHOWS, SPECTATOR, AskModel, Asks, HouseRule, Slot, Table


class _Commented(Struct, frozen=True, kw_only=True, gc=False):
    comment: str = ""
    before: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_comment(self.comment)
        for line in self.before:
            _check_whole_line(line)


class HeaderLine(_Commented, frozen=True, kw_only=True):
    """
    The place of a key in the header; its value is the table's.

    Attributes:
        key: The key.
        comment: The comment at the end of its line, without `#`; empty if there is none.
        before: The comments and blank lines above it, as they stand.

    >>> from clue_solver import load
    >>> line = load("examples/classic.clue").record.header[0]
    >>> line.key, line.before
    ('edition', ('# Friday night, four players, the American classic',))
    """

    key: str


class Entry(_Commented, frozen=True, kw_only=True):
    """
    One observation in a record.

    Attributes:
        observation: What was observed, in canonical form.
        comment: The comment at the end of its line, without `#`; empty if there is none.
        before: The comments and blank lines above it, as they stand.

    Raises:
        RecordError: If a comment cannot be written as one.

    >>> from clue_solver import load
    >>> load("examples/evening.clue").record.entries[16].comment
    'out, and only answers from now on'
    """

    observation: Observation


class Record(Struct, frozen=True, kw_only=True):
    """
    A game: the table and all that was observed at it, in order.

    Attributes:
        table: What the header says.
        header: The order of the header's lines and their comments; a plain header if left out.
        entries: The observations; entry 1 is the first.
        after: Comments and blank lines after the last entry, as they stand.

    >>> from clue_solver import load
    >>> record = load("examples/classic.clue").record
    >>> record.upto(2).append(record.observations[2]) == record.upto(3)
    True
    """

    table: Table
    header: tuple[HeaderLine, ...] = ()
    entries: tuple[Entry, ...] = ()
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for line in self.after:
            _check_whole_line(line)

    def __repr__(self) -> str:
        seats = ", ".join(self.table.seats)
        return f"<Record: {self.table.edition.title}; {seats}; entries: {len(self.entries)}>"

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in order."""
        return tuple([entry.observation for entry in self.entries])

    @property
    def turn_state(self) -> TurnState:
        """What the entries mean for the next line."""
        return TurnState.of(self.observations)

    def append(self, observation: Observation, *, comment: str = "") -> "Record":
        """
        Return the record with one more entry; comments after the last one stay above it.

        Raises:
            NotationError: If the observation has no meaning at this table.
            RecordError: If the comment cannot be written as one.
        """
        return self.longer(normalise(observation, self.table, self.turn_state), comment=comment)

    def longer(self, observation: Observation, *, comment: str = "") -> "Record":
        """Return the same as `append`, for an observation in canonical form: nothing is checked."""
        above = self.after or (() if self.entries else ("",))
        entry = Entry(observation=observation, comment=comment, before=above)
        return replace(self, entries=(*self.entries, entry), after=())

    def upto(self, number: int) -> "Record":
        """Return the record with its first `number` entries; whole-line comments all stay."""
        if number >= len(self.entries):
            return self
        kept, dropped = self.entries[: max(0, number)], self.entries[max(0, number) :]
        loose = tuple(line for entry in dropped for line in entry.before)
        return replace(self, entries=kept, after=loose + self.after)


def with_seats_called(record: Record, called: Mapping[str, str]) -> Record:
    """Return the record with some of its players called otherwise, by their names there."""
    table = record.table
    names = {seat: called.get(seat, seat) for seat in table.seats}
    table = replace(
        table,
        seats=tuple(names.values()),
        viewer=table.viewer and names[table.viewer],
        first=table.first and names[table.first],
        asks=tuple(replace(ask, seat=ask.seat and names[ask.seat]) for ask in table.asks),
    )
    entries = tuple(
        replace(entry, observation=_renamed(entry.observation, names)) for entry in record.entries
    )
    return replace(record, table=table, entries=entries)


def _renamed(observation: Observation, called: Mapping[str, str]) -> Observation:
    """Return an observation in which the seats are called otherwise."""
    bearers = observation.form.bearers()

    def renamed(field: str, said: Any) -> Any:
        if isinstance(said, list | tuple):
            return [renamed(field, value) for value in said]
        if isinstance(said, dict):
            return {key: renamed(key, value) for key, value in said.items()}
        seat = isinstance(said, str) and bearers.get(field) in ("seats", "holders", "places")
        return called.get(said, said) if seat else said

    whole: Observation = convert(renamed("", to_builtins(observation)), Observation)
    return whole


def _check_comment(text: str) -> None:
    """Refuse a comment that a file could not hold, or not give back as it was."""
    if "\n" in text or "\0" in text or text != text.rstrip():
        raise errors.RecordError(
            f"expected one line as a comment; found '{errors.printable(text)}'"
        )


def _check_whole_line(line: str) -> None:
    if not line:
        return
    _check_comment(line)
    if not line.lstrip().startswith("#"):
        raise errors.RecordError(
            f"expected a comment or a blank line; found '{errors.printable(line)}'"
        )


KEYS = (
    *("edition", "players", "hands", "viewer", "face-up"),
    *("face-down", "order", "answers", "shows", "asks", "board", "notch", "sizes"),
    *("names", "format", "first", "pieces", "solution", "house", "clue-cards", "game"),
)
"""The keys of a header, in the order in which a new record has them."""

NEEDED = ("edition", "players")
_CHOICES: dict[str, tuple[str, ...]] = {
    "order": get_args(Side),
    "answers": get_args(Answering),
    "shows": SHOWS,
    "board": ("none",),
    "notch": ("same",),
    "sizes": ("dealt",),
    "clue-cards": ("none",),
}
_INSTEAD = {
    ("answers", "sides"): "`answers: all`, and in each suggestion who passed and who showed",
    **{
        ("house", word): "`house: play`, which is all that is done in a turn"
        for word in ("moves", "dice", "bonus", "accusations")
    },
}
"""What to write instead of a word that a key does not have, and its word."""

_COUNT = re.compile(r"[-+]?[0-9]+([.][0-9]*)?")


class Value(NamedTuple):
    """What stands after a key: the text, the number of its line, and the column it begins at."""

    text: str
    number: int
    column: int


def key_of(text: str) -> str | None:
    """Return the header key that the text before a colon is, in any case; `None` if it is none."""
    key = "-".join(text.replace("_", " ").replace("-", " ").casefold().split())
    return key if key in KEYS else None


def unknown_key(text: str) -> errors.NotationError:
    """Return the error for a header line with a key that does not exist."""
    return Names("header key", KEYS).unknown(text.strip())


def value_of(table: Table, key: str) -> Any:
    """Return what the table says under the key, as JSON has it; `None` for what is not given."""
    match key:
        case "edition":
            return table.edition.name
        case "players":
            return list(table.seats)
        case "hands":
            return list(table.hands) or None
        case "viewer":
            return table.viewer
        case "face-up":
            return list(table.face_up) or None
        case "face-down":
            return [{"name": slot.name, "count": slot.count} for slot in table.slots] or None
        case "asks":
            return ", ".join(map(str, table.asks)) or None
        case "names":
            return table.language
        case "pieces" | "solution" | "house":
            return list(getattr(table, key)) or None
        case _:
            return getattr(table, key.replace("-", "_"))


def format_value(table: Table, key: str) -> str | None:
    """
    Return what the table says under the key, as a header line has it; `None` if it says nothing.

    Raises:
        RecordError: If a header line cannot hold the name of the edition or of a slot.
    """
    value = value_of(table, key)
    if key == "viewer":
        return value or SPECTATOR
    if value is None:
        return None
    if key == "edition" and (value != value.strip() or any(m in value for m in "#\n\r\0")):
        raise errors.RecordError(
            f"expected an edition whose name fits a line; found '{errors.printable(value)}'"
        )
    if key in ("hands", "pieces"):
        return ", ".join("?" if number is None else str(number) for number in value)
    if key == "face-down":
        return ", ".join(map(_format_slot, table.slots))
    return ", ".join(value) if isinstance(value, list) else str(value)


def _format_slot(slot: Slot) -> str:
    if _COUNT.fullmatch(slot.name.split()[-1]):
        reason = "expected a name for face-down cards that does not end in a number; found"
        raise errors.RecordError(f"{reason} '{slot.name}'")
    return slot.name if slot.count == 1 else f"{slot.name} {slot.count}"


def read_table(values: Mapping[str, Value], *, beside: Path | None) -> Table:
    """
    Return the table that the header's lines describe.

    Raises:
        HeaderError: If they do not; it knows the line.
    """
    for key in NEEDED:
        if key not in values:
            keys = ", ".join(f"`{key}:`" for key in values) or "no header line"
            raise HeaderError(f"the header lacks `{key}:`; found {keys}", 0)
    # The edition and the seats, whose names the other lines may have.
    try:
        edition = load_edition(values["edition"].text, beside=beside)
    except errors.EditionError as error:
        reason = errors.printable(str(error), most=1000)
        raise HeaderError(reason, values["edition"].number) from None
    seats = tuple(" ".join(item.split()) for item in values["players"].text.split(","))
    language = values["names"].text if "names" in values else None
    # Each line, then all together.
    facts: dict[str, Any] = {"edition": edition, "seats": seats}
    for key, value in values.items():
        if not value.text and key not in NEEDED:
            raise HeaderError(f"expected something after `{key}:`; found nothing", value.number)
        facts |= _fact(key, value, edition, seats, language)
    try:
        return Table(**facts)
    except errors.SetupError as error:
        number = values[error.key].number if error.key in values else 0
        raise HeaderError(errors.printable(str(error), most=400), number) from None


class HeaderError(Exception):
    """A header that describes no table: why, and the number and column of the line at fault."""

    def __init__(self, reason: str, number: int, column: int | None = None) -> None:
        self.reason = reason
        self.number = number
        self.column = column
        super().__init__(reason)


def _fact(
    key: str, value: Value, edition: Edition, seats: Sequence[str], language: str | None
) -> dict[str, Any]:
    match key:
        case "hands":
            return {"hands": tuple(_size(item, value) for item in _numbers(value))}
        case "viewer":
            viewer = _name(Names("player", (*seats, SPECTATOR)), value)
            return {"viewer": None if viewer == SPECTATOR else viewer}
        case "face-up":
            return {"face_up": _cards(value, edition, language)}
        case "face-down":
            return {"slots": tuple(_slots(value))}
        case "asks":
            return {"asks": tuple(_asks(value, seats))}
        case "names":
            return {"language": value.text}
        case "game":
            return {"game": value.text}
        case "format":
            if (version := _number(value.text)) is None:
                written = f"found '{errors.printable(value.text)}'"
                reason = f"format: expected a whole number; {written}"
                raise HeaderError(reason, value.number, value.column)
            return {"format": version}
        case "first":
            return {"first": _name(Names("player", seats), value)}
        case "pieces":
            names = deck_of(edition, language).suspects
            return {
                "pieces": tuple(
                    None if item.text == "?" else _name(names, item) for item in _parts(value)
                )
            }
        case "solution":
            return {"solution": _cards(value, edition, language)}
        case "house":
            for item in _parts(value):
                refuse_gone(key, item)
            return {"house": tuple(_name(_HOUSE_RULES, item) for item in _parts(value))}
        case _ if key in _CHOICES:
            refuse_gone(key, value)
            return {key.replace("-", "_"): _name(Names(key, _CHOICES[key]), value)}
        case _:
            return {}


def _parts(value: Value) -> Iterator[Value]:
    """Yield what stands between the commas of a line, each with its column."""
    for item in re.finditer("[^,]+|(?<=,)(?=,|$)", value.text):
        indent = len(item[0]) - len(item[0].lstrip())
        yield value._replace(text=item[0].strip(), column=value.column + item.start() + indent)


_HOUSE_RULES = Names("rule of play", get_args(HouseRule))
_ASK_MODELS = Names("model", get_args(AskModel))


def _asks(value: Value, seats: Sequence[str]) -> Iterator[Asks]:
    """Yield how players are expected to ask: `careful 0.3`, `Ben any`."""
    for item in _parts(value):
        words = item.text.split()
        level = _level(words[-1]) if len(words) > 1 else None
        if level is not None:
            words.pop()
        *seat, model = words or [""]
        yield Asks(
            model=cast(AskModel, _name(_ASK_MODELS, item._replace(text=model))),
            level=level,
            seat=_name(Names("player", seats), item._replace(text=" ".join(seat)))
            if seat
            else None,
        )


def _level(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def asks_in(text: str, seats: Sequence[str]) -> tuple[Asks, ...]:
    """
    Return how players are expected to ask that a text such as `careful 0.3, Ben any` tells.

    Raises:
        ArgumentError: If it tells anything else.
    """
    try:
        return tuple(_asks(Value(text, 0, 0), seats))
    except HeaderError as error:
        raise errors.ArgumentError(error.reason, argument="asks") from None


def refuse_gone(key: str, value: Value) -> None:
    """Refuse a word in whose place another is written."""
    word = value.text.casefold()
    if instead := _INSTEAD.get((key, word)):
        reason = f"there is no `{key}: {word}`; write {instead}"
        raise HeaderError(reason, value.number, value.column)


def _name(names: Names, value: Value) -> str:
    try:
        return names.find(value.text)
    except errors.NotationError as error:
        raise HeaderError(error.reason, value.number, value.column) from None


def _cards(value: Value, edition: Edition, language: str | None) -> tuple[str, ...]:
    """The cards that a header line lists, read as an observation's are."""
    try:
        return parse_names(value.text, deck_of(edition, language).cards)
    except errors.NotationError as error:
        raise HeaderError(error.reason, value.number, value.column + error.column) from None


def _numbers(value: Value) -> list[str]:
    """Return the sizes in a list; those of `34434` are its digits."""
    items = value.text.replace(",", " ").split()
    digits = items[0] if len(items) == 1 and re.fullmatch(r"[0-9?]{2,10}", items[0]) else ""
    return list(digits) if "?" in digits or int(digits or 0) > MOST_CARDS else items


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else None


def _size(text: str, value: Value) -> int | None:
    size = _number(text)
    if size is None and text != "?":
        reason = f"hands: expected numbers and ?, commas between; found '{errors.printable(text)}'"
        raise HeaderError(reason, value.number, value.column)
    return size


def hands_in(text: str) -> tuple[int | None, ...]:
    """
    Return the hand sizes that a list such as `5, 5, ?` or `55?` tells; `None` for one unknown.

    Raises:
        ArgumentError: If it holds anything else.
    """
    value = Value(text, 0, 0)
    try:
        return tuple(_size(item, value) for item in _numbers(value))
    except HeaderError as error:
        raise errors.ArgumentError(error.reason, argument="hands") from None


def slots_in(text: str) -> tuple[Slot, ...]:
    """
    Return the face-down slots that a list such as `Ballroom, Pool 3` names.

    Raises:
        ArgumentError: If a count is none.
    """
    try:
        return tuple(_slots(Value(text, 0, 0)))
    except HeaderError as error:
        raise errors.ArgumentError(error.reason, argument="face_down") from None


def _slots(value: Value) -> Iterator[Slot]:
    """Yield the face-down slots: names, each with a count or for one card."""
    for item in _parts(value):
        *name, last = item.text.split() or ("",)
        if not _COUNT.fullmatch(last):
            name = [*name, last]
            last = "1"
        count = _number(last) or 0
        if not (any(name) and 0 < count <= MOST_CARDS) or _COUNT.fullmatch(name[-1]):
            wanted = f"a name and a count from 1 to {MOST_CARDS}, such as Pool 3"
            reason = f"face-down: expected {wanted}; found '{errors.printable(item.text)}'"
            raise HeaderError(reason, value.number, item.column)
        yield Slot(name=" ".join(name), count=count)
