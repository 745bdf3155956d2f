"""
The two written forms of a record: `.clue`, a header and one line for each observation, and JSON
Lines.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

import msgspec
from msgspec import Struct

from clue_solver import notation
from clue_solver.errors import (
    ArgumentError,
    EditionError,
    NotationError,
    RecordError,
    SetupError,
    pointed,
    printable,
)
from clue_solver.notation.names import Names, joined
from clue_solver.notation.reading import BY_MISTAKE
from clue_solver.record import contents
from clue_solver.rules.edition import Answering, Side, load_edition
from clue_solver.rules.observations import Answer, Event, Observation, kinds
from clue_solver.rules.table import SPECTATOR, HouseRule, Shows, Slot, Table


def format_record(record: contents.Record) -> str:
    """
    Return the record in the `.clue` form, in canonical lines.

    Raises:
        RecordError: If the edition's name does not fit a line.

    >>> from clue_solver import load
    >>> print(format_record(load("examples/evening.clue").record).splitlines()[1])
    edition: clue-classic
    """
    lines: list[str] = []
    for line in header_of(record):
        lines.extend(line.before)
        value = contents.format_value(record.table, line.key)
        if value is not None:
            lines.append(_commented(f"{line.key}: {value}", line.comment))
    for entry in record.entries:
        lines.extend(entry.before)
        lines.append(
            _commented(notation.format_line(entry.observation, record.table), entry.comment)
        )
    return "\n".join((*lines, *record.after, ""))


def header_of(record: contents.Record) -> tuple[contents.HeaderLine, ...]:
    """Return the header's lines: those of the file, then those that the table needs besides."""
    there = {line.key for line in record.header}
    missing = (
        contents.HeaderLine(key=key)
        for key in contents.KEYS
        if key not in there and contents.value_of(record.table, key) is not None
    )
    return (*record.header, *missing)


def parse_clue(text: str, *, path: str = "", beside: Path | None = None) -> contents.Record:
    """
    Return the record that a text in the `.clue` form holds.

    Args:
        text: The whole text.
        path: The file's name, for errors.
        beside: The folder that an edition's path starts from; the working folder if left out.

    Raises:
        RecordError: If it holds none; with the number of the line, its text and the place in it.
    """
    reader = _ClueReader(text, path)
    table = reader.header(beside)
    entries = reader.entries(table)
    return contents.Record(
        table=table, header=tuple(reader.keys), entries=entries, after=reader.above()
    )


def _commented(line: str, comment: str) -> str:
    return f"{line}  # {comment}" if comment else line


class _ClueReader:
    """Reads the lines of one text from top to bottom, first the header, then the entries."""

    def __init__(self, text: str, path: str) -> None:
        self.lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        if self.lines[-1] == "":
            self.lines.pop()
        self.path = path
        self.keys: list[contents.HeaderLine] = []
        self._values: dict[str, contents.Value] = {}
        self._above: list[str] = []
        self._place = 0

    def header(self, beside: Path | None) -> Table:
        """Return the table that the header describes."""
        for line in self.lines:
            if not line:
                self._above.append(line)
            elif not self._header_line(line):
                break
            self._place += 1
        try:
            return contents.read_table(self._values, beside=beside)
        except contents.HeaderError as error:
            self._refuse(error.reason, error.number, error.column)

    def entries(self, table: Table) -> tuple[contents.Entry, ...]:
        """Return what the lines after the header tell."""
        state = notation.TurnState()
        entries: list[contents.Entry] = []
        names = notation.lexicon_of(table)
        for number, line in enumerate(self.lines[self._place :], start=self._place + 1):
            if not line:
                self._above.append(line)
                continue
            plain = None if self._above else _plain_entry(line, names)
            if plain is not None:
                state = state.after(plain.observation)
                entries.append(plain)
                continue
            body, comment = notation.split_comment(line)
            if self._aside(line, body):
                continue
            try:
                observation = notation.parse_line(body, table, state)
            except NotationError as error:
                before, colon, _ = body.partition(":")
                if colon and contents.key_of(before):
                    self._refuse("header lines come before the first observation", number, 0)
                self._refuse(error.reason, number, error.column)
            state = state.after(observation)
            entries.append(
                contents.Entry(observation=observation, comment=comment, before=self.above())
            )
        return tuple(entries)

    def above(self) -> tuple[str, ...]:
        """Return the comments and blank lines since the last line that told something."""
        lines = tuple(self._above)
        self._above = []
        return lines

    def _aside(self, line: str, body: str) -> bool:
        """Keep a line that tells nothing; return whether it was such a line."""
        if body.strip():
            return False
        self._above.append(line.rstrip())
        return True

    def _header_line(self, line: str) -> bool:
        """Take in the line if it belongs to the header; return whether it did."""
        body, comment = notation.split_comment(line)
        if self._aside(line, body):
            return True
        before, _, after = body.partition(":")
        key = contents.key_of(before) if ":" in body else None
        number = self._place + 1
        if key is None:
            self._check_end(body, number)
            return False
        if key in self._values:
            self._refuse(f"`{key}:` is in the header twice", number, 0)
        column = len(body) - len(after.lstrip())
        self._values[key] = contents.Value(after.strip(), number, column)
        self.keys.append(contents.HeaderLine(key=key, comment=comment, before=self.above()))
        return True

    def _check_end(self, body: str, number: int) -> None:
        """Refuse a line that is neither a header line nor stands after a whole header."""
        before, colon, _ = body.partition(":")
        complete = all(key in self._values for key in contents.NEEDED)
        if colon and len(before.split()) == 1:
            error = contents.unknown_key(before)
            if error.nearest or not complete:
                self._refuse(error.reason, number, 0)
        if not complete:
            lacking = " and ".join(
                f"`{key}:`" for key in contents.NEEDED if key not in self._values
            )
            reason = (
                f"expected the header, which lacks {lacking}; found '{printable(body.strip())}'"
            )
            self._refuse(reason, number)

    def _refuse(self, reason: str, number: int, column: int | None = None) -> NoReturn:
        if column is not None and number:
            quoted = pointed(self.lines[number - 1], column).replace("\n", "\n  ")
            reason = f"{reason}\n  {quoted}"
        raise RecordError(reason, path=self.path, number=number) from None


@lru_cache(1 << 14)
def _plain_entry(line: str, names: notation.Lexicon) -> contents.Entry | None:
    """Return the entry of a line that is told in the same words in game after game, if it is."""
    told = notation.plainly_told(line, names)
    return None if told is None else contents.Entry(observation=told)


_ASIDE = ("comment", "before")


class _Remark(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The comments of a header line."""

    before: tuple[str, ...] = ()
    comment: str = ""


_DASHED = {"face_up": "face-up", "face_down": "face-down", "clue_cards": "clue-cards"}


class _Game(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=_DASHED):
    """The header object; `remarks` are its comments by key, `after` those after the last entry."""

    event: Literal["game"]
    edition: str
    players: tuple[str, ...]
    hands: tuple[int | None, ...] | None = None
    viewer: str | None = None
    face_up: tuple[str, ...] | None = None
    face_down: tuple[Slot, ...] | None = None
    order: Side | None = None
    answers: Answering | None = None
    shows: Shows | None = None
    asks: str | None = None
    board: Literal["none"] | None = None
    notch: Literal["same"] | None = None
    sizes: Literal["dealt"] | None = None
    names: str | None = None
    format: int | None = None
    first: str | None = None
    pieces: tuple[str | None, ...] | None = None
    solution: tuple[str, ...] | None = None
    house: tuple[HouseRule, ...] | None = None
    clue_cards: Literal["none"] | None = None
    game: str | None = None
    remarks: dict[str, _Remark] = {}
    after: tuple[str, ...] = ()


def is_jsonl(text: str) -> bool:
    """Whether a text is a record in the JSON Lines form rather than in the `.clue` form."""
    return text.removeprefix("\ufeff").lstrip()[:1] == "{"


def to_jsonl(record: contents.Record) -> str:
    """Return the record as JSON Lines: the header object, then one object for each entry."""
    header: dict[str, Any] = {"event": "game"}
    remarks: dict[str, _Remark] = {}
    for line in header_of(record):
        value = contents.value_of(record.table, line.key)
        if value is None and line.key == "viewer":
            value = SPECTATOR
        if value is not None:
            header[line.key] = value
        if line.before or line.comment:
            remarks[line.key] = _Remark(before=line.before, comment=line.comment)
    if remarks:
        header["remarks"] = remarks
    if record.after:
        header["after"] = record.after
    objects = [header]
    for entry in record.entries:
        values = msgspec.to_builtins(entry.observation)
        if entry.comment:
            values["comment"] = entry.comment
        if entry.before:
            values["before"] = entry.before
        objects.append(values)
    lines = (msgspec.json.format(msgspec.json.encode(values), indent=0) for values in objects)
    return "".join(f"{line.decode()}\n" for line in lines)


def from_jsonl(text: str, *, path: str = "", beside: Path | None = None) -> contents.Record:
    """
    Return the record that JSON Lines hold.

    Args:
        text: The whole text; blank lines in it mean nothing.
        path: The file's name, for errors.
        beside: The folder that an edition's path starts from; the working folder if left out.

    Raises:
        RecordError: If they hold none; with the number of the line and the JSON path in it.
    """
    reader = _JsonlReader(path)
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    objects = [(number, line) for number, line in lines if line.strip()]
    if not objects:
        reader.refuse(0, "$", 'expected a header object, {"event": "game", ...}; found nothing')
    header = reader.header(*objects[0], beside)
    return reader.record(header, objects[1:])


class _JsonlReader:
    """Reads the objects of one text."""

    def __init__(self, path: str) -> None:
        self.path = path

    def refuse(self, number: int, place: str, reason: str) -> NoReturn:
        message = reason if place == "$" else f"{place}: {reason}"
        raise RecordError(message, path=self.path, number=number) from None

    def header(self, number: int, line: str, beside: Path | None) -> contents.Record:
        values = self._object(number, line)
        if values.get("event") != "game":
            self.refuse(number, "$.event", "expected 'game': the header object comes first")
        self._check_fields(number, values, ("event", *contents.KEYS, "remarks", "after"), "$")
        self._check_words(number, values)
        game: _Game = self._converted(number, values, _Game)
        for key in game.remarks:
            if key not in values or key not in contents.KEYS:
                self.refuse(number, "$.remarks", f"expected a key of the header; found '{key}'")
        table = self._table(number, game, beside)
        keys = [key for key in values if key in contents.KEYS and values[key] not in (None, [])]
        try:
            lines = tuple(
                contents.HeaderLine(key=key, comment=said.comment, before=said.before)
                for key in keys
                for said in (game.remarks.get(key, _Remark()),)
            )
            return contents.Record(table=table, header=lines, after=game.after)
        except RecordError as error:
            self.refuse(number, "$", str(error))

    def record(
        self, header: contents.Record, objects: Iterable[tuple[int, str]]
    ) -> contents.Record:
        state = notation.TurnState()
        entries: list[contents.Entry] = []
        for number, line in objects:
            entry = self._entry(number, line, header.table, state)
            state = state.after(entry.observation)
            entries.append(entry)
        return contents.Record(
            table=header.table, header=header.header, entries=tuple(entries), after=header.after
        )

    def _entry(
        self, number: int, line: str, table: Table, state: notation.TurnState
    ) -> contents.Entry:
        values = self._object(number, line)
        event = values.get("event")
        if event == "game":
            self.refuse(number, "$.event", "the header object comes first and only once")
        tagged: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in kinds()}
        kind = tagged.get(event) if isinstance(event, str) else None
        if kind is None:
            named = "nothing" if event is None else f"'{printable(str(event))}'"
            self.refuse(number, "$.event", f"expected {joined(tagged)}; found {named}")
        aside = {key: values.pop(key) for key in _ASIDE if key in values}
        self._check_fields(number, values, ("event", *kind.__struct_fields__), "$")
        answers = values.get("answers")
        for place, answer in enumerate(answers if isinstance(answers, list) else ()):
            if isinstance(answer, dict):
                fields = Answer.__struct_fields__
                self._check_fields(number, answer, fields, f"$.answers[{place}]")
        observation = cast(
            Observation, self._converted(number, _renamed(values, table, kind), kind)
        )
        said: _Remark = self._converted(number, aside, _Remark)
        try:
            settled = notation.normalise(observation, table, state)
            return contents.Entry(observation=settled, comment=said.comment, before=said.before)
        except notation.InvalidObservation as misfit:
            parts = (f"[{x}]" if isinstance(x, int) else f".{x}" for x in misfit.path)
            self.refuse(number, f"${''.join(parts)}", misfit.reason)
        except RecordError as error:
            self.refuse(number, "$", str(error))

    def _object(self, number: int, line: str) -> dict[str, Any]:
        try:
            values = msgspec.json.decode(line)
            json.loads(line, object_pairs_hook=_once)
        except _Twice as twice:
            self.refuse(number, "$", f"'{printable(str(twice))}' is in one object twice")
        except RecursionError:
            self.refuse(number, "$", "expected a JSON object; found one nested too deeply")
        except (msgspec.DecodeError, ValueError) as error:
            self.refuse(number, "$", f"expected a JSON object; {_in_words(str(error))}")
        if not isinstance(values, dict):
            self.refuse(number, "$", f"expected a JSON object; found '{printable(line)}'")
        return values

    def _converted(self, number: int, values: dict[str, Any], kind: Any) -> Any:
        try:
            return msgspec.convert(values, kind)
        except msgspec.ValidationError as error:
            reason, _, place = str(error).partition(" - at `")
            reason = reason[:1].lower() + reason[1:]
            self.refuse(number, place.rstrip("`") or "$", _in_words(reason))

    def _check_fields(
        self, number: int, values: dict[str, Any], fields: Sequence[str], place: str
    ) -> None:
        for field in values:
            if field == "wrongly" and "answer" in values:
                self.refuse(number, f"{place}.wrongly", BY_MISTAKE)
            if field not in fields:
                self.refuse(number, place, Names("field", fields).unknown(field).reason)

    def _check_words(self, number: int, values: dict[str, Any]) -> None:
        """Refuse words of the header in whose place others are written."""
        for key in ("answers", "house"):
            said = values.get(key)
            for word in said if isinstance(said, list) else (said,):
                try:
                    contents.refuse_gone(key, contents.Value(str(word), number, 0))
                except contents.HeaderError as error:
                    self.refuse(number, f"$.{key}", error.reason)

    def _table(self, number: int, game: _Game, beside: Path | None) -> Table:
        try:
            edition = load_edition(game.edition, beside=beside)
            deck = notation.deck_of(edition, game.names)
            viewers = Names("player", (*game.players, SPECTATOR))
            viewer = None if game.viewer is None else _exact(game.viewer, viewers)
            return Table(
                edition=edition,
                seats=game.players,
                hands=game.hands or (),
                viewer=None if viewer == SPECTATOR else viewer,
                face_up=tuple(_exact(card, deck.cards) for card in game.face_up or ()),
                slots=game.face_down or (),
                order=game.order,
                answers=game.answers,
                shows=game.shows,
                asks=contents.asks_in(game.asks, game.players) if game.asks else (),
                board=game.board,
                notch=game.notch,
                sizes=game.sizes,
                language=game.names,
                format=game.format,
                first=None if game.first is None else _exact(game.first, viewers),
                pieces=tuple(piece and _exact(piece, deck.suspects) for piece in game.pieces or ()),
                solution=tuple(_exact(card, deck.cards) for card in game.solution or ()),
                house=game.house or (),
                clue_cards=game.clue_cards,
                game=game.game,
            )
        except (EditionError, SetupError, ArgumentError) as error:
            place = f"$.{error.argument}" if error.argument else "$"
            self.refuse(number, place, printable(str(error), most=1000))


def _renamed(values: dict[str, Any], table: Table, kind: type[Event]) -> dict[str, Any]:
    """Return an object with whole names, titles and aliases in any case by their names."""
    lexicon = notation.lexicon_of(table)
    names = {field: lexicon.of(bearers) for field, bearers in kind.form.bearers().items()}

    def renamed(field: str, said: Any) -> Any:
        if isinstance(said, list):
            return [renamed(field, element) for element in said]
        if isinstance(said, dict):
            return {key: renamed(key, value) for key, value in said.items()}
        return _exact(said, names[field]) if isinstance(said, str) and field in names else said

    return {key: renamed(key, said) for key, said in values.items()}


def _exact(said: str, names: Names) -> str:
    """The one name that the text is in any case, or whose title or alias it is; else the text."""
    named = names.exact(said)
    return named[0] if len(named) == 1 else said


class _Twice(Exception):
    """A key stands in one JSON object twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for key in keys if keys.count(key) > 1))
    return values


_TYPES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number with a point",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_WORDS = {
    r"Input data was truncated": "the line ends too early",
    r"JSON is malformed: (.*) \(byte (\d+)\)": r"\1, at byte \2 of the line",
    r"object missing required field (`.*`)": r"expected \1, which is missing",
    r"object contains unknown field (`.*`)": r"unknown field \1",
    r"invalid enum value (.*)": r"unknown word \1",
}


def _in_words(reason: str) -> str:
    """Say in a player's words what the JSON decoder says in its own."""
    for said, words in _WORDS.items():
        reason = re.sub(said, words, reason)
    if reason.startswith("expected `"):
        reason = reason.replace(", got ", "; found ")
        one = "|".join(_TYPES)
        types = rf"`((?:{one})(?: [|] (?:{one}))*)`"
        reason = re.sub(
            types,
            lambda match: joined(_TYPES.get(name, name) for name in match[1].split(" | ")),
            reason,
        )
    return printable(reason, most=200)
