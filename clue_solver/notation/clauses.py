"""The clauses of what is said: who does what, to whom, with which cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from clue_solver.notation.hearing import Unclear, Word
from clue_solver.rules.table import Table

ANSWERS = frozenset(("show", "could", "have", "yes", "no", "shown"))
"""Verbs of answers."""
ASKS = frozenset(("ask", "say", "asked", "point"))
"""Verbs of suggestions."""

_SUBJECTS = frozenset(("seat", "he", "nobody", "all", "others", "both", "someone"))
_TO_WHOM = frozenset(("ask", "show", "look"))
"""Verbs that are followed by whom one asks, shows to, looks at."""
_NO_VERBS = frozenset(("card", "number", "clue", "him", "break", "to", "by", "or", "maybe"))


@dataclass
class Clause:
    """
    Who does what to whom with which cards, as far as it is said.

    Attributes:
        subjects, verb: Who does what; a verb is a key of the table of words, or empty.
        denied: Whether what is asked is said not to be: `didn't suggest`.
        cards: The cards, and numbers of a roll.
        to, by: To whom, and by whom where the verb is passive.
        either, doubted: Whether it says `or`, or `maybe`.
    """

    subjects: list[Word] = field(default_factory=list)
    verb: str = ""
    denied: bool = False
    cards: list[Word] = field(default_factory=list)
    to: list[Word] = field(default_factory=list)
    by: list[Word] = field(default_factory=list)
    either: bool = False
    doubted: bool = False

    def named(self) -> list[str]:
        """Return its cards."""
        if not all(word.names for word in self.cards):
            raise Unclear
        return [word.names[0] for word in self.cards]


def clauses_of(words: Sequence[Word]) -> list[Clause]:
    """Return the clauses: one begins with who does something, or with another verb."""
    clauses = [Clause()]
    words = _restarted(words)
    for at, word in enumerate(words):
        before = words[at - 1].kind if at else ""
        after = words[at + 1].kind if at + 1 < len(words) else ""
        if word.kind in _SUBJECTS:
            _add_player(clauses, word, before, after)
        elif word.kind in ("card", "number", "clue"):
            if before == "pass":
                raise Unclear  # `passes the knife to Cat`
            _add_card(clauses, word, after)
        elif word.kind == "to" and after not in (*_NO_VERBS, *_SUBJECTS, "for", ""):
            raise Unclear  # `wants to ask`
        elif word.kind not in _NO_VERBS:
            _add_word(clauses, word.kind, before, after)
        clauses[-1].either = clauses[-1].either or word.kind == "or"
        if word.kind == "maybe" and after in _SUBJECTS and before != "or":
            clauses.append(Clause(doubted=True))
        elif word.kind == "maybe" and before != "or":
            clauses[-1].doubted = True
    *others, cards, owner = [Clause(), Clause(), *clauses]
    owned = [word.owns for word in owner.subjects] == [True] and owner.cards == []
    if owned and not owner.verb and cards == Clause(cards=cards.cards):  # `the rope is Dan's`
        clauses = [*others, replace(cards, subjects=owner.subjects, verb="have")]
    return [one for one in clauses if one not in (Clause(), Clause(verb="yes"))]


def _add_player(clauses: list[Clause], word: Word, before: str, after: str) -> None:
    """Put a player where they stand in a clause, or begin another with them."""
    one = clauses[-1]
    place = _place_of(one, word, "ask" if before == "asks" else before, after)
    if before == "asks" and not one.subjects and any(other.cards for other in clauses):
        place = one.subjects  # `plum with the rope in the hall, asks Ben`
    if place is None:
        one = Clause()
        clauses.append(one)
        place = one.subjects
    place.append(word)
    if word.owns and after == "card" and not one.verb:
        one.verb = "ask"  # `Ben's plum, rope and hall`


def _add_card(clauses: list[Clause], word: Word, after: str) -> None:
    """Put a card, a number or a clue card into the clause."""
    one = clauses[-1]
    if one.verb == "turn":
        one.verb = "ask"  # `Eli's turn: green, rope, hall`
    if one.by and one.cards and one.verb in ANSWERS and after == "by":
        one = Clause(verb=one.verb)  # `got plum from Ben and rope from Cat`
        clauses.append(one)
    one.cards.append(word)


def _add_word(clauses: list[Clause], kind: str, before: str, after: str) -> None:
    """Give the clause a verb, or begin another with it; the same for words between clauses."""
    one = clauses[-1]
    begins = after in _SUBJECTS or after == "could"
    if kind == "never" or (kind == "neither" and begins):
        clauses.append(Clause(denied=True))
    elif kind == "dice" and one.verb in ("", "have"):
        one.verb = "roll"
    elif kind == "for":
        if one.verb in (*ANSWERS, "look", "peek"):
            clauses.append(Clause(verb="see" if one.verb in ("look", "peek") else "ask"))
    elif kind == "except":
        shows = after in ("seat", "he") and one.verb in ("no", "")
        clauses.append(Clause(verb="yes" if shows else ""))  # `nobody but Dan`
    elif kind != "nor" or not begins:
        verb = {"neither": "no", "nor": "no", "pass": "no", "asks": "ask"}.get(kind, kind)
        if not _goes_on(one, verb, before):
            clauses.append(Clause(verb=verb))


def _restarted(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words without what `I mean` takes back: `Ann accuses, I mean suggests`."""
    kinds = [word.kind for word in words]
    if "mean" not in kinds:
        return words
    end = kinds.index("mean")
    begin = max((at for at in range(end) if kinds[at] in ("ask", "say", "accuse")), default=end)
    between = {*kinds[begin + 1 : end]}
    return (
        [*words[:begin], *words[end + 1 :]] if between <= {"break", "no", "lead", "seat"} else words
    )


def _place_of(one: Clause, word: Word, before: str, after: str) -> list[Word] | None:
    """Return where in a clause a player stands; `None` if another clause begins."""
    if word.owns and after == "card" and one.verb:
        return None
    acts = after not in (*_NO_VERBS, *_SUBJECTS, "for", "")
    if before == "by":
        return one.by
    if before == "to" and one.verb:
        return one.to
    if one.verb in _TO_WHOM and before == one.verb and (not acts or one.verb == "look"):
        return one.to
    if before == "for" and one == Clause(verb="ask"):
        return one.subjects  # `when Ben asked`
    if one.to and before in _SUBJECTS and not acts and not word.apart:
        return one.to
    if one.verb in ("no", "yes") and before in ("no", "yes", "could") and not acts:
        return None if one.subjects else one.subjects  # `not Ben`, `neither could Ben`
    if one.verb == "yes" and before == "except":
        return one.subjects
    if not one.verb and not one.cards and "nobody" not in [other.kind for other in one.subjects]:
        return one.subjects
    return None


def _goes_on(one: Clause, verb: str, before: str) -> bool:
    """Give a clause its verb, or the one that its verb leads to; return whether that fits."""
    if one.cards:
        return False
    was = one.verb
    if not was:
        one.verb = "no" if one.denied and verb in ("have", "could", "show") else verb
        one.denied = False
    elif was == "could" and verb in ("show", "have", "no"):
        one.verb = "no" if verb == "no" else "show"
    elif was == "could":
        raise Unclear
    elif was == "no" and verb == "ask":
        one.verb, one.denied = "ask", True
    elif was == "no" and verb in ("right", "wrong"):
        if before != "no":
            return False
        one.verb = "wrong" if verb == "right" else "right"
    elif was == "no" and verb == "no" and before == "break":
        return False
    elif was == "no" and verb in ("have", "show", "could", "no", "yes"):
        pass
    elif was == "ask" and (verb == "have" or (verb == "ask" and before in _SUBJECTS)):
        pass  # `asked who has`
    elif was == "no":
        raise Unclear
    elif was in ("have", "say", "yes") or (was == "show" and verb in ("no", "have", "show")):
        one.verb = verb
    elif was == verb and verb not in ("ask", "accuse"):
        pass
    else:
        return False
    return True


def _asks(one: Clause) -> bool:
    """Whether a clause is a suggestion, its verb left out or not."""
    return one.verb in ASKS or (not one.verb and len(one.cards) > 1)


def each_showing(clauses: list[Clause], table: Table) -> Iterator[list[Clause]]:
    """
    Yield the ways in which it can have been: who showed where it is `someone` or `Ben or Cat`,
    and whether somebody did who `might have`.
    """
    others = [other for other in clauses if other.verb in ANSWERS - {"no"}]
    if [(*one.subjects, *one.by) for one in others] == [()] and not table.everyone_shows:
        (one,) = others  # `showed her the knife`
        told = (one.to or one.cards) and "asked" not in [other.verb for other in clauses]
        if one.verb == "show" and told and any(map(_asks, clauses)):
            someone = replace(one, subjects=[Word("someone")])
            clauses = [someone if other is one else other for other in clauses]
    showing = [one for one in clauses if one.verb == "show" and len(one.subjects) == 1]
    seats_of = {one.subjects[0].names for one in showing if one.subjects[0].kind == "seat"}
    if len(seats_of) > 1 and not table.everyone_shows and any(one.verb == "ask" for one in clauses):
        for alone in showing:
            yield [one for one in clauses if one is alone or one not in showing]
        return
    for at, one in enumerate(clauses):
        if one.doubted:
            shows = one.subjects and len(one.cards) < 2
            sure = replace(one, doubted=False, verb=one.verb or ("show" if shows else ""))
            if sure.verb not in ANSWERS or not any(map(_asks, clauses)):
                raise Unclear
            yield from each_showing([*clauses[:at], sure, *clauses[at + 1 :]], table)
            yield from each_showing([*clauses[:at], *clauses[at + 1 :]], table)
            return
        if one.verb not in ("show", "could", "have", "yes"):
            continue
        seats = [word for word in one.subjects if word.kind == "seat"]
        if one.subjects and one.subjects[0].kind == "someone":
            acting = {word.names for other in clauses for word in other.subjects}
            left = [seat for seat in table.seats if (seat,) not in acting]
            seats = [Word("seat", (seat,)) for seat in left]
        elif len(seats) < 2 or (table.everyone_shows and not one.either):
            continue
        for seat in seats:
            alone = replace(one, subjects=[seat], either=False)
            yield from each_showing([*clauses[:at], alone, *clauses[at + 1 :]], table)
        return
    yield clauses
