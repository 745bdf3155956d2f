"""
The cards that each opponent has seen and the viewer has not.
"""

from collections.abc import Iterator, Sequence

from clue_solver.answers.turns import TurnsTaken
from clue_solver.inference.notebooks import UnseenByViewer
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.sight import seen
from clue_solver.notation.checks import answers_of
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


def last_turn(
    table: Table, observations: Sequence[observed.Observation], seat: str, *, viewer: str
) -> int:
    """
    Return the number of the entry with which a seat's last finished turn ended; 0 if none did.

    A turn ends just before the next one begins. The last turn of the log is finished if it is the
    viewer's turn now.
    """
    state = TurnState.of(observations)
    if state.seat == seat and state.ended and state.turn(table) == viewer:
        return len(observations)
    ends = [turn.end for turn in TurnsTaken(observations).turns if turn.seat == seat]
    return max(filter(None, ends), default=0)


def notches(
    table: Table, observations: Sequence[observed.Observation], numbers: Numbers, *, viewer: str
) -> tuple[dict[int, int], list[int]]:
    """
    Return what the viewer saw in the envelope's notch, and how often it was opened by then.

    The notch shows everybody the same card until somebody opens the envelope, and also afterwards
    if the cards go back in the same order.

    Returns:
        What the viewer saw: the mask of the cards that it may have been, by how often the envelope
        had been opened until then. And a list: how often the envelope had been opened before each
        entry, and at the end.
    """
    known = {}
    opened = [0]
    for each in observations:
        if isinstance(each, observed.Peek) and each.by == viewer and each.feature is not None:
            known[opened[-1]] = numbers.cards([each.feature])
        wrong = isinstance(each, observed.Accusation) and not each.right
        opened.append(opened[-1] + (wrong and table.notch != "same"))
    return known, opened


def unseen_by_viewer(
    table: Table,
    observations: Sequence[observed.Observation],
    numbers: Numbers,
    *,
    viewer: str,
    seat: str,
) -> Iterator[UnseenByViewer]:
    """
    Yield each card that a seat saw but the viewer did not.

    With each come the number of its entry, its holder, and the mask of the cards that it may be.
    """
    holder, cards = numbers.holder, numbers.cards
    everything, envelope = numbers.layout.everything, numbers.layout.envelope
    known, anew = notches(table, observations, numbers, viewer=viewer)
    peeked = set()
    for entry, observation in enumerate(observations, 1):
        match seen(observation, table=table, viewer=viewer):
            case observed.Inquiry() | observed.Question() as inquiry if inquiry.by == seat:
                for answer, asked in answers_of(inquiry, table):
                    if answer.answer == "shows" and answer.seat and answer.card is None:
                        yield UnseenByViewer(entry, holder(answer.seat), cards(asked))
            case observed.Look(by=by, holder=other, card=None) if by == seat:
                yield UnseenByViewer(entry, holder(other), everything)
            case observed.Reveal(seat=other, to=to, card=None) if to == seat:
                yield UnseenByViewer(entry, holder(other), everything)
            case observed.Peek(by=by) if by == seat and anew[entry - 1] not in peeked:
                peeked.add(anew[entry - 1])
                could = known.get(anew[entry - 1], everything)
                yield UnseenByViewer(entry, envelope, could, notch=True)
