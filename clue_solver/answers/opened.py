"""The sheet after the game, with what the opened hands tell beyond what was proved before."""

from __future__ import annotations

from clue_solver.answers.report import HeldHand, Report, Verdict


class OpenedSheet:
    """
    The sheet of a report, filled in with the hands that were opened after the game.

    Attributes:
        report: The report; its own verdicts leave the opened hands out.
        seats: The seats whose hands were opened; empty if the hands tell nothing new.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        cards = ((hand.seat, card) for hand in report.hands for card in hand.cards)
        news = any(report.verdict(card, seat) == "open" for seat, card in cards)
        self.seats = frozenset(hand.seat for hand in report.hands if news)

    def verdict(self, card: str, holder: str) -> Verdict:
        """Return whether a holder has a card: `holds`, `lacks`, or `open` if nothing settles it."""
        owners = [hand.seat for hand in self.report.hands if card in hand.cards]
        if owners:
            return "holds" if holder in owners else "lacks"
        proved = self.report.verdict(card, holder)
        if proved != "open" or not self.seats:
            return proved
        if holder in self.seats:
            return "lacks"
        left = {each for each in self.report.holders if self.report.verdict(card, each) != "lacks"}
        return "holds" if left <= {holder, *self.seats} else "open"

    def proof(self, card: str, holder: str) -> tuple[HeldHand, ...]:
        """
        Return the opened hands that settle whether a holder has a card.

        One hand is returned if it is the holder's or has the card; otherwise all hands are needed.
        The result is empty if the report proved the answer without these hands, or if it is still
        open.
        """
        if self.report.verdict(card, holder) != "open" or self.verdict(card, holder) == "open":
            return ()
        hands = self.report.hands
        enough = [hand for hand in hands if card in hand.cards or hand.seat == holder]
        return tuple(enough[:1]) or hands
