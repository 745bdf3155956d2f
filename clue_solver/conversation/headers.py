"""A header that is changed while a game is logged: hands, players, pieces, and house rules."""

from itertools import chain
from typing import Literal

from msgspec.structs import replace

from clue_solver.conversation.doubts import Doubt, answers_of
from clue_solver.errors import SetupError
from clue_solver.notation.names import seats_in
from clue_solver.record import Record, with_seats_called
from clue_solver.record.header import with_key
from clue_solver.rules.forms import AnswerList

HeaderPart = Literal["seats", "hands", "pieces", "first", "house"]
"""What of a header may be changed."""


def with_part(record: Record, part: HeaderPart, text: str) -> Record:
    """
    Return the record with another part of its header, as it is typed.

    Raises:
        ClueError: If it cannot be read or there can be no such table.
    """
    if part == "seats":
        return with_seats(record, text)
    return replace(record, table=with_key(record.table, part, text))


def with_seats(record: Record, text: str) -> Record:
    """
    Return the record with its players renamed, or in another order: all of them clockwise.

    Each new name takes the place of the next one that is missing; the entries follow, and are to
    be checked in that order. A name that is there is meant in any case, and stays as it is.

    Raises:
        SetupError: If there are more or fewer of them, or one cannot be a player's name.
    """
    table = record.table
    there = {seat.casefold(): seat for seat in table.seats}
    names = tuple(there.get(name.casefold(), name) for name in seats_in(text))
    gone = [seat for seat in table.seats if seat not in names]
    new = [name for name in names if name not in table.seats]
    if len(names) != len(table.seats) or len(gone) != len(new):
        raise SetupError(f"players: expected {len(table.seats)} different names")
    called = {seat: seat for seat in table.seats} | dict(zip(gone, new, strict=True))
    before = [list(called.values()).index(name) for name in names]
    record = with_seats_called(record, called)
    table = replace(
        record.table,
        seats=names,
        hands=tuple(table.hands[place] for place in before if table.hands),
        pieces=tuple(table.pieces[place] for place in before if table.pieces),
    )
    return replace(record, table=table)


def passed_too_late(record: Record) -> Doubt | None:
    """
    Return the question about passes that cannot be, as somebody shows before; `None` without them.

    Args:
        record: The record in an order of the players that its entries may not fit.
    """
    table = record.table
    late: dict[str, list[int]] = {}
    for number, observation in enumerate(record.observations, 1):
        if not isinstance(observation.form.tail, AnswerList) or table.everyone_shows:
            continue
        said = {seat: answer.answer for seat, answer, _ in answers_of(observation, table)}
        order = table.answering(getattr(observation, observation.form.subject))
        answers = [said.get(seat, "unheard") for seat in order]
        for place, seat in enumerate(order):
            if answers[place] == "passes" and "shows" in answers[:place]:
                late.setdefault(seat, []).append(number)
    entries = sorted({*chain.from_iterable(late.values())})
    return Doubt("seats", "passed", seats=(*late,), entries=(*entries,)) if late else None
