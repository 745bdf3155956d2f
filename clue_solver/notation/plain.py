"""The short way through for suggestions in canonical form, which most lines of a record are."""

from __future__ import annotations

from clue_solver.notation.lexicon import Lexicon
from clue_solver.observation import Answer, Suggestion
from clue_solver.table import Table

_CLOSED = Answer(answer="unheard")


def plain_suggestion(line: str, table: Table, lexicon: Lexicon) -> Suggestion | None:
    """
    Return the suggestion that a line tells in so many words, not yet settled.

    Returns `None` for every line that takes a second look: the grammar reads all of them. No other
    observation has the canonical form of a suggestion, so that none is passed over here.
    """
    head, _, tail = line.partition(": ")
    by, verb, rest = head.partition(" suggests ")
    cards = tuple(rest.split(", "))
    if not verb or by not in lexicon.seats or any(card not in lexicon.cards for card in cards):
        return None
    if tail == "nobody shows":
        passes = (Answer(seat=seat, answer="passes") for seat in table.answering(by))
        return Suggestion(by=by, cards=cards, answers=tuple(passes))
    answers: list[Answer] = []
    for said in tail.split(", ") if tail else ():
        if (answer := _answer(said, cards, lexicon)) is None:
            return None
        answers.append(answer)
    return Suggestion(by=by, cards=cards, answers=tuple(answers))


def _answer(said: str, cards: tuple[str, ...], lexicon: Lexicon) -> Answer | None:
    if said == "?":
        return _CLOSED
    seat = said.removesuffix(" passes")
    if seat != said:
        return Answer(seat=seat, answer="passes") if seat in lexicon.seats else None
    seat, verb, card = f"{said} ".partition(" shows ")
    if not verb or seat not in lexicon.seats or (card and card[:-1] not in cards):
        return None
    return Answer(seat=seat, answer="shows", card=card[:-1] or None)
