"""
Finds out, from imported notes, the edition they are about, the players and the writer's own cards.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clue_solver.errors import ArgumentError, NotationError, printable
from clue_solver.exchange import terms
from clue_solver.exchange.findings import Findings, ImportHints
from clue_solver.notation.lexicon import card_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record.header import NEEDED, key_of, with_key
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Slot, Table

# The cards.


class Deck(NamedTuple):
    """An edition, with the language and the names of its cards in some notes."""

    edition: Edition
    language: str | None
    names: Names

    def is_heading(self, text: str) -> bool:
        """Whether a text is the heading of a category rather than a card."""
        titles = {name for kind in self.edition.category for name in (kind.name, kind.plural)}
        words = words_of(text)
        return words in {words_of(title) for title in titles if title} or set(words) <= _HEADINGS

    def find_cards(self, text: str) -> tuple[str, ...]:
        """Return the cards with this full name. One word is enough for a suspect."""
        word = words_of(text)
        if (found := self.names.exact(text)) or len(word) != 1 or len(word[0]) < 4:
            return found
        suspects = [name for name in self.edition.suspects if name in self.names.forms]
        called = [name for name in suspects if any(word[0] in f for f in self.names.forms[name])]
        return tuple(called) if len(called) == 1 else ()

    def cards_in(self, text: str) -> list[str]:
        """
        Return the cards named in a text, in order: by a full name, or a suspect by one word of it.
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

    def split_list(self, text: str) -> list[str]:
        """Split a text that lists cards into its parts, even if there are no commas."""
        parts = [part for part in terms.PARTING.split(text) if part]
        if self.names.exact(text) or len(parts) != 1:
            return [text] if self.names.exact(text) else parts
        dashed = re.split("[-\u2013]", text)
        whole = len(dashed) == len(self.edition.category)
        return self.question_in(text) or (dashed if whole else parts)

    def question_in(self, text: str) -> list[str]:
        """Return the cards of a text that names one of each category, perhaps abbreviated."""
        if self.one_of_each(cards := self.cards_in(text)):
            return cards
        words = text.split()
        if len(words) != len(self.edition.category):
            return []
        short = map(self.names.candidates, words)
        cards = [found[0] for found in short if len(found) == 1]
        return cards if self.one_of_each(cards) else []

    def one_of_each(self, cards: Iterable[str]) -> bool:
        """Whether the cards are one of each category."""
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
_MOST_WORDS = 3_000
"""How many words of the notes are used at most to find the edition."""


def deck_of(texts: Iterable[str], findings: Findings) -> Deck:
    """
    Return the deck that has the most names in common with the notes.

    If several editions fit equally well, the user is asked which one it is.
    """
    hints = findings.hints
    editions = (hints.edition,) if hints.edition else map(load_edition, shipped_editions())
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
    words = {*sorted(words)[:_MOST_WORDS]}

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
    rules = {(each.edition.names, each.edition.order, each.edition.answers) for each in likely}
    alike = tuple(dict.fromkeys(each.edition.name for each in likely))
    if len(alike) > 1:
        text = f"these cards are in {joined(alike, 'and')}: which edition is it?"
        guess = deck.edition.name if len(rules) == 1 else ""
        findings.ask("edition", text, "", guess, choices=alike)
    return deck


# The players.


class People:
    """
    Finds the player that a text in the notes stands for.

    >>> people = People(("Ann", "Ben"), "Ann", ImportHints())
    >>> people.find("me"), people.find("B*"), people.find("Soln"), people.find("Cat")
    ('Ann', 'Ben', 'envelope', None)
    """

    def __init__(self, seats: Sequence[str], viewer: str | None, hints: ImportHints) -> None:
        self.names = Names("player", seats)
        self.viewer = viewer
        self.hints = hints

    def find(self, text: str) -> str | None:
        """Return the player or the envelope that a text stands for; `None` if it is unclear."""
        text = self.hints.meant(text)
        plain, inside = terms.without_brackets(text)
        for name in (text, plain, inside):
            if len(found := self.names.exact(name)) == 1:
                return found[0]
        initials = [seat for seat in self.names.names if seat[0] == plain]
        if len(initials) == 1:  # `I` is Irene where she plays
            return initials[0]
        word = terms.fold_text(plain)
        if word in terms.WRITERS:  # unless one of several calls themselves so
            several = word != "mine" and terms.fold_text(self.viewer or "") in terms.WRITERS
            return None if several else self.viewer
        if terms.is_envelope(plain) or (plain and not terms.spelt(plain)):
            return ENVELOPE
        readings = self.names.candidates(plain)
        return readings[0] if len(readings) == 1 else None

    def seat(self, text: str) -> str:
        """Return the player that a text stands for; empty if there is none."""
        found = self.find(text) if text else None
        return found if found and found != ENVELOPE else ""

    def find_certain(self, text: str) -> str:
        """Return the player, or the envelope if unmistakably named; empty if neither."""
        known = ENVELOPE if terms.is_envelope(text, sure=True) else ""
        return self.seat(text) or known

    def seats_in(self, text: str) -> list[str]:
        """
        Return the players that a text lists by names or initials; empty if any is unknown.

        >>> People(("Ann", "Ben", "Cat"), None, ImportHints()).seats_in("B+C")
        ['Ben', 'Cat']
        """
        parts = [text] if self.find(text) else [part for part in terms.PARTING.split(text) if part]
        if len(parts) == 1 and not self.find(text):
            letters = text.replace(" ", "")
            initials = letters.isupper() and terms.fold_text(text) not in ("no", "yes")
            parts = [*letters] if initials or letters.isdecimal() else text.split()
        seats = [*map(self.seat, parts)]
        return seats if all(seats) else []


def table_of(
    deck: Deck,
    players: Sequence[str],
    hints: ImportHints,
    *,
    viewer: str | None = None,
    hands: tuple[int | None, ...] = (),
    face_up: tuple[str, ...] = (),
    slots: tuple[Slot, ...] = (),
) -> Table:
    """
    Return the table. What the user states takes precedence over the notes.

    Raises:
        SetupError: If such a table is impossible.
        NotationError: If the stated viewer is not one of the players.
        ArgumentError: If a stated header line is invalid.
    """
    themselves = [seat for seat in players if seat.casefold() in terms.WRITERS]
    if hints.viewer:
        viewer = Names("player", (*players, SPECTATOR)).find(hints.viewer)
    elif viewer is None and len(themselves) == 1:
        viewer = themselves[0]
    table = Table(
        edition=deck.edition,
        seats=tuple(players),
        hands=hands,
        viewer=None if viewer == SPECTATOR else viewer,
        face_up=face_up,
        slots=slots,
        language=deck.language,
    )
    for line in hints.header:
        name, _, text = line.partition(":")
        key = key_of(name)
        if key is None or key in NEEDED or not text:
            reason = f"expected a line such as 'hands: 5, 5, ?'; found '{printable(line)}'"
            raise ArgumentError(reason, argument="header")
        try:
            table = with_key(table, key, text)
        except NotationError as error:
            raise ArgumentError(error.reason, argument="header") from None
    return table


# The writer's own cards.

_CARDS = r"(?:cards?|hand|karten|cartes|cartas|kaarten|carte)"
_HAND = re.compile(
    r"(?i)(?:^|[-;.,:]\s|,)\W*(?:(?:the\s+)?(?:cards\s+in\s+)?"
    rf"(?:my|our|meine|mes|mis|mijn|minhas|le mie)\s+(?:own\s+)?{_CARDS}(?:\s*\([^)]*\))?|"
    rf"{_CARDS}\s+(?:of|van|von|de|d[ao]|di)\s+(?P<of>[^\W\d_]+)|"
    rf"(?P<who>[^\W\d_][\w .-]*?)['\u2019]s\s+{_CARDS}"
    r"|(?P<bare>cards|hand|have|(?<![:;,.] )got)(?:\s*\([^)]*\))?(?=\s*[:=])"
    r"|(?<![,;\t])(?<![,;] )(?:cards|hand|mine)(?=[,;\t])"
    r"|(?<=- )got(?=\s\w)|mine(?=\s*[:=])|dealt(?: to me)?(?=\s*[:=])"
    r"|i(?:['\u2019]m|\s+am)\s+[^\W\d_]+\s+and\s+(?:i\s+)?(?:have|hold|got)"
    r"|i(?:\s+|['\u2019]ve\s+)(?:have|got|hold|held|was\s+dealt|was\s+given))"
    r"\s*(?:this (?:time|game|round)\b)?"
    r"\s*(?:are\b|is\b|were\b|was\b)?\s*[-:=,;\u2013]*\s*(?P<cards>.+)"
)
"""A line that lists the writer's own cards."""
_NAMED = re.compile(r"(?i)(?!.*\bme\b)\W*\w+(?:\W+\w+)?\W*")
"""A heading that may name another player than the writer, whose cards follow."""


def find_own_cards(texts: Sequence[str], deck: Deck, findings: Findings) -> None:
    """
    Find the writer's own cards in lines of notes, unless the user has already stated them.

    Args:
        texts: The lines of the notes.
        deck: The cards.
        findings: What is known so far, to which the hand is added.
    """
    hints = findings.hints
    people = People(hints.players, hints.viewer, hints)
    if findings.hand:
        return
    for at, text in enumerate(texts):
        match = _HAND.search(text.replace("*", ""))
        whose = match and (match["who"] or match["of"])
        if match is None or (whose and hints.viewer and people.seat(whose) != hints.viewer):
            continue
        if match["bare"] and _NAMED.fullmatch(texts[at - 1] if at else ""):
            continue
        listed = re.sub(r"\(.*?\)", "", match["cards"])
        listed = re.sub(r"(?i),\s+(?:so|but|which|all|no)\b.*", "", listed.strip(".:, "))
        parts = [part for part in terms.LISTED.split(listed) if part]
        words = listed.split()
        each_one = all(len(similar_cards(word, deck)) == 1 for word in words)
        if len(parts) == 1 and (each_one or not deck.cards_in(listed)[1:]):
            parts = words
        named = map(hints.meant, parts)
        known = [each for each in named if len(similar_cards(each, deck)) == 1]
        few = 1 < len(known) <= len(deck.edition.names) // 2
        if few and 3 * len(known) >= 2 * len(parts):
            cards = [findings.name(deck.names, part, "your cards") or part for part in parts]
            findings.heard.add(words_of(text))
            if not whose or hints.viewer:
                findings.hand = ", ".join(cards)
                return


def similar_cards(text: str, deck: Deck) -> tuple[str, ...]:
    """Return the cards that a text can stand for, or else those with a similar name."""
    text = re.sub(r"(?i)^the ", "", text)
    return deck.names.candidates(text) or deck.names.nearest(text)
