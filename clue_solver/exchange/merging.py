"""
Several notebooks of one game laid together into one record.

What everybody notices (suggestions, accusations, questions, looks, peeks, reveals) stands in every
notebook, in the same order, unless somebody missed it; the notebooks are aligned by it. What one of
them alone tells is filled in: cards seen, answers heard, own hands. What two of them tell
differently is no merge's to decide: it is named, entry by entry.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from clue_solver.errors import Contradiction, NotationError, RecordError, escape
from clue_solver.exchange.agreeing import Disagreement, Pair, aligned, alike, filled, one_table
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.evidence import Evidence, share
from clue_solver.knowledge.viewer import pooled_knowledge
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.notation.names import joined
from clue_solver.record import Entry, HeaderLine, Record
from clue_solver.rules.observations import Hand, Observation
from clue_solver.rules.table import Table

_SAME, _FULLER, _MISSED_PRIVATE, _MISSED, _DIFFERS = 0, 1, 1, 8, 10
"""What it costs to lay entries side by side, or to let one stand alone: less than two missed."""


class Source(NamedTuple):
    """An entry of one notebook: the notebook's place in the list, its number there, the entry."""

    book: int
    number: int
    entry: Entry


class _Noticed(NamedTuple):
    """An entry's observation, what everybody notices of it, its kind and whose doing it is."""

    observation: Observation
    public: Evidence
    whose: tuple[type, str | None]


class Told(NamedTuple):
    """An entry of the merged record, and where it stands in the notebooks."""

    entry: Entry
    sources: tuple[Source, ...]


class Merged(NamedTuple):
    """
    Notebooks laid together.

    Attributes:
        record: The record; nobody's notes, unless all the notebooks are one viewer's.
        names: What the notebooks are called.
        told: Where each entry of the record stands in them.
    """

    record: Record
    names: tuple[str, ...]
    told: tuple[Told, ...]

    @property
    def missed(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The public entries that some notebooks lack: entry numbers, and which lack them."""
        found = []
        for number, told in enumerate(self.told, 1):
            there = {source.book for source in told.sources}
            lacking = tuple(name for book, name in enumerate(self.names) if book not in there)
            if lacking and not _private(told.entry.observation):
                found.append((number, lacking))
        return tuple(found)

    @property
    def filled(self) -> int:
        """How many public entries tell more than the first notebook that has them."""
        return sum(
            told.entry.observation != told.sources[0].entry.observation for told in self.told
        )

    def places(self, number: int) -> str:
        """Return where an entry of the record was written: `entry 4 of ann.clue`, in words."""
        sources = ((each.number, self.names[each.book]) for each in self.told[number - 1].sources)
        return joined((f"entry {number} of {name}" for number, name in sources), "and")

    def to_dict(self) -> dict[str, Any]:
        """Return what was done, as dicts and lists; the record is left out."""
        return {
            "schema": 1,
            "notebooks": list(self.names),
            "entries": len(self.told),
            "filled": self.filled,
            "missed": [{"entry": entry, "not_in": list(names)} for entry, names in self.missed],
        }


def merge(records: Sequence[Record], *, names: Sequence[str] = ()) -> Merged:
    """
    Return the notebooks of one game laid together.

    Args:
        records: The notebooks, two or more. The seats may begin anywhere; where what was seen by
            one alone stands between the same public entries, earlier notebooks come first.
        names: What to call them in messages and in `Merged`; numbered if left out.

    Raises:
        Disagreement: If two of them tell something differently, in the header or in entries.
        RecordError: If they are notes of different games, or differ in too many places.
        NotationError, SetupError: If what they tell together has no meaning at one table.
    """
    called = tuple(names) or tuple(f"notebook {place}" for place in range(1, len(records) + 1))
    if len(records) < 2 or len(called) != len(records):
        raise RecordError(f"expected two or more notebooks to merge; found {len(records)}")
    table = one_table([record.table for record in records], called)
    merged = _Merging(table, called).merged(records)
    after = _comments([line for record in records for line in record.after], records[0].after)
    told = _normalised(merged, table)
    entries = tuple(each.entry for each in told)
    record = Record(table=table, header=_header(records, table), entries=entries, after=after)
    return Merged(record, called, told)


def clash(record: Record) -> tuple[int, ...] | None:
    """
    Return a smallest set of entries that cannot all be true, whoever saw them; `None` if all can.

    No seat sees every entry of a merged record, so its readers' own views do not tell.
    """
    try:
        Deduction(pooled_knowledge(record.table, record.observations)).possible(len(record.entries))
    except Contradiction as found:
        return found.entries
    return None


class _Merging:
    """Lays notebooks side by side, each onto what the earlier ones told."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table, self.names = table, names
        self.differences: list[str] = []

    def merged(self, records: Sequence[Record]) -> list[Told]:
        told: list[Told] = []
        for place, record in enumerate(records):
            entries = enumerate(record.entries, 1)
            book = [Told(entry, (Source(place, number, entry),)) for number, entry in entries]
            told = self._together(told, book) if place else book
        if self.differences:
            raise Disagreement(self.differences)
        return told

    def _together(self, one: list[Told], two: list[Told]) -> list[Told]:
        pairs = aligned(
            [self._noticed(each) for each in one],
            [self._noticed(each) for each in two],
            cost=_cost,
            alone=lambda each: _MISSED if each.public else _MISSED_PRIVATE,
        )
        self._same_game(one, two, pairs)
        seen = ((told.entry.observation, told) for told in one)
        hands = {hand.seat: told for hand, told in seen if isinstance(hand, Hand)}
        found: list[Told] = []
        for mine, theirs in pairs:
            if mine is not None:
                told = one[mine]
                found.append(told if theirs is None else self._both(told, two[theirs]))
            elif theirs is not None:
                told = two[theirs]
                observation = told.entry.observation
                known = hands.get(observation.seat) if isinstance(observation, Hand) else None
                if known is None:
                    remarks = tuple(filter(None, told.entry.before))  # without its blank lines
                    found.append(told._replace(entry=replace(told.entry, before=remarks)))
                elif filled(known.entry.observation, observation) is None:
                    self._differ(known, told)
        return found

    def _both(self, one: Told, two: Told) -> Told:
        observation = filled(one.entry.observation, two.entry.observation)
        if observation is None:
            self._differ(one, two)
            return one
        mine, theirs = one.entry, two.entry
        remarks = "; ".join(dict.fromkeys(filter(None, (mine.comment, theirs.comment))))
        before = _comments([*mine.before, *theirs.before], mine.before)
        entry = Entry(observation=observation, comment=remarks, before=before)
        return Told(entry, (*one.sources, *two.sources))

    def _differ(self, one: Told, two: Told) -> None:
        theirs = two.sources[0]
        clashing = (
            source
            for source in one.sources
            if filled(source.entry.observation, theirs.entry.observation) is None
        )
        self.differences.append(
            " but ".join(
                f"entry {each.number} of {escape(self.names[each.book])} "
                f"says '{format_line(each.entry.observation, self.table)}'"
                for each in (next(clashing, one.sources[0]), theirs)
            )
        )

    def _same_game(self, one: list[Told], two: list[Told], pairs: list[Pair]) -> None:
        """Refuse notebooks that share less than half of what both should have noticed."""
        public = [sum(not _private(told.entry.observation) for told in book) for book in (one, two)]
        shared = sum(
            not _private(one[mine].entry.observation)
            for mine, theirs in pairs
            if mine is not None and theirs is not None
        )
        if 2 * shared < min(public):
            late = escape(self.names[two[0].sources[0].book])
            books = sorted({source.book for told in one for source in told.sources})
            early = joined((self.names[book] for book in books), "and")
            raise RecordError(
                f"these look like notes of different games: of {min(public)} suggestions and the "
                f"like that {late} and {early} should share, {shared} stand in both"
            )

    def _noticed(self, told: Told) -> _Noticed:
        observation = told.entry.observation
        by = getattr(observation, "by", getattr(observation, "seat", None))
        public = share(((0, observation),), table=self.table, viewer=None)
        return _Noticed(observation, public, (type(observation), by))


def _cost(one: _Noticed, two: _Noticed) -> int | None:
    """Return what it costs to take two entries for the same; `None` if they cannot be."""
    if one.whose != two.whose:
        return None
    if filled(one.observation, two.observation) is not None:
        return _SAME if one.public == two.public else _FULLER
    return _DIFFERS if alike(one.observation, two.observation) else None


def _private(observation: Observation) -> bool:
    """Whether only one seat notices it."""
    return bool(observation.sight.owner)


def _header(records: Sequence[Record], table: Table) -> tuple[HeaderLine, ...]:
    """Return the first notebook's header lines, above them what the others remark in theirs."""
    kept = [line for line in records[0].header if line.key != "viewer" or table.viewer is not None]
    lines = [line for record in records for line in record.header]
    own = {remark for line in records[0].header for remark in _remarks(line)}
    others = [remark for line in lines for remark in _remarks(line) if remark not in own]
    if others:
        first = kept[0] if kept else HeaderLine(key="edition")
        kept[:1] = [replace(first, before=(*first.before, *dict.fromkeys(others)))]
    return tuple(kept)


def _remarks(line: HeaderLine) -> Iterator[str]:
    yield from filter(None, line.before)
    if line.comment:
        yield f"# {line.comment}"


def _comments(lines: Sequence[str], mine: Sequence[str]) -> tuple[str, ...]:
    """Return the lines above an entry as the first notebook has them, with the others' remarks."""
    return (*mine, *dict.fromkeys(line for line in lines if line and line not in mine))


def _normalised(merged: Sequence[Told], table: Table) -> tuple[Told, ...]:
    """Return the entries checked in their places; a blank line parts them from the header."""
    state = TurnState()
    found: list[Told] = []
    for place, told in enumerate(merged):
        before = told.entry.before
        first = told.sources[0].number == 1
        if place == 0:
            before = before or ("",)
        elif first and before[:1] == ("",):
            before = before[1:]
        try:
            observation = normalise(told.entry.observation, table, state)
        except NotationError as error:
            raise NotationError(
                f"entry {place + 1} of what they tell together, "
                f"'{format_line(told.entry.observation, table)}': {error.reason}"
            ) from None
        state = state.after(observation)
        entry = replace(told.entry, observation=observation, before=before)
        found.append(Told(entry, told.sources))
    return tuple(found)
