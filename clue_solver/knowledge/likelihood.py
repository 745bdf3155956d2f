"""
What a reasonable table would have done: evidence as likelihood factors, one holder each.

Every factor is a function of how many cards of a set the holder has, so it is a set and a table.
A show policy is a class with one method; a new
one is one more class and its name in `POLICIES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from clue_solver.knowledge.evidence import Evidence
from clue_solver.knowledge.layout import Layout, Numbers
from clue_solver.observation import (
    Accusation,
    Look,
    Observation,
    Peek,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.table import Shows


class Factor(NamedTuple):
    """
    How likely an observation is, given one holder's hand.

    Attributes:
        entry: The entry it came from, counted from 1.
        holder: The holder whose hand decides.
        cards: The mask of cards that count.
        table: The likelihood by how many of those cards the holder has: entry `k` for `k` cards.
    """

    entry: int
    holder: int
    cards: int
    table: tuple[float, ...]


class ShowPolicy(Protocol):
    """How a seat chooses among the cards it could show; equal only to itself."""

    def __hash__(self) -> int:
        """Return a hash: what a policy predicts is kept by policy."""

    def chances(self, asked: int, *, shown: int, habit: int) -> tuple[float, ...]:
        """
        Return the chance that a seat shows just the card it showed.

        Args:
            asked: The mask of the cards asked for.
            shown: The mask of the card shown.
            habit: The mask of the cards that this seat showed the viewer in earlier answers.

        Returns:
            Entry `k` is the chance where the seat holds `k` of the asked cards; entry 0 plays no
            part.
        """

    def picks(self, could: Sequence[int], *, habit: int) -> tuple[float, ...]:
        """Return the chances with which a seat shows each of the cards that it could show."""


class Random:
    """Each of the asked cards in the hand is as likely to be shown (the default)."""

    def chances(self, asked: int, *, shown: int, habit: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return 1 / k."""
        return one_in(asked)

    def picks(self, could: Sequence[int], *, habit: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return the same chance for each."""
        return (1.0 / len(could),) * len(could)


class Sticky:
    """A card that was shown to the viewer before is shown again where one is asked for."""

    def chances(self, asked: int, *, shown: int, habit: int) -> tuple[float, ...]:
        """Return one in the number of habitual cards; as `Random` where the habit is broken."""
        if not shown & habit:
            return one_in(asked)
        return (1.0 / (asked & habit).bit_count(),) * (asked.bit_count() + 1)

    def picks(self, could: Sequence[int], *, habit: int) -> tuple[float, ...]:
        """Return the same chance for each habitual card, or for each card if none is."""
        usual = [habit >> card & 1 for card in could]
        if not any(usual):
            return (1.0 / len(could),) * len(could)
        return tuple(often / sum(usual) for often in usual)


_AT_RANDOM = Random()

POLICIES: Mapping[Shows, ShowPolicy | None] = {
    "random": _AT_RANDOM,
    "none": None,  # pure counting: all deals that fit are equally likely
    "sticky": Sticky(),
}
"""The show policies by the names that a record's header and the command line use."""


def predicting(shows: Shows) -> ShowPolicy:
    """Return the policy that predicts answers: under `none` showers choose at random."""
    return POLICIES[shows] or _AT_RANDOM


class Shown(NamedTuple):
    """A card that a seat (a holder's number) showed the viewer in an answer; `card` is a mask."""

    entry: int
    seat: int
    card: int


def shown_cards(evidence: Evidence, *, numbers: Numbers, viewer: str | None) -> Iterator[Shown]:
    """Yield what each seat showed the viewer in answers, in the order of the entries."""
    for entry, observation in evidence:
        for seat, card, _ in _shown_to(viewer, observation):
            yield Shown(entry, numbers.holder(seat), numbers.card(card))


def one_in(cards: int) -> tuple[float, ...]:
    """
    Return the chance of one certain card among `k`, for `k` from 0 to all of the cards.

    >>> one_in(0b111)
    (1.0, 1.0, 0.5, 0.3333333333333333)
    """
    return (1.0, *(1.0 / k for k in range(1, cards.bit_count() + 1)))


def factors(
    evidence: Evidence, *, numbers: Numbers, viewer: str | None, shows: Shows
) -> Iterator[Factor]:
    """Yield the likelihood factors of the evidence in the order of its entries."""
    policy, layout = POLICIES[shows], numbers.layout
    if policy is None:
        return
    habits: dict[str, int] = {}  # what each seat has shown the viewer in earlier answers
    peeked = False  # at the card that the notch shows now

    for entry, observation in evidence:
        for seat, card, asked in _shown_to(viewer, observation):
            mask, shown = numbers.cards(asked), numbers.card(card)
            habit = habits.get(seat, 0)
            habits[seat] = habit | shown
            table = policy.chances(mask, shown=shown, habit=habit)
            yield Factor(entry, numbers.holder(seat), mask, table)
        match observation:
            case Look(holder=name, card=str()):
                yield _drawn(entry, numbers.holder(name), layout)
            case Reveal(seat=name, card=str(), to=str()) if name != viewer:
                yield _drawn(entry, numbers.holder(name), layout)
            case Peek(feature=str(feature)) if not peeked:
                peeked = True
                marked, drawn = numbers.cards([feature]), len(layout.categories)
                table = tuple(k / drawn for k in range(marked.bit_count() + 1))
                yield Factor(entry, layout.envelope, marked, table)
            case Accusation(right=False):
                peeked = False
            case _:
                pass


def _drawn(entry: int, holder: int, layout: Layout) -> Factor:
    """Return one in the hand's size, which is a constant where the size is known."""
    least, most = layout.bounds[holder]
    if least == most:
        return Factor(entry, holder, 0, (1.0 / max(most, 1),))
    return Factor(entry, holder, layout.everything, one_in(layout.everything))


def _shown_to(
    viewer: str | None, observation: Observation
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield who showed the viewer which card and what had been asked for."""
    match observation:
        case Suggestion(by=by, cards=cards, answers=answers) if by == viewer:
            for answer in answers:
                if answer.card is not None and answer.seat is not None:
                    yield answer.seat, answer.card, cards
        case Question(by=by, seat=seat, about=about, card=str(card)) if by == viewer:
            yield seat, card, about
        case _:
            pass
