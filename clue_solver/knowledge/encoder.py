"""
What a viewer saw, as clauses and factors.

For each kind of observation, one function registered with `encode` says what must hold, how likely
the observation was, and how usual, that is, how well it fits what people usually do.
"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

from clue_solver.knowledge.clauses import (
    CardMask,
    Clause,
    Factor,
    Numbers,
    Shown,
    Tables,
    card_numbers,
)
from clue_solver.knowledge.policies import (
    OVERSIGHT,
    POLICIES,
    ask_policy,
    draw_chances,
    free_categories,
    predicting,
)
from clue_solver.knowledge.sight import Evidence
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table


class Statements(NamedTuple):
    """
    What entries say about the deal.

    Attributes:
        clauses: What must hold.
        factors: How likely the entries are, and how usual, by what a holder has.
        shown: The cards shown to the viewer in answers.
    """

    clauses: list[Clause]
    factors: list[Factor]
    shown: list[Shown]


class Encoder:
    """
    Turns what a viewer saw, entry by entry, into statements about the deal: clauses and factors.

    Attributes:
        numbers: Numbers for the table's names.
        viewer: The seat that saw the entries; `None` for a spectator.
        policy: How seats choose the card they show.
        entry: The number of the entry that is being read; 0 for a supposition.
        peeks: The entry and the feature of each peek since the envelope was last opened. All peeks
            show the same card, so only the first was by chance.
        notch_stays: Whether a wrong accuser puts the envelope's cards back in the same order.
        shown_before: For each holder, the mask of the cards that it has shown the viewer in
            answers.
    """

    def __init__(self, numbers: Numbers, table: Table, *, viewer: str | None) -> None:
        self.numbers = numbers
        self.viewer = viewer
        self.policy = predicting(table.policy)
        self.entry = 0
        self.peeks: list[tuple[int, str]] = []
        self.notch_stays = table.notch == "same"
        self.shown_before = [0] * numbers.layout.holders
        self._only_counts = POLICIES[table.policy] is None
        self._asking = {seat: ask_policy(table.asking(seat)) for seat in table.seats}
        self._chosen = free_categories(table, numbers)
        self._said = Statements([], [], [])

    def read(self, entries: Evidence) -> Statements:
        """
        Return what the next entries say, in the order of the entries.

        Entries read earlier still count: for instance, which cards the viewer has been shown
        before.
        """
        self._said = Statements([], [], [])
        for entry, observation in entries:
            self.entry = entry
            encode(observation, self)
        return self._said

    def has(self, holder: int, mask: CardMask) -> None:
        """Add the clause that a holder has at least one of the cards in a mask."""
        self._said.clauses.append(Clause((self.entry,), holder, mask, True))

    def lacks(self, holder: int, mask: CardMask) -> None:
        """Add the clauses that a holder has none of the cards in a mask."""
        for card in card_numbers(mask):
            self._said.clauses.append(Clause((self.entry,), holder, 1 << card, False))

    def lacks_one(self, holder: int, mask: CardMask) -> None:
        """Add the clause that a holder lacks at least one of the cards in a mask."""
        self._said.clauses.append(Clause((self.entry,), holder, mask, False))

    def clash(self, earlier: int) -> None:
        """Add the clause that this entry and the entry number `earlier` cannot both be true."""
        envelope = self.numbers.layout.envelope
        self._said.clauses.append(Clause((earlier, self.entry), envelope, 0, True))

    def likely(self, holder: int, mask: CardMask, chances: tuple[float, ...]) -> None:
        """
        Add the factor that this entry had the chance `chances[n]` if a holder has n of the cards.

        `mask` has these cards. Nothing is added at a table that only counts deals (`shows: none`).
        """
        if not self._only_counts:
            self._said.factors.append(Factor(self.entry, holder, mask, (chances,)))

    def usual(self, holder: int, mask: CardMask, tables: Tables) -> None:
        """
        Add the factor that weighs how usual this entry is, by how many of some cards a holder has.

        Args:
            holder: The number of the holder whose hand counts.
            mask: The mask of the cards that count.
            tables: The weights: item n of a table if the holder has n of the cards.
        """
        self._said.factors.append(Factor(self.entry, holder, mask, tables, is_behaviour=True))

    def answer(
        self, by: str, asked: CardMask, seat: str, reply: observed.Reply, card: str | None
    ) -> None:
        """
        Add what one seat's answer to a question says.

        These are clauses, and a factor if the viewer asked and saw the card.

        Args:
            by: The seat that asked.
            asked: The mask of the cards asked for.
            seat: The seat that answers.
            reply: Whether it passes, shows a card, or was not heard.
            card: The card that it shows; `None` if it shows none, or the viewer did not see the
                card.
        """
        holder = self.numbers.holder(seat)
        if reply == "passes":
            self.lacks(holder, asked)
        if reply != "shows":
            return
        shown = self.numbers.card(card) if card else asked
        self.has(holder, shown)

        # Which of several cards was shown depends on how many of them the seat could have shown.
        if card and by == self.viewer:
            self._said.shown.append(Shown(self.entry, holder, shown))
            before = self.shown_before[holder]
            self.shown_before[holder] |= shown
            self.likely(holder, asked, self.policy.chances(asked, shown=shown, before=before))

    def drawn(self, name: str) -> None:
        """
        Add how likely it was to draw just the card that was seen from the hand of `name`.

        If the hand's size is known, that is a constant. It decides nothing in this record, but
        counts when the record is compared with a corrected one (`Diagram.log_weight`).
        """
        holder = self.numbers.holder(name)
        layout = self.numbers.layout
        least, most = layout.bounds[holder]
        if least == most:
            self.likely(holder, 0, (1.0 / max(most, 1),))
        else:
            self.likely(holder, layout.everything, draw_chances(layout.everything))

    def asks(self, by: str, named: CardMask) -> None:
        """
        Add how usual it is that the seat `by` asks for the cards in the mask `named`.

        Only those of categories count in which the seat could name any card: not the room where its
        piece stands, nor cards that dice choose.
        """
        policy = self._asking[by]
        if policy is None:
            return
        holder = self.numbers.holder(by)
        for mask in self._chosen:
            if card := named & mask:
                self.usual(holder, card, policy.named())
                self.usual(holder, mask, policy.among(mask.bit_count()))

    def accuses_wrongly(self, by: str, accused: CardMask) -> None:
        """
        Add how usual it is that the seat `by` wrongly accuses the cards in the mask `accused`.

        People rarely accuse cards of their own.
        """
        if self._asking[by]:
            weights = (1.0,) + (OVERSIGHT,) * accused.bit_count()
            self.usual(self.numbers.holder(by), accused, (weights,))


@singledispatch
def encode(observation: observed.Event, encoder: Encoder) -> None:
    """
    Add to an encoder what an observation says about the deal: clauses, and factors that weigh it.

    There is an implementation for each kind of observation. Factors say how likely the observation
    was, and how well it fits what people usually do.
    """
    raise NotImplementedError(type(observation).__name__)


@encode.register(observed.Skip | observed.Leave | observed.Roll | observed.Draw)
@encode.register(observed.Move | observed.Stay)
def encode_nothing(_observation: observed.Event, _encoder: Encoder) -> None:
    """Add nothing, because observations of these kinds say nothing about the deal."""


@encode.register
def _(observation: observed.Inquiry, encoder: Encoder) -> None:
    asked = encoder.numbers.cards(observation.cards)
    for answer in observation.answers:
        if answer.seat is not None:
            encoder.answer(observation.by, asked, answer.seat, answer.answer, answer.card)
    if isinstance(observation, observed.Suggestion):
        encoder.asks(observation.by, asked)


@encode.register
def _(observation: observed.Question, encoder: Encoder) -> None:
    asked = encoder.numbers.cards(observation.about)
    encoder.answer(observation.by, asked, observation.seat, observation.answer, observation.card)


@encode.register
def _(observation: observed.Look, encoder: Encoder) -> None:
    if observation.card is not None:
        holder = encoder.numbers.holder(observation.holder)
        encoder.has(holder, encoder.numbers.card(observation.card))
        encoder.drawn(observation.holder)


@encode.register
def _(observation: observed.Reveal, encoder: Encoder) -> None:
    if observation.card is not None:
        holder = encoder.numbers.holder(observation.seat)
        encoder.has(holder, encoder.numbers.card(observation.card))
        if observation.to is not None and observation.seat != encoder.viewer:
            encoder.drawn(observation.seat)


@encode.register
def _(observation: observed.Hand, encoder: Encoder) -> None:
    seat = encoder.numbers.holder(observation.seat)
    held = encoder.numbers.cards(observation.cards)
    for number in card_numbers(held):
        encoder.has(seat, 1 << number)
    encoder.lacks(seat, encoder.numbers.layout.everything & ~held)


@encode.register
def _(observation: observed.Knowing, encoder: Encoder) -> None:
    holder = encoder.numbers.holder(observation.holder)
    if observation.has:
        encoder.has(holder, encoder.numbers.cards(observation.has))
    encoder.lacks(holder, encoder.numbers.cards(observation.lacks))


@encode.register
def _(observation: observed.Nobody, encoder: Encoder) -> None:
    for seat in range(encoder.numbers.layout.seats):
        encoder.lacks(seat, encoder.numbers.card(observation.card))


@encode.register
def _(observation: observed.Peek, encoder: Encoder) -> None:
    if observation.feature is None:
        return
    layout = encoder.numbers.layout
    marked = encoder.numbers.cards([observation.feature])
    encoder.has(layout.envelope, marked)
    for earlier, feature in encoder.peeks:
        if feature != observation.feature:
            encoder.clash(earlier)

    # The notch shows one card until the envelope is opened: only the first peek was by chance.
    if not encoder.peeks:
        slots = len(layout.categories)
        chances = tuple(k / slots for k in range(marked.bit_count() + 1))
        encoder.likely(layout.envelope, marked, chances)
    encoder.peeks.append((encoder.entry, observation.feature))


@encode.register
def _(observation: observed.Accusation, encoder: Encoder) -> None:
    numbers = encoder.numbers
    envelope = numbers.layout.envelope
    if observation.right:
        for name in observation.cards:
            encoder.has(envelope, numbers.card(name))
        return
    if not encoder.notch_stays:
        encoder.peeks.clear()
    accused = numbers.cards(observation.cards)
    if all(numbers.card(name) for name in observation.cards):
        encoder.lacks_one(envelope, accused)
    encoder.accuses_wrongly(observation.by, accused)
