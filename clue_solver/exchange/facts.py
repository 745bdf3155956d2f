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


_NOT = re.compile(r"(?i)(?:has\s+)?(?:not|no|neither|nor|lacks|hasn't|without)\s+(.*)")
_ONE_OF = re.compile(r"(?i)(?:has\s+)?(?:at least\s+)?(?:1|one|either)\s+(?:of\s+)?(.*)")
_HAS = re.compile(r"(?i)(?:has|have|holds|had|got)\s+")


def _stated(text: str) -> list[str]:
    """
    Return the parts of a list: what is one of several stays together.

    >>> _stated("no Plum, Rope, one of Hall, Study or Lounge"), _stated("has Hall, Study or Knife")
    (['no Plum', 'Rope', 'one of Hall / Study or Lounge'], ['has Hall / Study or Knife'])
    """
    parts: list[str] = []
    for part in filter(None, re.split(rf"[,;!]\s*(?![^()]*\))|{STOPS}", text)):
        begins = _NOT.fullmatch(part) or _ONE_OF.fullmatch(part) or _HAS.match(part)
        if parts and _ONE_OF.fullmatch(parts[-1]) and not begins:
            parts[-1] += f" / {part}"
            continue
        parts.append(part)
        if re.search(r"\bor\b", part) and not begins:  # `Hall, Study or Knife`
            while len(parts) > 1 and not _NOT.fullmatch(parts[-2]):
                last = parts.pop()
                parts[-1] += f" / {last}"
                if _HAS.match(parts[-1]):
                    break
    return parts


def facts_in(text: str, find: Callable[[str], str | None]) -> Facts:
    """
    Return what a list such as `Ben, not Ann or Cat` or `no Plum, 1 of Rope / Hall` says.

    >>> names = {"Ann": "Ann", "Ben": "Ben", "Cat": "Cat"}
    >>> facts_in("Ben (turn 3), not Ann", names.get)
    Facts(has=('Ben',), lacks=('Ann',), either=(), unread=False)
    """
    has: list[str] = []
    lacks: list[str] = []
    either: list[tuple[str, ...]] = []
    unread = False
    for stated in _stated(text):
        part = re.sub(r"\(.*?\)|\[.*?\]", "", stated).strip(" !")
        part = re.sub(r"(?i)\s+(?:has|got|holds)(?:\s+it)?$", "", part)  # `Ann has it`
        if not part or re.fullmatch(r"[?-]+|(?i:unknown|nobody)", part):
            continue
        if is_unsure(stated):
            unread = True
            continue
        denied = _NOT.fullmatch(part)
        one_of = _ONE_OF.fullmatch(part)
        rest = denied[1] if denied else one_of[1] if one_of else _HAS.sub("", part, count=1)
        names = [name.strip() for name in re.split(r"\s*(?:/|&|\b(?:and|nor|or)\b)\s*", rest)]
        found = [find(name) for name in names if name]
        known = tuple(name for name in found if name is not None)
        choice = one_of or (re.search(r"\bor\b", rest) and not denied)
        if len(known) < len(found) or not known:
            unread = True
        elif denied or (choice and lacks and not one_of):  # `no Plum, Rope or Hall`
            lacks += known
        elif choice and len(known) > 1:
            either.append(known)
        elif not choice and not lacks and "/" not in part:
            has += known
        else:
            unread = True
    return Facts(tuple(has), tuple(lacks), tuple(either), unread)
