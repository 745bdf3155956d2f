"""The cards that one seat shows another: who shows which of what to whom in an observation."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.conversation.doubts import answers_of
from clue_solver.rules.forms import AnswerList
from clue_solver.rules.observations import Answer, Look, Observation, Reveal
from clue_solver.rules.table import Table


class Showing(NamedTuple):
    """
    A card that one seat shows another.

    Attributes:
        giver, taker: Who shows it, to whom.
        cards: One of these; empty where it may be any of the hand.
        drawn: Whether it is drawn from the hand, and not chosen.
    """

    giver: str
    taker: str
    cards: tuple[str, ...] = ()
    drawn: bool = False


def showings(observation: Observation, table: Table) -> Iterator[Showing]:
    """Yield the cards that one seat showed another in what was observed."""
    match observation:
        case Look(by=by, holder=holder):
            if holder in table.seats:
                yield Showing(holder, by, drawn=True)
        case Reveal(seat=seat, to=to):
            if to is not None:
                yield Showing(seat, to)
        case _:
            for giver, answer, asked in answers_of(observation, table):
                if answer.answer == "shows" and giver is not None:
                    by = str(getattr(observation, observation.form.subject))
                    yield Showing(giver, by, asked)


def card_of(observation: Observation, giver: str, table: Table) -> str | None:
    """Return the card that a seat showed in what was observed, where it was seen."""
    for seat, answer, _ in answers_of(observation, table):
        if seat == giver:
            return answer.card
    card: str | None = getattr(observation, "card", None)
    return card


def with_card(observation: Observation, giver: str, card: str) -> Observation:
    """Return an observation with the card that a seat showed in it, or that was looked at."""
    match observation.form.tail:
        case AnswerList(field=field):
            answers: tuple[Answer, ...] = getattr(observation, field)
            shown = tuple(
                replace(each, card=card) if (each.seat, each.answer) == (giver, "shows") else each
                for each in answers
            )
            return replace(observation, **{field: shown})
    return replace(observation, card=card)
