"""
Splits single lines of notes: a plain wording, the parts of a question, the facts of a list.

The code here does not know who plays.
"""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from msgspec.structs import replace

from clue_solver.exchange import terms
from clue_solver.exchange.mapping import Findings
from clue_solver.exchange.names import Deck, People
from clue_solver.notation.names import words_of

_CARDS = r"(?:cards?|hand|karten|cartes|cartas|kaarten|carte)"
HAND = re.compile(
    r"(?i)(?:^|[-;.,:]\s|,)\W*(?:(?:the\s+)?(?:cards\s+in\s+)?"
    rf"(?:my|our|meine|mes|mis|mijn|minhas|le mie)\s+(?:own\s+)?{_CARDS}(?:\s*\([^)]*\))?|"
    rf"{_CARDS}\s+(?:of|van|von|de|d[ao]|di)\s+(?P<of>[^\W\d_]+)|"
    rf"(?P<who>[^\W\d_][\w .-]*?)['\u2019]s\s+{_CARDS}"
    r"|(?P<bare>cards|hand|(?<![:;,.] )got)(?:\s*\([^)]*\))?(?=\s*[:=])"
    r"|(?<![,;\t])(?<![,;] )(?:cards|hand|mine)(?=[,;\t])"
    r"|(?<=- )got(?=\s\w)|mine(?=\s*[:=])"
    r"|i(?:['\u2019]m|\s+am)\s+[^\W\d_]+\s+and\s+(?:i\s+)?(?:have|hold|got)"
    r"|i(?:\s+|['\u2019]ve\s+)(?:have|got|hold|held|was\s+dealt|was\s+given))"
    r"\s*(?:this (?:time|game|round)\b)?"
    r"\s*(?:are\b|is\b|were\b|was\b)?\s*[-:=,;\u2013]*\s*(?P<cards>.+)"
)
"""A line that lists the writer's own cards."""
_HAND_ABOVE = re.compile(rf"(?i)(?:.*\b(?:my|mes|meine|mijn|mis)|.*['\u2019]s)\s+{_CARDS}\W*$")
"""A heading above the writer's own cards."""
_NAMED = re.compile(r"(?i)(?!.*\bme\b)\W*\w+(?:\W+\w+)?\W*")
"""A heading that may name another player than the writer, whose cards follow."""
_BULLET = re.compile(
    r"\s*(?:\[?(?:\d+[/.-]\d+(?:[/.-]\d+)?,? )?\d+:\d+(?::\d+)?(?: ?[AaPp][Mm])?\]?\s*(?:-\s+)?)?"
    r"(?:#+\s*)?(?:[-*•>☐☑☒✓✗✅❌]\s+)?(?:\[.?\]\s*)?"
    r"(?:(?:(?:[Tt]|#|\()?\d{1,3}[.):]?|(?i:turn|tour|zug|runde|round|turno|ronda|suggestion|guess)\s*"
    r"#?\d+)\s*[-:.,\u2013\u2014]?\s+)?"
)
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u26ff\u20e3]")
HEAD = re.compile(
    r"(?P<who>[^\W\d_][\w .'()-]{0,30}?)\s*(?::|[-=]?>|=|→|[-\u2013\u2014](?=\s)|\s{2})\s*(?=\S)"
)
VERB = re.compile(
    r"(?:[\w ']*[,:]\s+)?(?P<who>[^\W\d_][\w .'()-]{0,30}?)\s*\b"
    r"(?:ask|suggest|suspect|guess|accus|said|says?\b|tried|tries)\w*(?: \w+:|\s*:)?",
    re.IGNORECASE,
)
STOP = re.compile(
    rf"\s{{2,}}|\s*:\s*|\s*(?:[-=]?>|→|\s[-\u2013\u2014]\s)\s*|\?\s+|\s+[(\[]|{terms.STOPS}"
)
"""What may follow the cards of a question."""
ARROW = re.compile(r"\s*(?:[-=]?>|→|\s[-\u2013\u2014]\s)\s*")


def plain_line(text: str) -> str:
    """
    Return a line in English words, without its bullet, number and formatting.

    >>> plain_line("- [x] *Knife* - Earl"), plain_line("## 3. Ann"), plain_line("Turn 2 - Ben: no")
    ('Knife - Earl', 'Ann', 'Ben: no')
    """
    text = re.sub(r"(?<!\w)[*_]{1,3}(\S.*?)[*_]{1,3}(?!\w)", r"\1", text)
    text = re.sub(r"(?:\s*,)+\s*", ", ", _EMOJI.sub("", text)).rstrip(", ")
    text = re.sub(r"~~(.*?)~~", r"\1:", text.strip("= "))
    text = re.sub(r"\s*\.{3,}\s*(?=\S)", ": ", text)
    text = _BULLET.sub("", text.translate(terms.SIGNS), count=1).strip()
    text = re.sub(r"(?i)\byes\b\s*(?:[-\u2013:,]\s*(?=\w)|\((\w[^()]*)\))", r"shows \1", text)
    return terms.in_english(text).strip()


def find_own_cards(texts: Sequence[str], deck: Deck, findings: Findings) -> None:
    """
    Find the writer's own cards in lines of notes, unless the user has already stated them.

    Args:
        texts: The lines of the notes.
        deck: The cards.
        findings: The user's hints, to which the hand is added.
    """
    hints = findings.hints
    people = People(hints.players, hints.viewer, hints)
    plain = [*map(terms.plain_name, texts)]
    for at, text in enumerate(texts) if not hints.hand else ():
        below: list[str] = []
        if _HAND_ABOVE.match(text):
            below = [*takewhile(lambda line: deck.names.exact(hints.meant(line)), plain[at + 1 :])]
        match = HAND.search(": ".join([text.replace("*", ""), *filter(None, [", ".join(below)])]))
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
        known = [each for each in named if len(similar_cards(each, deck)) == 1]
        if len(known) > 1 and 3 * len(known) >= 2 * len(parts):
            cards = [findings.name(deck.names, part, "your cards") or part for part in parts]
            findings.heard.update(map(words_of, (text, *below)))
            if not whose or hints.viewer:
                findings.hints = replace(hints, hand=", ".join(cards))
                return


def similar_cards(text: str, deck: Deck) -> tuple[str, ...]:
    text = re.sub(r"(?i)^the ", "", text)
    return deck.names.candidates(text) or deck.names.nearest(text)


def is_statement(line: str, deck: Deck) -> bool:
    """Whether a line looks like a suggestion or like a fact about a card or a player."""
    head = HEAD.match(line)
    listed = head is not None and deck.cards_in(line[head.end() :])
    named = head is not None and deck.names.exact(head["who"])
    cards = deck.cards_in(line)
    told = listed or named or (cards and PREDICATE.search(line))
    kinds = len(deck.edition.category)
    return bool(told) or deck.one_of_each([*dict.fromkeys(cards)][:kinds])


# Lists.

_HAS_NOT = r"hasn't(?:\s+got)?|does(?:n't|\s+not)\s+have|lacks|without"
_NOT = rf"(?:has\s+)?(?:not|no|neither|nor|{_HAS_NOT})(?:\s+|:\s*)"
_ONE_OF = r"(?:has\s+)?(?:at least\s+)?(?:1|one|either)(?:\s+of)?(?:\s+|:\s*)"
_HAS = r"(?:has|have|holds|had|got|ha)(?:\s+|:\s*)"
_CLAUSES = re.compile(
    rf"(?i)(?:^|[,;!]\s*|{terms.STOPS})(?:(?P<not>{_NOT})|(?P<one>{_ONE_OF})|(?P<has>{_HAS})|^)"
)
TOLD = re.compile(rf"(?i)(?P<who>[^\W\d_][\w .'()-]{{0,30}}?)\s+(?={_NOT}|{_ONE_OF}|{_HAS})")
"""The subject of a sentence, before words such as `has` or `has not`."""
PREDICATE = re.compile(rf"(?i)(?:{_NOT}|{_ONE_OF}|{_HAS})")


Facts = list[tuple[str, tuple[str, ...]]]


def facts_in(text: str, find: Callable[[str], str | None]) -> Facts:
    """
    Return the facts in a list such as `Ben, not Ann or Cat` or `no Plum, 1 of Rope / Hall`.

    A fact is a sign and names. The sign is `has`, `lacks`, `either`, or `?` if it is unclear.

    >>> names = {"Ann": "Ann", "Ben": "Ben", "Cat": "Cat"}
    >>> facts_in("Ben (turn 3), not Ann", names.get)
    [('has', ('Ben',)), ('lacks', ('Ann',))]
    >>> facts_in("Ann, Ben or Cat", names.get)
    [('either', ('Ann', 'Ben', 'Cat'))]
    """
    facts: Facts = []
    text = re.sub(r"\(.*?\)|\[.*?\]", lambda aside: "?" * terms.is_unsure(aside[0]), text)
    text = re.sub(r"(?i)\b(?:no|not):\s*", "lacks ", text.strip(" !."))
    for sign, said in (("✓", "has"), ("✗", "lacks")):
        text = re.sub(rf"([^,;/✓✗\s][^,;/✓✗]*?)\s*{sign}", rf", {said} \1", text)
    clauses = [*_CLAUSES.finditer(text)]
    for clause, after in zip(clauses, [*clauses[1:], None], strict=True):
        stated = text[clause.end() : after.start() if after else len(text)]
        stated = re.sub(r"(?i)\s+(?:has|got|holds)(?:\s+it)?$", "", stated)  # `Ann has it`
        if not stated.strip(" ?-") or re.fullmatch(r"(?i)unknown|nobody", stated):
            continue
        names = re.split(r"\s*(?:[,;/&]|\b(?:and|nor|or)\b)\s*", stated)
        found = (
            [None]
            if terms.is_unsure(stated)
            else [find(name) for name in map(str.strip, names) if name]
        )
        known = tuple(name for name in found if name is not None)
        choice = bool(re.search(r"\bor\b", stated))
        whole = not re.search("[,;]", stated) or re.match(
            _HAS_NOT, clause["not"] or "", re.IGNORECASE
        )
        sign = "has"
        if clause["not"]:  # `no Plum, Rope` can be either
            sign = "lacks" if choice or whole or "nor" in stated else "?"
        elif (clause["one"] or choice) and len(known) > 1:
            sign = "either"
        elif clause["one"] or "/" in stated:
            sign = "?"
        facts.append((sign if len(known) == len(found) else "?", known))
    return facts
