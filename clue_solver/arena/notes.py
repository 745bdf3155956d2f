"""
Deduction by rules, as careful people and most programs do it: fast, sound, and not complete.

The notes are a grid of cards and holders, each cell "has it", "cannot have it" or open. The rules
go round until none of them adds anything:

- a card has one holder, the envelope one card of each category;
- of a shown, unseen card all but one of those asked for are ruled out: it is the last one;
- with `counting`, besides: a full hand has nothing else; a hand with no more open cells than cards
  it still misses has them all.

The first two are unit propagation over the clauses of the log and of the deal.
"""

from __future__ import annotations

from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import Knowledge


def propagated(knowledge: Knowledge, *, counting: bool) -> list[int]:
    """
    Return for each card the mask of the holders that can have it, as far as the rules see.

    Args:
        knowledge: What is known.
        counting: Whether hands are counted, too.
    """
    grid = Notes(knowledge)
    while grid.changed:
        grid.changed = False
        grid.one_of_each_category()
        grid.shown_cards()
        if counting:
            grid.full_hands()
    return grid.possible


class Notes:
    """
    The notes.

    Attributes:
        possible: For each card the mask of the holders that can have it; one left is its holder.
        changed: Whether a rule has added something since this was last set to false.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.layout = knowledge.layout
        self.possible = [(1 << self.layout.holders) - 1] * self.layout.cards
        self.changed = True

    def has(self, card: int, holder: int) -> None:
        """Note that the holder has the card."""
        self._note(card, 1 << holder)

    def lacks(self, card: int, holder: int) -> None:
        """Note that the holder cannot have the card."""
        self._note(card, self.possible[card] & ~(1 << holder))

    def held(self, holder: int, cards: list[int]) -> list[int]:
        """Return those of the cards that the holder has for certain."""
        return [card for card in cards if self.possible[card] == 1 << holder]

    def able(self, holder: int, cards: list[int]) -> list[int]:
        """Return those of the cards that the holder may have."""
        return [card for card in cards if self.possible[card] >> holder & 1]

    def one_of_each_category(self) -> None:
        """The envelope has one card of each category."""
        for category in self.layout.categories:
            self._filled(self.layout.envelope, card_numbers(category), least=1, most=1)

    def full_hands(self) -> None:
        """A hand has its number of cards."""
        for holder, (least, most) in enumerate(self.layout.bounds):
            self._filled(holder, list(range(self.layout.cards)), least=least, most=most)

    def shown_cards(self) -> None:
        """Each clause that has one way left to be true is true that way."""
        for clause in self.knowledge.clauses:
            cards = card_numbers(clause.cards)
            if clause.has:
                left = self.able(clause.holder, cards)
                if len(left) == 1:
                    self.has(left[0], clause.holder)
            else:
                held = self.held(clause.holder, cards)
                left = [card for card in self.able(clause.holder, cards) if card not in held]
                if len(left) == 1 and len(held) == len(cards) - 1:
                    self.lacks(left[0], clause.holder)

    def _filled(self, holder: int, cards: list[int], *, least: int, most: int) -> None:
        held = self.held(holder, cards)
        able = self.able(holder, cards)
        if len(held) == most:
            for card in able:
                if card not in held:
                    self.lacks(card, holder)
        elif len(able) == least:
            for card in able:
                self.has(card, holder)

    def _note(self, card: int, holders: int) -> None:
        self.changed |= self.possible[card] != holders
        self.possible[card] = holders
