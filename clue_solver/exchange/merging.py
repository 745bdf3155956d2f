"""
Several notebooks of one game laid together into one record.

What everybody notices (suggestions, accusations, questions) stands in every notebook, in the same
order, unless somebody missed it: the notebooks are aligned by it, and where they share nothing by
whose turn it is. What one of them alone tells is filled in. What two tell differently is for a
person to choose.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, Contradiction, NotationError, RecordError, printable
from clue_solver.exchange.headers import Disagreement, as_set, one_table
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import everyones_knowledge
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.notation.names import joined
from clue_solver.record import Entry, HeaderLine, Record, with_seats_called
from clue_solver.rules.forms import SingleAnswer
from clue_solver.rules.observations import Answer, Hand, Observation, Suggestion
from clue_solver.rules.table import Table


class ToldEntry(NamedTuple):
    """
    An entry of the merged record.

    Attributes:
        entry: The entry.
        sources: Where it stands: the notebook's place in the list, and its number there.
    """

    entry: Entry
    sources: tuple[tuple[int, int], ...]


class Merged(AnswerValue, frozen=True, kw_only=True):
    """
    Notebooks laid together.

    Attributes:
        record: The record; nobody's notes, unless all the notebooks are one viewer's.
        names: What the notebooks are called.
        told: Where each entry of the record stands in them.
        differences: What two of them tell differently, where it was chosen what to keep.

    >>> from clue_solver import load, merge
    >>> record = load("examples/classic.clue").record
    >>> merged = merge([record, record.upto(17)], names=["ann", "ben"])
    >>> merged.entries, merged.places(2), merged.places(18)
    (18, 'entry 2 of ann and entry 2 of ben', 'entry 18 of ann')
    """

    record: Record
    names: tuple[str, ...]
    told: tuple[ToldEntry, ...]
    differences: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1,
        also=("entries",),
        without=("record", "told", "differences"),
        called={"names": "notebooks"},
    )

    @property
    def entries(self) -> int:
        """How many entries there are together."""
        return len(self.told)

    def places(self, number: int) -> str:
        """Return where an entry of the record was written: `entry 4 of ann.clue`, in words."""
        if not 0 < number <= len(self.told):
            reason = f"number: expected an entry up to {len(self.told)}; found {number}"
            raise ArgumentError(reason, argument="number")
        sources = self.told[number - 1].sources
        return joined((f"entry {at} of {self.names[book]}" for book, at in sources), "and")


def merge(
    records: Sequence[Record],
    *,
    names: Sequence[str] = (),
    called: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = (),
) -> Merged:
    """
    Return the notebooks of one game merged in the order of turns.

    Args:
        records: The notebooks, two or more. The seats may begin anywhere.
        names: What to call them in messages and in `Merged`; numbered if left out.
        called: Players that are called otherwise in some notebooks: `{"Mum": "Ann"}`.
        keep: Whose account is kept where two differ: a notebook's name, or `both`; for all
            differences, or one for each in their order.

    Raises:
        Disagreement: If two of them tell something differently, and nobody says what to keep.
        RecordError: If their hands cannot be of one game.
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
    for name in [keep] if isinstance(keep, str) else keep:
        if name not in (*books, "both", ""):
            reason = f"keep: expected {joined((*books, 'both'))}; found '{printable(name)}'"
            raise ArgumentError(reason, argument="keep")
    records = [with_seats_called(record, called or {}) for record in records]
    table = one_table([record.table for record in records], books)
    _check_hands(records, books)
    merging = _Merging(table, books, keep)
    told = _of_book(records[0], 0)
    for place, record in enumerate(records[1:], 1):
        told = merging.together(told, _of_book(record, place))
    if merging.open:
        raise Disagreement(merging.differences, merging.between)
    told = list(_normalised(told, table))
    after = _remarks([record.after for record in records])
    record = Record(
        table=table,
        header=_header(records, table),
        entries=tuple(event.entry for event in told),
        after=after,
    )
    differences = tuple(merging.differences)
    return Merged(record=record, names=books, told=tuple(told), differences=differences)


def clash(record: Record) -> tuple[int, ...] | None:
    """
    Return a smallest set of entries that cannot all be true, whoever saw them; `None` if all can.

    No seat sees every entry of a merged record, so its readers' own views do not tell.
    """
    try:
        Deduction(everyones_knowledge(record.table, record.observations)).possible(
            len(record.entries)
        )
    except Contradiction as contradiction:
        return contradiction.entries
    return None


def _check_hands(records: Sequence[Record], names: Sequence[str]) -> None:
    """Raise a `RecordError` if two hands cannot be of one game."""
    hands: dict[str, tuple[frozenset[str], str]] = {}
    for record, name in zip(records, names, strict=True):
        for hand in record.observations:
            if not isinstance(hand, Hand):
                continue
            cards = frozenset(hand.cards)
            for seat, (others, book) in hands.items():
                fits = cards == others if seat == hand.seat else cards.isdisjoint(others)
                if not fits:
                    raise RecordError(
                        f"these are not notes of one game: {printable(book)} says that {seat} "
                        f"holds {', '.join(sorted(others))}, and {printable(name)} that "
                        f"{hand.seat} holds {', '.join(sorted(cards))}"
                    )
            hands[hand.seat] = cards, name


# The entries.


def _of_book(record: Record, book: int) -> list[ToldEntry]:
    entries = enumerate(record.entries, 1)
    return [ToldEntry(entry, ((book, number),)) for number, entry in entries]


class _Merging:
    """
    Lays notebooks side by side, each onto what the earlier ones told.

    Attributes:
        differences, between: What two tell differently, and which.
        open: Whether nobody said what to keep of one of them.
    """

    def __init__(self, table: Table, names: Sequence[str], keep: str | Sequence[str]) -> None:
        self.table = table
        self.names = names
        self.keep = keep
        self.differences: list[str] = []
        self.between: list[tuple[str, str]] = []
        self.open = False
        self.last: str | None = None

    def together(self, one: Sequence[ToldEntry], two: Sequence[ToldEntry]) -> list[ToldEntry]:
        """Return what two lists of entries tell together."""
        noted = {_key(event) for event in one if _is_private(event.entry.observation)}
        two = [event for event in two if _key(event) not in noted]
        told: list[ToldEntry] = []
        self.last = None
        keys, others = ([_key(event) for event in events] for events in (one, two))
        matcher = SequenceMatcher(None, keys, others, autojunk=False)
        for tag, start, end, from_, to in matcher.get_opcodes():
            if tag != "equal":
                told += self._by_turns(one[start:end], two[from_:to])
                continue
            for mine, theirs in zip(one[start:end], two[from_:to], strict=True):
                told += self._both(mine, theirs)
        return told

    def _by_turns(
        self, mine: Sequence[ToldEntry], theirs: Sequence[ToldEntry]
    ) -> Iterator[ToldEntry]:
        """Yield entries that stand in one list each, whose turn comes sooner first."""
        one, two = list(mine), list(theirs)
        while one and two:
            if alike(one[0].entry.observation, two[0].entry.observation):
                yield from self._both(one.pop(0), two.pop(0))
            elif self._wait(one[0]) <= self._wait(two[0]):
                yield self._next(one.pop(0))
            else:
                yield self._next(two.pop(0))
        for event in (*one, *two):
            yield self._next(event)

    def _wait(self, event: ToldEntry) -> int:
        """Return after how many turns the turn of an entry's seat comes; 0 or less if it is now."""
        observation = event.entry.observation
        if _is_private(observation):
            return -1
        seats = self.table.seats
        by = getattr(observation, "by", None)
        if by is None or not observation.turn:
            return 0
        begins = self.table.first or seats[0]
        wait = (seats.index(by) - seats.index(self.last or begins)) % len(seats)
        again = wait == 0 and self.last is not None and isinstance(observation, Suggestion)
        return len(seats) if again else wait

    def _next(self, event: ToldEntry) -> ToldEntry:
        """Return an entry once it is known whose turn it was."""
        observation = event.entry.observation
        if observation.turn:
            self.last = getattr(observation, "by", self.last)
        return event

    def _both(self, mine: ToldEntry, theirs: ToldEntry) -> Iterator[ToldEntry]:
        """Yield one entry of two, or what is kept of two accounts."""
        observation = filled(mine.entry.observation, theirs.entry.observation)
        if observation is None:
            yield from map(self._next, self._chosen(mine, theirs))
            return
        remarks = dict.fromkeys(filter(None, (mine.entry.comment, theirs.entry.comment)))
        entry = Entry(
            observation=observation,
            comment="; ".join(remarks),
            before=_remarks([mine.entry.before, theirs.entry.before]),
        )
        yield self._next(ToldEntry(entry, (*mine.sources, *theirs.sources)))

    def _chosen(self, one: ToldEntry, two: ToldEntry) -> tuple[ToldEntry, ...]:
        """Return what is kept of two accounts of one event; keep the difference in words."""
        accounts = [
            f"entry {number} of {self.names[book]} says "
            f"'{format_line(event.entry.observation, self.table)}'"
            for event in (one, two)
            for book, number in event.sources[:1]
        ]
        books = self.names[one.sources[0][0]], self.names[two.sources[0][0]]
        number = len(self.differences)
        self.differences.append(" but ".join(accounts))
        self.between.append(books)
        keep = self.keep
        if not isinstance(keep, str):
            keep = keep[number] if number < len(keep) else ""
        if keep == books[1]:
            return (two,)
        if keep == "both":
            return one, two
        self.open = self.open or keep != books[0]
        return (one,)


def _key(event: ToldEntry) -> Hashable:
    """Return what everybody notices of an entry, by which notebooks are aligned."""
    observation = event.entry.observation
    hidden = observation.sight.hidden
    tail = observation.form.tail
    answer = tail.field if isinstance(tail, SingleAnswer) else ""
    fields = (field for field in observation.__struct_fields__ if field not in (hidden, answer))
    return type(observation), *(as_set(getattr(observation, field)) for field in fields)


def _is_private(observation: Observation) -> bool:
    """Whether only one seat notices it."""
    return bool(observation.sight.owner)


def alike(one: Observation, two: Observation) -> bool:
    """Whether two entries of one kind that differ are likelier one event than two."""
    if type(one) is not type(two) or not one.same:
        return False
    for field in one.same:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.nearly:
            if len({*mine} & {*theirs}) < len(mine) - 1:
                return False
        elif as_set(mine) != as_set(theirs):
            return False
    return True


def filled(one: Observation, two: Observation) -> Observation | None:
    """Return what two entries tell together, the first's wording kept; `None` if they differ."""
    if type(one) is not type(two):
        return None
    together: dict[str, Any] = {}
    tail = one.form.tail
    for field in one.__struct_fields__:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.sight.hidden and isinstance(mine, tuple):
            mine = _answers(mine, theirs)
            if mine is None:
                return None
        elif field == one.sight.hidden and None in (mine, theirs):
            mine = mine or theirs
        elif isinstance(tail, SingleAnswer) and field == tail.field and "unheard" in (mine, theirs):
            mine = theirs if mine == "unheard" else mine
        elif as_set(mine) != as_set(theirs):
            return None
        together[field] = mine
    return replace(one, **together)


def _answers(one: tuple[Answer, ...], two: tuple[Answer, ...]) -> tuple[Answer, ...] | None:
    """Return what was heard of the answers in either list; `None` if they differ."""
    heard: dict[str, Answer] = {}
    for answer in (*one, *two):
        if answer.seat is None:
            continue
        known = heard.setdefault(answer.seat, answer)
        if known.answer == "unheard":
            heard[answer.seat] = answer
        if "unheard" in (known.answer, answer.answer):
            continue
        cards = {known.card, answer.card} - {None}
        if known.answer != answer.answer or len(cards) > 1:
            return None
        heard[answer.seat] = replace(known, card=known.card or answer.card)
    more = all(not answers or answers[-1].seat is None for answers in (one, two))
    rest = (Answer(answer="unheard"),) if heard and more else ()
    return (*heard.values(), *rest)


# Remarks, and the whole.


def _remarks(blocks: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the lines above an entry as the first notebook has them, with the others' remarks."""
    mine = blocks[0]
    others = (line for block in blocks[1:] for line in block if line and line not in mine)
    return (*mine, *dict.fromkeys(others))


def _header(records: Sequence[Record], table: Table) -> tuple[HeaderLine, ...]:
    """Return the first notebook's header lines, above them what the others remark in theirs."""
    kept = [line for line in records[0].header if line.key != "viewer" or table.viewer is not None]
    first, *more = (
        [
            remark
            for line in record.header
            for remark in (*line.before, f"# {line.comment}" if line.comment else "")
            if remark
        ]
        for record in records
    )
    others = _remarks([first, *more])[len(first) :]
    if others:
        line = kept[0] if kept else HeaderLine(key="edition")
        kept[:1] = [replace(line, before=(*line.before, *others))]
    return tuple(kept)


def _normalised(told: Sequence[ToldEntry], table: Table) -> Iterator[ToldEntry]:
    """Yield the entries checked in their places; a blank line parts them from the header."""
    state = TurnState()
    for place, event in enumerate(told):
        before = event.entry.before
        book, number = event.sources[0]
        if place == 0:
            before = before or ("",)
        elif book > 0 or number == 1:
            before = tuple(filter(None, before))
        try:
            observation = normalise(event.entry.observation, table, state)
        except NotationError as error:
            line = format_line(event.entry.observation, table)
            raise NotationError(f"'{line}', as they tell it together: {error.reason}") from None
        state = state.after(observation)
        yield event._replace(entry=replace(event.entry, observation=observation, before=before))
