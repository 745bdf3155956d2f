"""The cards of the edition that imported notes are about, under the names in the notes."""

import re
from collections.abc import Container, Iterable
from typing import NamedTuple

from clue_solver.errors import ArgumentError, printable
from clue_solver.exchange import terms
from clue_solver.exchange.findings import Findings
from clue_solver.notation.lexicon import card_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition, shipped_editions


class Deck(NamedTuple):
    """
    An edition, with the names that its cards have in the imported notes.

    Attributes:
        edition: The edition.
        language: The language of the notes, such as `de`; `None` if they use the edition's own
            names.
        names: The cards' names, with their names in that language as aliases.
    """

    edition: Edition
    language: str | None
    names: Names

    def is_heading(self, text: str) -> bool:
        """Return whether a text is the heading of a category rather than a card."""
        titles = {name for kind in self.edition.category for name in (kind.name, kind.plural)}
        words = words_of(text)
        return words in {words_of(title) for title in titles if title} or set(words) <= _HEADINGS

    def find_cards(self, text: str) -> tuple[str, ...]:
        """
        Return the cards that a text names in full; for a suspect, one word of the name is enough.
        """
        word = words_of(text)
        if (found := self.names.exact(text)) or len(word) != 1 or len(word[0]) < 4:
            return found
        suspects = [name for name in self.edition.suspects if name in self.names.forms]
        called = [name for name in suspects if any(word[0] in f for f in self.names.forms[name])]
        return tuple(called) if len(called) == 1 else ()

    def cards_in(self, text: str) -> list[str]:
        """
        Return the cards that a text names, in the order of the text.

        A card is named by its full name; for a suspect, one word of the name is enough.
        """
        words = re.findall(r"[^\W_](?:[\w'\u2019]|-(?=\w))*\.?", text)
        cards: list[str] = []
        at = 0
        while at < len(words):
            size = self.names.longest
            while size > 1 and not self.find_cards(" ".join(words[at : at + size])):
                size -= 1
            cards += self.find_cards(" ".join(words[at : at + size]))[:1]
            at += size
        return cards

    def similar(self, text: str) -> tuple[str, ...]:
        """Return the cards that a text can stand for, or else those with a similar name."""
        return self.names.candidates(text) or self.names.nearest(text)

    def split_list(self, text: str) -> list[str]:
        """Split a text that lists cards into its parts, even if there are no commas."""
        parts = [part for part in terms.PARTING.split(text) if part]
        if self.names.exact(text) or len(parts) != 1:
            return [text] if self.names.exact(text) else parts
        dashed = re.split("[-\u2013]", text)
        parts = dashed if len(dashed) == len(self.edition.category) else parts
        ways = self.cards_in(text), text.split()
        found = ([card for part in way for card in self.similar(part)] for way in ways)
        asked = (way for way, cards in zip(ways, found, strict=True) if self.one_of_each(cards))
        return next(asked, parts)

    def one_of_each(self, cards: Iterable[str]) -> bool:
        """Return whether the cards are one of each category."""
        kinds = [self.edition.category_of[card] for card in cards]
        return len(kinds) == len(self.edition.category) == len(set(kinds))


_TITLES = (
    "who what where how with cards card persons people characters places suspects weapons rooms"
)
_HEADINGS = {*_TITLES.split()}
OWN = "own"
"""The language code for the card names of the edition itself."""
USUAL = "clue-classic"
"""The preferred edition if several with the same cards fit equally well."""
_STRAY = 2
"""How many words of another language may occur in notes by chance."""


def deck_of(texts: Iterable[str], findings: Findings, corners: Container[str] = ()) -> Deck:
    """
    Return the deck that has the most names in common with the notes.

    If several editions fit equally well, the user is asked which one it is.

    Args:
        texts: The notes.
        findings: The user's hints, to which a question about the edition is added.
        corners: The texts that may be the corner of an exported pad, which names the edition.
    """
    hints = findings.hints
    known = [name for name in shipped_editions() if name in corners] or shipped_editions()
    editions = (hints.edition,) if hints.edition else map(load_edition, known)
    decks = [
        Deck(edition, language, card_names(edition, language=language, initials=True))
        for edition in editions
        for language in (None, *edition.languages)
        if hints.names in (None, language or OWN)
    ]
    if not decks:
        reason = f"no card names are known in '{printable(str(hints.names))}'"
        raise ArgumentError(reason, argument="names")
    words = {words_of(hints.meant(part)) for text in texts for part in terms.phrases_in(text)}

    def rank(deck: Deck) -> tuple[int, bool, bool]:
        """Return a sort key that puts the deck that fits best first."""
        forms = {form: name for name, each in deck.names.forms.items() for form in each}
        parts = {(word,) for form in forms for word in form if len(word) > 3}  # `Gatow` alone
        found = words & (forms.keys() | parts)
        whole = {forms.get(form) for form in found} >= set(deck.edition.names)
        foreign = deck.language is not None
        return _STRAY * foreign - len(found), foreign, not whole

    ranks = {id(deck): rank(deck) for deck in decks}
    best = min(ranks.values())
    likely = [deck for deck in decks if ranks[id(deck)] == best]
    deck = next((deck for deck in likely if deck.edition.name == USUAL), likely[0])
    alike = tuple(dict.fromkeys(each.edition.name for each in likely))
    if len(alike) > 1:
        text = f"these cards are in {joined(alike, 'and')}: which edition is it?"
        findings.ask("edition", text, choices=alike)
    return deck
