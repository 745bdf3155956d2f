"""
What each opponent has seen that the viewer has not, and so who is close to the solution.
"""

from collections.abc import Iterator, Sequence
from typing import TypeGuard

import numpy as np

from clue_solver.answers.advice import Opponent
from clue_solver.answers.turns_taken import TurnsTaken
from clue_solver.inference.diagram import Ints
from clue_solver.inference.opponents import UnseenByViewer, opponent_knows
from clue_solver.inference.rounding import rounded
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.evidence import SILENCE, predicting
from clue_solver.knowledge.viewer import shared_knowledge
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


def opponents_know(
    table: Table,
    observations: Sequence[observed.Observation],
    *,
    viewer: str,
    deals: Ints,
    rng: np.random.Generator,
) -> tuple[tuple[Opponent, ...], float]:
    """
    Return how likely each other seat can already name the solution, and any that is still in.

    Deals in which somebody could have named it at the end of an own turn, and did not, weigh less,
    unless nothing is expected of how they play (`asks: any`).

    Args:
        table, observations: The game.
        viewer: Whose posterior it is.
        deals: Drawn from it independently, shape (deals, cards).
        rng: Draws what the viewer did not see.
    """
    numbers = Numbers(table)
    state = TurnState.of(observations)
    silent = np.zeros(len(deals), np.int64)
    opponents = {}
    for seat in table.seats:
        if seat in (viewer, *state.gone):
            continue
        solver = Solver(shared_knowledge(table, observations, viewer=viewer, seat=seat))
        over = turns_over(table, observations, seat, viewer=viewer)
        opponents[seat] = opponent_knows(
            solver,
            entries=len(observations),
            seat=numbers.holder(seat),
            private=tuple(unseen_by_viewer(table, observations, numbers, viewer=viewer, seat=seat)),
            turns=over if table.asking(seat).model != "any" else (),
            deals=deals,
            rng=rng,
            policy=predicting(table.policy),
        )
        silent += opponents[seat].silent
    weight = SILENCE ** (silent - silent.min())
    weight /= weight.sum()
    others = [seat for seat in table.seats if seat != viewer]
    answers = [Opponent(seat=seat, knows=1.0, error=0.0, out=seat in state.gone) for seat in others]
    for place, seat in enumerate(others):
        if seat in opponents:
            knows = opponents[seat].knows
            share = rounded((weight * knows).sum())
            spread = float((weight * (knows - share) ** 2 * weight).sum())
            least = (
                0.25 * float((weight * weight).sum()) ** 2
            )  # as if half a deal more were otherwise
            answers[place] = Opponent(
                seat=seat, knows=share, error=rounded(np.sqrt(max(spread, least)))
            )
    anybody = (
        np.any([opponent.knows for opponent in opponents.values()], axis=0)
        if opponents
        else 0.0 * weight
    )
    return tuple(answers), rounded((weight * anybody).sum())


def turns_over(
    table: Table, observations: Sequence[observed.Observation], seat: str, *, viewer: str
) -> tuple[int, ...]:
    """
    Return the last entry of each turn of the seat's own that is over.

    The last one of the log is over if it is the viewer's turn now.
    """
    ends = TurnsTaken(observations).ends(seat)
    state = TurnState.of(observations)
    if state.seat == seat and state.ended and state.turn(table) == viewer:
        ends.append(len(observations))
    return tuple(ends)


def notches(
    observations: Sequence[observed.Observation], numbers: Numbers, *, viewer: str
) -> tuple[dict[int, int], int]:
    """
    Return what the viewer has seen in the notch, and how often its cards have been laid anew.

    Until somebody opens the envelope the notch shows everybody the same; longer where the cards go
    back as they lay. So the first maps how
    often it had been opened to the mask of the cards it can be that showed.
    """
    known = {}
    opened = 0
    for observation in observations:
        match observation:
            case observed.Peek(by=by, feature=str(feature)) if by == viewer:
                known[opened] = numbers.cards([feature])
            case _ if _opens(observation) and not numbers.notch_stays:
                opened += 1
    return known, opened


def _opens(observation: observed.Observation) -> TypeGuard[observed.Accusation]:
    return isinstance(observation, observed.Accusation) and not observation.right


def unseen_by_viewer(
    table: Table,
    observations: Sequence[observed.Observation],
    numbers: Numbers,
    *,
    viewer: str,
    seat: str,
) -> Iterator[UnseenByViewer]:
    """Yield what the seat saw and the viewer did not."""
    holder, cards = numbers.holder, numbers.cards
    everything, envelope = numbers.layout.everything, numbers.layout.envelope
    colours = tuple(cards([feature]) for feature in table.edition.features)
    known, _ = notches(observations, numbers, viewer=viewer)
    opened = 0
    peeked = set()
    for entry, observation in enumerate(observations, 1):
        match observation:
            case (
                observed.Suggestion(by=by, cards=asked, answers=answers)
                | observed.Finger(by=by, cards=asked, answers=answers)
            ) if by == seat:
                for answer in answers:
                    unseen = answer.seat != viewer or answer.card is None
                    if answer.answer == "shows" and answer.seat is not None and unseen:
                        yield UnseenByViewer(entry, holder(answer.seat), cards(asked), True)
            case observed.Question(by=by, seat=other, about=about, answer="shows") if by == seat:
                if other != viewer or observation.card is None:
                    yield UnseenByViewer(entry, holder(other), cards(about), True)
            case observed.Look(by=by, holder=other) if by == seat:
                if other != viewer or observation.card is None or not table.edition.looker_tells:
                    yield UnseenByViewer(entry, holder(other), everything, False)
            case observed.Reveal(seat=other, to=to) if to == seat:
                if other != viewer or observation.card is None:
                    yield UnseenByViewer(entry, holder(other), everything, False)
            case observed.Peek(by=by) if by == seat and opened not in peeked:
                peeked.add(opened)
                yield UnseenByViewer(entry, envelope, known.get(opened, everything), False, colours)
            case _ if _opens(observation) and not numbers.notch_stays:
                opened += 1
