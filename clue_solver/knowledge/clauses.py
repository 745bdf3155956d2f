"""
What must be so: evidence as clauses, each with the entries it came from, in numbers.

Here, and here alone, names turn into the integers of the solver. Cards in play are numbered in
edition order, holders as the table lists them: seats, face-down slots, envelope last. A set of
cards is a bit mask: bit `c` stands for card `c`.

Every clause speaks of one holder, so a clause is a set of cards and says that the holder has at
least one of them, or lacks at least one of them. That a deal gives every card to one holder and
fills every hand is not listed here: it holds for every log and is built into the solver and the
diagram. What an observation says is an implementation of `clauses_of` for its kind.
"""

from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import NamedTuple

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
        dealt: The sizes that the seats can have together; empty where all within the bounds can be.
    """

    cards: int
    seats: int
    categories: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]
    dealt: tuple[tuple[int, ...], ...] = ()

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

    __slots__ = ("_card", "_feature", "_holder", "layout", "notch_stays")

    def __init__(self, table: Table) -> None:
        self.notch_stays = table.notch == "same"  # a wrong accuser lays the cards back as they lay
        self._card = {name: number for number, name in enumerate(table.cards)}
        self._holder = {name: number for number, name in enumerate(table.holders)}
        self._feature: dict[str, int] = {}
        self._feature = {
            name: self.cards(marked) for name, marked in table.edition.features.items()
        }
        self.layout = Layout(
            cards=len(self._card),
            seats=len(table.seats),
            categories=tuple(
                self.cards(card.name for card in kind.cards) for kind in table.edition.category
            ),
            bounds=(*table.size_bounds(), *((slot.count, slot.count) for slot in table.slots)),
            dealt=table.dealt_sizes(),
        )

    def card(self, name: str) -> int:
        """Return the mask of one card; 0 for a card that lies face-up."""
        return 1 << self._card[name] if name in self._card else 0

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
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


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


class ClauseEncoder:
    """
    Turns observations into clauses, one entry after the other.

    `peeks` are what was seen in the notch, and in which entries, since the cards in the envelope
    were last laid anew.
    """

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.entry = 0
        self.peeks: tuple[tuple[int, str], ...] = ()

    def clauses(self, entry: int, observation: observed.Event) -> Iterator[Clause]:
        """Yield what the next entry says."""
        self.entry = entry
        yield from clauses_of(observation, self)

    def has(self, holder: int, mask: int) -> Clause:
        """Say that a holder has one of the cards."""
        return Clause((self.entry,), holder, mask, True)

    def lacks(self, holder: int, mask: int) -> list[Clause]:
        """Say that a holder has none of the cards."""
        entries = (self.entry,)
        return [Clause(entries, holder, 1 << card, False) for card in card_numbers(mask)]

    def answer(
        self, seat: str, asked: int, reply: observed.Reply, card: str | None
    ) -> list[Clause]:
        """Return what a seat's answer to a question about some cards tells."""
        holder = self.numbers.holder(seat)
        if reply == "passes":
            return self.lacks(holder, asked)
        if reply == "shows":
            return [self.has(holder, self.numbers.card(card) if card else asked)]
        return []


def clauses(
    evidence: Iterable[tuple[int, observed.Observation]], *, numbers: Numbers
) -> Iterator[Clause]:
    """Yield the clauses of the evidence in the order of its entries."""
    encoder = ClauseEncoder(numbers)
    for entry, observation in evidence:
        yield from encoder.clauses(entry, observation)


@singledispatch
def clauses_of(observation: observed.Event, encoder: ClauseEncoder) -> Iterable[Clause]:
    """Return what an observation says about the deal; every kind is registered, as those below."""
    raise NotImplementedError(type(observation).__name__)


@clauses_of.register(observed.Suggestion | observed.Finger)
def _(
    observation: observed.Suggestion | observed.Finger, encoder: ClauseEncoder
) -> Iterator[Clause]:
    asked = encoder.numbers.cards(observation.cards)
    for answer in observation.answers:
        if answer.seat is not None:
            yield from encoder.answer(answer.seat, asked, answer.answer, answer.card)


@clauses_of.register(observed.Skip | observed.Leave | observed.Roll | observed.Draw)
@clauses_of.register(observed.Move | observed.Stay)
def no_clauses(_observation: observed.Event, _encoder: ClauseEncoder) -> Iterable[Clause]:
    """Return no clauses: the observation says nothing about the deal."""
    return ()


@clauses_of.register
def _(observation: observed.Question, encoder: ClauseEncoder) -> Iterator[Clause]:
    yield from encoder.answer(
        observation.seat,
        encoder.numbers.cards(observation.about),
        observation.answer,
        observation.card,
    )


@clauses_of.register
def _(observation: observed.Look, encoder: ClauseEncoder) -> Iterator[Clause]:
    if observation.card is not None:
        yield encoder.has(
            encoder.numbers.holder(observation.holder), encoder.numbers.card(observation.card)
        )


@clauses_of.register
def _(observation: observed.Reveal, encoder: ClauseEncoder) -> Iterator[Clause]:
    if observation.card is not None:
        yield encoder.has(
            encoder.numbers.holder(observation.seat), encoder.numbers.card(observation.card)
        )


@clauses_of.register
def _(observation: observed.Hand, encoder: ClauseEncoder) -> Iterator[Clause]:
    seat = encoder.numbers.holder(observation.seat)
    held = encoder.numbers.cards(observation.cards)
    for number in card_numbers(held):
        yield encoder.has(seat, 1 << number)
    yield from encoder.lacks(seat, encoder.numbers.layout.everything & ~held)


@clauses_of.register
def _(observation: observed.Knowing, encoder: ClauseEncoder) -> Iterator[Clause]:
    holder = encoder.numbers.holder(observation.holder)
    if observation.has:
        yield encoder.has(holder, encoder.numbers.cards(observation.has))
    yield from encoder.lacks(holder, encoder.numbers.cards(observation.lacks))


@clauses_of.register
def _(observation: observed.Nobody, encoder: ClauseEncoder) -> Iterator[Clause]:
    for seat in range(encoder.numbers.layout.seats):
        yield from encoder.lacks(seat, encoder.numbers.card(observation.card))


@clauses_of.register
def _(observation: observed.Peek, encoder: ClauseEncoder) -> Iterator[Clause]:
    if observation.feature is None:
        return
    envelope = encoder.numbers.layout.envelope
    yield encoder.has(envelope, encoder.numbers.cards([observation.feature]))
    for earlier, seen in encoder.peeks:
        if seen != observation.feature:
            yield Clause((earlier, encoder.entry), envelope, 0, True)
    encoder.peeks = (*encoder.peeks, (encoder.entry, observation.feature))


@clauses_of.register
def _(observation: observed.Accusation, encoder: ClauseEncoder) -> Iterator[Clause]:
    numbers = encoder.numbers
    envelope = encoder.numbers.layout.envelope
    if observation.right:
        for name in observation.cards:
            yield encoder.has(envelope, numbers.card(name))
        return
    if not numbers.notch_stays:
        encoder.peeks = ()
    if all(numbers.card(name) for name in observation.cards):
        yield Clause((encoder.entry,), envelope, numbers.cards(observation.cards), False)
