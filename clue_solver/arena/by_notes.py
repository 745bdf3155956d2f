"""
A seat of a game that people log by hand: what it sees is what its notes have, and nothing else.

A referee asks its players one decision after the other; here what comes next follows from the log.
"""

from collections.abc import Sequence

import numpy as np

from clue_solver.arena.players import ROLL, Player
from clue_solver.arena.seat_view import GameSheets, View
from clue_solver.errors import ArgumentError
from clue_solver.record import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import PlayState


def view_of(notes: Record, rng: np.random.Generator) -> View:
    """
    Return what the viewer of some notes sees.

    Where its table keeps the rules of dice and moves, all that its own piece does has to be logged.

    Args:
        notes: The notes, the viewer's whole hand among them.
        rng: What the seat decides by lot with.

    Raises:
        ArgumentError: If nobody's hand is in them.

    >>> from clue_solver import load
    >>> view = view_of(load("examples/classic.clue").record, np.random.default_rng(1))
    >>> view.hand, view.chance("Plum") == view.game.report().probability("Plum", "envelope")
    (('Scarlett', 'Mustard', 'White', 'Plum', 'Conservatory'), True)
    """
    table, seen = notes.table, notes.observations
    hands = [each for each in seen if isinstance(each, observed.Hand) and each.seat == table.viewer]
    if not hands:
        raise ArgumentError("expected notes with the hand of their viewer", argument="notes")
    sheets = GameSheets(table)
    for each in seen:
        sheets.tell(each)
    exact = table.keeps("dice") and table.keeps("moves")
    state = PlayState.of(table, seen, exact=exact)
    return View(table, hands[-1], sheets=sheets, rng=rng, log=seen, state=state)


def next_action(player: Player, view: View) -> Observation | None:
    """
    Return what a seat does next in its turn, which its state of play is in; `None` for nothing.

    Like the actions of a `PlayState` it has nothing that only shows when it is done: answers, the
    dice, the kind of a clue card; an accusation stands as wrong.

    >>> from clue_solver import load
    >>> from clue_solver.arena.players import find_player
    >>> view = view_of(load("examples/classic.clue").record.upto(9), np.random.default_rng(1))
    >>> view.state = view.state.turn_of(view.seat)
    >>> next_action(find_player("advice")(), view)
    Suggestion(by='Ann', cards=('Green', 'Candlestick', 'Study'), answers=())
    """
    state = view.state
    if not state.done and (accusation := _accusation(player, view)) is not None:
        return accusation
    if not state.suggested(view.seat) and (going := _going(player, view)) is not None:
        return going
    if state.may("suggests") or state.uses():
        question = player.ask(view)
        if question is not None:
            return question
    if state.done and (accusation := _accusation(player, view)) is not None:
        return accusation
    return observed.Skip(by=view.seat) if state.may("skips") else None


def _accusation(player: Player, view: View) -> Observation | None:
    """Return the accusation that a seat makes now, if it makes one."""
    cards: Sequence[str] | None = player.accuse(view) if view.state.may("accuses") else None
    if cards is None:
        return None
    return observed.Accusation(by=view.seat, cards=tuple(cards), right=False)


def _going(player: Player, view: View) -> Observation | None:
    """Return what comes before asking: dice, a clue card, a move, a look at a face-down card."""
    state, seat = view.state, view.seat
    rules = state.rules
    keeps = rules.table.keeps
    rolls = state.may("rolls") and keeps("dice")
    if rules.edition.suspect_dice:
        return observed.Roll(by=seat) if rolls else None
    if rules.board is not None:
        if rules.board.rolls_first and rolls:
            return observed.Roll(by=seat)
        if state.may("draws") and keeps("dice"):
            return observed.Draw(by=seat, kind="")
        if slots := state.face_down():
            return observed.Look(by=seat, holder=slots[0])
        if not keeps("moves"):
            return None
    place = player.move(view) if view.places else None
    if place == ROLL:
        return observed.Roll(by=seat)
    if place is None:
        return None
    if rules.board is None:
        return observed.Look(by=seat, holder=place)
    return observed.Move(by=seat, to=place)
