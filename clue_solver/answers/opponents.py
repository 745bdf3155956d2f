"""
Opponents: what each of them has seen that the viewer has not, and how likely each can already name
the solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

import numpy as np

from clue_solver.answers.advice import Opponent
from clue_solver.inference.advisor import Private, closeness
from clue_solver.inference.diagram import Ints
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.evidence import predicting
from clue_solver.knowledge.viewer import common
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Shows, Table


def chance_opponent_knows(
    table: Table,
    observations: Sequence[observed.Observation],
    seat: str,
    *,
    viewer: str,
    shows: Shows,
    deals: Ints,
    rng: np.random.Generator,
) -> Opponent:
    """
    Return the probability that a seat can already name the solution.

    Args:
        table, observations: The game so far.
        seat: Whom it is about; not the viewer.
        viewer, shows: Whose eyes, and how cards are chosen to be shown.
        deals: Independent deals from the viewer's posterior, shape (deals, cards).
        rng: Draws what the viewer did not see.
    """
    if seat in seats_out(observations):  # it has seen the envelope
        return Opponent(seat=seat, knows=1.0, error=0.0)
    numbers = Numbers(table)
    solver = Solver(common(table, observations, viewer=viewer, seat=seat))
    found = closeness(
        solver,
        [solver.entry(entry) for entry in range(1, len(observations) + 1)],
        seat=numbers.holder(seat),
        private=tuple(_private(table, observations, numbers, viewer=viewer, seat=seat)),
        deals=deals,
        rng=rng,
        policy=predicting(shows),
    )
    return Opponent(seat=seat, knows=found.knows, error=found.error)


def seats_out(observations: Iterable[observed.Observation]) -> set[str]:
    """Return the seats that have accused wrongly."""
    return {each.by for each in observations if _opens(each)}


def notches(
    observations: Sequence[observed.Observation], numbers: Numbers, *, viewer: str
) -> tuple[dict[int, int], int]:
    """
    Return what the viewer has seen in the notch, and how often the envelope has been opened.

    Until somebody opens the envelope the notch shows everybody the same. So the first maps the
    number of times that it had been opened to the mask of the cards it can be that showed.
    """
    known, opened = {}, 0
    for observation in observations:
        match observation:
            case observed.Peek(by=by, feature=str(feature)) if by == viewer:
                known[opened] = numbers.cards([feature])
            case _:
                opened += _opens(observation)
    return known, opened


def _opens(observation: observed.Observation) -> TypeGuard[observed.Accusation]:
    return isinstance(observation, observed.Accusation) and not observation.right


def _private(
    table: Table,
    observations: Sequence[observed.Observation],
    numbers: Numbers,
    *,
    viewer: str,
    seat: str,
) -> Iterator[Private]:
    """Yield what the seat saw and the viewer did not."""
    holder, cards = numbers.holder, numbers.cards
    everything, envelope = numbers.layout.everything, numbers.layout.envelope
    colours = tuple(cards([feature]) for feature in table.edition.features)
    known, _ = notches(observations, numbers, viewer=viewer)
    opened, peeked = 0, set()
    for observation in observations:
        match observation:
            case observed.Suggestion(by=by, cards=asked, answers=answers) if by == seat:
                for answer in answers:
                    unseen = answer.seat not in (None, viewer)
                    if answer.answer == "shows" and unseen:
                        yield Private(holder(str(answer.seat)), cards(asked), True)
            case observed.Question(by=by, seat=other, about=about, answer="shows") if by == seat:
                if other != viewer:
                    yield Private(holder(other), cards(about), True)
            case observed.Look(by=by, holder=other) if by == seat and other != viewer:
                yield Private(holder(other), everything, False)
            case observed.Reveal(seat=other, to=to) if to == seat and other != viewer:
                yield Private(holder(other), everything, False)
            case observed.Peek(by=by) if by == seat and opened not in peeked:
                peeked.add(opened)
                yield Private(envelope, known.get(opened, everything), False, colours)
            case _:
                opened += _opens(observation)
