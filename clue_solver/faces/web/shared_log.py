"""
The public log of a table that several phones share: an append-only list of operations.

Each phone has the same operations in the same order, and so the same log; what it has told itself
waits until it has its place in that order. Where others were first, what waits is laid behind
theirs anew; what does not fit there any more is given back to whoever told it.

An operation is a line of text, `3f9a01c2de told: Ben skips`, the same for a relay and to be pasted:

| line | meaning |
|---|---|
| `ID told: LINE`, `ID told before ENTRY: LINE` | an entry, at the end or before another one |
| `ID changed ENTRY: LINE` | another line in its place |
| `ID deleted ENTRY` | it is taken out |
| `ID header: {"players":"Ann, Ben", ...}` | what header lines say; `null` takes one out |

An entry is named by the operation that told it. What comes twice counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from secrets import token_hex
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from clue_solver.conversation.doubts import Place, doubts_of
from clue_solver.conversation.history import Moment
from clue_solver.errors import ArgumentError, ClueError, NotationError, SetupError, printable
from clue_solver.faces.web.seat_notes import public_of, runs
from clue_solver.notation import format_line, read_line
from clue_solver.record import Entry, Record
from clue_solver.record.contents import HeaderError, Value, format_value, read_table
from clue_solver.rules.edition import shipped_editions
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Course
from clue_solver.rules.table import Table

HEADER = (
    *("edition", "players", "hands", "face-up", "face-down", "order", "answers", "board", "notch"),
    *("sizes", "first", "pieces", "solution", "house", "clue-cards", "game"),
)
"""The parts of the header that everybody shares; whose notes it is and how to reckon is not."""

Kind = Literal["told", "changed", "deleted", "header"]

_FORM = re.compile(
    rf"([0-9a-f]{{10}}) ({'|'.join(get_args(Kind))})(?: (?:before )?([0-9a-f]{{10}}))?(?:: (.+))?"
)


class Operation(NamedTuple):
    """
    One step of the log.

    Attributes:
        id: What tells it from others; an entry that it tells is named so.
        kind: What it does.
        entry: The entry that is changed or deleted, or before which one is told.
        line: The line of the entry; of a header the values of its lines by their keys, as JSON.

    >>> Operation.read("3f9a01c2de told before 00112233aa: Ben skips").line
    'Ben skips'
    """

    id: str
    kind: Kind
    entry: str = ""
    line: str = ""

    def __str__(self) -> str:
        entry = f" {'before ' if self.kind == 'told' else ''}{self.entry}" if self.entry else ""
        return f"{self.id} {self.kind}{entry}{f': {self.line}' if self.line else ''}"

    @classmethod
    def new(cls, kind: Kind, entry: str = "", line: str = "") -> Operation:
        """Return an operation that nobody has told yet."""
        return cls(token_hex(5), kind, entry, line)

    @classmethod
    def read(cls, text: str) -> Operation:
        """
        Return the operation that a line is.

        Raises:
            NotationError: If it is none.
        """
        form = _FORM.fullmatch(text)
        if form is not None:
            operation = cls(form[1], form[2], form[3] or "", form[4] or "")  # type: ignore[arg-type]
            if str(operation) == text:
                return operation
        raise NotationError(f"expected a line of a shared table; found '{printable(text)}'")

    @property
    def values(self) -> dict[str, str | None]:
        """The values of a header's lines; raises a `NotationError` if it has none."""
        try:
            return msgspec.json.decode(self.line, type=dict[str, str | None])
        except (ValueError, msgspec.MsgspecError):
            raise NotationError("expected header lines of a shared table") from None


class Agreed(NamedTuple):
    """
    What operations have come to.

    Attributes:
        moment: The public log; `None` before there is a header.
        ids: What names each of its entries.
    """

    moment: Moment | None = None
    ids: tuple[str, ...] = ()

    @property
    def now(self) -> Moment:
        """The public log; raises a `SetupError` if there is none."""
        if self.moment is None:
            raise SetupError("expected the header of a shared table first")
        return self.moment

    @property
    def record(self) -> Record:
        """The public log, as nobody's notes."""
        return self.now.record

    def place(self, entry: str) -> int:
        """Return the number of an entry; raise an `ArgumentError` if it is there no more."""
        if entry not in self.ids:
            raise ArgumentError("expected an entry that is in the log; it was taken out")
        return self.ids.index(entry) + 1

    def after(self, operation: Operation) -> Agreed:
        """
        Return what one more operation makes of it.

        Raises:
            ClueError: If it cannot be read, tells what not everybody noticed, or has no place here.
        """
        if operation.kind == "header":
            table = with_values(self.moment and self.record.table, operation.values)
            moment = self.moment or Moment.of(Record(table=table))
            return self._replace(moment=moment.rewritten(moment.record.entries, table))
        moment, ids, entry = self.now, self.ids, operation.entry
        number = self.place(entry) if entry else None
        if operation.kind == "deleted":
            number = self.place(entry)
            rest = (*ids[: number - 1], *ids[number:])
            return Agreed(moment.rewritten(moment.without(number)), rest)
        observation = self.read(operation)
        if number is None:
            longer = moment.record.longer(observation)
            return Agreed(moment.longer(longer), (*ids, operation.id))
        told = Entry(observation=observation)
        if operation.kind == "changed":
            return self._replace(moment=moment.rewritten(moment.replaced(number, told)))
        ids = (*ids[: number - 1], operation.id, *ids[number - 1 :])
        return Agreed(moment.rewritten(moment.inserted(number, told)), ids)

    def read(self, operation: Operation) -> Observation:
        """Return what an operation tells; raises as `after`."""
        table = self.record.table
        number = self.place(operation.entry) if operation.entry else None
        if operation.kind == "changed" and number is None:
            raise NotationError("expected the entry that is changed")
        told = read_line(operation.line, table, self.now.state_before(number)).observation
        if public_of(told, table) != told:
            raise NotationError("expected what everybody noticed, and nothing else")
        return told


def shared_values(table: Table) -> dict[str, str | None]:
    """Return what the shared lines of a header say, by their keys."""
    return {key: format_value(table, key) for key in HEADER}


def with_values(table: Table | None, values: dict[str, str | None]) -> Table:
    """
    Return a table of which header lines say something else.

    Raises:
        SetupError: If there can be no such table, or others have not got its edition.
    """
    if not values.keys() <= {*HEADER}:
        raise SetupError("expected the header lines that a table shares, and no others")
    if table is not None and not values.keys().isdisjoint(("edition", "players")):
        raise SetupError("the edition and the players of a shared table stay as they are")
    said = ({} if table is None else shared_values(table)) | values
    if said.get("edition") not in shipped_editions():
        edition = printable(str(said.get("edition")))
        raise SetupError(f"expected an edition that every phone has; found '{edition}'")
    given = {key: Value(text, 0, 0) for key, text in said.items() if text is not None}
    try:
        return read_table(given, beside=None)
    except HeaderError as error:
        raise SetupError(error.reason) from None


def own_table(shared: Table, own: Table) -> Table:
    """Return a shared table with what one phone has of its own: its eyes, and how it reckons."""
    return replace(
        shared,
        viewer=own.viewer,
        shows=own.shows,
        asks=own.asks,
        language=own.language,
        format=own.format,
    )


def checked(text: str, agreed: Agreed) -> str:
    """
    Return a line that is about to leave this phone, if it is what everybody noticed alone.

    It is read anew and made anew of its public share, and has to be that, letter by letter.

    Args:
        text: The line.
        agreed: The log that it goes behind.

    Raises:
        NotationError: If it is anything else; it must not be sent then.
    """
    operation = Operation.read(text)
    again = operation
    if operation.kind in ("told", "changed"):
        table = agreed.record.table
        share = public_of(agreed.read(operation), table)
        again = operation._replace(line="" if share is None else format_line(share, table))
    elif operation.kind == "header":
        values = shared_values(with_values(agreed.moment and agreed.record.table, operation.values))
        said = {key: values[key] for key in operation.values}
        again = operation._replace(line=msgspec.json.encode(said).decode())
    if str(again) != text:
        raise NotationError("not sent: the line tells more than everybody noticed")
    return text


def changes(agreed: Agreed, own: Record) -> Iterator[Operation]:
    """Yield the operations that make a public log what everybody notices of somebody's notes."""
    before = {} if agreed.moment is None else shared_values(agreed.record.table)
    after = shared_values(own.table)
    differing = {key: value for key, value in after.items() if value != before.get(key)}
    if differing:
        header = Operation.new("header", line=msgspec.json.encode(differing).decode())
        agreed = agreed.after(header)
        yield header
    table, logged = agreed.record.table, agreed.record.observations
    shares = [public_of(each, own.table) for each in own.observations]
    noticed = tuple(share for share in shares if share is not None)
    lines = [format_line(share, table) for share in noticed]
    yield from _edits(agreed.ids, logged, noticed, lines)


def _edits(
    ids: Sequence[str],
    before: Sequence[Observation],
    after: Sequence[Observation],
    lines: Sequence[str],
) -> Iterator[Operation]:
    """Yield what makes of the entries before those after, whose lines are given."""
    for old, old_end, new, new_end in runs(before, after):
        if before[old:old_end] == after[new:new_end]:
            continue
        entries, told = ids[old:old_end], lines[new:new_end]
        for entry, line in zip(entries, told, strict=False):
            yield Operation.new("changed", entry, line)
        for entry in entries[len(told) :]:
            yield Operation.new("deleted", entry)
        behind = "".join(ids[old_end : old_end + 1])
        for line in told[len(entries) :]:
            yield Operation.new("told", behind, line)


class SharedLog:
    """
    The log as one phone has it.

    Attributes:
        lines: The operations that have their place, in order.
        chains: What each is bound to besides its number: a digest of all up to it, in hexadecimal.
        agreed: What they come to.
        waiting: What was told here and has no place yet.
        laid: What they come to with what waits behind them.
        unread: How many lines mean nothing here.

    >>> from clue_solver import load
    >>> ann, ben = SharedLog(), SharedLog()
    >>> ann.tell(load("examples/evening.clue").record)
    >>> given_back = ben.came(0, [str(operation) for operation in ann.waiting])
    >>> ben.agreed.record == ann.laid.record, given_back
    (True, [])
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines: list[str] = []
        self.chains: list[str] = []
        self.agreed = Agreed()
        self.unread = 0
        self._known: set[str] = set()
        self._given: set[str] = set()
        self._course = Course()
        for line in lines:
            self._agree(line)
        self.laid = self.agreed
        self.waiting: list[Operation] = []

    def chain(self, number: int) -> str:
        """Return the digest of the first lines, which the next one is bound to."""
        return self.chains[number - 1] if number else ""

    def line(self, number: int) -> str | None:
        """
        Return a line that is to be sent, by its number; `None` where nothing waits.

        Raises:
            NotationError: If it tells more than everybody noticed.
        """
        if not self.waiting:
            return None
        if number <= len(self.lines):  # whoever held it has forgotten it
            return self.lines[number - 1]
        self._given.add(self.waiting[0].id)
        return checked(str(self.waiting[0]), self.agreed)

    def tell(self, own: Record) -> None:
        """
        Let wait what somebody's notes have, or have no more, that everybody noticed.

        What waits and was given out stays; the rest is told anew, in as few steps as can be.

        Raises:
            ClueError: If the phones cannot share it; what waited does so as before.
        """
        laid, told = self.agreed, [each for each in self.waiting if each.id in self._given]
        for operation in told:
            laid = laid.after(operation)
        for operation in changes(laid, own):
            checked(str(operation), laid)
            laid = laid.after(operation)
            told.append(operation)
        self.laid, self.waiting = laid, told

    def given(self) -> list[str]:
        """Return all lines, those that wait behind the others."""
        self._given.update(each.id for each in self.waiting)
        return [*self.lines, *map(str, self.waiting)]

    def came(self, after: int, lines: Sequence[str]) -> list[Operation]:
        """
        Take in what has its place behind a line, and lay what waits behind that.

        What came before, in part or whole, changes nothing. Where it is not what this log has
        there, it is what counts, and what stood there waits again.

        Args:
            after: The number of the line before the first.
            lines: The lines in order.

        Returns:
            What does not fit any more, for whoever told it; it waits no longer.

        Raises:
            ArgumentError: If lines are missing in between.
        """
        if after > len(self.lines):
            missing = f"expected what follows line {len(self.lines)}"
            raise ArgumentError(f"{missing}; found what follows line {after}")
        same = 0
        for known, line in zip(self.lines[after:], lines, strict=False):
            if known != line:
                break
            same += 1
        if same == len(lines):
            return []
        start, before = after + same, self.agreed
        cut = self.lines[start:]
        if cut:
            kept = SharedLog(self.lines[:start])
            self.lines, self.chains, self._known = kept.lines, kept.chains, kept._known
            self.agreed, self.unread = kept.agreed, kept.unread
        for line in lines[same:]:
            self._agree(line)
        again: list[Operation] = []
        for line in cut:
            with suppress(NotationError):
                again.append(Operation.read(line))
        theirs = _operations(lines[same:])
        return self._laid_behind(theirs, again, before)

    def _agree(self, line: str) -> None:
        """Take in the next line; one that means nothing, or came before, keeps its place."""
        self.lines.append(line)
        self.chains.append(chained(self.chain(len(self.chains)), line))
        try:
            operation = Operation.read(line)
            if operation.id not in self._known:
                self._known.add(operation.id)
                self.agreed = self.agreed.after(operation)
        except ClueError:
            self.unread += 1

    def _wait(self, operation: Operation) -> None:
        self.laid = self.laid.after(operation)
        self.waiting.append(operation)

    def _laid_behind(
        self, came: Sequence[Operation], again: Sequence[Operation], before: Agreed
    ) -> list[Operation]:
        """Lay what waits behind what came; return what does not fit there."""
        mine = {each.id for each in (*again, *self.waiting)}
        theirs = [each for each in came if each.id not in mine]
        twins = [each for each in theirs if each.kind == "told"]
        names: dict[str, str] = {}
        returned: list[Operation] = []
        told: list[tuple[Operation, Agreed | None]] = [(each, None) for each in again]
        was: Agreed | None = before
        for each in self.waiting:
            told.append((each, was))
            was = _after(was, each)
        self.waiting, self.laid = [], self.agreed
        for own, then in told:
            if own.id in self._known:
                continue
            operation = own._replace(entry=names.get(own.entry, own.entry))
            twin = next((each for each in twins if _same(each, operation)), None)
            if twin is not None:
                twins.remove(twin)
                names[own.id] = twin.id
                continue
            settled = _settled(operation, theirs, self.laid)
            doubtful = theirs and then is not None and self._doubts(operation, self.laid)
            fits = not settled and not (doubtful and doubtful - self._doubts(own, then))
            if settled == "so":
                continue
            try:
                if not fits:
                    raise NotationError("others were first")
                self._wait(operation)
            except ClueError:
                returned.append(operation)
        return returned

    def _doubts(self, operation: Operation, agreed: Agreed | None) -> set[tuple[str, str]]:
        """Return what a careful friend would ask about an entry there."""
        if agreed is None or operation.kind not in ("told", "changed"):
            return set()
        with suppress(ClueError):
            record = agreed.record
            entry = agreed.place(operation.entry) if operation.entry else None
            place = Place(entry, operation.kind == "told" and entry is not None)
            told = read_line(operation.line, record.table, agreed.now.state_before(entry))
            at = None if entry is None else entry - 1
            play = self._course.after(record.table, record.observations[:at])
            doubts = doubts_of(agreed.now.game, told, place=place, play=play)
            return {(doubt.kind, doubt.asks) for doubt in doubts}
        return {("rule", "no place")}


def chained(chain: str, *lines: str) -> str:
    """Return the digest of all lines up to the last of these, of that of all before them."""
    for line in lines:
        chain = sha256(f"{chain}\n{line}".encode()).hexdigest()
    return chain


def _operations(lines: Iterable[str]) -> list[Operation]:
    found = []
    for line in lines:
        with suppress(NotationError):
            found.append(Operation.read(line))
    return found


def _same(theirs: Operation, own: Operation) -> bool:
    """Whether two phones have told the same, each by itself."""
    return own.kind == "told" and theirs.line == own.line


def _settled(own: Operation, theirs: Sequence[Operation], agreed: Agreed) -> str:
    """Return `so` where others have done the same, `else` where they did otherwise; or nothing."""
    if own.kind == "header":
        said = {
            key: value
            for each in theirs
            if each.kind == "header"
            for key, value in each.values.items()
        }
        differing = [key for key, value in own.values.items() if said.get(key, value) != value]
        whole = all(key in said for key in own.values)
        return "else" if differing else "so" if whole else ""
    touched = [each for each in theirs if each.entry == own.entry and each.kind != "told"]
    if not own.entry or (own.entry in agreed.ids and not touched):
        return ""
    if own.kind == "deleted":
        return "so" if own.entry not in agreed.ids else "else"
    return "so" if own.kind == "changed" and touched and touched[-1].line == own.line else "else"


def _after(agreed: Agreed | None, operation: Operation) -> Agreed | None:
    """Return what an operation made of a log; `None` where that is not known."""
    with suppress(ClueError):
        return agreed and agreed.after(operation)
    return None
