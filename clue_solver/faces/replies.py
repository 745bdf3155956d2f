"""Replies to the commands that only ask about a game: lines of text, and tables drawn by Rich."""

from collections.abc import Iterator

from rich.console import RenderableType

from clue_solver.conversation.commands import TypedCommand
from clue_solver.conversation.showings import showings
from clue_solver.errors import ArgumentError, NotationError
from clue_solver.faces.thoughts import provisional_report
from clue_solver.game import Game
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.checks import correction_text
from clue_solver.views.document import render


def replies_to(game: Game, said: TypedCommand) -> Iterator[RenderableType]:
    """
    Yield the reply to a command that changes nothing: lines of text, and tables drawn by Rich.

    Raises:
        ClueError: If there is no answer.
    """
    said.check()
    rest = said.rest
    match said.word:
        case "sheet":
            report = game.report(upto=said.number if rest else None)
            if not report.consistent and not rest and (likeliest := provisional_report(game)):
                report, correction = likeliest
                yield f"Provisional, with this correction: {correction_text(correction)}"
            yield render(report, lines=game.lines)
        case "suppose":
            yield render(game.suppose(rest).report())
        case "as":
            yield render(game.report(viewer=rest), lines=game.lines)
        case "log":
            yield from (f"{number:>3}  {line}" for number, line in enumerate(game.lines, 1))
            if not game.lines:
                yield "no entries yet"
        case "why":
            yield _why(game, rest)
        case "check":
            check = game.check()
            yield render(check)
            if check.corrections:
                yield "'fix 1' applies the first correction; 'undo' takes back the last entry"
        case "show":
            choices = showings(game, rest)
            if not choices:
                yield "   you have none of these cards: you pass"
            for card, known, bits in choices:
                effect = (
                    f"seen already (entry {known})" if known else f"reveals {max(bits, 0):.2f} bits"
                )
                yield f"   {card}: {effect}"
        case "advise":
            yield render(game.advice())
        case "review":
            yield render(game.review())


def _why(game: Game, rest: str) -> RenderableType:
    """Return why a holder has or lacks a card; `rest` is `plum ben`, `ben plum` or just `plum`."""
    words = rest.split()
    if not words:
        raise ArgumentError("expected a card and a holder, such as: /why plum envelope")
    cards = lexicon_of(game.table).cards
    if len(card := cards.candidates(" ".join(words))) == 1:  # where it is, or is not known to be
        report = game.report()
        holds = (holder for holder in report.holders if report.verdict(card[0], holder) == "holds")
        words = [card[0], next(holds, ENVELOPE)]
    elif len(words) == 1:
        raise cards.error_for(words[0])
    last = NotationError("")
    for cut in range(len(words) - 1, 0, -1):
        halves = " ".join(words[:cut]), " ".join(words[cut:])
        for one, other in (halves[::-1], halves):
            try:
                return render(game.why(one, other))
            except NotationError as error:
                last = error
    raise last
