"""What an interface shows after the sheet: advice, or corrections of a contradictory log."""

from collections.abc import Iterator
from typing import NamedTuple

from clue_solver.answers.advice import Advice
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.report import Report
from clue_solver.conversation.changes import apply_correction, normalise_entries
from clue_solver.errors import ClueError
from clue_solver.game import Game
from clue_solver.record.contents import Record
from clue_solver.views.headlines import headline


class Thought(NamedTuple):
    """
    Advice on a record, or corrections of it, which take longer to compute than the sheet.

    Attributes:
        record: The record.
        text: What to do now, in a short sentence.
        remark: The main reason and the odds; empty if there is nothing to add.
        certain: Whether the solution is certain.
        check: The corrections of a contradictory log; `None` if it is consistent, or if they are
            not computed yet.
        likeliest: The report after the likeliest correction, and that correction; `None` if there
            is none.
        first: Whether this is a quick result, and a better one follows.
        advice: The advice; `None` if the log contradicts itself.
    """

    record: Record
    text: str
    remark: str = ""
    certain: bool = False
    check: Check | None = None
    likeliest: tuple[Report, Correction] | None = None
    first: bool = False
    advice: Advice | None = None


def thoughts_on(game: Game) -> Iterator[Thought]:
    """
    Yield quick advice on a game, then the full advice if that may differ.

    For a contradictory log, yield that it is one, and then its corrections.
    """
    record = game.record
    try:
        if game.report().consistent:
            quick = game.advice(quick=True)
            yield _thought(record, quick)._replace(first=not quick.final)
            if not quick.final:
                yield _thought(record, game.advice())
            return
        clash = "The log contradicts itself"
        yield Thought(record, clash, first=True)
        check = game.check()
        yield Thought(record, clash, check=check, likeliest=provisional_report(game))
    except ClueError as error:
        yield Thought(record, str(error))


def _thought(record: Record, advice: Advice) -> Thought:
    """
    Return what an interface shows for advice: a headline, a remark, and whether it is certain.

    `record` is the record that the advice is about.
    """
    text, remark = headline(advice)
    return Thought(record, text, remark, advice.certain, advice=advice)


def provisional_report(game: Game) -> tuple[Report, Correction] | None:
    """
    Return the report after the likeliest correction of a contradictory log, and the correction.

    The result is `None` if the log is consistent, or if no correction is found.
    """
    for correction in game.check().corrections[:1]:
        record = normalise_entries(apply_correction(game.record, correction), game.record)
        return game.changed(record).report(), correction
    return None
