"""What a cell or a line says of one card, or of one player: who has it and who has it not."""

import re
from collections.abc import Callable
from typing import NamedTuple

from clue_solver.exchange.mapping import is_unsure

STOPS = (
    r"(?<!\bM[rs])(?<!\bMrs)(?<!\bDr)(?<!\bCol)(?<!\bProf)(?<!\bRev)(?<!\bSgt)(?<!\bMme)\.(?:\s+|$)"
)
"""A full stop at the end of a sentence, rather than behind a title."""


class Facts(NamedTuple):
    """Who has a card and who has it not, or which cards somebody has, has not, has one of."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    either: tuple[tuple[str, ...], ...] = ()
    unread: bool = False


_NOT = r"(?:has\s+)?(?:not|no|neither|nor|lacks|hasn't|without)\s+"
_ONE_OF = r"(?:has\s+)?(?:at least\s+)?(?:1|one|either)\s+(?:of\s+)?"
_HAS = r"(?:has|have|holds|had|got|ha)\s+"
_CLAUSES = re.compile(
    rf"(?i)(?:^|[,;!]\s*|{STOPS})(?:(?P<not>{_NOT})|(?P<one>{_ONE_OF})|(?P<has>{_HAS})|^)"
)


def facts_in(text: str, find: Callable[[str], str | None]) -> Facts:
    """
    Return what a list such as `Ben, not Ann or Cat` or `no Plum, 1 of Rope / Hall` says.

    >>> names = {"Ann": "Ann", "Ben": "Ben", "Cat": "Cat"}
    >>> facts_in("Ben (turn 3), not Ann", names.get)
    Facts(has=('Ben',), lacks=('Ann',), either=(), unread=False)
    >>> facts_in("Ann, Ben or Cat", names.get).either
    (('Ann', 'Ben', 'Cat'),)
    """
    facts = Facts()
    text = re.sub(r"\(.*?\)|\[.*?\]", lambda aside: "?" * is_unsure(aside[0]), text).strip(" !.")
    clauses = [*_CLAUSES.finditer(text)]
    for clause, after in zip(clauses, [*clauses[1:], None], strict=True):
        stated = text[clause.end() : after.start() if after else len(text)]
        stated = re.sub(r"(?i)\s+(?:has|got|holds)(?:\s+it)?$", "", stated)  # `Ann has it`
        if not stated.strip(" ?-") or re.fullmatch(r"(?i)unknown|nobody", stated):
            continue
        if is_unsure(stated):
            facts = facts._replace(unread=True)
            continue
        names = re.split(r"\s*(?:[,;/&]|\b(?:and|nor|or)\b)\s*", stated)
        found = [find(name) for name in map(str.strip, names) if name]
        known = tuple(name for name in found if name is not None)
        choice = bool(re.search(r"\bor\b", stated))
        listed = bool(re.search("[,;]", stated))
        if len(known) < len(found):
            facts = facts._replace(unread=True)
        elif clause["not"] and (choice or not listed or "nor" in stated):
            facts = facts._replace(lacks=(*facts.lacks, *known))
        elif (clause["one"] or choice) and not clause["not"] and len(known) > 1:
            facts = facts._replace(either=(*facts.either, known))
        elif clause["not"] or clause["one"] or "/" in stated:  # `no Plum, Rope` can be either
            facts = facts._replace(unread=True)
        else:
            facts = facts._replace(has=(*facts.has, *known))
    return facts
