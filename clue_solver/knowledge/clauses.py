"""
What must be so: evidence as clauses, each with the entries it came from.

Every clause speaks of one holder, so a clause is a set of cards and says that the holder has at
least one of them, or lacks at least one of them. That a deal gives every card to one holder and
fills every hand is not listed here: it holds for every log and is built into the solver and the
diagram.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clue_solver.knowledge.layout import Numbers, card_numbers
from clue_solver.observation import (
    Accusation,
    Hand,
    Knowing,
    Look,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Suggestion,
)


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


def clauses(evidence: Iterable[tuple[int, Observation]], *, numbers: Numbers) -> Iterator[Clause]:
    """Yield the clauses of the evidence in the order of its entries."""
    seats, envelope = range(numbers.layout.seats), numbers.layout.envelope
    peeks: list[tuple[int, str]] = []  # since the envelope was last opened

    for entry, observation in evidence:

        def has(holder: int, mask: int, entry: int = entry) -> Clause:
            return Clause((entry,), holder, mask, True)

        def lacks(holder: int, mask: int, entry: int = entry) -> Iterator[Clause]:
            for card in card_numbers(mask):
                yield Clause((entry,), holder, 1 << card, False)

        match observation:
            case Suggestion(cards=cards, answers=answers):
                asked = numbers.cards(cards)
                for answer in answers:
                    if answer.answer == "unheard" or answer.seat is None:
                        continue
                    seat = numbers.holder(answer.seat)
                    if answer.answer == "passes":
                        yield from lacks(seat, asked)
                    else:
                        yield has(seat, numbers.card(answer.card) if answer.card else asked)
            case Question(seat=name, about=about, answer=reply, card=card):
                seat, asked = numbers.holder(name), numbers.cards(about)
                if reply == "passes":
                    yield from lacks(seat, asked)
                elif reply == "shows":
                    yield has(seat, numbers.card(card) if card else asked)
            case Look(holder=name, card=str(card)) | Reveal(seat=name, card=str(card)):
                yield has(numbers.holder(name), numbers.card(card))
            case Hand(seat=name, cards=cards):
                seat, held = numbers.holder(name), numbers.cards(cards)
                for number in card_numbers(held):
                    yield has(seat, 1 << number)
                yield from lacks(seat, numbers.layout.everything & ~held)
            case Knowing(holder=name, has=cards, lacks=missing):
                holder = numbers.holder(name)
                if cards:
                    yield has(holder, numbers.cards(cards))
                yield from lacks(holder, numbers.cards(missing))
            case Nobody(card=card):
                for seat in seats:
                    yield from lacks(seat, numbers.card(card))
            case Peek(feature=str(feature)):
                yield has(envelope, numbers.cards([feature]))
                for earlier, seen in peeks:
                    if seen != feature:
                        yield Clause((earlier, entry), envelope, 0, True)
                peeks.append((entry, feature))
            case Accusation(cards=cards, right=True):
                for name in cards:
                    yield has(envelope, numbers.card(name))
            case Accusation(cards=cards):
                peeks.clear()
                if all(numbers.card(name) for name in cards):
                    yield Clause((entry,), envelope, numbers.cards(cards), False)
            case _:
                pass
