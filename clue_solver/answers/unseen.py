"""
What each opponent has seen of the game that the viewer has not.
"""

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from clue_solver.answers.turns import TurnsTaken
from clue_solver.inference.notebooks import UnseenByViewer
from clue_solver.knowledge.clauses import Numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


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
    back as they lay. So the first maps how often it had been opened to the mask of the cards that
    it can be that showed.
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
                        yield UnseenByViewer(entry, holder(answer.seat), cards(asked))
            case observed.Question(by=by, seat=other, about=about, answer="shows") if by == seat:
                if other != viewer or observation.card is None:
                    yield UnseenByViewer(entry, holder(other), cards(about))
            case observed.Look(by=by, holder=other) if by == seat:
                if other != viewer or observation.card is None or not table.edition.looker_tells:
                    yield UnseenByViewer(entry, holder(other), everything)
            case observed.Reveal(seat=other, to=to) if to == seat:
                if other != viewer or observation.card is None:
                    yield UnseenByViewer(entry, holder(other), everything)
            case observed.Peek(by=by) if by == seat and opened not in peeked:
                peeked.add(opened)
                yield UnseenByViewer(entry, envelope, known.get(opened, everything), notch=True)
            case _ if _opens(observation) and not numbers.notch_stays:
                opened += 1
