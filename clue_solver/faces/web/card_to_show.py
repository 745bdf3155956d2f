"""
The request to show a card on a seat's page, with the card that gives away least.

Everybody at the table hears a suggestion before it is logged with its answers. Only the seat's own
page shows which of the cards the seat has, and which is best to show.
"""

from typing import NamedTuple

from clue_solver.conversation.doubts import own_hand
from clue_solver.conversation.session import Session
from clue_solver.conversation.showings import showings
from clue_solver.errors import listed
from clue_solver.inference.rounding import ROUNDING
from clue_solver.notation import format_line
from clue_solver.rules.observations import Suggestion


class CardToShow(NamedTuple):
    """A card that may be shown, with a note why it is the best one; empty for the others."""

    card: str
    note: str = ""


class CardRequest(NamedTuple):
    """
    A suggestion that the viewer has to answer.

    Attributes:
        by: Who suggests.
        cards: The suggested cards.
        mine: The cards that the viewer may show, in the same order; `None` if the hand is unknown.
    """

    by: str
    cards: tuple[str, ...]
    mine: tuple[CardToShow, ...] | None

    @property
    def headline(self) -> str:
        """A short instruction what to do."""
        if not self.mine:
            return "You have none of these cards: pass."
        for card, note in self.mine:
            if note:
                return (
                    f"Show {card}: {'it gives away least' if note == 'gives away least' else note}."
                )
        return f"Show {listed([each.card for each in self.mine], 'or')}."


def card_request(session: Session, suggestion: Suggestion) -> CardRequest | None:
    """Return the request that a suggestion makes to the viewer; `None` if it makes none."""
    table, viewer, by = session.record.table, session.record.table.viewer, suggestion.by
    if viewer in (None, by):
        return None
    if own_hand(session.record) is None:
        return CardRequest(by, suggestion.cards, None)
    line = format_line(suggestion, table).partition(":")[0]
    shown = {each.card: each for each in showings(session.game, line)}
    bits = [each.bits for each in shown.values()]
    least = next(iter(shown.values()), None)
    note = ""
    if least is not None and least.known is not None:
        note = f"{by} knows it"
    elif len(bits) > 1 and max(bits) - min(bits) > ROUNDING:
        note = "gives away least"
    mine = tuple(
        CardToShow(card, note if least is not None and card == least.card else "")
        for card in suggestion.cards
        if card in shown
    )
    return CardRequest(by, suggestion.cards, mine)
