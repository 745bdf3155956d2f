"""
Merges several notebooks of one game into one record.

Everybody notices suggestions, accusations and questions, so that every notebook has them in the
same order unless somebody missed one. The notebooks are aligned by these entries, or else by whose
turn it is. What only one notebook states is added. If two differ, the user chooses.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations, repeat
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, Contradiction, NotationError, RecordError, printable
from clue_solver.exchange.findings import first_lines
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import everyones_knowledge
from clue_solver.notation.canonical import format_line
from clue_solver.notation.checks import normalise
from clue_solver.notation.names import joined
from clue_solver.record.contents import Entry, Record, with_seats_called
from clue_solver.record.header import KEYS, format_value
from clue_solver.rules.forms import SingleAnswer
from clue_solver.rules.observations import Answer, Hand, Observation, Suggestion
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

_MOST_LINES = 11
"""How many lines of a message are shown at most."""


class Disagreement(RecordError):
    """
    The notebooks contradict each other.

    Attributes:
        differences: A sentence for each difference, with both versions.
        books: The names of the two notebooks for each difference; empty if headers differ.

    >>> print(Disagreement(["entry 2 of ann says 'Ann skips' but entry 2 of ben says 'Ann stays'"]))
    the notebooks disagree:
      entry 2 of ann says 'Ann skips' but entry 2 of ben says 'Ann stays'
    """

    def __init__(self, differences: Sequence[str], books: Sequence[tuple[str, str]] = ()) -> None:
        self.differences = tuple(differences)
        self.books = tuple(books)
        super().__init__(first_lines(["the notebooks disagree:", *differences], _MOST_LINES))


class MergedEntry(NamedTuple):
    """
    An entry of the merged record.

    Attributes:
        entry: The entry.
        sources: For each notebook that has the entry, the index of the notebook, from 0, and the
            number of the entry in it.
    """

    entry: Entry
    sources: tuple[tuple[int, int], ...]


class Merged(AnswerValue, frozen=True, kw_only=True):
    """
    Several notebooks merged into one record.

    Attributes:
        record: The merged record. It has a viewer only if all the notebooks have the same one.
        names: The names of the notebooks.
        origins: The entries of the record, each with its places in the notebooks.
        differences: The differences between notebooks for which a version to keep was given.

    >>> from clue_solver import load, merge
    >>> record = load("examples/classic.clue").record
    >>> merged = merge([record, record.upto(17)], names=["ann", "ben"])
    >>> merged.entries, merged.places(2), merged.places(18)
    (18, 'entry 2 of ann and entry 2 of ben', 'entry 18 of ann')
    """

    record: Record
    names: tuple[str, ...]
    origins: tuple[MergedEntry, ...]
    differences: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1,
        also=("entries",),
        without=("record", "origins", "differences"),
        called={"names": "notebooks"},
    )

    @property
    def entries(self) -> int:
        """The number of entries of the merged record."""
        return len(self.origins)

    def places(self, number: int) -> str:
        """
        Return the sources of an entry in words, such as `entry 4 of ann.clue`.

        Args:
            number: The number of the entry in the merged record, from 1.

        Raises:
            ArgumentError: If there is no such entry.
        """
        if not 0 < number <= len(self.origins):
            reason = f"number: expected an entry up to {len(self.origins)}; found {number}"
            raise ArgumentError(reason, argument="number")
        sources = self.origins[number - 1].sources
        return joined((f"entry {at} of {self.names[book]}" for book, at in sources), "and")


def merge(
    records: Sequence[Record],
    *,
    names: Sequence[str] = (),
    called: Mapping[str, str] | None = None,
    keep: str | Sequence[str] = (),
) -> Merged:
    """
    Merge the notebooks of one game into one record, in the order of the turns.

    Args:
        records: Two or more notebooks. Their lists of seats may start at different seats.
        names: The names of the notebooks in messages and in `Merged`. By default, they are
            numbered.
        called: Other names for players in some notebooks: `{"Mum": "Ann"}`.
        keep: The notebook whose version is kept where two differ, or `both`. Give one answer for
            all differences, or a list with one for each.

    Raises:
        Disagreement: If two notebooks differ, and `keep` does not choose between them.
        RecordError: If the hands cannot be from one game.
        NotationError, SetupError: If the merged entries cannot happen at one table.

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
    table = _one_table([record.table for record in records], books)
    _check_hands(records, books, table)
    merging = _Merging(table, books, keep)
    told: list[MergedEntry] = []
    for place, record in enumerate(records):
        numbered = enumerate(record.entries, 1)
        book = [MergedEntry(entry, ((place, number),)) for number, entry in numbered]
        told = merging.combine(told, book)
    if merging.open:
        raise Disagreement(merging.differences, merging.between)
    told = [*_normalise(told, table)]
    header = tuple(line for line in records[0].header if line.key != "viewer" or table.viewer)
    entries = tuple(event.entry for event in told)
    after = tuple(dict.fromkeys(line for record in records for line in record.after))
    record = Record(table=table, header=header, entries=entries, after=after)
    differences = tuple(merging.differences)
    return Merged(record=record, names=books, origins=tuple(told), differences=differences)


def clash(record: Record) -> tuple[int, ...] | None:
    """
    Return a smallest set of entries that contradict each other; `None` if all can be true.

    The check uses what all players know together, because no seat sees every entry of a merged
    record.
    """
    try:
        knowledge = everyones_knowledge(record.table, record.observations)
        Deduction(knowledge).possible(len(record.entries))
    except Contradiction as contradiction:
        return contradiction.entries
    return None


# The table.

_OF_EACH_SEAT = ("hands", "pieces")
_OTHERS = ("edition", "players", "viewer", "shows", "format")
_SHARED = [key for key in KEYS.values() if key.name not in _OTHERS]
"""The header keys which notebooks of one game must agree on, or leave out."""


def _one_table(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """
    Return the table that all headers describe; raise a `Disagreement` if they differ.

    `names` are the names of the notebooks.
    """
    table = tables[0]
    differences: list[str] = []

    def differ(name: str, key: str, mine: str, theirs: str) -> None:
        """
        Note a difference between the headers of the first notebook and of another.

        Args:
            name: The name of the other notebook.
            key: The key of the header in which they differ.
            mine: The value in the first notebook.
            theirs: The value in the other notebook.
        """
        says = f"{printable(names[0])} says {printable(mine, most=200)}"
        differences.append(f"{key}: {says}, {printable(name)} says {printable(theirs, most=200)}")

    for given, name in zip(tables[1:], names[1:], strict=True):
        other = _rotate(given, table.seats)
        if replace(table.edition, name="") != replace(other.edition, name=""):
            differ(name, "edition", table.edition.name, other.edition.name)
        if table.seats != other.seats:
            strange = [seat for seat in other.seats if seat not in table.seats]
            hint = f" (say who is called {joined(strange, 'and')})" if strange else ""
            differ(name, "players", ", ".join(table.seats), ", ".join(other.seats) + hint)
            continue
        rules = {"order": table.edition.order, "answers": table.edition.answers}
        unsaid = {**rules, **dict.fromkeys(("face-up", "face-down"), "none")}
        both: dict[str, Any] = {}
        for key in _SHARED:
            mine, theirs = (getattr(each, key.attribute) for each in (table, other))
            both[key.attribute] = mine or theirs
            texts = [format_value(each, key.name) for each in (table, other)]
            said = [text or unsaid.get(key.name, "") for text in texts]
            fits = _as_set(mine) == _as_set(theirs) or said[0] == said[1] or "" in said
            if key.name in _OF_EACH_SEAT and mine and theirs:
                pairs = [*zip(mine, theirs, strict=True)]
                both[key.attribute] = tuple(two if one is None else one for one, two in pairs)
                fits = all(None in pair or pair[0] == pair[1] for pair in pairs)
            if not fits:
                differ(name, key.name, *said)
        table = table if differences else replace(table, **both)
    if differences:
        raise Disagreement(differences)
    for attribute in ("viewer", "shows"):
        if len({getattr(each, attribute) for each in tables}) > 1:
            table = replace(table, **{attribute: None})
    return table


def _rotate(table: Table, seats: tuple[str, ...]) -> Table:
    """
    Return the table with its seats rotated so that the first of `seats` comes first.

    The table is unchanged if its players are not those in `seats`.
    """
    if set(table.seats) != set(seats):
        return table
    start = table.seats.index(seats[0])
    turned = {
        field: getattr(table, field)[start:] + getattr(table, field)[:start]
        for field in ("seats", *_OF_EACH_SEAT)
    }
    return replace(table, **turned)


def _check_hands(records: Sequence[Record], names: Sequence[str], table: Table) -> None:
    """
    Check that all hands in the notebooks can be from one game.

    Args:
        records: The notebooks.
        names: The names of the notebooks, for the message.
        table: The table.

    Raises:
        RecordError: If a seat has two hands, or a card is in two hands.
    """
    told = [
        (hand, name)
        for record, name in zip(records, names, strict=True)
        for hand in record.observations
        if isinstance(hand, Hand)
    ]
    for (one, book), (two, name) in combinations(told, 2):
        shared = {*one.cards} & {*two.cards}
        if {*one.cards} != {*two.cards} if one.seat == two.seat else shared:
            says = f"{printable(book)} says '{format_line(one, table)}'"
            other = f"{printable(name)} says '{format_line(two, table)}'"
            raise RecordError(f"these are not notes of the same game: {says} and {other}")


# The entries.


class _Merging:
    """
    Merges notebooks one after another.

    Attributes:
        differences: A sentence for each difference between two notebooks.
        between: The names of the two notebooks for each difference.
        open: Whether there is a difference whose version the user still has to choose.
    """

    def __init__(self, table: Table, names: Sequence[str], keep: str | Sequence[str]) -> None:
        self.table = table
        self.names = names
        self.keep = repeat(keep) if isinstance(keep, str) else iter(keep)
        self.differences: list[str] = []
        self.between: list[tuple[str, str]] = []
        self.open = False

    def combine(self, one: Sequence[MergedEntry], two: Sequence[MergedEntry]) -> list[MergedEntry]:
        """
        Merge the entries of two notebooks, each in the order of play, into one list in that order.

        Entries that agree in all that everybody notices are aligned, and each pair becomes one
        entry. Between these, two entries that are probably about one event become one entry; other
        entries come in the order of the turns. Of an entry that only its owner notices, a second
        copy is dropped. If two entries of one event contradict each other, the user's choice is
        kept, and the difference is noted in `differences`.
        """
        noted = {_key(event) for event in one if event.entry.observation.sight.owner}
        two = [event for event in two if _key(event) not in noted]
        told: list[MergedEntry] = []
        keys, others = ([_key(event) for event in events] for events in (one, two))
        matcher = SequenceMatcher(None, keys, others, autojunk=False)
        for tag, start, end, from_, to in matcher.get_opcodes():
            mine, theirs = [*one[start:end]], [*two[from_:to]]
            while mine and theirs:
                first, other = mine[0].entry.observation, theirs[0].entry.observation
                if tag == "equal" or alike(first, other):
                    told += self._combine_entries(mine.pop(0), theirs.pop(0))
                else:  # the entry whose turn comes sooner
                    last = _last_turn(told)
                    sooner = self._turns_until(first, last) <= self._turns_until(other, last)
                    told.append((mine if sooner else theirs).pop(0))
            told += mine + theirs
        return told

    def _turns_until(self, observation: Observation, last: str | None) -> int:
        """
        Return how many turns after the last one an entry belongs to.

        Args:
            observation: The entry's observation.
            last: The seat of the last turn that was merged; `None` if there was none.

        Returns:
            The number of turns: 0 for an entry that belongs to no turn, -1 for one that only its
            owner notices.
        """
        if observation.sight.owner:
            return -1
        if not observation.turn:
            return 0
        seats = self.table.seats
        begin = seats.index(last or self.table.first or seats[0])
        again = last is not None and isinstance(observation, Suggestion)  # it begins a turn
        return (seats.index(observation.actor) - begin - again) % len(seats) + again

    def _combine_entries(self, mine: MergedEntry, theirs: MergedEntry) -> tuple[MergedEntry, ...]:
        """
        Merge two entries of one event into one entry, which has the comments of both.

        If the entries contradict each other, return the version to keep, or both.
        """
        observation = fill_in(mine.entry.observation, theirs.entry.observation)
        if observation is None:
            return self._settle_difference(mine, theirs)
        remarks = dict.fromkeys(filter(None, (mine.entry.comment, theirs.entry.comment)))
        before = tuple(dict.fromkeys((*mine.entry.before, *theirs.entry.before)))
        entry = Entry(observation=observation, comment="; ".join(remarks), before=before)
        return (MergedEntry(entry, (*mine.sources, *theirs.sources)),)

    def _settle_difference(self, one: MergedEntry, two: MergedEntry) -> tuple[MergedEntry, ...]:
        """
        Note that two entries contradict each other; return those that the user chose to keep.

        If the user has not chosen yet, it is the first one.
        """
        accounts = []
        for event in (one, two):
            book, number = event.sources[0]
            line = format_line(event.entry.observation, self.table)
            accounts.append(f"entry {number} of {self.names[book]} says '{line}'")
        books = self.names[one.sources[0][0]], self.names[two.sources[0][0]]
        self.differences.append(" but ".join(accounts))
        self.between.append(books)
        keep = next(self.keep, "")
        self.open = self.open or keep not in (*books, "both")
        return {books[1]: (two,), "both": (one, two)}.get(keep, (one,))


def _last_turn(told: Sequence[MergedEntry]) -> str | None:
    """Return the seat that had the last turn in these entries; `None` if none is about a turn."""
    turns = (event.entry.observation for event in reversed(told))
    return next((each.actor for each in turns if each.turn), None)


def _key(event: MergedEntry) -> Hashable:
    """Return a key that is equal for entries that agree in all that everybody notices."""
    observation = event.entry.observation
    tail = observation.form.tail
    others = (observation.sight.hidden, tail.field if isinstance(tail, SingleAnswer) else "")
    fields = (field for field in observation.__struct_fields__ if field not in others)
    return type(observation), *(_as_set(getattr(observation, field)) for field in fields)


def _as_set(value: Any) -> Any:
    """Return a tuple as a set, so that its order does not matter; other values unchanged."""
    return frozenset(value) if isinstance(value, tuple) else value


def alike(one: Observation, two: Observation) -> bool:
    """
    Return whether two different entries are probably versions of the same event.

    They are if they agree in the fields that the kind of observation declares for this (`same`). In
    one of these fields (`nearly`), a single name may differ.
    """
    if type(one) is not type(two) or not one.same:
        return False
    for field in one.same:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.nearly:
            if len({*mine} & {*theirs}) < len(mine) - 1:
                return False
        elif _as_set(mine) != _as_set(theirs):
            return False
    return True


def fill_in(one: Observation, two: Observation) -> Observation | None:
    """
    Merge two entries of one kind and keep the wording of the first; `None` if they contradict.

    What one of them lacks, such as a card that was shown, is taken from the other.
    """
    together: dict[str, Any] = {}
    tail = one.form.tail
    for field in one.__struct_fields__:
        mine, theirs = getattr(one, field), getattr(two, field)
        if field == one.sight.hidden and isinstance(mine, tuple):
            mine = _combine_answers(mine, theirs)
            if mine is None:
                return None
        elif field == one.sight.hidden and None in (mine, theirs):
            mine = mine or theirs
        elif isinstance(tail, SingleAnswer) and field == tail.field and "unheard" in (mine, theirs):
            mine = theirs if mine == "unheard" else mine
        elif _as_set(mine) != _as_set(theirs):
            return None
        together[field] = mine
    return replace(one, **together)


def _combine_answers(one: tuple[Answer, ...], two: tuple[Answer, ...]) -> tuple[Answer, ...] | None:
    """Merge two lists of answers; `None` if they contradict each other."""
    heard: dict[str, Answer] = {}
    for answer in (*one, *two):
        if answer.seat is None:
            continue
        known = heard.setdefault(answer.seat, answer)
        if known.answer == "unheard":
            heard[answer.seat] = answer
        elif answer.answer != "unheard":
            fits = known.card is None or answer.card in (None, known.card)
            if known.answer != answer.answer or not fits:
                return None
            heard[answer.seat] = replace(known, card=known.card or answer.card)
    more = all(not answers or answers[-1].seat is None for answers in (one, two))
    rest = (Answer(answer="unheard"),) if heard and more else ()
    return (*heard.values(), *rest)


def _normalise(told: Sequence[MergedEntry], table: Table) -> Iterator[MergedEntry]:
    """Check the entries, and yield them in canonical form, with a blank line above the first."""
    state = TurnState()
    for place, event in enumerate(told):
        before = event.entry.before
        if place == 0:
            before = before or ("",)
        elif event.sources[0][1] == 1:  # the first entry of another notebook
            before = tuple(filter(None, before))
        try:
            observation = normalise(event.entry.observation, table, state)
        except NotationError as error:
            line = format_line(event.entry.observation, table)
            reason = f"'{line}', put together from the notebooks: {error.reason}"
            raise NotationError(reason) from None
        state = state.after(observation)
        yield event._replace(entry=replace(event.entry, observation=observation, before=before))
