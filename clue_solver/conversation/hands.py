"""The hands that a record tells: what one's own rules out, and which are to be asked for."""

from __future__ import annotations

from typing import NamedTuple

from clue_solver import errors, notation
from clue_solver.conversation.doubts import Doubt
from clue_solver.game import Game
from clue_solver.notation.names import joined
from clue_solver.record import Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table


class Answered(NamedTuple):
    """Who answered what, and the cards that were asked for."""

    seat: str | None
    answer: observed.Answer
    asked: tuple[str, ...]


def answers_of(observation: Observation, table: Table) -> list[Answered]:
    """Return the answers that an observation tells."""
    match observation.form.tail:
        case forms.AnswerList(field=field, asked=asked):
            cards = getattr(observation, asked)
            return [Answered(answer.seat, answer, cards) for answer in getattr(observation, field)]
        case forms.SingleAnswer(field=field, card=card, asked=asked, seat=seat):
            cards = notation.lexicon_of(table).marked_by(getattr(observation, asked))
            who, said = getattr(observation, seat), getattr(observation, field)
            answer = observed.Answer(seat=who, answer=said, card=getattr(observation, card))
            return [Answered(who, answer, cards)]
    return []


def own_hand(record: Record) -> frozenset[str] | None:
    """Return the viewer's whole hand if it is recorded."""
    return hand_of(record, record.table.viewer)


def hand_of(record: Record, seat: str | None) -> frozenset[str] | None:
    """Return a seat's whole hand if it is recorded."""
    for told in reversed(record.observations):
        if isinstance(told, observed.Hand) and told.seat == seat:
            return frozenset(told.cards)
    return None


def own_refusal(record: Record, observation: Observation) -> errors.NotationError | None:
    """Return why the viewer's recorded hand rules this out; `None` if it does not."""
    viewer, own = record.table.viewer, own_hand(record)
    if viewer is None or own is None:
        return None
    for seat, answer, asked in answers_of(observation, record.table):
        held = tuple(card for card in asked if card in own)
        reason = ""
        if seat != viewer:
            continue
        if answer.card is not None and answer.card not in own:
            reason = f"you do not hold {answer.card}: expected {joined(held or ('passes',))}"
        elif answer.answer == "shows" and not held:
            reason = f"you hold none of these cards: expected {viewer} passes"
        elif answer.answer == "passes" and held:
            you = f"you hold {joined(held, 'and')}, so you cannot pass"
            reason = f"{you}: type '{viewer} shows {held[0]}'"
        if reason:
            return errors.NotationError(reason, nearest=held)
    match observation:
        case (
            observed.Reveal(seat=seat, card=str(card)) | observed.Look(holder=seat, card=str(card))
        ) if seat == viewer and card not in own:
            return errors.NotationError(f"you do not hold {card}: expected {joined(sorted(own))}")
    return None


def impossible(record: Record, observation: Observation) -> bool:
    """Return whether the viewer's recorded hand rules out what the viewer or others show."""
    own = own_hand(record) or ()
    answers = answers_of(observation, record.table)
    others = (answer.card for seat, answer, _ in answers if seat != record.table.viewer)
    return own_refusal(record, observation) is not None or any(card in own for card in others)


def concerns_hand(observation: Observation, table: Table) -> bool:
    """Return whether the viewer asks or answers in it, so that the own hand matters."""
    asks = isinstance(observation.form.tail, forms.AnswerList | forms.SingleAnswer)
    if asks and getattr(observation, observation.form.subject) == table.viewer:
        return True
    return any(seat == table.viewer for seat, _, _ in answers_of(observation, table))


def missing_hand(game: Game) -> Doubt | None:
    """
    Return the question for the viewer's hand; once a game is over, for any that is not recorded.

    Nothing is asked about hands that are recorded, or of which each card is certain.
    """
    record, viewer = game.record, game.table.viewer
    for seat in record.table.seats if record.finished else (viewer,):
        if seat is not None and hand_of(record, seat) is None and not _is_known(game, seat):
            return which_cards(record, observed.Hand(seat=seat, cards=()))
    return None


def _is_known(game: Game, seat: str) -> bool:
    """Return whether each card that a seat may hold is certain to be there."""
    holder = 1 << game.table.place_of(seat)
    try:
        may_hold = game.deduction.possible(len(game.observations))
    except errors.Contradiction:
        return False
    return all(mask == holder for mask in may_hold if mask & holder)


def which_cards(record: Record, hand: observed.Hand) -> Doubt:
    """Ask for the cards that a hand lacks still."""
    table, sizes = record.table, record.turn_state.sizes
    others = {seat: size for seat, size in sizes.items() if seat != hand.seat}
    least, most = table.size_bounds(others)[table.place_of(hand.seat)]
    left, more = least - len(hand.cards), " more" if hand.cards else ""
    many = f"{left}{more} " if least == most or more else ""
    whose = "do you" if hand.seat == table.viewer else f"did {hand.seat}"
    cards = "card" if many and left == 1 else "cards"
    return Doubt("hand", f"Which {many}{cards} {whose} hold?", incomplete=hand)
