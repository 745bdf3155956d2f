"""The answers to a suggestion: their order, what follows from it, where the list ends."""

from __future__ import annotations

from clue_solver.notation.misfit import refuse
from clue_solver.observation import Answer, Suggestion
from clue_solver.table import Table

UNHEARD = Answer(answer="unheard")


def settled_answers(suggestion: Suggestion, table: Table) -> tuple[Answer, ...]:
    """
    Return the answers in canonical form.

    Where the first who can shows: in answering order, with the passes that follow from it, and
    closed with an unheard answer where neither the shower nor the last pass was heard. Where
    everyone shows: as they stand. All pass: the passes in answering order. None heard: empty.

    Raises:
        Misfit: If they cannot have been given to this suggestion.
    """
    for place, answer in enumerate(suggestion.answers):
        _check(suggestion, place, answer)
    if table.everyone_shows:
        return _everyone(suggestion, table)
    return _first(suggestion, table)


def _check(suggestion: Suggestion, place: int, answer: Answer) -> None:
    if answer.seat is None and answer.answer != "unheard":
        refuse(f"expected who {answer.answer}; found no player", "answers", place, "answer")
    if answer.card is not None and answer.answer != "shows":
        refuse("a card goes with the answer 'shows' only", "answers", place, "card")
    if answer.seat == suggestion.by:
        reason = f"{suggestion.by} cannot answer their own suggestion"
        refuse(reason, "answers", place, "seat")
    if any(answer.seat == other.seat is not None for other in suggestion.answers[:place]):
        refuse(f"{answer.seat or ''} answers twice", "answers", place, "seat")


def _everyone(suggestion: Suggestion, table: Table) -> tuple[Answer, ...]:
    heard = tuple(answer for answer in suggestion.answers if answer.answer != "unheard")
    if len(heard) == len(table.seats) - 1 and all(one.answer == "passes" for one in heard):
        return _passes(table.answering(suggestion.by))
    return heard


def _first(suggestion: Suggestion, table: Table) -> tuple[Answer, ...]:
    order = table.answering(suggestion.by)
    settled: list[Answer] = []
    for place, answer in enumerate(suggestion.answers):
        if settled and settled[-1].answer != "passes":
            last = settled[-1]
            what = "'?'" if last.answer == "unheard" else f"{last.seat or ''} has shown"
            found = answer.seat or "?"
            refuse(f"expected no answer after {what}; found {found}", "answers", place)
        if answer.answer == "unheard":
            settled.append(UNHEARD)
            continue
        turn = order.index(answer.seat or "")
        if turn < len(settled):
            early, late = order[turn], order[len(settled) - 1]
            expected = ", ".join(order)
            reason = f"an answer out of order: {early} comes before {late}; expected {expected}"
            refuse(reason, "answers", place, "seat")
        settled.extend(_passes(order[len(settled) : turn]))
        settled.append(answer)
    if not settled or settled == [UNHEARD]:
        return ()
    if settled[-1].answer == "passes" and len(settled) < len(order):
        settled.append(UNHEARD)
    if settled[-1].answer == "unheard" and len(settled) > len(order):
        settled.pop()
    return tuple(settled)


def _passes(seats: tuple[str, ...]) -> tuple[Answer, ...]:
    return tuple(Answer(seat=seat, answer="passes") for seat in seats)
