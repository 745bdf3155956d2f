"""
Several notebooks of one game laid together into one record.

What everybody notices (suggestions, accusations, questions, looks, peeks, reveals) stands in every
notebook, in the same order, unless somebody missed it; the notebooks are aligned by it. What one of
them alone tells is filled in: cards seen, answers heard, own hands. What two of them tell
differently is no merge's to decide: it is named, entry by entry. Two entries that differ a little
and can both be true are two events, unless that would take far more missed entries than the
notebooks miss elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, Contradiction, NotationError, RecordError, printable
from clue_solver.exchange.agreeing import Disagreement, aligned, alike, filled, one_table
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.evidence import Evidence, share
from clue_solver.knowledge.viewer import pooled_knowledge
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.notation.names import joined
from clue_solver.record import Entry, HeaderLine, Record, with_seats_called
from clue_solver.rules.observations import Hand, Observation, Suggestion
from clue_solver.rules.table import Table

_SAME, _FULLER, _MISSED_PRIVATE, _MISSED, _DIFFERS = 0, 1, 1, 8, 10
"""What it costs to lay entries side by side, or to let one stand alone: less than two missed."""
_UNLIKELY = 1e-8
"""How unlikely misses are where entries that differ a little are one event told in two ways."""


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


class ToldEntry(NamedTuple):
    """An entry of the merged record, and where it stands in the notebooks."""

    entry: Entry
    sources: tuple[Source, ...]


class Missed(NamedTuple):
    """
    An entry that is not in every notebook.

    Attributes:
        entry: Its number in the merged record.
        not_in: What the notebooks are called that lack it.

    >>> from clue_solver import load, merge
    >>> record = load("examples/classic.clue").record
    >>> merge([record, record.upto(17)], names=["ann", "ben"]).missed
    (Missed(entry=18, not_in=('ben',)),)
    """

    entry: int
    not_in: tuple[str, ...]


class Merged(AnswerValue, frozen=True, kw_only=True):
    """
    Notebooks laid together.

    Attributes:
        record: The record; nobody's notes, unless all the notebooks are one viewer's.
        names: What the notebooks are called.
        told: Where each entry of the record stands in them.
        differences: What two of them tell differently, where the merge was forced.

    >>> from clue_solver import load, merge
    >>> record = load("examples/classic.clue").record
    >>> merged = merge([record, record], names=["ann", "ben"])
    >>> merged.entries, merged.missed, merged.places(2)
    (18, (), 'entry 2 of ann and entry 2 of ben')
    """

    record: Record
    names: tuple[str, ...]
    told: tuple[ToldEntry, ...]
    differences: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1,
        also=("entries", "filled", "missed"),
        without=("record", "told", "differences"),
        called={"names": "notebooks"},
    )

    @property
    def entries(self) -> int:
        """How many entries there are together."""
        return len(self.told)

    @property
    def missed(self) -> tuple[Missed, ...]:
        """The public entries that some notebooks lack."""
        gaps = []
        for number, event in enumerate(self.told, 1):
            there = {source.book for source in event.sources}
            lacking = tuple(name for book, name in enumerate(self.names) if book not in there)
            if lacking and not _private(event.entry.observation):
                gaps.append(Missed(number, lacking))
        return tuple(gaps)

    @property
    def filled(self) -> int:
        """How many public entries tell more than the first notebook that has them."""
        return sum(
            event.entry.observation != event.sources[0].entry.observation for event in self.told
        )

    def places(self, number: int) -> str:
        """Return where an entry of the record was written: `entry 4 of ann.clue`, in words."""
        if not 0 < number <= len(self.told):
            reason = f"number: expected an entry up to {len(self.told)}; found {number}"
            raise ArgumentError(reason, argument="number")
        sources = (
            (source.number, self.names[source.book]) for source in self.told[number - 1].sources
        )
        return joined((f"entry {number} of {name}" for number, name in sources), "and")


def merge(
    records: Sequence[Record],
    *,
    names: Sequence[str] = (),
    called: Mapping[str, str] | None = None,
    force: bool = False,
) -> Merged:
    """
    Return the notebooks of one game laid together.

    Args:
        records: The notebooks, two or more. The seats may begin anywhere; where what was seen by
            one alone stands between the same public entries, earlier notebooks come first.
        names: What to call them in messages and in `Merged`; numbered if left out.
        called: Players that are called otherwise in some notebooks: `{"Mum": "Ann"}`.
        force: Whether entries that tell one thing in two ways are kept, both of them.

    Raises:
        Disagreement: If two of them tell something differently, in the header or, unless forced, in
            entries.
        RecordError: If they are notes of different games, or differ in too many places.
        NotationError, SetupError: If what they tell together has no meaning at one table.

    >>> from clue_solver import load
    >>> notes = [load("examples/evening.clue").notes_of(seat).record for seat in ("Ann", "Ben")]
    >>> len(merge(notes).record.entries)
    20
    """
    books = tuple(names) or tuple(f"notebook {place}" for place in range(1, len(records) + 1))
    if len(records) < 2 or len(books) != len(records):
        raise RecordError(f"expected two or more notebooks to merge; found {len(records)}")
    known = {seat for record in records for seat in record.table.seats}
    for name in called or {}:
        if name not in known:
            raise ArgumentError(f"no notebook has a player '{printable(name)}'", argument="called")
    records = [with_seats_called(record, called or {}) for record in records]
    table = one_table([record.table for record in records], books)
    laid = _Merging(table, books)
    merged = laid.merged(records)
    if laid.differences and not force:
        raise Disagreement(laid.differences)
    after = _comments([line for record in records for line in record.after], records[0].after)
    events = _normalised(merged, table)
    entries = tuple(event.entry for event in events)
    record = Record(table=table, header=_header(records, table), entries=entries, after=after)
    return Merged(record=record, names=books, told=events, differences=tuple(laid.differences))


def clash(record: Record) -> tuple[int, ...] | None:
    """
    Return a smallest set of entries that cannot all be true, whoever saw them; `None` if all can.

    No seat sees every entry of a merged record, so its readers' own views do not tell.
    """
    try:
        Deduction(pooled_knowledge(record.table, record.observations)).possible(len(record.entries))
    except Contradiction as contradiction:
        return contradiction.entries
    return None


class _Merging:
    """Lays notebooks side by side, each onto what the earlier ones told."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table = table
        self.names = names
        self.differences: list[str] = []
        self.doubtful: list[tuple[Source, Source]] = []

    def merged(self, records: Sequence[Record]) -> list[ToldEntry]:
        events: list[ToldEntry] = []
        for place, record in enumerate(records):
            entries = enumerate(record.entries, 1)
            book = [ToldEntry(entry, (Source(place, number, entry),)) for number, entry in entries]
            events = self._together(events, book) if place else book
        self._judge(events)
        return events

    def _together(self, one: list[ToldEntry], two: list[ToldEntry]) -> list[ToldEntry]:
        pairs = aligned(
            [self._noticed(event) for event in one],
            [self._noticed(event) for event in two],
            cost=_cost,
            alone=lambda noticed: _MISSED if noticed.public else _MISSED_PRIVATE,
        )
        seen = ((event.entry.observation, event) for event in one)
        hands = {hand.seat: event for hand, event in seen if isinstance(hand, Hand)}
        events: list[ToldEntry] = []
        for mine, theirs in pairs:
            if mine is not None:
                events += [one[mine]] if theirs is None else self._both(one[mine], two[theirs])
            elif theirs is not None:
                event = two[theirs]
                observation = event.entry.observation
                known = hands.get(observation.seat) if isinstance(observation, Hand) else None
                if known is None:
                    remarks = tuple(filter(None, event.entry.before))  # without its blank lines
                    events.append(event._replace(entry=replace(event.entry, before=remarks)))
                elif filled(known.entry.observation, observation) is None:
                    self._differ(known, event)
                    events.append(event)
        return events

    def _both(self, one: ToldEntry, two: ToldEntry) -> list[ToldEntry]:
        """Return one event of two entries; both, where it has to be judged whether they are one."""
        observation = filled(one.entry.observation, two.entry.observation)
        if observation is None:
            self.doubtful.append((one.sources[0], two.sources[0]))
            above = tuple(filter(None, two.entry.before))
            return [one, two._replace(entry=replace(two.entry, before=above))]
        mine = one.entry
        theirs = two.entry
        remarks = "; ".join(dict.fromkeys(filter(None, (mine.comment, theirs.comment))))
        before = _comments([*mine.before, *theirs.before], mine.before)
        entry = Entry(observation=observation, comment=remarks, before=before)
        return [ToldEntry(entry, (*one.sources, *two.sources))]

    def _differ(self, one: ToldEntry, two: ToldEntry) -> None:
        theirs = two.sources[0]
        clashing = (
            source
            for source in one.sources
            if filled(source.entry.observation, theirs.entry.observation) is None
        )
        self.differences.append(
            " but ".join(
                f"entry {source.number} of {printable(self.names[source.book])} "
                f"says '{format_line(source.entry.observation, self.table)}'"
                for source in (next(clashing, one.sources[0]), theirs)
            )
        )

    def _judge(self, events: list[ToldEntry]) -> None:
        """
        Name the pairs of entries that are one event told in two ways; refuse other games' notes.

        Two entries that cannot both be true are one event. Others are where two events would take
        misses that are too unlikely at the rate at which the notebooks miss the rest: every book
        missed one of the two or both, and all missed the turns that must lie between them.
        """
        place = {source: number for number, event in enumerate(events) for source in event.sources}
        doubtful = sorted({(place[one], place[two]) for one, two in self.doubtful})
        pairs = [
            pair for pair in doubtful if not self._apart(events, events[pair[0]], events[pair[1]])
        ]
        self._same_game(events, pairs)
        usual = self._missing_rate(events, {number for pair in pairs for number in pair})
        for first, second in pairs:
            one, two = events[first], events[second]
            both = Record(table=self.table, entries=(one.entry, two.entry))
            if clash(both) is None:
                if not self._orderly(events, {second}):
                    continue
                if usual ** self._misses(events, first, second) > _UNLIKELY:
                    continue
            self._differ(one, two)

    def _apart(self, events: Sequence[ToldEntry], one: ToldEntry, two: ToldEntry) -> bool:
        """Whether one notebook has both of two entries, so that they are two events."""
        books, others = (
            {
                source.book
                for other in events
                if filled(other.entry.observation, event.entry.observation) is not None
                for source in other.sources
            }
            for event in (one, two)
        )
        return bool(books & others)

    def _missing_rate(self, events: Sequence[ToldEntry], doubtful: set[int]) -> float:
        """
        Return how often at most a notebook may lack what everybody noticed, doubtful entries aside.

        The number of those that are missing is taken two standard deviations higher.
        """
        books = [
            len({source.book for source in event.sources})
            for number, event in enumerate(events)
            if number not in doubtful and not _private(event.entry.observation)
        ]
        cells = len(self.names) * len(books)
        missing = cells - sum(books)
        return min(1.0, (missing + 2 * sqrt(missing)) / cells) if cells else 0.0

    def _misses(self, events: Sequence[ToldEntry], first: int, second: int) -> int:
        """
        Return how many entries more the notebooks missed if two entries are two events.

        Each lacks one of the two or both; and where turns follow each other, all others' turns lie
        between two of one seat, so that there is one round more of them from that seat's event
        before to its event after. What is not there all notebooks missed.
        """
        books = len(self.names)
        round_ = len(self.table.seats) - 1
        has = sum(
            len({source.book for source in events[place].sources}) for place in (first, second)
        )
        whose = [_by(event.entry.observation) for event in events]
        by = whose[first]
        before = [place for place in range(first) if whose[place] == by]
        after = [place for place in range(second + 1, len(events)) if whose[place] == by]
        window = slice(before[-1] if before else 0, after[0] if after else len(events))
        asked = sum(
            isinstance(event.entry.observation, Suggestion) and seat != by
            for event, seat in zip(events[window], whose[window], strict=True)
        )
        rounds = 1 + bool(before) + bool(after)
        more = max(0, rounds * round_ - asked) - max(0, (rounds - 1) * round_ - asked)
        return 2 * books - has + books * more

    def _orderly(self, events: Sequence[ToldEntry], aside: set[int]) -> bool:
        """Whether the suggestions follow each other by turns, but for a few."""
        asked = [
            event.entry.observation
            for number, event in enumerate(events)
            if number not in aside and isinstance(event.entry.observation, Suggestion)
        ]
        steps = [self.table.after(one.by) == two.by for one, two in pairwise(asked)]
        return len(steps) > 1 and sum(steps) >= 0.8 * len(steps)

    def _same_game(self, events: Sequence[ToldEntry], pairs: Sequence[tuple[int, int]]) -> None:
        """Refuse a notebook that has nothing in common with the others, though it should."""
        public = [event for event in events if not _private(event.entry.observation)]
        having = [{source.book for source in event.sources} for event in public]
        nearly = [
            {source.book for number in pair for source in events[number].sources} for pair in pairs
        ]
        for late in reversed(range(len(self.names))):
            size = sum(late in books for books in having)
            most = max(
                sum(other in books for books in having)
                for other in range(len(self.names))
                if other != late
            )
            exact = sum(late in books and len(books) > 1 for books in having)
            shared = sum(late in books for books in nearly)
            if min(size, most) > 2 and not exact and 2 * shared < min(size, most):
                early = joined(
                    (name for book, name in enumerate(self.names) if book != late), "and"
                )
                raise RecordError(
                    f"these look like notes of different games: of the {min(size, most)} "
                    f"suggestions and the like that {printable(self.names[late])} and {early} "
                    f"should share, both have {shared}"
                )

    def _noticed(self, event: ToldEntry) -> _Noticed:
        observation = event.entry.observation
        by = _by(observation)
        public = share(((0, observation),), table=self.table, viewer=None)
        return _Noticed(observation, public, (type(observation), by))


def _cost(one: _Noticed, two: _Noticed) -> int | None:
    """Return what it costs to take two entries for the same; `None` if they cannot be."""
    if one.whose != two.whose:
        return None
    if filled(one.observation, two.observation) is not None:
        return _SAME if one.public == two.public else _FULLER
    return _DIFFERS if alike(one.observation, two.observation) else None


def _by(observation: Observation) -> str | None:
    """Return whose doing an observation is."""
    by: str | None = getattr(observation, "by", getattr(observation, "seat", None))
    return by


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


def _normalised(merged: Sequence[ToldEntry], table: Table) -> tuple[ToldEntry, ...]:
    """Return the entries checked in their places; a blank line parts them from the header."""
    state = TurnState()
    entries: list[ToldEntry] = []
    for place, event in enumerate(merged):
        before = event.entry.before
        first = event.sources[0].number == 1
        if place == 0:
            before = before or ("",)
        elif first and before[:1] == ("",):
            before = before[1:]
        try:
            observation = normalise(event.entry.observation, table, state)
        except NotationError as error:
            raise NotationError(
                f"entry {place + 1} of what they tell together, "
                f"'{format_line(event.entry.observation, table)}': {error.reason}"
            ) from None
        state = state.after(observation)
        entry = replace(event.entry, observation=observation, before=before)
        entries.append(ToldEntry(entry, event.sources))
    return tuple(entries)
