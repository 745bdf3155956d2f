"""The JSON Lines form of a record: a header object, then one tagged object for each entry."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, get_type_hints

import msgspec

from clue_solver import notation
from clue_solver.errors import ClueError, RecordError, printable
from clue_solver.notation.names import Names, joined
from clue_solver.notation.reading import BY_MISTAKE
from clue_solver.record.contents import Entry, HeaderLine, Record, Remark, mapped
from clue_solver.record.header import KEYS, NEEDED, HeaderKey, format_value, table_from
from clue_solver.rules.observations import Answer, kinds
from clue_solver.rules.table import SPECTATOR, Table

_TYPES = get_type_hints(Table)

_Game = msgspec.defstruct(
    "_Game",
    [
        ("edition", str),
        ("players", tuple[str, ...]),
        *(
            (key.field, (str if key.as_text else _TYPES[key.attribute]) | None, None)
            for key in KEYS.values()
            if key.name not in NEEDED
        ),
        ("remarks", dict[str, Remark], {}),
        ("after", tuple[str, ...], ()),
    ],
    rename={key.field: key.name for key in KEYS.values()},
)
"""
The header object: what stands under each key, the comments by key (`remarks`), and those after the
last entry (`after`).
"""


def is_jsonl(text: str) -> bool:
    """Whether a text is a record in the JSON Lines form rather than in the `.clue` form."""
    return text.removeprefix("\ufeff").lstrip()[:1] == "{"


def to_jsonl(record: Record) -> str:
    """Return the record as JSON Lines: the header object, then one object for each entry."""
    header: dict[str, Any] = {"event": "game"}
    remarks: dict[str, Any] = {}
    for line in record.whole_header:
        key = KEYS[line.key]
        value = key.value(record.table)
        if value is not None or line.key == "viewer":
            header[line.key] = format_value(record.table, line.key) if key.as_text else value
        if line.before or line.comment:
            remarks[line.key] = Remark(before=line.before, comment=line.comment)
    if record.table.viewer is None and "viewer" in header:
        header["viewer"] = SPECTATOR
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
    Return the record that JSON Lines hold.

    Args:
        text: The whole text; blank lines in it mean nothing.
        path: The file's name, for errors.
        beside: The folder that an edition's path starts from; the working folder if left out.

    Raises:
        RecordError: If they hold none; with the number of the line and the JSON path in it.
    """
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    objects = [(number, line) for number, line in lines if line.strip()]
    if not objects:
        expected = 'expected a header object, {"event": "game", ...}; found nothing'
        raise RecordError(expected, path=path)
    header = _Object(path, *objects[0]).header(beside)
    state = notation.TurnState()
    entries: list[Entry] = []
    for number, line in objects[1:]:
        entry = _Object(path, number, line).entry(header.table, state)
        state = state.after(entry.observation)
        entries.append(entry)
    return msgspec.structs.replace(header, entries=tuple(entries))


class _Object:
    """Reads the object of one line."""

    def __init__(self, path: str, number: int, line: str) -> None:
        self._path = path
        self._number = number
        try:
            values = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            self._refuse("$", f"expected a JSON object; {printable(str(error), most=200)}")
        if not isinstance(values, dict):
            self._refuse("$", f"expected a JSON object; found '{printable(line)}'")
        self._values: dict[str, Any] = values

    def header(self, beside: Path | None) -> Record:
        """Return the record without entries of the header object."""
        values = self._values
        if values.pop("event", None) != "game":
            self._refuse("$.event", "expected 'game': the header object comes first")
        self._check_fields(values, _Game.__struct_encode_fields__)
        game = self._converted(values, _Game)
        given = {name: getattr(game, key.field) for name, key in KEYS.items()}
        said = {name: value for name, value in given.items() if value not in (None, ())}
        for key in game.remarks:
            if key not in said:
                expected = "expected a key of the header"
                self._refuse("$.remarks", f"{expected}; found '{printable(key)}'")
        try:
            table = table_from(said, game.players, _told, beside=beside)
        except ClueError as error:
            self._refuse(f"$.{error.key}", printable(str(error), most=1000))
        lines = tuple(
            HeaderLine(key=key, comment=remark.comment, before=remark.before)
            for key in values
            if key in said
            for remark in (game.remarks.get(key, Remark()),)
        )
        return Record(table=table, header=lines, after=game.after)

    def entry(self, table: Table, state: notation.TurnState) -> Entry:
        """Return the entry of an object behind the header object."""
        values = self._values
        event = values.get("event")
        if event == "game":
            self._refuse("$.event", "the header object comes first and only once")
        tagged = {str(kind.__struct_config__.tag): kind for kind in kinds()}
        kind = tagged.get(event) if isinstance(event, str) else None
        if kind is None:
            named = "nothing" if event is None else f"'{printable(str(event))}'"
            self._refuse("$.event", f"expected {joined(tagged)}; found {named}")
        remark = {key: values.pop(key) for key in Remark.__struct_fields__ if key in values}
        self._check_fields(values, ("event", *kind.__struct_fields__))
        answers = values.get("answers")
        for place, answer in enumerate(answers if isinstance(answers, list) else ()):
            if isinstance(answer, dict):
                self._check_fields(answer, Answer.__struct_fields__, f"$.answers[{place}]")
        lexicon = notation.lexicon_of(table)
        observation = mapped(
            self._converted(values, kind), lambda bearers, name: _exact(name, lexicon.of(bearers))
        )
        said = self._converted(remark, Remark)
        try:
            observation = notation.normalise(observation, table, state)
        except notation.InvalidObservation as misfit:
            parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in misfit.path)
            self._refuse(f"${''.join(parts)}", misfit.reason)
        return Entry(observation=observation, comment=said.comment, before=said.before)

    def _converted(self, values: dict[str, Any], kind: type[Any]) -> Any:
        try:
            return msgspec.convert(values, kind)
        except msgspec.ValidationError as error:
            reason, _, place = str(error).partition(" - at `")
            self._refuse(place.rstrip("`") or "$", printable(reason, most=200))
        except RecordError as error:
            self._refuse("$", str(error))

    def _check_fields(
        self, values: dict[str, Any], fields: Sequence[str], place: str = "$"
    ) -> None:
        for field in values:
            if field == "wrongly" and "answer" in values:
                self._refuse(f"{place}.wrongly", BY_MISTAKE)
            if field not in fields:
                self._refuse(place, Names("field", fields).unknown(field).reason)

    def _refuse(self, place: str, reason: str) -> NoReturn:
        message = reason if place == "$" else f"{place}: {reason}"
        raise RecordError(message, path=self._path, number=self._number) from None


def _told(key: HeaderKey, said: Any, table: Table) -> Any:
    """Return what a value of the header object gives the table."""
    if key.as_text:
        return key.parse(said, table)
    if key.names is None:
        return said
    names = key.names(table)
    if isinstance(said, str):
        name = _exact(said, names)
        return None if name == SPECTATOR else name
    return tuple(each and _exact(each, names) for each in said)


def _exact(said: str, names: Names) -> str:
    """Return the one name that a text is in any case, or whose title or alias it is; or itself."""
    named = names.exact(said)
    return named[0] if len(named) == 1 else said
