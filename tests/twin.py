"""
The naive twin of the solver: finds every answer by listing all deals, as names of holders.

It is written from the rules alone, slow and plain, and shares no code with what it checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.knowledge.policies import LEVELS, PRIOR
from clue_solver.rules.observations import (
    Accusation,
    Answer,
    Draw,
    Hand,
    Inquiry,
    Knowing,
    Leave,
    Look,
    Move,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Roll,
    Skip,
    Stay,
    Suggestion,
)
from clue_solver.rules.table import ENVELOPE, Shows, Table

Deal = dict[str, str]
"""The holder of each card in play."""


class Oracle(NamedTuple):
    """
    What one viewer can know, found by listing every deal.

    Attributes:
        deals: How many deals fit.
        probability: The probability by card and holder; empty if no deal fits.
        solutions: The probability of each solution that is possible, cards in category order.
        verdicts: The verdict by card and holder, from the deals alone; empty if no deal fits.
    """

    deals: int
    probability: dict[str, dict[str, Fraction]]
    solutions: dict[tuple[str, ...], Fraction]
    verdicts: dict[str, dict[str, Literal["holds", "lacks", "open"]]]


def all_deals(table: Table) -> Iterator[Deal]:
    """Yield every deal of the cards in play, over all the sizes that the hands may have."""
    choices = [range(least, most + 1) for least, most in table.size_bounds()]
    kinds = [
        [card.name for card in kind.cards if card.name not in table.face_up]
        for kind in table.edition.category
    ]
    for sizes in product(*choices):
        if sum(sizes) != table.dealt or not in_rotation(sizes, table):
            continue
        for solution in product(*kinds):
            room = dict(zip(table.seats, sizes, strict=True))
            room.update({slot.name: slot.count for slot in table.slots})
            rest = [card for card in table.cards if card not in solution]
            for deal in _ways_to_deal(rest, room):
                yield {**dict.fromkeys(solution, ENVELOPE), **deal}


def in_rotation(sizes: tuple[int, ...], table: Table) -> bool:
    """Return whether dealing card by card gives these hand sizes, if the header requires that."""
    if table.sizes != "dealt" or None not in (table.hands or (None,)):
        return True
    seats = len(sizes)
    for first in range(seats):
        hands = [0] * seats
        for card in range(table.dealt):
            hands[(first + card) % seats] += 1
        if tuple(hands) == sizes:
            return True
    return False


def _ways_to_deal(cards: list[str], room: dict[str, int]) -> Iterator[Deal]:
    """Yield every way to deal cards; `room` is how many cards each holder still gets."""
    if not cards:
        yield {}
        return
    for holder, free in room.items():
        if free:
            for deal in _ways_to_deal(cards[1:], {**room, holder: free - 1}):
                yield {cards[0]: holder, **deal}


def held(deal: Deal, holder: str) -> set[str]:
    """Return the cards that the holder has."""
    return {card for card, place in deal.items() if place == holder}


# What the viewer sees.


def sees_answer(suggestion: Inquiry, answer: Answer, viewer: str | None) -> bool:
    """Return whether the viewer saw which card was shown, and the record names it."""
    return answer.card is not None and viewer in (suggestion.by, answer.seat)


def sees_question(question: Question, viewer: str | None) -> bool:
    """Return whether the viewer saw the card that was shown, and the record names it."""
    return question.card is not None and viewer in (question.by, question.seat)


def sees_look(look: Look, table: Table, viewer: str | None) -> bool:
    """Return whether the viewer knows which card was looked at, and the record names it."""
    if look.card is None or viewer is None:
        return False
    return viewer == look.by or (table.edition.looker_tells and viewer == look.holder)


def sees_peek(peek: Peek, viewer: str | None) -> bool:
    """Return whether the viewer peeked, and the record names what was seen."""
    return peek.feature is not None and viewer == peek.by


def sees_reveal(reveal: Reveal, viewer: str | None) -> bool:
    """Return whether the viewer saw the revealed card, and the record names it."""
    return reveal.card is not None and (reveal.to is None or viewer in (reveal.seat, reveal.to))


# Which deals fit.


def fits(deal: Deal, observations: Sequence[Observation], table: Table, viewer: str | None) -> bool:
    """Return whether a deal agrees with all that the viewer saw."""
    notch: str | None = None  # what the notch is known to show until the envelope is opened
    for observation in observations:
        if not _agrees(deal, observation, table, viewer):
            return False
        if isinstance(observation, Peek) and sees_peek(observation, viewer):
            if notch not in (None, observation.feature):
                return False
            notch = observation.feature
        wrong = isinstance(observation, Accusation) and not observation.right
        if wrong and table.notch != "same":
            notch = None
    return True


def _agrees(deal: Deal, observation: Observation, table: Table, viewer: str | None) -> bool:
    """Return whether a deal agrees with what the viewer saw of one observation."""
    match observation:
        case Hand(seat=seat, cards=cards):
            return viewer != seat or held(deal, seat) == set(cards)
        case Inquiry(cards=cards, answers=answers):
            return all(
                _can_answer(
                    held(deal, answer.seat or ""),
                    set(cards),
                    answer.answer,
                    answer.card if sees_answer(observation, answer, viewer) else None,
                )
                for answer in answers
            )
        case Question(seat=seat, answer=answer, card=card):
            seen = card if sees_question(observation, viewer) else None
            return _can_answer(held(deal, seat), asked(observation, table), answer, seen)
        case Look(holder=holder, card=card):
            return not sees_look(observation, table, viewer) or deal.get(card or "") == holder
        case Peek(feature=feature):
            if not sees_peek(observation, viewer):
                return True
            return any(marks(table, card) == feature for card in held(deal, ENVELOPE))
        case Reveal(seat=seat, card=card):
            return not sees_reveal(observation, viewer) or deal.get(card or "") == seat
        case Nobody(card=card):
            return deal.get(card) not in table.seats
        case Accusation(cards=cards, right=right):
            return right == (held(deal, ENVELOPE) == set(cards))
        case Knowing(by=by, holder=holder, has=has, lacks=lacks):
            if viewer != by:
                return True
            if has and not any(deal.get(card) == holder for card in has):
                return False
            return not any(deal.get(card) == holder for card in lacks)
        case Skip() | Leave() | Roll() | Draw() | Move() | Stay():
            return True


def _can_answer(hand: set[str], cards: set[str], answer: str, seen: str | None) -> bool:
    """Return whether a hand can give an answer about cards; `seen` is the card, if it is known."""
    if answer == "passes":
        return not hand & cards
    if answer == "shows":
        return seen in hand if seen is not None else bool(hand & cards)
    return True


def marks(table: Table, name: str) -> str | None:
    """Return the feature that a card shows."""
    return next(card.feature for card in table.edition.cards if card.name == name)


def asked(question: Question, table: Table) -> set[str]:
    """Return the cards that a question is about, including those with its features."""
    return {
        card.name
        for card in table.edition.cards
        if card.name in question.about or card.feature in question.about
    }


# How likely a deal is.


def weight(
    deal: Deal,
    observations: Sequence[Observation],
    table: Table,
    viewer: str | None,
    shows: Shows,
) -> Fraction:
    """Return how likely everybody would act as the viewer saw, in a deal that fits."""
    usual = sum(
        (
            Fraction(prior) * _by_habits(deal, observations, table, Fraction(str(level)))
            for level, prior in zip(LEVELS, PRIOR, strict=True)
        ),
        Fraction(),
    )
    return usual * _by_rules(deal, observations, table, viewer, shows)


def _by_habits(
    deal: Deal, observations: Sequence[Observation], table: Table, learned: Fraction
) -> Fraction:
    """
    Return how likely people are to suggest and accuse as they did, if the cards lie so.

    `learned` is the own-card level of players whose level is learned from the log.
    """
    likely = Fraction(1)
    for observation in observations:
        if isinstance(observation, Suggestion | Accusation):
            asks, hand = table.asking(observation.by), held(deal, observation.by)
            if asks.model == "any":
                continue
            if isinstance(observation, Accusation):
                if not observation.right and hand & set(observation.cards):
                    likely *= Fraction(2, 100)
                continue
            if table.edition.suspect_dice:
                continue
            level = learned if asks.model == "adaptive" else Fraction(str(asks.level or 0.25))
            for kind in table.edition.category:
                names = {card.name for card in kind.cards} & set(table.cards)
                if kind.name == "room" and table.board != "none":
                    continue
                for named in names & set(observation.cards):
                    own = len(names & hand)
                    chance = 1 / (len(names) - own + level * own)
                    likely *= chance * (level if named in hand else 1)
    return likely


def _by_rules(
    deal: Deal,
    observations: Sequence[Observation],
    table: Table,
    viewer: str | None,
    shows: Shows,
) -> Fraction:
    """Return how likely the viewer was to see just these cards: shown, drawn, or at the notch."""
    if shows == "none":
        return Fraction(1)
    likely = Fraction(1)
    shown_before: dict[str, set[str]] = {seat: set() for seat in table.seats}
    notch_counted = False
    for observation in observations:
        match observation:
            case Inquiry(by=by, cards=cards, answers=answers) if by == viewer:
                for answer in answers:
                    if answer.card is not None and answer.seat is not None:
                        hand, before = held(deal, answer.seat), shown_before[answer.seat]
                        likely *= _chance_to_show(answer.card, set(cards) & hand, before, shows)
                        before.add(answer.card)
            case Question(by=by, seat=seat, card=str(card)) if by == viewer:
                hand, before = held(deal, seat), shown_before[seat]
                likely *= _chance_to_show(card, asked(observation, table) & hand, before, shows)
                before.add(card)
            case Look(holder=holder) if sees_look(observation, table, viewer):
                likely /= len(held(deal, holder))
            case Reveal(seat=seat, card=str(), to=str(to)) if to == viewer:
                likely /= len(held(deal, seat))
            case Peek(feature=feature) if sees_peek(observation, viewer):
                if not notch_counted:
                    envelope = held(deal, ENVELOPE)
                    alike = sum(marks(table, card) == feature for card in envelope)
                    likely *= Fraction(alike, len(envelope))
                notch_counted = True
            case Accusation(right=False) if table.notch != "same":
                notch_counted = False
            case _:
                pass
    return likely


def _chance_to_show(card: str, could: set[str], before: set[str], shows: Shows) -> Fraction:
    """Return the chance that a seat shows one card, of those that it could show."""
    if shows == "sticky" and card in before:
        return Fraction(1, len(could & before))
    return Fraction(1, len(could))


# All answers.


def weighted_deals(
    observations: Sequence[Observation],
    table: Table,
    viewer: str | None,
    shows: Shows = "random",
) -> list[tuple[Deal, Fraction]]:
    """Return every deal that fits, with its weight."""
    fitting = (deal for deal in all_deals(table) if fits(deal, observations, table, viewer))
    return [(deal, weight(deal, observations, table, viewer, shows)) for deal in fitting]


def answers(
    observations: Sequence[Observation],
    table: Table,
    viewer: str | None,
    shows: Shows = "random",
) -> Oracle:
    """Return everything that the viewer can know, with exact probabilities."""
    fitting = weighted_deals(observations, table, viewer, shows)
    if not fitting:
        return Oracle(0, {}, {}, {})
    whole = sum(likely for _, likely in fitting)
    probability = {card: dict.fromkeys(table.holders, Fraction()) for card in table.cards}
    solutions: dict[tuple[str, ...], Fraction] = {}
    count = {card: dict.fromkeys(table.holders, 0) for card in table.cards}
    for deal, likely in fitting:
        solution = tuple(card for card in table.cards if deal[card] == ENVELOPE)
        solutions[solution] = solutions.get(solution, Fraction()) + likely / whole
        for card, holder in deal.items():
            probability[card][holder] += likely / whole
            count[card][holder] += 1
    verdicts: dict[str, dict[str, Literal["holds", "lacks", "open"]]] = {
        card: {
            holder: "lacks" if not number else "holds" if number == len(fitting) else "open"
            for holder, number in row.items()
        }
        for card, row in count.items()
    }
    return Oracle(len(fitting), probability, solutions, verdicts)


# Long logs: all deals of a whole deck, with logarithms of their weights.

Floats = npt.NDArray[np.float64]


class LongOracle(NamedTuple):
    """
    What one viewer can know from a long log, found from all deals at once.

    Attributes:
        deals: How many deals fit.
        probability: The probability by card and holder, in the table's order; shape (cards,
            holders).
        solutions: The probability of each solution that is possible, cards in category order.
        bits: The entropy of the solutions, in bits.
        levels: The probability of each own-card level; shape (levels,).
    """

    deals: int
    probability: Floats
    solutions: dict[tuple[str, ...], float]
    bits: float
    levels: Floats


def long_answers(
    observations: Sequence[Observation],
    table: Table,
    viewer: str | None,
) -> LongOracle:
    """
    Return what the viewer can know from hands, suggestions and accusations, by listing all deals.

    The table must have no slots, and all hand sizes must be known. A hand is an integer with one
    bit for each card.
    """
    cards, seats = table.cards, table.seats
    kinds = [
        [n for n, c in enumerate(cards) if c in {card.name for card in kind.cards}]
        for kind in table.edition.category
    ]
    hands = {seat: _hands_with_weights(seat, observations, table, viewer=viewer) for seat in seats}
    wrong = [
        _mask(observation.cards, table)
        for observation in observations
        if isinstance(observation, Accusation)
    ]
    by_solution: list[tuple[tuple[int, ...], int, Floats, Floats]] = []
    for solution in product(*kinds):
        inside = sum(1 << card for card in solution)
        if inside in wrong:
            continue
        whole = (1 << len(cards)) - 1 & ~inside
        given, weights = _share_out(whole, [hands[seat] for seat in seats])
        if len(weights):
            most = weights.max(axis=0)
            likely = np.exp(weights - most)
            has = given[:, :, None] >> np.arange(len(cards)) & 1
            held = np.tensordot(likely.T, has.astype(float), 1).transpose(0, 2, 1)
            by_solution.append(
                (
                    solution,
                    len(weights),
                    most + np.log(likely.sum(axis=0)),
                    held / likely.sum(axis=0)[:, None, None],
                )
            )
    logs = np.array([row[2] for row in by_solution]) + np.log(PRIOR)
    joint = np.exp(logs - logs.max())
    joint /= joint.sum()
    probability = np.zeros((len(cards), len(seats) + 1))
    for (solution, _, _, inside_hands), likely in zip(by_solution, joint, strict=True):
        probability[:, :-1] += np.tensordot(likely, inside_hands, 1)
        probability[list(solution), -1] += likely.sum()
    chances = joint.sum(axis=1)
    some = chances[chances > 0]
    return LongOracle(
        deals=sum(row[1] for row in by_solution),
        probability=probability,
        solutions={
            tuple(cards[card] for card in row[0]): chance
            for row, chance in zip(by_solution, chances.tolist(), strict=True)
        },
        bits=float(-(some * np.log2(some)).sum()),
        levels=joint.sum(axis=0),
    )


def _mask(names: Sequence[str], table: Table) -> int:
    """Return cards as an integer with one bit for each card of the table."""
    return sum(1 << number for number, card in enumerate(table.cards) if card in names)


def _hands_with_weights(
    seat: str,
    observations: Sequence[Observation],
    table: Table,
    *,
    viewer: str | None,
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the hands that a seat can have, and their log weights; shape (hands, levels)."""
    size = table.size_bounds()[table.seats.index(seat)][1]
    places = np.array(list(combinations(range(len(table.cards)), size)), np.int64)
    hands = np.sort((1 << places.reshape(-1, size)).sum(axis=1))
    weights = np.zeros((len(hands), len(LEVELS)))
    asks = table.asking(seat)
    learned = asks.model == "adaptive"
    of_seat = np.log(LEVELS if learned else [asks.level or 0.25] * len(LEVELS))

    def count(mask: int) -> npt.NDArray[np.int64]:
        """Return how many of some cards each hand has; shape (hands,)."""
        held = [hands >> place & 1 for place in range(len(table.cards)) if mask >> place & 1]
        counts: npt.NDArray[np.int64] = np.sum(held, axis=0, dtype=np.int64)
        return counts

    possible = np.ones(len(hands), bool)
    for observation in observations:
        match observation:
            case Hand(seat=owner, cards=mine) if owner == seat == viewer:
                possible &= hands == _mask(mine, table)
            case Suggestion(by=by, cards=named, answers=given):
                for answer in given:
                    if answer.seat != seat or answer.answer == "unheard":
                        continue
                    asked = count(_mask(named, table))
                    possible &= asked > 0 if answer.answer == "shows" else asked == 0
                    if answer.card is not None and viewer in (by, seat):
                        possible &= count(_mask([answer.card], table)) == 1
                        if viewer == by:
                            weights -= np.log(np.maximum(asked, 1))[:, None]
                if by != seat or asks.model == "any":
                    continue
                for kind in table.edition.category:
                    if kind.name == "room" and table.board != "none":
                        continue
                    names = [card.name for card in kind.cards if card.name in table.cards]
                    own = count(_mask(names, table))[:, None]
                    for name in set(names) & set(named):
                        weights += count(_mask([name], table))[:, None] * of_seat
                        weights -= np.log((len(names) - own) + np.exp(of_seat) * own)
            case Accusation(by=by, cards=named, right=False):
                if by == seat and asks.model != "any":
                    weights += np.where(count(_mask(named, table)) > 0, np.log(0.02), 0.0)[:, None]
    return hands[possible], weights[possible]


def _share_out(
    whole: int, hands: Sequence[tuple[npt.NDArray[np.int64], Floats]]
) -> tuple[npt.NDArray[np.int64], Floats]:
    """
    Return every way to give cards to the seats: the hands, and the logarithms of their weights.

    Shapes are (deals, seats) and (deals, levels).
    """
    given = np.zeros((1, 0), np.int64)
    rest = np.array([whole])
    weights = np.zeros((1, hands[0][1].shape[1]))
    for could, likely in hands[:-1]:
        inside = np.flatnonzero(could & ~whole == 0)
        deal, hand = np.nonzero((could[inside] & ~rest[:, None]) == 0)
        hand = inside[hand]
        given = np.hstack([given[deal], could[hand][:, None]])
        rest = rest[deal] & ~could[hand]
        weights = weights[deal] + likely[hand]
    could, likely = hands[-1]  # has what is left
    hand = np.searchsorted(could, rest).clip(max=len(could) - 1)
    deal = np.flatnonzero(could[hand] == rest)
    hand = hand[deal]
    return np.hstack([given[deal], rest[deal][:, None]]), weights[deal] + likely[hand]
