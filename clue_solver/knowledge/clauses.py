"""
What must be so: evidence as clauses, each with the entries it came from, in numbers.

Here, and here alone, names turn into the integers of the solver. Cards in play are numbered in
edition order, holders as the table lists them: seats, face-down slots, envelope last. A set of
cards is a bit mask: bit `c` stands for card `c`.

Every clause speaks of one holder, so a clause is a set of cards and says that the holder has at
least one of them, or lacks at least one of them. That a deal gives every card to one holder and
fills every hand is not listed here: it holds for every log and is built into the solver and the
diagram. What an observation says is a function of its kind, registered by `says`.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import Any, NamedTuple, Self, TypeVar

from msgspec import Struct

from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table


class Layout(Struct, frozen=True, kw_only=True):
    """
    The shape of a table in numbers.

    Attributes:
        cards: Number of cards in play.
        seats: Number of seats; they are the first holders.
        categories: For each category the mask of its cards in play.
        bounds: For each seat and slot the least and the most cards it can hold.
    """

    cards: int
    seats: int
    categories: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]

    @property
    def holders(self) -> int:
        """Number of holders, the envelope included."""
        return len(self.bounds) + 1

    @property
    def envelope(self) -> int:
        """The envelope's number."""
        return len(self.bounds)

    @property
    def everything(self) -> int:
        """The mask of all cards in play."""
        return (1 << self.cards) - 1


class Numbers:
    """Numbers for the names of one table: masks of cards, holders by name."""

    __slots__ = ("_card", "_feature", "_holder", "layout")

    def __init__(self, table: Table) -> None:
        self._card = {name: number for number, name in enumerate(table.cards)}
        self._holder = {name: number for number, name in enumerate(table.holders)}
        self._feature: dict[str, int] = {}
        for feature, names in table.edition.features.items():
            self._feature[feature] = self.cards(names)
        self.layout = Layout(
            cards=len(self._card),
            seats=len(table.seats),
            categories=tuple(
                self.cards(card.name for card in kind.cards) for kind in table.edition.category
            ),
            bounds=(*table.size_bounds(), *((slot.count, slot.count) for slot in table.slots)),
        )

    def card(self, name: str) -> int:
        """Return the mask of one card; 0 for a card that lies face-up."""
        place = self._card.get(name)
        return 0 if place is None else 1 << place

    def cards(self, names: Iterable[str]) -> int:
        """Return the mask of the named cards and of the cards that the named features mark."""
        mask = 0
        for name in names:
            place = self._card.get(name)
            mask |= self._feature.get(name, 0) if place is None else 1 << place
        return mask

    def holder(self, name: str) -> int:
        """Return the number of a seat, slot or `envelope`."""
        return self._holder[name]


def card_numbers(mask: int) -> list[int]:
    """
    Return the cards in a mask, ascending.

    >>> card_numbers(0b10110)
    [1, 2, 4]
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class Clause(NamedTuple):
    """
    One thing that must be so as long as its entries are true.

    Attributes:
        entries: The entries it came from, counted from 1; none for what is only supposed.
        holder: The holder it speaks of.
        cards: A mask of cards. Empty: the entries cannot all be true, whatever the deal.
        has: Whether the holder has at least one of the cards, or lacks at least one of them.
    """

    entries: tuple[int, ...]
    holder: int
    cards: int
    has: bool


class Saying:
    """
    What turns observations into clauses, one entry after the other.

    Attributes:
        numbers: The table's numbers.
        entry: The number of the entry that is read.
        peeks: What was seen in the notch, and in which entries, since the envelope was last opened.
    """

    def __init__(self, numbers: Numbers) -> None:
        self.numbers, self.entry = numbers, 0
        self.peeks: list[tuple[int, str]] = []

    def copy(self) -> Self:
        """Return what goes on from here by itself."""
        other = copy(self)
        other.peeks = list(self.peeks)
        return other

    def clauses(self, entry: int, observation: observed.Event) -> Iterator[Clause]:
        """Yield what the next entry says."""
        self.entry = entry
        yield from CLAUSES[type(observation)](observation, self)

    def has(self, holder: int, mask: int) -> Clause:
        """Say that a holder has one of the cards."""
        return Clause((self.entry,), holder, mask, True)

    def lacks(self, holder: int, mask: int) -> Iterator[Clause]:
        """Say that a holder has none of the cards."""
        for card in card_numbers(mask):
            yield Clause((self.entry,), holder, 1 << card, False)

    def answer(
        self, seat: str, asked: int, reply: observed.Reply, card: str | None
    ) -> Iterator[Clause]:
        """Say what a seat's answer tells that was asked for some cards."""
        holder = self.numbers.holder(seat)
        if reply == "passes":
            yield from self.lacks(holder, asked)
        elif reply == "shows":
            yield self.has(holder, self.numbers.card(card) if card else asked)


def clauses(
    evidence: Iterable[tuple[int, observed.Observation]], *, numbers: Numbers
) -> Iterator[Clause]:
    """Yield the clauses of the evidence in the order of its entries."""
    saying = Saying(numbers)
    for entry, observation in evidence:
        yield from saying.clauses(entry, observation)


CLAUSES: dict[type[observed.Event], Callable[[Any, Saying], Iterable[Clause]]] = {}
"""What each kind of observation says."""

Says = TypeVar("Says", bound=Callable[[Any, Saying], Iterable[Clause]])


def says(*kinds: type[observed.Event]) -> Callable[[Says], Says]:
    """Register what observations of some kinds say about the deal."""

    def registered(function: Says) -> Says:
        CLAUSES.update(dict.fromkeys(kinds, function))
        return function

    return registered


@says(observed.Suggestion, observed.Finger)
def _suggestion(told: observed.Suggestion | observed.Finger, saying: Saying) -> Iterator[Clause]:
    asked = saying.numbers.cards(told.cards)
    for answer in told.answers:
        if answer.seat is not None:
            yield from saying.answer(answer.seat, asked, answer.answer, answer.card)


@says(observed.Skip, observed.Roll, observed.Move)
def _nothing(_told: observed.Event, _saying: Saying) -> tuple[Clause, ...]:
    return ()


@says(observed.Question)
def _question(told: observed.Question, saying: Saying) -> Iterator[Clause]:
    yield from saying.answer(told.seat, saying.numbers.cards(told.about), told.answer, told.card)


@says(observed.Look)
def _look(told: observed.Look, saying: Saying) -> Iterator[Clause]:
    if told.card is not None:
        yield saying.has(saying.numbers.holder(told.holder), saying.numbers.card(told.card))


@says(observed.Reveal)
def _reveal(told: observed.Reveal, saying: Saying) -> Iterator[Clause]:
    if told.card is not None:
        yield saying.has(saying.numbers.holder(told.seat), saying.numbers.card(told.card))


@says(observed.Hand)
def _hand(told: observed.Hand, saying: Saying) -> Iterator[Clause]:
    seat, held = saying.numbers.holder(told.seat), saying.numbers.cards(told.cards)
    for number in card_numbers(held):
        yield saying.has(seat, 1 << number)
    yield from saying.lacks(seat, saying.numbers.layout.everything & ~held)


@says(observed.Knowing)
def _knowing(told: observed.Knowing, saying: Saying) -> Iterator[Clause]:
    holder = saying.numbers.holder(told.holder)
    if told.has:
        yield saying.has(holder, saying.numbers.cards(told.has))
    yield from saying.lacks(holder, saying.numbers.cards(told.lacks))


@says(observed.Nobody)
def _nobody(told: observed.Nobody, saying: Saying) -> Iterator[Clause]:
    for seat in range(saying.numbers.layout.seats):
        yield from saying.lacks(seat, saying.numbers.card(told.card))


@says(observed.Peek)
def _peek(told: observed.Peek, saying: Saying) -> Iterator[Clause]:
    if told.feature is None:
        return
    envelope = saying.numbers.layout.envelope
    yield saying.has(envelope, saying.numbers.cards([told.feature]))
    for earlier, seen in saying.peeks:
        if seen != told.feature:
            yield Clause((earlier, saying.entry), envelope, 0, True)
    saying.peeks.append((saying.entry, told.feature))


@says(observed.Accusation)
def _accusation(told: observed.Accusation, saying: Saying) -> Iterator[Clause]:
    numbers, envelope = saying.numbers, saying.numbers.layout.envelope
    if told.right:
        for name in told.cards:
            yield saying.has(envelope, numbers.card(name))
        return
    saying.peeks.clear()
    if all(numbers.card(name) for name in told.cards):
        yield Clause((saying.entry,), envelope, numbers.cards(told.cards), False)
