"""What every face says of a game as it stands: what to do now, or how a log may be corrected."""

from collections.abc import Iterator
from typing import NamedTuple

from clue_solver.answers.advice import Advice
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.report import Report
from clue_solver.conversation.changes import apply_correction, normalise_entries
from clue_solver.errors import ClueError
from clue_solver.game import Game
from clue_solver.record import Record
from clue_solver.views.headlines import headline


class Thought(NamedTuple):
    """
    What takes longer than a sheet, about one record.

    Attributes:
        record: The record.
        text: What to do now, in a short sentence.
        remark: Half a why, and the odds; empty if there is nothing to say.
        certain: Whether the solution is.
        check: How a log that contradicts itself may be corrected.
        likeliest: The sheet under the likeliest correction.
        first: Whether it is a first look, after which a closer one comes.
        advice: What to do now; `None` where the log contradicts itself.
    """

    record: Record
    text: str
    remark: str = ""
    certain: bool = False
    check: Check | None = None
    likeliest: tuple[Report, Correction] | None = None
    first: bool = False
    advice: Advice | None = None


def looks(game: Game) -> Iterator[Thought]:
    """Yield what to do now by quick advice, then by a closer look, which takes longer."""
    record = game.record
    try:
        if game.report().consistent:
            quick = game.advice(quick=True)
            yield _thought(record, quick)._replace(first=True)
            yield _thought(record, quick if quick.final else game.advice())
            return
        clash = "The log contradicts itself"
        yield Thought(record, clash, first=True)
        check = game.check()
        yield Thought(record, clash, check=check, likeliest=provisional(game))
    except ClueError as error:
        yield Thought(record, str(error))


def _thought(record: Record, advice: Advice) -> Thought:
    text, remark = headline(advice)
    return Thought(record, text, remark, advice.certain, advice=advice)


def provisional(game: Game) -> tuple[Report, Correction] | None:
    """
    Return the report under the likeliest correction of a log that contradicts itself, and that.

    `None` for a consistent log, or if none is found.
    """
    for correction in game.check().corrections[:1]:
        record = normalise_entries(apply_correction(game.record, correction), game.record)
        return game.changed(record).report(), correction
    return None
