"""
What a seat's page shows of a suggestion that waits for answers: the cards, and the best to show.

Everybody at the table hears a suggestion before it is logged with its answers. Only the seat's own
page shows which of the cards the seat has, and which is best to show.
"""

from typing import NamedTuple

from clue_solver.conversation.meaning import own_hand
from clue_solver.conversation.session import Session
from clue_solver.conversation.showings import showings
from clue_solver.errors import listed, sentences
from clue_solver.inference.rounding import ROUNDING
from clue_solver.notation.canonical import format_line
from clue_solver.rules.observations import Suggestion
from clue_solver.views.sentences import card_list


class CardRequest(NamedTuple):
    """
    A suggestion that the viewer has to answer, or that is the viewer's own.

    Attributes:
        by: Who suggests.
        cards: The suggested cards.
        mine: Those of them that the viewer may show; `None` if the hand is unknown.
        best, note: The card that is best to show, and why; empty if all are equally good.
        named: The best card, all in `mine` if none is best, or the viewer's own question, in words.
        before: The players who answer before the viewer. If one shows a card, the viewer is not
            asked.
        own: Whether the viewer suggests, and has nothing to answer.
    """

    by: str
    cards: tuple[str, ...]
    mine: tuple[str, ...] | None = None
    best: str = ""
    note: str = ""
    named: str = ""
    before: tuple[str, ...] = ()
    own: bool = False

    @property
    def title(self) -> str:
        """A heading: who asks the viewer, and who answers first; empty if the viewer asks."""
        if self.own:
            return ""
        return f"{self.by} asks {f'{listed(self.before)} first' if self.before else 'you'}"

    @property
    def headline(self) -> str:
        """A short instruction that says what to show, or to pass, or what the viewer asks for."""
        if self.own:
            return f"You ask for {self.named}."
        show = f"show {self.named}" if self.mine else "pass"
        if self.before:
            return f"If it comes to you: {show}."
        return sentences(show) if self.mine else "You have none of these cards: pass."


def card_request(session: Session, suggestion: Suggestion) -> CardRequest | None:
    """Return what a suggestion asks of the session's viewer; `None` if the viewer is not in it."""
    table, viewer, by = session.record.table, session.record.table.viewer, suggestion.by
    if viewer == by:
        named = card_list(suggestion.cards, table.edition)
        return CardRequest(by, suggestion.cards, mine=(), named=named, own=True)
    answering = table.answering(by, left=session.record.turn_state.left)
    if viewer not in answering:
        return None
    before = () if table.everyone_shows else answering[: answering.index(viewer)]
    asked = CardRequest(by, suggestion.cards, before=before)
    if own_hand(session.record) is None:
        return asked
    line = format_line(suggestion, table).partition(":")[0]
    shown = showings(session.game, line)
    held = {each.card for each in shown}
    mine = tuple(card for card in suggestion.cards if card in held)
    asked = asked._replace(mine=mine, named=card_list(mine, table.edition, "or"))
    bits, note = [each.bits for each in shown], ""
    if shown and shown[0].known is not None:
        note = f"{by} knows that you have it."
    elif shown and max(bits) - min(bits) > ROUNDING:
        others = card_list((each.card for each in shown[1:]), table.edition, "or")
        note = f"It tells {by} less than {others} would."
    if not note:
        return asked
    best = shown[0].card
    return asked._replace(best=best, named=card_list([best], table.edition), note=note)
