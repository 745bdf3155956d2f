"""The JSON Lines form of a record: a header object, then one tagged object for each entry."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from clue_solver.errors import ClueError, RecordError, printable
from clue_solver.notation.checks import InvalidObservation, normalise
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names
from clue_solver.record.contents import Entry, HeaderLine, Record, Remark, map_names
from clue_solver.record.header import KEYS, at_fault, format_value, table_from
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

_AS_TEXT = ("edition", "asks")
"""The header keys whose values are always written as text, as in the `.clue` form."""


class _Header(Struct):
    """
    Those parts of the header object that are not the text of a header key.

    Attributes:
        players: The players' names, clockwise.
        remarks: The comments on header lines, by key.
        after: The comments and blank lines after the last entry.
    """

    players: tuple[str, ...]
    remarks: dict[str, Remark] = {}
    after: tuple[str, ...] = ()


def is_jsonl(text: str) -> bool:
    """Return whether a text is in the JSON Lines form rather than in the `.clue` form."""
    return text.removeprefix("\ufeff").lstrip()[:1] == "{"


def to_jsonl(record: Record) -> str:
    """Return the record as JSON Lines: the header object, then one object for each entry."""
    header: dict[str, Any] = {"event": "game"}
    remarks: dict[str, Any] = {}
    for line in record.whole_header:
        key = KEYS[line.key]
        value = key.value(record.table)
        if value is None or line.key in _AS_TEXT:
            value = format_value(record.table, line.key)
        if value is not None:
            header[line.key] = value
        if line.before or line.comment:
            remarks[line.key] = Remark(before=line.before, comment=line.comment)
    if remarks:
        header["remarks"] = remarks
    if record.after:
        header["after"] = record.after
    objects = [header]
    for entry in record.entries:
        remark = Remark(before=entry.before, comment=entry.comment)
        objects.append(msgspec.to_builtins(entry.observation) | msgspec.to_builtins(remark))
    lines = (msgspec.json.format(msgspec.json.encode(values), indent=0) for values in objects)
    return "".join(f"{line.decode()}\n" for line in lines)


def from_jsonl(text: str, *, path: str = "", beside: Path | None = None) -> Record:
    """
    Return the record in a text of JSON Lines.

    Args:
        text: The whole text; blank lines are ignored.
        path: The name of the text's file, for errors.
        beside: The folder from which the path of an edition's file starts; the working folder if
            left out.

    Raises:
        RecordError: If the text is no record; the error has the number of the line, and the path
            (`$.answers[0].card`) of the wrong value in the object.
    """
    header: Record | None = None
    entries: list[Entry] = []
    state = TurnState()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values = msgspec.json.decode(line, type=dict[str, Any])
            if header is None:
                header = _header(values, beside)
                continue
            entry = _entry(values, header.table, state)
        except (ClueError, msgspec.DecodeError, RecursionError, ValueError) as error:
            raise RecordError(_reason(error), path=path, number=number) from None
        state = state.after(entry.observation)
        entries.append(entry)
    if header is None:
        expected = 'expected a header object, {"event": "game", ...}; found nothing'
        raise RecordError(expected, path=path)
    return replace(header, entries=tuple(entries))


def _reason(error: Exception) -> str:
    """
    Return the message for an error in an object, which begins with the path of the wrong value.
    """
    reason = str(error)
    place = ""
    if isinstance(error, msgspec.ValidationError):
        reason, _, place = reason.partition(" - at `$")
        place = place.rstrip("`")
    elif isinstance(error, InvalidObservation):
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.path)
    elif isinstance(error, ClueError) and error.key:
        place = f".{error.key}"
    reason = printable(reason, most=1000)
    return f"${place}: {reason}" if place else reason


def _header(values: dict[str, Any], beside: Path | None) -> Record:
    """
    Return the record that the header object describes, without entries.

    `beside` is the folder from which the path of an edition's file starts; the working folder if
    `None`.

    Raises:
        ClueError: If the object has an unknown field, or describes no possible table.
    """
    with at_fault("event"):
        if values.pop("event", None) != "game":
            raise RecordError("expected 'game': the header object comes first")
    _check_fields(values, (*KEYS, "remarks", "after"))
    header = msgspec.convert(values, _Header)
    said = {key: _text(value) for key, value in values.items() if key in KEYS and value}
    with at_fault("remarks"):
        _check_fields(header.remarks, tuple(said))
    table = table_from(said, header.players, beside)
    remarks = {key: header.remarks.get(key, Remark()) for key in said}
    lines = tuple(HeaderLine(key=key, **asdict(remark)) for key, remark in remarks.items())
    return Record(table=table, header=lines, after=header.after)


def _text(value: Any) -> str:
    """Return a value in the header object as a `.clue` header would write it: lists with commas."""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, dict):  # face-down cards: their name and their count
        return " ".join(map(_text, value.values()))
    return "?" if value is None else str(value)


def _entry(values: dict[str, Any], table: Table, state: TurnState) -> Entry:
    """
    Return the entry in one of the objects after the header object.

    Args:
        values: The fields of the object.
        table: The table.
        state: The state of the turns before the entry, which it is checked against.

    Raises:
        ClueError: If the observation is not possible at this table.
    """
    remark = {field: values.pop(field) for field in Remark.__struct_fields__ if field in values}
    names = lexicon_of(table)
    event: Any = msgspec.convert(values, Observation)
    event = map_names(event, lambda of, name: _exact(name, names.of(of)))
    comments = asdict(msgspec.convert(remark, Remark))
    return Entry(observation=normalise(event, table, state), **comments)


def _check_fields(values: dict[str, Any], fields: Sequence[str]) -> None:
    """Raise a `NotationError` if a key of `values` is not among the known `fields`."""
    for field in values:
        if field not in fields:
            raise Names("field", fields).error_for(field)


def _exact(said: str, names: Names) -> str:
    """
    Return the one of `names` that the text `said` spells out in full, perhaps by a title or alias.

    If there is none or more than one, return the text unchanged.
    """
    named = names.exact(said)
    return named[0] if len(named) == 1 else said
