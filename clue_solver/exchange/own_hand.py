"""Finds the writer's own cards, which notes often list in a line of their own."""

import re
from collections.abc import Sequence

from clue_solver.exchange import terms
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.people import People
from clue_solver.notation.names import words_of

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
"""
A line that lists the writer's own cards: `My hand: Plum, Rope`, `Ann's cards - Plum, Rope`,
`cartas de Ann: Plum, Rope`, `I've got Plum and Rope`, `I'm Ann and have Plum, Rope`.
"""
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
        if len(parts) == 1 and not deck.cards_in(listed)[1:]:
            parts = listed.split()
        named = map(hints.meant, parts)
        known = [each for each in named if len(deck.similar(each)) == 1]
        few = 1 < len(known) <= len(deck.edition.names) // 2
        if few and 3 * len(known) >= 2 * len(parts):
            cards = [findings.name(deck.names, part, "your cards") or part for part in parts]
            findings.used.add(words_of(text))
            if not whose or hints.viewer:
                findings.hand = ", ".join(cards)
                return
