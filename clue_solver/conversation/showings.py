"""The cards that the viewer can show in answer to a suggestion, and what each one reveals."""

from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.conversation.meaning import own_hand
from clue_solver.errors import NotationError, SetupError
from clue_solver.game import Game
from clue_solver.inference.rounding import sort_key
from clue_solver.notation.checks import answers_of
from clue_solver.notation.reader import parse_line
from clue_solver.rules.observations import Answer, Suggestion


class Showing(NamedTuple):
    """
    A card that the viewer can show in answer to a suggestion.

    Attributes:
        card: The card.
        known: The number of the entry in which the asker was shown this card before; `None` if
            there is none.
        bits: How much more the asker knows about the solution after seeing the card, in bits. What
            the asker knows before is taken from the log.
    """

    card: str
    known: int | None
    bits: float


def showings(game: Game, line: str) -> tuple[Showing, ...]:
    """
    Return the cards that the viewer can show in answer to a suggestion, best first.

    Cards that the asker was shown before come first, then those that tell the asker least.

    Args:
        game: The game.
        line: The suggestion, with or without its answers.

    Raises:
        NotationError: If the line is not another player's suggestion.
        SetupError: If the viewer's own hand is not recorded.
    """
    record, table, viewer = game.record, game.table, game.table.viewer
    state = game.play().turns
    asked = parse_line(line, table, state)
    own = own_hand(record)
    if not isinstance(asked, Suggestion) or asked.by == viewer:
        raise NotationError("expected another player's suggestion", line=line)
    if viewer is None or own is None:
        raise SetupError("your own hand is not recorded: add a line such as 'Ann holds ...'")
    before = game.report(viewer=asked.by, asks="any").bits  # asking tells the asker nothing
    shown = []
    for card in (card for card in asked.cards if card in own):
        answer = Answer(seat=viewer, answer="shows", card=card)
        with suppress(NotationError):
            answered = game.with_entry(replace(asked, answers=(answer,)))
            after = answered.report(viewer=asked.by, asks="any").bits
            shown.append(Showing(card, _first_shown(game, card, asked.by), before - after))
    return tuple(sorted(shown, key=lambda showing: (showing.known is None, sort_key(showing.bits))))


def _first_shown(game: Game, card: str, seat: str) -> int | None:
    """
    Return the number of the first entry in which a card was shown to a seat.

    `None` if it never was.
    """
    for number, told in enumerate(game.observations, 1):
        if told.actor == seat and card in [each.card for each, _ in answers_of(told, game.table)]:
            return number
    return None
