"""What is offered beside a suggestion by the rules of play: dice, clue cards, bonus dice."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from clue_solver.conversation.session import Session
from clue_solver.faces.web.drafts import OTHER, Draft
from clue_solver.faces.web.touch_entry import Button, ButtonRow, leading
from clue_solver.notation import lexicon_of
from clue_solver.rules.observations import Draw, Look, Nobody, Question, Reveal, kinds
from clue_solver.rules.play import ACTIONS, ROLLING, Play
from clue_solver.rules.table import Table

Leading = Callable[[str, tuple[str, ...]], Iterator[Button]]
"""Yields the button of a label that leads on from answers, or tells the line where it is whole."""


class TurnKeys(NamedTuple):
    """
    What is offered beside a suggestion.

    Attributes:
        rows: What comes next by the rules, each with its choices.
        others: What else may be done in the turn.
        aside: The cards that cannot be suggested now, as the dice do not show them.
    """

    rows: tuple[ButtonRow, ...] = ()
    others: tuple[Button, ...] = ()
    aside: frozenset[str] = frozenset()


def turn_keys(session: Session, draft: Draft, by: str, *, sound: bool) -> TurnKeys:
    """
    Return what may be done besides a suggestion now, by whoever's turn it is.

    Args:
        session: The game.
        draft: What has been tapped so far.
        by: Who asks next.
        sound: Whether the log is consistent, so that a line can contradict it.
    """
    begun = draft._replace(kind=OTHER, picked=(), chosen=())

    def leads(label: str, chosen: tuple[str, ...]) -> Iterator[Button]:
        return leading(session, begun, label, chosen, sound=sound)

    if not by or draft.editing is not None:
        return TurnKeys()
    play = session.play.turn_of(by)
    rows = [*_left_over(session.play, leads), *_next(session, play, by, leads)]
    going = session.play.turn  # who has suggested may do something still, such as accuse
    turns = {going: session.play} if going and session.play.goes_on(going) else {}
    others = chain.from_iterable(
        leads(f"{seat} {verb}", (name, seat))
        for seat, state in (turns | {by: play}).items()
        for verb, name in _doing(play.rules.table).items()
        if f"{seat} {verb}" not in [row.title for row in rows] and state.may(verb)
    )
    edition = play.rules.edition
    faces = {face for face in play.dice if face in edition.features and play.may("suggests")}
    aside = frozenset(card.name for card in edition.cards if faces and card.feature not in faces)
    return TurnKeys(tuple(row for row in rows if row.buttons), tuple(others), aside)


def _doing(table: Table) -> dict[str, str]:
    """Return what may happen in a turn besides a suggestion: each verb and its kind."""
    named = {kind.form.verb: kind.__name__ for kind in kinds() if kind.form.subject}
    told = [verb for verb in ACTIONS if verb not in ("suggests", "skips")]
    kept = table.keeps("play")
    return {verb: named[verb] for verb in told if kept or verb not in ROLLING}


def _left_over(play: Play, leads: Leading) -> Iterator[ButtonRow]:
    """Yield what a bonus die lets whoever has suggested do still."""
    by = play.due
    if by is None or not play.pending or by != play.turn:
        return
    for verb in sorted(play.uses):
        if verb == "points":
            yield ButtonRow(f"{by} points", tuple(leads("the finger at cards", ("Finger", by))))
            continue
        every = [each for each in play.extras() if each.form.verb == verb]
        buttons: list[Button] = []
        for each in every:
            match each:
                case Look(holder=holder):
                    buttons += leads(f"at {holder}", ("Look", by, holder))
                case Question(seat=seat, about=(suspect,)):
                    buttons += leads(f"{seat} about {suspect}", ("Question", by, seat, suspect))
                case _:
                    buttons += leads("into the envelope", ("Peek", by))
        yield ButtonRow(f"{by} {verb}", tuple(buttons))


def _next(session: Session, play: Play, by: str, leads: Leading) -> Iterator[ButtonRow]:
    """Yield what comes first in a seat's turn: the dice, a clue card, a card in the room."""
    table = play.rules.table
    edition = table.edition
    if edition.suspect_dice and play.may("rolls") and table.keeps("play"):
        faces = chain.from_iterable(
            (button._replace(face=face) for button in leads(face, ("Roll", by, face)))
            for face in edition.features
        )
        yield ButtonRow(f"{by} rolls", tuple(faces))
    if play.dice and play.may("draws"):
        kinds_left = lexicon_of(table).of("clues").names
        cards = chain.from_iterable(leads(kind, ("Draw", by, kind)) for kind in kinds_left)
        yield ButtonRow(f"{by} draws", tuple(cards))
    last = session.record.observations[-1:]
    called = play.goes_on(by) and play.drawn and play.drawn[-1] not in ("move", "passage")
    if called and isinstance(last[0], Draw | Reveal | Nobody):
        seats = chain.from_iterable(leads(seat, ("Reveal", seat)) for seat in table.seats)
        yield ButtonRow("A card is shown by", (*seats, *leads("nobody", ("Nobody",))))
    if (room := play.place(by)) in play.face_down:
        yield ButtonRow(f"{by} looks", tuple(leads(f"at {room}", ("Look", by, str(room)))))
